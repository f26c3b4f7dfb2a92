//! Which method answers velocity problems, and with how many of their contacts. Knows no numerics.

use super::solver::Solver;
use super::structured::Reduction;
use crate::error::{Error, Result, told};
use crate::tol;

/// Which method answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// Lemke's method, or a basis it remembers.
    #[default]
    Lemke,
    /// Modes in the space of bodies, (vel.12).
    Bodies,
}

/// How long the answer of a problem with many contacts is searched for. What comes after the first search takes as long as
/// hundreds of other problems: callers that have another problem to ask instead, a shorter step, ask that first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Search {
    /// One search in the space of bodies.
    Short,
    /// All searches there.
    Long,
    /// Lemke's method as well, however many unknowns there are.
    #[default]
    Whole,
}

impl Search {
    /// Unknowns up to which Lemke's method is asked where nothing else finds an answer.
    pub(super) fn left_to_lemke(self) -> usize {
        match self {
            Search::Short => tol::LEMKE_AFTER_SHORT,
            Search::Long => tol::LEMKE_AFTER_LONG,
            Search::Whole => usize::MAX,
        }
    }
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

    /// How long answers of problems with many contacts are searched for.
    pub fn set_search(&mut self, search: Search) {
        self.structured.search = search;
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
