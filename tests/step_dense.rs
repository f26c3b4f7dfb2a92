//! States inside the last step, and steps that end at the first event.

mod scenes;

use scenes::*;
use stiction::error::Error;
use stiction::step::{EventKind, MethodKind, Options, Outcome, Stepper};

const G: f64 = 9.81;

/// Position and velocity.
type Placed = (Vec<f64>, Vec<f64>);

fn inside(s: &mut Stepper, t: f64) -> Placed {
    let (q, v) = s.state_at(t).unwrap();
    (q.to_vec(), v.to_vec())
}

/// Position and velocity of a ball that falls from 1 m and bounces with e = 1/2, after its first two
/// impacts at most.
fn bounce(t: f64) -> (f64, f64) {
    let fall = (2.0 / G).sqrt();
    let speed = G * fall;
    if t < fall {
        (1.0 - 0.5 * G * t * t, -G * t)
    } else {
        let (s, v) = (t - fall, 0.5 * speed);
        (v * s - 0.5 * G * s * s, v - G * s)
    }
}

#[test]
fn a_ball_is_where_it_should_be_before_and_after_an_impact_inside_the_step() {
    // Free flight is a parabola, so that the cubic is exact.
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    s.step(0.7).unwrap();
    assert_eq!(s.events().len(), 1);
    for k in 0..=70 {
        let t = 0.01 * f64::from(k);
        let ((q, v), (x, u)) = (inside(&mut s, t.min(0.7)), bounce(t));
        assert!((q[0] - x).abs() < 1e-14 && (v[0] - u).abs() < 1e-13, "{t}: {q:?} {v:?}");
    }
    // At the impact the velocity is the one after it.
    let hit = s.events()[0];
    let (q, v) = inside(&mut s, hit.t);
    assert!(q[0].abs() < 1e-14 && (v[0] - hit.speed_after).abs() < 1e-13);
    assert_eq!(inside(&mut s, 0.7), (s.q().to_vec(), s.v().to_vec()));
}

#[test]
fn states_inside_steps_have_the_order_of_the_steps_through_impacts() {
    // The double pendulum at its wall; reference: the same with steps sixteen times shorter.
    let run = |h: f64| {
        let model = DoublePendulum { g: 9.8, e: 0.4 };
        tap(stepper(model, &Options::default(), &DoublePendulum::start(), &[0.0; 4]), h)
    };
    let exact = run(1e-3 / 16.0);
    let mut errors = (Vec::new(), Vec::new());
    for h in [4e-3, 2e-3, 1e-3] {
        let found = run(h);
        let worst = |part: fn(&Placed) -> &Vec<f64>| {
            let pairs = found.iter().zip(&exact);
            pairs.map(|(a, b)| distance(part(a), part(b))).fold(0.0, f64::max)
        };
        errors.0.push(worst(|x| &x.0));
        errors.1.push(worst(|x| &x.1));
    }
    for (what, e) in [("q", &errors.0), ("v", &errors.1)] {
        let found = orders(e, 2.0);
        assert!(e[2] < 1e-4 && found.iter().all(|o| *o > 1.7), "{what} {e:?} {found:?}");
    }
}

/// States at times that fall inside steps of length `h`, before, between and after impacts.
fn tap(mut s: Stepper, h: f64) -> Vec<Placed> {
    let mut found = Vec::new();
    for t in [0.1003, 0.3007, 0.5611, 0.7001, 0.9013] {
        while s.t() < t {
            s.step(h).unwrap();
        }
        found.push(inside(&mut s, t));
    }
    assert!(s.stats().impacts >= 2);
    found
}

#[test]
fn only_times_of_the_last_step_are_known() {
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &Options::default(), &[1.0], &[0.0]);
    assert_eq!(inside(&mut s, 0.0), (vec![1.0], vec![0.0]));
    assert!(matches!(s.state_at(0.01), Err(Error::Range { what: "t", .. })));
    assert!(matches!(s.state_at(f64::NAN), Err(Error::NonFinite { .. })));
    s.advance(0.3, 0.1).unwrap();
    assert!(s.state_at(0.25).is_ok() && s.state_at(0.1999).is_err() && s.state_at(0.3001).is_err());
    // A step that fails leaves the last one to be asked about.
    let before = inside(&mut s, 0.25);
    assert!(s.step(f64::NAN).is_err());
    assert_eq!(inside(&mut s, 0.25), before);
    s.set_state(5.0, &[1.0], &[0.0]).unwrap();
    assert!(s.state_at(0.25).is_err() && s.state_at(5.0).is_ok());
}

#[test]
fn more_pieces_than_there_is_room_for_are_joined() {
    // A ball in its accumulation, one event allowed per step: room for three pieces.
    let options = Options { max_events: 1, ..Options::default() };
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &options, &[0.01], &[0.0]);
    s.step(0.5).unwrap();
    for k in 0..50 {
        let (q, v) = inside(&mut s, 0.01 * f64::from(k));
        assert!(q[0].is_finite() && v[0].is_finite() && q[0].abs() < 0.1, "{q:?} {v:?}");
    }
}

