//! What a check of a model found, and its text. Knows no model.

use crate::error::told;
use std::fmt;

/// The worst of one kind of check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// What was compared.
    pub what: &'static str,
    /// Largest relative error.
    pub error: f64,
    /// Where: the entry of the array as in memory, along velocities where the array has a column
    /// per position.
    pub index: usize,
}

/// What [`check_model`](super::check_model) found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Largest relative error of all checks.
    pub worst: f64,
    /// What it belongs to.
    pub what: &'static str,
    /// Where.
    pub index: usize,
    /// The worst of each check, in the order they were made.
    pub findings: Vec<Finding>,
}

impl Report {
    /// What is wrong, the worst first: of each check with an error above `limit` its worst entry.
    /// What agreed best otherwise.
    pub fn text(&self, limit: f64) -> String {
        told(Wrong(self, limit)).into_owned()
    }
}

/// What is wrong with a model, written piece by piece.
struct Wrong<'a>(&'a Report, f64);

impl fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong(report, limit) = *self;
        let wrong = || report.findings.iter().filter(move |x| x.error > limit);
        // The next after one that was told, in the order of errors; of equal ones the earlier comes first.
        let order = |a: &&Finding, b: &&Finding| b.error.total_cmp(&a.error);
        let after = |told: Option<&Finding>| {
            let Some(told) = told else { return wrong().min_by(order) };
            let mut equal = wrong().filter(|x| x.error.total_cmp(&told.error).is_eq());
            let next = equal.by_ref().skip_while(|x| !std::ptr::eq(*x, told)).nth(1);
            next.or_else(|| wrong().filter(|x| x.error < told.error).min_by(order))
        };
        let Some(worst) = after(None) else {
            return write!(f, "every check agrees to {:e}", report.worst);
        };
        place(worst, f)?;
        write!(f, " has the largest relative error, {:e}", worst.error)?;
        let (mut last, mut sign) = (worst, "; also wrong: ");
        while let Some(next) = after(Some(last)) {
            f.write_str(sign)?;
            place(next, f)?;
            write!(f, " by {:e}", next.error)?;
            (last, sign) = (next, ", ");
        }
        Ok(())
    }
}

/// The name of what was found wrong.
fn place(found: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match found.what {
        "power" => f.write_str("power (Coriolis forces, or a force like lift that is even in v)"),
        what => write!(f, "{what}[{}]", found.index),
    }
}
