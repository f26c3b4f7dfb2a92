//! Faults on purpose, so that tests can see the library survive them. Only with the feature
//! `inject-faults`, never in a shipped library.

use super::guard;
use super::lcp::{Workspace, stn_lcp};
use super::status::stn_status;

/// Panics while the handle is in use.
///
/// # Safety
/// As every function that takes a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_inject_panic(lcp: *mut stn_lcp) -> stn_status {
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, |_| panic!("injected")) }
}

/// Holds the handle until `milliseconds` have passed.
///
/// # Safety
/// As every function that takes a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_inject_wait(lcp: *mut stn_lcp, milliseconds: i32) -> stn_status {
    let wait = std::time::Duration::from_millis(u64::from(milliseconds.unsigned_abs()));
    let call = |_: &mut Workspace| {
        std::thread::sleep(wait);
        Ok(stn_status::STN_OK)
    };
    // SAFETY: as above.
    unsafe { guard::exclusive(lcp, call) }
}
