//! Built-in bodies and joints against closed forms and against each other, mostly at the level of
//! accelerations.

#[path = "support/mechanics.rs"]
mod mechanics;

use mechanics::{acceleration, contact_step, displaced, redundant_joints};
use std::sync::Arc;
use stiction::check::{check_state, nearest_state};
use stiction::model::{Answer, Dims, Model};
use stiction::rigid::*;
use stiction::step::{Options, Stepper};

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn diagonal(d: [f64; 3]) -> [[f64; 3]; 3] {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let error: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    assert!(norm(&error) <= tolerance * norm(b).max(1.0), "{a:?} against {b:?}");
}

/// Rotation about z by an angle.
fn about_z(angle: f64) -> [f64; 4] {
    [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()]
}

fn top() -> Scene {
    let mut b = Builder::new();
    let body = b.spatial(2.0, diagonal([1.0, 2.0, 2.5]), [0.3, 0.1, -0.2], LEVEL).unwrap();
    b.velocity(body, [0.4, -0.1, 0.7], [0.1, 3.0, 0.2]).unwrap();
    b.build().unwrap()
}

#[test]
fn a_free_top_keeps_energy_and_momenta_at_every_instant() {
    let scene = top();
    let (q, v) = (scene.initial_position(), scene.initial_velocity());
    let a = acceleration(&scene, 0.0, q, v);
    // Along the true motion dE/dt = 0, dP/dt = 0, dL/dt = 0; a path that agrees with it to second
    // order shows it by central differences with an error of s^2 times third derivatives of size
    // |w|^3 |L|.
    let s = 1e-4;
    let at = |s: f64| {
        let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + s * a).collect();
        let mean: Vec<f64> =
            v.iter().zip(scene.initial_velocity()).map(|(x, y)| 0.5 * (x + y)).collect();
        (displaced(&scene, 0.0, q, &mean, s), v)
    };
    let ((q1, v1), (q0, v0)) = (at(s), at(-s));
    let rate = |x1: f64, x0: f64| (x1 - x0) / (2.0 * s);
    let energy = |v: &[f64]| scene.kinetic_energy(v).unwrap();
    let power = a.iter().zip([2.0, 2.0, 2.0, 1.0, 2.0, 2.5]).zip(v).map(|((a, m), v)| a * m * v);
    assert!(power.sum::<f64>().abs() < 1e-14);
    assert!(rate(energy(&v1), energy(&v0)).abs() < 1e-9);
    for k in 0..3 {
        let l = |q: &[f64], v: &[f64]| scene.angular_momentum(q, v).unwrap()[k];
        let p = |q: &[f64], v: &[f64]| scene.momentum(q, v).unwrap()[k];
        assert!(rate(l(&q1, &v1), l(&q0, &v0)).abs() < 1e-6, "{k}");
        assert!(rate(p(&q1, &v1), p(&q0, &v0)).abs() < 1e-6, "{k}");
    }
    // P = m v in world axes, L = x x P + I w at the level pose.
    close(&scene.momentum(q, v).unwrap(), &[0.8, -0.2, 1.4], 1e-15);
    let l =
        [0.1 * 1.4 - 0.2 * 0.2 + 0.1, -0.2 * 0.8 - 0.3 * 1.4 + 6.0, -0.3 * 0.2 - 0.1 * 0.8 + 0.5];
    close(&scene.angular_momentum(q, v).unwrap(), &l, 1e-15);
    assert_eq!(scene.total_mass(), 2.0);
}

#[test]
fn a_quaternion_keeps_its_length_through_a_million_displacements() {
    let scene = top();
    let v = scene.initial_velocity();
    let mut q = scene.initial_position().to_vec();
    let step: Vec<f64> = v.iter().map(|x| 1e-3 * x).collect();
    let mut moved = q.clone();
    for _ in 0..1_000_000 {
        scene.displace(0.0, &q, &step, &mut moved).unwrap();
        std::mem::swap(&mut q, &mut moved);
    }
    assert!((norm(&q[3..]) - 1.0).abs() < 3e-16);
    // A constant screw: a million steps of 1e-3 are one of 1000, by the group property of
    // (rigid.4). Rounding of 1e6 products of quaternions grows like their number at worst.
    let once = displaced(&scene, 0.0, scene.initial_position(), v, 1000.0);
    close(&q[3..], &once[3..], 1e6 * 2.3e-16);
}

