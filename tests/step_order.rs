//! Observed orders of accuracy, and the tables of the 2006 paper on the trapezoidal rule. Step sizes of a series are not
//! multiples of each other where events could fall on common grid points.

mod scenes;

use scenes::*;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{EventKind, EventLevel, MethodKind, Options, Stabilization, Stepper};

const TRAPEZOIDS: [MethodKind; 3] =
    [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII];

/// q(2.5), v(2.5) and the impacts (time, bob) of the double pendulum with g = 9.8, e = 0.1: minimal coordinates, 34-digit
/// extrapolation.
const PENDULUM_Q: [f64; 4] =
    [0.02196211769492439, -0.9997588036053268, 0.02376948677391344, -1.999757170312499];
const PENDULUM_V: [f64; 4] =
    [-0.01217470743986077, -2.6744686491508e-4, 0.06417687857090457, -1.2945114384003e-4];
const PENDULUM_HITS: [(f64, i32); 5] = [
    (0.545508051442001, 0),
    (0.707932699995982, 1),
    (1.284726645954996, 0),
    (2.097739454881154, 1),
    (2.131640284303554, 0),
];

fn pendulum(options: &Options, h: f64) -> Stepper {
    let model = DoublePendulum { g: 9.8, e: 0.1 };
    let mut s = stepper(model, options, &DoublePendulum::start(), &[0.0; 4]);
    s.advance(2.5, h).unwrap();
    s
}

#[test]
fn scheme_two_reproduces_table_10_1() {
    // (error, drift of the first rod, of the second) for h = 2^-5 .. 2^-11, as printed in table 10.1 of Potra, Anitescu,
    // Gavrea and Trinkle (2006); the paper's joint functions have the opposite sign.
    let table = [
        (2.38e-3, 1.27e-3, 3.18e-3),
        (6.14e-4, 3.14e-4, 8.29e-4),
        (1.54e-4, 7.82e-5, 2.14e-4),
        (3.95e-5, 1.95e-5, 5.48e-5),
        (1.01e-5, 4.88e-6, 1.37e-5),
        (2.42e-6, 1.22e-6, 3.44e-6),
        (6.15e-7, 3.05e-7, 8.60e-7),
    ];
    // The same errors from an independent implementation of the printed scheme.
    let digits = [2.3822e-3, 6.1373e-4, 1.5445e-4, 3.9452e-5, 1.0066e-5, 2.4159e-6, 6.1574e-7];
    let options = Options {
        method: MethodKind::TrapezoidII,
        events: Some(EventLevel::Collisions),
        stabilization: Some(Stabilization::None),
        active_gap: 1e-10,
        ..Options::default()
    };
    for (k, (row, digits)) in table.into_iter().zip(digits).enumerate() {
        let s = pendulum(&options, 0.5f64.powi(5 + k as i32));
        let q = s.q();
        let error = distance(q, &PENDULUM_Q);
        let first = q[0] * q[0] + q[1] * q[1] - 1.0;
        let second = (q[0] - q[2]).powi(2) + (q[1] - q[3]).powi(2) - 1.0;
        for (got, printed) in [(error, row.0), (first, row.1), (second, row.2)] {
            // Half a unit of the third digit, and the paper's reference, of which 6.15e-7 shows one unit more.
            assert!((got - printed).abs() <= 6e-3 * printed, "{k}: {got:e} for {printed:e}");
        }
        assert!((error - digits).abs() <= 5e-5 * digits, "{k}: {error:e} for {digits:e}");
    }
}

#[test]
fn the_mixed_scheme_without_projection_has_the_errors_of_its_definition() {
    // Independent implementation: 4.40e-5 at 2^-8, 6.25e-7 at 2^-11.
    let options = Options {
        events: Some(EventLevel::Collisions),
        stabilization: Some(Stabilization::None),
        active_gap: 1e-10,
        ..Options::default()
    };
    for (k, error) in [(8, 4.3967159811591316e-5), (11, 6.252473399708094e-7)] {
        let got = distance(pendulum(&options, 0.5f64.powi(k)).q(), &PENDULUM_Q);
        assert!((got - error).abs() < 1e-4 * error, "{k}: {got:e}");
    }
}

