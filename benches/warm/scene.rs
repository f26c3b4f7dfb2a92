//! A driven box that sticks and slides on a grid of contacts, as the sequence of complementarity
//! problems a time stepper meets. Knows nothing of how they are solved.

use crate::support::rng::Rng;

/// Mass 1 kg, edges 1 m, 1 m and 0.5 m.
const HALF: [f64; 3] = [0.5, 0.5, 0.25];
/// Inverse mass, three times, and inverse moments of inertia of the box, 12 / (a^2 + b^2).
const INVERSE_MASS: [f64; 6] = [1.0, 1.0, 1.0, 9.6, 9.6, 6.0];
const FRICTION: f64 = 0.5;
const GRAVITY: f64 = 9.81;
/// Step length, s.
const STEP: f64 = 0.01;

/// A wrench on the box: force, then moment about its center.
type Wrench = [f64; 6];

/// The box on `side` times `side` contacts with `k` friction directions each.
pub struct Scene {
    side: usize,
    k: usize,
    /// Contact points move by this fraction of an edge from step to step, at random.
    jitter: f64,
}

/// What changes from step to step.
pub struct State {
    velocity: Wrench,
    step: usize,
}

impl Scene {
    pub fn new(side: usize, k: usize, jitter: f64) -> Self {
        Self { side, k, jitter }
    }

    pub fn contacts(&self) -> usize {
        self.side * self.side
    }

    pub fn directions(&self) -> usize {
        self.k
    }

    /// The matrix changes from step to step.
    pub fn moves(&self) -> bool {
        self.jitter > 0.0
    }

    /// Unknowns: normal and tangential impulses and sliding speeds.
    pub fn n(&self) -> usize {
        self.contacts() * (self.k + 2)
    }

    pub fn start(&self) -> State {
        State { velocity: [0.0; 6], step: 0 }
    }

    /// Unit impulses of all unknowns that push: normals first, then the directions of each contact.
    fn impulses(&self, step: usize) -> Vec<Wrench> {
        let mut rng = Rng::new(step as u64);
        let mut point = |i: usize, j: usize| {
            let grid = |i: usize| 2.0 * i as f64 / (self.side - 1) as f64 - 1.0;
            let x = HALF[0] * grid(i) + self.jitter * rng.signed();
            let y = HALF[1] * grid(j) + self.jitter * rng.signed();
            [x, y, -HALF[2]]
        };
        let mut points = Vec::with_capacity(self.contacts());
        for i in 0..self.side {
            points.extend((0..self.side).map(|j| point(i, j)));
        }
        let push = |r: &[f64; 3], d: [f64; 3]| {
            let moment =
                [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
            [d[0], d[1], d[2], moment[0], moment[1], moment[2]]
        };
        let mut all: Vec<Wrench> = points.iter().map(|r| push(r, [0.0, 0.0, 1.0])).collect();
        for r in &points {
            all.extend((0..self.k).map(|l| {
                let angle = std::f64::consts::TAU * l as f64 / self.k as f64;
                push(r, [angle.cos(), angle.sin(), 0.0])
            }));
        }
        all
    }

    /// The matrix of one step, column-major. The same for every step without jitter.
    pub fn matrix(&self, step: usize) -> Vec<f64> {
        let (n, nc, k) = (self.n(), self.contacts(), self.k);
        let impulses = self.impulses(step);
        let mut m = vec![0.0; n * n];
        for (b, pb) in impulses.iter().enumerate() {
            for (a, pa) in impulses.iter().enumerate() {
                m[a + b * n] = (0..6).map(|i| pa[i] * INVERSE_MASS[i] * pb[i]).sum();
            }
        }
        for c in 0..nc {
            let speed = nc * (k + 1) + c;
            m[speed + c * n] = FRICTION;
            for t in nc + c * k..nc + (c + 1) * k {
                m[t + speed * n] = 1.0;
                m[speed + t * n] = -1.0;
            }
        }
        m
    }

    /// The velocity the box would have after this step if nothing touched it.
    fn free(&self, s: &State) -> Wrench {
        let t = STEP * s.step as f64;
        let force = [8.0 * (5.0 * t).cos(), 2.0 * (3.0 * t).sin(), -GRAVITY, 0.0, 0.0, 0.0];
        std::array::from_fn(|i| s.velocity[i] + STEP * INVERSE_MASS[i] * force[i])
    }

    /// The right-hand side of the step `s` stands before.
    pub fn right_hand_side(&self, s: &State) -> Vec<f64> {
        let free = self.free(s);
        let mut q = vec![0.0; self.n()];
        for (q, p) in q.iter_mut().zip(self.impulses(s.step)) {
            *q = (0..6).map(|i| p[i] * free[i]).sum();
        }
        q
    }

    /// Takes the step with the impulses of its solution.
    pub fn advance(&self, s: &mut State, z: &[f64]) {
        let mut velocity = self.free(s);
        for (z, p) in z.iter().zip(self.impulses(s.step)) {
            for (i, v) in velocity.iter_mut().enumerate() {
                *v += INVERSE_MASS[i] * p[i] * z;
            }
        }
        s.velocity = velocity;
        s.step += 1;
    }
}
