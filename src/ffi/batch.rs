//! Many steppers at once, over several threads.

use super::guard;
use super::ptr::{Arrays, count};
use super::status::{Fault, report, stn_status};
use super::stepper::{soft, stn_stepper};
use crate::batch;
use crate::error::{Error, reserve, told};
use crate::step::{Outcome, Stepper};

/// One stepper of a batch, and how it went.
struct Job {
    s: *mut stn_stepper,
    done: Result<stn_status, Fault>,
}

// SAFETY: the handle is used through its gate only, which lets one thread in at a time.
unsafe impl Send for Job {}

/// Does `work` with every stepper; the first failure is that of the call, else the first refusal.
///
/// # Safety
/// The promises of a C caller: n handles that live, n numbers at `status` or NULL.
unsafe fn run(
    steppers: *const *mut stn_stepper,
    n: i32,
    threads: i32,
    status: *mut i32,
    work: impl Fn(&mut Stepper) -> crate::error::Result<Outcome> + Sync,
) -> Result<stn_status, Fault> {
    let n = count("n", n)?;
    let threads = count("threads", threads)?;
    let mut a = Arrays::new();
    let steppers = a.input("steppers", steppers, n)?;
    let status = a.wanted("status", status, n)?;
    a.disjoint()?;
    let (mut jobs, mut sorted) = (reserve(n)?, reserve(n)?);
    // SAFETY: the promise of this function; checked above.
    let handles = unsafe { steppers.get() };
    sorted.extend_from_slice(handles);
    sorted.sort_unstable();
    if sorted.first().is_some_and(|p| p.is_null()) {
        return Err(Fault::Null { what: "a stepper" });
    }
    if let Some(k) = sorted.windows(2).position(|pair| pair[0] == pair[1]) {
        let twice = handles.iter().position(|&s| s == sorted[k]).unwrap_or(k);
        let (got, must) = (told(format_args!("that of place {twice} again")), "in the batch once");
        return Err(Error::Value { what: "stepper", got, must }.into());
    }
    jobs.extend(handles.iter().map(|&s| Job { s, done: Ok(stn_status::STN_OK) }));
    batch::each(threads, &mut jobs, |job| {
        // SAFETY: `alone` checks the pointer and holds the gate of the handle.
        job.done = unsafe { guard::alone(job.s, |s| Ok(soft(work(s)?))) };
    });
    let code = |job: &Job| job.done.as_ref().map_or_else(Fault::status, |&done| done);
    if let Some(status) = status {
        // SAFETY: the promise of this function; checked above.
        let to = unsafe { status.get() };
        for (to, job) in to.iter_mut().zip(&jobs) {
            *to = code(job) as i32;
        }
    }
    // What happened is told however it went elsewhere: a failure before a refusal, which is no failure, before an event.
    let eventful = jobs.iter().any(|job| code(job) == stn_status::STN_EVENT);
    let worst = jobs.iter().position(|job| (code(job) as i32) < 0);
    let worst = worst.or_else(|| jobs.iter().position(|job| job.done.is_err()));
    match worst.and_then(|k| jobs.swap_remove(k).done.err()) {
        Some(fault) => Ok(report(&fault)),
        None if eventful => Ok(stn_status::STN_EVENT),
        None => Ok(stn_status::STN_OK),
    }
}

/// stn_stepper_step for many steppers, over several threads. Each stepper is stepped whole by one
/// thread: results do not depend on how many there are. One that fails does not keep the others
/// from going on. Functions of models are called on the threads of the batch: models of C functions must allow that,
/// also where no two steppers share one.
///
/// @param steppers  n handles, each once; Nullable: only if n = 0
/// @param n  number of steppers
/// @param h  step length, s, finite and > 0
/// @param threads  most threads, the calling one included; 0: as many as the machine runs at once
/// @param status  receives the status of each stepper as stn_stepper_step gives it, n numbers, whenever
/// they were stepped at all; Nullable: yes
/// @return STN_OK; STN_EVENT when some stepper had events and none failed; STN_REJECTED when some stepper was refused a
/// point and none failed; the status of the first in the list that failed, whose text stn_last_error has; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (a stepper
/// twice, overlap), STN_ERR_MEMORY: none was stepped
/// @note Thread class: exclusive for every stepper. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_batch_step(
    steppers: *const *mut stn_stepper,
    n: i32,
    h: f64,
    threads: i32,
    status: *mut i32,
) -> stn_status {
    // SAFETY: `run` checks the arrays and the handles.
    guard::plain(|| unsafe { run(steppers, n, threads, status, |s| s.step(h)) })
}

/// stn_stepper_advance for many steppers, over several threads: each to t_end with steps of h, as
/// stn_batch_step steps them.
///
/// @param steppers  n handles, each once; Nullable: only if n = 0
/// @param n  number of steppers
/// @param t_end  end time, s, not before the present of any of them
/// @param h  step length, s, finite and > 0
/// @param threads  most threads, the calling one included; 0: as many as the machine runs at once
/// @param status  receives the status of each stepper as stn_stepper_advance gives it, n numbers,
/// whenever they were stepped at all; Nullable: yes
/// @return as stn_batch_step
/// @note Thread class: exclusive for every stepper. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_batch_advance(
    steppers: *const *mut stn_stepper,
    n: i32,
    t_end: f64,
    h: f64,
    threads: i32,
    status: *mut i32,
) -> stn_status {
    // SAFETY: `run` checks the arrays and the handles.
    guard::plain(|| unsafe { run(steppers, n, threads, status, |s| s.advance(t_end, h)) })
}
