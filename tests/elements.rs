//! Springs and dampers that a model declares: their force, their derivatives, and projections that do not stretch them.

mod scenes;

use scenes::*;
use std::sync::Arc;
use stiction::check::check_model;
use stiction::error::Error;
use stiction::model::{Answer, Dims, Elements, Model};
use stiction::passive::Passive;
use stiction::rigid::{Builder, Link, Spring as BuiltSpring};
use stiction::step::{Jacobian, MethodKind, Options, Stabilization, Stepper};

/// Two points of 1 kg in the plane. The first runs on a circle about the origin, if there is one; a
/// spring and damper joins them. The second is above a floor, if there is one.
#[derive(Clone, Copy)]
struct Pair {
    stiffness: f64,
    damping: f64,
    gravity: f64,
    circle: bool,
    floor: bool,
    /// Whether the spring is declared, else part of the force.
    declared: bool,
    /// Factor on the declared gradient, 1 when it is right.
    slip_of_pen: f64,
}

const PAIR: Pair = Pair {
    stiffness: 100.0,
    damping: 0.0,
    gravity: 0.0,
    circle: true,
    floor: false,
    declared: true,
    slip_of_pen: 1.0,
};

/// Elongation from 1 m, and its gradient.
fn spring(q: &[f64]) -> (f64, [f64; 4]) {
    let (x, y) = (q[2] - q[0], q[3] - q[1]);
    let length = x.hypot(y);
    let (x, y) = (x / length, y / length);
    (length - 1.0, [-x, -y, x, y])
}

impl Pair {
    fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let phi = spring(q).0;
        let moving: f64 = v.iter().map(|x| 0.5 * x * x).sum();
        moving + 0.5 * self.stiffness * phi * phi + self.gravity * (q[1] + q[3])
    }
}