/// A double pendulum in Cartesian coordinates, written by hand: unit masses, squared lengths kept
/// at one.
struct Cartesian;

impl Model for Cartesian {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 4, n_joint: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..4).for_each(|i| mass[5 * i] = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.copy_from_slice(&[0.0, -G, 0.0, -G]);
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let d = [q[2] - q[0], q[3] - q[1]];
        phi.copy_from_slice(&[q[0] * q[0] + q[1] * q[1] - 1.0, d[0] * d[0] + d[1] * d[1] - 1.0]);
        jt[..2].copy_from_slice(&[2.0 * q[0], 2.0 * q[1]]);
        jt[4..].copy_from_slice(&[-2.0 * d[0], -2.0 * d[1], 2.0 * d[0], 2.0 * d[1]]);
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// Places and velocities of the bobs for angles from the vertical and their rates.
fn bobs(a: [f64; 2], w: [f64; 2]) -> ([f64; 4], [f64; 4]) {
    let (s, c) = (a.map(f64::sin), a.map(f64::cos));
    let q = [s[0], -c[0], s[0] + s[1], -c[0] - c[1]];
    let v = [c[0] * w[0], s[0] * w[0], c[0] * w[0] + c[1] * w[1], s[0] * w[0] + s[1] * w[1]];
    (q, v)
}

/// Bobs of the given inertia on massless links, each link one with its bob.
fn pendulum_bodies(a: [f64; 2], inertia: f64) -> Scene {
    let (q, _) = bobs(a, [0.0; 2]);
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let first = b.planar(1.0, inertia, [q[0], q[1]], a[0]).unwrap();
    let second = b.planar(1.0, inertia, [q[2], q[3]], a[1]).unwrap();
    b.joint(Joint::Revolute { axis: Z }, Link::Ground, first, [0.0; 3]).unwrap();
    b.joint(Joint::Revolute { axis: Z }, first, second, [q[0], q[1], 0.0]).unwrap();
    b.build().unwrap()
}

#[test]
fn a_double_pendulum_built_three_ways_accelerates_the_same() {
    let (a, w) = ([std::f64::consts::FRAC_PI_3, std::f64::consts::PI / 5.0], [0.7, -1.3]);
    let (q, v) = bobs(a, w);
    let by_hand = acceleration(&Cartesian, 0.0, &q, &v);
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let first = b.point2(1.0, [q[0], q[1]]).unwrap();
    let second = b.point2(1.0, [q[2], q[3]]).unwrap();
    b.rod(Link::Ground, [0.0; 3], first, [0.0; 3], Some(1.0)).unwrap();
    b.rod(first, [0.0; 3], second, [0.0; 3], Some(1.0)).unwrap();
    let points = b.build().unwrap();
    // Differences of fourth order over 1e-3 along straight lines: relative error 1e-12 times fifth
    // derivatives.
    close(&acceleration(&points, 0.0, &q, &v), &by_hand, 1e-10);
    // The limit of no inertia is approached linearly: 1e-7 of it changes accelerations by a few
    // times as much.
    let bodies = pendulum_bodies(a, 1e-7);
    let (q6, v6) = ([q[0], q[1], a[0], q[2], q[3], a[1]], [v[0], v[1], w[0], v[2], v[3], w[1]]);
    assert!(check_state(&bodies, 0.0, &q6, &v6).unwrap().worst() < 1e-15);
    let c = acceleration(&bodies, 0.0, &q6, &v6);
    close(&[c[0], c[1], c[3], c[4]], &by_hand, 1e-6);
    // Closed form for equal masses and lengths, from the Lagrangian: with D = a1 - a2
    // a1'' = (-3 g sin a1 - g sin(a1 - 2 a2) - 2 sin D (w2^2 + w1^2 cos D)) / (3 - cos 2D)
    let (d, den) = (a[0] - a[1], 3.0 - (2.0 * (a[0] - a[1])).cos());
    let a1 = (-3.0 * G * a[0].sin()
        - G * (a[0] - 2.0 * a[1]).sin()
        - 2.0 * d.sin() * (w[1] * w[1] + w[0] * w[0] * d.cos()))
        / den;
    let x1 = a1 * a[0].cos() - w[0] * w[0] * a[0].sin();
    assert!(
        (by_hand[0] - x1).abs() < 1e-10 && (c[2] - a1).abs() < 1e-6 * a1.abs(),
        "{} {x1}",
        by_hand[0]
    );
}

#[test]
fn a_double_pendulum_built_three_ways_moves_alike_to_the_order_of_the_scheme() {
    let a = [std::f64::consts::FRAC_PI_3, std::f64::consts::PI / 5.0];
    let (q, _) = bobs(a, [0.0; 2]);
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let first = b.point2(1.0, [q[0], q[1]]).unwrap();
    let second = b.point2(1.0, [q[2], q[3]]).unwrap();
    b.rod(Link::Ground, [0.0; 3], first, [0.0; 3], None).unwrap();
    b.rod(first, [0.0; 3], second, [0.0; 3], None).unwrap();
    // Functions by hand, points with rods, and bodies whose inertia of 1e-8 kg m^2 is worth 1.2e-8 m.
    let models: [Arc<dyn Model>; 3] =
        [Arc::new(Cartesian), Arc::new(b.build().unwrap()), Arc::new(pendulum_bodies(a, 1e-8))];
    let bobs_after = |k: usize, steps: f64| {
        let mut s = Stepper::new(Arc::clone(&models[k]), &Options::default()).unwrap();
        if k == 0 {
            s.set_state(0.0, &q, &[0.0; 4]).unwrap();
        }
        s.advance(1.0, 1.0 / steps).unwrap();
        let p = s.q();
        if k == 2 { vec![p[0], p[1], p[3], p[4]] } else { p.to_vec() }
    };
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let apart = |steps: f64| {
            let (x, y) = (bobs_after(i, steps), bobs_after(j, steps));
            x.iter().zip(&y).fold(0.0f64, |d, (x, y)| d.max((x - y).abs()))
        };
        let [coarse, fine] = [apart(64.0), apart(256.0)];
        // Order two: a sixteenth of the distance at a quarter of the step, where there is one at all.
        assert!(
            fine <= 1e-3 && (fine <= coarse / 12.0 || fine < 1e-12),
            "{i} {j}: {coarse:e} {fine:e}"
        );
    }
}

