//! Forces along a step: where they are asked for, and which are known already. Knows no judgement of
//! them.

use super::Stepper;
use super::host::Host;
use super::rough::{Masses, POINTS};
use crate::error::Result;
use crate::linalg::axpy;
use crate::model::Checked;

/// An odd number whose bits are spread, to mix others.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Which part of a step has just been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    FirstHalf,
    SecondHalf,
    /// One of several, with events between them.
    Some,
}

impl Stepper {
    /// Begins to sample a step to `end`; gives whether nothing cuts it in pieces.
    pub(super) fn begin_samples(&mut self, end: f64) -> bool {
        let Some(kept) = &mut self.kept else { return false };
        kept.samples.begin();
        kept.breaks[0] >= end
    }

    /// Samples forces along the part of a step that was just made, and judges them where all are there.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn sample(&mut self, part: Part) -> Result<()> {
        if self.method.two_step() {
            return self.sample_two_steps(part);
        }
        // Where something happened that is not located the path means nothing.
        if self.something_happened() {
            return Ok(());
        }
        let single = self.dense.count() == 1;
        let begun = self.kept.as_ref().is_some_and(|kept| kept.samples.begun);
        match part {
            Part::FirstHalf if single => {
                self.sample_start()?;
                self.note_masses(false);
                self.sample_piece(0, &[(1, 0.5), (2, 1.0)])?;
                if let Some(kept) = &mut self.kept {
                    kept.samples.begun = true;
                }
                Ok(())
            }
            Part::SecondHalf if single && begun => {
                self.note_masses(true);
                self.sample_piece(0, &[(3, 0.5), (4, 1.0)])?;
                let start = self.kept.as_ref().map_or(self.state.t, |kept| kept.state.t);
                self.judge((start, self.state.t), true);
                Ok(())
            }
            _ => {
                self.forget_start();
                for k in 0..self.dense.count() {
                    self.sample_piece(k, &[(0, 0.0), (1, 0.25), (2, 0.5), (3, 0.75), (4, 1.0)])?;
                    self.judge(self.dense.times(k), false);
                }
                Ok(())
            }
        }
    }

    /// The same for a rule whose velocity is that of the last displacement, which belongs to its middle:
    /// accelerations are those between two of them.
    fn sample_two_steps(&mut self, part: Part) -> Result<()> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        match part {
            Part::FirstHalf => {
                kept.samples.q.copy_from_slice(&self.state.q);
                kept.samples.v.copy_from_slice(&self.state.v);
                kept.samples.begun = true;
                return Ok(());
            }
            Part::SecondHalf if kept.samples.begun && !self.something_happened() => {}
            _ => return Ok(()),
        }
        let Some(kept) = &self.kept else { return Ok(()) };
        let (t, end) = (kept.state.t, self.state.t);
        let h = end - t;
        self.forget_start();
        for k in 0..POINTS {
            let w = &mut *self.work;
            let Some(kept) = &mut self.kept else { return Ok(()) };
            let samples = &mut kept.samples;
            // The displacement from the last known position, and the velocity, on parabolas.
            let (first, second) = (&samples.v, &self.state.v);
            let from: &[f64] = [&kept.state.q, &samples.q, &self.state.q][k / 2];
            w.move_by.fill(0.0);
            w.mean.copy_from_slice(first);
            let bent = 0.5 * k as f64 - 0.5;
            axpy(-bent, first, &mut w.mean);
            axpy(bent, second, &mut w.mean);
            if k % 2 == 1 {
                axpy(0.25 * h, if k == 1 { first } else { second }, &mut w.move_by);
                axpy(0.0625 * h, first, &mut w.move_by);
                axpy(-0.0625 * h, second, &mut w.move_by);
            }
            let t0 = t + 0.5 * h * (k / 2) as f64;
            let time = t + 0.25 * h * k as f64;
            let asked = Checked::with(&*self.model, &mut self.elements);
            let mut host = Host::alone(asked, &self.dims, &mut self.scratch, self.settings.length);
            host.displace(t0, from, time - t0, &w.move_by, &mut w.q_old)?;
            let nv = self.dims.nv;
            let into = &mut samples.forces[k * nv..(k + 1) * nv];
            host.asked.force(time, &w.q_old, &w.mean, into)?;
            host.add_brakes(time, &w.q_old, &mut w.probe, into)?;
            self.stats.force_evals += host.asked.force_evals as i64;
        }
        self.judge((t, end), true);
        Ok(())
    }

    /// Samples the piece `k` of the last part: places among the samples, and parts of the piece.
    fn sample_piece(&mut self, k: usize, points: &[(usize, f64)]) -> Result<()> {
        let nv = self.dims.nv;
        for &(place, s) in points {
            let w = &mut *self.work;
            let Some(kept) = &mut self.kept else { return Ok(()) };
            let (t0, from) = self.dense.inside(k, s, &mut w.move_by, &mut w.mean);
            let t1 = self.dense.times(k).1;
            let asked = Checked::with(&*self.model, &mut self.elements);
            let mut host = Host::alone(asked, &self.dims, &mut self.scratch, self.settings.length);
            let into = &mut kept.samples.forces[place * nv..(place + 1) * nv];
            let state = &self.state;
            // exact: the end of the part, where its last look was
            let ends = s == 1.0 && t1 == state.t && w.mean == state.v;
            if let Some(force) = w.start.force_at(state).filter(|_| ends) {
                into.copy_from_slice(force);
                host.add_brakes(t1, &state.q, &mut w.probe, into)?;
                continue;
            }
            let time = t0 + s * (t1 - t0);
            host.displace(t0, from, time - t0, &w.move_by, &mut w.q_old)?;
            host.asked.force(time, &w.q_old, &w.mean, into)?;
            host.add_brakes(time, &w.q_old, &mut w.probe, into)?;
            self.stats.force_evals += host.asked.force_evals as i64;
        }
        Ok(())
    }

    /// The force where the step begins, which is also that of the last try from there.
    ///
    /// # Errors
    /// Those of the model.
    fn sample_start(&mut self) -> Result<()> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let (state, w) = (&kept.state, &mut *self.work);
        // exact: from the same start
        if kept.samples.start == Some(state.t) {
            return Ok(());
        }
        let into = &mut kept.samples.forces[..self.dims.nv];
        let asked = Checked::with(&*self.model, &mut self.elements);
        let mut host = Host::alone(asked, &self.dims, &mut self.scratch, self.settings.length);
        host.asked.force(state.t, &state.q, &state.v, into)?;
        host.add_brakes(state.t, &state.q, &mut w.probe, into)?;
        self.stats.force_evals += host.asked.force_evals as i64;
        kept.samples.start = Some(state.t);
        Ok(())
    }

    /// Compares the masses at the end of the first half, and of the second, the `last`.
    fn note_masses(&mut self, last: bool) {
        let Some(kept) = &mut self.kept else { return };
        let mix = |sum: u64, x: &f64| (sum.rotate_left(5) ^ x.to_bits()).wrapping_mul(MIX);
        let bits = self.work.start.mass.iter().fold(0, mix);
        let samples = &mut kept.samples;
        samples.masses = match samples.masses {
            Masses::Seen(before) if last && before == bits => Masses::Same,
            _ if last => Masses::Unknown,
            _ => Masses::Seen(bits),
        };
    }

    /// The place of the first sample is needed for others.
    fn forget_start(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.samples.start = None;
        }
    }

    /// Notes the force at the state that a step is about to begin from, if it is known.
    pub(super) fn note_start(&mut self) {
        let Some(kept) = &mut self.kept else { return };
        let state = &self.state;
        // exact: from the same start; what brakes have is not known
        if kept.samples.start == Some(state.t) || self.dims.n_brake > 0 {
            return;
        }
        kept.samples.start = None;
        if let Some(force) = self.work.start.force_at(state) {
            kept.samples.forces[..self.dims.nv].copy_from_slice(force);
            kept.samples.start = Some(state.t);
        }
    }
}
