//! Whether the friction cone of touching contacts is pointed. Knows only [`Model`] and the velocity
//! problem.

use crate::error::{Result, collect, grow, push, zeros};
use crate::linalg::MatRef;
use crate::model::{Checked, ContactSet, Model};
use crate::velocity::{Brakes, Problem, Rows};

/// [`Problem::cone_margin`] of the contacts of `model` with gaps up to `near` at (t, q), also of those
/// that come and go: 0 where impulses of contacts and joints can cancel, so that nothing bounds them.
///
/// # Errors
/// `Rejected` and `Callback` from the model, and what its pushes fail with; those of [`Problem::cone_margin`].
pub fn cone_margin(model: &dyn Model, t: f64, q: &[f64], near: f64) -> Result<f64> {
    let (d, asked) = (model.dims(), Checked::new(model));
    crate::error::length("q", q, d.nq)?;
    let mut mass = zeros(d.nv * d.nv)?;
    asked.mass(t, q, &mut mass)?;
    let (mut phi, mut jt) = (zeros(d.n_joint)?, zeros(d.nv * d.n_joint)?);
    asked.joint(t, q, &mut phi, &mut jt)?;
    let (mut gap, mut normal) = (zeros(d.n_contact)?, zeros(d.nv * d.n_contact)?);
    asked.gap(t, q, &mut gap, &mut normal)?;
    let mut tangent = zeros(d.nv * d.n_contact * d.n_dir)?;
    asked.tangent(t, q, &mut tangent)?;
    let touching: Vec<usize> = collect((0..d.n_contact).filter(|&i| gap[i] <= near))?;
    let columns = |from: &[f64], n: usize| {
        collect(touching.iter().flat_map(|&i| from[i * n..(i + 1) * n].iter().copied()))
    };
    let (mut normal, mut tangent) = (columns(&normal, d.nv)?, columns(&tangent, d.nv * d.n_dir)?);
    let mut mu: Vec<f64> = collect(touching.iter().map(|&i| model.mu(i)))?;
    let mut pushed = ContactSet::new(d.nv, d.n_dir, model.hosted());
    if model.hosted() > 0 {
        asked.contacts(t, q, near, &mut pushed)?;
    }
    // A host may push more than it is asked for.
    for k in (0..pushed.len()).filter(|&k| pushed.gap(k) <= near && pushed.counts(k)) {
        push(&mut mu, pushed.mu(k))?;
        grow(&mut normal, d.nv)?;
        grow(&mut tangent, d.nv * d.n_dir)?;
        normal.resize(d.nv * mu.len(), 0.0);
        pushed.write_normal(k, &mut normal[d.nv * (mu.len() - 1)..]);
        tangent.resize(d.nv * d.n_dir * mu.len(), 0.0);
        pushed.write_directions(k, &mut tangent[d.nv * d.n_dir * (mu.len() - 1)..]);
    }
    let p = zeros(d.nv)?;
    let view = |what, x, n| MatRef::new(what, x, d.nv, n, d.nv);
    let problem = Problem {
        mass: MatRef::square("mass", &mass, d.nv)?.into(),
        p: &p,
        joint: Rows::same(view("jt", &jt, d.n_joint)?),
        normal: Rows::same(view("normal", &normal, mu.len())?),
        tangent: Rows::same(view("tangent", &tangent, mu.len() * d.n_dir)?),
        n_dir: d.n_dir,
        mu: &mu,
        brake: Brakes::NONE,
    };
    problem.cone_margin()
}
