//! Points among random obstacles: elastic flights against rays that are followed face by face, and
//! slides with friction that neither penetrate nor gain energy.

#[path = "support/groups.rs"]
mod groups;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;
mod scenes;

use groups::{Among, Face, face};
use rng::Rng;
use scenes::*;
use stiction::step::{EventKind, MethodKind, Options};

/// Walls of the room [-2, 2]^2, with the keys 1 to 4.
fn room(force: &[f64]) -> Among {
    let sides = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let wall = |(k, n): (usize, &[f64; 2])| face(1 + k as i64, n, 2.0);
    sides.iter().enumerate().map(wall).fold(Among::new(force), Among::alone)
}

/// A convex obstacle of `n` faces around `at`, turned by `angle`; its keys begin with `key`.
fn polygon(n: usize, at: [f64; 2], size: f64, angle: f64, key: i64) -> Vec<Face> {
    let one = |k: usize| {
        let (s, c) = (angle + std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
        face(key + k as i64, &[c, s], -(c * at[0] + s * at[1]) - size)
    };
    (0..n).map(one).collect()
}

/// Four obstacles, one in each quarter of the room.
fn obstacles(model: Among, rng: &mut Rng) -> Among {
    let mut model = model;
    for (k, [x, y]) in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].into_iter().enumerate()
    {
        let at = [x + 0.2 * rng.signed(), y + 0.2 * rng.signed()];
        let n = 3 + (4.0 * rng.signed().abs()) as usize;
        // The far corners of a triangle are twice as far as its faces.
        let size = if n == 3 { 0.2 } else { 0.3 } * (1.0 + 0.3 * rng.signed());
        let faces = polygon(n, at, size, 6.0 * rng.signed().abs(), 100 * (k as i64 + 1));
        model = model.obstacle(k as i64, &faces);
    }
    model
}

/// The first face that the ray from q along v hits, and when: of an obstacle the last face that it
/// comes behind, if that is before it comes out in front of another.
fn next_hit(model: &Among, q: [f64; 2], v: [f64; 2]) -> Option<(f64, Face)> {
    let mut groups: Vec<Vec<&Face>> = Vec::new();
    for (k, (group, f)) in model.faces.iter().enumerate() {
        match group {
            Some(g) if k > 0 && model.faces[k - 1].0 == Some(*g) => groups.last_mut()?.push(f),
            _ => groups.push(vec![f]),
        }
    }
    let mut first: Option<(f64, Face)> = None;
    for faces in groups {
        let (mut enters, mut leaves) = ((f64::NEG_INFINITY, None), f64::INFINITY);
        for f in faces {
            let rate = f.normal[0] * v[0] + f.normal[1] * v[1];
            let at = -(f.normal[0] * q[0] + f.normal[1] * q[1] + f.offset) / rate;
            if rate < 0.0 && at > enters.0 {
                enters = (at, Some(f));
            } else if rate > 0.0 {
                leaves = leaves.min(at);
            }
        }
        if let (at, Some(f)) = enters
            && at > 1e-9
            && at < leaves
            && first.as_ref().is_none_or(|(t, _)| at < *t)
        {
            first = Some((at, f.clone()));
        }
    }
    first
}

#[test]
fn elastic_flights_among_obstacles_follow_the_rays() {
    let mut rng = Rng::new(7);
    let mut corners = 0;
    for scene in 0..40 {
        let model = obstacles(room(&[0.0, 0.0]), &mut rng).surface(0.0, 1.0);
        let angle = 6.0 * rng.signed().abs();
        let (mut q, mut v) = ([0.1 * rng.signed(), 0.1 * rng.signed()], [angle.cos(), angle.sin()]);
        let method = if scene % 4 == 0 { MethodKind::RadauIIA5 } else { MethodKind::Trapezoid };
        let o = Options { method, ..Options::default() };
        let mut s = stepper(model.clone(), &o, &q, &v);
        s.advance(12.0, 0.02 + 0.08 * rng.signed().abs()).unwrap();
        let mut hits = Vec::new();
        let mut t = 0.0;
        while let Some((after, f)) = next_hit(&model, q, v) {
            let moves = after.min(12.0 - t);
            (0..2).for_each(|i| q[i] += moves * v[i]);
            t += moves;
            if moves < after {
                break;
            }
            let rate = f.normal[0] * v[0] + f.normal[1] * v[1];
            (0..2).for_each(|i| v[i] -= 2.0 * rate * f.normal[i]);
            hits.push((t, f.key));
        }
        let told: Vec<_> = s.events().iter().map(|e| (e.t, e.key)).collect();
        assert!(
            s.events().iter().all(|e| e.kind == EventKind::Impact),
            "{scene}: {:?}",
            s.events()
        );
        assert_eq!(told.len(), hits.len(), "{scene} {method:?}:\n{told:?}\n{hits:?}");
        for (a, b) in told.iter().zip(&hits) {
            assert!((a.0 - b.0).abs() < 1e-9 && a.1 == b.1, "{scene}: {a:?} {b:?}");
        }
        assert!(distance(s.q(), &q) < 1e-9 && distance(s.v(), &v) < 1e-9, "{scene}");
        assert!(s.stats().worst_gap > -1e-9);
        corners += hits.iter().filter(|(_, key)| *key >= 100).count();
    }
    assert!(corners > 100, "{corners}");
}

/// Methods that neither sink into what they hit nor gain energy by a fall. Explicit ones gain, and those
/// with the law of impact in their steps sink, with groups or without.
const NO_GAIN: [MethodKind; 8] = [
    MethodKind::Trapezoid,
    MethodKind::TrapezoidI,
    MethodKind::TrapezoidII,
    MethodKind::ImplicitEuler,
    MethodKind::StewartTrinkle,
    MethodKind::LobattoIIIA4,
    MethodKind::RadauIIA5,
    MethodKind::HalfExplicit4,
];

#[test]
fn slides_among_obstacles_neither_penetrate_nor_gain_energy() {
    let mut rng = Rng::new(3);
    for scene in 0..80 {
        let (mu, e) =
            (0.5 * rng.signed().abs(), if scene % 2 == 0 { 0.0 } else { 0.6 * rng.signed().abs() });
        let model = obstacles(room(&[0.0, -10.0]), &mut rng).surface(mu, e);
        let method = NO_GAIN[scene % NO_GAIN.len()];
        let o = Options { method, ..Options::default() };
        let start = [0.3 * rng.signed(), 1.5 + 0.3 * rng.signed().abs()];
        if model.depth(&start) < 0.0 {
            continue;
        }
        let mut s = stepper(model.clone(), &o, &start, &[3.0 * rng.signed(), 0.0]);
        let energy = |q: &[f64], v: &[f64]| 0.5 * (v[0] * v[0] + v[1] * v[1]) + 10.0 * q[1];
        let mut last = energy(s.q(), s.v());
        for k in 0..400 {
            s.step(0.01).unwrap();
            let deep = model.depth(s.q());
            assert!(deep >= -1e-9, "{scene} {method:?} step {k}: {deep:e}");
            let now = energy(s.q(), s.v());
            assert!(now <= last + 1e-9, "{scene} {method:?} step {k}: {:e}", now - last);
            last = now;
        }
        assert!(s.stats().worst_gap >= -1e-9 && s.stats().capped_steps == 0);
    }
}
