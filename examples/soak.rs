//! Long runs: a double pendulum against a wall, a block that sticks and slips, three discs and piles of six and of twelve that
//! settle in a pit. Ten million steps each, or as many as given; a tenth of them for the pile of twelve. Watches memory, drift,
//! energy and the grid of time, and ends with 1 when a bound is broken.
//!
//! `cargo run --release --example soak [STEPS] [pendulum|block|discs|pile|twelve ...]`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool talks to whoever runs it")]

#[path = "../tests/scenes/mod.rs"]
mod scenes;

use scenes::{Block, DoublePendulum, stepper};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use stiction::rigid::{Attach, Builder, Link, Shape, Surface};
use stiction::step::{Options, Stepper};

/// A motion and what must stay true of it.
struct Run {
    stepper: Stepper,
    h: f64,
    energy: Box<dyn Fn(&Stepper) -> f64>,
    /// Energy is never above its start by more than this, J; infinite for what is driven.
    gain: f64,
    /// Joint errors are never above this.
    drift: f64,
    /// Steps after which as many touch as ever will: before that storage grows with them.
    settled: u64,
}

fn pendulum() -> Result<Run, stiction::Error> {
    let model = DoublePendulum { g: 9.81, e: 0.9 };
    Ok(Run {
        stepper: stepper(model, &Options::default(), &DoublePendulum::start(), &[0.0; 4]),
        h: 1.0 / 1024.0,
        energy: Box::new(|s| {
            s.v().iter().map(|v| 0.5 * v * v).sum::<f64>() + 9.81 * (s.q()[1] + s.q()[3])
        }),
        gain: 1e-4,
        drift: 1e-14,
        settled: 0,
    })
}

fn block() -> Result<Run, stiction::Error> {
    let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
    Ok(Run {
        stepper: stepper(model, &Options::default(), &[3.0, 0.0], &[0.0; 2]),
        h: 1.0 / 128.0,
        energy: Box::new(|_| 0.0),
        gain: f64::INFINITY,
        drift: 0.0,
        settled: 0,
    })
}

/// Three discs between two walls, dropped one above the other: they rattle for a second, then two lie on the ground and the
/// third in between.
fn discs() -> Result<Run, stiction::Error> {
    pit(0.22, (0..3).map(f64::from).map(|k| [0.02 * (k - 1.0), 0.15 + 0.25 * k]))
}

/// Two rows of three discs, at rest after two seconds with some ten contacts.
fn pile() -> Result<Run, stiction::Error> {
    rows(0.34, 2, 3)
}

/// Three rows of four, at rest after three seconds with some two dozen contacts.
fn twelve() -> Result<Run, stiction::Error> {
    rows(0.45, 3, 4)
}

/// Rows of discs that are not quite above each other, dropped into a pit.
fn rows(half: f64, rows: i32, columns: i32) -> Result<Run, stiction::Error> {
    let left = -0.11 * f64::from(columns - 1);
    let place = |k: i32| {
        let (row, column) = (f64::from(k / columns), f64::from(k % columns));
        [left + 0.22 * column + 0.013 * row, 0.15 + 0.25 * row + 0.017 * column]
    };
    pit(half, (0..rows * columns).map(place))
}

