//! A point on Lemke's path: the values of the basic variables and the direction in which they move,
//! and the ratio test that ends a move. Knows no matrix.

use super::rules::Rules;
use crate::error::{Result, reserve};
use crate::linalg::kernel::{axpy, max_abs};

/// A variable of the augmented problem of n rows: w_i is i, z_i is n + i, the artificial one is 2n.
pub(super) type Var = usize;

/// The other variable of the pair.
pub(super) fn complement(n: usize, v: Var) -> Var {
    if v < n { v + n } else { v - n }
}

/// Basic variable at each of n positions, its value, and its rate along the present edge.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) basic: Vec<Var>,
    pub(super) x: Vec<f64>,
    pub(super) dir: Vec<f64>,
    tied: Vec<usize>,
    /// Largest rate met in this solve; the scaled data are of order one.
    pub(super) growth: f64,
}

impl Path {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            basic: reserve(n_max)?,
            x: reserve(n_max)?,
            dir: reserve(n_max)?,
            tied: reserve(n_max)?,
            growth: 1.0,
        })
    }

    pub(super) fn n(&self) -> usize {
        self.x.len()
    }

    /// All w basic with the values `q`.
    pub(super) fn reset(&mut self, q: &[f64]) {
        let n = q.len();
        self.basic.clear();
        self.basic.extend(0..n);
        self.x.clear();
        self.x.extend_from_slice(q);
        self.dir.resize(n, 0.0);
    }

    /// Position of the artificial variable, if basic.
    pub(super) fn artificial(&self) -> Option<usize> {
        let z0 = 2 * self.n();
        self.basic.iter().position(|&v| v == z0)
    }

    /// The row that first turns negative when the artificial variable is taken away: smallest x / e
    /// for the covering direction e in `dir`, the last of equal ones where `last` asks for it (the
    /// lexicographic choice). `None` when nothing is negative.
    pub(super) fn most_violated(&self, last: bool) -> Option<usize> {
        let mut worst = 0.0;
        let mut at = None;
        for (i, (x, e)) in self.x.iter().zip(&self.dir).enumerate() {
            if x / e < worst || (last && x / e == worst && at.is_some()) {
                (worst, at) = (x / e, Some(i));
            }
        }
        at
    }

    /// Smallest rate that counts as negative, (lcp.9).
    fn floor(&mut self, rules: &Rules) -> f64 {
        let size = max_abs(&self.dir).max(1.0);
        self.growth = self.growth.max(size);
        rules.pivot * size
    }

    /// Two-pass ratio test (lcp.10): the longest step that leaves nothing below -slack, then the
    /// largest pivot among the rows that bind within it; the artificial variable if it is one of
    /// them. `None` on a ray.
    pub(super) fn ratio_test(&mut self, rules: &Rules, artificial: Option<usize>) -> Option<usize> {
        let floor = self.floor(rules);
        let theta = self.longest_step(floor, rules.slack);
        if theta == f64::INFINITY {
            return None;
        }
        if let Some(i) = artificial
            && -self.dir[i] > floor
            && self.x[i] <= theta * -self.dir[i]
        {
            return Some(i);
        }
        let key = |x: f64, d: f64| if -d > floor && x <= theta * -d { -d } else { 0.0 };
        let mut lanes = [0.0f64; 4];
        let (cx, cd) = (self.x.chunks_exact(4), self.dir.chunks_exact(4));
        let (rx, rd) = (cx.remainder(), cd.remainder());
        for (x, d) in cx.zip(cd) {
            for l in 0..4 {
                let k = key(x[l], d[l]);
                lanes[l] = if k > lanes[l] { k } else { lanes[l] };
            }
        }
        let rest = rx.iter().zip(rd).map(|(&x, &d)| key(x, d));
        let best = rest.chain(lanes).fold(0.0, f64::max);
        if best > 0.0 {
            return self.x.iter().zip(&self.dir).position(|(&x, &d)| key(x, d) == best);
        }
        // Rounding of theta emptied the second pass: the plain smallest ratio.
        self.smallest_ratio(floor)
    }

    fn longest_step(&self, floor: f64, slack: f64) -> f64 {
        let ratio = |x: f64, d: f64| {
            let t = (if x > 0.0 { x } else { 0.0 } + slack) / -d;
            if -d > floor { t } else { f64::INFINITY }
        };
        let mut lanes = [f64::INFINITY; 4];
        let (cx, cd) = (self.x.chunks_exact(4), self.dir.chunks_exact(4));
        let (rx, rd) = (cx.remainder(), cd.remainder());
        for (x, d) in cx.zip(cd) {
            for l in 0..4 {
                let t = ratio(x[l], d[l]);
                lanes[l] = if t < lanes[l] { t } else { lanes[l] };
            }
        }
        let rest = rx.iter().zip(rd).map(|(&x, &d)| ratio(x, d));
        rest.chain(lanes).fold(f64::INFINITY, f64::min)
    }

    fn smallest_ratio(&self, floor: f64) -> Option<usize> {
        let mut best = (f64::INFINITY, None);
        for (i, (x, d)) in self.x.iter().zip(&self.dir).enumerate() {
            let t = x.max(0.0) / -d;
            if -d > floor && t < best.0 {
                best = (t, Some(i));
            }
        }
        best.1
    }

    /// The rows that bind within the slack, for the lexicographic choice.
    pub(super) fn tied(&mut self, rules: &Rules) -> &[usize] {
        let floor = self.floor(rules);
        let theta = self.longest_step(floor, rules.slack);
        self.tied.clear();
        for (i, (x, d)) in self.x.iter().zip(&self.dir).enumerate() {
            if -d > floor && *x <= theta * -d {
                self.tied.push(i);
            }
        }
        &self.tied
    }

    /// Length of the step at which position `i` reaches zero.
    pub(super) fn step_length(&self, i: usize) -> f64 {
        self.x[i].max(0.0) / -self.dir[i]
    }

    /// Moves by `t` along the edge and puts `entering` at position `i`.
    pub(super) fn step(&mut self, i: usize, t: f64, entering: Var) {
        axpy(t, &self.dir, &mut self.x);
        self.x[i] = t;
        self.basic[i] = entering;
    }
}
