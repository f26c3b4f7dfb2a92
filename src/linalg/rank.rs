//! Equations of which some may depend on others: LU with full pivoting and rank detection. Knows
//! no mechanics.

use super::{axpy, max_abs};
use crate::error::{Error, Result, reserve};
use crate::tol;

/// Factor of a square system that may be rank deficient. Unknowns of dependent columns are set to
/// zero, dependent equations are checked for consistency and dropped.
#[derive(Debug)]
pub struct RankFactor {
    n: usize,
    rank: usize,
    /// Both LU factors of the scaled matrix, column-major, rows and columns permuted.
    a: Vec<f64>,
    /// Scales of rows and of columns, powers of two.
    row_scale: Vec<f64>,
    col_scale: Vec<f64>,
    /// Original row and column at each place.
    rows: Vec<usize>,
    cols: Vec<usize>,
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
            rank: 0,
            a: reserve(n_max.saturating_mul(n_max))?,
            row_scale: reserve(n_max)?,
            col_scale: reserve(n_max)?,
            rows: reserve(n_max)?,
            cols: reserve(n_max)?,
            work: reserve(n_max)?,
        })
    }

    /// Number of independent equations found by the last [`factor`](Self::factor).
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The original numbers of the dependent equations.
    pub fn dependent(&self) -> &[usize] {
        &self.rows[self.rank..self.n]
    }

    /// Factors the `n` by `n` matrix that `entry(i, j)` gives. Needs finite entries.
    pub fn factor(&mut self, n: usize, entry: impl Fn(usize, usize) -> f64) {
        self.n = n;
        self.a.clear();
        for j in 0..n {
            self.a.extend((0..n).map(|i| entry(i, j)));
        }
        self.equilibrate();
        self.rows.clear();
        self.rows.extend(0..n);
        self.cols.clear();
        self.cols.extend(0..n);
        self.rank = n;
        for k in 0..n {
            let (i, j) = self.largest_from(k);
            // Entries start at most at one, so the tolerance is relative to the equations themselves.
            if !(self.a[i + j * n].abs() > tol::RANK) {
                self.rank = k;
                break;
            }
            self.exchange(k, i, j);
            self.eliminate(k);
        }
    }

    /// x := a solution of A x = b for the right-hand side in `x`. `size` holds, per equation, the
    /// magnitude of the terms its right-hand side was summed from; a dependent equation may miss its
    /// value by `tol::CONSISTENT` of the largest of them, all in the scale of the equations.
    ///
    /// # Errors
    /// `Inconsistent` with the name `what` and the worst equation; `x` is then unspecified.
    pub fn solve(&mut self, what: &'static str, size: &[f64], x: &mut [f64]) -> Result<()> {
        let (n, rank) = (self.n, self.rank);
        self.work.clear();
        self.work.extend(self.rows.iter().map(|&i| x[i] * self.row_scale[i]));
        let b = &mut self.work;
        for k in 0..rank {
            let bk = b[k];
            axpy(-bk, &self.a[k * n + k + 1..(k + 1) * n], &mut b[k + 1..n]);
        }
        let largest = size.iter().zip(&self.row_scale).fold(0.0f64, |l, (s, r)| l.max(s * r));
        for k in rank..n {
            if b[k].abs() > tol::CONSISTENT * largest {
                let violation = b[k].abs() / largest;
                return Err(Error::Inconsistent { what, row: self.rows[k], violation });
            }
        }
        for k in (0..rank).rev() {
            b[k] /= self.a[k * n + k];
            let bk = b[k];
            axpy(-bk, &self.a[k * n..k * n + k], &mut b[..k]);
        }
        for k in 0..n {
            let j = self.cols[k];
            x[j] = if k < rank { b[k] * self.col_scale[j] } else { 0.0 };
        }
        Ok(())
    }

    /// Scales rows, then columns, so that the largest entry of each lies in [1/2, 1]; powers of two,
    /// so nothing is rounded. Empty ones keep their scale.
    fn equilibrate(&mut self) {
        let n = self.n;
        let to_one =
            |largest: f64| if largest > 0.0 { (-largest.log2().ceil()).exp2() } else { 1.0 };
        self.row_scale.clear();
        for i in 0..n {
            let largest = (0..n).fold(0.0f64, |s, j| s.max(self.a[i + j * n].abs()));
            self.row_scale.push(to_one(largest));
        }
        self.col_scale.clear();
        for col in self.a.chunks_exact_mut(n.max(1)) {
            for (x, s) in col.iter_mut().zip(&self.row_scale) {
                *x *= s;
            }
            let s = to_one(max_abs(col));
            for x in col.iter_mut() {
                *x *= s;
            }
            self.col_scale.push(s);
        }
    }

    fn largest_from(&self, k: usize) -> (usize, usize) {
        let n = self.n;
        let (mut best, mut at) = (-1.0, (k, k));
        for j in k..n {
            for i in k..n {
                let x = self.a[i + j * n].abs();
                if x > best {
                    (best, at) = (x, (i, j));
                }
            }
        }
        at
    }

    fn exchange(&mut self, k: usize, i: usize, j: usize) {
        let n = self.n;
        for c in 0..n {
            self.a.swap(k + c * n, i + c * n);
        }
        for r in 0..n {
            self.a.swap(r + k * n, r + j * n);
        }
        self.rows.swap(k, i);
        self.cols.swap(k, j);
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let (head, tail) = self.a.split_at_mut((k + 1) * n);
        let col = &mut head[k * n + k..];
        let pivot = col[0];
        let below = &mut col[1..];
        for x in below.iter_mut() {
            *x /= pivot;
        }
        for other in tail.chunks_exact_mut(n) {
            let f = other[k];
            axpy(-f, below, &mut other[k + 1..]);
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