#[test]
fn the_double_pendulum_converges_with_order_two_in_positions_velocities_and_event_times() {
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidII] {
        let options = Options { method, ..Options::default() };
        let (mut eq, mut ev, mut et) = (vec![], vec![], vec![]);
        for k in 7..=11 {
            let s = pendulum(&options, 0.5f64.powi(k));
            let hits: Vec<_> = s.events().iter().filter(|e| e.kind == EventKind::Impact).collect();
            let bobs: Vec<i32> = hits.iter().map(|e| e.contact).collect();
            assert_eq!(bobs, PENDULUM_HITS.map(|h| h.1));
            eq.push(distance(s.q(), &PENDULUM_Q));
            ev.push(distance(s.v(), &PENDULUM_V));
            let late = hits.iter().zip(PENDULUM_HITS).map(|(e, h)| (e.t - h.0).abs());
            et.push(late.fold(0.0, f64::max));
            assert!(s.stats().worst_joint_drift < 1e-14);
        }
        assert!(eq[4] < 7e-7, "{eq:?}");
        for errors in [eq, ev, et] {
            let observed = orders(&errors, 2.0);
            assert!(observed.iter().all(|o| (o - 2.0).abs() < 0.06), "{errors:?} {observed:?}");
        }
    }
}

fn block() -> Block {
    Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 }
}

#[test]
fn without_location_the_block_has_the_errors_of_tables_10_2_and_10_3() {
    // Printed errors for h = 2^-5 ..; the last entry of table 10.2, 3.959e-8, does not reproduce: an independent
    // implementation also gives 4.409e-8.
    let one = [5.197e-5, 1.025e-5, 2.555e-6, 6.551e-7, 1.549e-7, 4.409e-8];
    let two = [8.023e-5, 2.310e-5, 5.619e-6, 1.395e-6, 3.652e-7, 8.246e-8];
    for (method, table) in [(MethodKind::TrapezoidI, one), (MethodKind::TrapezoidII, two)] {
        let options = Options {
            method,
            events: Some(EventLevel::None),
            stabilization: Some(Stabilization::None),
            ..Options::default()
        };
        for (k, printed) in table.into_iter().enumerate() {
            let mut s = stepper(block(), &options, &[3.0, 0.0], &[0.0; 2]);
            s.advance(2.0, 0.5f64.powi(5 + k as i32)).unwrap();
            // x(2), closed form.
            let error = (s.q()[0] - 3.004348569726865).abs();
            assert!((error - printed).abs() < 6e-4 * printed, "{method:?} {k}: {error:e}");
        }
    }
}

#[test]
fn with_all_events_the_block_converges_with_order_two_through_seven_transitions() {
    // Closed form: stop, start, stop, ... and x(10).
    let transitions = scenes::BLOCK_TRANSITIONS;
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        let mut errors = vec![];
        for k in 5..=11 {
            let mut s = stepper(block(), &options, &[3.0, 0.0], &[0.0; 2]);
            let h = 0.5f64.powi(k);
            s.advance(10.0, h).unwrap();
            errors.push((s.q()[0] - 2.9913028331150313).abs());
            assert_eq!(s.events().len(), transitions.len());
            for (event, (kind, t)) in s.events().iter().zip(transitions) {
                assert_eq!(event.kind, kind);
                // Error of the trapezoidal rule for the impulse over the deceleration: h^2/12 8 |sin t1 - sin t0| / |a|, which
                // is 0.85 h^2 for the stops; starts need no integration.
                assert!((event.t - t).abs() < 0.9 * h * h, "{k} {event:?} {t}");
            }
        }
        // Independent implementation: 7.342e-5 at 2^-5, 1.801e-8 at 2^-11.
        assert!((errors[0] - 7.342e-5).abs() < 1e-8 && (errors[6] - 1.801e-8).abs() < 1e-11);
        assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.05), "{errors:?}");
    }
}

