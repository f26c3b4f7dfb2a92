//! The first-order methods: Euler, linearly implicit Euler, Stewart and Trinkle's rule on positions.

mod scenes;

use scenes::*;
use stiction::error::Error;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{EventLevel, MethodKind, Options, Stabilization, Stepper};

/// Two bodies on a table (mu = 0.4), a damper between them, the first driven by 20 cos t. AP02 3.2.
struct Damped {
    damping: f64,
    m2: f64,
}

impl Model for Damped {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 4, n_joint: 0, n_contact: 2, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        [1.0, 1.0, self.m2, self.m2].iter().enumerate().for_each(|(i, m)| mass[5 * i] = *m);
        Ok(())
    }
    fn force(&self, t: f64, _: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        let pull = self.damping * (v[2] - v[0]);
        f.copy_from_slice(&[20.0 * t.cos() + pull, -9.81, -pull, -9.81 * self.m2]);
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64], dfdv: &mut [f64]) -> Answer {
        (dfdv[0], dfdv[10]) = (-self.damping, -self.damping);
        (dfdv[2], dfdv[8]) = (self.damping, self.damping);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap.copy_from_slice(&[q[1], q[3]]);
        (normal[1], normal[7]) = (1.0, 1.0);
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        (tangent[0], tangent[4]) = (1.0, -1.0);
        (tangent[10], tangent[14]) = (1.0, -1.0);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.4
    }
}

fn damped(method: MethodKind, damping: f64, m2: f64) -> Stepper {
    let options = Options { method, ..Options::default() };
    stepper(Damped { damping, m2 }, &options, &[0.0, 0.0, 3.0, 0.0], &[0.0; 4])
}

#[test]
fn implicit_euler_takes_the_steps_of_its_definition() {
    // (x1, x2) at t = 1, 2, 5, 10 for h = 0.05, from an independent implementation of the 2002 scheme.
    let cases = [
        (
            20.0,
            1.0,
            [
                [2.99727400305529, 5.57839552609043],
                [6.858512879590294, 9.381925200821126],
                [-9.621615835510099, -6.160851785110394],
                [-1.442750104565428, 1.7822068375309084],
            ],
        ),
        (
            100.0,
            1.0,
            [
                [2.830327755206704, 5.745341773939007],
                [6.667535993785702, 9.572902086625657],
                [-9.389310880392541, -6.296759904237442],
                [-1.6615841140931724, 1.3860189335026922],
            ],
        ),
        (
            1e8,
            1e8,
            [
                [1.3131762190616888e-07, 3.0],
                [1.4214842106568336e-07, 3.0],
                [-1.3781936589059252e-07, 3.0],
                [-7.896401861654715e-08, 3.0],
            ],
        ),
        (
            1e6,
            1.0,
            [
                [2.787839028504524, 5.787830500626299],
                [6.620223762722436, 9.620214317604056],
                [-9.377784376322866, -6.377775120557569],
                [-1.815048904770639, 1.1849558986807278],
            ],
        ),
        (
            20.0,
            1e8,
            [
                [0.6353999166072629, 3.0],
                [0.714854669843138, 3.0],
                [-0.6900713519090604, 3.0],
                [-0.36270758342213427, 3.0],
            ],
        ),
    ];
    for (damping, m2, expected) in cases {
        let mut s = damped(MethodKind::ImplicitEuler, damping, m2);
        let mut farthest = 0.0f64;
        for (t, x) in [1.0, 2.0, 5.0, 10.0].into_iter().zip(expected) {
            while s.t() < t - 0.01 {
                s.step(0.05).unwrap();
                farthest = farthest.max((s.q()[2] - s.q()[0] - 3.0).abs());
            }
            let got = [s.q()[0], s.q()[2]];
            assert!(distance(&got, &x) < 1e-9, "{damping} {m2} {t}: {got:?} {x:?}");
        }
        if damping == 1e6 {
            // The damper approaches a rigid link.
            assert!((farthest - 1.04e-5).abs() < 1e-7, "{farthest:e}");
        }
    }
}

