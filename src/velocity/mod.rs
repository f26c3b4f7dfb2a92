//! One velocity-impulse problem: given masses, joints, contacts and friction, find the velocity and
//! the impulses that go with it. Every step and every impact is one or two of these. Knows neither
//! time nor restitution.
#![doc = include_str!("theory.md")]

mod assemble;
mod brake;
mod choice;
mod pointed;
mod recall;
mod solver;
mod structured;
mod verify;

pub use brake::Brakes;
pub use choice::{Search, Stage};
pub use recall::Basis;
pub use solver::Solver;
pub use structured::Reduction;

use crate::contact::{check_directions, check_friction};
use crate::error::{Error, Result, finite, length, told};
use crate::linalg::Columns;

/// Directions of one kind of constraint (joints, normals or friction directions), as columns of
/// length nv.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Columns along which the impulses act.
    pub impulse: Columns<'a>,
    /// Columns whose product with v is constrained. The same as `impulse` unless the method
    /// evaluates them elsewhere.
    pub row: Columns<'a>,
    /// Added to row'v, one number per column; empty for zero.
    pub offset: &'a [f64],
}

impl<'a> Rows<'a> {
    /// Constraints whose rows are the directions of their impulses, homogeneous.
    pub fn same(columns: impl Into<Columns<'a>>) -> Self {
        let columns = columns.into();
        Self { impulse: columns, row: columns, offset: &[] }
    }

    /// The offset of column `j`.
    pub fn offset(&self, j: usize) -> f64 {
        self.offset.get(j).copied().unwrap_or(0.0)
    }

    pub(super) fn check(&self, what: &'static str, nv: usize, count: usize) -> Result<()> {
        for m in [self.impulse, self.row] {
            if m.rows() != nv || m.cols() != count {
                let expected = told(format_args!("{count} columns of length {nv}"));
                return Err(Error::Dimension { what, got: m.cols() as i64, expected });
            }
            m.finite(what)?;
        }
        if !self.offset.is_empty() {
            length(what, self.offset, count)?;
            finite(what, self.offset)?;
        }
        Ok(())
    }
}

/// The problem (vel.1) to (vel.4) and (vel.8): find v and impulses with
/// mass v - joint c_j - normal c_n - tangent beta - brake f = p, joint'v = 0, and the contact and
/// friction complementarity.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// nv by nv, symmetric part positive definite.
    pub mass: Columns<'a>,
    /// Momentum without constraints, nv numbers.
    pub p: &'a [f64],
    /// Joints: row'v + offset = 0.
    pub joint: Rows<'a>,
    /// Contact normals: row'v + offset >= 0.
    pub normal: Rows<'a>,
    /// Friction directions, `n_dir` columns per contact, grouped by contact.
    pub tangent: Rows<'a>,
    /// Directions per contact, even; 0 for no friction anywhere.
    pub n_dir: usize,
    /// Friction coefficient per contact, >= 0; not read when `n_dir` is 0.
    pub mu: &'a [f64],
    /// Friction with bounds of its own; [`Brakes::NONE`] where there is none.
    pub brake: Brakes<'a>,
}

impl Problem<'_> {
    /// Length of v.
    pub fn nv(&self) -> usize {
        self.p.len()
    }

    /// Number of joint equations.
    pub fn n_joint(&self) -> usize {
        self.joint.impulse.cols()
    }

    /// Number of contacts.
    pub fn n_contact(&self) -> usize {
        self.normal.impulse.cols()
    }

    /// Workspace size the problem needs, see [`Solver::new`].
    pub fn size(&self) -> usize {
        let contacts = self.n_contact().saturating_mul(self.n_dir + 2);
        (self.nv() + self.n_joint()).max(contacts.saturating_add(2 * self.brake.count()))
    }

    /// Refuses data of the wrong shape, NaN, infinity, negative mu and unbalanced directions.
    ///
    /// # Errors
    /// `Dimension`, `NonFinite`, `Range`, `Value`.
    pub fn check(&self) -> Result<()> {
        let (nv, nc) = (self.nv(), self.n_contact());
        if self.mass.rows() != nv || self.mass.cols() != nv {
            let expected = told(format_args!("{nv} by {nv}"));
            return Err(Error::Dimension { what: "mass", got: self.mass.rows() as i64, expected });
        }
        self.mass.finite("mass")?;
        finite("p", self.p)?;
        self.joint.check("joint", nv, self.n_joint())?;
        self.normal.check("normal", nv, nc)?;
        if self.n_dir > 0 {
            self.tangent.check("tangent", nv, nc * self.n_dir)?;
            check_directions(self.tangent.impulse, self.n_dir)?;
            check_friction(self.mu, nc)?;
        }
        self.brake.check(nv)
    }

    /// What the solvability theorem asks for beyond [`check`](Self::check) and the definite mass.
    pub fn certificate(&self) -> Certificate {
        let same = |r: &Rows<'_>| r.impulse.same(&r.row);
        let zero = |r: &Rows<'_>| r.offset.iter().all(|&x| x == 0.0); // exact: set by the caller
        Certificate {
            rows_are_directions: [self.joint, self.normal, self.tangent].iter().all(same)
                && self.brake.rows.as_ref().is_none_or(same),
            joints_homogeneous: zero(&self.joint),
            slip_homogeneous: zero(&self.tangent) && self.brake.rows.as_ref().is_none_or(zero),
            normal_offsets_nonnegative: self.normal.offset.iter().all(|&x| x >= 0.0),
        }
    }

    /// Whether the second half of the friction directions of each contact is minus the first to the
    /// last bit, in impulses and rows: then half of the columns and rows need no computation.
    fn exact_pairs(&self) -> bool {
        let half = self.n_dir / 2;
        // exact: directions are made by changing signs, which rounds nothing
        let pairs = |m: Columns<'_>| {
            let first = (0..m.cols()).step_by(self.n_dir);
            first.flat_map(|j| j..j + half).all(|j| m.col(j).is_minus(&m.col(j + half)))
        };
        let of_contact = |x: &[f64]| (0..half).all(|k| x[k] == -x[k + half]);
        half > 0
            && self.tangent.offset.chunks_exact(self.n_dir).all(of_contact)
            && pairs(self.tangent.impulse)
            && pairs(self.tangent.row)
    }

    /// A contact without friction carries no friction unknowns.
    fn has_friction(&self, contact: usize) -> bool {
        self.n_dir > 0 && self.mu[contact] > 0.0
    }
}

/// Which hypotheses of the solvability theorem (vel.7) hold. Finite data, mu >= 0 and a definite
/// mass are checked for every problem and need no entry here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certificate {
    /// Constraint rows are the directions of the impulses.
    pub rows_are_directions: bool,
    /// Joint rows have no offset.
    pub joints_homogeneous: bool,
    /// Friction rows have no offset.
    pub slip_homogeneous: bool,
    /// Normal rows have offsets >= 0: no demand to separate.
    pub normal_offsets_nonnegative: bool,
}

impl Certificate {
    /// Whether Lemke's method is guaranteed to end with a solution.
    pub fn covered(&self) -> bool {
        self.rows_are_directions
            && self.joints_homogeneous
            && self.slip_homogeneous
            && self.normal_offsets_nonnegative
    }
}
