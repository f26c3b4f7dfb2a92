//! Rows judged by their own terms. An answer within the tolerance may leave out what one row alone
//! would show, where other rows are larger by many orders. Knows when to look again, not how a path
//! is followed.

use super::core::Core;
use super::engine::{Engine, Problem};
use super::lemke::{Budget, End, follow};
use super::options::{EngineChoice, Info};
use super::rules::ATTEMPTS;
use crate::error::{Error, Result};
use crate::linalg::MatRef;
use crate::tol;

/// Times an answer is looked at again; its scales change with it.
const ROUNDS: usize = 3;
/// Passes of refinement before the rows are looked at again.
const PASSES: usize = 4;
/// Rows taken side by side.
const LANES: usize = 4;
/// Pivots an answer that holds already may still cost, besides one per unknown.
const PIVOTS: usize = 50;

impl Core {
    /// Goes on from the basis of a proven answer where a row is violated by more than the rounding
    /// of its own terms, (lcp.23). The answer only becomes better; where no better one is found it
    /// stays.
    ///
    /// # Errors
    /// `Callback` when the caller's progress function breaks off.
    pub(super) fn sharpen(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        tolerance: f64,
        budget: &mut Budget<'_>,
        info: Info,
    ) -> Result<Info> {
        let mut residual = info.residual;
        for round in 0..ROUNDS {
            if !self.hides_a_violation(m, q) {
                if round == 0 {
                    return Ok(info);
                }
                break;
            }
            self.factored.sparse.ensure(m, || self.scale.nonzeros());
            let mut own = std::mem::take(&mut self.work);
            let end = self.follow_in_own_scales(m, q, &mut own, budget);
            self.work = own;
            if let Some(End::Stopped(code)) = end {
                return Err(Error::Callback { what: "progress", code });
            }
            if end != Some(End::Solved) {
                break;
            }
            match self.proven(m, q, tolerance) {
                Some(proven) => residual = proven,
                // What was proven before is worth more than rows that look better.
                None => {
                    self.exchange();
                    break;
                }
            }
        }
        let (pivots, warm) = (budget.pivots, info.warm && budget.pivots == info.pivots);
        Ok(Info { residual, pivots, warm, ..info })
    }

