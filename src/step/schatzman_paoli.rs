//! The position-level rule of Schatzman and Paoli: two steps of positions, rows on the point
//! between the last and the next but one. Kept as the velocity of the last displacement, so that
//! steps may change and positions may live on a manifold. Knows no events.

use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use super::run::Run;
use crate::error::Result;
use crate::linalg::{axpy, dot};

/// The rule (cap.5), made exact by a fixed point.
#[derive(Debug)]
pub(super) struct SchatzmanPaoli;

impl Stage {
    /// Time of the displacement before this one; at the start that of the virtual step which the
    /// velocity at the start stands for.
    fn time_before(&self) -> f64 {
        if self.h_before > 0.0 { self.h_before } else { self.h }
    }
}

impl SchatzmanPaoli {
    /// Directions at the points that the displacement velocity `w` leads to, and the offsets of the
    /// rows there, (cap.6).
    fn rows_at(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        w: &[f64],
        stage: &mut Stage,
    ) -> Result<()> {
        let (h, before) = (stage.h, stage.time_before());
        let mut evaluated = None;
        for i in 0..stage.normal_offset.len() {
            let e = stage.restitution[i];
            if evaluated != Some(e) {
                stage.d.fill(0.0);
                axpy(h / (1.0 + e), w, &mut stage.d);
                axpy(-before * e / (1.0 + e), &stage.before, &mut stage.d);
                let time = (h - before * e) / (1.0 + e);
                host.displace(start.t, &start.q, time, &stage.d, &mut stage.moved)?;
                host.directions(start.t + time, &stage.moved, &mut stage.row)?;
                evaluated = Some(e);
            }
            stage.impulse.take_contact(i, &stage.row);
            let n = stage.impulse.normal(i);
            stage.normal_offset[i] = (1.0 + e) / h * stage.row.gap[i] - dot(n, w);
        }
        stage.d.fill(0.0);
        axpy(h, w, &mut stage.d);
        host.displace(start.t, &start.q, h, &stage.d, &mut stage.q)?;
        let g = &mut stage.impulse;
        host.asked.joint(start.t + h, &stage.q, &mut g.phi, &mut g.jt)?;
        host.asked.brake(start.t + h, &stage.q, &mut g.brake_bound, &mut g.brake)?;
        for (j, offset) in stage.joint_offset.iter_mut().enumerate() {
            *offset = g.phi[j] / h - dot(g.joint(j), w);
        }
        Ok(())
    }
}

impl Method for SchatzmanPaoli {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        start.differentiate(host, how, 0.0)?;
        let span = 0.5 * (stage.h_before + h);
        stage.h = h;
        stage.weight = 1.0;
        stage.sum = false;
        stage.apart = false;
        stage.mass.copy_from_slice(&start.mass);
        axpy(-0.5 * span, &start.c, &mut stage.mass);
        axpy(-0.25 * span * h, &start.k, &mut stage.mass);
        host.asked.force(start.t, &start.q, &stage.before, &mut stage.force)?;
        stage.p.fill(0.0);
        axpy(span, &stage.force, &mut stage.p);
        let before = std::mem::take(&mut stage.before);
        stage.add_momentum(1.0, &before);
        stage.before = before;
        self.rows_at(host, start, &start.v, stage)
    }

    fn iterate(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
        stage: &mut Stage,
    ) -> Result<f64> {
        let change = stage.moves_by(host, start, v)?;
        self.rows_at(host, start, v, stage)?;
        Ok(change)
    }

    fn position_level(&self) -> bool {
        true
    }

    fn two_step(&self) -> bool {
        true
    }

    fn projects_velocity(&self) -> bool {
        false
    }
}

impl Run<'_> {
    /// Gives the stage what the rule remembers: the velocity of the last displacement and the time
    /// it took, the velocity itself and no time at the start, (cap.7).
    pub(super) fn recall(&mut self) {
        let starts = self.state.h_before <= 0.0;
        let from = if starts { &self.state.v } else { &self.state.displaced };
        self.w.stage.before.copy_from_slice(from);
        self.w.stage.h_before = self.state.h_before;
        for i in 0..self.w.restitution.len() {
            let rate = self.w.start.geometry.gap_rate(i, &self.w.stage.before);
            self.w.stage.restitution[i] = self.restitution_inside(i, rate);
        }
    }

    /// Remembers the displacement of a step of length `h` that was just accepted; its velocity
    /// becomes the mean over the last two, (cap.8).
    pub(super) fn remember(&mut self, h: f64) {
        let (state, before) = (&mut *self.state, self.w.stage.time_before());
        state.displaced.copy_from_slice(&state.v);
        for (v, old) in state.v.iter_mut().zip(&self.w.stage.before) {
            *v = (h * *v + before * old) / (h + before);
        }
        state.h_before = h;
    }
}
