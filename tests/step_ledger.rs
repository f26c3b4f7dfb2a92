//! Where energy goes: friction, impacts, drives, and how little the method adds by itself; impulses of whole steps.

mod scenes;

#[path = "support/methods.rs"]
mod methods;

use scenes::*;
use stiction::model::{Answer, Dims, Model, Refusal};
use stiction::step::{EventKind, Ledger, MethodKind, Options, Stabilization, Stepper};

const G: f64 = 9.81;

/// The balance of the books, in units of the largest entry.
fn imbalance(l: &Ledger) -> f64 {
    let sum = l.external + l.drive + l.stabilization + l.residue - l.friction - l.impact;
    let largest = [l.kinetic, l.external, l.drive, l.friction, l.impact].map(f64::abs);
    (l.kinetic - sum).abs() / largest.iter().fold(1e-300, |m: f64, x| m.max(*x))
}

fn flat(mu: f64) -> Block {
    Block { mu, push: |_| 0.0, gx: 0.0, gy: G }
}

#[test]
fn a_block_that_slides_to_rest_loses_its_kinetic_energy_to_friction() {
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidI, MethodKind::TrapezoidII] {
        let options = Options { method, ..Options::default() };
        let mut s = stepper(flat(0.5), &options, &[0.0; 2], &[3.0, 0.0]);
        // Comes to rest at v/(mu g) = 0.6116 s, inside a step.
        s.advance(1.0, 0.07).unwrap();
        let l = s.ledger_sum();
        assert!((l.friction - 4.5).abs() < 1e-13, "{method:?} {l:?}");
        assert!((l.kinetic + 4.5).abs() < 1e-13, "{method:?} {l:?}");
        let rest = [l.external, l.drive, l.impact, l.stabilization, l.residue];
        assert!(rest.iter().all(|x| x.abs() < 1e-13), "{method:?} {l:?}");
    }
}

#[test]
fn friction_work_is_the_sum_of_mu_times_slip_speed_times_normal_impulse() {
    let mu = 0.3;
    let (sine, cosine) = (0.6, 0.8);
    let model = Block { mu, push: |t| 2.0 * t.sin(), gx: G * sine, gy: G * cosine };
    let mut s = stepper(model, &Options::default(), &[0.0; 2], &[1.0, 0.0]);
    let (mut sum, mut external) = (0.0, 0.0);
    for k in 0..40 {
        let (before, x) = (s.v()[0], s.q()[0]);
        let t = s.t();
        s.step(0.05).unwrap();
        let (lambda, h) = (0.5 * (before + s.v()[0]), s.t() - t);
        let c = s.normal_impulses()[0];
        // The weight on the plane, m g cos.
        assert!((c - G * cosine * h).abs() < 1e-13, "{c}");
        let friction = s.ledger().friction;
        assert!((friction - mu * lambda * c).abs() < 1e-13 * (1.0 + friction), "step {k}");
        sum += mu * lambda * c;
        // The block slides down, friction acts along the second direction.
        assert!((s.friction_impulses()[1] - mu * c).abs() < 1e-14);
        assert_eq!(s.friction_impulses()[0], 0.0);
        let push = (2.0 * t.sin() + 2.0 * s.t().sin()) / 2.0;
        external += (G * sine + push) * (s.q()[0] - x);
        assert!(imbalance(s.ledger()) < 1e-14);
    }
    let l = s.ledger_sum();
    assert!((l.friction - sum).abs() < 1e-12 && (l.external - external).abs() < 1e-12);
    assert!(l.residue.abs() < 1e-12, "{l:?}");
}

#[test]
fn a_ball_loses_three_quarters_of_its_energy_at_each_impact() {
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    let mut impacts = 0;
    while impacts < 5 {
        s.step(0.013).unwrap();
        let hits = s.events().iter().filter(|e| e.kind == EventKind::Impact);
        let lost: f64 = hits.map(|e| 0.75 * 0.5 * e.speed_before * e.speed_before).sum();
        impacts += times(s.events(), EventKind::Impact).len();
        assert!((s.ledger().impact - lost).abs() < 1e-14 + 1e-12 * lost, "{:?}", s.ledger());
        assert_eq!((s.ledger().friction, s.ledger().drive), (0.0, 0.0));
    }
    // Everything is gone when it rests: the last flight is closed, not followed.
    s.advance(4.0, 0.013).unwrap();
    let l = s.ledger_sum();
    assert!((l.external - G).abs() < 1e-12 && (l.impact - G).abs() < 1e-12, "{l:?}");
    assert!(l.residue.abs() < 1e-12 && s.v()[0] == 0.0, "{l:?}");
}

