//! What a run by tolerances remembers of a step, so that it can be taken back and compared. Knows no
//! step control.

use super::memory::Bases;
use super::rough::Samples;
use super::state::{Mode, State};
use super::stats::Stats;
use super::{Stepper, host, workspace};
use crate::error::{Result, reserve};
use crate::model::Dims;

/// Pieces of a step that are halved one by one.
pub(super) const BREAKS: usize = 16;

/// Part of a step below which pieces are not told apart.
const PIECE: f64 = 0.001;

/// What is put back when a step is taken back.
#[derive(Debug)]
pub(super) struct Kept {
    pub state: State,
    bases: Bases,
    pub stats: Stats,
    /// Number of events.
    pub events: usize,
    /// Position and velocity after the whole step.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Length of the way.
    pub span: f64,
    /// Error that rounding of positions alone can show, in units of the tolerance.
    pub noise: f64,
    /// Whether it exceeds the tolerance itself.
    pub drowned: bool,
    /// The longest step that was taken on this way.
    pub calm: f64,
    /// Change of the velocity per time in the last step that was taken, when no impact was in it.
    pub rate: Vec<f64>,
    pub rated: bool,
    /// What a change of friction seemed to do to velocities when the step was last tried from here.
    pub jump: f64,
    /// For scheme I where the step was last tried from, and the difference of velocities per length of it;
    /// whether that does not shrink.
    pub lean: (f64, f64),
    pub leans: bool,
    /// Where its pieces ended, and whether these are all.
    pub breaks: [f64; BREAKS],
    pub all_halved: bool,
    /// The last step was made as a pair.
    pub paired: bool,
    /// What contacts did after the first step of it.
    pub modes: Vec<Mode>,
    /// Forces along the step.
    pub samples: Samples,
}

impl Kept {
    /// For the sizes `d`, of which the last `slots` contacts come and go.
    pub(super) fn new(d: &Dims, slots: usize) -> Result<Self> {
        Ok(Self {
            state: State::new(d, slots)?,
            bases: Bases::new(workspace::unknowns(d))?,
            stats: Stats::default(),
            events: 0,
            q: host::zeros(d.nq)?,
            v: host::zeros(d.nv)?,
            span: 0.0,
            noise: 0.0,
            drowned: false,
            calm: 0.0,
            rate: host::zeros(d.nv)?,
            rated: false,
            jump: f64::INFINITY,
            lean: (f64::NAN, 0.0),
            leans: false,
            breaks: [0.0; BREAKS],
            all_halved: true,
            paired: false,
            modes: reserve(d.n_contact)?,
            samples: Samples::new(d)?,
        })
    }

    /// The same with more slots; the books of the last step are empty.
    pub(super) fn grown(&self, d: &Dims, slots: usize) -> Result<Self> {
        let mut more = Self::new(d, slots)?;
        more.state.copy_from(&self.state);
        more.bases.copy_from(&self.bases);
        more.q.copy_from_slice(&self.q);
        more.v.copy_from_slice(&self.v);
        more.samples.copy_from(&self.samples);
        let Self { stats, events, span, noise, calm, breaks, all_halved, .. } = *self;
        Ok(Self { stats, events, span, noise, calm, breaks, all_halved, ..more })
    }
}

impl Stepper {
    /// Notes the position at the end of the whole step and the times at which its pieces ended, up to
    /// a number; gives the start of it.
    pub(super) fn note_whole(&mut self, end: f64) -> f64 {
        let Some(kept) = &mut self.kept else { return end };
        kept.q.copy_from_slice(&self.state.q);
        kept.v.copy_from_slice(&self.state.v);
        let (start, mut count) = (kept.state.t, 0);
        let apart = PIECE * (end - start);
        let mut last = start;
        kept.all_halved =
            !self.work.shortened && self.work.pieces.len() < self.work.pieces.capacity();
        for &t in &self.work.pieces {
            if t <= last + apart || t >= end - apart {
                continue;
            }
            if count + 1 < BREAKS {
                kept.breaks[count] = t;
                count += 1;
                last = t;
            } else {
                kept.all_halved = false;
            }
        }
        kept.breaks[count..].fill(end);
        start
    }

    /// Remembers what [`take_back`](Self::take_back) goes back to.
    pub(super) fn keep(&mut self) {
        self.note_start();
        if let Some(kept) = &mut self.kept {
            kept.state.copy_whole_from(&self.state);
            kept.bases.copy_from(&self.bases);
            (kept.stats, kept.events) = (self.stats, self.events.kept().len());
        }
    }

    /// Goes back to where [`keep`](Self::keep) was called. What was computed stays counted.
    pub(super) fn take_back(&mut self) {
        if let Some(kept) = &mut self.kept {
            self.state.copy_whole_from(&kept.state);
            self.bases.copy_from(&kept.bases);
            self.events.forget_from(kept.events);
            kept.stats.take_work_of(&self.stats);
            self.stats = kept.stats;
        }
    }
}
