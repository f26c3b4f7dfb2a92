//! Bases that the solvers of a stepper remember between steps: kept with the state, so that a
//! failed step leaves them and a snapshot holds them. Knows no numerics.

use super::workspace::Workspace;
use crate::error::{Result, reserve};
use crate::lcp::{Lcp, Options};

/// Bases of the problems of steps, of accelerations and of impacts.
#[derive(Debug)]
pub(super) struct Bases {
    pub step: Vec<bool>,
    pub forces: Vec<bool>,
    pub impact: Vec<bool>,
}

impl Bases {
    /// None, with room for `unknowns` each.
    pub(super) fn new(unknowns: usize) -> Result<Self> {
        Ok(Self {
            step: reserve(unknowns)?,
            forces: reserve(unknowns)?,
            impact: reserve(unknowns)?,
        })
    }

    /// Takes over `other`, which has at most as many unknowns.
    pub(super) fn copy_from(&mut self, other: &Bases) {
        for (to, from) in self.all_mut().into_iter().zip(other.all()) {
            to.clear();
            to.extend_from_slice(from);
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        for basis in self.all_mut() {
            basis.clear();
        }
    }

    pub(super) fn all(&self) -> [&Vec<bool>; 3] {
        [&self.step, &self.forces, &self.impact]
    }

    pub(super) fn all_mut(&mut self) -> [&mut Vec<bool>; 3] {
        [&mut self.step, &mut self.forces, &mut self.impact]
    }

    /// Takes over what the solvers remember.
    pub(super) fn take_from(&mut self, w: &mut Workspace) {
        for (basis, lcp) in self.all_mut().into_iter().zip(solvers(w)) {
            basis.clear();
            basis.extend_from_slice(lcp.basic());
        }
    }

    /// Makes the solvers remember this, and nothing else.
    ///
    /// # Errors
    /// `Capacity`.
    pub(super) fn give_to(&self, w: &mut Workspace) -> Result<()> {
        for (basis, lcp) in self.all().into_iter().zip(solvers(w)) {
            lcp.set_basic(basis)?;
        }
        Ok(())
    }
}

fn solvers(w: &mut Workspace) -> [&mut Lcp; 3] {
    [w.step.solver.lcp_mut(), w.forces.assembly.solver.lcp_mut(), w.impact.velocity_mut().lcp_mut()]
}

/// Sets the limits of all solvers.
///
/// # Errors
/// `Value` for a tolerance that is not positive.
pub(super) fn set_limits(w: &mut Workspace, tolerance: f64, max_pivots: usize) -> Result<()> {
    for lcp in solvers(w) {
        let mut options: Options = *lcp.options();
        options.max_pivots = max_pivots;
        if tolerance > 0.0 {
            options.tolerance = tolerance;
        }
        lcp.set_options(options)?;
    }
    Ok(())
}
