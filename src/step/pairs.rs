//! Pairs of steps without events, and one step over both for comparison: the cheap way to the error
//! of a step by stages, and to a better end of it. Knows no step control.

use super::adapt::order;
use super::host::Host;
use super::run::Run;
use super::sample::Part;
use super::search::Path;
use super::{Stepper, capture};
use crate::error::{Error, Result, finite};
use crate::linalg::{axpy, max_abs};
use crate::tol;

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pair {
    /// Both steps were made, and the one over both: they can be compared.
    Made,
    /// Something happened at this time.
    Event(f64),
    /// Not made: nothing that is known would be compared.
    Not,
}

impl Stepper {
    /// Two steps to `end`, and one over both from the state in `kept`, whose end is left there. The
    /// state is that of the two; where the pair is not made it is the one in `kept`.
    ///
    /// # Errors
    /// Those of steps; the state is then as before.
    pub(super) fn pair(&mut self, end: f64) -> Result<Pair> {
        let t = self.state.t;
        // Other rules are compared the other way round.
        if capture::order(self.settings.method).is_none() {
            return Ok(Pair::Not);
        }
        self.begin_samples(end);
        for (to, last) in [(t + 0.5 * (end - t), false), (end, true)] {
            if let Err(e) = self.attempt(to, false) {
                self.take_back();
                return Err(e);
            }
            // A step that was told to stop has ended at what happened.
            let stopped = if self.stopped() { Some(self.state.t) } else { None };
            if let Some(when) = stopped.or(self.happened()) {
                // A jump at the end leaves positions as they are.
                if last && when >= end - tol::EQUAL_STEPS * (end - t) && !self.work.shortened {
                    self.sample_pair(last)?;
                    break;
                }
                self.take_back();
                return Ok(if self.work.shortened { Pair::Not } else { Pair::Event(when) });
            }
            if !last {
                self.note_modes();
            }
            self.sample_pair(last)?;
        }
        let made = self.compare(t, end);
        if !matches!(made, Ok(true)) {
            self.take_back();
        }
        Ok(if made? { Pair::Made } else { Pair::Not })
    }

    /// Samples forces along the half that was just made.
    fn sample_pair(&mut self, last: bool) -> Result<()> {
        let done = self.sample(if last { Part::SecondHalf } else { Part::FirstHalf });
        if done.is_err() {
            self.take_back();
        }
        done
    }

    /// When the first thing happened in the last step, if anything did: it then has more than one
    /// piece, or ends with a jump or a change of modes.
    pub(super) fn happened(&self) -> Option<f64> {
        let kept = self.kept.as_ref()?;
        let jumped = self.stats.impacts > kept.stats.impacts || self.state.stale;
        if self.work.pieces.len() == 1 && !jumped && !self.work.shortened {
            return None;
        }
        Some(self.work.pieces.first().copied().unwrap_or(self.state.t))
    }

