//! Stops that contacts cannot make: others hold them, or geometry does. Complementarity decides then, and friction
//! never drives.

use std::sync::Arc;
use stiction::model::{Answer, Dims, Model};
use stiction::rigid::*;
use stiction::step::{EventLevel, Options, Stepper};

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

/// A point (x, y, z) of 1 kg above the floor z + w = 0, w a coordinate of its own that its slip turns with four times its length: friction
/// against a slip along x holds the point off the floor as much as the floor does, but for a part in 10^9.
struct Wedged;

const DIRECTIONS: usize = 8;

impl Model for Wedged {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 4, n_contact: 1, n_dir: DIRECTIONS, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.iter_mut().step_by(5).for_each(|x| *x = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[2] = -G;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[2] + q[3];
        normal.copy_from_slice(&[0.0, 0.0, 1.0, 1.0]);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.5
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        for (k, d) in tangent.chunks_exact_mut(4).enumerate() {
            let (s, c) = (std::f64::consts::TAU * k as f64 / DIRECTIONS as f64).sin_cos();
            // n'(n - mu d) = 2 - 0.5 4 (1 - 1e-9) along the first of them.
            d.copy_from_slice(&[c, s, 0.0, 4.0 * (1.0 - 1e-9) * c]);
        }
        Ok(())
    }
}

#[test]
fn a_path_that_friction_makes_singular_is_only_a_guess_of_where_slips_turn() {
    for events in [EventLevel::All, EventLevel::Collisions, EventLevel::None] {
        let options = Options { events: Some(events), ..Options::default() };
        let mut s = Stepper::new(Arc::new(Wedged), &options).unwrap();
        s.set_state(0.0, &[0.0; 4], &[1.0, 0.0, 0.0, 0.0]).unwrap();
        let energy = |s: &Stepper| 0.5 * s.v().iter().map(|v| v * v).sum::<f64>() + G * s.q()[2];
        let mut before = energy(&s);
        for k in 0..100 {
            s.step(5e-3).unwrap_or_else(|e| panic!("{events:?}, step {k}: {e}"));
            let now = energy(&s);
            assert!(now < before + 1e-9, "{events:?}, step {k}: {before} {now}");
            before = now;
        }
        assert!(s.stats().worst_gap > -1e-9, "{events:?}: {:?}", s.stats());
    }
}
