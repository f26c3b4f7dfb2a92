//! When did it happen: roots of cubics and of functions known by evaluation. Knows no mechanics.

use crate::error::Result;

/// A cubic on [0, h] given by values and slopes at both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hermite {
    pub f0: f64,
    pub g0: f64,
    pub f1: f64,
    pub g1: f64,
    pub h: f64,
}

impl Hermite {
    /// Coefficients in s = tau/h, highest first.
    fn coefficients(&self) -> [f64; 4] {
        let (a, b) = (self.h * self.g0, self.h * self.g1);
        let rise = self.f1 - self.f0;
        [a + b - 2.0 * rise, 3.0 * rise - 2.0 * a - b, a, self.f0]
    }

    /// The cubic less `base`.
    pub(super) fn lowered(mut self, base: f64) -> Self {
        self.f0 -= base;
        self.f1 -= base;
        self
    }

    /// The cubic at the part `s` of its time.
    fn at(&self, s: f64) -> f64 {
        let c = self.coefficients();
        if s < 1.0 { ((c[0] * s + c[1]) * s + c[2]) * s + c[3] } else { self.f1 }
    }

    /// The next part of its time from `s` on at which `sign` times the cubic rises above zero.
    fn rises_from(&self, s: f64, sign: f64) -> Option<f64> {
        let value = |s: f64| sign * self.at(s);
        let mut from = s;
        let turns = turning_points(&self.coefficients()).into_iter().flatten();
        for to in turns.filter(|&x| x > s).chain([1.0]) {
            if value(to) > 0.0 {
                let above = value(from) > 0.0 || from >= to;
                return Some(if above { from } else { falling_root(|s| -value(s), from, to) });
            }
            from = to;
        }
        None
    }

    /// The first time at which the cubic falls through zero and goes on below -`eps`: (step.18). A
    /// start below zero counts as zero: a contact that leaves from a small penetration does not
    /// collide. Zero when it is below from the start and does not come up.
    pub(super) fn first_fall(mut self, eps: f64) -> Option<f64> {
        let base = self.f0.min(0.0);
        self.f0 -= base;
        self.f1 -= base;
        let c = self.coefficients();
        let value = |s: f64| ((c[0] * s + c[1]) * s + c[2]) * s + c[3];
        let mut from = 0.0;
        for to in turning_points(&c).into_iter().flatten().chain([1.0]) {
            let end = if to < 1.0 { value(to) } else { self.f1 };
            if end < -eps && value(from) > 0.0 {
                return Some(self.h * falling_root(value, from, to));
            }
            if end < -eps {
                // Down from the very start, or from a minimum already below.
                return Some(self.h * from);
            }
            from = to;
        }
        None
    }
}

/// The first time at which `n` cubics of equal length are all below zero, and the highest of them goes
/// on below -`eps`: (step.66).
pub(super) fn first_joint_fall(
    n: usize,
    cubic: impl Fn(usize) -> Hermite,
    eps: f64,
) -> Option<f64> {
    /// Points at which the depth of a dip is looked at.
    const SAMPLES: i32 = 16;
    let h = cubic(0).h;
    let highest = |s: f64| {
        let above = (0..n).map(|k| (k, cubic(k).at(s)));
        above.reduce(|a, b| if b.1 > a.1 { b } else { a })
    };
    let mut s = 0.0;
    let mut open = highest(s).filter(|top| top.1 > 0.0).map(|top| top.0);
    // Each of them turns at most twice.
    for _ in 0..8 * n {
        if let Some(k) = open {
            s = cubic(k).rises_from(s, -1.0)?;
            let next = highest(s)?;
            if next.0 != k && next.1 > 0.0 {
                open = Some(next.0);
                continue;
            }
        }
        let rises = (0..n).filter_map(|k| Some((cubic(k).rises_from(s, 1.0)?, k)));
        let up = rises.reduce(|a, b| if b.0 < a.0 { b } else { a });
        let end = up.map_or(1.0, |(at, _)| at);
        let part = |k: i32| s + (end - s) * f64::from(k) / f64::from(SAMPLES);
        if (1..=SAMPLES).any(|k| highest(part(k)).is_some_and(|top| top.1 < -eps)) {
            return Some(h * s);
        }
        let (at, k) = up?;
        (s, open) = (at, Some(k));
    }
    None
}

