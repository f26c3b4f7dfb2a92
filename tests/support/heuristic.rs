//! Step control as Acary (2009) prints it, for comparison: (63) to (70) around Moreau's rule, on motions of one coordinate over
//! the ground q = 0.
#![allow(dead_code, reason = "each user takes a part")]

use crate::norms::{Grid, Single};
use std::sync::Arc;
use stiction::step::{MethodKind, Options, Stepper};

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Equal steps.
    Fixed(f64),
    /// The difference of positions (67) for every step.
    Heuristic(f64),
    /// The order of the step by the status of constraints, (68) to (70): (67) where it impacts, (63) elsewhere.
    ByOrder(f64),
}

/// A motion with its cost.
pub struct Walk {
    pub q: Grid,
    pub force_evals: i64,
    pub steps: usize,
}

/// Factors of (66), section 5.2.
const LEAST: f64 = 0.5;
const MOST: f64 = 5.0;

/// Step below which it is taken whatever its error.
const SHORTEST: f64 = 1e-9;

/// The motion of `model` from q = 1 at rest to `end`.
pub fn walk(model: Single, control: Control, end: f64) -> Walk {
    let options = Options { method: MethodKind::Moreau, ..Options::default() };
    let mut s = Stepper::new(Arc::new(model), &options).unwrap();
    s.set_state(0.0, &[1.0], &[0.0]).unwrap();
    let mut walk = Walk { q: Grid { t: vec![0.0], x: vec![1.0] }, force_evals: 0, steps: 0 };
    let mut h = if let Control::Fixed(h) = control { h } else { 0.01 };
    let mut bytes = Vec::new();
    while end - s.t() > 1e-12 {
        let (from, step) = (s.q()[0], h.min(end - s.t()));
        if let Control::Fixed(_) = control {
            walk.force_evals += try_step(&mut s, step);
        } else {
            bytes.resize(s.saved_size(), 0);
            s.save(&mut bytes).unwrap();
            walk.force_evals += try_step(&mut s, step);
            let whole = s.q()[0];
            s.restore(&bytes).unwrap();
            walk.force_evals += try_step(&mut s, 0.5 * step) + try_step(&mut s, 0.5 * step);
            let (error, p) = estimate(control, from, whole, s.q()[0]);
            h = step * error.powf(-1.0 / (p + 1.0)).clamp(LEAST, MOST);
            if error > 1.0 && step > SHORTEST {
                s.restore(&bytes).unwrap();
                continue;
            }
        }
        walk.q.t.push(s.t());
        walk.q.x.push(s.q()[0]);
        walk.steps += 1;
    }
    walk
}

/// The force evaluations of one step. A snapshot takes the counters back too.
fn try_step(s: &mut Stepper, h: f64) -> i64 {
    let before = s.stats().force_evals;
    s.step(h).unwrap();
    s.stats().force_evals - before
}

/// Error (65) of a step in units of the tolerance, and the order it is taken to have.
fn estimate(control: Control, from: f64, whole: f64, halves: f64) -> (f64, f64) {
    let apart = (halves - whole).abs();
    match control {
        Control::Fixed(_) => (0.0, 0.0),
        Control::Heuristic(tol) => (apart / tol, 0.0),
        // (69): 0 for a constraint that closes, else 1, for which the divisor of (63) is 1.
        Control::ByOrder(tol) => (apart / tol, if from > 0.0 && halves <= 0.0 { 0.0 } else { 1.0 }),
    }
}
