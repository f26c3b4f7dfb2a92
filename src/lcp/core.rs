//! The solver behind [`super::Lcp`]: scaling, start, attempts in order, and the judgement of what
//! they give. Answers stay inside until they are proven.

use super::engine::{Engine, Problem};
use super::factored::Factored;
use super::lemke::{Budget, End, follow};
use super::lexico::Lexico;
use super::options::{EngineChoice, Info, Options};
use super::path::Path;
use super::ray::Ray;
use super::residual::{Digits, WORK};
use super::rules::{ATTEMPTS, Rules, spread};
use super::scale::Scale;
use super::shelf::Shelf;
use super::small::{self, Small};
use super::tableau::Tableau;
use super::warm::Memory;
use crate::error::{Error, Result, finite, reserve};
use crate::linalg::MatRef;
use crate::linalg::kernel::max_abs;
use crate::tol;

/// Largest problem that uses the tableau, measured, and for which storage of one is kept.
const TABLEAU_MAX: usize = 1200;

/// No kind of problem.
const NO_KIND: usize = usize::MAX;

/// A candidate answer and its residual in the solver's own scales.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) z: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) residual: f64,
    /// The residual (lcp.2) by its definition, where it was asked for: it costs nine passes over M.
    pub(super) defined: Option<f64>,
}

impl Candidate {
    fn new(n_max: usize) -> Result<Self> {
        let (z, w) = (reserve(n_max)?, reserve(n_max)?);
        Ok(Self { z, w, residual: f64::INFINITY, defined: None })
    }
}

#[derive(Debug)]
pub(super) struct Core {
    pub(super) scale: Scale,
    /// Kind of problem the scales were made for.
    scaled_kind: usize,
    pub(super) path: Path,
    pub(super) factored: Factored,
    pub(super) tableau: Tableau,
    pub(super) small: Small,
    pub(super) lexico: Lexico,
    /// Right-hand side, scaled to size one; `unit` is the power of two it was divided by.
    pub(super) q: Vec<f64>,
    lifted: Vec<f64>,
    pub(super) unit: f64,
    /// Largest entry of that, in [1, 2); zero where no such unit exists.
    pub(super) size: f64,
    /// How answers are judged; those with twice the digits as computed where the rounding of M z + q,
    /// relative to q, is below `trust`.
    pub(super) digits: Digits,
    pub(super) trust: f64,
    /// Residual the caller asks for, and the one at which the end of a path is taken as it is.
    pub(super) tolerance: f64,
    pub(super) fine: f64,
    pub(super) trial: Candidate,
    pub(super) best: Candidate,
    /// Basis of the best candidate: true where z is basic.
    pub(super) basic: Vec<bool>,
    pub(super) trial_basic: Vec<bool>,
    pub(super) start: Vec<bool>,
    pub(super) work: Vec<f64>,
    /// What the sums of a product have rounded away.
    pub(super) low: Vec<f64>,
    pub(super) memory: Memory,
    pub(super) shelf: Shelf,
    pub(super) ray: Ray,
    pub(super) ray_found: bool,
}

