//! Chains with more joint equations than are solved for their multipliers at once, through the C face: the method of
//! multipliers, (step.70), against a motion in closed form.
#![allow(unsafe_code)]

#[path = "support/built.rs"]
mod built;

use built::*;
use std::ptr::{null, null_mut};
use stiction::ffi::stn_joint_kind::STN_JOINT_SPHERICAL;
use stiction::ffi::*;

/// Links, m between their centers, turns in rad/s. 19 joints are 57 equations; up to 48 are solved at once.
const LINKS: usize = 20;
const LENGTH: f64 = 0.1;
const TURN: f64 = 1.5;

/// Distance of link `k` from the middle.
fn arm(k: usize) -> f64 {
    LENGTH * (k as f64 - 0.5 * (LINKS - 1) as f64)
}

/// A straight chain along x that turns about z as a whole, let fall.
fn chain() -> Build {
    let b = Build::empty();
    let inertia = ROUND.map(|x| 1e-4 * x);
    // SAFETY: every array has its length.
    unsafe {
        works(stn_builder_set_gravity(b.0, [0.0, 0.0, -10.0].as_ptr()));
        for k in 0..LINKS {
            let mut pose = LEVEL;
            pose[0] = arm(k);
            let mut id = UNTOUCHED;
            works(stn_builder_add_spatial(b.0, 0.1, inertia.as_ptr(), pose.as_ptr(), &mut id));
            let (v, omega) = ([0.0, TURN * arm(k), 0.0], [0.0, 0.0, TURN]);
            works(stn_builder_set_velocity(b.0, id, v.as_ptr(), omega.as_ptr()));
            if k > 0 {
                let (kind, at) = (STN_JOINT_SPHERICAL as i32, [arm(k) - 0.5 * LENGTH, 0.0, 0.0]);
                let (a, none) = (id - 1, null());
                works(stn_builder_add_joint(b.0, kind, a, id, at.as_ptr(), none, none, null_mut()));
            }
        }
    }
    b
}

#[test]
fn a_long_chain_that_turns_and_falls_stays_straight() {
    let m = chain().build();
    assert_eq!(m.dims()[2], 57);
    let mut s = null_mut();
    let (h, steps) = (1e-3, 200);
    // SAFETY: plain numbers, for which zero is a value.
    let mut stats: stn_stats = unsafe { std::mem::zeroed() };
    stats.struct_size = size_of::<stn_stats>();
    let (mut t, mut q, mut v) = (NAN, vec![NAN; 7 * LINKS], vec![NAN; 6 * LINKS]);
    // SAFETY: live handles; every array has its length.
    unsafe {
        works(stn_stepper_create(m.0, null(), &mut s));
        for _ in 0..steps {
            works(stn_stepper_step(s, h));
        }
        let (nq, nv) = (q.len() as i32, v.len() as i32);
        works(stn_stepper_get_state(s, &mut t, q.as_mut_ptr(), nq, v.as_mut_ptr(), nv));
        works(stn_stepper_get_stats(s, &mut stats));
        stn_stepper_destroy(s);
    }
    // Each link on its circle, the tensions of the joints its only force beside the weight: x = arm (cos, sin)(turn t),
    // z = -g t^2 / 2. The trapezoidal rule turns by less than (turn h)^2 / 12 of the angle too little or too much.
    let (sin, cos) = (TURN * t).sin_cos();
    let bound = (TURN * h).powi(2) / 12.0 * TURN * t * arm(LINKS - 1) + 1e-12;
    for k in 0..LINKS {
        let exact = [arm(k) * cos, arm(k) * sin, -5.0 * t * t];
        for (x, exact) in q[7 * k..7 * k + 3].iter().zip(exact) {
            assert!((x - exact).abs() < bound, "link {k}: {x} is not {exact} to {bound:e}");
        }
    }
    assert!(stats.worst_joint_drift < 1e-13, "{:e}", stats.worst_joint_drift);
}