#[test]
fn impulses_of_a_step_with_an_impact_in_it_balance_the_momentum() {
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    for _ in 0..300 {
        let before = s.v()[0];
        s.step(0.01).unwrap();
        let c = s.normal_impulses()[0];
        // m (v1 - v0) = -m g h + c
        assert!((s.v()[0] - before + G * 0.01 - c).abs() < 1e-13, "{c} at {}", s.t());
    }
}

#[test]
fn gravity_works_along_the_path_and_joints_add_a_residue_of_second_order() {
    let height = |q: &[f64]| q[1] + q[3];
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidII] {
        for stabilization in [Stabilization::Project, Stabilization::Velocity, Stabilization::None]
        {
            let options =
                Options { method, stabilization: Some(stabilization), ..Options::default() };
            let mut residues = Vec::new();
            for h in [4e-3, 2e-3, 1e-3] {
                let q = DoublePendulum::start();
                let mut s = stepper(DoublePendulum { g: G, e: 0.0 }, &options, &q, &[0.0; 4]);
                // Before the first impact.
                s.advance(0.4, h).unwrap();
                let (l, fall) = (s.ledger_sum(), G * (height(&q) - height(s.q())));
                assert!((l.external - fall).abs() < 1e-12 * fall, "{method:?} {l:?}");
                assert!(imbalance(l) < 1e-14 && l.friction == 0.0 && l.impact == 0.0);
                residues.push((l.residue + l.stabilization).abs());
            }
            let found = orders(&residues, 2.0);
            assert!(residues[2] < 1e-4, "{method:?} {stabilization:?} {residues:?}");
            let enough = found.iter().all(|o| *o > 1.9) || residues[0] < 1e-12;
            assert!(enough, "{method:?} {stabilization:?} {residues:?} {found:?}");
        }
    }
}

/// A pendulum of length 1 and mass 1 on a cart of mass 2, in the coordinates (x, angle): the mass
/// matrix turns with it.
struct Cart;

impl Model for Cart {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[3.0, q[1].cos(), q[1].cos(), 1.0]);
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        force[0] = q[1].sin() * v[1] * v[1];
        force[1] = -G * q[1].sin();
        Ok(())
    }
}

#[test]
fn a_mass_that_turns_with_the_motion_does_no_work() {
    let mut residues = Vec::new();
    for h in [0.02, 0.01, 0.005] {
        let mut s = stepper(Cart, &Options::default(), &[0.0, 2.0], &[0.5, 0.0]);
        s.advance(2.0, h).unwrap();
        let l = s.ledger_sum();
        // Potential energy -g cos: the work of gravity alone, Coriolis forces apart.
        let fall = G * (s.q()[1].cos() - 2f64.cos());
        residues.push((l.external - fall).abs().max(l.residue.abs()));
        assert!(imbalance(l) < 1e-14);
    }
    let found = orders(&residues, 2.0);
    assert!(found.iter().all(|o| *o > 1.9), "{residues:?} {found:?}");
}

