//! Velocity jumps: what happens to the velocity when bodies collide. Knows no time and no geometry.
#![doc = include_str!("theory.md")]

mod laws;
mod solver;

pub(crate) use laws::kinetic_energy;
pub use solver::Solver;

use crate::error::Result;
use crate::lcp::Info;
use crate::linalg::Columns;
use crate::velocity::{Brakes, Certificate, Problem, Rows};

/// How a contact gives back what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Compression only, (imp.1).
    Plastic,
    /// The normal speed after is at least -e times the speed before, (imp.3).
    Newton,
    /// Compression, then decompression with e times the compression impulse, (imp.2).
    Poisson,
    /// The velocity of compression reflected, (imp.4).
    Reflection,
}

/// An impact: the bodies just before it, and every contact that touches.
#[derive(Clone, Copy, Debug)]
pub struct Impact<'a> {
    /// nv by nv, symmetric part positive definite.
    pub mass: Columns<'a>,
    /// Velocity before, nv numbers.
    pub v_minus: &'a [f64],
    /// Joints; the offset is the prescribed speed with its sign changed.
    pub joint: Rows<'a>,
    /// Contact normals; the offset is the speed of the gap at rest.
    pub normal: Rows<'a>,
    /// Friction directions, `n_dir` columns per contact.
    pub tangent: Rows<'a>,
    /// Directions per contact, even; 0 for no friction anywhere.
    pub n_dir: usize,
    /// Friction coefficient per contact, >= 0; not read when `n_dir` is 0.
    pub mu: &'a [f64],
    /// Restitution coefficient per contact, in [0, 1]; not read for [`Law::Plastic`].
    pub restitution: &'a [f64],
}

impl<'a> Impact<'a> {
    /// The velocity problem of one phase, with momentum `p`.
    fn phase(&self, p: &'a [f64]) -> Problem<'a> {
        Problem {
            mass: self.mass,
            p,
            joint: self.joint,
            normal: self.normal,
            tangent: self.tangent,
            n_dir: self.n_dir,
            mu: self.mu,
            // A bounded force does nothing in no time.
            brake: Brakes::NONE,
        }
    }
}

/// What a resolved impact reports besides velocities and impulses.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Pivots of all phases together, the worst residual of them.
    pub info: Info,
    /// Which hypotheses of the solvability theorem hold for the phases.
    pub certificate: Certificate,
    /// Kinetic energy before, (imp.5).
    pub energy_before: f64,
    /// Kinetic energy after.
    pub energy_after: f64,
}

/// Resolves one impact with a workspace made for it. For many impacts keep a [`Solver`].
///
/// # Errors
/// As [`Solver::solve`], and `Memory`.
pub fn resolve(law: Law, impact: &Impact<'_>) -> Result<(Solver, Outcome)> {
    let problem = impact.phase(impact.v_minus);
    let mut solver = Solver::new(problem.size())?;
    let outcome = solver.solve(law, impact)?;
    Ok((solver, outcome))
}