/// A bead of 1 kg that slides down the outside of a circle of radius 1: one curved contact, with friction.
struct Bead {
    mu: f64,
}

impl Model for Bead {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 0, n_contact: 1, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -9.81;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        gap[0] = r - 1.0;
        (normal[0], normal[1]) = (q[0] / r, q[1] / r);
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        tangent.copy_from_slice(&[q[1] / r, -q[0] / r, -q[1] / r, q[0] / r]);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
}

/// Angle from the top and its rate after the time `t`, by the classical fourth-order rule on
/// a'' = g sin a - mu (g cos a - a'^2).
fn bead_exact(mu: f64, t: f64) -> (f64, f64) {
    let rate = |(a, w): (f64, f64)| {
        let (s, c) = a.sin_cos();
        (w, 9.81 * s - mu * (9.81 * c - w * w))
    };
    let n = 20000;
    let h = t / f64::from(n);
    let mut y = (0.2, 1.5);
    for _ in 0..n {
        let add = |y: (f64, f64), k: (f64, f64), h: f64| (y.0 + h * k.0, y.1 + h * k.1);
        let k1 = rate(y);
        let k2 = rate(add(y, k1, 0.5 * h));
        let k3 = rate(add(y, k2, 0.5 * h));
        let k4 = rate(add(y, k3, h));
        y.0 += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        y.1 += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    y
}

#[test]
fn a_bead_on_a_circle_shows_order_two_for_mixed_and_ii_and_order_one_for_i() {
    for mu in [0.0, 0.2] {
        let (a, w) = bead_exact(mu, 0.25);
        let (q, v) = ([a.sin(), a.cos()], [w * a.cos(), -w * a.sin()]);
        for (method, order) in TRAPEZOIDS.into_iter().zip([2.0, 1.0, 2.0]) {
            let options = Options { method, ..Options::default() };
            let (mut eq, mut ev) = (vec![], vec![]);
            for n in [20, 40, 80, 160, 320] {
                let (s0, c0) = 0.2f64.sin_cos();
                let start = ([s0, c0], [1.5 * c0, -1.5 * s0]);
                let mut s = stepper(Bead { mu }, &options, &start.0, &start.1);
                s.advance(0.25, 0.25 / f64::from(n)).unwrap();
                assert!(s.events().is_empty(), "{:?}", s.events());
                eq.push(distance(s.q(), &q));
                ev.push(distance(s.v(), &v));
            }
            for errors in [eq, ev] {
                let observed = orders(&errors, 2.0);
                let good = observed[1..].iter().all(|o| (o - order).abs() < 0.15);
                assert!(good, "{method:?} mu {mu}: {errors:?} {observed:?}");
            }
        }
    }
}

/// M(t, q) v' = k(t, q, v), nonlinear in everything, with a known solution: x = sin t + 2, M = (2 + cos t) x,
/// k = M x'' + (x - 2 - sin t) (1 + v^2) + v^2 - cos^2 t.
struct Manufactured;

impl Model for Manufactured {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = (2.0 + t.cos()) * q[0];
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        let wrong = q[0] - 2.0 - t.sin();
        force[0] = -(2.0 + t.cos()) * q[0] * t.sin() - wrong * (1.0 + v[0] * v[0]);
        force[0] -= v[0] * v[0] - t.cos() * t.cos();
        Ok(())
    }
}

#[test]
fn masses_and_forces_that_depend_on_everything_keep_order_two() {
    for method in TRAPEZOIDS {
        let (mut eq, mut ev) = (vec![], vec![]);
        for n in [10, 20, 40, 80, 160] {
            let options = Options { method, ..Options::default() };
            let mut s = stepper(Manufactured, &options, &[2.0], &[1.0]);
            s.advance(3.0, 3.0 / f64::from(n)).unwrap();
            eq.push((s.q()[0] - 2.0 - 3f64.sin()).abs());
            ev.push((s.v()[0] - 3f64.cos()).abs());
        }
        for errors in [eq, ev] {
            let observed = orders(&errors, 2.0);
            assert!(observed[2..].iter().all(|o| (o - 2.0).abs() < 0.1), "{errors:?} {observed:?}");
        }
    }
}

