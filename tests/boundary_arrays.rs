//! The step on plain arrays and the check of a model, given everything wrong, one thing at a time.
#![allow(unsafe_code)]

use std::cell::Cell;
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

/// Names of the inputs of a step, in the order of the call; those from `OPTIONAL` on may be left out.
const INPUTS: [&str; 15] = [
    "mass",
    "force_start",
    "force_end",
    "v",
    "joint",
    "normal",
    "tangent",
    "mu",
    "dfdq",
    "dfdv",
    "joint_row",
    "normal_row",
    "tangent_row",
    "joint_offset",
    "normal_offset",
];
const OPTIONAL: usize = 8;

/// A block of 1 kg on the floor, held to a rail along x: two velocities, one joint, one rough contact.
struct Call {
    inputs: [Vec<f64>; 15],
    given: [bool; 15],
    sizes: [i32; 4],
    h: f64,
    v_plus: Vec<f64>,
    impulses: [Vec<f64>; 3],
}

impl Call {
    fn good() -> Self {
        let slip = vec![1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
        let (rail, up) = (vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 0.0]);
        let mut mass = vec![0.0; 9];
        (mass[0], mass[4], mass[8]) = (1.0, 1.0, 1.0);
        let none = vec![0.0; 9];
        let inputs = [
            mass,
            vec![0.0, -9.81, 0.0],
            vec![0.0, -9.81, 0.0],
            vec![1.0, 0.0, 0.0],
            rail.clone(),
            up.clone(),
            slip.clone(),
            vec![0.5],
            none.clone(),
            none,
            rail,
            up,
            slip,
            vec![0.0],
            vec![0.0],
        ];
        Self {
            inputs,
            given: [true; 15],
            sizes: [3, 1, 1, 2],
            h: 0.01,
            v_plus: vec![7.0; 3],
            impulses: [vec![7.0], vec![7.0], vec![7.0; 2]],
        }
    }

    fn run(&mut self, lcp: *mut stn_lcp) -> stn_status {
        let p = |i: usize| if self.given[i] { self.inputs[i].as_ptr() } else { null() };
        let [nv, nj, nc, nd] = self.sizes;
        let [cj, cn, beta] = &mut self.impulses;
        // SAFETY: every array has the size of the good call; larger sizes are refused before they are used.
        unsafe {
            stn_trapezoid_solve(
                lcp,
                nv,
                nj,
                nc,
                nd,
                self.h,
                p(0),
                p(1),
                p(2),
                p(8),
                p(9),
                p(3),
                p(4),
                p(5),
                p(6),
                p(10),
                p(11),
                p(12),
                p(13),
                p(14),
                p(7),
                self.v_plus.as_mut_ptr(),
                cj.as_mut_ptr(),
                cn.as_mut_ptr(),
                beta.as_mut_ptr(),
                null_mut(),
            )
        }
    }

    /// Runs the call, which must fail so and leave its outputs alone.
    #[track_caller]
    fn fails(mut self, lcp: *mut stn_lcp, status: stn_status, text: &str) {
        assert_eq!(self.run(lcp), status, "{}", last_error());
        assert!(last_error().contains(text), "{:?} should say {text:?}", last_error());
        assert!(self.v_plus.iter().chain(self.impulses.iter().flatten()).all(|&x| x == 7.0));
    }
}

fn work() -> *mut stn_lcp {
    let mut lcp = null_mut();
    // SAFETY: `lcp` can be written.
    assert_eq!(unsafe { stn_lcp_create(4, &mut lcp) }, STN_OK);
    lcp
}

#[test]
fn a_good_step_slows_the_block_by_friction() {
    let lcp = work();
    let mut call = Call::good();
    assert_eq!(call.run(lcp), STN_OK, "{}", last_error());
    // v - mu g h, pressed with m g h.
    assert!((call.v_plus[0] - (1.0 - 0.5 * 0.0981)).abs() < 1e-14, "{:?}", call.v_plus);
    assert!((call.impulses[1][0] - 0.0981).abs() < 1e-14);
    // What may be left out gives the same when it is.
    let mut bare = Call::good();
    bare.given[OPTIONAL..].fill(false);
    assert_eq!(bare.run(lcp), STN_OK, "{}", last_error());
    for (a, b) in bare.v_plus.iter().zip(&call.v_plus) {
        assert!((a - b).abs() < 1e-15, "{:?} {:?}", bare.v_plus, call.v_plus);
    }
    // SAFETY: made above, destroyed once.
    unsafe { stn_lcp_destroy(lcp) };
}

