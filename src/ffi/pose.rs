//! Where built-in bodies are: their coordinates in a state, poses, points, joint coordinates.

use super::builder::{body_of, fixed, joint_of};
use super::builder_joint::freedom_of;
use super::guard;
use super::measure::put;
use super::model::{SharedModel, exactly, stn_model};
use super::ptr::{Arrays, In};
use super::status::{Fault, stn_status};
use crate::error::{Error, finite, finite_number, told};

/// Where the coordinates of a built-in body lie in q and v.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param body  its number
/// @param q_at  receives the place of the first in q; Nullable: yes
/// @param n_q  receives how many there are in q; Nullable: yes
/// @param v_at  receives the place of the first in v; Nullable: yes
/// @param n_v  receives how many there are in v; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
/// STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_body_range(
    model: *const stn_model,
    body: i32,
    q_at: *mut i32,
    n_q: *mut i32,
    v_at: *mut i32,
    n_v: *mut i32,
) -> stn_status {
    let call = |m: &SharedModel| {
        let (scene, id) = (m.scene()?, body_of(body)?);
        let (q, v) = (scene.position_range(id), scene.velocity_range(id));
        if q.is_empty() {
            let got = told(body);
            return Err(Error::Value { what: "body", got, must: "one of this model" }.into());
        }
        // SAFETY: the caller's promise for the numbers.
        unsafe {
            spans([
                ("q_at", q_at, q.start),
                ("n_q", n_q, q.len()),
                ("v_at", v_at, v.start),
                ("n_v", n_v, v.len()),
            ])
        }
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Writes counts and places that the caller may not want.
///
/// # Safety
/// Each pointer is NULL or points at a number that can be written.
unsafe fn spans<const N: usize>(
    wanted: [(&'static str, *mut i32, usize); N],
) -> Result<stn_status, Fault> {
    let mut a = Arrays::new();
    for (what, p, _) in wanted {
        a.wanted(what, p, 1)?;
    }
    a.disjoint()?;
    for (what, p, n) in wanted {
        let out = Arrays::new().wanted(what, p, 1)?;
        // SAFETY: the promise of this function; they are disjoint.
        unsafe { put(out, &[i32::try_from(n).unwrap_or(i32::MAX)]) };
    }
    Ok(stn_status::STN_OK)
}

/// Which equations, among the n_joint of the model, are those of a joint.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param joint  its number
/// @param first  receives the number of its first equation; Nullable: yes
/// @param n  receives how many there are; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown joint, overlap),
/// STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_joint_range(
    model: *const stn_model,
    joint: i32,
    first: *mut i32,
    n: *mut i32,
) -> stn_status {
    let call = |m: &SharedModel| {
        let range = m.scene()?.joint_equations(joint_of(joint)?);
        if range.is_empty() {
            let got = told(joint);
            return Err(Error::Value { what: "joint", got, must: "one of this model" }.into());
        }
        // SAFETY: the caller's promise for the numbers.
        unsafe { spans([("first", first, range.start), ("n", n, range.len())]) }
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Where a built-in body stands.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param body  its number
/// @param q  nq numbers; Nullable: no
/// @param nq  as in the model
/// @param pose  receives 7 numbers: center of mass x y z, unit quaternion w x y z; Nullable: no
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
/// STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_pose(
    model: *const stn_model,
    body: i32,
    q: *const f64,
    nq: i32,
    pose: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let scene = m.scene()?;
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, m.0.dims().nq)?)?;
        let pose = a.output("pose", pose, 7)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let q = unsafe { q.get() };
        finite("q", q)?;
        let found = scene.pose(body_of(body)?, q)?;
        let ([x, y, z], [p, i, j, k]) = (found.position, found.quaternion);
        let found = [x, y, z, p, i, j, k];
        finite("pose", &found)?;
        // SAFETY: as above.
        unsafe { put(Some(pose), &found) };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// World place and velocity of a point fixed to a built-in body.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param body  its number
/// @param at  the point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
/// @param q  nq numbers; Nullable: no
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: yes, if velocity is
/// @param nv  as in the model
/// @param place  receives 3 numbers, m; Nullable: yes
/// @param velocity  receives 3 numbers, m/s; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
/// STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_point(
    model: *const stn_model,
    body: i32,
    at: *const f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    place: *mut f64,
    velocity: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let (scene, dims) = (m.scene()?, m.0.dims());
        let mut a = Arrays::new();
        let at = a.input_or_none("at", at, 3)?;
        let q = a.input("q", q, exactly("nq", nq, dims.nq)?)?;
        let nv = exactly("nv", nv, dims.nv)?;
        let v: In<'_> = a.input("v", v, if velocity.is_null() { 0 } else { nv })?;
        let place = a.wanted("place", place, 3)?;
        let velocity = a.wanted("velocity", velocity, 3)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (at, q, v) = unsafe { (fixed(at), q.get(), v.get()) };
        for (what, numbers) in [("at", &at[..]), ("q", q), ("v", v)] {
            finite(what, numbers)?;
        }
        let id = body_of(body)?;
        let x = scene.point(id, q, at)?;
        let u = if velocity.is_some() { scene.point_velocity(id, q, v, at)? } else { [0.0; 3] };
        finite("place", &x)?;
        finite("velocity", &u)?;
        // SAFETY: as above.
        unsafe {
            put(place, &x);
            put(velocity, &u);
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// A free coordinate of a joint, counted from the builder's pose. Angles in space lie in (-pi, pi].
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param joint  number of a joint that leaves the coordinate free
/// @param freedom  a stn_freedom
/// @param q  nq numbers; Nullable: no
/// @param nq  as in the model
/// @param value  receives the coordinate, rad or m; Nullable: no
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown joint or freedom, one that
/// the joint does not leave free, overlap), STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE,
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_joint_coordinate(
    model: *const stn_model,
    joint: i32,
    freedom: i32,
    q: *const f64,
    nq: i32,
    value: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let scene = m.scene()?;
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, m.0.dims().nq)?)?;
        let value = a.output("value", value, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let q = unsafe { q.get() };
        finite("q", q)?;
        let found = scene.coordinate(joint_of(joint)?, freedom_of(freedom)?, q)?;
        finite_number("coordinate", found)?;
        // SAFETY: as above.
        unsafe { put(Some(value), &[found]) };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}