/// Bars of length 1 and 1 kg hanging on each other, in the plane or in space, at given angles.
fn bars(angles: &[f64], spatial: bool) -> Scene {
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    b.axes(Axes::Body);
    let (mut end, mut last) = ([0.0; 3], Link::Ground);
    for &a in angles {
        let (s, c) = a.sin_cos();
        let at = [end[0] + 0.5 * s, end[1] - 0.5 * c, 0.0];
        let body = if spatial {
            b.spatial(1.0, diagonal([1.0 / 12.0, 1e-3, 1.0 / 12.0]), at, about_z(a)).unwrap()
        } else {
            b.planar(1.0, 1.0 / 12.0, [at[0], at[1]], a).unwrap()
        };
        b.joint(Joint::Revolute { axis: Z }, last, body, end).unwrap();
        (end, last) = ([end[0] + s, end[1] - c, 0.0], body.into());
    }
    b.build().unwrap()
}

/// Angular accelerations of bars that turn with `w`.
fn turning(scene: &Scene, spatial: bool, w: &[f64]) -> Vec<f64> {
    let n = w.len();
    let (q, mut v) = (scene.initial_position().to_vec(), vec![0.0; scene.dims().nv]);
    let (size, last) = if spatial { (6, 5) } else { (3, 2) };
    let mut hinge = [0.0; 2];
    for i in 0..n {
        let angle = if spatial { 2.0 * q[7 * i + 6].atan2(q[7 * i + 3]) } else { q[3 * i + 2] };
        let (s, c) = angle.sin_cos();
        let u = [hinge[0] + 0.5 * c * w[i], hinge[1] + 0.5 * s * w[i]];
        let at = size * i;
        if spatial {
            (v[at], v[at + 1]) = (c * u[0] + s * u[1], -s * u[0] + c * u[1]);
        } else {
            (v[at], v[at + 1]) = (u[0], u[1]);
        }
        v[at + last] = w[i];
        hinge = [hinge[0] + c * w[i], hinge[1] + s * w[i]];
    }
    assert!(check_state(scene, 0.0, &q, &v).unwrap().worst() < 1e-13);
    let a = acceleration(scene, 0.0, &q, &v);
    (0..n).map(|i| a[size * i + last]).collect()
}

