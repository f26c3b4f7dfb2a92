//! Scalar functions of the relative position of two bodies, with gradients and second derivatives.
//! Joints, drives, limits and springs are made of them. Knows neither forces nor time.

use super::body::Placed;
use super::rotation::hat;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// A scalar function of where two bodies stand. Lower-case letters are fixed in the bodies: `at_a`,
/// `u` in the first, `at_b`, `w` in the second.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    /// Indices of the bodies; `None` is the ground.
    pub a: Option<usize>,
    pub b: Option<usize>,
    pub at_a: Vector3<f64>,
    pub at_b: Vector3<f64>,
    pub kind: Kind,
}

/// Which function, (rigid.10) to (rigid.15).
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A world component of the way from point a to point b.
    World(usize),
    /// The way from point a to point b along an axis of the first body.
    Slide(Vector3<f64>),
    /// Cosine between an axis of the first and an axis of the second body.
    Cosine(Vector3<f64>, Vector3<f64>),
    /// Angle between planar bodies, times a sign; turns are counted.
    Turn(f64),
    /// Angle of an axis of the second body in the plane of two axes of the first, in (-pi, pi] from
    /// its rest.
    Angle { zero: Vector3<f64>, quarter: Vector3<f64>, hand: Vector3<f64> },
    /// Distance of the points.
    Distance,
}

/// Value and gradients, in the coordinates of the bodies' velocities: d value/dt = a'v_a + b'v_b.
pub(super) struct Gradient {
    pub value: f64,
    pub a: Vector6<f64>,
    pub b: Vector6<f64>,
}

/// Derivatives of the gradients along small motions: `ab` is that of gradient a along motions of b.
pub(super) struct Second {
    pub aa: Matrix6<f64>,
    pub ab: Matrix6<f64>,
    pub ba: Matrix6<f64>,
    pub bb: Matrix6<f64>,
}

impl Coordinate {
    /// Value minus `rest` and gradient; `None` where the function has none: points that coincide,
    /// an axis at right angles to its plane.
    pub(super) fn gradient(&self, a: &Placed, b: &Placed, rest: f64) -> Option<Gradient> {
        let (pa, pb) = (a.point(&self.at_a), b.point(&self.at_b));
        let d = pb - pa;
        let zero = Vector3::zeros();
        let g = match &self.kind {
            Kind::World(k) => {
                let e = Vector3::ith(*k, 1.0);
                Gradient {
                    value: d[*k] - rest,
                    a: a.generalized(&pa, &-e, &zero),
                    b: b.generalized(&pb, &e, &zero),
                }
            }
            Kind::Slide(u) => {
                let s = a.rot * u;
                Gradient {
                    value: s.dot(&d) - rest,
                    a: a.generalized(&pa, &-s, &s.cross(&d)),
                    b: b.generalized(&pb, &s, &zero),
                }
            }
            Kind::Cosine(u, w) => cosine(a, b, u, w, rest),
            Kind::Turn(sign) => {
                let axis = Vector3::z() * *sign;
                Gradient {
                    value: sign * (b.turn - a.turn) - rest,
                    a: a.generalized(&a.x, &zero, &-axis),
                    b: b.generalized(&b.x, &zero, &axis),
                }
            }
            Kind::Angle { zero, quarter, hand } => {
                let (c, s) = (cosine(a, b, zero, hand, 0.0), cosine(a, b, quarter, hand, 0.0));
                angle(&c, &s, rest)?
            }
            Kind::Distance => {
                let length = d.norm();
                let n = direction(&d, length)?;
                Gradient {
                    value: length - rest,
                    a: a.generalized(&pa, &-n, &zero),
                    b: b.generalized(&pb, &n, &zero),
                }
            }
        };
        Some(g)
    }

    /// Second derivatives; `None` as for [`gradient`](Self::gradient).
    pub(super) fn second(&self, a: &Placed, b: &Placed) -> Option<Second> {
        let (pa, pb) = (a.point(&self.at_a), b.point(&self.at_b));
        let d = pb - pa;
        let zero = Vector3::zeros();
        let second = match &self.kind {
            Kind::World(k) => {
                let e = Vector3::ith(*k, 1.0);
                Second {
                    aa: a.bend(&pa, &-e, &zero),
                    bb: b.bend(&pb, &e, &zero),
                    ab: Matrix6::zeros(),
                    ba: Matrix6::zeros(),
                }
            }
            Kind::Slide(u) => slide_second(a, b, &pa, &pb, &(a.rot * u)),
            Kind::Cosine(u, w) => cosine_second(a, b, u, w),
            Kind::Turn(_) => Second {
                aa: Matrix6::zeros(),
                ab: Matrix6::zeros(),
                ba: Matrix6::zeros(),
                bb: Matrix6::zeros(),
            },
            Kind::Angle { zero, quarter, hand } => {
                let (c, s) = (cosine(a, b, zero, hand, 0.0), cosine(a, b, quarter, hand, 0.0));
                let (dc, ds) =
                    (cosine_second(a, b, zero, hand), cosine_second(a, b, quarter, hand));
                angle_second(&c, &s, &dc, &ds)?
            }
            Kind::Distance => {
                let length = d.norm();
                let n = direction(&d, length)?;
                let across = (Matrix3::identity() - n * n.transpose()) / length;
                let (ja, jb) = (a.jacobian(&pa), b.jacobian(&pb));
                Second {
                    aa: ja.tr_mul(&(across * ja)) + a.bend(&pa, &-n, &zero),
                    ab: -ja.tr_mul(&(across * jb)),
                    ba: -jb.tr_mul(&(across * ja)),
                    bb: jb.tr_mul(&(across * jb)) + b.bend(&pb, &n, &zero),
                }
            }
        };
        Some(second)
    }
}

