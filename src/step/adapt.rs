//! Steps whose lengths follow the error: every step is made once whole and once in two halves, and
//! their difference tells. Knows no method but its order.

use super::first::shortest;
use super::memory::Bases;
use super::options::{EventLevel, MethodKind, Settings};
use super::pairs::Pair;
use super::run::no_solution;
use super::state::{Half, Mode, State};
use super::stats::Stats;
use super::{Outcome, Stepper, capture, host, workspace};
use crate::error::{Error, Result, finite, reserve};
use crate::model::Dims;
use crate::tol;

/// Limits of the change from one step to the next.
const SHRINK: f64 = 0.2;
pub(super) const GROW: f64 = 5.0;

/// Part of the step that the error would allow which is tried: failures cost three steps.
const SAFETY: f64 = 0.85;

/// Weights of the present and of the last error in the choice of a step: together they damp the
/// swing between long and short.
const PRESENT: f64 = 0.7;
const PAST: f64 = 0.4;

/// Tolerances that the errors of all steps may sum up to: they do not all point the same way.
const BUDGET: f64 = 2.0;

/// How much more an error may be that is taken away once it is known.
const REFINED: f64 = 3.0;

/// Part of the way for which an error of velocity acts: later steps turn it round.
const LATER: f64 = 0.15;

/// Rejections in a row after which a step holds something that no shorter step makes smaller: an
/// event that is not located.
const STUBBORN: u32 = 3;

/// Part of the tolerance that such a step may spend.
const EVENT_SHARE: f64 = 0.1;

/// While a contact is held a step takes at most this part of the way: forces that begin to move it
/// and cease again within a step are not seen.
pub(super) const HELD_PART: f64 = 0.05;

/// The same where slip is not located.
pub(super) const UNLOCATED_PART: f64 = 0.001;

/// Part of a step within which an event lies at its start.
const NEXT: f64 = 0.01;

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
    noise: f64,
    /// Change of the velocity per time in the last step that was taken, when no impact was in it.
    pub rate: Vec<f64>,
    pub rated: bool,
    /// What a change of friction seemed to do to velocities when the step was last tried from here.
    pub jump: f64,
    /// Where its pieces ended, and whether these are all.
    breaks: [f64; BREAKS],
    all_halved: bool,
    /// The last step was made as a pair.
    paired: bool,
    /// What contacts did after the first step of it.
    pub modes: Vec<Mode>,
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
            rate: host::zeros(d.nv)?,
            rated: false,
            jump: f64::INFINITY,
            breaks: [0.0; BREAKS],
            all_halved: true,
            paired: false,
            modes: reserve(d.n_contact)?,
        })
    }

    /// The same with more slots; the books of the last step are empty.
    pub(super) fn grown(&self, d: &Dims, slots: usize) -> Result<Self> {
        let mut more = Self::new(d, slots)?;
        more.state.copy_from(&self.state);
        more.bases.copy_from(&self.bases);
        more.q.copy_from_slice(&self.q);
        more.v.copy_from_slice(&self.v);
        let Self { stats, events, span, noise, breaks, all_halved, .. } = *self;
        Ok(Self { stats, events, span, noise, breaks, all_halved, ..more })
    }
}

/// Order of the error of a method in smooth motion.
pub(super) fn order(set: &Settings) -> i32 {
    match set.method {
        MethodKind::Trapezoid | MethodKind::TrapezoidII => 2,
        method => capture::order(method).unwrap_or(1),
    }
}

/// Whether a shorter step may succeed where this failed.
fn may_be_shorter(e: &Error) -> bool {
    let small = matches!(
        e,
        Error::Rejected { .. } | Error::StepTooSmall { .. } | Error::NotPositiveDefinite { .. }
    );
    small || no_solution(e)
}

impl Stepper {
    /// Steps of lengths that the tolerances decide, to `t_end` exactly; `h` is the first try. The errors of all
    /// steps together are to stay within the tolerance, so that a step may err by its part of the way, (cap.14).
    ///
    /// # Errors
    /// `StepTooSmall` when no step is short enough; those of the model. The state is that of the last step taken.
    pub(super) fn advance_adaptively(&mut self, t_end: f64, h: f64) -> Result<Outcome> {
        let p = f64::from(order(&self.settings));
        let (span, lost) = (t_end - self.state.t, self.stats.events_lost);
        self.events.clear();
        // exact: nothing to do
        if span == 0.0 {
            return Ok(Outcome::Quiet);
        }
        if let Some(kept) = &mut self.kept {
            kept.span = span;
            kept.rated = false;
            kept.jump = f64::INFINITY;
        }
        let set = &self.settings;
        self.work.capture.connect(Some(tol::STAGE_SHARE * set.tolerance(set.length) / span));
        let done =
            self.first_step(h, span).and_then(|h| self.follow_tolerance(t_end, h, (p, span)));
        self.work.capture.connect(None);
        done?;
        let any = !self.events.kept().is_empty() || self.stats.events_lost > lost;
        Ok(if any { Outcome::Eventful } else { Outcome::Quiet })
    }