#[test]
fn books_by_stages_have_the_order_of_the_method() {
    // Works were summed by the trapezoidal rule: the books of a method of order 6 were of order 2.
    use MethodKind::*;
    // The double pendulum before its first impact: joints, and gravity that is summed exactly. The cart: masses that turn,
    // which half-explicit methods book by their ends. The block: two slips.
    let pushed = || Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: G };
    for (method, p) in [
        (LobattoIIIA2, 2.0),
        (RadauIIA3, 3.0),
        (LobattoIIIA4, 4.0),
        (RadauIIA5, 5.0),
        (LobattoIIIA6, 6.0),
        (HalfExplicit2, 2.0),
        (HalfExplicit4, 4.0),
    ] {
        let options = Options { method, ..Options::default() };
        let (mut joints, mut masses, mut rubs) = (Vec::new(), Vec::new(), Vec::new());
        for n in [10.0, 20.0, 40.0] {
            let q = DoublePendulum::start();
            let mut s = stepper(DoublePendulum { g: G, e: 0.0 }, &options, &q, &[0.0; 4]);
            s.advance(0.4, 0.4 / n).unwrap();
            let (l, fall) = (s.ledger_sum(), G * (q[1] + q[3] - s.q()[1] - s.q()[3]));
            assert!((l.external - fall).abs() < 1e-12 * fall, "{method:?} {l:?}");
            assert!(imbalance(l) < 1e-13 && l.friction == 0.0 && l.drive == 0.0, "{l:?}");
            joints.push((l.residue + l.stabilization).abs());

            let mut s = stepper(Cart, &options, &[0.0, 2.0], &[0.5, 0.0]);
            s.advance(1.0, 0.5 / n).unwrap();
            let l = s.ledger_sum();
            let fall = G * (s.q()[1].cos() - 2f64.cos());
            masses.push((l.external - fall).abs().max(l.residue.abs()));

            let mut s = stepper(pushed(), &options, &[3.0, 0.0], &[0.0; 2]);
            s.advance(4.0, 1.0 / n).unwrap();
            let l = s.ledger_sum();
            // There and back: x(2) - 3 and x(2) - x(4) in closed form, at mu m g.
            let way = 2.0 * 3.00434856972686523 - 3.0 - 2.99130283311503152;
            rubs.push((l.friction - 0.8 * G * way).abs().max(l.residue.abs()));
        }
        let masses_order = if method == HalfExplicit4 { 2.0 } else { p };
        for (what, errors, p) in
            [("joints", joints, p), ("masses", masses, masses_order), ("block", rubs, p)]
        {
            let found = orders(&errors, 2.0);
            let enough = found.iter().zip(&errors[1..]).all(|(o, e)| *o > p - 0.3 || *e < 1e-11);
            assert!(enough, "{method:?} {what} {errors:?} {found:?}");
        }
    }
}

/// A ball of 1 kg above a floor whose height is `floor`(t).
struct Piston {
    floor: fn(f64) -> f64,
    e: f64,
}

impl Model for Piston {
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
        gap[0] = q[0] - (self.floor)(t);
        normal[0] = 1.0;
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

#[test]
fn a_floor_that_lifts_a_ball_drives_it() {
    let mut errors = Vec::new();
    for h in [0.02, 0.01, 0.005] {
        let mut s = stepper(
            Piston { floor: |t| 0.3 * t.sin(), e: 0.0 },
            &Options::default(),
            &[0.0],
            &[0.3],
        );
        s.advance(1.0, h).unwrap();
        let l = s.ledger_sum();
        // It stays on the floor: what the floor does is kinetic and potential energy.
        let (x, v) = (0.3 * 1f64.sin(), 0.3 * 1f64.cos());
        let work = 0.5 * (v * v - 0.09) + G * x;
        errors.push((l.drive - work).abs());
        assert!((l.external + G * x).abs() < 1e-12 && l.impact.abs() < 1e-9, "{l:?}");
    }
    let found = orders(&errors, 2.0);
    assert!(errors[2] < 1e-5 && found.iter().all(|o| *o > 1.9), "{errors:?} {found:?}");
}

#[test]
fn a_floor_that_rises_against_a_ball_gives_energy_in_the_impact() {
    // At t = 0 the ball arrives with -2 m/s at a floor that rises with 1 m/s, e = 1/2: relative speed
    // -3 before, 1.5 after, impulse 4.5 N s; the floor works 4.5 J, the impact loses 9/2 3/4 J.
    let model = Piston { floor: |t| t, e: 0.5 };
    let mut s = stepper(model, &Options::default(), &[0.0], &[-2.0]);
    s.step(0.01).unwrap();
    let l = s.ledger();
    assert!((l.drive - 4.5).abs() < 1e-10, "{l:?}");
    assert!((l.impact - 3.375).abs() < 1e-10 && l.residue.abs() < 1e-10, "{l:?}");
    assert!((s.normal_impulses()[0] - 4.5).abs() < 1e-10);
}

#[test]
fn every_method_keeps_books_that_balance() {
    for method in methods::METHODS {
        let options = Options { method, ..Options::default() };
        // A ball that falls from 1 m and stays, where the rule lets it: the impact lost what gravity gave,
        // up to that of one step.
        let mut s = stepper(Ball { force: -G, e: 0.0 }, &options, &[1.0], &[0.0]);
        s.advance(1.0, 1e-3).unwrap();
        let l = s.ledger_sum();
        assert!(imbalance(l) < 1e-13, "{method:?} {l:?}");
        let slack = 1e-3 * G * (2.0 * G).sqrt();
        assert!(
            (l.external - G * (1.0 - s.q()[0])).abs() < 1e-12 && l.drive == 0.0,
            "{method:?} {l:?}"
        );
        let lost = if method == MethodKind::SchatzmanPaoli {
            // Its multipliers are no physical impulses.
            l.impact - l.residue
        } else {
            assert!(l.residue.abs() < slack, "{method:?} {l:?}");
            l.impact
        };
        assert!((lost - G).abs() < 2.0 * slack, "{method:?} {l:?}");
        // A block that slides to rest.
        let mut s = stepper(flat(0.5), &options, &[0.0; 2], &[3.0, 0.0]);
        s.advance(1.0, 1e-3).unwrap();
        let l = s.ledger_sum();
        let slack = if method == MethodKind::SchatzmanPaoli { 0.02 } else { 1e-9 };
        assert!((l.friction - 4.5).abs() < slack, "{method:?} {l:?}");
    }
}

#[test]
fn a_rod_that_falls_on_a_table_loses_what_is_missing_to_friction_and_impacts() {
    let mut residues = Vec::new();
    for h in [4e-3, 2e-3, 1e-3] {
        let (model, q, v) = rod(0.3);
        let energy = model.energy(&q, &v);
        let (twin, ..) = rod(0.3);
        let mut s = stepper(model, &Options::default(), &q, &v);
        s.advance(0.7, h).unwrap();
        let l = s.ledger_sum();
        let missing = energy - twin.energy(s.q(), s.v());
        assert!(l.friction > 1e-3 && l.impact > 1.0, "{l:?}");
        residues.push((missing - l.friction - l.impact).abs());
    }
    let found = orders(&residues, 4.0);
    assert!(residues[2] < 1e-4, "{residues:?} {found:?}");
}

fn saved(s: &Stepper) -> Vec<u8> {
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    bytes
}

#[test]
fn restored_books_go_on_with_the_same_bits_and_set_states_begin_new_ones() {
    let make = || stepper(flat(0.5), &Options::default(), &[0.0; 2], &[3.0, 0.0]);
    let mut s = make();
    s.advance(0.3, 0.05).unwrap();
    let mut other = make();
    other.restore(&saved(&s)).unwrap();
    assert_eq!(other.ledger_sum(), s.ledger_sum());
    assert_eq!(*other.ledger(), Ledger::default());
    assert_eq!(other.normal_impulses(), [0.0]);
    s.advance(1.0, 0.05).unwrap();
    other.advance(1.0, 0.05).unwrap();
    assert_eq!(other.ledger_sum(), s.ledger_sum());
    s.set_state(0.0, &[0.0; 2], &[0.0; 2]).unwrap();
    assert_eq!((*s.ledger(), *s.ledger_sum()), (Ledger::default(), Ledger::default()));
}

/// A ball that cannot be asked below a height.
struct Refusing;

impl Model for Refusing {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = -G;
        if q[0] < 0.0 { Err(Refusal::Point(1)) } else { Ok(()) }
    }
}

