//! Event-capturing Runge-Kutta methods: orders through impacts, stick and slip, accumulations, joints and friction.

#[path = "support/norms.rs"]
mod norms;
mod scenes;

use MethodKind::*;
use norms::*;
use scenes::*;
use stiction::step::{EventKind, EventLevel, MethodKind, Options, Outcome, Stepper};

const ALL: [(MethodKind, f64); 7] = [
    (LobattoIIIA2, 2.0),
    (RadauIIA3, 3.0),
    (LobattoIIIA4, 4.0),
    (RadauIIA5, 5.0),
    (LobattoIIIA6, 6.0),
    (HalfExplicit2, 2.0),
    (HalfExplicit4, 4.0),
];

fn options(method: MethodKind) -> Options {
    Options { method, ..Options::default() }
}

/// Orders of a series of errors from h halved each time, without those at rounding.
fn clean_orders(errors: &[f64], rounding: f64) -> Vec<f64> {
    let n = errors.iter().take_while(|e| **e > rounding).count();
    orders(&errors[..n], 2.0)
}

fn grids(model: Single, method: MethodKind, n: usize) -> (Grid, Grid, Stepper) {
    let mut s = stepper(model, &options(method), &[1.0], &[0.0]);
    let mut grids = (Grid { t: vec![0.0], x: vec![1.0] }, Grid { t: vec![0.0], x: vec![0.0] });
    let h = 5.0 / n as f64;
    for k in 1..=n {
        s.advance(k as f64 * h, h).unwrap();
        for (grid, x) in [(&mut grids.0, s.q()[0]), (&mut grids.1, s.v()[0])] {
            grid.t.push(s.t());
            grid.x.push(x);
        }
    }
    (grids.0, grids.1, s)
}

#[test]
fn the_oscillator_converges_with_the_order_of_the_method_through_its_impacts() {
    for (method, p) in ALL {
        let (mut eq, mut ev) = (vec![], vec![]);
        for k in 1..6 {
            // 27 steps and multiples: no grid point on an impact.
            let (q, v, s) = grids(OSCILLATOR, method, 27 << k);
            eq.push(q.integral(1, |t| OSCILLATOR.exact(t).0));
            ev.push(v.integral(1, |t| OSCILLATOR.exact(t).1));
            assert!(s.stats().worst_gap > -1e-15 && s.stats().impacts == 5);
        }
        // Where impacts are located to second order a grid point may lie between the two times, and there the velocity
        // is wrong by the jump.
        for e in if p < 3.0 { vec![eq] } else { vec![eq, ev] } {
            let observed = clean_orders(&e, 3e-13);
            let good = observed.iter().all(|o| (o - p).abs() < 0.2);
            assert!(observed.len() > 1 && good, "{method:?} {e:?} {observed:?}");
        }
    }
}

#[test]
fn the_bouncing_ball_passes_its_accumulation_and_rests() {
    // Flights are exact for every method; closing the last ones, (cap.13), is what is left.
    for (method, _) in ALL {
        for n in [27, 81, 243] {
            let (q, v, s) = grids(BALL, method, n);
            let eq = q.integral(1, |t| BALL.exact(t).0);
            let ev = v.integral(1, |t| BALL.exact(t).1);
            assert!(eq < 1e-10 && ev < 1e-7, "{method:?} {n}: {eq:e} {ev:e}");
            assert!(s.q()[0].abs() < 1e-15 && s.v()[0] == 0.0, "{:?} {:?}", s.q(), s.v());
            assert_eq!(s.stats().capped_steps, 0);
        }
    }
}

/// q(2.5) of the double pendulum and the times of its impacts: minimal coordinates, 34-digit extrapolation.
const PENDULUM: [f64; 4] =
    [0.02196211769492439, -0.9997588036053268, 0.02376948677391344, -1.999757170312499];
const HITS: [f64; 5] =
    [0.545508051442001, 0.707932699995982, 1.284726645954996, 2.097739454881154, 2.131640284303554];

#[test]
fn the_double_pendulum_converges_with_the_order_of_the_method() {
    for (method, p) in ALL {
        let (mut eq, mut et) = (vec![], vec![]);
        for k in 6..=10 {
            let model = DoublePendulum { g: 9.8, e: 0.1 };
            let mut s = stepper(model, &options(method), &DoublePendulum::start(), &[0.0; 4]);
            s.advance(2.5, 0.5f64.powi(k)).unwrap();
            eq.push(distance(s.q(), &PENDULUM));
            let hits = times(s.events(), EventKind::Impact);
            assert_eq!(hits.len(), 5);
            et.push(hits.iter().zip(HITS).map(|(t, exact)| (t - exact).abs()).fold(0.0, f64::max));
            assert!(s.stats().worst_joint_drift < 1e-14 && s.stats().scheme_fallbacks == 0);
        }
        for e in [&eq, &et] {
            let observed = clean_orders(e, 2e-14);
            assert!(observed.iter().all(|o| (o - p).abs() < 0.35), "{method:?} {e:?} {observed:?}");
        }
        let reached = [(RadauIIA5, 1e-12), (LobattoIIIA6, 1e-13), (LobattoIIIA4, 1e-10)];
        for (_, bound) in reached.into_iter().filter(|r| r.0 == method) {
            assert!(*eq.last().unwrap() < bound, "{method:?} {eq:?}");
        }
    }
}

