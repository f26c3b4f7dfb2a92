//! Models of built-in bodies, read and stepped through the C face: what they say, what they refuse, who owns what.
#![allow(unsafe_code)]

#[path = "support/built.rs"]
mod built;

use built::*;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

/// A rod of 2 kg and 1 m, level, its left end on a hinge in the origin, g = 10 m/s^2, turning with 3 rad/s. A motor of `torque` with
/// `user` is on the hinge.
fn rod(torque: stn_signal_fn, user: *mut c_void, release: stn_release_fn) -> Build {
    let b = Build::empty();
    // SAFETY: every array has its length.
    unsafe {
        works(stn_builder_set_gravity(b.0, [0.0, -10.0, 0.0].as_ptr()));
        works(stn_builder_add_planar(b.0, 2.0, 2.0 / 12.0, [0.5, 0.0].as_ptr(), 0.0, null_mut()));
        let (o, z) = (O.as_ptr(), Z.as_ptr());
        works(stn_builder_add_joint(b.0, REVOLUTE, GROUND, 0, o, z, null(), null_mut()));
        let (linear, angular) = ([0.0, 1.5, 0.0], [0.0, 0.0, 3.0]);
        works(stn_builder_set_velocity(b.0, 0, linear.as_ptr(), angular.as_ptr()));
        if torque.is_some() {
            works(stn_builder_add_motor(b.0, 0, ANGLE, torque, user, release));
        }
    }
    b
}

fn stepper(m: &Made) -> *mut stn_stepper {
    let mut s = null_mut();
    // SAFETY: a live handle, and `s` can be written.
    works(unsafe { stn_stepper_create(m.0, null(), &mut s) });
    s
}

/// Counts its calls in what `user` points at.
extern "C-unwind" fn count_release(user: *mut c_void) {
    // SAFETY: the test keeps the counter alive.
    unsafe { &*user.cast::<AtomicI32>() }.fetch_add(1, Ordering::SeqCst);
}

/// Holds the rod level against gravity: m g l/2 = 10 N m.
extern "C-unwind" fn hold(_: f64, _: *mut c_void) -> f64 {
    10.0
}

/// Fine at the start, NaN from 0.05 s on.
extern "C-unwind" fn breaks(t: f64, _: *mut c_void) -> f64 {
    if t < 0.05 { 0.0 } else { NAN }
}

/// Adds a body to the builder that is just taking this function.
extern "C-unwind" fn intrude(_: f64, user: *mut c_void) -> f64 {
    // SAFETY: `user` is a live builder; it is in use and says so.
    let status = unsafe { stn_builder_add_point2(user.cast(), 1.0, O.as_ptr(), null_mut()) };
    f64::from(status as i32)
}

