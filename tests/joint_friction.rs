//! Friction with a bound of its own, not tied to a normal force: it holds, it slips, it is no part of impacts.

mod scenes;

#[path = "support/methods.rs"]
mod methods;

use scenes::*;
use std::sync::Arc;
use stiction::error::Error;
use stiction::linalg::MatRef;
use stiction::model::{Answer, Dims, Model};
use stiction::rigid::{Attach, Builder, Freedom, Joint, Link, MaterialId, Shape, Surface};
use stiction::step::{
    ContactMode, EventKind, EventLevel, MethodKind, Options, Stabilization, Stepper,
};
use stiction::velocity::{Brakes, Problem, Rows, Solver};

const TRAPEZOIDS: [MethodKind; 3] =
    [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII];

/// A slider of 1 kg on a rail with a brake, pushed along it, between walls if there are any.
struct Slider {
    push: fn(f64) -> f64,
    bound: fn(f64) -> f64,
    /// A wall at this place, with its restitution.
    wall: Option<(f64, f64)>,
}

impl Model for Slider {
    fn dims(&self) -> Dims {
        let n_contact = usize::from(self.wall.is_some());
        Dims { nq: 1, nv: 1, n_contact, n_brake: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = (self.push)(t);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = self.wall.map_or(0.0, |(x, _)| x - q[0]);
        normal[0] = -1.0;
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        self.wall.map_or(0.0, |(_, e)| e)
    }
    fn brake(&self, t: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        bound[0] = (self.bound)(t);
        direction[0] = 1.0;
        Ok(())
    }
    fn brake_key(&self, _: usize) -> i64 {
        77
    }
}

#[test]
fn a_slider_with_the_bound_of_a_block_has_the_seven_transitions_of_the_block() {
    // Closed form for a block with mu m g = 0.8 9.81 under 8 cos t: stop, start, stop, ... and x(10).
    let transitions = scenes::BLOCK_TRANSITIONS;
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        let mut errors = vec![];
        for k in 5..=11 {
            let slider = Slider { push: |t| 8.0 * t.cos(), bound: |_| 0.8 * 9.81, wall: None };
            let mut s = stepper(slider, &options, &[3.0], &[0.0]);
            let h = 0.5f64.powi(k);
            s.advance(10.0, h).unwrap();
            errors.push((s.q()[0] - 2.9913028331150313).abs());
            assert_eq!(s.events().len(), transitions.len(), "{:?}", s.events());
            for (event, (kind, t)) in s.events().iter().zip(transitions) {
                assert_eq!((event.kind, event.contact, event.key), (kind, 0, 77));
                // Error of the trapezoidal rule for the impulse over the deceleration, as for the block.
                assert!((event.t - t).abs() < 0.9 * h * h, "{k} {event:?} {t}");
            }
            assert_eq!(s.brake_mode(0), ContactMode::Sticking);
        }
        assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.05), "{errors:?}");
    }
}

#[test]
fn a_stop_on_the_end_of_a_step_is_told_when_it_happens() {
    // Scheme II sees the mean of both velocities, which is no stop: it was told a step late.
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        for h in [0.5, 0.1, 0.02, 0.01] {
            // Stops after 1/(1 - 0.5) s.
            let slider = Slider { push: |_| 0.5, bound: |_| 1.0, wall: None };
            let mut s = stepper(slider, &options, &[0.0], &[1.0]);
            s.advance(3.0, h).unwrap();
            let stop = s.events()[0];
            assert!(stop.kind == EventKind::Stick && (stop.t - 2.0).abs() < 1e-12, "{stop:?}");
            // After 4/(0.5 8) s, by the friction of a contact.
            let block = Block { mu: 0.5, push: |_| 0.0, gx: 0.0, gy: 8.0 };
            let mut s = stepper(block, &options, &[0.0; 2], &[4.0, 0.0]);
            s.advance(3.0, h).unwrap();
            let stop = s.events()[0];
            assert!(stop.kind == EventKind::Stick && (stop.t - 1.0).abs() < 1e-12, "{stop:?}");
        }
    }
}

const ROUND: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A door of 20 kg, 0.8 m wide, hinged at its edge.
const DOOR: (f64, f64) = (20.0, 0.8);

