//! Reading and writing size-prefixed structs: whole members only, and never beyond the caller's size.

use super::ptr::Arrays;
use super::status::Fault;

/// A flat C struct whose first member is `size_t struct_size`.
///
/// # Safety
/// The type is `repr(C)`, starts with a `usize`, and `ENDS` holds the offset behind each member in order.
pub(super) unsafe trait Sized: Copy {
    const ENDS: &'static [usize];
}

/// Implements [`Sized`] for a struct by listing its members after `struct_size`.
macro_rules! sized_struct {
    ($t:ty, $($member:ident : $of:ty),+ $(,)?) => {
        // SAFETY: the list is checked here: each member follows the one before, and the last ends the struct.
        // Where pointers have 64 bits there is no padding either, so the layout is the same everywhere.
        unsafe impl $crate::ffi::sized::Sized for $t {
            const ENDS: &'static [usize] = &{
                let ends = [size_of::<usize>(), $(std::mem::offset_of!($t, $member) + size_of::<$of>()),+];
                let starts = [0, $(std::mem::offset_of!($t, $member)),+, size_of::<$t>()];
                let mut i = 0;
                while i < ends.len() {
                    let gap = starts[i + 1] - ends[i];
                    assert!(gap == 0 || (size_of::<usize>() < 8 && gap < 8), "a missing member");
                    i += 1;
                }
                ends
            };
        }
    };
}
pub(super) use sized_struct;

/// Where a struct goes that the caller may not want.
pub(super) struct SizedOut<T> {
    to: Option<(*mut T, usize)>,
}

impl<T: Sized> SizedOut<T> {
    /// Reads the caller's size and enters the struct into the arrays of the call.
    ///
    /// # Safety
    /// `p` is NULL or points at a struct of at least the size its first member states.
    pub(super) unsafe fn new(
        arrays: &mut Arrays,
        what: &'static str,
        p: *mut T,
    ) -> Result<Self, Fault> {
        if p.is_null() {
            return Ok(Self { to: None });
        }
        if !p.is_aligned() {
            return Err(Fault::Misaligned { what, align: align_of::<T>() });
        }
        // SAFETY: not NULL, aligned, and the first member is readable by the promise of this function.
        let got = unsafe { p.cast::<usize>().read() };
        if got < size_of::<usize>() {
            return Err(Fault::Abi { what, got });
        }
        let bytes = whole_members::<T>(got);
        arrays.bytes(what, p.cast(), bytes)?;
        Ok(Self { to: Some((p, bytes)) })
    }

    /// Writes the members that fit; the caller's `struct_size` stays.
    ///
    /// # Safety
    /// As [`SizedOut::new`], and [`Arrays::disjoint`] has passed.
    pub(super) unsafe fn write(self, value: T) {
        let Some((p, bytes)) = self.to else { return };
        let skip = size_of::<usize>();
        // SAFETY: bytes - skip bytes behind struct_size are writable; `value` is at least as large.
        unsafe {
            let from = std::ptr::from_ref(&value).cast::<u8>().add(skip);
            std::ptr::copy_nonoverlapping(from, p.cast::<u8>().add(skip), bytes - skip);
        }
    }
}

/// The largest number of bytes up to `size` that ends behind a member.
fn whole_members<T: Sized>(size: usize) -> usize {
    T::ENDS.iter().copied().filter(|&end| end <= size).max().unwrap_or(0)
}
