//! The state at any time inside the last step: cubics between events. Knows no numerics of steps.

use super::Stepper;
use super::host::Host;
use super::options::{EventLevel, Settings};
use super::run::Run;
use super::search::Path;
use crate::error::{ALONE, Error, Result, finite, finite_number, reserve};
use crate::linalg::axpy;
use crate::model::{Checked, Dims};

/// Pieces kept at most, whatever the cap on events allows.
const MOST: usize = 1024;

/// The pieces of one step: times of both ends, position at the first, and velocities at both with
/// the displacement between them.
#[derive(Debug)]
pub(super) struct Dense {
    capacity: usize,
    times: Vec<(f64, f64)>,
    nq: usize,
    nv: usize,
    q: Vec<f64>,
    /// v at the start, v at the end, displacement.
    moves: Vec<f64>,
}

impl Dense {
    /// Room for the pieces of a step with as many events as `set` allows.
    pub(super) fn new(d: &Dims, set: &Settings) -> Result<Self> {
        /// Pieces of a step in which nothing is located: damped sub-steps, and halves of what has no solution as a whole.
        const UNLOCATED: usize = 4;
        let events = if set.events == EventLevel::None { UNLOCATED } else { set.max_events };
        // One more than events, and one that a halved step may add.
        let capacity = events.saturating_add(2).min(MOST);
        Ok(Self {
            capacity,
            times: reserve(capacity)?,
            nq: d.nq,
            nv: d.nv,
            q: reserve(capacity * d.nq)?,
            moves: reserve(capacity * 3 * d.nv)?,
        })
    }

    pub(super) fn clear(&mut self) {
        self.times.clear();
        self.q.clear();
        self.moves.clear();
    }

    /// Adds the piece from `t.0` to `t.1`. Without room it is joined to the one before: there the
    /// cubic goes across an event.
    fn push(&mut self, t: (f64, f64), q: &[f64], v: (&[f64], &[f64]), travel: &[f64]) {
        if self.times.len() == self.capacity {
            if let Some(last) = self.times.last_mut() {
                last.1 = t.1;
            }
            let at = self.moves.len() - 2 * self.nv;
            self.moves[at..at + self.nv].copy_from_slice(v.1);
            axpy(1.0, travel, &mut self.moves[at + self.nv..]);
            return;
        }
        self.times.push(t);
        self.q.extend_from_slice(q);
        for x in [v.0, v.1, travel] {
            self.moves.extend_from_slice(x);
        }
    }

    /// The only piece is made once more, between the times `t`.
    pub(super) fn repeat(&mut self, t: (f64, f64)) {
        self.times.fill(t);
    }

    /// How many pieces there are.
    pub(super) fn count(&self) -> usize {
        self.times.len()
    }

    /// Both ends of piece `k`.
    pub(super) fn times(&self, k: usize) -> (f64, f64) {
        self.times[k]
    }

    /// The time from which on states are known; none without a step.
    fn begin(&self) -> Option<f64> {
        self.times.first().map(|t| t.0)
    }

    /// The piece that holds the time `t`; of two that meet there the later one. Gives the position
    /// it starts from; `d` and `v` receive displacement from there and velocity, (step.36).
    fn at(&self, t: f64, d: &mut [f64], v: &mut [f64]) -> (f64, &[f64]) {
        let k = self.times.partition_point(|piece| piece.0 <= t).saturating_sub(1);
        let (t0, t1) = self.times[k];
        self.inside(k, (t - t0) / (t1 - t0), d, v)
    }

    /// The same in piece `k`, of which the part `s` has passed.
    pub(super) fn inside(&self, k: usize, s: f64, d: &mut [f64], v: &mut [f64]) -> (f64, &[f64]) {
        let (t0, t1) = self.times[k];
        let h = t1 - t0;
        let part = |i: usize| &self.moves[(3 * k + i) * self.nv..(3 * k + i + 1) * self.nv];
        let weights =
            [h * s * (1.0 - s) * (1.0 - s), -h * s * s * (1.0 - s), s * s * (3.0 - 2.0 * s)];
        let slopes = [(1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0), 6.0 * s * (1.0 - s) / h];
        d.fill(0.0);
        v.fill(0.0);
        for i in 0..3 {
            axpy(weights[i], part(i), d);
            axpy(slopes[i], part(i), v);
        }
        (t0, &self.q[k * self.nq..(k + 1) * self.nq])
    }
}

impl Run<'_> {
    /// Keeps the piece to `t` on `path`, before the state takes it.
    pub(super) fn keep_piece(&mut self, t: f64, path: Path) {
        let w = &*self.w;
        let (v, effort) = path.pick((&w.v1, &w.lcp_effort), (&w.vp, &w.path_effort));
        let (state, times) = (&*self.state, (self.state.t, t));
        let ends: (&[f64], &[f64]) = match path {
            // The displacement has one velocity.
            Path::Lcp if self.method.position_level() => (v, v),
            // The law of impact acts at the end of the step; up to there nothing has happened.
            Path::Lcp if effort.felt => (&state.v, &state.v),
            _ => (&state.v, v),
        };
        self.dense.push(times, &state.q, ends, &effort.travel);
    }
}

impl Stepper {
    /// The state at the time `t` inside the last step: between events q on a cubic through the
    /// positions and velocities of the step, v its derivative, (step.36). At an event the state after
    /// it.
    ///
    /// # Errors
    /// `Range` for a time outside of the last step; before the first, and after the state was set or
    /// restored, for any but the present. `NonFinite`; those of the model.
    pub fn state_at(&mut self, t: f64) -> Result<(&[f64], &[f64])> {
        finite_number("t", t)?;
        let begin = self.dense.begin().unwrap_or(self.state.t);
        if t < begin || t > self.state.t {
            let must = "inside the last step";
            return Err(Error::Range { what: "t", index: ALONE, value: t, must });
        }
        // exact: the end itself, which lies beyond what happens there
        if t == self.state.t {
            return Ok((&self.state.q, &self.state.v));
        }
        let w = &mut *self.work;
        let (t0, from) = self.dense.at(t, &mut w.move_by, &mut w.mean);
        let asked = Checked::with(&*self.model, &mut self.elements);
        let mut host = Host::alone(asked, &self.dims, &mut self.scratch, self.settings.length);
        host.displace(t0, from, t - t0, &w.move_by, &mut w.q_old)?;
        finite("q", &w.q_old)?;
        // The derivative of a cubic overflows where its ends do not.
        finite("v", &w.mean)?;
        Ok((&w.q_old, &w.mean))
    }
}
