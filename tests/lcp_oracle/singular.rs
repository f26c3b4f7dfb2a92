//! Mixed problems whose block of free unknowns is singular, with a solution by construction.

use super::{Problem, Rng};

/// What is known of a problem that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// M = G G' + K with fewer columns in G than rows, K skew: monotone, so Lemke must succeed.
    Monotone,
    /// A quadratic program with equations, some of them twice: monotone too.
    Saddle,
    /// The same after its equations were combined with each other: another block, the same solutions.
    Combined,
    /// Nothing but the solution.
    Any,
}

pub const KINDS: [Kind; 4] = [Kind::Monotone, Kind::Saddle, Kind::Combined, Kind::Any];

/// Numbers for the entries: real ones, or small whole ones, which tie.
fn number(rng: &mut Rng, whole: bool) -> f64 {
    if whole { (2.6 * rng.unit()).round() } else { rng.unit() }
}

/// A problem of `n_free` equations and `n_comp` pairs of that kind.
pub fn singular(rng: &mut Rng, kind: Kind, n_free: usize, n_comp: usize) -> Problem {
    let n = n_free + n_comp;
    let whole = rng.below(2) == 0;
    let mut p = Problem { m: vec![0.0; n * n], q: vec![0.0; n] };
    match kind {
        Kind::Monotone => {
            let rank = 1 + rng.below(n);
            let skew = rng.below(3);
            let g: Vec<f64> = (0..n * rank).map(|_| number(rng, whole)).collect();
            for j in 0..n {
                for i in 0..=j {
                    let sum: f64 = (0..rank).map(|k| g[k * n + i] * g[k * n + j]).sum();
                    let inside = j < n_free || skew == 0 || (skew == 1 && rng.below(2) == 0);
                    let s = if i == j || inside { 0.0 } else { number(rng, whole) };
                    p.m[j * n + i] = sum + s;
                    p.m[i * n + j] = sum - s;
                }
            }
        }
        Kind::Saddle | Kind::Combined => {
            // Unknowns: velocities, multipliers, pairs. Some multipliers belong to a row given before.
            let moving = n_free - rng.below(n_free + 1);
            let g: Vec<f64> = (0..n * moving).map(|_| number(rng, whole)).collect();
            let rank = rng.below(moving + 1);
            for j in 0..moving {
                for i in 0..moving {
                    p.m[j * n + i] = (0..rank).map(|k| g[k * n + i] * g[k * n + j]).sum();
                }
            }
            for j in moving..n {
                let twin =
                    (j > moving && rng.below(3) == 0).then(|| moving + rng.below(j - moving));
                for i in 0..moving {
                    let x = twin.map_or_else(|| number(rng, whole), |t| p.m[i * n + t]);
                    p.m[i * n + j] = x;
                    p.m[j * n + i] = -x;
                }
            }
            // Multipliers meet pairs directly where there are no velocities between them.
            for j in n_free..n {
                for i in moving..n_free {
                    let x = if rng.below(2) == 0 { number(rng, whole) } else { 0.0 };
                    p.m[i * n + j] = x;
                    p.m[j * n + i] = -x;
                }
                p.m[j * n + j] = if rng.below(2) == 0 { 1.0 } else { 0.0 };
            }
            if kind == Kind::Combined {
                combine(rng, &mut p, n_free);
            }
        }
        Kind::Any => {
            let rank = rng.below(n_free + 1);
            let g: Vec<f64> = (0..2 * n_free * rank).map(|_| number(rng, whole)).collect();
            for j in 0..n {
                for i in 0..n {
                    p.m[j * n + i] = if i < n_free && j < n_free {
                        let at = |k: usize, l: usize| g[k * n_free + l];
                        (0..rank).map(|k| at(k, i) * at(rank + k, j)).sum()
                    } else {
                        number(rng, whole)
                    };
                }
            }
        }
    }
    solved_by_some(rng, &mut p, n_free, whole);
    p
}

/// Equations replaced by combinations of themselves, well conditioned.
fn combine(rng: &mut Rng, p: &mut Problem, n_free: usize) {
    let n = p.n();
    for t in 1..n_free {
        let (s, f) = (rng.below(t), number(rng, true));
        for j in 0..n {
            p.m[j * n + t] += f * p.m[j * n + s];
        }
    }
}

/// A right-hand side that some x with complementary pairs solves, up to rounding; degenerate at times.
fn solved_by_some(rng: &mut Rng, p: &mut Problem, n_free: usize, whole: bool) {
    let n = p.n();
    let both = rng.below(3);
    let (mut x, mut w) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        if i < n_free {
            x[i] = number(rng, whole);
        } else {
            match rng.below(if both == 0 { 3 } else { 2 }) {
                0 => x[i] = number(rng, whole).abs(),
                1 => w[i] = number(rng, whole).abs(),
                _ => {}
            }
        }
    }
    for i in 0..n {
        p.q[i] = w[i] - (0..n).map(|j| p.m[j * n + i] * x[j]).sum::<f64>();
    }
}

/// The same problem in units over `orders` decimal orders.
pub fn in_units(rng: &mut Rng, p: &Problem, orders: f64) -> Problem {
    let n = p.n();
    let mut powers =
        || -> Vec<f64> { (0..n).map(|_| (rng.unit() * orders * 3.3).round().exp2()).collect() };
    let (a, b) = (powers(), powers());
    p.rescaled(|i| a[i], |j| b[j])
}

/// The same in powers of ten: every number is rounded, and what depended on each other does so up to rounding.
pub fn in_decimal_units(rng: &mut Rng, p: &Problem, orders: f64) -> Problem {
    let n = p.n();
    let mut powers = || -> Vec<f64> { (0..n).map(|_| 10f64.powf(rng.unit() * orders)).collect() };
    let (a, b) = (powers(), powers());
    p.rescaled(|i| a[i], |j| b[j])
}
