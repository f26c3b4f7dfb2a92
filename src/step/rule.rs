//! Which rule a method is: the one list that a new method is added to. Knows no numerics.

use super::capture::{self, Capture};
use super::euler::Euler;
use super::implicit_euler::ImplicitEuler;
use super::method::Method;
use super::moreau::Moreau;
use super::options::MethodKind;
use super::schatzman_paoli::SchatzmanPaoli;
use super::stewart_trinkle::StewartTrinkle;
use super::trapezoid::{Scheme, Trapezoid};
use crate::error::{Error, Result, told};

/// The rule of `kind`.
///
/// # Errors
/// `Value` for a method that this version does not have.
pub(super) fn of(kind: MethodKind) -> Result<&'static dyn Method> {
    Ok(match kind {
        MethodKind::Trapezoid => &Trapezoid(Scheme::Mixed),
        MethodKind::TrapezoidI => &Trapezoid(Scheme::I),
        MethodKind::TrapezoidII => &Trapezoid(Scheme::II),
        MethodKind::Euler => &Euler,
        MethodKind::ImplicitEuler => &ImplicitEuler,
        MethodKind::StewartTrinkle => &StewartTrinkle,
        MethodKind::Moreau => &Moreau,
        MethodKind::SchatzmanPaoli => &SchatzmanPaoli,
        // Every other is a Runge-Kutta method; a number that names none has been refused before.
        other if capture::order(other).is_some() => &Capture,
        other => {
            let got = told(format_args!("{other:?}"));
            return Err(Error::Value { what: "method", got, must: "a method with a rule" });
        }
    })
}
