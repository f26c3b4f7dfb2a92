//! Solves every problem of a folder and prints what happened.
//!
//! `cargo run --release --example lcp_folder -- [FOLDER] [--permute SEED] [--max-n N] [--only TEXT]`
//!
//! Without a folder it takes `STICTION_LCP_DATA`. The folder may have a `manifest.csv`; without one
//! nothing is promised about its problems and only wrong claims are faults. The exit code is 1 when
//! a claim is wrong, a problem that must be solved is not, or one without a solution is claimed.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use support::collection::{Collection, default_folder};
use support::manifest::Entry;
use support::outcome::{Outcome, solve_cold};

struct Arguments {
    folder: PathBuf,
    permute: Option<u64>,
    max_n: usize,
    only: String,
}

fn arguments() -> support::Result<Arguments> {
    let mut a =
        Arguments { folder: default_folder(), permute: None, max_n: 1100, only: String::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--permute" => a.permute = Some(value()?.parse()?),
            "--max-n" => a.max_n = value()?.parse()?,
            "--only" => a.only = value()?,
            option if option.starts_with('-') => return Err(format!("unknown {option}").into()),
            folder => a.folder = folder.into(),
        }
    }
    Ok(a)
}

/// Counts of one class of problems.
#[derive(Default)]
struct Sum {
    count: usize,
    solved: usize,
    must: usize,
    must_solved: usize,
    wrong: usize,
    faults: usize,
    worst: f64,
    pivots: usize,
    seconds: f64,
}

impl Sum {
    fn add(&mut self, entry: &Entry, o: &Outcome) {
        self.count += 1;
        self.seconds += o.seconds;
        self.pivots += o.pivots.unwrap_or(0);
        if entry.expect.must_solve() {
            self.must += 1;
            self.must_solved += usize::from(o.solved());
        }
        if o.claimed() {
            self.worst = self.worst.max(o.residual);
        }
        self.solved += usize::from(o.solved());
        self.wrong += usize::from(o.claimed() && !o.solved());
        self.faults += usize::from(o.fault(entry.expect).is_some());
    }

    fn print(&self, class: &str) {
        println!(
            "{class:<18} {:>5} {:>7} {:>10} {:>6} {:>7} {:>9.1e} {:>9} {:>11.3}",
            self.count,
            self.solved,
            format!("{}/{}", self.must_solved, self.must),
            self.wrong,
            self.faults,
            self.worst,
            self.pivots,
            self.seconds * 1e3
        );
    }
}

fn run(a: &Arguments) -> support::Result<usize> {
    let collection = Collection::open(&a.folder)?;
    let mut classes: BTreeMap<&str, Sum> = BTreeMap::new();
    let (mut all, mut left_out) = (Sum::default(), 0);
    println!(
        "{:<46} {:>5} {:>10} {:>12} {:>7} {:>9} {:>11}  fault",
        "name", "n", "guaranteed", "status", "pivots", "residual", "time [ms]"
    );
    for entry in collection.entries.iter().filter(|e| e.name.contains(&a.only)) {
        // A size in the list saves reading a file that is too large anyway.
        let Some(problem) = (if entry.n > a.max_n { None } else { collection.load(entry)? }) else {
            left_out += usize::from(entry.kind != "FC");
            continue;
        };
        if problem.n() > a.max_n {
            left_out += 1;
            continue;
        }
        let problem = match a.permute {
            Some(seed) => problem.permuted(seed),
            None => problem,
        };
        let o = solve_cold(&problem)?;
        let pivots = o.pivots.map_or("-".into(), |p| p.to_string());
        println!(
            "{:<46} {:>5} {:>10} {:>12} {:>7} {:>9.1e} {:>11.4}  {}",
            entry.name,
            problem.n(),
            entry.expect.word(),
            o.status,
            pivots,
            o.residual,
            o.seconds * 1e3,
            o.fault(entry.expect).unwrap_or("")
        );
        classes.entry(&entry.class).or_default().add(entry, &o);
        all.add(entry, &o);
    }
    println!(
        "\n{:<18} {:>5} {:>7} {:>10} {:>6} {:>7} {:>9} {:>9} {:>11}",
        "class", "count", "solved", "must", "wrong", "faults", "worst", "pivots", "time [ms]"
    );
    for (class, sum) in &classes {
        sum.print(class);
    }
    all.print("all");
    if left_out > 0 {
        println!("{left_out} problems above n = {} not run (--max-n)", a.max_n);
    }
    Ok(all.faults)
}

fn main() -> ExitCode {
    match arguments().and_then(|a| run(&a)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(faults) => {
            println!("{faults} faults");
            ExitCode::FAILURE
        }
        Err(e) => {
            println!("{e}");
            ExitCode::from(2)
        }
    }
}