#[test]
fn a_level_rod_says_where_it_is_and_what_it_carries() {
    let m = rod(None, null_mut(), None).build();
    assert_eq!(m.dims(), [3, 3, 2, 0, 0]);
    let (mut q, mut v) = ([NAN; 3], [NAN; 3]);
    let (mut kinetic, mut potential, mut mass) = (NAN, NAN, NAN);
    let (mut p, mut l, mut pose) = ([NAN; 3], [NAN; 3], [NAN; 7]);
    let (mut place, mut speed, mut angle) = ([NAN; 3], [NAN; 3], NAN);
    let mut at = [UNTOUCHED; 6];
    // SAFETY: every array has its length.
    unsafe {
        works(stn_model_get_initial(m.0, q.as_mut_ptr(), 3, v.as_mut_ptr(), 3));
        assert_eq!((q, v), ([0.5, 0.0, 0.0], [0.0, 1.5, 3.0]));
        // 30 degrees up: the center of mass at 0.25 m.
        let (s, c) = (0.5, 0.75f64.sqrt());
        q = [0.5 * c, 0.5 * s, std::f64::consts::FRAC_PI_6];
        v = [-1.5 * s, 1.5 * c, 3.0];
        let (qp, vp) = (q.as_ptr(), v.as_ptr());
        works(stn_model_get_energy(m.0, 0.0, qp, 3, vp, 3, &mut kinetic, &mut potential));
        works(stn_model_get_momentum(m.0, qp, 3, vp, 3, p.as_mut_ptr(), l.as_mut_ptr()));
        works(stn_model_get_total_mass(m.0, &mut mass));
        works(stn_model_get_pose(m.0, 0, qp, 3, pose.as_mut_ptr()));
        let tip = [0.5, 0.0, 0.0];
        let (x, u) = (place.as_mut_ptr(), speed.as_mut_ptr());
        works(stn_model_get_point(m.0, 0, tip.as_ptr(), qp, 3, vp, 3, x, u));
        works(stn_model_get_joint_coordinate(m.0, 0, ANGLE, qp, 3, &mut angle));
        let [a, b, c1, d, e, f] = &mut at;
        works(stn_model_get_body_range(m.0, 0, a, b, c1, d));
        works(stn_model_get_joint_range(m.0, 0, e, f));
        // I w^2/2 about the hinge with I = m l^2/3; m g y; m |v|; I w.
        let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-14 * y.abs().max(1.0), "{x} {y}");
        near(kinetic, 3.0);
        near(potential, 5.0);
        near(mass, 2.0);
        near(p[0], -1.5);
        near(p[1], 3.0 * c);
        near(l[2], 2.0);
        let half = std::f64::consts::PI / 12.0;
        for (got, expected) in
            pose.iter().zip([0.5 * c, 0.25, 0.0, half.cos(), 0.0, 0.0, half.sin()])
        {
            near(*got, expected);
        }
        near(place[0], c);
        near(place[1], s);
        near(speed[0], -3.0 * s);
        near(speed[1], 3.0 * c);
        near(angle, std::f64::consts::FRAC_PI_6);
        assert_eq!(at, [0, 3, 0, 3, 0, 2]);
    }
}

