//! The explicit inverse of a square matrix that changes by one row or column at a time. Knows no
//! complementarity; the update formulas are (lcp.12) to (lcp.15) of the theory of `lcp`.

use super::invert::{Room, invert};
use super::kernel::{FEW, axpy, axpy4, dot, dot4, update4, update4_then};
use crate::error::{Result, reserve};

/// First leading dimension; it grows by half when the matrix does.
const FIRST_LD: usize = 24;

/// Inverse of a matrix K of order k, column-major. A column of the inverse belongs to a row of K.
#[derive(Debug)]
pub struct Bordered {
    a: Vec<f64>,
    k: usize,
    ld: usize,
    max: usize,
    room: Room,
    factors: Vec<f64>,
    places: Vec<usize>,
}

/// A product with the inverse as it is after an update, computed in the same pass over memory:
/// `y` becomes minus the inverse times `b`.
#[derive(Debug)]
pub struct Then<'a> {
    /// Right-hand side, one entry per row of the updated K.
    pub b: &'a [f64],
    /// Result, one entry per column of the updated K.
    pub y: &'a mut [f64],
}

impl Bordered {
    /// Storage for matrices up to order `max`.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(max: usize) -> Result<Self> {
        let entries = max.saturating_mul(max);
        Ok(Self {
            a: reserve(entries)?,
            k: 0,
            ld: 0,
            max,
            room: Room::new(max)?,
            factors: reserve(max)?,
            places: reserve(max)?,
        })
    }

    /// Order of K.
    pub fn order(&self) -> usize {
        self.k
    }

    /// Back to order zero.
    pub fn clear(&mut self) {
        self.k = 0;
    }

    /// Column `m` of the inverse.
    #[inline]
    pub fn column(&self, m: usize) -> &[f64] {
        &self.a[m * self.ld..m * self.ld + self.k]
    }

    /// Makes room for order `k`, keeping the inverse. Needs `k <= max`.
    fn room(&mut self, k: usize) {
        if k > self.ld {
            let old = self.ld;
            let ld = (k.max(old + old / 2).max(FIRST_LD).div_ceil(4) * 4).min(self.max.max(k));
            let needed = ld * k.max(self.k);
            if self.a.len() < needed {
                self.a.resize(needed, 0.0);
            }
            for j in (1..self.k).rev() {
                self.a.copy_within(j * old..j * old + self.k, j * ld);
            }
            self.ld = ld;
        }
        let needed = self.ld * k;
        if self.a.len() < needed {
            self.a.resize(needed, 0.0);
        }
    }

    /// y = sign * inverse * b.
    pub fn multiply(&self, sign: f64, b: &[f64], y: &mut [f64]) {
        let y = &mut y[..self.k];
        y.fill(0.0);
        let mut m = 0;
        while m + 4 <= self.k {
            let f = [sign * b[m], sign * b[m + 1], sign * b[m + 2], sign * b[m + 3]];
            // exact: structural zeros of the data
            if f != [0.0; 4] {
                let x =
                    [self.column(m), self.column(m + 1), self.column(m + 2), self.column(m + 3)];
                axpy4(y, f, x);
            }
            m += 4;
        }
        for (m, b) in b.iter().enumerate().take(self.k).skip(m) {
            axpy(sign * b, self.column(m), y);
        }
    }

    /// (lcp.12): K gains a last column b and a last row (a, s + a inverse b); y = -inverse b.
    pub fn append(&mut self, y: &[f64], a: &[f64], s: f64, mut then: Option<Then<'_>>) {
        let k = self.k;
        self.room(k + 1);
        if let Some(t) = &mut then {
            t.y[..k + 1].fill(0.0);
        }
        let ld = self.ld;
        let few = few_nonzeros(&a[..k], &mut self.places);
        let f = &mut self.factors;
        f.resize(k + 1, 0.0);
        let update = RankOne { k, ld, y: &y[..k], a: &a[..k], few, s };
        update.apply(&mut self.a[..k * ld], f, &mut then);
        for (m, f) in f[..k].iter().enumerate() {
            self.a[m * ld + k] = *f;
        }
        let col = &mut self.a[k * ld..k * ld + k + 1];
        for (c, yi) in col.iter_mut().zip(&y[..k]) {
            *c = yi / s;
        }
        col[k] = 1.0 / s;
        f[k] = col[k];
        if let Some(t) = then {
            axpy(-t.b[k], &col[..k], &mut t.y[..k]);
            t.y[k] = -dot(&f[..k + 1], &t.b[..k + 1]);
        }
        self.k = k + 1;
    }

    /// (lcp.13): column `l` of K is replaced by b; y = -inverse b.
    pub fn replace_column(&mut self, l: usize, y: &[f64]) {
        let k = self.k;
        let pivot = y[l];
        for m in 0..k {
            let col = &mut self.a[m * self.ld..m * self.ld + k];
            // exact: a zero needs no work
            if col[l] != 0.0 {
                let f = -col[l] / pivot;
                axpy(f, &y[..k], col);
                col[l] = f;
            }
        }
    }

    /// (lcp.14): row `m` of K is replaced by `a`; y = column `m` of the inverse, s = a y.
    pub fn replace_row(
        &mut self,
        m: usize,
        y: &[f64],
        a: &[f64],
        s: f64,
        mut then: Option<Then<'_>>,
    ) {
        let k = self.k;
        if let Some(t) = &mut then {
            t.y[..k].fill(0.0);
        }
        let ld = self.ld;
        // Column m of the inverse is y itself: one unit of `a y = s` takes it out, then it is set.
        self.factors.resize(k, 0.0);
        let few = few_nonzeros(&a[..k], &mut self.places);
        let update = RankOne { k, ld, y: &y[..k], a: &a[..k], few, s };
        update.apply(&mut self.a[..k * ld], &mut self.factors, &mut then);
        let col = &mut self.a[m * ld..m * ld + k];
        if let Some(t) = &mut then {
            axpy(t.b[m], col, t.y);
        }
        for (c, yi) in col.iter_mut().zip(y) {
            *c = yi / s;
        }
        if let Some(t) = then {
            axpy(-t.b[m], col, t.y);
        }
    }

    /// (lcp.15): column `l` and row `m` of K go; y = column `m` of the inverse. Row `l` of the
    /// inverse gets the place of row `m`, then the last row and column move to place `m`.
    pub fn remove(&mut self, l: usize, m: usize, y: &[f64]) {
        let k = self.k;
        let last = k - 1;
        let pivot = y[l];
        for t in 0..k {
            if t == m {
                continue;
            }
            let col = &mut self.a[t * self.ld..t * self.ld + k];
            // exact: a zero needs no work
            if col[l] != 0.0 {
                let f = -col[l] / pivot;
                axpy(f, &y[..k], col);
            }
            col[l] = col[m];
            col[m] = col[last];
        }
        if m != last {
            self.a.copy_within(last * self.ld..last * self.ld + last, m * self.ld);
        }
        self.k = last;
    }

    /// Sets K of order `k` by columns and inverts it by Gauss-Jordan elimination with row
    /// exchanges. `fill(j, column)` writes column j of K. False when a pivot falls to `floor` times
    /// the largest entry of its column: the order is zero then.
    pub fn factor(
        &mut self,
        k: usize,
        floor: f64,
        mut fill: impl FnMut(usize, &mut [f64]),
    ) -> bool {
        self.k = 0;
        self.ld = 0;
        self.room(k);
        for j in 0..k {
            fill(j, &mut self.a[j * self.ld..j * self.ld + k]);
        }
        self.k = k;
        let done = invert(&mut self.a, k, self.ld, floor, &mut self.room);
        if !done {
            self.k = 0;
        }
        done
    }
}

