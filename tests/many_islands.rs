//! Heaps that do not touch each other: each is a problem of its own, whoever answers it.

#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use many::Plan;
use std::sync::Arc;
use stiction::step::{EventLevel, Options, Stepper};

/// Towers of four boxes, thrown in ways of their own, far from each other on one floor.
fn towers(count: usize) -> Plan {
    let mut plan = Plan::on_ground();
    for tower in 0..count {
        for k in 0..4 {
            let at = [5.0 * tower as f64, 0.02 * f64::from(k as u8 % 2), 0.5 + k as f64];
            let body = plan.body(1.0, 1.0 / 6.0, at);
            plan.bodies[body].v = [0.2 + 0.1 * tower as f64, 0.1 * k as f64, 0.0];
            plan.shapes.push((Some(body), many::Form::Box([0.5; 3]), [0.0; 3]));
        }
    }
    plan
}

#[test]
fn towers_move_alike_to_the_last_bit_however_many_threads_share_them() {
    let scene = Arc::new(towers(5).build().unwrap());
    for (events, steps) in [(EventLevel::None, 60), (EventLevel::Collisions, 3)] {
        let mut motions = vec![];
        for island_threads in [0, 2, 64] {
            let options = Options { events: Some(events), island_threads, ..Options::default() };
            let mut s = Stepper::new(scene.clone(), &options).unwrap();
            for _ in 0..steps {
                s.step(5e-3).unwrap();
            }
            let st = s.stats();
            assert!(st.body_solves > 4, "{} of {}", st.body_solves, st.lcp_solves);
            let bits: Vec<u64> = s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect();
            motions.push((bits, st.body_solves, st.warm_solves, st.pivots));
        }
        assert!(motions.iter().all(|m| *m == motions[0]), "{events:?}");
    }
}
