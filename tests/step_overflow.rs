//! Numbers near the end of their range, and times near their rounding: states stay numbers, and what was saved can be restored.
//! Each case was found by fuzzing.

#[path = "support/methods.rs"]
mod methods;

use MethodKind::*;
use methods::METHODS;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::model::{Answer, Dims, Model, Refusal};
use stiction::step::{MethodKind, Options, Stepper};

/// One coordinate under the force `weight` + `push` q, above a table at height `rise` t where there is one. The host stops at the
/// question `patience`.
struct Coordinate {
    weight: f64,
    push: f64,
    rise: Option<f64>,
    patience: usize,
    asked: AtomicUsize,
}

/// In free flight, asked without end.
fn free() -> Coordinate {
    Coordinate {
        weight: 0.0,
        push: 0.0,
        rise: None,
        patience: usize::MAX,
        asked: AtomicUsize::new(0),
    }
}

impl Model for Coordinate {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: usize::from(self.rise.is_some()), ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = self.weight + self.push * q[0];
        match self.asked.fetch_add(1, Ordering::Relaxed) < self.patience {
            true => Ok(()),
            false => Err(Refusal::Stop(-1)),
        }
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        (gap[0], normal[0]) = (q[0] - self.rise.unwrap_or(0.0) * t, 1.0);
        Ok(())
    }
}

fn stepper(model: Coordinate, options: &Options, t: f64, q: f64, v: f64) -> Stepper {
    let mut s = Stepper::new(Arc::new(model), options).unwrap();
    s.set_state(t, &[q], &[v]).unwrap();
    s
}

fn saved_and_restored(s: &mut Stepper, what: &str) {
    assert!(s.q()[0].is_finite() && s.v()[0].is_finite() && s.t().is_finite(), "{what}");
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    s.restore(&bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
}

#[test]
fn a_motion_that_leaves_all_numbers_ends_with_the_last_of_them() {
    // q'' = q from 1e300 at the same speed: beyond all numbers from t = 19 on. A step over both of its halves overflows before
    // these do, and a comparison of the two must not let a NaN pass: the larger of two numbers is never the NaN. The limit ends
    // the run by Stewart and Trinkle's rule, whose steps stay near 1e-7 s at such speeds.
    for method in METHODS {
        for h in [0.1, 3.0, 50.0] {
            let options =
                Options { method, rel_tol: 0.03, max_steps: 20_000, ..Options::default() };
            let mut s = stepper(Coordinate { push: 1.0, ..free() }, &options, 0.0, 1e300, 1e300);
            let what = format!("{method:?} with {h}");
            let told = s.advance(50.0, h);
            assert!(told.is_err(), "{what}: {told:?}");
            assert!(s.t() < 25.0, "{what}: ended at {}", s.t());
            saved_and_restored(&mut s, &what);
        }
    }
}

#[test]
fn comparisons_that_overflow_leave_no_trace_in_the_state() {
    // The motion stays among the numbers; what it is compared with to judge it, weighted sums of the same forces, does not.
    for method in METHODS {
        for weight in [1e305, 3e306, 1e307, 3e307, 8e307] {
            for h in [0.5, 1.0, 2.0] {
                let options =
                    Options { method, abs_tol: 1e290, rel_tol: 0.01, ..Options::default() };
                let mut s =
                    stepper(Coordinate { weight, ..free() }, &options, 0.0, 0.0, -0.5 * weight);
                let _ = s.advance(1.0, h);
                saved_and_restored(&mut s, &format!("{method:?} under {weight:e} N with {h}"));
            }
        }
    }
}

#[test]
fn a_pace_beyond_all_numbers_is_saved_as_the_longest() {
    // Where nothing errs the next step may be as long as it likes. The host stops somewhere on the way.
    for method in METHODS {
        for patience in 20..120 {
            let options = Options { method, abs_tol: 1e-11, ..Options::default() };
            let mut s =
                stepper(Coordinate { weight: 1.0, patience, ..free() }, &options, 0.0, 0.0, 5.0);
            let _ = s.advance(3.5e154, 1e154);
            saved_and_restored(&mut s, &format!("{method:?} that stops at {patience}"));
        }
    }
}

#[test]
fn an_impulse_beyond_all_numbers_is_no_answer() {
    // At rest on the table the state stays zero, whatever the table carries meanwhile.
    for method in METHODS {
        let options = Options { method, ..Options::default() };
        let model = Coordinate { weight: -1e200, rise: Some(0.0), ..free() };
        let mut s = stepper(model, &options, 0.0, 0.0, 0.0);
        let told = s.step(1e127);
        let impulse = s.normal_impulses()[0];
        assert!(told.is_err() && impulse == 0.0, "{method:?}: {told:?}, {impulse}");
        assert_eq!((s.t(), s.q()[0], s.v()[0]), (0.0, 0.0, 0.0), "{method:?}");
    }
}

#[test]
fn a_table_rises_at_its_speed_in_steps_near_the_rounding_of_time() {
    // The table was asked at two times that were the same number, and its speed was 0/0. Differences of positions of the size
    // of the time are good to 1e-4 (`tol::TIME_RESOLVED`) at any step.
    for method in METHODS {
        for (t, h) in [(1.25, 1e-12), (1.25, 8e-14), (1e6, 1e-6), (1e6, 5e-8), (1e9, 1e-4)] {
            let options = Options { method, ..Options::default() };
            let speed = 3.7;
            let model = Coordinate { rise: Some(speed), ..free() };
            let mut s = stepper(model, &options, t, speed * t, 0.0);
            let what = format!("{method:?} at {t}, {h:e}");
            for _ in 0..4 {
                s.step(h).unwrap_or_else(|e| panic!("{what}: {e}"));
                saved_and_restored(&mut s, &what);
            }
            let v = s.v()[0];
            // Rules on positions divide the rounding of these by the step.
            let on_positions = matches!(method, StewartTrinkle | SchatzmanPaoli);
            let rounding = if on_positions { 4.0 * f64::EPSILON * speed * t / h } else { 0.0 };
            assert!(
                (v - speed).abs() < 1e-3 * speed + rounding,
                "{what}: {v} instead of {speed} m/s"
            );
        }
    }
}
