//! Friction and impacts of built-in bodies through the stepper, against closed forms.

use std::sync::Arc;
use stiction::rigid::*;
use stiction::step::{EventKind, Options, Stepper};

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn stepper(scene: &Arc<Scene>) -> Stepper {
    let mut s = Stepper::new(scene.clone(), &Options::default()).unwrap();
    s.set_state(0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
    s
}

/// A box of 0.4 x 0.4 x 0.2 m and 2 kg flat on a slope of 30 degrees that descends along x; the
/// slope is the world's x-y plane.
fn box_on_slope(mu: f64, axes: Axes) -> Arc<Scene> {
    let angle = 30f64.to_radians();
    let mut b = Builder::new();
    b.gravity([G * angle.sin(), 0.0, -G * angle.cos()]).unwrap();
    b.axes(axes);
    let (i, k) = (2.0 * (0.16 + 0.04) / 12.0, 2.0 * 0.32 / 12.0);
    let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, k]];
    let body = b.spatial(2.0, inertia, [0.0, 0.0, 0.1], LEVEL).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu, ..Surface::default() }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, Attach::default()).unwrap();
    b.shape(body, Shape::Box { half: [0.2, 0.2, 0.1] }, Attach::default()).unwrap();
    Arc::new(b.build().unwrap())
}

#[test]
fn a_box_stays_on_a_slope_above_the_friction_angle_and_slides_below_it() {
    for axes in [Axes::Body, Axes::World] {
        // tan 30 = 0.577 < 0.6: it does not move, and does not creep.
        let mut s = stepper(&box_on_slope(0.6, axes));
        s.advance(10.0, 0.02).unwrap();
        assert!(distance(s.q(), &[0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0]) < 1e-13, "{:?}", s.q());
        assert!(distance(s.v(), &[0.0; 6]) < 1e-13, "{:?}", s.v());
        // a = g (sin 30 - 0.5 cos 30) = 0.657145394437, straight down, without turning.
        let mut s = stepper(&box_on_slope(0.5, axes));
        s.advance(1.0, 0.02).unwrap();
        assert!((s.v()[0] - 0.657145394437).abs() < 1e-11, "{:?}", s.v());
        assert!((s.q()[0] - 0.5 * 0.657145394437).abs() < 1e-11, "{:?}", s.q());
        assert!(distance(&s.q()[3..], &LEVEL) < 1e-12, "{:?}", s.q());
    }
}

#[test]
fn a_puck_stops_after_v_over_mu_g_along_and_across_the_grain() {
    for (velocity, mu) in [([0.0, 1.0, 0.0], 0.2), ([1.0, 0.0, 0.0], 0.6)] {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -G]).unwrap();
        let (d, wood) = (MaterialId::default(), b.material());
        let grain = Some(Grain { axis: [0.0, 1.0, 0.0], mu_across: 0.6 });
        b.surface(wood, d, Surface { mu: 0.2, restitution: 0.0, grain }).unwrap();
        let board = Attach { material: wood, ..Attach::default() };
        b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, board).unwrap();
        let puck = b.point3(3.0, [0.0; 3]).unwrap();
        b.velocity(puck, velocity, [0.0; 3]).unwrap();
        b.shape(puck, Shape::Ball { radius: 0.0 }, Attach::default()).unwrap();
        let scene = Arc::new(b.build().unwrap());
        let mut s = stepper(&scene);
        // Before it stops the deceleration is mu g, exactly, because the slide is along a direction
        // of the polygon.
        s.advance(0.1, 0.01).unwrap();
        let speed = 1.0 - mu * G * 0.1;
        assert!(distance(s.v(), &velocity.map(|x| x * speed)) < 1e-13, "{:?}", s.v());
        s.advance(1.0, 0.01).unwrap();
        assert!(distance(s.v(), &[0.0; 3]) < 1e-14, "{:?}", s.v());
        // v^2 / (2 mu g); the last step is the one in which it stops, so the way is right to its
        // square.
        let way = velocity.map(|x| x / (2.0 * mu * G));
        assert!(distance(s.q(), &way) < mu * G * 1e-4, "{:?} {way:?}", s.q());
    }
}

