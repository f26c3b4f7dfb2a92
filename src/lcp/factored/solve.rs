//! The values of the basic variables of the basis in hand: refined by the inverse, their error in
//! sight. Knows no path but the arrays it reads its start from.

use super::Factored;
use crate::lcp::engine::Problem;
use crate::lcp::path::Path;
use crate::linalg::kernel::{axpy, max_abs};
use crate::tol;

/// Kernel rows looked at side by side.
const LANES: usize = 4;

impl Factored {
    /// Basic z of the basis in hand and their scaled values, as [`Factored::values`] left them.
    pub(in crate::lcp) fn unknowns(&self) -> impl Iterator<Item = (usize, f64)> {
        self.cols.iter().copied().zip(self.y.iter().copied())
    }

    /// w over all rows and over the kernel rows, where it must vanish, into `rhs`; returns the largest
    /// of those.
    fn violations(&mut self, p: &Problem<'_>, w: &mut [f64]) -> f64 {
        // w = q + M z + d z0 over all rows
        w.fill(0.0);
        // Answers are judged by this: a caller who says that M stays may be wrong.
        let artificial = self.add_columns(p, &self.y, w, self.sparse.is_certain());
        for ((w, r), q) in w.iter_mut().zip(p.r).zip(p.q) {
            *w = *w * r + q;
        }
        if artificial != 0.0 {
            axpy(artificial, &self.d, w);
        }
        for (b, &i) in self.rhs.iter_mut().zip(&self.rows) {
            *b = w[i];
        }
        let mut most = [0.0f64; LANES];
        // A sum shows what a comparison passes over.
        let mut sum = [0.0f64; LANES];
        for four in self.rhs[..self.rows.len()].chunks(LANES) {
            for (l, x) in four.iter().enumerate() {
                most[l] = if x.abs() > most[l] { x.abs() } else { most[l] };
                sum[l] += 0.0 * x;
            }
        }
        let broken = sum.iter().any(|x| x.is_nan());
        if broken { f64::INFINITY } else { most.into_iter().fold(0.0, f64::max) }
    }

    /// Sets unknowns to zero that are rounding of it: below zero by `noise` at most, to which the
    /// equations hold; above it by the last digit of the largest, or by `noise` beside the right-hand
    /// side of the own row. A small unknown of a light row stays.
    fn clear_rounding(&mut self, q: &[f64], noise: f64) {
        let y = &mut self.y[..self.cols.len()];
        let (last, below) = (f64::EPSILON * max_abs(y), -noise.max(tol::LCP_FRESH));
        for (y, &j) in y.iter_mut().zip(&self.cols) {
            // The artificial variable has no row.
            let Some(own) = q.get(j) else { continue };
            let own = noise * own.abs();
            let above = if own > last { own } else { last };
            *y = if (*y < above) & (*y >= below) { 0.0 } else { *y };
        }
    }

    /// Basic variables from the right-hand side: refined until the kernel rows hold to `goal`, or
    /// would not after `passes`; w = M z + q of all rows into `w`. What is rounding of a zero becomes
    /// zero. Returns the largest violation of a kernel row, after the first pass and after the last.
    pub(in crate::lcp) fn values(
        &mut self,
        p: &Problem<'_>,
        w: &mut [f64],
        passes: usize,
        goal: f64,
    ) -> (f64, f64) {
        let k = self.inverse.order();
        self.y[..k].fill(0.0);
        for (b, &i) in self.rhs.iter_mut().zip(&self.rows) {
            *b = p.q[i];
        }
        let (mut first, mut worst) = (0.0, f64::INFINITY);
        let passes = passes.max(1);
        for pass in 0..passes {
            self.correct();
            self.clear_rounding(p.q, goal);
            let now = self.violations(p, w);
            // Each pass gains about the same factor.
            let gain = now / worst;
            worst = now;
            if pass == 0 {
                first = now;
            }
            let far = goal > 0.0 && pass > 0 && {
                let left = (passes - 1 - pass) as f64;
                gain.ln() * left > (tol::LCP_STALE / now).ln()
            };
            if now <= goal || gain > 0.5 || far {
                break;
            }
        }
        (first, worst)
    }

    /// The same into a path that stands at this basis, complementary or not. Its `dir` has w at the end.
    pub(super) fn refresh_values(&mut self, p: &Problem<'_>, path: &mut Path, passes: usize) {
        self.values(p, &mut path.dir[..p.n()], passes, 0.0);
        self.place_values(path);
    }

    /// Puts the path at this complementary basis, with the values and w of [`Factored::values`] in
    /// `path.dir`.
    pub(in crate::lcp) fn stand(&self, n: usize, path: &mut Path) {
        path.reset_basis(n);
        for (&i, &j) in self.rows.iter().zip(&self.cols) {
            path.basic[i] = n + j;
        }
        self.place_values(path);
    }

    /// Both, as well as the inverse allows.
    pub(in crate::lcp) fn solve_basis(&mut self, p: &Problem<'_>, path: &mut Path, passes: usize) {
        path.size(p.n());
        self.values(p, &mut path.dir[..p.n()], passes, 0.0);
        self.stand(p.n(), path);
    }

    fn place_values(&self, path: &mut Path) {
        path.x.copy_from_slice(&path.dir);
        for (&y, &i) in self.y.iter().zip(&self.rows) {
            path.x[i] = y;
        }
    }
}
