//! What bodies do: rest without creep, energy never created by rebounds, rolling, moving walls, stiff springs.

mod scenes;

use scenes::*;
use stiction::error::Error;
use stiction::impact::Law;
use stiction::model::{Answer, Dims, Model, Refusal};
use stiction::step::{
    ContactMode, EventKind, EventLevel, MethodKind, Options, Outcome, Stabilization, Stepper,
};

const TRAPEZOIDS: [MethodKind; 3] =
    [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII];

fn incline(mu: f64) -> Block {
    let (s, c) = (std::f64::consts::PI / 6.0).sin_cos();
    Block { mu, push: |_| 0.0, gx: 9.81 * s, gy: 9.81 * c }
}

#[test]
fn a_block_that_sticks_to_an_incline_does_not_creep_in_an_hour() {
    let mut s = stepper(incline(0.6), &Options::default(), &[0.0; 2], &[0.0; 2]);
    s.advance(3600.0, 0.01).unwrap();
    assert!(s.q()[0].abs() < 1e-12 && s.q()[1].abs() < 1e-12, "{:?}", s.q());
    assert_eq!(s.t(), 3600.0);
    assert_eq!(s.contact_mode(0), ContactMode::Sticking);
    assert_eq!(s.stats().steps, 360_000);
    // One problem per step, and one check of the forces at its end.
    assert_eq!(s.stats().lcp_solves, 360_000);
    assert!(s.stats().check_solves <= 360_001);
}

#[test]
fn a_block_on_a_steeper_incline_slides_with_the_closed_form_acceleration() {
    // a = g (sin 30 - 0.5 cos 30) = 0.657145394437...
    let a = 9.81 * (0.5 - 0.5 * (std::f64::consts::PI / 6.0).cos());
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        let mut s = stepper(incline(0.5), &options, &[0.0; 2], &[0.0; 2]);
        s.advance(2.0, 0.01).unwrap();
        assert!((s.q()[0] - 2.0 * a).abs() < 1e-12 && (s.v()[0] - 2.0 * a).abs() < 1e-12);
    }
}