    /// The steps of [`advance_adaptively`](Self::advance_adaptively), by a method of order `p` over
    /// the time `span`.
    fn follow_tolerance(&mut self, t_end: f64, h: f64, (p, span): (f64, f64)) -> Result<()> {
        let (mut h, mut last, mut refused) = (h, 1.0f64, 0);
        while self.state.t < t_end {
            let t = self.state.t;
            let (end, cut) = self.next_end(t_end, span, &mut h);
            let too_short = h < shortest(span, t);
            let error = match self.doubled(end) {
                Ok(error) => error,
                Err(e) if may_be_shorter(&e) && too_short => {
                    return Err(Error::StepTooSmall { t, h });
                }
                Err(e) if may_be_shorter(&e) => f64::INFINITY,
                Err(e) => return Err(e),
            };
            // An event may have ended it before.
            let early = error.is_finite() && self.state.t < end;
            let (made, cut) = if early { (self.state.t - t, true) } else { (h, cut) };
            if made <= 0.0 {
                // The event stood at the start of the step: nothing has moved that could be judged.
                return Ok(());
            }
            let refines = self.kept.as_ref().is_some_and(|k| k.paired) && self.may_refine();
            let budget = if refines { REFINED * BUDGET } else { BUDGET };
            let noise = self.kept.as_ref().map_or(0.0, |kept| kept.noise);
            // Shorter steps would be judged by their rounding.
            let least = noise * span / budget;
            let noisy = error <= noise;
            let spent = error / (budget * made / span);
            let eventful = refused >= STUBBORN || (error.is_finite() && self.something_happened());
            if spent <= 1.0 || (eventful && error <= EVENT_SHARE) || (cut && noisy) {
                // What an event or rounding have spent says nothing about the next.
                let spent = spent.min(1.0);
                let factor = SAFETY * spent.powf(-PRESENT / p) * last.powf(PAST / p);
                let most = if refused > 0 { 1.0 } else { GROW };
                // A step that was cut to end in time says only that it was not too long.
                if !cut || factor < 1.0 {
                    h *= factor.clamp(SHRINK, most);
                }
                h = h.max(least);
                last = spent.clamp(tol::LEAST_ERROR, 1.0);
                refused = 0;
                self.trust(h);
                self.rate(made);
                if refines {
                    self.refine();
                }
                if self.settings.stop_at_event && !self.events.kept().is_empty() {
                    break;
                }
                continue;
            }
            let passed = error.is_finite() && self.something_happened();
            // A failure has been taken back already.
            if error.is_finite() {
                self.take_back();
            }
            self.stats.tolerance_rejections += 1;
            let mut shorter = made * (SAFETY * spent.powf(-1.0 / p)).clamp(SHRINK, 0.5);
            if made > 2.0 * least {
                shorter = shorter.max(least);
            }
            // Only an event that is not located allows steps that rounding judges.
            let blurred = noisy || (error.is_finite() && shorter < least && !passed);
            if too_short || blurred {
                return Err(Error::StepTooSmall { t, h });
            }
            refused += 1;
            h = shorter;
        }
        Ok(())
    }

    /// Where the next step ends, and whether it was cut for that; no step is much shorter than its
    /// neighbors.
    fn next_end(&self, t_end: f64, span: f64, h: &mut f64) -> (f64, bool) {
        let (t, left) = (self.state.t, t_end - self.state.t);
        if self.state.contacts.iter().any(|c| c.mode.held()) {
            let located = self.settings.events == EventLevel::All;
            *h = h.min(span * if located { HELD_PART } else { UNLOCATED_PART });
        }
        if *h >= left {
            let cut = *h > left;
            *h = left;
            (t_end, cut)
        } else if 2.0 * *h > left {
            *h = 0.5 * left;
            (t + *h, false)
        } else {
            (t + *h, false)
        }
    }

