//! What an experiment leaves: a table, a motion, and what did not come out as the paper says.

use std::fmt::Write as _;
use stiction::step::Stepper;

#[derive(Default)]
pub struct Page {
    /// Markdown.
    pub table: String,
    /// Numbers by columns, names in the first line.
    pub csv: String,
    /// Figures that are off.
    pub broken: Vec<String>,
}

impl Page {
    /// Begins a table.
    pub fn heads(&mut self, names: &[&str]) {
        if !self.table.is_empty() {
            self.table.push('\n');
        }
        let _ = writeln!(self.table, "| {} |", names.join(" | "));
        let _ = writeln!(self.table, "|{}", "---|".repeat(names.len()));
    }

    pub fn row(&mut self, cells: &[String]) {
        let _ = writeln!(self.table, "| {} |", cells.join(" | "));
    }

    /// A sentence below a table.
    pub fn say(&mut self, text: &str) {
        let _ = writeln!(self.table, "\n{text}");
    }

    /// Notes what must be true.
    pub fn hold(&mut self, truth: bool, claim: String) {
        if !truth {
            self.broken.push(claim);
        }
    }

    /// Ours is the printed figure up to a part `slack` of it.
    pub fn near(&mut self, what: &str, ours: f64, printed: f64, slack: f64) {
        let off = (ours - printed).abs();
        self.hold(off <= slack * printed.abs(), format!("{what}: {ours:e} for {printed:e}"));
    }

    pub fn columns(&mut self, names: &[&str]) {
        let _ = writeln!(self.csv, "{}", names.join(","));
    }

    pub fn line(&mut self, numbers: &[f64]) {
        let cells: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let _ = writeln!(self.csv, "{}", cells.join(","));
    }

    /// Steps to `end`, a line of the motion after each.
    pub fn record(
        &mut self,
        s: &mut Stepper,
        end: f64,
        h: f64,
        line: impl Fn(&Stepper) -> Vec<f64>,
    ) {
        self.line(&line(s));
        let steps = (end / h).round() as usize;
        for k in 1..=steps {
            if let Err(e) = s.advance(k as f64 * h, h) {
                self.broken.push(format!("t = {}: {e}", s.t()));
                return;
            }
            self.line(&line(s));
        }
    }
}

/// A figure with three digits behind the first.
pub fn small(x: f64) -> String {
    format!("{x:.3e}")
}

/// Observed order from the error at twice the step.
pub fn order(before: Option<f64>, now: f64) -> String {
    before.map_or(String::new(), |b| format!("{:.2}", (b / now).log2()))
}
