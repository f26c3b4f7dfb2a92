//! One problem given to the library, and what to think of the answer.

use super::SOLVED;
use super::clock::thread_seconds;
use super::manifest::Expect;
use super::problem::Problem;
use stiction::Error;
use stiction::lcp::Lcp;

/// What the library said and what its answer is worth.
pub struct Outcome {
    /// `ok`, or the kind of failure in one word.
    pub status: &'static str,
    pub pivots: Option<usize>,
    /// Of the answer if there is one; computed here, not taken from the solver.
    pub residual: f64,
    /// Thread CPU time of the solve in a new workspace.
    pub seconds: f64,
}

impl Outcome {
    /// The library claims a solution.
    pub fn claimed(&self) -> bool {
        self.status == "ok"
    }

    /// The claim holds.
    pub fn solved(&self) -> bool {
        self.claimed() && self.residual <= SOLVED
    }

    /// What is wrong with it, if anything.
    pub fn fault(&self, expect: Expect) -> Option<&'static str> {
        if self.claimed() && !self.solved() {
            Some("wrong claim")
        } else if expect.must_solve() && !self.claimed() {
            Some("not solved")
        } else if expect == Expect::Refuse && self.claimed() {
            Some("has no solution")
        } else {
            None
        }
    }
}

/// A workspace that starts every problem afresh.
pub fn cold_workspace(n: usize) -> stiction::error::Result<Lcp> {
    let mut lcp = Lcp::new(n)?;
    let mut options = *lcp.options();
    options.warm = false;
    lcp.set_options(options)?;
    Ok(lcp)
}

/// Solves in a workspace of its own, so that nothing is remembered.
pub fn solve_cold(p: &Problem) -> stiction::error::Result<Outcome> {
    let mut x = vec![0.0; p.n()];
    let mut lcp = cold_workspace(p.n())?;
    let m = p.matrix()?;
    let start = thread_seconds();
    let result = if p.n_free == 0 {
        lcp.solve(m, &p.q, &mut x, None)
    } else {
        lcp.solve_mixed(p.n_free, m, &p.q, &mut x, None)
    };
    let seconds = thread_seconds() - start;
    Ok(match result {
        Ok(info) => {
            let residual = p.residual(&x);
            Outcome { status: "ok", pivots: Some(info.pivots), residual, seconds }
        }
        Err(e) => {
            let (status, pivots, residual) = refusal(&e);
            Outcome { status, pivots, residual, seconds }
        }
    })
}

fn refusal(e: &Error) -> (&'static str, Option<usize>, f64) {
    match e {
        Error::LcpRay { pivots, residual, .. } => ("ray", Some(*pivots), *residual),
        Error::LcpPivots { limit, residual, .. } => ("pivots", Some(*limit), *residual),
        Error::Residual { residual, .. } => ("residual", None, *residual),
        Error::Inconsistent { .. } => ("inconsistent", None, f64::INFINITY),
        _ => ("error", None, f64::INFINITY),
    }
}
