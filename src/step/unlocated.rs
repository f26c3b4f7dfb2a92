//! What the difference of two solutions does not show: events that are not located. Knows no step control.

use super::Stepper;
use super::event::EventKind;
use super::options::EventLevel;
use super::state::{Mode, State};
use crate::error::Result;
use crate::model::Checked;

/// Part of the change of velocities in a longer step from the same start above which that in a shorter
/// one is no change of forces, but a jump.
const REAL: f64 = 0.7;

impl Stepper {
    /// Notes how velocities changed in the step of the length `h` that was just taken.
    pub(super) fn rate(&mut self, h: f64) {
        if self.settings.events == EventLevel::All {
            return;
        }
        let hit = self.hit();
        let Some(kept) = &mut self.kept else { return };
        kept.jump = f64::INFINITY;
        kept.rated = !hit;
        // The velocities of a rule of two steps belong to the middles of the halves.
        let (before, h) =
            if self.method.two_step() { (&kept.samples.v, 0.5 * h) } else { (&kept.state.v, h) };
        for ((rate, v), before) in kept.rate.iter_mut().zip(&self.state.v).zip(before) {
            *rate = (v - before) / h;
        }
    }

    /// Whether an impact was told in the step that was just doubled, or is half over.
    fn hit(&self) -> bool {
        let before = self.kept.as_ref().map_or(0, |kept| kept.events);
        let told = self.events.kept().iter().skip(before);
        self.amid_impact() || told.into_iter().any(|e| e.kind == EventKind::Impact)
    }

    /// What a change of friction in the step that was just doubled may be wrong by in velocity: the whole
    /// change of acceleration for all of the step, where slip is not located. Both solutions let
    /// friction turn at the start of a step when it turns in the first half.
    pub(super) fn rub_error(&mut self) -> f64 {
        let jump = self.rub_jump();
        let Some(kept) = &mut self.kept else { return 0.0 };
        let real = jump > REAL * kept.jump;
        kept.jump = jump;
        let nearing = self.nearing_stop();
        if real { nearing } else { jump.max(nearing) }
    }

    /// How far velocities are from what the last step would have made of them, when friction has changed.
    fn rub_jump(&self) -> f64 {
        let Some(kept) = &self.kept else { return 0.0 };
        let rubs = |(a, b): (Mode, Mode)| a != b && a.held() && b.held();
        let mut pairs = self.modes_of(&kept.state).zip(self.modes_of(&self.state));
        if self.settings.events == EventLevel::All || !kept.rated || self.hit() || !pairs.any(rubs)
        {
            return 0.0;
        }
        let h = self.state.t - kept.state.t;
        if self.method.two_step() {
            let velocities = self.state.v.iter().zip(&kept.samples.v).zip(&kept.rate);
            return velocities.fold(0.0, |worst, ((v, middle), rate)| {
                worst.max((2.0 * (v - middle) - h * rate).abs())
            });
        }
        let velocities = self.state.v.iter().zip(&kept.state.v).zip(&kept.rate);
        velocities.fold(0.0, |worst, ((v, before), rate)| worst.max((v - before - h * rate).abs()))
    }

    /// Modes of contacts and brakes.
    fn modes_of<'a>(&self, state: &'a State) -> impl Iterator<Item = Mode> + use<'a> {
        let contacts = state.contacts.iter().map(|c| c.mode);
        contacts.chain(state.brakes.iter().map(|b| b.mode))
    }

    /// For a rule of two steps, whose next step will turn friction for half of this one too: what a slip
    /// that is about to end may be wrong by in velocity, (cap.23).
    fn nearing_stop(&self) -> f64 {
        let (Some(kept), start) = (&self.kept, &self.work.start) else { return 0.0 };
        // exact: its last look was at its end
        if !self.method.two_step() || !kept.samples.begun || start.t != self.state.t {
            return 0.0;
        }
        let h = self.state.t - kept.state.t;
        let (g, middle, v) = (&start.geometry, &kept.samples.v, &self.state.v);
        let ends = |(before, after): (f64, f64)| {
            let slowing = 2.0 * after.signum() * (before - after) / h;
            if slowing > 0.0 && after.abs() < 0.5 * h * slowing { h * slowing } else { 0.0 }
        };
        let contacts = self.state.contacts.iter().enumerate().map(|(i, c)| match c.mode {
            Mode::Slip(k) if self.work.mu[i] > 0.0 => {
                let d = g.tangent(i, usize::from(k));
                ends((d.dot(middle), d.dot(v)))
            }
            _ => 0.0,
        });
        let brakes = self.state.brakes.iter().enumerate().map(|(i, b)| match b.mode {
            Mode::Slip(_) => ends((g.brake(i).dot(middle), g.brake(i).dot(v))),
            _ => 0.0,
        });
        contacts.chain(brakes).fold(0.0, f64::max)
    }

    /// Whether contacts do something else after the step that was just doubled than before it, and the
    /// method does not locate when.
    pub(super) fn passes_events(&self) -> bool {
        let Some(kept) = &self.kept else { return false };
        // Contacts of rules on positions that are about to leave are closed in every other step.
        let closed = |m: Mode| m.active() && !m.held() && self.method.position_level();
        let same =
            |(a, b): (Mode, Mode)| a == b || (a.active() && closed(b)) || (b.active() && closed(a));
        let pairs = self.modes_of(&kept.state).zip(self.modes_of(&self.state));
        self.settings.events != EventLevel::All && !pairs.into_iter().all(same)
    }

    /// Whether something that is not located happened in the step that was just doubled.
    pub(super) fn something_happened(&self) -> bool {
        let Some(kept) = &self.kept else { return false };
        let told = self.events.kept().len() > kept.events;
        self.settings.events != EventLevel::All
            && (told || self.passes_events() || self.amid_impact() || self.nearing_stop() > 0.0)
    }

    /// Whether an impact is half over: the velocity between the halves means nothing.
    pub(super) fn amid_impact(&self) -> bool {
        self.state.contacts.iter().any(|c| c.half.under_way())
    }

    /// How much deeper than before the step a contact is after it, in units of the tolerance: both
    /// solutions may have missed an impact alike.
    pub(super) fn new_depth(&mut self) -> Result<f64> {
        let (set, Some(kept)) = (&self.settings, &self.kept) else { return Ok(0.0) };
        let asked = Checked::new(&*self.model);
        let (g, n) = (&mut self.work.probe, self.dims.n_contact);
        let (gap, normal) = (&mut g.gap[..n], &mut g.normal[..n * self.dims.nv]);
        let least = |gap: &[f64]| gap.iter().fold(0.0f64, |l, &x| l.min(x));
        asked.gap(kept.state.t, &kept.state.q, gap, normal)?;
        let before = least(gap);
        asked.gap(self.state.t, &self.state.q, gap, normal)?;
        Ok((before - least(gap)).max(0.0) / set.tolerance(set.length))
    }
}
