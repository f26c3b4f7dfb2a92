//! M x + q with twice the digits for numbers near the ends of the range, where halves of products overflow or
//! underflow. Slow; knows rows of numbers, not what they are for.

use super::halves;
use crate::linalg::MatRef;

/// Bits of a fraction, where the exponent starts.
const FRACTION: u32 = 52;
/// Exponent of one as it is stored, and of what is not finite.
const BIAS: i32 = 1023;
const NOT_FINITE: i32 = 0x7ff;
/// Orders below the largest term of a row at which another one is far beyond twice the digits of the sum, but a
/// product of halves is still a normal number.
const DEEP: i32 = 400;

/// x = f 2^e with 1 <= |f| < 2. Zero and what is not finite stay as they are, with the lowest e and zero.
fn parts(x: f64) -> (f64, i32) {
    let stored = |x: f64| ((x.to_bits() >> FRACTION) & 0x7ff) as i32;
    // exact: zero has no exponent
    if x == 0.0 {
        return (x, i32::MIN / 4);
    }
    let (x, e) = if stored(x) == 0 { (x * power(64), -64) } else { (x, 0) };
    if stored(x) == NOT_FINITE {
        return (x, 0);
    }
    let fraction = x.to_bits() & !(0x7ff << FRACTION);
    (f64::from_bits(fraction | (BIAS as u64) << FRACTION), stored(x) - BIAS + e)
}

/// 2^e of a normal number.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + BIAS) as u64) << FRACTION)
}

/// x 2^e rounded once: in steps that are exact but for the last.
fn raised(mut x: f64, mut e: i32) -> f64 {
    // An x of order one: what goes beyond the range has long left it.
    e = e.clamp(-4 * BIAS, 4 * BIAS);
    while e > BIAS {
        (x, e) = (x * power(BIAS), e - BIAS);
    }
    // Down by exact steps first, so that only the last one meets subnormal numbers.
    while e < 1 - BIAS {
        let step = (e + BIAS - 1).max(1 - BIAS);
        (x, e) = (x * power(step), e - step);
    }
    x * power(e)
}

/// A sum that carries along what it rounds away (Knuth).
#[derive(Default)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let s = self.high + x;
        let t = s - self.high;
        self.low += (self.high - (s - t)) + (x - t);
        self.high = s;
    }
}

/// w = M x + q, each row in units of its largest term.
pub(super) fn product(m: MatRef<'_>, x: &[f64], q: &[f64], w: &mut [f64]) {
    for (i, (w, &q)) in w.iter_mut().zip(q).enumerate() {
        *w = row(m, i, x, q);
    }
}

fn row(m: MatRef<'_>, i: usize, x: &[f64], q: f64) -> f64 {
    let (last, own) = parts(q);
    let order = |j: usize| parts(m.at(i, j)).1 + parts(x[j]).1;
    let top = (0..x.len()).map(order).fold(own, i32::max);
    let mut sum = Sum::default();
    let mut add = |x: f64, e: i32| {
        if e >= top - DEEP {
            sum.add(x * power(e - top));
        }
    };
    add(last, own);
    for (j, &x) in x.iter().enumerate() {
        let ((a, ea), (b, eb)) = (parts(m.at(i, j)), parts(x));
        let ((ah, al), (bh, bl)) = (halves(a), halves(b));
        let p = a * b;
        add(p, ea + eb);
        add(((ah * bh - p) + ah * bl + al * bh) + al * bl, ea + eb);
    }
    raised(sum.high + sum.low, top)
}

#[cfg(test)]
mod tests {
    use super::super::{exact_product, residual};
    use super::*;

    #[test]
    fn splitting_numbers_near_the_ends_of_the_range_hides_no_residual() {
        // (1 + 2^-30)^2 - 1 - 2^-29 = 2^-60: lost by a plain product, whatever the units.
        let a = 1.0 + power(-30);
        for e in [-1060, -1040, -1022, -1000, -500, 0, 500, 990, 996, 1000, 1022] {
            let m = raised(a, e);
            // Subnormal numbers round: what is stored counts.
            let x = [raised(a, -e)];
            let (data, q) = ([m], [-(1.0 + power(-29))]);
            let view = MatRef::square("m", &data, 1).unwrap();
            let exact = raised(m, -e) == a && raised(x[0], e) == a;
            let (mut w, mut low) = ([0.0], [0.0]);
            exact_product(view, &x, &q, &[1.0], &mut w, &mut low);
            assert!(!exact || w[0] == power(-60), "{e} {w:?}");
            assert!(!exact || residual(view, &q, &x).unwrap() > 0.0, "{e}");
        }
    }

    #[test]
    fn what_underflows_in_a_product_is_kept() {
        // Terms of 2^-1030 leave 2^-1060 of their own rounding, which is seen in a row scaled by 2^1000.
        let a = 1.0 + power(-20);
        let (m, x) = ([raised(a, -515)], [raised(a, -515)]);
        let q = [raised(-(1.0 + power(-19)), -1030)];
        let view = MatRef::square("m", &m, 1).unwrap();
        let (mut w, mut low) = ([0.0], [0.0]);
        exact_product(view, &x, &q, &[power(515)], &mut w, &mut low);
        assert_eq!(w[0], raised(1.0, -1070));
    }

    #[test]
    fn numbers_come_back_from_their_parts() {
        for x in [1.0, -3.5, 5e-324, -1.2e-310, f64::MAX, f64::MIN_POSITIVE, 1e-300] {
            let (f, e) = parts(x);
            assert!((1.0..2.0).contains(&f.abs()) && raised(f, e) == x, "{x} {f} {e}");
        }
        assert_eq!(parts(0.0).0, 0.0);
        assert!(parts(f64::NAN).0.is_nan() && raised(1.0, 2000) == f64::INFINITY);
        assert_eq!(raised(1.0, -2000), 0.0);
    }
}
