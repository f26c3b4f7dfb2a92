//! Crowds: steps in which many contacts hand impacts round, faster than locating each of them tells anything. When they begin
//! and end, what rebounds in them, and how their steps are made. Knows no solver.

use super::event::EventKind;
use super::options::EventLevel;
use super::resolve::{Progress, may_have_shorter};
use super::run::Run;
use crate::error::Result;
use crate::impact::Law;
use crate::linalg::max_abs;
use crate::tol;
use crate::velocity::Search;

/// Contacts that touch, or are hit in the step, up to which everything is followed. Set on scenes: with half as many a pile of
/// five jacks, whose events are few enough to be located, would be a crowd.
const FEW: usize = 24;

/// Times of a step at which something happens to a contact again from which on it is no longer followed. Set on piles of 35 and
/// 100 spheres.
const REPEATS: u32 = 8;

/// Steps without location that follow the one that met a crowd: a pile that goes on settling would meet the next at once. Set on
/// the same piles.
const CALM_STEPS: u8 = 16;

/// Contacts that may be hit in a step of a pile that is calm: a last ball may roll about in it.
const CALM: u32 = 2;

impl Run<'_> {
    /// Whether the rest of the step is taken without location because of (step.75), or all of it because steps before were.
    pub(super) fn crowded(&mut self) -> bool {
        if self.state.crowd > 0 {
            return true;
        }
        if self.repeats <= REPEATS || !self.may_crowd() {
            return false;
        }
        let contacts = self.state.contacts.iter().zip(&self.w.told);
        let crowded = contacts.filter(|(c, told)| c.mode.active() || !told.is_nan()).count() > FEW;
        if crowded {
            // This step is not one of them.
            self.state.crowd = CALM_STEPS + 1;
        }
        crowded
    }

    /// Whether (step.75) is looked at: not where a host says how many events it wants, nor where its tolerances judge
    /// the step, nor for rules that go on by other means.
    fn may_crowd(&self) -> bool {
        let by_contact =
            self.set.events_by_contact.is_some() && self.set.events != EventLevel::None;
        let other = self.w.capture.used() || self.method.position_level() || self.law_inside();
        by_contact && !self.set.adapts() && !other
    }

    /// Notes that something happened to contact `i` now.
    pub(super) fn note(&mut self, i: usize) {
        let (t, instant) = (self.state.t, self.instant);
        let Some(told) = self.w.told.get_mut(i) else { return };
        // Nothing is later than the NaN of a contact to which nothing has happened in this step.
        let again = t > std::mem::replace(told, t) + instant;
        if again && !(t <= self.repeated + instant) {
            self.repeated = t;
            self.repeats += 1;
        }
    }

    /// Whether contact `i`, which touches and approaches with `rate`, is a matter of an impact: in a crowd only what
    /// rebounds. What does not is stopped by the step.
    pub(super) fn bounces(&self, i: usize, rate: f64) -> bool {
        let law = self.set.law != Law::Plastic && -rate >= self.set.restitution_speed;
        // exact: set by the host
        self.state.crowd == 0 || law && self.w.restitution[i] > 0.0
    }

    /// Whether the open contact `i` rebounds where the piece begins: it would arrive within the rest of the step, and be off for
    /// longer than that, (step.76).
    pub(super) fn rebounds_early(&self, i: usize) -> bool {
        if self.state.crowd == 0 || self.state.contacts[i].mode.active() {
            return false;
        }
        let start = &self.w.start;
        let rate = start.geometry.gap_rate(i, &start.v);
        let h = self.left();
        let arrives = rate < -self.v_zero && start.geometry.gap[i] <= -rate * h;
        let long = -2.0 * self.w.restitution[i] * rate >= h * self.a_scale;
        start.geometry.present[i] && arrives && long && self.bounces(i, rate)
    }

    /// The rest of a step in a crowd. Where a short search finds no answer, a shorter part of the step has other ones, and only
    /// after a few of them long searches are made.
    pub(super) fn in_crowd(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        /// Halvings before that.
        const MOST: i32 = 4;
        let from = self.state.t;
        self.w.step.solver.set_search(Search::Short);
        let done = self.halved(h, p, 0..=MOST, |run, h, _| run.plain(h));
        self.w.step.solver.set_search(Search::Whole);
        match done {
            Err(e) if self.state.t <= from && may_have_shorter(&e) => {
                self.or_shorter(h, p, |run, h, _| run.plain(h))
            }
            done => done,
        }
    }

    /// In a crowd: one event per contact that touched, approached, and was stopped by the step.
    pub(super) fn report_arrivals(&mut self) {
        if self.state.crowd == 0 {
            return;
        }
        let largest = max_abs(self.w.step.solver.normal());
        let before = self.arrivals;
        for place in 0..self.w.list.len() {
            let (w, i) = (&*self.w, self.w.list[place]);
            let (rate, impulse) =
                (w.start.geometry.gap_rate(i, &w.start.v), w.step.solver.normal()[place]);
            let touched = w.start.geometry.gap[i] <= self.gap_zero && rate < -self.v_zero;
            if touched && impulse > tol::IMPULSE_ZERO * largest {
                self.arrivals += 1;
                let after = w.stage.rows().gap_rate(i, &w.v1);
                self.report(EventKind::Impact, i, rate, after, impulse);
            }
        }
        self.stats.impacts += i64::from(self.arrivals > before);
    }

    /// The end of a step: whether a crowd is over.
    pub(super) fn disperse(&mut self) {
        let calm = self.arrivals <= CALM;
        self.state.crowd = match self.state.crowd {
            0 => 0,
            _ if !calm => CALM_STEPS,
            left => left - 1,
        };
    }
}
