//! What a step costs with many contacts: a box on a base of points at rest, and pushed to and fro;
//! time, drift, penetration, and how many problems needed Lemke's method.
//!
//! `cargo bench --bench many_contacts`
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;

use clock::thread_seconds;
use std::sync::Arc;
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Surface};
use stiction::step::{Options, Stepper};

/// |x(5)| of the pushed box: closed form of a block with mu = 0.5 under 8 cos 5t.
const PUSHED: f64 = 0.140586;

/// A box of 1 kg and 1 m on `side` by `side` points, pushed level through its base by `push` cos 5t.
fn base(side: usize, push: f64) -> Result<Scene, stiction::Error> {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81])?;
    b.surface(Default::default(), Default::default(), Surface { mu: 0.5, ..Default::default() })?;
    let i = 1.0 / 6.0;
    let body = b.spatial(
        1.0,
        [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]],
        [0.0, 0.0, 0.5],
        [1.0, 0.0, 0.0, 0.0],
    )?;
    let at = |k: usize| k as f64 / (side - 1) as f64 - 0.5;
    for i in 0..side {
        for j in 0..side {
            let how = Attach { at: [at(i), at(j), -0.5], ..Attach::default() };
            b.shape(body, Shape::Ball { radius: 0.0 }, how)?;
        }
    }
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 0.0, 1.0] }, Attach::default())?;
    if push != 0.0 {
        b.force(
            body,
            [0.0, 0.0, -0.5],
            Arc::new(move |t: f64| [push * (5.0 * t).cos(), 0.0, 0.0]),
        )?;
    }
    b.build()
}

fn main() -> Result<(), stiction::Error> {
    println!(
        "| scene | points | us/step | error of x(5) | worst gap | residual | solves | pivots |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (side, steps) in [(2, 1000), (4, 1000), (8, 1000), (16, 200)] {
        for push in [0.0, 8.0] {
            let scene = Arc::new(base(side, push)?);
            let mut s = Stepper::new(scene.clone(), &Options::default())?;
            let start = thread_seconds();
            s.advance(5e-3 * f64::from(steps), 5e-3)?;
            let spent = thread_seconds() - start;
            let st = s.stats();
            // Fewer steps than 5 s take are enough to see what one costs.
            let error =
                (steps == 1000).then(|| s.q()[0].abs() - if push == 0.0 { 0.0 } else { PUSHED });
            println!(
                "| {} | {} | {:.1} | {} | {:.1e} | {:.1e} | {} + {} | {} |",
                if push == 0.0 { "rest" } else { "pushed" },
                side * side,
                1e6 * spent / f64::from(steps),
                error.map_or("-".into(), |e| format!("{e:.1e}")),
                st.worst_gap,
                st.worst_residual,
                st.lcp_solves,
                st.check_solves,
                st.pivots
            );
        }
    }
    Ok(())
}
