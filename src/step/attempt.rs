//! One step, all or nothing: on a copy of the state, which takes its place at the end. Knows neither
//! methods nor events.

use super::check::named;
use super::{Outcome, Stepper};
use crate::error::{Error, Result, finite};
use crate::tol;
use std::borrow::Cow;

/// A step of `h` from `t` that does not move time.
pub(super) fn too_short_for(t: f64, h: f64) -> Error {
    Error::StepTooSmall { t, h, why: Cow::Borrowed("t + h is t, to the last bit") }
}

impl Stepper {
    /// A step of `h` to `end`, all or nothing, with the slots there are. `alone`: the events of the step before
    /// are forgotten.
    pub(super) fn attempt_in_slots(&mut self, h: f64, end: f64, alone: bool) -> Result<Outcome> {
        let t = self.state.t;
        if h <= 0.0 {
            return Err(too_short_for(t, h));
        }
        if h < tol::SHORTEST_WAY {
            let why = Cow::Borrowed("the step is too short for numbers to divide it");
            return Err(Error::StepTooSmall { t, h, why });
        }
        if self.rests(h) {
            return Ok(self.repeat(end, alone));
        }
        self.rest.end();
        self.trial.copy_from(&self.state);
        self.trial.h = h;
        self.work.pieces.clear();
        self.work.shortened = false;
        self.events.begin(alone);
        self.dense_trial.clear();
        // Also drops what the solvers know of earlier matrices: the step depends on the saved state alone.
        self.bases.give_to(&mut self.work)?;
        self.turn_back();
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let mut run = self.under_way(end, h);
        let done = run.run().map_err(named);
        let stats = run.stats;
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let done = done.and_then(|()| {
            // The last moment to find out that something overflowed.
            finite("q", &self.trial.q)?;
            finite("v", &self.trial.v)?;
            self.trial.impulses.check()
        });
        if let Err(e) = done {
            self.events.roll_back();
            // A step that waits for answers is under way, not rejected.
            self.stats.rejected += i64::from(!matches!(e, Error::Wanted { .. }));
            self.ask_again();
            return Err(e);
        }
        std::mem::swap(&mut self.state, &mut self.trial);
        std::mem::swap(&mut self.dense, &mut self.dense_trial);
        self.keep_bases();
        self.bases.take_from(&mut self.work, |i| self.state.has_contact(i));
        self.stats = stats;
        let (count, lost) = self.events.commit(alone);
        if count == 0 && lost == 0 {
            self.note_rest(h);
        }
        self.stats.events_lost += lost as i64;
        Ok(if count > 0 || lost > 0 { Outcome::Eventful } else { Outcome::Quiet })
    }
}
