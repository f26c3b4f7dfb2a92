//! Every way to fail, with its numbers attached. Knows nothing of what failed.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::{Deref, DerefMut};
use thiserror::Error as ThisError;

/// What went wrong, where, and by how much.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// An array or a count has the wrong size.
    #[error("{what} is {got}, expected {expected}")]
    Dimension {
        /// Name of the array or count, as the caller knows it.
        what: &'static str,
        /// The size given.
        got: i64,
        /// The size or range that would have been right.
        expected: Cow<'static, str>,
    },
    /// The problem is larger than the workspace.
    #[error("{what} needs {needed}, there is room for {have}")]
    Capacity {
        /// What did not fit.
        what: &'static str,
        /// The size needed.
        needed: usize,
        /// The size there is.
        have: usize,
    },
    /// A number is NaN or infinite.
    #[error("{} is {value}", Place(what, *index))]
    NonFinite {
        /// Name of the array, or of the number.
        what: &'static str,
        /// Zero-based position in the array; [`ALONE`] for a number.
        index: usize,
        /// The number itself.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{} is {}, must be {must}", Place(what, *index), Readable(*value))]
    Range {
        /// Name of the array, or of the number.
        what: &'static str,
        /// Zero-based position in the array; [`ALONE`] for a number.
        index: usize,
        /// The number itself.
        value: f64,
        /// The condition it breaks.
        must: &'static str,
    },
    /// An option or argument has a value it cannot have.
    #[error("{what} is {got}, must be {must}")]
    Value {
        /// Name of the argument.
        what: &'static str,
        /// The value given, as text.
        got: Cow<'static, str>,
        /// The condition it breaks.
        must: &'static str,
    },
    /// Something that must be given is not.
    #[error("{what} is missing")]
    Missing {
        /// Name of the argument.
        what: &'static str,
    },
    /// The symmetric part of a matrix is not positive definite.
    #[error("{what} is not positive definite: pivot {pivot:e} at row {row}")]
    NotPositiveDefinite {
        /// Name of the matrix.
        what: &'static str,
        /// The row at which the factorisation stopped.
        row: usize,
        /// The pivot found there.
        pivot: f64,
    },
    /// Equations cannot be solved: singular and not consistent.
    #[error("{what} is singular and equation {row} is violated by {violation:e}")]
    Inconsistent {
        /// Name of the system.
        what: &'static str,
        /// An equation that cannot be met.
        row: usize,
        /// By how much it is violated, relative to the data.
        violation: f64,
    },
    /// Lemke's method ended on a ray: no solution was found along its path.
    #[error("LCP of size {n} ended on a ray after {pivots} pivots; best residual {residual:e}")]
    LcpRay {
        /// Number of unknowns.
        n: usize,
        /// Pivots done, recoveries included.
        pivots: usize,
        /// The best unit-free residual met on the way.
        residual: f64,
    },
    /// Lemke's method reached its pivot limit.
    #[error("LCP of size {n} is not solved after {limit} pivots; best residual {residual:e}")]
    LcpPivots {
        /// Number of unknowns.
        n: usize,
        /// Pivots done, all attempts together.
        limit: usize,
        /// The best unit-free residual met on the way.
        residual: f64,
    },
    /// An answer was found but the independent check refused it.
    #[error("the answer failed its check: residual {residual:e}, at most {tolerance:e} is allowed")]
    Residual {
        /// The unit-free residual.
        residual: f64,
        /// The tolerance.
        tolerance: f64,
    },
    /// A question was refused at this point; a shorter step may avoid it. Nothing has changed.
    #[error("{what} refused the point with {code}")]
    Rejected {
        /// Which function.
        what: &'static str,
        /// What it returned.
        code: i32,
    },
    /// Rigid bodies have no finite forces in this state.
    #[error(
        "no acceleration exists at t = {t}: no contact forces balance (Painleve), only an impulse can"
    )]
    NoAcceleration {
        /// Where it was asked for.
        t: f64,
    },
    /// A snapshot was written by a version that this one does not read.
    #[error("snapshot has version {got}, this library reads {expected}")]
    SnapshotVersion {
        /// The version in the snapshot.
        got: u32,
        /// The version read here.
        expected: u32,
    },
    /// A step could not be made short enough to succeed.
    #[error("no step from t = {t} succeeds, the shortest tried was {h:e}: {why}")]
    StepTooSmall {
        /// Where it was tried.
        t: f64,
        /// The shortest step tried.
        h: f64,
        /// What stands against it.
        why: Cow<'static, str>,
    },
    /// A run by tolerances has tried as many steps as its options allow.
    #[error(
        "{limit} steps have been tried at t = {t}: max_steps allows no more on the way to {t_end}"
    )]
    StepLimit {
        /// The limit.
        limit: u64,
        /// How far it came.
        t: f64,
        /// Where it was to go.
        t_end: f64,
    },
    /// A function of the caller asked to stop.
    #[error("{what} returned {code}")]
    Callback {
        /// Which function.
        what: &'static str,
        /// What it returned.
        code: i32,
    },
    /// A question that only the host can answer, asked outside the loop of request and answer.
    #[error("{what} must come from the host: a passive model is stepped by request and answer")]
    Wanted {
        /// Which quantity.
        what: &'static str,
    },
    /// A step was to go on before all requests were answered.
    #[error("request {request} still lacks {what}")]
    Unanswered {
        /// The first request that is not answered in full.
        request: usize,
        /// A quantity it lacks.
        what: &'static str,
    },
    /// Storage could not be had.
    #[error("cannot allocate {bytes} bytes")]
    Memory {
        /// The number of bytes asked for.
        bytes: usize,
    },
}

