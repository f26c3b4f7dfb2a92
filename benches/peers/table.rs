//! From answers to figures: who solved what, how fast, and how the time grows. All judged by the
//! residual of the collection, never by what a solver says of itself.

use super::build::MODEST;
use super::process::{Answer, Way};
use crate::support::SOLVED;
use std::fmt::Write;

/// Upper ends of the size classes, exclusive, and their names.
const CLASSES: [(usize, &str); 6] = [
    (50, "< 50"),
    (130, "50-130"),
    (300, "130-300"),
    (700, "300-700"),
    (1101, "700-1100"),
    (usize::MAX, "> 1100"),
];

/// Growth is fitted from this size on; below it the call itself is part of the time.
const GROWTH_FROM: usize = 40;

/// One solver's answer to one problem, judged.
#[derive(Clone)]
pub struct Cell {
    pub claim: bool,
    pub pivots: i32,
    pub seconds: f64,
    pub residual: f64,
}

impl Cell {
    pub fn new(answer: &Answer, residual: f64) -> Self {
        let Answer { claim, pivots, seconds, .. } = *answer;
        Self { claim, pivots, seconds, residual }
    }

    /// The answer is a solution, whatever the solver says about it.
    pub fn solved(&self) -> bool {
        self.residual <= SOLVED
    }

    fn wrong(&self) -> bool {
        self.claim && !self.solved()
    }
}

/// What there is of one solver on one problem.
pub enum Entry {
    /// Too large for a slow peer.
    NotAsked,
    /// Crashed or given up.
    Gone,
    Judged(Cell),
}

/// All solvers on one problem.
pub struct Row {
    pub name: String,
    pub n: usize,
    pub guaranteed: bool,
    pub cells: Vec<Entry>,
}

impl Row {
    fn judged(&self, solver: usize) -> Option<&Cell> {
        match &self.cells[solver] {
            Entry::Judged(cell) => Some(cell),
            Entry::NotAsked | Entry::Gone => None,
        }
    }

    fn solved_time(&self, solver: usize) -> Option<f64> {
        self.judged(solver).filter(|c| c.solved()).map(|c| c.seconds)
    }

    fn best_peer(&self, ways: &[Way], of: Way) -> Option<f64> {
        let of = if self.n > MODEST { Way::Bare } else { of };
        let competes = |s: &usize| ways[*s] == of || ways[*s] == Way::Both;
        let times = (0..ways.len()).filter(competes).filter_map(|s| self.solved_time(s));
        times.min_by(f64::total_cmp)
    }
}

/// The whole table. Solver 0 is Stiction.
pub struct Table {
    pub solvers: Vec<&'static str>,
    pub ways: Vec<Way>,
    pub rows: Vec<Row>,
}

impl Table {
    /// One line per problem and solver.
    pub fn csv(&self) -> String {
        let mut out =
            String::from("name,n,guaranteed,solver,claim,solved,pivots,residual,seconds\n");
        for row in &self.rows {
            for (solver, cell) in self.solvers.iter().zip(&row.cells) {
                let (name, n, guaranteed) = (&row.name, row.n, row.guaranteed);
                let _ = match cell {
                    Entry::Judged(c) => writeln!(
                        out,
                        "{name},{n},{guaranteed},{solver},{},{},{},{:e},{:e}",
                        c.claim,
                        c.solved(),
                        c.pivots,
                        c.residual,
                        c.seconds
                    ),
                    Entry::Gone => writeln!(out, "{name},{n},{guaranteed},{solver},gone,false,,,"),
                    Entry::NotAsked => Ok(()),
                };
            }
        }
        out
    }