#[test]
fn a_perfectly_elastic_ball_keeps_its_energy_over_a_hundred_bounces() {
    let mut s = stepper(Ball { force: -9.81, e: 1.0 }, &Options::default(), &[1.0], &[0.0]);
    let (mut bounces, mut worst) = (0, 0.0f64);
    while bounces < 100 {
        s.step(0.01).unwrap();
        bounces += times(s.events(), EventKind::Impact).len();
        let energy = 0.5 * s.v()[0] * s.v()[0] + 9.81 * s.q()[0];
        worst = worst.max((energy / 9.81 - 1.0).abs());
    }
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn a_bouncing_ball_passes_through_the_accumulation_and_rests_at_three_seconds() {
    // f = -2, e = 1/2, height 1: impacts at 3 - 2^(1-n), at rest from t = 3.
    let h = 0.01;
    let mut s = stepper(Ball { force: -2.0, e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    s.advance(4.0, h).unwrap();
    let hits = times(s.events(), EventKind::Impact);
    for (n, t) in hits.iter().enumerate() {
        assert!((t - (3.0 - 0.5f64.powi(n as i32 - 1))).abs() < 1e-12, "{n} {t}");
    }
    // Flights shorter than h/100 are closed.
    assert!(hits.len() >= 14, "{hits:?}");
    let closed = times(s.events(), EventKind::Close);
    assert_eq!(closed.len(), 1);
    // What is left when a flight is closed is twice that flight.
    assert!((closed[0] - 3.0).abs() < 0.02 * h);
    assert!(s.q()[0].abs() < 1e-15 && s.v()[0] == 0.0, "{:?} {:?}", s.q(), s.v());
    let last = s.events().last().unwrap();
    assert_eq!((last.kind, last.contact), (EventKind::Close, 0));
}

#[test]
fn a_sliding_cylinder_begins_to_roll_when_the_closed_form_says() {
    // Radius 0.1, mu = 0.2, v0 = 1: slip ends at v0 / (3 mu g) with 2/3 v0, then it rolls.
    let touches = vec![ground(0, [0.0; 2], 0.1, 0.2, 0.0)];
    let bodies = vec![(1.0, 0.5 * 0.01)];
    for method in TRAPEZOIDS {
        let model = Planar {
            bodies: bodies.clone(),
            touches: touches.clone(),
            g: 9.81,
            ..Planar::default()
        };
        let options = Options { method, ..Options::default() };
        let mut s = stepper(model, &options, &[0.0, 0.1, 0.0], &[1.0, 0.0, 0.0]);
        s.advance(1.0, 0.01).unwrap();
        let stick = times(s.events(), EventKind::Stick);
        assert_eq!(stick.len(), 1, "{:?}", s.events());
        assert!((stick[0] - 0.169894665308).abs() < 1e-12);
        assert!((s.v()[0] - 2.0 / 3.0).abs() < 1e-13 && (s.v()[2] + 20.0 / 3.0).abs() < 1e-12);
    }
}

#[test]
fn an_elastic_cradle_with_small_gaps_hands_the_blow_on() {
    // Three balls in a row, e = 1, gaps of 1e-5: the last one leaves with the speed of the first.
    let mut bodies = Planar { bodies: vec![(1.0, 1.0); 3], ..Planar::default() };
    for i in 0..2 {
        bodies.touches.push(Touch {
            point: (i + 1, [0.0; 2]),
            radius: 0.2,
            line: (i, [0.0; 2]),
            normal: 0.0,
            mu: 0.0,
            e: 1.0,
        });
    }
    let q = [0.0, 0.0, 0.0, 0.2 + 1e-5, 0.0, 0.0, 0.4 + 2e-5, 0.0, 0.0];
    let mut s = stepper(bodies, &Options::default(), &q, &[1.0, 0., 0., 0., 0., 0., 0., 0., 0.]);
    s.advance(0.1, 0.01).unwrap();
    assert_eq!(times(s.events(), EventKind::Impact).len(), 2);
    let v: Vec<f64> = s.v().iter().step_by(3).copied().collect();
    assert!(distance(&v, &[0.0, 0.0, 1.0]) < 1e-12, "{v:?}");
}

/// Two carts on a floor with a spring to the wall and a damper between them; a stopper at x1 = 0. PAGT06 10.3.
struct Carts {
    stiffness: f64,
    damping: f64,
}

impl Model for Carts {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 4, n_joint: 0, n_contact: 3, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..4).for_each(|i| mass[5 * i] = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        let pull = self.damping * (v[2] - v[0]);
        f.copy_from_slice(&[-self.stiffness * (q[0] - 0.2) + pull, -9.81, -pull, -9.81]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap.copy_from_slice(&[q[0], q[1], q[3]]);
        (normal[0], normal[5], normal[11]) = (1.0, 1.0, 1.0);
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        // The stopper has friction directions too, but no friction.
        for (contact, axis) in [(0, 1), (1, 0), (2, 2)] {
            tangent[8 * contact + axis] = 1.0;
            tangent[8 * contact + 4 + axis] = -1.0;
        }
        Ok(())
    }
    fn mu(&self, i: usize) -> f64 {
        if i == 0 { 0.0 } else { 0.05 }
    }
    fn restitution(&self, i: usize) -> f64 {
        if i == 0 { 0.3 } else { 0.0 }
    }
}

#[test]
fn two_carts_never_gain_energy_however_stiff_their_damper_and_spring() {
    // Energy at the start: 1/2 (4 + 4) + 1/2 100 0.01 = 4.5, and 9.
    let cases = [
        (100.0, 1e2, 0.1, -2.0, 4.5),
        (100.0, 1e3, 0.1, -2.0, 4.5),
        (100.0, 1e6, 0.1, -2.0, 4.5),
        (1e2, 10.0, 0.2, -3.0, 9.0),
        (1e4, 10.0, 0.2, -3.0, 9.0),
        (1e6, 10.0, 0.2, -3.0, 9.0),
    ];
    for method in TRAPEZOIDS {
        for (stiffness, damping, x, v, start) in cases {
            let options = Options { method, ..Options::default() };
            let (q, v) = ([x, 0.0, x + 5.0, 0.0], [v, 0.0, v, 0.0]);
            let mut s = stepper(Carts { stiffness, damping }, &options, &q, &v);
            for _ in 0..400 {
                s.step(0.01).unwrap();
                let (q, v) = (s.q(), s.v());
                let energy = 0.5 * (v.iter().map(|v| v * v).sum::<f64>())
                    + 0.5 * stiffness * (q[0] - 0.2).powi(2);
                // The differences that stand for the Jacobian are good to 1e-8.
                assert!(
                    energy <= start * (1.0 + 1e-6),
                    "{method:?} {stiffness} {damping} {energy}"
                );
            }
        }
    }
}

#[test]
fn two_carts_converge_to_the_exact_piecewise_linear_motion() {
    // Exact, by matrix exponentials between events: state at t = 1 for stiffness 100, damping 10.
    let q = [0.16716951023892263, 0.0, 4.885759589309227, 0.0];
    let v = [0.04046910074194698, 0.0, -0.0880454051523201, 0.0];
    let (mut eq, mut ev) = (vec![], vec![]);
    for n in [100, 200, 400, 800] {
        let model = Carts { stiffness: 100.0, damping: 10.0 };
        let options = Options::default();
        let mut s = stepper(model, &options, &[0.2, 0.0, 5.2, 0.0], &[-3.0, 0.0, -3.0, 0.0]);
        s.advance(1.0, 1.0 / f64::from(n)).unwrap();
        eq.push(distance(s.q(), &q));
        ev.push(distance(s.v(), &v));
    }
    for errors in [eq, ev] {
        let observed = orders(&errors, 2.0);
        assert!(observed.iter().all(|o| (o - 2.0).abs() < 0.15), "{errors:?} {observed:?}");
    }
}

#[test]
fn a_damper_of_a_million_does_not_ring_after_the_impacts() {
    // Exact state at t = 4 for stiffness 100, damping 1e6: matrix exponentials between events.
    let (x, v) =
        ([0.22100245803967628, 5.221000206129415], [0.08787901636399735, 0.08788006648470234]);
    let model = Carts { stiffness: 100.0, damping: 1e6 };
    let (q0, v0) = ([0.1, 0.0, 5.1, 0.0], [-2.0, 0.0, -2.0, 0.0]);
    let mut s = stepper(model, &Options::default(), &q0, &v0);
    s.advance(4.0, 0.01).unwrap();
    assert!(distance(&[s.q()[0], s.q()[2]], &x) < 1e-3, "{:?}", s.q());
    assert!(distance(&[s.v()[0], s.v()[2]], &v) < 2e-2, "{:?}", s.v());
    // The damper is rigid for all that can be seen: both carts move as one.
    assert!((s.v()[0] - s.v()[2]).abs() < 1e-4);
}

/// A ball of 1 kg on a plate that moves as sin(3 t)/4, under gravity.
struct Plate {
    e: f64,
}

impl Model for Plate {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = -9.81;
        Ok(())
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[0] - 0.25 * (3.0 * t).sin();
        normal[0] = 1.0;
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

#[test]
fn a_ball_rides_on_a_moving_plate_without_leaving_it() {
    // The plate accelerates with at most 9/4 < g.
    let mut s = stepper(Plate { e: 0.5 }, &Options::default(), &[0.0], &[0.75]);
    s.advance(3.0, 0.01).unwrap();
    assert!(s.events().is_empty(), "{:?}", s.events());
    assert!((s.q()[0] - 0.25 * 9f64.sin()).abs() < 1e-12);
    assert!((s.v()[0] - 0.75 * 9f64.cos()).abs() < 1e-7, "{:?}", s.v());
}

#[test]
fn a_ball_rebounds_from_a_moving_plate_with_the_relative_speed() {
    let mut s = stepper(Plate { e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    let (mut last, mut hit) = (0.0, None);
    while hit.is_none() {
        last = s.t();
        s.step(0.01).unwrap();
        hit = s.events().first().copied();
    }
    let hit = hit.unwrap();
    assert!(hit.kind == EventKind::Impact && hit.t > last);
    // 1 - g t^2 / 2 = sin(3 t)/4, to rounding: flight is exact.
    assert!((1.0 - 0.5 * 9.81 * hit.t * hit.t - 0.25 * (3.0 * hit.t).sin()).abs() < 1e-12);
    let before = -9.81 * hit.t - 0.75 * (3.0 * hit.t).cos();
    assert!((hit.speed_before - before).abs() < 1e-8, "{} {before}", hit.speed_before);
    assert!((hit.speed_after + 0.5 * before).abs() < 1e-8);
    assert!(hit.impulse > 0.0 && (hit.impulse + 1.5 * before).abs() < 1e-7);
}

/// A point on a crank that turns with a prescribed angle t^2/2: two joints that move.
struct Crank;

impl Model for Crank {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -9.81;
        Ok(())
    }
    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let (s, c) = (0.5 * t * t).sin_cos();
        (phi[0], phi[1]) = (q[0] - c, q[1] - s);
        (jt[0], jt[3]) = (1.0, 1.0);
        Ok(())
    }
}

#[test]
fn a_prescribed_crank_is_followed() {
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        let mut s = stepper(Crank, &options, &[1.0, 0.0], &[0.0, 0.0]);
        s.advance(2.0, 0.02).unwrap();
        let (sine, cosine) = 2f64.sin_cos();
        assert!(distance(s.q(), &[cosine, sine]) < 1e-12, "{:?}", s.q());
        // Scheme I has its rows at the midpoint and does not project velocities: it is h/2 late.
        let late = if method == MethodKind::TrapezoidI { 0.06 } else { 1e-6 };
        assert!(distance(s.v(), &[-2.0 * sine, 2.0 * cosine]) < late, "{method:?} {:?}", s.v());
    }
}

/// A mass on a spring.
struct Oscillator {
    stiffness: f64,
}

impl Model for Oscillator {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = -self.stiffness * q[0];
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, _: &[f64], _: &[f64], dfdq: &mut [f64], _: &mut [f64]) -> Answer {
        dfdq[0] = -self.stiffness;
        Ok(())
    }
}

#[test]
fn springs_of_any_stiffness_are_stable_and_keep_their_energy() {
    for exponent in 0..=10 {
        let stiffness = 10f64.powi(exponent);
        let mut s = stepper(Oscillator { stiffness }, &Options::default(), &[1.0], &[0.0]);
        let energy =
            |s: &Stepper| 0.5 * s.v()[0] * s.v()[0] + 0.5 * stiffness * s.q()[0] * s.q()[0];
        let start = energy(&s);
        s.advance(10.0, 0.1).unwrap();
        // The trapezoidal rule conserves the energy of a linear oscillator for every h.
        assert!((energy(&s) / start - 1.0).abs() < 1e-9, "{stiffness:e} {}", energy(&s) / start);
    }
}

#[test]
fn an_explicit_spring_is_unstable_where_the_implicit_one_is_not() {
    let run = |method| {
        let mut s = stepper(
            Oscillator { stiffness: 1e6 },
            &Options { method, ..Options::default() },
            &[1.0],
            &[0.0],
        );
        s.advance(1.0, 0.01).map(|_| s.q()[0].abs())
    };
    assert!(run(MethodKind::ImplicitEuler).unwrap() < 1.0);
    assert!(run(MethodKind::Euler).map_or(true, |x| x > 1e6));
}

#[test]
fn an_impact_that_would_create_energy_is_replaced_and_reported() {
    // AP97: m = 1, J = 1/8, n = (0,1,1), t = (1,0,1), mu = 1.2, v- = (1,-1,0), e = 1/2 gives more energy than there was.
    struct Gain;
    impl Model for Gain {
        fn dims(&self) -> Dims {
            Dims { nq: 3, nv: 3, n_joint: 0, n_contact: 1, n_dir: 2, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            (mass[0], mass[4], mass[8]) = (1.0, 1.0, 0.125);
            Ok(())
        }
        fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
            gap[0] = q[1] + q[2];
            (normal[1], normal[2]) = (1.0, 1.0);
            Ok(())
        }
        fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
            tangent.copy_from_slice(&[1.0, 0.0, 1.0, -1.0, 0.0, -1.0]);
            Ok(())
        }
        fn mu(&self, _: usize) -> f64 {
            1.2
        }
        fn restitution(&self, _: usize) -> f64 {
            0.5
        }
    }
    // Kinetic energies 1 before, 9/8 by Poisson; plastic stops it, reflection gives v+ = (-1/2, 1/2, 0).
    for (fallback, v) in [(Law::Plastic, [0.0; 3]), (Law::Reflection, [-0.5, 0.5, 0.0])] {
        let options = Options { energy_fallback: fallback, ..Options::default() };
        let mut s = stepper(Gain, &options, &[0.0; 3], &[1.0, -1.0, 0.0]);
        assert_eq!(s.step(0.01).unwrap(), Outcome::Eventful);
        let energy = s.events().iter().find(|e| e.kind == EventKind::Energy).unwrap();
        assert_eq!((energy.contact, energy.t), (-1, 0.0));
        assert!((energy.speed_before - 1.0).abs() < 1e-14);
        assert!((energy.speed_after - 1.125).abs() < 1e-14);
        assert!(distance(s.v(), &v) < 1e-14, "{:?}", s.v());
    }
}

#[test]
fn a_penetration_at_the_start_gets_no_impulse_for_its_depth() {
    let at = |stabilization, v: f64| {
        let options = Options { stabilization: Some(stabilization), ..Options::default() };
        let mut s = stepper(Ball { force: -9.81, e: 0.5 }, &options, &[-0.01], &[v]);
        s.step(0.01).unwrap();
        s
    };
    let s = at(Stabilization::Project, 0.0);
    assert_eq!((s.q(), s.v(), s.events().len()), (&[0.0][..], &[0.0][..], 0));
    for stabilization in [Stabilization::None, Stabilization::Velocity] {
        let s = at(stabilization, 0.0);
        assert_eq!((s.q(), s.v(), s.events().len()), (&[-0.01][..], &[0.0][..], 0));
    }
    // One that approaches is an impact at the start.
    let s = at(Stabilization::Project, -1.0);
    let hit = s.events()[0];
    assert_eq!((hit.kind, hit.t, hit.speed_before), (EventKind::Impact, 0.0, -1.0));
    assert!((hit.speed_after - 0.5).abs() < 1e-15);
}

#[test]
fn drift_stays_at_rounding_with_projection_and_falls_with_the_cube_of_the_step_with_row_terms() {
    let drift = |stabilization, h: f64| {
        let options = Options { stabilization: Some(stabilization), ..Options::default() };
        let model = DoublePendulum { g: 9.81, e: 0.5 };
        let mut s = stepper(model, &options, &DoublePendulum::start(), &[0.0; 4]);
        s.advance(5.0, h).unwrap();
        s.stats().worst_joint_drift
    };
    assert!(drift(Stabilization::Project, 0.01) < 1e-14);
    let h = [0.02, 0.01, 0.005, 0.0025];
    let none = h.map(|h| drift(Stabilization::None, h));
    let terms = h.map(|h| drift(Stabilization::Velocity, h));
    // Without stabilization the drift is that of the scheme, of second order.
    assert!(orders(&none, 2.0).iter().all(|o| *o > 1.9 && *o < 2.5), "{none:?}");
    assert!(orders(&terms, 2.0).iter().all(|o| *o > 2.8 && *o < 3.4), "{terms:?}");
    assert!(terms[3] < 0.02 * none[3], "{terms:?} {none:?}");
}

/// A point that is refused beyond x = 1, and a host that stops beyond x = 2.
struct Fence;

impl Model for Fence {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = 0.0;
        match q[0] {
            x if x > 2.0 => Err(Refusal::Stop(-5)),
            x if x > 1.0 => Err(Refusal::Point(7)),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_refused_point_leaves_no_trace_but_a_count() {
    let mut s = stepper(Fence, &Options::default(), &[0.0], &[1.0]);
    s.advance(0.9, 0.1).unwrap();
    let (before, stats) = (s.q().to_vec(), *s.stats());
    assert_eq!(s.step(0.5).unwrap_err(), Error::Rejected { what: "force", code: 7 });
    assert_eq!((s.t(), s.q()), (0.9, &before[..]));
    assert_eq!(s.stats().rejected, 1);
    assert_eq!(s.stats().force_evals, stats.force_evals);
    assert_eq!(s.step(5.0).unwrap_err(), Error::Callback { what: "force", code: -5 });
    s.step(0.05).unwrap();
    // advance stands at its last completed step.
    s.set_state(0.0, &[0.0], &[1.0]).unwrap();
    assert!(s.advance(2.0, 0.3).is_err());
    assert!((s.t() - 0.9).abs() < 1e-15 && (s.q()[0] - 0.9).abs() < 1e-14);
}

#[test]
fn steps_end_where_they_should_to_the_last_bit() {
    let ball = || Ball { force: -9.81, e: 0.7 };
    let mut s = stepper(ball(), &Options::default(), &[1.0], &[0.0]);
    let mut t = 0.0;
    for _ in 0..200 {
        s.step(0.01).unwrap();
        t += 0.01;
        assert_eq!(s.t(), t);
    }
    let mut s = stepper(ball(), &Options::default(), &[1.0], &[0.0]);
    s.advance(1.0, 0.3).unwrap();
    assert_eq!((s.t(), s.stats().steps), (1.0, 4));
    s.advance(1.0, 0.3).unwrap();
    assert_eq!(s.stats().steps, 4);
    s.advance(1.3, 0.1).unwrap();
    assert_eq!((s.t(), s.stats().steps), (1.3, 7));
    assert!(matches!(s.advance(1.2, 0.1), Err(Error::Range { what: "t_end", .. })));
    assert!(matches!(s.step(0.0), Err(Error::Range { what: "h", .. })));
    assert!(matches!(s.step(f64::NAN), Err(Error::NonFinite { what: "h", .. })));
    assert!(matches!(s.step(1e-300), Err(Error::StepTooSmall { .. })));
}

#[test]
fn options_that_make_no_sense_are_refused() {
    use std::sync::Arc;
    let make = |options: Options| Stepper::new(Arc::new(Ball { force: 0.0, e: 0.0 }), &options);
    assert!(make(Options { abs_tol: -1e-6, ..Options::default() }).is_err());
    assert!(make(Options { closing: -1.0, ..Options::default() }).is_err());
    assert!(make(Options { energy_fallback: Law::Newton, ..Options::default() }).is_err());
}

#[test]
fn time_stepping_alone_reports_an_impact_at_the_end_of_the_step_that_penetrates() {
    let options = Options { events: Some(EventLevel::None), ..Options::default() };
    let mut s = stepper(Ball { force: -2.0, e: 0.5 }, &options, &[1.0], &[0.0]);
    s.advance(2.0, 0.03).unwrap();
    let hit = s.events()[0];
    assert!(hit.kind == EventKind::Impact && hit.t >= 1.0 && hit.t < 1.03 + 1e-12, "{hit:?}");
}

#[test]
fn a_table_on_three_parallel_cranks_swings_although_one_is_redundant() {
    // Cranks of 1 m and 1 kg, a table of 1 kg: (1 + n/3) a'' = -g (1 + n/2) sin a for n cranks. The third adds as many
    // equations as coordinates: the mechanism moves only because one equation depends on the others.
    let reference = |cranks: f64, t: f64| {
        let pull = 9.81 * (1.0 + cranks / 2.0) / (1.0 + cranks / 3.0);
        let (mut a, mut w, n) = (0.7f64, 0.0f64, 20000);
        let h = t / f64::from(n);
        // Stoermer and Verlet; the error is of the size of h^2.
        for _ in 0..n {
            w -= 0.5 * h * pull * a.sin();
            a += h * w;
            w -= 0.5 * h * pull * a.sin();
        }
        a
    };
    for cranks in [2usize, 3] {
        let errors: Vec<f64> = [50, 100, 200]
            .into_iter()
            .map(|n| {
                let a = 0.7f64;
                let mut m = Planar { bodies: vec![(1.0, 0.5)], g: 9.81, ..Planar::default() };
                let mut q = vec![1.0 + a.sin(), -a.cos(), 0.0];
                for i in 0..cranks {
                    let (x, body) = ([0.0, 2.0, 1.0][i], i as i32 + 1);
                    m.bodies.push((1.0, 1.0 / 12.0));
                    m.pins.push(((body, [0.0, 0.5]), (-1, [x, 0.0])));
                    m.pins.push(((body, [0.0, -0.5]), (0, [x - 1.0, 0.0])));
                    q.extend_from_slice(&[x + 0.5 * a.sin(), -0.5 * a.cos(), a]);
                }
                let v = vec![0.0; q.len()];
                let mut s = stepper(m, &Options::default(), &q, &v);
                s.advance(1.0, 1.0 / f64::from(n)).unwrap();
                assert!(s.stats().worst_joint_drift < 1e-13);
                (s.q()[5] - reference(cranks as f64, 1.0)).abs()
            })
            .collect();
        assert!(orders(&errors, 2.0).iter().all(|o| *o > 1.9 && *o < 2.4), "{errors:?}");
    }
}

#[test]
fn scheme_two_never_gains_energy_under_constant_forces() {
    // PAGT06 (9.7): impulses along G do no positive work on the mean velocity that the rows constrain. Here with plastic
    // impacts, friction and joints, without projection.
    for seed in 0..20 {
        let (mut model, q, v) = chain(seed, false);
        model.touches.iter_mut().for_each(|t| t.e = 0.0);
        let (copy, ..) = chain(seed, false);
        let options = Options {
            method: MethodKind::TrapezoidII,
            events: Some(EventLevel::None),
            stabilization: Some(Stabilization::None),
            ..Options::default()
        };
        let mut s = stepper(model, &options, &q, &v);
        let mut energy = copy.energy(&q, &v);
        for _ in 0..60 {
            s.step(0.02).unwrap();
            let new = copy.energy(s.q(), s.v());
            assert!(new <= energy + 1e-12 * energy.abs(), "{seed} {}: {energy} {new}", s.t());
            energy = new;
        }
    }
}

#[test]
fn an_euler_step_has_no_more_kinetic_energy_than_the_step_without_constraints() {
    // AP97, theorem 2.3.
    let kinetic = |m: &Planar, v: &[f64]| {
        let (still, zero) = (vec![0.0; v.len()], 0.0);
        Planar { bodies: m.bodies.clone(), g: zero, ..Planar::default() }.energy(&still, v)
    };
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let (model, q, _) = shaken_stack(seed);
        let (copy, ..) = shaken_stack(seed);
        // Along the ground: no impact at the start.
        let along = |i: usize, x: f64| if i.is_multiple_of(3) { x } else { 0.0 };
        let v: Vec<f64> = (0..q.len()).map(|i| along(i, dice.between(-1.0, 1.0))).collect();
        let h = 0.01;
        let mut force = vec![0.0; v.len()];
        copy.force(0.0, &q, &v, &mut force).unwrap();
        let weight =
            |i: usize| if i % 3 == 2 { copy.bodies[i / 3].1 } else { copy.bodies[i / 3].0 };
        let free: Vec<f64> =
            v.iter().enumerate().map(|(i, v)| v + h * force[i] / weight(i)).collect();
        let options = Options { method: MethodKind::Euler, ..Options::default() };
        let mut s = stepper(model, &options, &q, &v);
        s.step(h).unwrap();
        let (with, without) = (kinetic(&copy, s.v()), kinetic(&copy, &free));
        assert!(
            s.events().is_empty() && with <= without * (1.0 + 1e-12),
            "{seed}: {with} {without}"
        );
    }
}

#[test]
fn events_beyond_the_capacity_are_counted() {
    let options = Options { event_capacity: 2, ..Options::default() };
    let mut s = stepper(Ball { force: -2.0, e: 0.5 }, &options, &[1.0], &[0.0]);
    assert_eq!(s.advance(4.0, 0.1).unwrap(), Outcome::Eventful);
    assert_eq!(s.events().len(), 2);
    assert!(s.stats().events_lost > 5 && (s.events()[1].t - 2.0).abs() < 1e-12);
}

/// A model of which everything can be wrong.
#[derive(Clone, Copy)]
struct Odd {
    dims: Dims,
    mu: f64,
    e: f64,
    mass: f64,
}

impl Model for Odd {
    fn dims(&self) -> Dims {
        self.dims
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.fill(self.mass);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

#[test]
fn models_that_make_no_sense_are_refused_by_name() {
    let good = Odd {
        dims: Dims { nq: 1, nv: 1, n_joint: 0, n_contact: 1, n_dir: 2, ..Dims::default() },
        mu: 0.5,
        e: 0.5,
        mass: 1.0,
    };
    let make = |m: Odd| Stepper::new(std::sync::Arc::new(m), &Options::default()).err();
    assert!(make(good).is_none());
    let dims = |n_dir, nq| Dims { n_dir, nq, ..good.dims };
    for (bad, what) in [
        (Odd { dims: dims(3, 1), ..good }, "n_dir"),
        (Odd { dims: dims(0, 1), ..good }, "n_dir"),
        (Odd { dims: dims(2, 2), ..good }, "nq"),
        (Odd { mu: -0.1, ..good }, "mu[0]"),
        (Odd { mu: f64::NAN, ..good }, "mu[0]"),
        (Odd { e: 1.5, ..good }, "restitution[0]"),
    ] {
        let e = make(bad).expect(what);
        assert!(e.to_string().starts_with(what), "{e}");
    }
    for (mass, expected) in [(0.0, "mass is not positive definite"), (f64::NAN, "mass[0] is NaN")] {
        let mut s = stepper(Odd { mass, ..good }, &Options::default(), &[0.0], &[0.0]);
        let e = s.step(0.1).unwrap_err();
        assert!(e.to_string().starts_with(expected), "{e}");
        assert_eq!((s.t(), s.stats().rejected, s.stats().steps), (0.0, 1, 0));
    }
}

#[test]
fn a_model_without_coordinates_only_lets_time_pass() {
    let nothing = Odd { dims: Dims::default(), mu: 0.0, e: 0.0, mass: 0.0 };
    let mut s = stepper(nothing, &Options::default(), &[], &[]);
    assert_eq!(s.advance(1.0, 0.1).unwrap(), Outcome::Quiet);
    assert_eq!((s.t(), s.stats().steps), (1.0, 10));
}

#[test]
fn hops_lower_than_the_gap_of_touch_do_not_sink() {
    // Flights that stay within the active gap were never seen to land and lost a gap each.
    for (active_gap, h, end) in [(1e-3, 0.01, 30.0), (1e-4, 0.01, 30.0), (0.0, 3e-5, 1.6)] {
        for method in [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII] {
            let options = Options { method, active_gap, ..Options::default() };
            let ball = Ball { force: -9.81, e: 0.5 };
            let mut s = stepper(ball, &options, &[1.0], &[0.0]);
            s.advance(end, h).unwrap();
            let depth = if active_gap > 0.0 { active_gap } else { 1e-9 };
            assert!(
                s.q()[0] >= -depth && s.v()[0].abs() < 1e-9,
                "{method:?} {:?} {:?}",
                s.q(),
                s.v()
            );
        }
    }
}

/// 1 kg driven away from the origin: f = 1e4 sin q.
struct Driven;

impl Model for Driven {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = 1e4 * q[0].sin();
        Ok(())
    }
}

#[test]
fn a_matrix_that_is_barely_definite_does_not_throw_the_body_away() {
    // 1 - h^2/4 1e4 vanishes at h = 0.02; the exact velocity there is 0.36.
    for h in [0.0199, 0.01998, 0.02, 0.02002] {
        let mut s = stepper(Driven, &Options::default(), &[1e-3], &[0.0]);
        s.step(h).unwrap();
        assert!(s.v()[0] > 0.1 && s.v()[0] < 1.0, "h = {h}: {:?}", s.v());
        assert_eq!(s.stats().jacobian_fallbacks, 1);
    }
}
