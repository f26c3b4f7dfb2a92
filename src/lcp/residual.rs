//! The independent judge: the unit-free natural-map residual of a candidate, computed from M, q and
//! z alone. Never sees a tableau or a basis.

mod far;

use crate::error::{Error, Result, length, reserve, told};
use crate::linalg::MatRef;

/// Sweeps of the equilibration, part of the definition of the residual.
pub(super) const SWEEPS: usize = 8;

/// Largest scale, part of the definition as well: rows of subnormal numbers would overflow it.
const LARGEST: f64 = f64::from_bits((1000 + 1023) << 52); // 2^1000

/// Unit-free residual of `z` (lcp.2): max_i |min(z_i / c_i, r_i w_i)| / max_i |r_i q_i|, with w = M
/// z + q computed afresh and r, c the equilibration (lcp.3) of M. The divisor is 1 when q = 0. Not
/// finite data give an infinite residual.
///
/// # Errors
/// `Dimension` for arrays of the wrong length, `Memory` when 4n numbers cannot be allocated.
pub fn residual(m: MatRef<'_>, q: &[f64], z: &[f64]) -> Result<f64> {
    mixed_residual(0, m, q, z)
}

/// The same for a mixed problem whose first `n_free` rows are equations: those enter as |r_i
/// (Mx+q)_i|.
///
/// # Errors
/// As [`residual`].
pub fn mixed_residual(n_free: usize, m: MatRef<'_>, q: &[f64], x: &[f64]) -> Result<f64> {
    let n = q.len();
    length("z", x, n)?;
    if m.rows() != n || m.cols() != n || n_free > n {
        let expected = told(format_args!("{n} by {n}"));
        return Err(Error::Dimension { what: "m", got: m.rows() as i64, expected });
    }
    let mut work = reserve(WORK * n)?;
    work.resize(WORK * n, 0.0);
    Ok(judge(n_free, m, q, x, Digits::Twice, &mut work))
}

/// Right-hand sides whose largest r q is below this lose digits by underflow.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// How M x + q is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits {
    /// As numbers are: an answer is one up to the rounding of its own products.
    Plain,
    /// With what products and sums round away.
    Twice,
}

/// Numbers of workspace per unknown that [`judge`] needs.
pub(super) const WORK: usize = 4;

/// The definition (lcp.2) itself, in workspace of `WORK` n numbers.
pub(super) fn judge(
    n_free: usize,
    m: MatRef<'_>,
    q: &[f64],
    x: &[f64],
    digits: Digits,
    work: &mut [f64],
) -> f64 {
    let n = q.len();
    let (r, rest) = work.split_at_mut(n);
    let (c, rest) = rest.split_at_mut(n);
    let (w, rest) = rest.split_at_mut(n);
    equilibrate(m, r, c, rest);
    match digits {
        Digits::Plain => product(m, x, q, w),
        Digits::Twice => exact_product(m, x, q, r, w, rest),
    }
    natural_map(n_free, r, c, q, x, w)
}

/// max |natural map| / max |r q| for given scales, (lcp.2). Infinite for what is not finite.
pub(super) fn natural_map(
    n_free: usize,
    r: &[f64],
    c: &[f64],
    q: &[f64],
    x: &[f64],
    w: &[f64],
) -> f64 {
    // One factor on r and 1/c changes nothing: a small one keeps large data from overflowing, a large one small
    // data from being rounded to zero.
    const SMALL: f64 = f64::from_bits(3 << 52); // 2^-1020, the inverse of the largest scale and some
    const LARGE: f64 = 1.0 / SMALL;
    let at = |s: f64| extent(n_free, s, r, c, q, x, w);
    let mut s = 1.0;
    let mut e = at(s);
    if !e.is_finite() {
        s = SMALL;
        e = at(s);
    } else if e.size < LEAST && q.iter().any(|q| *q != 0.0) {
        s = LARGE;
        e = at(s);
    }
    // exact: zero only when every q is zero
    let quotient = if e.size == 0.0 { e.worst / s } else { e.worst / e.size };
    if e.is_finite() { quotient } else { f64::INFINITY }
}

