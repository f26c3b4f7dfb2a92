//! Elastic and damping elements that a model declares, and the force they make. Knows no method.

use super::{Checked, Dims};
use crate::error::{Error, Result, finite, reserve};
use crate::linalg::{axpy, dot};

/// Elements at one point: the force of each is -(stiffness phi + damping gradient'v) gradient.
#[derive(Debug, Default)]
pub struct Elements {
    /// Elongation or angle from rest.
    pub phi: Vec<f64>,
    /// Derivatives of phi along velocities, nv by n_element.
    pub gradient: Vec<f64>,
    /// Stiffness, >= 0.
    pub stiffness: Vec<f64>,
    /// Damping, >= 0.
    pub damping: Vec<f64>,
}

impl Elements {
    /// Room for the elements of a model of these sizes, zero.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(d: &Dims) -> Result<Self> {
        let mut e = Self {
            phi: reserve(d.n_element)?,
            gradient: reserve(d.nv.saturating_mul(d.n_element))?,
            stiffness: reserve(d.n_element)?,
            damping: reserve(d.n_element)?,
        };
        e.gradient.resize(d.nv * d.n_element, 0.0);
        for x in [&mut e.phi, &mut e.stiffness, &mut e.damping] {
            x.resize(d.n_element, 0.0);
        }
        Ok(e)
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.phi.len()
    }

    /// Gradient of element `i`.
    pub fn gradient(&self, i: usize) -> &[f64] {
        let nv = self.gradient.len() / self.count().max(1);
        &self.gradient[i * nv..(i + 1) * nv]
    }

    /// Force of element `i` along its gradient, with its sign changed.
    pub fn tension(&self, i: usize, v: &[f64]) -> f64 {
        self.stiffness[i] * self.phi[i] + self.damping[i] * dot(self.gradient(i), v)
    }

    /// Energy stored in the stiffness of all elements.
    pub fn energy(&self) -> f64 {
        self.stiffness.iter().zip(&self.phi).map(|(k, phi)| 0.5 * k * phi * phi).sum()
    }

    /// Adds the forces of all elements to `force`.
    pub fn add_force(&self, v: &[f64], force: &mut [f64]) {
        for i in 0..self.count() {
            axpy(-self.tension(i, v), self.gradient(i), force);
        }
    }

    /// Subtracts stiffness times gradient gradient' from `k`, and the same with damping from `c`:
    /// (30) and (31) of Anitescu and Potra, 2002.
    pub fn subtract_products(&self, k: &mut [f64], c: &mut [f64]) {
        for i in 0..self.count() {
            let (g, gamma, delta) = (self.gradient(i), self.stiffness[i], self.damping[i]);
            for (j, &gj) in g.iter().enumerate() {
                let column = j * g.len()..(j + 1) * g.len();
                axpy(-gamma * gj, g, &mut k[column.clone()]);
                axpy(-delta * gj, g, &mut c[column]);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        for x in [&mut self.phi, &mut self.gradient, &mut self.stiffness, &mut self.damping] {
            x.fill(0.0);
        }
    }

    /// Refuses what is not finite, and negative stiffness or damping.
    pub(super) fn check(&self) -> Result<()> {
        finite("element phi", &self.phi)?;
        finite("element gradient", &self.gradient)?;
        for (what, x) in
            [("element stiffness", &self.stiffness), ("element damping", &self.damping)]
        {
            finite(what, x)?;
            if let Some(index) = x.iter().position(|&x| x < 0.0) {
                return Err(Error::Range { what, index, value: x[index], must: ">= 0" });
            }
        }
        Ok(())
    }
}

impl Checked<'_> {
    /// [`Model::force`](super::Model::force), and the forces of the elements that it leaves out.
    ///
    /// # Errors
    /// As [`own_force`](Self::own_force) and [`elements`](Self::elements); `Memory` when no room for
    /// elements was lent.
    pub fn force(&mut self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Result<()> {
        self.own_force(t, q, v, force)?;
        let dims = self.model.dims();
        if dims.n_element == 0 || self.model.elements_in_force() {
            return Ok(());
        }
        let mut room = match &mut self.lent {
            Some(lent) => std::mem::take(*lent),
            None => Elements::new(&dims)?,
        };
        let answer = self.elements(t, q, &mut room);
        room.add_force(v, force);
        if let Some(lent) = &mut self.lent {
            **lent = room;
        }
        answer?;
        finite("force", force)
    }

    /// [`Model::elements`](super::Model::elements); not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass), and `Range` for negative stiffness or damping.
    pub fn elements(&self, t: f64, q: &[f64], elements: &mut Elements) -> Result<()> {
        if elements.count() == 0 {
            return Ok(());
        }
        elements.clear();
        self.answered("elements", self.model.elements(t, q, elements))?;
        elements.check()
    }

    /// [`Model::gyroscopic`](super::Model::gyroscopic).
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn gyroscopic(&self, t: f64, q: &[f64], v: &[f64], k_c: &mut [f64]) -> Result<()> {
        k_c.fill(0.0);
        self.answered("gyroscopic", self.model.gyroscopic(t, q, v, k_c))?;
        finite("gyroscopic", k_c)
    }
}
