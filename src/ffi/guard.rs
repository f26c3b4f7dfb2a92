//! The net under every exported function: panics become a status, a handle in use says so, a handle
//! that met a defect stays shut, and the host's floating-point environment stays outside.

use super::environment::Environment;
use super::ptr;
use super::status::{Fault, report, stn_status};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

thread_local! {
    /// Calls of this library on this thread's stack.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Text of the panic on its way to the net.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics inside the library off the host's stderr. Panics of other code on other stacks go
/// to the hook that was there before.
fn quiet_hook() {
    static ONCE: Once = Once::new();
    // A host that cleans up while it unwinds must not change hooks: that would panic twice and abort.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.try_with(Cell::get).unwrap_or(0) == 0 {
                return before(info);
            }
            let _ = PANIC.try_with(|text| {
                if let Ok(mut text) = text.try_borrow_mut() {
                    *text = info.to_string().replace('\n', " ");
                }
            });
        }));
    });
}

/// Counts a call on this thread's stack while it lives.
struct Inside;

impl Inside {
    fn enter() -> Self {
        let _ = DEPTH.try_with(|d| d.set(d.get() + 1));
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|d| d.set(d.get() - 1));
    }
}

/// Runs `f`; a panic comes back as a fault.
fn caught<R>(f: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
    quiet_hook();
    let _numbers = Environment::enter();
    let _inside = Inside::enter();
    // What `f` may leave half changed is behind a handle, which is poisoned then, or is lost.
    panic::catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| {
        let text = PANIC.try_with(|t| t.take()).unwrap_or_default();
        Err(Fault::Panic { text })
    })
}

/// A call without a handle.
pub(super) fn plain(f: impl FnOnce() -> Result<stn_status, Fault>) -> stn_status {
    caught(f).unwrap_or_else(|fault| report(&fault))
}

/// What a C handle points at: the thing itself and the gate before it.
#[derive(Debug)]
pub(super) struct Handle<T> {
    /// Number of readers inside, or [`EXCLUSIVE`].
    gate: AtomicI32,
    /// The handle met a defect.
    poisoned: AtomicBool,
    inner: UnsafeCell<T>,
}

/// Gate of a handle in exclusive use.
const EXCLUSIVE: i32 = -1;

impl<T> Handle<T> {
    pub(super) fn new(inner: T) -> Self {
        Self {
            gate: AtomicI32::new(0),
            poisoned: AtomicBool::new(false),
            inner: UnsafeCell::new(inner),
        }
    }

    /// Closes the gate for one user, or says why not. A poisoned handle is let through when `any`
    /// is set.
    fn close(&self, any: bool) -> Result<(), Fault> {
        let entered =
            self.gate.compare_exchange(0, EXCLUSIVE, Ordering::Acquire, Ordering::Relaxed);
        entered.map_err(|_| Fault::Busy)?;
        // Only now: what poisoned the handle did so before it opened the gate.
        if !any && self.poisoned.load(Ordering::Acquire) {
            self.gate.store(0, Ordering::Release);
            return Err(Fault::Poisoned);
        }
        Ok(())
    }

    /// Lets one more reader in, or says why not.
    fn enter(&self) -> Result<(), Fault> {
        let more = |readers: i32| readers.checked_add(1).filter(|_| readers >= 0);
        let entered = self.gate.fetch_update(Ordering::Acquire, Ordering::Relaxed, more);
        entered.map_err(|_| Fault::Busy)?;
        if self.poisoned.load(Ordering::Acquire) {
            self.gate.fetch_sub(1, Ordering::Release);
            return Err(Fault::Poisoned);
        }
        Ok(())
    }

    /// Notes a defect before the gate opens again.
    fn judge<R>(&self, result: &Result<R, Fault>) {
        if matches!(result, Err(Fault::Panic { .. })) {
            self.poisoned.store(true, Ordering::Release);
        }
    }
}

