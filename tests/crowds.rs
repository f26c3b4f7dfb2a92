//! Crowds: a pile that settles hands more impacts round than there is a use in following. Its steps are then made without location,
//! and bodies neither sink nor gain energy for it.

#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use many::{Form, Plan, scenes};
use rng::Rng;
use std::sync::Arc;
use stiction::rigid::Scene;
use stiction::step::{EventKind, EventLevel, Options, Stepper};

const H: f64 = 5e-3;
const G: f64 = 9.81;

/// Kinetic and potential energy of spheres of 1 kg and 0.1 m.
fn energy(s: &Stepper) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let bodies = s.v().chunks(6).zip(s.q().chunks(7));
    bodies.map(|(v, q)| 0.5 * (square(&v[..3]) + 4e-3 * square(&v[3..])) + G * q[2]).sum()
}

fn all_events(scene: Arc<Scene>, max_events: usize) -> Stepper {
    let o = Options { events: Some(EventLevel::All), max_events, ..Options::default() };
    Stepper::new(scene, &o).unwrap()
}

fn pile(n: usize, restitution: f64) -> Arc<Scene> {
    Arc::new(Plan { restitution, ..scenes::pile(n) }.build().unwrap())
}

/// Takes `steps` steps, in none of which energy may grow; how many impacts were told.
fn settle(s: &mut Stepper, steps: usize) -> usize {
    let (mut before, mut impacts) = (energy(s), 0);
    for k in 0..steps {
        s.step(H).unwrap_or_else(|e| panic!("step {k}: {e}"));
        let now = energy(s);
        // 134 J: rounding of sums, and heights to which depths of less than 1e-9 m are pushed out.
        assert!(now < before + 1e-6, "step {k}: {before} {now}");
        before = now;
        impacts += s.events().iter().filter(|e| e.kind == EventKind::Impact).count();
    }
    let st = s.stats();
    assert!(st.worst_gap > -1e-9 && st.worst_residual < 1e-8, "{st:?}");
    impacts
}

#[test]
fn a_pile_with_all_events_settles_without_sinking_and_without_gaining_energy() {
    let mut s = all_events(pile(35, 0.0), 0);
    let impacts = settle(&mut s, 300);
    let st = s.stats();
    assert!(st.capped_steps > 100 && st.capped_steps < 300, "{st:?}");
    assert!(impacts > 100, "{impacts}");
    // The books of such steps close to first order: what is neither impact, friction nor gravity is little beside impacts.
    let books = s.ledger_sum();
    assert!(books.residue.abs() + books.stabilization.abs() < 0.05 * books.impact, "{books:?}");
}

#[test]
fn a_pile_that_rebounds_goes_on_rebounding_in_a_crowd_and_settles() {
    let lively = |e: f64| {
        let mut s = all_events(pile(24, e), 0);
        settle(&mut s, 200);
        assert!(s.stats().capped_steps > 20, "{e}: {:?}", s.stats());
        s.stats().impacts
    };
    let (dull, bounces) = (lively(0.0), lively(0.6));
    assert!(bounces > 2 * dull, "{dull} {bounces}");
}

#[test]
fn a_host_that_says_how_many_events_it_wants_gets_them() {
    let mut by_itself = all_events(pile(24, 0.0), 0);
    let mut first = 0;
    while by_itself.stats().capped_steps == 0 {
        by_itself.step(H).unwrap();
        first += 1;
    }
    let mut asked = all_events(pile(24, 0.0), 1000);
    for _ in 0..first {
        asked.step(H).unwrap();
    }
    assert_eq!(asked.stats().capped_steps, 0);
    // Up to there both are the same motion, and with the events located it has more of them in the last step.
    assert!(asked.events().len() > by_itself.events().len(), "step {first}");
}

#[test]
fn a_crowd_goes_on_from_a_snapshot_with_the_same_bits() {
    let bits = |s: &Stepper| s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect::<Vec<_>>();
    let scene = pile(24, 0.3);
    let mut s = all_events(scene.clone(), 0);
    while s.stats().capped_steps < 5 {
        s.step(H).unwrap();
    }
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    let mut again = all_events(scene, 0);
    again.restore(&bytes).unwrap();
    for k in 0..20 {
        s.step(H).unwrap();
        again.step(H).unwrap();
        assert_eq!(bits(&s), bits(&again), "step {k}");
    }
    assert!(s.stats().capped_steps > 10, "{:?}", s.stats());
    assert_eq!(s.stats().capped_steps, again.stats().capped_steps);
}

/// A ball of 3 kg knocks down a wall of three rows of boxes: what they are pushed out of is out of reach by then, and has no gap.
#[test]
fn a_wall_that_is_knocked_down_is_pushed_out_of_what_is_still_in_reach() {
    let mut rng = Rng::new(7);
    let mut plan = Plan::on_ground();
    for (row, k) in (0..3).flat_map(|row| (0..3).map(move |k| (row, k))) {
        let aside = f64::from(row % 2) * 0.5;
        let at =
            [(f64::from(k) + aside) * 0.202, 1.5e-3 * rng.signed(), 0.052 + f64::from(row) * 0.102];
        let half = [0.1, 0.05, 0.05];
        let body = plan.body(1.0, 0.004, at);
        plan.shapes.push((Some(body), Form::Box(half), [0.0; 3]));
    }
    let ball = plan.body(3.0, 0.012, [0.5, -1.0, 0.3]);
    plan.bodies[ball].v = [0.0, 6.0, 1.0];
    plan.shapes.push((Some(ball), Form::Ball(0.1), [0.0; 3]));
    let mut s = all_events(Arc::new(plan.build().unwrap()), 0);
    for k in 0..40 {
        s.step(0.01).unwrap_or_else(|e| panic!("step {k}: {e}"));
    }
    assert!(s.stats().capped_steps > 10 && s.stats().worst_gap > -1e-9, "{:?}", s.stats());
}
