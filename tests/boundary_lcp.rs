//! The calls that steer and question a workspace, given everything wrong: options, progress, basis, ray. And
//! the host's own function calling back into the handle that calls it.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

#[track_caller]
fn fails(status: stn_status, expected: stn_status, text: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(last_error().contains(text), "{:?} should say {text:?}", last_error());
}

/// A workspace that goes away by itself.
struct Work(*mut stn_lcp);

impl Work {
    fn new(n_max: i32) -> Self {
        let mut lcp = null_mut();
        // SAFETY: `lcp` can be written.
        assert_eq!(unsafe { stn_lcp_create(n_max, &mut lcp) }, STN_OK);
        Self(lcp)
    }

    /// w = diag(d) z + q.
    fn diagonal<const N: usize>(&self, d: f64, q: [f64; N]) -> (stn_status, [f64; N]) {
        let mut m = vec![0.0; N * N];
        (0..N).for_each(|i| m[i * N + i] = d);
        let mut z = [UNTOUCHED; N];
        let n = N as i32;
        // SAFETY: every array has the length its count says.
        let status = unsafe {
            stn_lcp_solve(
                self.0,
                n,
                m.as_ptr(),
                n,
                q.as_ptr(),
                z.as_mut_ptr(),
                null_mut(),
                null_mut(),
            )
        };
        (status, z)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // SAFETY: ours, once.
        unsafe { stn_lcp_destroy(self.0) }
    }
}

const UNTOUCHED: f64 = -7.5;

fn options() -> stn_lcp_options {
    // SAFETY: all members are numbers.
    let mut opt: stn_lcp_options = unsafe { std::mem::zeroed() };
    // SAFETY: `opt` has the size stated.
    assert_eq!(unsafe { stn_lcp_options_init(&mut opt, size_of::<stn_lcp_options>()) }, STN_OK);
    opt
}

#[test]
fn options_are_filled_up_to_the_callers_size() {
    let full = size_of::<stn_lcp_options>();
    for size in (0..full + 8).chain([usize::MAX]) {
        let mut room = [0xA5A5_A5A5_A5A5_A5A5u64; 8];
        // SAFETY: the library writes at most what it knows, and `room` is larger than that.
        let status = unsafe { stn_lcp_options_init(room.as_mut_ptr().cast(), size) };
        let bytes: Vec<u8> = room.iter().flat_map(|x| x.to_ne_bytes()).collect();
        if size < size_of::<usize>() {
            fails(status, STN_ERR_ABI, &format!("opt.struct_size is {size}"));
            assert!(bytes.iter().all(|&b| b == 0xA5), "size {size}");
            continue;
        }
        assert_eq!(status, STN_OK);
        assert_eq!(room[0] as usize, size, "struct_size is what the caller said");
        let beyond = size.min(full);
        assert!(bytes[beyond..].iter().all(|&b| b == 0xA5), "size {size}");
    }
    // SAFETY: NULL and a misaligned address are refused.
    unsafe {
        fails(stn_lcp_options_init(null_mut(), full), STN_ERR_NULL, "opt is NULL");
        let mut room = [0u64; 8];
        let between = room.as_mut_ptr().cast::<u8>().add(1).cast();
        fails(stn_lcp_options_init(between, full), STN_ERR_VALUE, "opt is at an address");
        assert_eq!(room, [0; 8]);
    }
}

