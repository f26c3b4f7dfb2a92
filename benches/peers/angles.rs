//! The double pendulum at the wall in its two angles, as the peers have it: no joints.

use stiction::model::{Answer, Dims, Model};

/// Rods of 1 m with points of 1 kg, angles from the vertical; the wall x = 0 stops both with e = 0.1.
pub struct Angles;

const G: f64 = 9.8;

impl Angles {
    /// Angles pi/3 and pi/5.
    pub const START: [f64; 2] = [std::f64::consts::PI / 3.0, std::f64::consts::PI / 5.0];

    /// Where the two points are.
    pub fn points(q: &[f64]) -> [f64; 4] {
        let ((s0, c0), (s1, c1)) = (q[0].sin_cos(), q[1].sin_cos());
        [s0, -c0, s0 + s1, -c0 - c1]
    }
}

impl Model for Angles {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        let c = (q[0] - q[1]).cos();
        mass.copy_from_slice(&[2.0, c, c, 1.0]);
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        let s = (q[0] - q[1]).sin();
        force[0] = -s * v[1] * v[1] - 2.0 * G * q[0].sin();
        force[1] = s * v[0] * v[0] - G * q[1].sin();
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, q: &[f64], v: &[f64], k: &mut [f64], c: &mut [f64]) -> Answer {
        let (s, cos) = (q[0] - q[1]).sin_cos();
        let (a, b) = (cos * v[1] * v[1], cos * v[0] * v[0]);
        k.copy_from_slice(&[-a - 2.0 * G * q[0].cos(), b, a, -b - G * q[1].cos()]);
        c.copy_from_slice(&[0.0, 2.0 * s * v[0], -2.0 * s * v[1], 0.0]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let ((s0, c0), (s1, c1)) = (q[0].sin_cos(), q[1].sin_cos());
        (gap[0], gap[1]) = (s0, s0 + s1);
        normal.copy_from_slice(&[c0, 0.0, c0, c1]);
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn restitution(&self, _: usize) -> f64 {
        0.1
    }
}
