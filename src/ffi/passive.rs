//! The passive model: hosts that own their evaluation loop answer requests, and no function pointer
//! crosses the boundary.

use super::guard;
use super::model::{SharedModel, exactly, stn_dims, stn_model};
use super::ptr::{Arrays, count, counted};
use super::sized::read;
use super::status::{Fault, stn_status};
use super::stepper::{soft, stn_stepper};
use crate::error::{Error, reserve, told};
use crate::model::Model;
use crate::passive::{Options, Passive, Progress, Quantities, Quantity};
use crate::step::Stepper;
use std::sync::Arc;

/// Arrays that a passive model is asked for, as bits of a mask. Matrices are column-major.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_want {
    /// Mass matrix at (t, q), nv by nv.
    STN_WANT_MASS = 1,
    /// All forces but those of constraints at (t, q, v), nv numbers.
    STN_WANT_FORCE = 2,
    /// Derivative of the force by q at (t, q, v), nv by nq; always with STN_WANT_DFDV.
    STN_WANT_DFDQ = 4,
    /// Derivative of the force by v at (t, q, v), nv by nv.
    STN_WANT_DFDV = 8,
    /// The matrix B(t, q) of dq/dt = B v, nq by nv.
    STN_WANT_RATE = 16,
    /// Joint errors at (t, q), n_joint numbers; always with STN_WANT_JT.
    STN_WANT_PHI = 32,
    /// Joint directions at (t, q), nv by n_joint.
    STN_WANT_JT = 64,
    /// Gaps at (t, q), n_contact numbers; always with STN_WANT_NORMAL.
    STN_WANT_GAP = 128,
    /// Normals at (t, q), nv by n_contact.
    STN_WANT_NORMAL = 256,
    /// Friction directions at (t, q), nv by n_contact*n_dir, as stn_tangent_fn writes them.
    STN_WANT_TANGENT = 512,
    /// The position reached from q by the displacement that stands in the place of v, nq numbers.
    STN_WANT_MOVED = 1024,
    /// What velocity alone adds to accelerations of joints at (t, q, v), n_joint numbers, as
    /// stn_accel_fn writes them; so the next two, which come with it.
    STN_WANT_JOINT_ACCEL = 2048,
    /// The same of gaps, n_contact numbers.
    STN_WANT_NORMAL_ACCEL = 4096,
    /// The same of slip, n_contact*n_dir numbers.
    STN_WANT_TANGENT_ACCEL = 8192,
    /// Largest forces of brakes at (t, q), n_brake numbers >= 0; always with STN_WANT_BRAKE.
    STN_WANT_BRAKE_BOUND = 16384,
    /// Directions of brakes at (t, q), nv by n_brake.
    STN_WANT_BRAKE = 32768,
}

/// What the host gives: a mask of [`stn_want`].
fn quantities(what: &'static str, mask: i32) -> Result<Quantities, Fault> {
    let known = u32::try_from(mask).ok().and_then(Quantities::from_bits);
    known.ok_or(Fault::Unknown { what, got: mask, of: "mask of stn_want" })
}

/// The one quantity with this number.
fn quantity(what: i32) -> Result<Quantity, Fault> {
    let set = quantities("what", what)?;
    let mut members = set.members();
    match (members.next(), members.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(Fault::Unknown { what: "what", got: what, of: "single stn_want" }),
    }
}

/// The model that a stepper of `model` works with: answers belong to one motion.
pub(super) fn for_stepper(model: Arc<dyn Model>) -> Result<Arc<dyn Model>, Fault> {
    match Passive::behind(model.as_ref()) {
        Some(passive) => {
            let fresh = passive.fresh()?;
            Ok(counted(|| fresh)?)
        }
        None => Ok(model),
    }
}

/// The passive model of a stepper.
fn of(s: &Stepper) -> Result<&Passive, Fault> {
    let none = || Error::Value {
        what: "the model of s",
        got: "one of functions or bodies".into(),
        must: "made by stn_passive_create",
    };
    Ok(Passive::behind(s.model().as_ref()).ok_or_else(none)?)
}