/// Where the cubic turns inside (0, 1), in order.
fn turning_points(c: &[f64; 4]) -> [Option<f64>; 2] {
    // 3 c0 s^2 + 2 c1 s + c2 = 0, without cancellation.
    let (a, half_b, d) = (3.0 * c[0], c[1], c[2]);
    let discriminant = half_b * half_b - a * d;
    if discriminant < 0.0 {
        return [None, None];
    }
    let sum = -(half_b + discriminant.sqrt().copysign(half_b));
    let inside = |x: f64| if x > 0.0 && x < 1.0 { Some(x) } else { None };
    // Division by an exact zero gives an infinity or NaN, which is not inside.
    match (inside(sum / a), inside(d / sum)) {
        (Some(x), Some(y)) if x > y => [Some(y), Some(x)],
        pair => [pair.0, pair.1],
    }
}

/// The root of a function that falls through zero between `from` and `to`, by bisection to the last
/// bit.
fn falling_root(value: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    loop {
        let middle = 0.5 * (from + to);
        if middle <= from || middle >= to {
            return from;
        }
        if value(middle) > 0.0 { from = middle } else { to = middle }
    }
}

/// The root of `f` between `lo` and `hi`, where its values are of opposite sign, by the Illinois
/// rule: false position, the value of an end that stays put halved. Ends at `width` or at the
/// rounding of `hi`.
pub(super) fn bracketed(
    (mut lo, mut f_lo): (f64, f64),
    (mut hi, mut f_hi): (f64, f64),
    width: f64,
    mut f: impl FnMut(f64) -> Result<f64>,
) -> Result<f64> {
    /// Illinois needs about ten; the rest is bisection for functions that defeat it.
    const MOST: usize = 100;
    let mut stayed = 0i32;
    for count in 0..MOST {
        if (hi - lo).abs() <= width || f_hi == 0.0 {
            break;
        }
        let secant = hi - f_hi * (hi - lo) / (f_hi - f_lo);
        let usable = count < 30 && secant > lo.min(hi) && secant < lo.max(hi);
        let x = if usable { secant } else { 0.5 * (lo + hi) };
        if x == lo || x == hi {
            break;
        }
        let fx = f(x)?;
        if (fx > 0.0) == (f_hi > 0.0) {
            (hi, f_hi) = (x, fx);
            if stayed > 0 {
                f_lo *= 0.5;
            }
            stayed = 1;
        } else {
            (lo, f_lo) = (x, fx);
            if stayed < 0 {
                f_hi *= 0.5;
            }
            stayed = -1;
        }
        if fx == 0.0 {
            return Ok(x);
        }
    }
    Ok(hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_ball_meets_the_ground_when_the_parabola_says() {
        // 1 - s^2 at s = 1.5 and 0: value -1.25, slope -3.
        let f = Hermite { f0: 1.0, g0: 0.0, f1: -1.25, g1: -3.0, h: 1.5 };
        assert!((f.first_fall(1e-9).unwrap() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_dip_that_recovers_is_found() {
        // (s - 1/4)(s - 3/4) on [0, 1].
        let f = Hermite { f0: 0.1875, g0: -1.0, f1: 0.1875, g1: 1.0, h: 1.0 };
        assert!((f.first_fall(1e-9).unwrap() - 0.25).abs() < 1e-15);
        // The same with a minimum of -1e-12 only grazes.
        let lifted = Hermite { f0: 0.25 - 1e-12, f1: 0.25 - 1e-12, ..f };
        assert_eq!(lifted.first_fall(1e-9), None);
    }

    #[test]
    fn a_contact_that_leaves_from_a_penetration_does_not_collide() {
        let f = Hermite { f0: -1e-6, g0: 1.0, f1: 1.0, g1: 1.0, h: 1.0 };
        assert_eq!(f.first_fall(1e-9), None);
        // Thrown up and back: the root is the return to the depth it left from.
        let f = Hermite { f0: -1e-6, g0: 1.0, f1: -1e-6 - 2.0, g1: -3.0, h: 2.0 };
        assert!((f.first_fall(1e-9).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_contact_that_goes_down_at_once_collides_at_once() {
        let f = Hermite { f0: 0.0, g0: -1.0, f1: -1.0, g1: -1.0, h: 1.0 };
        assert_eq!(f.first_fall(1e-9), Some(0.0));
    }

    #[test]
    fn bracketed_roots_are_found_to_rounding() {
        let f = |x: f64| Ok(x * x - 2.0);
        let x = bracketed((0.0, -2.0), (2.0, 2.0), 1e-15, f).unwrap();
        assert!((x - 2f64.sqrt()).abs() < 1e-15);
    }
}
