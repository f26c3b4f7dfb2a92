//! Contacts that come on the way along a path and are too deep at its end: those that were there before them did not tell of a
//! collision. Knows nothing of what is done about it.

use super::run::Run;
use super::search::{Found, Look, Path, What};
use super::state::Mode;
use super::take_off::SHORTEST;
use crate::error::Result;
use crate::tol;

impl Run<'_> {
    /// How deep a contact may be where nothing told of a collision, (step.77).
    fn depth_unseen(&self) -> f64 {
        self.gap_zero + tol::MISSED * self.a_scale * self.h_grid * self.h_grid
    }

    /// Takes the piece by complementarity to its end: whether a contact is deeper there than that, and than where the step began.
    pub(super) fn ends_deep(&mut self, h: f64) -> Result<bool> {
        self.follow(Path::Lcp, h)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + h, &w.q1, &mut w.probe)?;
        let deep = self.deepest.min(-self.depth_unseen());
        let probe = &self.w.probe;
        Ok((0..probe.gap.len()).any(|i| probe.gap[i] < deep && !probe.is_lifted(i)))
    }

    /// Half of a path of length `h` at whose end, at `probe`, a contact that came on the way is deeper than (step.77).
    pub(super) fn missed(&self, h: f64, modes: &[Mode]) -> Option<Found> {
        let (w, here) = (&*self.w, &self.w.start.geometry);
        let came = |i: usize| !here.present[i] && w.probe.present[i] && self.is_alone(i);
        let deep = -self.depth_unseen();
        let contact = (self.host.fixed..modes.len()).find(|&i| came(i) && w.probe.gap[i] < deep)?;
        let tau = 0.5 * h;
        // What is deep in a shorter one was so where it came.
        (h > SHORTEST * self.h_grid).then_some(Found { tau, said: tau, what: What::Part, contact })
    }

    /// What collides on the part `half` of `path`, or, where nothing does, that part.
    pub(super) fn on_part(&mut self, path: Path, half: Found, again: u32) -> Result<Found> {
        self.follow(path, half.tau)?;
        for (look, present) in self.w.looked_into.iter_mut().zip(&self.w.start.geometry.present) {
            if !present {
                // It was looked for at other times than those of the part.
                *look = Look::Not;
            }
        }
        Ok(self.first_real_collision(path, half.tau, again)?.unwrap_or(half))
    }
}
