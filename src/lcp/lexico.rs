//! The lexicographic rule: a choice among tied rows under which no basis comes back. Knows the
//! path, not where it leads.

use super::engine::{Engine, Problem};
use super::path::{Path, Var};
use super::rules::Rules;
use crate::error::{Result, reserve};
use crate::tol;

/// The basic variables at the start of the path, each thought lifted by its own infinitesimal,
/// (lcp.17).
#[derive(Debug)]
pub(super) struct Lexico {
    order: Vec<Var>,
    rates: Vec<f64>,
    rows: Vec<usize>,
}

impl Lexico {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self { order: reserve(n_max)?, rates: reserve(n_max)?, rows: reserve(n_max)? })
    }

    /// Takes the order of the infinitesimals from the basis in hand.
    pub(super) fn start(&mut self, path: &Path) {
        self.order.clear();
        self.order.extend_from_slice(&path.basic);
    }

    /// Among the rows tied for `entering` the one with the lexicographically smallest ratio.
    /// `path.dir` holds the direction of `entering` before and after. `None` when a direction
    /// cannot be had.
    pub(super) fn choose<E: Engine>(
        &mut self,
        engine: &mut E,
        p: &Problem<'_>,
        path: &mut Path,
        entering: Var,
        rules: &Rules,
    ) -> Option<usize> {
        self.rows.clear();
        self.rows.extend_from_slice(path.tied(rules));
        self.rates.clear();
        self.rates.extend_from_slice(&path.dir);
        let mut moved = false;
        for k in 0..self.order.len() {
            if self.rows.len() <= 1 {
                break;
            }
            let lifted = self.order[k];
            match path.basic.iter().position(|&v| v == lifted) {
                // Its own infinitesimal keeps this row above the others.
                Some(i) => self.rows.retain(|&row| row != i),
                None => {
                    engine.direction(p, path, lifted, rules).ok()?;
                    moved = true;
                    self.keep_smallest(&path.dir);
                }
            }
        }
        if moved {
            engine.direction(p, path, entering, rules).ok()?;
        }
        // Rows equal in every component cannot occur in exact arithmetic; the largest pivot then.
        let rates = &self.rates;
        self.rows.iter().copied().max_by(|&a, &b| (-rates[a]).total_cmp(&-rates[b]))
    }

    /// Keeps the rows with the smallest ratio of this component, up to rounding.
    fn keep_smallest(&mut self, dir: &[f64]) {
        // A unit of the lifted variable's infinitesimal moves the basics by -dir.
        let ratio = |row: usize| -dir[row] / -self.rates[row];
        let smallest = self.rows.iter().map(|&r| ratio(r)).fold(f64::INFINITY, f64::min);
        let size = self.rows.iter().map(|&r| ratio(r).abs()).fold(0.0, f64::max);
        let rates = &self.rates;
        self.rows.retain(|&row| dir[row] / rates[row] <= smallest + tol::LCP_PIVOT * size);
    }
}
