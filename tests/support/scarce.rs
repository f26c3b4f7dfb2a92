//! Memory that runs out when a test wants it to: after so many blocks of the thread that asks.
//!
//! A block that was given back is there again for the next one of its size, as with any allocator: the
//! library asks so before it takes a counted pointer, for which the language has no question that may fail.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use stiction::ffi::stn_status;
use stiction::ffi::stn_status::{STN_ERR_MEMORY, STN_OK};

thread_local! {
    /// Blocks this thread may still take; negative for any number.
    static LEFT: Cell<i64> = const { Cell::new(-1) };
    /// The size of the block that was given back last, when nothing was taken since.
    static BACK: Cell<usize> = const { Cell::new(0) };
    /// Blocks that this thread has taken.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread holds.
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// The allocator of a test: `#[global_allocator]` wants it in the test itself.
pub struct Scarce;

// SAFETY: hands on to the system allocator, or fails, which is allowed at any time.
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|t| t.set(t.get() + 1));
        let again = BACK.try_with(|b| b.replace(0)).unwrap_or(0) == layout.size();
        let left = LEFT.try_with(Cell::get).unwrap_or(-1);
        if !again && left == 0 {
            return null_mut();
        }
        if !again && left > 0 {
            let _ = LEFT.try_with(|l| l.set(left - 1));
        }
        let _ = HELD.try_with(|h| h.set(h.get() + layout.size() as i64));
        // SAFETY: the promise of the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let _ = HELD.try_with(|h| h.set(h.get() - layout.size() as i64));
        let _ = BACK.try_with(|b| b.set(layout.size()));
        // SAFETY: the promise of the caller.
        unsafe { System.dealloc(p, layout) }
    }
}

/// Runs `call` with memory for `blocks` blocks, or for any number.
pub fn with<R>(blocks: Option<i64>, call: impl FnOnce() -> R) -> R {
    let before = LEFT.with(|l| l.replace(blocks.unwrap_or(-1)));
    BACK.with(|b| b.set(0));
    let result = call();
    LEFT.with(|l| l.set(before));
    result
}

/// Bytes that this thread holds.
pub fn held() -> i64 {
    HELD.with(Cell::get)
}

/// Blocks that this thread has taken so far.
#[allow(dead_code, reason = "not every test counts")]
pub fn taken() -> u64 {
    TAKEN.with(Cell::get)
}

/// Runs `create` with ever more memory until it succeeds, and gives how often it failed. Each failure must be
/// STN_ERR_MEMORY and keep nothing.
pub fn scarcely(create: impl Fn() -> stn_status) -> i64 {
    for blocks in 0..100_000 {
        let before = held();
        let status = with(Some(blocks), &create);
        if status == STN_OK {
            return blocks;
        }
        assert_eq!(status, STN_ERR_MEMORY, "after {blocks} blocks");
        assert_eq!(held(), before, "kept after {blocks} blocks");
    }
    panic!("never enough");
}
