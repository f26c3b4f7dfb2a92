//! Forces and accelerations at an instant, against closed forms.

mod scenes;

use scenes::*;
use stiction::error::Error;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{ContactMode, Options, Stepper};

const G: f64 = 9.81;

fn incline(mu: f64) -> Block {
    let (s, c) = (std::f64::consts::PI / 6.0).sin_cos();
    Block { mu, push: |_| 0.0, gx: G * s, gy: G * c }
}

fn close(got: &[f64], expected: &[f64], slack: f64) {
    assert_eq!(got.len(), expected.len());
    assert!(distance(got, expected) < slack, "{got:?} is not {expected:?}");
}

#[test]
fn a_block_on_an_incline_is_held_or_slides() {
    let (sine, cosine) = (std::f64::consts::PI / 6.0).sin_cos();
    // Held: friction is what the slope pulls with, along the second direction, up the slope.
    let mut s = stepper(incline(0.6), &Options::default(), &[0.0; 2], &[0.0; 2]);
    let f = s.forces().unwrap();
    close(f.acceleration, &[0.0, 0.0], 1e-14);
    close(f.normal, &[G * cosine], 1e-13);
    close(f.friction, &[0.0, G * sine], 1e-13);
    assert_eq!(f.slip_speed, [0.0]);
    // Sliding down, sliding up, and about to slide.
    for (v, sign) in [(1.0, 1.0), (-1.0, -1.0), (0.0, 1.0)] {
        let mut s = stepper(incline(0.3), &Options::default(), &[0.0; 2], &[v, 0.0]);
        let f = s.forces().unwrap();
        let friction = 0.3 * G * cosine;
        close(f.acceleration, &[G * sine - sign * friction, 0.0], 1e-13);
        let along = if sign > 0.0 { [0.0, friction] } else { [friction, 0.0] };
        close(f.friction, &along, 1e-13);
        assert_eq!(f.slip_speed, [f64::abs(v)]);
    }
    // Above the slope it falls.
    let mut s = stepper(incline(0.3), &Options::default(), &[0.0, 1.0], &[0.0; 2]);
    let f = s.forces().unwrap();
    close(f.acceleration, &[G * sine, -G * cosine], 1e-14);
    assert_eq!(f.normal, [0.0]);
}

/// A pendulum of 2 kg and length 1.5 in Cartesian coordinates; the joint is the distance.
struct Pendulum;

impl Model for Pendulum {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (2.0, 2.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -2.0 * G;
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        phi[0] = r - 1.5;
        (jt[0], jt[1]) = (q[0] / r, q[1] / r);
        Ok(())
    }
}

#[test]
fn a_pendulum_pulls_with_its_weight_and_its_centrifugal_force() {
    let (angle, w, l) = (0.7f64, 2.0, 1.5);
    let (s, c) = angle.sin_cos();
    let mut stepper =
        stepper(Pendulum, &Options::default(), &[l * s, -l * c], &[l * w * c, l * w * s]);
    let f = stepper.forces().unwrap();
    // Tension m (g cos + l w^2) against the direction of the joint; alpha = -(g/l) sin.
    close(f.joint, &[-2.0 * (G * c + l * w * w)], 1e-7);
    let alpha = -G / l * s;
    let a = [l * alpha * c - l * w * w * s, l * alpha * s + l * w * w * c];
    close(f.acceleration, &a, 1e-7);
    // Nothing has changed.
    let bits = saved(&stepper);
    stepper.forces().unwrap();
    assert_eq!(saved(&stepper), bits);
}

/// A bead of 1 kg on the outside of a circle of radius 1.
struct Bead;

impl Model for Bead {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 1, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -G;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        gap[0] = r - 1.0;
        (normal[0], normal[1]) = (q[0] / r, q[1] / r);
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        tangent.copy_from_slice(&[q[1] / r, -q[0] / r, -q[1] / r, q[0] / r]);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.2
    }
}

#[test]
fn a_bead_on_a_circle_presses_less_the_faster_it_is_until_it_leaves() {
    let angle = 0.5f64;
    let (s, c) = angle.sin_cos();
    for w in [0.5, 1.5, 2.5] {
        let mut bead = stepper(Bead, &Options::default(), &[s, c], &[w * c, -w * s]);
        let f = bead.forces().unwrap();
        // n = g cos - w^2, along the circle g sin - mu n.
        let n = G * c - w * w;
        close(f.normal, &[n], 1e-7);
        close(f.friction, &[0.0, 0.2 * n], 1e-7);
        let along = G * s - 0.2 * n;
        close(f.acceleration, &[along * c - w * w * s, -along * s - w * w * c], 1e-7);
        assert!((f.slip_speed[0] - w).abs() < 1e-14);
    }
    // w^2 > g cos: it flies.
    let mut bead = stepper(Bead, &Options::default(), &[s, c], &[3.0 * c, -3.0 * s]);
    let f = bead.forces().unwrap();
    assert_eq!(f.normal, [0.0]);
    close(f.acceleration, &[0.0, -G], 1e-14);
}

