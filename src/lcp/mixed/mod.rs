//! Free unknowns: elimination with rank detection, the complementary problem that remains, and the
//! way back. Knows how a problem is reduced, not how it is solved.

mod finish;
mod left;
mod shares;
mod split;

use self::left::Left;
use self::split::Split;
use super::core::Core;
use super::lemke::Budget;
use super::options::{Info, Options};
use super::residual::WORK;
use super::scale::Scale;
use crate::error::{Error, Result, reserve};
use crate::linalg::kernel::max_abs;
use crate::linalg::{MatRef, Schur};
use crate::tol;

/// Workspace of the reduction.
#[derive(Debug)]
pub(super) struct Mixed {
    scale: Scale,
    schur: Schur,
    left: Left,
    split: Split,
    /// Right-hand side reduced along, unknowns in places, then vectors in original order.
    b: Vec<f64>,
    places: Vec<f64>,
    error: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) w: Vec<f64>,
    /// An answer that may be replaced by a better one, and which pairs may be positive in it.
    other: Vec<f64>,
    basic: Vec<usize>,
    work: Vec<f64>,
}

/// A way to reduce a problem.
struct Way {
    /// Leftover equations and unknowns are exchanged against pairs as far as possible, instead of split: a
    /// monotone problem stays one whatever its elimination was like. Split, a copositive one stays one.
    exchange: bool,
    /// What may be rounding of the data counts as zero.
    coarse: bool,
}

/// The ways in order.
const WAYS: [Way; 3] = [
    Way { exchange: true, coarse: false },
    Way { exchange: true, coarse: true },
    Way { exchange: false, coarse: true },
];

