//! Memory that runs out at any moment of any call of the builder: a status, and the builder is what it was before.
#![allow(unsafe_code)]

#[path = "support/scarce.rs"]
mod scarce;

use scarce::{Scarce, held, scarcely, with};
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use stiction::ffi::stn_freedom::*;
use stiction::ffi::stn_joint_kind::*;
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

#[global_allocator]
static ALLOCATOR: Scarce = Scarce;

/// How often the functions of time below were released.
static RELEASED: AtomicI32 = AtomicI32::new(0);

extern "C-unwind" fn wave(t: f64, _: *mut c_void) -> f64 {
    0.1 * t * t
}

extern "C-unwind" fn push(t: f64, value: *mut f64, _: *mut c_void) {
    // SAFETY: three numbers can be written.
    unsafe { *value = t };
}

extern "C-unwind" fn release(_: *mut c_void) {
    RELEASED.fetch_add(1, Ordering::SeqCst);
}

type Call = (&'static str, unsafe fn(*mut stn_builder) -> stn_status);

const GROUND: i32 = -1;
const ZERO: [f64; 3] = [0.0; 3];
const AT: [f64; 3] = [0.0, 0.0, 1.0];
const UNIT_INERTIA: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
const HEIGHTS: [f64; 6] = [0.0, 0.1, 0.0, 0.2, 0.0, 0.1];
const TETRAHEDRON: [f64; 12] = [0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.3];

/// Every function of the builder that may keep something, in an order that makes a scene: bodies 0 and 1 in the plane, 2 and 3 in
/// space, 4 and 5 points; joints 0 and 1.
#[allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one promise for all: a live builder, arrays of the sizes stated"
)]
const CALLS: &[Call] = &[
    ("set_gravity", |b| unsafe { stn_builder_set_gravity(b, [0.0, -9.81, -1.0].as_ptr()) }),
    ("add_planar", |b| unsafe {
        stn_builder_add_planar(b, 1.0, 0.1, [0.0, 2.0].as_ptr(), 0.3, null_mut())
    }),
    ("add_planar", |b| unsafe {
        stn_builder_add_planar(b, 1.0, 0.1, [1.0, 2.0].as_ptr(), 0.1, null_mut())
    }),
    ("add_spatial", |b| unsafe { spatial(b, 0.0) }),
    ("add_spatial", |b| unsafe { spatial(b, 3.0) }),
    ("add_point2", |b| unsafe { stn_builder_add_point2(b, 1.0, [9.0, 2.0].as_ptr(), null_mut()) }),
    ("add_point3", |b| unsafe {
        stn_builder_add_point3(b, 1.0, [0.0, 9.0, 5.0].as_ptr(), null_mut())
    }),
    ("set_velocity", |b| unsafe {
        stn_builder_set_velocity(b, 2, [0.1, 0.0, 0.0].as_ptr(), ZERO.as_ptr())
    }),
    ("set_facets", |b| unsafe { stn_builder_set_facets(b, 4) }),
    ("add_joint", |b| unsafe {
        let (kind, at, axis) = (STN_JOINT_REVOLUTE as i32, [0.0, 2.5, 0.0], [0.0, 0.0, 1.0]);
        stn_builder_add_joint(b, kind, GROUND, 0, at.as_ptr(), axis.as_ptr(), null(), null_mut())
    }),
    ("add_joint", |b| unsafe {
        let (kind, axis) = (STN_JOINT_CYLINDRICAL as i32, [1.0, 0.0, 0.0]);
        stn_builder_add_joint(b, kind, 2, 3, AT.as_ptr(), axis.as_ptr(), null(), null_mut())
    }),
    ("add_rod", |b| unsafe {
        stn_builder_add_rod(b, 4, ZERO.as_ptr(), GROUND, [9.0, 5.0, 0.0].as_ptr(), 0.0, null_mut())
    }),
    ("add_drive", |b| unsafe {
        let (user, angle) = (null_mut(), STN_FREEDOM_ANGLE as i32);
        stn_builder_add_drive(b, 0, angle, Some(wave), user, Some(release), null_mut())
    }),
    ("add_limit", |b| unsafe {
        stn_builder_add_limit(b, 1, STN_FREEDOM_SLIDE as i32, -1.0, 1.0, 0.5)
    }),
    ("add_distance_limit", |b| unsafe {
        let other = [0.0, 9.0, 0.0];
        stn_builder_add_distance_limit(b, 5, ZERO.as_ptr(), GROUND, other.as_ptr(), 1.0, 9.0, 0.0)
    }),
    ("add_spring", |b| unsafe {
        stn_builder_add_spring(b, 0, ZERO.as_ptr(), 1, ZERO.as_ptr(), 10.0, 0.1, 0.0)
    }),
    ("add_bushing", |b| unsafe {
        stn_builder_add_bushing(b, 3, ZERO.as_ptr(), GROUND, AT.as_ptr(), 10.0, 0.1)
    }),
    ("add_joint_spring", |b| unsafe {
        stn_builder_add_joint_spring(b, 1, STN_FREEDOM_ANGLE as i32, 1.0, 0.1, 0.0)
    }),
    ("add_joint_friction", |b| unsafe {
        stn_builder_add_joint_friction(b, 1, STN_FREEDOM_SLIDE as i32, 0.1)
    }),
    ("add_motor", |b| unsafe {
        stn_builder_add_motor(b, 1, STN_FREEDOM_ANGLE as i32, Some(wave), null_mut(), Some(release))
    }),
    ("add_force", |b| unsafe {
        stn_builder_add_force(b, 2, ZERO.as_ptr(), Some(push), null_mut(), Some(release))
    }),
    ("add_torque", |b| unsafe {
        stn_builder_add_torque(b, 3, Some(push), null_mut(), Some(release))
    }),
    ("add_material", |b| unsafe { stn_builder_add_material(b, &mut 0) }),
    ("set_surface", |b| unsafe { stn_builder_set_surface(b, 0, 0, 0.3, 0.5, AT.as_ptr(), 0.2) }),
    ("set_surface", |b| unsafe { stn_builder_set_surface(b, 0, 1, 0.3, 0.5, null(), 0.0) }),
    ("set_surface", |b| unsafe { stn_builder_set_surface(b, 1, 1, 0.3, 0.5, null(), 0.0) }),
    // In the plane, shapes 0 to 2: apart from those in space.
    ("add_polygon", |b| unsafe {
        let corners = [0.0, 0.0, 0.5, 0.0, 0.5, 0.5, 0.2, 0.2, 0.0, 0.5];
        stn_builder_add_polygon(b, 0, 5, corners.as_ptr(), null(), 0, null_mut())
    }),
    ("set_groups", |b| unsafe { stn_builder_set_groups(b, 0, 2, 2) }),
    ("add_capsule", |b| unsafe { stn_builder_add_capsule(b, 1, 0.2, 0.1, null(), 0, null_mut()) }),
    ("set_groups", |b| unsafe { stn_builder_set_groups(b, 1, 2, 2) }),
    ("add_half_space", |b| unsafe {
        stn_builder_add_half_space(b, GROUND, [0.0, 1.0, 0.0].as_ptr(), null(), 0, null_mut())
    }),
    ("set_groups", |b| unsafe { stn_builder_set_groups(b, 2, 2, 2) }),
    // In space.
    ("add_ball", |b| unsafe { stn_builder_add_ball(b, 5, 0.2, null(), 0, null_mut()) }),
    ("add_box", |b| unsafe {
        stn_builder_add_box(b, 2, [0.2, 0.3, 0.4].as_ptr(), null(), 0, null_mut())
    }),
    ("add_hull", |b| unsafe {
        stn_builder_add_hull(b, 3, 4, TETRAHEDRON.as_ptr(), null(), 1, null_mut())
    }),
    ("add_capsule", |b| unsafe { stn_builder_add_capsule(b, 3, 0.2, 0.1, null(), 0, null_mut()) }),
    ("add_mesh", |b| unsafe {
        let triangles = [0, 1, 2, 0, 3, 1];
        stn_builder_add_mesh(
            b,
            GROUND,
            4,
            TETRAHEDRON.as_ptr(),
            2,
            triangles.as_ptr(),
            null(),
            0,
            null_mut(),
        )
    }),
    ("add_height_field", |b| unsafe {
        stn_builder_add_height_field(
            b,
            GROUND,
            3,
            2,
            2.0,
            2.0,
            HEIGHTS.as_ptr(),
            null(),
            0,
            null_mut(),
        )
    }),
    ("add_half_space", |b| unsafe {
        stn_builder_add_half_space(b, GROUND, AT.as_ptr(), null(), 1, null_mut())
    }),
];