/// A ball on a floor that moves up and down.
struct Shaken;

impl Model for Shaken {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = -G;
        Ok(())
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[0] - 0.3 * (2.0 * t).sin();
        normal[0] = 1.0;
        Ok(())
    }
}

#[test]
fn a_floor_that_shakes_carries_more_or_less_than_the_weight() {
    let mut s = stepper(Shaken, &Options::default(), &[0.0], &[0.6]);
    for k in 1..=20 {
        s.step(0.05).unwrap();
        let t = 0.05 * f64::from(k);
        // n = m (g + x''), x = 0.3 sin 2t; second differences of the gap in time.
        let n = G - 1.2 * (2.0 * t).sin();
        close(s.forces().unwrap().normal, &[n], 1e-5);
        assert_eq!(s.contact_mode(0), ContactMode::Slipping);
    }
}

fn saved(s: &Stepper) -> Vec<u8> {
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_motion_that_is_asked_for_its_forces_goes_on_with_the_same_bits() {
    for seed in 0..3 {
        let make = || {
            let (model, q, v) = thrown_box(seed);
            stepper(model, &Options::default(), &q, &v)
        };
        let (mut asked, mut left) = (make(), make());
        for _ in 0..80 {
            // At an impact that is about to come there may be no forces.
            let _ = asked.forces();
            asked.step(0.01).unwrap();
            left.step(0.01).unwrap();
            let bits = |s: &Stepper| -> Vec<u64> {
                let l = s.ledger_sum();
                let sums = [l.friction, l.impact, l.residue];
                s.q().iter().chain(s.v()).chain(&sums).map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&asked), bits(&left));
            assert_eq!(asked.events(), left.events());
        }
    }
}

#[test]
fn where_rigid_bodies_have_no_acceleration_that_is_said() {
    // Uniform rod, half length 1, 60 degrees, mu = 2, slipping with -1 m/s.
    let angle = std::f64::consts::PI / 3.0;
    let touches = vec![ground(0, [-1.0, 0.0], 0.0, 2.0, 0.0)];
    let model = Planar { bodies: vec![(1.0, 1.0 / 3.0)], touches, g: G, ..Planar::default() };
    let q = [angle.cos(), angle.sin(), angle];
    let mut s = stepper(model, &Options::default(), &q, &[-1.0, 0.0, 0.0]);
    let e = s.forces().unwrap_err();
    assert_eq!(e, Error::NoAcceleration { t: 0.0 });
    assert!(e.to_string().contains("Painleve"), "{e}");
    // After the jump there are some.
    s.step(1e-3).unwrap();
    assert!(s.forces().is_ok());
}

#[test]
fn forces_of_a_box_on_two_feet_balance_whatever_each_of_them_carries() {
    let (model, q, v) = pushed_block((0.5, 0.2), 0.3, (2.0, 1.0, 0.0));
    let mut s = stepper(model, &Options::default(), &q, &v);
    let f = s.forces().unwrap();
    // Weight 9.81 N on both feet, friction against the push of 2 N.
    assert!((f.normal.iter().sum::<f64>() - G).abs() < 1e-12, "{f:?}");
    let along: f64 = f.friction.chunks(2).map(|b| b[0] - b[1]).sum();
    assert!((along + 2.0).abs() < 1e-12, "{f:?}");
    close(f.acceleration, &[0.0; 3], 1e-12);
}

#[test]
fn a_contact_is_known_to_touch_as_soon_as_the_state_is_set() {
    let block = Block { mu: 0.5, push: |_| 0.0, gx: 0.0, gy: 9.81 };
    let mut s = stepper(block, &Options::default(), &[0.0; 2], &[0.0; 2]);
    assert_eq!(s.contact(0).unwrap().mode, ContactMode::Touching);
    s.step(0.01).unwrap();
    assert_eq!(s.contact(0).unwrap().mode, ContactMode::Sticking);
    // Sliding, falling onto it, leaving it, above it.
    for (y, v, mode) in [
        (0.0, [1.0, 0.0], ContactMode::Touching),
        (0.0, [0.0, -1.0], ContactMode::Touching),
        (0.0, [0.0, 1.0], ContactMode::Open),
        (1.0, [0.0, 0.0], ContactMode::Open),
    ] {
        s.set_state(0.0, &[0.0, y], &v).unwrap();
        assert_eq!(s.contact(0).unwrap().mode, mode, "{y} {v:?}");
    }
}
