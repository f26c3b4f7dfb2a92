//! Problems and a slow, independent way to solve small ones, shared by the tests of `lcp`.
#![allow(dead_code)]

pub mod exact;
pub mod singular;

use stiction::linalg::MatRef;

/// A fixed sequence of numbers (xorshift), the same on every platform.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Uniform in (-1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// A problem in column-major storage.
#[derive(Debug, Clone)]
pub struct Problem {
    pub m: Vec<f64>,
    pub q: Vec<f64>,
}

impl Problem {
    pub fn n(&self) -> usize {
        self.q.len()
    }

    pub fn m(&self) -> MatRef<'_> {
        MatRef::square("m", &self.m, self.n()).unwrap()
    }

    /// The same problem with its unknowns in another order.
    pub fn permuted(&self, rng: &mut Rng) -> Self {
        let n = self.n();
        let mut p: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            p.swap(i, rng.below(i + 1));
        }
        let m = (0..n * n).map(|k| self.m[p[k / n] * n + p[k % n]]).collect();
        Self { m, q: p.iter().map(|&i| self.q[i]).collect() }
    }

    /// The same problem in other units: rows times a, columns times b.
    pub fn rescaled(&self, a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64) -> Self {
        let n = self.n();
        let m = (0..n * n).map(|k| self.m[k] * a(k % n) * b(k / n)).collect();
        Self { m, q: (0..n).map(|i| self.q[i] * a(i)).collect() }
    }
}

/// M = G G' + skew with G n by rank, q in the range that makes it feasible: q = w - M z.
pub fn semidefinite(rng: &mut Rng, n: usize, rank: usize, skew: f64) -> Problem {
    let g: Vec<f64> = (0..n * rank).map(|_| rng.unit()).collect();
    let mut m = vec![0.0; n * n];
    for j in 0..n {
        for i in 0..=j {
            let sum: f64 = (0..rank).map(|k| g[k * n + i] * g[k * n + j]).sum();
            let s = if i == j { 0.0 } else { skew * rng.unit() };
            m[j * n + i] = sum + s;
            m[i * n + j] = sum - s;
        }
    }
    let z: Vec<f64> = (0..n).map(|_| rng.unit().max(0.0)).collect();
    let w: Vec<f64> = (0..n).map(|_| rng.unit().max(0.0)).collect();
    let q = (0..n).map(|i| w[i] - (0..n).map(|j| m[j * n + i] * z[j]).sum::<f64>()).collect();
    Problem { m, q }
}

/// Bodies in the plane with masses from 1 to `heaviest`, contacts between random pairs or with the
/// ground, `copies` of each, two friction directions per contact: the copositive structure of
/// Stewart and Trinkle. Unknowns per contact: normal, two friction impulses, slip speed.
pub fn contacts(
    rng: &mut Rng,
    bodies: usize,
    count: usize,
    copies: usize,
    heaviest: f64,
) -> Problem {
    moving_contacts(rng, bodies, count, copies, heaviest, 3 * bodies)
}

/// The same with only the first `moving` velocities different from zero: contacts of bodies at rest are
/// degenerate.
pub fn moving_contacts(
    rng: &mut Rng,
    bodies: usize,
    count: usize,
    copies: usize,
    heaviest: f64,
    moving: usize,
) -> Problem {
    let nv = 3 * bodies;
    let inverse_mass: Vec<f64> = (0..bodies)
        .flat_map(|_| {
            let mass = heaviest.powf(0.5 * (rng.unit() + 1.0));
            [1.0 / mass, 1.0 / mass, 4.0 / mass]
        })
        .collect();
    let mut rows: Vec<(Vec<f64>, Vec<f64>, f64)> = vec![];
    for _ in 0..count {
        let (a, b) = (rng.below(bodies), rng.below(bodies + 1));
        let angle = 3.0 * rng.unit();
        let (c, s) = (angle.cos(), angle.sin());
        let (mut normal, mut tangent) = (vec![0.0; nv], vec![0.0; nv]);
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            if body < bodies && (body != b || a != b || sign > 0.0) {
                let arm = rng.unit();
                normal[3 * body..3 * body + 3].copy_from_slice(&[sign * c, sign * s, sign * arm]);
                tangent[3 * body..3 * body + 3].copy_from_slice(&[-sign * s, sign * c, sign * 0.5]);
            }
        }
        let mu = if rng.below(5) == 0 { 0.0 } else { rng.unit().abs() };
        for _ in 0..copies {
            rows.push((normal.clone(), tangent.clone(), mu));
        }
    }
    let v: Vec<f64> = (0..nv).map(|i| if i < moving { rng.unit() } else { 0.0 }).collect();
    friction_lcp(&rows, &inverse_mass, &v)
}

