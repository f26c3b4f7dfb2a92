//! More slots for contacts that come and go: all buffers once more, larger. Knows no numerics.

use super::host::Scratch;
use super::memory::{self, Bases};
use super::options::{Options, Settings};
use super::state::State;
use super::workspace::{Workspace, unknowns};
use super::{Stepper, capture, snapshot};
use crate::error::Result;
use crate::model::{Dims, Model};

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
) -> Result<Workspace> {
    let mut work = Workspace::new(model, room)?;
    work.stage.theta = settings.theta;
    work.capture = capture::Work::new(room, settings.method)?;
    memory::set_limits(&mut work, options.lcp_tolerance, options.max_pivots)?;
    Ok(work)
}

impl Stepper {
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
        let slots = snapshot::slots(bytes, &self.dims, self.model.hosted())?;
        if slots > self.state.slots.len() { self.set_slots(slots) } else { Ok(()) }
    }

    fn set_slots(&mut self, slots: usize) -> Result<()> {
        let room = with_slots(&self.dims, slots);
        let work = workspace(&*self.model, &room, &self.options, &self.settings)?;
        let mut state = State::new(&room, slots)?;
        let trial = State::new(&room, slots)?;
        let mut bases = Bases::new(unknowns(&room))?;
        let scratch = Scratch::new(&room, self.model.hosted())?;
        let kept = self.kept.as_ref().map(|kept| kept.grown(&room, slots)).transpose()?;
        state.copy_from(&self.state);
        bases.copy_from(&self.bases);
        (self.work, self.state, self.trial) = (work, state, trial);
        (self.bases, self.scratch, self.kept) = (bases, scratch, kept);
        Ok(())
    }
}
