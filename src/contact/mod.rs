//! What describes a contact: friction directions, friction and restitution coefficients. Knows
//! neither bodies nor how impulses are found.

mod cone;

pub use cone::check_directions;

use crate::error::{Error, Result, finite, length};

/// Refuses friction coefficients that are not one finite number >= 0 per contact.
///
/// # Errors
/// `Dimension`, `NonFinite`, `Range`.
pub fn check_friction(mu: &[f64], n_contact: usize) -> Result<()> {
    length("mu", mu, n_contact)?;
    finite("mu", mu)?;
    match mu.iter().position(|&x| x < 0.0) {
        Some(index) => Err(Error::Range { what: "mu", index, value: mu[index], must: ">= 0" }),
        None => Ok(()),
    }
}

/// Refuses restitution coefficients that are not one number in [0, 1] per contact.
///
/// # Errors
/// `Dimension`, `NonFinite`, `Range`.
pub fn check_restitution(e: &[f64], n_contact: usize) -> Result<()> {
    length("restitution", e, n_contact)?;
    finite("restitution", e)?;
    match e.iter().position(|x| !(0.0..=1.0).contains(x)) {
        Some(index) => Err(Error::Range {
            what: "restitution",
            index,
            value: e[index],
            must: "between 0 and 1",
        }),
        None => Ok(()),
    }
}