#[test]
fn a_row_of_balls_passes_the_motion_on() {
    // Three equal balls with gaps of 1e-5, e = 1: the first hits with 1 m/s, the last leaves with
    // it.
    let mut b = Builder::new();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.0, restitution: 1.0, grain: None }).unwrap();
    for i in 0..3 {
        let ball = b.point3(1.0, [i as f64 * (0.2 + 1e-5), 0.0, 0.0]).unwrap();
        b.velocity(ball, [if i == 0 { 1.0 } else { 0.0 }, 0.0, 0.0], [0.0; 3]).unwrap();
        b.shape(ball, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    }
    let scene = Arc::new(b.build().unwrap());
    let mut s = stepper(&scene);
    s.advance(0.05, 0.01).unwrap();
    let hits: Vec<f64> =
        s.events().iter().filter(|e| e.kind == EventKind::Impact).map(|e| e.t).collect();
    assert!(hits.len() == 2 && (hits[0] - 1e-5).abs() < 1e-14 && (hits[1] - 2e-5).abs() < 1e-14);
    let v: Vec<f64> = s.v().iter().step_by(3).copied().collect();
    assert!(distance(&v, &[0.0, 0.0, 1.0]) < 1e-14, "{v:?}");
    assert!((scene.momentum(s.q(), s.v()).unwrap()[0] - 1.0).abs() < 1e-14);
}

#[test]
fn two_spheres_that_meet_off_center_keep_momentum_and_angular_momentum() {
    // Oblique, with friction and spin, in free space: whatever the impact does, it does between
    // them.
    let mut b = Builder::new();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.3, restitution: 0.7, grain: None }).unwrap();
    b.axes(Axes::World);
    let inertia = |m: f64| {
        let i = 0.4 * m * 0.01;
        [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]]
    };
    let one = b.spatial(1.0, inertia(1.0), [-0.5, 0.05, 0.02], LEVEL).unwrap();
    let two = b.spatial(2.0, inertia(2.0), [0.5, 0.0, 0.0], LEVEL).unwrap();
    b.velocity(one, [2.0, 0.0, 0.0], [1.0, -2.0, 5.0]).unwrap();
    b.velocity(two, [-1.0, 0.1, 0.0], [0.0, 3.0, -4.0]).unwrap();
    for ball in [one, two] {
        b.shape(ball, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    }
    let scene = Arc::new(b.build().unwrap());
    let mut s = stepper(&scene);
    let state = |s: &Stepper| {
        let (p, l) = (scene.momentum(s.q(), s.v()), scene.angular_momentum(s.q(), s.v()));
        (p.unwrap(), l.unwrap(), scene.kinetic_energy(s.v()).unwrap())
    };
    let (p0, l0, e0) = state(&s);
    s.advance(0.5, 0.01).unwrap();
    assert_eq!(s.events().iter().filter(|e| e.kind == EventKind::Impact).count(), 1);
    let (p1, l1, e1) = state(&s);
    assert!(distance(&p0, &p1) < 1e-14 && e1 < e0, "{p0:?} {p1:?}");
    // Spin of a sphere does not precess, so nothing but the place of the impact counts: the gap
    // there is that of location.
    assert!(distance(&l0, &l1) < 1e-9, "{l0:?} {l1:?}");
}

#[test]
fn a_tumbling_cube_comes_to_rest_on_a_face_and_never_gains_energy() {
    for (mu, restitution) in [(0.5, 0.0), (0.2, 0.5)] {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -G]).unwrap();
        b.axes(Axes::World);
        let d = MaterialId::default();
        b.surface(d, d, Surface { mu, restitution, grain: None }).unwrap();
        b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, Attach::default()).unwrap();
        let i = 1.0 / 6.0;
        let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
        let cube = b.spatial(1.0, inertia, [0.0, 0.0, 1.5], [0.9, 0.3, 0.3, 0.1]).unwrap();
        b.velocity(cube, [1.0, 0.5, 0.0], [1.0, 2.0, 0.5]).unwrap();
        b.shape(cube, Shape::Box { half: [0.5; 3] }, Attach::default()).unwrap();
        let scene = Arc::new(b.build().unwrap());
        let mut s = stepper(&scene);
        let energy = |s: &Stepper| {
            scene.kinetic_energy(s.v()).unwrap() + scene.potential_energy(s.q()).unwrap()
        };
        let mut last = energy(&s);
        for _ in 0..300 {
            s.step(0.01).unwrap();
            let now = energy(&s);
            // The flight is exact and impacts dissipate: nothing but rounding may be gained.
            assert!(now < last + 1e-13 * last, "{} at {}", now - last, s.t());
            last = now;
        }
        // Half an edge above the floor, with the energy m g / 2.
        assert!((s.q()[2] - 0.5).abs() < 1e-8 && distance(s.v(), &[0.0; 6]) < 1e-12, "{:?}", s.v());
        assert!((last - 0.5 * G).abs() < 1e-7 && s.stats().worst_gap > -1e-8);
    }
}
