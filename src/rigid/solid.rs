//! Convex solids with rounded corners: corners, edges and faces in body axes. Knows no pairs.
//!
//! A ball is one corner with a radius, a capsule one edge; a box and a hull have faces; a polygon of
//! the plane has faces without thickness, a triangle of a mesh one face.

use super::shape::Shape;
use crate::error::{Error, Result, collect, push, reserve, told};
use crate::tol;
use nalgebra::{Matrix3, Vector3};

/// A flat side.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Outward.
    pub normal: Vector3<f64>,
    /// Corners in order around the normal; two for the side of a polygon.
    pub corners: Vec<usize>,
}

/// An edge, with unit vectors from it into the faces on both sides.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub ends: [usize; 2],
    pub into: [Vector3<f64>; 2],
}

/// A convex solid in the axes of its body.
#[derive(Clone, Debug, Default)]
pub(super) struct Solid {
    pub radius: f64,
    pub corners: Vec<Vector3<f64>>,
    pub edges: Vec<Edge>,
    pub faces: Vec<Face>,
    /// Middle of the corners, and how far the surface is from it at most.
    pub middle: Vector3<f64>,
    pub reach: f64,
}

/// Most points of a hull: every three of them are tried for a face.
pub(super) const HULL_POINTS: usize = 64;

impl Solid {
    /// The solid of a shape that is placed at (`at`, `rot`) on its body; `None` for a half-space.
    ///
    /// # Errors
    /// `Value` for points that have no volume; `Memory`.
    pub(super) fn of(shape: &Shape, at: &Vector3<f64>, rot: &Matrix3<f64>) -> Result<Option<Self>> {
        let place = |p: Vector3<f64>| at + rot * p;
        let solid = match shape {
            Shape::Ball { radius } => Self::rounded(collect([*at])?, *radius)?,
            Shape::Capsule { half_length, radius } => {
                let end = Vector3::x() * *half_length;
                Self::rounded(collect([place(-end), place(end)])?, *radius)?
            }
            Shape::Box { half } => {
                let corner = |k: usize| {
                    let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
                    place(Vector3::new(sign(1) * half[0], sign(2) * half[1], sign(4) * half[2]))
                };
                Self::hull(collect((0..8).map(corner))?)?
            }
            Shape::Hull { points } => {
                Self::hull(collect(points.iter().map(|p| place(Vector3::from(*p))))?)?
            }
            Shape::Polygon { vertices } => {
                let points = vertices.iter().map(|v| place(Vector3::new(v[0], v[1], 0.0)));
                Self::flat(collect(points)?)?
            }
            Shape::HalfSpace { .. } | Shape::Mesh { .. } => return Ok(None),
        };
        Ok(Some(solid))
    }

    fn rounded(corners: Vec<Vector3<f64>>, radius: f64) -> Result<Self> {
        let edge = Edge { ends: [0, 1], into: [Vector3::zeros(); 2] };
        let edges = collect((corners.len() == 2).then_some(edge))?;
        Ok(Self { radius, corners, edges, ..Self::default() }.measured())
    }

