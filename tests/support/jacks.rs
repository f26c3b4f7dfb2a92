//! A pile of jacks in the plane: crosses of two bars in a trough. A corner of one is outside a bar of
//! another if it is beyond one of its four sides: a group of four branches.
#![allow(dead_code)]

use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};

/// Half length and half width of a bar.
pub const LONG: f64 = 0.5;
pub const WIDE: f64 = 0.06;
const MASS: f64 = 1.0;
const G: f64 = 9.81;

pub struct Jacks {
    pub count: usize,
    /// Half width of the trough.
    pub trough: f64,
    pub mu: f64,
    pub restitution: f64,
}

type Point = [f64; 2];

fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// One gap: what the host would push.
pub struct Side {
    pub gap: f64,
    normal: Point,
    at: Point,
    /// The body that `at` belongs to, and the one with the side; none for the trough.
    a: usize,
    b: Option<usize>,
}

fn turned(angle: f64, p: Point) -> Point {
    let (s, c) = angle.sin_cos();
    [c * p[0] - s * p[1], s * p[0] + c * p[1]]
}

/// The eight corners of a jack in its own axes.
fn corners() -> impl Iterator<Item = Point> {
    let ends = [(LONG, WIDE), (LONG, -WIDE), (-LONG, WIDE), (-LONG, -WIDE)];
    ends.into_iter().flat_map(|(x, y)| [[x, y], [y, x]])
}

impl Jacks {
    fn place(q: &[f64], i: usize, p: Point) -> Point {
        let d = turned(q[3 * i + 2], p);
        [q[3 * i] + d[0], q[3 * i + 1] + d[1]]
    }

    /// Calls `see` with the key of every group with a gap up to `margin`, perhaps of others, and its
    /// sides; groups of one are those of the trough.
    pub fn visit(&self, q: &[f64], margin: f64, mut see: impl FnMut(i64, &[Side])) {
        for a in 0..self.count {
            for (c, local) in corners().enumerate() {
                let at = Self::place(q, a, local);
                let walls =
                    [([0.0, 1.0], 0.0), ([1.0, 0.0], self.trough), ([-1.0, 0.0], self.trough)];
                for (k, (normal, offset)) in walls.into_iter().enumerate() {
                    let gap = normal[0] * at[0] + normal[1] * at[1] + offset;
                    let key = ((a * 8 + c) * 100 + 90 + k) as i64;
                    see(key, &[Side { gap, normal, at, a, b: None }]);
                }
                for b in (0..self.count).filter(|&b| b != a) {
                    let d = [at[0] - q[3 * b], at[1] - q[3 * b + 1]];
                    // The larger of two coordinates at a right angle is at least this.
                    if d[0].hypot(d[1]) * std::f64::consts::FRAC_1_SQRT_2 - LONG > margin {
                        continue;
                    }
                    let x = turned(q[3 * b + 2], [1.0, 0.0]);
                    let normals = [x, [-x[1], x[0]], [-x[0], -x[1]], [x[1], -x[0]]];
                    for bar in 0..2 {
                        let sides = [0, 1, 2, 3].map(|k| {
                            let normal = normals[k];
                            let reach = if (k + bar) % 2 == 0 { LONG } else { WIDE };
                            let gap = normal[0] * d[0] + normal[1] * d[1] - reach;
                            Side { gap, normal, at, a, b: Some(b) }
                        });
                        see(((a * 8 + c) * 100 + 2 * b + bar) as i64, &sides);
                    }
                }
            }
        }
    }

    /// The deepest penetration, as a negative number.
    pub fn depth(&self, q: &[f64]) -> f64 {
        let mut worst = 0.0f64;
        self.visit(q, 0.0, |_, sides| worst = worst.min(top(sides)));
        worst
    }

    /// Kinetic and potential energy.
    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let one = |i: usize| {
            let [x, y, w] = [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
            0.5 * MASS * (x * x + y * y) + 0.5 * inertia() * w * w + MASS * G * q[3 * i + 1]
        };
        (0..self.count).map(one).sum()
    }

    /// Above each other, each turned and shifted.
    pub fn start(&self) -> Vec<f64> {
        let one = |i: usize| {
            let x = 0.3 * (i as f64 * 2.4).sin();
            [x, 0.7 + 1.2 * i as f64, 0.3 + 0.7 * i as f64]
        };
        (0..self.count).flat_map(one).collect()
    }
}

fn inertia() -> f64 {
    2.0 * 0.5 * MASS * (LONG * LONG + WIDE * WIDE) / 3.0
}

fn top(sides: &[Side]) -> f64 {
    sides.iter().fold(f64::NEG_INFINITY, |m, s| m.max(s.gap))
}

impl Model for Jacks {
    fn dims(&self) -> Dims {
        Dims { nq: 3 * self.count, nv: 3 * self.count, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        (0..q.len())
            .for_each(|i| mass[i * (q.len() + 1)] = if i % 3 == 2 { inertia() } else { MASS });
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.iter_mut().skip(1).step_by(3).for_each(|f| *f = -MASS * G);
        Ok(())
    }
    fn initial(&self, q: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&self.start());
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn bodies(&self) -> stiction::error::Result<Vec<usize>> {
        Ok((0..self.count).map(|i| 3 * i).collect())
    }
    fn hosted(&self) -> usize {
        self.count * 8 * (3 + 8 * (self.count - 1))
    }
    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        self.visit(q, margin, |group, sides| {
            if top(sides) > margin {
                return;
            }
            for (k, s) in sides.iter().enumerate() {
                let key = 10 * group + k as i64;
                let mut index = vec![3 * s.a, 3 * s.a + 1, 3 * s.a + 2];
                let along = |d: Point| {
                    let at = |i: usize| [s.at[0] - q[3 * i], s.at[1] - q[3 * i + 1]];
                    let mut column = vec![d[0], d[1], cross(at(s.a), d)];
                    if let Some(b) = s.b {
                        column.extend([-d[0], -d[1], -cross(at(b), d)]);
                    }
                    column
                };
                index.extend(s.b.iter().flat_map(|b| 3 * b..3 * b + 3));
                let mut tangent = along([-s.normal[1], s.normal[0]]);
                tangent.extend(along([s.normal[1], -s.normal[0]]));
                let contact = HostContact {
                    key,
                    gap: s.gap,
                    coordinates: Some(&index),
                    normal: &along(s.normal),
                    friction: Friction::Directions(&tangent),
                    mu: self.mu,
                    restitution: self.restitution,
                };
                // A failure is remembered and fails the step.
                let _ = sink.push(&contact);
                if s.b.is_some() {
                    let _ = sink.join(group, &[key]);
                }
            }
        });
        Ok(())
    }
}