impl Model for Pair {
    fn dims(&self) -> Dims {
        Dims {
            nq: 4,
            nv: 4,
            n_joint: usize::from(self.circle),
            n_contact: usize::from(self.floor),
            n_element: usize::from(self.declared),
            ..Dims::default()
        }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..4).for_each(|i| mass[5 * i] = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        (force[1], force[3]) = (-self.gravity, -self.gravity);
        if !self.declared {
            let (phi, g) = spring(q);
            let rate: f64 = g.iter().zip(v).map(|(g, v)| g * v).sum();
            let tension = self.stiffness * phi + self.damping * rate;
            force.iter_mut().zip(g).for_each(|(f, g)| *f -= tension * g);
        }
        Ok(())
    }
    fn elements(&self, _: f64, q: &[f64], e: &mut Elements) -> Answer {
        let (phi, g) = spring(q);
        e.phi[0] = phi;
        e.gradient.copy_from_slice(&g.map(|x| x * self.slip_of_pen));
        (e.stiffness[0], e.damping[0]) = (self.stiffness, self.damping);
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        phi[0] = r - 1.0;
        (jt[0], jt[1]) = (q[0] / r, q[1] / r);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[3];
        normal[3] = 1.0;
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

const START: ([f64; 4], [f64; 4]) = ([1.0, 0.0, 1.6, 0.8], [0.0, 1.0, -0.3, 0.4]);

#[test]
fn a_declared_spring_moves_like_one_in_the_force() {
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidII, MethodKind::ImplicitEuler] {
        let options =
            Options { method, stabilization: Some(Stabilization::None), ..Options::default() };
        let pair = Pair { damping: 2.0, gravity: 9.81, ..PAIR };
        let run = |declared: bool| {
            let mut s = stepper(Pair { declared, ..pair }, &options, &START.0, &START.1);
            s.advance(1.0, 0.01).unwrap();
            s.q().to_vec()
        };
        // Both are differences of the same functions, 1.5e-8 of their size.
        assert!(distance(&run(true), &run(false)) < 1e-7, "{method:?}");
    }
}

#[test]
fn one_step_of_the_implicit_rule_is_the_closed_form_of_its_paper() {
    let options = Options {
        method: MethodKind::ImplicitEuler,
        jacobian: Jacobian::Definite,
        ..Options::default()
    };
    let pair = Pair { stiffness: 500.0, damping: 3.0, circle: false, ..PAIR };
    let mut s = stepper(pair, &options, &START.0, &START.1);
    let h = 0.05;
    s.step(h).unwrap();
    // (M + (h delta + h^2 gamma) g g') v1 = v - h gamma phi g; g'g = 2, so v1 = v + a g.
    let (phi, g) = spring(&START.0);
    let speed: f64 = g.iter().zip(START.1).map(|(g, v)| g * v).sum();
    let stiff = h * 3.0 + h * h * 500.0;
    let a = -(h * 500.0 * phi + stiff * speed) / (1.0 + 2.0 * stiff);
    for k in 0..4 {
        assert!((s.v()[k] - START.1[k] - a * g[k]).abs() < 1e-14);
        assert!((s.q()[k] - START.0[k] - h * s.v()[k]).abs() < 1e-14);
    }
}

#[test]
fn a_strongly_compressed_spring_has_a_definite_matrix() {
    // Half its length, 1e6 N/m: the exact derivative across the spring is unstable.
    let start = [1.0, 0.0, 1.5, 0.0];
    let pair = Pair { stiffness: 1e6, circle: false, ..PAIR };
    for method in [MethodKind::ImplicitEuler, MethodKind::Trapezoid] {
        for jacobian in [Jacobian::Differences, Jacobian::Definite] {
            let options = Options { method, jacobian, ..Options::default() };
            let mut s = stepper(pair, &options, &start, &[0.0; 4]);
            let before = pair.energy(s.q(), s.v());
            s.step(0.1).unwrap();
            assert!(pair.energy(s.q(), s.v()) <= before * (1.0 + 1e-9), "{method:?} {jacobian:?}");
            let fell_back = s.stats().jacobian_fallbacks;
            assert_eq!(fell_back, i64::from(jacobian == Jacobian::Differences), "{method:?}");
        }
    }
}

/// Largest growth of the energy in a step, as a part of the first.
fn growth(pair: Pair, h: f64) -> f64 {
    let options = Options {
        method: MethodKind::ImplicitEuler,
        jacobian: Jacobian::Definite,
        stabilization: Some(Stabilization::Project),
        ..Options::default()
    };
    // At rest length, so that a stiff spring does not begin with all the energy.
    let start = [1.0, 0.0, 1.6, 0.8];
    let mut s = stepper(pair, &options, &start, &[0.0, 1.0, -0.4, 0.3]);
    let first = pair.energy(s.q(), s.v());
    let (mut last, mut worst) = (first, f64::NEG_INFINITY);
    for _ in 0..300 {
        s.step(h).unwrap();
        let energy = pair.energy(s.q(), s.v());
        worst = worst.max((energy - last) / first);
        last = energy;
        if pair.floor {
            assert!(s.q()[3] > -1e-9, "{:?}", s.q());
        }
    }
    assert!(s.stats().worst_joint_drift < 1e-9);
    worst
}

#[test]
fn a_projection_that_holds_springs_never_creates_energy() {
    for floor in [false, true] {
        for stiffness in [1e2, 1e4, 1e6, 1e8] {
            for h in [0.02, 0.005] {
                let pair = Pair { stiffness, floor, ..PAIR };
                let worst = growth(pair, h);
                assert!(worst <= 1e-9, "{floor} {stiffness:e} {h}: {worst:e}");
            }
        }
    }
}

#[test]
fn a_projection_that_does_not_know_springs_creates_energy() {
    // What the test above is worth: the same springs, not declared.
    let worst = growth(Pair { stiffness: 1e6, declared: false, ..PAIR }, 0.02);
    assert!(worst > 1e-3, "{worst:e}");
}

#[test]
fn springs_against_joints_give_way() {
    // The spring lies along the radius of the circle: it cannot be held while the circle is met.
    let pair = Pair { stiffness: 1e4, ..PAIR };
    let options = Options {
        method: MethodKind::ImplicitEuler,
        stabilization: Some(Stabilization::Project),
        ..Options::default()
    };
    let mut s = stepper(pair, &options, &[1.0001, 0.0, 2.0001, 0.0], &[0.0; 4]);
    s.advance(1.0, 0.01).unwrap();
    assert!(s.stats().worst_joint_drift < 1e-9 && s.q().iter().all(|x| x.abs() < 3.0));
}

#[test]
fn holding_springs_keeps_the_second_order() {
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidII] {
        let run = |h: f64| {
            let options = Options { method, ..Options::default() };
            let pair = Pair { gravity: 9.81, ..PAIR };
            let mut s = stepper(pair, &options, &START.0, &START.1);
            s.advance(1.0, h).unwrap();
            s.q().to_vec()
        };
        let fine = run(1.0 / 4096.0);
        let errors: Vec<f64> = (5..=8).map(|k| distance(&run(0.5f64.powi(k)), &fine)).collect();
        // The fine solution is off by 1/256 of the last error.
        assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.1), "{errors:?}");
    }
}

