//! Lemke's method: the path from a covered basis to a solution or a ray. Knows neither how the
//! basis is represented nor where the problem comes from.

use super::engine::{Engine, Problem};
use super::lexico::Lexico;
use super::path::{Path, Var, complement};
use super::rules::Rules;
use std::ops::ControlFlow;

/// Pivots between two fresh computations of the basic variables.
const REFRESH: usize = 32;
/// Pivots between two calls of the caller's progress function.
const REPORT: usize = 64;
/// Times a ray is tried again with a fresh inverse.
const DOUBTS: usize = 2;

/// How a path ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The artificial variable left the basis.
    Solved,
    /// Nothing bounds the last edge; `path.dir` is the ray, with this variable entering.
    Ray(Var),
    /// Too many pivots.
    Limit,
    /// Many steps in a row had no length.
    Stalled,
    /// The basis cannot be represented accurately.
    Lost,
    /// The caller's progress function returned this.
    Stopped(i32),
}

/// What the caller is told while a large problem is being solved.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Pivots done so far, all attempts together.
    pub pivots: usize,
    /// Present value of the artificial variable, in units of the scaled right-hand side; the path
    /// ends when it reaches zero, not always monotonically.
    pub artificial: f64,
}

/// A caller's progress function; `Break(code)` stops the solve with
/// [`Error::Callback`](crate::Error::Callback).
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<i32>;

/// Pivots done and allowed, and who wants to know.
pub(super) struct Budget<'a> {
    pub(super) pivots: usize,
    pub(super) limit: usize,
    pub(super) watch: Option<Watch<'a>>,
}

impl Budget<'_> {
    /// Counts a pivot after which the artificial variable has the given value; the end it brings.
    pub(super) fn spend(&mut self, artificial: impl FnOnce() -> f64) -> Option<End> {
        self.pivots += 1;
        if self.pivots >= self.limit {
            return Some(End::Limit);
        }
        let watch = self.watch.as_mut()?;
        if !self.pivots.is_multiple_of(REPORT) {
            return None;
        }
        match watch(&Progress { pivots: self.pivots, artificial: artificial() }) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(code) => Some(End::Stopped(code)),
        }
    }
}

/// Follows the path from the basis in `engine` and `path`, covered by the direction in `path.dir`.
pub(super) fn follow<E: Engine>(
    engine: &mut E,
    p: &Problem<'_>,
    path: &mut Path,
    lexico: &mut Lexico,
    budget: &mut Budget<'_>,
    rules: &Rules,
) -> End {
    let n = p.n();
    let artificial = 2 * n;
    let Some(mut i) = path.most_violated() else { return End::Solved };
    if budget.pivots >= budget.limit {
        return End::Limit;
    }
    engine.cover(p, path);
    if rules.lexico {
        lexico.start(path);
    }
    let mut entering = artificial;
    let mut t = -path.x[i] / path.dir[i];
    // Making an inverse costs as much as a number of pivots that grows with n.
    let interval = rules.refactor.max(n / 20);
    let (mut short, mut since) = (0, 0usize);
    loop {
        let leaving = path.basic[i];
        path.step(i, t, entering);
        engine.exchange(p, path, i, leaving, entering);
        if leaving == artificial {
            budget.pivots += 1;
            return End::Solved;
        }
        if let Some(end) = budget.spend(|| path.artificial.map_or(0.0, |i| path.x[i])) {
            return end;
        }
        short = if t <= rules.slack { short + 1 } else { 0 };
        since += 1;
        if rules.refactor > 0 && since.is_multiple_of(interval) {
            if !engine.refactor(p, path) {
                return End::Lost;
            }
        } else if since.is_multiple_of(REFRESH) {
            engine.refresh(p, path);
        }
        if short > rules.stall && !rules.lexico {
            return End::Stalled;
        }
        entering = complement(n, leaving);
        i = match blocking(engine, p, path, lexico, entering, rules) {
            Ok(i) => i,
            Err(end) => return end,
        };
        t = path.step_length(i);
    }
}

/// Direction of the entering variable and the position that blocks it.
fn blocking<E: Engine>(
    engine: &mut E,
    p: &Problem<'_>,
    path: &mut Path,
    lexico: &mut Lexico,
    entering: Var,
    rules: &Rules,
) -> Result<usize, End> {
    for doubt in 0..=DOUBTS {
        if engine.direction(p, path, entering, rules).is_err() {
            return Err(End::Lost);
        }
        if let Some(i) = path.ratio_test(rules) {
            if rules.lexico && Some(i) != path.artificial {
                return lexico.choose(engine, p, path, entering, rules).ok_or(End::Lost);
            }
            return Ok(i);
        }
        if doubt == DOUBTS || !engine.refactor(p, path) {
            break;
        }
    }
    Err(End::Ray(entering))
}
