//! The position-level rule of Stewart and Trinkle (1996): rows on the position at the end of the
//! step, made exact by a fixed point. Knows no events.

use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::axpy;

/// The rule (step.11).
#[derive(Debug)]
pub(super) struct StewartTrinkle;

impl Method for StewartTrinkle {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        _: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        stage.h = h;
        stage.weight = 1.0;
        stage.sum = false;
        stage.apart = false;
        stage.predict(host, start, 0.5)?;
        host.asked.force(start.t + 0.5 * h, &stage.q, &start.v, &mut stage.force)?;
        self.rows_at(host, start, &start.v, stage)?;
        host.asked.masses(start.t + h, &stage.q, &mut stage.mass)?;
        stage.p.fill(0.0);
        axpy(h, &stage.force, &mut stage.p);
        stage.add_momentum(1.0, &start.v);
        Ok(())
    }

    fn rows_at(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
        stage: &mut Stage,
    ) -> Result<()> {
        let h = stage.h;
        stage.d.fill(0.0);
        axpy(h, v, &mut stage.d);
        host.displace(start.t, &start.q, h, &stage.d, &mut stage.q)?;
        host.geometry(start.t + h, &stage.q, &mut stage.impulse)?;
        let g = &stage.impulse;
        for (j, offset) in stage.joint_offset.iter_mut().enumerate() {
            *offset = g.phi[j] / h - g.joint(j).dot(v);
        }
        for (i, offset) in stage.normal_offset.iter_mut().enumerate() {
            *offset = (g.gap[i] - stage.depth[i]) / h - g.normal(i).dot(v);
        }
        Ok(())
    }

    fn checks_end(&self) -> bool {
        true
    }

    fn position_level(&self) -> bool {
        true
    }

    fn projects_velocity(&self) -> bool {
        false
    }
}
