//! What a step costs: CPU time and error on two published experiments, beside the integrators of
//! Siconos when they are installed, all in one run.
//!
//! `cargo bench --bench step_cost`
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;
mod peers {
    pub mod angles;
    pub mod compile;
}
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use clock::thread_seconds;
use peers::angles::Angles;
use peers::compile::compile;
use scenes::{Block, DoublePendulum, stepper};
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::step::{MethodKind, Options, Stepper};

/// q(2.5) of the double pendulum at the wall: event-driven integration in angles, 16 digits.
const PENDULUM: [f64; 4] =
    [0.02196211769492439, -0.99975880360532674, 0.02376948677391344, -1.99975717031249908];

/// x(2) and x(10) of the stick-slip block: closed form.
const BLOCK: [f64; 2] = [3.00434856972686523, 2.99130283311503152];

/// When the position of the block is taken: it rests at all of these, from 0.34 to 2.95 s without a break.
const TIMES: [f64; 4] = [0.4, 2.0, 2.9, 10.0];

/// Runs of which the fastest counts.
const RUNS: usize = 5;

/// Grids of one step more each, of which the median counts: a rule that does not locate events has
/// an error that depends on where they fall between two nodes.
const GRIDS: usize = 7;

/// One run: thread CPU seconds, and the numbers it is judged by.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    x: [f64; 4],
}

/// Largest difference from the end of the pendulum.
fn pendulum_error(x: &[f64; 4]) -> f64 {
    x.iter().zip(PENDULUM).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
}

/// Largest difference of the block at two times.
fn block_error(x: &[f64; 4]) -> f64 {
    (x[1] - BLOCK[0]).abs().max((x[3] - BLOCK[1]).abs())
}

/// Speed with which the block creeps while it should rest.
fn creep(x: &[f64; 4]) -> f64 {
    (x[2] - x[0]).abs() / (TIMES[2] - TIMES[0])
}

/// Runs steppers from `make` in `n` steps to `end`; `read` gives the numbers to judge.
fn own(
    n: usize,
    end: f64,
    make: &dyn Fn() -> Stepper,
    read: &dyn Fn(&mut Stepper, f64) -> Option<[f64; 4]>,
) -> Option<Run> {
    let mut best: Option<Run> = None;
    for _ in 0..RUNS {
        let mut s = make();
        let start = thread_seconds();
        let x = read(&mut s, end / n as f64)?;
        let seconds = thread_seconds() - start;
        if best.is_none_or(|b| seconds < b.seconds) {
            best = Some(Run { seconds, x });
        }
    }
    best
}

