//! Free unknowns: elimination with rank detection, the complementary problem that remains, and the
//! way back. Knows how a problem is reduced, not how it is solved.

use super::core::Core;
use super::lemke::Budget;
use super::options::{Info, Options};
use super::residual::{WORK, judge, natural_map, product};
use super::scale::Scale;
use crate::error::{Error, Result, reserve};
use crate::linalg::kernel::{dot, max_abs};
use crate::linalg::{MatRef, Schur};
use crate::tol;

/// Passes of refinement of the equations at the end.
const PASSES: usize = 3;

/// Workspace of the reduction.
#[derive(Debug)]
pub(super) struct Mixed {
    scale: Scale,
    schur: Schur,
    /// Leftover equations over the complementary unknowns and their constants, by rows, and the
    /// combinations that pair them with the leftover unknowns.
    left: Vec<f64>,
    turn: Vec<f64>,
    gram: Schur,
    /// The reduced problem.
    m: Vec<f64>,
    q: Vec<f64>,
    /// Right-hand side reduced along, unknowns in places, then vectors in original order.
    b: Vec<f64>,
    places: Vec<f64>,
    error: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) w: Vec<f64>,
    work: Vec<f64>,
}

/// Sizes of a reduced problem: complementary pairs, leftover pairs of equations and free unknowns.
#[derive(Clone, Copy)]
struct Shape {
    n_comp: usize,
    left: usize,
    /// Pairs that stand for the leftover ones, (lcp.20): `left + 1`, or none.
    split: usize,
}

