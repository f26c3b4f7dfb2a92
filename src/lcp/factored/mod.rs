//! Larger problems: the basis as an explicit inverse of its small kernel, (lcp.11). Knows one
//! basis, no path; the exchange of a variable is in `pivot`, its values in `solve`.

mod pivot;
mod solve;

use super::engine::{Problem, Represented, Singular};
use super::path::{Path, Var};
use super::shelf::{Kept, Shelf};
use super::sparse::{Sparse, add_whole_columns};
use crate::error::{Result, reserve};
use crate::linalg::Bordered;
use crate::linalg::kernel::axpy;
use crate::tol;

/// Kernels below this order are inverted faster than ordered.
const SMALLEST_ORDERED: usize = 16;
/// Marks a row whose w is basic.
const NONE: usize = usize::MAX;

/// The kernel K: rows R whose w is nonbasic, columns C of the basic z and the artificial variable.
/// The variable of column C_l stands at position R_l of the path, a basic w_i at position i.
#[derive(Debug)]
pub(super) struct Factored {
    inverse: Bordered,
    rows: Vec<usize>,
    /// Index of an unknown, n for the artificial variable.
    cols: Vec<usize>,
    /// Place of each row in `rows`, or `NONE`.
    place: Vec<usize>,
    /// Scaled covering vector: column n of the matrix.
    d: Vec<f64>,
    y: Vec<f64>,
    next: Vec<f64>,
    row: Vec<f64>,
    rhs: Vec<f64>,
    /// The variable whose kernel direction is already in `next`.
    prepared: Option<Var>,
    pub(super) sparse: Sparse,
    factors: usize,
}

