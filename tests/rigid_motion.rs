//! Built-in bodies through the stepper: orders of accuracy, closed forms, mechanisms that hang
//! together.

use std::sync::Arc;
use stiction::check::check_state;
use stiction::model::Model;
use stiction::rigid::*;
use stiction::step::{EventKind, Options, Stepper};

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn diagonal(d: [f64; 3]) -> [[f64; 3]; 3] {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// A default stepper at the builder's state.
fn stepper(scene: &Arc<Scene>) -> Stepper {
    let mut s = Stepper::new(scene.clone(), &Options::default()).unwrap();
    s.set_state(0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
    s
}

/// Observed orders between errors at halved steps.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect()
}

fn floor_and_surface(b: &mut Builder, mu: f64, restitution: f64, normal: [f64; 3]) {
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu, restitution, grain: None }).unwrap();
    let floor = Attach { group: 2, ..Attach::default() };
    b.shape(Link::Ground, Shape::HalfSpace { normal }, floor).unwrap();
}

#[test]
fn a_free_top_is_followed_with_order_two() {
    // About the middle axis, where it tumbles.
    let mut b = Builder::new();
    let body = b.spatial(2.0, diagonal([1.0, 2.0, 2.5]), [0.3, 0.1, -0.2], LEVEL).unwrap();
    b.velocity(body, [0.4, -0.1, 0.7], [0.1, 3.0, 0.2]).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let run = |n: i32| {
        let mut s = stepper(&scene);
        s.advance(2.0, 2.0 / n as f64).unwrap();
        let length = distance(&s.q()[3..], &[0.0; 4]);
        assert!((length - 1.0).abs() < 1e-15, "{length}");
        (s.q().to_vec(), s.v().to_vec())
    };
    let (q, v) = run(1 << 14);
    let (energy, l) = (
        scene.kinetic_energy(scene.initial_velocity()).unwrap(),
        scene.angular_momentum(scene.initial_position(), scene.initial_velocity()).unwrap(),
    );
    let mut errors = [vec![], vec![], vec![], vec![]];
    for n in [64, 128, 256, 512] {
        let (qh, vh) = run(n);
        errors[0].push(distance(&qh, &q));
        errors[1].push(distance(&vh, &v));
        errors[2].push((scene.kinetic_energy(&vh).unwrap() - energy).abs());
        errors[3].push(distance(&scene.angular_momentum(&qh, &vh).unwrap(), &l));
    }
    // Uniform motion: the center goes straight.
    assert!(distance(&q[..3], &[1.1, -0.1, 1.2]) < 1e-6, "{q:?}");
    for e in &errors {
        assert!(orders(e).iter().all(|o| *o > 1.9), "{errors:?}");
    }
    assert!(errors[0][3] < 1e-3, "{errors:?}");
}

/// The double pendulum between walls of PAGT06 10.1: points on rods, restitution 0.1, g = 9.8.
fn pendulum_and_wall() -> Arc<Scene> {
    let a = [std::f64::consts::FRAC_PI_3, std::f64::consts::PI / 5.0];
    let mut b = Builder::new();
    b.gravity([0.0, -9.8, 0.0]).unwrap();
    let first = [a[0].sin(), -a[0].cos()];
    let second = [first[0] + a[1].sin(), first[1] - a[1].cos()];
    let points = [b.point2(1.0, first).unwrap(), b.point2(1.0, second).unwrap()];
    b.rod(Link::Ground, [0.0; 3], points[0], [0.0; 3], Some(1.0)).unwrap();
    b.rod(points[0], [0.0; 3], points[1], [0.0; 3], Some(1.0)).unwrap();
    floor_and_surface(&mut b, 0.0, 0.1, [1.0, 0.0, 0.0]);
    for p in points {
        b.shape(p, Shape::Ball { radius: 0.0 }, Attach { meets: 2, ..Attach::default() }).unwrap();
    }
    Arc::new(b.build().unwrap())
}