/// # Safety
/// `b` is a live builder.
unsafe fn spatial(b: *mut stn_builder, x: f64) -> stn_status {
    let pose = [x, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    // SAFETY: the promise of this function; arrays of the sizes stated.
    unsafe { stn_builder_add_spatial(b, 2.0, UNIT_INERTIA.as_ptr(), pose.as_ptr(), null_mut()) }
}

/// A builder after these calls.
fn after(calls: &[Call]) -> *mut stn_builder {
    let mut b = null_mut();
    // SAFETY: `b` can be written, and is a live builder then.
    unsafe {
        assert_eq!(stn_builder_create(&mut b), STN_OK);
        for (name, call) in calls {
            assert_eq!(call(b), STN_OK, "{name}");
        }
    }
    b
}

/// What is in a builder: the status of its model; its sizes, its first state and that after a step, as bits.
fn content(b: *const stn_builder) -> (stn_status, Vec<u64>) {
    let (mut model, mut bits) = (null_mut(), Vec::new());
    // SAFETY: a live builder; handles are destroyed once; arrays of the model's sizes.
    unsafe {
        let status = stn_builder_build(b, &mut model);
        if status != STN_OK {
            return (status, bits);
        }
        let mut d = stn_dims { struct_size: size_of::<stn_dims>(), ..stn_dims::default() };
        assert_eq!(stn_model_get_dims(model, &mut d), STN_OK);
        let sizes = [d.nq, d.nv, d.n_joint, d.n_contact, d.n_dir, d.n_brake, d.n_element];
        bits.extend(sizes.map(|n| n as u64));
        let (mut q, mut v) = (vec![0.0f64; d.nq as usize], vec![0.0f64; d.nv as usize]);
        let mut s = null_mut();
        assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
        for _ in 0..2 {
            let (q_to, v_to) = (q.as_mut_ptr(), v.as_mut_ptr());
            assert_eq!(stn_stepper_get_state(s, null_mut(), q_to, d.nq, v_to, d.nv), STN_OK);
            bits.extend(q.iter().chain(&v).map(|x| x.to_bits()));
            bits.push(stn_stepper_step(s, 1e-3) as u64);
        }
        stn_stepper_destroy(s);
        stn_model_destroy(model);
    }
    (STN_OK, bits)
}

#[test]
fn a_call_of_the_builder_without_memory_changes_nothing() {
    // SAFETY: ours, once.
    let done = |b| unsafe { stn_builder_destroy(b) };
    done(after(&CALLS[..1])); // the first call of all sets up the net for panics, which stays
    let mut faults = 0;
    for (at, (name, call)) in CALLS.iter().enumerate() {
        let before = after(&CALLS[..at]);
        let expected = content(before);
        done(before);
        for blocks in 0.. {
            let start = held();
            let b = after(&CALLS[..at]);
            let released = RELEASED.load(Ordering::SeqCst);
            // SAFETY: a live builder.
            let status = with(Some(blocks), || unsafe { call(b) });
            assert_eq!(
                RELEASED.load(Ordering::SeqCst),
                released,
                "{name} that never was is not released"
            );
            if status != STN_OK {
                assert_eq!(status, STN_ERR_MEMORY, "{name} after {blocks} blocks");
                assert_eq!(content(b), expected, "{name} after {blocks} blocks");
                faults += 1;
            }
            done(b);
            if status == STN_OK {
                break;
            }
            assert_eq!(held(), start, "{name} after {blocks} blocks");
        }
    }
    println!("{faults} faults in {} calls", CALLS.len());
    assert!(faults > 40, "{faults}");
}

#[test]
fn a_scene_and_its_stepper_are_made_in_whole_or_not_at_all() {
    let b = after(CALLS);
    let built = scarcely(|| {
        let mut model = std::ptr::without_provenance_mut(64);
        // SAFETY: a live builder, `model` can be written; a handle is destroyed once.
        unsafe {
            let status = stn_builder_build(b, &mut model);
            assert_eq!(status == STN_OK, !model.is_null());
            stn_model_destroy(model);
            status
        }
    });
    let mut model = null_mut();
    // SAFETY: as above.
    assert_eq!(unsafe { stn_builder_build(b, &mut model) }, STN_OK);
    let calls: Vec<Call> = CALLS.iter().filter(|c| c.0 != "add_joint_friction").copied().collect();
    let (other, mut plain) = (after(&calls), null_mut());
    // SAFETY: as above.
    assert_eq!(unsafe { stn_builder_build(other, &mut plain) }, STN_OK);
    // With a tolerance a stepper keeps a second state, and methods of higher order have stages. These know no brakes.
    let mut stepped = [0; 15];
    let methods = (1..=8).chain(20..=26);
    for (stepped, method) in stepped.iter_mut().zip(methods) {
        let runge_kutta = method >= 20;
        let (mut opt, size) = (MaybeUninit::uninit(), size_of::<stn_stepper_options>());
        // SAFETY: `size` bytes can be written, and are then.
        let mut opt: stn_stepper_options = unsafe {
            assert_eq!(stn_stepper_options_init(opt.as_mut_ptr(), size), STN_OK);
            opt.assume_init()
        };
        (opt.method, opt.abs_tol) = (method, 1e-6);
        let model = if runge_kutta { plain } else { model };
        *stepped = scarcely(|| {
            let mut s = std::ptr::without_provenance_mut(64);
            // SAFETY: a live model, `s` can be written; a handle is destroyed once.
            unsafe {
                let status = stn_stepper_create(model, &opt, &mut s);
                assert_eq!(status == STN_OK, !s.is_null());
                stn_stepper_destroy(s);
                status
            }
        });
    }
    println!("{built} faults in a scene, {stepped:?} in its steppers");
    // SAFETY: ours, once.
    unsafe {
        stn_model_destroy(model);
        stn_model_destroy(plain);
        stn_builder_destroy(b);
        stn_builder_destroy(other);
    }
    let created = scarcely(|| {
        let mut b = std::ptr::without_provenance_mut(64);
        // SAFETY: `b` can be written; a handle is destroyed once.
        unsafe {
            let status = stn_builder_create(&mut b);
            assert_eq!(status == STN_OK, !b.is_null());
            stn_builder_destroy(b);
            status
        }
    });
    assert!(
        created == 1 && built > 100 && stepped.iter().all(|n| *n > 100),
        "{created}, {built}, {stepped:?}"
    );
}

#[test]
fn every_function_of_the_builder_was_called_without_memory() {
    let header = std::fs::read_to_string("include/stiction.h").unwrap();
    let names = header.split("stn_builder_").skip(1).filter_map(|rest| rest.split_once('('));
    let name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let declared: BTreeSet<&str> = names.map(|(text, _)| text).filter(|text| name(text)).collect();
    let called = CALLS.iter().map(|(name, _)| *name).chain(["create", "build", "destroy"]);
    assert_eq!(declared, called.collect());
}
