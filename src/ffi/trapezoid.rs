//! The trapezoidal step on plain arrays, for frameworks that own their evaluation loop.

use super::contact::{Impulses, Mechanics, Sizes};
use super::guard;
use super::lcp::{Workspace, stn_lcp, stn_lcp_info, uncovered};
use super::ptr::Arrays;
use super::sized::SizedOut;
use super::status::stn_status;
use crate::step::TrapezoidData;

/// One step of the linearly implicit trapezoidal rule from (t, q, v) by h, without a model: the
/// host evaluates, the library solves. Second order with mass and directions at the midpoint (t +
/// h/2, q + h/2 v) and rows at (t + h, q + h v). Solves (mass - h/2 dfdv - h^2/4 dfdq)(v_plus - v)
/// = h/2 (force_start + force_end + h dfdq v) + impulses, joint_row'v_plus + joint_offset = 0, and
/// contact and friction as in stn_contact_solve with normal_row'v_plus + normal_offset >= 0. Then
/// q_plus = q + h/2 (v + v_plus). Rows on the mean velocity (scheme II): pass the rows at the
/// midpoint and row'v as offsets.
///
/// @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
/// @param nv  length of v, >= 0
/// @param n_joint  number of joint equations, >= 0
/// @param n_contact  number of closed contacts, >= 0
/// @param n_dir  friction directions per contact, even, 0 for no friction
/// @param h  step length, s, finite and > 0
/// @param mass  nv by nv at (t + h/2, q + h/2 v); Nullable: only if nv = 0
/// @param force_start  nv numbers, force at (t, q, v); Nullable: only if nv = 0
/// @param force_end  nv numbers, force at (t + h, q, v); Nullable: only if nv = 0
/// @param dfdq  nv by nv, derivative of the force along displacements at (t + h, q, v);
/// Nullable: yes, for zero
/// @param dfdv  nv by nv, derivative of the force along velocities there; Nullable: yes, for zero
/// @param v  nv numbers, velocity at t; Nullable: only if nv = 0
/// @param joint  nv by n_joint, directions at the midpoint; Nullable: only if empty
/// @param normal  nv by n_contact, likewise; Nullable: only if empty
/// @param tangent  nv by n_contact*n_dir, likewise, as in stn_contact_solve; Nullable: only if
/// empty
/// @param joint_row  nv by n_joint, rows at (t + h, q + h v); Nullable: yes, for the directions
/// @param normal_row  nv by n_contact, likewise; Nullable: yes, for the directions
/// @param tangent_row  nv by n_contact*n_dir, likewise; Nullable: yes, for the directions
/// @param joint_offset  n_joint numbers, rate in time of moving joints, drift terms; Nullable: yes,
/// for zero
/// @param normal_offset  n_contact numbers, likewise; Nullable: yes, for zero
/// @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
/// @param v_plus  receives nv numbers, velocity at t + h; Nullable: only if nv = 0
/// @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
/// @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
/// @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return as stn_contact_solve; STN_ERR_VALUE for h <= 0; STN_ERR_SINGULAR also when the
/// derivatives outweigh the mass at this h
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_trapezoid_solve(
    lcp: *mut stn_lcp,
    nv: i32,
    n_joint: i32,
    n_contact: i32,
    n_dir: i32,
    h: f64,
    mass: *const f64,
    force_start: *const f64,
    force_end: *const f64,
    dfdq: *const f64,
    dfdv: *const f64,
    v: *const f64,
    joint: *const f64,
    normal: *const f64,
    tangent: *const f64,
    joint_row: *const f64,
    normal_row: *const f64,
    tangent_row: *const f64,
    joint_offset: *const f64,
    normal_offset: *const f64,
    mu: *const f64,
    v_plus: *mut f64,
    joint_impulse: *mut f64,
    normal_impulse: *mut f64,
    friction_impulse: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let call = |work: &mut Workspace| {
        let s = Sizes::new(work, nv, n_joint, n_contact, n_dir)?;
        let mut a = Arrays::new();
        let mechanics = Mechanics::enter(&mut a, s, mass, joint, normal, tangent, mu)?;
        let force_start = a.input("force_start", force_start, s.nv)?;
        let force_end = a.input("force_end", force_end, s.nv)?;
        let v = a.input("v", v, s.nv)?;
        let square = (s.nv, s.nv);
        let dfdq = a.matrix_or_none("dfdq", dfdq, square)?;
        let dfdv = a.matrix_or_none("dfdv", dfdv, square)?;
        let joint_row = a.matrix_or_none("joint_row", joint_row, (s.nv, s.n_joint))?;
        let normal_row = a.matrix_or_none("normal_row", normal_row, (s.nv, s.n_contact))?;
        let slip = (s.nv, s.n_contact * s.n_dir);
        let tangent_row = a.matrix_or_none("tangent_row", tangent_row, slip)?;
        let joint_offset = a.input_or_none("joint_offset", joint_offset, s.n_joint)?;
        let normal_offset = a.input_or_none("normal_offset", normal_offset, s.n_contact)?;
        let v_plus = a.output("v_plus", v_plus, s.nv)?;
        let impulses = Impulses::enter(&mut a, s, joint_impulse, normal_impulse, friction_impulse)?;
        // SAFETY: the caller's promise for the arrays and `info`; all are disjoint when borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", info)?;
            a.disjoint()?;
            let mut p = mechanics.problem(v)?;
            for (rows, apart) in [
                (&mut p.joint, joint_row),
                (&mut p.normal, normal_row),
                (&mut p.tangent, tangent_row),
            ] {
                if let Some(row) = apart {
                    rows.row = row.get()?.into();
                }
            }
            p.joint.offset = joint_offset.get();
            p.normal.offset = normal_offset.get();
            let data = TrapezoidData {
                h,
                mass: mechanics.mass.get()?,
                force_start: force_start.get(),
                force_end: force_end.get(),
                dfdq: dfdq.map(|m| m.get()).transpose()?,
                dfdv: dfdv.map(|m| m.get()).transpose()?,
                v: p.p,
                joint: p.joint,
                normal: p.normal,
                tangent: p.tangent,
                n_dir: p.n_dir,
                mu: p.mu,
            };
            let solver = work.solver.velocity_mut();
            let done = work.trapezoid.solve(solver, &data)?;
            v_plus.get().copy_from_slice(solver.v());
            impulses.write(solver.joint(), solver.normal(), solver.friction());
            info.write(stn_lcp_info::new(done, uncovered(p.certificate())));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}
