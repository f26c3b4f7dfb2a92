//! What a model says of itself against differences. Knows only [`Model`].

use super::report::{Finding, Report};
use crate::error::{Error, Result, collect, finite, length, push, told, zeros};
use crate::linalg::{DefiniteFactor, MatRef, axpy, dot, max_abs};
use crate::model::{Checked, Dims, Model};
use crate::tol;

/// Compares what `model` gives at (t, q, v) with differences of what it gives elsewhere, and with
/// what the interface asks:
///
/// | finding | error is |
/// |---|---|
/// | `mass symmetry` | difference of opposite entries, relative to the largest entry |
/// | `mass definite` | 0, or 1 at the row where the symmetric part is not positive definite |
/// | `rate linear` | rate(v) against the sum over v_j rate(e_j) |
/// | `displace` | displace(d) against q, q + rate and the second order of its flow |
/// | `dfdq`, `dfdv` | against differences of `force` |
/// | `power` | work of the forces even in v against the change of v'Mv/2 at fixed v; 0 where velocities are rates of coordinates and the mass is constant, since then no such force is due |
/// | `jt`, `normal` | against differences of `phi`, `gap` |
/// | `element gradient` | against differences of the elongation of elements |
/// | `element constants` | relative change of stiffness and damping of elements per unit of q and t |
/// | `brake direction` | 0, or 1 at a brake that acts along no direction |
/// | `tangent` | friction directions against their opposites |
/// | `joint accel`, `normal accel`, `tangent accel` | against differences along the motion |
/// | `hosted normal` | normals of contacts that come and go, in the order of their pushes |
/// | `still` | change in time of `phi` and `gap` of a model that says they do not move |
///
/// Wrong derivatives show errors of order one; correct ones stay below 1e-6 unless the functions
/// are rough on the scale of 1e-5 of their arguments.
///
/// # Errors
/// `Dimension` for wrong lengths and for nq != nv without a rate; `NonFinite`; `Value` for odd
/// `n_dir`; `Range` for mu or restitution out of range; `Rejected` and `Callback` from the model.
pub fn check_model(model: &dyn Model, t: f64, q: &[f64], v: &[f64]) -> Result<Report> {
    let d = model.dims();
    check_input(model, &d, q, v)?;
    let mut c = Check { asked: Checked::new(model), d, t, q, v, findings: Vec::new() };
    c.mass()?;
    c.rate()?;
    c.displacement()?;
    c.force()?;
    c.power()?;
    c.constraints()?;
    c.elements()?;
    c.brakes()?;
    c.tangent()?;
    c.acceleration()?;
    c.hosted()?;
    // There is always a mass to check.
    let first =
        c.findings.first().copied().unwrap_or(Finding { what: "mass", error: 0.0, index: 0 });
    let worst = c.findings.iter().fold(first, |w, f| if f.error > w.error { *f } else { w });
    Ok(Report { worst: worst.error, what: worst.what, index: worst.index, findings: c.findings })
}

fn check_input(model: &dyn Model, d: &Dims, q: &[f64], v: &[f64]) -> Result<()> {
    length("q", q, d.nq)?;
    length("v", v, d.nv)?;
    finite("q", q)?;
    finite("v", v)?;
    if d.nq != d.nv && !model.gives_rate() {
        let expected = told(format_args!("nv = {} for a model without a rate", d.nv));
        return Err(Error::Dimension { what: "nq", got: d.nq as i64, expected });
    }
    if d.n_dir % 2 == 1 {
        return Err(Error::Value { what: "n_dir", got: told(d.n_dir), must: "even" });
    }
    for index in 0..d.n_contact {
        let (mu, e) = (model.mu(index), model.restitution(index));
        if !(mu >= 0.0 && mu.is_finite()) {
            return Err(Error::Range { what: "mu", index, value: mu, must: "finite and >= 0" });
        }
        if !(0.0..=1.0).contains(&e) {
            let must = "between 0 and 1";
            return Err(Error::Range { what: "restitution", index, value: e, must });
        }
    }
    Ok(())
}

/// One check in progress.
pub(super) struct Check<'a> {
    pub(super) asked: Checked<'a>,
    pub(super) d: Dims,
    pub(super) t: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    findings: Vec<Finding>,
}

/// The worst of several comparisons.
pub(super) struct Worst {
    error: f64,
    index: usize,
}

impl Worst {
    pub(super) fn new() -> Self {
        Self { error: 0.0, index: 0 }
    }

