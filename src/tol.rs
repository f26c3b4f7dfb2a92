//! Every tolerance: name, dimension, reason. All are relative unless the comment says otherwise.

/// Unit-free residual below which an LCP counts as solved. The promise of the C interface.
pub const LCP_RESIDUAL: f64 = 1e-9;

/// Pivot, relative to the largest entry of its column, below which a row cannot leave the basis.
/// Entries of this size are rounding noise of a basis with condition up to 1e7.
pub const LCP_PIVOT: f64 = 1e-9;

/// Slack of the two-pass ratio test, in units of the scaled right-hand side. Among rows that tie
/// within it the largest pivot is taken.
pub const LCP_RATIO: f64 = 1e-10;

/// Pivot of an L D L' factorisation, relative to the diagonal entry it came from, at or below which
/// the matrix is not positive definite: what remains of the entry is its rounding error.
pub const DEFINITE_PIVOT: f64 = 1e-14;

/// Pivot of an equation, relative to the size of the row before elimination, below which the
/// equation depends on those before it.
pub const RANK: f64 = 1e-11;

/// Right-hand side of a dependent equation, relative to its data, up to which it is consistent.
pub const CONSISTENT: f64 = 1e-9;

/// Friction directions must come in opposite pairs up to this, relative to the larger entry.
/// Written into the C contract.
pub const OPPOSITE: f64 = 1e-12;

/// Momentum, joint and normal rows of a velocity problem must hold to this, relative to the sum of the
/// absolute values of their terms.
pub const VELOCITY_CHECK: f64 = 1e-9;

/// Impulses up to this fraction of the largest one are rounding of a zero.
pub const IMPULSE_ZERO: f64 = 1e-12;

/// Speeds up to this fraction of the sum of the absolute values of their terms are rounding of a zero.
pub const SPEED_ZERO: f64 = 1e-12;

/// What is given as a unit vector, a unit quaternion, a right angle or a symmetric matrix may miss it by this: more
/// than the rounding of a few operations or ten printed digits, less than any meant deviation.
pub const GIVEN_UNIT: f64 = 1e-9;

/// Squared angle below which the screw motion is taken from its series, whose sixth term is then below rounding.
pub const ROTATION_SERIES: f64 = 0.0625;

/// Sine of the angle between a normal and a pole below which tangents are taken from another direction.
pub const POLE: f64 = 1e-3;

/// Size of central differences, relative to their argument: the cube root of the rounding unit, where truncation and
/// rounding balance.
pub const CENTRAL_DIFFERENCE: f64 = 6e-6;

/// Size of second differences: the fourth root of the rounding unit.
pub const SECOND_DIFFERENCE: f64 = 1.2e-4;

/// Rounding units by which values may differ that should be equal, before a difference of them is an error: a model sums a few
/// dozen terms.
pub const DIFFERENCE_NOISE: f64 = 64.0;

/// Joint errors and depths of a projected state, relative to the largest coordinate.
pub const NEAREST: f64 = 1e-12;

/// Newton steps after which a start was too far away.
pub const NEAREST_STEPS: usize = 50;