#[test]
fn the_rod_with_friction_converges_with_the_order_of_the_method() {
    // Stewart and Trinkle's rod, event-driven in minimal coordinates: second impact, rest, final place. No acceleration
    // exists at the first contact.
    for (method, p) in ALL {
        let mut ex = vec![];
        for k in 3..=7 {
            let (model, q, v) = rod(0.6);
            let mut s = stepper(model, &options(method), &q, &v);
            s.advance(0.7, 0.7 / f64::from(11 << k)).unwrap();
            ex.push((s.q()[0] + 0.22735998270109).abs());
            let hits = times(s.events(), EventKind::Impact);
            let late = (hits[1] - 0.547318419669808).abs();
            assert!(late < 10.0 * ex.last().unwrap() + 1e-12, "{method:?} {late:e}");
            assert!((hits[0] - 0.385817751713149).abs() < 1e-13, "{hits:?}");
            let rest = times(s.events(), EventKind::Stick);
            let late = (rest[0] - 0.566342754231208).abs();
            assert!(late < 100.0 * ex.last().unwrap() + 1e-11, "{method:?} {late:e}");
        }
        let observed = clean_orders(&ex, 1e-12);
        assert!(observed.iter().all(|o| (o - p).abs() < 0.3), "{method:?} {ex:?} {observed:?}");
        if p > 3.5 {
            assert!(*ex.last().unwrap() < 1e-12, "{method:?} {ex:?}");
        }
    }
}

#[test]
fn the_block_converges_with_the_order_of_the_method_through_seven_transitions() {
    // Closed form of the first stop and of x(10).
    for (method, p) in ALL {
        let mut errors = vec![];
        for k in 4..=7 {
            let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
            let mut s = stepper(model, &options(method), &[3.0, 0.0], &[0.0; 2]);
            s.advance(10.0, 10.0 / f64::from(7 << k)).unwrap();
            errors.push((s.q()[0] - 2.9913028331150315).abs());
            assert_eq!(times(s.events(), EventKind::Stick).len(), 4);
            assert_eq!(times(s.events(), EventKind::Slip).len(), 3);
        }
        let first = (errors[0] / errors[3]).log2() / 3.0;
        let at_rounding = errors[3] < 2e-12;
        assert!(at_rounding || first > p - 0.3, "{method:?} {errors:?}");
        assert!(errors[3] < 1e-3f64.powf(p / 2.0).max(2e-12) * 10.0, "{method:?} {errors:?}");
    }
}

#[test]
fn sliding_tipping_stacked_and_articulated_bodies_converge_with_order_four_and_five() {
    type Make = fn() -> (Planar, Vec<f64>, Vec<f64>);
    let cases: [(&str, f64, Make); 4] = [
        ("slide", 4.0, || pushed_block((0.5, 0.25), 0.4, (5.0, 3.0, 0.0))),
        ("tip", 1.5, || pushed_block((0.15, 0.3), 0.5, (6.0, 2.0, 0.1))),
        ("bars", 1.5, || bars(0.2)),
        ("cart", 4.0, || cart(0.3, 0.3, 0.0)),
    ];
    for (name, t, make) in cases {
        let end = |method: MethodKind, n: u32| {
            let (model, q, v) = make();
            let mut s = stepper(model, &options(method), &q, &v);
            s.advance(t, t / f64::from(n)).unwrap();
            assert_eq!(s.stats().scheme_fallbacks, 0, "{name} {method:?} {n}");
            s.q().to_vec()
        };
        // An independent rule of second order agrees with the limit.
        let (model, q, v) = make();
        let mut s = stepper(
            model,
            &Options { impact_law: Some(stiction::impact::Law::Newton), ..Options::default() },
            &q,
            &v,
        );
        s.advance(t, t / 3000.0).unwrap();
        let reference = end(RadauIIA5, 1259);
        assert!(distance(s.q(), &reference) < 2e-5, "{name}: {:e}", distance(s.q(), &reference));
        for (method, p) in [(LobattoIIIA4, 4.0), (RadauIIA5, 5.0), (HalfExplicit4, 4.0)] {
            let errors: Vec<f64> =
                [107, 211, 421].iter().map(|&n| distance(&end(method, n), &reference)).collect();
            let mean = (errors[0] / errors[2]).log2() / (421f64 / 107.0).log2();
            assert!(errors[2] < 1e-10 || mean > p - 0.5, "{name} {method:?} {errors:?}");
        }
    }
}

