//! What the collection test, the benches and the folder tool share: reading a folder of
//! complementarity problems, permuting them, judging an answer, and a clock. Sees the library from
//! outside only.
#![allow(clippy::print_stdout, reason = "a missing collection is told to whoever runs it")]
#![allow(dead_code, reason = "each of test, bench and tool uses a part")]

pub mod clock;
pub mod collection;
pub mod facet;
pub mod format;
pub mod manifest;
pub mod outcome;
pub mod problem;
pub mod rng;

/// Errors here end a run; their text is all that is needed.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The contract of the collection: a larger unit-free residual is not a solution.
pub const SOLVED: f64 = 1e-8;
