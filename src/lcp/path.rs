//! A point on Lemke's path: the values of the basic variables and the direction in which they move,
//! and the ratio test that ends a move. Knows no matrix.

use super::rules::Rules;
use crate::error::{Result, reserve};
use crate::linalg::kernel::axpy;

/// Values and rates are padded to a multiple of this, so that no loop has a tail.
pub(super) const PAD: usize = 4;

/// Bits of a rate that give way to the place of its row: more rows do not fit into memory.
const PLACE: u64 = (1 << 20) - 1;

/// Numbers taken together.
type Lanes = [f64; PAD];

/// Folds by lanes: the compiler turns the loop over them into vector instructions.
#[inline]
fn lanes<T>(start: f64, items: impl Iterator<Item = T>, step: impl Fn(&mut Lanes, T)) -> Lanes {
    let mut sum = [start; PAD];
    for item in items {
        step(&mut sum, item);
    }
    sum
}

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
    /// Values and rates, padded with zeros so that no loop has a tail.
    pub(super) x: Vec<f64>,
    pub(super) dir: Vec<f64>,
    /// Position of the artificial variable, if basic.
    pub(super) artificial: Option<usize>,
    tied: Vec<usize>,
    /// Largest rate met in this solve; the scaled data are of order one.
    pub(super) growth: f64,
}

