//! The trapezoidal step as one call on plain arrays, for hosts that evaluate their own models.
//! Knows neither models nor events.

use crate::error::{ALONE, Error, Result, finite, finite_number, length, reserve, told};
use crate::lcp::Info;
use crate::linalg::{MatRef, axpy};
use crate::velocity::{self, Brakes, Problem, Rows};

/// What a host evaluates for one step from (t, q, v) by h.
#[derive(Clone, Copy, Debug)]
pub struct TrapezoidData<'a> {
    /// Length of the step, > 0.
    pub h: f64,
    /// Mass at (t + h/2, q + h/2 v), nv by nv.
    pub mass: MatRef<'a>,
    /// Force at (t, q, v).
    pub force_start: &'a [f64],
    /// Force at (t + h, q, v).
    pub force_end: &'a [f64],
    /// Derivative of the force along displacements at (t + h, q, v), nv by nv; `None` for zero.
    pub dfdq: Option<MatRef<'a>>,
    /// Derivative of the force along velocities at (t + h, q, v), nv by nv; `None` for zero.
    pub dfdv: Option<MatRef<'a>>,
    /// Velocity at t.
    pub v: &'a [f64],
    /// Joints: impulses along directions at the midpoint; rows there (scheme I) or at (t + h, q + h
    /// v) (mixed).
    pub joint: Rows<'a>,
    /// Contacts that are closed, likewise.
    pub normal: Rows<'a>,
    /// Their friction directions, likewise.
    pub tangent: Rows<'a>,
    /// Directions per contact.
    pub n_dir: usize,
    /// Friction coefficient per contact.
    pub mu: &'a [f64],
}

/// Workspace of [`TrapezoidData`]; nothing is allocated after [`TrapezoidWork::new`].
#[derive(Debug)]
pub struct TrapezoidWork {
    mass: Vec<f64>,
    p: Vec<f64>,
}

impl TrapezoidWork {
    /// Room for velocities of up to `nv` numbers.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(nv: usize) -> Result<Self> {
        Ok(Self { mass: reserve(nv.saturating_mul(nv))?, p: reserve(nv)? })
    }

    /// Solves one step (step.3) with `solver`; the new velocity and the impulses of the step are
    /// read there.
    ///
    /// # Errors
    /// `Dimension`, `NonFinite`, `Range` for h; those of [`velocity::Solver::solve`],
    /// `NotPositiveDefinite` when the derivatives of the force outweigh the mass at this h.
    pub fn solve(
        &mut self,
        solver: &mut velocity::Solver,
        data: &TrapezoidData<'_>,
    ) -> Result<Info> {
        let nv = data.v.len();
        if nv > solver.n_max() {
            return Err(Error::Capacity { what: "nv", needed: nv, have: solver.n_max() });
        }
        self.check(data)?;
        let h = data.h;
        self.mass.clear();
        for j in 0..nv {
            self.mass.extend_from_slice(data.mass.col(j));
        }
        self.p.clear();
        self.p.resize(nv, 0.0);
        axpy(0.5 * h, data.force_start, &mut self.p);
        axpy(0.5 * h, data.force_end, &mut self.p);
        for j in 0..nv {
            let column = &mut self.mass[j * nv..(j + 1) * nv];
            if let Some(k) = data.dfdq {
                axpy(-0.25 * h * h, k.col(j), column);
                axpy(0.5 * h * h * data.v[j], k.col(j), &mut self.p);
            }
            if let Some(c) = data.dfdv {
                axpy(-0.5 * h, c.col(j), column);
            }
            axpy(data.v[j], column, &mut self.p);
        }
        solver.solve(&Problem {
            mass: MatRef::square("mass", &self.mass, nv)?.into(),
            p: &self.p,
            joint: data.joint,
            normal: data.normal,
            tangent: data.tangent,
            n_dir: data.n_dir,
            mu: data.mu,
            brake: Brakes::NONE,
        })
    }

    fn check(&self, data: &TrapezoidData<'_>) -> Result<()> {
        let nv = data.v.len();
        finite_number("h", data.h)?;
        if data.h <= 0.0 {
            return Err(Error::Range { what: "h", index: ALONE, value: data.h, must: "> 0" });
        }
        for (what, x) in
            [("v", data.v), ("force_start", data.force_start), ("force_end", data.force_end)]
        {
            length(what, x, nv)?;
            finite(what, x)?;
        }
        let squares = [("mass", Some(data.mass)), ("dfdq", data.dfdq), ("dfdv", data.dfdv)];
        for (what, m) in squares {
            let Some(m) = m else { continue };
            if m.rows() != nv || m.cols() != nv {
                let expected = told(format_args!("{nv} by {nv}"));
                return Err(Error::Dimension { what, got: m.rows() as i64, expected });
            }
            m.finite(what)?;
        }
        Ok(())
    }
}