impl Bordered {
    /// Takes over the inverse of a matrix of order `k`, by columns without gaps.
    pub fn load(&mut self, k: usize, inverse: &[f64]) {
        (self.k, self.ld) = (0, 0);
        self.room(k);
        for (m, from) in inverse.chunks_exact(k.max(1)).enumerate().take(k) {
            self.a[m * self.ld..m * self.ld + k].copy_from_slice(from);
        }
        self.k = k;
    }
}

/// Places of the nonzeros of `a` if they are so few that sums over them beat sums over all.
fn few_nonzeros<'a>(a: &[f64], places: &'a mut Vec<usize>) -> Option<&'a [usize]> {
    places.clear();
    // exact: structural zeros of the data
    places.extend(a.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(i, _)| i));
    (FEW * places.len() < a.len()).then_some(places)
}

/// A rank-one update of columns of length k with leading dimension ld.
struct RankOne<'a> {
    k: usize,
    ld: usize,
    y: &'a [f64],
    a: &'a [f64],
    /// Places of the nonzeros of `a` when they are few.
    few: Option<&'a [usize]>,
    s: f64,
}

impl RankOne<'_> {
    /// Adds f_m y to each column m, f_m = -(a column_m) / s, and gathers the product that follows.
    /// Four columns at a time, so that a, y and the product pass through memory once for all of
    /// them.
    fn apply(&self, cols: &mut [f64], factors: &mut [f64], then: &mut Option<Then<'_>>) {
        let (k, ld) = (self.k, self.ld);
        let mut m = 0;
        for four in cols.chunks_exact_mut(4 * ld) {
            let (c0, rest) = four.split_at_mut(ld);
            let (c1, rest) = rest.split_at_mut(ld);
            let (c2, c3) = rest.split_at_mut(ld);
            let c = [&mut c0[..k], &mut c1[..k], &mut c2[..k], &mut c3[..k]];
            let f = self.factors([&*c[0], &*c[1], &*c[2], &*c[3]]);
            factors[m..m + 4].copy_from_slice(&f);
            let b =
                then.as_ref().map_or([0.0; 4], |t| [t.b[m], t.b[m + 1], t.b[m + 2], t.b[m + 3]]);
            // exact: structural zeros of the data
            match (f == [0.0; 4], then.as_mut().filter(|_| b != [0.0; 4])) {
                (true, None) => {}
                (true, Some(t)) => {
                    axpy4(&mut t.y[..k], b.map(|b| -b), [&*c[0], &*c[1], &*c[2], &*c[3]]);
                }
                (false, None) => update4(c, f, self.y),
                (false, Some(t)) => update4_then(c, f, self.y, b, &mut t.y[..k]),
            }
            m += 4;
        }
        for col in cols[m * ld..].chunks_mut(ld) {
            let col = &mut col[..k];
            factors[m] = -dot(self.a, col) / self.s;
            axpy(factors[m], self.y, col);
            if let Some(t) = then {
                axpy(-t.b[m], col, &mut t.y[..k]);
            }
            m += 1;
        }
    }

    #[inline]
    fn factors(&self, c: [&[f64]; 4]) -> [f64; 4] {
        let v = match self.few {
            Some(few) => c.map(|c| few.iter().map(|&i| self.a[i] * c[i]).sum()),
            None => dot4(self.a, c),
        };
        v.map(|v: f64| -v / self.s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(i: usize, j: usize) -> f64 {
        let wave = ((i * 7 + j * 13 + i * i * j) as f64).sin();
        if i == j { 4.0 + wave } else { wave }
    }

    /// Largest entry of K inverse - 1 for K with the given rows and columns.
    fn error(inv: &Bordered, rows: &[usize], cols: &[usize]) -> f64 {
        let k = rows.len();
        assert_eq!(inv.order(), k);
        let mut worst = 0.0f64;
        for m in 0..k {
            for (i, &row) in rows.iter().enumerate() {
                let sum: f64 = (0..k).map(|l| entry(row, cols[l]) * inv.column(m)[l]).sum();
                worst = worst.max((sum - f64::from(u8::from(i == m))).abs());
            }
        }
        worst
    }

    fn direction(inv: &Bordered, rows: &[usize], p: usize) -> Vec<f64> {
        let b: Vec<f64> = rows.iter().map(|&i| entry(i, p)).collect();
        let mut y = vec![0.0; rows.len()];
        inv.multiply(-1.0, &b, &mut y);
        y
    }

    fn pick(i: usize, cols: &[usize]) -> Vec<f64> {
        cols.iter().map(|&j| entry(i, j)).collect()
    }

    #[test]
    fn every_update_gives_the_inverse_of_the_changed_matrix() {
        let mut inv = Bordered::new(64).unwrap();
        let (mut rows, mut cols) = (vec![], vec![]);
        for p in 0..40 {
            let y = direction(&inv, &rows, p);
            let a = pick(p, &cols);
            let s = entry(p, p) + dot(&a, &y);
            rows.push(p);
            cols.push(p);
            let b =
                pick(3, &rows).iter().zip(&rows).map(|(_, &i)| entry(i, 50)).collect::<Vec<_>>();
            let mut next = vec![0.0; 64];
            inv.append(&y, &a, s, Some(Then { b: &b, y: &mut next }));
            for (x, y) in next.iter().zip(direction(&inv, &rows, 50)) {
                assert!((x - y).abs() < 1e-13);
            }
        }
        assert!(error(&inv, &rows, &cols) < 1e-13);
        let y = direction(&inv, &rows, 41);
        inv.replace_column(5, &y);
        cols[5] = 41;
        assert!(error(&inv, &rows, &cols) < 1e-12);
        let y = inv.column(9).to_vec();
        let a = pick(44, &cols);
        inv.replace_row(9, &y, &a, dot(&a, &y), None);
        rows[9] = 44;
        assert!(error(&inv, &rows, &cols) < 1e-11);
        let y = inv.column(7).to_vec();
        inv.remove(11, 7, &y);
        cols.swap(11, 7);
        cols.swap_remove(7);
        rows.swap_remove(7);
        assert!(error(&inv, &rows, &cols) < 1e-11);
        assert!(inv.factor(39, 1e-14, |j, col| {
            for (c, &i) in col.iter_mut().zip(&rows) {
                *c = entry(i, cols[j]);
            }
        }));
        assert!(error(&inv, &rows, &cols) < 1e-13);
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        let mut inv = Bordered::new(2).unwrap();
        assert!(!inv.factor(2, 1e-14, |_, col| col.copy_from_slice(&[1.0, 3.0])));
        assert!(!inv.factor(1, 1e-14, |_, col| col[0] = f64::NAN));
        assert!(inv.factor(2, 1e-14, |j, col| col.copy_from_slice(&[[0.0, 2.0], [4.0, 0.0]][j])));
        assert_eq!((inv.column(0), inv.column(1)), (&[0.0, 0.25][..], &[0.5, 0.0][..]));
    }
}
