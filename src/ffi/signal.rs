//! Functions of time that the host gives the builder, and who owns what they are called with.

use super::callback::stn_release_fn;
use super::ptr::counted;
use super::status::Fault;
use crate::rigid::{Signal, VectorSignal};
use libc::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A number at time t. Must not throw or longjmp.
pub type stn_signal_fn = Option<unsafe extern "C-unwind" fn(t: f64, user: *mut c_void) -> f64>;

/// A vector at time t: writes 3 numbers, world axes, which are zero before the call. Must not throw
/// or longjmp.
pub type stn_vector_signal_fn =
    Option<unsafe extern "C-unwind" fn(t: f64, value: *mut f64, user: *mut c_void)>;

/// What the host's function is called with. Released when the last function that uses it is gone.
struct Owned {
    user: *mut c_void,
    release: stn_release_fn,
    /// The call that brought it succeeded: from then on it is ours to release.
    kept: AtomicBool,
}

// SAFETY: models are stepped on several threads; the header says that the functions and `user` must allow that.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(release) = self.release.filter(|_| self.kept.load(Ordering::Acquire)) {
            // SAFETY: the host gave the function for this call, which happens once.
            unsafe { release(self.user) }
        }
    }
}

/// One function of the host on its way into the builder.
pub(super) struct HostSignal(Arc<Owned>);

impl HostSignal {
    pub(super) fn new(user: *mut c_void, release: stn_release_fn) -> Result<Self, Fault> {
        Ok(Self(counted(|| Owned { user, release, kept: AtomicBool::new(false) })?))
    }

    /// The builder has taken the function.
    pub(super) fn keep(&self) {
        self.0.kept.store(true, Ordering::Release);
    }

    /// A number as a function of time.
    pub(super) fn number(&self, what: &'static str, f: stn_signal_fn) -> Result<Signal, Fault> {
        let f = f.ok_or(Fault::Null { what })?;
        let owned = Arc::clone(&self.0);
        // SAFETY: the host's promise for its function and `user`.
        Ok(counted(|| move |t| unsafe { f(t, owned.user) })?)
    }

    /// A vector as a function of time.
    pub(super) fn vector(
        &self,
        what: &'static str,
        f: stn_vector_signal_fn,
    ) -> Result<VectorSignal, Fault> {
        let f = f.ok_or(Fault::Null { what })?;
        let owned = Arc::clone(&self.0);
        let signal = move |t| {
            let mut value = [0.0; 3];
            // SAFETY: as for `number`; three numbers can be written.
            unsafe { f(t, value.as_mut_ptr(), owned.user) };
            value
        };
        Ok(counted(|| signal)?)
    }
}