fn friction_lcp(rows: &[(Vec<f64>, Vec<f64>, f64)], inverse_mass: &[f64], v: &[f64]) -> Problem {
    let nc = rows.len();
    let n = 4 * nc;
    let weighted = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(inverse_mass).map(|((a, b), m)| a * b * m).sum()
    };
    // direction of unknown k < 3 of a contact: n, t, -t
    let direction = |c: usize, k: usize| -> Vec<f64> {
        let (normal, tangent, _) = &rows[c];
        match k {
            0 => normal.clone(),
            1 => tangent.clone(),
            _ => tangent.iter().map(|x| -x).collect(),
        }
    };
    let mut p = Problem { m: vec![0.0; n * n], q: vec![0.0; n] };
    for (c, (_, _, mu)) in rows.iter().enumerate() {
        for k in 0..3 {
            let d = direction(c, k);
            let j = 4 * c + k;
            p.q[j] = d.iter().zip(v).map(|(a, b)| a * b).sum();
            for e in 0..nc {
                for l in 0..3 {
                    p.m[j * n + 4 * e + l] = weighted(&direction(e, l), &d);
                }
            }
        }
        for k in 1..3 {
            p.m[(4 * c + 3) * n + 4 * c + k] = 1.0;
            p.m[(4 * c + k) * n + 4 * c + 3] = -1.0;
        }
        p.m[4 * c * n + 4 * c + 3] = *mu;
    }
    p
}

/// Tries all 2^n complementary bases; true when one gives a solution up to `slack`. Independent of the
/// library: plain Gaussian elimination on the rows of each basis.
pub fn has_solution(p: &Problem, slack: f64) -> bool {
    let n = p.n();
    (0..1usize << n).any(|set| {
        let basic: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let Some(x) = solve(p, &basic) else { return false };
        let mut z = vec![0.0; n];
        for (k, &j) in basic.iter().enumerate() {
            z[j] = x[k];
        }
        let w = |i: usize| p.q[i] + (0..n).map(|j| p.m[j * n + i] * z[j]).sum::<f64>();
        z.iter().all(|&x| x >= -slack)
            && (0..n).all(|i| w(i) >= -slack && (z[i].abs() <= slack || w(i).abs() <= slack))
    })
}

/// M_bb x = -q_b by Gaussian elimination with row exchanges.
fn solve(p: &Problem, basic: &[usize]) -> Option<Vec<f64>> {
    let (n, k) = (p.n(), basic.len());
    let mut a: Vec<Vec<f64>> = basic
        .iter()
        .map(|&i| basic.iter().map(|&j| p.m[j * n + i]).chain([-p.q[i]]).collect())
        .collect();
    for c in 0..k {
        let pivot = (c..k).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs()))?;
        if a[pivot][c].abs() < 1e-12 {
            return None;
        }
        a.swap(c, pivot);
        let pivot_row = a[c].clone();
        for (_, row) in a.iter_mut().enumerate().filter(|(i, _)| *i != c) {
            let f = row[c] / pivot_row[c];
            row.iter_mut().zip(&pivot_row).skip(c).for_each(|(x, p)| *x -= f * p);
        }
    }
    Some((0..k).map(|i| a[i][k] / a[i][i]).collect())
}
