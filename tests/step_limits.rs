//! What runs do at the limits of what they are asked for: tolerances below rounding, first tries and steps far too long,
//! stops at events. Nothing is believed that nobody checked.

#[path = "support/experiments.rs"]
mod experiments;
#[path = "support/methods.rs"]
mod methods;
#[path = "support/norms.rs"]
mod norms;
mod scenes;

use MethodKind::*;
use experiments::*;
use methods::METHODS;
use scenes::*;
use stiction::error::Error;
use stiction::impact::Law;
use stiction::step::{EventKind, EventLevel, MethodKind, Options, Stepper};

/// Impacts of the double pendulum, 34-digit extrapolation.
const PENDULUM_IMPACTS: [f64; 5] =
    [0.545508051442001, 0.707932699995982, 1.284726645954996, 2.097739454881154, 2.131640284303554];

/// The double pendulum at t = 0.5, before them: Taylor series in its angles with 34 digits.
const SWING: [f64; 4] = [
    0.09676309054807261877,
    -0.99530744210398904232,
    0.76118204932116705924,
    -1.7426677616439529984,
];

fn by_tolerance(method: MethodKind, abs_tol: f64) -> Options {
    Options { method, abs_tol, ..Options::default() }
}

/// Errors of the joints of the double pendulum.
fn apart(s: &Stepper) -> f64 {
    let q = s.q();
    let (dx, dy) = (q[0] - q[2], q[1] - q[3]);
    (q[0] * q[0] + q[1] * q[1] - 1.0).abs().max((dx * dx + dy * dy - 1.0).abs())
}

/// The double pendulum before its first impact, where nothing but joints acts.
fn swing() -> Experiment {
    let mut e = pendulum();
    e.t_end = 0.5;
    e.exact = SWING.into_iter().enumerate().collect();
    e
}

#[test]
fn a_stop_by_tolerance_stands_at_its_event() {
    for method in [Trapezoid, TrapezoidII, LobattoIIIA4, RadauIIA5, LobattoIIIA6, HalfExplicit4] {
        for tolerance in [1e-3, 1e-6] {
            let options = Options { stop_at_event: true, ..by_tolerance(method, tolerance) };
            // Impacts of the double pendulum, one after the other: 34-digit extrapolation.
            let e = pendulum();
            let mut s = e.stepper(&options);
            for hit in PENDULUM_IMPACTS {
                s.advance(e.t_end, 0.3).unwrap();
                let event = s.events()[0];
                assert_eq!((s.events().len(), event.kind), (1, EventKind::Impact));
                assert_eq!(event.t, s.t(), "{method:?} {tolerance}");
                assert!((s.t() - hit).abs() < 20.0 * tolerance, "{method:?} {} {hit}", s.t());
                // The state is that of the event: it touches, and leaves.
                let i = event.contact as usize;
                assert!(
                    s.q()[2 * i].abs() < 1e-9 && s.v()[2 * i] > -1e-9,
                    "{method:?} {:?}",
                    s.q()
                );
            }
            // Stick and slip of the block in closed form. A force is continuous where slip begins: followed until the
            // acceleration shows it. A time at which a slip of constant deceleration ends is wrong by the root of an error of
            // position.
            let e = block();
            let mut s = e.stepper(&options);
            for (kind, t) in BLOCK_TRANSITIONS {
                s.advance(e.t_end, 0.3).unwrap();
                let event = s.events()[0];
                assert_eq!((s.events().len(), event.kind), (1, kind), "{method:?} {t}");
                assert!((event.t - s.t()).abs() < 2e-6, "{method:?} {} {}", event.t, s.t());
                let off = (s.t() - t).abs();
                assert!(off < 3.0 * tolerance.sqrt(), "{method:?} {kind:?} {t}: {off}");
                // High orders are exact here. A slip that ended where a step began was found 1/1024 of the step late.
                let high = !matches!(method, Trapezoid | TrapezoidII);
                assert!(!high || off < 3e-6, "{method:?} {kind:?} {t}: {off}");
            }
        }
    }
}

#[test]
fn the_error_follows_the_tolerance_with_joints_by_every_method() {
    // Errors of velocities along joints are not seen in positions: the two-step rule was wrong by the root of the tolerance.
    for (method, tightest) in [
        (SchatzmanPaoli, 7),
        (TrapezoidI, 4),
        (Moreau, 4),
        (Euler, 4),
        (ImplicitEuler, 4),
        (StewartTrinkle, 4),
        (Trapezoid, 7),
        (TrapezoidII, 7),
        (LobattoIIIA2, 7),
        (HalfExplicit2, 7),
        (RadauIIA3, 9),
        (HalfExplicit4, 10),
        (LobattoIIIA4, 10),
        (RadauIIA5, 10),
        (LobattoIIIA6, 10),
    ] {
        let e = swing();
        for k in 2..=tightest {
            let tolerance = 0.1f64.powi(k);
            let mut s = e.stepper(&by_tolerance(method, tolerance));
            s.advance(e.t_end, 0.01).unwrap();
            let error = e.error(&s) / tolerance;
            assert!(error < 10.0, "{method:?} 1e-{k}: {error}");
        }
    }
}