    /// The last attempt when all others have failed: goes on from the best of their ends in the scales of that
    /// end, in which no row is small beside another. `None` when that is no solution either.
    ///
    /// # Errors
    /// `Callback` when the caller's progress function breaks off.
    pub(super) fn rescue(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        tolerance: f64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Info>> {
        if !self.best.residual.is_finite() || (self.ray_found && self.ray.infeasible) {
            return Ok(None);
        }
        self.factored.sparse.ensure(m, || self.scale.nonzeros());
        for round in 0..ROUNDS {
            let mut own = std::mem::take(&mut self.work);
            let end = self.follow_in_own_scales(m, q, &mut own, budget);
            self.work = own;
            match end {
                Some(End::Stopped(code)) => {
                    return Err(Error::Callback { what: "progress", code });
                }
                Some(End::Solved) => {}
                _ => break,
            }
            if let Some(residual) = self.proven(m, q, tolerance) {
                return Ok(Some(Info {
                    pivots: budget.pivots,
                    residual,
                    refactorizations: self.factored.refactorizations(),
                    growth: self.path.growth,
                    attempts: ATTEMPTS.len() + round + 1,
                    engine: EngineChoice::Factored,
                    ..Info::trivial()
                }));
            }
        }
        Ok(None)
    }

    /// Follows a path from the basis of the best candidate in the scales (lcp.24) of that candidate
    /// and considers where it ends. `None` for a singular basis.
    fn follow_in_own_scales(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        own: &mut [f64],
        budget: &mut Budget<'_>,
    ) -> Option<End> {
        let n = q.len();
        let (r, rest) = own.split_at_mut(n);
        let (c, rest) = rest.split_at_mut(n);
        let scaled = &mut rest[..n];
        self.own_scales(m, q, r, c);
        for ((s, q), r) in scaled.iter_mut().zip(q).zip(&*r) {
            *s = q * r;
        }
        let p = Problem { m, r, c, q: scaled };
        self.factored.load_basis(&p, &self.basic, false).ok()?;
        self.factored.solve_basis(&p, &mut self.path, PASSES);
        self.path.dir[..n].fill(1.0);
        let limit = budget.limit;
        budget.limit = limit.min(budget.pivots + n + PIVOTS);
        let (path, lexico) = (&mut self.path, &mut self.lexico);
        let end = follow(&mut self.factored, &p, path, lexico, budget, &ATTEMPTS[0]);
        budget.limit = limit;
        if end == End::Solved {
            // Among answers this good the rows decide, not the last digits of the largest one.
            let was = self.best.residual;
            let good = was.max(tol::LCP_FINE);
            self.best.residual = good;
            let replaced = self.consider_in(m, q, c) < good;
            // The one that is not the best now has the residual back that was lifted.
            let old = if replaced { &mut self.trial } else { &mut self.best };
            old.residual = was;
        }
        Some(end)
    }

    /// Powers of two that bring the terms of each row of the best candidate, and each of its
    /// unknowns that is not zero, to order one, (lcp.24).
    fn own_scales(&self, m: MatRef<'_>, q: &[f64], r: &mut [f64], c: &mut [f64]) {
        let z = &self.best.z;
        for (r, q) in r.iter_mut().zip(q) {
            *r = q.abs();
        }
        for (j, z) in z.iter().enumerate() {
            for (r, x) in r.iter_mut().zip(m.col(j)) {
                *r += (x * z).abs();
            }
        }
        r.iter_mut().for_each(|r| *r = 1.0 / power_of_two(*r));
        for (j, (c, z)) in c.iter_mut().zip(z).enumerate() {
            let most = m.col(j).iter().zip(&*r).fold(0.0f64, |l, (x, r)| l.max((x * r).abs()));
            *c = if *z > 0.0 { power_of_two(*z) } else { 1.0 / power_of_two(most) };
        }
    }

    /// True when a w that must not be negative is, beyond the rounding of its own terms.
    fn hides_a_violation(&self, m: MatRef<'_>, q: &[f64]) -> bool {
        let (n, best) = (q.len(), &self.best);
        // Data that are sums carry the rounding of their largest term.
        let noise = f64::EPSILON * self.unit;
        // Most rows are decided by their sign, by that rounding or by q alone.
        let seen = |w: f64, r: f64, q: f64, basic: bool| {
            !basic & (-w * r > noise) & (-w > tol::LCP_ROW * q.abs())
        };
        // Most answers have no such row at all, which is seen without a branch.
        let (w, r) = (best.w.as_chunks::<LANES>(), self.scale.r.as_chunks::<LANES>());
        let (qs, basic) = (q.as_chunks::<LANES>(), self.basic.as_chunks::<LANES>());
        let mut some = [false; LANES];
        for (((w, r), q), basic) in w.0.iter().zip(r.0).zip(qs.0).zip(basic.0) {
            for l in 0..LANES {
                some[l] |= seen(w[l], r[l], q[l], basic[l]);
            }
        }
        if some == [false; LANES] && n.is_multiple_of(LANES) {
            return false;
        }
        (0..n).any(|i| {
            seen(best.w[i], self.scale.r[i], q[i], self.basic[i]) && {
                let terms: f64 = (0..n).map(|j| (m.at(i, j) * best.z[j]).abs()).sum();
                -best.w[i] > tol::LCP_ROW * terms
            }
        })
    }
}

/// Power of two at or below x, one where that is not a normal number.
fn power_of_two(x: f64) -> f64 {
    let exponent = x.to_bits() & (0x7ff << 52);
    let usable = exponent > 0 && exponent < 0x7fe << 52;
    if usable { f64::from_bits(exponent) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcp::options::Options;

    #[test]
    fn an_answer_that_is_not_proven_does_not_replace_one_that_is() {
        // The light row is violated in its first digit and hidden by the heavy one; z_2 = 1e-10 is better, but
        // no answer with rounding is within this tolerance.
        let (data, q) = ([1e-8, 0.0, 0.0, 1.0], [-0.49, -1e-10]);
        let m = MatRef::square("m", &data, 2).unwrap();
        let mut core = Core::new(3).unwrap();
        let mut budget = Budget { pivots: 0, limit: 100, watch: None };
        let info = core.solve(m, &q, &Options::default(), 0, &mut budget, false).unwrap();
        let (better, tolerance) = (core.best.z[1], 1e-40);
        assert!(better > 0.0);
        for proves in [true, false] {
            core.trust = 0.0;
            (core.best.z[1], core.best.w[1], core.basic[1]) = (0.0, q[1], false);
            core.best.residual = 2e-14;
            let asked = if proves { tol::LCP_RESIDUAL } else { tolerance };
            let told = core.sharpen(m, &q, asked, &mut budget, info).unwrap();
            assert_eq!(core.best.z[1], if proves { better } else { 0.0 });
            assert!(proves || (told.residual == info.residual && core.best.residual == 2e-14));
        }
    }
}
