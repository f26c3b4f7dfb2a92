//! Equations of which some may depend on others: LU with full pivoting and rank detection. Knows
//! no mechanics.

use super::{Schur, max_abs};
use crate::error::{Error, Result, reserve};
use crate::tol;

/// Factor of a square system that may be rank deficient. Unknowns of dependent columns are set to
/// zero, dependent equations are checked for consistency and dropped.
#[derive(Debug)]
pub struct RankFactor {
    n: usize,
    schur: Schur,
    /// Scales of rows and of columns, powers of two.
    row_scale: Vec<f64>,
    col_scale: Vec<f64>,
    /// Original numbers of the dependent equations.
    dependent: Vec<usize>,
    reduced: Vec<f64>,
    work: Vec<f64>,
}

impl RankFactor {
    /// Takes storage for systems of up to `n_max` equations.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            n: 0,
            schur: Schur::new(n_max)?,
            row_scale: reserve(n_max)?,
            col_scale: reserve(n_max)?,
            dependent: reserve(n_max)?,
            reduced: reserve(n_max)?,
            work: reserve(n_max)?,
        })
    }

    /// Number of independent equations found by the last [`factor`](Self::factor).
    pub fn rank(&self) -> usize {
        self.schur.rank()
    }

    /// The original numbers of the dependent equations.
    pub fn dependent(&self) -> &[usize] {
        &self.dependent
    }

    /// Factors the `n` by `n` matrix that `entry(i, j)` gives. Needs finite entries.
    pub fn factor(&mut self, n: usize, entry: impl Fn(usize, usize) -> f64) {
        self.n = n;
        self.equilibrate(&entry);
        let (rows, cols) = (&self.row_scale, &self.col_scale);
        // Entries are at most one now, so the tolerance is relative to the equations themselves.
        self.schur.eliminate(n, n, tol::RANK, |j, col| {
            for i in 0..n {
                col[i] = entry(i, j) * rows[i] * cols[j];
            }
        });
        self.dependent.clear();
        self.dependent.extend((self.rank()..n).map(|k| self.schur.row(k)));
    }

    /// x := a solution of A x = b for the right-hand side in `x`. `size` holds, per equation, the
    /// magnitude of the terms its right-hand side was summed from; a dependent equation may miss
    /// its value by `tol::CONSISTENT` of the largest of them, all in the scale of the equations.
    ///
    /// # Errors
    /// `Inconsistent` with the name `what` and the worst equation; `x` is then unspecified.
    pub fn solve(&mut self, what: &'static str, size: &[f64], x: &mut [f64]) -> Result<()> {
        let (n, rank) = (self.n, self.rank());
        self.work.clear();
        self.work.extend(x.iter().zip(&self.row_scale).map(|(b, r)| -b * r));
        self.reduced.resize(n, 0.0);
        self.schur.reduce(&self.work, &mut self.reduced);
        let largest = size.iter().zip(&self.row_scale).fold(0.0f64, |l, (s, r)| l.max(s * r));
        for k in rank..n {
            let missed = self.reduced[k].abs();
            if missed > tol::CONSISTENT * largest {
                let violation = missed / largest;
                return Err(Error::Inconsistent { what, row: self.schur.row(k), violation });
            }
        }
        self.work.fill(0.0);
        self.schur.back_substitute(&mut self.reduced, &mut self.work);
        for k in 0..n {
            let j = self.schur.col(k);
            x[j] = self.work[k] * self.col_scale[j];
        }
        Ok(())
    }

    /// Scales of rows, then of columns, that bring the largest entry of each into [1/2, 1]; powers
    /// of two, so nothing is rounded. Empty ones keep the scale 1.
    fn equilibrate(&mut self, entry: &impl Fn(usize, usize) -> f64) {
        let n = self.n;
        let to_one =
            |largest: f64| if largest > 0.0 { (-largest.log2().ceil()).exp2() } else { 1.0 };
        self.row_scale.clear();
        for i in 0..n {
            let largest = (0..n).fold(0.0f64, |s, j| s.max(entry(i, j).abs()));
            self.row_scale.push(to_one(largest));
        }
        self.col_scale.clear();
        for j in 0..n {
            self.work.clear();
            self.work.extend((0..n).map(|i| entry(i, j) * self.row_scale[i]));
            self.col_scale.push(to_one(max_abs(&self.work)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redundant_equation_is_dropped_and_the_rest_is_solved() {
        // Third row is the sum of the first two, in other units.
        let a = [[2.0, 1.0, 3.0], [1.0, 3.0, 4.0], [3e6, 4e6, 7e6]];
        let mut f = RankFactor::new(3).unwrap();
        f.factor(3, |i, j| a[i][j]);
        assert_eq!(f.rank(), 2);
        let size = [5.0, 10.0, 15e6];
        let mut x = size;
        f.solve("joints", &size, &mut x).unwrap();
        for (row, b) in a.iter().zip([5.0, 10.0, 15e6]) {
            let ax: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((ax - b).abs() < 1e-12 * b, "{ax} {b}");
        }
        let mut x = [5.0, 10.0, 16e6];
        let e = f.solve("joints", &size, &mut x).unwrap_err();
        assert!(matches!(e, Error::Inconsistent { what: "joints", .. }), "{e}");
    }

    #[test]
    fn an_empty_system_has_rank_zero() {
        let mut f = RankFactor::new(0).unwrap();
        f.factor(0, |_, _| 0.0);
        f.solve("joints", &[], &mut []).unwrap();
        assert_eq!((f.rank(), f.dependent().len()), (0, 0));
    }
}