/// Makes a model that is fed by its host: for hosts that cannot or do not want to be called. A
/// stepper of it is driven by stn_passive_step, which says what is wanted, and stn_passive_put.
/// Everything that steps do is possible this way, with the same bits as by functions that give the
/// same answers: impacts, stick, slip and take-off are located. Functions that would ask the model
/// outside stn_passive_step (stn_stepper_step, stn_stepper_advance, stn_model_check and the like)
/// return STN_ERR_VALUE. Every contact has a gap: contacts that come and go, and elements, are for models
/// of functions. Steppers of one model are independent. Storage for max_points times all
/// arrays of a point is taken with the model and with each stepper; what is not used of it is not
/// touched.
///
/// @param dims  sizes; Nullable: no
/// @param gives  what the host gives besides mass, joints, gaps, directions and brakes, which the
/// sizes demand: a mask of STN_WANT_FORCE (else no force), STN_WANT_DFDQ + STN_WANT_DFDV (else
/// differences of force, asked for in one round, or none with option jacobian = 1), STN_WANT_RATE
/// (required for nq != nv), STN_WANT_MOVED, STN_WANT_NORMAL_ACCEL for all three accelerations
/// (else differences of directions); other bits of stn_want change nothing
/// @param moving  1 when joints or gaps depend on t at fixed q, which asks for three times as many
/// of them; else 0
/// @param max_points  points held at a time, which are those of one step; 0: 1024
/// @param mu  n_contact friction coefficients >= 0; Nullable: yes, for zero
/// @param restitution  n_contact coefficients in [0, 1]; Nullable: yes, for zero
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (a negative size, nq != nv without rate),
/// STN_ERR_VALUE (an unknown bit, one derivative without the other, moving not 0 or 1, mu < 0, e
/// outside [0, 1], n_dir odd, friction without directions, elements), STN_ERR_NONFINITE,
/// STN_ERR_ABI, STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_create(
    dims: *const stn_dims,
    gives: i32,
    moving: i32,
    max_points: i32,
    mu: *const f64,
    restitution: *const f64,
    out: *mut *mut stn_model,
) -> stn_status {
    let make = || {
        // SAFETY: the caller's promise for the struct.
        let dims = unsafe { read("dims", dims, stn_dims::NONE)? }.checked()?;
        let gives = quantities("gives", gives)?;
        if !(0..=1).contains(&moving) {
            let got = told(moving);
            return Err(Error::Value { what: "moving", got, must: "0 or 1" }.into());
        }
        let points = count("max_points", max_points)?;
        let mut a = Arrays::new();
        let mu = a.input_or_none("mu", mu, dims.n_contact)?;
        let restitution = a.input_or_none("restitution", restitution, dims.n_contact)?;
        let copy = |values: &[f64]| -> Result<Vec<f64>, Fault> {
            let mut kept = reserve(values.len())?;
            kept.extend_from_slice(values);
            Ok(kept)
        };
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (mu, restitution) = unsafe { (copy(mu.get())?, copy(restitution.get())?) };
        let options = Options { gives, moving: moving == 1, points, mu, restitution };
        let passive = Passive::new(dims, &options)?;
        Ok(SharedModel(counted(|| passive)?, None))
    };
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, make) }
}

