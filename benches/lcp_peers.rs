//! The LCP solver against its peers on the same problems, cold, back to back, in thread CPU time.
//!
//! `cargo bench --bench lcp_peers -- [--max-n N] [--only TEXT] [--limit CPU_SECONDS]`
//!
//! Prints Markdown and writes it, with a CSV of every solve, below `target/tmp`. `README.md` beside
//! this file says what is compared and how to install the peers.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/mod.rs"]
mod support;

mod peers {
    pub mod build;
    pub mod compile;
    pub mod process;
    pub mod table;
}

use peers::build;
use peers::process::{Answer, BUDGET, Way};
use peers::table::{Cell, Entry, Row, Table};
use std::path::Path;
use support::clock::thread_seconds;
use support::collection::Collection;
use support::manifest::Expect;
use support::outcome::cold_workspace;
use support::problem::Problem;

struct Arguments {
    max_n: usize,
    only: String,
    limit: f64,
}

fn arguments() -> support::Result<Arguments> {
    let mut a = Arguments { max_n: 1100, only: String::new(), limit: 10.0 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            // cargo adds it
            "--bench" => {}
            "--max-n" => a.max_n = value()?.parse()?,
            "--only" => a.only = value()?,
            "--limit" => a.limit = value()?.parse()?,
            other => return Err(format!("unknown {other}").into()),
        }
    }
    Ok(a)
}

/// Times cold solves of one problem by the rule of `peer.h`.
fn stiction(p: &Problem) -> support::Result<Answer> {
    let m = p.matrix()?;
    let mut lcp = cold_workspace(p.n())?;
    let mut z = vec![0.0; p.n()];
    let mut sample = |repeat: usize| {
        let start = thread_seconds();
        let mut last = lcp.solve(m, &p.q, &mut z, None);
        for _ in 1..repeat {
            last = lcp.solve(m, &p.q, &mut z, None);
        }
        (thread_seconds() - start, last)
    };
    // The first solve takes memory pages and would be taken for the time of a solve.
    let _ = sample(1);
    let (first, mut last) = sample(1);
    let repeat = if first < 20e-6 { 1 + (20e-6 / (first + 1e-7)) as usize } else { 1 };
    let mut samples = if repeat == 1 { vec![first] } else { Vec::new() };
    let mut total = first;
    while total < BUDGET && (samples.len() < 5 || total < 0.03) {
        let (t, result) = sample(repeat);
        last = result;
        total += t;
        samples.push(t / repeat as f64);
    }
    samples.sort_by(f64::total_cmp);
    let median = samples.get(samples.len() / 2).copied().unwrap_or(first);
    let pivots = last.as_ref().map_or(-1, |i| i32::try_from(i.pivots).unwrap_or(i32::MAX));
    Ok(Answer { claim: last.is_ok(), pivots, seconds: median, z })
}

fn main() -> support::Result<()> {
    let a = arguments()?;
    let Some(collection) = Collection::find()? else { return Ok(()) };
    let (mut peers, missing) = build::peers(a.limit);
    for line in &missing {
        println!("not compared: {line}");
    }
    let mut solvers = vec!["stiction"];
    solvers.extend(peers.iter().map(|p| p.name));
    let mut ways = vec![Way::Own];
    ways.extend(peers.iter().map(|p| p.way));
    let mut table = Table { solvers, ways, rows: Vec::new() };
    let wanted = |n: usize| n <= a.max_n;
    for entry in &collection.entries {
        if entry.kind != "LCP" || !entry.name.contains(&a.only) || !wanted(entry.n) {
            continue;
        }
        let Some(problem) = collection.load(entry)?.filter(|p| wanted(p.n())) else { continue };
        let judge = |a: Answer| Entry::Judged(Cell::new(&a, problem.residual(&a.z)));
        let mut cells = vec![judge(stiction(&problem)?)];
        cells.extend(peers.iter_mut().map(|p| match p.takes(&problem) {
            true => p.solve(&problem).map_or(Entry::Gone, judge),
            false => Entry::NotAsked,
        }));
        let guaranteed = entry.expect == Expect::Guaranteed;
        println!("{} (n = {})", entry.name, problem.n());
        table.rows.push(Row { name: entry.name.clone(), n: problem.n(), guaranteed, cells });
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("lcp_peers.csv"), table.csv())?;
    std::fs::write(folder.join("lcp_peers.md"), table.markdown())?;
    println!("{}", table.markdown());
    println!("every solve: {}", folder.join("lcp_peers.csv").display());
    Ok(())
}