#[test]
fn the_double_pendulum_hits_the_wall_as_the_exact_one() {
    // Impact times and end state: event-driven integration of the exact equations to 1e-14.
    let impacts = [
        0.545508051442001,
        0.707932699995982,
        1.284726645954996,
        2.097739454881154,
        2.131640284303554,
    ];
    let q = [0.02196211769492439, -0.9997588036053267, 0.02376948677391344, -1.999757170312499];
    let mut errors = vec![];
    for k in [6, 7, 8, 9] {
        let mut s = stepper(&pendulum_and_wall());
        s.advance(2.5, 0.5f64.powi(k)).unwrap();
        let hits: Vec<_> = s.events().iter().filter(|e| e.kind == EventKind::Impact).collect();
        assert_eq!(hits.len(), 5, "{hits:?}");
        let late = hits.iter().zip(impacts).map(|(e, t)| (e.t - t).abs()).fold(0.0, f64::max);
        // An impact is late by the error in position over the speed; those at the end have a tenth
        // of the first speed.
        assert!(late < 30.0 * 0.25f64.powi(k), "{late}");
        errors.push(distance(s.q(), &q));
    }
    assert!(orders(&errors).iter().sum::<f64>() > 3.0 * 1.8, "{errors:?}");
    assert!(errors[3] < 5e-5, "{errors:?}");
}

/// A double pendulum of unit points, or of bodies with little inertia, 1 m links, from 60 and 36
/// degrees.
fn double_pendulum(bodies: bool) -> Arc<Scene> {
    let a = [std::f64::consts::FRAC_PI_3, std::f64::consts::PI / 5.0];
    let first = [a[0].sin(), -a[0].cos()];
    let second = [first[0] + a[1].sin(), first[1] - a[1].cos()];
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    if bodies {
        let turn = Joint::Revolute { axis: Z };
        // The two differ by the inertia in the limit: 1e-8 kg m^2 are worth 1.2e-8 m.
        let one = b.planar(1.0, 1e-8, first, a[0]).unwrap();
        let two = b.planar(1.0, 1e-8, second, a[1]).unwrap();
        b.joint(turn, Link::Ground, one, [0.0; 3]).unwrap();
        b.joint(turn, one, two, [first[0], first[1], 0.0]).unwrap();
    } else {
        let one = b.point2(1.0, first).unwrap();
        let two = b.point2(1.0, second).unwrap();
        b.rod(Link::Ground, [0.0; 3], one, [0.0; 3], None).unwrap();
        b.rod(one, [0.0; 3], two, [0.0; 3], None).unwrap();
    }
    Arc::new(b.build().unwrap())
}

#[test]
fn pendulums_of_points_and_of_bodies_move_alike_to_the_order_of_the_scheme() {
    let run = |bodies: bool, h: f64| {
        let mut s = stepper(&double_pendulum(bodies));
        s.advance(1.0, h).unwrap();
        let q = s.q();
        if bodies { vec![q[0], q[1], q[3], q[4]] } else { q.to_vec() }
    };
    let gaps: Vec<f64> = [64.0, 128.0, 256.0]
        .iter()
        .map(|n| distance(&run(true, 1.0 / n), &run(false, 1.0 / n)))
        .collect();
    assert!(orders(&gaps).iter().all(|o| *o > 1.8), "{gaps:?}");
    assert!(gaps[2] < 1e-3, "{gaps:?}");
}

#[test]
fn a_sphere_rolls_down_an_incline_with_five_sevenths_of_the_slope() {
    let angle = 30f64.to_radians();
    let mut b = Builder::new();
    b.gravity([G * angle.sin(), 0.0, -G * angle.cos()]).unwrap();
    // In world axes the scheme is exact here; body axes turn, and show its order.
    b.axes(Axes::Body);
    let ball = b.spatial(2.0, diagonal([0.4 * 2.0 * 0.09; 3]), [0.0, 0.0, 0.3], LEVEL).unwrap();
    floor_and_surface(&mut b, 0.5, 0.0, Z);
    b.shape(ball, Shape::Ball { radius: 0.3 }, Attach::default()).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let x = 0.5 * 5.0 / 7.0 * G * angle.sin();
    let mut errors = vec![];
    for n in [50, 100, 200, 400] {
        let mut s = stepper(&scene);
        s.advance(1.0, 1.0 / n as f64).unwrap();
        errors.push(distance(&s.q()[..3], &[x, 0.0, 0.3]));
    }
    assert!(errors[3] < 1e-3 && orders(&errors).iter().all(|o| *o > 1.8), "{errors:?}");
}

