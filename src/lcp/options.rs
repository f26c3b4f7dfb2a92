//! What a caller may choose, and what a solve reports besides its answer.

use crate::error::{Error, Result, told};
use crate::tol;

/// How the basis is represented along the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EngineChoice {
    /// By size, as measured.
    #[default]
    Auto,
    /// A tableau whose columns are made when they are needed; problems too large for it use the
    /// factored basis all the same.
    Tableau,
    /// An explicit inverse of the kernel of the basis, updated and refined.
    Factored,
}

/// Choices of a caller. `Options::default()` suits contact problems.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Unit-free residual, see [`super::residual()`], up to which an answer counts as a solution.
    pub tolerance: f64,
    /// Pivots, all attempts together; zero for a limit that grows with the problem.
    pub max_pivots: usize,
    /// Representation of the basis.
    pub engine: EngineChoice,
    /// Start from the basis of the last solution when the size is the same, or from one before it
    /// that serves. Answers to problems with several solutions then depend on the calls before; the
    /// same calls give the same bits.
    pub warm: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: tol::LCP_RESIDUAL, max_pivots: 0, engine: EngineChoice::Auto, warm: true }
    }
}

impl Options {
    /// Refuses a tolerance that is not positive, or so large that it would let anything pass.
    ///
    /// # Errors
    /// `Value`.
    pub fn check(&self) -> Result<()> {
        if self.tolerance > 0.0 && self.tolerance <= tol::LCP_LOOSEST {
            return Ok(());
        }
        let got = told(format_args!("{:e}", self.tolerance));
        Err(Error::Value { what: "tolerance", got, must: "> 0 and at most 1e-3" })
    }

    /// Pivots allowed for n unknowns. Paths of contact problems take n/3 pivots, the worst met 20n;
    /// small problems may run the exponential course of Murty's family to its end. No path is
    /// longer than there are almost complementary bases, at most (n + 1) 2^n: beyond that it
    /// cycles.
    pub(super) fn limit(&self, n: usize) -> usize {
        match self.max_pivots {
            0 if n <= 20 => 40_000.min(((n + 1) << n) + 100),
            0 => 50 * n + 1000,
            limit => limit,
        }
    }
}

/// What a solve reports besides its answer: the part of a certificate that can be had without
/// knowing where the problem comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Info {
    /// Pivots done, recoveries included.
    pub pivots: usize,
    /// The remembered basis solved the problem without a pivot.
    pub warm: bool,
    /// Proven upper bound of the unit-free residual [`super::residual()`] of the answer, up to the rounding
    /// of M z + q, which is below a tenth of the tolerance, (lcp.27); at most the tolerance. Usually within a factor of a few thousand of it, both far below the tolerance.
    pub residual: f64,
    /// Inverses made from scratch.
    pub refactorizations: usize,
    /// Largest rate of a basic variable met on the path, where the scaled data are of order one.
    pub growth: f64,
    /// Attempts made: 1 when the first one answered, 0 when none was needed or the remembered basis
    /// led to the answer.
    pub attempts: usize,
    /// Representation of the basis that found the answer; `Auto` when none was needed.
    pub engine: EngineChoice,
    /// Answered by a method that knows more of the problem than its matrix shows, without a basis.
    pub structured: bool,
}

impl Info {
    /// One report for two solves that make one answer: work adds up, the worst counts.
    pub fn and(self, then: Info) -> Info {
        Info {
            pivots: self.pivots + then.pivots,
            warm: self.warm && then.warm,
            residual: self.residual.max(then.residual),
            refactorizations: self.refactorizations + then.refactorizations,
            growth: self.growth.max(then.growth),
            attempts: self.attempts.max(then.attempts),
            engine: then.engine,
            structured: self.structured && then.structured,
        }
    }

    /// An answer that was found by factorisations alone.
    pub(crate) fn without_pivots(residual: f64, warm: bool, refactorizations: usize) -> Self {
        Self { warm, residual, refactorizations, structured: true, ..Self::trivial() }
    }

    /// An answer that needed no work.
    pub(super) fn trivial() -> Self {
        Self {
            pivots: 0,
            warm: false,
            residual: 0.0,
            refactorizations: 0,
            growth: 1.0,
            attempts: 0,
            engine: EngineChoice::Auto,
            structured: false,
        }
    }
}