    /// One triangle; edges that lean on a neighbor which is level or turned up are left out.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn triangle(corners: [Vector3<f64>; 3], open: [bool; 3]) -> Result<Self> {
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).normalize();
        let middle = (a + b + c) / 3.0;
        let mut edges = reserve(open.iter().filter(|open| **open).count())?;
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let along = (q - p).normalize();
            let into = middle - p;
            let into = (into - along * along.dot(&into)).normalize();
            if open[k] {
                // The other side of a sheet goes straight down.
                edges.push(Edge { ends: [k, (k + 1) % 3], into: [into, -normal] });
            }
        }
        let faces = collect([Face { normal, corners: collect([0, 1, 2])? }])?;
        Ok(Self { corners: collect(corners)?, edges, faces, ..Self::default() }.measured())
    }

    /// The hull of points in the plane z = 0, with its sides as faces.
    fn flat(mut points: Vec<Vector3<f64>>) -> Result<Self> {
        let turn = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>| {
            (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        };
        points.sort_unstable_by(|a, b| {
            (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap_or(std::cmp::Ordering::Equal)
        });
        // Either chain passes through every point at most.
        let mut ring: Vec<Vector3<f64>> = reserve(2 * points.len())?;
        // Lower chain, then upper chain.
        for _ in 0..2 {
            let start = ring.len();
            for p in &points {
                while ring.len() >= start + 2
                    && turn(&ring[ring.len() - 2], &ring[ring.len() - 1], p) <= 0.0
                {
                    ring.pop();
                }
                ring.push(*p);
            }
            ring.pop();
            points.reverse();
        }
        if ring.is_empty() {
            ring.extend(points.first());
        }
        let n = ring.len();
        let sides = if n < 2 { 0 } else { n };
        let mut faces = reserve(sides)?;
        for k in 0..sides {
            let along = ring[(k + 1) % n] - ring[k];
            let normal = along.cross(&Vector3::z()).normalize();
            faces.push(Face { normal, corners: collect([k, (k + 1) % n])? });
        }
        Ok(Self { corners: ring, faces, ..Self::default() }.measured())
    }

    /// The hull of points in space: every plane through three of them with all others on one side
    /// is a face. Slow and simple: it is done once, and faces with many corners need no merging.
    ///
    /// # Errors
    /// `Value` for points without volume; `Memory`.
    fn hull(points: Vec<Vector3<f64>>) -> Result<Self> {
        let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
        let slack = tol::HULL_FLAT * size;
        let points = distinct(points, slack)?;
        let mut faces: Vec<Face> = Vec::new();
        let n = points.len();
        for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
            for k in j + 1..n {
                let cross = (points[j] - points[i]).cross(&(points[k] - points[i]));
                if cross.norm() <= slack * size {
                    continue;
                }
                for normal in [cross.normalize(), -cross.normalize()] {
                    let height = |p: &Vector3<f64>| normal.dot(&(p - points[i]));
                    let outside = points.iter().any(|p| height(p) > slack);
                    let known = |f: &Face| {
                        f.normal.dot(&normal) > 1.0 - tol::HULL_FLAT
                            && height(&points[f.corners[0]]).abs() <= slack
                    };
                    if !outside && !faces.iter().any(known) {
                        let on = collect((0..n).filter(|&m| height(&points[m]) >= -slack))?;
                        let corners = around(&points, on, &normal)?;
                        // Points that are nearly in line leave no polygon.
                        if corners.len() >= 3 {
                            push(&mut faces, Face { normal, corners })?;
                        }
                    }
                }
            }
        }
        if faces.len() < 4 {
            let got = told(format_args!("{n} points in one plane"));
            return Err(Error::Value { what: "hull", got, must: "with a volume" });
        }
        // Points inside the hull or inside a face are no corners.
        let mut used = collect(faces.iter().flat_map(|f| f.corners.iter().copied()))?;
        used.sort_unstable();
        used.dedup();
        let points = collect(used.iter().map(|&k| points[k]))?;
        for corner in faces.iter_mut().flat_map(|f| f.corners.iter_mut()) {
            *corner = used.partition_point(|&k| k < *corner);
        }
        let mut edges: Vec<Edge> = Vec::new();
        for (f, face) in faces.iter().enumerate() {
            for m in 0..face.corners.len() {
                let ends = [face.corners[m], face.corners[(m + 1) % face.corners.len()]];
                let back = |other: &Face| {
                    let c = &other.corners;
                    (0..c.len()).any(|k| [c[(k + 1) % c.len()], c[k]] == ends)
                };
                let Some(other) = faces.iter().position(back).filter(|&o| o > f) else { continue };
                let along = (points[ends[1]] - points[ends[0]]).normalize();
                // Corners go around the outward normal, so the face is to the left of its edges.
                let into = [face.normal.cross(&along), along.cross(&faces[other].normal)];
                push(&mut edges, Edge { ends, into })?;
            }
        }
        Ok(Self { corners: points, edges, faces, ..Self::default() }.measured())
    }

    fn measured(mut self) -> Self {
        let sum: Vector3<f64> = self.corners.iter().sum();
        self.middle = sum / self.corners.len() as f64;
        let far = self.corners.iter().map(|p| (p - self.middle).norm()).fold(0.0, f64::max);
        self.reach = far + self.radius;
        self
    }
}

