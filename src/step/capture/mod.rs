//! Event-capturing methods after Acary's review of 2009: Runge-Kutta between events that are
//! located, and the equations of the two time-stepping rules. Knows no C.
#![doc = include_str!("theory.md")]

mod flow;
mod piece;
mod stages;
mod tableau;

pub(super) use piece::{Capture, order};

use super::host::zeros;
use super::options::MethodKind;
use crate::error::Result;
use crate::model::Dims;
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
    pub(super) fn new(d: &Dims, method: MethodKind) -> Result<Self> {
        let stages = match Tableau::of(method) {
            Some(tableau) => Some(Stages::new(d, tableau)?),
            None => None,
        };
        Ok(Self { stages, at: None, moving: false, no_turns: zeros(d.n_contact)? })
    }

    /// Whether pieces are made by stages.
    pub(super) fn used(&self) -> bool {
        self.stages.is_some()
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
