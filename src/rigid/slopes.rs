//! Derivatives of the forces of a scene, (rigid.9) and (rigid.17). Knows no contacts.

use super::scene::{NO_DIRECTION, Scene};
use super::spring::Actuator;
use crate::linalg::{Blocked, axpy};
use crate::model::Answer;
use nalgebra::{Matrix6, Vector3};

impl Scene {
    /// Adds the derivative `k` of the force on `row` along motions of `col` to dfdq.
    pub(super) fn add_stiffness(
        &self,
        q: &[f64],
        row: Option<usize>,
        col: Option<usize>,
        k: &Matrix6<f64>,
        dfdq: &mut [f64],
    ) {
        let (Some(i), Some(j)) = (row, col) else { return };
        let (at, n, other) = (self.bodies[i].v_at, self.bodies[i].kind.nv(), &self.bodies[j]);
        let per_position = k * other.motion_per_position(q, &other.place(q));
        for c in 0..other.kind.nq() {
            let start = (other.q_at + c) * self.dims.nv + at;
            axpy(1.0, &per_position.column(c).as_slice()[..n], &mut dfdq[start..start + n]);
        }
    }

    pub(super) fn add_damping(
        &self,
        row: Option<usize>,
        col: Option<usize>,
        c: &Matrix6<f64>,
        dfdv: &mut [f64],
    ) {
        let (Some(i), Some(j)) = (row, col) else { return };
        let (at, n, other) = (self.bodies[i].v_at, self.bodies[i].kind.nv(), &self.bodies[j]);
        for k in 0..other.kind.nv() {
            let start = (other.v_at + k) * self.dims.nv + at;
            axpy(1.0, &c.column(k).as_slice()[..n], &mut dfdv[start..start + n]);
        }
    }

    /// Adds the derivative `slope` of the force on one body along motions or velocities of another.
    pub(super) fn add_block(
        &self,
        (row, col): (usize, usize),
        slope: &Matrix6<f64>,
        to: &mut Blocked,
    ) {
        let (b, other) = (&self.bodies[row], &self.bodies[col]);
        let n = b.kind.nv();
        for k in 0..if n > 0 { other.kind.nv() } else { 0 } {
            let part = to.part_mut(other.v_at + k, b.v_at, n);
            axpy(1.0, &slope.column(k).as_slice()[..n], part);
        }
    }

    /// Says how the weight of each body and the loads on it change with its motion, one by one.
    pub(super) fn bends(&self, t: f64, q: &[f64], mut say: impl FnMut(usize, &Matrix6<f64>)) {
        let zero = Vector3::zeros();
        for (i, b) in self.bodies.iter().enumerate() {
            let placed = b.place(q);
            say(i, &placed.bend(&placed.x, &(self.gravity * b.mass), &zero));
        }
        for l in &self.loads {
            let placed = self.place(Some(l.body), q);
            let [p, f, torque] = self.load(l, t, &placed);
            say(l.body, &placed.bend(&p, &f, &torque));
        }
    }

    /// Says the derivatives (rigid.17) of one actuator: the body of the force, that of the motion, and the slopes along
    /// displacements and velocities.
    pub(super) fn actuator_jac(
        &self,
        act: &Actuator,
        (t, q, v): (f64, &[f64], &[f64]),
        say: &mut impl FnMut(Option<usize>, Option<usize>, [&Matrix6<f64>; 2]),
    ) -> Answer {
        let c = &act.coordinate;
        let (pa, pb) = (self.place(c.a, q), self.place(c.b, q));
        let (va, vb) = (self.velocity_of(c.a, v), self.velocity_of(c.b, v));
        let g = c.gradient(&pa, &pb, act.rest).ok_or(NO_DIRECTION)?;
        let d = c.second(&pa, &pb).ok_or(NO_DIRECTION)?;
        let strength = act.strength(t, &g, &va, &vb);
        // How the strength changes along motions of a and of b.
        let along_a = g.a * act.stiffness + (d.aa.tr_mul(&va) + d.ba.tr_mul(&vb)) * act.damping;
        let along_b = g.b * act.stiffness + (d.ab.tr_mul(&va) + d.bb.tr_mul(&vb)) * act.damping;
        let blocks = [
            (c.a, c.a, &g.a, &g.a, &along_a, &d.aa),
            (c.a, c.b, &g.a, &g.b, &along_b, &d.ab),
            (c.b, c.a, &g.b, &g.a, &along_a, &d.ba),
            (c.b, c.b, &g.b, &g.b, &along_b, &d.bb),
        ];
        for (row, col, g_row, g_col, along, second) in blocks {
            let k = second * strength - g_row * along.transpose();
            say(row, col, [&k, &(g_row * g_col.transpose() * -act.damping)]);
        }
        Ok(())
    }
}
