//! Accelerations and forces at the present instant, in C.

use super::guard;
use super::model::exactly;
use super::ptr::Arrays;
use super::status::stn_status;
use super::stepper::stn_stepper;
use crate::step::Stepper;

/// Computes what acts at the present state: accelerations, forces of joints and contacts, slip
/// speeds. Changes nothing. A contact that touches and approaches takes no part: there an impact
/// comes first. With several contacts or joints that could carry the same load only sums of their
/// forces are determined. Asks the model at this state and a little beside it, which a passive model
/// cannot answer.
///
/// @param s  stepper; Nullable: no
/// @param acceleration  receives nv numbers, dv/dt; Nullable: yes
/// @param nv  as in the model
/// @param joint  receives n_joint forces along the columns jt; Nullable: yes
/// @param n_joint  as in the model
/// @param normal  receives n_contact normal forces, N; Nullable: yes
/// @param slip_speed  receives n_contact slip speeds, m/s; Nullable: yes
/// @param n_contact  stn_stepper_contact_count: as in the model, and slots of contacts that come and
/// go; this call may add slots, which is STN_ERR_DIMENSION once
/// @param friction  receives n_contact * n_dir forces along the friction directions, N, none
/// negative; Nullable: yes
/// @param n_friction  n_contact * n_dir, n_dir of the model
/// @return STN_OK, STN_REJECTED when a callback refused a point; STN_ERR_LCP_RAY where rigid bodies
/// have no acceleration (Painleve); STN_ERR_CALLBACK, STN_ERR_NONFINITE and STN_ERR_SINGULAR from the
/// model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap, or a passive model),
/// STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_forces(
    s: *mut stn_stepper,
    acceleration: *mut f64,
    nv: i32,
    joint: *mut f64,
    n_joint: i32,
    normal: *mut f64,
    slip_speed: *mut f64,
    n_contact: i32,
    friction: *mut f64,
    n_friction: i32,
) -> stn_status {
    let call = |s: &mut Stepper| {
        let (mut a, d) = (Arrays::new(), s.dims());
        let acceleration = a.wanted("acceleration", acceleration, exactly("nv", nv, d.nv)?)?;
        let joint = a.wanted("joint", joint, exactly("n_joint", n_joint, d.n_joint)?)?;
        let contacts = s.contact_count();
        let n = exactly("n_contact", n_contact, contacts)?;
        let normal = a.wanted("normal", normal, n)?;
        let slip_speed = a.wanted("slip_speed", slip_speed, n)?;
        let n = exactly("n_friction", n_friction, contacts * d.n_dir)?;
        let friction = a.wanted("friction", friction, n)?;
        a.disjoint()?;
        let found = s.forces()?;
        exactly("n_contact", n_contact, found.normal.len())?;
        for (out, values) in [
            (acceleration, found.acceleration),
            (joint, found.joint),
            (normal, found.normal),
            (slip_speed, found.slip_speed),
            (friction, found.friction),
        ] {
            if let Some(out) = out {
                // SAFETY: the caller's promise for the arrays, which are disjoint.
                unsafe { out.get() }.copy_from_slice(values);
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}