#[test]
fn every_wrong_argument_of_a_step_is_named_and_changes_nothing() {
    let lcp = work();
    for (i, name) in INPUTS.iter().enumerate() {
        if i < OPTIONAL {
            let mut call = Call::good();
            call.given[i] = false;
            call.fails(lcp, STN_ERR_NULL, &format!("{name} is NULL"));
        }
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut call = Call::good();
            *call.inputs[i].last_mut().unwrap() = bad;
            // Rows and offsets are named after what they belong to.
            let root = name.split('_').next().unwrap();
            let text = if i >= 10 { root.to_string() } else { format!("{name}[") };
            call.fails(lcp, STN_ERR_NONFINITE, &text);
        }
    }
    for (i, name) in ["nv", "n_joint", "n_contact", "n_dir"].iter().enumerate() {
        for (size, status) in [(-1, STN_ERR_DIMENSION), (i32::MAX, STN_ERR_CAPACITY)] {
            let mut call = Call::good();
            call.sizes[i] = size;
            call.fails(lcp, status, if size < 0 { name } else { "there is room for 4" });
        }
    }
    for (h, status) in [
        (0.0, STN_ERR_VALUE),
        (-1.0, STN_ERR_VALUE),
        (f64::NAN, STN_ERR_NONFINITE),
        (f64::INFINITY, STN_ERR_NONFINITE),
    ] {
        Call { h, ..Call::good() }.fails(lcp, status, "h");
    }
    let mut call = Call::good();
    call.inputs[0][0] = 0.0;
    call.fails(lcp, STN_ERR_SINGULAR, "mass is not positive definite");
    let mut call = Call::good();
    call.inputs[7][0] = -0.1;
    call.fails(lcp, STN_ERR_VALUE, "mu[0] is -0.1");
    // SAFETY: NULL is refused, made above, destroyed once.
    unsafe {
        assert_eq!(Call::good().run(null_mut()), STN_ERR_NULL);
        stn_lcp_destroy(lcp);
    }
}

unsafe extern "C-unwind" fn mass(_: f64, _: *const f64, mass: *mut f64, _: *mut c_void) -> c_int {
    // SAFETY: the library gives one number.
    unsafe { *mass = 2.0 };
    0
}

unsafe extern "C-unwind" fn force(
    _: f64,
    q: *const f64,
    _: *const f64,
    force: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the library gives one number each; `user` is NULL or a code to return.
    unsafe {
        *force = -3.0 * *q;
        if user.is_null() { 0 } else { *user.cast::<c_int>() }
    }
}

unsafe extern "C-unwind" fn wrong_jacobian(
    _: f64,
    _: *const f64,
    _: *const f64,
    dfdq: *mut f64,
    _: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the library gives one number. The right one is -3.
    unsafe { *dfdq = -4.0 };
    0
}

fn spring(force_jac: stn_force_jac_fn, code: &Cell<c_int>) -> *mut stn_model {
    let dims = stn_dims {
        struct_size: size_of::<stn_dims>(),
        nq: 1,
        nv: 1,
        n_joint: 0,
        n_contact: 0,
        n_dir: 0,
        ..stn_dims::default()
    };
    let fns = stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        force: Some(force),
        force_jac,
        ..stn_model_fns::default()
    };
    let mut model = null_mut();
    let user = code.as_ptr().cast();
    // SAFETY: structs of their size; `code` outlives the model.
    let status = unsafe { stn_model_create(&dims, &fns, null(), null(), user, &mut model) };
    assert_eq!(status, STN_OK, "{}", last_error());
    model
}

#[test]
fn a_wrong_derivative_is_found_and_named() {
    let code = Cell::new(0);
    for (jacobian, worst_at_least, worst_at_most) in [
        (None, 0.0, 1e-6),
        (Some(wrong_jacobian as unsafe extern "C-unwind" fn(_, _, _, _, _, _) -> _), 0.1, 1.0),
    ] {
        let model = spring(jacobian, &code);
        let mut worst = -1.0;
        // SAFETY: one number each.
        unsafe {
            assert_eq!(stn_model_check(model, 0.0, &0.5, 1, &0.2, 1, &mut worst), STN_OK);
            stn_model_destroy(model);
        }
        assert!((worst_at_least..=worst_at_most).contains(&worst), "{worst}");
        if jacobian.is_some() {
            assert!(last_error().starts_with("dfdq[0]"), "{}", last_error());
        }
    }
}

