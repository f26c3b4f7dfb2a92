//! Shapes and how far they are apart: smooth gaps of simple pairs, one per slot. Knows neither
//! friction nor joints.

use super::body::Placed;
use super::mesh;
use super::rotation::perpendicular;
use super::solid::HULL_POINTS;
use crate::error::{ALONE, Error, Result, collect, finite, told};
use nalgebra::{Matrix3, Vector3};

/// A shape of a [`Builder`](super::Builder) and of its [`Scene`](super::Scene).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeId(pub(crate) u32);

impl ShapeId {
    /// The shape's number, counted from zero in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The shape with this number; a builder that has none refuses it.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// What a body is like from outside, around the place where it is attached. All pairs can touch but
/// two half-spaces, two meshes, and a half-space and a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A sphere, in the plane a disc; a point when the radius is zero.
    Ball {
        /// Radius, >= 0.
        radius: f64,
    },
    /// All points within `radius` of a segment along the local x axis.
    Capsule {
        /// Half the length of the segment, > 0.
        half_length: f64,
        /// Radius, >= 0.
        radius: f64,
    },
    /// A box along the local axes.
    Box {
        /// Half the lengths of its edges, > 0.
        half: [f64; 3],
    },
    /// The convex hull of points in the plane.
    Polygon {
        /// At least one point.
        vertices: Vec<[f64; 2]>,
    },
    /// The convex hull of points in space.
    Hull {
        /// From 4 to 64 points, not all in one plane.
        points: Vec<[f64; 3]>,
    },
    /// A sheet of triangles, solid below: their corners turn counterclockwise seen from outside.
    Mesh {
        /// Corners.
        vertices: Vec<[f64; 3]>,
        /// Three numbers of corners for each triangle.
        triangles: Vec<[u32; 3]>,
    },
    /// Everything below the plane through the place of attachment.
    HalfSpace {
        /// Outward normal, local axes; not zero.
        normal: [f64; 3],
    },
}

impl Shape {
    /// Refuses a number of points that no hull may have.
    ///
    /// # Errors
    /// `Value`.
    pub fn hull_of(points: usize) -> Result<()> {
        if (4..=HULL_POINTS).contains(&points) {
            return Ok(());
        }
        let got = told(points);
        Err(Error::Value { what: "points of a hull", got, must: "4 to 64" })
    }

    /// Refuses a number of triangles that no mesh may have.
    ///
    /// # Errors
    /// `Value`.
    pub fn mesh_of(triangles: usize) -> Result<()> {
        mesh::check_count(triangles)
    }

