//! One complementarity problem as plain column-major arrays, with or without free unknowns.

use super::rng::Rng;
use stiction::lcp::mixed_residual;
use stiction::linalg::MatRef;

/// Rows `0 .. n_free` of M x + q are zero and belong to free unknowns, the others are complementary.
pub struct Problem {
    /// Free unknowns; zero for a plain LCP.
    pub n_free: usize,
    /// Column-major, square, of the size of `q`.
    pub m: Vec<f64>,
    /// Right-hand side.
    pub q: Vec<f64>,
}

impl Problem {
    /// Number of unknowns, the free ones included.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// The matrix.
    pub fn matrix(&self) -> stiction::error::Result<MatRef<'_>> {
        MatRef::square("m", &self.m, self.n())
    }

    /// The residual that decides; infinite where it cannot be computed.
    pub fn residual(&self, x: &[f64]) -> f64 {
        self.matrix()
            .and_then(|m| mixed_residual(self.n_free, m, &self.q, x))
            .unwrap_or(f64::INFINITY)
    }

    /// The same problem with its unknowns and rows in another order; free ones stay in front.
    pub fn permuted(&self, seed: u64) -> Problem {
        let n = self.n();
        let mut rng = Rng::new(seed);
        let mut order: Vec<usize> = (0..n).collect();
        let (free, complementary) = order.split_at_mut(self.n_free);
        rng.shuffle(free);
        rng.shuffle(complementary);
        let mut m = Vec::with_capacity(n * n);
        for &j in &order {
            m.extend(order.iter().map(|&i| self.m[i + j * n]));
        }
        let q = order.iter().map(|&i| self.q[i]).collect();
        Problem { n_free: self.n_free, m, q }
    }
}