    /// Keeps what contacts do after the first step of a pair.
    fn note_modes(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.modes.clear();
            // Within the capacity: there are never more contacts than in the state.
            kept.modes.extend(self.state.contacts.iter().map(|c| c.mode));
        }
    }

    /// The step over both into `kept`, with the modes that the first step of the pair found; false
    /// where contacts have come or gone, and where its equations cannot be solved.
    fn compare(&mut self, t: f64, end: f64) -> Result<bool> {
        let Some(kept) = &self.kept else { return Ok(false) };
        if kept.state.slots.taken() != self.state.slots.taken() {
            return Ok(false);
        }
        self.trial.copy_from(&kept.state);
        for (contact, &mode) in self.trial.contacts.iter_mut().zip(&kept.modes) {
            contact.mode = mode;
        }
        self.trial.h = end - t;
        self.turn_back();
        let fine = std::mem::take(&mut self.state.v);
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let mut run = self.under_way(end, end - t);
        let made = run.compare_path(end - t, &fine);
        let (iterations, evals) = (run.stats.stage_iterations, run.host.asked.force_evals as i64);
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        self.state.v = fine;
        self.stats.stage_iterations = iterations;
        self.stats.force_evals += evals;
        if let Some(kept) = &mut self.kept {
            kept.q.copy_from_slice(&self.work.qp);
            kept.v.copy_from_slice(&self.work.vp);
        }
        made
    }

    /// Whether the pair that was just made may be improved: nothing jumped, and nothing is stiff.
    pub(super) fn may_refine(&self) -> bool {
        self.happened().is_none() && self.work.capture.plain()
    }

    /// Takes from the end of the pair the error that the step over both shows, (cap.17), and puts it
    /// back on joints and closed contacts. Leaves the state where that does not succeed.
    pub(super) fn refine(&mut self) {
        let part = 1.0 / (2f64.powi(order(&self.settings)) - 1.0);
        let Some(kept) = &self.kept else { return };
        self.trial.copy_whole_from(&self.state);
        for (x, coarse) in self.trial.q.iter_mut().zip(&kept.q) {
            *x += part * (*x - coarse);
        }
        for (x, coarse) in self.trial.v.iter_mut().zip(&kept.v) {
            *x += part * (*x - coarse);
        }
        let settled = self.settle().and_then(|()| finite("v", &self.trial.v));
        if settled.is_ok() && finite("q", &self.trial.q).is_ok() {
            std::mem::swap(&mut self.state, &mut self.trial);
        }
    }

    /// The largest component of the velocity of the state less `other` along the directions that
    /// joints and held contacts leave free.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn glide(&mut self, other: &[f64]) -> Result<f64> {
        self.trial.copy_from(&self.state);
        self.turn_back();
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let mut run = self.under_way(self.state.t, self.state.h);
        let seen = run.look();
        let evals = run.host.asked.force_evals as i64;
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        self.stats.force_evals += evals;
        seen?;
        let w = &mut *self.work;
        let here = &w.start.geometry;
        w.equations.clear();
        for j in 0..here.phi.len() {
            let row = here.joint(j);
            w.equations.push_joint(row, 0.0, row)?;
        }
        for (i, contact) in self.trial.contacts.iter().enumerate() {
            if contact.mode.held() {
                let row = here.normal(i);
                w.equations.push(row, 0.0, row)?;
            }
        }
        w.move_by.copy_from_slice(&self.state.v);
        axpy(-1.0, other, &mut w.move_by);
        w.equations.correct(&mut w.move_by)?;
        Ok(max_abs(&w.move_by))
    }

    /// Projects the trial state, and books the energy that it has more than the state.
    fn settle(&mut self) -> Result<()> {
        let (t, h) = (self.state.t, self.state.h);
        let (mut q, mut v) = (std::mem::take(&mut self.trial.q), std::mem::take(&mut self.trial.v));
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let mut run = self.under_way(t, h);
        let mut modes = std::mem::take(&mut run.w.m0);
        for (mode, contact) in modes.iter_mut().zip(&run.state.contacts) {
            *mode = contact.mode;
        }
        let done = round(&mut run.host, t, &mut q, &mut run.w.q_old, &mut run.w.move_by)
            .and_then(|()| run.project(t, &mut q, &mut v, &modes, Path::Modes));
        run.w.m0 = modes;
        let done = done.and_then(|()| run.stays_out(t, &q));
        let mass = &mut run.w.stage.mass;
        let done = done.and_then(|()| run.host.asked.masses(t, &q, mass));
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        (self.trial.q, self.trial.v) = (q, v);
        done?;
        let mass = &self.work.stage.mass;
        let more = 0.5 * mass.square(&self.trial.v) - 0.5 * mass.square(&self.state.v);
        let books = &mut self.trial.ledger;
        for ledger in [&mut books.step, &mut books.sum] {
            ledger.kinetic += more;
            ledger.residue += more;
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Refuses a position at which a contact that is not closed has passed the surface: an impact that is
    /// about to come would be found late.
    fn stays_out(&mut self, t: f64, q: &[f64]) -> Result<()> {
        let modes = self.state.contacts.iter().map(|c| c.mode);
        if modes.clone().all(|m| m.held()) {
            return Ok(());
        }
        let g = &mut self.w.probe;
        self.host.directions(t, q, g)?;
        for (gap, mode) in g.gap.iter().zip(modes) {
            if !mode.active() && *gap < -self.gap_zero {
                return Err(Error::Residual { residual: -gap, tolerance: self.gap_zero });
            }
        }
        Ok(())
    }
}

/// Back to the manifold that sums of coordinates have left.
fn round(
    host: &mut Host<'_>,
    t: f64,
    q: &mut [f64],
    old: &mut [f64],
    none: &mut [f64],
) -> Result<()> {
    if !host.asked.model().gives_displacement() {
        return Ok(());
    }
    old.copy_from_slice(q);
    none.fill(0.0);
    host.displace(t, old, 0.0, none, q)
}
