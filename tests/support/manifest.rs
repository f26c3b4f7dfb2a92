//! The list of a collection: what each problem is and what is known about it.

use super::Result;
use std::path::Path;

/// What a solver must do with a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// Lemke's method finds a solution by theorem.
    Guaranteed,
    /// A solution is known and Lemke's path reaches one.
    Reachable,
    /// There is no solution.
    Refuse,
    /// Nothing is promised: only a wrong claim is an error.
    Open,
}

impl Expect {
    /// One word for a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Guaranteed => "yes",
            Self::Reachable => "known",
            Self::Refuse => "none",
            Self::Open => "open",
        }
    }

    /// The problem has to be solved.
    pub fn must_solve(self) -> bool {
        matches!(self, Self::Guaranteed | Self::Reachable)
    }
}

/// One line of the list.
pub struct Entry {
    pub name: String,
    /// LCP, MLCP or FC.
    pub kind: String,
    pub class: String,
    /// Unknowns; for a mixed problem both kinds; zero when the list does not say.
    pub n: usize,
    pub expect: Expect,
    /// Empty when the problem has to be derived.
    pub file: String,
    /// `facet(name, k=4)` or `mlcp2lcp(name)`, or empty.
    pub derive: String,
}

/// Reads `manifest.csv`.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header = split(lines.next().ok_or("the manifest is empty")?);
    let column = |name: &str| {
        header.iter().position(|h| h == name).ok_or_else(|| format!("no column {name}"))
    };
    let names = ["name", "kind", "cls", "n", "m", "lemke_guaranteed", "solution_known"];
    let mut at = [0; 9];
    for (slot, name) in at.iter_mut().zip(names.iter().chain(&["file", "derive"])) {
        *slot = column(name)?;
    }
    let mut entries = Vec::new();
    for line in lines.filter(|l| !l.trim().is_empty()) {
        let cells = split(line);
        let cell = |c: usize| cells.get(at[c]).map_or("", String::as_str);
        let count = |c: usize| cell(c).parse::<usize>().unwrap_or(0);
        entries.push(Entry {
            name: cell(0).into(),
            kind: cell(1).into(),
            class: cell(2).into(),
            n: count(3) + count(4),
            expect: expect(cell(5), cell(6)),
            file: cell(7).into(),
            derive: cell(8).into(),
        });
    }
    Ok(entries)
}

/// Solutions found only by a Newton method, or marked so, are not on Lemke's path.
fn expect(guaranteed: &str, known: &str) -> Expect {
    if guaranteed.starts_with("yes") {
        Expect::Guaranteed
    } else if known.starts_with("none exists") {
        Expect::Refuse
    } else if !known.starts_with("yes")
        || known.contains("newton")
        || known.contains("not reachable")
    {
        Expect::Open
    } else {
        Expect::Reachable
    }
}

/// Cells of one line; a quoted cell may hold commas.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for ch in line.chars() {
        match ch {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(ch);
                }
            }
        }
    }
    cells
}
