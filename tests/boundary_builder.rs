//! The builder of built-in bodies and what is read from their models, given everything wrong in C: each case has its status, and
//! the builder is what it was before.
#![allow(unsafe_code)]

#[path = "support/built.rs"]
mod built;

use built::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use stiction::ffi::stn_joint_kind::*;
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

extern "C-unwind" fn zero(_: f64, _: *mut c_void) -> f64 {
    0.0
}

extern "C-unwind" fn nan(_: f64, _: *mut c_void) -> f64 {
    NAN
}

extern "C-unwind" fn no_push(_: f64, _: *mut f64, _: *mut c_void) {}

extern "C-unwind" fn bad_push(_: f64, value: *mut f64, _: *mut c_void) {
    // SAFETY: three numbers can be written.
    unsafe { *value.add(1) = INF };
}

/// Counts its calls in what `user` points at.
extern "C-unwind" fn count_release(user: *mut c_void) {
    // SAFETY: the test keeps the counter alive.
    unsafe { &*user.cast::<AtomicI32>() }.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn bodies_need_mass_inertia_and_a_place() {
    let b = Build::new();
    let mut id = UNTOUCHED;
    let mut flat_inertia = ROUND;
    flat_inertia[8] = 0.0;
    let mut lopsided = ROUND;
    lopsided[1] = 0.1;
    let long = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    // SAFETY: every array has its length.
    unsafe {
        let p2 = |m: f64, at: &[f64], id: *mut i32| stn_builder_add_point2(b.0, m, at.as_ptr(), id);
        fails(p2(0.0, &O, &mut id), STN_ERR_VALUE, "mass[4] is 0, must be positive");
        fails(p2(NAN, &O, &mut id), STN_ERR_NONFINITE, "mass[4] is NaN");
        fails(p2(1.0, &[NAN; 2], &mut id), STN_ERR_NONFINITE, "position[0] is NaN");
        let p3 = |m: f64, at: &[f64], id: *mut i32| stn_builder_add_point3(b.0, m, at.as_ptr(), id);
        fails(p3(-1.0, &O, &mut id), STN_ERR_VALUE, "mass[4] is -1, must be positive");
        fails(p3(1.0, &[0.0, 0.0, INF], &mut id), STN_ERR_NONFINITE, "position[2] is inf");
        let planar = |m, i, angle, id| stn_builder_add_planar(b.0, m, i, O.as_ptr(), angle, id);
        fails(planar(1.0, 0.0, 0.0, &mut id), STN_ERR_VALUE, "inertia[4] is 0");
        fails(planar(1.0, INF, 0.0, &mut id), STN_ERR_NONFINITE, "inertia[4] is inf");
        fails(planar(0.0, 1.0, 0.0, &mut id), STN_ERR_VALUE, "mass[4] is 0");
        fails(planar(1.0, 1.0, NAN, &mut id), STN_ERR_NONFINITE, "position[2] is NaN");
        let spatial = |m, i: &[f64; 9], pose: &[f64; 7], id| {
            stn_builder_add_spatial(b.0, m, i.as_ptr(), pose.as_ptr(), id)
        };
        fails(spatial(0.0, &ROUND, &LEVEL, &mut id), STN_ERR_VALUE, "mass[4] is 0");
        fails(spatial(1.0, &flat_inertia, &LEVEL, &mut id), STN_ERR_SINGULAR, "inertia is not");
        fails(spatial(1.0, &lopsided, &LEVEL, &mut id), STN_ERR_VALUE, "must be symmetric");
        fails(spatial(1.0, &[NAN; 9], &LEVEL, &mut id), STN_ERR_NONFINITE, "inertia[0] is NaN");
        fails(spatial(1.0, &ROUND, &long, &mut id), STN_ERR_VALUE, "quaternion length is 1.41");
        fails(spatial(1.0, &ROUND, &[0.0; 7], &mut id), STN_ERR_VALUE, "quaternion length is 0");
        fails(spatial(1.0, &ROUND, &[NAN; 7], &mut id), STN_ERR_NONFINITE, "position[0] is NaN");
        fails(
            stn_builder_set_gravity(b.0, [0.0, NAN, 0.0].as_ptr()),
            STN_ERR_NONFINITE,
            "gravity[1]",
        );
        let speed = |id, u: [f64; 3], w: [f64; 3]| {
            stn_builder_set_velocity(b.0, id, u.as_ptr(), w.as_ptr())
        };
        fails(speed(0, [NAN; 3], O), STN_ERR_NONFINITE, "velocity[0] is NaN");
        fails(speed(0, O, [0.0, INF, 0.0]), STN_ERR_NONFINITE, "angular velocity[1] is inf");
        fails(speed(2, Z, O), STN_ERR_VALUE, "velocity[2] is 1, must be zero");
        fails(speed(9, O, O), STN_ERR_VALUE, "body is 9, must be one that this builder made");
        fails(speed(GROUND, O, O), STN_ERR_VALUE, "body is -1, must be one that this builder made");
    }
    assert_eq!(id, UNTOUCHED);
    b.is_as_it_was();
}

#[test]
fn a_model_needs_a_body() {
    let b = Build::empty();
    let mut model = std::ptr::without_provenance_mut(64);
    // SAFETY: a live handle, and `model` can be written.
    unsafe {
        fails(stn_builder_build(b.0, &mut model), STN_ERR_VALUE, "number of bodies is 0");
        assert!(model.is_null());
        works(stn_builder_add_point2(b.0, 1.0, O.as_ptr(), null_mut()));
    }
    assert_eq!(b.build().dims(), [2, 2, 0, 0, 0]);
}

#[test]
fn joints_are_between_two_different_known_bodies() {
    let b = Build::new();
    let mut id = UNTOUCHED;
    let mut joint = |kind: i32, pair: [i32; 2], at: [f64; 3], axis: *const f64, b_axis| {
        // SAFETY: every array has its length or is NULL.
        unsafe {
            stn_builder_add_joint(b.0, kind, pair[0], pair[1], at.as_ptr(), axis, b_axis, &mut id)
        }
    };
    let z = Z.as_ptr();
    let spherical = STN_JOINT_SPHERICAL as i32;
    let universal = STN_JOINT_UNIVERSAL as i32;
    fails(joint(0, [0, 1], O, z, z), STN_ERR_VALUE, "kind is 0, which is no stn_joint_kind");
    fails(joint(7, [0, 1], O, z, z), STN_ERR_VALUE, "kind is 7, which is no stn_joint_kind");
    fails(joint(REVOLUTE, [0, 8], O, z, null()), STN_ERR_VALUE, "body is 8, must be one");
    fails(joint(REVOLUTE, [-2, 1], O, z, null()), STN_ERR_VALUE, "body is -2, must be one");
    fails(joint(REVOLUTE, [i32::MIN, 1], O, z, null()), STN_ERR_VALUE, "body is -2147483648");
    fails(joint(REVOLUTE, [0, 0], O, z, null()), STN_ERR_VALUE, "joint is body 0 twice");
    fails(joint(spherical, [GROUND, GROUND], O, z, z), STN_ERR_VALUE, "joint is the ground twice");
    fails(joint(REVOLUTE, [0, 2], O, z, null()), STN_ERR_VALUE, "one in the plane, one in space");
    fails(joint(REVOLUTE, [0, 1], [NAN; 3], z, null()), STN_ERR_NONFINITE, "joint point[0] is NaN");
    fails(joint(REVOLUTE, [0, 1], O, null(), z), STN_ERR_NULL, "axis is NULL");
    fails(joint(universal, [0, 1], O, z, null()), STN_ERR_NULL, "axis_b is NULL");
    fails(joint(universal, [0, 1], O, z, z), STN_ERR_VALUE, "made of axes at right angles");
    fails(joint(REVOLUTE, [0, 1], O, O.as_ptr(), null()), STN_ERR_VALUE, "axis is zero");
    let bad = [0.0, NAN, 0.0];
    fails(joint(REVOLUTE, [0, 1], O, bad.as_ptr(), null()), STN_ERR_NONFINITE, "axis[1] is NaN");
    fails(joint(spherical, [GROUND, 2], O, null(), null()), STN_ERR_VALUE, "joint is spherical");
    assert_eq!(id, UNTOUCHED);
    let rod = |pair: [i32; 2], at: [f64; 3], length: f64| {
        // SAFETY: every array has its length.
        unsafe {
            let (a, b_at) = (at.as_ptr(), O.as_ptr());
            stn_builder_add_rod(b.0, pair[0], a, pair[1], b_at, length, null_mut())
        }
    };
    fails(rod([1, 1], Z, 1.0), STN_ERR_VALUE, "rod is body 1 twice");
    fails(rod([1, 5], Z, 1.0), STN_ERR_VALUE, "body is 5");
    fails(rod([0, 1], Z, -1.0), STN_ERR_VALUE, "length is -1, must be positive");
    fails(rod([0, 1], X, 0.0), STN_ERR_VALUE, "length is 0, must be positive");
    fails(rod([0, 1], Z, NAN), STN_ERR_NONFINITE, "length is NaN");
    fails(rod([0, 1], [NAN; 3], 1.0), STN_ERR_NONFINITE, "attachment[0] is NaN");
    fails(rod([2, 1], Z, 1.0), STN_ERR_VALUE, "attachment[2] is 1");
    b.is_as_it_was();
}

#[test]
fn limits_springs_and_functions_of_time_are_checked() {
    let b = Build::new();
    let mut id = UNTOUCHED;
    let (o, z) = (O.as_ptr(), Z.as_ptr());
    // SAFETY: every array has its length or is NULL.
    unsafe {
        let limit = |j, f, low, high, e| stn_builder_add_limit(b.0, j, f, low, high, e);
        fails(limit(0, ANGLE, 1.0, -1.0, 0.0), STN_ERR_VALUE, "limits[0] is 1");
        fails(limit(0, ANGLE, -4.0, 4.0, 0.0), STN_ERR_VALUE, "less than one turn apart");
        fails(limit(0, ANGLE, NAN, 1.0, 0.0), STN_ERR_NONFINITE, "limits[0] is NaN");
        fails(limit(0, ANGLE, 0.0, 1.0, 1.5), STN_ERR_VALUE, "restitution is 1.5");
        fails(limit(0, ANGLE, 0.0, 1.0, NAN), STN_ERR_NONFINITE, "restitution is NaN");
        fails(limit(0, SLIDE, 0.0, 1.0, 0.0), STN_ERR_VALUE, "one that the joint leaves free");
        fails(limit(0, 0, 0.0, 1.0, 0.0), STN_ERR_VALUE, "freedom is 0, which is no stn_freedom");
        fails(limit(1, ANGLE, 0.0, 1.0, 0.0), STN_ERR_VALUE, "joint is 1, must be one");
        fails(limit(-1, ANGLE, 0.0, 1.0, 0.0), STN_ERR_VALUE, "joint is -1, must be one");
        let rope =
            |a, c, low, high| stn_builder_add_distance_limit(b.0, a, o, c, o, low, high, 0.0);
        fails(rope(0, 1, 2.0, 1.0), STN_ERR_VALUE, "limits[0] is 2");
        fails(rope(0, 1, -INF, NAN), STN_ERR_NONFINITE, "limits[1] is NaN");
        fails(rope(0, 0, -INF, 1.0), STN_ERR_VALUE, "distance limit is body 0 twice");
        fails(rope(0, 7, -INF, 1.0), STN_ERR_VALUE, "body is 7");
        let spring = |a, c, k, d, l| stn_builder_add_spring(b.0, a, o, c, z, k, d, l);
        fails(spring(0, 1, -1.0, 0.0, 0.0), STN_ERR_VALUE, "stiffness is -1, must be >= 0");
        fails(spring(0, 1, NAN, 0.0, 0.0), STN_ERR_NONFINITE, "stiffness is NaN");
        fails(spring(0, 1, 1.0, -2.0, 0.0), STN_ERR_VALUE, "damping is -2");
        fails(spring(0, 1, 1.0, 0.0, -1.0), STN_ERR_VALUE, "rest length is -1");
        fails(spring(0, 1, 1.0, 0.0, NAN), STN_ERR_NONFINITE, "rest");
        fails(spring(0, 0, 1.0, 0.0, 0.0), STN_ERR_VALUE, "spring is body 0 twice");
        let bushing = |a, c, k, d| stn_builder_add_bushing(b.0, a, o, c, o, k, d);
        fails(bushing(0, 1, -1.0, 0.0), STN_ERR_VALUE, "stiffness is -1");
        fails(bushing(0, 1, 1.0, INF), STN_ERR_NONFINITE, "damping is inf");
        fails(bushing(GROUND, GROUND, 1.0, 0.0), STN_ERR_VALUE, "bushing is the ground twice");
        let torsion = |j, f, k, rest| stn_builder_add_joint_spring(b.0, j, f, k, 0.0, rest);
        fails(torsion(0, ANGLE, -1.0, 0.0), STN_ERR_VALUE, "stiffness is -1");
        fails(torsion(0, ANGLE, 1.0, NAN), STN_ERR_NONFINITE, "rest is NaN");
        fails(torsion(3, ANGLE, 1.0, 0.0), STN_ERR_VALUE, "joint is 3");
        fails(torsion(0, 3, 1.0, 0.0), STN_ERR_VALUE, "freedom is 3");
        let friction = |j, f, bound| stn_builder_add_joint_friction(b.0, j, f, bound);
        fails(friction(0, ANGLE, -1.0), STN_ERR_VALUE, "bound is -1, must be >= 0");
        fails(friction(0, ANGLE, NAN), STN_ERR_NONFINITE, "bound is NaN");
        fails(friction(0, SLIDE, 1.0), STN_ERR_VALUE, "leaves free");
        fails(friction(3, ANGLE, 1.0), STN_ERR_VALUE, "joint is 3");
        fails(friction(0, 3, 1.0), STN_ERR_VALUE, "freedom is 3");
        let released = AtomicI32::new(0);
        let user = (&raw const released).cast_mut().cast();
        let gone: stn_release_fn = Some(count_release);
        let mut drive =
            |j, f, motion| stn_builder_add_drive(b.0, j, f, motion, user, gone, &mut id);
        fails(drive(0, ANGLE, None), STN_ERR_NULL, "motion is NULL");
        fails(drive(0, ANGLE, Some(nan)), STN_ERR_NONFINITE, "drive is NaN");
        fails(drive(0, SLIDE, Some(zero)), STN_ERR_VALUE, "leaves free");
        fails(drive(4, ANGLE, Some(zero)), STN_ERR_VALUE, "joint is 4");
        let motor = |j, f, force| stn_builder_add_motor(b.0, j, f, force, user, gone);
        fails(motor(0, ANGLE, None), STN_ERR_NULL, "force is NULL");
        fails(motor(0, ANGLE, Some(nan)), STN_ERR_NONFINITE, "motor is NaN");
        fails(motor(0, 9, Some(zero)), STN_ERR_VALUE, "freedom is 9");
        let force = |id, at, f| stn_builder_add_force(b.0, id, at, f, user, gone);
        fails(force(0, o, None), STN_ERR_NULL, "force is NULL");
        fails(force(0, o, Some(bad_push)), STN_ERR_NONFINITE, "force[1] is inf");
        fails(force(0, [NAN; 3].as_ptr(), Some(no_push)), STN_ERR_NONFINITE, "force point[0]");
        fails(force(GROUND, o, Some(no_push)), STN_ERR_VALUE, "body is -1");
        let torque = |id, f| stn_builder_add_torque(b.0, id, f, user, gone);
        fails(torque(0, None), STN_ERR_NULL, "torque is NULL");
        fails(torque(3, Some(no_push)), STN_ERR_VALUE, "point mass 3");
        fails(torque(0, Some(bad_push)), STN_ERR_NONFINITE, "torque[1] is inf");
        assert_eq!(released.load(Ordering::SeqCst), 0, "what was refused stays the caller's");
    }
    assert_eq!(id, UNTOUCHED);
    b.is_as_it_was();
}

#[test]
fn shapes_materials_and_surfaces_are_checked() {
    let b = Build::new();
    let mut id = UNTOUCHED;
    let none = null();
    let mut long = LEVEL;
    long[3] = 2.0;
    // SAFETY: every array has its length or is NULL.
    unsafe {
        let mut ball =
            |body, r, pose: *const f64, m| stn_builder_add_ball(b.0, body, r, pose, m, &mut id);
        fails(ball(0, -1.0, none, 0), STN_ERR_VALUE, "radius is -1");
        fails(ball(0, NAN, none, 0), STN_ERR_NONFINITE, "radius is NaN");
        fails(ball(8, 1.0, none, 0), STN_ERR_VALUE, "body is 8");
        fails(ball(0, 1.0, none, 1), STN_ERR_VALUE, "material is 1, must be one");
        fails(ball(0, 1.0, none, -1), STN_ERR_VALUE, "material is -1, must be one");
        fails(ball(0, 1.0, long.as_ptr(), 0), STN_ERR_VALUE, "quaternion length is 2");
        fails(ball(0, 1.0, [NAN; 7].as_ptr(), 0), STN_ERR_NONFINITE, "shape position[0] is NaN");
        fails(ball(3, 1.0, [1.0; 7].as_ptr(), 0), STN_ERR_VALUE, "quaternion length");
        let mut capsule = |l, r| stn_builder_add_capsule(b.0, 0, l, r, none, 0, &mut id);
        fails(capsule(0.0, 1.0), STN_ERR_VALUE, "half_length is 0");
        fails(capsule(1.0, -1.0), STN_ERR_VALUE, "radius is -1");
        fails(capsule(INF, 1.0), STN_ERR_NONFINITE, "half_length is inf");
        let mut cuboid =
            |body, half: [f64; 3]| stn_builder_add_box(b.0, body, half.as_ptr(), none, 0, &mut id);
        fails(cuboid(0, [1.0, 0.0, 1.0]), STN_ERR_VALUE, "half[1] is 0");
        fails(cuboid(0, [1.0, 1.0, NAN]), STN_ERR_NONFINITE, "is NaN");
        fails(cuboid(2, [1.0; 3]), STN_ERR_VALUE, "shape is box");
        let mut polygon = |body, n, points: *const f64| {
            stn_builder_add_polygon(b.0, body, n, points, none, 0, &mut id)
        };
        fails(polygon(2, 0, none), STN_ERR_VALUE, "vertices is empty");
        fails(polygon(2, -1, none), STN_ERR_DIMENSION, "n is -1");
        fails(polygon(2, 3, none), STN_ERR_NULL, "vertices is NULL");
        fails(polygon(2, 1, [0.0, NAN].as_ptr()), STN_ERR_NONFINITE, "vertices[1] is NaN");
        fails(polygon(0, 1, [0.0, 1.0].as_ptr()), STN_ERR_VALUE, "shape is polygon");
        let mut hull = |body, n, points: *const f64| {
            stn_builder_add_hull(b.0, body, n, points, none, 0, &mut id)
        };
        fails(hull(0, 3, [0.0; 9].as_ptr()), STN_ERR_VALUE, "points of a hull is 3");
        fails(hull(0, -1, none), STN_ERR_DIMENSION, "n is -1");
        fails(hull(0, 4, none), STN_ERR_NULL, "points is NULL");
        fails(hull(0, 4, [NAN; 12].as_ptr()), STN_ERR_NONFINITE, "points[0] is NaN");
        fails(hull(2, 4, [0.0; 12].as_ptr()), STN_ERR_VALUE, "shape is hull");
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let mut mesh = |nv, v: *const f64, nt, t: *const i32| {
            stn_builder_add_mesh(b.0, GROUND, nv, v, nt, t, none, 0, &mut id)
        };
        let t = [0, 1, 2];
        fails(mesh(3, corners.as_ptr(), 0, null()), STN_ERR_VALUE, "triangles is 0");
        fails(mesh(-3, corners.as_ptr(), 1, t.as_ptr()), STN_ERR_DIMENSION, "n_vertices is -3");
        fails(mesh(3, corners.as_ptr(), -1, t.as_ptr()), STN_ERR_DIMENSION, "n_triangles is -1");
        fails(mesh(3, none, 1, t.as_ptr()), STN_ERR_NULL, "vertices is NULL");
        fails(mesh(3, corners.as_ptr(), 1, null()), STN_ERR_NULL, "triangles is NULL");
        fails(mesh(2, corners.as_ptr(), 1, t.as_ptr()), STN_ERR_DIMENSION, "is 2");
        let below = [0, -1, 2];
        fails(mesh(3, corners.as_ptr(), 1, below.as_ptr()), STN_ERR_DIMENSION, "triangle is -1");
        fails(mesh(3, corners.as_ptr(), 1, [0, 1, 1].as_ptr()), STN_ERR_VALUE, "triangle 0");
        fails(mesh(3, [NAN; 9].as_ptr(), 1, t.as_ptr()), STN_ERR_NONFINITE, "vertices[0] is NaN");
        let mut field = |nx, x, h: *const f64| {
            stn_builder_add_height_field(b.0, GROUND, nx, 2, x, 1.0, h, none, 0, &mut id)
        };
        let flat = [0.0; 4];
        fails(field(1, 1.0, flat.as_ptr()), STN_ERR_VALUE, "1 by 2");
        fails(field(-1, 1.0, flat.as_ptr()), STN_ERR_DIMENSION, "nx is -1");
        // More than a mesh may have: nothing of the array is read.
        fails(field(i32::MAX, 1.0, flat.as_ptr()), STN_ERR_VALUE, "triangles is 4294967292");
        fails(field(2, 0.0, flat.as_ptr()), STN_ERR_VALUE, "size[0] is 0");
        fails(field(2, NAN, flat.as_ptr()), STN_ERR_NONFINITE, "size[0] is NaN");
        fails(field(2, 1.0, none), STN_ERR_NULL, "heights is NULL");
        fails(field(2, 1.0, [0.0, 0.0, NAN, 0.0].as_ptr()), STN_ERR_NONFINITE, "heights[2] is NaN");
        let mut plane = |body, normal: [f64; 3]| {
            stn_builder_add_half_space(b.0, body, normal.as_ptr(), none, 0, &mut id)
        };
        fails(plane(GROUND, O), STN_ERR_VALUE, "normal is zero");
        fails(plane(GROUND, [NAN; 3]), STN_ERR_NONFINITE, "normal[0] is NaN");
        fails(plane(3, Z), STN_ERR_VALUE, "shape is half-space");
        let surface = |m, mu, e, axis: *const f64, across| {
            stn_builder_set_surface(b.0, 0, m, mu, e, axis, across)
        };
        fails(surface(0, -0.1, 0.0, none, 0.0), STN_ERR_VALUE, "mu[0] is -0.1");
        fails(surface(0, NAN, 0.0, none, 0.0), STN_ERR_NONFINITE, "mu[0] is NaN");
        fails(surface(0, 0.1, 1.1, none, 0.0), STN_ERR_VALUE, "restitution is 1.1");
        fails(surface(0, 0.1, NAN, none, 0.0), STN_ERR_NONFINITE, "restitution is NaN");
        fails(surface(2, 0.1, 0.0, none, 0.0), STN_ERR_VALUE, "material is 2");
        fails(surface(0, 0.1, 0.0, O.as_ptr(), 0.1), STN_ERR_VALUE, "axis is zero");
        fails(surface(0, 0.1, 0.0, X.as_ptr(), -0.1), STN_ERR_VALUE, "mu[1] is -0.1");
        fails(surface(0, 0.1, 0.0, X.as_ptr(), NAN), STN_ERR_NONFINITE, "mu[0] is NaN");
        for (n, status) in [(3, STN_ERR_VALUE), (0, STN_ERR_VALUE), (-2, STN_ERR_DIMENSION)] {
            fails(stn_builder_set_facets(b.0, n), status, &format!("is {n}"));
        }
        for shape in [1, -1, i32::MAX] {
            fails(stn_builder_set_groups(b.0, shape, 1, 1), STN_ERR_VALUE, "shape is ");
        }
    }
    assert_eq!(id, UNTOUCHED);
    b.is_as_it_was();
}

#[test]
fn pairs_without_a_gap_function_or_a_surface_are_refused_until_groups_part_them() {
    let b = Build::new();
    let (mut rubber, mut shape, mut model) = (UNTOUCHED, UNTOUCHED, null_mut());
    // SAFETY: every array has its length or is NULL.
    unsafe {
        works(stn_builder_add_material(b.0, &mut rubber));
        assert_eq!(rubber, 1);
        works(stn_builder_add_ball(b.0, 1, 0.1, null(), rubber, &mut shape));
        fails(stn_builder_build(b.0, &mut model), STN_ERR_VALUE, "materials with a surface");
        works(stn_builder_set_surface(b.0, 0, rubber, 0.5, 0.0, X.as_ptr(), 0.1));
        assert_eq!(b.build().dims(), [20, 18, 5, 1, 8]);
        works(stn_builder_set_facets(b.0, 4));
        assert_eq!(b.build().dims(), [20, 18, 5, 1, 4]);
        let half = [0.1; 3];
        works(stn_builder_add_box(b.0, 1, half.as_ptr(), null(), 0, null_mut()));
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let (triangle, n) = ([0, 1, 2], null_mut());
        works(stn_builder_add_mesh(
            b.0,
            1,
            3,
            corners.as_ptr(),
            1,
            triangle.as_ptr(),
            null(),
            0,
            n,
        ));
        let turned = [0, 2, 1];
        let id = &mut shape;
        works(stn_builder_add_mesh(b.0, 0, 3, corners.as_ptr(), 1, turned.as_ptr(), null(), 0, id));
        fails(stn_builder_build(b.0, &mut model), STN_ERR_VALUE, "one with a gap function");
        works(stn_builder_set_groups(b.0, shape, 2, 0));
        // The ball of body 0 meets the ball and the box of body 1 all the time, and the mesh now and then.
        assert_eq!(b.build().dims(), [20, 18, 5, 2, 4]);
    }
}

#[test]
#[rustfmt::skip]
fn null_is_named_everywhere() {
    let b = Build::new();
    let m = b.build();
    let (none, no, id) = (null_mut::<stn_builder>(), null::<f64>(), null_mut::<i32>());
    let (z, z9, nb) = (Z.as_ptr(), ROUND.as_ptr(), "builder is NULL");
    let (q, v) = ([0.0; 20], [0.0; 18]);
    let (qp, vp) = (q.as_ptr(), v.as_ptr());
    let nm = null::<stn_model>();
    let mut out = 0.0;
    // SAFETY: NULL is refused before anything is used.
    unsafe {
        fails(stn_builder_create(null_mut()), STN_ERR_NULL, "out is NULL");
        stn_builder_destroy(none);
        let handles = [
            stn_builder_build(none, &mut null_mut()),
            stn_builder_set_gravity(none, z),
            stn_builder_add_point2(none, 1.0, z, id),
            stn_builder_add_point3(none, 1.0, z, id),
            stn_builder_add_planar(none, 1.0, 1.0, z, 0.0, id),
            stn_builder_add_spatial(none, 1.0, z9, z9, id),
            stn_builder_set_velocity(none, 0, z, z),
            stn_builder_set_facets(none, 4),
            stn_builder_add_joint(none, REVOLUTE, 0, 1, z, z, z, id),
            stn_builder_add_rod(none, 0, z, 1, z, 1.0, id),
            stn_builder_add_drive(none, 0, ANGLE, Some(zero), null_mut(), None, id),
            stn_builder_add_limit(none, 0, ANGLE, 0.0, 1.0, 0.0),
            stn_builder_add_distance_limit(none, 0, z, 1, z, 0.0, 1.0, 0.0),
            stn_builder_add_spring(none, 0, z, 1, z, 1.0, 0.0, 0.0),
            stn_builder_add_bushing(none, 0, z, 1, z, 1.0, 0.0),
            stn_builder_add_joint_spring(none, 0, ANGLE, 1.0, 0.0, 0.0),
            stn_builder_add_joint_friction(none, 0, ANGLE, 1.0),
            stn_builder_add_motor(none, 0, ANGLE, Some(zero), null_mut(), None),
            stn_builder_add_force(none, 0, z, Some(no_push), null_mut(), None),
            stn_builder_add_torque(none, 0, Some(no_push), null_mut(), None),
            stn_builder_add_material(none, &mut 0),
            stn_builder_set_surface(none, 0, 0, 0.0, 0.0, no, 0.0),
            stn_builder_add_ball(none, 0, 1.0, no, 0, id),
            stn_builder_add_capsule(none, 0, 1.0, 1.0, no, 0, id),
            stn_builder_add_box(none, 0, z, no, 0, id),
            stn_builder_add_polygon(none, 2, 1, z, no, 0, id),
            stn_builder_add_half_space(none, 0, z, no, 0, id),
            stn_builder_add_hull(none, 0, 4, z, no, 0, id),
            stn_builder_add_mesh(none, 0, 3, z, 1, null(), no, 0, id),
            stn_builder_add_height_field(none, 0, 2, 2, 1.0, 1.0, z, no, 0, id),
            stn_builder_set_groups(none, 0, 1, 1),
        ];
        assert!(handles.iter().all(|status| *status == STN_ERR_NULL), "{handles:?}");
        assert_eq!(last_error(), nb);
        fails(stn_builder_build(b.0, null_mut()), STN_ERR_NULL, "out is NULL");
        fails(stn_builder_set_gravity(b.0, no), STN_ERR_NULL, "g is NULL");
        fails(stn_builder_add_point2(b.0, 1.0, no, id), STN_ERR_NULL, "at is NULL");
        fails(stn_builder_add_point3(b.0, 1.0, no, id), STN_ERR_NULL, "at is NULL");
        fails(stn_builder_add_planar(b.0, 1.0, 1.0, no, 0.0, id), STN_ERR_NULL, "at is NULL");
        fails(stn_builder_add_spatial(b.0, 1.0, no, z9, id), STN_ERR_NULL, "inertia is NULL");
        fails(stn_builder_add_spatial(b.0, 1.0, z9, no, id), STN_ERR_NULL, "pose is NULL");
        fails(stn_builder_set_velocity(b.0, 0, no, z), STN_ERR_NULL, "linear is NULL");
        fails(stn_builder_add_joint(b.0, REVOLUTE, 0, 1, no, z, z, id), STN_ERR_NULL, "at is NULL");
        fails(stn_builder_add_material(b.0, null_mut()), STN_ERR_NULL, "material is NULL");
        fails(stn_builder_add_box(b.0, 0, no, no, 0, id), STN_ERR_NULL, "half is NULL");
        fails(stn_builder_add_half_space(b.0, 0, no, no, 0, id), STN_ERR_NULL, "normal is NULL");
        b.is_as_it_was();

        let x = null_mut::<f64>();
        let models = [
            stn_model_get_dims(nm, &mut blank_dims()),
            stn_model_get_initial(nm, x, 20, x, 18),
            stn_model_get_energy(nm, 0.0, qp, 20, vp, 18, x, x),
            stn_model_get_momentum(nm, qp, 20, vp, 18, x, x),
            stn_model_get_total_mass(nm, &mut out),
            stn_model_get_body_range(nm, 0, id, id, id, id),
            stn_model_get_joint_range(nm, 0, id, id),
            stn_model_get_contact_pair(nm, 0, id, id, id, id),
            stn_model_get_pose(nm, 0, qp, 20, &mut out),
            stn_model_get_point(nm, 0, z, qp, 20, vp, 18, x, x),
            stn_model_get_joint_coordinate(nm, 0, ANGLE, qp, 20, &mut out),
            stn_model_check_state(nm, 0.0, qp, 20, vp, 18, &mut blank_consistency()),
            stn_model_nearest_state(nm, 0.0, x, 20, x, 18, null_mut()),
        ];
        assert_eq!(models, [STN_ERR_NULL; 13]);
        assert_eq!(last_error(), "model is NULL");
        let pair = |key| stn_model_get_contact_pair(m.0, key, id, null_mut(), null_mut(), null_mut());
        for key in [-1, 1 << 60, 1 << 61, 1 << 62, i64::MAX, i64::MIN] {
            fails(pair(key), STN_ERR_VALUE, &format!("key is {key}"));
        }
        fails(stn_model_get_dims(m.0, null_mut()), STN_ERR_NULL, "out is NULL");
        fails(stn_model_get_energy(m.0, 0.0, no, 20, vp, 18, &mut out, x), STN_ERR_NULL, "q is NULL");
        fails(stn_model_get_energy(m.0, 0.0, qp, 20, no, 18, &mut out, x), STN_ERR_NULL, "v is NULL");
        fails(stn_model_get_momentum(m.0, no, 20, vp, 18, x, x), STN_ERR_NULL, "q is NULL");
        fails(stn_model_get_momentum(m.0, qp, 20, no, 18, x, x), STN_ERR_NULL, "v is NULL");
        fails(stn_model_get_total_mass(m.0, x), STN_ERR_NULL, "mass is NULL");
        fails(stn_model_get_pose(m.0, 0, no, 20, &mut out), STN_ERR_NULL, "q is NULL");
        fails(stn_model_get_pose(m.0, 0, qp, 20, x), STN_ERR_NULL, "pose is NULL");
        fails(stn_model_get_point(m.0, 0, z, no, 20, vp, 18, x, x), STN_ERR_NULL, "q is NULL");
        fails(stn_model_get_point(m.0, 0, z, qp, 20, no, 18, x, &mut out), STN_ERR_NULL, "v is NULL");
        fails(stn_model_get_joint_coordinate(m.0, 0, ANGLE, no, 20, &mut out), STN_ERR_NULL, "q is NULL");
        fails(stn_model_get_joint_coordinate(m.0, 0, ANGLE, qp, 20, x), STN_ERR_NULL, "value is NULL");
        fails(stn_model_check_state(m.0, 0.0, qp, 20, vp, 18, null_mut()), STN_ERR_NULL, "out is NULL");
        fails(stn_model_check_state(m.0, 0.0, no, 20, vp, 18, &mut blank_consistency()), STN_ERR_NULL, "q is NULL");
        fails(stn_model_nearest_state(m.0, 0.0, x, 20, x, 18, null_mut()), STN_ERR_NULL, "q is NULL");
    }
}