/// Numerator and denominator of (lcp.2) with r and 1/c multiplied by `s`.
fn extent(n_free: usize, s: f64, r: &[f64], c: &[f64], q: &[f64], x: &[f64], w: &[f64]) -> Extent {
    let n = q.len();
    let (r, c, x, w) = (&r[..n], &c[..n], &x[..n], &w[..n]);
    let mut all = [Extent::default(); LANES];
    let mut take = |lane: usize, i: usize, equation: bool| {
        let (row, column) = (r[i] * s * w[i], x[i] * s / c[i]);
        let least = if column < row && !equation { column } else { row };
        let e = &mut all[lane];
        e.worst = if least.abs() > e.worst { least.abs() } else { e.worst };
        let own = (r[i] * s * q[i]).abs();
        e.size = if own > e.size { own } else { e.size };
        e.sum += row.abs() + column.abs();
    };
    let free = n_free.min(n);
    for i in 0..free {
        take(0, i, true);
    }
    let whole = free + (n - free) / LANES * LANES;
    for i in (free..whole).step_by(LANES) {
        for lane in 0..LANES {
            take(lane, i + lane, false);
        }
    }
    for i in whole..n {
        take(0, i, false);
    }
    all.into_iter().fold(Extent::default(), |a, e| Extent {
        worst: a.worst.max(e.worst),
        size: a.size.max(e.size),
        sum: a.sum + e.sum,
    })
}

/// The largest |min(x_i, w_i)|, or nothing when not all numbers are finite.
pub(super) fn natural_part(x: &[f64], w: &[f64]) -> Option<f64> {
    let mut all = [Extent::default(); LANES];
    let mut take = |lane: usize, x: f64, w: f64| {
        let e = &mut all[lane];
        let least = if x < w { x } else { w };
        e.worst = if least.abs() > e.worst { least.abs() } else { e.worst };
        e.sum += 0.0 * (x + w);
    };
    let (xs, ws) = (x.as_chunks::<LANES>(), w.as_chunks::<LANES>());
    for (x, w) in xs.0.iter().zip(ws.0) {
        for l in 0..LANES {
            take(l, x[l], w[l]);
        }
    }
    for (&x, &w) in xs.1.iter().zip(ws.1) {
        take(0, x, w);
    }
    let sum: f64 = all.iter().map(|e| e.sum).sum();
    sum.is_finite().then(|| all.iter().fold(0.0, |worst, e| e.worst.max(worst)))
}

/// Rows taken side by side, each with its own sums: no waiting for the one before.
const LANES: usize = 4;

/// Largest entries of the natural map and of r q, and a sum that shows what is not finite.
#[derive(Clone, Copy, Default)]
struct Extent {
    worst: f64,
    size: f64,
    sum: f64,
}

impl Extent {
    /// Comparisons pass over a NaN; the sum does not.
    fn is_finite(&self) -> bool {
        self.sum.is_finite() && self.size.is_finite()
    }
}

/// Row and column scales (lcp.3): eight sweeps of r_i /= sqrt(max_j r_i |M_ij| c_j) over rows, then
/// the same over columns, empty ones left at 1; at the end each rounded to 2^round(log2). `work`
/// holds n numbers.
pub(super) fn equilibrate(m: MatRef<'_>, r: &mut [f64], c: &mut [f64], work: &mut [f64]) {
    let n = r.len();
    r.fill(1.0);
    c.fill(1.0);
    let largest = &mut work[..n];
    largest.fill(0.0);
    for j in 0..n {
        raise(largest, m.col(j), r, 1.0);
    }
    for sweep in 0..SWEEPS {
        for (ri, &l) in r.iter_mut().zip(&*largest) {
            if l > 0.0 {
                *ri = (*ri / l.sqrt()).min(LARGEST);
            }
        }
        largest.fill(0.0);
        for (j, cj) in c.iter_mut().enumerate() {
            let l = scaled_max(m.col(j), r, *cj);
            if l > 0.0 {
                *cj = (*cj / l.sqrt()).min(LARGEST);
            }
            // For the rows of the next sweep, while the column is at hand.
            if sweep + 1 < SWEEPS {
                raise(largest, m.col(j), r, *cj);
            }
        }
    }
    for s in r.iter_mut().chain(c.iter_mut()) {
        *s = s.log2().round().exp2();
    }
}

