//! Four balls on a table, one thrown at a row of three: Stewart and Trinkle (1996), table 1.

use crate::scenes::stepper;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{MethodKind, Options};

/// Four balls of 1 kg, radius 0.1 m, J = 0.004 kg m^2, on a table, mu = 0.4 everywhere. Per ball: center, and the integral of
/// its angular velocity, which nothing depends on.
struct Balls;

const RADIUS: f64 = 0.1;

type V3 = [f64; 3];

/// Positions and velocities at the ends of steps.
pub type Motion = (Vec<Vec<f64>>, Vec<Vec<f64>>);

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The contacts: each ball with the table, then each pair.
const PAIRS: [(usize, Option<usize>); 10] = [
    (0, None),
    (1, None),
    (2, None),
    (3, None),
    (1, Some(0)),
    (2, Some(0)),
    (2, Some(1)),
    (3, Some(0)),
    (3, Some(1)),
    (3, Some(2)),
];

/// Gap, normal and the two directions that span the friction of a contact.
fn contact(q: &[f64], (i, other): (usize, Option<usize>)) -> (f64, V3, V3, V3) {
    let at = |b: usize| [q[6 * b], q[6 * b + 1], q[6 * b + 2]];
    let Some(j) = other else {
        return (at(i)[2] - RADIUS, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    };
    let d = [0, 1, 2].map(|k| at(i)[k] - at(j)[k]);
    let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = d.map(|x| x / length);
    let t = cross(n, [0.0, 0.0, 1.0]);
    let size = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    let t = t.map(|x| x / size);
    (length - 2.0 * RADIUS, n, t, cross(t, n))
}

/// Writes the column along which a force `d` at the contact acts, on the surface of both balls.
fn column(pair: (usize, Option<usize>), n: V3, d: V3, out: &mut [f64]) {
    let mut act = |ball: usize, sign: f64| {
        let arm = n.map(|x| -sign * RADIUS * x);
        let torque = cross(arm, d.map(|x| sign * x));
        for k in 0..3 {
            out[6 * ball + k] = sign * d[k];
            out[6 * ball + 3 + k] = torque[k];
        }
    };
    act(pair.0, 1.0);
    if let Some(j) = pair.1 {
        act(j, -1.0);
    }
}

impl Model for Balls {
    fn dims(&self) -> Dims {
        Dims { nq: 24, nv: 24, n_contact: PAIRS.len(), n_dir: 8, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..24).for_each(|i| mass[25 * i] = if i % 6 < 3 { 1.0 } else { 4e-3 });
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.iter_mut().skip(2).step_by(6).for_each(|f| *f = -9.81);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        for (c, pair) in PAIRS.into_iter().enumerate() {
            let (g, n, ..) = contact(q, pair);
            gap[c] = g;
            column(pair, n, n, &mut normal[24 * c..24 * (c + 1)]);
        }
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        for (c, pair) in PAIRS.into_iter().enumerate() {
            let (_, n, a, b) = contact(q, pair);
            for k in 0..4 {
                let (s, t) = (std::f64::consts::TAU * k as f64 / 8.0).sin_cos();
                let d = [0, 1, 2].map(|i| t * a[i] + s * b[i]);
                let (first, second) = (24 * (8 * c + k), 24 * (8 * c + k + 4));
                column(pair, n, d, &mut tangent[first..first + 24]);
                column(pair, n, d.map(|x| -x), &mut tangent[second..second + 24]);
            }
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn mu(&self, _: usize) -> f64 {
        0.4
    }
}

/// Positions and velocities at the ends of steps of `h` to t = 1: one ball flies at the first of three in a row.
pub fn four_balls(h: f64) -> Motion {
    let (mut q, mut v) = (vec![0.0; 24], vec![0.0; 24]);
    q[2] = 1.0;
    for (ball, x) in [(1, 1.0), (2, 1.2 + 1e-5), (3, 1.4 + 2e-5)] {
        (q[6 * ball], q[6 * ball + 2]) = (x, RADIUS);
    }
    (v[0], v[1]) = (1.5, 0.1);
    let options = Options { method: MethodKind::StewartTrinkle, ..Options::default() };
    let mut s = stepper(Balls, &options, &q, &v);
    let (mut positions, mut velocities) = (vec![q], vec![v]);
    for _ in 0..(1.0 / h).round() as usize {
        s.step(h).unwrap();
        positions.push(s.q().to_vec());
        velocities.push(s.v().to_vec());
    }
    (positions, velocities)
}

/// Errors of velocity and position against the run `fine` with steps of `finest`, and the variation: the integral of the largest
/// difference of a velocity, the largest difference of a position, the largest variation of a single velocity.
pub fn measures(h: f64, finest: f64, fine: &Motion) -> [f64; 3] {
    let apart =
        |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    let ((q, v), (fine_q, fine_v)) = (four_balls(h), fine);
    let each = (h / finest).round() as usize;
    // Velocities are constant over a step, positions linear.
    let (mut ev, mut eq) = (0.0, 0.0f64);
    for k in 0..fine_v.len() - 1 {
        ev += finest * apart(&v[k / each + 1], &fine_v[k + 1]);
        let part = (k % each) as f64 / each as f64;
        let (from, to) = (&q[k / each], &q[k / each + 1]);
        let between: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + part * (b - a)).collect();
        eq = eq.max(apart(&between, &fine_q[k]));
    }
    eq = eq.max(apart(&q[q.len() - 1], &fine_q[fine_q.len() - 1]));
    let variation = (0..24)
        .map(|i| v.windows(2).map(|w| (w[1][i] - w[0][i]).abs()).sum::<f64>())
        .fold(0.0, f64::max);
    [ev, eq, variation]
}