fn door(bound: f64, spin: f64, spatial: bool) -> Stepper {
    let (m, w) = DOOR;
    let mut b = Builder::new();
    let inertia = m * w * w / 12.0;
    let axis = Joint::Revolute { axis: [0.0, 0.0, 1.0] };
    let speed = ([0.0, 0.5 * w * spin, 0.0], [0.0, 0.0, spin]);
    let body = if spatial {
        let i = [[1.7, 0.0, 0.0], [0.0, 2.7, 0.0], [0.0, 0.0, inertia]];
        b.spatial(m, i, [0.5 * w, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]).unwrap()
    } else {
        b.planar(m, inertia, [0.5 * w, 0.0], 0.0).unwrap()
    };
    b.velocity(body, speed.0, speed.1).unwrap();
    // A second joint-free body, so that numbers of joints and brakes differ from those of bodies.
    let other = b.planar(1.0, 1.0, [5.0, 5.0], 0.0).unwrap();
    b.joint(Joint::Fixed, Link::Ground, other, [5.0, 5.0, 0.0]).unwrap();
    let hinge = b.joint(axis, Link::Ground, body, [0.0, 0.0, 0.0]).unwrap();
    b.joint_friction(hinge, Freedom::Angle, bound).unwrap();
    Stepper::new(Arc::new(b.build().unwrap()), &Options::default()).unwrap()
}

#[test]
fn a_door_with_a_stiff_hinge_comes_to_rest_after_inertia_times_spin_over_torque() {
    let (m, w) = DOOR;
    // About the hinge: m w^2/3.
    let (inertia, spin, torque) = (m * w * w / 3.0, 1.5, 2.0);
    let end = inertia * spin / torque;
    for spatial in [false, true] {
        let (mut errors, mut places) = (vec![], vec![]);
        for k in 5..=8 {
            let mut s = door(torque, spin, spatial);
            s.advance(4.0, 0.5f64.powi(k)).unwrap();
            let stop = s.events()[0];
            assert_eq!((s.events().len(), stop.kind), (1, EventKind::Stick), "{:?}", s.events());
            // No contacts; the hinge is the second joint.
            assert_eq!((stop.contact, stop.key), (0, 1));
            errors.push((stop.t - end).abs());
            assert_eq!(s.brake_mode(0), ContactMode::Sticking);
            // Angle w^2 I/(2 T), from the position of the center of mass.
            let angle = 0.5 * spin * end;
            let at = [0.5 * w * angle.cos(), 0.5 * w * angle.sin()];
            places.push((s.q()[0] - at[0]).abs().max((s.q()[1] - at[1]).abs()));
            let here: Vec<u64> = s.q().iter().map(|x| x.to_bits()).collect();
            s.advance(100.0, 0.125).unwrap();
            let later: Vec<u64> = s.q().iter().map(|x| x.to_bits()).collect();
            assert_eq!(here, later, "a door at rest does not creep");
            assert!(s.events().is_empty());
        }
        assert!(errors[3] < 4e-6 && places[3] < 2e-6, "{errors:?} {places:?}");
        for errors in [errors, places] {
            assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.05), "{errors:?}");
        }
    }
}

#[test]
fn what_a_brake_takes_is_booked_as_friction() {
    let slider = Slider { push: |_| 0.0, bound: |_| 2.0, wall: None };
    let mut s = stepper(slider, &Options::default(), &[0.0], &[1.0]);
    s.advance(1.0, 0.03).unwrap();
    // It stops, and v^2/2 is gone.
    let books = s.ledger_sum();
    assert!((books.friction - 0.5).abs() < 1e-12 && books.residue.abs() < 1e-12, "{books:?}");
}

