//! Which method answers velocity problems, and with how many of their contacts. Knows no numerics.

use super::solver::Solver;
use super::structured::Reduction;
use crate::error::{Error, Result, told};

/// Which method answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// Lemke's method, or a basis it remembers.
    #[default]
    Lemke,
    /// Modes in the space of bodies, (vel.12).
    Bodies,
}

impl Solver {
    /// Up to how many threads answer islands of contacts that are independent of each other; one or none: the calling one
    /// alone. Answers do not depend on it. Threads take memory whenever they begin.
    pub fn set_threads(&mut self, threads: usize) {
        self.structured.set_threads(threads);
    }

    /// Whether every problem goes to Lemke's method, however many contacts it has.
    pub fn set_lemke_only(&mut self, only: bool) {
        self.lemke_only = only;
    }

    /// Tells where in v the coordinates of each body begin, ascending from 0, as far as that is known:
    /// problems with many contacts are solved in blocks of this size.
    ///
    /// # Errors
    /// `Value` unless ascending from 0, `Memory`.
    pub fn set_bodies(&mut self, first: &[usize]) -> Result<()> {
        if first.first().is_some_and(|&x| x > 0) || !first.is_sorted_by(|a, b| a < b) {
            let (what, got) = ("bodies", told(format_args!("{first:?}")));
            return Err(Error::Value { what, got, must: "ascending from 0" });
        }
        self.structured.set_bodies(first)
    }

    /// How far contacts are left out of problems that have many of them.
    pub fn set_reduction(&mut self, level: Reduction) {
        self.structured.reduction = level;
    }

    /// Contacts that took part in the last solved problem; the others were found not to approach.
    pub fn contacts_kept(&self) -> usize {
        match self.stage {
            Stage::Lemke => self.normal.len(),
            Stage::Bodies => self.structured.contacts_kept(),
        }
    }

    /// Which method answered the last solved problem.
    pub fn stage(&self) -> Stage {
        self.stage
    }
}
