//! Derivatives of the force, given or by differences, and their definite part. Knows no method.

use super::host::Host;
use super::options::Jacobian;
use crate::error::Result;
use crate::linalg::{Blocked, axpy, dot};
use crate::model::Elements;
use crate::tol;

impl Host<'_> {
    /// Derivatives of the model's own force at (t, q, v), both nv by nv: `k` along displacements of
    /// the position, `c` along the velocity.
    pub(super) fn force_jacobian(
        &mut self,
        how: Jacobian,
        t: f64,
        q: &[f64],
        v: &[f64],
        k: &mut Blocked,
        c: &mut Blocked,
    ) -> Result<()> {
        if !k.is_whole() {
            return self.asked.force_jac_blocks(t, q, v, k, c);
        }
        if self.asked.model().gives_force_jac() {
            self.asked.force_jac(t, q, v, &mut self.scratch.dfdq, c)?;
            return self.along_displacements(t, q, k);
        }
        k.fill(0.0);
        c.fill(0.0);
        if how == Jacobian::Explicit {
            return Ok(());
        }
        let nv = self.dims.nv;
        let s = &mut *self.scratch;
        self.asked.own_force(t, q, v, &mut s.here)?;
        for j in 0..nv {
            let size = self.shift(t, q, j)?;
            let s = &mut *self.scratch;
            self.asked.own_force(t, &s.q, v, &mut s.force)?;
            difference(&s.force, &s.here, size, &mut k[j * nv..(j + 1) * nv]);
            s.v.copy_from_slice(v);
            s.v[j] += tol::DIFFERENCE * (v[j].abs() + self.length);
            let size = s.v[j] - v[j];
            self.asked.own_force(t, q, &s.v, &mut s.force)?;
            difference(&s.force, &s.here, size, &mut c[j * nv..(j + 1) * nv]);
        }
        Ok(())
    }

    /// Adds the derivatives of the forces of `elements`, evaluated at (t, q): (step.51); without the
    /// turning of their gradients unless `turning`.
    pub(super) fn add_element_jacobian(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        elements: &Elements,
        turning: bool,
        (k, c): (&mut Blocked, &mut Blocked),
    ) -> Result<()> {
        elements.subtract_products(k, c);
        if !turning {
            return Ok(());
        }
        let nv = self.dims.nv;
        for j in 0..nv {
            let size = self.shift(t, q, j)?;
            let s = &mut *self.scratch;
            self.asked.elements(t, &s.q, &mut s.elements)?;
            let column = &mut k[j * nv..(j + 1) * nv];
            for i in 0..elements.count() {
                let (g, near) = (elements.gradient(i), s.elements.gradient(i));
                near.write(&mut s.here);
                g.write(&mut s.force);
                s.here.iter_mut().zip(&s.force).for_each(|(near, g)| *near = (*near - g) / size);
                axpy(-elements.tension(i, v), &s.here, column);
                g.add(-elements.damping[i] * dot(&s.here, v), column);
            }
        }
        Ok(())
    }

    /// k := dfdq B, where B maps velocities to rates of q.
    fn along_displacements(&mut self, t: f64, q: &[f64], k: &mut [f64]) -> Result<()> {
        let nv = self.dims.nv;
        if !self.asked.model().gives_rate() {
            k.copy_from_slice(&self.scratch.dfdq);
            return Ok(());
        }
        k.fill(0.0);
        for j in 0..nv {
            let s = &mut *self.scratch;
            s.v.fill(0.0);
            s.v[j] = 1.0;
            self.asked.rate(t, q, &s.v, &mut s.rate)?;
            // exact: a velocity moves the coordinates of its own body only
            for (i, &r) in s.rate.iter().enumerate().filter(|(_, r)| **r != 0.0) {
                axpy(r, &s.dfdq[i * nv..(i + 1) * nv], &mut k[j * nv..(j + 1) * nv]);
            }
        }
        Ok(())
    }

    /// scratch.q := q moved a little along velocity coordinate `j`; gives how far.
    pub(super) fn shift(&mut self, t: f64, q: &[f64], j: usize) -> Result<f64> {
        let s = &mut *self.scratch;
        s.q.copy_from_slice(q);
        if self.asked.model().gives_rate() {
            let size = tol::DIFFERENCE * self.length;
            s.v.fill(0.0);
            s.v[j] = size;
            self.asked.rate(t, q, &s.v, &mut s.rate)?;
            axpy(1.0, &s.rate, &mut s.q);
            return Ok(size);
        }
        s.q[j] += tol::DIFFERENCE * (q[j].abs() + self.length);
        Ok(s.q[j] - q[j])
    }
}

fn difference(there: &[f64], here: &[f64], size: f64, out: &mut [f64]) {
    for ((out, there), here) in out.iter_mut().zip(there).zip(here) {
        *out = (there - here) / size;
    }
}

/// Replaces the n by n matrix `a` by the negative semidefinite part of its symmetric part,
/// (step.4): eigenvalues by Jacobi's rotations, the positive ones dropped. `vectors` is work space
/// of the same size.
pub(super) fn negative_part(n: usize, a: &mut [f64], vectors: &mut [f64], values: &mut [f64]) {
    for j in 0..n {
        for i in 0..j {
            let mean = 0.5 * (a[i + j * n] + a[j + i * n]);
            (a[i + j * n], a[j + i * n]) = (mean, mean);
        }
    }
    vectors.fill(0.0);
    for i in 0..n {
        vectors[i + i * n] = 1.0;
    }
    // Convergence is quadratic; ten sweeps are beyond what any matrix needs.
    for _ in 0..10 {
        for q in 1..n {
            for p in 0..q {
                rotate(n, a, vectors, p, q);
            }
        }
    }
    for (i, value) in values.iter_mut().enumerate().take(n) {
        *value = a[i + i * n].min(0.0);
    }
    a.fill(0.0);
    for (k, &value) in values.iter().enumerate().take(n) {
        let x = &vectors[k * n..(k + 1) * n];
        for j in 0..n {
            axpy(value * x[j], x, &mut a[j * n..(j + 1) * n]);
        }
    }
}

/// One rotation that clears entry (p, q) of the symmetric matrix `a`.
fn rotate(n: usize, a: &mut [f64], vectors: &mut [f64], p: usize, q: usize) {
    let off = a[p + q * n];
    // exact: nothing to clear
    if off == 0.0 {
        return;
    }
    let ratio = (a[q + q * n] - a[p + p * n]) / (2.0 * off);
    let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for i in 0..n {
        let (x, y) = (a[i + p * n], a[i + q * n]);
        a[i + p * n] = cosine * x - sine * y;
        a[i + q * n] = sine * x + cosine * y;
    }
    for j in 0..n {
        let (x, y) = (a[p + j * n], a[q + j * n]);
        a[p + j * n] = cosine * x - sine * y;
        a[q + j * n] = sine * x + cosine * y;
    }
    for i in 0..n {
        let (x, y) = (vectors[i + p * n], vectors[i + q * n]);
        vectors[i + p * n] = cosine * x - sine * y;
        vectors[i + q * n] = sine * x + cosine * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_negative_part_keeps_what_damps_and_drops_what_drives() {
        // Eigenvalues 1 and -3 with eigenvectors (1, 1) and (1, -1); the antisymmetric part goes.
        let mut a = [-1.0, 2.5, 1.5, -1.0];
        negative_part(2, &mut a, &mut [0.0; 4], &mut [0.0; 2]);
        for (x, y) in a.iter().zip([-1.5, 1.5, 1.5, -1.5]) {
            assert!((x - y).abs() < 1e-15, "{a:?}");
        }
    }
}
