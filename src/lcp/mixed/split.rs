//! The complementary problem that stands for what is left, (lcp.20): free unknowns in two parts, equations as
//! inequalities. Knows no elimination.

use super::left::Left;
use crate::error::{Result, reserve};
use crate::linalg::Schur;
use crate::linalg::kernel::dot;
use crate::tol;

/// Workspace of the reduced problem.
#[derive(Debug)]
pub(super) struct Split {
    /// Leftover equations over the pairs and their constants, by rows, and the combinations that pair them
    /// with the leftover unknowns.
    rows: Vec<f64>,
    turn: Vec<f64>,
    pub(super) gram: Schur,
    places: Vec<f64>,
    sums: Vec<f64>,
    /// The reduced problem: pairs first, then the split ones.
    pub(super) m: Vec<f64>,
    pub(super) q: Vec<f64>,
}

impl Split {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let n = n_max.saturating_add(1);
        Ok(Self {
            rows: reserve(n.saturating_mul(n))?,
            turn: reserve(n_max.saturating_mul(n_max))?,
            gram: Schur::new(n_max)?,
            places: reserve(n)?,
            sums: reserve(n)?,
            m: reserve(n.saturating_mul(n))?,
            q: reserve(n)?,
        })
    }

    /// Writes the problem with `split` equations and unknowns besides the pairs, all that are left or none.
    pub(super) fn write(&mut self, left: &Left, split: usize) {
        for v in [&mut self.places, &mut self.sums] {
            v.clear();
            v.resize(split, 0.0);
        }
        if split > 0 {
            self.gather(left);
            self.align(left, split);
        }
        self.assemble(left, split);
    }

    /// Leftover equations: coefficients of the pairs, then the constant.
    fn gather(&mut self, left: &Left) {
        self.rows.clear();
        for t in left.equations() {
            let start = self.rows.len();
            self.rows.extend((0..left.pairs()).map(|j| left.in_equation(t, j)));
            // An equation without unknowns holds already, up to what was let pass.
            let empty = self.rows[start..].iter().all(|&x| x == 0.0);
            self.rows.push(if empty { 0.0 } else { left.equation_constant(t) });
        }
    }

    /// Combines the leftover equations so that they mirror the leftover unknowns as well as they
    /// can, (lcp.21): a semidefinite problem then stays one. Equations that do not span the same
    /// space as the unknowns stay as they are.
    fn align(&mut self, left: &Left, d: usize) {
        let width = left.pairs() + 1;
        let row = |t: usize| &self.rows[t * width..(t + 1) * width - 1];
        self.gram.eliminate(d, d, tol::RANK, |j, col| {
            for (i, g) in col.iter_mut().enumerate() {
                *g = dot(row(i), row(j));
            }
        });
        if self.gram.rank() < d {
            return;
        }
        self.turn.clear();
        for s in left.unknowns() {
            for t in 0..d {
                let acts = row(t).iter().enumerate().map(|(i, x)| x * left.acts(i, s));
                self.sums[t] = acts.sum();
            }
            let start = self.turn.len();
            self.turn.resize(start + d, 0.0);
            let turn = &mut self.turn[start..];
            self.gram.reduce(&self.sums, turn);
            self.gram.back_substitute(turn, &mut self.places);
            for k in 0..d {
                turn[self.gram.col(k)] = self.places[k];
            }
        }
        self.gram.eliminate(d, d, tol::RANK, |j, col| {
            col.copy_from_slice(&self.turn[j * d..(j + 1) * d]);
        });
        if self.gram.rank() == d {
            self.combine(d, width);
        }
    }

    /// Replaces leftover equation j by the combination in row j of `turn`.
    fn combine(&mut self, d: usize, width: usize) {
        for k in 0..width {
            for (j, turn) in self.turn.chunks_exact(d).enumerate() {
                self.sums[j] = (0..d).map(|t| turn[t] * self.rows[t * width + k]).sum();
            }
            for j in 0..d {
                self.rows[j * width + k] = self.sums[j];
            }
        }
    }

    fn assemble(&mut self, left: &Left, split: usize) {
        let n = left.pairs();
        let order = n + if split > 0 { split + 1 } else { 0 };
        self.m.clear();
        self.m.resize(order * order, 0.0);
        self.q.clear();
        self.q.extend((0..n).map(|i| left.constant(i)));
        for j in 0..n {
            for i in 0..n {
                self.m[j * order + i] = left.pair(i, j);
            }
        }
        if split == 0 {
            return;
        }
        for (t, s) in left.unknowns().enumerate() {
            let equation = &self.rows[t * (n + 1)..(t + 1) * (n + 1)];
            for (j, x) in equation[..n].iter().enumerate() {
                self.m[j * order + n + t] = *x;
                self.m[j * order + order - 1] -= x;
            }
            for i in 0..n {
                let x = left.acts(i, s);
                self.m[(n + t) * order + i] = x;
                self.m[(order - 1) * order + i] -= x;
            }
            self.q.push(equation[n]);
        }
        let sum: f64 = self.q[n..].iter().sum();
        self.q.push(-sum);
    }
}
