//! What elimination of the free unknowns leaves where their block is singular: equations and unknowns that
//! are exchanged against pairs, (lcp.26). Knows linear relations and the rounding in them, no path.

use super::shares::Shares;
use crate::error::{Result, reserve};
use crate::linalg::Schur;
use crate::linalg::kernel::max_abs;
use crate::tol;

/// Linear relations y = T x + t between dependent variables (rows) and independent ones (columns), the
/// constants in a last column. First the d leftover equations (y = 0) and unknowns, then the pairs with w
/// dependent and v independent, or the other way round.
#[derive(Debug)]
pub(super) struct Left {
    t: Vec<f64>,
    /// Sizes of the terms each entry was summed from.
    terms: Vec<f64>,
    /// Part of those up to which an entry is rounding.
    floor: f64,
    /// Leftover equations, and pairs behind them.
    d: usize,
    order: usize,
    /// For each row that once was an equation the unknown that it gives now, by its column.
    gives: Vec<Option<usize>>,
    /// Columns of leftover unknowns that are given by a row.
    given: Vec<bool>,
    /// Pairs whose v is dependent.
    pub(super) swapped: Vec<bool>,
    work: Vec<f64>,
    shares: Shares,
}

impl Left {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let room = n_max.saturating_add(1).saturating_mul(n_max);
        Ok(Self {
            t: reserve(room)?,
            terms: reserve(room)?,
            floor: 0.0,
            d: 0,
            order: 0,
            gives: reserve(n_max)?,
            given: reserve(n_max)?,
            swapped: reserve(n_max)?,
            work: reserve(n_max.saturating_mul(2))?,
            shares: Shares::new(n_max)?,
        })
    }

    /// Takes what is left after elimination of the first `n_free` rows of a matrix with the entries
    /// `entry(i, j)`, and `reduced`, which was `b` before. Numbers that are rounding become zero; `coarse`: also those that may
    /// be rounding of the data, whose sums had larger terms than can be seen here.
    pub(super) fn load(
        &mut self,
        schur: &Schur,
        n_free: usize,
        entry: impl Fn(usize, usize) -> f64,
        b: &[f64],
        reduced: &[f64],
        coarse: bool,
    ) {
        let rank = schur.rank();
        (self.d, self.order) = (n_free - rank, b.len() - rank);
        let (d, o) = (self.d, self.order);
        for v in [&mut self.t, &mut self.terms] {
            v.clear();
            v.resize((o + 1) * o, 0.0);
        }
        for (j, size) in self.terms.chunks_exact_mut(o.max(1)).enumerate().take(o + 1) {
            for (i, s) in size.iter_mut().enumerate() {
                let row = schur.row(rank + i);
                *s = if j < o { entry(row, schur.col(rank + j)) } else { b[row] }.abs();
            }
            if j < o {
                schur.add_terms(j, size);
            } else {
                schur.add_terms_of(reduced, size);
            }
            for i in 0..o {
                // What is left of the block counts as zero.
                let x = match (i < d, j < d) {
                    (true, true) => 0.0,
                    _ if j == o => reduced[rank + i],
                    _ => schur.rest(i, j),
                };
                self.t[j * o + i] = x;
            }
        }
        self.floor = (b.len() + 16) as f64 * f64::EPSILON;
        if coarse {
            // A factor may be rounding itself, and its terms as small; but the matrix had entries of size one.
            let least = self.floor / tol::RANK;
            self.terms[..o * o].iter_mut().for_each(|s| *s = s.max(least));
            self.shares.raise(schur, entry, b, reduced, least, &mut self.terms);
            self.floor = tol::RANK;
            let size = max_abs(b);
            self.terms[o * o..].iter_mut().for_each(|s| *s = s.max(size));
        }
        self.clear_rounding();
        self.gives.clear();
        self.gives.resize(d, None);
        self.given.clear();
        self.given.resize(d, false);
        self.swapped.clear();
        self.swapped.resize(o - d, false);
    }

    /// Entries that are rounding of their terms become zero: scaled up they would be taken for data.
    fn clear_rounding(&mut self) {
        for (x, s) in self.t.iter_mut().zip(&self.terms) {
            *x = if x.abs() <= self.floor * s { 0.0 } else { *x };
        }
    }

    /// Pairs.
    pub(super) fn pairs(&self) -> usize {
        self.order - self.d
    }

    /// Entry of row i and column j, rows and columns of pairs.
    pub(super) fn pair(&self, i: usize, j: usize) -> f64 {
        self.t[(self.d + j) * self.order + self.d + i]
    }

    /// Constant of the row of a pair.
    pub(super) fn constant(&self, i: usize) -> f64 {
        self.t[self.order * self.order + self.d + i]
    }

    /// Equations that are not used up.
    pub(super) fn equations(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.d).filter(|&t| self.gives[t].is_none())
    }

    /// Unknowns that no row gives, as many.
    pub(super) fn unknowns(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.d).filter(|&s| !self.given[s])
    }

    /// Coefficient of pair j in equation t, zero where only rounding is left.
    pub(super) fn in_equation(&self, t: usize, j: usize) -> f64 {
        self.significant((self.d + j) * self.order + t)
    }

    /// Constant of equation t.
    pub(super) fn equation_constant(&self, t: usize) -> f64 {
        self.t[self.order * self.order + t]
    }

    /// What unknown s adds to the row of pair i, zero where only rounding is left.
    pub(super) fn acts(&self, i: usize, s: usize) -> f64 {
        self.significant(s * self.order + self.d + i)
    }

    fn significant(&self, at: usize) -> f64 {
        if self.t[at].abs() <= tol::RANK * self.terms[at] { 0.0 } else { self.t[at] }
    }

    /// Exchanges equations and unknowns against pairs as far as there are such: of each the v is given by an
    /// equation and the w gives an unknown. The largest product of the two pivots comes first.
    pub(super) fn exchange(&mut self) {
        let n = self.order;
        while let Some((t, s, j)) = self.largest() {
            let row = self.d + j;
            self.pivot(t, row);
            self.pivot(row, s);
            // The pair keeps its place.
            self.swap_rows(t, row);
            self.swap_columns(s, row);
            self.clear_rounding();
            // The equation is one: its value is zero.
            self.t[s * n..(s + 1) * n].fill(0.0);
            self.terms[s * n..(s + 1) * n].fill(0.0);
            self.gives[t] = Some(s);
            self.given[s] = true;
            self.swapped[j] = true;
        }
    }

    /// The equation, the unknown and the pair to exchange next.
    fn largest(&self) -> Option<(usize, usize, usize)> {
        let mut best = (0.0, None);
        for j in (0..self.pairs()).filter(|&j| !self.swapped[j]) {
            let most = |of: &mut dyn Iterator<Item = (usize, f64)>| {
                of.fold((0, 0.0f64), |m, (k, x)| if x.abs() > m.1 { (k, x.abs()) } else { m })
            };
            let (t, a) = most(&mut self.equations().map(|t| (t, self.in_equation(t, j))));
            let (s, b) = most(&mut self.unknowns().map(|s| (s, self.acts(j, s))));
            if a * b > best.0 {
                best = (a * b, Some((t, s, j)));
            }
        }
        best.1
    }

    /// Row i becomes independent, column j dependent.
    fn pivot(&mut self, i: usize, j: usize) {
        let o = self.order;
        let (start, end) = (j * o, (j + 1) * o);
        let (p, doubt) = (self.t[start + i], self.terms[start + i]);
        self.work.clear();
        self.work.extend_from_slice(&self.t[start..end]);
        self.work.extend_from_slice(&self.terms[start..end]);
        let (by, by_terms) = self.work.split_at(o);
        for k in (0..=o).filter(|&k| k != j) {
            let column = &mut self.t[k * o..(k + 1) * o];
            let f = -column[i] / p;
            // exact: structural zeros
            if f == 0.0 {
                continue;
            }
            let size = &mut self.terms[k * o..(k + 1) * o];
            // A quotient is as doubtful as its parts, and so is a product.
            let f_terms = (size[i] / p.abs()).max(f.abs() * doubt / p.abs());
            for l in 0..o {
                column[l] += f * by[l];
                size[l] += (f_terms * by[l].abs()).max(f.abs() * by_terms[l]);
            }
            (column[i], size[i]) = (f, f_terms);
        }
        for (l, (x, s)) in by.iter().zip(by_terms).enumerate() {
            let ratio = x / p;
            self.t[start + l] = ratio;
            self.terms[start + l] = (s / p.abs()).max(ratio.abs() * doubt / p.abs());
        }
        self.t[start + i] = 1.0 / p;
        self.terms[start + i] = doubt / (p * p);
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        let o = self.order;
        for v in [&mut self.t, &mut self.terms] {
            v.chunks_exact_mut(o).for_each(|column| column.swap(a, b));
        }
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        let o = self.order;
        for v in [&mut self.t, &mut self.terms] {
            for i in 0..o {
                v.swap(a * o + i, b * o + i);
            }
        }
    }

    /// Puts the leftover unknowns into `u`, of which those that no row gives are there already, from the
    /// independent variables of the pairs.
    pub(super) fn unknowns_from(&self, x: &[f64], u: &mut [f64]) {
        let o = self.order;
        for t in 0..self.d {
            let Some(s) = self.gives[t] else { continue };
            let mut sum = self.t[o * o + t];
            for (j, x) in x.iter().enumerate().take(self.pairs()) {
                sum += self.t[(self.d + j) * o + t] * x;
            }
            for k in self.unknowns() {
                sum += self.t[k * o + t] * u[k];
            }
            u[s] = sum;
        }
    }
}