#[test]
fn a_step_that_fails_leaves_the_books_as_they_were() {
    let mut s = stepper(Refusing, &Options::default(), &[0.2], &[0.0]);
    while s.step(0.1).is_ok() {}
    let (last, sum) = (*s.ledger(), *s.ledger_sum());
    assert!(last.kinetic > 0.0 && sum.kinetic >= last.kinetic);
    assert!(s.step(0.1).is_err() && s.step(0.2).is_err());
    assert_eq!((*s.ledger(), *s.ledger_sum()), (last, sum));
    s.step(1e-3).unwrap();
    assert!((s.ledger().residue).abs() < 1e-14, "{:?}", s.ledger());
}

#[test]
fn boxes_thrown_into_a_container_lose_energy_to_friction_and_impacts_and_little_to_the_method() {
    for seed in 0..12 {
        let mut added = Vec::new();
        for h in [0.01, 0.0025] {
            let (model, q, v) = thrown_box(seed);
            let mut s = stepper(model, &Options::default(), &q, &v);
            while s.t() < 1.2 {
                s.step(h).unwrap();
                let l = s.ledger();
                // Losses are losses, up to the third order of a step and to rounding.
                let rounding = 1e-12 * (1.0 + l.impact);
                assert!(l.friction > -10.0 * h * h * h && l.impact > -rounding, "{seed} {l:?}");
            }
            let l = s.ledger_sum();
            assert!(imbalance(l) < 1e-12, "{seed} {l:?}");
            added.push((l.residue.abs() + l.stabilization.abs()) / (1.0 + l.friction + l.impact));
        }
        // A step four times shorter, a sixteenth of the error.
        assert!(added[0] < 1e-4, "{seed} {added:?}");
        assert!(added[1] < added[0] / 12.0 || added[1] < 1e-9, "{seed} {added:?}");
    }
}
