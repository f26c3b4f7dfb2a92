//! The scenes of the bench of many contacts, a few steps each: no step fails, every residual is small, nothing sinks,
//! and what rests does not drift. The bench takes ten thousand steps with `--long`.

#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use many::Plan;
use many::scenes::{self, Load};
use std::sync::Arc;
use stiction::step::{EventLevel, Options, Stepper};

/// Takes the steps and gives the stepper and the largest way of a body from its start.
#[track_caller]
fn run(name: &str, plan: &Plan, events: EventLevel, steps: usize) -> (Stepper, f64) {
    let options = Options { events: Some(events), ..Options::default() };
    let mut s = Stepper::new(Arc::new(plan.build().unwrap()), &options).unwrap();
    let start = s.q().to_vec();
    for k in 0..steps {
        s.step(5e-3).unwrap_or_else(|e| panic!("{name}, step {k}: {e}"));
    }
    let st = s.stats();
    assert!(st.worst_residual <= 1e-8, "{name}: residual {:e}", st.worst_residual);
    // Without events bodies meet within a step and sink by what they fall in it, at most sqrt(2 g 0.26 m) h for
    // the chain: the rule is on velocities.
    let sink = if events == EventLevel::None { 1.13e-2 } else { 1e-9 };
    assert!(st.worst_gap > -sink, "{name}: gap {:e}", st.worst_gap);
    assert!(st.worst_joint_drift < 1e-9, "{name}: joints {:e}", st.worst_joint_drift);
    // Seven coordinates per body, the place first.
    let moved = start.iter().zip(s.q()).enumerate().filter(|(i, _)| i % 7 < 3);
    let moved = moved.fold(0.0f64, |m, (_, (a, b))| m.max((a - b).abs()));
    (s, moved)
}

#[test]
fn what_rests_stays_where_it_is() {
    for (name, plan, steps) in [
        ("base", scenes::base(4, Load::Rest), 400),
        ("stack", scenes::stack(3, 1.0), 60),
        ("heavy", scenes::stack(3, 1e4), 60),
        ("wall", scenes::wall(2), 40),
    ] {
        let (_, moved) = run(name, &plan, EventLevel::All, steps);
        assert!(moved < 1e-9, "{name} drifted by {moved:e}");
    }
}

#[test]
fn a_box_that_tips_falls_back_on_its_base() {
    let (s, _) = run("tipping", &scenes::base(8, Load::Tipping), EventLevel::All, 200);
    assert!((s.q()[2] - 0.5).abs() < 1e-9, "{:?}", s.q());
}

#[test]
fn a_pawl_ends_in_the_corner_of_its_slot() {
    let (s, _) = run("pawl", &scenes::pawl(5), EventLevel::All, 100);
    // 10 mm to the end, 1 mm to the side, on the floor.
    for (at, corner) in s.q().iter().zip([1e-2, 1e-3, 5e-2]) {
        assert!((at - corner).abs() < 1e-9, "{:?}", s.q());
    }
}

#[test]
fn chains_and_piles_settle_by_time_stepping() {
    run("chain", &scenes::chain(5), EventLevel::None, 100);
    run("pile", &scenes::pile(8), EventLevel::None, 100);
}

#[test]
fn without_rebounds_and_located_events_a_pile_has_one_impact_a_step() {
    let options = Options { events: Some(EventLevel::None), ..Options::default() };
    let plan = scenes::pile(35);
    let mut s = Stepper::new(Arc::new(plan.build().unwrap()), &options).unwrap();
    let mut before = 0;
    for k in 0..130 {
        s.step(5e-3).unwrap();
        let now = s.stats().impacts;
        assert!(now - before <= 1, "step {k}: {} impacts", now - before);
        before = now;
    }
    assert!(before > 20, "{before} impacts in all");
}
