//! Brakes: friction with a bound of its own, not tied to a normal force, as in bearings and gears.
//! One impulse along one direction each, (vel.8). Knows neither time nor where the bound comes from.

use super::Rows;
use crate::error::{Error, Result, finite, length};
use crate::linalg::Column;

/// Friction impulses along single directions, each with its own bound.
#[derive(Clone, Copy, Debug)]
pub struct Brakes<'a> {
    /// One column per brake; `None` for no brakes.
    pub rows: Option<Rows<'a>>,
    /// Largest size of each impulse, >= 0.
    pub bound: &'a [f64],
}

impl<'a> Brakes<'a> {
    /// No brakes.
    pub const NONE: Self = Self { rows: None, bound: &[] };

    /// Number of brakes.
    pub fn count(&self) -> usize {
        self.bound.len()
    }

    /// Where the impulse of brake `i` acts.
    pub(super) fn direction(&self, i: usize) -> Column<'a> {
        self.rows.map_or(Column::default(), |r| r.impulse.col(i))
    }

    /// The column whose product with v is the slip speed, and what is added to it.
    pub(super) fn row(&self, i: usize) -> (Column<'a>, f64) {
        self.rows.map_or((Column::default(), 0.0), |r| (r.row.col(i), r.offset(i)))
    }

    /// A brake that cannot hold anything has no unknowns.
    pub(super) fn acts(&self, i: usize) -> bool {
        self.bound[i] > 0.0
    }

    /// Refuses data of the wrong shape, NaN, infinity and negative bounds.
    pub(super) fn check(&self, nv: usize) -> Result<()> {
        match &self.rows {
            Some(rows) => rows.check("brake", nv, self.count())?,
            None => length("brake bound", self.bound, 0)?,
        }
        finite("brake bound", self.bound)?;
        match self.bound.iter().position(|&x| x < 0.0) {
            Some(index) => {
                let value = self.bound[index];
                Err(Error::Range { what: "brake bound", index, value, must: ">= 0" })
            }
            None => Ok(()),
        }
    }
}