/// One step of a stepper with a passive model, as far as the answers go. On STN_WANTED answer all
/// requests and call it again with the same h: the step repeats itself to the last bit and comes
/// further. A step without events takes about two rounds, three while a contact slips, five with
/// joints that are projected; one with a located event some dozens. Answers at the end of a step
/// serve as those at the start of the next.
///
/// @param s  stepper of a passive model; Nullable: no
/// @param h  step length, s, finite and > 0
/// @return STN_WANTED; else as stn_stepper_step, and STN_ERR_VALUE when requests are not answered
/// or the model is not passive, STN_ERR_CAPACITY when one step asks for more than max_points
/// points. On anything but STN_OK and STN_EVENT the state is the one before; on failures of the
/// step itself the answers are forgotten
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_step(s: *mut stn_stepper, h: f64) -> stn_status {
    let call = |s: &mut Stepper| {
        of(s)?;
        Ok(match crate::passive::step(s, h)? {
            Progress::Done(outcome) => soft(outcome),
            Progress::Wanted => stn_status::STN_WANTED,
        })
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}

/// Number of requests after stn_passive_step returned STN_WANTED; 0 otherwise.
///
/// @param s  stepper of a passive model; Nullable: no
/// @return the number, or a status < 0: STN_ERR_NULL, STN_ERR_VALUE (the model is not passive),
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_request_count(s: *const stn_stepper) -> i32 {
    let mut n = 0;
    let call = |s: &Stepper| {
        // More requests than that there are no points for.
        n = i32::try_from(of(s)?.request_count()).unwrap_or(i32::MAX);
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    let status = unsafe { guard::shared(s, call) };
    if status == stn_status::STN_OK { n } else { status as i32 }
}

/// Reads one request: what is wanted, and where.
///
/// @param s  stepper of a passive model; Nullable: no
/// @param i  0 <= i < stn_passive_request_count
/// @param what  receives a mask of stn_want; Nullable: no
/// @param t  receives the time, s; Nullable: no
/// @param q  receives nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  receives nv numbers: the velocity, the displacement for STN_WANT_MOVED, zero where
/// nothing wanted depends on it; Nullable: only if nv = 0
/// @param nv  as in the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such request, wrong nq or nv), STN_ERR_VALUE
/// (the model is not passive, overlap), STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_get_request(
    s: *const stn_stepper,
    i: i32,
    what: *mut i32,
    t: *mut f64,
    q: *mut f64,
    nq: i32,
    v: *mut f64,
    nv: i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let passive = of(s)?;
        let i = count("i", i)?;
        let mut a = Arrays::new();
        let what = a.output("what", what, 1)?;
        let t = a.output("t", t, 1)?;
        let q = a.output("q", q, exactly("nq", nq, s.dims().nq)?)?;
        let v = a.output("v", v, exactly("nv", nv, s.dims().nv)?)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (what, t, q, v) = unsafe { (what.get(), t.get(), q.get(), v.get()) };
        let (wanted, time) = passive.request(i, q, v)?;
        // Every quantity has a bit far below the sign.
        what[0] = wanted.bits() as i32;
        t[0] = time;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Answers one array of a request. Answering again replaces, until stn_passive_step is called.
///
/// @param s  stepper of a passive model; Nullable: no
/// @param i  0 <= i < stn_passive_request_count
/// @param what  the array: one stn_want that the request has asked for
/// @param values  the array; Nullable: only if n = 0
/// @param n  its length, all entries of a matrix
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such request, wrong n), STN_ERR_VALUE (an
/// unknown array, or one that the request does not ask for; the model is not passive),
/// STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED. Nothing changes on failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_put(
    s: *mut stn_stepper,
    i: i32,
    what: i32,
    values: *const f64,
    n: i32,
) -> stn_status {
    let call = |s: &mut Stepper| {
        let passive = of(s)?;
        let i = count("i", i)?;
        let quantity = quantity(what)?;
        let n = exactly(quantity.name(), n, quantity.len_in(&s.dims()))?;
        let values = Arrays::new().input("values", values, n)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        passive.put(i, quantity, unsafe { values.get() })?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}

/// Forgets all requests and answers: when the host refuses a point and tries a shorter step, or
/// when it has changed what it would answer. The state stays that before the step.
/// stn_stepper_set_state and stn_stepper_restore do so too.
///
/// @param s  stepper of a passive model; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (the model is not passive), STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_passive_cancel(s: *mut stn_stepper) -> stn_status {
    let call = |s: &mut Stepper| {
        of(s)?.cancel();
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}
