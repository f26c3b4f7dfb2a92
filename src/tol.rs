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

/// Residual of a direction, relative to its size, above which it is refined once. A direction this
/// good moves no variable by more than the slack of the ratio test.
pub const LCP_REFINE: f64 = 1e-11;

/// Residual of a direction after refinement above which the inverse is made afresh.
pub const LCP_REFACTOR: f64 = 1e-6;

/// Lift of the scaled right-hand side that separates rows tied by degeneracy: above the slack of the
/// ratio test, small enough that the basis found usually serves the true problem.
pub const LCP_LIFT: f64 = 1e-8;

/// Residual at which the point of a finished path is taken as it is. Above it the basis is solved again.
pub const LCP_FINE: f64 = 1e-12;

/// Pivot of an inversion, relative to its column, at or below which a basis is singular: a basis
/// of condition above 1e13 has no correct digits.
pub const LCP_SINGULAR: f64 = 1e-14;

/// Residual at which the remembered basis is accepted without a pivot.
pub const LCP_WARM: f64 = 1e-11;

/// Violation of the equations of a remembered basis, relative to the data, after refinement with an old
/// inverse, above which the inverse is made afresh.
pub const LCP_STALE: f64 = 1e-12;

/// Violation of the equations of a basis at which refinement has reached rounding.
pub const LCP_FRESH: f64 = 1e-14;
