//! Slots for contacts that come and go as a stepper has them: who is where, and more of them when
//! they are needed, all buffers once more and larger. Knows no numerics.

use super::host::Scratch;
use super::memory::{self, Bases};
use super::options::{Options, Settings};
use super::state::State;
use super::workspace::{Workspace, unknowns};
use super::{Outcome, Stepper, capture, snapshot};
use crate::error::{Apart, Result};
use crate::model::{Dims, Model, Parts};

/// Sizes of a model with a contact for each of `slots` more.
pub(super) fn with_slots(dims: &Dims, slots: usize) -> Dims {
    Dims { n_contact: dims.n_contact + slots, ..*dims }
}

/// The buffers of a stepper for the sizes `room`, as its options want them.
///
/// # Errors
/// `Value` for a tolerance that is not positive, `Memory`.
pub(super) fn workspace(
    model: &dyn Model,
    room: &Dims,
    options: &Options,
    settings: &Settings,
) -> Result<Apart<Workspace>> {
    let mut work = Apart::new(|| Workspace::new(model, room))?;
    work.stage.theta = settings.theta;
    work.capture = capture::Work::new(room, model, settings.method)?;
    memory::set_limits(&mut work, options)?;
    Ok(work)
}

impl Stepper {
    /// Contacts that have an index: the fixed ones, then the slots of those that come and go.
    pub fn contact_count(&self) -> usize {
        self.state.contacts.len()
    }

    /// The host's key of contact `i`; none for a slot that is free.
    pub fn contact_key(&self, i: usize) -> Option<i64> {
        match i.checked_sub(self.dims.n_contact) {
            Some(slot) => self.state.slots.key(slot),
            None => Some(self.model.key(i)),
        }
    }

    /// The index of the contact that comes and goes with this key; none when it is not there.
    pub fn find_contact(&self, key: i64) -> Option<usize> {
        self.state.slots.find(key).map(|slot| self.dims.n_contact + slot)
    }

    /// A step to `end`, all or nothing, with as many slots as it needs. `alone`: the events of the
    /// step before are forgotten.
    pub(super) fn attempt(&mut self, end: f64, alone: bool) -> Result<Outcome> {
        self.attempt_of(end - self.state.t, end, alone)
    }

    /// The same of the length `h`, which is that to `end` but for the rounding of times.
    pub(super) fn attempt_of(&mut self, h: f64, end: f64, alone: bool) -> Result<Outcome> {
        self.scratch.patches.begin();
        loop {
            self.trial.slots.wanted = 0;
            let done = self.attempt_in_slots(h, end, alone);
            self.scratch.show_all();
            if done.is_ok() || (self.trial.slots.wanted == 0 && !self.scratch.patches.again) {
                return done;
            }
            if self.trial.slots.wanted > 0 {
                self.make_slots()?;
            }
            // The step begins anew: what failed was the room for it, or who took part in it.
            self.stats.rejected -= 1;
        }
    }

    /// Takes as many slots as the last attempt wanted.
    ///
    /// # Errors
    /// `Capacity` for more than the model may need, `Memory`. Nothing changes then.
    pub(super) fn make_slots(&mut self) -> Result<()> {
        let slots = self.trial.slots.enough(self.model.hosted())?;
        self.set_slots(slots)
    }

    /// Takes as many slots as a snapshot needs.
    ///
    /// # Errors
    /// Those of [`snapshot::slots`], `Memory`. Nothing changes then.
    pub(super) fn make_room_for(&mut self, bytes: &[u8]) -> Result<()> {
        let slots = snapshot::slots(bytes, &self.dims, &self.settings, self.model.hosted())?;
        if slots > self.state.slots.len() { self.set_slots(slots) } else { Ok(()) }
    }

    fn set_slots(&mut self, slots: usize) -> Result<()> {
        let room = with_slots(&self.dims, slots);
        let work = workspace(&*self.model, &room, &self.options, &self.settings)?;
        let mut state = State::new(&room, slots)?;
        let trial = State::new(&room, slots)?;
        let mut bases = Bases::new(unknowns(&room))?;
        let bodies = self.model.bodies()?;
        let parts = Parts::new(&*self.model, &bodies)?;
        let (fixed, hosted) = (self.dims.n_contact, self.model.hosted());
        let scratch = Scratch::new(&room, fixed, hosted, (&bodies, &parts))?;
        let kept = self.kept.as_ref().map(|kept| kept.grown(&room, slots)).transpose()?;
        self.rest = super::rest::Rest::new(&room)?;
        state.copy_from(&self.state);
        bases.copy_from(&self.bases);
        (self.work, self.state, self.trial) = (work, state, trial);
        (self.bases, self.scratch, self.kept) = (bases, scratch, kept);
        Ok(())
    }
}