#[test]
fn a_ball_stops_at_every_impact_and_the_stops_are_the_impacts_of_a_run_without() {
    let ball = || Ball { force: -G, e: 0.5 };
    let mut full = stepper(ball(), &Options::default(), &[1.0], &[0.0]);
    full.advance(1.2, 0.01).unwrap();
    let hits = times(full.events(), EventKind::Impact);
    let options = Options { stop_at_event: true, ..Options::default() };
    let mut s = stepper(ball(), &options, &[1.0], &[0.0]);
    for (k, hit) in hits.iter().enumerate() {
        assert_eq!(s.advance(1.2, 0.01).unwrap(), Outcome::Eventful);
        assert_eq!(s.events().len(), 1);
        assert_eq!(s.t(), s.events()[0].t);
        assert!((s.t() - hit).abs() < 1e-13, "{} {hit}", s.t());
        // It stands on the ground and is about to leave it, with half the speed of the fall.
        let speed = (2.0 * G).sqrt() * 0.5f64.powi(k as i32 + 1);
        assert!(s.q()[0].abs() < 1e-14 && (s.v()[0] - speed).abs() < 1e-12, "{:?}", s.v());
    }
    assert!(hits.len() == 3, "{hits:?}");
    assert_eq!(s.advance(1.2, 0.01).unwrap(), Outcome::Quiet);
    assert_eq!(s.t(), 1.2);
    assert!((s.q()[0] - full.q()[0]).abs() < 1e-13);
}

#[test]
fn a_block_that_is_stopped_at_every_change_changes_at_the_same_times_to_order_two() {
    // Closed form of the block of PAGT06, 10.2: it slides while |8 cos t| exceeds 0.8 g until its speed is gone.
    let change = [
        0.33860818467198062,
        2.94634679122386296,
        3.53283460888699945,
        6.08793944481365620,
        6.67442726247679269,
        9.22953209840344943,
        9.81601991606658593,
    ];
    let block = || Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
    let mut errors = Vec::new();
    for h in [1.0 / 32.0, 1.0 / 64.0, 1.0 / 128.0] {
        let options = Options { stop_at_event: true, ..Options::default() };
        let mut s = stepper(block(), &options, &[3.0, 0.0], &[0.0; 2]);
        let mut found = Vec::new();
        while s.t() < 10.0 {
            if s.advance(10.0, h).unwrap() == Outcome::Eventful {
                let e = s.events()[0];
                // A change of force is followed until the acceleration shows it, 1e-7 of the free one
                // (at most 9.81 + 8); here the force changes by 8 sin t, 1.5 N/s at least.
                let doubt = 1e-7 * 17.81 / 1.5 + 1e-6 * h;
                assert!(e.t <= s.t() && s.t() - e.t <= doubt, "{e:?} {}", s.t());
                found.push(e.t);
            }
        }
        assert_eq!(found.len(), change.len());
        errors.push(distance(&found, &change));
        // The grid begins anew at every stop; that makes no larger errors.
        let mut full = stepper(block(), &Options::default(), &[3.0, 0.0], &[0.0; 2]);
        full.advance(10.0, h).unwrap();
        let all: Vec<f64> = full.events().iter().map(|e| e.t).collect();
        assert!(errors.last().unwrap() < &(2.0 * distance(&all, &change)), "{errors:?}");
    }
    let observed = orders(&errors, 2.0);
    assert!(observed.iter().all(|o| *o > 1.8), "{errors:?} {observed:?}");
}

#[test]
fn an_event_at_the_start_ends_a_step_before_time_has_passed() {
    let options = Options { stop_at_event: true, ..Options::default() };
    let mut s = stepper(Ball { force: -G, e: 0.5 }, &options, &[0.0], &[-2.0]);
    assert_eq!(s.step(0.1).unwrap(), Outcome::Eventful);
    assert_eq!((s.t(), s.v()[0]), (0.0, 1.0));
    assert_eq!(s.stats().steps, 1);
    assert_eq!(s.step(0.1).unwrap(), Outcome::Quiet);
    assert_eq!(s.t(), 0.1);
}

#[test]
fn every_method_stops_where_something_happens() {
    for (method, exact) in [
        (MethodKind::TrapezoidI, true),
        (MethodKind::TrapezoidII, true),
        (MethodKind::Euler, false),
        (MethodKind::ImplicitEuler, false),
    ] {
        let options = Options { method, stop_at_event: true, ..Options::default() };
        let mut s = stepper(Ball { force: -G, e: 0.5 }, &options, &[1.0], &[0.0]);
        assert_eq!(s.advance(1.0, 0.01).unwrap(), Outcome::Eventful);
        let slack = if exact { 1e-13 } else { 0.01 };
        assert!((s.t() - (2.0 / G).sqrt()).abs() < slack, "{method:?} {}", s.t());
        assert!(s.q()[0].abs() < 1e-12 && s.v()[0] > 0.0, "{method:?} {:?}", s.q());
    }
}

#[test]
fn a_velocity_inside_a_step_beyond_all_numbers_is_none() {
    // The derivative of the cubic overflows half way, where the velocities at both ends do not: an infinity was given out.
    let speed = 1.5e308;
    let mut s = stepper(Ball { force: 0.0, e: 0.5 }, &Options::default(), &[1.0], &[speed]);
    s.step(1.0 / 1024.0).unwrap();
    assert!(matches!(s.state_at(0.5 / 1024.0), Err(Error::NonFinite { what: "v", .. })));
    assert_eq!(s.v(), [speed]);
}
