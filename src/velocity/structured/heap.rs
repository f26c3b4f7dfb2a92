//! A heap of point masses, for tests of what solves its proximal problem.

use super::super::{Brakes, Problem, Rows};
use super::blocks::Blocks;
use super::island::Islands;
use super::newton::Newton;
use crate::linalg::MatRef;

/// Masses of 1 kg in a row, each on rough ground and pressed against the next across a slanted wall, with four friction
/// directions and mu = 0.5.
pub(super) struct Heap {
    pub nv: usize,
    pub mass: Vec<f64>,
    pub p: Vec<f64>,
    pub joint: Vec<f64>,
    pub normal: Vec<f64>,
    pub tangent: Vec<f64>,
    pub mu: Vec<f64>,
}

impl Heap {
    pub(super) fn new(n: usize, seed: u32) -> Self {
        let mut state = seed.wrapping_mul(2654435761).wrapping_add(12345);
        let mut random = move || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from(state >> 8) / f64::from(1u32 << 24) - 0.5
        };
        let mut heap = Self::of_masses(&vec![1.0; n]);
        heap.p = (0..3 * n).map(|k| random() - f64::from(u8::from(k % 3 == 2))).collect();
        heap.mu = vec![0.5; 2 * n - 1];
        for i in 0..n {
            heap.contact(None, i, [0.0, 0.0, 1.0]);
        }
        for i in 1..n {
            let (x, y): (f64, f64) = (0.6 * random(), 0.6 * random());
            let size = (1.0 + x * x + y * y).sqrt();
            heap.contact(Some(i - 1), i, [1.0 / size, x / size, y / size]);
        }
        heap
    }

    /// Masses at rest that touch nothing.
    pub(super) fn of_masses(masses: &[f64]) -> Self {
        let nv = 3 * masses.len();
        let mut mass = vec![0.0; nv * nv];
        for k in 0..nv {
            mass[k * (nv + 1)] = masses[k / 3];
        }
        let (p, none) = (vec![0.0; nv], || vec![]);
        Self { nv, mass, p, joint: none(), normal: none(), tangent: none(), mu: none() }
    }

    /// Lets two masses have one speed along `d`.
    pub(super) fn join(&mut self, low: usize, high: usize, d: [f64; 3]) {
        let mut column = vec![0.0; self.nv];
        column[3 * low..3 * low + 3].copy_from_slice(&d.map(|x| -x));
        column[3 * high..3 * high + 3].copy_from_slice(&d);
        self.joint.extend(column);
    }

    pub(super) fn contact(&mut self, low: Option<usize>, high: usize, n: [f64; 3]) {
        // Two tangents at right angles to `n` and each other.
        let a = if n[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let t = cross(n, a);
        let size = t.iter().map(|x| x * x).sum::<f64>().sqrt();
        let t = t.map(|x| x / size);
        let s = cross(n, t);
        let column = |d: [f64; 3], f: f64| {
            let mut column = vec![0.0; self.nv];
            for k in 0..3 {
                column[3 * high + k] = f * d[k];
                if let Some(low) = low {
                    column[3 * low + k] = -f * d[k];
                }
            }
            column
        };
        let tangent = [(t, 1.0), (s, 1.0), (t, -1.0), (s, -1.0)].map(|(d, f)| column(d, f));
        let normal = column(n, 1.0);
        self.normal.extend(normal);
        self.tangent.extend(tangent.concat());
    }

    /// Blocks, islands and a start without impulses; the one island is of all bodies.
    pub(super) fn read(&self) -> (Blocks, Islands, Newton) {
        let (nv, count) = (self.nv, self.mu.len());
        let columns = |x, count| Rows::same(MatRef::new("columns", x, nv, count, nv).unwrap());
        let problem = Problem {
            mass: MatRef::square("mass", &self.mass, nv).unwrap().into(),
            p: &self.p,
            joint: columns(&self.joint, self.joint.len() / nv),
            normal: columns(&self.normal, count),
            tangent: columns(&self.tangent, 4 * count),
            n_dir: 4,
            mu: &self.mu,
            brake: Brakes::NONE,
        };
        problem.check().unwrap();
        let mut blocks = Blocks::default();
        blocks.told.extend((0..nv).step_by(3));
        assert!(blocks.read(&problem).unwrap());
        let free: Vec<_> = (0..nv).map(|k| self.p[k] / self.mass[k * (nv + 1)]).collect();
        blocks.move_offsets(&free);
        let (mut islands, mut newton) = (Islands::default(), Newton::default());
        islands.find(&blocks, &vec![true; blocks.groups.len()]).unwrap();
        assert_eq!(islands.all.len(), 1);
        newton.start(&blocks).unwrap();
        newton.pattern(&blocks, &islands, &islands.all[0]).unwrap();
        (blocks, islands, newton)
    }
}
