//! Every status, its name, and which error becomes which. One list, matched exhaustively.

use crate::Error;
use std::cell::RefCell;
use std::ffi::CStr;
use std::fmt::{self, Write};
use thiserror::Error as ThisError;

/// What a call returns: 0 done, > 0 soft outcome (state valid), < 0 failure (nothing changed).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_status {
    /// Done.
    STN_OK = 0,
    /// Advanced, and something happened: read the events.
    STN_EVENT = 1,
    /// A callback refused a point; state unchanged, try a shorter step.
    STN_REJECTED = 2,
    /// Only from stn_passive_step: answers are wanted before the step can go on; state unchanged.
    STN_WANTED = 3,
    /// A pointer is NULL that must not be.
    STN_ERR_NULL = -1,
    /// A count is negative or an array has the wrong size.
    STN_ERR_DIMENSION = -2,
    /// A value is outside its range, an enum value is unknown, arrays overlap or are misaligned.
    STN_ERR_VALUE = -3,
    /// A number is NaN or infinite.
    STN_ERR_NONFINITE = -4,
    /// A struct_size is smaller than one size_t, or data come from another version.
    STN_ERR_ABI = -5,
    /// The problem is larger than the workspace, or a buffer is too small.
    STN_ERR_CAPACITY = -6,
    /// The handle is in use by another thread or by the caller of this callback.
    STN_ERR_BUSY = -7,
    /// A function of a model returned a negative number, or a progress function anything but 0.
    STN_ERR_CALLBACK = -20,
    /// Lemke's method ended on a ray: no solution was found.
    STN_ERR_LCP_RAY = -40,
    /// The pivot limit was reached.
    STN_ERR_LCP_PIVOTS = -41,
    /// A matrix is not positive definite, or equations contradict each other.
    STN_ERR_SINGULAR = -42,
    /// An answer was found but failed the independent check.
    STN_ERR_RESIDUAL = -43,
    /// The step size fell below its limit.
    STN_ERR_STEP_TOO_SMALL = -44,
    /// stn_stepper_advance by tolerances has tried max_steps steps; it stands at the last that was taken.
    STN_ERR_STEP_LIMIT = -45,
    /// Storage could not be had.
    STN_ERR_MEMORY = -90,
    /// A defect in the library; the handle is poisoned.
    STN_ERR_PANIC = -98,
    /// The handle met a defect earlier; only destroy works.
    STN_ERR_POISONED = -99,
}

use stn_status::*;

/// Every status with its name.
const NAMES: [(stn_status, &CStr); 21] = [
    (STN_OK, c"STN_OK"),
    (STN_EVENT, c"STN_EVENT"),
    (STN_REJECTED, c"STN_REJECTED"),
    (STN_WANTED, c"STN_WANTED"),
    (STN_ERR_NULL, c"STN_ERR_NULL"),
    (STN_ERR_DIMENSION, c"STN_ERR_DIMENSION"),
    (STN_ERR_VALUE, c"STN_ERR_VALUE"),
    (STN_ERR_NONFINITE, c"STN_ERR_NONFINITE"),
    (STN_ERR_ABI, c"STN_ERR_ABI"),
    (STN_ERR_CAPACITY, c"STN_ERR_CAPACITY"),
    (STN_ERR_BUSY, c"STN_ERR_BUSY"),
    (STN_ERR_CALLBACK, c"STN_ERR_CALLBACK"),
    (STN_ERR_LCP_RAY, c"STN_ERR_LCP_RAY"),
    (STN_ERR_LCP_PIVOTS, c"STN_ERR_LCP_PIVOTS"),
    (STN_ERR_SINGULAR, c"STN_ERR_SINGULAR"),
    (STN_ERR_RESIDUAL, c"STN_ERR_RESIDUAL"),
    (STN_ERR_STEP_TOO_SMALL, c"STN_ERR_STEP_TOO_SMALL"),
    (STN_ERR_STEP_LIMIT, c"STN_ERR_STEP_LIMIT"),
    (STN_ERR_MEMORY, c"STN_ERR_MEMORY"),
    (STN_ERR_PANIC, c"STN_ERR_PANIC"),
    (STN_ERR_POISONED, c"STN_ERR_POISONED"),
];

/// The name of a status, for messages.
///
/// @param status  any number
/// @return static text such as "STN_ERR_NULL"; "STN_UNKNOWN" for a number that is no status; never
/// NULL
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn stn_status_name(status: i32) -> *const libc::c_char {
    let known = NAMES.iter().find(|(s, _)| *s as i32 == status);
    known.map_or(c"STN_UNKNOWN", |(_, name)| name).as_ptr()
}