impl Path {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self {
            basic: reserve(n_max)?,
            x: reserve(n_max.next_multiple_of(PAD))?,
            dir: reserve(n_max.next_multiple_of(PAD))?,
            artificial: None,
            tied: reserve(n_max)?,
            growth: 1.0,
        })
    }

    pub(super) fn n(&self) -> usize {
        self.basic.len()
    }

    /// All w basic with the values `q`.
    pub(super) fn reset(&mut self, q: &[f64]) {
        self.reset_basis(q.len());
        self.x[..q.len()].copy_from_slice(q);
        self.dir.fill(0.0);
    }

    /// Arrays for n rows.
    pub(super) fn size(&mut self, n: usize) {
        let padded = n.next_multiple_of(PAD);
        if self.basic.len() != n || self.x.len() != padded || self.dir.len() != padded {
            self.basic.resize(n, 0);
            for v in [&mut self.x, &mut self.dir] {
                // What is behind n stays zero.
                v.clear();
                v.resize(padded, 0.0);
            }
        }
    }

    /// All w basic; their values and rates are left to the caller.
    pub(super) fn reset_basis(&mut self, n: usize) {
        self.size(n);
        self.basic.clear();
        self.basic.extend(0..n);
        self.artificial = None;
    }

    /// A complementary basis and its values, padded as ours are.
    pub(super) fn take(&mut self, basic: &[Var], x: &[f64]) {
        self.basic.clear();
        self.basic.extend_from_slice(basic);
        self.x.clear();
        self.x.extend_from_slice(x);
        // Rates of another path.
        self.dir.clear();
        self.artificial = None;
    }

    /// Puts `v` at position `i`.
    pub(super) fn place(&mut self, i: usize, v: Var) {
        self.basic[i] = v;
        if v == 2 * self.n() {
            self.artificial = Some(i);
        } else if self.artificial == Some(i) {
            self.artificial = None;
        }
    }

    /// Exchanges two positions.
    pub(super) fn swap(&mut self, i: usize, j: usize) {
        self.x.swap(i, j);
        self.basic.swap(i, j);
        self.artificial = match self.artificial {
            Some(at) if at == i => Some(j),
            Some(at) if at == j => Some(i),
            other => other,
        };
    }

    /// The row that first turns negative when the artificial variable is taken away: smallest x / e
    /// for the covering direction e in `dir`, the last of equal ones (the lexicographic choice).
    /// `None` when nothing is negative.
    pub(super) fn most_violated(&self) -> Option<usize> {
        let mut worst = 0.0;
        let mut at = None;
        for (i, (x, e)) in self.x.iter().zip(&self.dir).enumerate().take(self.n()) {
            let ratio = x / e;
            if ratio <= worst && ratio < 0.0 {
                (worst, at) = (ratio, Some(i));
            }
        }
        at
    }

    /// Two-pass ratio test (lcp.10): the longest step that leaves nothing below -slack, then the
    /// largest pivot among the rows that bind within it; the artificial variable if it is one of
    /// them. `None` on a ray.
    pub(super) fn ratio_test(&mut self, rules: &Rules) -> Option<usize> {
        let (x, d) = (&self.x[..], &self.dir[..]);
        let size = largest(d);
        self.growth = if size > self.growth { size } else { self.growth };
        // (lcp.9)
        let floor = rules.pivot * size;
        let steepest = steepest(x, d, floor, rules.slack);
        // exact: no row moves down
        if steepest == 0.0 {
            return None;
        }
        if let Some(i) = self.artificial
            && -d[i] > floor
            && x[i] * steepest <= -d[i]
        {
            return Some(i);
        }
        // Rounding may empty the second pass: the plain smallest ratio then.
        largest_pivot(x, d, floor, steepest).or_else(|| self.smallest_ratio(floor))
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
        let floor = rules.pivot * largest(&self.dir);
        let steepest = steepest(&self.x, &self.dir, floor, rules.slack);
        self.tied.clear();
        for (i, (x, d)) in self.x.iter().zip(&self.dir).enumerate() {
            if -d > floor && x * steepest <= -d {
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
        self.place(i, entering);
    }
}

/// Largest |d_i|, at least one.
///
/// Not inlined, like the passes below: among other code the compiler takes lanes apart.
#[inline(never)]
fn largest(d: &[f64]) -> f64 {
    let most = lanes(1.0, d.as_chunks().0.iter(), |most, d: &Lanes| {
        for l in 0..PAD {
            let size = d[l].abs();
            most[l] = if size > most[l] { size } else { most[l] };
        }
    });
    top(most)
}

/// First pass of (lcp.10): 1 / theta, the largest -dir / (x + slack); zero when nothing bounds the
/// step. Without a branch: a rate that does not count is zero.
#[inline(never)]
fn steepest(x: &[f64], d: &[f64], floor: f64, slack: f64) -> f64 {
    let pairs = x.as_chunks().0.iter().zip(d.as_chunks().0);
    let most = lanes(0.0, pairs, |most, (x, d): (&Lanes, &Lanes)| {
        for l in 0..PAD {
            let room = if x[l] > 0.0 { x[l] } else { 0.0 };
            let rate = if -d[l] > floor { -d[l] } else { 0.0 };
            let steep = rate / (room + slack);
            most[l] = if steep > most[l] { steep } else { most[l] };
        }
    });
    top(most)
}

/// Second pass of (lcp.10). The last bits of a rate hold the place of its row, counted down so that
/// the first of equal ones wins. `None` when rounding left no row.
#[inline(never)]
fn largest_pivot(x: &[f64], d: &[f64], floor: f64, steepest: f64) -> Option<usize> {
    let pairs = x.as_chunks::<PAD>().0.iter().zip(d.as_chunks::<PAD>().0);
    let mut place: [u64; PAD] = std::array::from_fn(|l| PLACE - l as u64);
    let mut most = [0.0; PAD];
    for (x, d) in pairs {
        for l in 0..PAD {
            let rate = -d[l];
            let tied = if (rate > floor) & (x[l] * steepest <= rate) { rate } else { 0.0 };
            let key = f64::from_bits((tied.to_bits() & !PLACE) | place[l]);
            most[l] = if key > most[l] { key } else { most[l] };
            place[l] = place[l].wrapping_sub(PAD as u64);
        }
    }
    let key = top(most);
    // Without a rate a key is nothing but a place.
    (key > f64::from_bits(PLACE)).then_some((PLACE - (key.to_bits() & PLACE)) as usize)
}

#[inline(always)]
fn top(lanes: Lanes) -> f64 {
    lanes.into_iter().fold(0.0, |a, b| if a > b { a } else { b })
}
