//! Starting from a remembered basis. Knows how a basis is kept and tried, not how a path is
//! followed.

use super::core::Core;
use super::engine::{Engine, Problem};
use super::lemke::{Budget, End};
use super::options::{EngineChoice, Info, Options};
use super::rules::from_a_basis;
use crate::error::{Error, Result, grow, reserve, told};
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

/// Sort of problem of a basis that came by keys: whichever is solved next.
const ANY: usize = usize::MAX;

/// The basis of the last solution.
#[derive(Debug)]
pub(super) struct Memory {
    basic: Vec<bool>,
    /// Sort of problem it belongs to; none before the first solution.
    kind: Option<usize>,
    /// Pairs of the caller's problem, the first of `basic`; the reduction of a mixed problem may
    /// have added others.
    pairs: usize,
}

impl Memory {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self { basic: reserve(n_max)?, kind: None, pairs: 0 })
    }

    /// Room for the basis of `n` unknowns.
    pub(super) fn make_room(&mut self, n: usize) -> Result<()> {
        self.basic.clear();
        grow(&mut self.basic, n)
    }

    pub(super) fn serves(&self, n: usize, kind: usize) -> bool {
        self.kind.is_some_and(|k| k == kind || k == ANY) && self.basic.len() == n
    }

    /// Whether unknown `i` of a problem that it serves is basic.
    pub(super) fn has_basic(&self, i: usize) -> bool {
        self.basic.get(i).is_some_and(|b| *b)
    }

    /// Which unknowns of a problem that it serves are basic.
    pub(super) fn remembered(&self) -> &[bool] {
        &self.basic
    }

    /// Which unknowns are basic; empty when nothing is remembered.
    pub(super) fn basic(&self) -> &[bool] {
        if matches!(self.kind, Some(0 | ANY)) { &self.basic } else { &[] }
    }

    pub(super) fn forget(&mut self) {
        self.kind = None;
    }

    pub(super) fn keep(&mut self, basic: &[bool], kind: usize) {
        self.basic.clear();
        self.basic.extend_from_slice(basic);
        (self.kind, self.pairs) = (Some(kind), basic.len());
    }

    /// Makes a basis by keys fit a mixed problem of that many pairs whose reduction has `order`:
    /// the pairs it adds start nonbasic.
    pub(super) fn widen(&mut self, pairs: usize, order: usize) {
        if self.kind == Some(ANY) && self.pairs == pairs {
            self.basic.resize(order, false);
        }
    }

    /// The basis kept last is that of a mixed problem with that many pairs.
    pub(super) fn of_pairs(&mut self, pairs: usize) {
        self.pairs = pairs;
    }

    /// Pairs whose variables have changed places are basic where they were not.
    pub(super) fn turn(&mut self, swapped: &[bool]) {
        for (basic, swapped) in self.basic.iter_mut().zip(swapped) {
            *basic ^= swapped;
        }
    }

    pub(super) fn write(&self, keys: &[i64], basis: &mut Basis) -> Result<()> {
        let (n, got) = (self.pairs, keys.len());
        if got != n {
            let expected = told(format_args!("{n}, the pairs of the last solution"));
            return Err(Error::Dimension { what: "number of keys", got: got as i64, expected });
        }
        let basic = &self.basic[..n];
        let needed = basic.iter().filter(|&&b| b).count();
        if needed > basis.max {
            return Err(Error::Capacity { what: "basis", needed, have: basis.max });
        }
        basis.keys.clear();
        basis.keys.extend(keys.iter().zip(basic).filter(|(_, b)| **b).map(|(k, _)| *k));
        basis.keys.sort_unstable();
        Ok(())
    }

    pub(super) fn read(&mut self, keys: &[i64], basis: &Basis) {
        self.basic.clear();
        self.basic.extend(keys.iter().map(|k| basis.keys.binary_search(k).is_ok()));
        (self.kind, self.pairs) = (Some(ANY), keys.len());
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
        if self.best.residual > tol::LCP_WARM && !self.try_shelf(m, q, first) {
            warm = false;
            self.factored.sparse.ensure(m, || self.scale.nonzeros());
            // Directions are refined once; an inverse too old for that is made afresh.
            if first > tol::LCP_REFACTOR && self.try_basis(m, q, false).is_none() {
                return Ok(None);
            }
            let n = q.len();
            self.factored.stand(n, &mut self.path);
            // (lcp.16) with e = 0 where nothing is violated: what is right need not move. Elsewhere the path
            // starts with an artificial variable as large as the largest violation; ones add no rounding.
            for (e, x) in self.path.dir.iter_mut().zip(&self.path.x).take(n) {
                *e = if *x < 0.0 { 1.0 } else { 0.0 };
            }
            if let End::Stopped(code) = self.follow_from_here(m, &from_a_basis(n), budget) {
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

    /// Tries the bases met before, the likely one first, then the last one; that in hand joins them. True when one of
    /// them solves the problem. Otherwise that in hand is in hand again.
    fn try_shelf(&mut self, m: MatRef<'_>, q: &[f64], first: f64) -> bool {
        if first > tol::LCP_REFACTOR || !self.factored.put_on(&mut self.shelf) {
            return false;
        }
        let mut touched = false;
        // What came next the time before mostly does again.
        let likely = self.shelf.likely();
        for back in likely.into_iter().chain((1..).filter(|&back| Some(back) != likely)) {
            let Some(feasible) = self.shelf.feasible(back, &self.q) else { break };
            if feasible {
                touched = true;
                self.take_kept(m, q, back);
                if self.best.residual <= tol::LCP_WARM {
                    return true;
                }
            }
        }
        if touched {
            self.take_kept(m, q, 0);
        }
        false
    }

    /// Takes a basis from the shelf and considers its point.
    fn take_kept(&mut self, m: MatRef<'_>, q: &[f64], back: usize) {
        if let Some(kept) = self.shelf.get(back) {
            self.factored.load_kept(q.len(), &kept);
            self.solve_loaded(m);
            self.consider_solved(m, q);
        }
    }

    /// Solves the equations of the basis in hand, w into `path.dir`. Returns their violation after the
    /// first pass and after the last.
    fn solve_loaded(&mut self, m: MatRef<'_>) -> (f64, f64) {
        let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
        let n = p.n();
        // What a sum of as many terms as there are unknowns rounds away.
        let goal = (4.0 * f64::EPSILON * n as f64).max(tol::LCP_FRESH);
        self.path.size(n);
        self.factored.values(&p, &mut self.path.dir[..n], PASSES, goal)
    }

    /// Solves the equations of the remembered basis and considers the point. Returns their
    /// violation after the first pass, which tells how well the inverse suits M; `None` for a
    /// singular basis.
    fn try_basis(&mut self, m: MatRef<'_>, q: &[f64], keep: bool) -> Option<f64> {
        for keep in [keep, false] {
            let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
            self.factored.load_basis(&p, &self.memory.basic, keep).ok()?;
            let (first, last) = self.solve_loaded(m);
            if last <= tol::LCP_STALE || !keep {
                self.consider_solved(m, q);
                return Some(first);
            }
        }
        None
    }
}
