//! Velocity problems of bodies with many contacts, in dense arrays. Knows no solver.
#![allow(dead_code)] // each test and bench takes what it needs

use crate::rng::Rng;
use stiction::linalg::MatRef;
use stiction::velocity::{Brakes, Problem, Rows};

/// Bodies with six velocities each (world axes), and contacts between them, with eight friction directions.
pub struct Pile {
    pub mass: Vec<f64>,
    pub p: Vec<f64>,
    pub normal: Vec<f64>,
    pub tangent: Vec<f64>,
    pub mu: Vec<f64>,
    pub nv: usize,
}

pub const N_DIR: usize = 8;

impl Pile {
    pub fn new(bodies: &[(f64, f64)], v: &[f64]) -> Self {
        let nv = 6 * bodies.len();
        let mut mass = vec![0.0; nv * nv];
        for (b, (m, i)) in bodies.iter().enumerate() {
            for k in 0..6 {
                mass[(6 * b + k) * (nv + 1)] = if k < 3 { *m } else { *i };
            }
        }
        let p = (0..nv).map(|i| mass[i * (nv + 1)] * v[i]).collect();
        Self { mass, p, normal: vec![], tangent: vec![], mu: vec![], nv }
    }

    /// A contact at a point, with the normal pointing towards the first body; arms from the centers.
    pub fn touch(
        &mut self,
        a: (usize, [f64; 3]),
        b: Option<(usize, [f64; 3])>,
        n: [f64; 3],
        mu: f64,
    ) {
        let level = if n[2].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let t1 = unit(cross(n, level));
        let t2 = cross(n, t1);
        let column = |d: [f64; 3]| {
            let mut c = vec![0.0; self.nv];
            for ((body, arm), sign) in
                [(Some(a), 1.0), (b, -1.0)].into_iter().filter_map(|(x, s)| Some((x?, s)))
            {
                let moment = cross(arm, d);
                for k in 0..3 {
                    c[6 * body + k] += sign * d[k];
                    c[6 * body + 3 + k] += sign * moment[k];
                }
            }
            c
        };
        let mut columns = vec![];
        for k in 0..N_DIR / 2 {
            let (s, c) = (std::f64::consts::TAU * k as f64 / N_DIR as f64).sin_cos();
            columns.push(column([0, 1, 2].map(|i| c * t1[i] + s * t2[i])));
        }
        let normal = column(n);
        self.normal.extend(normal);
        self.tangent.extend(columns.iter().flatten());
        self.tangent.extend(columns.iter().flatten().map(|x| -x));
        self.mu.push(mu);
    }

    pub fn problem(&self) -> Problem<'_> {
        let nc = self.mu.len();
        let view = |x, n| MatRef::new("columns", x, self.nv, n, self.nv).unwrap();
        Problem {
            mass: MatRef::square("mass", &self.mass, self.nv).unwrap().into(),
            p: &self.p,
            joint: Rows::same(view(&[], 0)),
            normal: Rows::same(view(&self.normal, nc)),
            tangent: Rows::same(view(&self.tangent, nc * N_DIR)),
            n_dir: N_DIR,
            mu: &self.mu,
            brake: Brakes::NONE,
        }
    }
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn unit(a: [f64; 3]) -> [f64; 3] {
    let l = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    a.map(|x| x / l)
}

/// A box with side 2 on a square grid of n points.
pub fn base(n: usize, v: [f64; 6]) -> Pile {
    let mut pile = Pile::new(&[(2.0, 1.3)], &v);
    let side = (n as f64).sqrt().round() as usize;
    for i in 0..side {
        for j in 0..side {
            let at = |k: usize| 2.0 * k as f64 / (side - 1) as f64 - 1.0;
            pile.touch((0, [at(i), at(j), -1.0]), None, [0.0, 0.0, 1.0], 0.5);
        }
    }
    pile
}

/// Spheres on a jittered grid above a floor, touching their neighbors; a random motion downwards.
pub fn spheres(side: usize, layers: usize, seed: u64) -> Pile {
    let mut rng = Rng::new(seed);
    let mut centers = vec![];
    for k in 0..layers {
        for i in 0..side {
            for j in 0..side {
                let mut shake = || 0.1 * (0.5 * rng.signed());
                centers.push([
                    i as f64 + shake(),
                    j as f64 + shake(),
                    0.5 + 0.9 * k as f64 + 0.2 * shake(),
                ]);
            }
        }
    }
    let v: Vec<f64> = centers
        .iter()
        .flat_map(|_| {
            [
                0.5 * rng.signed(),
                0.5 * rng.signed(),
                -1.5 - 0.5 * rng.signed(),
                rng.signed(),
                rng.signed(),
                rng.signed(),
            ]
        })
        .collect();
    let bodies: Vec<_> = centers.iter().map(|_| (1.0, 0.1)).collect();
    let mut pile = Pile::new(&bodies, &v);
    for (i, a) in centers.iter().enumerate() {
        if a[2] < 0.6 {
            pile.touch((i, [0.0, 0.0, -0.5]), None, [0.0, 0.0, 1.0], 0.4);
        }
        for (j, b) in centers.iter().enumerate().take(i) {
            let d = [0, 1, 2].map(|k| a[k] - b[k]);
            let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            if distance < 1.03 {
                let n = unit(d);
                pile.touch((i, n.map(|x| -0.5 * x)), Some((j, n.map(|x| 0.5 * x))), n, 0.4);
            }
        }
    }
    pile
}

/// A face of 5 by 5 cells in two triangles each, whose corners stand out by up to `noise` of its size: every triangle
/// touches the ground with its three corners, along its own normal.
pub fn triangulated(noise: f64, v: [f64; 6]) -> Pile {
    let mut rng = Rng::new(11);
    let mut pile = Pile::new(&[(2.0, 1.3)], &v);
    let mut height = [[0.0; 6]; 6];
    for h in height.iter_mut().flatten() {
        *h = 2.0 * noise * rng.signed();
    }
    let corner =
        |i: usize, j: usize| [0.4 * i as f64 - 1.0, 0.4 * j as f64 - 1.0, -1.0 + height[i][j]];
    for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
        for [a, b, c] in [
            [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)],
            [corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)],
        ] {
            let to = |p: [f64; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
            let normal = unit(cross(to(b), to(c)));
            for arm in [a, b, c] {
                pile.touch((0, arm), None, normal, 0.5);
            }
        }
    }
    pile
}
