//! One velocity-impulse problem on plain arrays.

use super::guard;
use super::lcp::{Workspace, fits, stn_lcp, stn_lcp_info, uncovered};
use super::ptr::{Arrays, In, InMatrix, Out, count};
use super::sized::SizedOut;
use super::status::{Fault, stn_status};
use crate::velocity::{Brakes, Problem, Rows};

/// Sizes of a contact problem, checked against the workspace.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) nv: usize,
    pub(super) n_joint: usize,
    pub(super) n_contact: usize,
    pub(super) n_dir: usize,
}

impl Sizes {
    pub(super) fn new(
        work: &mut Workspace,
        nv: i32,
        n_joint: i32,
        n_contact: i32,
        n_dir: i32,
    ) -> Result<Self, Fault> {
        let s = Self {
            nv: count("nv", nv)?,
            n_joint: count("n_joint", n_joint)?,
            n_contact: count("n_contact", n_contact)?,
            n_dir: count("n_dir", n_dir)?,
        };
        let contact_unknowns = s.n_contact.saturating_mul(s.n_dir.saturating_add(2));
        fits(work, s.nv.saturating_add(s.n_joint).max(contact_unknowns))?;
        Ok(s)
    }
}

/// Mass, directions and friction of a contact or impact problem.
pub(super) struct Mechanics<'a> {
    pub(super) sizes: Sizes,
    pub(super) mass: InMatrix<'a>,
    joint: InMatrix<'a>,
    normal: InMatrix<'a>,
    tangent: InMatrix<'a>,
    mu: In<'a>,
}

impl<'a> Mechanics<'a> {
    pub(super) fn enter(
        a: &mut Arrays,
        s: Sizes,
        mass: *const f64,
        joint: *const f64,
        normal: *const f64,
        tangent: *const f64,
        mu: *const f64,
    ) -> Result<Self, Fault> {
        let friction = if s.n_dir > 0 { s.n_contact } else { 0 };
        Ok(Self {
            sizes: s,
            mass: a.matrix("mass", mass, (s.nv, s.nv), s.nv)?,
            joint: a.matrix("joint", joint, (s.nv, s.n_joint), s.nv)?,
            normal: a.matrix("normal", normal, (s.nv, s.n_contact), s.nv)?,
            tangent: a.matrix("tangent", tangent, (s.nv, s.n_contact * s.n_dir), s.nv)?,
            mu: a.input("mu", mu, friction)?,
        })
    }

    /// The problem with momentum or velocity `p`.
    ///
    /// # Safety
    /// As [`In::get`].
    pub(super) unsafe fn problem(&self, p: In<'a>) -> Result<Problem<'a>, Fault> {
        // SAFETY: the promise of this function.
        unsafe {
            Ok(Problem {
                mass: self.mass.get()?.into(),
                p: p.get(),
                joint: Rows::same(self.joint.get()?),
                normal: Rows::same(self.normal.get()?),
                tangent: Rows::same(self.tangent.get()?),
                n_dir: self.sizes.n_dir,
                mu: self.mu.get(),
                brake: Brakes::NONE,
            })
        }
    }
}

/// The impulse outputs of a contact or impact problem, each wanted or not.
pub(super) struct Impulses<'a> {
    joint: Option<Out<'a>>,
    normal: Option<Out<'a>>,
    friction: Option<Out<'a>>,
}

impl Impulses<'_> {
    pub(super) fn enter(
        a: &mut Arrays,
        s: Sizes,
        joint: *mut f64,
        normal: *mut f64,
        friction: *mut f64,
    ) -> Result<Self, Fault> {
        Ok(Self {
            joint: a.wanted("joint_impulse", joint, s.n_joint)?,
            normal: a.wanted("normal_impulse", normal, s.n_contact)?,
            friction: a.wanted("friction_impulse", friction, s.n_contact * s.n_dir)?,
        })
    }

    /// # Safety
    /// As [`Out::get`].
    pub(super) unsafe fn write(self, joint: &[f64], normal: &[f64], friction: &[f64]) {
        let outputs = [(self.joint, joint), (self.normal, normal), (self.friction, friction)];
        for (out, values) in outputs {
            if let Some(out) = out {
                // SAFETY: the promise of this function.
                unsafe { out.get() }.copy_from_slice(values);
            }
        }
    }
}

/// Solves one velocity-impulse problem: mass v - joint c_j - normal c_n - tangent beta = p, joint'v
/// = 0, and per contact 0 <= c_n, 0 <= normal'v, c_n normal'v = 0 with polygonal Coulomb friction:
/// sum beta <= mu c_n, slip speed max_j(d_j'v). Directions are columns of length nv. Redundant
/// joints and contacts are fine.
///
/// @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
/// @param nv  length of v, >= 0
/// @param n_joint  number of joint equations, >= 0
/// @param n_contact  number of contacts, >= 0
/// @param n_dir  friction directions per contact, even, 0 for no friction
/// @param mass  nv by nv, column-major, kg; may be unsymmetric, its symmetric part positive
/// definite; Nullable: only if nv = 0
/// @param joint  nv by n_joint; Nullable: only if empty
/// @param normal  nv by n_contact; Nullable: only if empty
/// @param tangent  nv by n_contact*n_dir, grouped by contact, in angular order, column k + n_dir/2
/// = - column k (checked to 1e-12); Nullable: only if empty
/// @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
/// @param p  nv numbers, momentum without constraints, kg m/s; Nullable: only if nv = 0
/// @param v  receives nv numbers, m/s; Nullable: only if nv = 0
/// @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
/// @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
/// @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE,
/// STN_ERR_VALUE (mu < 0, odd n_dir, directions not opposite, overlap), STN_ERR_ABI, STN_ERR_BUSY,
/// STN_ERR_POISONED for the call; STN_ERR_SINGULAR for a mass that is not positive definite;
/// STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL when no solution was found. Outputs are
/// untouched on failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_contact_solve(
    lcp: *mut stn_lcp,
    nv: i32,
    n_joint: i32,
    n_contact: i32,
    n_dir: i32,
    mass: *const f64,
    joint: *const f64,
    normal: *const f64,
    tangent: *const f64,
    mu: *const f64,
    p: *const f64,
    v: *mut f64,
    joint_impulse: *mut f64,
    normal_impulse: *mut f64,
    friction_impulse: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let call = |work: &mut Workspace| {
        let s = Sizes::new(work, nv, n_joint, n_contact, n_dir)?;
        let mut a = Arrays::new();
        let mechanics = Mechanics::enter(&mut a, s, mass, joint, normal, tangent, mu)?;
        let p = a.input("p", p, s.nv)?;
        let v = a.output("v", v, s.nv)?;
        let impulses = Impulses::enter(&mut a, s, joint_impulse, normal_impulse, friction_impulse)?;
        // SAFETY: the caller's promise for the arrays and `info`; all are disjoint when borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", info)?;
            a.disjoint()?;
            let solver = work.solver.velocity_mut();
            let problem = mechanics.problem(p)?;
            let done = solver.solve(&problem)?;
            v.get().copy_from_slice(solver.v());
            impulses.write(solver.joint(), solver.normal(), solver.friction());
            info.write(stn_lcp_info::new(done, uncovered(problem.certificate())));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}
