//! Coriolis and centrifugal forces from the mass matrix alone, by differences. Knows no method.

use super::{Checked, Model};
use crate::error::{Error, Result, collect, finite, finite_number, length, zeros};
use crate::linalg::{dot, max_abs};
use crate::tol;

/// The force that a mass matrix depending on position (and time) makes at (t, q, v), to be part of
/// [`Model::force`]: minus dM/dt v plus half the gradient of v'Mv at fixed v, nv numbers into `out`.
/// By central differences of the mass, with an error of about 1e-10 of it per unit of length and
/// squared speed.
///
/// # Errors
/// `Dimension`, `NonFinite`; `Value` for a model with a rate, whose mass alone does not determine
/// them; `Rejected` and `Callback` from the model. `out` is then untouched.
pub fn coriolis(model: &dyn Model, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) -> Result<()> {
    let (d, asked) = (model.dims(), Checked::new(model));
    length("q", q, d.nq)?;
    length("v", v, d.nv)?;
    length("out", out, d.nv)?;
    finite_number("t", t)?;
    finite("q", q)?;
    finite("v", v)?;
    if model.gives_rate() || d.nq != d.nv {
        let must = "without a rate: velocities are derivatives of coordinates";
        return Err(Error::Value { what: "model", got: "one with a rate".into(), must });
    }
    let nv = d.nv;
    let mut mass = zeros(nv * nv)?;
    let mut moved = collect(q.iter().copied())?;
    let mut force = zeros(nv)?;
    // exact: nothing changes along a motion at rest
    let fastest = max_abs(v);
    if fastest > 0.0 {
        let s = tol::CENTRAL_DIFFERENCE * max_abs(q).max(1.0) / fastest.max(1.0);
        for (side, sign) in [(s, -1.0), (-s, 1.0)] {
            moved.iter_mut().zip(q.iter().zip(v)).for_each(|(x, (q, v))| *x = q + side * v);
            asked.mass(t + side, &moved, &mut mass)?;
            for (i, f) in force.iter_mut().enumerate() {
                *f += sign * (0..nv).map(|j| mass[i + j * nv] * v[j]).sum::<f64>() / (2.0 * s);
            }
        }
        moved.copy_from_slice(q);
        for i in 0..nv {
            let s = tol::CENTRAL_DIFFERENCE * q[i].abs().max(1.0);
            for (side, sign) in [(s, 1.0), (-s, -1.0)] {
                moved[i] = q[i] + side;
                asked.mass(t, &moved, &mut mass)?;
                let twice: f64 = (0..nv).map(|j| v[j] * dot(&mass[j * nv..(j + 1) * nv], v)).sum();
                force[i] += sign * 0.5 * twice / (2.0 * s);
            }
            moved[i] = q[i];
        }
    }
    finite("coriolis", &force)?;
    out.copy_from_slice(&force);
    Ok(())
}
