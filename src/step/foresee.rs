//! What a piece will ask at its end, told in one go to a model that answers later. Decides nothing:
//! without it a step asks the same, a little at a time.

use super::options::EventLevel;
use super::run::Run;
use crate::error::Result;

impl Run<'_> {
    /// Asks for everything at the end (q1, v1) of a piece of length `h` that a piece without an
    /// event and the start of the next one want. Does nothing for models that answer at once.
    ///
    /// # Errors
    /// `Wanted`, and those of the model.
    pub(super) fn foresee(&mut self, h: f64) -> Result<()> {
        let model = self.host.asked.model();
        if !model.answers_later() {
            return Ok(());
        }
        let w = &mut *self.w;
        let held = self.set.events == EventLevel::All && w.m0.iter().any(|m| m.held());
        // The distance of differences along the motion of constraints depends on an answer.
        let ahead = held && !model.constraints_move();
        let (t, h_grid) = (self.state.t + h, self.h_grid);
        self.host.together(|host| {
            w.there.at(host, t, &w.q1, &w.v1)?;
            if ahead { w.forces.differentiate(host, &w.there, h_grid) } else { Ok(()) }
        })
    }
}