    /// Refuses numbers of heights along x and y that no field may have.
    ///
    /// # Errors
    /// `Value`.
    pub fn field_of(count: [usize; 2]) -> Result<()> {
        mesh::check_grid(count)
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Shape::Ball { .. } => "ball",
            Shape::Capsule { .. } => "capsule",
            Shape::Box { .. } => "box",
            Shape::Polygon { .. } => "polygon",
            Shape::Hull { .. } => "hull",
            Shape::Mesh { .. } => "mesh",
            Shape::HalfSpace { .. } => "half-space",
        }
    }

    /// Refuses sizes that are not.
    ///
    /// # Errors
    /// `NonFinite`, `Range`, `Value`.
    pub(super) fn check(&self) -> Result<()> {
        let at_least = |what, index, value: f64, strict: bool| {
            if !value.is_finite() {
                return Err(Error::NonFinite { what, index, value });
            }
            if value > 0.0 || (!strict && value >= 0.0) {
                return Ok(());
            }
            let must = if strict { "positive" } else { ">= 0" };
            Err(Error::Range { what, index, value, must })
        };
        match self {
            Shape::Ball { radius } => at_least("radius", ALONE, *radius, false),
            Shape::Capsule { half_length, radius } => {
                at_least("half_length", ALONE, *half_length, true)?;
                at_least("radius", ALONE, *radius, false)
            }
            Shape::Box { half } => {
                half.iter().enumerate().try_for_each(|(i, x)| at_least("half", i, *x, true))
            }
            Shape::Polygon { vertices } => {
                if vertices.is_empty() {
                    let got = "empty".into();
                    return Err(Error::Value { what: "vertices", got, must: "at least one point" });
                }
                vertices.iter().try_for_each(|v| finite("vertices", v))
            }
            Shape::Hull { points } => {
                Self::hull_of(points.len())?;
                finite("points", points.as_flattened())
            }
            Shape::Mesh { vertices, triangles } => {
                finite("vertices", vertices.as_flattened())?;
                mesh::check(vertices, triangles)
            }
            Shape::HalfSpace { normal } => super::joint::unit("normal", normal).map(|_| ()),
        }
    }

    /// Centers and common radius of the balls that touch a half-space in place of this shape.
    fn feelers(&self) -> Result<Option<(Vec<Vector3<f64>>, f64)>> {
        Ok(match self {
            Shape::Ball { radius } => Some((collect([Vector3::zeros()])?, *radius)),
            Shape::Capsule { half_length, radius } => {
                let end = Vector3::x() * *half_length;
                Some((collect([end, -end])?, *radius))
            }
            Shape::Box { half } => {
                let sign = |k: usize, bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
                let corner = |k| {
                    Vector3::new(sign(k, 1) * half[0], sign(k, 2) * half[1], sign(k, 4) * half[2])
                };
                Some((collect((0..8).map(corner))?, 0.0))
            }
            Shape::Polygon { vertices } => {
                Some((collect(vertices.iter().map(|v| Vector3::new(v[0], v[1], 0.0)))?, 0.0))
            }
            Shape::Hull { .. } | Shape::Mesh { .. } | Shape::HalfSpace { .. } => None,
        })
    }

    /// Half the edges of the box inside this shape and the radius around it, (rigid.19).
    fn core(&self) -> Option<(Vector3<f64>, f64)> {
        match self {
            Shape::Ball { radius } => Some((Vector3::zeros(), *radius)),
            Shape::Capsule { half_length, radius } => {
                Some((Vector3::new(*half_length, 0.0, 0.0), *radius))
            }
            Shape::Box { half } => Some((Vector3::from(*half), 0.0)),
            Shape::Polygon { .. }
            | Shape::Hull { .. }
            | Shape::Mesh { .. }
            | Shape::HalfSpace { .. } => None,
        }
    }
}

/// A shape in the axes of its body.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub shape: Shape,
    pub at: Vector3<f64>,
    pub rot: Matrix3<f64>,
}

/// A gap between a ball on body a and something on body b.
#[derive(Clone, Debug)]
pub(super) enum Pair {
    /// A ball and a half-space, (rigid.18). `along` is a tangent of the plane.
    Plane {
        center: Vector3<f64>,
        radius: f64,
        origin: Vector3<f64>,
        normal: Vector3<f64>,
        along: Vector3<f64>,
    },
    /// A ball and a box with rounded edges, (rigid.19); a ball or a capsule is a box without size
    /// or width.
    Core {
        center: Vector3<f64>,
        radius: f64,
        middle: Vector3<f64>,
        axes: Matrix3<f64>,
        half: Vector3<f64>,
        margin: f64,
    },
}

/// A gap, evaluated, in world axes.
pub(super) struct Touch {
    pub gap: f64,
    /// Unit normal, from b to a.
    pub normal: Vector3<f64>,
    /// Half way between the surfaces.
    pub point: Vector3<f64>,
    /// A tangent that belongs to the surface, where there is one.
    pub along: Option<Vector3<f64>>,
}

impl Touch {
    /// The same gap seen from the other body.
    pub(super) fn turned(mut self) -> Self {
        self.normal = -self.normal;
        self
    }
}

