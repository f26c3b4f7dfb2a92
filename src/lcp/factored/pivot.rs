//! One exchange on the factored basis: directions with their error in sight, and the four updates
//! of the kernel.

use super::{Factored, NONE};
use crate::lcp::engine::{Engine, Problem, Represented, Singular};
use crate::lcp::path::{Path, Var};
use crate::lcp::rules::Rules;
use crate::linalg::Then;
use crate::linalg::kernel::max_abs;
use crate::tol;

/// Passes of refinement when the basic variables are computed afresh.
const PASSES: usize = 2;

impl Factored {
    /// w_i leaves: row i joins the kernel, (lcp.12) or (lcp.14). z_i enters next, so its kernel
    /// direction is prepared on the way.
    fn row_joins(&mut self, p: &Problem<'_>, path: &mut Path, i: usize, entering: Var) {
        let n = p.n();
        let pivot = path.dir[i];
        self.gather_row(p, i);
        let mut next = std::mem::take(&mut self.next);
        if entering >= n {
            self.place[i] = self.rows.len();
            self.rows.push(i);
            self.gather_column(p, i);
            self.cols.push(entering - n);
            let then = Then { b: &self.rhs, y: &mut next };
            self.inverse.append(&self.y, &self.row, pivot, Some(then));
        } else {
            let m = self.place[entering];
            self.rows[m] = i;
            (self.place[i], self.place[entering]) = (m, NONE);
            path.swap(i, entering);
            self.gather_column(p, i);
            let then = Then { b: &self.rhs, y: &mut next };
            self.inverse.replace_row(m, &self.y, &self.row, pivot, Some(then));
        }
        self.next = next;
        self.prepared = Some(i + n);
    }

    /// The variable at position i, a z, leaves: its column leaves the kernel, (lcp.13) or (lcp.15).
    fn column_leaves(&mut self, p: &Problem<'_>, path: &mut Path, i: usize, entering: Var) {
        let n = p.n();
        let l = self.place[i];
        if entering >= n {
            self.inverse.replace_column(l, &self.y);
            self.cols[l] = entering - n;
            return;
        }
        let m = self.place[entering];
        path.swap(i, entering);
        self.inverse.remove(l, m, &self.y);
        self.cols.swap(l, m);
        self.cols.swap_remove(m);
        self.rows.swap_remove(m);
        self.place[entering] = NONE;
        if let Some(&moved) = self.rows.get(m) {
            self.place[moved] = m;
        }
    }
}

impl Engine for Factored {
    fn cover(&mut self, p: &Problem<'_>, path: &Path) {
        // d = B e, (lcp.16): every basic variable then moves at its rate e
        let n = p.n();
        for (l, &i) in self.rows.iter().enumerate() {
            self.y[l] = -path.dir[i];
        }
        let mut d = std::mem::take(&mut self.d);
        d.clear();
        d.resize(n, 0.0);
        self.product(p, &self.y, &mut d);
        for (i, d) in d.iter_mut().enumerate() {
            if self.place[i] == NONE {
                *d += path.dir[i];
            }
        }
        self.d = d;
        for y in &mut self.y[..self.rows.len()] {
            *y = -*y;
        }
    }

    fn direction(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        entering: Var,
        rules: &Rules,
    ) -> Represented {
        for fresh in [false, true] {
            if fresh && !self.refactor(p, path) {
                return Err(Singular);
            }
            self.solve_kernel(p, entering);
            let mut error = self.rates(p, path, entering);
            let k = self.inverse.order();
            let mut size = max_abs(&path.dir).max(max_abs(&self.y[..k])).max(1.0);
            if error > rules.refine * size {
                self.correct();
                error = self.rates(p, path, entering);
                size = max_abs(&path.dir).max(max_abs(&self.y[..k])).max(1.0);
            }
            if error <= tol::LCP_REFACTOR * size {
                for (l, &i) in self.rows.iter().enumerate() {
                    path.dir[i] = self.y[l];
                }
                return Ok(());
            }
        }
        Err(Singular)
    }

    fn exchange(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        i: usize,
        leaving: Var,
        entering: Var,
    ) {
        self.prepared = None;
        if leaving < p.n() {
            self.row_joins(p, path, i, entering);
        } else {
            self.column_leaves(p, path, i, entering);
        }
    }

    fn refresh(&mut self, p: &Problem<'_>, path: &mut Path) {
        let prepared = self.prepared.take();
        let mut kept = std::mem::take(&mut self.row);
        let k = self.inverse.order();
        kept[..k].copy_from_slice(&self.next[..k]);
        self.refresh_values(p, path, PASSES);
        self.next[..k].copy_from_slice(&kept[..k]);
        self.row = kept;
        self.prepared = prepared;
    }

    fn refactor(&mut self, p: &Problem<'_>, path: &mut Path) -> bool {
        let done = self.factor(p);
        if done {
            self.refresh(p, path);
        }
        done
    }

    fn refactorizations(&self) -> usize {
        self.factors
    }
}