#[test]
fn a_stiff_spring_is_followed_by_newton_steps_on_the_stages() {
    // k = 1e8: w = 1e4, h w = 100. Radau IIA damps what it cannot follow; the mean motion is that of the free mass.
    struct Stiff;
    use stiction::model::{Answer, Dims, Model};
    impl Model for Stiff {
        fn dims(&self) -> Dims {
            Dims { nq: 2, nv: 2, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            (mass[0], mass[3]) = (1.0, 1.0);
            Ok(())
        }
        fn force(&self, _: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
            let pull = 1e8 * (q[1] - q[0] - 1.0) + 1e3 * (v[1] - v[0]);
            force[0] = pull - 2.0;
            force[1] = -pull - 2.0;
            Ok(())
        }
    }
    for method in [RadauIIA3, RadauIIA5] {
        let mut s = stepper(Stiff, &options(method), &[0.0, 1.001], &[0.0, 0.0]);
        s.advance(1.0, 0.01).unwrap();
        let mean = 0.5 * (s.q()[0] + s.q()[1]);
        assert!((mean - (0.5005 - 1.0)).abs() < 1e-9, "{method:?} {mean}");
        assert!((s.q()[1] - s.q()[0] - 1.0).abs() < 1e-9, "{:?}", s.q());
    }
}

#[test]
fn random_scenes_finish_by_every_method_without_penetration() {
    type Make = fn(u64) -> (Planar, Vec<f64>, Vec<f64>);
    let scenes: [(&str, Make); 5] = [
        ("thrown box", thrown_box),
        ("chain", |seed| chain(seed, false)),
        ("elastic chain", |seed| chain(seed, true)),
        ("shaken stack", shaken_stack),
        ("shaken box", shaken_box),
    ];
    for (method, _) in ALL {
        for (name, make) in scenes {
            for seed in 0..6 {
                let (model, q, v) = make(seed);
                let mut s = stepper(model, &options(method), &q, &v);
                // Explicit methods need steps that follow the springs.
                let explicit = matches!(method, HalfExplicit2 | HalfExplicit4);
                let h = if explicit && name == "elastic chain" { 0.01 } else { 0.05 };
                let told = s.advance(1.2, h);
                assert!(told.is_ok(), "{method:?} {name} {seed}: {told:?} at {}", s.t());
                assert!(s.v().iter().all(|v| v.abs() < 1e3), "{method:?} {name} {seed}");
                assert!(s.stats().worst_gap > -1e-9, "{method:?} {name} {seed}: {:?}", s.stats());
                assert!(s.stats().worst_joint_drift < 1e-12, "{method:?} {name} {seed}");
            }
        }
    }
}

#[test]
fn energy_never_grows_at_impacts_by_newtons_law_with_one_contact() {
    for (method, _) in ALL {
        let mut dice = Dice(7);
        for _ in 0..20 {
            let (mut model, q, mut v) =
                spinning_ball(dice.between(0.0, 1.0), dice.between(0.0, 0.9));
            model.touches[0].radius = 0.1;
            v[0] = dice.between(-3.0, 3.0);
            let mut s = stepper(model, &options(method), &q, &v);
            let energy = |s: &Stepper| {
                let v = s.v();
                0.5 * (v[0] * v[0] + v[1] * v[1]) + 0.002 * v[2] * v[2] + 9.81 * s.q()[1]
            };
            let mut last = energy(&s);
            while s.t() < 1.5 {
                s.step(0.017).unwrap();
                let now = energy(&s);
                assert!(now <= last * (1.0 + 1e-12), "{method:?} {now} after {last}");
                last = now;
            }
        }
    }
}

#[test]
fn a_step_ends_exactly_at_its_time_and_events_belong_to_it() {
    for (method, _) in ALL {
        let mut s = stepper(BALL, &options(method), &[1.0], &[0.0]);
        for k in 1..=40 {
            let (t, h) = (s.t(), 0.1);
            let told = s.step(h).unwrap();
            assert_eq!(s.t(), t + h);
            assert!(s.events().iter().all(|e| e.t >= t && e.t <= t + h), "{k}");
            assert_eq!(told == Outcome::Eventful, !s.events().is_empty());
        }
    }
}

#[test]
fn a_motion_by_stages_goes_on_from_a_snapshot_with_the_same_bits() {
    let o = options(RadauIIA5);
    let (model, q, v) = chain(3, true);
    let mut s = stepper(model, &o, &q, &v);
    s.advance(0.5, 0.02).unwrap();
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    let mut other = stepper(chain(3, true).0, &o, &q, &v);
    other.restore(&bytes).unwrap();
    for _ in 0..20 {
        s.step(0.02).unwrap();
        other.step(0.02).unwrap();
        let bits = |s: &Stepper| s.q().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&s), bits(&other));
    }
}