#[test]
fn bars_in_the_plane_and_in_space_accelerate_the_same() {
    let (angles, w) = ([0.9, -0.4, 1.7], [1.1, -0.6, 2.0]);
    let (plane, space) = (bars(&angles, false), bars(&angles, true));
    close(&turning(&space, true, &w), &turning(&plane, false, &w), 1e-9);
    for open in [plane, space] {
        assert!(redundant_joints(&open, open.initial_position()).is_empty());
    }
    // One bar: a = -(3/2) g sin(angle) / length.
    let one = turning(&bars(&angles[..1], true), true, &w[..1]);
    assert!((one[0] + 1.5 * G * 0.9f64.sin()).abs() < 1e-10);
}

#[test]
fn a_chain_of_fifty_links_is_consistent_and_finds_back_when_disturbed() {
    let angles: Vec<f64> = (0..50).map(|i| 0.3 * (i as f64 * 0.7).sin()).collect();
    let scene = bars(&angles, true);
    assert_eq!(scene.dims().n_joint, 250);
    let (q, v) = (scene.initial_position().to_vec(), scene.initial_velocity().to_vec());
    // Positions of up to 50 m are summed: 50 roundings of 7e-15 at most.
    assert!(check_state(&scene, 0.0, &q, &v).unwrap().worst() < 4e-13);
    assert!(redundant_joints(&scene, &q).is_empty());
    // The same chain in the plane accelerates the same; differences over 50 m lose more digits.
    let w: Vec<f64> = (0..50).map(|i| 0.1 * (i as f64).sin()).collect();
    close(&turning(&scene, true, &w), &turning(&bars(&angles, false), false, &w), 1e-8);
    let disturbance: Vec<f64> = (0..v.len()).map(|i| 0.01 * (i as f64).cos()).collect();
    let mut near = displaced(&scene, 0.0, &q, &disturbance, 1.0);
    let mut u = disturbance;
    let after = nearest_state(&scene, 0.0, &mut near, &mut u).unwrap();
    assert!(after.worst() < 1e-10, "{after:?}");
}