#[test]
fn implicit_euler_converges_with_order_one_to_the_exact_motion() {
    // Exact, closed form between events: x1 and x2 at t = 1 for damping 20.
    let exact = [2.8545385715943703, 5.441469776016042];
    let errors: Vec<f64> = [80, 160, 320, 640]
        .into_iter()
        .map(|n| {
            let mut s = damped(MethodKind::ImplicitEuler, 20.0, 1.0);
            s.advance(1.0, 1.0 / f64::from(n)).unwrap();
            distance(&[s.q()[0], s.q()[2]], &exact)
        })
        .collect();
    assert!(orders(&errors, 2.0).iter().all(|o| (o - 1.0).abs() < 0.1), "{errors:?}");
}

#[test]
fn the_trapezoidal_rule_converges_with_order_two_to_the_exact_motion() {
    // Exact states at t = 10, through three reversals of each body with their phases of stick and slip.
    let x = [-2.129293098823678, 1.125799838500371];
    let v = [-7.082596047970124, -6.6565263131300565];
    let (mut ex, mut ev) = (vec![], vec![]);
    // The shortest phase lasts 0.0176 s; steps must resolve it.
    for n in [1600, 3200, 6400] {
        let mut s = damped(MethodKind::Trapezoid, 20.0, 1.0);
        s.advance(10.0, 10.0 / f64::from(n)).unwrap();
        ex.push(distance(&[s.q()[0], s.q()[2]], &x));
        ev.push(distance(&[s.v()[0], s.v()[2]], &v));
    }
    for errors in [ex, ev] {
        assert!(orders(&errors, 2.0).iter().all(|o| (o - 2.0).abs() < 0.12), "{errors:?}");
    }
}

#[test]
fn stiff_dampers_and_heavy_bodies_follow_the_exact_motion_by_the_trapezoidal_rule() {
    // x1, x2, v1, v2 at t = 10, closed form between events, for (damping, m2).
    let exact = [
        (
            100.0,
            1.0,
            [-1.9745594433378428, 1.0791585514488278, -6.894031950153972, -6.809854891117358],
        ),
        (
            1e6,
            1.0,
            [-1.9328489857070799, 1.067156454497169, -6.847563882996966, -6.847555492278956],
        ),
        (20.0, 1e8, [-0.3989821497005447, 3.0, -0.6679123038612678, 0.0]),
        (1e8, 1e8, [-8.623250807272137e-8, 3.0, -1.285743069033327e-7, 0.0]),
    ];
    for (damping, m2, x) in exact {
        let mut s = damped(MethodKind::Trapezoid, damping, m2);
        s.advance(10.0, 0.01).unwrap();
        let got = [s.q()[0], s.q()[2], s.v()[0], s.v()[2]];
        // Each of three reversals moves by the error of the impulse, about h^2, over the deceleration, and the body by its
        // speed of 10 m/s times that.
        assert!(distance(&got, &x) < 3e-3, "{damping:e} {m2:e}: {got:?} {x:?}");
    }
}

#[test]
fn explicit_euler_explodes_on_a_stiff_damper_and_the_implicit_rule_does_not() {
    // 1 - 2 h gamma < -1 for h = 0.05 and gamma = 100.
    let largest = |method, damping| {
        let mut s = damped(method, damping, 1.0);
        let mut largest = 0.0f64;
        for _ in 0..15 {
            s.step(0.05).unwrap();
            largest = s.v().iter().fold(largest, |l, v| l.max(v.abs()));
        }
        largest
    };
    // The same 15 steps by an independent implementation of the explicit scheme.
    let exploded = largest(MethodKind::Euler, 100.0);
    assert!((exploded / 7490319402741.444 - 1.0).abs() < 1e-9, "{exploded:e}");
    // At 20 it stands on the limit of stability, 1 - 2 h gamma = -1, and does not.
    assert!(largest(MethodKind::Euler, 20.0) < 10.0);
    assert!(largest(MethodKind::ImplicitEuler, 100.0) < 10.0);
    assert!(largest(MethodKind::ImplicitEuler, 1e8) < 10.0);
}

