//! Springs, dampers, friction of joints, motors, forces and torques of the builder in C.

use super::builder::{body_of, fixed, joint_of, link_of, stn_builder};
use super::builder_joint::{freedom_of, unless_zero};
use super::callback::stn_release_fn;
use super::guard;
use super::ptr::Arrays;
use super::signal::{HostSignal, stn_signal_fn, stn_vector_signal_fn};
use super::status::stn_status;
use crate::rigid::{Builder, Spring};
use libc::c_void;

/// Adds a spring and damper between a point of one body and a point of another. The points must
/// never coincide: a step that meets this is refused with STN_REJECTED.
///
/// @param builder  builder; Nullable: no
/// @param a  first body, or STN_GROUND
/// @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param b  second body, or STN_GROUND, not the first
/// @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param stiffness  N/m, >= 0
/// @param damping  N s/m, >= 0
/// @param rest  length without force, m, > 0; 0: the distance at the builder's pose, which must not
/// be zero
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
/// itself, stiffness, damping, rest, a point off a point mass or off the plane of its body),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_spring(
    builder: *mut stn_builder,
    a: i32,
    at_a: *const f64,
    b: i32,
    at_b: *const f64,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let mut arrays = Arrays::new();
        let at_a = arrays.input_or_none("at_a", at_a, 3)?;
        let at_b = arrays.input_or_none("at_b", at_b, 3)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (at_a, at_b) = unsafe { (fixed(at_a), fixed(at_b)) };
        let spring = Spring { stiffness, damping, rest: unless_zero(rest) };
        builder.spring(link_of(a)?, at_a, link_of(b)?, at_b, spring)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a spring and damper that pulls two points together in every direction: rest length zero.
/// The points may coincide.
///
/// @param builder  builder; Nullable: no
/// @param a  first body, or STN_GROUND
/// @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param b  second body, or STN_GROUND, not the first
/// @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param stiffness  N/m, >= 0
/// @param damping  N s/m, >= 0
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
/// itself, stiffness, damping, a point off a point mass or off the plane of its body),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_bushing(
    builder: *mut stn_builder,
    a: i32,
    at_a: *const f64,
    b: i32,
    at_b: *const f64,
    stiffness: f64,
    damping: f64,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let mut arrays = Arrays::new();
        let at_a = arrays.input_or_none("at_a", at_a, 3)?;
        let at_b = arrays.input_or_none("at_b", at_b, 3)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (at_a, at_b) = unsafe { (fixed(at_a), fixed(at_b)) };
        let spring = Spring { stiffness, damping, rest: None };
        builder.bushing(link_of(a)?, at_a, link_of(b)?, at_b, spring)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a spring and damper along a free coordinate of a joint: torsional for STN_FREEDOM_ANGLE. In
/// space the spring must not be wound up by half a turn or more.
///
/// @param builder  builder; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param stiffness  N m/rad or N/m, >= 0
/// @param damping  N m s/rad or N s/m, >= 0
/// @param rest  coordinate without force, rad or m; 0 is the builder's pose
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown joint or freedom, one
/// that the joint does not leave free, stiffness, damping), STN_ERR_BUSY, STN_ERR_POISONED,
/// STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_joint_spring(
    builder: *mut stn_builder,
    joint: i32,
    freedom: i32,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> stn_status {
    let call = |b: &mut Builder| {
        let spring = Spring { stiffness, damping, rest: Some(rest) };
        b.joint_spring(joint_of(joint)?, freedom_of(freedom)?, spring)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds dry friction along a free coordinate of a joint, as bearings and gears have it: its force is
/// at most bound, whatever the joint carries. It holds what it can, opposes motion with the full
/// bound, and does nothing in impacts. Its stick and slip are events: contact is n_contact plus the
/// number of such frictions added before, key the number of the joint.
///
/// @param builder  builder; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param bound  N m or N, >= 0
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown joint or freedom, one
/// that the joint does not leave free, bound), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_joint_friction(
    builder: *mut stn_builder,
    joint: i32,
    freedom: i32,
    bound: f64,
) -> stn_status {
    let call = |b: &mut Builder| {
        b.joint_friction(joint_of(joint)?, freedom_of(freedom)?, bound)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a force or torque along a free coordinate of a joint, given in time: positive makes the
/// coordinate grow. It is asked for t = 0 here. A value that is not finite stops a step with
/// STN_ERR_NONFINITE.
///
/// @param builder  builder; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param force  N or N m at t; called from every thread that steps a model of this builder;
/// Nullable: no
/// @param user  handed to force; must live until release; Nullable: yes
/// @param release  called with user once, when the builder and all its models are gone, not on
/// failure; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown joint or freedom, one that the joint does
/// not leave free), STN_ERR_NONFINITE (force at t = 0), STN_ERR_BUSY, STN_ERR_POISONED,
/// STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_motor(
    builder: *mut stn_builder,
    joint: i32,
    freedom: i32,
    force: stn_signal_fn,
    user: *mut c_void,
    release: stn_release_fn,
) -> stn_status {
    let call = |b: &mut Builder| {
        let host = HostSignal::new(user, release)?;
        b.motor(joint_of(joint)?, freedom_of(freedom)?, host.number("force", force)?)?;
        host.keep();
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a force on a body, given in time, in world axes. It is asked for t = 0 here. A value that
/// is not finite stops a step with STN_ERR_NONFINITE.
///
/// @param builder  builder; Nullable: no
/// @param body  its number
/// @param at  where it acts, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param force  N at t; called from every thread that steps a model of this builder; Nullable: no
/// @param user  handed to force; must live until release; Nullable: yes
/// @param release  called with user once, when the builder and all its models are gone, not on
/// failure; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown body), STN_ERR_NONFINITE (at, or force at t
/// = 0), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_force(
    builder: *mut stn_builder,
    body: i32,
    at: *const f64,
    force: stn_vector_signal_fn,
    user: *mut c_void,
    release: stn_release_fn,
) -> stn_status {
    let call = |b: &mut Builder| {
        let at = Arrays::new().input_or_none("at", at, 3)?;
        let host = HostSignal::new(user, release)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        b.force(body_of(body)?, unsafe { fixed(at) }, host.vector("force", force)?)?;
        host.keep();
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a torque on a body, given in time, in world axes. It is asked for t = 0 here. A value that
/// is not finite stops a step with STN_ERR_NONFINITE.
///
/// @param builder  builder; Nullable: no
/// @param body  its number; not a point mass
/// @param torque  N m at t; called from every thread that steps a model of this builder;
/// Nullable: no
/// @param user  handed to torque; must live until release; Nullable: yes
/// @param release  called with user once, when the builder and all its models are gone, not on
/// failure; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown body, point mass), STN_ERR_NONFINITE
/// (torque at t = 0), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_torque(
    builder: *mut stn_builder,
    body: i32,
    torque: stn_vector_signal_fn,
    user: *mut c_void,
    release: stn_release_fn,
) -> stn_status {
    let call = |b: &mut Builder| {
        let host = HostSignal::new(user, release)?;
        b.torque(body_of(body)?, host.vector("torque", torque)?)?;
        host.keep();
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}
