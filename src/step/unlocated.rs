//! What the difference of two solutions does not show: events that are not located. Knows no step control.

use super::Stepper;
use super::event::EventKind;
use super::options::EventLevel;
use super::state::Mode;
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
        for ((rate, v), before) in kept.rate.iter_mut().zip(&self.state.v).zip(&kept.state.v) {
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
    /// friction turn at the start of a step when it turns in the first half. The velocity of a rule of two
    /// steps belongs to the step before as well, which is not taken back: nothing is known of it.
    pub(super) fn rub_error(&mut self) -> f64 {
        let jump = self.rub_jump();
        let Some(kept) = &mut self.kept else { return 0.0 };
        let real = jump > REAL * kept.jump;
        kept.jump = jump;
        if real { 0.0 } else { jump }
    }

    /// How far velocities are from what the last step would have made of them, when friction has changed.
    fn rub_jump(&self) -> f64 {
        let Some(kept) = &self.kept else { return 0.0 };
        if self.method.two_step() {
            return 0.0;
        }
        let rubs = |(a, b): (Mode, Mode)| a != b && a.held() && b.held();
        let before = kept.state.contacts.iter().map(|c| c.mode);
        let mut pairs = before.zip(self.state.contacts.iter().map(|c| c.mode));
        if self.settings.events == EventLevel::All || !kept.rated || self.hit() || !pairs.any(rubs)
        {
            return 0.0;
        }
        let h = self.state.t - kept.state.t;
        let velocities = self.state.v.iter().zip(&kept.state.v).zip(&kept.rate);
        velocities.fold(0.0, |worst, ((v, before), rate)| worst.max((v - before - h * rate).abs()))
    }

    /// Whether contacts do something else after the step that was just doubled than before it, and the
    /// method does not locate when.
    pub(super) fn passes_events(&self) -> bool {
        let Some(kept) = &self.kept else { return false };
        // Contacts of rules on positions that are about to leave are closed in every other step.
        let closed = |m: Mode| m.active() && !m.held() && self.method.position_level();
        let same =
            |(a, b): (Mode, Mode)| a == b || (a.active() && closed(b)) || (b.active() && closed(a));
        let before = kept.state.contacts.iter().map(|c| c.mode);
        let pairs = before.zip(self.state.contacts.iter().map(|c| c.mode));
        self.settings.events != EventLevel::All && !pairs.into_iter().all(same)
    }

    /// Whether something that is not located happened in the step that was just doubled.
    pub(super) fn something_happened(&self) -> bool {
        let Some(kept) = &self.kept else { return false };
        let told = self.events.kept().len() > kept.events;
        self.settings.events != EventLevel::All
            && (told || self.passes_events() || self.amid_impact())
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