#[test]
fn bars_by_implicit_euler_stop_sliding_when_the_scheme_does_and_never_gain_energy() {
    // Independent implementation of the scheme, h = 0.01: sliding of the joint on the table ends at 1.349 and 1.004.
    for (mu, end) in [(0.05, 1.349), (0.2, 1.004)] {
        let (model, q, v) = bars(mu);
        let (copy, ..) = bars(mu);
        let options = Options { method: MethodKind::ImplicitEuler, ..Options::default() };
        let mut s = stepper(model, &options, &q, &v);
        let (mut energy, mut last) = (copy.energy(&q, &v), 0.0);
        for _ in 0..150 {
            s.step(0.01).unwrap();
            let new = copy.energy(s.q(), s.v());
            assert!(new <= energy + 1e-9, "{mu} {}: {energy} {new}", s.t());
            energy = new;
            let speed = s.v()[0] + s.v()[2] * s.q()[2].sin();
            // Rows at the start of the step leave a stuck foot that turns a speed of first order.
            if speed.abs() > 3e-3 {
                last = s.t();
            }
        }
        assert!((last - end).abs() < 0.015, "{mu}: {last}");
    }
}

#[test]
fn a_rod_by_stewart_and_trinkle_converges_with_order_one_and_does_not_penetrate() {
    // Final position of the event-driven solution.
    let options = Options { method: MethodKind::StewartTrinkle, ..Options::default() };
    let mut errors = vec![];
    for n in [70, 280, 1120, 4480] {
        let (model, q, v) = rod(0.6);
        let mut s = stepper(model, &options, &q, &v);
        s.advance(0.7, 0.7 / f64::from(n)).unwrap();
        assert!(s.stats().worst_gap > -1e-13);
        errors.push((s.q()[0] + 0.22735998270109).abs());
    }
    // Impacts fall anywhere in a step, so the error has an irregular part: the mean order is what counts.
    let mean = (errors[0] / errors[3]).ln() / 64f64.ln();
    assert!((mean - 1.0).abs() < 0.2, "{errors:?} {mean}");
}

#[test]
fn a_rule_on_positions_keeps_joints_and_gaps_without_projection() {
    let options = Options { method: MethodKind::StewartTrinkle, ..Options::default() };
    let model = DoublePendulum { g: 9.81, e: 0.5 };
    let mut s = stepper(model, &options, &DoublePendulum::start(), &[0.0; 4]);
    s.advance(3.0, 0.01).unwrap();
    assert!(s.stats().worst_joint_drift < 1e-10, "{:?}", s.stats());
    assert!(s.stats().worst_gap > -1e-10);
    for (events, stabilization) in
        [(Some(EventLevel::All), None), (None, Some(Stabilization::Project))]
    {
        let options = Options { events, stabilization, ..options };
        let model = DoublePendulum { g: 9.81, e: 0.5 };
        let refused = Stepper::new(std::sync::Arc::new(model), &options);
        assert!(matches!(refused.err(), Some(Error::Value { .. })));
    }
}

#[test]
fn a_falling_chain_by_every_first_order_method_comes_to_rest_without_failure() {
    for method in [MethodKind::Euler, MethodKind::ImplicitEuler, MethodKind::StewartTrinkle] {
        for seed in 0..12 {
            let (model, q, v) = chain(seed, false);
            let mut s = stepper(model, &Options { method, ..Options::default() }, &q, &v);
            let told = s.advance(1.2, 0.01);
            assert!(told.is_ok(), "{method:?} {seed}: {told:?} at {}", s.t());
        }
    }
}
