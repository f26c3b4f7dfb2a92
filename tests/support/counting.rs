//! An allocator that counts, per thread, for tests of what allocates nothing and of what is held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is being torn down has no counter any more.
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        let _ = BYTES.try_with(|b| b.set(b.get() + layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let _ = BYTES.try_with(|b| b.set(b.get() - layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `make` returns, and the bytes of this thread that it holds.
#[allow(dead_code, reason = "not every test weighs")]
pub fn weighed<T>(make: impl FnOnce() -> T) -> (T, isize) {
    let before = BYTES.get();
    let made = make();
    (made, BYTES.get() - before)
}

/// Allocations of this thread while `f` runs.
pub fn allocations(mut f: impl FnMut()) -> usize {
    let before = COUNT.get();
    f();
    COUNT.get() - before
}