#[test]
fn every_wrong_argument_of_a_check_is_named_and_changes_nothing() {
    let code = Cell::new(0);
    let model = spring(None, &code);
    let mut worst = 7.0;
    let fails = |got: stn_status, status: stn_status, text: &str| {
        assert_eq!(got, status, "{}", last_error());
        assert!(last_error().contains(text), "{:?} should say {text:?}", last_error());
    };
    // SAFETY: one number each, or refused before it is used.
    unsafe {
        let w = &raw mut worst;
        fails(stn_model_check(null(), 0.0, &0.5, 1, &0.2, 1, w), STN_ERR_NULL, "model is NULL");
        fails(stn_model_check(model, 0.0, null(), 1, &0.2, 1, w), STN_ERR_NULL, "q is NULL");
        fails(stn_model_check(model, 0.0, &0.5, 1, null(), 1, w), STN_ERR_NULL, "v is NULL");
        fails(
            stn_model_check(model, 0.0, &0.5, 1, &0.2, 1, null_mut()),
            STN_ERR_NULL,
            "worst is NULL",
        );
        fails(stn_model_check(model, 0.0, &0.5, 2, &0.2, 1, w), STN_ERR_DIMENSION, "nq is 2");
        fails(stn_model_check(model, 0.0, &0.5, 1, &0.2, -1, w), STN_ERR_DIMENSION, "nv is -1");
        fails(stn_model_check(model, f64::NAN, &0.5, 1, &0.2, 1, w), STN_ERR_NONFINITE, "t is NaN");
        fails(
            stn_model_check(model, 0.0, &f64::NAN, 1, &0.2, 1, w),
            STN_ERR_NONFINITE,
            "q[0] is NaN",
        );
        fails(
            stn_model_check(model, 0.0, &0.5, 1, &f64::INFINITY, 1, w),
            STN_ERR_NONFINITE,
            "v[0] is inf",
        );
        fails(stn_model_check(model, 0.0, w, 1, &0.2, 1, w), STN_ERR_VALUE, "overlap");
        code.set(3);
        fails(stn_model_check(model, 0.0, &0.5, 1, &0.2, 1, w), STN_REJECTED, "force refused");
        code.set(-3);
        fails(
            stn_model_check(model, 0.0, &0.5, 1, &0.2, 1, w),
            STN_ERR_CALLBACK,
            "force returned -3",
        );
        stn_model_destroy(model);
    }
    assert_eq!(worst, 7.0);
}

#[test]
fn every_wrong_argument_of_what_follows_from_a_model_is_named_and_changes_nothing() {
    let code = Cell::new(0);
    let model = spring(None, &code);
    let (mut out, mut pointed, mut margin) = (7.0, 7, 7.0);
    let fails = |got: stn_status, status: stn_status, text: &str| {
        assert_eq!(got, status, "{}", last_error());
        assert!(last_error().contains(text), "{:?} should say {text:?}", last_error());
    };
    // SAFETY: one number each, or refused before it is used.
    unsafe {
        let o = &raw mut out;
        let bend = |m, t, q, nq, v, nv, o| stn_model_coriolis(m, t, q, nq, v, nv, o);
        fails(bend(null(), 0.0, &0.5, 1, &0.2, 1, o), STN_ERR_NULL, "model is NULL");
        fails(bend(model, 0.0, null(), 1, &0.2, 1, o), STN_ERR_NULL, "q is NULL");
        fails(bend(model, 0.0, &0.5, 1, null(), 1, o), STN_ERR_NULL, "v is NULL");
        fails(bend(model, 0.0, &0.5, 1, &0.2, 1, null_mut()), STN_ERR_NULL, "out is NULL");
        fails(bend(model, 0.0, &0.5, 2, &0.2, 1, o), STN_ERR_DIMENSION, "nq is 2");
        fails(bend(model, 0.0, &0.5, 1, &0.2, 0, o), STN_ERR_DIMENSION, "nv is 0");
        fails(bend(model, f64::NAN, &0.5, 1, &0.2, 1, o), STN_ERR_NONFINITE, "t is NaN");
        fails(bend(model, 0.0, &f64::NAN, 1, &0.2, 1, o), STN_ERR_NONFINITE, "q[0] is NaN");
        fails(bend(model, 0.0, &0.5, 1, &f64::NAN, 1, o), STN_ERR_NONFINITE, "v[0] is NaN");
        fails(bend(model, 0.0, o, 1, &0.2, 1, o), STN_ERR_VALUE, "overlap");
        let (p, m) = (&raw mut pointed, &raw mut margin);
        let cone = |model, t, q, nq, near, m| stn_model_check_cone(model, t, q, nq, near, p, m);
        fails(cone(null(), 0.0, &0.5, 1, 0.0, m), STN_ERR_NULL, "model is NULL");
        fails(cone(model, 0.0, null(), 1, 0.0, m), STN_ERR_NULL, "q is NULL");
        fails(cone(model, 0.0, &0.5, 0, 0.0, m), STN_ERR_DIMENSION, "nq is 0");
        fails(cone(model, f64::NAN, &0.5, 1, 0.0, m), STN_ERR_NONFINITE, "t is NaN");
        fails(cone(model, 0.0, &f64::NAN, 1, 0.0, m), STN_ERR_NONFINITE, "q[0] is NaN");
        fails(cone(model, 0.0, &0.5, 1, f64::NAN, m), STN_ERR_NONFINITE, "near is NaN");
        fails(cone(model, 0.0, &0.5, 1, -1.0, m), STN_ERR_VALUE, "near is -1, must be >= 0");
        fails(cone(model, 0.0, m, 1, 0.0, m), STN_ERR_VALUE, "overlap");
        assert_eq!((out, pointed, margin), (7.0, 7, 7.0));
        // A spring touches nothing and has a constant mass.
        assert_eq!(bend(model, 0.0, &0.5, 1, &0.2, 1, o), STN_OK);
        assert_eq!(cone(model, 0.0, &0.5, 1, 0.0, m), STN_OK);
        assert_eq!((out, pointed, margin), (0.0, 1, f64::INFINITY));
        stn_model_destroy(model);
    }
}
