//! Mechanical systems that the tests of the steppers share.
#![allow(dead_code)]

use std::sync::Arc;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{Event, EventKind, Options, Stepper};

/// Two points on rods, the first hung at the origin; the wall x = 0 stops both.
pub struct DoublePendulum {
    pub g: f64,
    pub e: f64,
}

impl DoublePendulum {
    /// Angles pi/3 and pi/5 from the vertical.
    pub fn start() -> [f64; 4] {
        let (a, b) = (std::f64::consts::PI / 3.0, std::f64::consts::PI / 5.0);
        [a.sin(), -a.cos(), a.sin() + b.sin(), -a.cos() - b.cos()]
    }
}

impl Model for DoublePendulum {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 4, n_joint: 2, n_contact: 2, n_dir: 0, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..4).for_each(|i| mass[5 * i] = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        (force[1], force[3]) = (-self.g, -self.g);
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let (dx, dy) = (q[0] - q[2], q[1] - q[3]);
        phi[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
        phi[1] = dx * dx + dy * dy - 1.0;
        jt.copy_from_slice(&[
            2.0 * q[0],
            2.0 * q[1],
            0.0,
            0.0,
            2.0 * dx,
            2.0 * dy,
            -2.0 * dx,
            -2.0 * dy,
        ]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        (gap[0], gap[1]) = (q[0], q[2]);
        (normal[0], normal[6]) = (1.0, 1.0);
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

/// What a block with mu m g = 0.8 9.81 under 8 cos t does in ten seconds: closed form, to the last digit.
pub const BLOCK_TRANSITIONS: [(EventKind, f64); 7] = [
    (EventKind::Stick, 0.3386081846719806),
    (EventKind::Slip, 2.946346791223863),
    (EventKind::Stick, 3.5328346088869993),
    (EventKind::Slip, 6.087939444813657),
    (EventKind::Stick, 6.674427262476793),
    (EventKind::Slip, 9.22953209840345),
    (EventKind::Stick, 9.816019916066585),
];

/// A block of 1 kg on a plane, pushed along it by `push` at time t; gravity has the components (gx, -gy).
pub struct Block {
    pub mu: f64,
    pub push: fn(f64) -> f64,
    pub gx: f64,
    pub gy: f64,
}

impl Model for Block {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 0, n_contact: 1, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = (self.push)(t) + self.gx;
        force[1] = -self.gy;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[1];
        normal[1] = 1.0;
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        (tangent[0], tangent[2]) = (1.0, -1.0);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// A puck of 1 kg on a plane with friction 0.5, pulled along it by a constant force.
pub struct Puck {
    pub n_dir: usize,
    pub pull: [f64; 2],
}

impl Model for Puck {
    fn dims(&self) -> Dims {
        Dims { nq: 3, nv: 3, n_joint: 0, n_contact: 1, n_dir: self.n_dir, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[4], mass[8]) = (1.0, 1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], f: &mut [f64]) -> Answer {
        f.copy_from_slice(&[self.pull[0], self.pull[1], -9.81]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[2];
        normal[2] = 1.0;
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        for k in 0..self.n_dir / 2 {
            let a = 2.0 * std::f64::consts::PI * k as f64 / self.n_dir as f64;
            let half = 3 * self.n_dir / 2;
            (tangent[3 * k], tangent[3 * k + 1]) = (a.cos(), a.sin());
            (tangent[half + 3 * k], tangent[half + 3 * k + 1]) = (-a.cos(), -a.sin());
        }
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.5
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// A point of 1 kg above the ground under a constant force.
pub struct Ball {
    pub force: f64,
    pub e: f64,
}

impl Model for Ball {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = self.force;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[0];
        normal[0] = 1.0;
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

/// A point of one body (-1: the world) in its own coordinates.
pub type Place = (i32, [f64; 2]);

/// A round point (with radius) of one body above a line of another: line through a point, with the direction
/// of its normal.
#[derive(Clone, Copy)]
pub struct Touch {
    pub point: Place,
    pub radius: f64,
    pub line: Place,
    pub normal: f64,
    pub mu: f64,
    pub e: f64,
}

/// A spring and damper between two points.
#[derive(Clone, Copy)]
pub struct Spring {
    pub from: Place,
    pub to: Place,
    pub stiffness: f64,
    pub damping: f64,
    pub length: f64,
}

/// A further force.
pub type Load = Box<dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync>;

/// Rigid bodies in the plane: (x, y, angle) each, with gravity, contacts, pins and springs.
#[derive(Default)]
pub struct Planar {
    /// Mass and moment of inertia.
    pub bodies: Vec<(f64, f64)>,
    pub touches: Vec<Touch>,
    pub pins: Vec<(Place, Place)>,
    /// Coordinate and the value it is held at.
    pub fixed: Vec<(usize, f64)>,
    pub springs: Vec<Spring>,
    pub g: f64,
    pub load: Option<Load>,
}

/// World position of a place and its lever from the body's center.
fn locate(q: &[f64], (body, p): Place) -> ([f64; 2], [f64; 2]) {
    if body < 0 {
        return (p, [0.0; 2]);
    }
    let b = &q[3 * body as usize..];
    let (s, c) = b[2].sin_cos();
    let lever = [c * p[0] - s * p[1], s * p[0] + c * p[1]];
    ([b[0] + lever[0], b[1] + lever[1]], lever)
}

/// Adds the direction `d` applied at `lever` on a body.
fn apply(column: &mut [f64], body: i32, lever: [f64; 2], d: [f64; 2], sign: f64) {
    if body >= 0 {
        let c = &mut column[3 * body as usize..];
        c[0] += sign * d[0];
        c[1] += sign * d[1];
        c[2] += sign * (lever[0] * d[1] - lever[1] * d[0]);
    }
}

impl Planar {
    fn touch(&self, q: &[f64], k: usize) -> (f64, [f64; 2], [f64; 2], [f64; 2]) {
        let t = &self.touches[k];
        let (a, _) = locate(q, t.point);
        let (b, _) = locate(q, t.line);
        let turn = if t.line.0 >= 0 { q[3 * t.line.0 as usize + 2] } else { 0.0 };
        let (s, c) = (t.normal + turn).sin_cos();
        let n = [c, s];
        let gap = (a[0] - b[0]) * c + (a[1] - b[1]) * s - t.radius;
        let foot = [a[0] - t.radius * c, a[1] - t.radius * s];
        let lever = |body: i32| {
            if body < 0 {
                [0.0; 2]
            } else {
                let at = &q[3 * body as usize..];
                [foot[0] - at[0], foot[1] - at[1]]
            }
        };
        (gap, n, lever(t.point.0), lever(t.line.0))
    }

    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let mut e = 0.0;
        for (b, &(m, j)) in self.bodies.iter().enumerate() {
            let v = &v[3 * b..];
            e += 0.5 * m * (v[0] * v[0] + v[1] * v[1]) + 0.5 * j * v[2] * v[2];
            e += m * self.g * q[3 * b + 1];
        }
        for s in &self.springs {
            let (a, b) = (locate(q, s.from).0, locate(q, s.to).0);
            let x = (b[0] - a[0]).hypot(b[1] - a[1]) - s.length;
            e += 0.5 * s.stiffness * x * x;
        }
        e
    }
}

impl Model for Planar {
    fn dims(&self) -> Dims {
        let n = 3 * self.bodies.len();
        Dims {
            nq: n,
            nv: n,
            n_joint: self.fixed.len() + 2 * self.pins.len(),
            n_contact: self.touches.len(),
            n_dir: 2,
            ..Dims::default()
        }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        let n = 3 * self.bodies.len();
        for (b, &(m, j)) in self.bodies.iter().enumerate() {
            for (k, x) in [m, m, j].into_iter().enumerate() {
                mass[(3 * b + k) * (n + 1)] = x;
            }
        }
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        for (b, &(m, _)) in self.bodies.iter().enumerate() {
            force[3 * b + 1] = -m * self.g;
        }
        for s in &self.springs {
            let ((a, ra), (b, rb)) = (locate(q, s.from), locate(q, s.to));
            let d = [b[0] - a[0], b[1] - a[1]];
            let l = d[0].hypot(d[1]);
            let u = [d[0] / l, d[1] / l];
            let mut column = vec![0.0; force.len()];
            apply(&mut column, s.to.0, rb, u, 1.0);
            apply(&mut column, s.from.0, ra, u, -1.0);
            let rate: f64 = column.iter().zip(v).map(|(c, v)| c * v).sum();
            let pull = s.stiffness * (l - s.length) + s.damping * rate;
            force.iter_mut().zip(&column).for_each(|(f, c)| *f -= pull * c);
        }
        if let Some(load) = &self.load {
            load(t, q, v, force);
        }
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let n = q.len();
        for (k, &(coordinate, value)) in self.fixed.iter().enumerate() {
            phi[k] = q[coordinate] - value;
            jt[k * n + coordinate] = 1.0;
        }
        for (p, &(a, b)) in self.pins.iter().enumerate() {
            let ((xa, ra), (xb, rb)) = (locate(q, a), locate(q, b));
            for (axis, d) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
                let k = self.fixed.len() + 2 * p + axis;
                phi[k] = xa[axis] - xb[axis];
                let column = &mut jt[k * n..(k + 1) * n];
                apply(column, a.0, ra, d, 1.0);
                apply(column, b.0, rb, d, -1.0);
            }
        }
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        for k in 0..self.touches.len() {
            let (g, n, ra, rb) = self.touch(q, k);
            gap[k] = g;
            let column = &mut normal[k * q.len()..(k + 1) * q.len()];
            apply(column, self.touches[k].point.0, ra, n, 1.0);
            apply(column, self.touches[k].line.0, rb, n, -1.0);
        }
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        for k in 0..self.touches.len() {
            let (_, n, ra, rb) = self.touch(q, k);
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                let at = (2 * k + side) * q.len();
                let column = &mut tangent[at..at + q.len()];
                let d = [sign * n[1], -sign * n[0]];
                apply(column, self.touches[k].point.0, ra, d, 1.0);
                apply(column, self.touches[k].line.0, rb, d, -1.0);
            }
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn mu(&self, i: usize) -> f64 {
        self.touches[i].mu
    }
    fn restitution(&self, i: usize) -> f64 {
        self.touches[i].e
    }
}

/// The direction of normals that point up.
pub const UP: f64 = std::f64::consts::FRAC_PI_2;

/// A touch of a body's point with the ground y = 0.
pub fn ground(body: i32, at: [f64; 2], radius: f64, mu: f64, e: f64) -> Touch {
    Touch { point: (body, at), radius, line: (-1, [0.0; 2]), normal: UP, mu, e }
}

/// A stepper at its start.
pub fn stepper(model: impl Model + 'static, options: &Options, q: &[f64], v: &[f64]) -> Stepper {
    let mut s = Stepper::new(Arc::new(model), options).unwrap();
    s.set_state(0.0, q, v).unwrap();
    s
}

/// Observed orders between successive errors; `ratio` is that of successive step sizes.
pub fn orders(errors: &[f64], ratio: f64) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).ln() / ratio.ln()).collect()
}

/// Euclidean distance.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Times of events of one kind.
pub fn times(events: &[Event], kind: EventKind) -> Vec<f64> {
    events.iter().filter(|e| e.kind == kind).map(|e| e.t).collect()
}

/// A rod of 0.5 m with round ends of 5 cm above a table, ST96: spinning and falling.
pub fn rod(mu: f64) -> (Planar, Vec<f64>, Vec<f64>) {
    let touches = [-0.25, 0.25].map(|x| ground(0, [x, 0.0], 0.05, mu, 0.0)).to_vec();
    let model = Planar { bodies: vec![(1.0, 0.002)], touches, g: 9.81, ..Planar::default() };
    (model, vec![0.0, 1.0, std::f64::consts::PI / 6.0], vec![0.0, 0.0, 4.0])
}

/// A slender block (half sizes 0.1, 0.4) tilted about its left corner by `part` of the angle at which it would fall.
pub fn rocking(part: f64) -> (Planar, Vec<f64>, Vec<f64>) {
    let (b, h) = (0.1f64, 0.4f64);
    let touches = [-b, b].map(|x| ground(0, [x, -h], 0.0, 5.0, 0.0)).to_vec();
    let bodies = vec![(1.0, (b * b + h * h) / 3.0)];
    let model = Planar { bodies, touches, g: 9.81, ..Planar::default() };
    let angle = part * (b / h).atan();
    let (s, c) = angle.sin_cos();
    (model, vec![c * b - s * h, s * b + c * h, angle], vec![0.0; 3])
}

/// A block on two corners (half sizes b, h) under a horizontal force a cos(w t) applied `lift` above its center.
pub fn pushed_block(
    (b, h): (f64, f64),
    mu: f64,
    (a, w, lift): (f64, f64, f64),
) -> (Planar, Vec<f64>, Vec<f64>) {
    let touches = [-b, b].map(|x| ground(0, [x, -h], 0.0, mu, 0.0)).to_vec();
    let load: Load = Box::new(move |t, _, _, f| {
        let push = a * (w * t).cos();
        f[0] += push;
        f[2] -= push * lift;
    });
    let bodies = vec![(1.0, (b * b + h * h) / 3.0)];
    let model = Planar { bodies, touches, g: 9.81, load: Some(load), ..Planar::default() };
    (model, vec![0.0, h, 0.0], vec![0.0; 3])
}

/// Two blocks, one on the other, three points in each face, the lower one shaken.
pub fn stack(load: Load, mu: [f64; 2]) -> (Planar, Vec<f64>, Vec<f64>) {
    let (b, h, b2, h2) = (0.5, 0.2, 0.3, 0.2);
    let mut touches: Vec<Touch> =
        [-b, b, 0.0].map(|x| ground(0, [x, -h], 0.0, mu[0], 0.0)).to_vec();
    for x in [-b2, b2, 0.1] {
        let line = (0, [0.0, h]);
        let touch =
            Touch { point: (1, [x, -h2]), radius: 0.0, line, normal: UP, mu: mu[1], e: 0.0 };
        touches.push(touch);
    }
    let inertia = |b: f64, h: f64| (b * b + h * h) / 3.0;
    let bodies = vec![(1.0, inertia(b, h)), (1.0, inertia(b2, h2))];
    let model = Planar { bodies, touches, g: 9.81, load: Some(load), ..Planar::default() };
    (model, vec![0.0, h, 0.0, 0.0, 2.0 * h + h2, 0.0], vec![0.0; 6])
}

/// Two bars of length 2 joined at the table in a V, a spring and damper between their centers, AP02 3.3.
pub fn bars(mu: f64) -> (Planar, Vec<f64>, Vec<f64>) {
    let up = std::f64::consts::FRAC_PI_2;
    let angles = [up, up - std::f64::consts::PI / 3.0];
    let q = angles.iter().flat_map(|a| [a.cos(), a.sin(), *a]).collect();
    let touches = [(0, 1.0), (1, 1.0), (0, -1.0)]
        .map(|(body, x)| ground(body, [x, 0.0], 0.0, mu, 0.0))
        .to_vec();
    let spring = Spring {
        from: (0, [0.0; 2]),
        to: (1, [0.0; 2]),
        stiffness: 100.0,
        damping: 20.0,
        length: 1.0,
    };
    let model = Planar {
        bodies: vec![(1.0, 1.0); 2],
        touches,
        pins: vec![((0, [-1.0, 0.0]), (1, [-1.0, 0.0]))],
        springs: vec![spring],
        g: 9.81,
        ..Planar::default()
    };
    (model, q, vec![0.0; 6])
}

/// A cart on a rail with a pendulum whose round bob meets a wall at x = 0.6; `push` on the cart.
pub fn cart(mu: f64, e: f64, push: f64) -> (Planar, Vec<f64>, Vec<f64>) {
    let wall = Touch {
        point: (1, [0.0, -0.5]),
        radius: 0.1,
        line: (-1, [0.6, 0.0]),
        normal: std::f64::consts::PI,
        mu,
        e,
    };
    let model = Planar {
        bodies: vec![(2.0, 1.0), (1.0, 0.1)],
        touches: vec![wall],
        pins: vec![((0, [0.0; 2]), (1, [0.0, 0.5]))],
        fixed: vec![(1, 0.0), (2, 0.0)],
        g: 9.81,
        load: Some(Box::new(move |_, _, _, f| f[0] += push)),
        ..Planar::default()
    };
    let a = -0.9f64;
    (model, vec![0.0, 0.0, 0.0, 0.5 * a.sin(), -0.5 * a.cos(), a], vec![0.0; 6])
}

/// A ball that bounces and spins.
pub fn spinning_ball(e: f64, mu: f64) -> (Planar, Vec<f64>, Vec<f64>) {
    let touches = vec![ground(0, [0.0; 2], 0.1, mu, e)];
    let model = Planar { bodies: vec![(1.0, 0.004)], touches, g: 9.81, ..Planar::default() };
    (model, vec![0.0, 0.6, 0.0], vec![1.0, 0.0, 15.0])
}

/// A box on eight points, shaken along the ground.
pub fn eight_points() -> (Planar, Vec<f64>, Vec<f64>) {
    let touches =
        (0..8).map(|k| ground(0, [-0.5 + f64::from(k) / 7.0, -0.25], 0.0, 0.5, 0.0)).collect();
    let load: Load = Box::new(|t, _, _, f| f[0] += 8.0 * (5.0 * t).cos());
    let model = Planar {
        bodies: vec![(1.0, 0.5)],
        touches,
        g: 9.81,
        load: Some(load),
        ..Planar::default()
    };
    (model, vec![0.0, 0.25, 0.0], vec![0.0; 3])
}

/// Random numbers that are the same everywhere: a 64-bit congruential generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn pick<const N: usize>(&mut self, of: [f64; N]) -> f64 {
        of[(self.between(0.0, N as f64) as usize).min(N - 1)]
    }
}

/// The four corners of a block (half sizes b, h) against the ground and walls at x = -1 and x = 1.
pub fn container((b, h): (f64, f64), mu: f64, e: f64, load: Option<Load>) -> Planar {
    let mut touches = vec![];
    for (at, normal) in [([0.0, 0.0], UP), ([-1.0, 0.0], 0.0), ([1.0, 0.0], 2.0 * UP)] {
        for corner in [[-b, -h], [b, -h], [b, h], [-b, h]] {
            let (point, line) = ((0, corner), (-1, at));
            touches.push(Touch { point, radius: 0.0, line, normal, mu, e });
        }
    }
    let bodies = vec![(1.0, (b * b + h * h) / 3.0)];
    Planar { bodies, touches, g: 9.81, load, ..Planar::default() }
}

/// A block thrown into a container.
pub fn thrown_box(seed: u64) -> (Planar, Vec<f64>, Vec<f64>) {
    let mut d = Dice(seed + 1);
    let (mu, e) = (d.pick([0.0, 0.1, 0.3, 0.6, 1.0]), d.pick([0.0, 0.0, 0.3, 0.7]));
    let q = vec![d.between(-0.4, 0.4), d.between(0.45, 1.0), d.between(-3.0, 3.0)];
    let v = vec![d.between(-3.0, 3.0), d.between(-3.0, 1.0), d.between(-10.0, 10.0)];
    (container((0.15, 0.3), mu, e, None), q, v)
}

/// A block in a container, shaken.
pub fn shaken_box(seed: u64) -> (Planar, Vec<f64>, Vec<f64>) {
    let mut d = Dice(seed + 4001);
    let (a, w, lift) = (d.between(2.0, 12.0), d.between(1.0, 15.0), d.between(-0.3, 0.3));
    let load: Load = Box::new(move |t, _, _, f| {
        let push = a * (w * t).cos();
        f[0] += push;
        f[2] -= push * lift;
    });
    let (mu, e) = (d.between(0.1, 0.9), d.pick([0.0, 0.3]));
    (container((0.2, 0.2), mu, e, Some(load)), vec![0.0, 0.2, 0.0], vec![0.0; 3])
}

/// A falling chain of pinned bars, with springs between neighbors if `elastic`.
pub fn chain(seed: u64, elastic: bool) -> (Planar, Vec<f64>, Vec<f64>) {
    let mut d = Dice(seed + if elastic { 2001 } else { 1001 });
    let n = d.between(2.0, if elastic { 5.0 } else { 6.0 }) as usize;
    let (mu, e) = (d.pick([0.0, 0.2, 0.5, 0.9]), d.pick([0.0, 0.0, 0.4]));
    let length = 0.5;
    let (mut q, mut end) = (vec![], [0.0, 1.0]);
    let mut touches = vec![ground(0, [-length / 2.0, 0.0], 0.02, mu, e)];
    for i in 0..n {
        let angle: f64 = d.between(-0.9, 0.9);
        let half = [0.5 * length * angle.cos(), 0.5 * length * angle.sin()];
        q.extend_from_slice(&[end[0] + half[0], end[1] + half[1], angle]);
        end = [end[0] + 2.0 * half[0], end[1] + 2.0 * half[1]];
        touches.push(ground(i as i32, [length / 2.0, 0.0], 0.02, mu, e));
    }
    let low =
        q.chunks(3).map(|b| b[1] - 0.5 * length * b[2].sin().abs()).fold(f64::INFINITY, f64::min);
    q.chunks_mut(3).for_each(|b| b[1] += 0.3 - low);
    let joined = |i: usize| ((i as i32, [length / 2.0, 0.0]), (i as i32 + 1, [-length / 2.0, 0.0]));
    let (stiffness, damping) = (d.pick([50.0, 500.0]), d.pick([0.0, 2.0]));
    let spring = |i: usize| Spring {
        from: (i as i32, [0.0; 2]),
        to: (i as i32 + 1, [0.0; 2]),
        stiffness,
        damping,
        length: 0.45,
    };
    let model = Planar {
        bodies: vec![(1.0, length * length / 12.0); n],
        touches,
        pins: (0..n - 1).map(joined).collect(),
        springs: if elastic { (0..n - 1).map(spring).collect() } else { vec![] },
        g: 9.81,
        ..Planar::default()
    };
    let v = (0..3 * n).map(|i| if i % 3 == 0 { 1.0 } else { 0.0 }).collect();
    (model, q, v)
}

/// Two blocks shaken, the one on the other.
pub fn shaken_stack(seed: u64) -> (Planar, Vec<f64>, Vec<f64>) {
    let mut d = Dice(seed + 3001);
    let (a, w, lift) = (d.between(2.0, 20.0), d.between(1.0, 8.0), d.between(-0.1, 0.15));
    let (a2, w2) = (d.between(-6.0, 6.0), d.between(1.0, 8.0));
    let load: Load = Box::new(move |t, _, _, f| {
        let push = a * (w * t).cos();
        f[0] += push;
        f[2] -= push * lift;
        f[3] += a2 * (w2 * t).sin();
    });
    stack(load, [d.between(0.1, 0.6), d.between(0.1, 0.6)])
}
