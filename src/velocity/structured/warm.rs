//! Modes that are known beforehand: one factorisation answers where they are right, and tells where
//! to start where they are not. Knows no sweeps.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::joints;
use super::newton::Newton;
use super::polygon::{Triple, derivative, project};
use crate::tol;

impl Newton {
    /// The proximal step of [`factor`](Self::factor), repeated, with its modes kept whatever the law
    /// says of them; ends when the law holds, or no longer gets nearer. Gives the residual left.
    pub(super) fn keep_modes(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        target: f64,
    ) -> f64 {
        let bodies = &islands.bodies[island.bodies.clone()];
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        let contacts = &groups[joints.len()..];
        let mut last = f64::INFINITY;
        for _ in 0..tol::PROXIMAL_STEPS {
            for &b in bodies {
                let range = blocks.range(b);
                self.error[range.clone()].copy_from_slice(&self.p[range]);
            }
            for &i in contacts {
                let r = self.kept_impulse(blocks, i, &self.offset[i], eps);
                blocks.add_impulse(&blocks.groups[i], &r, &mut self.error);
            }
            self.ask_joints(blocks, joints);
            self.solve_error(blocks, bodies);
            self.take_step(blocks, bodies, joints);
            for &i in contacts {
                let u = blocks.speeds(&blocks.groups[i], &self.offset[i], &self.v);
                self.r[i] = self.kept_impulse(blocks, i, &u, eps);
            }
            self.rebase(groups);
            self.velocities(blocks, islands, island);
            let left = self.natural(blocks, groups);
            if left <= target || !(left <= tol::PROXIMAL_PROGRESS * last) {
                return left;
            }
            last = left;
        }
        last
    }

    /// Multiplies the impulses of an island by the number that takes most energy out of it, (vel.15), with the velocities
    /// that go with them; no impulses where there is none. Needs velocities that count from those without impulses of
    /// contacts.
    pub(super) fn scale_impulses(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        self.velocities(blocks, islands, island);
        let groups = &islands.groups[island.groups.clone()];
        let contacts = &groups[joints::of(blocks, groups).len()..];
        let (mut work, mut own) = (0.0, 0.0);
        for &i in contacts {
            let (g, r, free) = (&blocks.groups[i], &self.r[i], &self.offset[i]);
            let u = blocks.speeds(g, free, &self.v);
            for k in 0..g.dim {
                work -= r[k] * free[k];
                own += r[k] * (u[k] - free[k]);
            }
        }
        let factor = if own > 0.0 && work > 0.0 { work / own } else { 0.0 };
        let factor = if factor.is_finite() { factor } else { 0.0 };
        // What has not changed is not to flicker.
        let factor = if (factor - 1.0).abs() <= tol::SAME_IMPULSES { 1.0 } else { factor };
        for &i in contacts {
            self.r[i] = self.r[i].map(|r| factor * r);
        }
        self.velocities(blocks, islands, island);
    }

    /// The impulse that the mode of group `i` asks for at the speeds `u`, (vel.11) on one piece.
    pub(super) fn kept_impulse(&self, blocks: &Blocks, i: usize, u: &Triple, eps: f64) -> Triple {
        let g = &blocks.groups[i];
        let slope = derivative(self.factored[i], g.mu, blocks.corners(g));
        let mut x = [0.0; 3];
        for k in 0..g.dim {
            x[k] = self.base[i][k] - u[k] / (eps * g.response[usize::from(k > 0)]);
        }
        slope.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
    }

    /// Makes the impulses ones that the law allows.
    pub(super) fn admit(&mut self, blocks: &Blocks, groups: &[usize]) {
        for &i in groups {
            let g = &blocks.groups[i];
            if matches!(g.kind, Kind::Contact(_)) {
                self.r[i] = project(&self.r[i], g.mu, blocks.corners(g)).0;
            }
        }
    }
}