/// A four-bar with crank 1, coupler 2, rocker 1.5 and ground 2.2, crank at 60 degrees.
fn four_bar(spatial: bool) -> (Scene, [BodyId; 3]) {
    let crank = 60f64.to_radians();
    let a = [crank.cos(), crank.sin()];
    // Intersection of the circles around a and around the ground joint.
    let (dx, dy) = (2.2 - a[0], -a[1]);
    let d = dx.hypot(dy);
    let along = (2.0f64.powi(2) - 1.5f64.powi(2) + d * d) / (2.0 * d);
    let up = (4.0 - along * along).sqrt();
    let c = [a[0] + (dx * along - dy * up) / d, a[1] + (dy * along + dx * up) / d];
    let points = [[0.0, 0.0], a, c, [2.2, 0.0]];
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let bar = |b: &mut Builder, i: usize| {
        let (p, r): ([f64; 2], [f64; 2]) = (points[i], points[i + 1]);
        let (length, angle) = ((r[0] - p[0]).hypot(r[1] - p[1]), (r[1] - p[1]).atan2(r[0] - p[0]));
        let (m, at) = (length, [0.5 * (p[0] + r[0]), 0.5 * (p[1] + r[1])]);
        let inertia = m * length * length / 12.0;
        if spatial {
            let i = diagonal([0.01, inertia, inertia]);
            b.spatial(m, i, [at[0], at[1], 0.0], about_z(angle)).unwrap()
        } else {
            b.planar(m, inertia, at, angle).unwrap()
        }
    };
    let bodies = [bar(&mut b, 0), bar(&mut b, 1), bar(&mut b, 2)];
    let links = [Link::Ground, bodies[0].into(), bodies[1].into(), bodies[2].into(), Link::Ground];
    for i in 0..4 {
        let p = points[i];
        b.joint(Joint::Revolute { axis: Z }, links[i], links[i + 1], [p[0], p[1], 0.0]).unwrap();
    }
    (b.build().unwrap(), bodies)
}

#[test]
fn a_planar_four_bar_of_spatial_revolutes_works_and_names_its_redundant_equations() {
    let (plane, ids) = four_bar(false);
    let (space, _) = four_bar(true);
    assert_eq!((plane.dims().n_joint, space.dims().n_joint), (8, 20));
    // Turn the crank with 1 rad/s; the rest of the velocity follows from the joints, in both the
    // same.
    let start = |scene: &Scene, crank: usize| {
        let mut v = vec![0.0; scene.dims().nv];
        v[crank] = 1.0;
        let mut q = scene.initial_position().to_vec();
        nearest_state(scene, 0.0, &mut q, &mut v).unwrap();
        let scale = v[crank];
        v.iter_mut().for_each(|x| *x /= scale);
        assert!(check_state(scene, 0.0, &q, &v).unwrap().worst() < 1e-12);
        (q, v)
    };
    let ((qp, vp), (qs, vs)) = (start(&plane, 2), start(&space, 5));
    for k in 0..3 {
        assert!((vp[3 * k + 2] - vs[6 * k + 5]).abs() < 1e-12);
        let (p, s) = (
            plane.point_velocity(ids[k], &qp, &vp, [0.3, 0.1, 0.0]).unwrap(),
            space.point_velocity(ids[k], &qs, &vs, [0.3, 0.1, 0.0]).unwrap(),
        );
        close(&s, &p, 1e-12);
    }
    let (ap, as_) = (acceleration(&plane, 0.0, &qp, &vp), acceleration(&space, 0.0, &qs, &vs));
    for k in 0..3 {
        assert!((ap[3 * k + 2] - as_[6 * k + 5]).abs() < 1e-9);
    }
    // 18 velocities, one freedom: 17 independent equations of 20; in the plane 8 of 8.
    assert!(redundant_joints(&plane, &qp).is_empty());
    assert_eq!(redundant_joints(&space, &qs).len(), 3);
}

