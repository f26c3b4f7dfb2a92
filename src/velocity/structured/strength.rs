//! How strong the next proximal term is: weaker and weaker as long as modes are found, stronger again where they are
//! not. Knows no contacts.

use crate::tol;

/// The strength under way, and what became of those before.
#[derive(Debug)]
pub(super) struct Strength {
    pub eps: f64,
    /// Part of it that the next one has.
    weaker: f64,
    /// The last with which modes were found.
    good: f64,
    /// Stays as it is for another time.
    held: bool,
    /// Residual left by the last one, and the least of all.
    before: f64,
    best: f64,
    failures: usize,
}

impl Strength {
    pub(super) fn new(first: f64) -> Self {
        let (before, best) = (f64::INFINITY, f64::INFINITY);
        Self {
            eps: first,
            weaker: tol::PROXIMAL_WEAKER,
            good: first,
            held: false,
            before,
            best,
            failures: 0,
        }
    }

    /// Whether it is no use to go on.
    pub(super) fn exhausted(&self) -> bool {
        self.failures > tol::NEWTON_FAILURES
    }

    /// Modes were not found: back to where they were, and smaller steps from there. The first term of all is strong
    /// enough: where it fails, contacts without a load flicker, which weaker ones mind less.
    pub(super) fn fail(&mut self) {
        self.failures += 1;
        self.held = true;
        if self.eps < self.good {
            (self.eps, self.weaker) = (self.good, self.weaker.sqrt());
            return;
        }
        let first = tol::PROXIMAL_FIRST;
        self.eps = if self.eps < first {
            first.min(self.eps / tol::PROXIMAL_WEAKER)
        } else {
            tol::PROXIMAL_WEAKER * first
        };
        self.good = self.eps;
    }

    /// Whether a residual of `left` is far from what was reached already: other modes, no good ones.
    pub(super) fn is_lost(&self, left: f64) -> bool {
        left > tol::PROXIMAL_LOST * self.best
    }

    /// Modes were found, `left` is the residual; below `near` it is worth the same strength as long as that gains. Whether it
    /// is the least so far.
    pub(super) fn pass(&mut self, left: f64, near: f64) -> bool {
        self.good = self.eps;
        let gains = left <= near && left <= tol::PROXIMAL_GAIN * self.before;
        let weaker = self.weaker * self.eps;
        if !std::mem::take(&mut self.held) && !gains && weaker >= tol::PROXIMAL_LAST {
            self.eps = weaker;
        } else if left > tol::PROXIMAL_PROGRESS * self.before {
            self.failures += 1;
        }
        self.before = left;
        let least = left < self.best;
        self.best = self.best.min(left);
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_weaken_while_modes_are_found_and_go_back_to_where_they_were() {
        let mut s = Strength::new(tol::PROXIMAL_FIRST);
        assert!(s.pass(1.0, 1e-3) && s.pass(0.9, 1e-3));
        assert!((s.eps - 0.01 * tol::PROXIMAL_FIRST).abs() < 1e-12);
        s.fail();
        // Back to the last good one, once more with it, then a shorter way down.
        assert!((s.eps - 0.1 * tol::PROXIMAL_FIRST).abs() < 1e-12);
        let held = s.eps;
        s.pass(0.8, 1e-3);
        assert_eq!(s.eps, held);
        s.pass(0.7, 1e-3);
        assert!((s.eps / held - 0.1f64.sqrt()).abs() < 1e-12);
        assert!(s.is_lost(1e3) && !s.is_lost(1.0) && !s.exhausted());
        for _ in 0..tol::NEWTON_FAILURES {
            s.fail();
        }
        assert!(s.exhausted());
    }

    #[test]
    fn a_first_term_that_fails_is_followed_by_a_weaker_one() {
        let mut s = Strength::new(tol::PROXIMAL_FIRST);
        s.fail();
        assert!(s.eps < tol::PROXIMAL_FIRST);
    }
}
