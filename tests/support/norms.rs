//! How far a computed motion is from an exact one with jumps: uniform, L1 and L2 on the grid, and the Hausdorff
//! distance of filled-in graphs; and the two motions of one coordinate whose exact solutions are known.
#![allow(dead_code, reason = "each test uses a part")]

use stiction::model::{Answer, Dims, Model};

/// A mass m over the ground q = 0 on a spring k and a damper c, under the constant force f, with restitution e.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    pub m: f64,
    pub c: f64,
    pub k: f64,
    pub f: f64,
    pub e: f64,
}

/// Acary (2009), example 1: impacts at 3 - 2^(1-n), at rest from t = 3.
pub const BALL: Single = Single { m: 1.0, c: 0.0, k: 0.0, f: -2.0, e: 0.5 };

/// Acary (2009), example 2.
pub const OSCILLATOR: Single = Single { m: 1.0, c: 0.5, k: 10.0, f: 0.0, e: 0.8 };

impl Model for Single {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = self.m;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        force[0] = self.f - self.k * q[0] - self.c * v[0];
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[0];
        normal[0] = 1.0;
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

impl Single {
    /// q and the right limit of v at t, from q = 1, v = 0: closed forms.
    pub fn exact(&self, t: f64) -> (f64, f64) {
        if self.k > 0.0 { self.swinging(t) } else { bouncing(t) }
    }

    fn swinging(&self, t: f64) -> (f64, f64) {
        let decay = self.c / (2.0 * self.m);
        let w = (self.k / self.m - decay * decay).sqrt();
        let (a, b) = (1.0, decay / w);
        // exp(-decay t) (a cos wt + b sin wt) first vanishes where tan wt = -a/b.
        let first = (std::f64::consts::PI - (a / b).atan()) / w;
        let at = |a: f64, b: f64, t: f64| {
            let (s, c) = (w * t).sin_cos();
            let fade = (-decay * t).exp();
            (fade * (a * c + b * s), fade * ((w * b - decay * a) * c - (w * a + decay * b) * s))
        };
        if t < first {
            return at(a, b, t);
        }
        let period = std::f64::consts::PI / w;
        let bounces = ((t - first) / period).floor();
        let mut speed = -self.e * at(a, b, first).1;
        for _ in 0..bounces as usize {
            speed *= self.e * (-decay * period).exp();
        }
        at(0.0, speed / w, t - first - bounces * period)
    }

    /// Times of impacts before `end`.
    pub fn impacts(&self, end: f64) -> Vec<f64> {
        let mut times = Vec::new();
        if self.k > 0.0 {
            let decay = self.c / (2.0 * self.m);
            let w = (self.k / self.m - decay * decay).sqrt();
            let mut t = (std::f64::consts::PI - (w / decay).atan()) / w;
            while t < end {
                times.push(t);
                t += std::f64::consts::PI / w;
            }
        } else {
            times.extend((0..50).map(|n| 3.0 - 2f64.powi(1 - n)).filter(|t| *t < end));
        }
        times
    }
}

/// The ball of f = -2, e = 1/2 from q = 1.
fn bouncing(t: f64) -> (f64, f64) {
    if t < 1.0 {
        return (1.0 - t * t, -2.0 * t);
    }
    let left = 3.0 - t;
    if left <= 0.0 {
        return (0.0, 0.0);
    }
    // The flight from 3 - 2^(1-n) to 3 - 2^-n begins with the speed 2^-n.
    let n = (0..1000).find(|&n| left > 2f64.powi(-n)).unwrap();
    let (since, up) = (t - (3.0 - 2f64.powi(1 - n)), 2f64.powi(-n));
    (up * since - since * since, up - 2.0 * since)
}

/// A motion on a grid: times, and one coordinate at them.
pub struct Grid {
    pub t: Vec<f64>,
    pub x: Vec<f64>,
}

impl Grid {
    fn errors(&self, exact: impl Fn(f64) -> f64) -> Vec<f64> {
        self.t.iter().zip(&self.x).map(|(&t, x)| (x - exact(t)).abs()).collect()
    }