/// Raises each of `largest` to r_i |x_i| c. A NaN is passed over.
#[inline(always)]
fn raise(largest: &mut [f64], x: &[f64], r: &[f64], c: f64) {
    for ((l, x), ri) in largest.iter_mut().zip(x).zip(r) {
        let own = ri * x.abs() * c;
        *l = if own > *l { own } else { *l };
    }
}

/// Largest r_i |x_i| c. A NaN is passed over.
fn scaled_max(x: &[f64], r: &[f64], c: f64) -> f64 {
    let raised = |most: f64, x: f64, r: f64| {
        let own = r * x.abs() * c;
        if own > most { own } else { most }
    };
    let (whole, rest) = x.as_chunks::<LANES>();
    let (by, by_rest) = r[..x.len()].as_chunks::<LANES>();
    let mut most = [0.0f64; LANES];
    for (x, r) in whole.iter().zip(by) {
        for k in 0..LANES {
            most[k] = raised(most[k], x[k], r[k]);
        }
    }
    let last = rest.iter().zip(by_rest).fold(0.0, |most, (x, r)| raised(most, *x, *r));
    most.into_iter().fold(last, f64::max)
}

/// w = M x + q.
pub(super) fn product(m: MatRef<'_>, x: &[f64], q: &[f64], w: &mut [f64]) {
    w.copy_from_slice(q);
    for (j, &xj) in x.iter().enumerate() {
        // exact: nonbasic unknowns are set to zero
        if xj != 0.0 {
            for (wi, mij) in w.iter_mut().zip(m.col(j)) {
                *wi += mij * xj;
            }
        }
    }
}

/// 2^27 + 1 splits a number into two halves of 26 bits.
const SPLITTER: f64 = 134_217_729.0;

/// x as a sum of two numbers whose products have no rounding.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let t = SPLITTER * x;
    let high = t - (t - x);
    (high, x - high)
}

/// w = M x + q with twice the digits, rounded at the end: products and sums carry what they round away along
/// (Dekker, Knuth). `low` holds as many numbers as w. Where splitting overflows, or what underflows may be seen
/// in rows scaled by `r`, all of it is done again by [`far`].
#[inline(never)]
pub(super) fn exact_product(
    m: MatRef<'_>,
    x: &[f64],
    q: &[f64],
    r: &[f64],
    w: &mut [f64],
    low: &mut [f64],
) {
    let n = q.len();
    w.copy_from_slice(q);
    let low = &mut low[..n];
    low.fill(0.0);
    for (j, &xj) in x.iter().enumerate() {
        // exact: nonbasic unknowns are set to zero
        if xj != 0.0 {
            add_exactly(m.col(j), xj, w, low);
        }
    }
    let mut sum = 0.0;
    for (w, l) in w.iter_mut().zip(&*low) {
        *w += l;
        sum += 0.0 * *w;
    }
    // exact: anything but zero is NaN
    if sum != 0.0 || underflow_shows(q, r) {
        far::product(m, x, q, w);
    }
}

/// True when n roundings of subnormal numbers in a row may be seen beside the largest r q.
fn underflow_shows(q: &[f64], r: &[f64]) -> bool {
    let (mut size, mut most) = (0.0f64, 0.0f64);
    for (q, r) in q.iter().zip(r) {
        let own = (q * r).abs();
        size = if own > size { own } else { size };
        most = if *r > most { *r } else { most };
    }
    // A product or sum of halves loses 2^-1074 at most, a term eight times that. The test is made with 2^30 of it
    // against the last digit: what is left is beyond all digits that can be asked for.
    let lost = 8.0 * q.len() as f64 * f64::from_bits(1 << 30) * most; // 2^-1044
    !(lost <= size * f64::EPSILON)
}