#[test]
fn a_slider_held_by_its_brake_stays_with_every_method() {
    // All but the Runge-Kutta methods.
    for &method in &methods::METHODS[..8] {
        let options = Options { method, ..Options::default() };
        let slider = Slider { push: |_| 4.9, bound: |_| 5.0, wall: None };
        let mut s = stepper(slider, &options, &[1.0], &[0.0]);
        s.advance(100.0, 0.1).unwrap();
        assert!((s.brake_impulses()[0] + 0.49).abs() < 1e-12, "{method:?}");
        // Rounding of the impulse, 1e-16 of h F per step, is all that may be left.
        assert!((s.q()[0] - 1.0).abs() < 1e-14, "{method:?}: {:e}", s.q()[0] - 1.0);
        // A little more than the bound, and it goes: (5.1 - 5) t^2/2, up to the order of the method.
        let slider = Slider { push: |_| 5.1, bound: |_| 5.0, wall: None };
        let mut s = stepper(slider, &options, &[1.0], &[0.0]);
        s.advance(1.0, 0.1).unwrap();
        // The two-step rule gives the velocity in the middle of the last step.
        let late = if method == MethodKind::SchatzmanPaoli { 0.005 } else { 0.0 };
        assert!((s.v()[0] - 0.1 + late).abs() < 1e-12, "{method:?} {:?}", s.v());
    }
}

#[test]
fn without_events_the_bound_is_an_impulse_per_step() {
    for (method, stabilization) in [
        (MethodKind::Trapezoid, Stabilization::Velocity),
        (MethodKind::TrapezoidII, Stabilization::None),
        (MethodKind::ImplicitEuler, Stabilization::None),
    ] {
        let options = Options {
            method,
            events: Some(EventLevel::None),
            stabilization: Some(stabilization),
            ..Options::default()
        };
        let slider = Slider { push: |_| 0.0, bound: |_| 2.0, wall: None };
        let mut s = stepper(slider, &options, &[0.0], &[1.0]);
        // Four steps take 4 h F away, whatever the rule.
        s.advance(0.4, 0.1).unwrap();
        assert!((s.v()[0] - 0.2).abs() < 1e-15, "{method:?} {:?}", s.v());
    }
}

#[test]
fn a_brake_is_no_part_of_an_impact() {
    let slider = Slider { push: |_| 0.0, bound: |_| 3.0, wall: Some((1.0, 0.5)) };
    let mut s = stepper(slider, &Options::default(), &[0.0], &[4.0]);
    s.advance(2.0, 0.01).unwrap();
    // v^2 = 16 - 2 3 1 at the wall; it returns with half of it and stops after v^2/(2 3).
    let speed = 10f64.sqrt();
    let hit = s.events()[0];
    assert_eq!((hit.kind, hit.contact), (EventKind::Impact, 0));
    assert!(
        (hit.speed_before + speed).abs() < 1e-12 && (hit.speed_after - 0.5 * speed).abs() < 1e-12
    );
    assert!((s.q()[0] - (1.0 - 2.5 / 6.0)).abs() < 1e-12, "{:?}", s.q());
    // Slip changed its direction in the impact, which is no event; the brake comes after the contact.
    let stop = s.events()[1];
    assert_eq!((s.events().len(), stop.kind, stop.contact), (2, EventKind::Stick, 1));
}

#[test]
fn a_brake_that_is_slowly_released_gives_way_when_its_bound_is_the_load() {
    for method in TRAPEZOIDS {
        let options = Options { method, ..Options::default() };
        let mut errors = vec![];
        for h in [0.1, 0.05, 0.025] {
            let slider = Slider { push: |_| 3.0, bound: |t| 5.0 - t, wall: None };
            let mut s = stepper(slider, &options, &[0.0], &[0.0]);
            s.advance(3.0, h).unwrap();
            let slip = s.events()[0];
            assert_eq!((s.events().len(), slip.kind), (1, EventKind::Slip));
            assert!((slip.t - 2.0).abs() < 1e-6, "{slip:?}");
            // a = t - 2 from there: v = 1/2, x = 1/6 at t = 3.
            assert!((s.v()[0] - 0.5).abs() < 1e-6);
            errors.push((s.q()[0] - 1.0 / 6.0).abs());
        }
        assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.1), "{errors:?}");
    }
}

/// A block of 1 kg on a rough plane, mu = 0.5 and g = 10, in a guide with a brake of 3 N.
struct Guided(f64);

impl Model for Guided {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 1, n_dir: 2, n_brake: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        (force[0], force[1]) = (self.0, -10.0);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[1];
        normal[1] = 1.0;
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        (tangent[0], tangent[2]) = (1.0, -1.0);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.5
    }
    fn brake(&self, _: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        (bound[0], direction[0]) = (3.0, 1.0);
        Ok(())
    }
}

