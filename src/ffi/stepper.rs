//! Steppers: state and workspace, one thread at a time.

use super::guard::{self, Handle, Opaque};
use super::model::{exactly, stn_model};
use super::ptr::Arrays;
use super::sized::read;
use super::status::{Fault, stn_status};
use super::stepper_options::stn_stepper_options;
use crate::step::{Options, Outcome, Stepper};
use std::sync::Arc;

/// State and workspace of one motion.
pub struct stn_stepper(Handle<Stepper>);

impl Opaque for stn_stepper {
    type Inner = Stepper;
    const NAME: &'static str = "s";
    fn handle(&self) -> &Handle<Stepper> {
        &self.0
    }
    fn wrap(handle: Handle<Stepper>) -> Self {
        Self(handle)
    }
}

pub(super) fn soft(outcome: Outcome) -> stn_status {
    match outcome {
        Outcome::Quiet => stn_status::STN_OK,
        Outcome::Eventful => stn_status::STN_EVENT,
    }
}

/// Makes a stepper for a model, at t = 0, q = 0, v = 0; for built-in bodies at the builder's pose.
/// All storage is taken here, except that for contacts that come and go it grows when more of them
/// come than at any time before.
///
/// @param model  model; kept alive by the stepper; Nullable: no
/// @param opt  options; Nullable: yes, for the defaults
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (an unknown or unavailable choice, brakes with a
/// Runge-Kutta method), STN_ERR_DIMENSION (a negative count), STN_ERR_CAPACITY (more contacts than can be counted),
/// STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_create(
    model: *const stn_model,
    opt: *const stn_stepper_options,
    out: *mut *mut stn_stepper,
) -> stn_status {
    let make = || {
        // SAFETY: `peek` checks the pointer and the gate of the handle.
        let model = unsafe { guard::peek(model, |m| Ok(Arc::clone(&m.0)))? };
        let options = if opt.is_null() {
            Options::default()
        } else {
            // SAFETY: the caller's promise for the struct.
            unsafe { read("opt", opt, stn_stepper_options::DEFAULT)? }.checked()?
        };
        Ok(Stepper::new(super::passive::for_stepper(model)?, &options)?)
    };
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, make) }
}

/// Frees a stepper. A stepper in use is left alone.
///
/// @param s  stepper; Nullable: yes
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_destroy(s: *mut stn_stepper) {
    // SAFETY: `destroy` checks the pointer and the gate of the handle.
    unsafe { guard::destroy(s) }
}

/// Puts the motion at (t, q, v). Clears events, modes and the remembered basis, keeps the
/// statistics. A gap below -active_gap gets no impulse for its depth: its row is n'v >= 0,
/// projection moves it out. A touching contact that approaches is an impact at the start.
///
/// @param s  stepper; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: only if nv = 0
/// @param nv  as in the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (a quaternion of a
/// built-in body that is not of length one), STN_ERR_BUSY, STN_ERR_POISONED. The state is untouched on
/// failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_set_state(
    s: *mut stn_stepper,
    t: f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
) -> stn_status {
    let call = |s: &mut Stepper| {
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, s.dims().nq)?)?;
        let v = a.input("v", v, exactly("nv", nv, s.dims().nv)?)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        unsafe { s.set_state(t, q.get(), v.get())? };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}

