//! The residual of an answer in twice the digits, and the scales that define it, written a second time.

use super::Problem;

/// The judge computes with twice the digits; a report may stay below it by the rounding of a plain product.
pub const ROUNDING: f64 = 1e-13;

/// a + b and what rounding took away.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// a b and what rounding took away, by Dekker's halves. Needs factors below 1e290 and products far above the
/// subnormal numbers.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let t = 134_217_729.0 * x;
        let high = t - (t - x);
        (high, x - high)
    };
    let p = a * b;
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// M x + q with an error of 1e-31 of the largest terms.
pub fn product(p: &Problem, x: &[f64]) -> Vec<f64> {
    let n = p.n();
    let row = |i: usize| {
        let (mut high, mut low) = (p.q[i], 0.0);
        for (j, x) in x.iter().enumerate() {
            let (t, e) = two_product(p.m[j * n + i], *x);
            let (s, f) = two_sum(high, t);
            (high, low) = two_sum(s, low + (e + f));
        }
        high + low
    };
    (0..n).map(row).collect()
}

/// Row and column scales of the residual.
fn scales(p: &Problem) -> (Vec<f64>, Vec<f64>) {
    let n = p.n();
    let (mut r, mut c) = (vec![1.0f64; n], vec![1.0f64; n]);
    for _ in 0..8 {
        let rows: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| r[i] * p.m[j * n + i].abs() * c[j]).fold(0.0, f64::max))
            .collect();
        r.iter_mut().zip(rows).filter(|(_, l)| *l > 0.0).for_each(|(r, l)| *r /= l.sqrt());
        let cols: Vec<f64> = (0..n)
            .map(|j| (0..n).map(|i| r[i] * p.m[j * n + i].abs() * c[j]).fold(0.0, f64::max))
            .collect();
        c.iter_mut().zip(cols).filter(|(_, l)| *l > 0.0).for_each(|(c, l)| *c /= l.sqrt());
    }
    r.iter_mut().chain(&mut c).for_each(|s| *s = s.log2().round().exp2());
    (r, c)
}

/// What a plain M x + q of an answer may hide of the residual at most, (lcp.27) row by row: the solver computes it
/// with twice the digits before this reaches a tenth of its tolerance.
pub fn rounding(p: &Problem, x: &[f64]) -> f64 {
    let n = p.n();
    let (r, _) = scales(p);
    let size = (0..n).map(|i| (r[i] * p.q[i]).abs()).fold(0.0, f64::max);
    let terms = |i: usize| {
        p.q[i].abs() + x.iter().enumerate().map(|(j, x)| (p.m[j * n + i] * x).abs()).sum::<f64>()
    };
    let most = (0..n).map(|i| r[i] * terms(i)).fold(0.0, f64::max);
    ((n + 2) as f64 * f64::EPSILON * most / if size == 0.0 { 1.0 } else { size }).min(1e-10)
}

/// The unit-free residual of the header, the product without rounding.
pub fn residual(n_free: usize, p: &Problem, x: &[f64]) -> f64 {
    let n = p.n();
    let (r, c) = scales(p);
    let w = product(p, x);
    let size = (0..n).map(|i| (r[i] * p.q[i]).abs()).fold(0.0, f64::max);
    let own = |i: usize| {
        let (row, column) = (r[i] * w[i], x[i] / c[i]);
        if i < n_free { row.abs() } else { row.min(column).abs() }
    };
    let worst = (0..n).map(own).fold(0.0, f64::max);
    if x.iter().any(|x| !x.is_finite()) {
        return f64::INFINITY;
    }
    worst / if size == 0.0 { 1.0 } else { size }
}
