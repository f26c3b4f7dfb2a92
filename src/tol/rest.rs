//! Tolerances of what rests: what counts as no motion, and as no change.

/// Part of a step by which the time it is asked to end at may be rounded for it to have the length that it is asked for.
pub const SAME_LENGTH: f64 = 1e-9;

/// Part of the speeds that forces would make in a step, body by body, below which what impulses leave of them is none: a
/// thousandth of the residual that an answer may have.
pub const AT_REST: f64 = 1e-12;

/// A speed, in any units, below which there is none. What rests decays step by step into numbers so
/// small that processors take a hundred times as long for them.
pub const NO_SPEED: f64 = 1e-200;

/// Part by which the factor of impulses of the problem before may differ from one and be rounding: that of sums over hundreds.
pub const SAME_IMPULSES: f64 = 1e-13;