    /// A step to `end`, whole and in halves; the state is that of the halves. Gives the error of its position in
    /// units of the tolerance, (cap.15). Every piece between events is halved, else they would share errors.
    ///
    /// # Errors
    /// Those of steps; the state is then as before.
    fn doubled(&mut self, end: f64) -> Result<f64> {
        self.keep();
        let mut made = self.pair(end)?;
        if let Pair::Event(t) = made
            && t > self.state.t + NEXT * (end - self.state.t)
        {
            made = self.pair(t)?;
        }
        if let Some(kept) = &mut self.kept {
            kept.paired = made == Pair::Made;
            kept.all_halved = true;
        }
        if made == Pair::Made {
            return self.error();
        }
        if let Err(e) = self.attempt(end, false) {
            self.take_back();
            return Err(e);
        }
        // The option to stop at events may have ended it before.
        let (goal, end) = (end, end.min(self.state.t));
        let mut from = self.note_whole(end);
        self.take_back();
        let start = self.state.t;
        for k in 0.. {
            let to = self.kept.as_ref().and_then(|kept| kept.breaks.get(k)).copied();
            let Some(to) = to.filter(|_| from < end) else { break };
            let middle = from + 0.5 * (to - from);
            from = to;
            for part in [Some(middle), (to >= end).then_some(end)].into_iter().flatten() {
                // Events lie a little elsewhere now.
                if part <= self.state.t || self.stopped() {
                    continue;
                }
                if let Err(e) = self.attempt(part, false) {
                    self.take_back();
                    return Err(e);
                }
            }
        }
        if self.state.t <= start {
            // The event is too near for halves: the step to it stands by itself.
            self.attempt(goal, false)?;
            return Ok(0.0);
        }
        self.error()
    }

    /// Whether something has happened since [`keep`](Self::keep) at which the stepper is to stop.
    pub(super) fn stopped(&self) -> bool {
        let before = self.kept.as_ref().map_or(0, |kept| kept.events);
        self.settings.stop_at_event && self.events.kept().len() > before
    }

    /// Notes the position at the end of the whole step and the times at which its pieces ended, up to
    /// a number; gives the start of it.
    fn note_whole(&mut self, end: f64) -> f64 {
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

    /// The error (cap.15) of the step that was just doubled.
    fn error(&mut self) -> Result<f64> {
        let set = &self.settings;
        let Some(kept) = &mut self.kept else { return Ok(0.0) };
        let ahead = if kept.all_halved { 2f64.powi(order(set)) - 1.0 } else { 1.0 };
        // The larger of two numbers is never the NaN.
        if finite("q", &kept.q).and(finite("v", &kept.v)).is_err() {
            return Ok(f64::INFINITY);
        }
        let mut error = 0.0f64;
        kept.noise = 0.0;
        for ((fine, coarse), before) in self.state.q.iter().zip(&kept.q).zip(&kept.state.q) {
            let size = fine.abs().max(before.abs());
            let allowed = ahead * set.tolerance(size);
            error = error.max((fine - coarse).abs() / allowed);
            kept.noise = kept.noise.max(tol::POSITION_ROUNDING * size / allowed);
        }
        let span = kept.span;
        if self.passes_events() && !self.amid_impact() {
            // A change of modes that is not located shows in velocities first, and in positions later.
            let coarse = self.kept.iter().flat_map(|kept| &kept.v);
            for (fine, coarse) in self.state.v.iter().zip(coarse) {
                error = error.max((fine - coarse).abs() * span / set.tolerance(set.length));
            }
        }
        let rub = self.rub_error();
        let set = &self.settings;
        error = error.max(span * rub / set.tolerance(set.length));
        for half in self.state.contacts.iter().map(|c| c.half).filter(Half::under_way) {
            // Both solutions end on the surface, whenever in the step the impact has begun.
            error = error.max(half.time * half.before.abs() / set.tolerance(set.length));
        }
        if set.events == EventLevel::None {
            error = error.max(self.new_depth()?);
        }
        if self.settings.method == MethodKind::TrapezoidI && self.dims.n_joint > 0 {
            error = error.max(self.later_error()?);
        }
        Ok(error)
    }

    /// What the difference of velocities makes of positions later, in units of the tolerance: joints that
    /// turn leave an error of lower order in velocities of scheme I. Across the joints it does not count.
    fn later_error(&mut self) -> Result<f64> {
        let Some(kept) = &mut self.kept else { return Ok(0.0) };
        if self.events.kept().len() > kept.events {
            return Ok(0.0);
        }
        let (span, other) = (kept.span, std::mem::take(&mut kept.v));
        let apart = self.glide(&other);
        if let Some(kept) = &mut self.kept {
            kept.v = other;
        }
        Ok(LATER * span * apart? / self.settings.tolerance(self.settings.length))
    }
}