#[test]
fn options_that_make_no_sense_change_nothing() {
    let work = Work::new(2);
    let good = options();
    let cases: [(stn_lcp_options, stn_status, &str); 12] = [
        (stn_lcp_options { max_pivots: -1, ..good }, STN_ERR_DIMENSION, "max_pivots is -1"),
        (stn_lcp_options { engine: 3, ..good }, STN_ERR_VALUE, "engine is 3"),
        (stn_lcp_options { engine: -1, ..good }, STN_ERR_VALUE, "engine is -1"),
        (stn_lcp_options { warm: 2, ..good }, STN_ERR_VALUE, "warm is 2"),
        (stn_lcp_options { tolerance: 0.0, ..good }, STN_ERR_VALUE, "tolerance is 0"),
        (stn_lcp_options { tolerance: 1e300, ..good }, STN_ERR_VALUE, "is 1e300, must be > 0 and"),
        (stn_lcp_options { tolerance: -1e-9, ..good }, STN_ERR_VALUE, "tolerance is -"),
        (stn_lcp_options { tolerance: f64::NAN, ..good }, STN_ERR_NONFINITE, "is NaN"),
        (stn_lcp_options { tolerance: f64::INFINITY, ..good }, STN_ERR_NONFINITE, "is inf"),
        (stn_lcp_options { struct_size: 0, ..good }, STN_ERR_ABI, "opt.struct_size is 0"),
        (stn_lcp_options { struct_size: 7, ..good }, STN_ERR_ABI, "opt.struct_size is 7"),
        (stn_lcp_options { struct_size: 16, engine: 9, ..good }, STN_ERR_VALUE, "engine is 9"),
    ];
    // SAFETY: live handle, live structs, or NULL.
    unsafe {
        for (opt, status, text) in &cases {
            fails(stn_lcp_set_options(work.0, opt), *status, text);
            assert_eq!(work.diagonal(2.0, [-4.0, 1.0]), (STN_OK, [2.0, 0.0]));
        }
        fails(stn_lcp_set_options(null_mut(), &good), STN_ERR_NULL, "lcp is NULL");
        // A short struct states only what it has; the rest of this one would be refused.
        let short = stn_lcp_options { struct_size: 8, engine: 9, tolerance: -1.0, ..good };
        assert_eq!(stn_lcp_set_options(work.0, &short), STN_OK);
        let long = stn_lcp_options { struct_size: usize::MAX, ..good };
        assert_eq!(stn_lcp_set_options(work.0, &long), STN_OK);
        assert_eq!(stn_lcp_set_options(work.0, null()), STN_OK);
        let between = (&raw const cases[0].0).cast::<u8>().add(1).cast();
        fails(stn_lcp_set_options(work.0, between), STN_ERR_VALUE, "opt is at an address");
    }
}

#[test]
fn a_basis_is_read_into_enough_room_or_not_at_all() {
    let work = Work::new(3);
    let keys = [10i64, 20, 30];
    let (mut basis, mut needed) = ([-1i64; 4], -5);
    let lcp = work.0;
    // SAFETY: every array has the length its count says, or the call is refused before it is used.
    unsafe {
        let (k, b, n) = (keys.as_ptr(), basis.as_mut_ptr(), &raw mut needed);
        fails(stn_lcp_get_basis(lcp, 3, k, b, 4, n), STN_ERR_DIMENSION, "keys is 3");
        assert_eq!(work.diagonal(2.0, [-4.0, 1.0, -2.0]).0, STN_OK);
        fails(stn_lcp_get_basis(null(), 3, k, b, 4, n), STN_ERR_NULL, "lcp is NULL");
        fails(stn_lcp_get_basis(lcp, 3, null(), b, 4, n), STN_ERR_NULL, "keys is NULL");
        fails(stn_lcp_get_basis(lcp, 3, k, null_mut(), 4, n), STN_ERR_NULL, "basis is NULL");
        fails(stn_lcp_get_basis(lcp, 3, k, b, 4, null_mut()), STN_ERR_NULL, "needed is NULL");
        fails(stn_lcp_get_basis(lcp, -1, k, b, 4, n), STN_ERR_DIMENSION, "n is -1");
        fails(stn_lcp_get_basis(lcp, 3, k, b, -1, n), STN_ERR_DIMENSION, "cap is -1");
        fails(stn_lcp_get_basis(lcp, 2, k, b, 4, n), STN_ERR_DIMENSION, "keys is 2, expected 3");
        fails(stn_lcp_get_basis(lcp, 0, k, b, 4, n), STN_ERR_DIMENSION, "is 0");
        fails(stn_lcp_get_basis(lcp, 3, k, k.cast_mut(), 3, n), STN_ERR_VALUE, "overlap");
        fails(stn_lcp_get_basis(lcp, 3, k, b, 4, b.cast()), STN_ERR_VALUE, "overlap");
        // By its number, before as many keys are read or stored.
        fails(stn_lcp_set_basis(lcp, i32::MAX, k, k, i32::MAX), STN_ERR_CAPACITY, "2147483647");
        let between = k.cast::<u8>().add(1).cast();
        fails(stn_lcp_get_basis(lcp, 2, between, b, 4, n), STN_ERR_VALUE, "keys is at an address");
        assert_eq!((basis, needed), ([-1; 4], -5));
        fails(
            stn_lcp_get_basis(lcp, 3, k, basis.as_mut_ptr(), 1, &mut needed),
            STN_ERR_CAPACITY,
            "basis needs 2",
        );
        assert_eq!((basis, needed), ([-1; 4], 2));
        needed = -5;
        assert_eq!(stn_lcp_get_basis(lcp, 3, k, null_mut(), 0, &mut needed), STN_OK);
        assert_eq!(needed, 2);
        assert_eq!(stn_lcp_get_basis(lcp, 3, k, basis.as_mut_ptr(), 4, &mut needed), STN_OK);
        assert_eq!((basis, needed), ([10, 30, -1, -1], 2));
    }
}

