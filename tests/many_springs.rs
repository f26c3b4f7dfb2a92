//! Many bodies that springs couple: each stays a body of its own in the problem of contacts.

use std::sync::Arc;
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Spring, Surface};
use stiction::step::{EventLevel, ManyContacts, Options, Stepper};

/// Balls of 0.1 kg and 4 cm in a row above the ground, thrown askew, each joined to the next by a spring beside its center.
fn row(balls: usize, stiffness: f64) -> Scene {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let rough = Surface { mu: 0.5, ..Surface::default() };
    b.surface(Default::default(), Default::default(), rough).unwrap();
    let ground = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, ground, Attach::default()).unwrap();
    let i = 1e-4;
    let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
    let mut before = None;
    for k in 0..balls {
        let at = [0.1 * k as f64, 0.0, 0.045 + 0.01 * f64::from(k as u8 * 7 % 5)];
        let ball = b.spatial(0.1, inertia, at, [1.0, 0.0, 0.0, 0.0]).unwrap();
        b.velocity(ball, [0.3, 0.2 * f64::from(k as u8 % 3), 0.0], [0.0; 3]).unwrap();
        b.shape(ball, Shape::Ball { radius: 0.04 }, Attach::default()).unwrap();
        if let Some(before) = before {
            let spring = Spring { stiffness, damping: 1.0, rest: None };
            b.spring(before, [0.0, 0.0, 0.02], ball, [0.0, 0.0, 0.02], spring).unwrap();
        }
        before = Some(ball);
    }
    b.build().unwrap()
}

fn stepper(scene: &Arc<Scene>, many_contacts: ManyContacts) -> Stepper {
    let options = Options { events: Some(EventLevel::None), many_contacts, ..Options::default() };
    Stepper::new(scene.clone(), &options).unwrap()
}

#[test]
fn balls_that_springs_join_move_as_lemkes_method_says() {
    for stiffness in [1e2, 1e4] {
        let scene = Arc::new(row(16, stiffness));
        let mut both = [ManyContacts::Safe, ManyContacts::Lemke].map(|many| stepper(&scene, many));
        for k in 0..80 {
            for s in &mut both {
                s.step(5e-3).unwrap_or_else(|e| panic!("{stiffness:e}, step {k}: {e}"));
            }
            let [a, b] = &both;
            // Answers are good to 1e-11 of the speeds, of up to 1 m/s, and the motion of a row magnifies what is missing.
            for (x, y) in a.v().iter().zip(b.v()) {
                assert!((x - y).abs() < 1e-7, "{stiffness:e}, step {k}: {x} {y}");
            }
        }
        let [a, b] = both.map(|s| *s.stats());
        assert!(a.body_solves > 40 && b.body_solves == 0, "{} {}", a.body_solves, b.body_solves);
        assert!(a.worst_residual < 1e-8, "{:e}", a.worst_residual);
    }
}