#[test]
fn a_sphere_and_a_disc_slide_until_they_roll() {
    // mu = 0.2, v0 = 1: sphere rolls from t = 2 v0/(7 mu g) with 5/7 v0 after 12 v0^2/(49 mu g),
    // disc from t = v0/(3 mu g) with 2/3 v0.
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let disc = b.planar(1.0, 0.5 * 0.01, [0.0, 0.1], 0.0).unwrap();
    b.velocity(disc, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    floor_and_surface(&mut b, 0.2, 0.0, [0.0, 1.0, 0.0]);
    b.shape(disc, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    let mut s = stepper(&Arc::new(b.build().unwrap()));
    s.advance(0.5, 0.01).unwrap();
    let stick = s.events().iter().find(|e| e.kind == EventKind::Stick).unwrap();
    assert!((stick.t - 0.169894665308).abs() < 1e-11, "{}", stick.t);
    // Constant forces: the scheme is exact.
    assert!((s.v()[0] - 2.0 / 3.0).abs() < 1e-12 && (s.v()[2] + 20.0 / 3.0).abs() < 1e-11);

    // A sphere whose velocity is kept in its own axes turns them: exact no more, but of order two. With two directions along the slide the moment is located; with eight it is the end of
    // its step.
    let sphere = |facets: usize, n: usize| {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -G]).unwrap();
        b.facets(facets).unwrap();
        b.axes(Axes::Body);
        let ball = b.spatial(1.0, diagonal([0.4 * 0.01; 3]), [0.0, 0.0, 0.1], LEVEL).unwrap();
        b.velocity(ball, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
        floor_and_surface(&mut b, 0.2, 0.0, Z);
        b.shape(ball, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
        let scene = Arc::new(b.build().unwrap());
        let mut s = stepper(&scene);
        s.advance(0.5, 0.5 / n as f64).unwrap();
        let stick = s.events().iter().find(|e| e.kind == EventKind::Stick).unwrap();
        let v = scene.point_velocity(ball, s.q(), s.v(), [0.0; 3]).unwrap();
        // 12/(49 mu g) until it rolls, then 5/7 of the rest of the time.
        let x = 0.124820570430 + (0.5 - 0.145623998835) * 5.0 / 7.0;
        let place = distance(&s.q()[..3], &[x, 0.0, 0.1]);
        [(stick.t - 0.145623998835).abs(), distance(&v, &[5.0 / 7.0, 0.0, 0.0]), place]
    };
    for (facets, kinds) in [(2, 0..3), (8, 1..2)] {
        let runs: Vec<[f64; 3]> = [50, 100, 200, 400].iter().map(|&n| sphere(facets, n)).collect();
        for kind in kinds {
            let errors: Vec<f64> = runs.iter().map(|r| r[kind]).collect();
            assert!(errors[3] < 1e-4 && orders(&errors).iter().all(|o| *o > 1.8), "{errors:?}");
        }
    }
}

#[test]
fn with_velocities_in_world_axes_a_spinning_ball_flies_and_rolls_as_exactly_as_a_point_slides() {
    // Thrown at (1, 0, 3) m/s with 100 rad/s of spin: 1 m/s sideways, a parabola, whatever the
    // step.
    let fly = |axes: Axes| {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -G]).unwrap();
        b.axes(axes);
        let ball = b.spatial(1.0, diagonal([0.004, 0.005, 0.006]), [0.0; 3], LEVEL).unwrap();
        b.velocity(ball, [1.0, 0.0, 3.0], [3.0, 100.0, 5.0]).unwrap();
        let mut s = stepper(&Arc::new(b.build().unwrap()));
        s.advance(0.5, 0.01).unwrap();
        distance(&s.q()[..3], &[0.5, 0.0, 1.5 - 0.125 * G])
    };
    assert!(fly(Axes::World) < 1e-14, "{}", fly(Axes::World));
    // In body axes one step turns the velocity by one radian, and it shows.
    assert!(fly(Axes::Body) > 1e-2, "{}", fly(Axes::Body));
    // Sliding until rolling, see above: at 2 v0/(7 mu g) with 5/7 v0.
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    b.facets(2).unwrap();
    b.axes(Axes::World);
    let ball = b.spatial(1.0, diagonal([0.004; 3]), [0.0, 0.0, 0.1], LEVEL).unwrap();
    b.velocity(ball, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    floor_and_surface(&mut b, 0.2, 0.0, Z);
    b.shape(ball, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    let mut s = stepper(&Arc::new(b.build().unwrap()));
    s.advance(0.5, 0.01).unwrap();
    let stick = s.events().iter().find(|e| e.kind == EventKind::Stick).unwrap();
    assert!((stick.t - 0.145623998835).abs() < 1e-11, "{}", stick.t);
    let x = 0.124820570430 + (0.5 - 0.145623998835) * 5.0 / 7.0;
    assert!(distance(&s.q()[..3], &[x, 0.0, 0.1]) < 1e-11, "{:?} {x}", s.q());
    assert!(distance(&s.v()[..3], &[5.0 / 7.0, 0.0, 0.0]) < 1e-12, "{:?}", s.v());
}

/// Bars of length 1 and 1 kg hanging on each other in space.
fn chain(n: usize) -> Arc<Scene> {
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let (mut end, mut last) = ([0.0; 3], Link::Ground);
    for i in 0..n {
        let a: f64 = 0.3 * (0.7 * i as f64).sin() + 0.2;
        let (s, c) = a.sin_cos();
        let at = [end[0] + 0.5 * s, end[1] - 0.5 * c, 0.0];
        let turn = [(0.5 * a).cos(), 0.0, 0.0, (0.5 * a).sin()];
        let body = b.spatial(1.0, diagonal([1.0 / 12.0, 0.01, 1.0 / 12.0]), at, turn).unwrap();
        b.joint(Joint::Revolute { axis: Z }, last, body, end).unwrap();
        (end, last) = ([end[0] + s, end[1] - c, 0.0], body.into());
    }
    Arc::new(b.build().unwrap())
}

#[test]
fn a_chain_of_fifty_links_hangs_together() {
    let scene = chain(50);
    let mut s = stepper(&scene);
    let energy =
        |s: &Stepper| scene.kinetic_energy(s.v()).unwrap() + scene.potential_energy(s.q()).unwrap();
    let before = energy(&s);
    s.advance(0.1, 0.01).unwrap();
    let after = check_state(&*scene, s.t(), s.q(), s.v()).unwrap();
    // Projected each step; positions reach 50 m.
    assert!(after.joint.0 < 1e-10 && after.joint_speed.0 < 1e-9, "{after:?}");
    let kinetic = scene.kinetic_energy(s.v()).unwrap();
    assert!((energy(&s) - before).abs() < 1e-2 * kinetic, "{} {kinetic}", energy(&s) - before);
}

#[test]
fn a_four_bar_of_spatial_revolutes_turns_like_the_planar_one() {
    // A parallelogram with crank 1 and coupler 2: simple, and redundant in space.
    let a = 1.1f64;
    let (c, s) = (a.cos(), a.sin());
    let points = [[0.0, 0.0], [c, s], [2.0 + c, s], [2.0, 0.0]];
    let build = |spatial: bool| {
        let mut b = Builder::new();
        b.gravity([0.0, -G, 0.0]).unwrap();
        // In world axes the two agree to rounding; body axes show the order.
        b.axes(Axes::Body);
        let mut links = vec![Link::Ground];
        for (i, angle) in [a, 0.0, a].into_iter().enumerate() {
            let (p, r) = (points[i], points[i + 1]);
            let at = [0.5 * (p[0] + r[0]), 0.5 * (p[1] + r[1])];
            let id = if spatial {
                let turn = [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
                b.spatial(1.0, diagonal([0.01, 0.1, 0.1]), [at[0], at[1], 0.0], turn).unwrap()
            } else {
                b.planar(1.0, 0.1, at, angle).unwrap()
            };
            links.push(id.into());
        }
        links.push(Link::Ground);
        for (i, p) in points.iter().enumerate() {
            b.joint(Joint::Revolute { axis: Z }, links[i], links[i + 1], [p[0], p[1], 0.0])
                .unwrap();
        }
        Arc::new(b.build().unwrap())
    };
    let mut differences = vec![];
    for n in [50, 100, 200] {
        let (mut plane, mut space) = (stepper(&build(false)), stepper(&build(true)));
        plane.advance(0.5, 0.5 / n as f64).unwrap();
        space.advance(0.5, 0.5 / n as f64).unwrap();
        let (p, s) = (plane.q(), space.q());
        differences.push(distance(&[p[0], p[1], p[3], p[4]], &[s[0], s[1], s[7], s[8]]));
        assert!(space.stats().worst_joint_drift < 1e-2);
    }
    assert!(
        differences[2] < 1e-3 && orders(&differences).iter().all(|o| *o > 1.8),
        "{differences:?}"
    );
}

#[test]
fn a_driven_slider_crank_follows_its_closed_form() {
    // Crank 1, rod 3, crank angle 40 degrees + 2 t: x = cos a + sqrt(9 - sin^2 a).
    let a0 = 40f64.to_radians();
    let pin = [a0.cos(), a0.sin()];
    let x = pin[0] + (9.0 - pin[1] * pin[1]).sqrt();
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let crank = b.planar(1.0, 0.1, [0.5 * pin[0], 0.5 * pin[1]], a0).unwrap();
    let rod = b.planar(3.0, 0.4, [0.5 * (pin[0] + x), 0.5 * pin[1]], 0.0).unwrap();
    let block = b.planar(2.0, 0.2, [x, 0.0], 0.0).unwrap();
    let turn = Joint::Revolute { axis: Z };
    let axle = b.joint(turn, Link::Ground, crank, [0.0; 3]).unwrap();
    b.joint(turn, crank, rod, [pin[0], pin[1], 0.0]).unwrap();
    b.joint(turn, rod, block, [x, 0.0, 0.0]).unwrap();
    b.joint(Joint::Prismatic { axis: [1.0, 0.0, 0.0] }, Link::Ground, block, [x, 0.0, 0.0])
        .unwrap();
    b.drive(axle, Freedom::Angle, Arc::new(|t| 2.0 * t)).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let (mut q, mut v) = (scene.initial_position().to_vec(), scene.initial_velocity().to_vec());
    stiction::check::nearest_state(&*scene, 0.0, &mut q, &mut v).unwrap();
    let mut s = stepper(&scene);
    s.set_state(0.0, &q, &v).unwrap();
    s.advance(3.0, 0.02).unwrap();
    let (sin, cos) = (a0 + 6.0f64).sin_cos();
    // Projection leaves nothing free: position and speed are those of the drive.
    let root = (9.0 - sin * sin).sqrt();
    assert!((s.q()[6] - (cos + root)).abs() < 1e-9, "{}", s.q()[6] - (cos + root));
    assert!((s.v()[6] + 2.0 * sin * (1.0 + cos / root)).abs() < 1e-7);
}

#[test]
fn a_cube_dropped_on_its_face_comes_to_rest_on_four_corners() {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let turn = [0.15f64.cos(), 0.0, 0.0, 0.15f64.sin()];
    let cube = b.spatial(3.0, diagonal([0.5; 3]), [0.2, -0.1, 1.5], turn).unwrap();
    floor_and_surface(&mut b, 0.6, 0.0, Z);
    b.shape(cube, Shape::Box { half: [0.5; 3] }, Attach::default()).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let mut s = stepper(&scene);
    s.advance(1.0, 0.01).unwrap();
    let hits: Vec<_> = s.events().iter().filter(|e| e.kind == EventKind::Impact).collect();
    // It falls 1 m: t = sqrt(2/g).
    assert!(!hits.is_empty() && hits.iter().all(|e| (e.t - (2.0f64 / G).sqrt()).abs() < 1e-9));
    assert!(distance(s.v(), &[0.0; 6]) < 1e-10, "{:?}", s.v());
    let rest: Vec<f64> = [0.2, -0.1, 0.5].into_iter().chain(turn).collect();
    assert!(distance(s.q(), &rest) < 1e-9, "{:?}", s.q());
}

#[test]
fn an_arm_swings_onto_its_limit_and_stays() {
    // A rod falls from level to a stop at -30 degrees, no restitution.
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let arm =
        b.spatial(1.0, diagonal([0.01, 1.0 / 12.0, 1.0 / 12.0]), [0.5, 0.0, 0.0], LEVEL).unwrap();
    let hinge =
        b.joint(Joint::Revolute { axis: [0.0, -1.0, 0.0] }, Link::Ground, arm, [0.0; 3]).unwrap();
    b.limit(hinge, Freedom::Angle, -std::f64::consts::FRAC_PI_6, 1.0, 0.0).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let mut s = stepper(&scene);
    s.advance(1.0, 0.01).unwrap();
    let hit = s.events().iter().find(|e| e.kind == EventKind::Impact).unwrap();
    // Energy: (1/2)(1/3) w^2 = g (1/2) sin 30, so w = sqrt(3 g / 2).
    assert!((hit.speed_before + (1.5 * G).sqrt()).abs() < 1e-3, "{}", hit.speed_before);
    let angle = scene.coordinate(hinge, Freedom::Angle, s.q()).unwrap();
    assert!((angle + std::f64::consts::FRAC_PI_6).abs() < 1e-9, "{angle}");
    assert!(distance(s.v(), &[0.0; 6]) < 1e-9, "{:?}", s.v());
    assert_eq!(scene.dims().n_dir, 0);
}

#[test]
fn a_ball_meets_a_rising_table_at_the_sum_of_their_speeds() {
    // Dropped from 1 m onto a table that rises with 1 m/s, e = 1/2: 1 - g t^2/2 = t, relative speed
    // g t + 1.
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    let p = b.point2(2.0, [0.0, 1.0]).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.0, restitution: 0.5, grain: None }).unwrap();
    let table = b
        .shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, Attach::default())
        .unwrap();
    b.wall_motion(table, Arc::new(|t| t)).unwrap();
    b.shape(p, Shape::Ball { radius: 0.0 }, Attach::default()).unwrap();
    let mut s = stepper(&Arc::new(b.build().unwrap()));
    s.advance(0.5, 0.01).unwrap();
    let hit = s.events().iter().find(|e| e.kind == EventKind::Impact).unwrap();
    let t = ((1.0 + 2.0 * G).sqrt() - 1.0) / G;
    assert!((hit.t - t).abs() < 1e-10, "{} {t}", hit.t);
    // The speed of the table comes from a difference in time.
    assert!(
        (hit.speed_before + G * t + 1.0).abs() < 1e-8
            && (hit.speed_after - 0.5 * (G * t + 1.0)).abs() < 1e-8
    );
    let up = 1.0 + 0.5 * (G * t + 1.0);
    assert!((s.v()[1] - (up - G * (0.5 - t))).abs() < 1e-8, "{}", s.v()[1]);
}