#[test]
fn less_location_is_possible_and_costs_order_not_safety() {
    for events in [EventLevel::None, EventLevel::Collisions] {
        for (method, _) in ALL {
            let o = Options { events: Some(events), ..options(method) };
            let mut s = stepper(OSCILLATOR, &o, &[1.0], &[0.0]);
            s.advance(5.0, 0.01).unwrap();
            let error = (s.q()[0] - OSCILLATOR.exact(5.0).0).abs();
            assert!(error < 0.05, "{method:?} {events:?}: {error}");
            let (model, q, v) = pushed_block((0.5, 0.25), 0.4, (5.0, 3.0, 0.0));
            let mut s = stepper(model, &o, &q, &v);
            s.advance(2.0, 0.01).unwrap();
            assert!(s.stats().worst_gap > -1e-6);
        }
    }
}

#[test]
fn stage_iterations_are_counted() {
    let mut s = stepper(OSCILLATOR, &options(RadauIIA5), &[1.0], &[0.0]);
    s.advance(1.0, 0.1).unwrap();
    let n = s.stats().stage_iterations;
    assert!(n >= 10 && s.stats().force_evals >= 3 * n, "{:?}", s.stats());
}

#[test]
fn algorithm_one_as_printed_keeps_the_order_with_its_constant() {
    // Acary (2009): collisions are passed by Moreau's rule in a step of C h^(p+1). The error of each is of its length.
    for (method, p) in [(LobattoIIIA2, 2), (RadauIIA3, 3), (LobattoIIIA4, 4)] {
        for c in [1.0, 10.0] {
            let errors: Vec<f64> = (0..3)
                .map(|k| {
                    let o = Options { critical: c, ..options(method) };
                    let mut s = stepper(OSCILLATOR, &o, &[1.0], &[0.0]);
                    let h = 5.0 / f64::from(108 << k);
                    s.advance(5.0, h).unwrap();
                    assert_eq!(s.stats().impacts, 5, "{method:?} {c} {h}");
                    // Five impacts with at most 3 m/s, the error of each carried on by the motion.
                    let bound = 5.0 * 3.0 * c * h.powi(p + 1);
                    let o = options(method);
                    let mut located = stepper(OSCILLATOR, &o, &[1.0], &[0.0]);
                    located.advance(5.0, h).unwrap();
                    let apart = (s.q()[0] - located.q()[0]).abs();
                    assert!(apart < bound + 1e-8 * h, "{method:?} {c} {h}: {apart:e} {bound:e}");
                    (s.q()[0] - OSCILLATOR.exact(5.0).0).abs()
                })
                .collect();
            let mean = (errors[0] / errors[2]).log2() / 2.0;
            assert!(mean > f64::from(p) - 0.5 || errors[2] < 1e-9, "{method:?} {c}: {errors:?}");
        }
    }
    // A step of no length at all is one that rounding can tell.
    let o = Options { critical: 1e-30, ..options(RadauIIA5) };
    let mut s = stepper(OSCILLATOR, &o, &[1.0], &[0.0]);
    s.advance(5.0, 0.01).unwrap();
    assert!((s.q()[0] - OSCILLATOR.exact(5.0).0).abs() < 1e-8 && s.stats().impacts == 5);
    let o = Options { critical: 1.0, ..Options::default() };
    let e = Stepper::new(std::sync::Arc::new(OSCILLATOR), &o).err().unwrap();
    assert!(matches!(e, stiction::Error::Value { what: "critical", .. }), "{e}");
}

#[test]
fn an_accumulation_with_more_events_than_may_be_followed_is_left_to_moreaus_rule() {
    // With e = 0.9 the last flights are far more than six in a step.
    for (method, _) in ALL {
        let o = Options { max_events: 6, ..options(method) };
        for (e, crowded) in [(0.5, false), (0.9, true), (0.97, false)] {
            let mut s = stepper(Single { e, ..BALL }, &o, &[0.01], &[0.0]);
            let rest = 0.1 * (1.0 + e) / (1.0 - e);
            s.advance(rest + 1.0, 0.05).unwrap();
            assert!(s.stats().capped_steps > 0 || !crowded, "{method:?} {e}");
            // Smooth before and after, first order on the way: at rest to the speed that one step gives.
            assert!(s.q()[0].abs() < 2e-3 && s.v()[0].abs() < 0.1, "{method:?} {e}: {:?}", s.v());
            assert!(s.stats().worst_gap > -1e-9, "{method:?} {e}: {}", s.stats().worst_gap);
        }
    }
}