#[test]
fn contact_friction_and_a_brake_hold_together_what_neither_holds_alone() {
    // 5 N of the contact and 3 N of the brake.
    let mut s = stepper(Guided(7.9), &Options::default(), &[0.0; 2], &[0.0; 2]);
    s.advance(10.0, 0.1).unwrap();
    assert!(s.q()[0].abs() < 1e-14 && s.events().is_empty());
    let mut s = stepper(Guided(8.5), &Options::default(), &[0.0; 2], &[0.0; 2]);
    s.advance(1.0, 0.1).unwrap();
    assert!((s.v()[0] - 0.5).abs() < 1e-12);
    // Sliding stops both at once: one event each, the contact first.
    let mut s = stepper(Guided(0.0), &Options::default(), &[0.0; 2], &[2.0, 0.0]);
    s.advance(1.0, 0.1).unwrap();
    let kinds: Vec<_> = s.events().iter().map(|e| (e.kind, e.contact)).collect();
    assert_eq!(kinds, [(EventKind::Stick, 0), (EventKind::Stick, 1)]);
    // v/(mu g + F/m), closed form.
    assert!(s.events().iter().all(|e| (e.t - 0.25).abs() < 1e-9));
}

#[test]
fn a_brake_stops_beside_contacts_with_many_directions() {
    // A block in the air over a plane with eight friction directions, on a rail along x with 3 N.
    let mut b = Builder::new();
    let body = b.spatial(1.0, ROUND, [0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.0]).unwrap();
    b.velocity(body, [2.0, 0.0, 0.0], [0.0; 3]).unwrap();
    let rail = Joint::Prismatic { axis: [1.0, 0.0, 0.0] };
    let rail = b.joint(rail, Link::Ground, body, [0.0, 0.0, 2.0]).unwrap();
    b.joint_friction(rail, Freedom::Slide, 3.0).unwrap();
    b.shape(body, Shape::Ball { radius: 0.5 }, Attach::default()).unwrap();
    let other = b.spatial(1.0, ROUND, [5.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]).unwrap();
    b.velocity(other, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    b.shape(other, Shape::Ball { radius: 0.5 }, Attach::default()).unwrap();
    let ground = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, ground, Attach::default()).unwrap();
    let stone = MaterialId::from_index(0);
    b.surface(stone, stone, Surface { mu: 0.3, restitution: 0.0, grain: None }).unwrap();
    b.gravity([0.0, 0.0, -10.0]).unwrap();
    let mut s = Stepper::new(Arc::new(b.build().unwrap()), &Options::default()).unwrap();
    let n_contact = s.dims().n_contact as i32;
    s.advance(1.0, 0.01).unwrap();
    let stop = s.events().iter().find(|e| e.contact == n_contact).unwrap();
    // v m/F, closed form.
    assert!(stop.kind == EventKind::Stick && (stop.t - 2.0 / 3.0).abs() < 1e-9, "{stop:?}");
}

#[test]
fn a_saved_motion_with_brakes_goes_on_with_the_same_bits() {
    let make = || {
        let slider = Slider { push: |t| 8.0 * t.cos(), bound: |_| 0.8 * 9.81, wall: None };
        stepper(slider, &Options::default(), &[3.0], &[0.0])
    };
    let mut s = make();
    for k in 1..=20 {
        s.advance(0.5 * f64::from(k), 0.05).unwrap();
        let mut bytes = vec![0; s.saved_size()];
        s.save(&mut bytes).unwrap();
        let mut other = make();
        other.restore(&bytes).unwrap();
        assert_eq!(other.brake_mode(0), s.brake_mode(0));
        other.advance(0.5 * f64::from(k) + 0.4, 0.05).unwrap();
        let mut same = make();
        same.restore(&bytes).unwrap();
        same.advance(0.5 * f64::from(k) + 0.4, 0.05).unwrap();
        assert_eq!(
            (other.q()[0].to_bits(), other.events()),
            (same.q()[0].to_bits(), same.events())
        );
    }
}