#[test]
fn a_level_gyroscope_precesses_steadily() {
    // Axis level, spin w3, pivot at distance l: it precesses with m g l / (I3 w3) and stays level;
    // exact for a level axis, where the term with the cosine of the inclination vanishes.
    let (m, l, i1, i3, w3) = (2.0, 0.5, 0.3, 0.4, 40.0);
    let precession = m * G * l / (i3 * w3);
    let t = 1.0;
    let end = [l * (precession * t).cos(), l * (precession * t).sin(), 0.0];
    for axes in [Axes::Body, Axes::World] {
        let mut errors = vec![];
        for n in [200, 400, 800] {
            let mut b = Builder::new();
            b.gravity([0.0, 0.0, -G]).unwrap();
            b.axes(axes);
            let top = b.spatial(m, diagonal([i3, i1, i1]), [l, 0.0, 0.0], LEVEL).unwrap();
            b.joint(Joint::Spherical, Link::Ground, top, [0.0; 3]).unwrap();
            b.velocity(top, [0.0, l * precession, 0.0], [w3, 0.0, precession]).unwrap();
            let scene = Arc::new(b.build().unwrap());
            let mut s = stepper(&scene);
            s.advance(t, t / n as f64).unwrap();
            errors.push(distance(&scene.pose(top, s.q()).unwrap().position, &end));
        }
        assert!(
            orders(&errors).iter().all(|o| *o > 1.8) && errors[2] < 1e-3,
            "{axes:?} {errors:?}"
        );
    }
}