impl Error {
    /// A copy, with its texts as [`told`] keeps them.
    pub fn again(&self) -> Self {
        match self {
            Error::Dimension { what, got, expected } => {
                Error::Dimension { what, got: *got, expected: told(expected) }
            }
            Error::Value { what, got, must } => Error::Value { what, got: told(got), must },
            Error::StepTooSmall { t, h, why } => {
                Error::StepTooSmall { t: *t, h: *h, why: told(why) }
            }
            other => other.clone(),
        }
    }
}

/// The index of a number that stands in no array.
pub const ALONE: usize = usize::MAX;

/// The name of a number, with its place where it has one. Written piece by piece, because a text must
/// not need memory that may have run out.
struct Place<'a>(&'a str, usize);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place(what, index) = *self;
        if index == ALONE { write!(f, "{what}") } else { write!(f, "{what}[{index}]") }
    }
}

/// A number as a person would write it: with an exponent only where zeros would hide it.
struct Readable(f64);

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        // exact: zero is written as such
        if x == 0.0 || (1e-4..1e15).contains(&x.abs()) || !x.is_finite() {
            write!(f, "{x}")
        } else {
            write!(f, "{x:e}")
        }
    }
}

/// `Ok` with a value or [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Refuses an array with a NaN or an infinity in it.
pub fn finite(what: &'static str, values: &[f64]) -> Result<()> {
    // One pass that the compiler vectorises; the search for the culprit runs only on failure.
    // 0 x is zero for a finite number and NaN otherwise.
    let mut lanes = [0.0f64; 4];
    let chunks = values.chunks_exact(4);
    let rest = chunks.remainder();
    for c in chunks {
        for (lane, x) in lanes.iter_mut().zip(c) {
            *lane += 0.0 * x;
        }
    }
    for x in rest {
        lanes[0] += 0.0 * x;
    }
    if lanes.iter().all(|x| !x.is_nan()) {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NonFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Refuses a number that is NaN or infinite.
pub fn finite_number(what: &'static str, value: f64) -> Result<()> {
    if value.is_finite() { Ok(()) } else { Err(Error::NonFinite { what, index: ALONE, value }) }
}

/// Refuses an array whose length is not `expected`.
pub fn length(what: &'static str, values: &[f64], expected: usize) -> Result<()> {
    if values.len() == expected {
        return Ok(());
    }
    Err(Error::Dimension { what, got: values.len() as i64, expected: told(expected) })
}

/// `what` as a text that is kept. A failure must be told even without memory: the text is then empty, never an end of the
/// program.
pub fn told(what: impl fmt::Display) -> Cow<'static, str> {
    let mut room = Room(0);
    let (mut text, written) = (String::new(), write!(room, "{what}"));
    if written.is_ok() && text.try_reserve_exact(room.0).is_ok() {
        // Cannot fail: there is room for as much.
        let _ = write!(text, "{what}");
    }
    text.into()
}

/// How many bytes a text takes.
struct Room(usize);

impl fmt::Write for Room {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(s.len());
        Ok(())
    }
}

