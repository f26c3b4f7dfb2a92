//! A pile of jacks: crossed bars whose corners meet corners and edges, the scene on which a system of
//! convex conditions fails.

#[path = "support/jacks.rs"]
mod jacks;

use jacks::Jacks;
use std::sync::Arc;
use stiction::check::check_model;
use stiction::rigid::{Attach, Builder, Link, Shape, Surface};
use stiction::step::{Options, Stepper};

fn pile(count: usize, mu: f64, restitution: f64) -> Jacks {
    Jacks { count, trough: 0.9, mu, restitution }
}

#[test]
fn a_pile_of_jacks_settles_without_penetration() {
    for (count, mu, e) in [(3, 0.3, 0.2), (5, 0.5, 0.0)] {
        let model = Arc::new(pile(count, mu, e));
        let mut s = Stepper::new(model.clone(), &Options::default()).unwrap();
        s.set_state(0.0, &model.start(), &vec![0.0; 3 * count]).unwrap();
        let (mut deepest, mut energy) = (0.0f64, model.energy(s.q(), s.v()));
        let (first, mut gained) = (energy, 0.0f64);
        for k in 0..4000 {
            if let Err(e) = s.step(0.004) {
                panic!("step {k}: {e}");
            }
            deepest = deepest.min(model.depth(s.q()));
            let now = model.energy(s.q(), s.v());
            gained = gained.max(now - energy);
            energy = now;
        }
        // A contact within 1e-9 m counts as closed and is not followed further.
        assert!(deepest >= -1e-9 && s.stats().worst_gap >= -1e-9, "{deepest:e}");
        // Second-order rules may gain what they lose by the turning of arms, 1e-7 of all.
        assert!(gained <= 1e-7 * first, "{gained:e} of {first}");
        assert!(s.v().iter().all(|x| x.abs() < 1e-12), "at rest: {:?}", s.v());
        assert!(s.stats().impacts > 100 && s.stats().capped_steps == 0);
    }
}

#[test]
fn the_normals_of_jacks_are_derivatives_of_their_gaps() {
    let model = pile(3, 0.3, 0.0);
    let q = [0.0, 0.6, 0.3, 0.1, 1.2, 0.9, -0.3, 1.7, 0.1];
    let found = check_model(&model, 0.0, &q, &[0.1; 9]).unwrap();
    assert!(found.worst < 1e-6, "{found:?}");
    assert!(found.findings.iter().any(|f| f.what == "hosted normal"));
}

/// Jacks of three crossed rods of built-in bodies: their gaps are distances, so that they need no groups.
#[test]
fn jacks_of_capsules_settle_in_space() {
    const COUNT: usize = 3;
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let surface = Surface { mu: 0.4, restitution: 0.1, ..Surface::default() };
    b.surface(Default::default(), Default::default(), surface).unwrap();
    let up = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, up, Attach::default()).unwrap();
    let half = 0.5f64.sqrt();
    let axes = [[1.0, 0.0, 0.0, 0.0], [half, 0.0, 0.0, half], [half, 0.0, half, 0.0]];
    for k in 0..COUNT {
        let angle = 0.4 + 0.9 * k as f64;
        let (s, c) = angle.sin_cos();
        let turn = [c, 0.6 * s, 0.64 * s, 0.48 * s];
        let at = [0.1 * (k as f64).sin(), 0.1 * (k as f64).cos(), 0.6 + 1.0 * k as f64];
        let inertia = [[0.04, 0.0, 0.0], [0.0, 0.04, 0.0], [0.0, 0.0, 0.04]];
        let jack = b.spatial(1.0, inertia, at, turn).unwrap();
        for turn in axes {
            let rod = Shape::Capsule { half_length: 0.4, radius: 0.06 };
            b.shape(jack, rod, Attach { turn, ..Attach::default() }).unwrap();
        }
    }
    let mut s = Stepper::new(Arc::new(b.build().unwrap()), &Options::default()).unwrap();
    for k in 0..2000 {
        if let Err(e) = s.step(0.004) {
            panic!("step {k}: {e}");
        }
    }
    assert!(s.stats().worst_gap >= -1e-9, "{:e}", s.stats().worst_gap);
    assert!(s.v().iter().all(|x| x.abs() < 1e-9), "at rest: {:?}", s.v());
}