    /// The summary by size class, growth, and every problem Stiction lost.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        self.reliability(&mut out);
        self.speed(&mut out);
        self.growth(&mut out);
        self.losses(&mut out);
        out
    }

    /// The fastest bare peer that solved the problem.
    fn best(&self, row: &Row) -> Option<f64> {
        row.best_peer(&self.ways, Way::Bare)
    }

    fn classes(&self) -> impl Iterator<Item = (&'static str, Vec<&Row>)> {
        let mut from = 0;
        CLASSES.into_iter().filter_map(move |(to, name)| {
            let rows: Vec<&Row> = self.rows.iter().filter(|r| from <= r.n && r.n < to).collect();
            from = to;
            (!rows.is_empty()).then_some((name, rows))
        })
    }

    fn reliability(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "Solved (residual <= {SOLVED:e}), in brackets of the guaranteed ones, and wrong claims:\n"
        );
        let _ = writeln!(out, "| n | problems | {} |", self.solvers.join(" | "));
        let _ = writeln!(out, "|---|---|{}", "---|".repeat(self.solvers.len()));
        let everything = ("all", self.rows.iter().collect());
        for (class, rows) in self.classes().chain([everything]) {
            let must = rows.iter().filter(|r| r.guaranteed).count();
            let _ = write!(out, "| {class} | {} ({must}) |", rows.len());
            for s in 0..self.solvers.len() {
                let asked = |r: &&&Row| !matches!(r.cells[s], Entry::NotAsked);
                let solved = |r: &&&Row| r.solved_time(s).is_some();
                let all = rows.iter().filter(solved).count();
                let must = rows.iter().filter(|r| r.guaranteed).filter(solved).count();
                let wrong = rows.iter().filter_map(|r| r.judged(s)).filter(|c| c.wrong()).count();
                let _ = match rows.iter().filter(asked).count() {
                    0 => write!(out, " - |"),
                    n if n < rows.len() => write!(out, " {all} of {n}, {wrong} wrong |"),
                    _ => write!(out, " {all} ({must}), {wrong} wrong |"),
                };
            }
            out.push('\n');
        }
    }

    fn speed(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "\nTime of a peer over the time of {}, geometric mean (least, number compared):\n",
            self.solvers[0]
        );
        let _ = write!(out, "| n | {} | fastest, bare | fastest, as called |", self.solvers[0]);
        for s in self.solvers.iter().skip(1) {
            let _ = write!(out, " {s} |");
        }
        let _ = writeln!(out, "\n|---|---|---|---|{}", "---|".repeat(self.solvers.len() - 1));
        for (class, rows) in self.classes() {
            let own: Vec<f64> = rows.iter().filter_map(|r| r.solved_time(0)).collect();
            let _ = write!(out, "| {class} | {} |", time(geometric_mean(&own)));
            for way in [Way::Bare, Way::Called] {
                let _ = write!(out, " **{}** |", ratio(&rows, |r| r.best_peer(&self.ways, way)));
            }
            for s in 1..self.solvers.len() {
                let _ = write!(out, " {} |", ratio(&rows, |r| r.solved_time(s)));
            }
            out.push('\n');
        }
    }

    fn growth(&self, out: &mut String) {
        let _ = writeln!(out, "\nGrowth t ~ n^p of the solved problems, n >= {GROWTH_FROM}:\n");
        for (s, name) in self.solvers.iter().enumerate() {
            let large = self.rows.iter().filter(|r| r.n >= GROWTH_FROM);
            let points: Vec<(f64, f64)> =
                large.filter_map(|r| Some(((r.n as f64).ln(), r.solved_time(s)?.ln()))).collect();
            let _ =
                writeln!(out, "- {name}: p = {:.2} ({} problems)", slope(&points), points.len());
        }
    }

    fn losses(&self, out: &mut String) {
        let alone =
            self.rows.iter().filter(|r| r.solved_time(0).is_some() && self.best(r).is_none());
        let _ = writeln!(out, "\nSolved by {} and no peer: {}.", self.solvers[0], alone.count());
        let lost = self.rows.iter().filter(|r| r.solved_time(0).is_none());
        let lost: Vec<String> = lost
            .filter(|r| r.guaranteed || self.best(r).is_some())
            .map(|r| format!("{} (n = {})", r.name, r.n))
            .collect();
        let lost = if lost.is_empty() { "none".into() } else { lost.join(", ") };
        let _ =
            writeln!(out, "Guaranteed or solved by a peer, not by {}: {lost}.", self.solvers[0]);
        let slower = self.rows.iter().filter_map(|r| {
            let factor = self.best(r)? / r.solved_time(0)?;
            (factor < 1.0).then(|| format!("{} (n = {}, {factor:.2})", r.name, r.n))
        });
        let slower: Vec<String> = slower.collect();
        let _ = writeln!(
            out,
            "Slower than the fastest bare peer: {}: {}.",
            slower.len(),
            slower.join(", ")
        );
    }
}

/// Geometric mean, least value and count of peer time over own time where both solved.
fn ratio(rows: &[&Row], peer: impl Fn(&Row) -> Option<f64>) -> String {
    let ratios: Vec<f64> = rows.iter().filter_map(|r| Some(peer(r)? / r.solved_time(0)?)).collect();
    match ratios.iter().copied().min_by(f64::total_cmp) {
        Some(least) => format!("{:.2} ({least:.2}, {})", geometric_mean(&ratios), ratios.len()),
        None => "-".into(),
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|x| x.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Least-squares slope.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let x0 = points.iter().map(|p| p.0).sum::<f64>() / count;
    let y0 = points.iter().map(|p| p.1).sum::<f64>() / count;
    let above: f64 = points.iter().map(|p| (p.0 - x0) * (p.1 - y0)).sum();
    let below: f64 = points.iter().map(|p| (p.0 - x0) * (p.0 - x0)).sum();
    above / below
}

fn time(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.1} us", seconds * 1e6)
    } else {
        format!("{:.2} ms", seconds * 1e3)
    }
}
