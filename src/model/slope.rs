//! Masses in blocks and derivatives of forces of a model, asked with care. Knows no method.

use super::Checked;
use crate::error::{Result, finite};
use crate::linalg::Blocked;

impl Checked<'_> {
    /// [`Model::mass`](super::Model::mass).
    ///
    /// # Errors
    /// `Rejected`, `Callback`, `Wanted`, `NonFinite`; so for every question below.
    pub fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Result<()> {
        mass.fill(0.0);
        self.answered("mass", self.model.mass(t, q, mass))?;
        finite("mass", mass)
    }

    /// [`Model::mass`](super::Model::mass), or where `mass` has several blocks [`Model::mass_blocks`](super::Model::mass_blocks).
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn masses(&self, t: f64, q: &[f64], mass: &mut Blocked) -> Result<()> {
        if mass.is_whole() {
            return self.mass(t, q, mass);
        }
        mass.fill(0.0);
        self.answered("mass", self.model.mass_blocks(t, q, mass))?;
        mass.columns().finite("mass")
    }

    /// [`Model::force_jac_blocks`](super::Model::force_jac_blocks).
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn force_jac_blocks(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        k: &mut Blocked,
        c: &mut Blocked,
    ) -> Result<()> {
        k.fill(0.0);
        c.fill(0.0);
        self.answered("force_jac", self.model.force_jac_blocks(t, q, v, k, c))?;
        k.columns().finite("dfdq")?;
        c.columns().finite("dfdv")
    }

    /// [`Model::gyroscopic`](super::Model::gyroscopic), or [`Model::gyroscopic_blocks`](super::Model::gyroscopic_blocks).
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn gyroscopic(&self, t: f64, q: &[f64], v: &[f64], k_c: &mut Blocked) -> Result<()> {
        k_c.fill(0.0);
        let answer = match k_c.is_whole() {
            true => self.model.gyroscopic(t, q, v, k_c),
            false => self.model.gyroscopic_blocks(t, q, v, k_c),
        };
        self.answered("gyroscopic", answer)?;
        k_c.columns().finite("gyroscopic")
    }

    /// [`Model::force_jac`](super::Model::force_jac).
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn force_jac(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        dfdq: &mut [f64],
        dfdv: &mut [f64],
    ) -> Result<()> {
        dfdq.fill(0.0);
        dfdv.fill(0.0);
        self.answered("force_jac", self.model.force_jac(t, q, v, dfdq, dfdv))?;
        finite("dfdq", dfdq)?;
        finite("dfdv", dfdv)
    }
}
