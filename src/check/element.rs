//! Elements and brakes of a model against differences and against what the interface asks. Knows only
//! [`Model`](crate::model::Model).

use super::derivative::{Check, Worst, noise};
use crate::error::{Result, zeros};
use crate::linalg::max_abs;
use crate::model::{Dims, Elements};

impl Check<'_> {
    /// Gradients of elements against their elongations; their constants must be constant.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn elements(&mut self) -> Result<()> {
        let Dims { nv, n_element, .. } = self.d;
        if n_element == 0 {
            return Ok(());
        }
        let at = |c: &Self, t: f64, q: &[f64]| -> Result<Elements> {
            let mut e = Elements::new(&c.d)?;
            c.asked.elements(t, q, &mut e)?;
            Ok(e)
        };
        let (t, here) = (self.t, at(self, self.t, self.q)?);
        let mut constant = Worst::new();
        let mut apart = |up: &Elements, down: &Elements, s: f64| {
            for (a, b) in [(&up.stiffness, &down.stiffness), (&up.damping, &down.damping)] {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    let slack = noise(a.abs().max(b.abs()), 1.0);
                    let change = ((a - b).abs() - slack).max(0.0) / (2.0 * s);
                    constant.see(change / a.abs().max(b.abs()).max(f64::MIN_POSITIVE), i);
                }
            }
        };
        let s = self.shift(self.q);
        let mut differences = zeros(nv * n_element)?;
        for j in 0..nv {
            let (up, down) = (self.moved(j, s)?, self.moved(j, -s)?);
            let (up, down) = (at(self, t, &up)?, at(self, t, &down)?);
            apart(&up, &down, s);
            for i in 0..n_element {
                differences[i * nv + j] = (up.phi[i] - down.phi[i]) / (2.0 * s);
            }
        }
        let s_t = self.shift(&[t]);
        apart(&at(self, t + s_t, self.q)?, &at(self, t - s_t, self.q)?, s_t);
        let size = max_abs(&here.phi).max(max_abs(self.q));
        let (mut w, mut gradient) = (Worst::new(), zeros(nv)?);
        for i in 0..n_element {
            let given = &differences[i * nv..(i + 1) * nv];
            here.gradient(i).write(&mut gradient);
            w.compare(&gradient, given, noise(size, s), i * nv);
        }
        self.found("element gradient", &w)?;
        self.found("element constants", &constant)
    }

    /// Brakes, whose bounds are tested when they are asked.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn brakes(&mut self) -> Result<()> {
        let Dims { nv, n_brake, .. } = self.d;
        if n_brake == 0 {
            return Ok(());
        }
        let (mut bound, mut direction) = (zeros(n_brake)?, zeros(nv * n_brake)?);
        self.asked.brake(self.t, self.q, &mut bound, &mut direction)?;
        let mut w = Worst::new();
        for (i, column) in direction.chunks_exact(nv.max(1)).enumerate() {
            // exact: only a column that was never written is all zeros
            if bound[i] > 0.0 && column.iter().all(|&x| x == 0.0) {
                w.see(1.0, i);
            }
        }
        self.found("brake direction", &w)
    }
}