    /// Largest error.
    pub fn uniform(&self, exact: impl Fn(f64) -> f64) -> f64 {
        self.errors(exact).into_iter().fold(0.0, f64::max)
    }

    /// (sum h |e|^p)^(1/p), Acary (2009) (21).
    pub fn integral(&self, p: i32, exact: impl Fn(f64) -> f64) -> f64 {
        let e = self.errors(exact);
        let steps = self.t.windows(2).map(|t| t[1] - t[0]);
        steps.zip(&e[1..]).map(|(h, e)| h * e.powi(p)).sum::<f64>().powf(1.0 / f64::from(p))
    }

    /// The motion as a chain of points, straight between them.
    pub fn graph(&self) -> Vec<(f64, f64)> {
        self.t.iter().copied().zip(self.x.iter().copied()).collect()
    }
}

/// The filled-in graph of an exact motion on [0, end] with jumps at `jumps`, as a chain of points.
pub fn filled(exact: impl Fn(f64) -> f64, jumps: &[f64], end: f64, n: usize) -> Vec<(f64, f64)> {
    let mut chain: Vec<(f64, f64)> =
        (0..=n).map(|i| end * i as f64 / n as f64).map(|t| (t, exact(t))).collect();
    for &t in jumps {
        // The left limit is taken a little before: far below every distance that is measured.
        let before = t - 1e-13;
        chain.extend([(before, exact(before)), (t, exact(t))]);
    }
    chain.sort_by(|a, b| a.0.total_cmp(&b.0));
    chain
}

/// Hausdorff distance of two chains in the metric max(|t - s|, |x - y|).
pub fn hausdorff(a: &[(f64, f64)], b: &[(f64, f64)]) -> f64 {
    one_sided(a, b).max(one_sided(b, a))
}

/// The largest distance of a point of `a` from `b`.
fn one_sided(a: &[(f64, f64)], b: &[(f64, f64)]) -> f64 {
    /// Points looked at on a piece of the chain.
    const PER_PIECE: usize = 8;
    let mut worst = 0.0f64;
    for piece in a.windows(2) {
        for k in 0..=PER_PIECE {
            let s = k as f64 / PER_PIECE as f64;
            let (t, x) = (
                piece[0].0 + s * (piece[1].0 - piece[0].0),
                piece[0].1 + s * (piece[1].1 - piece[0].1),
            );
            worst = worst.max(nearest(t, x, b, worst));
        }
    }
    worst
}

/// Distance of (t, x) from the chain `b`; anything up to `enough` may be told as it is.
fn nearest(t: f64, x: f64, b: &[(f64, f64)], enough: f64) -> f64 {
    let middle = b.partition_point(|p| p.0 < t).clamp(1, b.len() - 1);
    let mut best = f64::INFINITY;
    let (mut up, mut down) = (middle, middle);
    while best > enough {
        let above = up < b.len() && b[up - 1].0 - t < best;
        let below = down > 1 && t - b[down - 1].0 < best;
        if !above && !below {
            break;
        }
        if above {
            best = best.min(to_piece(t, x, b[up - 1], b[up]));
            up += 1;
        }
        if below {
            best = best.min(to_piece(t, x, b[down - 2], b[down - 1]));
            down -= 1;
        }
    }
    best
}

/// Distance of (t, x) from a piece: the larger of two convex functions along it, by trisection.
fn to_piece(t: f64, x: f64, p: (f64, f64), q: (f64, f64)) -> f64 {
    let at = |s: f64| (p.0 + s * (q.0 - p.0) - t).abs().max((p.1 + s * (q.1 - p.1) - x).abs());
    let (mut lo, mut hi) = (0.0, 1.0);
    for _ in 0..40 {
        let (a, b) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
        if at(a) < at(b) { hi = b } else { lo = a }
    }
    at(lo).min(at(hi)).min(at(0.0)).min(at(1.0))
}