#[test]
fn bounds_below_zero_and_without_a_number_are_refused() {
    let below = Slider { push: |_| 0.0, bound: |t| -t, wall: None };
    let mut s = stepper(below, &Options::default(), &[0.0], &[1.0]);
    let e = s.step(0.1).unwrap_err();
    assert!(matches!(e, Error::Range { what: "brake bound", index: 0, .. }), "{e}");
    assert_eq!((s.t(), s.v()), (0.0, &[1.0][..]));
    let none = Slider { push: |_| 0.0, bound: |_| f64::NAN, wall: None };
    let mut s = stepper(none, &Options::default(), &[0.0], &[1.0]);
    let e = s.step(0.1).unwrap_err();
    assert!(matches!(e, Error::NonFinite { what: "brake bound", .. }), "{e}");
    let slider = Slider { push: |_| 0.0, bound: |_| 1.0, wall: None };
    let radau = Options { method: MethodKind::RadauIIA5, ..Options::default() };
    let e = Stepper::new(Arc::new(slider), &radau).err().unwrap();
    assert!(matches!(e, Error::Value { what: "n_brake", .. }), "{e}");
    let mut b = Builder::new();
    let body = b.planar(1.0, 1.0, [0.0, 0.0], 0.0).unwrap();
    let hinge =
        b.joint(Joint::Revolute { axis: [0.0, 0.0, 1.0] }, Link::Ground, body, [0.0; 3]).unwrap();
    let e = b.joint_friction(hinge, Freedom::Angle, -1.0).unwrap_err();
    assert!(matches!(e, Error::Range { what: "bound", .. }), "{e}");
    let e = b.joint_friction(hinge, Freedom::Slide, 1.0).unwrap_err();
    assert!(matches!(e, Error::Value { what: "coordinate of the joint", .. }), "{e}");
}

/// Two bodies in a row with three brakes: each to the ground, one between.
fn train(p: [f64; 2], bound: [f64; 3]) -> ([f64; 2], [f64; 3]) {
    let mass = [2.0, 0.0, 0.0, 1.0];
    let none = MatRef::new("none", &[], 2, 0, 2).unwrap();
    let d = [1.0, 0.0, 0.0, 1.0, -1.0, 1.0];
    let problem = Problem {
        mass: MatRef::square("mass", &mass, 2).unwrap().into(),
        p: &p,
        joint: Rows::same(none),
        normal: Rows::same(none),
        tangent: Rows::same(none),
        n_dir: 0,
        mu: &[],
        brake: Brakes {
            rows: Some(Rows::same(MatRef::new("brake", &d, 2, 3, 2).unwrap())),
            bound: &bound,
        },
    };
    let mut solver = Solver::new(problem.size()).unwrap();
    solver.solve(&problem).unwrap();
    assert!(problem.certificate().covered());
    let (v, f) = (solver.v(), solver.brake());
    ([v[0], v[1]], [f[0], f[1], f[2]])
}

#[test]
fn brakes_give_what_their_law_says() {
    // Both go on, together: (6 - 2 - 1)/3 each, the brake between holds 6 - 2 - 2 = 2 of its 3.
    let (v, f) = train([6.0, 0.0], [2.0, 1.0, 3.0]);
    assert!((v[0] - 1.0).abs() < 1e-14 && (v[1] - 1.0).abs() < 1e-14, "{v:?}");
    assert!((f[0] + 2.0).abs() < 1e-14 && (f[1] + 1.0).abs() < 1e-14, "{f:?}");
    assert!((f[2] - 2.0).abs() < 1e-14, "{f:?}");
    // Between bounds of 1 the second is dragged along by 1 - 1: at rest; the first goes with 3/2.
    let (v, f) = train([6.0, 0.0], [2.0, 1.0, 1.0]);
    assert!((v[0] - 1.5).abs() < 1e-14 && v[1].abs() < 1e-14, "{v:?}");
    assert_eq!((f[0], f[2]), (-2.0, 1.0));
    // Everything rests when the bounds suffice, and bounds of zero do nothing.
    let (v, _) = train([6.0, 0.0], [7.0, 1.0, 3.0]);
    assert!(v[0].abs() < 1e-14 && v[1].abs() < 1e-14);
    let (v, f) = train([6.0, -1.0], [0.0; 3]);
    assert_eq!((v, f), ([3.0, -1.0], [0.0; 3]));
}
