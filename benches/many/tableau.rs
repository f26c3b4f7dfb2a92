//! Lemke's method as textbooks have it: one dense tableau, the lexicographic rule against cycles, a start from z = 0. What
//! others are measured by; no part of the library.

use crate::clock::thread_seconds;

/// What counts as zero among ratios and pivots; data are of order one.
const ZERO: f64 = 1e-11;

/// The tableau of w - M z - e z_0 = q, without the columns of its basis.
pub struct Tableau {
    n: usize,
    /// Row by row, n + 1 columns of what is not in the basis, then the right side.
    rows: Vec<f64>,
    /// Per row and per column what it stands for: w below n, z below 2 n, then z_0.
    basis: Vec<usize>,
    columns: Vec<usize>,
    /// Per w its column, if it has one.
    column_of: Vec<Option<usize>>,
}

/// How a solve ended.
pub struct Answer {
    pub seconds: f64,
    pub pivots: usize,
    pub z: Option<Vec<f64>>,
    pub note: &'static str,
}

impl Tableau {
    /// For `m` column by column.
    pub fn new(m: &[f64], q: &[f64]) -> Self {
        let n = q.len();
        let mut rows = Vec::with_capacity(n * (n + 2));
        for (i, q) in q.iter().enumerate() {
            rows.extend((0..n).map(|j| -m[i + j * n]));
            rows.extend([-1.0, *q]);
        }
        let columns = (n..=2 * n).collect();
        Self { n, rows, basis: (0..n).collect(), columns, column_of: vec![None; n] }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * (self.n + 2)..][..self.n + 2]
    }

    /// Follows the path until z_0 leaves, for at most `limit` seconds.
    pub fn solve(mut self, limit: f64) -> Answer {
        let (start, n) = (thread_seconds(), self.n);
        let spent = || thread_seconds() - start;
        let ended = |pivots, z, note| Answer { seconds: spent(), pivots, z, note };
        let right = |t: &Self, i: usize| t.row(i)[n + 1];
        // Of equal ones the last: its row of the identity comes first.
        let least = |t: &Self, a: usize, b: usize| if right(t, b) <= right(t, a) { b } else { a };
        let Some(mut leaving) = (0..n).reduce(|a, b| least(&self, a, b)) else {
            return ended(0, Some(vec![]), "");
        };
        let mut column = n;
        for pivots in 1.. {
            let left = self.exchange(leaving, column);
            if left == 2 * n {
                let mut z = vec![0.0; n];
                for (i, &b) in self.basis.iter().enumerate() {
                    if let Some(k) = b.checked_sub(n) {
                        z[k] = right(&self, i).max(0.0);
                    }
                }
                return ended(pivots, Some(z), "");
            }
            let partner = if left < n { left + n } else { left - n };
            let Some(next) = self.columns.iter().position(|&c| c == partner) else {
                return ended(pivots, None, "lost");
            };
            column = next;
            match self.ratio_test(column) {
                Some(row) => leaving = row,
                None => return ended(pivots, None, "ray"),
            }
            if spent() > limit {
                return ended(pivots, None, "cut");
            }
        }
        ended(0, None, "")
    }

    /// The row that leaves for `column`: the least ratio, of equal ones the lexicographically least.
    fn ratio_test(&self, column: usize) -> Option<usize> {
        let n = self.n;
        let mut ties: Vec<usize> = (0..n).filter(|&i| self.row(i)[column] > ZERO).collect();
        // The right side first, then the columns of w in order.
        for k in std::iter::once(None).chain((0..n).map(Some)) {
            if ties.len() < 2 {
                break;
            }
            let entry = |i: usize| match k {
                None => self.row(i)[n + 1],
                Some(k) => match self.column_of[k] {
                    Some(c) => self.row(i)[c],
                    None => f64::from(u8::from(self.basis[i] == k)),
                },
            };
            let ratio = |i: usize| entry(i) / self.row(i)[column];
            let least = ties.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
            // z_0 leaves where it can.
            if k.is_none()
                && let Some(&i) = ties.iter().find(|&&i| self.basis[i] == 2 * n)
                && ratio(i) <= least + ZERO
            {
                return Some(i);
            }
            ties.retain(|&i| ratio(i) <= least + ZERO);
        }
        ties.first().copied()
    }

    /// Lets `column` into the basis for `row`; what left.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        let width = self.n + 2;
        let pivot = self.rows[row * width + column];
        self.rows[row * width + column] = 1.0;
        self.rows[row * width..][..width].iter_mut().for_each(|x| *x /= pivot);
        let own = self.row(row).to_vec();
        for (i, other) in self.rows.chunks_exact_mut(width).enumerate() {
            let part = other[column];
            // exact: nothing to do where it was zero from the start
            if i == row || part == 0.0 {
                continue;
            }
            other[column] = 0.0;
            other.iter_mut().zip(&own).for_each(|(x, y)| *x -= part * y);
        }
        std::mem::swap(&mut self.basis[row], &mut self.columns[column]);
        let (came, left) = (self.basis[row], self.columns[column]);
        if came < self.n {
            self.column_of[came] = None;
        }
        if left < self.n {
            self.column_of[left] = Some(column);
        }
        left
    }
}

/// Largest |min(z, M z + q)|.
pub fn natural(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    let mut w = q.to_vec();
    for (column, z) in m.chunks_exact(n).zip(z) {
        // exact: most are
        if *z != 0.0 {
            w.iter_mut().zip(column).for_each(|(w, m)| *w += m * z);
        }
    }
    w.iter().zip(z).fold(0.0, |worst, (w, z)| worst.max(w.min(*z).abs()))
}
