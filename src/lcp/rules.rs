//! The numbers by which a path is followed. Each recovery attempt has its own set.

use crate::tol;

/// Steps in a row that may be shorter than the slack before a path from scratch counts as stalled.
pub(super) const STALL: usize = 50;

/// Tolerances and intervals of one attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Pivot tolerance of (lcp.9).
    pub(super) pivot: f64,
    /// Slack of the ratio test (lcp.10).
    pub(super) slack: f64,
    /// Residual of a direction above which it is refined once.
    pub(super) refine: f64,
    /// Pivots between two fresh inverses; zero: only when accuracy asks for one.
    pub(super) refactor: usize,
    /// Steps in a row that may be shorter than the slack before the path counts as stalled.
    pub(super) stall: usize,
    /// Size by which the right-hand side is lifted, zero for none.
    pub(super) lift: f64,
    /// Ties are broken lexicographically: no cycle, at the price of smaller pivots.
    pub(super) lexico: bool,
    /// Covering vector with entries spread over [0.5, 1.5] instead of ones.
    pub(super) spread_cover: bool,
}

const PLAIN: Rules = Rules {
    pivot: tol::LCP_PIVOT,
    slack: tol::LCP_RATIO,
    refine: tol::LCP_REFINE,
    refactor: 0,
    stall: STALL,
    lift: 0.0,
    lexico: false,
    spread_cover: false,
};

/// The attempts in order: as is; with the right-hand side lifted off its degeneracy, the cheapest
/// remedy; without cycles; with fresh inverses and exact directions; with coarser pivots; lifted
/// more; along another path; both.
pub(super) const ATTEMPTS: [Rules; 8] = [
    PLAIN,
    Rules { lift: tol::LCP_LIFT, ..PLAIN },
    Rules { lexico: true, ..PLAIN },
    Rules { refactor: 16, refine: 1e-2 * tol::LCP_REFINE, ..PLAIN },
    Rules { refactor: 32, pivot: 1e2 * tol::LCP_PIVOT, slack: 10.0 * tol::LCP_RATIO, ..PLAIN },
    Rules { lift: 1e2 * tol::LCP_LIFT, ..PLAIN },
    Rules { spread_cover: true, ..PLAIN },
    Rules { spread_cover: true, lift: 10.0 * tol::LCP_LIFT, ..PLAIN },
];

/// The numbers for a path of n unknowns from a basis that was right for a problem like this one. Unknowns
/// that stand for one cause enter or leave together, each by a step without length.
pub(super) fn from_a_basis(n: usize) -> Rules {
    Rules { stall: STALL + n / 4, ..PLAIN }
}

/// A fixed sequence spread evenly over (0, 1): fractional parts of multiples of the golden ratio.
pub(super) fn spread(i: usize) -> f64 {
    let word = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word >> 11) as f64 / (1u64 << 53) as f64
}
