//! What rules on positions remember of a contact: an impact takes them two steps, the first of which
//! ends on the surface or below it. Knows no method.

use super::event::EventKind;
use super::run::Run;
use super::state::{Half, Mode};
use crate::impact::Law;
use crate::linalg::max_abs;
use crate::tol;

/// Part of the change of its rate along a step by which a gap that stays closed may seem to open.
const TURNED: f64 = 0.25;

/// Whether the steps `a` and `b` have different lengths.
fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > tol::EQUAL_STEPS * a.max(b)
}

impl Run<'_> {
    /// Gives the stage of a step of `h` what the rows count with, per contact: restitution, time and
    /// depth, (cap.7).
    pub(super) fn recall(&mut self, h: f64) {
        for i in 0..self.state.contacts.len() {
            let contact = &self.state.contacts[i];
            let (gap, rate) = {
                let start = &self.w.start;
                (start.geometry.gap[i], start.geometry.gap_rate(i, &start.v))
            };
            let two_step = self.method.two_step();
            let under_way = contact.half.under_way() && two_step;
            let e = match under_way {
                // The speed of its first half says nothing.
                true if self.set.law != Law::Plastic => self.w.restitution[i],
                _ => self.restitution_inside(i, rate),
            };
            let mut depth = contact.depth;
            let (last, first) = (self.state.h_before, contact.half.time);
            let unequal = differ(h, last) || (first > 0.0 && differ(first, last));
            if unequal && two_step && !under_way {
                // What an impact of longer steps has left below the surface would throw the contact
                // out in a shorter one.
                let part = if rate < 0.0 { 2.0 * e * rate } else { (e - 1.0) * rate };
                depth = depth.min(gap - part * h / (1.0 + e));
            }
            let stage = &mut self.w.stage;
            stage.restitution[i] = e;
            stage.row_time[i] = if under_way { contact.half.time } else { h };
            stage.depth[i] = depth;
            stage.closed[i] = contact.mode.held();
        }
    }

    /// Remembers what the step of length `h` that was just accepted did to contacts, and tells of
    /// impacts that are over.
    pub(super) fn remember(&mut self, h: f64) {
        self.state.h_before = h;
        for i in 0..self.state.contacts.len() {
            let depth = self.w.stage.depth[i];
            // The surface follows a contact that moves out of it, one step behind.
            let follows = depth.max(self.w.start.geometry.gap[i].min(0.0));
            self.state.contacts[i].depth = if depth < 0.0 { follows } else { 0.0 };
        }
        let largest = max_abs(self.w.step.solver.normal());
        let mut hit = false;
        for place in 0..self.w.list.len() {
            let w = &*self.w;
            let i = w.list[place];
            let push = w.step.solver.normal()[place];
            let before = w.start.geometry.gap_rate(i, &w.start.v);
            let after = w.stage.rows().gap_rate(i, &w.v1);
            let half = std::mem::replace(&mut self.state.contacts[i].half, Half::NONE);
            let from = w.start.geometry.gap_rate(i, &w.v1);
            // A gap that turns below a contact has opposite rates at both ends of a chord.
            let turned = (after - from).abs();
            if 0.5 * (after + from) > self.v_zero + TURNED * turned {
                self.state.contacts[i].mode = Mode::Leave;
            }
            if half.under_way() {
                hit = true;
                self.state.contacts[i].half.time = half.time;
                self.report(EventKind::Impact, i, half.before, after, half.impulse + push);
            } else if push > tol::IMPULSE_ZERO * largest && self.arrives(i, self.w.m0[i], before) {
                // Beyond all numbers where velocities are near their end: as fast as can be told.
                let before = before.max(f64::MIN);
                self.state.contacts[i].half = Half { time: h, before, impulse: push };
            }
        }
        self.stats.impacts += i64::from(hit);
    }

    /// Whether a push on contact `i`, which did `mode` and whose gap changed at `rate` before it, is
    /// part of an impact.
    pub(super) fn arrives(&self, i: usize, mode: Mode, rate: f64) -> bool {
        self.state.contacts[i].half.under_way() || (rate < -self.v_zero && !mode.held())
    }
}
