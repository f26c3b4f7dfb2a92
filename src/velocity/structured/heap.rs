//! Tests of the stages of one island on heaps of point masses: each must solve the proximal problem by itself.

use super::super::{Brakes, Problem, Rows};
use super::blocks::Blocks;
use super::island::Islands;
use super::newton::Newton;
use super::path::{Limits, Path};
use super::polygon::Mode;
use super::undecided::Undecided;
use crate::linalg::MatRef;

/// Masses of 1 kg in a row, each on rough ground and pressed against the next across a slanted wall, with four friction
/// directions and mu = 0.5.
struct Heap {
    nv: usize,
    mass: Vec<f64>,
    p: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    mu: Vec<f64>,
}

impl Heap {
    fn new(n: usize, seed: u32) -> Self {
        let mut state = seed.wrapping_mul(2654435761).wrapping_add(12345);
        let mut random = move || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from(state >> 8) / f64::from(1u32 << 24) - 0.5
        };
        let nv = 3 * n;
        let mass = (0..nv * nv).map(|k| f64::from(u8::from(k % (nv + 1) == 0))).collect();
        let p = (0..nv).map(|k| random() - f64::from(u8::from(k % 3 == 2))).collect();
        let mut heap =
            Self { nv, mass, p, normal: vec![], tangent: vec![], mu: vec![0.5; 2 * n - 1] };
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

    fn contact(&mut self, low: Option<usize>, high: usize, n: [f64; 3]) {
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
    fn read(&self) -> (Blocks, Islands, Newton) {
        let (nv, count) = (self.nv, self.mu.len());
        let columns = |x, count| Rows::same(MatRef::new("columns", x, nv, count, nv).unwrap());
        let problem = Problem {
            mass: MatRef::square("mass", &self.mass, nv).unwrap().into(),
            p: &self.p,
            joint: columns(&[], 0),
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
        blocks.move_offsets(&self.p);
        let (mut islands, mut newton) = (Islands::default(), Newton::default());
        islands.find(&blocks, &vec![true; count]).unwrap();
        assert_eq!(islands.all.len(), 1);
        newton.start(&blocks).unwrap();
        newton.pattern(&blocks, &islands, &islands.all[0]).unwrap();
        (blocks, islands, newton)
    }
}

const FREE: Limits = Limits { changes: 1000, flips: 1000 };

/// What is missing in momentum, and how many modes are others than the law asks for.
fn missing(newton: &mut Newton, blocks: &Blocks, islands: &Islands, eps: f64) -> (f64, usize) {
    let modes = newton.modes.clone();
    let size = newton.misfit(blocks, islands, &islands.all[0], eps, false);
    (size.sqrt(), modes.iter().zip(&newton.modes).filter(|(a, b)| a != b).count())
}

#[test]
fn a_path_ends_in_the_modes_of_the_law_wherever_it_starts() {
    let mut changes = 0;
    for seed in 0..40 {
        for eps in [1.0, 1e-2, 1e-4] {
            let heap = Heap::new(3 + seed as usize % 9, seed);
            let (blocks, islands, mut newton) = heap.read();
            // Modes without sense.
            for (i, mode) in newton.modes.iter_mut().enumerate() {
                let k = (i as u32 * 7 + seed) % 6;
                *mode = match k {
                    0 => Mode::Open,
                    1 => Mode::Stick,
                    _ => Mode::Corner(k as u16 - 2),
                };
            }
            let mut path = Path::default();
            let island = &islands.all[0];
            let found = path.follow(&mut newton, &blocks, &islands, island, eps, FREE).unwrap();
            assert!(found, "{seed} {eps} after {}", path.pivots);
            let (left, others) = missing(&mut newton, &blocks, &islands, eps);
            assert!(left < 1e-12 / eps, "{seed} {eps}: {left}");
            assert_eq!(others, 0, "{seed} {eps}");
            changes += path.pivots;
        }
    }
    assert!(changes > 500, "{changes}");
}

#[test]
fn contacts_in_question_are_answered_as_the_path_answers_them() {
    for seed in 0..40 {
        // Strong enough for the answer to be the only one.
        let eps = 1.0;
        let heap = Heap::new(3 + seed as usize % 9, seed);
        let (blocks, islands, mut newton) = heap.read();
        let island = &islands.all[0];
        let mut undecided = Undecided::default();
        assert!(undecided.settle(&mut newton, &blocks, &islands, island, eps).unwrap(), "{seed}");
        let (left, others) = missing(&mut newton, &blocks, &islands, eps);
        assert!(left < 1e-12 && others == 0, "{seed}: {left} {others}");
        let (_, _, mut other) = heap.read();
        let found =
            Path::default().follow(&mut other, &blocks, &islands, island, eps, FREE).unwrap();
        assert!(found);
        for (a, b) in newton.v.iter().zip(&other.v) {
            assert!((a - b).abs() < 1e-12, "{seed}: {a} {b}");
        }
    }
}

#[test]
fn a_path_that_may_not_turn_or_change_says_that_it_found_nothing() {
    let (blocks, islands, mut newton) = Heap::new(6, 1).read();
    newton.modes.fill(Mode::Stick);
    let (island, none) = (&islands.all[0], Limits { changes: 0, flips: 0 });
    assert!(!Path::default().follow(&mut newton, &blocks, &islands, island, 0.1, none).unwrap());
}
