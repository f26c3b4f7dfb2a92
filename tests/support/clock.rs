//! CPU time of the calling thread, so that other programs on the machine do not count.

use rustix::time::{ClockId, clock_gettime};

/// Seconds of CPU time this thread has used.
pub fn thread_seconds() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}
