//! Work against error for every method: force evaluations and processor time on the ball, the oscillator, the double pendulum and
//! the block, by fixed steps and by tolerances; and figures 4 and 5 of Acary (2009), Moreau's rule under the step control printed
//! there and under ours. Writes `work_precision_fixed.csv`,
//! `work_precision_tolerance.csv` and `figures_4_5.csv` into the folder given (default `target`), and drawings
//! `.png` beside them where gnuplot is at hand.
//!
//! `cargo run --release --example work_precision [FOLDER]`
#![allow(clippy::print_stdout, reason = "a tool talks to whoever runs it")]

#[path = "../tests/support/experiments.rs"]
mod experiments;
#[path = "../tests/support/heuristic.rs"]
mod heuristic;
#[path = "../tests/support/norms.rs"]
mod norms;
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use experiments::{Experiment, ball, block, oscillator, pendulum};
use heuristic::{Control, walk};
use norms::{BALL, Grid, OSCILLATOR, Single};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use stiction::step::{MethodKind, Options};

/// Methods with the first and the last power of two of their numbers of steps.
const METHODS: [(MethodKind, u32, u32); 15] = [
    (MethodKind::Euler, 6, 13),
    (MethodKind::StewartTrinkle, 6, 13),
    (MethodKind::ImplicitEuler, 6, 13),
    (MethodKind::Trapezoid, 5, 13),
    (MethodKind::TrapezoidI, 5, 13),
    (MethodKind::TrapezoidII, 5, 13),
    (MethodKind::Moreau, 6, 13),
    (MethodKind::SchatzmanPaoli, 6, 13),
    (MethodKind::LobattoIIIA2, 5, 13),
    (MethodKind::LobattoIIIA4, 5, 11),
    (MethodKind::LobattoIIIA6, 5, 9),
    (MethodKind::RadauIIA3, 5, 12),
    (MethodKind::RadauIIA5, 5, 10),
    (MethodKind::HalfExplicit2, 5, 13),
    (MethodKind::HalfExplicit4, 5, 11),
];

/// Tighter tolerances than 1e-4 are too dear for rules of first order.
const SECOND_ORDER: [MethodKind; 5] = [
    MethodKind::SchatzmanPaoli,
    MethodKind::Trapezoid,
    MethodKind::TrapezoidII,
    MethodKind::LobattoIIIA2,
    MethodKind::HalfExplicit2,
];

/// One run: a line of the table.
fn measure(table: &mut String, e: &Experiment, options: &Options, control: &str, h: f64) {
    let mut s = e.stepper(options);
    let begin = Instant::now();
    let told = s.advance(e.t_end, h);
    let seconds = begin.elapsed().as_secs_f64();
    let Ok(_) = told else { return };
    let (error, stats) = (e.error(&s), *s.stats());
    let method = options.method;
    let _ = writeln!(
        table,
        "{},{method:?},{control},{},{},{error:e},{seconds:e}",
        e.name, stats.steps, stats.force_evals
    );
}

fn table(control: &str) -> String {
    let mut table = String::from("experiment,method,control,steps,force_evals,error,seconds\n");
    for (i, e) in [ball(), oscillator(), pendulum(), block()].into_iter().enumerate() {
        println!("{control}, {} of 4: {}", i + 1, e.name);
        for (method, first, last) in METHODS {
            let options = Options { method, ..Options::default() };
            for power in (first..=last).filter(|_| control == "fixed") {
                // Not a power of two times a nice number: no grid point on an event.
                let h = e.t_end / (1.07 * f64::from(1u32 << power)).round();
                measure(&mut table, &e, &options, control, h);
            }
            let tightest = match last {
                ..12 => 10,
                12 => 8,
                _ if SECOND_ORDER.contains(&method) => 6,
                _ => 4,
            };
            for k in (2..=tightest).filter(|_| control == "tolerance") {
                let options = Options { abs_tol: 0.1f64.powi(k), ..options };
                measure(&mut table, &e, &options, control, 0.01);
            }
        }
    }
    table
}

/// Motions in pieces of an advance, so that the error is known on the way.
const PIECES: i32 = 50;

