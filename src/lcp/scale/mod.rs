//! Power-of-two scales of M found in integers, with a proven bound on their distance from the
//! scales that define the residual. Knows M, no solution.

mod log;
mod sweep;

use super::residual::{SWEEPS, equilibrate};
use crate::error::{Result, reserve};
use crate::linalg::MatRef;
use log::{BLOCK, Block, ONE, UNIT, ZERO, power};
use sweep::{Survey, drift_all, quantize_all, sweep};

/// Below this a maximum belongs to an empty row or column.
const EMPTY: i16 = i16::MIN / 2;
/// Row and column maxima whose logarithms exceed this many units (128 binary orders) take the exact path: within it
/// no sum of a logarithm and two scales leaves the range of i16, see theory section 2.
const RANGE: i16 = 128 * UNIT;
/// Fields of infinities and NaN start here.
const NOT_FINITE: i16 = 0x7ff0;
/// Sweeping stops when every maximum lies within a factor of four of one.
const CLOSE: i16 = 2 * UNIT;
/// Units between the smallest and the largest maximum up to which no sweep is made; measured.
const LEVEL: i16 = 4 * UNIT;
/// Change of a logarithm, in units, up to which old scales serve a changed M.
const DRIFT: i16 = 2;

/// Bounds are summed in these parts of a binary order.
const FINE: i32 = 4096;
/// Error of a logarithm: fraction cut to four bits (1 unit) and taken as its own logarithm (0.0861
/// orders, 1.378 units), 2.378 / 16 orders, rounded up.
const LOG_ERROR: i32 = 609;
/// Left aside before exponents are rounded up, 0.01 orders: the rounding of the definition itself
/// and what its eight sweeps leave of a common factor of 2^128.
const SLACK: i32 = 41;

/// Scales r, c with r_i |M_ij| c_j of order one, and what is known about them.
#[derive(Debug)]
pub(super) struct Scale {
    /// Logarithms by columns, `height` blocks each.
    log: Vec<Block>,
    height: usize,
    lr: Vec<Block>,
    lc: Vec<i16>,
    /// Row maxima and column maxima without their own scale.
    top: Vec<Block>,
    side: Vec<Block>,
    /// Smallest and largest of all those before the first sweep, and whether a row or column is
    /// empty.
    low: i16,
    high: i16,
    empty: bool,
    pub(super) r: Vec<f64>,
    pub(super) c: Vec<f64>,
    /// 1 / r, exact.
    pub(super) back: Vec<f64>,
    /// Factor by which a residual in these scales may understate the residual (lcp.2), (lcp.8).
    pub(super) spread: f64,
    sweeps: usize,
    gap: i16,
    exact: bool,
    fitted: bool,
}