/// Gaps between shape `a` and shape `b`, and whether they stand the other way round; `None` for a
/// pair that cannot be computed.
///
/// # Errors
/// `Memory`.
pub(super) fn pairs(a: &Local, b: &Local, flat: bool) -> Result<Option<(Vec<Pair>, bool)>> {
    let swapped = match (&a.shape, &b.shape) {
        (_, Shape::HalfSpace { .. }) => false,
        (Shape::HalfSpace { .. }, _) => true,
        (Shape::Ball { .. }, _) => false,
        (_, Shape::Ball { .. }) => true,
        _ => return Ok(None),
    };
    let (a, b) = if swapped { (b, a) } else { (a, b) };
    let made = match (&a.shape, &b.shape) {
        (_, Shape::HalfSpace { normal }) => against_plane(a, b, normal, flat)?,
        (Shape::Ball { radius }, _) => {
            against_core(a, *radius, b, flat).map(|pair| collect([pair])).transpose()?
        }
        _ => None,
    };
    Ok(made.map(|made| (made, swapped)))
}

fn against_plane(a: &Local, b: &Local, normal: &[f64; 3], flat: bool) -> Result<Option<Vec<Pair>>> {
    let Some((centers, radius)) = a.shape.feelers()? else { return Ok(None) };
    let normal = (b.rot * Vector3::from(*normal)).normalize();
    let along = if flat { normal.cross(&Vector3::z()) } else { plane_axis(&normal) };
    let pair = |c: &Vector3<f64>| Pair::Plane {
        center: a.at + a.rot * c,
        radius,
        origin: b.at,
        normal,
        along,
    };
    Ok(Some(collect(centers.iter().map(pair))?))
}

/// x on a level table, and close to x on others.
fn plane_axis(normal: &Vector3<f64>) -> Vector3<f64> {
    let x = Vector3::x() - normal * normal.x;
    // Steep against x, the projection would be short.
    if x.norm_squared() > 0.5 { x.normalize() } else { perpendicular(normal) }
}

fn against_core(a: &Local, radius: f64, b: &Local, flat: bool) -> Option<Pair> {
    let (mut half, margin) = b.shape.core()?;
    if flat && half.z > 0.0 {
        // Seen from the plane a box has no upper and no lower face.
        half.z = f64::INFINITY;
    }
    Some(Pair::Core { center: a.at, radius, middle: b.at, axes: b.rot, half, margin })
}

impl Pair {
    /// Whether a pair of bodies in the plane would touch out of it.
    pub(super) fn leaves_plane(&self, slack: f64) -> bool {
        match self {
            Pair::Plane { normal, .. } => normal.z.abs() > slack,
            Pair::Core { center, middle, axes, half, .. } => {
                let off = (center.z - middle.z).abs() > slack;
                // Unless it is a ball, it may be turned about z only.
                off || (half.max() > 0.0 && (axes[(2, 2)] - 1.0).abs() > slack)
            }
        }
    }

    /// The gap and where it is, with the surface of b moved out by `advance`; `None` where it has
    /// no direction: centers that coincide.
    pub(super) fn touch(&self, a: &Placed, b: &Placed, advance: f64) -> Option<Touch> {
        match self {
            Pair::Plane { center, radius, origin, normal, along } => {
                let c = a.point(center);
                let n = b.rot * normal;
                let gap = n.dot(&(c - b.point(origin))) - radius - advance;
                let point = c - n * (radius + 0.5 * gap);
                Some(Touch { gap, normal: n, point, along: Some(b.rot * along) })
            }
            Pair::Core { center, radius, middle, axes, half, margin } => {
                let c = a.point(center);
                let inside = axes.tr_mul(&(b.local(&c) - middle));
                let (distance, n) = from_box(&inside, half)?;
                let normal = b.rot * (axes * n);
                let gap = distance - radius - margin - advance;
                let point = c - normal * (radius + 0.5 * gap);
                Some(Touch { gap, normal, point, along: None })
            }
        }
    }
}

/// Signed distance of the point `p` from a box and the outward normal at the nearest point of its
/// surface.
fn from_box(p: &Vector3<f64>, half: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let away = p - p.zip_map(half, |x, h| x.clamp(-h, h));
    let distance = away.norm();
    if distance > 0.0 {
        return Some((distance, away / distance));
    }
    // Inside: the nearest face. A box without volume has no inside, only a place where every
    // direction is out.
    let depth = half - p.abs();
    let k = depth.imin();
    if !(half.min() > 0.0) {
        return None;
    }
    Some((-depth[k], Vector3::ith(k, p[k].signum())))
}
