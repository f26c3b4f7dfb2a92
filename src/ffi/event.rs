//! What happened, in C: events and statistics.

use super::guard;
use super::ptr::count;
use super::sized::{put, sized_struct};
use super::status::stn_status;
use super::stepper::stn_stepper;
use crate::error::{Error, told};
use crate::step::{Event, Stats, Stepper};

/// Kinds of events.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_event_kind {
    /// A contact received an impulse; also for e = 0. Speeds n'v before (negative where it was hit, 0 for one
    /// that only supports others, a little more for one that is about to leave when others hit it) and after, total normal impulse.
    STN_EVENT_IMPACT = 1,
    /// Slip ended, at a contact or a brake. Speeds max_j(d_j'v) >= 0.
    STN_EVENT_STICK = 2,
    /// Slip began. Speeds as for STN_EVENT_STICK.
    STN_EVENT_SLIP = 3,
    /// A closed contact opened. Speeds n'v.
    STN_EVENT_TAKEOFF = 4,
    /// Touched without an impact, or closed at the end of an accumulation. Speeds n'v.
    STN_EVENT_CLOSE = 5,
    /// An impact created energy and the fallback was used. Contact -1, kinetic energy before and
    /// after.
    STN_EVENT_ENERGY = 6,
}

/// One event. Order: t, then contact, then kind. Modes found at the first step after set_state and
/// modes that follow an impact are not events. An event at t + h belongs to the step that ends
/// there.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_event {
    /// sizeof(stn_event), set by the caller.
    pub struct_size: usize,
    /// A stn_event_kind.
    pub kind: i32,
    /// Index of the contact, n_contact + i for brake i, -1 for none.
    pub contact: i32,
    /// When, s.
    pub t: f64,
    /// Before, see stn_event_kind.
    pub speed_before: f64,
    /// After, see stn_event_kind.
    pub speed_after: f64,
    /// Total normal impulse of an impact, N s, else 0.
    pub impulse: f64,
    /// The host's key; the index for fixed gaps and for brakes, the number of the joint for its
    /// friction.
    pub key: i64,
}

sized_struct!(
    stn_event,
    kind: i32,
    contact: i32,
    t: f64,
    speed_before: f64,
    speed_after: f64,
    impulse: f64,
    key: i64,
);

impl From<Event> for stn_event {
    fn from(e: Event) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            kind: e.kind as i32,
            contact: e.contact,
            t: e.t,
            speed_before: e.speed_before,
            speed_after: e.speed_after,
            impulse: e.impulse,
            key: e.key,
        }
    }
}

/// Counted since creation; a failed step counts only in rejected.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_stats {
    /// sizeof(stn_stats), set by the caller.
    pub struct_size: usize,
    /// Steps completed.
    pub steps: i64,
    /// Pieces they were made of.
    pub substeps: i64,
    /// Steps that failed and left no other trace.
    pub rejected: i64,
    /// Complementarity problems of steps and impacts.
    pub lcp_solves: i64,
    /// Of all problems, those that the remembered basis solved.
    pub warm_solves: i64,
    /// Pivots of all problems.
    pub pivots: i64,
    /// Impacts resolved.
    pub impacts: i64,
    /// Force evaluations.
    pub force_evals: i64,
    /// Largest unit-free residual accepted.
    pub worst_residual: f64,
    /// The most negative gap at the end of a step, <= 0, m.
    pub worst_gap: f64,
    /// Largest joint error at the end of a step.
    pub worst_joint_drift: f64,
    /// Problems that checked forces or found modes.
    pub check_solves: i64,
    /// Steps that fell back to scheme I, and pieces of Runge-Kutta methods left to complementarity.
    pub scheme_fallbacks: i64,
    /// Steps of which a part was made without locating events: the cap was reached, they met a crowd, or modes and
    /// complementarity did not agree.
    pub capped_steps: i64,
    /// Events that did not fit.
    pub events_lost: i64,
    /// Steps whose force derivatives were replaced by their definite part.
    pub jacobian_fallbacks: i64,
    /// Iterations of the stage equations of Runge-Kutta methods.
    pub stage_iterations: i64,
    /// Steps taken back because their error exceeded the tolerance.
    pub tolerance_rejections: i64,
    /// Of lcp_solves and check_solves, those answered in the space of bodies; the others by Lemke's
    /// method or a basis it remembers.
    pub body_solves: i64,
    /// Steps that began where the one before began and were not computed again; only steps and substeps count on in them.
    pub repeated_steps: i64,
}

sized_struct!(
    stn_stats,
    steps: i64,
    substeps: i64,
    rejected: i64,
    lcp_solves: i64,
    warm_solves: i64,
    pivots: i64,
    impacts: i64,
    force_evals: i64,
    worst_residual: f64,
    worst_gap: f64,
    worst_joint_drift: f64,
    check_solves: i64,
    scheme_fallbacks: i64,
    capped_steps: i64,
    events_lost: i64,
    jacobian_fallbacks: i64,
    stage_iterations: i64,
    tolerance_rejections: i64,
    body_solves: i64,
    repeated_steps: i64,
);

impl From<&Stats> for stn_stats {
    fn from(s: &Stats) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            steps: s.steps,
            substeps: s.substeps,
            rejected: s.rejected,
            lcp_solves: s.lcp_solves,
            warm_solves: s.warm_solves,
            pivots: s.pivots,
            impacts: s.impacts,
            force_evals: s.force_evals,
            worst_residual: s.worst_residual,
            worst_gap: s.worst_gap,
            worst_joint_drift: s.worst_joint_drift,
            check_solves: s.check_solves,
            scheme_fallbacks: s.scheme_fallbacks,
            capped_steps: s.capped_steps,
            events_lost: s.events_lost,
            jacobian_fallbacks: s.jacobian_fallbacks,
            stage_iterations: s.stage_iterations,
            tolerance_rejections: s.tolerance_rejections,
            body_solves: s.body_solves,
            repeated_steps: s.repeated_steps,
        }
    }
}

/// Number of events of the last step or advance that were kept.
///
/// @param s  stepper; Nullable: no
/// @return the number, or a negative stn_status: STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_event_count(s: *const stn_stepper) -> i32 {
    let mut n = 0;
    let call = |s: &Stepper| {
        n = i32::try_from(s.events().len()).unwrap_or(i32::MAX);
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    let status = unsafe { guard::shared(s, call) };
    if status == stn_status::STN_OK { n } else { status as i32 }
}

/// Reads one event of the last step or advance.
///
/// @param s  stepper; Nullable: no
/// @param i  0 <= i < stn_stepper_event_count
/// @param out  receives the event; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such event), STN_ERR_ABI, STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_event(
    s: *const stn_stepper,
    i: i32,
    out: *mut stn_event,
) -> stn_status {
    let call = |s: &Stepper| {
        let n = s.events().len();
        let event = s.events().get(count("i", i)?).copied().ok_or_else(|| Error::Dimension {
            what: "i",
            got: i64::from(i),
            expected: told(format_args!("less than {n}")),
        })?;
        // SAFETY: the caller's promise for the struct.
        unsafe { put("out", out, event.into()) }
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Reads the statistics.
///
/// @param s  stepper; Nullable: no
/// @param out  receives the statistics; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_stats(
    s: *const stn_stepper,
    out: *mut stn_stats,
) -> stn_status {
    // SAFETY: the caller's promise for the struct.
    let call = |s: &Stepper| unsafe { put("out", out, s.stats().into()) };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}