/// A point of 1 kg on the line x = y under a force that depends on everything.
struct OnLine;

/// Across the line.
const ACROSS: [f64; 2] = [std::f64::consts::FRAC_1_SQRT_2, -std::f64::consts::FRAC_1_SQRT_2];

fn pull(t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
    [t.cos() - q[0] - 0.5 * q[0].powi(3), 2.0 * (2.0 * t).sin() - 0.3 * v[1] * (1.0 + q[1] * q[1])]
}

impl Model for OnLine {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        force.copy_from_slice(&pull(t, q, v));
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        phi[0] = ACROSS[0] * q[0] + ACROSS[1] * q[1];
        jt.copy_from_slice(&ACROSS);
        Ok(())
    }
}

#[test]
fn the_impulse_of_a_joint_over_the_step_is_its_force_in_the_middle_to_second_order() {
    // The motion along the line by the classical fourth-order rule; across it the joint carries all.
    let along = |t: f64, s: f64, w: f64| {
        let c = std::f64::consts::FRAC_1_SQRT_2;
        pull(t, &[c * s, c * s], &[c * w, c * w])
    };
    let rate = |t: f64, s: f64, w: f64| {
        let k = along(t, s, w);
        (w, std::f64::consts::FRAC_1_SQRT_2 * (k[0] + k[1]))
    };
    let carried = |end: f64| {
        let n = 4000;
        let h = end / f64::from(n);
        let (mut s, mut w) = (0.0, 0.0);
        for k in 0..n {
            let t = h * f64::from(k);
            let a = rate(t, s, w);
            let b = rate(t + 0.5 * h, s + 0.5 * h * a.0, w + 0.5 * h * a.1);
            let c = rate(t + 0.5 * h, s + 0.5 * h * b.0, w + 0.5 * h * b.1);
            let d = rate(t + h, s + h * c.0, w + h * c.1);
            s += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            w += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
        }
        let k = along(end, s, w);
        -(ACROSS[0] * k[0] + ACROSS[1] * k[1])
    };
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII] {
        let options = Options { method, ..Options::default() };
        let errors: Vec<f64> = [20, 40, 80, 160]
            .iter()
            .map(|&n| {
                let h = 2.0 / f64::from(n);
                let mut s = stepper(OnLine, &options, &[0.0; 2], &[0.0; 2]);
                s.advance(2.0, h).unwrap();
                (s.joint_impulses()[0] / h - carried(2.0 - 0.5 * h)).abs()
            })
            .collect();
        let orders = orders(&errors, 2.0);
        assert!(orders.iter().all(|o| (o - 2.0).abs() < 0.2), "{method:?} {errors:?}");
    }
}

#[test]
fn a_regular_step_is_one_problem_and_a_check_that_the_last_answer_mostly_passes() {
    let block = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
    let mut s = stepper(block, &Options::default(), &[3.0, 0.0], &[0.0; 2]);
    s.advance(10.0, 0.001).unwrap();
    let stats = *s.stats();
    // Seven transitions; each takes a step more, some paths and their checks.
    assert_eq!(stats.steps, 10_000);
    assert!(stats.lcp_solves <= stats.steps + 3 * 7, "{stats:?}");
    assert!(stats.check_solves <= stats.steps + 30 * 7, "{stats:?}");
    // Measured: 997 of 1000.
    assert!(stats.warm_solves * 100 >= 99 * (stats.lcp_solves + stats.check_solves), "{stats:?}");
    // Nothing to check where nothing touches.
    let pendulum = DoublePendulum { g: 9.8, e: 0.1 };
    let mut s = stepper(pendulum, &Options::default(), &DoublePendulum::start(), &[0.0; 4]);
    s.advance(0.5, 0.001).unwrap();
    assert_eq!((s.stats().lcp_solves, s.stats().check_solves), (500, 0));
}
