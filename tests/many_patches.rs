//! Steps without the contacts inside of patches: the motion is that of all contacts, whoever is needed comes back, and
//! what is left out can still be asked for.

#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use many::scenes::{self, Load, PUSHED};
use many::{Form, Plan};
use std::sync::Arc;
use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};
use stiction::step::{ContactMode, ManyContacts, Options, Stepper};

const H: f64 = 5e-3;

fn stepper(model: Arc<dyn Model>, many_contacts: ManyContacts) -> Stepper {
    Stepper::new(model, &Options { many_contacts, ..Options::default() }).unwrap()
}

/// Largest difference of the velocities of two motions along `steps` steps.
#[track_caller]
fn apart(a: &mut Stepper, b: &mut Stepper, steps: usize) -> f64 {
    let mut most = 0.0f64;
    for k in 0..steps {
        for s in [&mut *a, &mut *b] {
            s.step(H).unwrap_or_else(|e| panic!("step {k}: {e}"));
        }
        for (x, y) in a.v().iter().zip(b.v()) {
            most = most.max((x - y).abs());
        }
    }
    most
}

/// With and without the contacts inside of patches.
fn both(plan: &Plan) -> [Stepper; 2] {
    let scene = Arc::new(plan.build().unwrap());
    [ManyContacts::Safe, ManyContacts::Full].map(|many| stepper(scene.clone(), many))
}

fn pushing(s: &Stepper) -> usize {
    s.normal_impulses().iter().filter(|x| **x > 0.0).count()
}

#[test]
fn a_base_moves_the_same_with_and_without_its_inner_points() {
    for (load, steps) in [(Load::Rest, 50), (Load::Pushed, 250), (Load::Tipping, 120)] {
        for side in [4, 8] {
            let [mut few, mut all] = both(&scenes::base(side, load));
            let apart = apart(&mut few, &mut all, steps);
            assert!(apart < 1e-9, "{load:?} on {} points: {apart:e}", side * side);
            assert!(pushing(&few) <= 4 && few.stats().worst_gap > -1e-9, "{:?}", few.stats());
        }
    }
}

#[test]
fn a_base_of_many_points_goes_where_a_block_goes() {
    // 256 points come and go, 64 have gaps of their own.
    for side in [8, 16] {
        let mut s = stepper(
            Arc::new(scenes::base(side, Load::Pushed).build().unwrap()),
            ManyContacts::Safe,
        );
        s.advance(5.0, H).unwrap();
        assert!((s.q()[0].abs() - PUSHED).abs() < 5e-5, "{side}: {:?}", s.q());
        assert!(s.stats().worst_residual < 1e-8 && s.stats().worst_gap > -1e-9);
    }
}

#[test]
fn a_contact_that_is_left_out_is_told_like_any_other() {
    for side in [8, 16] {
        let mut s =
            stepper(Arc::new(scenes::base(side, Load::Rest).build().unwrap()), ManyContacts::Safe);
        s.advance(0.05, H).unwrap();
        let n = s.contact_count();
        let (mut there, mut weight) = (0, 0.0);
        for i in 0..n {
            let c = s.contact(i).unwrap();
            if c.gap == f64::INFINITY {
                continue;
            }
            there += 1;
            weight += c.normal_impulse;
            assert!(
                c.gap.abs() < 1e-9 && c.gap_rate.abs() < 1e-12 && c.slip_speed < 1e-12,
                "{c:?}"
            );
            let carries = c.normal_impulse > 0.0;
            let mode = if carries { ContactMode::Sticking } else { c.mode };
            assert_eq!(c.mode, mode);
            assert_ne!(c.mode, ContactMode::Open, "{i}: {c:?}");
        }
        assert_eq!(there, side * side);
        assert!((weight - 9.81 * H).abs() < 1e-9, "{weight}");
        assert!(pushing(&s) <= 4);
    }
}

