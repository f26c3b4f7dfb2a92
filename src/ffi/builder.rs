//! The builder of built-in bodies in C: its handle, bodies, gravity, and the model that comes out.
//! Joints, forces and shapes have files of their own.

use super::guard::{self, Handle, Opaque};
use super::model::{SharedModel, stn_model};
use super::ptr::{Arrays, In, Out, count, counted};
use super::status::{Fault, stn_status};
use crate::error::{Error, told};
use crate::rigid::{BodyId, Builder, JointId, Link};

/// Collects bodies and what acts between them, and makes models of it.
pub struct stn_builder(Handle<Builder>);

impl Opaque for stn_builder {
    type Inner = Builder;
    const NAME: &'static str = "builder";
    fn handle(&self) -> &Handle<Builder> {
        &self.0
    }
    fn wrap(handle: Handle<Builder>) -> Self {
        Self(handle)
    }
}

/// The world, which does not move, where a body is asked for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_ground {
    /// The world in place of a body.
    STN_GROUND = -1,
}

/// The numbers of an input, zeros when it was left out.
///
/// # Safety
/// As [`In::get`].
pub(super) unsafe fn fixed<const N: usize>(given: In<'_>) -> [f64; N] {
    let mut numbers = [0.0; N];
    // SAFETY: the promise of this function.
    for (x, given) in numbers.iter_mut().zip(unsafe { given.get() }) {
        *x = *given;
    }
    numbers
}

/// Writes the number of what was added, when the caller wants it.
///
/// # Safety
/// As [`Out::get`].
pub(super) unsafe fn added(id: Option<Out<'_, i32>>, index: usize) -> Result<stn_status, Fault> {
    if let Some(id) = id {
        // SAFETY: the promise of this function.
        unsafe { id.get() }.fill(i32::try_from(index).unwrap_or(i32::MAX));
    }
    Ok(stn_status::STN_OK)
}

/// A number that an earlier call gave; whether it did is for the builder to say.
pub(super) fn known(what: &'static str, id: i32) -> Result<u32, Fault> {
    u32::try_from(id).map_err(|_| {
        let must = "one that this builder made";
        Error::Value { what, got: told(id), must }.into()
    })
}

pub(super) fn body_of(id: i32) -> Result<BodyId, Fault> {
    Ok(BodyId::from_index(known("body", id)?))
}

pub(super) fn joint_of(id: i32) -> Result<JointId, Fault> {
    Ok(JointId::from_index(known("joint", id)?))
}

/// A body or the ground.
pub(super) fn link_of(id: i32) -> Result<Link, Fault> {
    if id == stn_ground::STN_GROUND as i32 {
        return Ok(Link::Ground);
    }
    body_of(id).map(Link::Body)
}

/// Makes a builder for a world without bodies and without gravity. A call on it that fails changes
/// nothing. What is added is numbered from zero in the order of creation: bodies, joints and shapes
/// each for themselves. The poses given are those at which joints are made and the model's initial
/// position.
///
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (misaligned), STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_create(out: *mut *mut stn_builder) -> stn_status {
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, || Ok(Builder::new())) }
}

/// Frees a builder. Models made by it live on. A builder in use is left alone.
///
/// @param builder  builder; Nullable: yes
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_destroy(builder: *mut stn_builder) {
    // SAFETY: `destroy` checks the pointer and the gate of the handle.
    unsafe { guard::destroy(builder) }
}

/// Makes a model of everything added so far. The builder stays as it is and can be used further.
///
/// @param builder  builder; Nullable: no
/// @param out  receives the model, NULL on failure; Nullable: no
/// @return STN_OK; STN_ERR_VALUE without bodies, for shapes that meet but have no gap function, for
/// materials that meet without a surface; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED,
/// STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_build(
    builder: *const stn_builder,
    out: *mut *mut stn_model,
) -> stn_status {
    let make = || {
        // SAFETY: `peek` checks the pointer and the gate of the handle.
        let scene = unsafe { guard::peek(builder, |b| Ok(b.build()?))? };
        let scene = counted(|| scene)?;
        Ok(SharedModel(scene.clone(), Some(scene)))
    };
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, make) }
}