/// Ours with the tolerance `tol` for the whole way: error in the integral norm, and force evaluations.
fn controlled(model: Single, end: f64, tol: f64) -> (f64, i64) {
    let abs_tol = tol / f64::from(PIECES);
    let options = Options { method: MethodKind::Moreau, abs_tol, ..Options::default() };
    let mut s = scenes::stepper(model, &options, &[1.0], &[0.0]);
    let mut grid = Grid { t: vec![0.0], x: vec![1.0] };
    for k in 1..=PIECES {
        if s.advance(end * f64::from(k) / f64::from(PIECES), 0.01).is_err() {
            break;
        }
        grid.t.push(s.t());
        grid.x.push(s.q()[0]);
    }
    (grid.integral(1, |t| model.exact(t).0), s.stats().force_evals)
}

/// Figures 4 and 5: integral norm of the error of positions against evaluations.
fn figures() -> String {
    let mut table = String::from("experiment,control,force_evals,error\n");
    for (name, model, end) in [("ball", BALL, 2.7), ("oscillator", OSCILLATOR, 5.0)] {
        for k in 2..=12 {
            let tol = 0.1f64.powf(0.5 * f64::from(k));
            let h = tol.sqrt();
            for (control, label) in [
                (Control::Fixed(h), "fixed"),
                (Control::Heuristic(tol), "difference"),
                (Control::ByOrder(tol), "by_order"),
            ] {
                let w = walk(model, control, end);
                let error = w.q.integral(1, |t| model.exact(t).0);
                let _ = writeln!(table, "{name},{label},{},{error:e}", w.force_evals);
            }
            if k <= 8 {
                let (error, evals) = controlled(model, end, tol);
                let _ = writeln!(table, "{name},ours,{evals},{error:e}");
            }
        }
    }
    table
}

/// Draws force evaluations against error, one panel per experiment: the columns of experiment and label must have the values
/// `panels` and `lines` that gnuplot's `columns` select. False without gnuplot.
fn draw(csv: &Path, panels: &str, lines: &str, columns: &str) -> bool {
    let layout = if panels.split(' ').count() > 2 { "2,2" } else { "1,2" };
    let script = format!(
        "set terminal png size 1600,1200; set output '{}'; set datafile separator ','; set datafile missing NaN; set logscale xy; \
         set format '10^{{%L}}'; set key font ',8'; set multiplot layout {layout}; \
         do for [e in '{panels}'] {{ set title e; set xlabel 'force evaluations'; set ylabel 'error'; \
         plot for [m in '{lines}'] '{}' using {columns} with linespoints title m noenhanced }}",
        csv.with_extension("png").display(),
        csv.display()
    );
    Command::new("gnuplot").arg("-e").arg(script).status().is_ok_and(|s| s.success())
}

/// Writes a table, draws it, and tells.
fn publish(
    csv: &Path,
    table: String,
    (panels, lines, columns): (&str, &str, &str),
) -> std::io::Result<()> {
    std::fs::write(csv, table)?;
    println!("{}", csv.display());
    if draw(csv, panels, lines, columns) {
        println!("{}", csv.with_extension("png").display());
    } else {
        println!("no drawing: gnuplot is not here");
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target".into()));
    std::fs::create_dir_all(&folder)?;
    let names = METHODS.map(|m| format!("{:?}", m.0)).join(" ");
    for control in ["fixed", "tolerance"] {
        let columns =
            format!("(strcol(1) eq e && strcol(2) eq m && strcol(3) eq '{control}' ? $5 : NaN):6");
        let csv = folder.join(format!("work_precision_{control}.csv"));
        publish(&csv, table(control), ("ball oscillator pendulum block", &names, &columns))?;
    }
    let columns = "(strcol(1) eq e && strcol(2) eq m ? $3 : NaN):4";
    let lines = "fixed difference by_order ours";
    println!("figures 4 and 5");
    publish(&folder.join("figures_4_5.csv"), figures(), ("ball oscillator", lines, columns))?;
    println!(
        "look at the slopes: the order of each method, and who needs the fewest evaluations for an error"
    );
    Ok(())
}
