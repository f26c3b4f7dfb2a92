//! A step whole and in halves, and what their difference tells. Knows no step control.

use super::Stepper;
use super::adapt::order;
use super::options::{EventLevel, MethodKind};
use super::pairs::Pair;
use super::sample::Part;
use super::state::Half;
use crate::error::{Result, finite};
use crate::tol;

/// Part of the way for which an error of velocity acts: later steps turn it round.
const LATER: f64 = 0.15;

/// Part of a difference per length of the step that is left in a step of half its length where it is of
/// the order of the step.
const STEADY: f64 = 0.7;

/// Part of a step within which an event lies at its start.
const NEXT: f64 = 0.01;

impl Stepper {
    /// A step to `end`, whole and in halves; the state is that of the halves. Gives the error of its position in
    /// units of the tolerance, (cap.15). Every piece between events is halved, else they would share errors.
    ///
    /// # Errors
    /// Those of steps; the state is then as before.
    pub(super) fn doubled(&mut self, end: f64) -> Result<f64> {
        self.keep();
        let mut made = self.pair(end)?;
        if let Pair::Event(t) = made
            && t > self.state.t + NEXT * (end - self.state.t)
        {
            made = self.pair(t)?;
        }
        if let Some(kept) = &mut self.kept {
            kept.paired = made == Pair::Made;
            kept.all_halved = true;
        }
        if made == Pair::Made {
            self.judge_momentum();
            return self.error();
        }
        if let Err(e) = self.attempt(end, false) {
            self.take_back();
            return Err(e);
        }
        // The option to stop at events may have ended it before.
        let (goal, end) = (end, end.min(self.state.t));
        let mut from = self.note_whole(end);
        self.take_back();
        let start = self.state.t;
        let whole = self.begin_samples(end);
        for k in 0.. {
            let to = self.kept.as_ref().and_then(|kept| kept.breaks.get(k)).copied();
            let Some(to) = to.filter(|_| from < end) else { break };
            let middle = from + 0.5 * (to - from);
            from = to;
            for part in [Some(middle), (to >= end).then_some(end)].into_iter().flatten() {
                // Events lie a little elsewhere now.
                if part <= self.state.t || self.stopped() {
                    continue;
                }
                let half = match whole {
                    true if part >= end => Part::SecondHalf,
                    true => Part::FirstHalf,
                    false => Part::Some,
                };
                let made = self.attempt(part, false).and_then(|_| self.sample(half));
                if let Err(e) = made {
                    self.take_back();
                    return Err(e);
                }
            }
        }
        if self.state.t <= start {
            // The event is too near for halves: the step to it stands by itself.
            self.attempt(goal, false)?;
            return Ok(0.0);
        }
        self.error()
    }

    /// Whether something has happened since [`keep`](Self::keep) at which the stepper is to stop.
    pub(super) fn stopped(&self) -> bool {
        let before = self.kept.as_ref().map_or(0, |kept| kept.events);
        self.settings.stop_at_event && self.events.kept().len() > before
    }

    /// The error (cap.15) of the step that was just doubled.
    fn error(&mut self) -> Result<f64> {
        let set = &self.settings;
        let Some(kept) = &mut self.kept else { return Ok(0.0) };
        let ahead = if kept.all_halved { 2f64.powi(order(set)) - 1.0 } else { 1.0 };
        // The larger of two numbers is never the NaN.
        if finite("q", &kept.q).and(finite("v", &kept.v)).is_err() {
            return Ok(f64::INFINITY);
        }
        let mut error = 0.0f64;
        kept.noise = 0.0;
        for ((fine, coarse), before) in self.state.q.iter().zip(&kept.q).zip(&kept.state.q) {
            let size = fine.abs().max(before.abs());
            let allowed = ahead * set.tolerance(size);
            error = error.max((fine - coarse).abs() / allowed);
            kept.noise = kept.noise.max(tol::POSITION_ROUNDING * size / allowed);
            let here = before.abs();
            kept.drowned |= tol::POSITION_ROUNDING * here > set.tolerance(here);
        }
        let span = kept.span;
        if self.passes_events() && !self.amid_impact() {
            // A change of modes that is not located shows in velocities first, and in positions later.
            let coarse = self.kept.iter().flat_map(|kept| &kept.v);
            for (fine, coarse) in self.state.v.iter().zip(coarse) {
                error = error.max((fine - coarse).abs() * span / set.tolerance(set.length));
            }
        }
        let rub = self.rub_error();
        let set = &self.settings;
        error = error.max(span * rub / set.tolerance(set.length));
        for half in self.state.contacts.iter().map(|c| c.half).filter(Half::under_way) {
            // Both solutions end on the surface, whenever in the step the impact has begun.
            error = error.max(half.time * half.before.abs() / set.tolerance(set.length));
        }
        if set.events == EventLevel::None {
            error = error.max(self.new_depth()?);
        }
        if self.settings.method == MethodKind::TrapezoidI && self.dims.n_joint > 0 {
            error = error.max(self.later_error()?);
        }
        Ok(error)
    }

    /// What the difference of velocities makes of positions later, in units of the tolerance: joints that
    /// turn leave an error of lower order in velocities of scheme I. Across the joints it does not count.
    fn later_error(&mut self) -> Result<f64> {
        let Some(kept) = &mut self.kept else { return Ok(0.0) };
        if self.events.kept().len() > kept.events {
            return Ok(0.0);
        }
        let other = std::mem::take(&mut kept.v);
        let apart = self.glide(&other);
        let Some(kept) = &mut self.kept else { return Ok(0.0) };
        kept.v = other;
        let (apart, t) = (apart?, kept.state.t);
        let h = self.state.t - t;
        // Where a contact slips it may be of the order of the step: every step leaves it anew, and no more.
        let (before, slope) = std::mem::replace(&mut kept.lean, (t, apart / h));
        let held = self.state.contacts.iter().any(|c| c.mode.held());
        kept.leans |= held && before == t && kept.lean.1 > STEADY * slope;
        let time = if kept.leans { h } else { LATER * kept.span };
        Ok(time * apart / self.settings.tolerance(self.settings.length))
    }
}