/// Why a call failed: what the core says, or what only the boundary can see.
#[derive(Debug, ThisError)]
pub(super) enum Fault {
    #[error("{what} is NULL")]
    Null { what: &'static str },
    #[error("{what} is {got}, must not be negative")]
    Negative { what: &'static str, got: i32 },
    #[error("{what} is at an address that is not a multiple of {align}")]
    Misaligned { what: &'static str, align: usize },
    #[error("{first} and {second} overlap")]
    Overlap { first: &'static str, second: &'static str },
    #[error("{what}.struct_size is {got}, needs at least {}", size_of::<usize>())]
    Abi { what: &'static str, got: usize },
    #[error("{what} is {got}, which is no {of}")]
    Unknown { what: &'static str, got: i32, of: &'static str },
    /// Not a failure: what a check found, for [`stn_last_error`].
    #[error("{text}")]
    Finding { text: String },
    #[error("the handle is in use")]
    Busy,
    #[error("the handle met a defect earlier and can only be destroyed")]
    Poisoned,
    #[error("defect in the library: {text}")]
    Panic { text: String },
    #[error(transparent)]
    Core(#[from] Error),
}

impl Fault {
    pub(super) fn status(&self) -> stn_status {
        match self {
            Fault::Null { .. } => STN_ERR_NULL,
            Fault::Negative { .. } => STN_ERR_DIMENSION,
            Fault::Misaligned { .. } | Fault::Overlap { .. } | Fault::Unknown { .. } => {
                STN_ERR_VALUE
            }
            Fault::Finding { .. } => STN_OK,
            Fault::Abi { .. } => STN_ERR_ABI,
            Fault::Busy => STN_ERR_BUSY,
            Fault::Poisoned => STN_ERR_POISONED,
            Fault::Panic { .. } => STN_ERR_PANIC,
            Fault::Core(e) => core_status(e),
        }
    }
}

fn core_status(e: &Error) -> stn_status {
    match e {
        Error::Missing { .. } => STN_ERR_NULL,
        Error::Dimension { .. } => STN_ERR_DIMENSION,
        Error::Capacity { .. } => STN_ERR_CAPACITY,
        Error::NonFinite { .. } => STN_ERR_NONFINITE,
        Error::Range { .. } | Error::Value { .. } => STN_ERR_VALUE,
        Error::Wanted { .. } | Error::Unanswered { .. } => STN_ERR_VALUE,
        Error::NotPositiveDefinite { .. } | Error::Inconsistent { .. } => STN_ERR_SINGULAR,
        Error::LcpRay { .. } | Error::NoAcceleration { .. } => STN_ERR_LCP_RAY,
        Error::LcpPivots { .. } => STN_ERR_LCP_PIVOTS,
        Error::Residual { .. } => STN_ERR_RESIDUAL,
        Error::Rejected { .. } => STN_REJECTED,
        Error::SnapshotVersion { .. } => STN_ERR_ABI,
        Error::StepTooSmall { .. } => STN_ERR_STEP_TOO_SMALL,
        Error::StepLimit { .. } => STN_ERR_STEP_LIMIT,
        Error::Callback { .. } => STN_ERR_CALLBACK,
        Error::Memory { .. } => STN_ERR_MEMORY,
    }
}

/// Text of the last failure of a thread, in fixed storage: reporting that memory has run out must
/// not need memory. Longer texts are cut at a character.
struct Text {
    bytes: [u8; Text::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 1024;
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let mut n = s.len().min(Text::CAPACITY - self.len);
        while !s.is_char_boundary(n) {
            n -= 1;
        }
        self.bytes[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        if n < s.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

thread_local! {
    static LAST: RefCell<Text> = const { RefCell::new(Text { bytes: [0; Text::CAPACITY], len: 0 }) };
}

/// Keeps the text of `fault` for this thread and gives its status.
pub(super) fn report(fault: &Fault) -> stn_status {
    // A thread that is ending has lost its storage: the status still tells.
    let _ = LAST.try_with(|last| {
        if let Ok(mut text) = last.try_borrow_mut() {
            text.len = 0;
            // The only error is a text that was cut.
            let _ = write!(text, "{fault}");
        }
    });
    fault.status()
}

/// The text of the last failure on this thread, UTF-8, as snprintf writes it: at most cap - 1 bytes
/// and a NUL. Not cleared by success; empty before the first failure.
///
/// @param buf  receives the text; Nullable: yes, with any cap
/// @param cap  size of buf in bytes; nothing is written when it is 0 or negative
/// @return length of the whole text without its NUL
/// @note Thread class: any; each thread has its own text. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_last_error(buf: *mut libc::c_char, cap: i32) -> i32 {
    let copy = |last: &RefCell<Text>| {
        let Ok(text) = last.try_borrow() else { return 0 };
        if !buf.is_null() && cap > 0 {
            let n = text.len.min(cap as usize - 1);
            // SAFETY: the caller promises cap writable bytes at buf; n + 1 <= cap.
            unsafe {
                std::ptr::copy_nonoverlapping(text.bytes.as_ptr(), buf.cast(), n);
                *buf.add(n) = 0;
            }
        }
        text.len as i32
    };
    LAST.try_with(copy).unwrap_or(0)
}
