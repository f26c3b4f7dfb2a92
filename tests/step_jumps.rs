//! Runs by tolerances where forces are not smooth, or where no step is short enough: the end is as near as the tolerance
//! says, or a status tells by name why not.

#[path = "support/experiments.rs"]
mod experiments;
#[path = "support/norms.rs"]
mod norms;
mod scenes;

use MethodKind::*;
use experiments::pendulum;
use scenes::*;
use std::f64::consts::PI;
use stiction::error::Error;
use stiction::model::{Answer, Dims, Model, Refusal};
use stiction::step::{MethodKind, Options, Stepper};

const FIRST_ORDER: [MethodKind; 3] = [Euler, StewartTrinkle, ImplicitEuler];
const SECOND_ORDER: [MethodKind; 7] =
    [Trapezoid, TrapezoidI, TrapezoidII, Moreau, SchatzmanPaoli, LobattoIIIA2, HalfExplicit2];
const HIGH_ORDER: [MethodKind; 5] =
    [LobattoIIIA4, LobattoIIIA6, RadauIIA3, RadauIIA5, HalfExplicit4];

/// A point of 1 kg under the force f(t, q, v).
struct Point(fn(f64, f64, f64) -> f64);

impl Model for Point {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        let f = (self.0)(t, q[0], v[0]);
        if f == f64::INFINITY {
            return Err(Refusal::Point(7));
        }
        force[0] = f;
        Ok(())
    }
}

fn all() -> impl Iterator<Item = MethodKind> {
    FIRST_ORDER.into_iter().chain(SECOND_ORDER).chain(HIGH_ORDER)
}

fn by_tolerance(method: MethodKind, abs_tol: f64) -> Options {
    Options { method, abs_tol, ..Options::default() }
}

/// Error at t = 1 in tolerances, from (q, v) at t = 0.
fn error_at_one(
    model: impl Model + 'static,
    options: &Options,
    (q, v): (f64, f64),
    exact: f64,
) -> f64 {
    let mut s = stepper(model, options, &[q], &[v]);
    let told = s.advance(1.0, 0.01);
    assert!(told.is_ok(), "{:?} {:e}: {told:?}", options.method, options.abs_tol);
    (s.q()[0] - exact).abs() / options.abs_tol
}

/// A ball that falls 1 m on a spring of 1e4 N/m, at t = 1: half an oscillation between two parabolas.
fn bumper_end() -> f64 {
    let (g, w) = (9.81f64, 100.0f64);
    let fall = (2.0 / g).sqrt();
    let v = g * fall;
    let touch = 2.0 * (PI - (v * w / g).atan()) / w;
    let rise = 1.0 - fall - touch;
    v * rise - 0.5 * g * rise * rise
}

