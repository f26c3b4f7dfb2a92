//! What a step costs: CPU time and error of the default method on two published experiments.
//!
//! `cargo bench --bench step_cost`
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use clock::thread_seconds;
use scenes::{Block, DoublePendulum, stepper};
use stiction::step::{Options, Stepper};

/// q(2.5) of the double pendulum at the wall: event-driven integration in angles, 16 digits.
const PENDULUM: [f64; 4] =
    [0.02196211769492439, -0.99975880360532674, 0.02376948677391344, -1.99975717031249908];

/// x(10) of the stick-slip block: closed form.
const BLOCK: f64 = 2.99130283311503152;

/// Runs of which the fastest counts.
const RUNS: usize = 5;

/// Advances fresh steppers from `make` to `end` and prints a row.
fn measure(
    name: &str,
    end: f64,
    h: f64,
    make: impl Fn() -> Stepper,
    error: impl Fn(&[f64]) -> f64,
) {
    let mut best = f64::INFINITY;
    let mut last = make();
    for _ in 0..RUNS {
        let mut s = make();
        let start = thread_seconds();
        if let Err(e) = s.advance(end, h) {
            println!("| {name} | {h} | {e} |");
            return;
        }
        best = best.min(thread_seconds() - start);
        last = s;
    }
    let stats = last.stats();
    let per_step = 1e6 * best / stats.steps as f64;
    println!(
        "| {name} | {h} | {per_step:.2} | {:.2} | {:.1e} | {:.2} | {:.2} |",
        1e3 * best,
        error(last.q()),
        stats.lcp_solves as f64 / stats.steps as f64,
        stats.check_solves as f64 / stats.steps as f64,
    );
}

fn main() {
    println!("| scene | h | us/step | ms | error | step LCPs | check LCPs |");
    println!("|---|---|---|---|---|---|---|");
    for h in [4e-3, 2e-3, 1e-3] {
        let make = || {
            let model = DoublePendulum { g: 9.8, e: 0.1 };
            stepper(model, &Options::default(), &DoublePendulum::start(), &[0.0; 4])
        };
        let worst =
            |q: &[f64]| q.iter().zip(PENDULUM).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        measure("double pendulum", 2.5, h, make, worst);
    }
    for h in [1e-2, 2.5e-3, 1e-3] {
        let make = || {
            let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
            stepper(model, &Options::default(), &[3.0, 0.0], &[0.0; 2])
        };
        measure("stick-slip block", 10.0, h, make, |q| (q[0] - BLOCK).abs());
    }
}
