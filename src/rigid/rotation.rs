//! Rotations in space: cross products as matrices, the exponential map of rigid motions, unit
//! quaternions and their derivatives. Knows no body.

use crate::tol;
use nalgebra::{Matrix3, Quaternion, SMatrix, UnitQuaternion, Vector3};

/// The matrix of the cross product with `a`: hat(a) b = a x b.
pub(super) fn hat(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The quaternion stored as w x y z in `q`, as it stands, not normalised.
pub(super) fn stored(q: &[f64]) -> Quaternion<f64> {
    Quaternion::new(q[0], q[1], q[2], q[3])
}

/// Writes `p` as w x y z.
pub(super) fn store(p: &Quaternion<f64>, q: &mut [f64]) {
    (q[0], q[1], q[2], q[3]) = (p.w, p.i, p.j, p.k);
}

/// The rotation by the vector `w`: axis times angle, (rigid.4).
pub(super) fn exponential(w: &Vector3<f64>) -> Quaternion<f64> {
    let half = 0.5 * w.norm();
    let v = w * (0.5 * sinc(half));
    Quaternion::new(half.cos(), v.x, v.y, v.z)
}

/// V(w) u of (rigid.4): where a body moves that translates with `u` while turning by `w`, both in
/// its own axes.
pub(super) fn screw(w: &Vector3<f64>, u: &Vector3<f64>) -> Vector3<f64> {
    let angle2 = w.norm_squared();
    let angle = angle2.sqrt();
    let half = sinc(0.5 * angle);
    let third = if angle2 < tol::ROTATION_SERIES {
        // (a - sin a) / a^3 loses its digits for small a; five terms of its series do not.
        let x = angle2;
        1.0 / 6.0 - x / 120.0 + x * x / 5040.0 - x * x * x / 362_880.0
            + x * x * x * x / 39_916_800.0
    } else {
        (angle - angle.sin()) / (angle2 * angle)
    };
    let wu = w.cross(u);
    u + wu * (0.5 * half * half) + w.cross(&wu) * third
}

/// sin x / x.
fn sinc(x: f64) -> f64 {
    // exact: only zero itself divides by zero
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// d/dt of the quaternion `p` of a body that turns with `w` in its own axes, (rigid.3).
pub(super) fn quaternion_rate(p: &Quaternion<f64>, w: &Vector3<f64>) -> Quaternion<f64> {
    p * Quaternion::new(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z)
}

/// The small rotation in body axes per change of the stored quaternion, 3 by 4, (rigid.5). Changes
/// of its length rotate nothing.
pub(super) fn rotation_per_quaternion(p: &Quaternion<f64>) -> SMatrix<f64, 3, 4> {
    let v = Vector3::new(p.i, p.j, p.k);
    let mut g = SMatrix::<f64, 3, 4>::zeros();
    g.set_column(0, &-v);
    g.fixed_view_mut::<3, 3>(0, 1).copy_from(&(Matrix3::identity() * p.w - hat(&v)));
    g * (2.0 / p.norm_squared())
}

/// The rotation matrix of the quaternion `p` after normalisation.
pub(super) fn matrix(p: &Quaternion<f64>) -> Matrix3<f64> {
    UnitQuaternion::new_normalize(*p).to_rotation_matrix().into_inner()
}

/// A unit vector at right angles to the unit vector `a`: always the same one.
pub(super) fn perpendicular(a: &Vector3<f64>) -> Vector3<f64> {
    a.cross(&Vector3::ith(a.iamin(), 1.0)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screw_is_many_small_ones() {
        let (w, u) = (Vector3::new(0.7, -1.1, 0.4), Vector3::new(0.3, 0.5, -2.0));
        for size in [1e-9, 1e-3, 0.3, 1.0, 2.5] {
            let (w, u) = (w * size, u * size);
            let half = screw(&(w * 0.5), &(u * 0.5));
            let turn = matrix(&exponential(&(w * 0.5)));
            let twice = half + turn * half;
            assert!((twice - screw(&w, &u)).norm() < 4e-16 * size, "{size}");
        }
    }

    #[test]
    fn a_quaternion_turns_as_its_rate_says() {
        // Not of length one: the rate grows with it, the rotation does not.
        let p = Quaternion::new(0.5, -0.5, 0.1, 0.7);
        let w = Vector3::new(0.7, -1.1, 0.4);
        let mut rate = [0.0; 4];
        store(&quaternion_rate(&p, &w), &mut rate);
        let back = rotation_per_quaternion(&p) * nalgebra::Vector4::from(rate);
        assert!((back - w).norm() < 1e-15);
    }
}
