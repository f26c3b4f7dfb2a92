//! Memory that runs out at any moment of a creation: a status, no handle, nothing kept, nothing released. And after
//! creation: no memory taken at all.
#![allow(unsafe_code)]

#[path = "support/scarce.rs"]
mod scarce;

use scarce::{Scarce, scarcely, taken, with};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

#[global_allocator]
static ALLOCATOR: Scarce = Scarce;

/// The first call of all sets up the net for panics, which stays.
fn warm_up() {
    let mut lcp = null_mut();
    // SAFETY: `lcp` can be written; a handle is destroyed once.
    unsafe {
        assert_eq!(stn_lcp_create(1, &mut lcp), STN_OK);
        stn_lcp_destroy(lcp);
    }
}

unsafe extern "C-unwind" fn mass(_: f64, _: *const f64, m: *mut f64, _: *mut c_void) -> c_int {
    // SAFETY: N by N numbers, as the sizes say.
    (0..N as usize).for_each(|i| unsafe { *m.add(i * (N as usize + 1)) = 1.0 });
    0
}

unsafe extern "C-unwind" fn force(
    _: f64,
    _: *const f64,
    v: *const f64,
    f: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: N numbers each, as the sizes say.
    (0..N as usize).for_each(|i| unsafe { *f.add(i) = -9.81 - 0.1 * *v.add(i) });
    0
}

unsafe extern "C-unwind" fn gap(
    _: f64,
    q: *const f64,
    g: *mut f64,
    n: *mut f64,
    _: *mut c_void,
) -> c_int {
    for i in 0..N as usize {
        // SAFETY: N gaps and N by N numbers, as the sizes say.
        unsafe { (*g.add(i), *n.add(i * (N as usize + 1))) = (*q.add(i), 1.0) };
    }
    0
}

unsafe extern "C-unwind" fn release(user: *mut c_void) {
    // SAFETY: a counter of the test that outlives every model.
    unsafe { &*user.cast::<AtomicI32>() }.fetch_add(1, Ordering::SeqCst);
}

/// Coordinates and contacts.
const N: i32 = 80;

#[test]
fn a_workspace_is_made_in_whole_or_not_at_all() {
    warm_up();
    let failures = scarcely(|| {
        let mut lcp = std::ptr::without_provenance_mut(64);
        // SAFETY: `lcp` can be written; a handle is destroyed once.
        unsafe {
            let status = stn_lcp_create(200, &mut lcp);
            assert_eq!(status == STN_OK, !lcp.is_null());
            stn_lcp_destroy(lcp);
            status
        }
    });
    println!("{failures} faults in a workspace");
    assert!(failures > 5, "{failures} blocks");
}

/// Steps through accumulations of impacts, saves, restores and reads, without taking memory.
///
/// # Safety
/// `s` is a live stepper of the model below.
unsafe fn takes_nothing(s: *mut stn_stepper) {
    let mut q: Vec<f64> = (0..N).map(|i| 0.001 + 0.02 * f64::from(i)).collect();
    let mut v = vec![0.0; N as usize];
    let (mut bytes, mut needed) = (vec![0u8; 100_000], 0);
    // SAFETY: arrays of the sizes stated.
    unsafe {
        assert_eq!(stn_stepper_set_state(s, 0.0, q.as_ptr(), N, v.as_ptr(), N), STN_OK);
        let before = taken();
        for _ in 0..10 {
            assert!(matches!(stn_stepper_step(s, 0.01), STN_OK | STN_EVENT));
            let (q, v) = (q.as_mut_ptr(), v.as_mut_ptr());
            assert_eq!(stn_stepper_get_state(s, null_mut(), q, N, v, N), STN_OK);
        }
        let (p, len) = (bytes.as_mut_ptr().cast(), bytes.len());
        assert_eq!(stn_stepper_save(s, p, len, &mut needed), STN_OK);
        assert_eq!(stn_stepper_restore(s, p, needed), STN_OK);
        assert!(matches!(stn_stepper_advance(s, 0.15, 0.01), STN_OK | STN_EVENT));
        assert_eq!(taken(), before, "blocks taken while stepping");
    }
    assert!(q.iter().all(|q| *q >= -1e-12), "{q:?}");
}