#[test]
fn a_tolerance_below_rounding_ends_with_a_status_after_little_work() {
    // Differences of rounding were taken for errors, or for none: runs by rules of second order never ended.
    for method in METHODS {
        for tolerance in [1e-13, 1e-15, 1e-18, 1e-300] {
            for e in [oscillator(), swing()] {
                let mut s = e.stepper(&by_tolerance(method, tolerance));
                let told = s.advance(e.t_end, 0.01);
                let stats = s.stats();
                let work = stats.steps + stats.tolerance_rejections;
                assert!(work < 20_000, "{method:?} {} {tolerance:e}: {work}", e.name);
                match told {
                    Ok(_) => assert!(e.error(&s) < 1e-11, "{method:?} {} {tolerance:e}", e.name),
                    Err(told) => {
                        assert!(matches!(told, Error::StepTooSmall { .. }), "{method:?} {told}");
                        assert!(s.q().iter().chain(s.v()).all(|x| x.is_finite()));
                        // The last good point: the motion goes on from there.
                        s.step(1e-3).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn a_first_try_far_too_long_is_not_believed() {
    // Two solutions with steps of seconds agree on something else than the motion.
    for method in METHODS {
        for e in [pendulum(), block(), carts(), oscillator(), ball(), rod_on_table()] {
            // It is plastic; and Moreau's rule takes 5e4 steps on the rod.
            let (plastic, dear) = (method == StewartTrinkle, method == Moreau);
            if (plastic && e.name != "block") || (dear && e.name == "rod") {
                continue;
            }
            for h in [100.0, 3.5, 1e-7] {
                let mut s = e.stepper(&by_tolerance(method, 1e-3));
                s.advance(e.t_end, h).unwrap();
                assert!(e.error(&s) < 1e-2, "{method:?} {} {h}: {:e}", e.name, e.error(&s));
            }
        }
    }
}

#[test]
fn a_run_by_tolerance_in_many_parts_costs_little_more_than_in_one() {
    // Every part goes on with the steps of the last, also after a snapshot.
    let e = pendulum();
    let options = by_tolerance(RadauIIA5, 1e-6);
    let mut whole = e.stepper(&options);
    whole.advance(e.t_end, 0.01).unwrap();
    let (mut parts, mut last) = (e.stepper(&options), 0);
    for k in 1..=20 {
        parts.advance(e.t_end * f64::from(k) / 20.0, 0.2).unwrap();
        let mut bytes = vec![0; parts.saved_size()];
        parts.save(&mut bytes).unwrap();
        let steps = parts.stats().steps;
        parts = e.stepper(&options);
        parts.restore(&bytes).unwrap();
        assert!(k == 1 || steps - last < 40, "{steps} {last}");
        last = steps;
    }
    let (cost, of_one) = (parts.stats().force_evals, whole.stats().force_evals);
    assert!(cost < 3 * of_one, "{cost} {of_one}");
    assert!(e.error(&parts) < 1e-5);
}

#[test]
fn a_step_far_too_long_is_refused_or_keeps_joints_together() {
    // Projection brought errors of a step of 100 s down by half, which was enough for success.
    for method in METHODS.into_iter().filter(|m| !matches!(m, Euler | ImplicitEuler | Moreau)) {
        for h in [0.5, 3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e8, 1e300] {
            let mut s = pendulum().stepper(&Options { method, ..Options::default() });
            for _ in 0..3 {
                let (t, q, v) = (s.t(), s.q().to_vec(), s.v().to_vec());
                let told = s.step(h);
                assert!(apart(&s) <= 1e-6, "{method:?} {h}: {:e} {told:?}", apart(&s));
                if told.is_err() {
                    assert_eq!((s.t(), s.q(), s.v()), (t, &q[..], &v[..]), "{method:?} {h}");
                }
            }
        }
    }
}

#[test]
fn no_method_ends_deeper_than_it_says() {
    // Per method the depth it may leave at the end of a step of h with the speed u: rounding where impacts are located, or
    // positions constrained; h u for Moreau's rule; 2 e h u/(1 + e) for that of Schatzman and Paoli.
    for method in METHODS {
        let mut dice = Dice(11);
        for _ in 0..40 {
            let (e, mu, h) =
                (dice.between(0.0, 1.0), dice.between(0.0, 0.9), dice.between(0.003, 0.03));
            let (mut model, q, mut v) = spinning_ball(e, mu);
            model.touches[0].radius = 0.1;
            v[0] = dice.between(-3.0, 3.0);
            let mut s = stepper(model, &Options { method, ..Options::default() }, &q, &v);
            let mut fastest = 0.0f64;
            for _ in 0..120 {
                s.step(h).unwrap();
                fastest = fastest.max(s.v()[1].abs() + 9.81 * h);
                let depth = 0.1 - s.q()[1];
                let bound = match method {
                    Moreau => h * fastest,
                    SchatzmanPaoli => 2.0 * e / (1.0 + e) * h * fastest,
                    Euler => h * fastest * 1e-9,
                    _ => 0.0,
                };
                assert!(depth <= bound + 1e-9, "{method:?} {h} {e}: {depth:e} {bound:e}");
            }
        }
    }
}

#[test]
fn an_impact_by_newtons_law_never_gives_energy_with_one_contact() {
    for method in METHODS.into_iter().filter(|m| !matches!(m, StewartTrinkle | SchatzmanPaoli)) {
        let mut dice = Dice(5);
        let mut impacts = 0;
        for _ in 0..40 {
            let (e, mu) = (dice.between(0.0, 1.0), dice.between(0.0, 0.9));
            let (mut model, q, mut v) = spinning_ball(e, mu);
            model.touches[0].radius = 0.1;
            v[0] = dice.between(-3.0, 3.0);
            v[2] = dice.between(-30.0, 30.0);
            let options = Options { method, impact_law: Some(Law::Newton), ..Options::default() };
            let mut s = stepper(model, &options, &q, &v);
            for _ in 0..100 {
                s.step(0.013).unwrap();
                let lost = s.ledger().impact;
                assert!(lost >= -1e-12 * (1.0 + 9.81), "{method:?} {e} {mu}: {lost:e}");
                impacts += i64::from(s.events().iter().any(|e| e.kind == EventKind::Impact));
            }
        }
        assert!(impacts > 40, "{method:?} {impacts}");
    }
}

#[test]
fn less_location_costs_steps_and_not_the_tolerance() {
    for method in [Trapezoid, LobattoIIIA4] {
        for events in [EventLevel::Collisions, EventLevel::None] {
            let e = ball();
            let options = Options { events: Some(events), ..by_tolerance(method, 1e-3) };
            let mut s = e.stepper(&options);
            s.advance(e.t_end, 0.01).unwrap();
            assert!(e.error(&s) < 1e-2, "{method:?} {events:?}: {:e}", e.error(&s));
        }
    }
}

#[test]
fn a_step_below_the_rounding_of_time_is_no_success() {
    // Time stood still, and the run said that it was done.
    for method in METHODS {
        let e = block();
        let options = Options { max_step: 1e-9, ..by_tolerance(method, 1e-6) };
        let mut s = e.stepper(&options);
        let (q, v) = (s.q().to_vec(), s.v().to_vec());
        s.set_state(1e9, &q, &v).unwrap();
        let told = s.advance(1e9 + 1.0, 0.01);
        assert!(
            matches!(told, Err(Error::StepTooSmall { t: 1e9, .. })),
            "{method:?}: {told:?} at {}",
            s.t()
        );
        assert_eq!((s.t(), s.q()), (1e9, &q[..]));
    }
}

#[test]
fn a_step_beyond_all_comparison_with_the_way_takes_it_in_one() {
    // The way in steps was a quotient of 0: none was taken, and the run said that it was done.
    for method in METHODS {
        let e = block();
        let mut s = e.stepper(&Options { method, ..Options::default() });
        match s.advance(1e-300, 1e300) {
            Ok(_) => assert_eq!(s.t(), 1e-300, "{method:?}"),
            Err(e) => assert!(matches!(e, Error::StepTooSmall { .. }), "{method:?}: {e}"),
        }
    }
}

#[test]
fn subnormal_steps_are_refused_before_they_are_taken() {
    // Their quotients are no numbers: functions of the host were asked about a NaN, and a block at rest on the floor was
    // stepped without end.
    for method in METHODS {
        let e = block();
        let mut s = e.stepper(&Options { method, ..Options::default() });
        let h = 1e-320;
        assert!(matches!(s.step(h), Err(Error::StepTooSmall { .. })), "{method:?}");
        let options = Options { max_step: h, max_steps: 100, ..by_tolerance(method, 1e-6) };
        let mut s = e.stepper(&options);
        let told = s.advance(0.005, 0.001);
        assert!(matches!(told, Err(Error::StepTooSmall { .. })), "{method:?}: {told:?}");
        assert_eq!(s.t(), 0.0, "{method:?}");
    }
}