#[test]
fn a_slider_crank_with_prescribed_crank_moves_its_slider_by_the_closed_form() {
    // Crank 1, rod 3: x = cos a + sqrt(9 - sin^2 a).
    let a0 = 40f64.to_radians();
    let pin = [a0.cos(), a0.sin()];
    let x = pin[0] + (9.0 - pin[1] * pin[1]).sqrt();
    let mut b = Builder::new();
    let crank = b.planar(1.0, 0.1, [0.5 * pin[0], 0.5 * pin[1]], a0).unwrap();
    let rod = b.planar(3.0, 0.4, [0.5 * (pin[0] + x), 0.5 * pin[1]], 0.0).unwrap();
    let block = b.planar(2.0, 0.2, [x, 0.0], 0.0).unwrap();
    let turn = Joint::Revolute { axis: Z };
    let axle = b.joint(turn, Link::Ground, crank, [0.0; 3]).unwrap();
    b.joint(turn, crank, rod, [pin[0], pin[1], 0.0]).unwrap();
    b.joint(turn, rod, block, [x, 0.0, 0.0]).unwrap();
    let rail = Joint::Prismatic { axis: [1.0, 0.0, 0.0] };
    let rail = b.joint(rail, Link::Ground, block, [x, 0.0, 0.0]).unwrap();
    let speed = 2.0;
    b.drive(axle, Freedom::Angle, Arc::new(move |t| speed * t)).unwrap();
    let scene = b.build().unwrap();
    assert_eq!((scene.dims().nv, scene.dims().n_joint), (9, 9));
    let (mut q, mut v) = (scene.initial_position().to_vec(), vec![0.0; 9]);
    assert!(check_state(&scene, 0.0, &q, &v).unwrap().joint.0 < 1e-15);
    for k in 1..=10 {
        let t = 0.1 * k as f64;
        nearest_state(&scene, t, &mut q, &mut v).unwrap();
        let (s, c) = (a0 + speed * t).sin_cos();
        let root = (9.0 - s * s).sqrt();
        assert!((q[6] - (c + root)).abs() < 1e-11, "{k}");
        assert!((scene.coordinate(rail, Freedom::Slide, &q).unwrap() - (q[6] - x)).abs() < 1e-14);
        // The drive's speed comes from a central difference in time.
        assert!((v[6] + speed * s * (1.0 + c / root)).abs() < 1e-9, "{k}");
        // x'' = -w^2 (cos a + (cos 2a + sin^2 a cos^2 a / root^2) / root), the rest of the drive
        // being at constant speed.
        let a = acceleration(&scene, t, &q, &v)[6];
        let exact = -speed * speed * (c + (c * c - s * s + s * s * c * c / (root * root)) / root);
        assert!((a - exact).abs() < 1e-6, "{k}: {a} {exact}");
    }
}

#[test]
fn a_sphere_that_rolls_down_an_incline_accelerates_with_five_sevenths() {
    let angle = 30f64.to_radians();
    for (mu, rolls) in [(0.5, true), (0.1, false)] {
        let mut b = Builder::new();
        b.gravity([G * angle.sin(), 0.0, -G * angle.cos()]).unwrap();
        let i = 0.4 * 2.0 * 0.3 * 0.3;
        let ball = b.spatial(2.0, diagonal([i; 3]), [0.0, 0.0, 0.3], [0.5, 0.5, 0.5, 0.5]).unwrap();
        let d = MaterialId::default();
        b.surface(d, d, Surface { mu, ..Surface::default() }).unwrap();
        b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, Attach::default()).unwrap();
        b.shape(ball, Shape::Ball { radius: 0.3 }, Attach::default()).unwrap();
        let scene = b.build().unwrap();
        let (q, h) = (scene.initial_position().to_vec(), 1e-3);
        let v = contact_step(&scene, &q, scene.initial_velocity(), h, 1e-9).v().to_vec();
        let speed = scene.point_velocity(ball, &q, &v, [0.0; 3]).unwrap();
        // Rolling needs mu >= (2/7) tan 30 = 0.165; below it slides with g (sin - mu cos). From
        // rest one step is exact.
        let a =
            if rolls { 5.0 / 7.0 * G * angle.sin() } else { G * (angle.sin() - mu * angle.cos()) };
        close(&speed, &[h * a, 0.0, 0.0], 1e-16);
        let spin = (scene.angular_momentum(&q, &v).unwrap()[1] - 2.0 * 0.3 * speed[0]) / i;
        let w = if rolls { h * a / 0.3 } else { h * mu * 2.0 * G * angle.cos() * 0.3 / i };
        assert!((spin - w).abs() < 1e-15, "{spin} {w}");
    }
}

