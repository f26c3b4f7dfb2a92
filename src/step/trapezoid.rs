//! The linearly implicit trapezoidal rule and its three ways to impose constraints. Knows no
//! events.

use super::host::Host;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::axpy;

/// Where constraints are imposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Impulses at the midpoint, rows at the predicted end: (step.7); those of II for joints alone.
    Mixed,
    /// Impulses and rows at the midpoint, rows on the new velocity: (step.5).
    I,
    /// The same with rows on the mean velocity: (step.6).
    II,
}

/// The rule (step.3) with one of the schemes.
#[derive(Debug)]
pub(super) struct Trapezoid(pub Scheme);

impl Method for Trapezoid {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        start.differentiate(host, how, h)?;
        let middle = start.t + 0.5 * h;
        stage.h = h;
        stage.weight = 0.5;
        let alone = stage.joints_alone && self.0 == Scheme::Mixed;
        stage.sum = alone || self.0 == Scheme::II;
        stage.predict(host, start, 0.5)?;
        host.asked.masses(middle, &stage.q, &mut stage.mass)?;
        axpy(-0.5 * h, &start.c, &mut stage.mass);
        axpy(-0.25 * h * h, &start.k, &mut stage.mass);
        stage.apart = self.0 == Scheme::Mixed && !alone;
        if !stage.apart {
            host.geometry(middle, &stage.q, &mut stage.impulse)?;
        } else {
            host.directions(middle, &stage.q, &mut stage.impulse)?;
            stage.predict(host, start, 1.0)?;
            host.geometry(start.t + h, &stage.q, &mut stage.row)?;
        }
        stage.set_offsets(if stage.sum { 2.0 } else { 1.0 });
        host.asked.force(start.t + h, &start.q, &start.v, &mut stage.force)?;
        stage.p.fill(0.0);
        axpy(0.5 * h, &start.force, &mut stage.p);
        axpy(0.5 * h, &stage.force, &mut stage.p);
        start.k.add_product(0.5 * h * h, &start.v, &mut stage.p);
        stage.add_momentum(if stage.sum { 2.0 } else { 1.0 }, &start.v);
        Ok(())
    }

    fn fallback(&self) -> Option<&'static dyn Method> {
        match self.0 {
            Scheme::Mixed => Some(&Trapezoid(Scheme::I)),
            Scheme::I | Scheme::II => None,
        }
    }

    fn rings(&self) -> bool {
        true
    }

    fn uses_derivatives(&self) -> bool {
        true
    }

    fn aligns(&self) -> bool {
        true
    }

    fn for_jumps(&self) -> Option<&'static dyn Method> {
        (self.0 == Scheme::II).then_some(&Trapezoid(Scheme::I))
    }

    fn projects_velocity(&self) -> bool {
        self.0 != Scheme::I
    }
}
