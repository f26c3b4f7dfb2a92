//! Columns of M for products, compressed when most entries are zero. Knows no basis.

use crate::error::{Result, reserve};
use crate::linalg::MatRef;
use crate::linalg::kernel::{axpy, axpy8};

/// Compression pays below this share of nonzeros and not for small problems; both measured.
const DENSE_SHARE: f64 = 0.25;
const SMALLEST: usize = 200;

/// Nonzeros by columns, or nothing when M is better used as it is.
#[derive(Debug)]
pub(super) struct Sparse {
    start: Vec<usize>,
    row: Vec<u32>,
    value: Vec<f64>,
    used: bool,
    fresh: bool,
}

impl Sparse {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let most = if n_max < SMALLEST { 0 } else { Self::limit(n_max) };
        Ok(Self {
            start: reserve(n_max + 1)?,
            row: reserve(most + n_max)?,
            value: reserve(most + n_max)?,
            used: false,
            fresh: false,
        })
    }

    fn limit(n: usize) -> usize {
        (DENSE_SHARE * (n * n) as f64) as usize
    }

    /// M may have changed: products use it as it is until [`Sparse::ensure`].
    pub(super) fn forget(&mut self) {
        (self.used, self.fresh) = (false, false);
    }

    /// Compresses `m`, whose nonzeros `count` counts, unless that was done, or it is small or full.
    pub(super) fn ensure(&mut self, m: MatRef<'_>, count: impl FnOnce() -> usize) {
        let n = m.cols();
        if self.fresh || n < SMALLEST {
            return;
        }
        self.fresh = true;
        if count() > Self::limit(n) {
            return;
        }
        let limit = Self::limit(n);
        self.start.clear();
        self.row.resize(limit + n, 0);
        self.value.resize(limit + n, 0.0);
        let mut count = 0;
        for j in 0..n {
            self.start.push(count);
            if count > limit {
                return;
            }
            // Without a branch: each entry is written, the place advances past nonzeros only.
            let (rows, values) =
                (&mut self.row[count..count + n], &mut self.value[count..count + n]);
            let mut k = 0;
            for (i, &x) in m.col(j).iter().enumerate() {
                rows[k] = i as u32;
                values[k] = x;
                k += usize::from(x != 0.0);
            }
            count += k;
        }
        self.start.push(count);
        self.used = count <= limit;
    }

    /// out += sum of f times column j over the terms (j, f).
    pub(super) fn add_columns(
        &self,
        m: MatRef<'_>,
        terms: impl Iterator<Item = (usize, f64)>,
        out: &mut [f64],
    ) {
        if self.used {
            for (j, f) in terms {
                let span = self.start[j]..self.start[j + 1];
                for (&i, &x) in self.row[span.clone()].iter().zip(&self.value[span]) {
                    out[i as usize] += f * x;
                }
            }
            return;
        }
        let mut held = ([0.0; 8], [&[][..]; 8]);
        let mut count = 0;
        for (j, f) in terms {
            (held.0[count], held.1[count]) = (f, m.col(j));
            count += 1;
            if count == 8 {
                axpy8(out, held.0, held.1);
                count = 0;
            }
        }
        for l in 0..count {
            axpy(held.0[l], held.1[l], out);
        }
    }
}
