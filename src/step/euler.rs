//! The Euler rule of Anitescu and Potra (1997): explicit in the force and in the position. Knows no
//! events.

use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::axpy;

/// The rule (step.9).
#[derive(Debug)]
pub(super) struct Euler;

impl Method for Euler {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        _: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        stage.h = h;
        stage.weight = 0.0;
        stage.sum = false;
        stage.apart = false;
        stage.predict(host, start, 1.0)?;
        host.asked.masses(start.t + h, &stage.q, &mut stage.mass)?;
        host.geometry(start.t + h, &stage.q, &mut stage.impulse)?;
        stage.set_offsets(1.0);
        stage.p.fill(0.0);
        axpy(h, &start.force, &mut stage.p);
        stage.add_momentum(1.0, &start.v);
        Ok(())
    }

    fn position_lags(&self) -> bool {
        true
    }

    fn projects_velocity(&self) -> bool {
        false
    }
}
