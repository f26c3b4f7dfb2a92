//! Choices for complementarity problems, and word to the host while a large one is being solved.

use super::guard;
use super::lcp::{ENGINES, Workspace, stn_lcp, stn_lcp_engine};
use super::ptr::{Arrays, count};
use super::sized::{SizedOut, read, sized_struct};
use super::status::{Fault, stn_status};
use crate::lcp::{Options, Progress};
use crate::tol;
use libc::{c_int, c_void};
use std::ops::ControlFlow;

/// Choices for a workspace; fill with stn_lcp_options_init, then change what you mean to.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_lcp_options {
    /// sizeof(stn_lcp_options), set by the caller.
    pub struct_size: usize,
    /// Pivots of one solve, recoveries included; 0: a limit that grows with the problem.
    pub max_pivots: i32,
    /// A stn_lcp_engine.
    pub engine: i32,
    /// 1: start from the basis of the last solution when the size is the same; 0: always afresh.
    pub warm: i32,
    /// 0.
    pub reserved0: i32,
    /// Unit-free residual up to which an answer counts as a solution, > 0 and at most 1e-3; 1e-9.
    pub tolerance: f64,
}

sized_struct!(
    stn_lcp_options,
    max_pivots: i32,
    engine: i32,
    warm: i32,
    reserved0: i32,
    tolerance: f64,
);

impl stn_lcp_options {
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        max_pivots: 0,
        engine: stn_lcp_engine::STN_LCP_ENGINE_AUTO as i32,
        warm: 1,
        reserved0: 0,
        tolerance: tol::LCP_RESIDUAL,
    };

    fn checked(&self) -> Result<Options, Fault> {
        let engine = ENGINES.iter().find(|(number, _)| *number as i32 == self.engine);
        let unknown = Fault::Unknown { what: "engine", got: self.engine, of: "stn_lcp_engine" };
        if self.reserved0 != 0 {
            return Err(Fault::Unknown { what: "reserved0", got: self.reserved0, of: "zero" });
        }
        let warm = match self.warm {
            0 => false,
            1 => true,
            got => return Err(Fault::Unknown { what: "warm", got, of: "truth value" }),
        };
        crate::error::finite_number("tolerance", self.tolerance)?;
        Ok(Options {
            tolerance: self.tolerance,
            max_pivots: count("max_pivots", self.max_pivots)?,
            engine: engine.ok_or(unknown)?.1,
            warm,
        })
    }
}

/// Fills options with their defaults and sets struct_size.
///
/// @param opt  receives the defaults; Nullable: no
/// @param struct_size  sizeof(stn_lcp_options) of the caller
/// @return STN_OK, STN_ERR_NULL, STN_ERR_ABI, STN_ERR_VALUE (misaligned)
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_options_init(
    opt: *mut stn_lcp_options,
    struct_size: usize,
) -> stn_status {
    guard::plain(|| {
        // SAFETY: the caller's promise that the struct has the stated size.
        unsafe {
            let mut a = Arrays::new();
            SizedOut::fresh(&mut a, "opt", opt, struct_size)?.write(stn_lcp_options::DEFAULT);
        }
        Ok(stn_status::STN_OK)
    })
}

/// Changes the choices for the solves to come on this workspace.
///
/// @param lcp  workspace; Nullable: no
/// @param opt  options; Nullable: yes, for the defaults
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (negative max_pivots), STN_ERR_VALUE (unknown
/// engine, tolerance out of range), STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED.
/// The choices stay as they were on failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_set_options(
    lcp: *mut stn_lcp,
    opt: *const stn_lcp_options,
) -> stn_status {
    let call = |work: &mut Workspace| {
        let options = if opt.is_null() {
            stn_lcp_options::DEFAULT
        } else {
            // SAFETY: the caller's promise for the struct.
            unsafe { read("opt", opt, stn_lcp_options::DEFAULT)? }
        };
        work.solver.velocity_mut().lcp_mut().set_options(options.checked()?)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Told how a solve goes on: pivots so far, and the artificial variable, which is 0 at the end but
/// does not fall all the way. Returns 0 to go on, anything else to stop. Must not call the library
/// with the same handle, throw or longjmp.
pub type stn_progress_fn =
    Option<unsafe extern "C-unwind" fn(pivots: i64, artificial: f64, user: *mut c_void) -> c_int>;

/// A function of the host and what it wants handed to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host {
    progress: unsafe extern "C-unwind" fn(pivots: i64, artificial: f64, user: *mut c_void) -> c_int,
    user: *mut c_void,
}

// SAFETY: a workspace may move to another thread between calls; the header says that `user` must allow that.
unsafe impl Send for Host {}
// SAFETY: shared calls do not reach the function.
unsafe impl Sync for Host {}

impl Host {
    pub(super) fn tell(&self, p: &Progress) -> ControlFlow<i32> {
        let pivots = i64::try_from(p.pivots).unwrap_or(i64::MAX);
        // SAFETY: the host gave function and `user` for this call.
        match unsafe { (self.progress)(pivots, p.artificial, self.user) } {
            0 => ControlFlow::Continue(()),
            code => ControlFlow::Break(code),
        }
    }
}

/// Sets the function that stn_lcp_solve, and only it, calls about every 64 pivots, on the thread
/// that solves. A solve it stops returns STN_ERR_CALLBACK and leaves its outputs untouched.
///
/// @param lcp  workspace; Nullable: no
/// @param progress  the function; Nullable: yes, for none
/// @param user  handed to the function; must live as long as it is set; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_set_progress(
    lcp: *mut stn_lcp,
    progress: stn_progress_fn,
    user: *mut c_void,
) -> stn_status {
    let call = |work: &mut Workspace| {
        work.host = progress.map(|progress| Host { progress, user });
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}
