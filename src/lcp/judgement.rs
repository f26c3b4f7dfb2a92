//! Candidates: read from a path, judged by their residual, kept when they are better, proven when they are
//! good enough. Knows no path.

use super::core::Core;
use super::residual::{exact_product, judge, natural_map, natural_part, product};
use crate::error::finite;
use crate::linalg::MatRef;

/// Scaled entries of M are no larger, but for those of extreme matrices: 2^3.28, (lcp.28).
const LARGEST_ENTRY: f64 = 10.0;

/// Right-hand sides below this, in scaled rows, are judged by products that do not underflow: row scales of
/// matrices that are not extreme are below 2^256, what underflows in a row below n 2^-1074.
const LEAST_UNIT: f64 = f64::from_bits((1023 - 600) << 52);

impl Core {
    /// Reads the point of the path with the artificial variable at zero, computes w afresh and
    /// keeps the point if it is the best so far. Returns its residual in the solver's scales.
    pub(super) fn consider(&mut self, m: MatRef<'_>, q: &[f64]) -> f64 {
        self.read_trial();
        self.judge_trial(m, q)
    }

    /// As [`Core::consider`] right after the basis in hand was solved: w = M z + q has just been
    /// computed with that z, unless a z is another in the units of the problem.
    pub(super) fn consider_solved(&mut self, m: MatRef<'_>, q: &[f64]) -> f64 {
        let n = q.len();
        let Self { factored, trial, scale, work, .. } = self;
        let (scaled, mut clipped, mut sum, mut terms) = (&mut work[..n], false, 0.0, 0);
        trial.z.fill(0.0);
        trial.defined = None;
        scaled.fill(0.0);
        self.trial_basic.fill(false);
        for (j, x) in factored.unknowns() {
            let z = x.max(0.0) * scale.c[j] * self.unit;
            // Rounding may leave a basic variable just below zero; subnormal numbers lose digits, large ones overflow.
            clipped |= (x < 0.0) | ((x > 0.0) & (z < f64::MIN_POSITIVE)) | (z > f64::MAX);
            (trial.z[j], scaled[j]) = (z, x);
            sum += x;
            // exact: what is rounding of a zero was set to it
            terms += usize::from(x != 0.0);
            self.trial_basic[j] = true;
        }
        // Taking a clipped part out of w again would leave the rounding of what may be huge.
        if clipped || self.size < 1.0 || self.rounding(terms, sum) > self.trust {
            return self.judge_trial(m, q);
        }
        let Self { path, trial, scale, work, .. } = self;
        let (w, scaled) = (&path.dir[..n], &work[..n]);
        for ((out, w), back) in trial.w.iter_mut().zip(w).zip(&scale.back) {
            *out = w * self.unit * back;
        }
        // Scales are powers of two: the natural map is the same in units of the solver.
        trial.residual = match natural_part(scaled, w) {
            Some(worst) if finite("w", &trial.w).is_ok() => worst / self.size,
            _ => f64::INFINITY,
        };
        self.keep_better()
    }

    /// The point of the path in the units of the problem.
    fn read_trial(&mut self) {
        let n = self.path.n();
        let t = &mut self.trial;
        t.z.fill(0.0);
        self.trial_basic.fill(false);
        for (&v, &x) in self.path.basic.iter().zip(&self.path.x) {
            if (n..2 * n).contains(&v) {
                t.z[v - n] = x.max(0.0) * self.scale.c[v - n] * self.unit;
                self.trial_basic[v - n] = true;
            }
        }
    }

    /// As [`Core::consider`] for a path in other column scales `c`.
    pub(super) fn consider_in(&mut self, m: MatRef<'_>, q: &[f64], c: &[f64]) -> f64 {
        let n = q.len();
        self.trial.z.fill(0.0);
        self.trial_basic.fill(false);
        for (&v, &x) in self.path.basic.iter().zip(&self.path.x) {
            if (n..2 * n).contains(&v) {
                self.trial.z[v - n] = x.max(0.0) * c[v - n];
                self.trial_basic[v - n] = true;
            }
        }
        self.judge_trial(m, q)
    }

    /// Bound of the rounding of a row of M z + q relative to the right-hand side, (lcp.27), where so many
    /// unknowns are not zero and the scaled ones have the given sum. Infinite where nothing can be said.
    fn rounding(&self, terms: usize, sum: f64) -> f64 {
        if self.size < 1.0 || self.scale.is_extreme() || self.unit < LEAST_UNIT {
            return f64::INFINITY;
        }
        f64::EPSILON * (terms + 2) as f64 * (1.0 + LARGEST_ENTRY * sum / self.size)
    }

    /// The residual of the trial, which becomes the best candidate if it is better.
    fn judge_trial(&mut self, m: MatRef<'_>, q: &[f64]) -> f64 {
        let n = q.len();
        let shrink = 1.0 / self.unit;
        let own = self.trial.z.iter().zip(&self.scale.c).map(|(z, c)| z / c);
        // exact: nonbasic unknowns are set to zero
        let terms = self.trial.z.iter().filter(|z| **z != 0.0).count();
        let doubted = !(self.rounding(terms, own.sum::<f64>() * shrink) <= self.trust);
        let t = &mut self.trial;
        t.defined = None;
        if doubted {
            self.low.resize(n, 0.0);
            exact_product(m, &t.z, q, &self.scale.r, &mut t.w, &mut self.low);
        } else {
            product(m, &t.z, q, &mut t.w);
        }
        t.residual = natural_map(0, &self.scale.r, &self.scale.c, q, &t.z, &t.w);
        self.keep_better()
    }

    /// The trial, judged, becomes the best candidate if it is better. Returns its residual.
    fn keep_better(&mut self) -> f64 {
        let residual = self.trial.residual;
        if residual < self.best.residual {
            self.exchange();
        }
        residual
    }

    /// The trial becomes the best candidate and the best the trial: right after the one, the other takes it
    /// back.
    pub(super) fn exchange(&mut self) {
        std::mem::swap(&mut self.trial, &mut self.best);
        std::mem::swap(&mut self.trial_basic, &mut self.basic);
    }

    /// Bound of the residual (lcp.2) of the best candidate if that proves it a solution: by
    /// (lcp.8), or by the definition itself where the bound is too coarse.
    pub(super) fn proven(&mut self, m: MatRef<'_>, q: &[f64], tolerance: f64) -> Option<f64> {
        let (own, spread) = (self.best.residual, self.scale.spread);
        if own * spread <= tolerance {
            return Some(own * spread);
        }
        // The bound holds both ways: beyond it no exact value can be within the tolerance.
        if own > tolerance * spread {
            return None;
        }
        let exact = self.by_definition(m, q);
        (exact <= tolerance).then_some(exact)
    }

    /// The residual (lcp.2) of the best candidate by its definition, asked for once.
    fn by_definition(&mut self, m: MatRef<'_>, q: &[f64]) -> f64 {
        let Self { best, digits, work, .. } = self;
        *best.defined.get_or_insert_with(|| judge(0, m, q, &best.z, *digits, work))
    }

    /// The residual (lcp.2) of the best candidate; where there is none, of z = 0, at most one.
    pub(super) fn best_residual(&mut self, m: MatRef<'_>, q: &[f64]) -> f64 {
        if !self.best.residual.is_finite() {
            self.best.z.fill(0.0);
            self.best.defined = None;
        }
        self.by_definition(m, q)
    }
}