#[test]
fn a_cube_rests_on_its_four_lower_corners() {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let cube = b.spatial(3.0, diagonal([0.5; 3]), [0.2, -0.1, 0.5], about_z(0.3)).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.6, ..Surface::default() }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, Attach::default()).unwrap();
    b.shape(cube, Shape::Box { half: [0.5; 3] }, Attach::default()).unwrap();
    let scene = b.build().unwrap();
    assert_eq!((scene.dims().n_contact, scene.dims().n_dir), (8, 8));
    let (q, v) = (scene.initial_position(), scene.initial_velocity());
    let (mut gap, mut normal) = ([0.0; 8], [0.0; 48]);
    scene.gap(0.0, q, &mut gap, &mut normal).unwrap();
    assert_eq!(gap, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    let solved = contact_step(&scene, q, v, 0.01, 1e-9);
    assert!(norm(solved.v()) < 1e-15, "{:?}", solved.v());
    // The split between the corners is free, the sum is not: m g h.
    let sum: f64 = solved.normal().iter().sum();
    assert!((sum - 3.0 * G * 0.01).abs() < 1e-14 && solved.normal().len() == 4);
    // Dropped flat with 2 m/s it comes to rest at once.
    let solved = contact_step(&scene, q, &[0.0, 0.0, -2.0, 0.0, 0.0, 0.0], 0.01, 1e-9);
    assert!(norm(solved.v()) < 1e-14, "{:?}", solved.v());
}

#[test]
fn every_joint_leaves_exactly_its_freedoms() {
    // Six motions of the second body: along and about the axes x, y, z through the joint. The joint
    // axis is z.
    let cross = Joint::Universal { axis_a: Z, axis_b: [1.0, 0.0, 0.0] };
    let (revolute, prismatic) = (Joint::Revolute { axis: Z }, Joint::Prismatic { axis: Z });
    let free: [(Joint, &[usize]); 6] = [
        (Joint::Spherical, &[3, 4, 5]),
        (revolute, &[5]),
        (cross, &[3, 5]),
        (Joint::Cylindrical { axis: Z }, &[2, 5]),
        (prismatic, &[2]),
        (Joint::Fixed, &[]),
    ];
    for (joint, free) in free {
        for axes in [Axes::Body, Axes::World] {
            let mut b = Builder::new();
            b.gravity([0.3, -G, 1.0]).unwrap();
            b.axes(axes);
            let a = b
                .spatial(1.0, diagonal([1.0, 2.0, 2.5]), [0.3, 0.1, 0.2], [0.5, 0.5, -0.5, 0.5])
                .unwrap();
            let c = b
                .spatial(1.0, diagonal([1.0, 2.0, 2.5]), [1.3, 0.7, -0.2], [0.6, 0.0, 0.8, 0.0])
                .unwrap();
            let at = [0.4, -0.3, 0.6];
            let id = b.joint(joint, a, c, at).unwrap();
            for k in 0..6 {
                let mut b = b.clone();
                let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
                if k < 3 {
                    linear[k] = 1.0
                } else {
                    angular[k - 3] = 1.0
                }
                // The center moves as the rotation about the joint carries it.
                let arm = [1.3 - at[0], 0.7 - at[1], -0.2 - at[2]];
                for i in 0..3 {
                    let (j, l) = ((i + 1) % 3, (i + 2) % 3);
                    linear[i] += angular[j] * arm[l] - angular[l] * arm[j];
                }
                b.velocity(c, linear, angular).unwrap();
                let scene = b.build().unwrap();
                assert_eq!(scene.joint_equations(id).len(), 6 - free.len());
                let (q, v) = (scene.initial_position(), scene.initial_velocity());
                let speed = check_state(&scene, 0.0, q, v).unwrap().joint_speed.0;
                let allowed = free.contains(&k);
                assert!(if allowed { speed < 1e-15 } else { speed > 0.9 }, "{joint:?} {k} {speed}");
                assert!(redundant_joints(&scene, q).is_empty());
            }
        }
    }
}
