//! Linear complementarity: w = M z + q, 0 <= z, 0 <= w, z'w = 0, and the same with free unknowns.
//! Knows no mechanics.
//!
#![doc = include_str!("theory.md")]

mod core;
mod engine;
mod factored;
mod judgement;
mod lemke;
mod lexico;
mod mixed;
mod options;
mod path;
mod polish;
mod ray;
mod residual;
mod rules;
mod scale;
mod sharpen;
mod shelf;
mod small;
mod sparse;
mod tableau;
mod warm;

pub use lemke::{Progress, Watch};
pub use options::{EngineChoice, Info, Options};
pub use ray::Ray;
pub use residual::{mixed_residual, residual};
pub use warm::Basis;

use self::core::Core;
use self::lemke::Budget;
use self::mixed::Mixed;
use self::residual::Digits;
use crate::error::{Error, Result, length, told};
use crate::linalg::MatRef;

/// Workspace for problems of up to `n_max` unknowns. Nothing is allocated after [`Lcp::new`].
#[derive(Debug)]
pub struct Lcp {
    n_max: usize,
    /// Unknowns of the largest basis that can be remembered.
    remembers: usize,
    options: Options,
    core: Core,
    mixed: Mixed,
}

impl Lcp {
    /// Takes the storage for problems of up to `n_max` unknowns.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn new(n_max: usize) -> Result<Self> {
        // One pair more than unknowns: a mixed problem may need it, (lcp.20).
        let core = Core::new(n_max.saturating_add(1))?;
        let mixed = Mixed::new(n_max)?;
        Ok(Self { n_max, remembers: n_max, options: Options::default(), core, mixed })
    }

    /// The same without room for free unknowns: mixed problems are refused, unless they are empty. Bases of
    /// up to `remembers` unknowns can be [set](Self::set_basic) and read, also of problems that are solved
    /// elsewhere.
    ///
    /// # Errors
    /// `Memory` when it cannot be had.
    pub fn pure(n_max: usize, remembers: usize) -> Result<Self> {
        let remembers = remembers.max(n_max);
        let mut core = Core::new(n_max.saturating_add(1))?;
        core.memory.make_room(remembers)?;
        let mixed = Mixed::new(0)?;
        Ok(Self { n_max, remembers, options: Options::default(), core, mixed })
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
    /// `Value` for a tolerance that is not positive or is above 1e-3.
    pub fn set_options(&mut self, options: Options) -> Result<()> {
        options.check()?;
        self.options = options;
        Ok(())
    }

    /// The ray on which the last solve ended, if it failed on one; after [`Lcp::solve_mixed`] its
    /// complementary part.
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
        self.run(m, q, z, w, None, false)
    }

    /// As [`Lcp::solve`] for an `m` and a `q` that were themselves rounded when they were computed: an answer is one up to the
    /// rounding of M z + q, however large that is beside `q`, and the caller judges it by what they were computed
    /// from.
    ///
    /// # Errors
    /// As [`Lcp::solve`].
    pub(crate) fn solve_rounded(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
    ) -> Result<Info> {
        self.core.digits = Digits::Plain;
        let solved = self.run(m, q, z, None, None, false);
        self.core.digits = Digits::Twice;
        solved
    }

    /// As [`Lcp::solve`] for a changed `q` only: `m` must hold the matrix of the last call. Its
    /// scales and the inverse of the last basis are used again, and M is not examined. With another
    /// matrix the answer is still checked against it, but in the scales of the old one.
    ///
    /// # Errors
    /// As [`Lcp::solve`].
    pub fn solve_again(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
        w: Option<&mut [f64]>,
    ) -> Result<Info> {
        self.run(m, q, z, w, None, true)
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
        self.run(m, q, z, w, Some(watch), false)
    }

    fn run(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        z: &mut [f64],
        w: Option<&mut [f64]>,
        watch: Option<Watch<'_>>,
        same: bool,
    ) -> Result<Info> {
        let n = q.len();
        self.check(m, n)?;
        length("z", z, n)?;
        if let Some(w) = &w {
            length("w", w, n)?;
        }
        let mut budget = Budget { pivots: 0, limit: self.options.limit(n), watch };
        let solved = self.core.solve(m, q, &self.options, 0, &mut budget, same);
        let info = self.core.end(solved)?;
        z.copy_from_slice(&self.core.best.z);
        if let Some(w) = w {
            w.copy_from_slice(&self.core.best.w);
        }
        Ok(info)
    }

    /// Solves the mixed problem: rows `0 .. n_free` of M x + q are zero and belong to free
    /// unknowns, the remaining rows are w and complementary to the remaining unknowns. `x` holds
    /// both kinds, `w` one entry per complementary row.
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
        let n = q.len();
        if n_free > n {
            let expected = told(format_args!("at most {n}"));
            return Err(Error::Dimension { what: "n_free", got: n_free as i64, expected });
        }
        if n_free == 0 {
            let solved = self.solve(m, q, x, w);
            self.core.end_other();
            return solved;
        }
        self.check(m, n)?;
        length("x", x, n)?;
        if let Some(w) = &w {
            length("w", w, n - n_free)?;
        }
        let mut budget = Budget { pivots: 0, limit: self.options.limit(n), watch: None };
        let core = &mut self.core;
        let solved = self.mixed.solve(n_free, m, q, core, &self.options, &mut budget);
        let info = core.end(solved)?;
        x.copy_from_slice(&self.mixed.x);
        if let Some(w) = w {
            w.copy_from_slice(&self.mixed.w[n_free..]);
        }
        Ok(info)
    }

    /// Writes the basis of the last solution into `basis`: the keys of the unknowns whose z is
    /// basic. `keys` names the unknowns, of a mixed problem the complementary ones, one key each,
    /// all different.
    ///
    /// # Errors
    /// `Dimension` when there are not as many keys as such unknowns in the last solution,
    /// `Capacity` when `basis` is too small.
    pub fn get_basis(&self, keys: &[i64], basis: &mut Basis) -> Result<()> {
        self.core.memory.write(keys, basis)
    }

    /// Starts the next solve of `keys.len()` unknowns, in a mixed problem as many complementary
    /// ones, from the unknowns whose keys are in `basis`; unknowns it does not know start nonbasic.
    ///
    /// # Errors
    /// `Capacity` when there are more keys than the workspace takes.
    pub fn set_basis(&mut self, keys: &[i64], basis: &Basis) -> Result<()> {
        if keys.len() > self.n_max {
            return Err(Error::Capacity { what: "keys", needed: keys.len(), have: self.n_max });
        }
        self.core.memory.read(keys, basis);
        self.core.shelf.clear();
        Ok(())
    }

    /// Which unknowns were basic in the last solution; empty when none is remembered.
    pub fn basic(&self) -> &[bool] {
        self.core.memory.basic()
    }

    /// Remembers `basic` as the basis of the last solution, nothing when it is empty, and forgets
    /// whatever else is kept of earlier problems: the bits of the next answer depend on the problem
    /// and on `basic` alone.
    ///
    /// # Errors
    /// `Capacity` when there are more unknowns than can be remembered.
    pub fn set_basic(&mut self, basic: &[bool]) -> Result<()> {
        if basic.len() > self.remembers {
            return Err(Error::Capacity {
                what: "basic",
                needed: basic.len(),
                have: self.remembers,
            });
        }
        self.core.forget();
        if basic.is_empty() {
            self.core.memory.forget();
        } else {
            self.core.memory.keep(basic, 0);
        }
        Ok(())
    }

    fn check(&self, m: MatRef<'_>, n: usize) -> Result<()> {
        if n > self.n_max {
            return Err(Error::Capacity { what: "n", needed: n, have: self.n_max });
        }
        if m.rows() != n || m.cols() != n {
            let expected = told(format_args!("{n} by {n}"));
            return Err(Error::Dimension { what: "m", got: m.rows() as i64, expected });
        }
        Ok(())
    }
}