/// The points without those that lie within `slack` of an earlier one: surfaces from drawings name
/// a corner once per face.
fn distinct(points: Vec<Vector3<f64>>, slack: f64) -> Result<Vec<Vector3<f64>>> {
    let mut kept: Vec<Vector3<f64>> = reserve(points.len())?;
    for p in points {
        if kept.iter().all(|k| (k - p).norm() > slack) {
            kept.push(p);
        }
    }
    Ok(kept)
}

/// The corners of the convex polygon that `on` (places in `points`) make, in order around `normal`.
fn around(points: &[Vector3<f64>], on: Vec<usize>, normal: &Vector3<f64>) -> Result<Vec<usize>> {
    let first = super::rotation::perpendicular(normal);
    let second = normal.cross(&first);
    let sum: Vector3<f64> = on.iter().map(|&k| points[k]).sum();
    let middle = sum / on.len() as f64;
    let angle = |k: usize| {
        let d = points[k] - middle;
        d.dot(&second).atan2(d.dot(&first))
    };
    let mut ring = on;
    ring.sort_unstable_by(|&a, &b| angle(a).total_cmp(&angle(b)).then(a.cmp(&b)));
    // Points inside a side of the polygon are no corners.
    let n = ring.len();
    let corner = |m: usize| {
        let (a, b, c) = (points[ring[(m + n - 1) % n]], points[ring[m]], points[ring[(m + 1) % n]]);
        let turn = (b - a).cross(&(c - b)).dot(normal);
        turn > tol::HULL_FLAT * (b - a).norm() * (c - b).norm()
    };
    collect((0..n).filter(|&m| corner(m)).map(|m| ring[m]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_twelve_edges_and_points_inside_do_not_count() {
        let half = [0.5, 1.0, 1.5];
        let s = Solid::of(&Shape::Box { half }, &Vector3::zeros(), &Matrix3::identity());
        let s = s.unwrap().unwrap();
        assert_eq!((s.corners.len(), s.edges.len(), s.faces.len()), (8, 12, 6));
        assert!(s.faces.iter().all(|f| f.corners.len() == 4));
        for e in &s.edges {
            let middle = (s.corners[e.ends[0]] + s.corners[e.ends[1]]) * 0.5;
            // Into a face is towards the inside of the box, at a right angle to the other.
            assert!(e.into.iter().all(|d| d.dot(&middle) < 0.0));
            assert!(e.into[0].dot(&e.into[1]).abs() < 1e-15);
        }
        let mut points: Vec<[f64; 3]> = s.corners.iter().map(|c| [c.x, c.y, c.z]).collect();
        points.extend([[0.0; 3], [0.5, 0.0, 0.0], [0.5, 1.0, 0.3]]);
        // Corners that are named twice, as files of triangles do: found by fuzzing.
        points.extend_from_within(..8);
        let h = Solid::of(&Shape::Hull { points }, &Vector3::zeros(), &Matrix3::identity());
        let h = h.unwrap().unwrap();
        assert_eq!((h.corners.len(), h.edges.len(), h.faces.len()), (8, 12, 6));
        let flat = Shape::Hull {
            points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        };
        assert!(Solid::of(&flat, &Vector3::zeros(), &Matrix3::identity()).is_err());
    }
}