impl Core {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            scale: Scale::new(n_max)?,
            scaled_kind: 0,
            path: Path::new(n_max)?,
            factored: Factored::new(n_max)?,
            tableau: Tableau::new(n_max.min(TABLEAU_MAX))?,
            small: Small::new(),
            lexico: Lexico::new(n_max)?,
            q: reserve(n_max)?,
            lifted: reserve(n_max)?,
            unit: 1.0,
            size: 0.0,
            digits: Digits::Twice,
            trust: 0.0,
            tolerance: tol::LCP_RESIDUAL,
            fine: tol::LCP_FINE,
            trial: Candidate::new(n_max)?,
            best: Candidate::new(n_max)?,
            basic: reserve(n_max)?,
            trial_basic: reserve(n_max)?,
            start: reserve(n_max)?,
            work: reserve(WORK.saturating_mul(n_max))?,
            low: reserve(n_max)?,
            memory: Memory::new(n_max)?,
            shelf: Shelf::new(n_max)?,
            ray: Ray::new(n_max)?,
            ray_found: false,
        })
    }

    /// Solves one problem; the answer is in `best`. `kind` tells problems apart whose bases have
    /// nothing to do with each other. With `same` the caller promises that M is the one of the last
    /// call.
    pub(super) fn solve(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        options: &Options,
        kind: usize,
        budget: &mut Budget<'_>,
        same: bool,
    ) -> Result<Info> {
        let n = q.len();
        self.ray_found = false;
        self.trust = match self.digits {
            Digits::Plain => f64::INFINITY,
            Digits::Twice => tol::LCP_TRUST * options.tolerance.min(tol::LCP_RESIDUAL),
        };
        (self.tolerance, self.fine) = (options.tolerance, tol::LCP_FINE.min(options.tolerance));
        let known = options.warm && self.memory.serves(n, kind);
        if n == 1
            && let Some(info) = self.solve_one(m.at(0, 0), q[0], kind, known)
        {
            return Ok(info);
        }
        let tried = n <= small::MAX && options.engine != EngineChoice::Factored;
        if tried && let Some(info) = self.solve_few(m, q, options, kind, known, budget)? {
            return Ok(info);
        }
        // A call of another kind in between may have left its own scales.
        let same = same && self.scaled_kind == kind;
        let fits = known && self.scale.serves(n) && (same || self.scale.still_fits(m));
        if !fits {
            self.scale.read(m)?;
            self.shelf.clear();
        }
        // Also where they were found to fit: the next call may rely on it.
        self.scaled_kind = kind;
        if fits && same {
            self.factored.sparse.ensure_lasting(m, || self.scale.nonzeros());
        } else {
            self.factored.sparse.forget();
        }
        finite("q", q)?;
        self.size(n);
        if q.iter().all(|&x| x >= 0.0) {
            self.best.z.fill(0.0);
            self.best.w.copy_from_slice(q);
            self.basic.fill(false);
            self.memory.keep(&self.basic, kind);
            return Ok(Info::trivial());
        }
        if !fits {
            self.scale.fit(m, &mut self.work);
        }
        self.begin(q);
        let warm = if known { self.remembered(m, q, options, fits, budget)? } else { None };
        let info = match warm {
            Some(info) => info,
            None => {
                // Whoever says that M stays may be wrong.
                self.factored.sparse.forget();
                if fits && same && !self.scale.still_fits(m) {
                    self.scale.read(m)?;
                    self.scale.fit(m, &mut self.work);
                    self.shelf.clear();
                    self.begin(q);
                }
                self.attempts(m, q, options, budget)?
            }
        };
        let info = self.sharpen(m, q, options.tolerance, budget, info)?;
        self.memory.keep(&self.basic, kind);
        // An attempt that ended on a ray before another one answered has nothing to say.
        self.ray_found = false;
        Ok(info)
    }

    /// A call begins that may fail before it gets here: its matrix is not the one whose scales are kept.
    pub(super) fn begin_other(&mut self) {
        self.ray_found = false;
        self.end_other();
    }

    /// A call ends whose matrix is not the one that the caller will speak of as the last.
    pub(super) fn end_other(&mut self) {
        self.scaled_kind = NO_KIND;
    }

    /// A call has ended: a ray that some attempt met is one to show only where the call says so.
    pub(super) fn end<T>(&mut self, result: Result<T>) -> Result<T> {
        self.ray_found &= matches!(result, Err(Error::LcpRay { .. }));
        result
    }

    /// Forgets what is kept of matrices met before.
    pub(super) fn forget(&mut self) {
        self.scale.forget();
        self.shelf.clear();
    }

    /// Arrays of n entries.
    pub(super) fn size(&mut self, n: usize) {
        if self.q.len() == n {
            return;
        }
        let Self { q, trial, best, .. } = self;
        for v in [q, &mut trial.z, &mut trial.w, &mut best.z, &mut best.w] {
            v.resize(n, 0.0);
        }
        self.work.resize(WORK * n, 0.0);
        self.basic.resize(n, false);
        self.trial_basic.resize(n, false);
    }

    /// Scales the right-hand side to size one, (lcp.7), and forgets earlier candidates.
    fn begin(&mut self, q: &[f64]) {
        for ((x, q), r) in self.q.iter_mut().zip(q).zip(&self.scale.r) {
            *x = q * r;
        }
        let size = max_abs(&self.q);
        // Power of two below the size; a size of zero or infinity leaves the data as they are.
        let exponent = size.to_bits() & (0x7ff << 52);
        let usable = exponent > 1 << 52 && exponent < 0x7fe << 52;
        self.unit = if usable { f64::from_bits(exponent) } else { 1.0 };
        // exact: both are powers of two
        let shrink = 1.0 / self.unit;
        for x in &mut self.q {
            *x *= shrink;
        }
        self.size = if usable { size * shrink } else { 0.0 };
        self.best.residual = f64::INFINITY;
        self.best.defined = None;
        self.path.growth = 1.0;
    }

    /// The attempts in order, until one is proven.
    fn attempts(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        options: &Options,
        budget: &mut Budget<'_>,
    ) -> Result<Info> {
        let n = q.len();
        let small = match options.engine {
            EngineChoice::Auto | EngineChoice::Tableau => n <= TABLEAU_MAX,
            EngineChoice::Factored => false,
        };
        let limit = budget.limit;
        let mut first = End::Lost;
        if options.max_pivots != 0 && budget.pivots >= limit {
            let residual = self.best_residual(m, q);
            return Err(Error::LcpPivots { n, limit: budget.pivots, residual });
        }
        for (a, rules) in ATTEMPTS.iter().enumerate() {
            let tableau = small && a == 0;
            if !tableau {
                self.factored.sparse.ensure(m, || self.scale.nonzeros());
            }
            // A limit that was set holds for all attempts together. The automatic one holds for the
            // first; a recovery that takes long is not going to help.
            if options.max_pivots == 0 {
                budget.limit = budget.pivots + if a == 0 { limit } else { limit / 5 };
            }
            let mut end = End::Lost;
            if tableau && n <= small::MAX {
                end = self.attempt_small(m, q, rules, budget);
            }
            if matches!(end, End::Lost | End::Stalled | End::Ray(_)) {
                end = self.attempt(m, q, rules, tableau, budget);
            }
            if let End::Stopped(code) = end {
                return Err(Error::Callback { what: "progress", code });
            }
            if a == 0 {
                first = end;
            }
            if let Some(residual) = self.proven(m, q, options.tolerance) {
                let engine = if tableau { EngineChoice::Tableau } else { EngineChoice::Factored };
                return Ok(Info {
                    pivots: budget.pivots,
                    residual,
                    refactorizations: if tableau {
                        self.tableau.refactorizations()
                    } else {
                        self.factored.refactorizations()
                    },
                    growth: self.path.growth,
                    attempts: a + 1,
                    engine,
                    ..Info::trivial()
                });
            }
            if options.max_pivots != 0 && budget.pivots >= limit {
                break;
            }
        }
        if options.max_pivots == 0 {
            budget.limit = budget.pivots + limit;
        }
        if budget.pivots < budget.limit
            && let Some(info) = self.rescue(m, q, options.tolerance, budget)?
        {
            return Ok(info);
        }
        let residual = self.best_residual(m, q);
        Err(match first {
            // A proof counts whichever attempt has found it.
            _ if self.ray_found && self.ray.infeasible => {
                Error::LcpRay { n, pivots: budget.pivots, residual }
            }
            End::Limit => Error::LcpPivots { n, limit: budget.pivots, residual },
            // Paths that were lost to rounding end on no ray that could be shown.
            End::Ray(_) | End::Lost if self.ray_found => {
                Error::LcpRay { n, pivots: budget.pivots, residual }
            }
            _ => Error::Residual { residual, tolerance: options.tolerance },
        })
    }

    /// One attempt from the basis of all w; the candidates it meets are considered.
    fn attempt(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        rules: &Rules,
        tableau: bool,
        budget: &mut Budget<'_>,
    ) -> End {
        let mut p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
        if rules.lift > 0.0 {
            self.lifted.clear();
            let lift = |(i, x): (usize, &f64)| x + rules.lift * (0.5 + 0.5 * spread(i));
            self.lifted.extend(self.q.iter().enumerate().map(lift));
            p.q = &self.lifted;
        }
        self.path.reset(p.q);
        for (i, e) in self.path.dir.iter_mut().enumerate().take(q.len()) {
            *e = if rules.spread_cover { 0.5 + spread(i) } else { 1.0 };
        }
        let end = if tableau {
            self.tableau.load(&p);
            follow(&mut self.tableau, &p, &mut self.path, &mut self.lexico, budget, rules)
        } else {
            self.factored.load(&p);
            follow(&mut self.factored, &p, &mut self.path, &mut self.lexico, budget, rules)
        };
        if let End::Ray(entering) = end
            && !self.ray_found
        {
            self.ray_found = self.ray.read(&p, q, &self.path, entering);
        }
        let own = self.consider(m, q);
        if own > self.fine && end == End::Solved {
            return self.polish(m, q, rules, tableau, budget);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_that_still_fit_after_another_call_are_those_of_the_last_one() {
        // They stayed nobody's, and every later call with the same M examined it again.
        let n = 24;
        let data: Vec<f64> =
            (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0)) + 0.25).collect();
        let (m, q) = (MatRef::square("m", &data, n).unwrap(), vec![-1.0; n]);
        let mut core = Core::new(n).unwrap();
        for other in [false, true] {
            if other {
                core.end_other();
            }
            let mut budget = Budget { pivots: 0, limit: 1000, watch: None };
            core.solve(m, &q, &Options::default(), 0, &mut budget, false).unwrap();
            assert_eq!(core.scaled_kind, 0);
        }
    }
}
