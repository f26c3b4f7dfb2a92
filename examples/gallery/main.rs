//! Every published experiment once more: for each a table of our figures beside those of its paper (Markdown) and the
//! motion behind the picture (CSV), written into the folder given (default `build/gallery`). Ends with 1 when a figure
//! of ours has left the paper's by more than its page allows.
//!
//! `cargo run --release --example gallery [FOLDER [NAME...]]`; names choose some of them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool talks to whoever runs it")]

#[path = "../../tests/support/four_balls.rs"]
mod balls;
mod bars;
mod block;
mod bouncing;
mod carts;
mod damper;
#[path = "../../tests/support/experiments.rs"]
mod experiments;
#[path = "../../tests/support/norms.rs"]
mod norms;
mod page;
mod pendulum;
mod rod;
mod row_of_balls;
#[path = "../../tests/scenes/mod.rs"]
mod scenes;

use page::Page;
use std::path::PathBuf;
use std::process::ExitCode;

/// Computes one experiment.
type Compute = fn() -> Page;

/// Experiments in the order of the manual: paper by paper.
const PAGES: [(&str, Compute); 8] = [
    ("pendulum", pendulum::page),
    ("block", block::page),
    ("carts", carts::page),
    ("damper", damper::page),
    ("bars", bars::page),
    ("rod", rod::page),
    ("balls", row_of_balls::page),
    ("bouncing", bouncing::page),
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(|| PathBuf::from("build/gallery"), PathBuf::from);
    let names: Vec<String> = words.collect();
    if let Some(unknown) = names.iter().find(|n| PAGES.iter().all(|(name, _)| name != n)) {
        eprintln!("no experiment is called {unknown}");
        return ExitCode::FAILURE;
    }
    if let Err(e) = std::fs::create_dir_all(&folder) {
        eprintln!("cannot make {}: {e}", folder.display());
        return ExitCode::FAILURE;
    }
    let mut good = true;
    for (i, (name, page)) in PAGES.into_iter().enumerate() {
        if !names.is_empty() && names.iter().all(|n| n != name) {
            continue;
        }
        println!("{} of {}: {name}", i + 1, PAGES.len());
        let page = page();
        for claim in &page.broken {
            eprintln!("{name}: {claim}");
            good = false;
        }
        let files = [(format!("{name}.md"), &page.table), (format!("{name}.csv"), &page.csv)];
        for (file, text) in files {
            if let Err(e) = std::fs::write(folder.join(&file), text) {
                eprintln!("cannot write {file}: {e}");
                good = false;
            }
        }
    }
    println!("tables and motions are in {}", folder.display());
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