impl Factored {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let k_max = n_max + 1;
        Ok(Self {
            inverse: Bordered::new(k_max)?,
            rows: reserve(k_max)?,
            cols: reserve(k_max)?,
            place: reserve(n_max)?,
            d: reserve(n_max)?,
            y: reserve(k_max)?,
            next: reserve(k_max)?,
            row: reserve(k_max)?,
            rhs: reserve(k_max)?,
            prepared: None,
            sparse: Sparse::new(n_max)?,
            factors: 0,
        })
    }

    fn size(&mut self, n: usize) {
        self.place.resize(n, NONE);
        self.d.resize(n, 0.0);
        for v in [&mut self.y, &mut self.next, &mut self.row, &mut self.rhs] {
            v.resize(n + 1, 0.0);
        }
        self.prepared = None;
        self.factors = 0;
    }

    /// The basis of all w; `path` has been reset.
    pub(super) fn load(&mut self, p: &Problem<'_>) {
        self.size(p.n());
        self.place.fill(NONE);
        self.rows.clear();
        self.cols.clear();
        self.inverse.clear();
    }

    /// Whether the basis in hand is the complementary one with z basic where `basic` says so.
    pub(super) fn holds(&self, basic: &[bool]) -> bool {
        let n = basic.len();
        // As many of them as there are, each one basic: all of them.
        self.place.len() == n
            && self.inverse.order() == self.cols.len()
            && self.cols.len() == basic.iter().filter(|b| **b).count()
            && self.cols.iter().all(|&j| j < n && basic[j])
            && self.rows.iter().all(|&i| basic[i])
    }

    /// The complementary basis with z basic where `basic` says so. Keeps the inverse when `keep` and it
    /// belongs to that basis already.
    pub(super) fn load_basis(
        &mut self,
        p: &Problem<'_>,
        basic: &[bool],
        keep: bool,
    ) -> Represented {
        let n = p.n();
        let same = keep && self.holds(basic);
        self.size(n);
        if same {
            return Ok(());
        }
        self.place.fill(NONE);
        self.rows.clear();
        self.cols.clear();
        for j in (0..n).filter(|&j| basic[j]) {
            self.place[j] = self.rows.len();
            self.rows.push(j);
            self.cols.push(j);
        }
        self.few_first(p);
        if self.factor(p) { Ok(()) } else { Err(Singular) }
    }

    /// Orders the columns of the kernel by their number of entries, so that zeros are met first.
    fn few_first(&mut self, p: &Problem<'_>) {
        let Self { rows, cols, row, .. } = self;
        if cols.len() < SMALLEST_ORDERED {
            return;
        }
        for (&j, count) in cols.iter().zip(row.iter_mut()) {
            let col = p.m.col(j);
            *count = rows.iter().filter(|&&i| col[i] != 0.0).count() as f64;
        }
        // Columns and rows have the same indices here.
        let count = |j: usize| row[self.place[j]];
        cols.sort_unstable_by(|&a, &b| count(a).total_cmp(&count(b)).then(a.cmp(&b)));
    }

    /// Puts the basis in hand onto the shelf. False when there is no room for it.
    pub(super) fn put_on(&self, shelf: &mut Shelf) -> bool {
        shelf.put(&self.rows, &self.cols, |m| self.inverse.column(m))
    }

    /// Takes a basis from the shelf.
    pub(super) fn load_kept(&mut self, n: usize, kept: &Kept<'_>) {
        self.size(n);
        self.place.fill(NONE);
        self.rows.clear();
        self.cols.clear();
        for (&i, &j) in kept.rows.iter().zip(kept.cols) {
            self.place[i] = self.rows.len();
            self.rows.push(i);
            self.cols.push(j);
        }
        self.inverse.load(kept.rows.len(), kept.inverse);
    }

    /// Scaled kernel entry in row i and column index j.
    #[inline]
    fn entry(p: &Problem<'_>, d: &[f64], i: usize, j: usize) -> f64 {
        if j == p.n() { d[i] } else { p.at(i, j) }
    }

    fn factor(&mut self, p: &Problem<'_>) -> bool {
        let (rows, cols, d) = (&self.rows, &self.cols, &self.d);
        self.prepared = None;
        self.factors += 1;
        self.inverse.factor(rows.len(), tol::LCP_SINGULAR, |l, col| {
            for (x, &i) in col.iter_mut().zip(rows) {
                *x = Self::entry(p, d, i, cols[l]);
            }
        })
    }

    /// out += M_C y over all rows, `out` in raw rows on entry and scaled on return.
    fn product(&self, p: &Problem<'_>, y: &[f64], out: &mut [f64]) {
        let artificial = self.add_columns(p, y, out, true);
        for (o, r) in out.iter_mut().zip(p.r) {
            *o *= r;
        }
        if artificial != 0.0 {
            axpy(artificial, &self.d, out);
        }
    }

    /// out += M_C y in raw rows, without the artificial variable, whose y is returned. `kept`: by the
    /// columns that were compressed, else by M as it is now.
    fn add_columns(&self, p: &Problem<'_>, y: &[f64], out: &mut [f64], kept: bool) -> f64 {
        let n = p.n();
        let mut artificial = 0.0;
        let terms = self.cols.iter().zip(y).filter_map(|(&j, &yl)| {
            if j == n {
                artificial = yl;
                return None;
            }
            // exact: structural zeros
            (yl != 0.0).then(|| (j, yl * p.c[j]))
        });
        if kept {
            self.sparse.add_columns(p.m, terms, out);
        } else {
            add_whole_columns(p.m, terms, out);
        }
        artificial
    }

    /// Rates of all rows for the kernel direction y and the entering variable; returns the largest
    /// violation of a kernel row.
    fn rates(&mut self, p: &Problem<'_>, path: &mut Path, entering: Var) -> f64 {
        let n = p.n();
        path.dir.fill(0.0);
        if entering >= n {
            let j = entering - n;
            axpy(p.c[j], p.m.col(j), &mut path.dir[..n]);
        }
        self.product(p, &self.y, &mut path.dir[..n]);
        let mut worst = 0.0f64;
        for (l, &i) in self.rows.iter().enumerate() {
            let target = if i == entering { 1.0 } else { 0.0 };
            self.rhs[l] = path.dir[i] - target;
            worst = worst.max(self.rhs[l].abs());
            // f64::max drops a NaN; a broken direction must not pass.
            if self.rhs[l].is_nan() {
                worst = f64::INFINITY;
            }
        }
        worst
    }

    /// y -= inverse * rhs.
    fn correct(&mut self) {
        self.inverse.multiply(-1.0, &self.rhs, &mut self.next);
        self.prepared = None;
        let k = self.inverse.order();
        axpy(1.0, &self.next[..k], &mut self.y[..k]);
    }

    /// Kernel direction of the entering variable from the inverse.
    fn solve_kernel(&mut self, p: &Problem<'_>, entering: Var) {
        let n = p.n();
        let k = self.inverse.order();
        if entering < n {
            let column = self.inverse.column(self.place[entering]);
            self.y[..k].copy_from_slice(column);
        } else if self.prepared == Some(entering) {
            std::mem::swap(&mut self.y, &mut self.next);
        } else {
            let j = entering - n;
            for (b, &i) in self.rhs.iter_mut().zip(&self.rows) {
                *b = p.at(i, j);
            }
            self.inverse.multiply(-1.0, &self.rhs, &mut self.y);
        }
        self.prepared = None;
    }

    /// Row i of the kernel's columns into `row`.
    fn gather_row(&mut self, p: &Problem<'_>, i: usize) {
        let (r, d, n) = (p.r[i], self.d[i], p.n());
        for (a, &j) in self.row.iter_mut().zip(&self.cols) {
            *a = if j == n { d } else { r * p.m.at(i, j) * p.c[j] };
        }
    }

    /// Column of z_i over the kernel rows into `rhs`: the right-hand side of the next direction.
    fn gather_column(&mut self, p: &Problem<'_>, i: usize) {
        let (col, c) = (p.m.col(i), p.c[i]);
        for (b, &row) in self.rhs.iter_mut().zip(&self.rows) {
            *b = p.r[row] * col[row] * c;
        }
    }
}
