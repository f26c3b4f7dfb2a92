//! Memory that runs out while bodies move and while models are checked: a status, nothing changed, and the motion goes on as if
//! nothing had been.
#![allow(unsafe_code)]

#[path = "support/scarce.rs"]
mod scarce;

use scarce::{Scarce, scarcely, with};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use stiction::ffi::stn_joint_kind::STN_JOINT_REVOLUTE;
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

#[global_allocator]
static ALLOCATOR: Scarce = Scarce;

const GROUND: i32 = -1;
const UNIT_INERTIA: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// A link on a pin, `n` boxes above each other, a hull over a mesh and `n` balls in between: contacts come, become many, and go.
/// With `apart`, a box is in the ground.
fn scene(n: i32, apart: f64) -> *mut stn_model {
    let (mut b, mut model) = (null_mut(), null_mut());
    let up = [0.0, 0.0, 1.0];
    let hull = [0.1, 0.0, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, -0.1, 0.0, 0.0, 0.15];
    let heights = [0.0, 0.02, 0.0, 0.02, 0.05, 0.02, 0.0, 0.02, 0.0];
    let ok = |status| assert_eq!(status, STN_OK);
    // SAFETY: handles that live until they are destroyed, arrays of the sizes stated.
    unsafe {
        ok(stn_builder_create(&mut b));
        ok(stn_builder_set_gravity(b, [0.0, 0.0, -9.81].as_ptr()));
        ok(stn_builder_set_surface(b, 0, 0, 0.4, 0.3, null(), 0.0));
        ok(stn_builder_add_half_space(b, GROUND, up.as_ptr(), null(), 0, null_mut()));
        let far = [3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        ok(stn_builder_add_height_field(
            b,
            GROUND,
            3,
            3,
            2.0,
            2.0,
            heights.as_ptr(),
            far.as_ptr(),
            0,
            null_mut(),
        ));
        let body = |x: f64, z: f64| {
            let (pose, mut id) = ([x, 0.02 * z, z, 1.0, 0.0, 0.0, 0.0], 0);
            let inertia = UNIT_INERTIA.map(|x| 0.01 * x);
            ok(stn_builder_add_spatial(b, 1.0, inertia.as_ptr(), pose.as_ptr(), &mut id));
            id
        };
        for k in 0..n {
            let id = body(0.01 * f64::from(k), 0.101 + 0.202 * f64::from(k) - apart);
            let size = [0.2; 3];
            ok(stn_builder_add_box(b, id, size.map(|x| 0.5 * x).as_ptr(), null(), 0, null_mut()));
        }
        let id = body(3.02, 0.35);
        ok(stn_builder_add_hull(b, id, 4, hull.as_ptr(), null(), 0, null_mut()));
        for k in 0..n {
            let id = body(0.5 + 0.15 * f64::from(k), 0.11 + 0.05 * f64::from(k));
            ok(stn_builder_add_ball(b, id, 0.1, null(), 0, null_mut()));
        }
        let (link, kind) = (body(9.0, 2.0), STN_JOINT_REVOLUTE as i32);
        let (pin, axis) = ([9.0, 0.04, 2.5], [0.0, 1.0, 0.0]);
        ok(stn_builder_add_joint(
            b,
            kind,
            GROUND,
            link,
            pin.as_ptr(),
            axis.as_ptr(),
            null(),
            null_mut(),
        ));
        ok(stn_builder_build(b, &mut model));
        stn_builder_destroy(b);
    }
    model
}

/// Where the motion stands, as bits.
fn state(s: *const stn_stepper, d: &stn_dims) -> Vec<u64> {
    let (mut t, mut q, mut v) = (0.0, vec![0.0; d.nq as usize], vec![0.0; d.nv as usize]);
    // SAFETY: a live stepper, arrays of the model's sizes.
    unsafe {
        let (q, v) = (q.as_mut_ptr(), v.as_mut_ptr());
        assert_eq!(stn_stepper_get_state(s, &mut t, q, d.nq, v, d.nv), STN_OK);
    }
    std::iter::once(&t).chain(&q).chain(&v).map(|x| x.to_bits()).collect()
}

fn dims(model: *const stn_model) -> stn_dims {
    let mut d = stn_dims { struct_size: size_of::<stn_dims>(), ..stn_dims::default() };
    // SAFETY: a live model, a struct of its size.
    assert_eq!(unsafe { stn_model_get_dims(model, &mut d) }, STN_OK);
    d
}

/// Takes steps; each is tried with no memory at first, then with a block, with two, until it is made. Gives the last state and
/// how often memory ran out.
fn moved(method: i32, scarce: bool) -> (Vec<u64>, u64) {
    let (model, mut s, mut faults) = (scene(2, 0.0), null_mut(), 0);
    let d = dims(model);
    let mut opt = MaybeUninit::uninit();
    // SAFETY: live handles, destroyed once; a struct of its size.
    unsafe {
        assert_eq!(
            stn_stepper_options_init(opt.as_mut_ptr(), size_of::<stn_stepper_options>()),
            STN_OK
        );
        let mut opt: stn_stepper_options = opt.assume_init();
        opt.method = method;
        assert_eq!(stn_stepper_create(model, &opt, &mut s), STN_OK);
        for step in 0..4 {
            let before = state(s, &d);
            for blocks in 0.. {
                let memory = scarce.then_some(blocks);
                let status = with(memory, || stn_stepper_step(s, 0.02));
                if status != STN_ERR_MEMORY {
                    assert!(matches!(status, STN_OK | STN_EVENT), "step {step}: {status:?}");
                    break;
                }
                faults += 1;
                assert_eq!(state(s, &d), before, "step {step} after {blocks} blocks");
            }
        }
        let end = state(s, &d);
        stn_stepper_destroy(s);
        stn_model_destroy(model);
        (end, faults)
    }
}

#[test]
fn a_step_that_finds_no_memory_is_made_when_there_is_some() {
    // Trapezoidal and Moreau-Jean.
    for method in [4, 7] {
        let (expected, none) = moved(method, false);
        let (end, faults) = moved(method, true);
        println!("method {method}: {faults} faults in steps");
        assert_eq!(none, 0);
        assert!(faults > 20, "{faults}");
        assert_eq!(end, expected, "method {method}");
    }
}

#[test]
fn checks_of_a_model_without_memory_are_a_status() {
    let model = scene(1, 0.003);
    let d = dims(model);
    let mut s = null_mut();
    let (mut q, mut v) = (vec![0.0; d.nq as usize], vec![0.0; d.nv as usize]);
    // SAFETY: live handles, destroyed once; arrays of the model's sizes, structs of their own.
    unsafe {
        assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
        let (q_to, v_to) = (q.as_mut_ptr(), v.as_mut_ptr());
        assert_eq!(stn_stepper_get_state(s, null_mut(), q_to, d.nq, v_to, d.nv), STN_OK);
        stn_stepper_destroy(s);
        let mut found: stn_consistency = std::mem::zeroed();
        found.struct_size = size_of::<stn_consistency>();
        let found = std::cell::Cell::new(found);
        type Call<'a> = (&'a str, Box<dyn Fn() -> stn_status + 'a>);
        let moves = std::cell::RefCell::new((q.clone(), v.clone()));
        let (q, v) = (&q, &v);
        let calls: [Call<'_>; 4] = [
            (
                "check",
                Box::new(|| {
                    let mut worst = -1.0;
                    let status =
                        stn_model_check(model, 0.0, q.as_ptr(), d.nq, v.as_ptr(), d.nv, &mut worst);
                    assert_eq!(status == STN_OK, worst >= 0.0);
                    status
                }),
            ),
            (
                "check_state",
                Box::new(|| {
                    let (q, v) = (q.as_ptr(), v.as_ptr());
                    stn_model_check_state(model, 0.0, q, d.nq, v, d.nv, found.as_ptr())
                }),
            ),
            (
                "nearest_state",
                Box::new(|| {
                    let mut both = moves.borrow_mut();
                    let (near, speed) = &mut *both;
                    near.copy_from_slice(q);
                    speed.copy_from_slice(v);
                    let (to, fast) = (near.as_mut_ptr(), speed.as_mut_ptr());
                    let status =
                        stn_model_nearest_state(model, 0.0, to, d.nq, fast, d.nv, found.as_ptr());
                    assert_eq!(status == STN_OK, near != q, "moved only by success");
                    status
                }),
            ),
            (
                "check_cone",
                Box::new(|| {
                    let (mut pointed, mut margin) = (0, 0.0);
                    let q = q.as_ptr();
                    stn_model_check_cone(model, 0.0, q, d.nq, 0.1, &mut pointed, &mut margin)
                }),
            ),
        ];
        for (name, call) in &calls {
            // What searches for contacts keep for the next is there from now on.
            assert_eq!(call(), STN_OK, "{name}");
            let faults = scarcely(call);
            println!("{name}: {faults} faults");
            assert!(faults > 4, "{name}: {faults}");
        }
        drop(calls);
        stn_model_destroy(model);
    }
}

#[test]
fn a_refusal_needs_no_memory() {
    let (mut b, mut lcp) = (null_mut(), null_mut());
    let nan = [f64::NAN; 9];
    let flat = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    // SAFETY: live handles, destroyed once; arrays of the sizes stated.
    unsafe {
        assert_eq!(stn_builder_create(&mut b), STN_OK);
        assert_eq!(stn_lcp_create(4, &mut lcp), STN_OK);
        let refused = |expected: stn_status, call: &dyn Fn() -> stn_status| {
            assert_eq!(call(), expected);
            let without = with(Some(0), call);
            // Where storage comes before the look at the value, that it lacks is what is told.
            assert!(without == expected || without == STN_ERR_MEMORY, "{without:?}");
        };
        refused(STN_ERR_VALUE, &|| stn_builder_set_facets(b, 3));
        refused(STN_ERR_NONFINITE, &|| stn_builder_set_gravity(b, nan.as_ptr()));
        refused(STN_ERR_VALUE, &|| stn_builder_set_surface(b, 0, 7, 0.1, 0.1, null(), 0.0));
        refused(STN_ERR_VALUE, &|| stn_builder_set_surface(b, 0, 0, 0.1, 7.0, null(), 0.0));
        refused(STN_ERR_VALUE, &|| stn_builder_add_ball(b, 9, 0.1, null(), 0, null_mut()));
        refused(STN_ERR_VALUE, &|| stn_builder_set_groups(b, 9, 1, 1));
        refused(STN_ERR_VALUE, &|| {
            stn_builder_add_rod(b, 1, flat.as_ptr(), 1, flat.as_ptr(), 0.0, null_mut())
        });
        let (m, q, mut z) = ([1.0; 16], [1.0; 4], [0.0; 4]);
        let z = std::ptr::from_mut(&mut z).cast();
        refused(STN_ERR_DIMENSION, &|| {
            stn_lcp_solve(lcp, 4, m.as_ptr(), 3, q.as_ptr(), z, null_mut(), null_mut())
        });
        refused(STN_ERR_VALUE, &|| stn_builder_build(b, &mut null_mut()));
        let model = scene(1, 0.0);
        let d = dims(model);
        let at = vec![0.0; d.nq as usize];
        refused(STN_ERR_DIMENSION, &|| {
            stn_model_check(model, 0.0, at.as_ptr(), d.nq - 1, at.as_ptr(), d.nv, &mut 0.0)
        });
        refused(STN_ERR_VALUE, &|| {
            let bytes = [7u8; 64];
            let mut s = null_mut();
            let status = with(None, || stn_stepper_create(model, null(), &mut s));
            assert_eq!(status, STN_OK);
            let status = stn_stepper_restore(s, bytes.as_ptr().cast(), 64);
            stn_stepper_destroy(s);
            status
        });
        stn_model_destroy(model);
        stn_lcp_destroy(lcp);
        stn_builder_destroy(b);
    }
}
