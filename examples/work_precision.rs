//! Work against error for every method: force evaluations and processor time on the ball, the oscillator, the double pendulum and
//! the block, by fixed steps and by tolerances. Writes `work_precision.csv` into the folder given (default `target`), and
//! `work_precision.svg` beside it where gnuplot is at hand.
//!
//! `cargo run --release --example work_precision [FOLDER]`
#![allow(clippy::print_stdout, reason = "a tool talks to whoever runs it")]

#[path = "../tests/support/experiments.rs"]
mod experiments;
#[path = "../tests/support/norms.rs"]
mod norms;
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use experiments::{Experiment, ball, block, oscillator, pendulum};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use stiction::step::{MethodKind, Options};

/// Methods with the first and the last power of two of their numbers of steps, and whether tolerances apply.
const METHODS: [(MethodKind, u32, u32, bool); 15] = [
    (MethodKind::Euler, 6, 13, true),
    (MethodKind::StewartTrinkle, 6, 13, false),
    (MethodKind::ImplicitEuler, 6, 13, true),
    (MethodKind::Trapezoid, 5, 13, true),
    (MethodKind::TrapezoidI, 5, 13, true),
    (MethodKind::TrapezoidII, 5, 13, true),
    (MethodKind::Moreau, 6, 13, true),
    (MethodKind::SchatzmanPaoli, 6, 13, false),
    (MethodKind::LobattoIIIA2, 5, 13, true),
    (MethodKind::LobattoIIIA4, 5, 11, true),
    (MethodKind::LobattoIIIA6, 5, 9, true),
    (MethodKind::RadauIIA3, 5, 12, true),
    (MethodKind::RadauIIA5, 5, 10, true),
    (MethodKind::HalfExplicit2, 5, 13, true),
    (MethodKind::HalfExplicit4, 5, 11, true),
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

fn table() -> String {
    let mut table = String::from("experiment,method,control,steps,force_evals,error,seconds\n");
    for e in [ball(), oscillator(), pendulum(), block()] {
        for (method, first, last, adapts) in METHODS {
            let options = Options { method, ..Options::default() };
            for power in first..=last {
                // Not a power of two times a nice number: no grid point on an event.
                let h = e.t_end / (1.07 * f64::from(1u32 << power)).round();
                measure(&mut table, &e, &options, "fixed", h);
            }
            let tightest = if last > 11 { 5 } else { 10 };
            for k in (2..=tightest).filter(|_| adapts) {
                let options = Options { abs_tol: 0.1f64.powi(k), ..options };
                measure(&mut table, &e, &options, "tolerance", 0.01);
            }
        }
    }
    table
}

/// Draws force evaluations against error, one panel per experiment. False without gnuplot.
fn draw(csv: &Path, svg: &Path) -> bool {
    let names = METHODS.map(|m| format!("{:?}", m.0)).join(" ");
    let script = format!(
        "set terminal svg size 1200,900; set output '{}'; set datafile separator ','; set logscale xy; \
         set format '10^{{%L}}'; set key font ',8'; set multiplot layout 2,2; \
         do for [e in 'ball oscillator pendulum block'] {{ set title e; set xlabel 'force evaluations'; set ylabel 'error'; \
         plot for [m in '{names}'] '{}' using (strcol(1) eq e && strcol(2) eq m && strcol(3) eq 'fixed' ? $5 : NaN):6 \
         with linespoints title m }}",
        svg.display(),
        csv.display()
    );
    Command::new("gnuplot").arg("-e").arg(script).status().is_ok_and(|s| s.success())
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target".into()));
    let (csv, svg) = (folder.join("work_precision.csv"), folder.join("work_precision.svg"));
    std::fs::write(&csv, table())?;
    println!("{}", csv.display());
    if draw(&csv, &svg) {
        println!("{}", svg.display());
    } else {
        println!("no drawing: gnuplot is not here");
    }
    Ok(())
}
