//! The only place where a pointer becomes a slice or a reference. Every array of a call is checked
//! for NULL, alignment and size, then all together for overlap, before any of them is touched.

use super::status::Fault;
use crate::error::{Error, told};
use crate::linalg::MatRef;
use std::marker::PhantomData;
use std::sync::Arc;

/// A count or index from C.
pub(super) fn count(what: &'static str, n: i32) -> Result<usize, Fault> {
    usize::try_from(n).map_err(|_| Fault::Negative { what, got: n })
}

fn checked<T>(what: &'static str, p: *const T) -> Result<(), Fault> {
    if p.is_null() {
        return Err(Fault::Null { what });
    }
    if !p.is_aligned() {
        return Err(Fault::Misaligned { what, align: align_of::<T>() });
    }
    Ok(())
}

/// # Safety
/// `p` is NULL or points at a live `T` that nobody changes while the reference lives.
pub(super) unsafe fn reference<'a, T>(what: &'static str, p: *const T) -> Result<&'a T, Fault> {
    checked(what, p)?;
    // SAFETY: not NULL, aligned, live by the promise of this function.
    Ok(unsafe { &*p })
}

/// # Safety
/// `p` is NULL or points at a live `T` that nobody else uses while the reference lives.
pub(super) unsafe fn reference_mut<'a, T>(
    what: &'static str,
    p: *mut T,
) -> Result<&'a mut T, Fault> {
    checked(what, p)?;
    // SAFETY: not NULL, aligned, ours alone by the promise of this function.
    Ok(unsafe { &mut *p })
}

/// # Safety
/// `p` is NULL with `len` 0, or points at `len` readable bytes.
pub(super) unsafe fn bytes<'a>(p: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: the promise of this function.
    if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(p, len) } }
}

/// # Safety
/// `p` is NULL with `len` 0, or points at `len` writable bytes that nobody else uses.
pub(super) unsafe fn bytes_mut<'a>(p: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: the promise of this function.
    if len == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(p, len) } }
}

/// Room on the heap for one `T` that C will hold. Unlike `Box::new` it does not abort without
/// memory; taken first, it lets nothing fail once the value is there.
pub(super) fn room<T>() -> Result<Vec<T>, Fault> {
    Ok(crate::error::reserve(1)?)
}

/// Moves `value` into its room for C to hold.
pub(super) fn boxed<T>(mut room: Vec<T>, value: T) -> *mut T {
    room.push(value);
    Box::into_raw(room.into_boxed_slice()).cast()
}

/// A counted pointer to what `make` gives, which is asked once there is room. The language has no way
/// to ask for such a pointer that may fail: as much memory is asked for and given back right before,
/// and only another thread can take it in between.
pub(super) fn counted<T>(make: impl FnOnce() -> T) -> Result<Arc<T>, Fault> {
    // Unseen, so that it is not taken for a question without consequence.
    drop(std::hint::black_box(room::<([usize; 2], T)>()?));
    Ok(Arc::new(make()))
}

/// Frees what [`boxed`] made.
///
/// # Safety
/// `p` came from [`boxed`] and is not used again.
pub(super) unsafe fn unbox<T>(p: *mut T) {
    // SAFETY: `boxed` made a boxed slice of one element at this address.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(p, 1)) });
}

/// An array of a call that passed its checks but is not borrowed yet.
#[derive(Clone, Copy)]
pub(super) struct In<'a, T = f64> {
    p: *const T,
    len: usize,
    of_call: PhantomData<&'a [T]>,
}

impl<'a, T> In<'a, T> {
    /// # Safety
    /// The caller of the library promised `len` readable numbers; [`Arrays::disjoint`] has passed.
    pub(super) unsafe fn get(self) -> &'a [T] {
        // SAFETY: checked non-NULL and aligned by `Arrays`, length by the promise above.
        if self.len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.p, self.len) } }
    }
}

/// An output array of a call that passed its checks but is not borrowed yet.
pub(super) struct Out<'a, T = f64> {
    p: *mut T,
    len: usize,
    of_call: PhantomData<&'a mut [T]>,
}

impl<'a, T> Out<'a, T> {
    /// # Safety
    /// The caller of the library promised `len` writable numbers; [`Arrays::disjoint`] has passed.
    pub(super) unsafe fn get(self) -> &'a mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: checked non-NULL, aligned and overlapping nothing by `Arrays`, length by the promise above.
        unsafe { std::slice::from_raw_parts_mut(self.p, self.len) }
    }
}

/// A column-major input matrix of a call that passed its checks but is not borrowed yet.
#[derive(Clone, Copy)]
pub(super) struct InMatrix<'a> {
    what: &'static str,
    data: In<'a>,
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<'a> InMatrix<'a> {
    /// # Safety
    /// As [`In::get`].
    pub(super) unsafe fn get(self) -> Result<MatRef<'a>, Fault> {
        // SAFETY: the promise of this function.
        let data = unsafe { self.data.get() };
        Ok(MatRef::new(self.what, data, self.rows, self.cols, self.ld)?)
    }
}

