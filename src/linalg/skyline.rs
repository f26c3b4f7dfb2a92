//! Factors of a square matrix whose rows and columns begin late: what lies before the first number of a row, left of the
//! diagonal, or of a column, above it, is zero and stays so. Knows neither who asks nor what for.
//!
//! Row i takes 2 (i - low[i]) + 1 numbers from row[i] on: those left of the diagonal, the diagonal, those above it.
//! Rows are not exchanged: what is asked for here is definite.

use super::{Columns, axpy, dot};
use crate::tol;
use std::ops::Range;

/// Where the rows of a block begin: their first columns, which count from that of the block, and their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile<'a> {
    pub low: &'a [usize],
    pub row: &'a [usize],
    /// Where each row of the matrix comes, and the exchanges that bring them there one place after the other; nothing where
    /// they stay as they stand.
    pub place: &'a [usize],
    pub moves: &'a [usize],
}

impl Profile<'_> {
    /// Numbers left of the diagonal in row `i`, as many as above it.
    fn width(&self, i: usize) -> usize {
        i - self.low[i]
    }

    /// Where the part of row `i` from column `j` on begins, and behind the diagonal that of column `i` from row `j` on.
    fn left(&self, i: usize, j: usize) -> usize {
        self.row[i] + j - self.low[i]
    }

    fn above(&self, i: usize, j: usize) -> usize {
        self.row[i] + self.width(i) + 1 + j - self.low[i]
    }

    fn diagonal(&self, i: usize) -> usize {
        self.row[i] + self.width(i)
    }

    /// The first column that both rows have.
    fn common(&self, i: usize, j: usize) -> usize {
        self.low[i].max(self.low[j])
    }

    /// a := the block of `m` with these rows and columns.
    pub(super) fn read(&self, m: Columns<'_>, block: &Range<usize>, a: &mut [f64]) {
        a.fill(0.0);
        for j in block.clone() {
            // exact: outside of the block and of the profile are zeros
            for (i, x) in m.col(j).entries().filter(|(i, x)| block.contains(i) && *x != 0.0) {
                let [r, c] = [i, j].map(|i| i - block.start);
                let [r, c] = [r, c].map(|i| self.place.get(i).copied().unwrap_or(i));
                a[if r >= c { self.left(r, c) } else { self.above(c, r) }] = x;
            }
        }
    }

    /// The lower triangle := that of the symmetric part; whether the matrix was symmetric.
    pub(super) fn symmetrize(&self, a: &mut [f64]) -> bool {
        let mut symmetric = true;
        for i in 0..self.low.len() {
            let (at, w) = (self.row[i], self.width(i));
            let (left, above) = a[at..at + 2 * w + 1].split_at_mut(w + 1);
            for (x, y) in left.iter_mut().zip(above) {
                // exact: a host that means a symmetric matrix writes the same bits twice
                symmetric &= *x == *y;
                *x = 0.5 * *x + 0.5 * *y;
            }
        }
        symmetric
    }

    /// L D L' by rows in the lower triangle, D on the diagonal.
    ///
    /// # Errors
    /// The first row and pivot that show that the matrix is not positive definite.
    pub(super) fn ldl(&self, a: &mut [f64]) -> Result<(), (usize, f64)> {
        for i in 0..self.low.len() {
            let (done, rest) = a.split_at_mut(self.row[i]);
            let (low, w) = (self.low[i], self.width(i));
            let (left, diagonal) = rest.split_at_mut(w);
            for j in low..i {
                let from = self.common(i, j);
                let other = &done[self.left(j, from)..self.diagonal(j)];
                left[j - low] -= dot(&left[from - low..j - low], other);
            }
            let before = diagonal[0];
            for (j, x) in (low..i).zip(left) {
                let scaled = *x / done[self.diagonal(j)];
                diagonal[0] -= scaled * *x;
                *x = scaled;
            }
            let pivot = diagonal[0];
            // A NaN from overflow must fail too, hence the negated comparison.
            if !(pivot > tol::DEFINITE_PIVOT * before) || !pivot.is_finite() {
                return Err((i, pivot));
            }
        }
        Ok(())
    }

    /// L U, L with ones on its diagonal. False where numbers grow too much without exchanges of rows, (tol::LU_GROWTH).
    pub(super) fn lu(&self, a: &mut [f64]) -> bool {
        for i in 0..self.low.len() {
            let (done, rest) = a.split_at_mut(self.row[i]);
            let (low, w) = (self.low[i], self.width(i));
            let (left, rest) = rest.split_at_mut(w);
            let (diagonal, above) = rest.split_at_mut(1);
            let (before, mut grown) = (diagonal[0], [0.0, 0.0]);
            for j in low..i {
                let from = self.common(i, j);
                let (own, n) = (from - low..j - low, j - from);
                let pivot = done[self.diagonal(j)];
                let (rows, columns) = (self.left(j, from), self.above(j, from));
                let x = left[j - low] - dot(&left[own.clone()], &done[columns..columns + n]);
                let y = above[j - low] - dot(&above[own], &done[rows..rows + n]);
                (left[j - low], above[j - low]) = (x / pivot, y);
                grown[0] += x * x / pivot;
                grown[1] += y * y / pivot;
            }
            diagonal[0] -= dot(left, &above[..w]);
            let kept = diagonal[0] > tol::DEFINITE_PIVOT * before && diagonal[0].is_finite();
            // A NaN must fail too.
            if !kept || !grown.iter().all(|x| *x <= tol::LU_GROWTH * before) {
                return false;
            }
        }
        true
    }

    /// x := A^-1 x by the factors of [`ldl`](Self::ldl) or [`lu`](Self::lu).
    pub(super) fn solve(&self, symmetric: bool, a: &[f64], x: &mut [f64]) {
        self.moves.iter().enumerate().for_each(|(k, &from)| x.swap(k, from));
        self.substitute(symmetric, a, x);
        self.moves.iter().enumerate().rev().for_each(|(k, &from)| x.swap(k, from));
    }

    fn substitute(&self, symmetric: bool, a: &[f64], x: &mut [f64]) {
        for i in 0..x.len() {
            let (done, rest) = x.split_at_mut(i);
            rest[0] -= dot(&a[self.row[i]..self.diagonal(i)], &done[self.low[i]..]);
        }
        if symmetric {
            (0..x.len()).for_each(|i| x[i] /= a[self.diagonal(i)]);
        }
        for i in (0..x.len()).rev() {
            if !symmetric {
                x[i] /= a[self.diagonal(i)];
            }
            let (done, rest) = x.split_at_mut(i);
            axpy(-rest[0], self.back(symmetric, a, i), &mut done[self.low[i]..]);
        }
    }

    /// What row `i` hands back to those before it.
    fn back<'a>(&self, symmetric: bool, a: &'a [f64], i: usize) -> &'a [f64] {
        let at = if symmetric { self.row[i] } else { self.diagonal(i) + 1 };
        &a[at..at + self.width(i)]
    }

    /// spread_i := root of the diagonal of the inverse, from the factors of [`ldl`](Self::ldl): entries of the inverse within
    /// the profile, from the last column to the first (K. Takahashi, J. Fagan, M.-S. Chen, 8th PICA Conference, 1973). `z`
    /// takes as many numbers as `a`.
    pub(super) fn spreads(&self, a: &[f64], z: &mut [f64], spread: &mut [f64]) {
        // The last row that reaches the column at hand.
        let mut last = self.low.len().saturating_sub(1);
        for j in (0..self.low.len()).rev() {
            while last > j && self.low[last] > j {
                last -= 1;
            }
            let below = |k: &usize| self.low[*k] <= j;
            for i in (j + 1..=last).filter(below) {
                let entry = |k: usize| z[self.left(i.max(k), i.min(k))];
                let sum = (j + 1..=last).filter(below).map(|k| a[self.left(k, j)] * entry(k));
                z[self.left(i, j)] = -sum.sum::<f64>();
            }
            let rest = (j + 1..=last).filter(below);
            let rest = rest.map(|k| a[self.left(k, j)] * z[self.left(k, j)]).sum::<f64>();
            z[self.diagonal(j)] = 1.0 / a[self.diagonal(j)] - rest;
            spread[j] = z[self.diagonal(j)].max(0.0).sqrt();
        }
    }

    /// x := the less of two bounds of A^-1 x for any signs of `x`: the same substitution with absolute values, and that of the
    /// spreads of the symmetric part S, |A^-1|_ij <= spread_i spread_j, since S^1/2 A^-1 S^1/2 is no longer than one.
    /// Needs `x` >= 0.
    pub(super) fn bound(&self, symmetric: bool, a: &[f64], spread: Option<&[f64]>, x: &mut [f64]) {
        self.moves.iter().enumerate().for_each(|(k, &from)| x.swap(k, from));
        let sum = spread.map_or(0.0, |spread| dot(spread, x));
        self.substitute_sizes(symmetric, a, x);
        // Where the substitution overflows it may be a NaN, which `min` passes over.
        for (x, spread) in x.iter_mut().zip(spread.unwrap_or(&[])) {
            *x = x.min(spread * sum);
        }
        self.moves.iter().enumerate().rev().for_each(|(k, &from)| x.swap(k, from));
    }

    fn substitute_sizes(&self, symmetric: bool, a: &[f64], x: &mut [f64]) {
        for i in 0..x.len() {
            let (done, rest) = x.split_at_mut(i);
            let left = a[self.row[i]..self.diagonal(i)].iter().zip(&done[self.low[i]..]);
            rest[0] += left.map(|(l, x)| l.abs() * x).sum::<f64>();
        }
        if symmetric {
            (0..x.len()).for_each(|i| x[i] /= a[self.diagonal(i)].abs());
        }
        for i in (0..x.len()).rev() {
            if !symmetric {
                x[i] /= a[self.diagonal(i)].abs();
            }
            let (done, rest) = x.split_at_mut(i);
            for (x, u) in done[self.low[i]..].iter_mut().zip(self.back(symmetric, a, i)) {
                *x += rest[0] * u.abs();
            }
        }
    }
}