/// Reads the state.
///
/// @param s  stepper; Nullable: no
/// @param t  receives the time, s; Nullable: yes
/// @param q  receives nq numbers; Nullable: yes
/// @param nq  as in the model
/// @param v  receives nv numbers; Nullable: yes
/// @param nv  as in the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_state(
    s: *const stn_stepper,
    t: *mut f64,
    q: *mut f64,
    nq: i32,
    v: *mut f64,
    nv: i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let mut a = Arrays::new();
        let t = a.wanted("t", t, 1)?;
        let q = a.wanted("q", q, exactly("nq", nq, s.dims().nq)?)?;
        let v = a.wanted("v", v, exactly("nv", nv, s.dims().nv)?)?;
        a.disjoint()?;
        for (out, values) in [(t, &[s.t()][..]), (q, s.q()), (v, s.v())] {
            if let Some(out) = out {
                // SAFETY: the caller's promise for the arrays, which are disjoint.
                unsafe { out.get() }.copy_from_slice(values);
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Reads the state at any time inside the last step: between events q on a cubic through positions
/// and velocities of the step, v its derivative; at an event the state after it. Calls rate.
///
/// @param s  stepper; Nullable: no
/// @param t  time, s; before the first step and after set_state or restore only the present
/// @param q  receives nq numbers; Nullable: yes
/// @param nq  as in the model
/// @param v  receives nv numbers; Nullable: yes
/// @param nv  as in the model
/// @return STN_OK, STN_REJECTED when a callback refused; STN_ERR_VALUE for a time outside of the last
/// step and for overlap; STN_ERR_NONFINITE, STN_ERR_CALLBACK, STN_ERR_NULL, STN_ERR_DIMENSION,
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_state_at(
    s: *mut stn_stepper,
    t: f64,
    q: *mut f64,
    nq: i32,
    v: *mut f64,
    nv: i32,
) -> stn_status {
    let call = |s: &mut Stepper| {
        let mut a = Arrays::new();
        let q = a.wanted("q", q, exactly("nq", nq, s.dims().nq)?)?;
        let v = a.wanted("v", v, exactly("nv", nv, s.dims().nv)?)?;
        a.disjoint()?;
        let (inside_q, inside_v) = s.state_at(t)?;
        for (out, values) in [(q, inside_q), (v, inside_v)] {
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

/// One step, to t + h exactly, events resolved inside. With the option stop_at_event it ends at the
/// first event, which may be where it began. Slip and take-off by a change of force are followed
/// until the acceleration shows them: then t of the event is a little before the state.
///
/// @param s  stepper; Nullable: no
/// @param h  step length, s, finite and > 0
/// @return STN_OK, STN_EVENT when something happened, STN_REJECTED when a callback refused a point;
/// STN_ERR_VALUE and STN_ERR_NONFINITE for h; STN_ERR_CALLBACK, STN_ERR_NONFINITE and
/// STN_ERR_SINGULAR from the model; STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL,
/// STN_ERR_STEP_TOO_SMALL, and STN_ERR_SINGULAR or STN_ERR_RESIDUAL for a step so long that joints cannot
/// be kept together; with contacts that come and go also STN_ERR_CAPACITY, STN_ERR_MEMORY and
/// the statuses of a push that failed; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED. On anything but
/// STN_OK and STN_EVENT the state is the one before
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_step(s: *mut stn_stepper, h: f64) -> stn_status {
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, |s| Ok(soft(s.step(h)?))) }
}

/// Steps of h from the present time t0 to t_end: n = round((t_end - t0)/h) steps when that is an
/// integer to 1e-9, else ceil; step k ends at t0 + k h, the last at t_end exactly. Does not stop at
/// events unless the option stop_at_event says so; the next call counts its steps from there. With
/// abs_tol or rel_tol in the options the stepper chooses its steps, and h is the first try: shorter
/// when the motion looks too fast for it, and not much longer than the last step of the call before.
///
/// @param s  stepper; Nullable: no
/// @param t_end  end time, s, not before the present; equal: nothing happens
/// @param h  step length, s, finite and > 0
/// @return STN_OK, or STN_EVENT when there were events; else as stn_stepper_step, and the stepper
/// stands at the end of the last completed step; STN_ERR_STEP_TOO_SMALL when a tolerance cannot be
/// kept, for instance one below the rounding of so many steps as the method would need, and the text says
/// why; STN_ERR_STEP_LIMIT after max_steps; STN_ERR_VALUE by tolerances for a start with joints apart
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_advance(
    s: *mut stn_stepper,
    t_end: f64,
    h: f64,
) -> stn_status {
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, |s| Ok(soft(s.advance(t_end, h)?))) }
}

/// Writes a snapshot: what the following steps depend on, with version and checksum.
///
/// @param s  stepper; Nullable: no
/// @param buf  receives the bytes; Nullable: only if cap = 0, to ask for the size
/// @param cap  size of buf in bytes
/// @param needed  receives the size of the snapshot, always; Nullable: no
/// @return STN_OK; STN_ERR_CAPACITY when cap is too small; STN_ERR_NULL, STN_ERR_VALUE (overlap),
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_save(
    s: *const stn_stepper,
    buf: *mut libc::c_void,
    cap: usize,
    needed: *mut usize,
) -> stn_status {
    let call = |s: &Stepper| {
        let mut a = Arrays::new();
        if !buf.is_null() {
            a.bytes("buf", buf.cast(), cap)?;
        }
        a.bytes("needed", needed.cast(), size_of::<usize>())?;
        a.disjoint()?;
        // SAFETY: the caller's promise for both; they are disjoint.
        let needed = unsafe { super::ptr::reference_mut("needed", needed)? };
        *needed = s.saved_size();
        match (buf.is_null(), cap) {
            (true, 0) => return Ok(stn_status::STN_OK),
            (true, _) => return Err(Fault::Null { what: "buf" }),
            (false, _) => {}
        }
        // SAFETY: as above.
        s.save(unsafe { super::ptr::bytes_mut(buf.cast(), cap) })?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Takes up a snapshot of a stepper with the same model sizes and options: the following steps give
/// the same bits as after stn_stepper_save, for the same model. stop_at_event and event_capacity may
/// differ: they change where the host looks, not the motion.
///
/// @param s  stepper; Nullable: no
/// @param buf  the snapshot; Nullable: no
/// @param len  its size in bytes
/// @return STN_OK; STN_ERR_VALUE for bytes that are no whole snapshot and for one of other options,
/// STN_ERR_ABI for another version, STN_ERR_DIMENSION for another model; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED.
/// Nothing changes on failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_restore(
    s: *mut stn_stepper,
    buf: *const libc::c_void,
    len: usize,
) -> stn_status {
    let call = |s: &mut Stepper| {
        if buf.is_null() {
            return Err(Fault::Null { what: "buf" });
        }
        Arrays::new().bytes("buf", buf.cast_mut().cast(), len)?;
        // SAFETY: the caller's promise for the bytes.
        s.restore(unsafe { super::ptr::bytes(buf.cast(), len) })?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}