#[test]
fn a_model_and_a_stepper_are_made_in_whole_or_not_at_all() {
    warm_up();
    let released = AtomicI32::new(0);
    let user = std::ptr::from_ref(&released).cast_mut().cast();
    let dims = stn_dims {
        struct_size: size_of::<stn_dims>(),
        nq: N,
        nv: N,
        n_joint: 0,
        n_contact: N,
        n_dir: 0,
        ..stn_dims::default()
    };
    let fns = stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        force: Some(force),
        gap: Some(gap),
        release: Some(release),
        ..stn_model_fns::default()
    };
    let e = [0.5; N as usize];
    let model = || {
        let mut model = std::ptr::without_provenance_mut(64);
        // SAFETY: structs and arrays of the sizes stated.
        let status =
            unsafe { stn_model_create(&dims, &fns, e.as_ptr(), e.as_ptr(), user, &mut model) };
        (status, model)
    };
    // Friction needs directions, so that these coefficients are refused: but memory comes first.
    let failures = scarcely(|| {
        let (status, model) = model();
        assert!(model.is_null());
        if status == STN_ERR_VALUE { STN_OK } else { status }
    });
    println!("{failures} faults in a model");
    assert_eq!(failures, 3, "the handle, and both arrays of coefficients");
    assert_eq!(released.load(Ordering::SeqCst), 0, "a model that never was is not released");

    let mut model = null_mut();
    // SAFETY: as above.
    let status =
        unsafe { stn_model_create(&dims, &fns, std::ptr::null(), e.as_ptr(), user, &mut model) };
    assert_eq!(status, STN_OK);
    let failures = scarcely(|| {
        let mut s = std::ptr::without_provenance_mut(64);
        // SAFETY: a live model, `s` can be written; a handle is destroyed once.
        unsafe {
            let status = stn_stepper_create(model, std::ptr::null(), &mut s);
            assert_eq!(status == STN_OK, !s.is_null());
            if status == STN_OK {
                with(None, || takes_nothing(s)); // the test itself needs memory
            }
            stn_stepper_destroy(s);
            status
        }
    });
    println!("{failures} faults in a stepper");
    assert!(failures > 30, "{failures} blocks");
    assert_eq!(released.load(Ordering::SeqCst), 0, "the model lives");
    // SAFETY: ours, once.
    unsafe { stn_model_destroy(model) };
    assert_eq!(released.load(Ordering::SeqCst), 1);

    // Room for the handle is taken before there is a model to release.
    let dims = stn_dims { n_contact: 0, ..dims };
    let failures = scarcely(|| {
        let mut model = std::ptr::without_provenance_mut(64);
        // SAFETY: as above.
        let status = unsafe {
            stn_model_create(&dims, &fns, std::ptr::null(), std::ptr::null(), user, &mut model)
        };
        assert_eq!(status == STN_OK, !model.is_null());
        if status == STN_ERR_MEMORY {
            assert_eq!(
                released.load(Ordering::SeqCst),
                1,
                "a model that never was is not released"
            );
        }
        // SAFETY: ours, once; NULL is allowed.
        unsafe { stn_model_destroy(model) };
        status
    });
    println!("{failures} faults in a model without contacts");
    assert_eq!(failures, 2, "the handle, and what it shares with steppers");
    assert_eq!(released.load(Ordering::SeqCst), 2);
}

#[test]
fn a_passive_model_and_its_stepper_are_made_in_whole_or_not_at_all() {
    warm_up();
    let dims = stn_dims {
        struct_size: size_of::<stn_dims>(),
        nq: N,
        nv: N,
        n_contact: N,
        ..stn_dims::default()
    };
    let e = [0.5; N as usize];
    let create = || {
        let mut model = std::ptr::without_provenance_mut(64);
        // SAFETY: structs and arrays of the sizes stated.
        let status =
            unsafe { stn_passive_create(&dims, 1, 0, 4, std::ptr::null(), e.as_ptr(), &mut model) };
        assert_eq!(status == STN_OK, !model.is_null());
        (status, model)
    };
    let failures = scarcely(|| {
        let (status, model) = create();
        // SAFETY: ours, once; NULL is allowed.
        unsafe { stn_model_destroy(model) };
        status
    });
    println!("{failures} faults in a passive model");
    assert!(failures > 2, "{failures} blocks");
    let (_, model) = create();
    let failures = scarcely(|| {
        let mut s = std::ptr::without_provenance_mut(64);
        // SAFETY: a live model, `s` can be written; a handle is destroyed once.
        unsafe {
            let status = stn_stepper_create(model, std::ptr::null(), &mut s);
            assert_eq!(status == STN_OK, !s.is_null());
            stn_stepper_destroy(s);
            status
        }
    });
    println!("{failures} faults in a stepper of it");
    assert!(failures > 30, "{failures} blocks");
    // SAFETY: ours, once.
    unsafe { stn_model_destroy(model) };
}
