//! How much rounding of the data may have left of a zero in a Schur complement, (lcp.29). Knows the elimination,
//! not what is done with what it leaves.

use crate::error::{Result, reserve};
use crate::linalg::Schur;

/// Workspace for the shares of what was eliminated in what is left.
#[derive(Debug)]
pub(super) struct Shares {
    /// Shares of rows, one row of what is left after the other, and of one column.
    rows: Vec<f64>,
    column: Vec<f64>,
    /// Sizes of the terms of one column before rows were eliminated.
    sums: Vec<f64>,
}

impl Shares {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        // Rank and what is left add up to n.
        let half = n_max.div_ceil(2);
        Ok(Self {
            rows: reserve(half.saturating_mul(half))?,
            column: reserve(n_max)?,
            sums: reserve(n_max)?,
        })
    }

    /// Raises `terms`, by columns and a last one for the right-hand side `b`, which elimination has `reduced`, to
    /// `part` of the sums (lcp.29).
    pub(super) fn raise(
        &mut self,
        schur: &Schur,
        entry: impl Fn(usize, usize) -> f64,
        b: &[f64],
        reduced: &[f64],
        part: f64,
        terms: &mut [f64],
    ) {
        let (n, rank) = (b.len(), schur.rank());
        let order = n - rank;
        self.rows.resize(order * rank, 0.0);
        for (i, row) in self.rows.chunks_exact_mut(rank.max(1)).enumerate() {
            schur.shares_of_rows(i, row);
        }
        self.column.resize(rank, 0.0);
        self.sums.resize(n, 0.0);
        for (j, terms) in terms.chunks_exact_mut(order.max(1)).enumerate() {
            if j < order {
                schur.shares_of_columns(j, &mut self.column);
            } else {
                schur.shares_in(reduced, &mut self.column);
            }
            for (i, sum) in self.sums.iter_mut().enumerate() {
                let row = schur.row(i);
                let own = if j < order { entry(row, schur.col(rank + j)) } else { b[row] };
                let term = |(l, x): (usize, &f64)| (entry(row, schur.col(l)) * x).abs();
                *sum = own.abs() + self.column.iter().enumerate().map(term).sum::<f64>();
            }
            for (i, t) in terms.iter_mut().enumerate() {
                let shares = &self.rows[i * rank..(i + 1) * rank];
                let taken = shares.iter().zip(&self.sums).map(|(y, s)| y.abs() * s).sum::<f64>();
                *t = t.max(part * (self.sums[rank + i] + taken));
            }
        }
    }
}
