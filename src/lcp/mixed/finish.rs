//! From the unknowns of a reduced problem to an answer that is proven: refinement with products that do not
//! round, and the equations of the basis solved once more. Knows no reduction.

use super::Mixed;
use crate::error::{Error, Result};
use crate::lcp::options::Info;
use crate::lcp::residual::{Digits, exact_product, judge, natural_map};
use crate::linalg::MatRef;
use crate::tol;

/// Passes of refinement of the equations at the end.
const PASSES: usize = 3;

impl Mixed {
    /// Refines x, and where it is not as good as it could be solves the equations of its basis for another.
    pub(super) fn finish(
        &mut self,
        n_free: usize,
        m: MatRef<'_>,
        q: &[f64],
        tolerance: f64,
        info: Info,
    ) -> Result<Info> {
        self.refine(n_free, m, q);
        let own = self.own_residual(n_free, q);
        if own > tol::LCP_FINE || self.is_large(q) {
            self.other.copy_from_slice(&self.x);
            self.solve_basis(n_free, m, q);
            // A NaN is not better.
            if !(self.own_residual(n_free, q) < own.max(tol::LCP_FINE)) {
                self.x.copy_from_slice(&self.other);
                self.multiply(m, q);
            }
        }
        self.claim(n_free, m, q, tolerance, info)
    }

    /// w = M x + q.
    fn multiply(&mut self, m: MatRef<'_>, q: &[f64]) {
        let n = q.len();
        exact_product(m, &self.x, q, &self.scale.r, &mut self.w, &mut self.work[..n]);
    }

    /// Residual in the scales in hand.
    fn own_residual(&self, n_free: usize, q: &[f64]) -> f64 {
        natural_map(n_free, &self.scale.r, &self.scale.c, q, &self.x, &self.w)
    }

    /// True when unknowns are so much larger than the data that another choice of what is not determined would
    /// be better.
    fn is_large(&self, q: &[f64]) -> bool {
        let most = self.x.iter().zip(&self.scale.c).fold(0.0f64, |l, (x, c)| l.max((x / c).abs()));
        let size = q.iter().zip(&self.scale.r).fold(0.0f64, |l, (q, r)| l.max((q * r).abs()));
        most > tol::LCP_LARGE * size
    }

    /// Corrects the eliminated unknowns until the equations hold to rounding, the others fixed.
    fn refine(&mut self, n_free: usize, m: MatRef<'_>, q: &[f64]) {
        let rank = self.schur.rank();
        for _ in 0..PASSES {
            self.multiply(m, q);
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
        self.multiply(m, q);
    }

    /// Solves the equations together with w = 0 for the pairs of the basis. Unknowns that they do not determine
    /// become zero.
    fn solve_basis(&mut self, n_free: usize, m: MatRef<'_>, q: &[f64]) {
        let k = n_free + self.basic.len();
        let (r, c, basic) = (&self.scale.r, &self.scale.c, &self.basic);
        let at = |i: usize| if i < n_free { i } else { basic[i - n_free] };
        let gram = &mut self.split.gram;
        gram.eliminate(k, k, tol::RANK, |j, col| {
            for (i, x) in col.iter_mut().enumerate() {
                *x = r[at(i)] * m.at(at(i), at(j)) * c[at(j)];
            }
        });
        self.x.fill(0.0);
        for _ in 0..=PASSES {
            let n = q.len();
            exact_product(m, &self.x, q, r, &mut self.w, &mut self.work[..n]);
            for i in 0..k {
                self.error[i] = r[at(i)] * self.w[at(i)];
            }
            self.split.gram.reduce(&self.error[..k], &mut self.b[..k]);
            self.places.fill(0.0);
            self.split.gram.back_substitute(&mut self.b[..k], &mut self.places[..k]);
            for l in 0..k {
                let j = at(self.split.gram.col(l));
                self.x[j] += self.places[l] * c[j];
            }
        }
        self.x[n_free..].iter_mut().for_each(|x| *x = x.max(0.0));
        self.multiply(m, q);
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
        let mut residual = self.own_residual(n_free, q) * self.scale.spread;
        if residual > tolerance || residual.is_nan() {
            residual = judge(n_free, m, q, &self.x, Digits::Twice, &mut self.work);
        }
        if residual <= tolerance {
            return Ok(Info { residual, ..info });
        }
        Err(Error::Residual { residual, tolerance })
    }
}
