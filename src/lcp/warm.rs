//! Starting from a remembered basis. Knows how a basis is kept and tried, not how a path is
//! followed.

use super::core::Core;
use super::engine::{Engine, Problem};
use super::lemke::{Budget, End};
use super::options::{EngineChoice, Info, Options};
use super::rules::ATTEMPTS;
use crate::error::{Error, Result, reserve};
use crate::linalg::MatRef;
use crate::tol;

/// Passes of refinement with an inverse that may belong to a slightly different matrix.
const PASSES: usize = 8;

/// A basis by the caller's keys, independent of order and number of unknowns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    keys: Vec<i64>,
    max: usize,
}

impl Basis {
    /// Room for `max` keys; nothing is allocated later.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(max: usize) -> Result<Self> {
        Ok(Self { keys: reserve(max)?, max })
    }

    /// Keys of the basic unknowns, ascending.
    pub fn keys(&self) -> &[i64] {
        &self.keys
    }

    /// Replaces the keys.
    ///
    /// # Errors
    /// `Capacity` when there are too many.
    pub fn set_keys(&mut self, keys: &[i64]) -> Result<()> {
        if keys.len() > self.max {
            return Err(Error::Capacity { what: "keys", needed: keys.len(), have: self.max });
        }
        self.keys.clear();
        self.keys.extend_from_slice(keys);
        self.keys.sort_unstable();
        Ok(())
    }
}

/// The basis of the last solution.
#[derive(Debug)]
pub(super) struct Memory {
    basic: Vec<bool>,
    /// Sort of problem it belongs to; none before the first solution.
    kind: Option<usize>,
}

impl Memory {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self { basic: reserve(n_max)?, kind: None })
    }

    pub(super) fn serves(&self, n: usize, kind: usize) -> bool {
        self.kind == Some(kind) && self.basic.len() == n
    }

    /// Which unknowns are basic; empty when nothing is remembered.
    pub(super) fn basic(&self) -> &[bool] {
        if self.kind == Some(0) { &self.basic } else { &[] }
    }

    pub(super) fn forget(&mut self) {
        self.kind = None;
    }

    pub(super) fn keep(&mut self, basic: &[bool], kind: usize) {
        self.basic.clear();
        self.basic.extend_from_slice(basic);
        self.kind = Some(kind);
    }

    pub(super) fn write(&self, keys: &[i64], basis: &mut Basis) -> Result<()> {
        let (n, got) = (self.basic.len(), keys.len());
        if got != n {
            let expected = format!("{n}, the size of the last solution");
            return Err(Error::Dimension { what: "number of keys", got: got as i64, expected });
        }
        let needed = self.basic.iter().filter(|&&b| b).count();
        if needed > basis.max {
            return Err(Error::Capacity { what: "basis", needed, have: basis.max });
        }
        basis.keys.clear();
        basis.keys.extend(keys.iter().zip(&self.basic).filter(|(_, b)| **b).map(|(k, _)| *k));
        basis.keys.sort_unstable();
        Ok(())
    }

    pub(super) fn read(&mut self, keys: &[i64], basis: &Basis) {
        self.basic.clear();
        self.basic.extend(keys.iter().map(|k| basis.keys.binary_search(k).is_ok()));
        self.kind = Some(0);
    }
}

impl Core {
    /// Tries the remembered basis: as it stands, then by a path from it (lcp.16). `fits`: the
    /// scales are those of the last call. `None` when a start from scratch is due.
    pub(super) fn remembered(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        options: &Options,
        fits: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Info>> {
        let first = match self.try_basis(m, q, fits) {
            Some(first) => first,
            None => return Ok(None),
        };
        let mut warm = true;
        if self.best.residual > tol::LCP_WARM {
            warm = false;
            self.factored.sparse.ensure(m, || self.scale.nonzeros());
            // Directions are refined once; an inverse too old for that is made afresh.
            if first > tol::LCP_REFACTOR && self.try_basis(m, q, false).is_none() {
                return Ok(None);
            }
            if let End::Stopped(code) = self.follow_from_here(m, &ATTEMPTS[0], budget) {
                return Err(Error::Callback { what: "progress", code });
            }
            self.consider(m, q);
        }
        Ok(self.proven(m, q, options.tolerance).map(|residual| Info {
            pivots: budget.pivots,
            warm,
            residual,
            refactorizations: self.factored.refactorizations(),
            growth: self.path.growth,
            engine: EngineChoice::Factored,
            ..Info::trivial()
        }))
    }

    /// Solves the equations of the remembered basis and considers the point. Returns their
    /// violation after the first pass, which tells how well the inverse suits M; `None` for a
    /// singular basis.
    fn try_basis(&mut self, m: MatRef<'_>, q: &[f64], keep: bool) -> Option<f64> {
        for keep in [keep, false] {
            let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
            let basic = &self.memory.basic;
            self.factored.load_basis(&p, &mut self.path, basic, keep).ok()?;
            let (first, last) =
                self.factored.solve_basis(&p, &mut self.path, PASSES, tol::LCP_FRESH);
            if last <= tol::LCP_STALE || !keep {
                self.consider(m, q);
                return Some(first);
            }
        }
        None
    }
}
