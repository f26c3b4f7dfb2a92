//! How exact a crowd is: balls that bounce each for itself beside others that accumulate, against the closed form.

use std::sync::Arc;
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Surface};
use stiction::step::{Options, Stepper};

const G: f64 = 9.81;
const E: f64 = 0.7;
/// Balls that are let go high up, and those that bounce many times in the first step.
const HIGH: usize = 100;
const LOW: usize = 26;

/// They arrive one after the other, the first time within 0.2 s.
fn height(k: usize) -> f64 {
    let fall = 0.2 * (k + 1) as f64 / HIGH as f64;
    if k < HIGH { 0.5 * G * fall * fall } else { 1e-5 * (1.0 + 0.01 * (k - HIGH) as f64) }
}

/// Point masses over the ground, apart from each other.
fn scene() -> Scene {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let surface = Surface { restitution: E, ..Surface::default() };
    b.surface(Default::default(), Default::default(), surface).unwrap();
    let ground = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, ground, Attach::default()).unwrap();
    for k in 0..HIGH + LOW {
        let ball = b.point3(1.0, [k as f64, 0.0, height(k)]).unwrap();
        b.shape(ball, Shape::Ball { radius: 0.0 }, Attach::default()).unwrap();
    }
    b.build().unwrap()
}

/// Height of a ball let go at `height` after the time `t`: parabolas, each `E` times as long as the one before.
fn bounced(height: f64, t: f64) -> f64 {
    let fall = (2.0 * height / G).sqrt();
    if t < fall {
        return height - 0.5 * G * t * t;
    }
    let (mut left, mut up) = (t - fall, E * G * fall);
    while left > 2.0 * up / G {
        left -= 2.0 * up / G;
        up *= E;
        if up < 1e-12 {
            return 0.0;
        }
    }
    up * left - 0.5 * G * left * left
}

/// Mean error of the heights of the high balls at 0.4 s. All steps but a few at the end are those of a crowd, and whatever
/// rebounds does so by the law.
fn error(h: f64) -> f64 {
    let mut s = Stepper::new(Arc::new(scene()), &Options::default()).unwrap();
    let steps = (0.4 / h).round() as i64;
    let mut rebounds = 0;
    for k in 0..steps {
        s.step(h).unwrap();
        for e in s.events().iter().filter(|e| k > 0 && e.speed_after > 0.0) {
            assert!((e.speed_after + E * e.speed_before).abs() < 1e-12, "{e:?}");
            rebounds += 1;
        }
    }
    let capped = s.stats().capped_steps;
    assert!(capped >= steps - 2, "{capped} of {steps}");
    assert!(rebounds > HIGH, "{rebounds}");
    let of = |k: usize| (s.q()[3 * k + 2] - bounced(height(k), 0.4)).abs();
    (0..HIGH).map(of).sum::<f64>() / HIGH as f64
}

#[test]
fn balls_in_a_crowd_rebound_by_the_law_and_are_where_they_should_be_to_first_order() {
    let errors = [0.01, 0.005, 0.0025].map(|h| (h, error(h)));
    for (h, e) in errors {
        // A ball rebounds up to a step early, that much above the ground: its way in the step, at 2 m/s or less.
        assert!(e < 2.0 * h, "{errors:?}");
    }
    for [(_, coarse), (_, fine)] in errors.windows(2).map(|w| [w[0], w[1]]) {
        // 0.72 and 0.83: flights that are stopped because they are shorter than the step are fewer in shorter ones.
        let order = (coarse / fine).log2();
        assert!((0.6..1.2).contains(&order), "{order} of {errors:?}");
    }
}