#[test]
fn a_bumper_given_as_a_force_returns_what_falls_on_it() {
    // Two solutions that both miss it agree: the ball returned with any height, and the run succeeded.
    let bumper = || Point(|_, q, _| -9.81 - if q < 0.0 { 1e4 * q } else { 0.0 });
    let exact = bumper_end();
    assert!((exact - 0.97922).abs() < 1e-5, "{exact}");
    for method in FIRST_ORDER {
        let error = error_at_one(bumper(), &by_tolerance(method, 1e-3), (1.0, 0.0), exact);
        assert!(error < 10.0, "{method:?}: {error}");
    }
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        for k in if HIGH_ORDER.contains(&method) { 3..=9 } else { 3..=7 } {
            let options = by_tolerance(method, 0.1f64.powi(k));
            let error = error_at_one(bumper(), &options, (1.0, 0.0), exact);
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
}

/// What jumps in a force, and where it leads from rest in one second, in closed form.
fn jumps() -> [(&'static str, Point, f64); 5] {
    let (at, late) = (0.37f64, 0.63f64);
    let reach = 0.6f64.sqrt();
    let weak = 0.01 * (1.0 - 10f64.cos()) + 0.005 * late * late;
    [
        (
            "in time",
            Point(|t, _, _| if t < 0.37 { 1.0 } else { -2.0 }),
            0.5 * at * at + at * late - late * late,
        ),
        (
            "in position",
            Point(|_, q, _| if q < 0.3 { 1.0 } else { -2.0 }),
            0.3 + reach * (1.0 - reach) - (1.0 - reach).powi(2),
        ),
        ("in velocity", Point(|_, _, v| if v < 0.5 { 1.0 } else { 0.2 }), 0.4),
        (
            "on a spring",
            Point(|t, q, _| -100.0 * q + if t < 0.37 { 0.0 } else { 1.0 }),
            0.01 * (1.0 - (10.0 * late).cos()),
        ),
        ("weakly", Point(|t, _, _| (10.0 * t).cos() + if t < 0.37 { 0.0 } else { 0.01 }), weak),
    ]
}

#[test]
fn forces_that_jump_are_passed_within_the_tolerance() {
    for method in all() {
        for k in [3, 6, 9] {
            if k > 3 && FIRST_ORDER.contains(&method) {
                continue;
            }
            for (name, model, exact) in jumps() {
                // A hundredth of the force hides between samples that are half a radian apart.
                let most = if name == "weakly" { 30.0 } else { 10.0 };
                let options = by_tolerance(method, 0.1f64.powi(k));
                let error = error_at_one(model, &options, (0.0, 0.0), exact);
                assert!(error < most, "{method:?} {name} 1e-{k}: {error}");
            }
        }
    }
}

#[test]
fn a_pulse_is_seen_by_steps_that_are_told_to_be_short() {
    let pulse = || Point(|t, _, _| if t > 0.4 && t < 0.41 { 100.0 } else { 0.0 });
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        for k in [3, 6, 8] {
            let options = Options { max_step: 0.02, ..by_tolerance(method, 0.1f64.powi(k)) };
            let error = error_at_one(pulse(), &options, (0.0, 0.0), 0.595);
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
    let wrong = Options { max_step: -1.0, ..Options::default() };
    let told = Stepper::new(std::sync::Arc::new(pulse()), &wrong).err();
    assert!(matches!(told, Some(Error::Range { what: "max_step", .. })), "{told:?}");
}

#[test]
fn a_force_that_turns_at_every_step_is_refused_where_it_does() {
    // Coulomb's law written as a force has no motion once the body stands, at t = 1/2 and q = 1/4.
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        let rub = Point(|_, _, v| if v > 0.0 { -2.0 } else { 2.0 });
        let mut s = stepper(rub, &by_tolerance(method, 1e-7), &[0.0], &[1.0]);
        let told = s.advance(1.0, 0.01).unwrap_err();
        assert!(matches!(told, Error::StepTooSmall { .. }), "{method:?} {told}");
        assert!((s.q()[0] - 0.25).abs() < 1e-6 && (s.t() - 0.5).abs() < 1e-3, "{method:?}");
        assert!(s.stats().steps < 20_000, "{method:?}");
    }
}

/// A point of 1 kg with a brake of `bound(t)`.
struct Braked(fn(f64) -> f64);

impl Model for Braked {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_brake: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> Answer {
        Ok(())
    }
    fn brake(&self, t: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        (bound[0], direction[0]) = ((self.0)(t), 1.0);
        Ok(())
    }
}

#[test]
fn brakes_stop_where_they_should_by_every_method_that_has_them() {
    // From 1 m/s under 2 N to rest after 1/4 m; and with 1 N up to t = 0.3, from 0.7 m/s under 2 N.
    for method in FIRST_ORDER.into_iter().chain(SECOND_ORDER) {
        if matches!(method, LobattoIIIA2 | HalfExplicit2) {
            continue;
        }
        for k in [3, 4, 6, 8] {
            if k > 3 && FIRST_ORDER.contains(&method) {
                continue;
            }
            let options = by_tolerance(method, 0.1f64.powi(k));
            let error = error_at_one(Braked(|_| 2.0), &options, (0.0, 1.0), 0.25);
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
            let grips = Braked(|t| if t < 0.3 { 1.0 } else { 2.0 });
            let exact = 0.3 - 0.5 * 0.09 + 0.49 / 4.0;
            let error = error_at_one(grips, &options, (0.0, 1.0), exact);
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
}

/// A ball of 1 kg above a table at 0.05 sin 10 t.
struct Table;

impl Model for Table {
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
        gap[0] = q[0] - 0.05 * (10.0 * t).sin();
        normal[0] = 1.0;
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        0.5
    }
}

#[test]
fn a_table_that_moves_throws_a_ball_as_high_as_it_should() {
    // Five impacts, each the root of parabola less sine by bisection to rounding.
    let exact = 0.049566011392159694;
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        // Differences of gaps in time are wrong by more than 1e-9 in the short steps of SCHATZMAN_PAOLI.
        for k in if method == SchatzmanPaoli { 3..=7 } else { 3..=8 } {
            let tolerance = 0.1f64.powi(k);
            let mut s = stepper(Table, &by_tolerance(method, tolerance), &[0.5], &[0.0]);
            s.advance(0.8, 0.01).unwrap();
            let error = (s.q()[0] - exact).abs() / tolerance;
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
}

#[test]
fn a_push_that_begins_at_once_moves_a_block_that_stuck() {
    // 20 N from t = 0.37 on against mu m g = 7.848 N.
    let exact = 0.5 * (20.0 - 0.8 * 9.81) * 0.63 * 0.63;
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        for k in [3, 5, 7] {
            if k > 5 && matches!(method, Moreau | SchatzmanPaoli) {
                continue;
            }
            let push = |t: f64| if t < 0.37 { 0.0 } else { 20.0 };
            let tolerance = 0.1f64.powi(k);
            let model = Block { mu: 0.8, push, gx: 0.0, gy: 9.81 };
            let mut s = stepper(model, &by_tolerance(method, tolerance), &[0.0; 2], &[0.0; 2]);
            s.advance(1.0, 0.01).unwrap();
            let error = (s.q()[0] - exact).abs() / tolerance;
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
}

#[test]
fn a_run_tries_no_more_steps_than_it_may() {
    for method in all() {
        let options = Options { max_steps: 7, ..by_tolerance(method, 1e-6) };
        let mut s = stepper(Point(|_, q, _| -q), &options, &[1.0], &[0.0]);
        let told = s.advance(10.0, 0.01).unwrap_err();
        assert!(matches!(told, Error::StepLimit { limit: 7, .. }), "{method:?} {told}");
        assert!(told.to_string().contains("max_steps"), "{told}");
        // The last step that was taken stands, and the motion goes on from there.
        let t = s.t();
        assert!(t < 10.0 && (s.q()[0] - t.cos()).abs() < 1e-5, "{method:?} {t}");
        assert!(s.advance(10.0, 0.01).is_err() && s.t() >= t, "{method:?}");
    }
}

#[test]
fn why_no_step_succeeds_is_told() {
    let text = |model: Point, options: &Options, end: f64| {
        let mut s = stepper(model, options, &[1.0], &[0.0]);
        let told = s.advance(end, 0.01).unwrap_err();
        assert!(s.stats().rejected + s.stats().tolerance_rejections > 0, "{told}");
        told.to_string()
    };
    let options = by_tolerance(LobattoIIIA4, 1e-6);
    let refused = text(Point(|t, _, _| if t > 0.5 { f64::INFINITY } else { 1.0 }), &options, 1.0);
    assert!(refused.contains("force refused the point with 7"), "{refused}");
    let drowned = text(Point(|_, q, _| -q), &by_tolerance(Trapezoid, 1e-20), 1.0);
    assert!(drowned.contains("abs_tol = 1e-20") && drowned.contains("rounding"), "{drowned}");
    let mut s = stepper(Point(|_, _, _| 0.0), &Options::default(), &[0.0], &[0.0]);
    s.step(1.0).unwrap();
    let told = s.step(1e-300).unwrap_err().to_string();
    assert!(told.contains("1e-300: t + h is t"), "{told}");
}

#[test]
fn trials_that_end_in_no_numbers_are_shortened() {
    for method in SECOND_ORDER.into_iter().chain(HIGH_ORDER) {
        // Nothing is known of the force after t = 1, and a trial that reaches beyond is only too long.
        let until = Point(|t, _, _| if t > 1.0 { f64::NAN } else { 1.0 });
        let mut s = stepper(until, &by_tolerance(method, 1e-4), &[0.0], &[0.0]);
        let told = s.advance(2.0, 0.01).unwrap_err();
        assert!(matches!(told, Error::NonFinite { .. }), "{method:?} {told}");
        assert!(s.t() > 1.0 - 1e-9 && (s.q()[0] - 0.5).abs() < 1e-3, "{method:?} {}", s.t());
        assert!(s.stats().rejected > 0, "{method:?}");
        // A way without end is none that a tolerance can be shared out on.
        for force in [|_, _, _| -9.81, |_, q, _| -q] as [fn(f64, f64, f64) -> f64; 2] {
            let mut s = stepper(Point(force), &by_tolerance(method, 1e-6), &[1.0], &[0.0]);
            let told = s.advance(1e300, 0.01);
            assert!(matches!(told, Err(Error::StepTooSmall { .. })), "{method:?} {told:?}");
            assert!(s.q().iter().chain(s.v()).all(|x| x.is_finite()));
        }
    }
}

#[test]
fn a_tolerance_below_rounding_is_refused_even_where_solutions_agree() {
    // Two solutions of a free fall agree to the last bit now and then: no reason to succeed.
    for method in all() {
        let mut s = stepper(Point(|_, _, _| -2.0), &by_tolerance(method, 1e-20), &[1.0], &[0.0]);
        let told = s.advance(1.0, 0.01);
        assert!(matches!(told, Err(Error::StepTooSmall { .. })), "{method:?} {told:?}");
    }
}

#[test]
fn joints_that_are_apart_at_the_start_are_refused_alike_by_all_methods() {
    for method in all() {
        let e = pendulum();
        for (off, refused) in [(0.5, true), (-0.8, true), (1e-3, true), (1e-5, false)] {
            let mut s = e.stepper(&Options { max_steps: 100, ..by_tolerance(method, 1e-5) });
            let mut q = e.q.clone();
            q[0] += off;
            s.set_state(0.0, &q, &e.v).unwrap();
            let told = s.advance(1e-3, 1e-4);
            let range = matches!(told, Err(Error::Range { what: "joint error", .. }));
            assert_eq!(range, refused, "{method:?} {off}: {told:?}");
        }
    }
}

#[test]
fn scheme_one_passes_impacts_of_chains() {
    // Where a contact of a chain slips, its velocities differ by the order of the step, however short.
    for seed in 2..6 {
        let (model, q, v) = chain(seed, true);
        let mut s = stepper(model, &by_tolerance(TrapezoidI, 1e-3), &q, &v);
        s.advance(1.0, 0.01).unwrap();
        assert!(s.stats().steps < 50_000, "{seed}: {:?}", s.stats());
    }
}
