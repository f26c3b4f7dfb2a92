//! Elimination of the first rows and columns of a square matrix with complete pivoting: finds the
//! rank of the leading block and leaves the Schur complement behind it. Knows no complementarity.

use super::kernel::{axpy, dot, max_abs};
use crate::error::{Result, reserve};

/// A square matrix W of order n, column-major, eliminated in place over its leading block of order
/// `f`: after [`Schur::eliminate`] the first `rank` columns hold multipliers below and the triangle
/// above the diagonal, the rows and columns from `rank` on the Schur complement.
#[derive(Debug)]
pub struct Schur {
    w: Vec<f64>,
    n: usize,
    f: usize,
    rank: usize,
    /// Original row and column at each place.
    rows: Vec<usize>,
    cols: Vec<usize>,
    largest: Vec<f64>,
}

impl Schur {
    /// Storage for matrices up to order `max`.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(max: usize) -> Result<Self> {
        Ok(Self {
            w: reserve(max.saturating_mul(max))?,
            n: 0,
            f: 0,
            rank: 0,
            rows: reserve(max)?,
            cols: reserve(max)?,
            largest: reserve(max)?,
        })
    }

    /// Takes a matrix of order `n` by columns and eliminates its leading block of order `f` until
    /// no entry left in it exceeds `floor`. Needs `f <= n <= max`.
    pub fn eliminate(
        &mut self,
        n: usize,
        f: usize,
        floor: f64,
        mut fill: impl FnMut(usize, &mut [f64]),
    ) {
        (self.n, self.f, self.rank) = (n, f, 0);
        self.w.resize(n * n, 0.0);
        for (j, col) in self.w.chunks_exact_mut(n.max(1)).enumerate() {
            fill(j, col);
        }
        for v in [&mut self.rows, &mut self.cols] {
            v.clear();
            v.extend(0..n);
        }
        self.largest.clear();
        self.largest.extend((0..f).map(|j| max_abs(&self.w[j * n..j * n + f])));
        while self.rank < f && self.pivot(floor) {
            self.rank += 1;
        }
    }

    /// One step: largest entry of the block to the diagonal, elimination below it. False when what
    /// is left counts as zero.
    fn pivot(&mut self, floor: f64) -> bool {
        let (n, f, k) = (self.n, self.f, self.rank);
        let mut j = k;
        for (t, l) in self.largest.iter().enumerate().skip(k) {
            if *l > self.largest[j] {
                j = t;
            }
        }
        if self.largest[j] <= floor {
            return false;
        }
        self.swap_columns(k, j);
        let head = &self.w[k * n + k..k * n + f];
        let i = k + head.iter().position(|x| x.abs() == self.largest[k]).unwrap_or(0);
        self.rows.swap(k, i);
        let (done, rest) = self.w.split_at_mut((k + 1) * n);
        for col in done.chunks_exact_mut(n) {
            col.swap(k, i);
        }
        let col = &mut done[k * n + k..];
        let p = col[0];
        for x in &mut col[1..] {
            *x /= p;
        }
        for (t, other) in rest.chunks_exact_mut(n).enumerate() {
            other.swap(k, i);
            let other = &mut other[k..];
            let u = other[0];
            // exact: structural zeros of the data
            if u != 0.0 {
                axpy(-u, &col[1..], &mut other[1..]);
            }
            if k + 1 + t < f {
                self.largest[k + 1 + t] = max_abs(&other[1..f - k]);
            }
        }
        true
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        if a != b {
            let n = self.n;
            let (left, right) = self.w.split_at_mut(b * n);
            left[a * n..a * n + n].swap_with_slice(&mut right[..n]);
            self.cols.swap(a, b);
            self.largest.swap(a, b);
        }
    }

    /// Rank of the leading block.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Original row at place `i`.
    pub fn row(&self, i: usize) -> usize {
        self.rows[i]
    }

    /// Original column at place `j`.
    pub fn col(&self, j: usize) -> usize {
        self.cols[j]
    }

    /// Entry (i, j) of the Schur complement, both counted from `rank` on in the places after
    /// elimination.
    pub fn rest(&self, i: usize, j: usize) -> f64 {
        self.w[(self.rank + j) * self.n + self.rank + i]
    }

    /// Right-hand side `b`, in original order, reduced along with the matrix: `out` in places.
    pub fn reduce(&self, b: &[f64], out: &mut [f64]) {
        let n = self.n;
        for (o, &i) in out.iter_mut().zip(&self.rows) {
            *o = b[i];
        }
        for k in 0..self.rank {
            let (head, tail) = out.split_at_mut(k + 1);
            axpy(-head[k], &self.w[k * n + k + 1..k * n + n], tail);
        }
    }

    /// Adds to `out`, in the places from `rank` on, the sizes of the terms that elimination has added to
    /// column `j` of what is left, counted as in [`Schur::rest`].
    pub fn add_terms(&self, j: usize, out: &mut [f64]) {
        let (n, k) = (self.n, self.rank);
        let column = &self.w[(k + j) * n..(k + j) * n + k];
        self.add_sizes(column, out);
    }

    /// The same for a right-hand side as [`Schur::reduce`] left it.
    pub fn add_terms_of(&self, reduced: &[f64], out: &mut [f64]) {
        self.add_sizes(&reduced[..self.rank], out);
    }

    fn add_sizes(&self, head: &[f64], out: &mut [f64]) {
        let (n, k) = (self.n, self.rank);
        for (m, u) in head.iter().enumerate() {
            let multipliers = &self.w[m * n + k..(m + 1) * n];
            for (o, l) in out.iter_mut().zip(multipliers) {
                *o += (l * u).abs();
            }
        }
    }

    /// Shares of the eliminated rows in row `i` of what is left, counted as in [`Schur::rest`], in places: row i of
    /// D A^-1 for the eliminated block A and what was below it, D. `out` holds as many numbers as the rank.
    pub fn shares_of_rows(&self, i: usize, out: &mut [f64]) {
        let (n, k) = (self.n, self.rank);
        for m in (0..k).rev() {
            let multipliers = &self.w[m * n..(m + 1) * n];
            out[m] = multipliers[k + i] - dot(&multipliers[m + 1..k], &out[m + 1..k]);
        }
    }

    /// Shares of the eliminated columns in column `j` of what is left: column j of A^-1 C for what was beside A, C.
    pub fn shares_of_columns(&self, j: usize, out: &mut [f64]) {
        let start = (self.rank + j) * self.n;
        out.copy_from_slice(&self.w[start..start + self.rank]);
        self.solve_triangle(out);
    }

    /// The same in a right-hand side as [`Schur::reduce`] left it.
    pub fn shares_in(&self, reduced: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&reduced[..self.rank]);
        self.solve_triangle(out);
    }

    fn solve_triangle(&self, x: &mut [f64]) {
        for j in (0..self.rank).rev() {
            x[j] /= self.w[j * self.n + j];
            axpy(-x[j], &self.w[j * self.n..j * self.n + j], &mut x[..j]);
        }
    }

    /// Solves the eliminated equations W x + b = 0 for the first `rank` unknowns: on entry `x`
    /// holds the others, in places, and `b` the reduced right-hand side, which is used up.
    pub fn back_substitute(&self, b: &mut [f64], x: &mut [f64]) {
        let (n, k) = (self.n, self.rank);
        for (j, xj) in x.iter().enumerate().take(n).skip(k) {
            axpy(*xj, &self.w[j * n..j * n + k], &mut b[..k]);
        }
        for j in (0..k).rev() {
            x[j] = -b[j] / self.w[j * n + j];
            axpy(x[j], &self.w[j * n..j * n + j], &mut b[..j]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(i: usize, j: usize) -> f64 {
        ((i * 5 + j * 11 + i * j * j) as f64).sin()
    }

    #[test]
    fn elimination_and_back_substitution_solve_a_linear_system() {
        let n = 13;
        let mut s = Schur::new(n).unwrap();
        s.eliminate(n, n, 1e-11, |j, col| (0..n).for_each(|i| col[i] = entry(i, j)));
        assert_eq!(s.rank(), n);
        let b: Vec<f64> = (0..n).map(|i| entry(i, 99)).collect();
        let (mut reduced, mut x) = (vec![0.0; n], vec![0.0; n]);
        s.reduce(&b, &mut reduced);
        s.back_substitute(&mut reduced, &mut x);
        for (i, b) in b.iter().enumerate() {
            let sum: f64 = (0..n).map(|j| entry(i, s.col(j)) * x[j]).sum();
            assert!((sum + b).abs() < 1e-12);
        }
    }

    #[test]
    fn a_dependent_row_is_found_and_its_complement_is_left() {
        // Row 2 of the leading block is the sum of rows 0 and 1; the complement of the rest is known
        // from the quotient formula: det W = det A_rank det complement.
        let n = 4;
        let row = |i: usize, j: usize| if j < 3 { entry(i, j) } else { 0.0 };
        let w = |i: usize, j: usize| match (i, j) {
            (2, j) if j < 3 => row(0, j) + row(1, j),
            (2, 3) => 5.0,
            (3, 3) => 2.0,
            (i, j) => row(i, j),
        };
        let mut s = Schur::new(n).unwrap();
        s.eliminate(n, 3, 1e-11, |j, col| (0..n).for_each(|i| col[i] = w(i, j)));
        assert_eq!(s.rank(), 2);
        assert!(s.rest(0, 0).abs() < 1e-14);
        // columns 3 of rows 0 and 1 are zero, so elimination leaves +-5 or 5 there
        let left = [s.rest(0, 1), 5.0];
        assert!(left[0].abs() <= 5.0 + 1e-12 && left[0].abs() > 0.0);
    }
}
