//! What nalgebra lacks: factorisations into storage the caller owns, and matrix views that keep the
//! leading dimension of foreign memory. Knows no mechanics and no complementarity.

mod block;
mod block_lu;
mod blocked;
mod bordered;
mod column;
mod columns;
mod definite;
mod degrees;
mod filled;
mod invert;
pub mod kernel;
mod mat;
mod order;
mod places;
mod rank;
mod schur;
mod skyline;
mod spread;

pub use block_lu::BlockLu;
pub use blocked::Blocked;
pub use bordered::{Bordered, Then};
pub use column::{Column, Runs};
pub use columns::{Columns, Packed};
pub use definite::DefiniteFactor;
pub use kernel::{axpy, axpy8, dot, max_abs};
pub use mat::MatRef;
pub use order::order;
pub use rank::RankFactor;
pub use schur::Schur;
