//! Steps whose lengths follow the error: every step is made once whole and once in two halves, and
//! their difference tells. Knows no method but its order.

use super::first::shortest;
use super::options::{EventLevel, MethodKind, Settings};
use super::rough::Rough;
use super::run::no_solution;
use super::{Outcome, Stepper, capture};
use crate::error::{Error, Result, told};
use crate::tol;
use std::borrow::Cow;

/// Limits of the change from one step to the next.
const SHRINK: f64 = 0.2;
pub(super) const GROW: f64 = 5.0;

/// Part of the step that the error would allow which is tried: failures cost three steps.
const SAFETY: f64 = 0.85;

/// Weights of the present and of the last error in the choice of a step: together they damp the
/// swing between long and short.
const PRESENT: f64 = 0.7;
const PAST: f64 = 0.4;

/// Tolerances that the errors of all steps may sum up to: they do not all point the same way.
const BUDGET: f64 = 2.0;

/// How much more an error may be that is taken away once it is known.
const REFINED: f64 = 3.0;

/// Rejections in a row after which a step holds something that no shorter step makes smaller: an
/// event that is not located.
const STUBBORN: u32 = 3;

/// Part of the tolerance that such a step may spend.
const EVENT_SHARE: f64 = 0.1;

/// Part of that from which on a jump of a force counts as one.
const FELT: f64 = 0.01;

/// Jumps of forces in a row, each within so many steps over one from the last, after which the force turns
/// round at once whenever it has turned: nothing moves on.
const RESTLESS: u32 = 50;
const RESTLESS_STEPS: f64 = 8.0;

/// While a contact is held a step takes at most this part of the way: forces that begin to move it
/// and cease again within a step are not seen.
pub(super) const HELD_PART: f64 = 0.05;

/// The same where slip is not located.
pub(super) const UNLOCATED_PART: f64 = 0.001;

/// Order of the error of a method in smooth motion.
pub(super) fn order(set: &Settings) -> i32 {
    match set.method {
        MethodKind::Trapezoid | MethodKind::TrapezoidII => 2,
        method => capture::order(method).unwrap_or(1),
    }
}

/// Whether a shorter step may succeed where this failed.
fn may_be_shorter(e: &Error) -> bool {
    let small = matches!(
        e,
        Error::Rejected { .. }
            | Error::StepTooSmall { .. }
            | Error::NotPositiveDefinite { .. }
            | Error::NonFinite { .. }
    );
    small || no_solution(e)
}

/// Lengths of steps as they follow each other.
struct Pace {
    h: f64,
    /// The last error, in parts of what was allowed.
    last: f64,
    /// Rejections in a row.
    refused: u32,
    /// Steps tried.
    tried: u64,
    /// Why the last try from here failed.
    failure: Option<Error>,
    /// The time before which a jump of forces is looked for.
    hunt: f64,
    /// When the last was passed, and how many have followed each other at once.
    jumped: f64,
    restless: u32,
    /// Whether steps after something that was passed are still so short that rounding judges them.
    recovers: bool,
}

impl Stepper {
    /// Steps of lengths that the tolerances decide, to `t_end` exactly; `h` is the first try. The errors of all
    /// steps together are to stay within the tolerance, so that a step may err by its part of the way, (cap.14).
    ///
    /// # Errors
    /// `StepTooSmall` when no step is short enough; those of the model. The state is that of the last step taken.
    pub(super) fn advance_adaptively(&mut self, t_end: f64, h: f64) -> Result<Outcome> {
        let p = f64::from(order(&self.settings));
        let (span, lost) = (t_end - self.state.t, self.stats.events_lost);
        self.events.clear();
        // exact: nothing to do
        if span == 0.0 {
            return Ok(Outcome::Quiet);
        }
        if span < tol::SHORTEST_WAY {
            let why = Cow::Borrowed("the way is too short for numbers to divide it");
            return Err(Error::StepTooSmall { t: self.state.t, h: span, why });
        }
        if let Some(kept) = &mut self.kept {
            kept.span = span;
            kept.rated = false;
            kept.jump = f64::INFINITY;
            kept.drowned = false;
            kept.calm = 0.0;
            (kept.lean, kept.leans) = ((f64::NAN, 0.0), false);
            kept.samples.forget();
        }
        self.check_start()?;
        let set = &self.settings;
        self.work.capture.connect(Some(tol::STAGE_SHARE * set.tolerance(set.length) / span));
        let done = self
            .first_step(h, span)
            .and_then(|first| self.follow_tolerance(t_end, (h, first), (p, span)));
        self.work.capture.connect(None);
        done?;
        let any = !self.events.kept().is_empty() || self.stats.events_lost > lost;
        Ok(if any { Outcome::Eventful } else { Outcome::Quiet })
    }