impl Scale {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let height = n_max.div_ceil(BLOCK);
        Ok(Self {
            log: reserve(height.saturating_mul(n_max))?,
            height: 0,
            lr: reserve(height)?,
            lc: reserve(n_max)?,
            top: reserve(height)?,
            side: reserve(height)?,
            low: 0,
            high: 0,
            empty: false,
            r: reserve(n_max)?,
            c: reserve(n_max)?,
            back: reserve(n_max)?,
            spread: 1.0,
            sweeps: 0,
            gap: 0,
            exact: false,
            fitted: false,
        })
    }

    /// Drops the scales.
    pub(super) fn forget(&mut self) {
        self.fitted = false;
    }

    /// True when the scales are those of the definition: for numbers near the end of the range.
    pub(super) fn is_extreme(&self) -> bool {
        self.exact
    }

    /// True when there are scales for n unknowns.
    pub(super) fn serves(&self, n: usize) -> bool {
        self.fitted && self.r.len() == n
    }

    /// True when the scales in hand serve `m` too: same size, every logarithm within `DRIFT` of the
    /// one they were made for. Renews the bound `spread`.
    pub(super) fn still_fits(&mut self, m: MatRef<'_>) -> bool {
        let n = m.cols();
        if !self.serves(n) || self.exact || n == 0 {
            return false;
        }
        let most = drift_all(m, &self.log, self.height, DRIFT);
        // What is not finite has drifted too: the logarithms in hand are of finite numbers.
        if most > DRIFT || self.hides_subnormals(m) {
            return false;
        }
        self.spread = self.bound(most);
        true
    }

    /// Takes the logarithms of `m`. The scales are not valid before [`Scale::fit`].
    ///
    /// # Errors
    /// `NonFinite` for a NaN or an infinity.
    pub(super) fn read(&mut self, m: MatRef<'_>) -> Result<()> {
        let n = m.cols();
        self.fitted = false;
        self.size(n);
        quantize_all(m, &mut self.log, &mut self.top, self.side.as_flattened_mut());
        let (rows, columns) = (Survey::of(&self.top), Survey::of(&self.side));
        let (low, high) = (rows.low.min(columns.low), rows.high.max(columns.high));
        // Blocks are padded with what looks like empty rows.
        let padding = BLOCK * self.height - n;
        let empty = rows.empty.max(columns.empty) > padding;
        if high >= NOT_FINITE - ONE {
            m.finite("m")?;
        }
        (self.low, self.high, self.empty) = (low, high, empty);
        self.exact = high > RANGE || low < -RANGE || self.hides_subnormals(m);
        Ok(())
    }

    fn size(&mut self, n: usize) {
        let height = n.div_ceil(BLOCK);
        if self.r.len() == n && self.height == height {
            return;
        }
        self.height = height;
        if self.log.len() < height * n {
            self.log.resize(height * n, [ZERO; BLOCK]);
        }
        self.lr.resize(height, [0; BLOCK]);
        self.top.resize(height, [ZERO; BLOCK]);
        self.lc.resize(n, 0);
        self.side.clear();
        self.side.resize(height, [ZERO; BLOCK]);
        self.r.resize(n, 1.0);
        self.c.resize(n, 1.0);
        self.back.resize(n, 1.0);
    }

    /// True when a row or column that is empty by its logarithms may have a nonzero. Elsewhere a
    /// subnormal number is never the largest, see theory section 2.
    fn hides_subnormals(&self, m: MatRef<'_>) -> bool {
        self.empty && (0..m.cols()).any(|j| m.col(j).iter().any(|x| x.is_subnormal()))
    }

    /// Nonzeros of the matrix read last.
    pub(super) fn nonzeros(&self) -> usize {
        let count = |b: &Block| b.iter().map(|&l| usize::from(l != ZERO)).sum::<usize>();
        self.log[..self.height * self.c.len()].iter().map(count).sum()
    }

    /// Sweeps until every row and column maximum is close to one, (lcp.4) in fixed point.
    pub(super) fn fit(&mut self, m: MatRef<'_>, work: &mut [f64]) {
        self.fitted = true;
        if self.exact {
            equilibrate(m, &mut self.r, &mut self.c, work);
            self.spread = 1.0;
            return self.turn_back();
        }
        self.sweeps = 0;
        self.lr.fill([0; BLOCK]);
        self.lc.fill(0);
        let mut close = self.level();
        while !close && self.sweeps < SWEEPS {
            self.sweeps += 1;
            self.gap = sweep(&self.log, &mut self.lr, &mut self.lc, &mut self.top);
            close = self.gap <= CLOSE;
        }
        self.spread = self.bound(0);
        for (r, &l) in self.r.iter_mut().zip(self.lr.as_flattened()) {
            *r = power(l);
        }
        for (c, &l) in self.c.iter_mut().zip(&self.lc) {
            *c = power(l);
        }
        self.turn_back();
    }

    fn turn_back(&mut self) {
        for (back, r) in self.back.iter_mut().zip(&self.r) {
            *back = 1.0 / r;
        }
    }

    /// Where all maxima are close to each other: one scale for all rows and one for all columns,
    /// theory section 2, lemma 5. False, and nothing changed, when they are not.
    fn level(&mut self) -> bool {
        let (low, high) = (self.low, self.high);
        if high <= EMPTY {
            return true;
        }
        // Whole orders, so that rounding keeps their sum.
        let whole = ((low + high) / 2 + UNIT / 2) >> 4;
        // An empty row or column keeps the scale one and would not share the common factor.
        if high - low > LEVEL || (self.empty && whole != 0) {
            return false;
        }
        let rows = whole * 2 / 3;
        self.lr.fill([-UNIT * rows; BLOCK]);
        self.lc.fill(-UNIT * (whole - rows));
        true
    }

    /// The factor of (lcp.8) for scales made from logarithms that are off by `drift` units besides
    /// their own rounding: theory section 2, lemmas 1 to 5.
    fn bound(&self, drift: i16) -> f64 {
        let unit = FINE / i32::from(UNIT);
        let up = |x: i32| (x + SLACK + FINE - 1) / FINE;
        // Half a unit is lost in each halving; sums are rounded up.
        let (off, half) = (LOG_ERROR + unit * i32::from(drift), unit / 2 + 1);
        if self.sweeps == 0 && self.high > EMPTY {
            // Lemma 5: the largest entry rounded up to a power of two, and half an order twice for
            // the rounding of the definition's scales.
            let top = up(unit * i32::from(self.high) + off);
            let low = unit * i32::from(self.low) - off;
            return two_to_the(up(FINE * top - low + FINE));
        }
        let (mut a, mut b) = (0, 0);
        for _ in 0..self.sweeps {
            a = (a + off + b) / 2 + half;
            b = (b + off + a) / 2 + half;
        }
        if self.sweeps < SWEEPS {
            let gap = unit * i32::from(self.gap) + a + b + off;
            (a, b) = (a + 2 * gap, b + 3 * gap);
        }
        // Rounded exponents differ by at most the ceiling of the difference before rounding; the
        // floating-point rounding of the definition itself is far below the slack.
        let (a, b) = (up(a), up(b));
        two_to_the(a.max(b) + a)
    }
}

