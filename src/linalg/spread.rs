//! How far numbers spread in a solution: the roots of the diagonal of an inverse, from factors with a profile. Knows
//! neither who asks nor what for.

use super::skyline::Profile;
use crate::error::{Result, grow, reserve};
use std::ops::Range;

/// The spreads of the rows of a matrix, block by block.
#[derive(Debug)]
pub(super) struct Spreads {
    of: Vec<f64>,
    /// Entries of the inverse of one block within its profile.
    inverse: Vec<f64>,
}

impl Spreads {
    /// For matrices of up to `n_max` rows whose blocks have `numbers` entries in all: a profile takes less than half of its block.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n_max: usize, numbers: usize) -> Result<Self> {
        Ok(Self { of: reserve(n_max)?, inverse: reserve(numbers / 2)? })
    }

    /// Finds those of the rows of `block`, whose numbers `a` are the factors of [`Profile::ldl`]. Blocks come in their order.
    ///
    /// # Errors
    /// `Memory` where a block has more numbers than the storage was taken for.
    pub fn find(&mut self, profile: &Profile<'_>, block: &Range<usize>, a: &[f64]) -> Result<()> {
        for (list, count) in [(&mut self.of, block.end), (&mut self.inverse, a.len())] {
            let more = count.saturating_sub(list.len());
            grow(list, more)?;
            list.resize(list.len() + more, 0.0);
        }
        profile.spreads(a, &mut self.inverse[..a.len()], &mut self.of[block.clone()]);
        Ok(())
    }

    /// Those of the rows of `block`.
    pub fn of(&self, block: &Range<usize>) -> &[f64] {
        &self.of[block.clone()]
    }
}

#[cfg(test)]
mod tests {
    use crate::linalg::{DefiniteFactor, MatRef};

    /// Bodies that move across a row and turn, 1 kg and 1 kg m^2, each with a spring of `k` from its end at `arm` to the near end
    /// of the next: its stretch is y + arm w - y' + arm w'.
    fn row(bodies: usize, arm: f64, k: f64) -> Vec<f64> {
        let n = 2 * bodies;
        let mut a = vec![0.0; n * n];
        (0..n).for_each(|i| a[i * (n + 1)] = 1.0);
        for b in 0..bodies - 1 {
            let g = [1.0, arm, -1.0, arm];
            for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
                a[2 * b + i + n * (2 * b + j)] += k * g[i] * g[j];
            }
        }
        a
    }

    fn bounds(mut f: DefiniteFactor, a: &[f64], x: &[f64]) -> (DefiniteFactor, Vec<f64>) {
        f.factor("mass", MatRef::square("mass", a, x.len()).unwrap()).unwrap();
        let mut bound = x.to_vec();
        f.bound(&mut bound);
        (f, bound)
    }

    #[test]
    fn bounds_are_no_more_than_roots_of_the_diagonal_of_the_inverse_allow() {
        let n = 60;
        let a = row(n / 2, 0.5, 10.0);
        let unit = |i: usize| (0..n).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>();
        let with = || DefiniteFactor::with_bounds(n, n * n).unwrap();
        let (f, _) = bounds(with(), &a, &unit(0));
        let column = |i: usize| {
            let mut e = unit(i);
            f.solve(&mut e);
            e
        };
        let diagonal: Vec<f64> = (0..n).map(|i| column(i)[i]).collect();
        for j in 0..n {
            let ((_, bound), exact) = (bounds(with(), &a, &unit(j)), column(j));
            for i in 0..n {
                let most = (diagonal[i] * diagonal[j]).sqrt();
                assert!(bound[i] <= most * (1.0 + 1e-12), "{i} {j}: {} {most}", bound[i]);
                assert!(bound[i] >= exact[i].abs() * (1.0 - 1e-12), "{i} {j}: {}", bound[i]);
            }
        }
    }

    #[test]
    fn the_bound_of_a_row_of_stiff_springs_does_not_grow_as_a_power_of_its_length() {
        let (bodies, n) = (200, 400);
        let (a, x) = (row(bodies, 0.5, 1e6), vec![1.0; 400]);
        let (_, sizes) = bounds(DefiniteFactor::new(n).unwrap(), &a, &x);
        let (_, bound) = bounds(DefiniteFactor::with_bounds(n, n * n).unwrap(), &a, &x);
        // No entry of the inverse of a matrix above the unit matrix is above one.
        let most = bound.iter().fold(0.0f64, |m, x| m.max(*x));
        let before = sizes.iter().fold(0.0f64, |m, x| m.max(*x));
        assert!(most <= 400.0, "{most}");
        assert!(before > 1e20, "{before}: this test compares nothing any more");
    }
}
