//! Derivatives of a force that come from declared elements: exact, or their positive definite part.
//! Knows no method.

use super::host::{Host, zeros};
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::{Blocked, axpy};
use crate::model::{Dims, Elements, Parts};

/// Elements at the start of a step, and what the force has besides them.
#[derive(Debug)]
pub(super) struct Springs {
    elements: Elements,
    /// Derivatives of the model's own force, by position and velocity, unless that holds the elements.
    own: (Vec<f64>, Vec<f64>),
    k_c: Blocked,
    in_force: bool,
}

impl Springs {
    pub(super) fn new(d: &Dims, parts: &Parts) -> Result<Self> {
        // Elements beside the force make everything one part.
        let square = if d.n_element > 0 && parts.is_whole() { d.nv * d.nv } else { 0 };
        let own = (zeros(square)?, zeros(square)?);
        let k_c = if d.n_element > 0 { parts.square()? } else { Blocked::new(0, &[])? };
        Ok(Self { elements: parts.elements(d)?, own, k_c, in_force: false })
    }

    /// Adds what elements are to the derivatives `k` and `c` of the model's own force.
    pub(super) fn differentiate(
        &mut self,
        host: &mut Host<'_>,
        how: Jacobian,
        (t, q, v): (f64, &[f64], &[f64]),
        (k, c): (&mut Blocked, &mut Blocked),
    ) -> Result<()> {
        if self.elements.count() == 0 {
            return Ok(());
        }
        host.asked.elements(t, q, &mut self.elements)?;
        host.asked.gyroscopic(t, q, v, &mut self.k_c)?;
        self.in_force = host.asked.model().elements_in_force();
        if self.in_force {
            return Ok(());
        }
        self.own.0.copy_from_slice(k);
        self.own.1.copy_from_slice(c);
        let turning = how == Jacobian::Differences;
        host.add_element_jacobian((t, q, v), &self.elements, turning, (k, c))
    }

    /// Adds the exact derivatives at another velocity to those of the model's own force.
    pub(super) fn add_exact(
        &self,
        host: &mut Host<'_>,
        at: (f64, &[f64], &[f64]),
        to: (&mut Blocked, &mut Blocked),
    ) -> Result<()> {
        if self.elements.count() == 0 || self.in_force {
            return Ok(());
        }
        host.add_element_jacobian(at, &self.elements, true, to)
    }

    /// Takes the elements out of the derivatives again. True when something is left that may not be
    /// definite: what a force that holds its elements has besides them is not stiff, and left out.
    pub(super) fn restore_own(&self, k: &mut Blocked, c: &mut Blocked) -> bool {
        if self.elements.count() == 0 {
            return true;
        }
        if self.in_force {
            k.fill(0.0);
            c.fill(0.0);
        } else {
            k.copy_from_slice(&self.own.0);
            c.copy_from_slice(&self.own.1);
        }
        !self.in_force
    }

    /// Adds the definite derivatives of the elements and the antisymmetric ones of gyroscopic
    /// forces, (step.52).
    pub(super) fn add_definite(&self, k: &mut Blocked, c: &mut Blocked) {
        if self.elements.count() > 0 {
            self.elements.subtract_products(k, c);
            axpy(-1.0, &self.k_c, c);
        }
    }
}