#[test]
fn a_base_that_spins_keeps_its_points_unless_told_otherwise() {
    let scene = Arc::new(scenes::base(4, Load::Rest).build().unwrap());
    for (many, slipping) in [(ManyContacts::Safe, 16), (ManyContacts::Aggressive, 4)] {
        let mut s = stepper(scene.clone(), many);
        let q = s.q().to_vec();
        s.set_state(0.0, &q, &[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
        s.advance(0.05, H).unwrap();
        let count =
            |s: &Stepper, mode: ContactMode| (0..16).filter(|&i| s.contact_mode(i) == mode).count();
        assert!(s.v()[5] > 0.1, "{:?}", s.v());
        assert_eq!(count(&s, ContactMode::Slipping), slipping, "{many:?}");
        // Once it stands, four are enough at either level.
        s.advance(0.3, H).unwrap();
        assert!(s.v().iter().all(|v| v.abs() < 1e-12), "{:?}", s.v());
        assert_eq!(count(&s, ContactMode::Sticking), 4, "{many:?}");
        assert_eq!(count(&s, ContactMode::Touching), 12, "{many:?}");
    }
}

#[test]
fn friction_directions_turned_along_the_slip_do_not_hide_that_a_base_spins() {
    let scene = Arc::new(scenes::base(4, Load::Rest).build().unwrap());
    let [mut safe, mut full] =
        [ManyContacts::Safe, ManyContacts::Full].map(|many| stepper(scene.clone(), many));
    for s in [&mut safe, &mut full] {
        let q = s.q().to_vec();
        s.set_state(0.0, &q, &[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
    }
    // Along directions of their own all corners of a square slip alike: the problem was taken for one that does not
    // spin, and its inner points left out.
    let apart = apart(&mut safe, &mut full, 20);
    assert!(apart < 1e-9, "{apart:e}");
    // Corners alone brake by mu g r / i = 0.5 9.81 sqrt(1/2) 6 = 20.8 rad/s^2, which is rest after 0.1 s; each of the
    // sixteen points with the same load by 14.7.
    assert!(safe.v()[5] > 2.0 - 0.1 * 14.8, "{:?}", safe.v());
    assert_eq!(pushing(&safe), 16);
}

#[test]
fn a_base_that_is_turned_until_it_spins_takes_its_points_back_in() {
    // 8 N at the edge of the base, across: more than friction can hold against turning.
    let mut plan = scenes::base(4, Load::Pushed);
    if let Some(push) = &mut plan.push {
        (push.at, push.along, push.rate) = ([0.5, 0.0, -0.5], [0.0, 8.0, 0.0], 0.0);
    }
    let mut s = stepper(Arc::new(plan.build().unwrap()), ManyContacts::Safe);
    s.advance(0.1, H).unwrap();
    assert!(s.v()[5] > 0.1 && s.stats().worst_gap > -1e-9, "{:?} {:?}", s.v(), s.stats());
    assert!((0..16).all(|i| s.contact_mode(i) == ContactMode::Slipping));
}

/// A base of 4 by 4 points on a table that ends at x = 0.1, sliding over the edge.
fn over_the_edge() -> Plan {
    let mut plan = Plan::on_ground();
    let cube = plan.body(1.0, 1.0 / 6.0, [-0.5, 0.0, 2.5]);
    let at = |k: usize| k as f64 / 3.0 - 0.5;
    for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
        plan.shapes.push((Some(cube), Form::Point, [at(i), at(j), -0.5]));
    }
    plan.shapes.push((None, Form::Box([2.0, 2.0, 1.0]), [-1.9, 0.0, 1.0]));
    plan.bodies[cube].v = [2.0, 0.0, 0.0];
    plan
}

/// Kinetic and potential energy of the base, J.
fn energy(s: &Stepper) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    0.5 * square(&s.v()[..3]) + square(&s.v()[3..]) / 12.0 + 9.81 * s.q()[2]
}

#[test]
fn corners_that_leave_the_table_hand_over_to_the_points_behind_them() {
    // Friction of 1/2 half a metre below the middle moves the load 1/4 m forward: once the first row has left the table,
    // at 2 t - 2.4525 t^2 = 0.1, the base tips over the second, 1/6 m ahead of its middle, with alpha = N (1/4 - 1/6)
    // / (1/6) and N = g + alpha/6.
    let (left, alpha) = (0.053495, 0.5 * 9.81 / (1.0 - 1.0 / 12.0));
    for mut s in both(&over_the_edge()) {
        let mut before = energy(&s);
        for k in 1..=40 {
            s.step(H).unwrap();
            let now = energy(&s);
            assert!(now < before + 1e-12, "step {k}: {before} {now}");
            before = now;
            assert!(s.v()[1].abs() + s.v()[3].abs() + s.v()[5].abs() < 1e-9, "{k}: {:?}", s.v());
            let tips = if k < 11 { 0.0 } else { alpha * (H * k as f64 - left) };
            // That it passes an edge is no event: it counts from somewhere in the step. Later alpha grows.
            assert!(k > 20 || (s.v()[4] - tips).abs() < alpha * H, "{k}: {tips} {:?}", s.v());
        }
        assert!(s.stats().worst_gap > -1e-9 && s.q()[0] > -0.3, "{:?} {:?}", s.stats(), s.q());
    }
}

/// A plate of 1 kg on 4 by 4 feet, one of the inner ones of which grows from 0.1 s on.
struct Foot;

impl Foot {
    fn place(i: usize) -> [f64; 2] {
        [(i / 4) as f64 - 1.5, (i % 4) as f64 - 1.5]
    }
}

impl Model for Foot {
    fn dims(&self) -> Dims {
        Dims { nq: 6, nv: 6, n_contact: 16, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.iter_mut().step_by(7).for_each(|x| *x = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[2] = -9.81;
        Ok(())
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        for i in 0..16 {
            let [x, y] = Self::place(i);
            let foot = if i == 5 { 0.2 * (t - 0.1).max(0.0) } else { 0.0 };
            gap[i] = q[2] + y * q[3] - x * q[4] - foot;
            normal[6 * i..6 * i + 6].copy_from_slice(&[0.0, 0.0, 1.0, y, -x, 0.0]);
        }
        Ok(())
    }
}

#[test]
fn a_foot_inside_of_a_base_that_grows_is_taken_back_in() {
    let [mut few, mut all] =
        [ManyContacts::Safe, ManyContacts::Full].map(|many| stepper(Arc::new(Foot), many));
    let before = apart(&mut few, &mut all, 19);
    assert!(before < 1e-9 && few.normal_impulses()[5] == 0.0, "{before:e}");
    let after = apart(&mut few, &mut all, 11);
    assert!(after < 1e-9 && few.normal_impulses()[5] > 0.0, "{after:e}");
    // The foot is 0.2 m/s times 0.05 s long, and carries the plate.
    assert!(few.stats().worst_gap > -1e-9, "{:?}", few.stats());
    assert!(few.q()[2] > 5e-3, "{:?}", few.q());
}

#[test]
fn a_snapshot_amid_patches_goes_on_with_the_same_bits() {
    for (name, plan) in [
        ("pushed", scenes::base(8, Load::Pushed)),
        ("come and go", scenes::base(16, Load::Tipping)),
        ("edge", over_the_edge()),
        ("stack", scenes::stack(3, 1.0)),
    ] {
        let scene = Arc::new(plan.build().unwrap());
        let [mut a, mut b] = [0, 1].map(|_| stepper(scene.clone(), ManyContacts::Safe));
        a.advance(0.2, H).unwrap();
        let mut bytes = vec![0; a.saved_size()];
        a.save(&mut bytes).unwrap();
        b.restore(&bytes).unwrap();
        for s in [&mut a, &mut b] {
            s.advance(0.4, H).unwrap();
        }
        let bits = |s: &Stepper| s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&a), bits(&b), "{name}");
    }
}

/// Three plates of 1 kg on 4 by 4 feet each: a host that pushes them and says nothing of bodies.
struct Plates;

impl Model for Plates {
    fn dims(&self) -> Dims {
        Dims { nq: 18, nv: 18, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.iter_mut().step_by(19).for_each(|x| *x = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.iter_mut().skip(2).step_by(6).for_each(|f| *f = -9.81);
        Ok(())
    }
    fn hosted(&self) -> usize {
        48
    }
    fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
        for (plate, foot) in (0..3).flat_map(|plate| (0..16).map(move |foot| (plate, foot))) {
            let ([x, y], q) = (Foot::place(foot), &q[6 * plate..][..6]);
            let index: Vec<usize> = (6 * plate..6 * plate + 6).collect();
            let along = [1.0, 0.0, 0.0, 0.0, 0.0, -y];
            let tangent = [along, along.map(|d| -d)].concat();
            let contact = HostContact {
                key: (16 * plate + foot) as i64,
                gap: q[2] + y * q[3] - x * q[4],
                coordinates: Some(&index),
                normal: &[0.0, 0.0, 1.0, y, -x, 0.0],
                friction: Friction::Directions(&tangent),
                mu: 0.3,
                restitution: 0.0,
            };
            // A failure is remembered and fails the step.
            let _ = sink.push(&contact);
        }
        Ok(())
    }
}

#[test]
fn plates_of_a_host_that_tells_no_bodies_rest_on_their_corners_too() {
    let two = [ManyContacts::Safe, ManyContacts::Full];
    let [mut few, mut all] = two.map(|many| stepper(Arc::new(Plates), many));
    let apart = apart(&mut few, &mut all, 20);
    assert!(apart < 1e-9, "{apart:e}");
    assert_eq!(few.contact_count(), 48);
    assert!(pushing(&few) <= 12, "{}", pushing(&few));
}
