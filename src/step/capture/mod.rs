//! Event-capturing methods after Acary's review of 2009: Runge-Kutta between events that are
//! located, and the equations of the two time-stepping rules. Knows no C.
#![doc = include_str!("theory.md")]

mod critical;
mod flow;
mod guess;
mod half_explicit;
mod piece;
mod stages;
mod tableau;
mod works;

pub(super) use piece::{Capture, order};
pub(super) use works::Works;

use super::host::zeros;
use super::options::MethodKind;
use crate::error::Result;
use crate::model::{Dims, Model};
use stages::Stages;
use tableau::Tableau;

/// What Runge-Kutta methods work with; nothing for the others.
#[derive(Debug, Default)]
pub(super) struct Work {
    stages: Option<Stages>,
    /// Length of the path in (qp, vp).
    at: Option<f64>,
    /// Whether joints or gaps depend on time in the piece under way.
    moving: bool,
    /// Friction directions as they stand.
    no_turns: Vec<f64>,
}

impl Work {
    /// For `model` with the sizes `d`.
    pub(super) fn new(d: &Dims, model: &dyn Model, method: MethodKind) -> Result<Self> {
        let stages = match Tableau::of(method) {
            Some(tableau) => Some(Stages::new(d, model, tableau)?),
            None => None,
        };
        Ok(Self { stages, at: None, moving: false, no_turns: zeros(d.n_contact)? })
    }

    /// Whether pieces are made by stages.
    pub(super) fn used(&self) -> bool {
        self.stages.is_some()
    }

    /// Whether the last piece needed no derivatives: nothing is stiff.
    pub(super) fn plain(&self) -> bool {
        self.stages.as_ref().is_some_and(Stages::plain)
    }

    /// Steps of one advance begin: each may go on from the last, and be wrong by `speed` in
    /// velocity. None does when `speed` is `None`.
    pub(super) fn connect(&mut self, speed: Option<f64>) {
        if let Some(stages) = &mut self.stages {
            stages.past.forget();
            stages.past.kept = speed.is_some();
            stages.aim.speed = speed.unwrap_or(0.0);
        }
    }

    /// The next piece is only compared with one that ends with the velocity `fine`.
    fn compare(&mut self, fine: Option<&[f64]>) {
        if let Some(stages) = &mut self.stages {
            stages.aim.compares = fine.is_some();
            if let Some(fine) = fine {
                stages.aim.fine.copy_from_slice(fine);
            }
        }
    }

    /// A piece begins.
    fn begin(&mut self, moving: bool) {
        self.at = None;
        self.moving = moving;
        if let Some(stages) = &mut self.stages {
            stages.restart();
        }
    }
}
