//! What a stepper refuses before it starts: numbers, step counts, models that make no sense. Knows
//! no numerics.

use super::capture;
use super::options::MethodKind;
use crate::error::{ALONE, Error, Result, finite_number, told};
use crate::model::{Dims, Model};
use crate::tol;

/// Refuses brakes where stages would have to hold them.
pub(super) fn check_brakes(d: &Dims, method: MethodKind) -> Result<()> {
    if d.n_brake == 0 || capture::order(method).is_none() {
        return Ok(());
    }
    let got = told(d.n_brake);
    Err(Error::Value { what: "n_brake", got, must: "0 for Runge-Kutta methods" })
}

/// Refuses a number that is not finite and positive.
pub(super) fn positive(what: &'static str, x: f64) -> Result<()> {
    finite_number(what, x)?;
    if x > 0.0 { Ok(()) } else { Err(Error::Range { what, index: ALONE, value: x, must: "> 0" }) }
}

/// `e` with the names of a step for what overflowed in its problems: hosts know no tableau.
pub(super) fn named(e: Error) -> Error {
    match e {
        Error::Residual { residual, .. } if !residual.is_finite() => {
            Error::NonFinite { what: "velocity", index: 0, value: residual }
        }
        Error::NonFinite { what, index, value } => {
            let what = match what {
                "p" => "momentum of the step",
                "m" => "answer of the contacts to impulses",
                "q" => "approach of the contacts",
                other => other,
            };
            Error::NonFinite { what, index, value }
        }
        other => other,
    }
}

/// `e` of a problem whose matrix is the mass of the model less derivatives of its forces times h.
pub(super) fn of_the_step(e: Error) -> Error {
    match e {
        Error::NonFinite { what: "mass", value, .. } => {
            let what = "the mass less h times derivatives of the force";
            Error::NonFinite { what, index: ALONE, value }
        }
        other => other,
    }
}

/// Number of steps of `h` from `t0` to `t_end`.
pub(super) fn step_count(t0: f64, t_end: f64, h: f64) -> Result<u64> {
    /// Beyond this steps cannot be told apart by their end times.
    const MOST: f64 = 9e15;
    let ratio = (t_end - t0) / h;
    if ratio > MOST {
        let must = "long enough to reach t_end";
        return Err(Error::Range { what: "h", index: ALONE, value: h, must });
    }
    let nearest = ratio.round();
    let integer = (ratio - nearest).abs() <= tol::WHOLE_STEPS * nearest.max(1.0) && nearest > 0.0;
    let n = if integer { nearest as u64 } else { ratio.ceil() as u64 };
    // A quotient below all numbers is a way still.
    Ok(n.max(u64::from(t_end > t0)))
}

/// Contacts have indices of 31 bits in events and in the C interface.
const MOST_HOSTED: usize = 1 << 24;

/// Refuses a model whose sizes and coefficients make no sense.
pub(super) fn check_model(model: &dyn Model, dims: &Dims) -> Result<()> {
    if model.hosted() > MOST_HOSTED {
        let (what, needed) = ("contacts that come and go", model.hosted());
        return Err(Error::Capacity { what, needed, have: MOST_HOSTED });
    }
    if dims.nq != dims.nv && !model.gives_rate() {
        let expected = told(format_args!("nv = {} for a model without a rate", dims.nv));
        return Err(Error::Dimension { what: "nq", got: dims.nq as i64, expected });
    }
    if dims.n_dir % 2 == 1 {
        let got = told(dims.n_dir);
        return Err(Error::Value { what: "n_dir", got, must: "even" });
    }
    for i in 0..dims.n_contact {
        let (mu, e) = (model.mu(i), model.restitution(i));
        if !mu.is_finite() {
            return Err(Error::NonFinite { what: "mu", index: i, value: mu });
        }
        if !e.is_finite() {
            return Err(Error::NonFinite { what: "restitution", index: i, value: e });
        }
        if mu < 0.0 {
            return Err(Error::Range { what: "mu", index: i, value: mu, must: ">= 0" });
        }
        if mu > 0.0 && dims.n_dir == 0 {
            let must = "at least 2 for contacts with friction";
            return Err(Error::Value { what: "n_dir", got: "0".into(), must });
        }
        if !(0.0..=1.0).contains(&e) {
            let must = "between 0 and 1";
            return Err(Error::Range { what: "restitution", index: i, value: e, must });
        }
    }
    Ok(())
}
