//! Moreau's rule inside a step by stages: over events that are located roughly, as algorithm 1 of AC09
//! has it, and through accumulations that have too many of them. Knows no stages.

use crate::error::{Error, Result};
use crate::step::moreau::Moreau;
use crate::step::resolve::Progress;
use crate::step::run::{Run, no_solution};
use crate::step::search::{Found, Path};
use crate::tol;

/// Part of the critical step before its event: the forecast of Moreau's rule sees it from there.
const BEFORE: f64 = 0.25;

impl Run<'_> {
    /// Length of the critical step (cap.18); none when events are located.
    pub(super) fn critical(&self) -> Option<f64> {
        // exact: set by the host
        if self.set.critical == 0.0 {
            return None;
        }
        let order = super::order(self.set.method)?;
        let h = self.h_grid;
        Some((self.set.critical * h.powi(order + 1)).max(tol::CRITICAL * h))
    }

    /// To just before the collision `found` by stages, and over it by Moreau's rule in a step of
    /// `length`.
    pub(super) fn pass_collision(
        &mut self,
        found: Found,
        length: f64,
        p: &mut Progress,
    ) -> Result<()> {
        let before = found.tau - BEFORE * length;
        if before > self.instant {
            self.path(before)?;
            self.accept_path(before, self.state.t + before);
            self.look()?;
        }
        p.events += 1;
        p.instants = 0;
        let end = (self.state.t + length).min(self.t_end);
        self.by_moreau(end)
    }

    /// The rest of a step with more events than may be followed, by Moreau's rule; by positions where
    /// that has no solution.
    pub(in crate::step) fn accumulate(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        match self.by_moreau(self.t_end) {
            Ok(()) => {
                self.stats.capped_steps += 1;
                Ok(())
            }
            Err(e) if no_solution(&e) || matches!(e, Error::NotPositiveDefinite { .. }) => {
                self.or_shorter(h, p, |run, h, _| run.plain(h))
            }
            Err(e) => Err(e),
        }
    }

    /// One step of Moreau's rule to `end`, the law of impact in its rows.
    fn by_moreau(&mut self, end: f64) -> Result<()> {
        let h = end - self.state.t;
        let usual = std::mem::replace(&mut self.method, &Moreau);
        let done = self.step_lcp(h).and_then(|()| self.end_of_piece(h));
        self.method = usual;
        done?;
        self.accept_stale(end, Path::Lcp);
        Ok(())
    }
}
