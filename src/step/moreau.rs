//! Moreau's rule with a theta, as in Acary's review of 2009: the law of impact stands in the rows
//! of the step, for the contacts that a forecast shows closed. Knows no events.

use super::assemble::Source;
use super::event::EventKind;
use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::{EventLevel, Jacobian};
use super::run::Run;
use super::stabilize::check_joints;
use super::state::Mode;
use crate::error::Result;
use crate::impact::Law;
use crate::linalg::{axpy, dot, max_abs};
use crate::tol;

/// The rule (cap.1), linearly implicit.
#[derive(Debug)]
pub(super) struct Moreau;

impl Method for Moreau {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        let theta = stage.theta;
        let t = start.t + theta * h;
        stage.h = h;
        stage.weight = theta;
        stage.sum = false;
        stage.apart = false;
        stage.predict(host, start, theta)?;
        host.asked.masses(t, &stage.q, &mut stage.mass)?;
        host.geometry(t, &stage.q, &mut stage.impulse)?;
        stage.set_offsets(1.0);
        stage.p.fill(0.0);
        // exact: set by the host; without it the rule is explicit
        if theta == 0.0 {
            axpy(h, &start.force, &mut stage.p);
        } else {
            start.differentiate(host, how, theta * h)?;
            axpy(-theta * h, &start.c, &mut stage.mass);
            axpy(-theta * theta * h * h, &start.k, &mut stage.mass);
            host.asked.force(t, &start.q, &start.v, &mut stage.force)?;
            axpy(h, &stage.force, &mut stage.p);
            start.k.add_product(theta * h * h, &start.v, &mut stage.p);
        }
        stage.add_momentum(1.0, &start.v);
        Ok(())
    }

    fn law_inside(&self) -> bool {
        true
    }

    fn projects_velocity(&self) -> bool {
        false
    }
}

impl Run<'_> {
    /// Whether impacts happen inside the piece: the rule has their law in its rows, and nothing is
    /// located, or the rule stands in for one by stages.
    pub(super) fn law_inside(&self) -> bool {
        let located = self.set.events != EventLevel::None && !self.w.capture.used();
        self.method.law_inside() && !located
    }

    /// Restitution of contact `i` that approaches at `rate`, for laws inside a step.
    pub(super) fn restitution_inside(&self, i: usize, rate: f64) -> f64 {
        let none = self.set.law == Law::Plastic || rate.abs() < self.set.restitution_speed;
        if none { 0.0 } else { self.w.restitution[i] }
    }

    /// Lists the contacts that the forecast shows closed, (cap.2).
    pub(super) fn list_forecast(&mut self, h: f64) {
        let w = &mut *self.w;
        let (here, v) = (&w.start.geometry, &w.start.v);
        w.list.clear();
        for i in 0..here.gap.len() {
            if here.gap[i] + self.set.gamma * h * here.gap_rate(i, v) <= self.gap_zero {
                w.list.push(i);
            }
        }
    }

    /// Adds the rebound of Newton's law to the rows of the stage, (cap.3).
    pub(super) fn add_rebounds(&mut self) {
        for i in 0..self.w.stage.normal_offset.len() {
            let rate = self.w.stage.rows().gap_rate(i, &self.w.start.v);
            let rebound = self.restitution_inside(i, rate) * rate;
            self.w.stage.normal_offset[i] += rebound;
        }
    }

    /// What follows a piece of length `h` by complementarity: projection, or the events and the
    /// position correction of a rule with the law inside.
    pub(super) fn end_of_piece(&mut self, h: f64) -> Result<()> {
        if !self.law_inside() {
            return self.project_step(h);
        }
        self.report_inside(h);
        if self.projects { self.push_out(h) } else { Ok(()) }
    }

    /// One event per contact that approached and was pushed; the modes of what the new velocity
    /// does, the rebound not counted as closed.
    fn report_inside(&mut self, h: f64) {
        let largest = max_abs(self.w.step.solver.normal());
        let mut hit = false;
        for place in 0..self.w.list.len() {
            let w = &mut *self.w;
            let i = w.list[place];
            let impulse = w.step.solver.normal()[place];
            let before = w.stage.rows().gap_rate(i, &w.start.v);
            let after = w.stage.rows().gap_rate(i, &w.v1);
            if after > self.v_zero {
                w.m1[i] = Mode::Leave;
            }
            if impulse > tol::IMPULSE_ZERO * largest && before < -self.v_zero {
                hit = true;
                w.lcp_effort.felt = true;
                self.changed_at = Some(self.state.t + h);
                self.report(EventKind::Impact, i, before, after, impulse);
                self.changed_at = None;
            }
        }
        self.stats.impacts += i64::from(hit);
    }

    /// Moves q1 out of what it penetrates, by the shortest way in the metric of the mass, and on to
    /// the joints: (cap.4). Velocities stay.
    pub(super) fn push_out(&mut self, h: f64) -> Result<()> {
        let t = self.state.t + h;
        self.w.list.clear();
        let mut last = f64::INFINITY;
        for round in 0.. {
            let w = &mut *self.w;
            self.host.geometry(t, &w.q1, &mut w.probe)?;
            // Those that the way out of others may close are asked with them.
            let way = w.probe.gap.iter().fold(0.0f64, |d, &gap| d.max(-gap));
            let known = w.list.len();
            for i in 0..w.probe.gap.len() {
                if w.probe.gap[i] < way && w.list[..known].binary_search(&i).is_err() {
                    w.list.push(i);
                }
            }
            // What is out of the reach of its host is far from touching.
            w.list.retain(|&i| w.probe.gap[i] < f64::INFINITY && !w.probe.is_lifted(i));
            let deepest = w.list.iter().fold(0.0f64, |d, &i| d.max(-w.probe.gap[i]));
            let apart = max_abs(&w.probe.phi);
            let left = deepest.max(apart);
            let enough = if round < tol::PROJECTIONS {
                left <= tol::PROJECTED * self.set.length
            } else {
                let hopeless = left > 0.5 * last || round >= tol::LONG_PROJECTIONS;
                let placed =
                    apart <= tol::JOINTS_APART * self.set.length && deepest <= self.gap_zero;
                placed || hopeless
            };
            if enough {
                break;
            }
            last = left;
            w.list.sort_unstable();
            w.move_by.fill(0.0);
            w.forces.normal.fill(0.0);
            let source = Source {
                mass: &w.start.mass,
                p: &w.move_by,
                impulse: &w.probe,
                row: &w.probe,
                joint_offset: &w.probe.phi,
                normal_offset: &w.probe.gap,
                tangent_offset: &[],
                // A displacement rubs on nothing.
                mu: &w.forces.normal,
                time: 0.0,
                brake_offset: &[],
                brake_held: &[],
            };
            let info = w.forces.assembly.solve(&source, &w.list, |_| Mode::Touch)?;
            self.stats.checked(&info);
            w.q_old.copy_from_slice(&w.q1);
            let out = w.forces.assembly.solver.v();
            self.host.displace(t, &w.q_old, 0.0, out, &mut w.q1)?;
            axpy(1.0, out, &mut w.lcp_effort.travel);
            w.lcp_effort.lift += dot(&w.start.force, out);
        }
        let w = &*self.w;
        check_joints(&w.probe, max_abs(&w.start.geometry.phi), self.set.length)
    }
}
