//! Materials, surfaces, shapes and groups of the builder in C.

use super::builder::{added, fixed, known, link_of, stn_builder};
use super::guard;
use super::ptr::{Arrays, In, count};
use super::status::{Fault, stn_status};
use crate::error::reserve;
use crate::rigid::{Attach, Builder, Grain, MaterialId, Shape, ShapeId, Surface};

fn material_of(id: i32) -> Result<MaterialId, Fault> {
    Ok(MaterialId::from_index(known("material", id)?))
}

/// What every shape is attached with: the body, the place on it, the material, and where its number
/// goes.
pub(super) struct Place {
    pub body: i32,
    pub pose: *const f64,
    pub material: i32,
    pub shape: *mut i32,
}

/// Attaches the shape that `read` makes of its arrays.
///
/// # Safety
/// The caller's promise for the pose, the number, and the arrays that `read` enters and gets.
pub(super) unsafe fn attach(
    b: &mut Builder,
    place: &Place,
    read: impl FnOnce(&mut Arrays) -> Result<Shape, Fault>,
) -> Result<stn_status, Fault> {
    let mut a = Arrays::new();
    let made = read(&mut a)?;
    let pose: In<'_> = a.input_or_none("pose", place.pose, 7)?;
    let id = a.wanted("shape", place.shape, 1)?;
    a.disjoint()?;
    let mut how = Attach { material: material_of(place.material)?, ..Attach::default() };
    if !place.pose.is_null() {
        // SAFETY: the promise of this function.
        let [x, y, z, turn @ ..] = unsafe { fixed::<7>(pose) };
        (how.at, how.turn) = ([x, y, z], turn);
    }
    let index = b.shape(link_of(place.body)?, made, how)?.index();
    // SAFETY: as above; the arrays are disjoint.
    unsafe { added(id, index) }
}

/// Makes a new material, besides the default one, which has the number 0.
///
/// @param builder  builder; Nullable: no
/// @param material  receives its number; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (misaligned), STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_material(
    builder: *mut stn_builder,
    material: *mut i32,
) -> stn_status {
    let call = |b: &mut Builder| {
        let material = Arrays::new().output("material", material, 1)?;
        // SAFETY: the caller's promise for the number.
        unsafe { added(Some(material), b.material().index()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Says how shapes of two materials meet; the last word counts. Without one, material 0 meets
/// itself without friction and restitution; other materials that meet need one. With an axis,
/// friction is anisotropic: mu along it, mu_across across it, an ellipse between.
///
/// @param builder  builder; Nullable: no
/// @param a  number of a material
/// @param b  number of a material
/// @param mu  friction coefficient, >= 0
/// @param restitution  in [0, 1]
/// @param axis  3 numbers, not zero, body axes of the shape with material a; its part in the
/// contact plane counts; Nullable: yes, for friction that is the same in all directions
/// @param mu_across  friction coefficient across the axis, >= 0; not read without an axis
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown material, mu < 0, e
/// outside [0, 1], an axis of length zero), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_set_surface(
    builder: *mut stn_builder,
    a: i32,
    b: i32,
    mu: f64,
    restitution: f64,
    axis: *const f64,
    mu_across: f64,
) -> stn_status {
    let call = |builder: &mut Builder| {
        let given = Arrays::new().input_or_none("axis", axis, 3)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        let grain = (!axis.is_null()).then(|| Grain { axis: unsafe { fixed(given) }, mu_across });
        let surface = Surface { mu, restitution, grain };
        builder.surface(material_of(a)?, material_of(b)?, surface)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches a ball, in the plane a disc. All shapes can touch each other but two half-spaces, two
/// meshes, and a half-space and a mesh: those that could meet are refused by stn_builder_build, and
/// stn_builder_set_groups keeps them apart.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param radius  m, >= 0; a point when it is zero
/// @param pose  7 numbers, place and unit quaternion w x y z in body axes; Nullable: yes, for the
/// center of mass along the body axes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body or material, sizes,
/// a quaternion that is not of length one, a place or shape that the body cannot have, overlap),
/// STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_ball(
    builder: *mut stn_builder,
    body: i32,
    radius: f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, |_| Ok(Shape::Ball { radius })) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches a capsule: all points within a radius of a segment along the x axis of its pose.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param half_length  half the length of the segment, m, > 0
/// @param radius  m, >= 0
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_capsule(
    builder: *mut stn_builder,
    body: i32,
    half_length: f64,
    radius: f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let call = |b: &mut Builder| {
        // SAFETY: the caller's promise for the arrays.
        unsafe { attach(b, &place, |_| Ok(Shape::Capsule { half_length, radius })) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches a box along the axes of its pose. Bodies in space only.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param half  half the lengths of the edges, 3 numbers, m, > 0; Nullable: no
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_box(
    builder: *mut stn_builder,
    body: i32,
    half: *const f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let half = a.input("half", half, 3)?;
        // SAFETY: the caller's promise for the array; nothing has been written.
        Ok(Shape::Box { half: unsafe { fixed(half) } })
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches the convex hull of points in the plane. Bodies in the plane only.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body in the plane
/// @param n  number of points, at least 1
/// @param vertices  2 by n numbers, m, x y of each point in turn; Nullable: only if n = 0, which is
/// refused
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball; STN_ERR_DIMENSION for n < 0, STN_ERR_VALUE for n = 0;
/// STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_polygon(
    builder: *mut stn_builder,
    body: i32,
    n: i32,
    vertices: *const f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let n = count("n", n)?;
        let given: In<'_> = a.input("vertices", vertices, n.saturating_mul(2))?;
        let mut vertices = reserve(n)?;
        // SAFETY: the caller's promise for the array; nothing has been written.
        vertices.extend(unsafe { given.get() }.chunks_exact(2).map(|v| [v[0], v[1]]));
        Ok(Shape::Polygon { vertices })
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches everything below a plane through the place of its pose.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param normal  outward normal in the axes of the pose, 3 numbers, not zero; Nullable: no
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_half_space(
    builder: *mut stn_builder,
    body: i32,
    normal: *const f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let normal = a.input("normal", normal, 3)?;
        // SAFETY: the caller's promise for the array; nothing has been written.
        Ok(Shape::HalfSpace { normal: unsafe { fixed(normal) } })
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Puts a shape into groups. Two shapes meet when each meets a group of the other and they are on
/// different bodies. A new shape is in group 1 and meets all.
///
/// @param builder  builder; Nullable: no
/// @param shape  its number
/// @param group  bits of the groups it belongs to
/// @param meets  bits of the groups it meets
/// @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown shape), STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_set_groups(
    builder: *mut stn_builder,
    shape: i32,
    group: u32,
    meets: u32,
) -> stn_status {
    let call = |b: &mut Builder| {
        b.groups(ShapeId::from_index(known("shape", shape)?), group, meets)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}
