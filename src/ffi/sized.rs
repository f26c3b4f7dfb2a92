//! Reading and writing size-prefixed structs: whole members only, and never beyond the caller's
//! size.

use super::ptr::Arrays;
use super::status::{Fault, stn_status};

/// A flat C struct whose first member is `size_t struct_size`.
///
/// # Safety
/// The type is `repr(C)`, starts with a `usize`, and `ENDS` holds the offset behind each member in
/// order.
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

/// Reads a struct: members beyond the caller's size keep the value in `default`.
///
/// # Safety
/// `p` is NULL or points at a struct of at least the size its first member states, whose members
/// have valid values.
pub(super) unsafe fn read<T: Sized>(
    what: &'static str,
    p: *const T,
    default: T,
) -> Result<T, Fault> {
    if p.is_null() {
        return Err(Fault::Null { what });
    }
    // SAFETY: not NULL, the rest is the promise of this function.
    let bytes = unsafe { stated_members(what, p)? };
    let mut value = default;
    let skip = size_of::<usize>();
    // SAFETY: bytes - skip bytes behind struct_size are readable; `value` is at least as large.
    unsafe {
        let to = std::ptr::from_mut(&mut value).cast::<u8>().add(skip);
        std::ptr::copy_nonoverlapping(p.cast::<u8>().add(skip), to, bytes - skip);
    }
    Ok(value)
}

/// Bytes of the members that the caller's struct has in whole.
///
/// # Safety
/// `p` is not NULL and points at a struct of at least the size its first member states.
unsafe fn stated_members<T: Sized>(what: &'static str, p: *const T) -> Result<usize, Fault> {
    if !p.is_aligned() {
        return Err(Fault::Misaligned { what, align: align_of::<T>() });
    }
    // SAFETY: not NULL, aligned, and the first member is readable by the promise of this function.
    let got = unsafe { p.cast::<usize>().read() };
    if got < size_of::<usize>() {
        return Err(Fault::Abi { what, got });
    }
    Ok(T::ENDS.iter().copied().filter(|&end| end <= got).max().unwrap_or(0))
}

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
        // SAFETY: not NULL, the rest is the promise of this function.
        let bytes = unsafe { stated_members(what, p.cast_const())? };
        arrays.bytes(what, p.cast(), bytes)?;
        Ok(Self { to: Some((p, bytes)) })
    }

    /// A struct whose size comes as an argument: its first member is written here.
    ///
    /// # Safety
    /// `p` is NULL or points at `size` writable bytes.
    pub(super) unsafe fn fresh(
        arrays: &mut Arrays,
        what: &'static str,
        p: *mut T,
        size: usize,
    ) -> Result<Self, Fault> {
        if p.is_null() {
            return Err(Fault::Null { what });
        }
        if !p.is_aligned() {
            return Err(Fault::Misaligned { what, align: align_of::<T>() });
        }
        if size < size_of::<usize>() {
            return Err(Fault::Abi { what, got: size });
        }
        // SAFETY: not NULL, aligned, large enough.
        unsafe {
            p.cast::<usize>().write(size);
            Self::new(arrays, what, p)
        }
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

/// Writes a struct that the caller must want.
///
/// # Safety
/// As [`SizedOut::new`].
pub(super) unsafe fn put<T: Sized>(
    what: &'static str,
    out: *mut T,
    value: T,
) -> Result<stn_status, Fault> {
    if out.is_null() {
        return Err(Fault::Null { what });
    }
    // SAFETY: the promise of this function.
    unsafe { SizedOut::new(&mut Arrays::new(), what, out)?.write(value) };
    Ok(stn_status::STN_OK)
}