/// Sets the acceleration of gravity; zero before.
///
/// @param builder  builder; Nullable: no
/// @param g  3 numbers, m/s^2, world axes; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (misaligned), STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_set_gravity(
    builder: *mut stn_builder,
    g: *const f64,
) -> stn_status {
    let call = |b: &mut Builder| {
        let g = Arrays::new().input("g", g, 3)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        b.gravity(unsafe { fixed(g) })?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a point mass in the plane: q = (x, y), v = dq/dt.
///
/// @param builder  builder; Nullable: no
/// @param mass  kg, > 0
/// @param at  2 numbers, m; Nullable: no
/// @param body  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_point2(
    builder: *mut stn_builder,
    mass: f64,
    at: *const f64,
    body: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let mut a = Arrays::new();
        let at = a.input("at", at, 2)?;
        let body = a.wanted("body", body, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe { added(body, b.point2(mass, fixed(at))?.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a point mass in space: q = (x, y, z), v = dq/dt.
///
/// @param builder  builder; Nullable: no
/// @param mass  kg, > 0
/// @param at  3 numbers, m; Nullable: no
/// @param body  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_point3(
    builder: *mut stn_builder,
    mass: f64,
    at: *const f64,
    body: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let mut a = Arrays::new();
        let at = a.input("at", at, 3)?;
        let body = a.wanted("body", body, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe { added(body, b.point3(mass, fixed(at))?.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a rigid body in the plane: q = (x, y, theta) with the center of mass at (x, y), v = dq/dt.
///
/// @param builder  builder; Nullable: no
/// @param mass  kg, > 0
/// @param inertia  about the center of mass, kg m^2, > 0
/// @param at  center of mass, 2 numbers, m; Nullable: no
/// @param angle  theta, rad
/// @param body  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, inertia, overlap),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_planar(
    builder: *mut stn_builder,
    mass: f64,
    inertia: f64,
    at: *const f64,
    angle: f64,
    body: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let mut a = Arrays::new();
        let at = a.input("at", at, 2)?;
        let body = a.wanted("body", body, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe { added(body, b.planar(mass, inertia, fixed(at), angle)?.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Adds a rigid body in space: q = (center of mass, unit quaternion w x y z), v = (velocity
/// in world axes, angular velocity in body axes).
///
/// @param builder  builder; Nullable: no
/// @param mass  kg, > 0
/// @param inertia  9 numbers, about the center of mass in body axes, kg m^2, symmetric positive
/// definite; Nullable: no
/// @param pose  7 numbers: center of mass x y z, unit quaternion w x y z; Nullable: no
/// @param body  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, an inertia that is not
/// symmetric, a quaternion that is not of length one to 1e-9, overlap), STN_ERR_SINGULAR (inertia),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_spatial(
    builder: *mut stn_builder,
    mass: f64,
    inertia: *const f64,
    pose: *const f64,
    body: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let mut a = Arrays::new();
        let inertia = a.input("inertia", inertia, 9)?;
        let pose = a.input("pose", pose, 7)?;
        let body = a.wanted("body", body, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (i, [x, y, z, turn @ ..]) = unsafe { (fixed::<9>(inertia), fixed::<7>(pose)) };
        let inertia = [[i[0], i[1], i[2]], [i[3], i[4], i[5]], [i[6], i[7], i[8]]];
        // SAFETY: as above.
        unsafe { added(body, b.spatial(mass, inertia, [x, y, z], turn)?.index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Sets the initial velocity of a body; zero before. What a body cannot do must be zero.
///
/// @param builder  builder; Nullable: no
/// @param body  its number
/// @param linear  velocity of the center of mass, 3 numbers, m/s, world axes; Nullable: no
/// @param angular  angular velocity, 3 numbers, rad/s, world axes; Nullable: yes, for zero
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a part that it
/// does not have), STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_set_velocity(
    builder: *mut stn_builder,
    body: i32,
    linear: *const f64,
    angular: *const f64,
) -> stn_status {
    let call = |b: &mut Builder| {
        let mut a = Arrays::new();
        let linear = a.input("linear", linear, 3)?;
        let angular = a.input_or_none("angular", angular, 3)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        unsafe { b.velocity(body_of(body)?, fixed(linear), fixed(angular))? };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Sets the number of friction directions per contact. By default 8, and 2 when everything that
/// touches moves in the plane.
///
/// @param builder  builder; Nullable: no
/// @param n  even, from 2 to 64
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (negative), STN_ERR_VALUE (odd or zero),
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_set_facets(builder: *mut stn_builder, n: i32) -> stn_status {
    let call = |b: &mut Builder| {
        b.facets(count("n", n)?)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}