/// A type that C sees as an opaque handle.
pub(super) trait Opaque {
    /// What is inside.
    type Inner;
    /// Its name in messages.
    const NAME: &'static str;
    /// The handle behind the C type.
    fn handle(&self) -> &Handle<Self::Inner>;
    /// The C type around a handle.
    fn wrap(handle: Handle<Self::Inner>) -> Self;
}

/// A call that changes what is behind `p`. Refuses a NULL, busy or poisoned handle.
///
/// # Safety
/// `p` is NULL or came from [`create`] and was not destroyed.
pub(super) unsafe fn exclusive<O: Opaque>(
    p: *mut O,
    f: impl FnOnce(&mut O::Inner) -> Result<stn_status, Fault>,
) -> stn_status {
    // SAFETY: the promise of this function.
    plain(|| unsafe { alone(p, f) })
}

/// Changes what is behind `p`, as part of a call; refuses what [`exclusive`] refuses.
///
/// # Safety
/// As [`exclusive`].
pub(super) unsafe fn alone<O: Opaque, R>(
    p: *mut O,
    f: impl FnOnce(&mut O::Inner) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // SAFETY: the promise of this function.
    unsafe {
        let handle = ptr::reference(O::NAME, p)?.handle();
        handle.close(false)?;
        // The gate is closed: no other reference to the inside exists.
        let result = caught(|| f(&mut *handle.inner.get()));
        handle.judge(&result);
        handle.gate.store(0, Ordering::Release);
        result
    }
}

/// A call that only reads what is behind `p`; such calls may overlap.
///
/// # Safety
/// As [`exclusive`].
pub(super) unsafe fn shared<O: Opaque>(
    p: *const O,
    f: impl FnOnce(&O::Inner) -> Result<stn_status, Fault>,
) -> stn_status
where
    O::Inner: Sync,
{
    // SAFETY: the promise of this function.
    plain(|| unsafe { peek(p, f) })
}

/// Reads what is behind `p`, as part of a call. Refuses a NULL handle, one in exclusive use, and a
/// poisoned one.
///
/// # Safety
/// As [`exclusive`].
pub(super) unsafe fn peek<O: Opaque, R>(
    p: *const O,
    f: impl FnOnce(&O::Inner) -> Result<R, Fault>,
) -> Result<R, Fault>
where
    O::Inner: Sync,
{
    // SAFETY: the promise of this function; readers are inside, so nobody holds the inside exclusively.
    unsafe {
        let handle = ptr::reference(O::NAME, p)?.handle();
        handle.enter()?;
        let result = caught(|| f(&*handle.inner.get()));
        handle.judge(&result);
        handle.gate.fetch_sub(1, Ordering::Release);
        result
    }
}

/// Makes a handle and writes it to `out`, or NULL on failure.
///
/// # Safety
/// `out` is NULL or points at a pointer that can be written.
pub(super) unsafe fn create<O: Opaque>(
    out: *mut *mut O,
    f: impl FnOnce() -> Result<O::Inner, Fault>,
) -> stn_status {
    plain(|| {
        // SAFETY: the promise of this function.
        let out = unsafe { ptr::reference_mut("out", out)? };
        *out = std::ptr::null_mut();
        let room = ptr::room()?;
        *out = ptr::boxed(room, O::wrap(Handle::new(f()?)));
        Ok(stn_status::STN_OK)
    })
}

/// Frees a handle. NULL does nothing; a handle in use is left alone: a leak, never a crash.
///
/// # Safety
/// As [`exclusive`]; `p` must not be used afterwards.
pub(super) unsafe fn destroy<O: Opaque>(p: *mut O) {
    if p.is_null() {
        return;
    }
    plain(|| {
        // SAFETY: the promise of this function.
        let handle = unsafe { ptr::reference(O::NAME, p)?.handle() };
        handle.close(true)?;
        // SAFETY: `create` boxed it, and nobody else can have passed the gate.
        unsafe { ptr::unbox(p) };
        Ok(stn_status::STN_OK)
    });
}