    /// The steps of [`advance_adaptively`](Self::advance_adaptively), by a method of order `p` over
    /// the time `span`.
    fn follow_tolerance(
        &mut self,
        t_end: f64,
        (tried, h): (f64, f64),
        (p, span): (f64, f64),
    ) -> Result<()> {
        let none = f64::NEG_INFINITY;
        let mut pace = Pace {
            h,
            last: 1.0,
            refused: 0,
            tried: 0,
            failure: None,
            hunt: none,
            jumped: none,
            restless: 0,
            recovers: false,
        };
        while self.state.t < t_end {
            let t = self.state.t;
            self.count_try(&mut pace, t_end)?;
            if pace.hunt <= t + tol::EQUAL_STEPS * pace.h {
                pace.hunt = none;
            }
            let hunts = pace.hunt > t || pace.failure.is_some();
            let (end, cut) = self.next_end(t_end, span, &mut pace);
            let h = pace.h;
            if end <= t {
                let why = Cow::Borrowed("it is below the rounding of time");
                return Err(Error::StepTooSmall { t, h, why });
            }
            let too_short = h < shortest(span, t, tried);
            let error = match self.doubled(end) {
                Ok(error) => error,
                Err(e) if may_be_shorter(&e) => {
                    pace.failure = Some(e);
                    f64::INFINITY
                }
                Err(e) => return Err(e),
            };
            if self.kept.as_ref().is_some_and(|kept| kept.drowned) {
                self.take_back();
                self.stats.tolerance_rejections += 1;
                return Err(self.too_small(t, h, "rounding of positions exceeds them"));
            }
            // An event may have ended it before.
            let early = error.is_finite() && self.state.t < end;
            let (made, cut) = if early { (self.state.t - t, true) } else { (h, cut) };
            if made <= 0.0 {
                // The event stood at the start of the step: nothing has moved that could be judged.
                return Ok(());
            }
            let refines = self.kept.as_ref().is_some_and(|k| k.paired) && self.may_refine();
            let budget = if refines { REFINED * BUDGET } else { BUDGET };
            let noise = self.kept.as_ref().map_or(0.0, |kept| kept.noise);
            let rough = self.kept.as_ref().and_then(|kept| kept.samples.rough);
            // Shorter steps would be judged by their rounding.
            let least = noise * span / budget;
            let noisy = error <= noise;
            let spent = error / (budget * made / span);
            let passed = error.is_finite() && self.something_happened();
            let felt = rough.filter(|rough| rough.error > FELT * EVENT_SHARE);
            let eventful = pace.refused >= STUBBORN || passed || felt.is_some();
            pace.recovers &= made < least;
            let near = spent <= 1.0
                || (eventful && error <= EVENT_SHARE)
                || ((cut || hunts || pace.recovers || felt.is_some()) && noisy);
            let jumps = felt.filter(|rough| near && rough.error > EVENT_SHARE);
            if near && jumps.is_none() {
                // What an event or rounding have spent says nothing about the next.
                let spent = if noisy { tol::LEAST_ERROR } else { spent.min(1.0) };
                let factor = SAFETY * spent.powf(-PRESENT / p) * pace.last.powf(PAST / p);
                let most = if pace.refused > 0 { 1.0 } else { GROW };
                // A step that was cut to end in time says only that it was not too long.
                if !cut || factor < 1.0 {
                    pace.h *= factor.clamp(SHRINK, most);
                }
                if pace.hunt <= self.state.t {
                    pace.h = pace.h.max(least.min(GROW * made));
                }
                pace.last = spent.clamp(tol::LEAST_ERROR, 1.0);
                (pace.refused, pace.failure) = (0, None);
                pace.recovers |= made < least;
                self.taken(&mut pace, made, felt)?;
                if refines && rough.is_none() {
                    self.refine();
                }
                if self.settings.stop_at_event && !self.events.kept().is_empty() {
                    break;
                }
                continue;
            }
            if let Some(kept) = &mut self.kept {
                kept.samples.take_back(t);
            }
            // A failure has been taken back already.
            if error.is_finite() {
                self.take_back();
            }
            self.stats.tolerance_rejections += 1;
            if let Some(rough) = jumps {
                if too_short {
                    return Err(self.too_small(
                        t,
                        h,
                        "the force jumps and no step is short enough to pass it",
                    ));
                }
                (pace.h, pace.hunt) = (rough.from - t, rough.to);
                continue;
            }
            let mut shorter = made * (SAFETY * spent.powf(-1.0 / p)).clamp(SHRINK, 0.5);
            if made > 2.0 * least {
                shorter = shorter.max(least);
            }
            // Only an event that is not located allows steps that rounding judges.
            let blurred = noisy || (error.is_finite() && shorter < least && !passed && !hunts);
            if too_short || blurred {
                return Err(match pace.failure {
                    // What is no number for every step is none at the state itself.
                    Some(e @ Error::NonFinite { .. }) => e,
                    Some(e) => Error::StepTooSmall { t, h, why: told(e) },
                    None if blurred => self.too_small(
                        t,
                        h,
                        "steps so short that they are kept are judged by rounding of positions",
                    ),
                    None => self.too_small(
                        t,
                        h,
                        &told(format_args!(
                            "the error is {error:.1e} tolerances, {:.1e} is the part of this step",
                            budget * made / span
                        )),
                    ),
                });
            }
            pace.refused += 1;
            pace.h = shorter;
        }
        Ok(())
    }

