//! What rests costs nothing and stays where it is to the last bit: steps that begin where the one before began.

#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use many::Plan;
use many::scenes::{self, Load};
use std::sync::Arc;
use stiction::rigid::{Builder, Shape, Surface};
use stiction::step::{MethodKind, Options, Outcome, Stepper};

const H: f64 = 5e-3;

fn stepper(plan: &Plan) -> Stepper {
    Stepper::new(Arc::new(plan.build().unwrap()), &Options::default()).unwrap()
}

/// The same scene with a load of nothing, which may be something at another time: none of its steps is repeated.
fn watched(plan: &Plan) -> Stepper {
    stepper(&unsure(plan))
}

fn unsure(plan: &Plan) -> Plan {
    let nothing = many::Push { body: 0, at: [0.0; 3], along: [0.0; 3], rate: 0.0 };
    Plan { push: Some(nothing), ..plan.clone() }
}

/// Everything that can be read of a stepper, as bits.
fn all_of(s: &mut Stepper, h: f64) -> Vec<u64> {
    let (contacts, t) = (s.contact_count(), s.t());
    let mut all: Vec<f64> = s.q().iter().chain(s.v()).copied().collect();
    all.push(t);
    all.extend_from_slice(s.normal_impulses());
    all.extend_from_slice(s.friction_impulses());
    let (step, sum) = (*s.ledger(), *s.ledger_sum());
    for l in [step, sum] {
        all.extend([l.kinetic, l.external, l.friction, l.impact, l.stabilization, l.residue]);
    }
    for i in 0..contacts {
        let c = s.contact(i).unwrap();
        all.extend([c.gap, c.gap_rate, c.slip_speed, c.normal_impulse, c.tangential_impulse]);
    }
    let (q, v) = s.state_at(t - 0.3 * h).unwrap();
    all.extend(q.iter().chain(v));
    // A zero has two signs.
    all.into_iter().map(|x| (x + 0.0).to_bits()).collect()
}

#[test]
fn a_scene_at_rest_is_computed_once_and_read_as_if_it_were_always() {
    let scenes = [
        scenes::base(2, Load::Rest),
        scenes::base(16, Load::Rest),
        scenes::stack(5, 1.0),
        scenes::wall(4),
    ];
    for plan in scenes {
        let (mut resting, mut computed) = (stepper(&plan), watched(&plan));
        let start = resting.q().to_vec();
        for k in 0..60 {
            // A power of two: steps of what may change are as long as the clock says.
            let h = 1.0 / 256.0;
            assert_eq!(resting.step(h).unwrap(), computed.step(h).unwrap());
            assert_eq!(all_of(&mut resting, h), all_of(&mut computed, h), "step {k}");
        }
        assert_eq!(computed.stats().repeated_steps, 0);
        assert!(resting.stats().repeated_steps >= 50, "{}", resting.stats().repeated_steps);
        assert_eq!((resting.stats().steps, resting.stats().substeps), (60, 60));
        assert!(resting.stats().lcp_solves <= 10);
        assert_eq!(resting.q(), start);
    }
}

#[test]
fn what_rests_by_other_rules_and_on_threads_reads_as_if_it_were_computed() {
    let plan = scenes::stack(3, 1.0);
    let by = |method, island_threads| Options { method, island_threads, ..Options::default() };
    let rules = [MethodKind::Euler, MethodKind::ImplicitEuler, MethodKind::Moreau];
    let rules = rules.into_iter().chain([MethodKind::TrapezoidI, MethodKind::Trapezoid]);
    for options in rules.flat_map(|rule| [0, 2].map(|threads| by(rule, threads))) {
        let [mut resting, mut computed] = [plan.clone(), unsure(&plan)]
            .map(|plan| Stepper::new(Arc::new(plan.build().unwrap()), &options).unwrap());
        let h = 1.0 / 256.0;
        for k in 0..40 {
            assert_eq!(resting.step(h).unwrap(), computed.step(h).unwrap());
            let [a, b] = [&mut resting, &mut computed].map(|s| all_of(s, h));
            assert_eq!(a, b, "{:?}, step {k}", options.method);
        }
        assert_eq!(computed.stats().repeated_steps, 0);
    }
}

#[test]
fn what_is_set_or_restored_or_asked_for_otherwise_is_computed() {
    let mut s = stepper(&scenes::stack(2, 1.0));
    s.advance(1.0, H).unwrap();
    let rested = s.stats().repeated_steps;
    assert!(rested > 150);
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    // Another length of step.
    s.step(0.5 * H).unwrap();
    assert_eq!(s.stats().repeated_steps, rested);
    s.restore(&bytes).unwrap();
    s.step(H).unwrap();
    assert_eq!(s.stats().repeated_steps, rested);
    let (t, q, mut v) = (s.t(), s.q().to_vec(), s.v().to_vec());
    // The upper box is thrown up: it comes down, and lies still again.
    v[8] = 1.0;
    s.set_state(t, &q, &v).unwrap();
    assert_eq!(s.advance(t + 2.0, H).unwrap(), Outcome::Eventful);
    let again = s.stats().repeated_steps - rested;
    // 2 v/g in the air, 41 steps, and a few until nothing changes any more.
    assert!((300..360).contains(&again), "{again}");
    assert!((s.q()[9] - 1.5).abs() < 1e-12 && s.v().iter().all(|&x| x == 0.0));
}

#[test]
fn what_creeps_slowly_is_not_stopped() {
    // 1e-9 m/s is a ten-millionth of what gravity makes of it in a step, and far from rounding.
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let smooth = Surface { mu: 0.0, ..Surface::default() };
    b.surface(Default::default(), Default::default(), smooth).unwrap();
    b.shape(
        stiction::rigid::Link::Ground,
        Shape::HalfSpace { normal: [0.0, 0.0, 1.0] },
        Default::default(),
    )
    .unwrap();
    let ball = b.point3(1.0, [0.0, 0.0, 0.1]).unwrap();
    b.velocity(ball, [1e-9, 0.0, 0.0], [0.0; 3]).unwrap();
    b.shape(ball, Shape::Ball { radius: 0.1 }, Default::default()).unwrap();
    let mut s = Stepper::new(Arc::new(b.build().unwrap()), &Options::default()).unwrap();
    s.advance(1.0, H).unwrap();
    // v t; rounding of 200 sums
    assert!((s.q()[0] - 1e-9).abs() < 1e-22, "{:e}", s.q()[0]);
    assert_eq!(s.stats().repeated_steps, 0);
}
