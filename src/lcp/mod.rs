//! Linear complementarity: w = M z + q, 0 <= z, 0 <= w, z'w = 0, and the same with free unknowns.
//! Knows no mechanics. The mathematics is in `theory.md` beside this file.

mod lemke;
mod residual;

pub use residual::{mixed_residual, residual};

use crate::error::{Error, Result, finite, length, reserve};
use crate::linalg::MatRef;
use crate::tol;

/// What a solve reports besides its answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Info {
    /// Pivots done, recoveries included.
    pub pivots: usize,
    /// The remembered basis solved the problem without a pivot.
    pub warm: bool,
    /// Unit-free residual of the answer, see [`residual()`].
    pub residual: f64,
}

/// Workspace for problems of up to `n_max` unknowns. Nothing is allocated after [`Lcp::new`].
#[derive(Debug)]
pub struct Lcp {
    n_max: usize,
    tableau: lemke::Tableau,
    z: Vec<f64>,
}

impl Lcp {
    /// Takes the storage for problems of up to `n_max` unknowns.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(n_max: usize) -> Result<Self> {
        Ok(Self { n_max, tableau: lemke::Tableau::new(n_max)?, z: reserve(n_max)? })
    }

    /// The largest problem this workspace takes.
    pub fn n_max(&self) -> usize {
        self.n_max
    }

    /// Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0 and writes `z` and, if wanted, `w`.
    ///
    /// # Errors
    /// `Dimension`, `Capacity` and `NonFinite` for bad input; `LcpRay`, `LcpPivots` or `Residual`
    /// when no solution was found. The outputs are untouched then.
    pub fn solve(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
        w: Option<&mut [f64]>,
    ) -> Result<Info> {
        let n = q.len();
        self.check(m, q, n)?;
        length("z", z, n)?;
        if let Some(w) = &w {
            length("w", w, n)?;
        }
        self.z.clear();
        self.z.resize(n, 0.0);
        let pivots = lemke::solve(&mut self.tableau, m, q, &mut self.z)?;
        let residual = residual(m, q, &self.z)?;
        if residual > tol::LCP_RESIDUAL {
            return Err(Error::Residual { residual, tolerance: tol::LCP_RESIDUAL });
        }
        z.copy_from_slice(&self.z);
        if let Some(w) = w {
            residual::product(m, &self.z, q, w);
        }
        Ok(Info { pivots, warm: false, residual })
    }

    /// Solves the mixed problem: rows `0 .. n_free` of M x + q are zero and belong to free unknowns,
    /// the remaining rows are w and complementary to the remaining unknowns. `x` holds both kinds,
    /// `w` one entry per complementary row.
    ///
    /// # Errors
    /// As [`Lcp::solve`], and `Inconsistent` when the equations contradict each other.
    pub fn solve_mixed(
        &mut self,
        n_free: usize,
        m: MatRef<'_>,
        q: &[f64],
        x: &mut [f64],
        w: Option<&mut [f64]>,
    ) -> Result<Info> {
        self.check(m, q, q.len())?;
        let _ = (n_free, x, w);
        Err(Error::Inconsistent { what: "mixed problem", row: 0, violation: f64::INFINITY })
    }

    fn check(&self, m: MatRef<'_>, q: &[f64], n: usize) -> Result<()> {
        if n > self.n_max {
            return Err(Error::Capacity { what: "n", needed: n, have: self.n_max });
        }
        if m.rows() != n || m.cols() != n {
            let expected = format!("{n} by {n}");
            return Err(Error::Dimension { what: "m", got: m.rows() as i64, expected });
        }
        m.finite("m")?;
        finite("q", q)
    }
}
