//! Hulls, meshes and height fields of the builder in C.

use super::builder::stn_builder;
use super::builder_shape::{Place, attach};
use super::guard;
use super::ptr::{Arrays, count};
use super::status::{Fault, stn_status};
use crate::error::reserve;
use crate::rigid::{Builder, Shape, height_field};

/// Attaches the convex hull of points in space. Bodies in space and the ground.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param n  number of points, 4 to 64
/// @param points  3 by n numbers, m, x y z of each point in turn, not all in one plane; Nullable: no
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball; STN_ERR_DIMENSION for n < 0, STN_ERR_VALUE for fewer than 4 or
/// more than 64 points; points in one plane are refused by stn_builder_build; STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_hull(
    builder: *mut stn_builder,
    body: i32,
    n: i32,
    points: *const f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let n = count("n", n)?;
        // Refused by its number, before anything is read.
        Shape::hull_of(n)?;
        // SAFETY: the caller's promise for the array.
        let points = unsafe { triples(a, "points", points, n)? };
        Ok(Shape::Hull { points })
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches a sheet of triangles, solid below: seen from outside, the corners of each turn
/// counterclockwise. It meets balls, capsules, boxes and hulls.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param n_vertices  number of corners
/// @param vertices  3 by n_vertices numbers, m; Nullable: only if n_vertices = 0, which is refused
/// @param n_triangles  number of triangles, 1 to 262144
/// @param triangles  3 by n_triangles numbers of corners, from 0; Nullable: only if n_triangles = 0,
/// which is refused
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_ball; STN_ERR_DIMENSION for negative counts and unknown corners,
/// STN_ERR_VALUE for triangles without an area; STN_ERR_MEMORY
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_mesh(
    builder: *mut stn_builder,
    body: i32,
    n_vertices: i32,
    vertices: *const f64,
    n_triangles: i32,
    triangles: *const i32,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let (nv, nt) = (count("n_vertices", n_vertices)?, count("n_triangles", n_triangles)?);
        Shape::mesh_of(nt)?;
        // SAFETY: the caller's promise for the array.
        let vertices = unsafe { triples(a, "vertices", vertices, nv)? };
        let given = a.input("triangles", triangles, nt.saturating_mul(3))?;
        let mut triangles = reserve(nt)?;
        // SAFETY: the caller's promise for the array; nothing has been written.
        for t in unsafe { given.get() }.as_chunks::<3>().0 {
            let mut corners = [0; 3];
            for (corner, &k) in corners.iter_mut().zip(t) {
                *corner = count("corner of a triangle", k)? as u32;
            }
            triangles.push(corners);
        }
        Ok(Shape::Mesh { vertices, triangles })
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// Attaches a height field: a mesh over a grid in the x y plane of its pose, around its place, with
/// two triangles per cell.
///
/// @param builder  builder; Nullable: no
/// @param body  number of a body, or STN_GROUND
/// @param nx  number of heights along x, at least 2
/// @param ny  number of heights along y, at least 2
/// @param size_x  length of the field along x, m, > 0
/// @param size_y  length of the field along y, m, > 0
/// @param heights  nx by ny numbers, m, those along x side by side; Nullable: no
/// @param pose  as for stn_builder_add_ball; Nullable: yes
/// @param material  its number; 0 is the default
/// @param shape  receives its number; Nullable: yes
/// @return as stn_builder_add_mesh; STN_ERR_VALUE for fewer than 2 heights along an axis and for
/// lengths that are not positive
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_builder_add_height_field(
    builder: *mut stn_builder,
    body: i32,
    nx: i32,
    ny: i32,
    size_x: f64,
    size_y: f64,
    heights: *const f64,
    pose: *const f64,
    material: i32,
    shape: *mut i32,
) -> stn_status {
    let place = Place { body, pose, material, shape };
    let read = |a: &mut Arrays| {
        let count = [count("nx", nx)?, count("ny", ny)?];
        // Refused by its numbers, before anything is read.
        Shape::field_of(count)?;
        let given = a.input("heights", heights, count[0].saturating_mul(count[1]))?;
        // SAFETY: the caller's promise for the array; nothing has been written.
        Ok(height_field(count, [size_x, size_y], unsafe { given.get() })?)
    };
    // SAFETY: the caller's promise for the arrays.
    let call = |b: &mut Builder| unsafe { attach(b, &place, read) };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(builder, call) }
}

/// `n` points of three numbers each.
///
/// # Safety
/// The caller's promise for the array.
unsafe fn triples(
    a: &mut Arrays,
    what: &'static str,
    p: *const f64,
    n: usize,
) -> Result<Vec<[f64; 3]>, Fault> {
    let given = a.input(what, p, n.saturating_mul(3))?;
    let mut points = reserve(n)?;
    // SAFETY: the promise of this function; nothing has been written.
    points.extend_from_slice(unsafe { given.get() }.as_chunks::<3>().0);
    Ok(points)
}
