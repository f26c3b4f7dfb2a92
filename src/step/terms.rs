//! What velocity alone adds to accelerations, (step.15): given by the model, or by differences
//! along the motion. Knows no complementarity.

use super::host::Host;
use super::method::Start;
use super::workspace::Accelerations;
use crate::error::Result;

impl Accelerations {
    /// Fills the terms of (step.15) at `point`.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn velocity_terms(
        &mut self,
        host: &mut Host<'_>,
        point: &Start,
        h_grid: f64,
    ) -> Result<()> {
        let model = host.asked.model();
        let (given, own) = (model.gives_acceleration_terms(), model.dims());
        // Terms of brakes, and of contacts beyond those with a gap function, nobody gives.
        if !given || own.n_brake > 0 || self.normal.len() > own.n_contact {
            self.differentiate(host, point, h_grid)?;
        }
        if !given {
            return Ok(());
        }
        let normal = &mut self.normal[..own.n_contact];
        let tangent = &mut self.tangent[..own.n_contact * own.n_dir];
        let Start { t, q, v, .. } = point;
        host.asked.acceleration_terms(*t, q, v, &mut self.joint, normal, tangent)?;
        // The terms turn with the directions they belong to: both are linear in them.
        host.scratch.turn_numbers(own.n_dir, tangent);
        Ok(())
    }
}