/// Discs of 10 cm, at these places, between two walls at a distance of `half` on both sides.
fn pit(half: f64, places: impl Iterator<Item = [f64; 2]>) -> Result<Run, stiction::Error> {
    let mut b = Builder::new();
    b.gravity([0.0, -9.81, 0.0])?;
    let rough = Surface { mu: 0.3, restitution: 0.2, ..Surface::default() };
    b.surface(Default::default(), Default::default(), rough)?;
    for place in places {
        let disc = b.planar(1.0, 0.005, place, 0.0)?;
        b.shape(disc, Shape::Ball { radius: 0.1 }, Attach::default())?;
    }
    for (at, normal) in [
        ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([-half, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([half, 0.0, 0.0], [-1.0, 0.0, 0.0]),
    ] {
        b.shape(Link::Ground, Shape::HalfSpace { normal }, Attach { at, ..Attach::default() })?;
    }
    let scene = Arc::new(b.build()?);
    Ok(Run {
        stepper: Stepper::new(scene.clone(), &Options::default())?,
        h: 1.0 / 256.0,
        energy: Box::new(move |s| {
            let parts = (scene.kinetic_energy(s.v()), scene.potential_energy(s.q()));
            parts.0.unwrap_or(f64::NAN) + parts.1.unwrap_or(f64::NAN)
        }),
        gain: 1e-6,
        drift: 0.0,
        // Four seconds; the slower one is at rest after three.
        settled: 1024,
    })
}

/// Builds a motion at its start.
type Make = fn() -> Result<Run, stiction::Error>;

/// Resident memory in KiB, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    text.lines().find_map(|l| l.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}

/// Takes the steps; says what happened, or which bound was broken.
fn soak(run: &mut Run, steps: u64) -> Result<String, String> {
    let (begin, start) = (Instant::now(), (run.energy)(&run.stepper));
    let (mut most, mut memory, mut said) = (start, None, begin);
    for k in 1..=steps {
        run.stepper.step(run.h).map_err(|e| format!("step {k}: {e}"))?;
        // Powers of two times an integer: the grid is exact.
        if run.stepper.t() != k as f64 * run.h {
            return Err(format!("step {k} ended at {}", run.stepper.t()));
        }
        most = most.max((run.energy)(&run.stepper));
        if most > start + run.gain {
            return Err(format!("step {k}: energy {most} above {start}"));
        }
        if k == run.settled.max(steps / 10) {
            memory = resident();
        }
        // A tenth of a pile takes minutes.
        let tenth = k % (steps / 10).max(1) == 0;
        if tenth || (k % 16384 == 0 && said.elapsed().as_secs() >= 60) {
            println!("  {k} of {steps} steps, {:.0} s", begin.elapsed().as_secs_f64());
            said = Instant::now();
        }
    }
    let stats = run.stepper.stats();
    let grown = resident().zip(memory).map_or(0, |(now, then)| now.saturating_sub(then));
    // Some pages of code and stack touched late; a byte per step would be megabytes.
    if grown > 256 {
        return Err(format!("memory grew by {grown} KiB"));
    }
    if stats.worst_joint_drift > run.drift || stats.worst_gap < -1e-9 {
        return Err(format!("drift {:e}, gap {:e}", stats.worst_joint_drift, stats.worst_gap));
    }
    Ok(format!(
        "{steps} steps: energy gained at most {:.1e} J, drift {:.1e}, worst gap {:.1e} m, memory grew by {grown} KiB, {} impacts",
        most - start,
        stats.worst_joint_drift,
        stats.worst_gap,
        stats.impacts
    ))
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let steps = match words.first().map(|w| w.parse::<u64>()) {
        Some(Ok(n)) => {
            words.remove(0);
            n
        }
        _ => 10_000_000,
    };
    // A step of the twelve costs ten times one of the others.
    let runs: [(&str, Make, u64); 5] = [
        ("pendulum", pendulum, steps),
        ("block", block, steps),
        ("discs", discs, steps),
        ("pile", pile, steps),
        ("twelve", twelve, steps / 10),
    ];
    let mut good = true;
    for (name, make, steps) in runs {
        if !words.is_empty() && !words.iter().any(|w| w == name) {
            continue;
        }
        println!("{name}");
        let told = make().map_err(|e| e.to_string()).and_then(|mut run| soak(&mut run, steps));
        match told {
            Ok(text) => println!("  {text}"),
            Err(text) => {
                eprintln!("  broken: {text}");
                good = false;
            }
        }
    }
    println!(
        "{}: look at the energy gained and the worst gap, which must not grow with the number of steps, and at memory",
        if good { "every bound held" } else { "a bound was broken" }
    );
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
