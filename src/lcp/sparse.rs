//! Columns of M for products, those with few nonzeros compressed. Knows no basis.

use crate::error::{Result, reserve};
use crate::linalg::MatRef;
use crate::linalg::kernel::{axpy, axpy4, axpy8};

/// A column is compressed below this share of nonzeros, measured.
const DENSE_SHARE: f64 = 0.25;
/// Below this size looking at M costs more than it saves, unless M stays for many products.
const SMALLEST: usize = 200;
const SMALLEST_LASTING: usize = 32;

/// Nonzeros of the columns that have few.
#[derive(Debug)]
pub(super) struct Sparse {
    /// Where the nonzeros of each column are; nowhere for one that is better used as it is.
    spans: Vec<Option<(usize, usize)>>,
    row: Vec<u32>,
    value: Vec<f64>,
    used: bool,
    /// Whether M was looked at, and whether as one that stays.
    fresh: bool,
    lasting: bool,
}

impl Sparse {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let most = if n_max < SMALLEST_LASTING { 0 } else { n_max * Self::limit(n_max) + n_max };
        Ok(Self {
            spans: reserve(n_max)?,
            row: reserve(most)?,
            value: reserve(most)?,
            used: false,
            fresh: false,
            lasting: false,
        })
    }

    /// Most nonzeros of a compressed column.
    fn limit(n: usize) -> usize {
        (DENSE_SHARE * n as f64) as usize
    }

    /// M may have changed: products use it as it is until [`Sparse::ensure`].
    pub(super) fn forget(&mut self) {
        (self.used, self.fresh, self.lasting) = (false, false, false);
    }

    /// Compresses `m` of so many nonzeros where few columns would be left, unless that was done.
    pub(super) fn ensure(&mut self, m: MatRef<'_>, nonzeros: impl FnOnce() -> usize) {
        let n = m.cols();
        if !self.fresh && n >= SMALLEST {
            self.fresh = true;
            if nonzeros() <= n * Self::limit(n) {
                self.compress(m);
            }
        }
    }

    /// The same for an M that is used again: a few columns are worth the effort.
    pub(super) fn ensure_lasting(&mut self, m: MatRef<'_>, nonzeros: impl FnOnce() -> usize) {
        let n = m.cols();
        if !self.lasting && n >= SMALLEST_LASTING {
            (self.fresh, self.lasting) = (true, true);
            if !self.used && nonzeros() < n * n {
                self.compress(m);
            }
        }
    }

    fn compress(&mut self, m: MatRef<'_>) {
        let n = m.cols();
        let limit = Self::limit(n);
        self.spans.clear();
        self.row.resize(n * limit + n, 0);
        self.value.resize(n * limit + n, 0.0);
        let mut count = 0;
        for j in 0..n {
            // Without a branch: each entry is written, the place advances past nonzeros only.
            let (rows, values) =
                (&mut self.row[count..count + n], &mut self.value[count..count + n]);
            let mut k = 0;
            for (i, &x) in m.col(j).iter().enumerate() {
                rows[k] = i as u32;
                values[k] = x;
                k += usize::from(x != 0.0);
            }
            let few = k <= limit;
            self.spans.push(few.then_some((count, count + k)));
            count += if few { k } else { 0 };
        }
        self.used = self.spans.iter().any(Option::is_some);
    }

    /// Whether the columns are those of the M of this very call.
    pub(super) fn is_certain(&self) -> bool {
        !self.lasting
    }

    /// out += sum of f times column j over the terms (j, f).
    pub(super) fn add_columns(
        &self,
        m: MatRef<'_>,
        terms: impl Iterator<Item = (usize, f64)>,
        out: &mut [f64],
    ) {
        if !self.used {
            return add_whole_columns(m, terms, out);
        }
        let mut dense = Eight::default();
        for (j, f) in terms {
            let Some((from, to)) = self.spans[j] else {
                dense.add(f, m.col(j), out);
                continue;
            };
            for (&i, &x) in self.row[from..to].iter().zip(&self.value[from..to]) {
                out[i as usize] += f * x;
            }
        }
        dense.finish(out);
    }
}

/// out += sum of f times column j of M as it is over the terms (j, f).
pub(super) fn add_whole_columns(
    m: MatRef<'_>,
    terms: impl Iterator<Item = (usize, f64)>,
    out: &mut [f64],
) {
    let mut dense = Eight::default();
    for (j, f) in terms {
        dense.add(f, m.col(j), out);
    }
    dense.finish(out);
}

/// Columns that wait until there are eight: one pass over the sum for all of them.
#[derive(Default)]
struct Eight<'a> {
    factors: [f64; 8],
    columns: [&'a [f64]; 8],
    count: usize,
}

impl<'a> Eight<'a> {
    #[inline]
    fn add(&mut self, f: f64, column: &'a [f64], out: &mut [f64]) {
        (self.factors[self.count], self.columns[self.count]) = (f, column);
        self.count += 1;
        if self.count == 8 {
            axpy8(out, self.factors, self.columns);
            self.count = 0;
        }
    }

    fn finish(self, out: &mut [f64]) {
        let (mut f, mut x) = (&self.factors[..self.count], &self.columns[..self.count]);
        if let (Some((f4, f1)), Some((x4, x1))) = (f.split_first_chunk(), x.split_first_chunk()) {
            axpy4(out, *f4, *x4);
            (f, x) = (f1, x1);
        }
        for (f, column) in f.iter().zip(x) {
            axpy(*f, column, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_columns_sum_to_what_whole_ones_do() {
        let n = 40;
        // Every third column has two entries, the others are full.
        let entry = |i: usize, j: usize| {
            let few = j.is_multiple_of(3) && i != j && i != (j + 5) % n;
            if few { 0.0 } else { 1.0 + (i * 7 + j * 3) as f64 }
        };
        let a: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
        let m = MatRef::square("m", &a, n).unwrap();
        let mut sparse = Sparse::new(n).unwrap();
        sparse.ensure_lasting(m, || n * n - 1);
        assert!(sparse.used && sparse.spans.iter().filter(|s| s.is_some()).count() == 14);
        let terms = || (0..n).map(|j| (j, 0.5 * j as f64));
        let (mut kept, mut whole) = (vec![0.0; n], vec![0.0; n]);
        sparse.add_columns(m, terms(), &mut kept);
        add_whole_columns(m, terms(), &mut whole);
        // exact: small integers and halves
        assert_eq!(kept, whole);
        assert!(!sparse.is_certain());
        sparse.forget();
        assert!(sparse.is_certain());
    }
}
