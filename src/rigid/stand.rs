//! Solids where their bodies stand: corners and normals in world axes, made once per search, since each of them is
//! asked for by every neighbor and by most pairs of features. Knows no gaps.

use super::body::Placed;
use super::solid::{Edge, Solid};
use crate::error::{Result, grow};
use nalgebra::Vector3;

/// A solid where its body stands.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    pub solid: &'a Solid,
    pub placed: &'a Placed,
    /// Corners and outward normals of faces in world axes.
    pub corners: &'a [Vector3<f64>],
    pub normals: &'a [Vector3<f64>],
}

impl<'a> Stand<'a> {
    /// A triangle of a mesh, of which there are too many to keep all: `corners` is work space.
    pub(super) fn of_sheet(
        solid: &'a Solid,
        placed: &'a Placed,
        corners: &'a mut [Vector3<f64>; 3],
        normal: &'a mut [Vector3<f64>; 1],
    ) -> Self {
        for (to, from) in corners.iter_mut().zip(&solid.corners) {
            *to = placed.point(from);
        }
        for (to, from) in normal.iter_mut().zip(&solid.faces) {
            *to = placed.rot * from.normal;
        }
        Self { solid, placed, corners, normals: normal }
    }

    pub(super) fn corner(&self, k: usize) -> Vector3<f64> {
        self.corners[k]
    }

    pub(super) fn middle(&self) -> Vector3<f64> {
        self.placed.point(&self.solid.middle)
    }

    pub(super) fn ends(&self, e: &Edge) -> [Vector3<f64>; 2] {
        e.ends.map(|k| self.corners[k])
    }

    /// Height of `p` over face `f`.
    pub(super) fn height(&self, f: usize, p: &Vector3<f64>) -> f64 {
        self.normals[f].dot(&(p - self.corners[self.solid.faces[f].corners[0]]))
    }

    /// No faces: a ball or a capsule.
    pub(super) fn round(&self) -> bool {
        self.solid.faces.is_empty()
    }
}

/// Corners and normals of the solids of a scene.
#[derive(Debug, Default)]
pub(super) struct Stands {
    corners: Vec<Vector3<f64>>,
    normals: Vec<Vector3<f64>>,
    /// First corner and first normal of each.
    first: Vec<[usize; 2]>,
}

impl Stands {
    pub(super) fn clear(&mut self) {
        self.corners.clear();
        self.normals.clear();
        self.first.clear();
    }

    /// Adds the next solid, none for a shape that is not one, on a body at `placed`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn push(&mut self, solid: Option<&Solid>, placed: &Placed) -> Result<()> {
        grow(&mut self.first, 1)?;
        self.first.push([self.corners.len(), self.normals.len()]);
        let Some(solid) = solid else { return Ok(()) };
        grow(&mut self.corners, solid.corners.len())?;
        self.corners.extend(solid.corners.iter().map(|c| placed.point(c)));
        grow(&mut self.normals, solid.faces.len())?;
        self.normals.extend(solid.faces.iter().map(|f| placed.rot * f.normal));
        Ok(())
    }

    /// Number `k` of those that were added, which is `solid`.
    pub(super) fn get<'a>(&'a self, k: usize, solid: &'a Solid, placed: &'a Placed) -> Stand<'a> {
        let [corner, normal] = self.first[k];
        let corners = &self.corners[corner..corner + solid.corners.len()];
        let normals = &self.normals[normal..normal + solid.faces.len()];
        Stand { solid, placed, corners, normals }
    }
}

/// A box along the axes of the world.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    low: Vector3<f64>,
    high: Vector3<f64>,
}

impl Bounds {
    /// Around `points`, `more` wider on every side.
    pub(super) fn around(points: &[Vector3<f64>], more: f64) -> Self {
        let first = points.first().copied().unwrap_or_default();
        let (low, high) = points.iter().fold((first, first), |(low, high), p| {
            let (less, more) = (|a, b| if b < a { b } else { a }, |a, b| if b > a { b } else { a });
            (low.zip_map(p, less), high.zip_map(p, more))
        });
        Self { low: low.add_scalar(-more), high: high.add_scalar(more) }
    }

    /// Whether nothing of the segment between `a` and `b` is inside, by one axis alone.
    pub(super) fn misses(&self, [a, b]: &[Vector3<f64>; 2]) -> bool {
        let below = |k: usize| a[k] < self.low[k] && b[k] < self.low[k];
        let above = |k: usize| a[k] > self.high[k] && b[k] > self.high[k];
        (0..3).any(|k| below(k) || above(k))
    }
}