    /// Counts a step that is about to be tried.
    ///
    /// # Errors
    /// `StepLimit` when there were enough.
    fn count_try(&self, pace: &mut Pace, t_end: f64) -> Result<()> {
        let limit = self.settings.max_steps;
        if limit > 0 && pace.tried >= limit {
            return Err(Error::StepLimit { limit, t: self.state.t, t_end });
        }
        pace.tried += 1;
        Ok(())
    }

    /// Why no step is short enough for the tolerances.
    fn too_small(&self, t: f64, h: f64, why: &str) -> Error {
        let (abs, rel) = (self.settings.abs_tol, self.settings.rel_tol);
        let why =
            told(format_args!("abs_tol = {abs:e} and rel_tol = {rel:e} cannot be kept, {why}"));
        Error::StepTooSmall { t, h, why }
    }

    /// Notes that the step of the length `made` was taken, over a force that is `rough`.
    ///
    /// # Errors
    /// `StepTooSmall` where forces jump at every step.
    fn taken(&mut self, pace: &mut Pace, made: f64, rough: Option<Rough>) -> Result<()> {
        let (t, told) = (self.state.t, self.events.kept().len());
        if let Some(kept) = &mut self.kept {
            let eventful = told > kept.events;
            kept.calm = kept.calm.max(made);
            kept.leans &= !eventful;
            kept.samples.take(eventful);
            if rough.is_some() {
                let since = t - pace.jumped;
                let near = since < RESTLESS_STEPS * made && since < tol::RESTLESS_PART * kept.span;
                pace.restless = if near { pace.restless + 1 } else { 0 };
                pace.jumped = t;
            }
        }
        self.trust(pace.h);
        self.rate(made);
        if pace.restless < RESTLESS {
            return Ok(());
        }
        Err(self.too_small(
            t,
            made,
            "the force jumps to and fro at every step: friction belongs in contacts and brakes",
        ))
    }

    /// Where the next step ends, and whether it was cut for that; no step is much shorter than its
    /// neighbors.
    fn next_end(&self, t_end: f64, span: f64, pace: &mut Pace) -> (f64, bool) {
        let (t, left) = (self.state.t, t_end - self.state.t);
        let h = &mut pace.h;
        if self.settings.max_step > 0.0 {
            *h = h.min(self.settings.max_step);
        }
        if pace.hunt > t {
            *h = h.min(pace.hunt - t);
        }
        if self.state.contacts.iter().any(|c| c.mode.held()) {
            let located = self.settings.events == EventLevel::All;
            *h = h.min(span * if located { HELD_PART } else { UNLOCATED_PART });
        }
        if *h >= left {
            let cut = *h > left;
            *h = left;
            (t_end, cut)
        } else if 2.0 * *h > left {
            *h = 0.5 * left;
            (t + *h, false)
        } else {
            (t + *h, false)
        }
    }
}
