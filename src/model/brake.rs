//! Brakes of a model, asked with care. Knows no method.

use super::Checked;
use crate::error::{Error, Result, finite};

impl Checked<'_> {
    /// [`Model::brake`](super::Model::brake); not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass), and `Range` for a negative bound.
    pub fn brake(&self, t: f64, q: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Result<()> {
        if bound.is_empty() {
            return Ok(());
        }
        bound.fill(0.0);
        direction.fill(0.0);
        self.answered("brake", self.model.brake(t, q, bound, direction))?;
        finite("brake bound", bound)?;
        finite("brake direction", direction)?;
        match bound.iter().position(|&x| x < 0.0) {
            Some(index) => {
                let value = bound[index];
                Err(Error::Range { what: "brake bound", index, value, must: ">= 0" })
            }
            None => Ok(()),
        }
    }
}