#[test]
fn a_torsional_spring_swings_with_its_period() {
    // Without gravity: angle = 0.4 cos(w t), w^2 = k / (I + m l^2), in the plane and in space.
    let (m, l, i, k) = (2.0f64, 0.5, 0.3, 7.0);
    let w = (k / (i + m * l * l)).sqrt();
    for spatial in [false, true] {
        let mut errors = vec![];
        for n in [50, 100, 200] {
            let mut b = Builder::new();
            let arm = if spatial {
                b.spatial(m, diagonal([i; 3]), [l, 0.0, 0.0], LEVEL).unwrap()
            } else {
                b.planar(m, i, [l, 0.0], 0.0).unwrap()
            };
            let hinge = b.joint(Joint::Revolute { axis: Z }, Link::Ground, arm, [0.0; 3]).unwrap();
            // Relaxed at -0.4, so that the start is the turning point.
            let spring = Spring { stiffness: k, damping: 0.0, rest: Some(-0.4) };
            b.joint_spring(hinge, Freedom::Angle, spring).unwrap();
            let scene = Arc::new(b.build().unwrap());
            let mut s = stepper(&scene);
            s.advance(2.0, 2.0 / n as f64).unwrap();
            let angle = scene.coordinate(hinge, Freedom::Angle, s.q()).unwrap();
            errors.push((angle - 0.4 * (w * 2.0).cos() + 0.4).abs());
        }
        assert!(
            orders(&errors).iter().all(|o| *o > 1.8) && errors[2] < 1e-3,
            "{spatial} {errors:?}"
        );
    }
}