/// 2^e. Needs e within the range of normal numbers.
fn two_to_the(e: i32) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed sequence in (-1, 1).
    fn sequence(seed: u64) -> impl FnMut() -> f64 {
        let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// Entries spread over `orders` binary orders either way, some of them zero.
    fn matrix(seed: u64, n: usize, orders: f64) -> Vec<f64> {
        let mut next = sequence(seed);
        let mut entry = || if next() < -0.4 { 0.0 } else { next() * (orders * next()).exp2() };
        (0..n * n).map(|_| entry()).collect()
    }

    /// Largest |log2| of the quotient of the scales of the definition and those in hand, rows and
    /// columns.
    fn distance(scale: &Scale, m: MatRef<'_>) -> (f64, f64) {
        let n = m.cols();
        let (mut r, mut c, mut work) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        equilibrate(m, &mut r, &mut c, &mut work);
        let far = |a: &[f64], b: &[f64], factor: f64| {
            a.iter().zip(b).map(|(a, b)| ((a / b).log2() + factor).abs()).fold(0.0, f64::max)
        };
        // A factor on r and 1/c changes no residual.
        let at = |factor: f64| (far(&r, &scale.r, factor), far(&c, &scale.c, -factor));
        let factors = [-1.0, -0.5, 0.0, 0.5, 1.0].map(at);
        let size = |d: &(f64, f64)| d.0.max(d.1) + d.0;
        factors.into_iter().min_by(|a, b| size(a).total_cmp(&size(b))).unwrap()
    }

    #[test]
    fn the_bound_covers_the_distance_from_the_scales_of_the_definition() {
        let mut scale = Scale::new(40).unwrap();
        for seed in 0..400 {
            let n = 1 + seed as usize % 40;
            let orders = [0.0, 3.0, 20.0, 60.0, 120.0, 300.0][seed as usize % 6];
            let mut data = matrix(seed, n, orders);
            if seed % 5 > 0 {
                // Another unit for all, and every few problems a row without normal numbers.
                let unit = (30.0 * (seed % 5) as f64 - 80.0).exp2();
                data.iter_mut().for_each(|x| *x *= unit);
                if seed % 5 == 4 {
                    data.iter_mut().step_by(n).for_each(|x| *x = 3.0 * f64::from_bits(1 << 40));
                }
            }
            let m = MatRef::square("m", &data, n).unwrap();
            scale.read(m).unwrap();
            scale.fit(m, &mut vec![0.0; n]);
            let (a, b) = distance(&scale, m);
            assert!((a.max(b) + a).exp2() <= scale.spread, "{a} {b} {}", scale.spread);
        }
    }

    #[test]
    fn a_slightly_changed_matrix_keeps_its_scales_with_a_bound_that_still_covers() {
        let mut scale = Scale::new(30).unwrap();
        for seed in 0..100 {
            let n = 30;
            let data = matrix(seed, n, 20.0);
            let m = MatRef::square("m", &data, n).unwrap();
            scale.read(m).unwrap();
            scale.fit(m, &mut vec![0.0; n]);
            let mut next = sequence(seed + 1000);
            let other: Vec<f64> = data.iter().map(|x| x * (1.0 + 0.03 * next())).collect();
            let m = MatRef::square("m", &other, n).unwrap();
            assert!(scale.still_fits(m));
            let (a, b) = distance(&scale, m);
            assert!((a.max(b) + a).exp2() <= scale.spread, "{a} {b} {}", scale.spread);
            let double: Vec<f64> = data.iter().map(|x| 2.0 * x).collect();
            assert!(!scale.still_fits(MatRef::square("m", &double, n).unwrap()));
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_found_and_named() {
        let mut scale = Scale::new(9).unwrap();
        for (k, bad) in [(0, f64::NAN), (40, f64::INFINITY), (80, f64::NEG_INFINITY)] {
            let mut data = vec![1.0; 81];
            data[k] = bad;
            let e = scale.read(MatRef::square("m", &data, 9).unwrap()).unwrap_err();
            assert!(e.to_string().starts_with(&format!("m[{k}] is ")), "{e}");
        }
    }
}
