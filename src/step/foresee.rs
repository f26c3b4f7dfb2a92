//! What will be asked at a point, told in one go to a model that answers later. Decides nothing:
//! without it a step asks the same, a little at a time.

use super::options::EventLevel;
use super::run::Run;
use super::search::Path;
use crate::error::Result;

impl Run<'_> {
    /// Asks for everything at the end (q1, v1) of a piece of length `h` that a piece without an
    /// event and the start of the next one want. Does nothing for models that answer at once.
    ///
    /// # Errors
    /// `Wanted`, and those of the model.
    pub(super) fn foresee(&mut self, h: f64) -> Result<()> {
        if self.host.asked.model().answers_later() { self.look_there(h, Path::Lcp) } else { Ok(()) }
    }

    /// Evaluates the model at the end of `path`, the time `h` after the start. A model that answers
    /// later is told as well what accelerations there will want.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn look_there(&mut self, h: f64, path: Path) -> Result<()> {
        let model = self.host.asked.model();
        let w = &mut *self.w;
        let (q, v) = if path == Path::Modes { (&w.qp, &w.vp) } else { (&w.q1, &w.v1) };
        let any = !w.brakes.m0.is_empty() || w.m0.iter().any(|m| m.held());
        let held = self.set.events == EventLevel::All && any;
        // The distance of differences along the motion of constraints depends on an answer.
        let known = model.gives_acceleration_terms() || !model.constraints_move();
        let ahead = model.answers_later() && held && known;
        let (t, h_grid) = (self.state.t + h, self.h_grid);
        self.host.together(|host| {
            w.there.at(host, t, q, v)?;
            if ahead { w.forces.velocity_terms(host, &w.there, h_grid) } else { Ok(()) }
        })
    }
}
