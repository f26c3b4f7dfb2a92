//! Power-of-two scales of M found in integers, with a proven bound on their distance from the
//! scales that define the residual. Knows M, no solution.

use super::residual::equilibrate;
use crate::error::{Result, reserve};
use crate::linalg::MatRef;

/// Fixed-point units per binary order: exponent and the top four bits of the fraction, (lcp.5).
const UNIT: i16 = 16;
/// Field value of 1.0 in those units.
const ONE: i16 = 1023 * UNIT;
/// Stands for the logarithm of zero. Saturated sums with it stay below `EMPTY`.
const ZERO: i16 = i16::MIN;
/// Below this a maximum belongs to an empty row or column.
const EMPTY: i16 = i16::MIN / 2;
/// Data whose logarithms exceed this many units (128 binary orders) take the exact path: within it
/// no sum of a logarithm and two scales leaves the range of i16, see theory section 2.
const RANGE: i16 = 128 * UNIT;
/// Fields of infinities and NaN start here.
const NOT_FINITE: i16 = 0x7ff0;
/// Sweeps of the definition.
const SWEEPS: usize = 8;
/// Sweeping stops when every maximum lies within a factor of two of one.
const CLOSE: i16 = UNIT;
/// Change of a logarithm, in units, up to which old scales serve a changed M.
const DRIFT: i16 = 2;
/// Columns are padded to this many entries so that no loop has a tail.
const PAD: usize = 8;

/// Scales r, c with r_i |M_ij| c_j of order one, and what is known about them.
#[derive(Debug)]
pub(super) struct Scale {
    log: Vec<i16>,
    ld: usize,
    lr: Vec<i16>,
    lc: Vec<i16>,
    top: Vec<i16>,
    pub(super) r: Vec<f64>,
    pub(super) c: Vec<f64>,
    /// Factor by which a residual in these scales may understate the residual (lcp.8).
    pub(super) spread: f64,
    sweeps: usize,
    gap: i16,
    exact: bool,
    fitted: bool,
}

/// What one look at the entries of M tells.
struct Seen {
    largest: i16,
    /// Of the nonzeros; the largest number when there is none.
    smallest: i16,
    /// A subnormal number was met.
    odd: bool,
}

