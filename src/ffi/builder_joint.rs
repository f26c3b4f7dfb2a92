//! Joints, rods, drives and limits of the builder in C.

use super::builder::{added, fixed, joint_of, link_of, stn_builder};
use super::callback::stn_release_fn;
use super::guard;
use super::ptr::{Arrays, In};
use super::signal::{HostSignal, stn_signal_fn};
use super::status::{Fault, stn_status};
use crate::rigid::{Builder, Freedom, Joint};
use libc::c_void;

/// How two bodies are joined. In the plane STN_JOINT_REVOLUTE about z, STN_JOINT_PRISMATIC and
/// STN_JOINT_FIXED exist, in space all. For a point mass, which has no orientation,
/// STN_JOINT_SPHERICAL (in the plane STN_JOINT_REVOLUTE) pins the point, STN_JOINT_PRISMATIC and
/// STN_JOINT_CYLINDRICAL make a bead on a straight wire.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_joint_kind {
    /// One common point: 3 equations.
    STN_JOINT_SPHERICAL = 1,
    /// One common point and axis: 5 equations, in the plane 2.
    STN_JOINT_REVOLUTE = 2,
    /// One common point, an axis of each body at right angles to the other's: 4 equations.
    STN_JOINT_UNIVERSAL = 3,
    /// One common axis, along and about which the bodies move: 4 equations.
    STN_JOINT_CYLINDRICAL = 4,
    /// Straight motion along an axis without rotation: 5 equations, in the plane 2.
    STN_JOINT_PRISMATIC = 5,
    /// No relative motion: 6 equations, in the plane 3.
    STN_JOINT_FIXED = 6,
}

/// A coordinate that a joint leaves free, of the second body relative to the first; zero at the
/// builder's pose.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_freedom {
    /// Rotation about the axis, rad.
    STN_FREEDOM_ANGLE = 1,
    /// Motion along the axis, m.
    STN_FREEDOM_SLIDE = 2,
}

pub(super) fn freedom_of(freedom: i32) -> Result<Freedom, Fault> {
    const ANGLE: i32 = stn_freedom::STN_FREEDOM_ANGLE as i32;
    const SLIDE: i32 = stn_freedom::STN_FREEDOM_SLIDE as i32;
    match freedom {
        ANGLE => Ok(Freedom::Angle),
        SLIDE => Ok(Freedom::Slide),
        got => Err(Fault::Unknown { what: "freedom", got, of: "stn_freedom" }),
    }
}

/// A joint with as many axes as its kind reads.
///
/// # Safety
/// As [`In::get`].
unsafe fn joint_with(
    a: &mut Arrays,
    kind: i32,
    axis: *const f64,
    axis_b: *const f64,
) -> Result<Joint, Fault> {
    use stn_joint_kind::*;
    let kinds = [
        STN_JOINT_SPHERICAL,
        STN_JOINT_REVOLUTE,
        STN_JOINT_UNIVERSAL,
        STN_JOINT_CYLINDRICAL,
        STN_JOINT_PRISMATIC,
        STN_JOINT_FIXED,
    ];
    let known = kinds.into_iter().find(|k| *k as i32 == kind);
    let known = known.ok_or(Fault::Unknown { what: "kind", got: kind, of: "stn_joint_kind" })?;
    let mut read = |what, p| {
        let axis: In<'_> = a.input(what, p, 3)?;
        // SAFETY: the promise of this function.
        Ok::<_, Fault>(unsafe { fixed(axis) })
    };
    Ok(match known {
        STN_JOINT_SPHERICAL => Joint::Spherical,
        STN_JOINT_REVOLUTE => Joint::Revolute { axis: read("axis", axis)? },
        STN_JOINT_UNIVERSAL => {
            Joint::Universal { axis_a: read("axis", axis)?, axis_b: read("axis_b", axis_b)? }
        }
        STN_JOINT_CYLINDRICAL => Joint::Cylindrical { axis: read("axis", axis)? },
        STN_JOINT_PRISMATIC => Joint::Prismatic { axis: read("axis", axis)? },
        STN_JOINT_FIXED => Joint::Fixed,
    })
}