/// A stretch of the caller's memory.
#[derive(Clone, Copy)]
struct Region {
    what: &'static str,
    start: usize,
    bytes: usize,
    written: bool,
}

/// The arrays of one call.
pub(super) struct Arrays {
    regions: [Region; Arrays::MOST],
    used: usize,
}

impl Arrays {
    /// No exported function has more arrays than this.
    const MOST: usize = 24;

    pub(super) fn new() -> Self {
        let none = Region { what: "", start: 0, bytes: 0, written: false };
        Self { regions: [none; Self::MOST], used: 0 }
    }

    /// Enters a stretch of `len` elements; false when it is empty and needs no memory.
    fn enter<T>(
        &mut self,
        what: &'static str,
        p: *const T,
        len: usize,
        written: bool,
    ) -> Result<bool, Fault> {
        if len == 0 {
            return Ok(false);
        }
        checked(what, p)?;
        let too_large = || Error::Dimension {
            what,
            got: i64::try_from(len).unwrap_or(i64::MAX),
            expected: "an array that fits into memory".into(),
        };
        let bytes = len
            .checked_mul(size_of::<T>())
            .filter(|&b| isize::try_from(b).is_ok() && p.addr().checked_add(b).is_some())
            .ok_or_else(too_large)?;
        let region = Region { what, start: p.addr(), bytes, written };
        *self.regions.get_mut(self.used).ok_or_else(too_large)? = region;
        self.used += 1;
        Ok(true)
    }

    /// An input of `len` numbers; NULL is fine when `len` is 0.
    pub(super) fn input<'a, T>(
        &mut self,
        what: &'static str,
        p: *const T,
        len: usize,
    ) -> Result<In<'a, T>, Fault> {
        let len = if self.enter(what, p, len, false)? { len } else { 0 };
        Ok(In { p, len, of_call: PhantomData })
    }

    /// An input matrix with leading dimension `ld`; NULL is fine when it has no entries.
    pub(super) fn matrix<'a>(
        &mut self,
        what: &'static str,
        p: *const f64,
        (rows, cols): (usize, usize),
        ld: usize,
    ) -> Result<InMatrix<'a>, Fault> {
        if ld < rows {
            // Only a distance that the caller states can be wrong; every such argument has this name.
            let expected = told(format_args!("at least {rows}"));
            return Err(Error::Dimension { what: "ldm", got: ld as i64, expected }.into());
        }
        let len = MatRef::span(rows, cols, ld).unwrap_or(usize::MAX);
        Ok(InMatrix { what, data: self.input(what, p, len)?, rows, cols, ld })
    }

    /// An input of `len` numbers that stands for none when it is NULL.
    pub(super) fn input_or_none<'a, T>(
        &mut self,
        what: &'static str,
        p: *const T,
        len: usize,
    ) -> Result<In<'a, T>, Fault> {
        self.input(what, p, if p.is_null() { 0 } else { len })
    }

    /// An input matrix without gaps that the caller may leave out.
    pub(super) fn matrix_or_none<'a>(
        &mut self,
        what: &'static str,
        p: *const f64,
        (rows, cols): (usize, usize),
    ) -> Result<Option<InMatrix<'a>>, Fault> {
        if p.is_null() { Ok(None) } else { self.matrix(what, p, (rows, cols), rows).map(Some) }
    }

    /// An output of `len` numbers; NULL is fine when `len` is 0.
    pub(super) fn output<'a, T>(
        &mut self,
        what: &'static str,
        p: *mut T,
        len: usize,
    ) -> Result<Out<'a, T>, Fault> {
        let len = if self.enter(what, p.cast_const(), len, true)? { len } else { 0 };
        Ok(Out { p, len, of_call: PhantomData })
    }

    /// An output of `len` numbers the caller may not want.
    pub(super) fn wanted<'a, T>(
        &mut self,
        what: &'static str,
        p: *mut T,
        len: usize,
    ) -> Result<Option<Out<'a, T>>, Fault> {
        if p.is_null() { Ok(None) } else { self.output(what, p, len).map(Some) }
    }

    /// A stretch of bytes that the call writes: a struct, whose size the caller states.
    pub(super) fn bytes(
        &mut self,
        what: &'static str,
        p: *mut u8,
        len: usize,
    ) -> Result<(), Fault> {
        self.enter(what, p.cast_const(), len, true).map(|_| ())
    }

    /// Refuses outputs that overlap inputs or each other.
    pub(super) fn disjoint(&self) -> Result<(), Fault> {
        let regions = &self.regions[..self.used];
        for (i, a) in regions.iter().enumerate() {
            for b in &regions[..i] {
                let apart = a.start >= b.start + b.bytes || b.start >= a.start + a.bytes;
                if (a.written || b.written) && !apart {
                    return Err(Fault::Overlap { first: b.what, second: a.what });
                }
            }
        }
        Ok(())
    }
}