impl Mixed {
    /// Storage for mixed problems with up to `n_max` unknowns of both kinds.
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let n = n_max + 1;
        Ok(Self {
            scale: Scale::new(n_max)?,
            schur: Schur::new(n_max)?,
            left: reserve(n.saturating_mul(n))?,
            turn: reserve(n_max.saturating_mul(n_max))?,
            gram: Schur::new(n_max)?,
            m: reserve(n.saturating_mul(n))?,
            q: reserve(n)?,
            b: reserve(n)?,
            places: reserve(n)?,
            error: reserve(n)?,
            x: reserve(n)?,
            w: reserve(n)?,
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
        for v in [&mut self.b, &mut self.places, &mut self.error, &mut self.x, &mut self.w] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.work.resize(WORK * n, 0.0);
        self.scale.fit(m, &mut self.work);
        let (r, c) = (&self.scale.r, &self.scale.c);
        self.schur.eliminate(n, n_free, tol::RANK, |j, col| {
            for ((w, x), r) in col.iter_mut().zip(m.col(j)).zip(r) {
                *w = r * x * c[j];
            }
        });
        for ((e, q), r) in self.error.iter_mut().zip(q).zip(r) {
            *e = r * q;
        }
        let size = max_abs(&self.error);
        self.schur.reduce(&self.error, &mut self.b);
        let shape = self.shape(n_free, size)?;
        self.gather(shape);
        self.align(shape);
        self.assemble(shape);
        let order = shape.n_comp + shape.split;
        let reduced = MatRef::square("reduced matrix", &self.m, order)?;
        core.memory.widen(shape.n_comp, order);
        let solved = core.solve(reduced, &self.q, options, n_free, budget, false);
        if solved.is_err() && core.ray_found {
            let (r, c) = (&self.scale.r[n_free..], &self.scale.c[n_free..]);
            core.ray_found = core.ray.of_pairs(shape.n_comp, r, c);
        }
        let info = solved?;
        core.memory.of_pairs(shape.n_comp);
        self.expand(shape, &core.best.z);
        self.refine(n_free, m, q);
        self.claim(n_free, m, q, options.tolerance, info)
    }

    /// Drops leftover equations that hold by themselves and leftover unknowns that act on nothing.
    fn shape(&self, n_free: usize, size: f64) -> Result<Shape> {
        let (s, rank) = (&self.schur, self.schur.rank());
        let (d, n_comp) = (n_free - rank, self.b.len() - n_free);
        let null = |t: usize, by_row: bool| {
            let at = |k: usize| if by_row { s.rest(t, d + k) } else { s.rest(d + k, t) };
            (0..n_comp).all(|k| at(k).abs() <= tol::RANK)
        };
        let mut left = 0;
        for t in 0..d {
            let row_null = null(t, true);
            let violation = self.b[rank + t].abs();
            // exact: a size of zero means q = 0
            if row_null && violation > tol::CONSISTENT * if size == 0.0 { 1.0 } else { size } {
                let row = s.row(rank + t);
                return Err(Error::Inconsistent { what: "mixed problem", row, violation });
            }
            if !row_null || !null(t, false) {
                left = d;
            }
        }
        Ok(Shape { n_comp, left, split: if left > 0 { left + 1 } else { 0 } })
    }

    /// Leftover equations: coefficients of the complementary unknowns, then the constant.
    fn gather(&mut self, shape: Shape) {
        let Shape { n_comp, left, .. } = shape;
        let (s, rank) = (&self.schur, self.schur.rank());
        self.left.clear();
        for t in 0..left {
            let start = self.left.len();
            self.left.extend((0..n_comp).map(|j| significant(s.rest(t, left + j))));
            // An equation without unknowns holds already, up to what `shape` let pass.
            let empty = self.left[start..].iter().all(|&x| x == 0.0);
            self.left.push(if empty { 0.0 } else { self.b[rank + t] });
        }
    }

    /// Combines the leftover equations so that they mirror the leftover unknowns as well as they
    /// can, (lcp.21): a semidefinite problem then stays one. Equations that do not span the same
    /// space as the unknowns stay as they are.
    fn align(&mut self, shape: Shape) {
        let Shape { n_comp, left: d, .. } = shape;
        let width = n_comp + 1;
        let row = |t: usize| &self.left[t * width..t * width + n_comp];
        self.gram.eliminate(d, d, tol::RANK, |j, col| {
            for (i, g) in col.iter_mut().enumerate() {
                *g = dot(row(i), row(j));
            }
        });
        if d == 0 || self.gram.rank() < d {
            return;
        }
        self.turn.clear();
        for j in 0..d {
            for t in 0..d {
                let acts = |i: usize| significant(self.schur.rest(d + i, j));
                self.error[t] = (0..n_comp).map(|i| row(t)[i] * acts(i)).sum();
            }
            self.gram.reduce(&self.error[..d], &mut self.w[..d]);
            self.gram.back_substitute(&mut self.w[..d], &mut self.places[..d]);
            let start = self.turn.len();
            self.turn.resize(start + d, 0.0);
            for k in 0..d {
                self.turn[start + self.gram.col(k)] = self.places[k];
            }
        }
        self.gram.eliminate(d, d, tol::RANK, |j, col| {
            col.copy_from_slice(&self.turn[j * d..(j + 1) * d]);
        });
        if self.gram.rank() == d {
            self.combine(d, width);
        }
    }

    /// Replaces leftover equation j by the combination in row j of `turn`.
    fn combine(&mut self, d: usize, width: usize) {
        for k in 0..width {
            for (j, turn) in self.turn.chunks_exact(d).enumerate() {
                self.error[j] = (0..d).map(|t| turn[t] * self.left[t * width + k]).sum();
            }
            for j in 0..d {
                self.left[j * width + k] = self.error[j];
            }
        }
    }

    /// The reduced problem: complementary pairs first, then the split ones, (lcp.20).
    fn assemble(&mut self, shape: Shape) {
        let Shape { n_comp, left, split } = shape;
        let order = n_comp + split;
        let (s, rank) = (&self.schur, self.schur.rank());
        let d = self.b.len() - n_comp - rank;
        self.m.clear();
        self.m.resize(order * order, 0.0);
        self.q.clear();
        self.q.extend_from_slice(&self.b[rank + d..]);
        for j in 0..n_comp {
            for i in 0..n_comp {
                self.m[j * order + i] = s.rest(d + i, d + j);
            }
        }
        if split == 0 {
            return;
        }
        for t in 0..left {
            let equation = &self.left[t * (n_comp + 1)..(t + 1) * (n_comp + 1)];
            for (j, x) in equation[..n_comp].iter().enumerate() {
                self.m[j * order + n_comp + t] = *x;
                self.m[j * order + order - 1] -= x;
            }
            for i in 0..n_comp {
                let x = significant(s.rest(d + i, t));
                self.m[(n_comp + t) * order + i] = x;
                self.m[(order - 1) * order + i] -= x;
            }
            self.q.push(equation[n_comp]);
        }
        let sum: f64 = self.q[n_comp..].iter().sum();
        self.q.push(-sum);
    }

    /// Unknowns in original order and units from the solution of the reduced problem.
    fn expand(&mut self, shape: Shape, z: &[f64]) {
        let Shape { n_comp, left, .. } = shape;
        let (n, rank) = (self.b.len(), self.schur.rank());
        let shared = if left > 0 { z[n_comp + left] } else { 0.0 };
        self.places.fill(0.0);
        for t in 0..left {
            self.places[rank + t] = z[n_comp + t] - shared;
        }
        self.places[n - n_comp..].copy_from_slice(&z[..n_comp]);
        self.schur.back_substitute(&mut self.b, &mut self.places);
        for (j, p) in self.places.iter().enumerate() {
            let col = self.schur.col(j);
            self.x[col] = p * self.scale.c[col];
        }
    }

    /// Corrects the eliminated unknowns until the equations hold to rounding, the others fixed.
    fn refine(&mut self, n_free: usize, m: MatRef<'_>, q: &[f64]) {
        let rank = self.schur.rank();
        for _ in 0..PASSES {
            product(m, &self.x, q, &mut self.w);
            self.error.fill(0.0);
            for i in 0..n_free {
                self.error[i] = self.scale.r[i] * self.w[i];
            }
            self.schur.reduce(&self.error, &mut self.b);
            self.places.fill(0.0);
            self.schur.back_substitute(&mut self.b, &mut self.places);
            for j in 0..rank {
                let col = self.schur.col(j);
                self.x[col] += self.places[j] * self.scale.c[col];
            }
        }
        product(m, &self.x, q, &mut self.w);
    }

    /// The residual of the mixed problem, by bound or by definition.
    fn claim(
        &mut self,
        n_free: usize,
        m: MatRef<'_>,
        q: &[f64],
        tolerance: f64,
        info: Info,
    ) -> Result<Info> {
        let Scale { r, c, spread, .. } = &self.scale;
        let own = natural_map(n_free, r, c, q, &self.x, &self.w);
        let mut residual = own * spread;
        if residual > tolerance || residual.is_nan() {
            residual = judge(n_free, m, q, &self.x, &mut self.work);
        }
        if residual <= tolerance {
            return Ok(Info { residual, ..info });
        }
        Err(Error::Residual { residual, tolerance })
    }
}

/// An entry of the Schur complement, zero where only rounding is left.
fn significant(x: f64) -> f64 {
    if x.abs() <= tol::RANK { 0.0 } else { x }
}
