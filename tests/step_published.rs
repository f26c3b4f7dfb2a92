//! Published experiments with many bodies or many steps: four balls by Stewart and Trinkle, a pendulum that swings for long.

#[path = "support/four_balls.rs"]
mod balls;
mod scenes;

use balls::{four_balls, measures};
use scenes::*;
use stiction::step::{MethodKind, Options, Stabilization};

#[test]
fn four_balls_have_the_errors_and_variations_of_table_1() {
    // (h, velocity error, position error, variation): an independent implementation of the scheme, then table 1 of Stewart
    // and Trinkle (1996). Errors are against h = 0.00125, in the integral of the largest component of velocity and the
    // largest component of position; variation is the largest of a single component of velocity.
    let table = [
        (0.02, [0.4957, 0.2509, 19.4110], [0.5050, 0.2505, 19.4046]),
        (0.01, [0.3507, 0.2008, 19.1754], [0.3523, 0.2015, 19.1728]),
        (0.005, [0.1649, 0.0831, 19.1698], [0.1657, 0.0838, 19.1702]),
        (0.0025, [0.0650, 0.0331, 19.0870], [0.0700, 0.0298, 19.0862]),
    ];
    let finest = 0.00125;
    let fine = four_balls(finest);
    for (h, independent, printed) in table {
        if h == 0.0025 {
            // The same step size by the independent implementation: where the first ball ends.
            let (q, _) = four_balls(h);
            let end = [0.9052523060361295, 0.15861300172490733, 0.1];
            assert!(distance(&q[q.len() - 1][..3], &end) < 1e-8, "{:?}", &q[q.len() - 1][..3]);
        }
        let got = measures(h, finest, &fine);
        for ((got, one), other) in got.into_iter().zip(independent).zip(printed) {
            // Both are rounded to four digits; the finest run differs between the two.
            let spread = f64::abs(one - other) + 1e-4;
            assert!(f64::abs(got - one) <= spread, "{h}: {got} for {one} and {other}");
        }
    }
}

/// Largest joint error of a double pendulum (g = 9.81, e = 1/2) over `steps` steps of 1 ms.
fn long_swing(method: MethodKind, stabilization: Stabilization, steps: u32) -> f64 {
    let options = Options { method, stabilization: Some(stabilization), ..Options::default() };
    let model = DoublePendulum { g: 9.81, e: 0.5 };
    let mut s = stepper(model, &options, &DoublePendulum::start(), &[0.0; 4]);
    s.advance(f64::from(steps) * 1e-3, 1e-3).unwrap();
    let speed = s.v().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(speed < 10.0, "{method:?} {stabilization:?}: {:?}", s.v());
    s.stats().worst_joint_drift
}

/// What the joint error stays below: rounding with projection, the cube of the step with terms in the rows. Without either it
/// grows while the pendulum moves, and stays when the pendulum has come to rest.
const BOUNDS: [(Stabilization, f64); 3] =
    [(Stabilization::Project, 1e-14), (Stabilization::Velocity, 1e-7), (Stabilization::None, 1e-5)];

#[test]
fn a_pendulum_keeps_its_rods_over_a_hundred_thousand_steps() {
    for (stabilization, bound) in BOUNDS {
        let drift = long_swing(MethodKind::Trapezoid, stabilization, 100_000);
        assert!(drift < bound, "{stabilization:?}: {drift:e}");
    }
}

#[test]
#[ignore = "some minutes: cargo test --release --test step_published -- --ignored"]
fn a_pendulum_keeps_its_rods_over_a_million_steps() {
    // Measured: mixed 1e-15, 2.2e-8, 5.1e-6; II 1e-15, 4.4e-8, 4.9e-6.
    for method in [MethodKind::Trapezoid, MethodKind::TrapezoidII] {
        for (stabilization, bound) in BOUNDS {
            let drift = long_swing(method, stabilization, 1_000_000);
            println!("{method:?} {stabilization:?}: {drift:e}");
            assert!(drift < bound, "{method:?} {stabilization:?}: {drift:e}");
        }
    }
}