impl Scale {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let ld = n_max.div_ceil(PAD) * PAD;
        Ok(Self {
            log: reserve(ld.saturating_mul(n_max))?,
            ld: 0,
            lr: reserve(ld)?,
            lc: reserve(n_max)?,
            top: reserve(ld)?,
            r: reserve(n_max)?,
            c: reserve(n_max)?,
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

    /// True when there are scales for n unknowns.
    pub(super) fn serves(&self, n: usize) -> bool {
        self.fitted && self.r.len() == n
    }

    /// True when the scales in hand serve `m` too: same size, every logarithm within `DRIFT` of the
    /// one they were made for. Renews the bound `spread`.
    pub(super) fn still_fits(&mut self, m: MatRef<'_>) -> bool {
        let n = m.cols();
        if !self.serves(n) || self.exact {
            return false;
        }
        let mut most = 0;
        for (j, log) in self.log[..self.ld * n].chunks_exact(self.ld).enumerate() {
            match drift(m.col(j), log, &mut self.top) {
                Some(change) if change <= DRIFT => most = most.max(change),
                _ => return false,
            }
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
        let ld = n.div_ceil(PAD) * PAD;
        if self.ld != ld || self.r.len() != n {
            self.ld = ld;
            if self.log.len() < ld * n {
                self.log.resize(ld * n, ZERO);
            }
            self.lr.resize(ld, 0);
            self.top.resize(ld, 0);
            self.lc.resize(n, 0);
            self.r.resize(n, 1.0);
            self.c.resize(n, 1.0);
        }
        let mut lanes = Lanes::new();
        for (j, log) in self.log[..ld * n].chunks_exact_mut(ld.max(1)).enumerate() {
            quantize(m.col(j), log, &mut lanes);
        }
        let all = lanes.seen();
        if all.largest >= NOT_FINITE {
            m.finite("m")?;
        }
        self.exact = all.odd
            || all.largest > ONE + RANGE
            || (all.smallest < ONE - RANGE && all.smallest != i16::MAX);
        Ok(())
    }

    /// Nonzeros of the matrix read last.
    pub(super) fn nonzeros(&self) -> usize {
        let count = |col: &[i16]| col.iter().map(|&l| u32::from(l != ZERO)).sum::<u32>();
        let columns = self.log[..self.ld * self.c.len()].chunks_exact(self.ld.max(1));
        columns.map(|col| count(col) as usize).sum()
    }

    /// Sweeps until every row and column maximum is close to one, (lcp.4) in fixed point.
    pub(super) fn fit(&mut self, m: MatRef<'_>, work: &mut [f64]) {
        self.fitted = true;
        if self.exact {
            equilibrate(m, &mut self.r, &mut self.c, work);
            self.spread = 1.0;
            return;
        }
        let n = self.c.len();
        self.lr.fill(0);
        self.lc.fill(0);
        self.top.fill(ZERO);
        for col in self.log[..self.ld * n].chunks_exact(self.ld) {
            raise(&mut self.top, col, 0);
        }
        self.sweeps = 0;
        while self.sweeps < SWEEPS {
            self.sweeps += 1;
            self.gap = self.sweep(n);
            if self.gap <= CLOSE {
                break;
            }
        }
        self.spread = self.bound(0);
        for (r, &l) in self.r.iter_mut().zip(&self.lr) {
            *r = power(l);
        }
        for (c, &l) in self.c.iter_mut().zip(&self.lc) {
            *c = power(l);
        }
    }

    /// One sweep over rows, then columns; returns the largest distance of a maximum from one. `top`
    /// holds the row maxima without their row scale, before and after.
    fn sweep(&mut self, n: usize) -> i16 {
        for (l, t) in self.lr.iter_mut().zip(self.top.iter_mut()) {
            let half = t.saturating_add(*l) / 2;
            *l -= if *t > EMPTY { half } else { 0 };
            *t = ZERO;
        }
        let mut gap = 0;
        let log = &self.log[..self.ld * n];
        for (col, lc) in log.chunks_exact(self.ld).zip(self.lc.iter_mut()) {
            let largest = shifted_max(col, &self.lr);
            if largest <= EMPTY {
                continue;
            }
            *lc -= (largest + *lc) / 2;
            gap = gap.max((largest + *lc).abs());
            raise(&mut self.top, col, *lc);
        }
        for (t, l) in self.top.iter().zip(&self.lr) {
            if *t > EMPTY {
                gap = gap.max((t + l).abs());
            }
        }
        gap
    }

    /// The factor of (lcp.8) for scales made from logarithms that are off by `drift` units besides
    /// their own rounding: theory section 2, lemmas 1 to 3.
    fn bound(&self, drift: i16) -> f64 {
        let unit = 1.0 / f64::from(UNIT);
        // Error of a logarithm: fraction cut to four bits (1 unit) and taken as its own logarithm
        // (0.0861 orders, 1.378 units); half a unit lost in each halving.
        let (off, half) = ((2.378 + f64::from(drift)) * unit, 0.5 * unit);
        let (mut a, mut b) = (0.0, 0.0);
        for _ in 0..self.sweeps {
            a = 0.5 * (a + off + b) + half;
            b = 0.5 * (b + off + a) + half;
        }
        if self.sweeps < SWEEPS {
            let gap = f64::from(self.gap) * unit + a + b + off;
            (a, b) = (a + 2.0 * gap, b + 3.0 * gap);
        }
        // Rounded exponents differ by at most the ceiling of the difference before rounding; the
        // floating-point rounding of the definition itself is far below the slack.
        let (a, b) = ((a + 1e-6).ceil(), (b + 1e-6).ceil());
        (a.max(b) + a).exp2()
    }
}

/// Largest of the logarithms `log`, each shifted by its own scale.
#[inline]
fn shifted_max(log: &[i16], scale: &[i16]) -> i16 {
    log.iter().zip(scale).fold(ZERO, |top, (l, s)| top.max(l.saturating_add(*s)))
}

/// Raises `top` to the logarithms `log` shifted by one scale.
#[inline]
fn raise(top: &mut [i16], log: &[i16], shift: i16) {
    for (t, l) in top.iter_mut().zip(log) {
        *t = (*t).max(l.saturating_add(shift));
    }
}

/// Nearest power of two of a fixed-point logarithm within the range of the fast path.
fn power(l: i16) -> f64 {
    let exponent = i64::from((l + UNIT / 2) >> 4) + 1023;
    f64::from_bits((exponent as u64) << 52)
}

/// What was met so far, in lanes: the compiler turns the loops over them into vector instructions.
struct Lanes {
    largest: [i16; PAD],
    smallest: [i16; PAD],
    /// Bits of the subnormal numbers met.
    odd: [u64; PAD],
}

impl Lanes {
    fn new() -> Self {
        Self { largest: [0; PAD], smallest: [i16::MAX; PAD], odd: [0; PAD] }
    }

    /// Logarithms of eight numbers, (lcp.5): exponent and top fraction bits.
    #[inline]
    fn log(&mut self, x: &[f64; PAD]) -> [i16; PAD] {
        let mut log = [0; PAD];
        for k in 0..PAD {
            let size = x[k].abs();
            self.odd[k] |= if size < f64::MIN_POSITIVE { size.to_bits() } else { 0 };
            log[k] = (size.to_bits() >> 48) as i16;
        }
        for (k, log) in log.iter_mut().enumerate() {
            let (field, zero) = (*log, *log < UNIT);
            self.largest[k] = self.largest[k].max(field);
            self.smallest[k] = self.smallest[k].min(if zero { i16::MAX } else { field });
            *log = if zero { ZERO } else { field - ONE };
        }
        log
    }

    fn seen(&self) -> Seen {
        Seen {
            largest: self.largest.into_iter().fold(0, i16::max),
            smallest: self.smallest.into_iter().fold(i16::MAX, i16::min),
            odd: self.odd.into_iter().any(|bits| bits != 0),
        }
    }
}

/// Logarithms of one column; padding counts as zero.
fn quantize(x: &[f64], log: &mut [i16], lanes: &mut Lanes) {
    let (blocks, rest) = x.as_chunks::<PAD>();
    let (log, _) = log.as_chunks_mut::<PAD>();
    for (l, x) in log.iter_mut().zip(blocks) {
        *l = lanes.log(x);
    }
    if !rest.is_empty() {
        let mut x = [0.0; PAD];
        x[..rest.len()].copy_from_slice(rest);
        log[blocks.len()] = lanes.log(&x);
    }
}

/// Largest change of a logarithm of one column against those in hand; `fresh` is workspace. `None`
/// for numbers that are not normal.
fn drift(x: &[f64], log: &[i16], fresh: &mut [i16]) -> Option<i16> {
    let mut lanes = Lanes::new();
    quantize(x, fresh, &mut lanes);
    let seen = lanes.seen();
    if seen.odd || seen.largest >= NOT_FINITE {
        return None;
    }
    let change = |a: i16, b: i16| a.saturating_sub(b).max(b.saturating_sub(a));
    Some(fresh.iter().zip(log).fold(0, |most, (a, b)| most.max(change(*a, *b))))
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

    /// Largest |log2| of the quotient of the scales of the definition and those in hand.
    fn distance(scale: &Scale, m: MatRef<'_>) -> (f64, f64) {
        let n = m.cols();
        let (mut r, mut c, mut work) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        equilibrate(m, &mut r, &mut c, &mut work);
        let far = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).map(|(a, b)| (a / b).log2().abs()).fold(0.0, f64::max)
        };
        (far(&r, &scale.r), far(&c, &scale.c))
    }

    #[test]
    fn the_bound_covers_the_distance_from_the_scales_of_the_definition() {
        let mut scale = Scale::new(40).unwrap();
        for seed in 0..400 {
            let n = 1 + seed as usize % 40;
            let orders = [0.0, 3.0, 20.0, 60.0, 120.0, 300.0][seed as usize % 6];
            let data = matrix(seed, n, orders);
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