impl Mixed {
    /// Storage for mixed problems with up to `n_max` unknowns of both kinds.
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let n = n_max.saturating_add(1);
        Ok(Self {
            scale: Scale::new(n_max)?,
            schur: Schur::new(n_max)?,
            left: Left::new(n_max)?,
            split: Split::new(n_max)?,
            b: reserve(n)?,
            places: reserve(n)?,
            error: reserve(n)?,
            x: reserve(n)?,
            w: reserve(n)?,
            other: reserve(n)?,
            basic: reserve(n)?,
            work: reserve(WORK.saturating_mul(n))?,
        })
    }

    /// Solves the mixed problem (lcp.19); the answer is in `x` and `w`, w over all rows.
    pub(super) fn solve(
        &mut self,
        n_free: usize,
        m: MatRef<'_>,
        q: &[f64],
        core: &mut Core,
        options: &Options,
        budget: &mut Budget<'_>,
    ) -> Result<Info> {
        let n = q.len();
        core.begin_other();
        self.scale.read(m)?;
        crate::error::finite("q", q)?;
        let Self { b, places, error, x, w, other, .. } = self;
        for v in [b, places, error, x, w, other] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.work.resize(WORK * n, 0.0);
        self.scale.fit(m, &mut self.work);
        self.eliminate(n_free, m);
        let (limit, mut a) = (budget.limit, 0);
        loop {
            let way = &WAYS[a];
            self.load(n_free, m, q, way.coarse);
            if way.exchange {
                self.left.exchange();
            }
            let split = self.leftover(max_abs(&self.error))?;
            self.split.write(&self.left, split);
            let tried = self.answer(n_free, m, q, core, options, budget);
            // Only what is no rounding proves anything.
            core.ray.infeasible &= way.coarse;
            let proven = core.ray_found && core.ray.infeasible;
            // What was set holds for all, what is automatic for each.
            let automatic = options.max_pivots == 0;
            let spent = !automatic && budget.pivots >= limit;
            let over = matches!(tried, Ok(_) | Err(Error::Callback { .. }));
            a += 1;
            if over || proven || spent || a == WAYS.len() {
                return tried;
            }
            budget.limit = if automatic { budget.pivots + limit } else { limit };
        }
    }

    fn eliminate(&mut self, n_free: usize, m: MatRef<'_>) {
        let (r, c) = (&self.scale.r, &self.scale.c);
        self.schur.eliminate(m.cols(), n_free, tol::RANK, |j, col| {
            for ((w, x), r) in col.iter_mut().zip(m.col(j)).zip(r) {
                *w = r * x * c[j];
            }
        });
    }

    /// Reduces the right-hand side and takes what is left.
    fn load(&mut self, n_free: usize, m: MatRef<'_>, q: &[f64], coarse: bool) {
        let (r, c) = (&self.scale.r, &self.scale.c);
        for ((e, q), r) in self.error.iter_mut().zip(q).zip(r) {
            *e = r * q;
        }
        self.schur.reduce(&self.error, &mut self.b);
        let entry = |i: usize, j: usize| r[i] * m.at(i, j) * c[j];
        self.left.load(&self.schur, n_free, entry, &self.error, &self.b, coarse);
    }

    /// Number of leftover equations, and of unknowns, that stay in the problem: none when they all hold by
    /// themselves and the unknowns act on nothing.
    fn leftover(&self, size: f64) -> Result<usize> {
        let left = &self.left;
        let mut stay = false;
        for t in left.equations() {
            let empty = (0..left.pairs()).all(|j| left.in_equation(t, j) == 0.0);
            let violation = left.equation_constant(t).abs();
            // exact: a size of zero means q = 0
            if empty && violation > tol::CONSISTENT * if size == 0.0 { 1.0 } else { size } {
                let row = self.schur.row(self.schur.rank() + t);
                return Err(Error::Inconsistent { what: "mixed problem", row, violation });
            }
            stay |= !empty;
        }
        stay |= left.unknowns().any(|s| (0..left.pairs()).any(|i| left.acts(i, s) != 0.0));
        Ok(if stay { left.equations().count() } else { 0 })
    }

    /// Solves the reduced problem and turns its answer into one of the mixed problem.
    fn answer(
        &mut self,
        n_free: usize,
        m: MatRef<'_>,
        q: &[f64],
        core: &mut Core,
        options: &Options,
        budget: &mut Budget<'_>,
    ) -> Result<Info> {
        let (n, pairs, order) = (q.len(), self.left.pairs(), self.split.q.len());
        let reduced = MatRef::square("reduced matrix", &self.split.m, order)?;
        core.memory.widen(pairs, order);
        // What is remembered is which v are basic.
        core.memory.turn(&self.left.swapped);
        let solved = core.solve(reduced, &self.split.q, options, n_free, budget, false);
        core.memory.turn(&self.left.swapped);
        if solved.is_err() && core.ray_found {
            let (r, c) = (&self.scale.r[n_free..], &self.scale.c[n_free..]);
            core.ray_found = core.ray.of_pairs(&self.left.swapped, r, c);
        }
        let info = solved.map_err(|e| of_size(e, n))?;
        core.memory.of_pairs(pairs);
        self.expand(n_free, core);
        self.finish(n_free, m, q, options.tolerance, info)
    }

    /// Unknowns in original order and units from the solution of the reduced problem.
    fn expand(&mut self, n_free: usize, core: &Core) {
        let (z, w) = (&core.best.z, &core.best.w);
        let (n, rank, pairs) = (self.b.len(), self.schur.rank(), self.left.pairs());
        self.places.fill(0.0);
        let shared = if z.len() > pairs { z[z.len() - 1] } else { 0.0 };
        let leftover = &mut self.places[rank..n_free];
        for (s, z) in self.left.unknowns().zip(&z[pairs..]) {
            leftover[s] = z - shared;
        }
        self.left.unknowns_from(z, leftover);
        self.basic.clear();
        for (j, &swapped) in self.left.swapped.iter().enumerate() {
            if core.basic[j] != swapped {
                self.basic.push(n_free + j);
            }
            // Of a pair that has changed places v is what the reduced problem calls w.
            let own = if core.basic[j] { 0.0 } else { w[j].max(0.0) };
            self.places[n_free + j] = if swapped { own } else { z[j] };
        }
        self.schur.back_substitute(&mut self.b, &mut self.places);
        for j in 0..n {
            let col = self.schur.col(j);
            self.x[col] = self.places[j] * self.scale.c[col];
        }
    }
}

/// The error with the size of the caller's problem in the place of that of a reduced one.
fn of_size(e: Error, n: usize) -> Error {
    match e {
        Error::LcpRay { pivots, residual, .. } => Error::LcpRay { n, pivots, residual },
        Error::LcpPivots { limit, residual, .. } => Error::LcpPivots { n, limit, residual },
        other => other,
    }
}
