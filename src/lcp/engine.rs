//! What the path follower asks of a representation of the basis, and the scaled problem both
//! representations work on.

use super::path::{Path, Var};
use super::rules::Rules;
use crate::linalg::MatRef;

/// The problem in scaled units: entries r_i M_ij c_j, formed where needed (the scales are powers of
/// two, so nothing is rounded), and the right-hand side `q` of size one.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) m: MatRef<'a>,
    pub(super) r: &'a [f64],
    pub(super) c: &'a [f64],
    pub(super) q: &'a [f64],
}

impl Problem<'_> {
    pub(super) fn n(&self) -> usize {
        self.q.len()
    }

    /// Scaled entry (i, j).
    #[inline]
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.r[i] * self.m.at(i, j) * self.c[j]
    }
}

/// The basis could not be represented accurately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Singular;

/// Done, or [`Singular`].
pub(super) type Represented = std::result::Result<(), Singular>;

/// A representation of the basis. Two exist: [`super::tableau::Tableau`] and
/// [`super::factored::Factored`].
pub(super) trait Engine {
    /// Starts at the basis in hand with the covering direction `path.dir`: the rates of the basic
    /// variables per unit of the artificial one.
    fn cover(&mut self, p: &Problem<'_>, path: &Path);

    /// Writes the rates of the basic variables per unit of the nonbasic variable `entering` into
    /// `path.dir`.
    fn direction(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        entering: Var,
        rules: &Rules,
    ) -> Represented;

    /// Exchanges `leaving` at position `i` with `entering`, whose rates are in `path.dir`; `path`
    /// has already stepped. Positions may be renamed.
    fn exchange(&mut self, p: &Problem<'_>, path: &mut Path, i: usize, leaving: Var, entering: Var);

    /// Computes the basic variables afresh from the right-hand side, where the representation can.
    fn refresh(&mut self, p: &Problem<'_>, path: &mut Path);

    /// Makes the representation afresh. False where it cannot be or the basis is singular.
    fn refactor(&mut self, p: &Problem<'_>, path: &mut Path) -> bool;

    /// Representations made afresh since the start.
    fn refactorizations(&self) -> usize;
}
