//! What is left when no solution was found: the ray on which the path ended. Knows the path, not
//! the way it came.

use super::engine::Problem;
use super::path::{Path, Var};
use crate::error::{Result, reserve};
use crate::linalg::MatRef;
use crate::linalg::kernel::{dot, max_abs};
use crate::tol;

/// Sums of terms at least this large do not notice what is rounded to zero.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// A secondary ray of (lcp.6) in the units of the problem: z + t z^h, w + t w^h, z_0 + t z_0^h stay
/// almost complementary for all t >= 0.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ray {
    /// z^h >= 0.
    pub z: Vec<f64>,
    /// w^h = M z^h + d z_0^h >= 0.
    pub w: Vec<f64>,
    /// z_0^h >= 0.
    pub artificial: f64,
    /// Unknowns that make the ray: those with z^h_i > 0, ascending.
    pub rows: Vec<usize>,
    /// Proven: z^h >= 0, M'z^h <= 0 and q'z^h < 0 up to rounding, so no z >= 0 has M z + q >= 0,
    /// (lcp.18).
    pub infeasible: bool,
}

impl Ray {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            z: reserve(n_max)?,
            w: reserve(n_max)?,
            artificial: 0.0,
            rows: reserve(n_max)?,
            infeasible: false,
        })
    }

    /// Reads the ray from the direction of `entering` in `path`; `q` in the units of the problem.
    /// False when numbers overflow: then nothing can be said of it.
    pub(super) fn read(&mut self, p: &Problem<'_>, q: &[f64], path: &Path, entering: Var) -> bool {
        let mut length = 1.0;
        self.fill(p, path, entering, length);
        // A ray is one up to its length: where scales of 1e300 make it overflow, a shorter one is as good.
        if !self.is_finite() {
            length = f64::MIN_POSITIVE;
            self.fill(p, path, entering, length);
        }
        self.rows.clear();
        self.rows.extend((0..p.n()).filter(|&i| self.z[i] > tol::LCP_PIVOT * p.c[i] * length));
        self.infeasible = self.excludes(p.m, q);
        self.is_finite()
    }

    /// The ray of a reduced mixed problem as one of its first pairs, whose rows and columns were scaled by
    /// `r` and `c`; `swapped` says of which pairs the two variables have changed places. False when numbers
    /// overflow.
    pub(super) fn of_pairs(&mut self, swapped: &[bool], r: &[f64], c: &[f64]) -> bool {
        let pairs = swapped.len();
        self.z.truncate(pairs);
        self.w.truncate(pairs);
        let floor = tol::LCP_PIVOT * max_abs(&self.z).max(max_abs(&self.w));
        self.rows.retain(|&i| i < pairs && !swapped[i]);
        for i in (0..pairs).filter(|&i| swapped[i]) {
            std::mem::swap(&mut self.z[i], &mut self.w[i]);
            if self.z[i] > floor {
                self.rows.push(i);
            }
        }
        self.rows.sort_unstable();
        self.z.iter_mut().zip(c).for_each(|(z, c)| *z *= c);
        self.w.iter_mut().zip(r).for_each(|(w, r)| *w /= r);
        self.is_finite()
    }

    fn is_finite(&self) -> bool {
        self.z.iter().chain(&self.w).all(|x| x.is_finite())
    }

    /// The rates of all variables in the units of the problem, times `length`.
    fn fill(&mut self, p: &Problem<'_>, path: &Path, entering: Var, length: f64) {
        let n = p.n();
        for v in [&mut self.z, &mut self.w] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.artificial = 0.0;
        let moves = path.basic.iter().copied().zip(path.dir.iter().copied());
        for (v, rate) in moves.chain([(entering, 1.0)]) {
            let rate = rate.max(0.0) * length;
            if v < n {
                self.w[v] = rate / p.r[v];
            } else if v < 2 * n {
                self.z[v - n] = rate * p.c[v - n];
            } else {
                self.artificial = rate;
            }
        }
    }

    /// The test of (lcp.18) with y = z^h, each sum judged against the rounding of its own terms: a
    /// positive sum, however small beside others, could be outweighed by a large z.
    fn excludes(&self, m: MatRef<'_>, q: &[f64]) -> bool {
        let y = &self.z;
        let terms = |x: &[f64]| y.iter().zip(x).map(|(y, x)| (y * x).abs()).sum::<f64>();
        let rounding = f64::EPSILON * y.len() as f64;
        // A sum says nothing where its terms overflow, nor where rounding to zero may have taken some away.
        let known = |size: f64, x: &[f64]| {
            let empty = || y.iter().zip(x).all(|(y, x)| *y == 0.0 || *x == 0.0);
            size.is_finite() && (size >= LEAST || empty())
        };
        let size = terms(q);
        size > 0.0
            && known(size, q)
            && dot(y, q) < -tol::LCP_RESIDUAL * size
            && (0..y.len()).all(|j| {
                let (column, size) = (m.col(j), terms(m.col(j)));
                known(size, column) && dot(column, y) <= rounding * size
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether y proves that M = (m), q = (-1) has no solution.
    fn excludes(y: f64, m: f64) -> bool {
        let mut ray = Ray::new(1).unwrap();
        ray.z.push(y);
        ray.excludes(MatRef::square("m", &[m], 1).unwrap(), &[-1.0])
    }

    #[test]
    fn sums_beyond_all_numbers_or_rounded_to_zero_prove_nothing() {
        // z = 1 / m solves it for every m > 0.
        assert!(!excludes(1e200, 1e200) && !excludes(1e-200, 1e-200));
        assert!(!excludes(1.0, 1e-300) && !excludes(1e200, 1.0));
        assert!(excludes(1.0, 0.0) && excludes(1.0, -1.0) && excludes(1e-200, 0.0));
    }
}