/// w + low += f column.
#[inline(always)]
fn add_exactly(column: &[f64], f: f64, w: &mut [f64], low: &mut [f64]) {
    let n = w.len();
    let (column, low, (fh, fl)) = (&column[..n], &mut low[..n], halves(f));
    for i in 0..n {
        let a = column[i];
        let p = a * f;
        let (ah, al) = halves(a);
        let rest = ((ah * fh - p) + ah * fl + al * fh) + al * fl;
        let s = w[i] + p;
        let t = s - w[i];
        low[i] += ((w[i] - (s - t)) + (p - t)) + rest;
        w[i] = s;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_residual_of_a_solution_is_zero_and_of_a_wrong_one_is_not() {
        let m = [1.0];
        let m = MatRef::square("m", &m, 1).unwrap();
        assert_eq!(residual(m, &[-9.8], &[9.8]).unwrap(), 0.0);
        // w = -9.8, min(0, -9.8) / 9.8 = 1
        assert_eq!(residual(m, &[-9.8], &[0.0]).unwrap(), 1.0);
        assert_eq!(residual(m, &[-9.8], &[f64::NAN]).unwrap(), f64::INFINITY);
    }

    #[test]
    fn numbers_near_the_end_of_the_range_are_judged_as_others_are() {
        // r = c = 2^1 or so: r q overflows, the residual does not.
        let m = [0.5];
        let m = MatRef::square("m", &m, 1).unwrap();
        assert_eq!(residual(m, &[1.7e308], &[0.0]).unwrap(), 0.0);
        assert_eq!(residual(m, &[-1.7e308], &[0.0]).unwrap(), 1.0);
    }

    #[test]
    fn a_right_hand_side_that_its_scale_rounds_to_zero_is_not_zero() {
        // r q = 1e-154 1e-308: z = 0 leaves w = q, all of it.
        let m = [1e308];
        let m = MatRef::square("m", &m, 1).unwrap();
        assert_eq!(residual(m, &[-1e-308], &[0.0]).unwrap(), 1.0);
        assert_eq!(residual(m, &[1e-308], &[0.0]).unwrap(), 0.0);
        assert_eq!(residual(m, &[0.0], &[0.0]).unwrap(), 0.0);
    }

    #[test]
    fn an_exact_answer_is_one_also_beside_subnormal_numbers() {
        // Found by fuzzing: the scale of the second row overflowed.
        let m = [4.6875, 5e-324, 4.6875, 5e-324];
        let m = MatRef::square("m", &m, 2).unwrap();
        assert_eq!(residual(m, &[0.8125, 3e-319], &[0.0, 0.0]).unwrap(), 0.0);
        assert_eq!(residual(m, &[0.8125, 1e308], &[0.0, 0.0]).unwrap(), 0.0);
    }

    #[test]
    fn units_change_the_residual_by_rounding_of_the_scales_only() {
        // Each scale is rounded to a power of two, at most a factor sqrt(2) either way.
        let m = [2.0, 1.0, -0.5, 3.0];
        let q = [-1.0, -2.0];
        let z = [0.3, 0.4];
        let (a, b) = (2f64.powi(20), 2f64.powi(-30));
        let scaled: Vec<f64> = m.iter().map(|x| x * b / a).collect();
        let qs: Vec<f64> = q.iter().map(|x| x * b).collect();
        let zs: Vec<f64> = z.iter().map(|x| x * a).collect();
        let plain = residual(MatRef::square("m", &m, 2).unwrap(), &q, &z).unwrap();
        let other = residual(MatRef::square("m", &scaled, 2).unwrap(), &qs, &zs).unwrap();
        assert!(other / plain <= 4.0 && plain / other <= 4.0, "{plain} {other}");
    }
}
