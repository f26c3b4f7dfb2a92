//! The trapezoidal step on plain arrays: a host that evaluates its own model gets what a stepper gets.

use std::sync::Arc;
use stiction::Error;
use stiction::linalg::MatRef;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{EventLevel, Options, Stabilization, Stepper, TrapezoidData, TrapezoidWork};
use stiction::velocity::{Rows, Solver};

const G: f64 = 9.81;

/// A bead of 1 kg on a circle of radius 1, in Cartesian coordinates: phi = (x^2 + y^2 - 1)/2.
struct Bead;

impl Model for Bead {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -G;
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
        jt.copy_from_slice(q);
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// The bead by the host's own loop, from rest at (1, 0) to t = n h.
fn on_arrays(h: f64, n: usize) -> ([f64; 2], [f64; 2]) {
    let (mut q, mut v) = ([1.0, 0.0], [0.0, 0.0]);
    let mass = [1.0, 0.0, 0.0, 1.0];
    let none = MatRef::new("normal", &[], 2, 0, 2).unwrap();
    let mut solver = Solver::new(3).unwrap();
    let mut work = TrapezoidWork::new(2).unwrap();
    for _ in 0..n {
        let middle = [q[0] + 0.5 * h * v[0], q[1] + 0.5 * h * v[1]];
        let end = [q[0] + h * v[0], q[1] + h * v[1]];
        let joint = Rows {
            impulse: MatRef::new("joint", &middle, 2, 1, 2).unwrap().into(),
            row: MatRef::new("joint_row", &end, 2, 1, 2).unwrap().into(),
            offset: &[],
        };
        let data = TrapezoidData {
            h,
            mass: MatRef::square("mass", &mass, 2).unwrap(),
            force_start: &[0.0, -G],
            force_end: &[0.0, -G],
            dfdq: None,
            dfdv: None,
            v: &v,
            joint,
            normal: Rows::same(none),
            tangent: Rows::same(none),
            n_dir: 0,
            mu: &[],
        };
        work.solve(&mut solver, &data).unwrap();
        for i in 0..2 {
            q[i] += 0.5 * h * (v[i] + solver.v()[i]);
        }
        v.copy_from_slice(solver.v());
    }
    (q, v)
}

#[test]
fn a_host_of_its_own_gets_the_bits_of_the_stepper_up_to_rounding() {
    let options = Options {
        events: Some(EventLevel::None),
        stabilization: Some(Stabilization::None),
        ..Options::default()
    };
    let mut stepper = Stepper::new(Arc::new(Bead), &options).unwrap();
    stepper.set_state(0.0, &[1.0, 0.0], &[0.0, 0.0]).unwrap();
    stepper.advance(0.5, 0.01).unwrap();
    let (q, v) = on_arrays(0.01, 50);
    for i in 0..2 {
        assert!((stepper.q()[i] - q[i]).abs() < 1e-12, "{:?} {q:?}", stepper.q());
        assert!((stepper.v()[i] - v[i]).abs() < 1e-12, "{:?} {v:?}", stepper.v());
    }
}

/// The angle of the bead, theta'' = g cos(theta) below the horizontal, by Runge-Kutta with 1e5 steps: error
/// of the reference below 1e-14.
fn reference(t: f64) -> ([f64; 2], [f64; 2]) {
    let n = 100_000;
    let h = t / f64::from(n);
    let f = |y: [f64; 2]| [y[1], G * y[0].cos()];
    let mut y = [0.0, 0.0];
    for _ in 0..n {
        let at = |k: [f64; 2], c: f64| [y[0] + c * h * k[0], y[1] + c * h * k[1]];
        let k1 = f(y);
        let k2 = f(at(k1, 0.5));
        let k3 = f(at(k2, 0.5));
        let k4 = f(at(k3, 1.0));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    let (s, c) = y[0].sin_cos();
    ([c, -s], [-s * y[1], -c * y[1]])
}

#[test]
fn positions_and_velocities_on_a_circle_converge_with_order_two() {
    let (q, v) = reference(0.5);
    let error = |n: usize| {
        let (a, b) = on_arrays(0.5 / n as f64, n);
        let distance = |x: [f64; 2], y: [f64; 2]| (x[0] - y[0]).hypot(x[1] - y[1]);
        [distance(a, q), distance(b, v)]
    };
    let mut before = error(50);
    for n in [100, 200, 400] {
        let now = error(n);
        for k in 0..2 {
            let order = (before[k] / now[k]).log2();
            assert!((order - 2.0).abs() < 0.1, "n = {n}: order {order}");
        }
        before = now;
    }
}

#[test]
fn a_step_of_no_length_and_a_spring_that_pushes_too_hard_are_refused() {
    let none = MatRef::new("joint", &[], 1, 0, 1).unwrap();
    let one = MatRef::square("mass", &[1.0], 1).unwrap();
    let drive = MatRef::square("dfdv", &[300.0], 1).unwrap();
    let data = TrapezoidData {
        h: 0.01,
        mass: one,
        force_start: &[0.0],
        force_end: &[0.0],
        dfdq: None,
        dfdv: None,
        v: &[1.0],
        joint: Rows::same(none),
        normal: Rows::same(none),
        tangent: Rows::same(none),
        n_dir: 0,
        mu: &[],
    };
    let mut solver = Solver::new(1).unwrap();
    let mut work = TrapezoidWork::new(1).unwrap();
    let mut fails = |data: TrapezoidData<'_>| work.solve(&mut solver, &data).unwrap_err();
    assert!(matches!(fails(TrapezoidData { h: 0.0, ..data }), Error::Range { what: "h", .. }));
    assert!(matches!(fails(TrapezoidData { h: f64::NAN, ..data }), Error::NonFinite { .. }));
    // 1 - h/2 * 300 < 0
    let e = fails(TrapezoidData { dfdv: Some(drive), ..data });
    assert!(matches!(e, Error::NotPositiveDefinite { .. }), "{e}");
}
