//! What a model says of accelerations against differences of its directions. Knows only
//! [`Model`](crate::model::Model).

use super::derivative::{Check, Worst, noise};
use crate::error::{Result, collect, zeros};
use crate::linalg::{axpy, dot, max_abs};
use crate::tol;

/// Rates of joints, gaps and slip, and the largest number they are made of.
struct Rates {
    rates: [Vec<f64>; 3],
    size: f64,
}

impl Check<'_> {
    /// The terms that velocity alone adds to accelerations, where the model gives them.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn acceleration(&mut self) -> Result<()> {
        if !self.asked.model().gives_acceleration_terms() {
            return Ok(());
        }
        let (nj, nc) = (self.d.n_joint, self.d.n_contact);
        let mut given = [zeros(nj)?, zeros(nc)?, zeros(nc * self.d.n_dir)?];
        let [joint, normal, tangent] = &mut given;
        self.asked.acceleration_terms(self.t, self.q, self.v, joint, normal, tangent)?;
        // Rates of what moves by itself are differences already: their differences are second ones.
        let moves = self.asked.model().constraints_move();
        let part = if moves { tol::SECOND_DIFFERENCE } else { tol::CENTRAL_DIFFERENCE };
        let s = part * max_abs(self.q).max(1.0) / max_abs(self.v).max(1.0);
        let rate = self.rate_of(self.q, self.v)?;
        let along = |check: &Self, s: f64, dt: f64| {
            let mut q = collect(check.q.iter().copied())?;
            axpy(s, &rate, &mut q);
            check.rates(check.t + s, &q, dt)
        };
        let dt = if moves { s } else { 0.0 };
        let (up, down) = (along(self, s, dt)?, along(self, -s, dt)?);
        let mut slack = noise(up.size, s);
        if moves {
            slack += noise(max_abs(self.q).max(1.0), s * s);
        }
        for (kind, what) in ["joint accel", "normal accel", "tangent accel"].into_iter().enumerate()
        {
            let pairs = up.rates[kind].iter().zip(&down.rates[kind]);
            let differences: Vec<f64> = collect(pairs.map(|(up, down)| (up - down) / (2.0 * s)))?;
            let mut w = Worst::new();
            w.compare(&given[kind], &differences, slack, 0);
            self.found(what, &w)?;
        }
        Ok(())
    }

    /// jt'v + d phi/dt, normal'v + d gap/dt and tangent'v at (t, q); `dt` is half the distance of
    /// the differences in time, zero for what does not move by itself.
    fn rates(&self, t: f64, q: &[f64], dt: f64) -> Result<Rates> {
        let (nv, nj, nc) = (self.d.nv, self.d.n_joint, self.d.n_contact);
        let columns = nc * self.d.n_dir;
        let (mut phi, mut jt) = (zeros(nj)?, zeros(nv * nj)?);
        let (mut gap, mut normal) = (zeros(nc)?, zeros(nv * nc)?);
        let mut tangent = zeros(nv * columns)?;
        let mut in_time = [zeros(nj)?, zeros(nc)?, zeros(columns)?];
        // exact: set by the caller
        if dt != 0.0 {
            for (side, factor) in [(dt, 0.5 / dt), (-dt, -0.5 / dt)] {
                self.asked.joint(t + side, q, &mut phi, &mut jt)?;
                self.asked.gap(t + side, q, &mut gap, &mut normal)?;
                axpy(factor, &phi, &mut in_time[0]);
                axpy(factor, &gap, &mut in_time[1]);
            }
        }
        self.asked.joint(t, q, &mut phi, &mut jt)?;
        self.asked.gap(t, q, &mut gap, &mut normal)?;
        self.asked.tangent(t, q, &mut tangent)?;
        let mut size = 0.0f64;
        for (rates, directions) in in_time.iter_mut().zip([&jt, &normal, &tangent]) {
            for (rate, direction) in rates.iter_mut().zip(directions.chunks_exact(nv.max(1))) {
                *rate += dot(direction, self.v);
                size = size.max(max_abs(direction) * max_abs(self.v));
            }
        }
        Ok(Rates { rates: in_time, size })
    }
}