/// Runs the driver of Siconos.
fn theirs(program: &Path, scene: &str, n: usize) -> Option<Run> {
    let mut command = Command::new(program);
    command.args([scene, &n.to_string(), &RUNS.to_string()]);
    command.env("OPENBLAS_NUM_THREADS", "1");
    let output = command.output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let numbers: Vec<f64> = text.split_whitespace().map_while(|w| w.parse().ok()).collect();
    match numbers[..] {
        [seconds, a, b, c, d] => Some(Run { seconds, x: [a, b, c, d] }),
        _ => None,
    }
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

/// Prints a row: medians over neighboring grids.
fn row(
    name: &str,
    n: usize,
    end: f64,
    error: fn(&[f64; 4]) -> f64,
    creep: Option<fn(&[f64; 4]) -> f64>,
    run: &dyn Fn(usize) -> Option<Run>,
) {
    let grids: Vec<usize> = (n..n + GRIDS).collect();
    let Some(runs) = grids.iter().map(|&n| run(n)).collect::<Option<Vec<Run>>>() else {
        println!("| {name} | {:.1e} | failed |", end / n as f64);
        return;
    };
    let per_step = runs.iter().zip(&grids).map(|(r, &n)| 1e6 * r.seconds / n as f64).collect();
    let last = match creep {
        Some(creep) => format!(" {:.1e} |", runs.iter().fold(0.0f64, |m, r| m.max(creep(&r.x)))),
        None => String::new(),
    };
    println!(
        "| {name} | {:.1e} | {:.2} | {:.2} | {:.1e} |{last}",
        end / n as f64,
        median(per_step),
        1e3 * median(runs.iter().map(|r| r.seconds).collect()),
        median(runs.iter().map(|r| error(&r.x)).collect()),
    );
}

fn by_points(method: MethodKind) -> Stepper {
    let options = Options { method, ..Options::default() };
    stepper(DoublePendulum { g: 9.8, e: 0.1 }, &options, &DoublePendulum::start(), &[0.0; 4])
}

fn by_angles(method: MethodKind) -> Stepper {
    let options = Options { method, ..Options::default() };
    stepper(Angles, &options, &Angles::START, &[0.0; 2])
}

/// The end of the pendulum in coordinates of its points, steps of `h`.
fn swing(s: &mut Stepper, h: f64) -> Option<[f64; 4]> {
    s.advance(2.5, h).ok()?;
    s.q().try_into().ok().or_else(|| Some(Angles::points(s.q())))
}

/// The pendulum by `method`, in points held by joints and in angles.
fn own_pendulum(method: MethodKind, n: usize) {
    let points = |n| own(n, 2.5, &|| by_points(method), &swing);
    row(&format!("{method:?}, points"), n, 2.5, pendulum_error, None, &points);
    let angles = |n| own(n, 2.5, &|| by_angles(method), &swing);
    row(&format!("{method:?}, angles"), n, 2.5, pendulum_error, None, &angles);
}

fn siconos_pendulum(program: Option<&Path>, name: &str, scene: &str, n: usize) {
    if let Some(program) = program {
        row(name, n, 2.5, pendulum_error, None, &|n| theirs(program, scene, n));
    }
}

/// The block by the default method.
fn own_block(n: usize) {
    let make = || {
        let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
        stepper(model, &Options::default(), &[3.0, 0.0], &[0.0; 2])
    };
    let slide = |s: &mut Stepper, h: f64| {
        let mut x = [f64::NAN; 4];
        let mut seen = 0;
        for k in 1..=n + GRIDS {
            if seen == x.len() {
                break;
            }
            s.step(h).ok()?;
            if k as f64 * h >= TIMES[seen] - 0.5 * h {
                x[seen] = s.q()[0];
                seen += 1;
            }
        }
        Some(x)
    };
    row("Trapezoid", n, 10.0, block_error, Some(creep), &|n| own(n, 10.0, &make, &slide));
}

/// The driver of Siconos, compiled here and now.
fn siconos() -> Option<PathBuf> {
    let folder = "/usr/include/siconos";
    let includes = [folder, &format!("{folder}/kernel"), &format!("{folder}/numerics")];
    compile("siconos_steps.cpp", &includes, &["-lsiconos_kernel", "-lsiconos_numerics"])
}

fn main() {
    let built = siconos();
    let program = built.as_deref();
    if program.is_none() {
        println!("siconos: needs apt-get install --no-install-recommends libsiconos-kernel-dev\n");
    }
    println!("Double pendulum and wall, 2.5 s\n\n| method | h | us/step | ms | error |");
    println!("|---|---|---|---|---|");
    for n in [250, 1000, 2500] {
        own_pendulum(MethodKind::Trapezoid, n);
        siconos_pendulum(program, "Siconos MoreauJean, angles", "pendulum", n);
    }
    for (method, n) in [
        (MethodKind::LobattoIIIA4, 1000),
        (MethodKind::RadauIIA5, 640),
        (MethodKind::LobattoIIIA6, 60),
        (MethodKind::LobattoIIIA6, 300),
    ] {
        own_pendulum(method, n);
    }
    siconos_pendulum(program, "Siconos EventDriven, angles", "events", 10);
    println!("\nStick-slip block, 10 s\n\n| method | h | us/step | ms | error | creep m/s |");
    println!("|---|---|---|---|---|---|");
    for n in [1000, 4000, 10_000] {
        own_block(n);
        if let Some(program) = program {
            let run = |n| theirs(program, "block", n);
            row("Siconos MoreauJean", n, 10.0, block_error, Some(creep), &run);
        }
    }
}
