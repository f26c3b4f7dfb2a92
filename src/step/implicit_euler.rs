//! The linearly implicit Euler rule of Anitescu and Potra (2002), for stiff springs and dampers.
//! Knows no events.

use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::axpy;

/// The rule (step.10).
#[derive(Debug)]
pub(super) struct ImplicitEuler;

impl Method for ImplicitEuler {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        start.differentiate(host, how, 0.0)?;
        stage.h = h;
        stage.weight = 1.0;
        stage.sum = false;
        stage.apart = false;
        stage.mass.copy_from_slice(&start.mass);
        axpy(-h, &start.c, &mut stage.mass);
        axpy(-h * h, &start.k, &mut stage.mass);
        host.geometry(start.t, &start.q, &mut stage.impulse)?;
        stage.set_offsets(1.0);
        stage.p.fill(0.0);
        axpy(h, &start.force, &mut stage.p);
        start.k.add_product(h * h, &start.v, &mut stage.p);
        stage.add_momentum(1.0, &start.v);
        Ok(())
    }

    fn uses_derivatives(&self) -> bool {
        true
    }

    fn projects_velocity(&self) -> bool {
        false
    }
}
