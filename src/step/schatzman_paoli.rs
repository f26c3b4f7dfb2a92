//! The position-level rule of Schatzman and Paoli: two steps of positions, rows on the point
//! between the last and the next but one. Kept as the velocity of the last displacement, so that
//! steps may change and positions may live on a manifold. Knows no events.

use super::host::{Geometry, Host};
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::axpy;

/// The rule (cap.5), made exact by a fixed point. Impulses act along the directions at the start of the
/// step, the middle of the two displacements between which they change the velocity. The velocity of the state is that of the last
/// displacement; `stage.span` is the time from its middle to that of the next.
#[derive(Debug)]
pub(super) struct SchatzmanPaoli;

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
        let span = stage.span;
        stage.h = h;
        stage.weight = 1.0;
        stage.sum = false;
        stage.apart = true;
        stage.mass.copy_from_slice(&start.mass);
        axpy(-0.5 * span, &start.c, &mut stage.mass);
        axpy(-0.25 * span * h, &start.k, &mut stage.mass);
        stage.p.fill(0.0);
        axpy(span, &start.force, &mut stage.p);
        stage.add_momentum(1.0, &start.v);
        self.rows_at(host, start, &start.v, stage)
    }

    /// The rows (cap.6) at the displacement velocity `w`.
    fn rows_at(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        w: &[f64],
        stage: &mut Stage,
    ) -> Result<()> {
        let h = stage.h;
        let mut evaluated = None;
        stage.row.clear_slots();
        for i in 0..stage.normal_offset.len() {
            let (e, time) = (stage.restitution[i], stage.row_time[i]);
            if evaluated != Some((e, time)) {
                stage.d.fill(0.0);
                axpy(time / (1.0 + e), w, &mut stage.d);
                axpy(-time * e / (1.0 + e), &start.v, &mut stage.d);
                let ahead = time * (1.0 - e) / (1.0 + e);
                host.displace(start.t, &start.q, ahead, &stage.d, &mut stage.moved)?;
                host.directions(start.t + ahead, &stage.moved, &mut stage.impulse)?;
                evaluated = Some((e, time));
            }
            stage.row.take_contact(i, &stage.impulse)?;
            let n = stage.row.normal(i);
            let gap = stage.row.gap[i] - stage.depth[i];
            stage.normal_offset[i] = (1.0 + e) / time * gap - n.dot(w);
        }
        stage.d.fill(0.0);
        axpy(h, w, &mut stage.d);
        host.displace(start.t, &start.q, h, &stage.d, &mut stage.q)?;
        let g = &mut stage.row;
        host.asked.joint(start.t + h, &stage.q, &mut g.phi, &mut g.jt)?;
        g.find_joint_runs();
        host.asked.brake(start.t + h, &stage.q, &mut g.brake_bound, &mut g.brake)?;
        for (j, offset) in stage.joint_offset.iter_mut().enumerate() {
            *offset = g.phi[j] / h - g.joint(j).dot(w);
        }
        stage.act_from(&start.geometry)
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

impl Stage {
    /// Impulses act along the directions `here`, those of contacts that come from afar where their rows
    /// are. Slip of closed ones is that of the displacement, with directions half way.
    ///
    /// # Errors
    /// `Memory`.
    fn act_from(&mut self, here: &Geometry) -> Result<()> {
        let (to, row) = (&mut self.impulse, &mut self.row);
        to.take_joints(here);
        to.phi_t.copy_from_slice(&here.phi_t);
        row.phi_t.copy_from_slice(&here.phi_t);
        to.gap_t.copy_from_slice(&here.gap_t);
        row.gap_t.copy_from_slice(&here.gap_t);
        to.brake.copy_from_slice(&row.brake);
        to.brake_bound.copy_from_slice(&row.brake_bound);
        for (i, &closed) in self.closed.iter().enumerate() {
            to.take_contact(i, if closed { here } else { row })?;
            // exact: such rows are at the end of the step
            if closed && self.restitution[i] == 0.0 {
                row.mean_tangents(i, here)?;
            }
        }
        Ok(())
    }
}
