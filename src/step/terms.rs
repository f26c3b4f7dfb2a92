//! What velocity alone adds to accelerations, (step.15): given by the model, or by differences along
//! the motion. Knows no complementarity.

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
        if !host.asked.model().gives_acceleration_terms() {
            return self.differentiate(host, point, h_grid);
        }
        let Self { joint, normal, tangent, .. } = self;
        host.asked.acceleration_terms(point.t, &point.q, &point.v, joint, normal, tangent)?;
        // The terms turn with the directions they belong to: both are linear in them.
        host.scratch.turn_columns(host.dims.n_dir, 1, tangent);
        Ok(())
    }
}
