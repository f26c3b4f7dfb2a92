//! Whether a state satisfies joints and gaps of a model, in C, and the nearest one that does.

use super::guard;
use super::model::{SharedModel, exactly, stn_model};
use super::ptr::Arrays;
use super::sized::{SizedOut, sized_struct};
use super::status::{Fault, stn_status};
use crate::check::{Consistency, check_state, nearest_state};

/// What stands for the index of a contact that comes and goes.
const COMING: i32 = -2;

/// How far a state is from being allowed. Zeros: it is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_consistency {
    /// sizeof(stn_consistency), set by the caller.
    pub struct_size: usize,
    /// Largest joint error |phi|.
    pub joint: f64,
    /// Largest joint speed |jt'v + d phi/dt|.
    pub joint_speed: f64,
    /// Deepest penetration -gap, m; 0 when all gaps are open.
    pub depth: f64,
    /// Which joint equation has the error, -1 when all are zero.
    pub at_joint: i32,
    /// Which joint equation has the speed, -1 when all are zero.
    pub at_joint_speed: i32,
    /// Which contact is deepest: -1 when all are open, -2 for one that comes and goes, whose key
    /// says which.
    pub at_depth: i32,
    /// 0.
    pub reserved0: i32,
    /// Key of the deepest contact, -1 when all are open.
    pub depth_key: i64,
}

sized_struct!(
    stn_consistency,
    joint: f64,
    joint_speed: f64,
    depth: f64,
    at_joint: i32,
    at_joint_speed: i32,
    at_depth: i32,
    reserved0: i32,
    depth_key: i64,
);

impl stn_consistency {
    /// `c`, of a model with `fixed` contacts that have a gap of their own.
    fn new(c: Consistency, fixed: usize) -> Self {
        let place = |(value, at): (f64, usize)| match i32::try_from(at) {
            Ok(at) if value > 0.0 => at,
            _ => -1,
        };
        Self {
            struct_size: size_of::<Self>(),
            joint: c.joint.0,
            joint_speed: c.joint_speed.0,
            depth: c.depth.0,
            at_joint: place(c.joint),
            at_joint_speed: place(c.joint_speed),
            at_depth: if c.depth.0 > 0.0 && c.depth.1 >= fixed { COMING } else { place(c.depth) },
            reserved0: 0,
            depth_key: c.depth_key.unwrap_or(-1),
        }
    }
}

/// Says how far a state is from satisfying joints, joint velocities and gaps. Contacts that come and
/// go are asked for with a margin of 0.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: only if nv = 0
/// @param nv  as in the model
/// @param out  receives the distances; Nullable: no
/// @return STN_OK whatever they are; STN_REJECTED and STN_ERR_CALLBACK from the model;
/// STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap, a quaternion that is
/// not of length one, a bad contact), STN_ERR_CAPACITY for more than max_contacts, STN_ERR_ABI,
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_check_state(
    model: *const stn_model,
    t: f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    out: *mut stn_consistency,
) -> stn_status {
    let call = |m: &SharedModel| {
        if out.is_null() {
            return Err(Fault::Null { what: "out" });
        }
        let dims = m.0.dims();
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, dims.nq)?)?;
        let v = a.input("v", v, exactly("nv", nv, dims.nv)?)?;
        // SAFETY: the caller's promise for the struct.
        let out = unsafe { SizedOut::new(&mut a, "out", out)? };
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe {
            let found = check_state(m.0.as_ref(), t, q.get(), v.get())?;
            out.write(stn_consistency::new(found, dims.n_contact));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Moves a state to one that satisfies joints, joint velocities and gaps, changing it least in the
/// norm of the mass. Gaps that were open stay as they are unless joints need their room. The start
/// must be near enough for Newton's method. Velocities into touching contacts stay: they are
/// impacts. Contacts that come and go are asked for with margins up to a few times the distance moved.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers, moved; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers, changed; Nullable: only if nv = 0
/// @param nv  as in the model
/// @param out  receives what is left of the distances; Nullable: yes
/// @return STN_OK; STN_ERR_RESIDUAL when Newton's method does not arrive or joints and gaps
/// contradict each other; STN_ERR_SINGULAR for the mass; STN_REJECTED and STN_ERR_CALLBACK from the
/// model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap, a quaternion
/// that is not of length one, a bad contact), STN_ERR_CAPACITY for more than max_contacts,
/// STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY. On anything but STN_OK q and v are untouched
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_nearest_state(
    model: *const stn_model,
    t: f64,
    q: *mut f64,
    nq: i32,
    v: *mut f64,
    nv: i32,
    out: *mut stn_consistency,
) -> stn_status {
    let call = |m: &SharedModel| {
        let dims = m.0.dims();
        let mut a = Arrays::new();
        let q = a.output("q", q, exactly("nq", nq, dims.nq)?)?;
        let v = a.output("v", v, exactly("nv", nv, dims.nv)?)?;
        // SAFETY: the caller's promise for the struct.
        let out = unsafe { SizedOut::new(&mut a, "out", out)? };
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe {
            let found = nearest_state(m.0.as_ref(), t, q.get(), v.get())?;
            out.write(stn_consistency::new(found, dims.n_contact));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deepest_contact_that_comes_and_goes_has_no_index() {
        let at = |depth, key, fixed| {
            let found = Consistency { depth, depth_key: key, ..Consistency::default() };
            let c = stn_consistency::new(found, fixed);
            (c.at_depth, c.depth_key)
        };
        assert_eq!(at((0.25, 0), Some(70), 0), (COMING, 70));
        assert_eq!(at((0.25, 3), Some(71), 3), (COMING, 71));
        assert_eq!(at((0.25, 2), Some(2), 3), (2, 2));
        assert_eq!(at((0.0, 0), None, 0), (-1, -1));
    }
}