#[test]
fn readings_refuse_wrong_sizes_numbers_and_places_and_write_nothing() {
    let m = rod(None, null_mut(), None).build();
    let q = [0.5, 0.0, 0.0];
    let bad = [0.5, NAN, 0.0];
    let (qp, bp) = (q.as_ptr(), bad.as_ptr());
    let mut out = [-7.0; 8];
    let o = out.as_mut_ptr();
    let mut n = [UNTOUCHED; 2];
    let np = n.as_mut_ptr();
    let no = null_mut();
    let ranges = |body, a, b| {
        // SAFETY: NULL or numbers of ours.
        unsafe { stn_model_get_body_range(m.0, body, a, b, null_mut(), null_mut()) }
    };
    let mut c = blank_consistency();
    // SAFETY: every array has its length, or is refused before it is read.
    unsafe {
        fails(stn_model_get_initial(m.0, o, 2, o.add(3), 3), STN_ERR_DIMENSION, "nq is 2");
        fails(stn_model_get_initial(m.0, o, 3, o.add(2), 3), STN_ERR_VALUE, "overlap");
        fails(stn_model_get_initial(m.0, o, 3, no, -3), STN_ERR_DIMENSION, "nv is -3");
        let energy = |t, q, nq, v, a, b| stn_model_get_energy(m.0, t, q, nq, v, 3, a, b);
        fails(energy(NAN, qp, 3, qp, o, no), STN_ERR_NONFINITE, "t is NaN");
        fails(energy(0.0, bp, 3, qp, o, no), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(energy(0.0, qp, 3, bp, o, no), STN_ERR_NONFINITE, "v[1] is NaN");
        fails(energy(0.0, qp, 4, qp, o, no), STN_ERR_DIMENSION, "nq is 4, expected 3");
        fails(energy(0.0, qp, 3, qp, o, o), STN_ERR_VALUE, "kinetic and potential overlap");
        let huge = [0.0, f64::MAX, 0.0];
        fails(energy(0.0, qp, 3, huge.as_ptr(), o, no), STN_ERR_NONFINITE, "energy[0] is inf");
        let momentum = |q, v, nv| stn_model_get_momentum(m.0, q, 3, v, nv, o, o.add(3));
        fails(momentum(bp, qp, 3), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(momentum(qp, bp, 3), STN_ERR_NONFINITE, "v[1] is NaN");
        fails(momentum(qp, qp, 2), STN_ERR_DIMENSION, "nv is 2");
        let pose = |body, q, nq| stn_model_get_pose(m.0, body, q, nq, o);
        fails(pose(1, qp, 3), STN_ERR_VALUE, "body is 1, must be one of this scene");
        fails(pose(GROUND, qp, 3), STN_ERR_VALUE, "body is -1");
        fails(pose(0, bp, 3), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(pose(0, qp, 2), STN_ERR_DIMENSION, "nq is 2");
        let point = |body, at: *const f64, q, v| {
            stn_model_get_point(m.0, body, at, q, 3, v, 3, o, o.add(3))
        };
        fails(point(5, null(), qp, qp), STN_ERR_VALUE, "body is 5");
        fails(point(0, bp, qp, qp), STN_ERR_NONFINITE, "at[1] is NaN");
        fails(point(0, null(), bp, qp), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(point(0, null(), qp, bp), STN_ERR_NONFINITE, "v[1] is NaN");
        let joint = |j, f, q| stn_model_get_joint_coordinate(m.0, j, f, q, 3, o);
        fails(joint(0, SLIDE, qp), STN_ERR_VALUE, "Slide of joint 0");
        fails(joint(1, ANGLE, qp), STN_ERR_VALUE, "Angle of joint 1");
        fails(joint(-1, ANGLE, qp), STN_ERR_VALUE, "joint is -1");
        fails(joint(0, 7, qp), STN_ERR_VALUE, "freedom is 7");
        fails(joint(0, ANGLE, bp), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(ranges(1, np, np.add(1)), STN_ERR_VALUE, "body is 1, must be one of this model");
        fails(ranges(0, np, np), STN_ERR_VALUE, "q_at and n_q overlap");
        fails(stn_model_get_joint_range(m.0, 1, np, no.cast()), STN_ERR_VALUE, "joint is 1");
        let check = |q, v, c: *mut stn_consistency| stn_model_check_state(m.0, 0.0, q, 3, v, 3, c);
        fails(check(bp, qp, &mut c), STN_ERR_NONFINITE, "q[1] is NaN");
        fails(check(qp, bp, &mut c), STN_ERR_NONFINITE, "v[1] is NaN");
        c.struct_size = 1;
        fails(check(qp, qp, &mut c), STN_ERR_ABI, "out.struct_size is 1");
        let mut d = blank_dims();
        d.struct_size = 2;
        fails(stn_model_get_dims(m.0, &mut d), STN_ERR_ABI, "out.struct_size is 2");
        let nearest =
            |q: *mut f64, v: *mut f64| stn_model_nearest_state(m.0, 0.0, q, 3, v, 3, null_mut());
        fails(nearest(o, o.add(2)), STN_ERR_VALUE, "q and v overlap");
    }
    assert_eq!((out, n), ([-7.0; 8], [UNTOUCHED; 2]));
    assert_eq!((c.joint, c.joint_speed, c.depth, c.at_joint), (-7.0, -7.0, -7.0, UNTOUCHED));
}

#[test]
fn a_state_off_its_joint_is_measured_and_moved_back() {
    let m = rod(None, null_mut(), None).build();
    // The hinge is apart by 0.25 m, and moves apart with 1.5 m/s.
    let (mut q, mut v) = ([0.75, 0.0, 0.0], [0.0, 0.0, 3.0]);
    let mut c = blank_consistency();
    // SAFETY: every array has its length.
    unsafe {
        works(stn_model_check_state(m.0, 0.0, q.as_ptr(), 3, v.as_ptr(), 3, &mut c));
        assert_eq!((c.joint, c.at_joint, c.joint_speed, c.at_joint_speed), (0.25, 0, 1.5, 1));
        assert_eq!((c.depth, c.at_depth), (0.0, -1));
        works(stn_model_nearest_state(m.0, 0.0, q.as_mut_ptr(), 3, v.as_mut_ptr(), 3, &mut c));
        // Along x the hinge needs no turn. Momentum about the hinge is kept: I_c w / (I_c + m l^2/4) = 3/4.
        assert!((q[0] - 0.5).abs() < 1e-12 && q[1].abs() < 1e-12 && q[2].abs() < 1e-12, "{q:?}");
        assert!((v[2] - 0.75).abs() < 1e-12 && (v[1] - 0.375).abs() < 1e-12, "{v:?}");
        assert!(c.joint < 1e-12 && c.joint_speed < 1e-12);
        let before = ([NAN, 0.0, 0.0], v);
        (q, v) = before;
        let status =
            stn_model_nearest_state(m.0, 0.0, q.as_mut_ptr(), 3, v.as_mut_ptr(), 3, &mut c);
        fails(status, STN_ERR_NONFINITE, "q[0] is NaN");
        assert_eq!(v, before.1);
    }
}

#[test]
fn a_model_of_functions_has_kinetic_energy_and_no_bodies() {
    extern "C-unwind" fn mass(_: f64, q: *const f64, m: *mut f64, _: *mut c_void) -> c_int {
        // SAFETY: one position, one mass; refused where it would not be positive.
        unsafe {
            *m = *q;
            c_int::from(*q <= 0.0)
        }
    }
    let mut dims = blank_dims();
    (dims.nq, dims.nv) = (1, 1);
    let fns = stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        ..stn_model_fns::default()
    };
    let (mut model, mut kinetic, mut x) = (null_mut(), NAN, -7.0);
    // SAFETY: every array has its length.
    unsafe {
        works(stn_model_create(&dims, &fns, null(), null(), null_mut(), &mut model));
        let m = Made(model);
        assert_eq!(m.dims(), [1, 1, 0, 0, 0]);
        let (q, v) = (&4.0, &3.0);
        works(stn_model_get_energy(m.0, 0.0, q, 1, v, 1, &mut kinetic, null_mut()));
        assert_eq!(kinetic, 18.0);
        let energy = |q: &f64, k, p| stn_model_get_energy(m.0, 0.0, q, 1, v, 1, k, p);
        assert_eq!(energy(&-1.0, &mut x, null_mut()), STN_REJECTED);
        let text = "model is made of functions, must be made of built-in bodies";
        let id = null_mut();
        fails(energy(q, null_mut(), &mut x), STN_ERR_VALUE, text);
        fails(stn_model_get_momentum(m.0, q, 1, v, 1, &mut x, null_mut()), STN_ERR_VALUE, text);
        fails(stn_model_get_total_mass(m.0, &mut x), STN_ERR_VALUE, text);
        fails(stn_model_get_body_range(m.0, 0, id, id, id, id), STN_ERR_VALUE, text);
        fails(stn_model_get_joint_range(m.0, 0, id, id), STN_ERR_VALUE, text);
        fails(stn_model_get_pose(m.0, 0, q, 1, &mut x), STN_ERR_VALUE, text);
        fails(stn_model_get_contact_pair(m.0, 0, id, id, id, id), STN_ERR_VALUE, text);
        let no = null_mut();
        fails(stn_model_get_point(m.0, 0, null(), q, 1, v, 1, no, no), STN_ERR_VALUE, text);
        fails(stn_model_get_joint_coordinate(m.0, 0, ANGLE, q, 1, &mut x), STN_ERR_VALUE, text);
        assert_eq!(x, -7.0);
    }
}

#[test]
fn a_motor_that_holds_the_rod_lets_it_turn_evenly() {
    let b = rod(Some(hold), null_mut(), None);
    // SAFETY: every array has its length.
    unsafe { works(stn_builder_set_velocity(b.0, 0, O.as_ptr(), null())) };
    let m = b.build();
    let s = stepper(&m);
    let mut q = [NAN; 3];
    // SAFETY: live handles and arrays of their length.
    unsafe {
        works(stn_stepper_advance(s, 0.5, 0.01));
        works(stn_stepper_get_state(s, null_mut(), q.as_mut_ptr(), 3, null_mut(), 3));
        stn_stepper_destroy(s);
    }
    assert!((q[0] - 0.5).abs() < 1e-12 && q[2].abs() < 1e-12, "{q:?}");
}

#[test]
fn a_function_that_becomes_nan_stops_the_step_and_leaves_the_state() {
    let m = rod(Some(breaks), null_mut(), None).build();
    let s = stepper(&m);
    let (mut t, mut q, mut before) = (NAN, [NAN; 3], [NAN; 3]);
    // SAFETY: live handles and arrays of their length.
    unsafe {
        works(stn_stepper_advance(s, 0.04, 0.01));
        works(stn_stepper_get_state(s, null_mut(), before.as_mut_ptr(), 3, null_mut(), 3));
        fails(stn_stepper_step(s, 0.02), STN_ERR_NONFINITE, "is NaN");
        works(stn_stepper_get_state(s, &mut t, q.as_mut_ptr(), 3, null_mut(), 3));
        stn_stepper_destroy(s);
    }
    assert_eq!((t, q), (0.04, before));
}

#[test]
fn what_a_function_is_called_with_is_released_once_when_nobody_can_call_it() {
    let released = AtomicI32::new(0);
    let user = (&raw const released).cast_mut().cast();
    let b = rod(Some(hold), user, Some(count_release));
    let (first, second) = (b.build(), b.build());
    let s = stepper(&first);
    drop(first);
    drop(b);
    drop(second);
    assert_eq!(released.load(Ordering::SeqCst), 0, "the stepper can still call it");
    // SAFETY: live, destroyed once.
    unsafe {
        works(stn_stepper_step(s, 0.01));
        stn_stepper_destroy(s);
    }
    assert_eq!(released.load(Ordering::SeqCst), 1);
}

#[test]
fn a_function_that_calls_its_builder_finds_it_busy() {
    let b = rod(None, null_mut(), None);
    // SAFETY: a live handle; what the function does is refused.
    unsafe { works(stn_builder_add_motor(b.0, 0, ANGLE, Some(intrude), b.0.cast(), None)) };
    assert_eq!(last_error(), "the handle is in use");
    assert_eq!(b.build().dims(), [3, 3, 2, 0, 0]);
}

#[test]
fn a_body_turned_by_any_angle_has_the_pose_it_was_given() {
    let b = Build::empty();
    let (mut pose, mut q) = ([NAN; 7], [0.0; 7]);
    // SAFETY: every array has its length.
    unsafe {
        works(stn_builder_add_spatial(b.0, 1.0, ROUND.as_ptr(), LEVEL.as_ptr(), null_mut()));
        let m = b.build();
        // Quaternions of length one whose squares are exact; the first four turn by half and more.
        let turns = [
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, -1.0],
            [0.0, 0.6, 0.0, -0.8],
            [-0.6, 0.0, 0.8, 0.0],
            [0.5, 0.5, -0.5, 0.5],
        ];
        for turn in turns {
            q[3..].copy_from_slice(&turn);
            works(stn_model_get_pose(m.0, 0, q.as_ptr(), 7, pose.as_mut_ptr()));
            // A quaternion and its opposite are the same rotation.
            let same: f64 = pose[3..].iter().zip(&turn).map(|(a, b)| a * b).sum();
            assert!((same.abs() - 1.0).abs() < 1e-15, "{turn:?} became {pose:?}");
        }
        pose = [-7.0; 7];
        let none = [0.0; 7];
        let status = stn_model_get_pose(m.0, 0, none.as_ptr(), 7, pose.as_mut_ptr());
        fails(status, STN_ERR_NONFINITE, "pose[");
        assert_eq!(pose, [-7.0; 7]);
    }
}
