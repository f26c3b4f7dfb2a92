//! A ball between two walls that close on it with e = 1, Potra, Anitescu, Gavrea and Trinkle 2006, section 7.1: impacts come ever
//! faster, the velocity has no bounded variation, and behind the closing there is no motion at all. Whatever the method, an advance
//! across that moment ends after bounded work, with a status and the state of its last completed step.

#[path = "support/methods.rs"]
mod methods;

use methods::METHODS;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction::Error;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{MethodKind, Options, Stepper};

/// The walls are at -(1 - t) and 1 - t: they meet at t = 1.
struct Walls {
    asked: Arc<AtomicU64>,
}

impl Model for Walls {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let width = 1.0 - t;
        gap.copy_from_slice(&[q[0] + width, width - q[0]]);
        normal.copy_from_slice(&[1.0, -1.0]);
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        1.0
    }
}

#[test]
fn walls_that_close_end_a_motion_with_a_status() {
    for method in METHODS {
        for h in [0.1, 0.01, 0.003] {
            let asked = Arc::new(AtomicU64::new(0));
            let options = Options { method, ..Options::default() };
            let mut s = Stepper::new(Arc::new(Walls { asked: asked.clone() }), &options).unwrap();
            s.set_state(0.0, &[0.2], &[1.0]).unwrap();
            let ended = s.advance(2.0, h);
            let (t, q, v) = (s.t(), s.q()[0], s.v()[0]);
            let what = format!("{method:?}, h = {h}: {ended:?} at {t}");
            // Bounded work: a step has a cap of events, each with a bounded number of questions.
            let asked = asked.load(Ordering::Relaxed);
            assert!(asked < 10_000 + (60.0 / h) as u64, "{what} asked {asked} times");
            // The last completed step, on its grid.
            assert!(
                q.is_finite() && v.is_finite() && ((t / h).round() * h - t).abs() < 1e-12,
                "{what}"
            );
            let stats = s.stats();
            // Moreau's and Schatzman and Paoli's rules go on inside of walls that have passed each other for some while: they
            // have rows on velocities, or mirror positions; the worst gap tells. All others find that no velocity is left.
            let lenient = matches!(method, MethodKind::Moreau | MethodKind::SchatzmanPaoli);
            if lenient && stats.worst_gap < -0.1 * h {
                continue;
            }
            assert!(matches!(ended, Err(Error::LcpRay { .. })), "{what}");
            assert!(t <= 1.0 && stats.worst_gap > -1e-9, "{what}: {:e}", stats.worst_gap);
        }
    }
}

#[test]
fn a_step_with_too_many_impacts_to_locate_does_not_pass_through_a_wall() {
    // 200 m/s between walls 2 cm apart: a hundred impacts in a step of 10 ms. Positions that went on with half of the old
    // velocity once stood behind the wall by 80 cm.
    for method in &METHODS[..6] {
        let options = Options { method: *method, ..Options::default() };
        let asked = Arc::new(AtomicU64::new(0));
        let mut s = Stepper::new(Arc::new(Walls { asked }), &options).unwrap();
        s.set_state(0.98, &[0.0], &[200.0]).unwrap();
        s.step(0.01).unwrap();
        let (q, stats) = (s.q()[0], s.stats());
        assert!(q.abs() <= 0.01 + 1e-9, "{method:?}: {q}");
        assert!(*method == MethodKind::StewartTrinkle || stats.capped_steps == 1, "{method:?}");
    }
}
