//! What nalgebra lacks: factorisations into storage the caller owns, and matrix views that keep the
//! leading dimension of foreign memory. Knows no mechanics and no complementarity.

mod bordered;
mod invert;
pub mod kernel;
mod mat;
mod schur;

pub use bordered::{Bordered, Then};
pub use mat::MatRef;
pub use schur::Schur;
