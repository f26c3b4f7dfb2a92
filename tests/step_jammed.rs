//! Stops that contacts cannot make: others hold them, or geometry does. Complementarity decides then, and friction
//! never drives.

use std::sync::Arc;
use stiction::rigid::*;
use stiction::step::{Options, Stepper};

const G: f64 = 9.81;

fn diagonal(d: [f64; 3]) -> [[f64; 3]; 3] {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

/// A cart on four wheels whose axles are not parallel: not all of them can roll at once. It falls onto the floor from 1 mm
/// while it goes forward with 1 m/s, and an arm on it swings.
fn cart(toe: [f64; 4], spin: f64) -> Arc<Scene> {
    let (r, level) = (0.13, [1.0, 0.0, 0.0, 0.0]);
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.8, ..Surface::default() }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 0.0, 1.0] }, Attach::default()).unwrap();
    let z = r + 1e-3;
    let chassis = b.spatial(20.0, diagonal([0.3, 1.1, 1.3]), [0.0, 0.0, z + 0.08], level).unwrap();
    b.velocity(chassis, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    for (i, toe) in toe.into_iter().enumerate() {
        let hub = [if i < 2 { 0.32 } else { -0.32 }, if i % 2 == 0 { 0.3 } else { -0.3 }, z];
        let wheel = b.spatial(1.5, diagonal([0.012, 0.022, 0.012]), hub, level).unwrap();
        let axis = [-toe.sin(), toe.cos(), 0.0];
        let w = spin / r;
        b.velocity(wheel, [1.0, 0.0, 0.0], axis.map(|a| w * a)).unwrap();
        b.shape(wheel, Shape::Ball { radius: r }, Attach::default()).unwrap();
        b.joint(Joint::Revolute { axis }, chassis, wheel, hub).unwrap();
    }
    let shoulder = [0.34, 0.0, z + 0.18];
    let arm = b.spatial(2.0, diagonal([0.02, 0.02, 0.002]), [0.34, 0.0, z + 0.38], level).unwrap();
    b.velocity(arm, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    b.joint(Joint::Revolute { axis: [0.0, 1.0, 0.0] }, chassis, arm, shoulder).unwrap();
    Arc::new(b.build().unwrap())
}

/// Where a stop falls into a step that complementarity decides, friction opposes the velocity at its end and not the
/// mean that does work: that part may have the wrong sign. 1.2e-4 of the energy was seen, and up to 0.16 with stops that
/// cannot be made.
#[test]
fn friction_never_drives_a_cart_whose_wheels_cannot_all_roll() {
    for spin in [0.0, 0.7, 1.3] {
        let scene = cart([0.02, -0.01, 0.03, 0.0], spin);
        let mut s = Stepper::new(scene.clone(), &Options::default()).unwrap();
        s.set_state(0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
        for step in 1..=120 {
            let before = scene.kinetic_energy(s.v()).unwrap();
            s.advance(0.008 * f64::from(step), 0.008).unwrap();
            let lost = s.ledger().friction;
            assert!(lost > -1e-3 * before, "spin {spin}, step {step}: {lost} of {before} J");
            assert!(s.events().len() < 30, "spin {spin}, step {step}: {} events", s.events().len());
        }
        assert!(s.stats().worst_gap > -1e-12, "spin {spin}: {}", s.stats().worst_gap);
    }
}