#[test]
fn a_basis_that_makes_no_sense_is_refused() {
    let work = Work::new(3);
    let (keys, twice) = ([10i64, 20, 30], [10i64, 20, 10]);
    // SAFETY: every array has the length its count says, or the call is refused before it is used.
    unsafe {
        let (lcp, k) = (work.0, keys.as_ptr());
        fails(stn_lcp_set_basis(null_mut(), 3, k, k, 3), STN_ERR_NULL, "lcp is NULL");
        fails(stn_lcp_set_basis(lcp, 3, null(), k, 3), STN_ERR_NULL, "keys is NULL");
        fails(stn_lcp_set_basis(lcp, 3, k, null(), 3), STN_ERR_NULL, "basis is NULL");
        fails(stn_lcp_set_basis(lcp, -1, k, k, 3), STN_ERR_DIMENSION, "n is -1");
        fails(stn_lcp_set_basis(lcp, 3, k, k, -1), STN_ERR_DIMENSION, "n_basis is -1");
        let four = [1i64, 2, 3, 4];
        fails(stn_lcp_set_basis(lcp, 4, four.as_ptr(), k, 3), STN_ERR_CAPACITY, "4");
        let between = k.cast::<u8>().add(1).cast();
        fails(stn_lcp_set_basis(lcp, 2, between, k, 2), STN_ERR_VALUE, "keys is at an address");
        // Keys that occur twice or belong to nobody may slow a solve down, never spoil it.
        for (keys, basis) in [(twice, keys), (keys, twice), (keys, [7, 8, 9])] {
            let status = stn_lcp_set_basis(lcp, 3, keys.as_ptr(), basis.as_ptr(), 3);
            assert!(status == STN_OK || (status as i32) < 0);
            assert_eq!(work.diagonal(2.0, [-4.0, 1.0, -2.0]), (STN_OK, [2.0, 0.0, 1.0]));
        }
        assert_eq!(stn_lcp_set_basis(lcp, 0, null(), null(), 0), STN_OK);
        assert_eq!(work.diagonal(2.0, [-4.0, 1.0, -2.0]), (STN_OK, [2.0, 0.0, 1.0]));
    }
}

#[test]
fn a_ray_is_read_only_after_a_ray() {
    let work = Work::new(2);
    let (mut z, mut w, mut no) = ([UNTOUCHED; 2], [UNTOUCHED; 2], -5);
    // SAFETY: every array has the length its count says, or the call is refused before it is used.
    unsafe {
        let (zp, wp) = (z.as_mut_ptr(), w.as_mut_ptr());
        let np = &raw mut no;
        fails(stn_lcp_get_ray(work.0, 2, zp, wp, np), STN_ERR_DIMENSION, "ray");
        assert_eq!(work.diagonal(2.0, [-4.0, 1.0]).0, STN_OK);
        fails(stn_lcp_get_ray(work.0, 2, zp, wp, np), STN_ERR_DIMENSION, "ray");
        // w = -z - 1 has no solution.
        assert_eq!(work.diagonal(-1.0, [-1.0, -1.0]), (STN_ERR_LCP_RAY, [UNTOUCHED; 2]));
        fails(stn_lcp_get_ray(null(), 2, zp, wp, np), STN_ERR_NULL, "lcp is NULL");
        fails(stn_lcp_get_ray(work.0, -2, zp, wp, np), STN_ERR_DIMENSION, "n is -2");
        fails(stn_lcp_get_ray(work.0, 1, zp, wp, np), STN_ERR_DIMENSION, "n is 1, expected 2");
        fails(
            stn_lcp_get_ray(work.0, i32::MAX, null_mut(), null_mut(), np),
            STN_ERR_DIMENSION,
            "n is",
        );
        fails(stn_lcp_get_ray(work.0, 2, zp, zp.add(1), np), STN_ERR_VALUE, "overlap");
        fails(stn_lcp_get_ray(work.0, 2, zp, wp, zp.cast()), STN_ERR_VALUE, "overlap");
        let between = zp.cast::<u8>().add(1).cast();
        fails(stn_lcp_get_ray(work.0, 2, between, wp, np), STN_ERR_VALUE, "z is at an address");
        assert_eq!((z, w, no), ([UNTOUCHED; 2], [UNTOUCHED; 2], -5));
        assert_eq!(stn_lcp_get_ray(work.0, 2, null_mut(), null_mut(), null_mut()), STN_OK);
        assert_eq!(stn_lcp_get_ray(work.0, 2, z.as_mut_ptr(), w.as_mut_ptr(), &mut no), STN_OK);
        assert!(z.iter().chain(&w).all(|x| *x >= 0.0 && x.is_finite()), "{z:?} {w:?}");
        assert_eq!(no, 1, "M z + q is negative for every z >= 0");
    }
}

