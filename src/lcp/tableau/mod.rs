//! The tableau of (lcp.11) by columns: the column of a variable is made when the variable enters,
//! by the exchanges done so far. Knows one pivot, no path.

mod chain;

use super::engine::{Engine, Problem, Represented, Singular};
use super::path::{Path, Var};
use super::rules::Rules;
use crate::error::{Result, reserve};
use crate::linalg::kernel::max_abs;
use crate::tol;
use chain::Chain;

/// Exchanges beyond twice the order of the kernel after which the chain is made afresh: it would
/// soon cost more than it takes to make a shorter one.
const LONG: usize = 32;
/// Marks a variable that has not left the basis.
const NEVER: u32 = u32::MAX;

/// A tableau kept as the chain of exchanges that leads to it from the data.
#[derive(Debug)]
pub(super) struct Tableau {
    n: usize,
    chain: Chain,
    /// Exchange at which each variable left the basis last.
    left_at: Vec<u32>,
    /// Covering vector: the column of the artificial variable.
    cover: Vec<f64>,
    /// Columns and rows still to be exchanged when the chain is made afresh.
    columns: Vec<Var>,
    open: Vec<bool>,
    /// Order of the kernel: variables z and the artificial one in the basis.
    kernel: usize,
    factors: usize,
    /// The chain could not be made afresh.
    lost: bool,
}

impl Tableau {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            n: 0,
            chain: Chain::new(n_max, Self::longest(n_max))?,
            left_at: reserve(2 * n_max + 1)?,
            cover: reserve(n_max)?,
            columns: reserve(n_max + 1)?,
            open: reserve(n_max)?,
            kernel: 0,
            factors: 0,
            lost: false,
        })
    }

    /// Exchanges for which there is room: a kernel has at most n + 1 columns.
    fn longest(n: usize) -> usize {
        2 * (n + 1) + LONG + 1
    }

    /// The tableau of the basis of all w.
    pub(super) fn load(&mut self, p: &Problem<'_>) {
        self.n = p.n();
        self.chain.clear(p.n());
        self.left_at.clear();
        self.left_at.resize(2 * self.n + 1, NEVER);
        (self.kernel, self.factors, self.lost) = (0, 0, false);
    }

    /// Not used in this solve.
    pub(super) fn rest(&mut self) {
        self.factors = 0;
    }

    /// The column of a variable that is not basic, into `out`.
    fn column(&self, p: &Problem<'_>, v: Var, out: &mut [f64]) {
        let n = self.n;
        out[n..].fill(0.0);
        let left = self.left_at[v];
        if left != NEVER {
            out[..n].fill(0.0);
            return self.chain.apply_from(left as usize, out);
        }
        if v == 2 * n {
            out[..n].copy_from_slice(&self.cover);
        } else {
            // A w is basic until it leaves for the first time.
            let (j, c) = (v - n, p.c[v - n]);
            for ((o, x), r) in out.iter_mut().zip(p.m.col(j)).zip(p.r) {
                *o = r * x * c;
            }
        }
        self.chain.apply(out);
    }

    /// Appends the exchange of `leaving` at position i with the variable whose column is `dir`.
    fn push(&mut self, dir: &[f64], i: usize, leaving: Var) {
        self.left_at[leaving] = self.chain.len() as u32;
        self.chain.push(dir, i);
    }

    /// Row among the open ones with the largest entry of `column`, if it is fit for a pivot.
    fn largest(&self, column: &[f64]) -> Option<usize> {
        let mut best = (tol::LCP_SINGULAR * max_abs(column).max(tol::LCP_SINGULAR), None);
        for (i, (x, open)) in column.iter().zip(&self.open).enumerate() {
            if *open && x.abs() > best.0 {
                best = (x.abs(), Some(i));
            }
        }
        best.1
    }
}

impl Engine for Tableau {
    fn cover(&mut self, _: &Problem<'_>, path: &Path) {
        self.cover.clear();
        self.cover.extend_from_slice(&path.dir[..self.n]);
    }

    fn direction(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        entering: Var,
        _: &Rules,
    ) -> Represented {
        if self.lost {
            return Err(Singular);
        }
        self.column(p, entering, &mut path.dir);
        Ok(())
    }

    fn exchange(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        i: usize,
        leaving: Var,
        entering: Var,
    ) {
        // The path ends there, and nothing is asked of the tableau any more.
        if leaving == 2 * self.n {
            return;
        }
        self.push(&path.dir, i, leaving);
        self.kernel = self.kernel + usize::from(leaving < self.n) - usize::from(entering < self.n);
        if self.chain.len() >= 2 * self.kernel + LONG {
            self.lost = !self.refactor(p, path);
        }
    }

    fn refresh(&mut self, p: &Problem<'_>, path: &mut Path) {
        path.x[..self.n].copy_from_slice(p.q);
        self.chain.apply(&mut path.x);
    }

    /// A chain of one exchange per kernel column, each with the largest pivot of its column.
    fn refactor(&mut self, p: &Problem<'_>, path: &mut Path) -> bool {
        let n = self.n;
        self.factors += 1;
        self.columns.clear();
        self.columns.extend(path.basic.iter().copied().filter(|&v| v >= n));
        // Positions are renamed below; the order must not depend on them.
        self.columns.sort_unstable();
        self.open.clear();
        self.open.resize(n, true);
        for &v in path.basic.iter().filter(|&&v| v < n) {
            self.open[v] = false;
        }
        self.chain.clear(n);
        self.left_at.fill(NEVER);
        for i in 0..n {
            path.place(i, i);
        }
        for k in 0..self.columns.len() {
            let v = self.columns[k];
            self.column(p, v, &mut path.dir);
            let Some(i) = self.largest(&path.dir[..n]) else { return false };
            self.open[i] = false;
            path.place(i, v);
            self.push(&path.dir, i, i);
        }
        self.refresh(p, path);
        true
    }

    fn refactorizations(&self) -> usize {
        self.factors
    }
}