#[test]
fn built_in_springs_are_elements() {
    let mut b = Builder::new();
    let ball = b.point2(1.0, [0.3, -1.2]).unwrap();
    let spring = BuiltSpring { stiffness: 50.0, damping: 2.0, rest: Some(1.0) };
    b.spring(Link::Ground, [0.0; 3], ball, [0.0; 3], spring).unwrap();
    let scene = b.build().unwrap();
    let mut e = Elements::new(&scene.dims()).unwrap();
    scene.elements(0.0, &[0.3, -1.2], &mut e).unwrap();
    let length = 0.3f64.hypot(1.2);
    assert!((e.phi[0] - (length - 1.0)).abs() < 1e-15);
    assert!((e.gradient(0).at(0) - 0.3 / length).abs() < 1e-15);
    assert_eq!((e.stiffness[0], e.damping[0]), (50.0, 2.0));
    // The force holds it already: once, not twice.
    let mut force = [0.0; 2];
    scene.force(0.0, &[0.3, -1.2], &[0.0; 2], &mut force).unwrap();
    let mut s = Stepper::new(Arc::new(scene), &Options::default()).unwrap();
    s.step(1e-4).unwrap();
    assert!((s.v()[0] - 1e-4 * force[0]).abs() < 1e-7);
}

#[test]
fn a_wrong_gradient_is_found_and_bad_numbers_are_refused() {
    let good = check_model(&PAIR, 0.0, &START.0, &START.1).unwrap();
    assert!(good.worst < 1e-6, "{good:?}");
    let bad = Pair { slip_of_pen: 1.1, ..PAIR };
    let report = check_model(&bad, 0.0, &START.0, &START.1).unwrap();
    assert!(report.what == "element gradient" && report.worst > 0.05, "{report:?}");
    let bad = Pair { stiffness: -1.0, ..PAIR };
    let mut s = stepper(bad, &Options::default(), &START.0, &START.1);
    let e = s.step(0.01).unwrap_err();
    assert!(matches!(e, Error::Range { what: "element stiffness", .. }), "{e}");
    let pushed = Dims { nq: 1, nv: 1, n_element: 1, ..Dims::default() };
    let e = Passive::new(pushed, &Default::default()).unwrap_err();
    assert!(matches!(e, Error::Value { what: "n_element", .. }), "{e}");
    let bad = Pair { damping: f64::NAN, ..PAIR };
    let mut s = stepper(bad, &Options::default(), &START.0, &START.1);
    let e = s.step(0.01).unwrap_err();
    assert!(matches!(e, Error::NonFinite { what: "element damping", .. }), "{e}");
}
