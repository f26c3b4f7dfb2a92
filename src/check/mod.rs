//! Checks of any model at a state: derivatives against differences, masses, directions,
//! consistency, friction cones. Knows only [`Model`](crate::model::Model) and the velocity problem.
//!
//! Differences are central and taken along velocities, q + s rate(q, e_j), so that positions with
//! more coordinates than velocities are compared where it matters. Rounding of the differences is
//! subtracted before errors are reported.

mod acceleration;
mod cone;
mod derivative;
mod element;
mod hosted;
mod report;
mod state;

pub use cone::cone_margin;
pub use derivative::check_model;
pub use report::{Finding, Report};
pub use state::{Consistency, check_state, nearest_state};