/// d / length, unless they are zero.
fn direction(d: &Vector3<f64>, length: f64) -> Option<Vector3<f64>> {
    (length > 0.0).then(|| d / length)
}

/// (rigid.12): u'w with u fixed in a and w in b.
fn cosine(a: &Placed, b: &Placed, u: &Vector3<f64>, w: &Vector3<f64>, rest: f64) -> Gradient {
    let (u, w) = (a.rot * u, b.rot * w);
    let torque = u.cross(&w);
    let zero = Vector3::zeros();
    Gradient {
        value: u.dot(&w) - rest,
        a: a.generalized(&a.x, &zero, &torque),
        b: b.generalized(&b.x, &zero, &-torque),
    }
}

fn cosine_second(a: &Placed, b: &Placed, u: &Vector3<f64>, w: &Vector3<f64>) -> Second {
    let (u, w) = (a.rot * u, b.rot * w);
    let torque = u.cross(&w);
    let zero = Vector3::zeros();
    let (wa, wb) = (a.spin(), b.spin());
    // The torque u x w changes with both axes.
    let by_a = hat(&w) * hat(&u) * wa;
    let by_b = -hat(&u) * hat(&w) * wb;
    Second {
        aa: wa.tr_mul(&by_a) + a.bend(&a.x, &zero, &torque),
        ab: wa.tr_mul(&by_b),
        ba: -wb.tr_mul(&by_a),
        bb: -wb.tr_mul(&by_b) + b.bend(&b.x, &zero, &-torque),
    }
}

fn slide_second(
    a: &Placed,
    b: &Placed,
    pa: &Vector3<f64>,
    pb: &Vector3<f64>,
    s: &Vector3<f64>,
) -> Second {
    let d = pb - pa;
    let (ja, jb, wa) = (a.jacobian(pa), b.jacobian(pb), a.spin());
    let axis_by_a = -hat(s) * wa;
    let torque_by_a = -hat(&d) * axis_by_a - hat(s) * ja;
    Second {
        aa: -ja.tr_mul(&axis_by_a) + wa.tr_mul(&torque_by_a) + a.bend(pa, &-s, &s.cross(&d)),
        ab: wa.tr_mul(&(hat(s) * jb)),
        ba: jb.tr_mul(&axis_by_a),
        bb: b.bend(pb, s, &Vector3::zeros()),
    }
}

/// (rigid.14): the angle of the point (c, s), minus `rest`.
fn angle(c: &Gradient, s: &Gradient, rest: f64) -> Option<Gradient> {
    let r2 = c.value * c.value + s.value * s.value;
    if !(r2 > 0.0) {
        return None;
    }
    let (sin, cos) = rest.sin_cos();
    Some(Gradient {
        // Turned back by `rest` before the angle is taken, so that the jump is half a turn away
        // from it.
        value: (s.value * cos - c.value * sin).atan2(c.value * cos + s.value * sin),
        a: (s.a * c.value - c.a * s.value) / r2,
        b: (s.b * c.value - c.b * s.value) / r2,
    })
}

fn angle_second(c: &Gradient, s: &Gradient, dc: &Second, ds: &Second) -> Option<Second> {
    let g = angle(c, s, 0.0)?;
    let r2 = c.value * c.value + s.value * s.value;
    type Side<'a> = (&'a Vector6<f64>, &'a Vector6<f64>, &'a Vector6<f64>);
    let block = |x: Side<'_>, y: Side<'_>, ds: &Matrix6<f64>, dc: &Matrix6<f64>| {
        let ((cx, sx, gx), (cy, sy, _)) = (x, y);
        let turning = sx * cy.transpose() - cx * sy.transpose();
        let stretching = gx * (cy * c.value + sy * s.value).transpose() * 2.0;
        (turning + ds * c.value - dc * s.value - stretching) / r2
    };
    let (a, b) = ((&c.a, &s.a, &g.a), (&c.b, &s.b, &g.b));
    Some(Second {
        aa: block(a, a, &ds.aa, &dc.aa),
        ab: block(a, b, &ds.ab, &dc.ab),
        ba: block(b, a, &ds.ba, &dc.ba),
        bb: block(b, b, &ds.bb, &dc.bb),
    })
}
