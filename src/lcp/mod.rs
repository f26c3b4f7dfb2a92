//! Linear complementarity: w = M z + q, 0 <= z, 0 <= w, z'w = 0, and the same with free unknowns.
//! Knows no mechanics. The mathematics is in `theory.md` beside this file.

mod core;
mod engine;
mod factored;
mod lemke;
mod lexico;
mod options;
mod path;
mod ray;
mod residual;
mod rules;
mod scale;
mod sparse;
mod tableau;

pub use lemke::Progress;
pub use options::{EngineChoice, Info, Options};
pub use ray::Ray;
pub use residual::{mixed_residual, residual};

use self::core::Core;
use self::lemke::Budget;
use crate::error::{Error, Result, finite, length};
use crate::linalg::MatRef;
use std::ops::ControlFlow;

/// A caller's progress function; `Break(code)` stops the solve with [`Error::Callback`].
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<i32>;

/// Workspace for problems of up to `n_max` unknowns. Nothing is allocated after [`Lcp::new`].
#[derive(Debug)]
pub struct Lcp {
    n_max: usize,
    options: Options,
    core: Core,
}

impl Lcp {
    /// Takes the storage for problems of up to `n_max` unknowns.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(n_max: usize) -> Result<Self> {
        Ok(Self { n_max, options: Options::default(), core: Core::new(n_max)? })
    }

    /// The largest problem this workspace takes.
    pub fn n_max(&self) -> usize {
        self.n_max
    }

    /// The choices in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the choices for the solves to come.
    ///
    /// # Errors
    /// `Value` for a tolerance that is not positive and finite.
    pub fn set_options(&mut self, options: Options) -> Result<()> {
        options.check()?;
        self.options = options;
        Ok(())
    }

    /// The ray on which the last solve ended, if it failed on one.
    pub fn ray(&self) -> Option<&Ray> {
        self.core.ray_found.then_some(&self.core.ray)
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
        self.run(m, q, z, w, None)
    }

    /// As [`Lcp::solve`], and calls `watch` every so many pivots.
    ///
    /// # Errors
    /// As [`Lcp::solve`], and `Callback` when `watch` breaks off.
    pub fn solve_with(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
        w: Option<&mut [f64]>,
        watch: Watch<'_>,
    ) -> Result<Info> {
        self.run(m, q, z, w, Some(watch))
    }

    fn run(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
        w: Option<&mut [f64]>,
        watch: Option<Watch<'_>>,
    ) -> Result<Info> {
        let n = q.len();
        self.check(m, n)?;
        length("z", z, n)?;
        if let Some(w) = &w {
            length("w", w, n)?;
        }
        self.core.scale.read(m)?;
        finite("q", q)?;
        self.core.ray_found = false;
        if q.iter().all(|&x| x >= 0.0) {
            z.fill(0.0);
            if let Some(w) = w {
                w.copy_from_slice(q);
            }
            return Ok(Info::trivial());
        }
        self.core.fit(m);
        self.core.begin(q);
        let mut budget = Budget { pivots: 0, limit: self.options.limit(n), watch };
        let info = self.core.attempts(m, q, &self.options, &mut budget)?;
        z.copy_from_slice(&self.core.best.z);
        if let Some(w) = w {
            w.copy_from_slice(&self.core.best.w);
        }
        Ok(info)
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
        self.check(m, q.len())?;
        let _ = (n_free, x, w);
        Err(Error::Inconsistent { what: "mixed problem", row: 0, violation: f64::INFINITY })
    }

    fn check(&self, m: MatRef<'_>, n: usize) -> Result<()> {
        if n > self.n_max {
            return Err(Error::Capacity { what: "n", needed: n, have: self.n_max });
        }
        if m.rows() != n || m.cols() != n {
            let expected = format!("{n} by {n}");
            return Err(Error::Dimension { what: "m", got: m.rows() as i64, expected });
        }
        Ok(())
    }
}
