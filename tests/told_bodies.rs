//! Bodies of a model of functions, told by the host: the motion is that of a model that tells none, and arrays that say nothing
//! sensible are refused.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

/// Point masses in three columns of four, each resting on the one below.
const N: usize = 12;
const NV: usize = 3 * N;
const G: f64 = 9.81;

unsafe extern "C-unwind" fn mass(_: f64, _: *const f64, m: *mut f64, _: *mut c_void) -> i32 {
    // SAFETY: NV by NV numbers.
    (0..NV).for_each(|i| unsafe { *m.add(i * (NV + 1)) = 1.0 + (i / 3) as f64 });
    0
}

unsafe extern "C-unwind" fn force(
    _: f64,
    _: *const f64,
    _: *const f64,
    f: *mut f64,
    _: *mut c_void,
) -> i32 {
    // SAFETY: NV numbers.
    (0..N).for_each(|b| unsafe { *f.add(3 * b + 2) = -G * (1 + b) as f64 });
    0
}

/// Each point keeps 1 m of height from the one below, or from the floor, and rubs on it.
unsafe extern "C-unwind" fn contacts(
    _: f64,
    q: *const f64,
    _: f64,
    sink: *mut stn_contact_sink,
    _: *mut c_void,
) -> i32 {
    for b in 0..N {
        let level = b % 4;
        let pairs = 1 + usize::from(level > 0);
        let index: [i32; 6] = std::array::from_fn(|i| (3 * b.saturating_sub(i / 3) + i % 3) as i32);
        let normal = [0.0, 0.0, 1.0, 0.0, 0.0, -1.0];
        let mut tangent = [0.0; 24];
        for (k, (x, y)) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].iter().enumerate() {
            let column = &mut tangent[k * 3 * pairs..(k + 1) * 3 * pairs];
            (column[0], column[1]) = (*x, *y);
            if pairs == 2 {
                (column[3], column[4]) = (-x, -y);
            }
        }
        // SAFETY: as long as the indices say.
        let status = unsafe {
            let height = |b: usize| *q.add(3 * b + 2);
            let below = if level > 0 { height(b - 1) } else { 0.0 };
            let gap = height(b) - below - 1.0;
            let (i, n, t) = (index.as_ptr(), normal.as_ptr(), tangent.as_ptr());
            stn_contact_push_sparse(sink, b as i64, gap, 3 * pairs as i32, i, n, 4, t, 0.3, 0.0)
        };
        assert_eq!(status, STN_OK);
    }
    0
}

fn fns(body: &[i32]) -> stn_model_fns {
    stn_model_fns {
        mass: Some(mass),
        force: Some(force),
        contacts: Some(contacts),
        max_contacts: N as i32,
        body: if body.is_empty() { null() } else { body.as_ptr() },
        n_body: body.len() as i32,
        ..stn_model_fns::default()
    }
}

fn made(fns: &stn_model_fns) -> Result<*mut stn_model, stn_status> {
    let dims = stn_dims { nq: NV as i32, nv: NV as i32, n_dir: 4, ..stn_dims::default() };
    let mut model = null_mut();
    // SAFETY: both structs are whole, and there are no fixed contacts.
    match unsafe { stn_model_create(&dims, fns, null(), null(), null_mut(), &mut model) } {
        STN_OK => Ok(model),
        refused => Err(refused),
    }
}

/// The state after 20 steps of columns of which every point is pushed aside, higher ones faster.
fn moved(body: &[i32]) -> Vec<f64> {
    let model = made(&fns(body)).unwrap();
    let mut stepper = null_mut();
    let mut q: Vec<f64> = vec![0.0; NV];
    let mut v = q.clone();
    for b in 0..N {
        q[3 * b + 2] = 1.0 + (b % 4) as f64;
        v[3 * b] = 0.2 * (b % 4) as f64;
    }
    // SAFETY: handles are ours, arrays have NV numbers.
    unsafe {
        assert_eq!(stn_stepper_create(model, null(), &mut stepper), STN_OK);
        let n = NV as i32;
        assert_eq!(stn_stepper_set_state(stepper, 0.0, q.as_ptr(), n, v.as_ptr(), n), STN_OK);
        for _ in 0..20 {
            let status = stn_stepper_step(stepper, 5e-3);
            assert!(status == STN_OK || status == STN_EVENT, "{status:?}");
        }
        let (q, v) = (q.as_mut_ptr(), v.as_mut_ptr());
        assert_eq!(stn_stepper_get_state(stepper, null_mut(), q, n, v, n), STN_OK);
        stn_stepper_destroy(stepper);
        stn_model_destroy(model);
    }
    q.extend(v);
    q
}

#[test]
fn points_that_are_told_to_be_bodies_move_as_before() {
    let told: Vec<i32> = (0..N as i32).map(|b| 3 * b).collect();
    let (with, without) = (moved(&told), moved(&[]));
    for (a, b) in with.iter().zip(&without) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    // The uppermost one rubs on the next with 0.3 of its weight: 0.6 m/s less 0.3 g t, after 0.1 s.
    let top = with[NV + 9];
    assert!((top - (0.6 - 0.03 * G)).abs() < 1e-9, "{top}");
}

#[test]
fn bodies_that_do_not_ascend_from_the_first_coordinate_are_refused() {
    for wrong in [&[1, 3][..], &[0, 3, 3], &[0, 6, 3], &[0, NV as i32], &[0, -1]] {
        assert_eq!(made(&fns(wrong)).unwrap_err(), STN_ERR_VALUE, "{wrong:?}");
    }
    assert_eq!(made(&stn_model_fns { n_body: 1, ..fns(&[]) }).unwrap_err(), STN_ERR_NULL);
    assert_eq!(made(&stn_model_fns { n_body: -1, ..fns(&[]) }).unwrap_err(), STN_ERR_DIMENSION);
    assert!(made(&stn_model_fns { reserved1: 1, ..fns(&[]) }).is_err());
}
