//! Impacts on plain arrays.

use super::contact::{Impulses, Mechanics, Sizes};
use super::guard;
use super::lcp::{Workspace, stn_lcp, stn_lcp_info, uncovered};
use super::ptr::Arrays;
use super::sized::SizedOut;
use super::status::{Fault, stn_status};
use crate::impact::{Impact, Law};

/// How a contact gives back what it took; e is its restitution coefficient.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_impact_law {
    /// Compression only: v_plus = v^c.
    STN_IMPACT_PLASTIC = 0,
    /// n'v+ >= max(0, -e n'v-); v_compression = v_plus.
    STN_IMPACT_NEWTON = 1,
    /// Compression, then decompression with e times the compression impulse. The restituted impulse
    /// carries no friction. Can create energy with friction or several contacts: compare v'Mv
    /// before and after.
    STN_IMPACT_POISSON = 2,
    /// v+ = (1+e) v^c - e v-, e the smallest of the contacts with an impulse; v^c when some n'v+
    /// would be negative; never creates energy.
    STN_IMPACT_REFLECTION = 3,
}

/// The law with the number `law`.
pub(super) fn law(law: i32) -> Result<Law, Fault> {
    use stn_impact_law::*;
    const LAWS: [(stn_impact_law, Law); 4] = [
        (STN_IMPACT_PLASTIC, Law::Plastic),
        (STN_IMPACT_NEWTON, Law::Newton),
        (STN_IMPACT_POISSON, Law::Poisson),
        (STN_IMPACT_REFLECTION, Law::Reflection),
    ];
    let found = LAWS.iter().find(|(c, _)| *c as i32 == law);
    found.map(|(_, l)| *l).ok_or(Fault::Unknown { what: "law", got: law, of: "stn_impact_law" })
}

/// Resolves an impact: the velocity jump from v_minus to v_plus when the given contacts, all that
/// touch, respond. Impulses are totals: mass (v_plus - v_minus) = joint c_j + normal c_n + tangent
/// beta. Joints are kept.
///
/// @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
/// @param law  a stn_impact_law
/// @param nv  length of v_minus, >= 0
/// @param n_joint  number of joint equations, >= 0
/// @param n_contact  number of contacts, >= 0
/// @param n_dir  friction directions per contact, even, 0 for no friction
/// @param mass  nv by nv, column-major, kg, symmetric part positive definite; Nullable: only if nv
/// = 0
/// @param joint  nv by n_joint; Nullable: only if empty
/// @param normal  nv by n_contact; Nullable: only if empty
/// @param tangent  nv by n_contact*n_dir as in stn_contact_solve; Nullable: only if empty
/// @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
/// @param restitution  n_contact coefficients in [0, 1]; Nullable: only for STN_IMPACT_PLASTIC or
/// n_contact = 0
/// @param v_minus  nv numbers, velocity before, m/s; Nullable: only if nv = 0
/// @param v_compression  receives nv numbers, velocity after compression; Nullable: yes
/// @param v_plus  receives nv numbers, velocity after the impact; Nullable: only if nv = 0
/// @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
/// @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
/// @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
/// @param info  receives the report over all phases; Nullable: yes
/// @return as stn_contact_solve, and STN_ERR_VALUE for an unknown law or restitution outside [0, 1]
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_impact_solve(
    lcp: *mut stn_lcp,
    law: i32,
    nv: i32,
    n_joint: i32,
    n_contact: i32,
    n_dir: i32,
    mass: *const f64,
    joint: *const f64,
    normal: *const f64,
    tangent: *const f64,
    mu: *const f64,
    restitution: *const f64,
    v_minus: *const f64,
    v_compression: *mut f64,
    v_plus: *mut f64,
    joint_impulse: *mut f64,
    normal_impulse: *mut f64,
    friction_impulse: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let call = |work: &mut Workspace| {
        let law = self::law(law)?;
        let s = Sizes::new(work, nv, n_joint, n_contact, n_dir)?;
        let mut a = Arrays::new();
        let mechanics = Mechanics::enter(&mut a, s, mass, joint, normal, tangent, mu)?;
        // A plastic impact gives nothing back, so its coefficients are not looked at.
        let n_restitution = if law == Law::Plastic { 0 } else { s.n_contact };
        let restitution = a.input("restitution", restitution, n_restitution)?;
        let v_minus = a.input("v_minus", v_minus, s.nv)?;
        let v_compression = a.wanted("v_compression", v_compression, s.nv)?;
        let v_plus = a.output("v_plus", v_plus, s.nv)?;
        let impulses = Impulses::enter(&mut a, s, joint_impulse, normal_impulse, friction_impulse)?;
        // SAFETY: the caller's promise for the arrays and `info`; all are disjoint when borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", info)?;
            a.disjoint()?;
            let p = mechanics.problem(v_minus)?;
            let impact = Impact {
                mass: p.mass,
                v_minus: p.p,
                joint: p.joint,
                normal: p.normal,
                tangent: p.tangent,
                n_dir: p.n_dir,
                mu: p.mu,
                restitution: restitution.get(),
            };
            let work = &mut work.solver;
            let done = work.solve(law, &impact)?;
            v_plus.get().copy_from_slice(work.v_plus());
            if let Some(out) = v_compression {
                out.get().copy_from_slice(work.v_compression());
            }
            impulses.write(work.joint(), work.normal(), work.friction());
            info.write(stn_lcp_info::new(done.info, uncovered(done.certificate)));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}
