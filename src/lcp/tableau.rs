//! Small problems: a condensed tableau, exchanged in place. Knows one pivot, no path.

use super::engine::{Engine, Problem, Represented};
use super::path::{Path, Var};
use super::rules::Rules;
use crate::error::{Result, reserve};

/// Columns of the nonbasic variables: rates of the basic ones, (lcp.11). The last column belongs at
/// first to the artificial variable.
#[derive(Debug)]
pub(super) struct Tableau {
    a: Vec<f64>,
    n: usize,
    ld: usize,
    /// Column of each nonbasic variable.
    column: Vec<usize>,
    pivot_column: Vec<f64>,
}

/// Columns are padded so that the inner loop has no tail.
const PAD: usize = 4;

impl Tableau {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let ld = n_max.div_ceil(PAD) * PAD;
        Ok(Self {
            a: reserve(ld.saturating_mul(n_max + 1))?,
            n: 0,
            ld: 0,
            column: reserve(2 * n_max + 1)?,
            pivot_column: reserve(ld)?,
        })
    }

    /// The tableau of the basis of all w.
    pub(super) fn load(&mut self, p: &Problem<'_>) {
        let n = p.n();
        let ld = n.div_ceil(PAD) * PAD;
        (self.n, self.ld) = (n, ld);
        if self.a.len() < ld * (n + 1) {
            self.a.resize(ld * (n + 1), 0.0);
        }
        self.pivot_column.resize(ld, 0.0);
        for j in 0..n {
            let c = p.c[j];
            let col = &mut self.a[j * ld..j * ld + ld];
            for ((a, x), r) in col.iter_mut().zip(p.m.col(j)).zip(p.r) {
                *a = r * x * c;
            }
            col[n..].fill(0.0);
        }
        self.column.clear();
        self.column.extend(0..n);
        self.column.extend(0..=n);
    }
}

impl Engine for Tableau {
    fn cover(&mut self, _: &Problem<'_>, path: &Path) {
        let (n, ld) = (self.n, self.ld);
        let col = &mut self.a[n * ld..n * ld + ld];
        col[..n].copy_from_slice(&path.dir);
        col[n..].fill(0.0);
    }

    fn direction(
        &mut self,
        _: &Problem<'_>,
        path: &mut Path,
        entering: Var,
        _: &Rules,
    ) -> Represented {
        let start = self.column[entering] * self.ld;
        path.dir.copy_from_slice(&self.a[start..start + self.n]);
        Ok(())
    }

    fn exchange(&mut self, _: &Problem<'_>, _: &mut Path, i: usize, leaving: Var, entering: Var) {
        let (n, ld) = (self.n, self.ld);
        let place = self.column[entering];
        let size = ld * (n + 1);
        let a = &mut self.a[..size];
        let pivot = 1.0 / a[place * ld + i];
        let scaled = &mut self.pivot_column[..ld];
        for (s, x) in scaled.iter_mut().zip(&a[place * ld..place * ld + ld]) {
            *s = x * pivot;
        }
        for (j, col) in a.chunks_exact_mut(ld).enumerate() {
            let f = col[i];
            // exact: structural zeros of the data
            if f != 0.0 && j != place {
                let (blocks, _) = col.as_chunks_mut::<PAD>();
                for (x, s) in blocks.iter_mut().zip(scaled.as_chunks::<PAD>().0) {
                    for k in 0..PAD {
                        x[k] -= f * s[k];
                    }
                }
                col[i] = -f * pivot;
            }
        }
        scaled[i] = pivot;
        a[place * ld..place * ld + ld].copy_from_slice(scaled);
        self.column[leaving] = place;
    }

    fn refresh(&mut self, _: &Problem<'_>, _: &mut Path) {}

    fn refactor(&mut self, _: &Problem<'_>, _: &mut Path) -> bool {
        false
    }

    fn refactorizations(&self) -> usize {
        0
    }
}
