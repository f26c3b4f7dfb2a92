//! Works along a piece by stages: the books of energy with the order of the method. Changes no motion.

use super::flow::{Flow, Held, against_slip};
use super::tableau::{MOST, Tableau};
use crate::linalg::{Blocked, dot};
use crate::step::host::Host;
use crate::step::impulses::Impulses;
use crate::step::state::Mode;

/// Works over a piece, or per time at one stage: (cap.20).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::step) struct Works {
    /// Of the forces of the model; without what changing masses take, when `ends`.
    pub external: f64,
    /// Of joints and surfaces that move by themselves.
    pub drive: f64,
    /// Lost to friction.
    pub friction: f64,
    /// Masses are booked from the ends of the piece.
    pub ends: bool,
}

impl Works {
    /// Adds `part` of the works `other`.
    pub(super) fn add(&mut self, part: f64, other: &Works) {
        self.external += part * other.external;
        self.drive += part * other.drive;
        self.friction += part * other.friction;
    }
}

impl Flow {
    /// What is done per time at the point where the flow was evaluated last, at the velocity `v`, by
    /// forces and by the multipliers `one`.
    pub(super) fn power(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        v: &[f64],
        one: &Impulses,
    ) -> Works {
        let mut works = Works { external: dot(&self.force, v), ..Works::default() };
        if held.free(&host.dims) {
            return works;
        }
        let g = &self.here;
        works.drive = -dot(&one.joint, &g.phi_t);
        let n_dir = host.dims.n_dir;
        for (i, &mode) in held.modes.iter().enumerate().filter(|(_, m)| m.held()) {
            works.drive -= one.normal[i] * g.gap_t[i];
            match mode {
                Mode::Slip(k) if held.mu[i] > 0.0 => {
                    let rub = against_slip(host, g, (i, k), v, &mut self.rub);
                    works.friction -= held.mu[i] * one.normal[i] * rub.dot(v);
                }
                Mode::Stick => {
                    for k in 0..n_dir {
                        works.friction -= one.friction[i * n_dir + k] * g.tangent(i, k).dot(v);
                    }
                }
                _ => {}
            }
        }
        works
    }
}

/// How much the derivative of a polynomial with the value 1 at node `j`, and 0 at the start and at the
/// other nodes, is at node `i`.
fn slope(t: &Tableau, j: usize, i: usize) -> f64 {
    let mut nodes = [0.0; MOST + 1];
    // exact: the first stage of some methods is the start
    let begins = usize::from(t.c[0] > 0.0);
    nodes[begins..begins + t.stages].copy_from_slice(&t.c[..t.stages]);
    let (n, j, i) = (begins + t.stages, begins + j, begins + i);
    let mut sum = 0.0;
    for k in (0..n).filter(|&k| k != j) {
        let others = (0..n).filter(|&m| m != j && m != k);
        let rest: f64 = others.map(|m| (nodes[i] - nodes[m]) / (nodes[j] - nodes[m])).product();
        sum += rest / (nodes[j] - nodes[k]);
    }
    sum
}

/// What the change of the mass from `before` to `mass` at stage `j` adds to the work of forces, which
/// hold the Coriolis forces that do none: half of V' dM/dt V, with dM/dt on the polynomial through the
/// stages, whose velocities are `vel`.
pub(super) fn of_mass(
    t: &Tableau,
    j: usize,
    (before, mass): (&Blocked, &Blocked),
    vel: &[f64],
) -> f64 {
    let nv = vel.len() / t.stages;
    // exact: the same sums where masses are constant
    if before[..] == mass[..] {
        return 0.0;
    }
    let mut sum = 0.0;
    for (i, v) in vel.chunks_exact(nv).enumerate() {
        let weight = 0.5 * t.b[i] * slope(t, j, i);
        for (k, vk) in v.iter().enumerate() {
            let grown = mass.col(k).dot(v) - before.col(k).dot(v);
            sum += weight * vk * grown;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::options::MethodKind;

    #[test]
    fn slopes_differentiate_polynomials_through_the_start_exactly() {
        for method in [MethodKind::LobattoIIIA6, MethodKind::RadauIIA5, MethodKind::RadauIIA3] {
            let t = Tableau::of(method).unwrap();
            for p in 1..t.stages as i32 {
                for i in 0..t.stages {
                    let sum: f64 = (0..t.stages).map(|j| slope(&t, j, i) * t.c[j].powi(p)).sum();
                    let exact = f64::from(p) * t.c[i].powi(p - 1);
                    assert!((sum - exact).abs() < 1e-12, "{method:?} {p} {i}: {sum} {exact}");
                }
            }
        }
    }
}