/// What the host's function saw, and what it tried.
struct Seen {
    lcp: *mut stn_lcp,
    calls: i32,
    answer: c_int,
    inside: Vec<stn_status>,
}

unsafe extern "C-unwind" fn meddle(_pivots: i64, _artificial: f64, user: *mut c_void) -> c_int {
    // SAFETY: `user` is the `Seen` of the test, which nobody else uses meanwhile.
    let seen = unsafe { &mut *user.cast::<Seen>() };
    seen.calls += 1;
    let (mut z, mut needed) = (UNTOUCHED, 0);
    // SAFETY: one number each; the handle lives, and is in use.
    unsafe {
        stn_lcp_destroy(seen.lcp);
        seen.inside.extend([
            stn_lcp_solve(seen.lcp, 1, &1.0, 1, &-1.0, &mut z, null_mut(), null_mut()),
            stn_lcp_set_options(seen.lcp, null()),
            stn_lcp_set_progress(seen.lcp, None, null_mut()),
            stn_lcp_get_basis(seen.lcp, 0, null(), null_mut(), 0, &mut needed),
            stn_lcp_get_ray(seen.lcp, 0, null_mut(), null_mut(), null_mut()),
        ]);
    }
    assert_eq!(z, UNTOUCHED);
    seen.answer
}

/// Solves the exponential family of Murty on `lcp`: M has 1 on its diagonal and 2 above,
/// q_i = 2^(i+1) - 2^(n+1); the answer is z = 2^n e_n, hundreds of pivots away.
fn long_way(lcp: *mut stn_lcp) -> (stn_status, Vec<f64>) {
    const N: usize = 9;
    let mut m = vec![0.0; N * N];
    for j in 0..N {
        m[j + j * N] = 1.0;
        (0..j).for_each(|i| m[i + j * N] = 2.0);
    }
    let q: [f64; N] = std::array::from_fn(|i| f64::from((2 << i) - (2 << N)));
    let mut z = vec![UNTOUCHED; N];
    let n = N as i32;
    // SAFETY: every array has the length its count says.
    let status = unsafe {
        stn_lcp_solve(lcp, n, m.as_ptr(), n, q.as_ptr(), z.as_mut_ptr(), null_mut(), null_mut())
    };
    (status, z)
}

#[test]
fn a_handle_is_busy_for_the_function_it_calls() {
    let work = Work::new(9);
    let mut seen = Seen { lcp: work.0, calls: 0, answer: 0, inside: Vec::new() };
    // SAFETY: `seen` lives until the function is taken away again.
    unsafe {
        let user = (&raw mut seen).cast();
        fails(stn_lcp_set_progress(null_mut(), Some(meddle), user), STN_ERR_NULL, "lcp is NULL");
        assert_eq!(stn_lcp_set_progress(work.0, Some(meddle), user), STN_OK);
        let (status, z) = long_way(work.0);
        assert_eq!(status, STN_OK);
        assert_eq!(z[8], 512.0);
        assert!(seen.calls > 0, "the path was too short to be told about");
        assert!(seen.inside.iter().all(|s| *s == STN_ERR_BUSY), "{:?}", seen.inside);
        // A function that stops the solve, and a workspace that works again without it.
        seen.answer = -3;
        assert_eq!(stn_lcp_set_options(work.0, &stn_lcp_options { warm: 0, ..options() }), STN_OK);
        let (status, z) = long_way(work.0);
        fails(status, STN_ERR_CALLBACK, "-3");
        assert!(z.iter().all(|x| *x == UNTOUCHED));
        assert_eq!(stn_lcp_set_progress(work.0, None, null_mut()), STN_OK);
        assert_eq!(long_way(work.0).0, STN_OK);
    }
}