/// As many zeros.
///
/// # Errors
/// `Memory` when they cannot be kept.
pub fn zeros(n: usize) -> Result<Vec<f64>> {
    let mut x = reserve(n)?;
    x.resize(n, 0.0);
    Ok(x)
}

/// Room for `n` numbers, taken now so that nothing is allocated later. The pages are not touched:
/// a large workspace costs memory only where a problem uses it.
pub fn reserve<T>(n: usize) -> Result<Vec<T>> {
    let mut v = Vec::new();
    let bytes = n.saturating_mul(std::mem::size_of::<T>());
    v.try_reserve_exact(n).map_err(|_| Error::Memory { bytes })?;
    Ok(v)
}

/// One value on the heap: what holds it stays small. Workspaces are built on the stack and moved from hand to hand, and a
/// thread of a host may have little stack.
#[derive(Debug)]
pub struct Apart<T>(Box<[T; 1]>);

impl<T> Apart<T> {
    /// The value that `make` gives, which is asked once there is room.
    ///
    /// # Errors
    /// `Memory`, and those of `make`.
    pub fn new(make: impl FnOnce() -> Result<T>) -> Result<Self> {
        let mut room = reserve(1)?;
        room.push(make()?);
        // Cannot fail: there is one.
        room.try_into().map(Self).map_err(|_| Error::Memory { bytes: size_of::<T>() })
    }
}

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let [one] = &*self.0;
        one
    }
}

impl<T> DerefMut for Apart<T> {
    fn deref_mut(&mut self) -> &mut T {
        let [one] = &mut *self.0;
        one
    }
}

/// Makes room for `more` entries behind those of `x`.
///
/// # Errors
/// `Memory` when they cannot be had.
pub fn grow<T>(x: &mut Vec<T>, more: usize) -> Result<()> {
    x.try_reserve(more).map_err(|_| Error::Memory { bytes: more.saturating_mul(size_of::<T>()) })
}

/// Puts `value` behind the entries of `x`.
///
/// # Errors
/// `Memory` when there is no room; `x` is as before.
pub fn push<T>(x: &mut Vec<T>, value: T) -> Result<()> {
    grow(x, 1)?;
    x.push(value);
    Ok(())
}

/// All items in a vector of their own.
///
/// # Errors
/// `Memory` when they cannot be kept.
pub fn collect<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let items = items.into_iter();
    let mut kept = reserve(items.size_hint().0)?;
    for item in items {
        push(&mut kept, item)?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_named_with_its_place() {
        let mut x = [1.0; 9];
        assert!(finite("gap", &x).is_ok());
        x[3] = f64::NAN;
        let e = finite("gap", &x).unwrap_err();
        assert_eq!(e.to_string(), "gap[3] is NaN");
        x[3] = 0.0;
        x[8] = f64::NEG_INFINITY;
        assert_eq!(finite("q", &x).unwrap_err().to_string(), "q[8] is -inf");
    }

    #[test]
    fn a_tiny_number_is_told_by_its_exponent_not_by_three_hundred_zeros() {
        let text = |value: f64| {
            Error::Range { what: "h", index: ALONE, value, must: "long enough" }.to_string()
        };
        assert_eq!(text(1e-300), "h is 1e-300, must be long enough");
        assert_eq!(text(-0.1), "h is -0.1, must be long enough");
        assert_eq!(text(1e300), "h is 1e300, must be long enough");
    }

    #[test]
    fn a_number_that_stands_in_no_array_has_no_place() {
        assert_eq!(finite_number("t", f64::NAN).unwrap_err().to_string(), "t is NaN");
        assert!(finite_number("t", 0.0).is_ok());
    }

    #[test]
    fn an_impossible_reservation_is_an_error() {
        assert!(matches!(reserve::<f64>(usize::MAX / 8), Err(Error::Memory { .. })));
    }
}