    pub(super) fn see(&mut self, error: f64, index: usize) {
        if error > self.error {
            (self.error, self.index) = (error, index);
        }
    }

    /// Compares arrays that start at `at`: the error beyond `noise`, relative to the largest entry
    /// of both.
    pub(super) fn compare(&mut self, given: &[f64], expected: &[f64], noise: f64, at: usize) {
        let scale = max_abs(given).max(max_abs(expected)).max(f64::MIN_POSITIVE);
        for (i, (a, b)) in given.iter().zip(expected).enumerate() {
            self.see(((a - b).abs() - noise).max(0.0) / scale, at + i);
        }
    }
}

/// Rounding of a central difference of values of size `size` over +-`s`, with room for what the
/// model loses.
pub(super) fn noise(size: f64, s: f64) -> f64 {
    tol::DIFFERENCE_NOISE * f64::EPSILON * size / s
}

impl Check<'_> {
    pub(super) fn found(&mut self, what: &'static str, w: &Worst) -> Result<()> {
        push(&mut self.findings, Finding { what, error: w.error, index: w.index })
    }

    /// Size of a shift along velocity coordinate: relative to the largest coordinate.
    pub(super) fn shift(&self, x: &[f64]) -> f64 {
        tol::CENTRAL_DIFFERENCE * max_abs(x).max(1.0)
    }

    pub(super) fn rate_of(&self, q: &[f64], v: &[f64]) -> Result<Vec<f64>> {
        let mut rate = zeros(self.d.nq)?;
        if self.asked.model().gives_rate() {
            self.asked.rate(self.t, q, v, &mut rate)?;
        } else {
            rate.copy_from_slice(v);
        }
        Ok(rate)
    }

    /// q moved by s along velocity coordinate j.
    pub(super) fn moved(&self, j: usize, s: f64) -> Result<Vec<f64>> {
        let mut e = zeros(self.d.nv)?;
        e[j] = 1.0;
        let mut q = collect(self.q.iter().copied())?;
        axpy(s, &self.rate_of(self.q, &e)?, &mut q);
        Ok(q)
    }

    fn force_of(&mut self, q: &[f64], v: &[f64]) -> Result<Vec<f64>> {
        let mut f = zeros(self.d.nv)?;
        self.asked.own_force(self.t, q, v, &mut f)?;
        Ok(f)
    }

    fn mass_of(&self, q: &[f64]) -> Result<Vec<f64>> {
        let mut m = zeros(self.d.nv * self.d.nv)?;
        self.asked.mass(self.t, q, &mut m)?;
        Ok(m)
    }

    fn mass(&mut self) -> Result<()> {
        let nv = self.d.nv;
        let m = self.mass_of(self.q)?;
        let scale = max_abs(&m).max(f64::MIN_POSITIVE);
        let mut w = Worst::new();
        for (i, j) in (0..nv).flat_map(|j| (0..j).map(move |i| (i, j))) {
            w.see((m[i + j * nv] - m[j + i * nv]).abs() / scale, i + j * nv);
        }
        self.found("mass symmetry", &w)?;
        let mut w = Worst::new();
        match DefiniteFactor::new(nv)?.factor("mass", MatRef::square("mass", &m, nv)?) {
            Ok(()) => {}
            Err(Error::NotPositiveDefinite { row, .. }) => w.see(1.0, row * (nv + 1)),
            Err(e) => return Err(e),
        }
        self.found("mass definite", &w)
    }

    fn rate(&mut self) -> Result<()> {
        let nv = self.d.nv;
        // Velocities of 0 and 1 would be blind to squares and products.
        let v: Vec<f64> =
            collect((0..nv).map(|j| self.v[j] + 0.37 + 0.21 * (j as f64 + 1.0).sin()))?;
        let whole = self.rate_of(self.q, &v)?;
        let mut sum = zeros(self.d.nq)?;
        let mut e = zeros(nv)?;
        for j in 0..nv {
            e[j] = 1.0;
            axpy(v[j], &self.rate_of(self.q, &e)?, &mut sum);
            e[j] = 0.0;
        }
        let mut w = Worst::new();
        w.compare(&whole, &sum, noise(max_abs(&sum), 1.0), 0);
        self.found("rate linear", &w)
    }

    /// displace(s d) = q + s r + s^2/2 dr/ds with r the rate at d, up to third order.
    fn displacement(&mut self) -> Result<()> {
        if !self.asked.model().gives_displacement() {
            return Ok(());
        }
        let (nq, t) = (self.d.nq, self.t);
        // At rest a displacement with all coordinates says more than none.
        let d: Vec<f64> = collect(self.v.iter().map(|x| x + 1.0))?;
        let s = tol::SECOND_DIFFERENCE / max_abs(&d).max(1.0);
        let mut ends = [zeros(nq)?, zeros(nq)?, zeros(nq)?];
        for (end, s) in ends.iter_mut().zip([-s, 0.0, s]) {
            let step: Vec<f64> = collect(d.iter().map(|x| s * x))?;
            self.asked.displace(t, self.q, &step, end)?;
        }
        let rate = self.rate_of(self.q, &d)?;
        let mut ahead = collect(self.q.iter().copied())?;
        axpy(s, &rate, &mut ahead);
        let mut behind = collect(self.q.iter().copied())?;
        axpy(-s, &rate, &mut behind);
        let (up, down) = (self.rate_of(&ahead, &d)?, self.rate_of(&behind, &d)?);
        let mut w = Worst::new();
        w.compare(&ends[1], self.q, noise(max_abs(self.q), 1.0), 0);
        let size = max_abs(self.q);
        let first: Vec<f64> = collect((0..nq).map(|i| (ends[2][i] - ends[0][i]) / (2.0 * s)))?;
        // What is left of third order: s^2 times a third derivative of about |d|^3.
        let third = s * s * max_abs(&d).powi(3);
        w.compare(&first, &rate, noise(size, s) + third, 0);
        let second: Vec<f64> =
            collect((0..nq).map(|i| (ends[2][i] - 2.0 * ends[1][i] + ends[0][i]) / (s * s)))?;
        let expected: Vec<f64> = collect((0..nq).map(|i| (up[i] - down[i]) / (2.0 * s)))?;
        w.compare(&second, &expected, noise(size, s * s) + s * max_abs(&d).powi(3), 0);
        self.found("displace", &w)
    }

    fn force(&mut self) -> Result<()> {
        if !self.asked.model().gives_force_jac() {
            return Ok(());
        }
        let Dims { nq, nv, .. } = self.d;
        let (mut dfdq, mut dfdv) = (zeros(nv * nq)?, zeros(nv * nv)?);
        self.asked.force_jac(self.t, self.q, self.v, &mut dfdq, &mut dfdv)?;
        let size = max_abs(&self.force_of(self.q, self.v)?);
        let (mut by_q, mut by_v) = (Worst::new(), Worst::new());
        for j in 0..nv {
            let s = self.shift(self.q);
            let (ahead, behind) = (self.moved(j, s)?, self.moved(j, -s)?);
            let (up, down) = (self.force_of(&ahead, self.v)?, self.force_of(&behind, self.v)?);
            let difference: Vec<f64> = collect((0..nv).map(|i| (up[i] - down[i]) / (2.0 * s)))?;
            let mut e = zeros(nv)?;
            e[j] = 1.0;
            let mut given = zeros(nv)?;
            for (i, r) in self.rate_of(self.q, &e)?.iter().enumerate() {
                axpy(*r, &dfdq[i * nv..(i + 1) * nv], &mut given);
            }
            by_q.compare(&given, &difference, noise(size, s), j * nv);
            let s = self.shift(self.v);
            let (mut ahead, mut behind) =
                (collect(self.v.iter().copied())?, collect(self.v.iter().copied())?);
            ahead[j] += s;
            behind[j] -= s;
            let (up, down) = (self.force_of(self.q, &ahead)?, self.force_of(self.q, &behind)?);
            let difference: Vec<f64> = collect((0..nv).map(|i| (up[i] - down[i]) / (2.0 * s)))?;
            by_v.compare(&dfdv[j * nv..(j + 1) * nv], &difference, noise(size, s), j * nv);
        }
        self.found("dfdq", &by_q)?;
        self.found("dfdv", &by_v)
    }

    /// Coriolis and gyroscopic forces are the part of the force that is even in v and zero at rest;
    /// their power is minus half of v' dM/dt v, whatever else acts.
    fn power(&mut self) -> Result<()> {
        let nv = self.d.nv;
        let back: Vec<f64> = collect(self.v.iter().map(|x| -x))?;
        let (plus, minus) = (self.force_of(self.q, self.v)?, self.force_of(self.q, &back)?);
        let rest = self.force_of(self.q, &zeros(nv)?)?;
        // Asked all the same: a force that fails is to be found.
        if !self.asked.model().gives_rate() && self.mass_is_constant()? {
            return self.found("power", &Worst::new());
        }
        let even: Vec<f64> = collect((0..nv).map(|i| 0.5 * (plus[i] + minus[i]) - rest[i]))?;
        let speed = max_abs(self.v).max(1.0);
        let s = self.shift(self.q) / speed;
        let rate = self.rate_of(self.q, self.v)?;
        let energy = |c: &Self, s: f64| -> Result<f64> {
            let mut q = collect(c.q.iter().copied())?;
            axpy(s, &rate, &mut q);
            let m = c.mass_of(&q)?;
            Ok((0..nv).map(|j| 0.5 * c.v[j] * dot(&m[j * nv..(j + 1) * nv], c.v)).sum())
        };
        let (up, down) = (energy(self, s)?, energy(self, -s)?);
        let change = (up - down) / (2.0 * s);
        let power = dot(&even, self.v);
        let scale: f64 = even.iter().zip(self.v).map(|(f, v)| (f * v).abs()).sum();
        let scale = scale.max(change.abs()).max(f64::MIN_POSITIVE);
        let terms: f64 = plus.iter().zip(self.v).map(|(f, v)| (f * v).abs()).sum();
        let slack = noise(terms, 1.0) + noise(up.abs(), s);
        let mut w = Worst::new();
        w.see(((power + change).abs() - slack).max(0.0) / scale, 0);
        self.found("power", &w)
    }

    /// Whether the mass is the same around q, to the last bit but rounding.
    fn mass_is_constant(&self) -> Result<bool> {
        let (here, s) = (self.mass_of(self.q)?, self.shift(self.q));
        let slack = noise(max_abs(&here), 1.0);
        for j in 0..self.d.nv {
            let there = self.mass_of(&self.moved(j, s)?)?;
            if here.iter().zip(&there).any(|(a, b)| (a - b).abs() > slack) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn constraints(&mut self) -> Result<()> {
        let Dims { nv, n_joint, n_contact, .. } = self.d;
        let asked = |c: &Self, t: f64, q: &[f64]| -> Result<[Vec<f64>; 4]> {
            let (mut phi, mut jt) = (zeros(n_joint)?, zeros(nv * n_joint)?);
            let (mut gap, mut normal) = (zeros(n_contact)?, zeros(nv * n_contact)?);
            c.asked.joint(t, q, &mut phi, &mut jt)?;
            c.asked.gap(t, q, &mut gap, &mut normal)?;
            Ok([phi, gap, jt, normal])
        };
        let here = asked(self, self.t, self.q)?;
        let s = self.shift(self.q);
        let mut differences = [zeros(nv * n_joint)?, zeros(nv * n_contact)?];
        for j in 0..nv {
            let up = asked(self, self.t, &self.moved(j, s)?)?;
            let down = asked(self, self.t, &self.moved(j, -s)?)?;
            for (kind, d) in differences.iter_mut().enumerate() {
                for i in 0..up[kind].len() {
                    d[i * nv + j] = (up[kind][i] - down[kind][i]) / (2.0 * s);
                }
            }
        }
        for (kind, what) in [(0, "jt"), (1, "normal")] {
            let mut w = Worst::new();
            // Values of the size of q are subtracted in most gaps and joints, whatever the result.
            let size = max_abs(&here[kind]).max(max_abs(self.q));
            for i in 0..here[kind].len() {
                let at = i * nv..(i + 1) * nv;
                w.compare(
                    &here[2 + kind][at.clone()],
                    &differences[kind][at],
                    noise(size, s),
                    i * nv,
                );
            }
            self.found(what, &w)?;
        }
        if !self.asked.model().constraints_move() {
            let later = asked(self, self.t + 1.0, self.q)?;
            let mut w = Worst::new();
            w.compare(&later[0], &here[0], 0.0, 0);
            w.compare(&later[1], &here[1], 0.0, n_joint);
            self.found("still", &w)?;
        }
        Ok(())
    }

    fn tangent(&mut self) -> Result<()> {
        let Dims { nv, n_contact, n_dir, .. } = self.d;
        let mut tangent = zeros(nv * n_contact * n_dir)?;
        self.asked.tangent(self.t, self.q, &mut tangent)?;
        let mut w = Worst::new();
        let half = nv * n_dir / 2;
        for (i, set) in tangent.chunks_exact((nv * n_dir).max(1)).enumerate() {
            let opposite: Vec<f64> = collect(set[half..].iter().map(|x| -x))?;
            w.compare(&opposite, &set[..half], 0.0, i * nv * n_dir + half);
        }
        self.found("tangent", &w)
    }
}