/// Joins two bodies, or a body and the ground, at a point of the builder's pose, where the joint
/// holds by construction. Axes are given in world axes at that pose, fixed in the first body and
/// need not have length one.
///
/// @param builder  builder; Nullable: no
/// @param kind  a stn_joint_kind
/// @param a  first body, or STN_GROUND
/// @param b  second body, or STN_GROUND, not the first
/// @param at  the point, 3 numbers, m, world axes; Nullable: no
/// @param axis  3 numbers, not zero; Nullable: for kinds without an axis, which do not read it
/// @param axis_b  3 numbers, fixed in b, at right angles to axis; Nullable: for all kinds but
/// STN_JOINT_UNIVERSAL, which do not read it
/// @param joint  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown kind or body, a body
/// with itself, a joint that these bodies cannot have, an axis of length zero, overlap),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_joint(
    builder: *mut stn_builder,
    kind: i32,
    a: i32,
    b: i32,
    at: *const f64,
    axis: *const f64,
    axis_b: *const f64,
    joint: *mut i32,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let mut arrays = Arrays::new();
        let at = arrays.input("at", at, 3)?;
        // SAFETY: the caller's promise for the axes; nothing has been written.
        let made = unsafe { joint_with(&mut arrays, kind, axis, axis_b)? };
        let joint = arrays.wanted("joint", joint, 1)?;
        arrays.disjoint()?;
        let (a, b) = (link_of(a)?, link_of(b)?);
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe { added(joint, builder.joint(made, a, b, fixed(at))?.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Keeps a point of one body and a point of another at a distance: one equation.
///
/// @param builder  builder; Nullable: no
/// @param a  first body, or STN_GROUND
/// @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param b  second body, or STN_GROUND, not the first
/// @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param length  m, > 0; 0: the distance at the builder's pose, which must not be zero
/// @param joint  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
/// itself, length, a point off a point mass or off the plane of its body, overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_rod(
    builder: *mut stn_builder,
    a: i32,
    at_a: *const f64,
    b: i32,
    at_b: *const f64,
    length: f64,
    joint: *mut i32,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let mut arrays = Arrays::new();
        let at_a = arrays.input_or_none("at_a", at_a, 3)?;
        let at_b = arrays.input_or_none("at_b", at_b, 3)?;
        let joint = arrays.wanted("joint", joint, 1)?;
        arrays.disjoint()?;
        let (a, b) = (link_of(a)?, link_of(b)?);
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe {
            let id = builder.rod(a, fixed(at_a), b, fixed(at_b), unless_zero(length))?;
            added(joint, id.index())
        }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// A length that the caller may leave to the builder's pose.
pub(super) fn unless_zero(length: f64) -> Option<f64> {
    // exact: given as zero
    (length != 0.0).then_some(length)
}

/// Prescribes a free coordinate of a joint as a function of time: one more equation. The function
/// should be 0 at the start, where the coordinate is; it is asked for t = 0 here. A value that is
/// not finite stops a step with STN_ERR_NONFINITE.
///
/// @param builder  builder; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param motion  the coordinate at t, rad or m; called from every thread that steps a model of
/// this builder; Nullable: no
/// @param user  handed to motion; must live until release; Nullable: yes
/// @param release  called with user once, when the builder and all its models are gone, not on
/// failure; Nullable: yes
/// @param drive  receives the number of the drive among the joints; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown joint or freedom, one that the joint does
/// not leave free), STN_ERR_NONFINITE (motion at t = 0), STN_ERR_BUSY, STN_ERR_POISONED,
/// STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_drive(
    builder: *mut stn_builder,
    joint: i32,
    freedom: i32,
    motion: stn_signal_fn,
    user: *mut c_void,
    release: stn_release_fn,
    drive: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let drive = Arrays::new().wanted("drive", drive, 1)?;
        let (joint, freedom) = (joint_of(joint)?, freedom_of(freedom)?);
        let host = HostSignal::new(user, release)?;
        let id = b.drive(joint, freedom, host.number("motion", motion)?)?;
        host.keep();
        // SAFETY: the caller's promise for the array.
        unsafe { added(drive, id.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Keeps a free coordinate of a joint between two ends, by contacts without friction, one for each
/// finite end. Angles of bodies in space need both ends, less than one turn apart.
///
/// @param builder  builder; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param low  lower end, rad or m; -INFINITY: none
/// @param high  upper end, > low; INFINITY: none
/// @param restitution  in [0, 1]
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE (NaN), STN_ERR_VALUE (unknown joint or freedom,
/// one that the joint does not leave free, ends that are out of order or too far apart,
/// restitution), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_limit(
    builder: *mut stn_builder,
    joint: i32,
    freedom: i32,
    low: f64,
    high: f64,
    restitution: f64,
) -> stn_status {
    let call = |b: &mut Builder| {
        b.limit(joint_of(joint)?, freedom_of(freedom)?, low, high, restitution)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Keeps the distance of two points between two ends, by contacts without friction, one for each
/// finite end: a rope has no lower end.
///
/// @param builder  builder; Nullable: no
/// @param a  first body, or STN_GROUND
/// @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param b  second body, or STN_GROUND, not the first
/// @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param low  lower end, m; -INFINITY: none
/// @param high  upper end, > low; INFINITY: none
/// @param restitution  in [0, 1]
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE (points, NaN), STN_ERR_VALUE (unknown body, a
/// body with itself, ends that are out of order, restitution), STN_ERR_BUSY, STN_ERR_POISONED,
/// STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_distance_limit(
    builder: *mut stn_builder,
    a: i32,
    at_a: *const f64,
    b: i32,
    at_b: *const f64,
    low: f64,
    high: f64,
    restitution: f64,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let mut arrays = Arrays::new();
        let at_a = arrays.input_or_none("at_a", at_a, 3)?;
        let at_b = arrays.input_or_none("at_b", at_b, 3)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (at_a, at_b) = unsafe { (fixed(at_a), fixed(at_b)) };
        let (a, b) = (link_of(a)?, link_of(b)?);
        builder.limit_distance(a, at_a, b, at_b, [low, high], restitution)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}
