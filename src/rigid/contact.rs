//! Contact slots: gaps of shapes and limits of coordinates, with friction directions. Knows neither
//! forces nor how contacts are solved.

use super::body::Placed;
use super::coordinate::Coordinate;
use super::shape::{Pair, Touch};
use super::spring::Signal;
use crate::error::{ALONE, Error, Result, finite, finite_number};
use crate::tol;
use nalgebra::{Vector3, Vector6};

/// What a surface is made of; pairs of materials have friction and restitution. The default
/// material is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct MaterialId(pub(crate) u32);

impl MaterialId {
    /// The material's number: zero for the default one, the others in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The material with this number; a builder that has none refuses it.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// How two materials meet.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Surface {
    /// Friction coefficient, >= 0.
    pub mu: f64,
    /// Restitution coefficient, in [0, 1].
    pub restitution: f64,
    /// Friction that differs with the direction.
    pub grain: Option<Grain>,
}

/// Friction across a direction, where `mu` is that along it: the friction forces fill an ellipse,
/// (rigid.21).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// The direction, in the body axes of the shape with the first material of the pair; its part
    /// in the contact plane counts.
    pub axis: [f64; 3],
    /// Friction coefficient across it, >= 0.
    pub mu_across: f64,
}

impl Surface {
    /// Refuses coefficients outside their range.
    ///
    /// # Errors
    /// `NonFinite`, `Range`.
    pub(super) fn check(&self) -> Result<()> {
        let across = self.grain.map_or(0.0, |g| g.mu_across);
        for (index, value) in [self.mu, across].into_iter().enumerate() {
            finite("mu", &[value])?;
            if value < 0.0 {
                return Err(Error::Range { what: "mu", index, value, must: ">= 0" });
            }
        }
        finite_number("restitution", self.restitution)?;
        if !(0.0..=1.0).contains(&self.restitution) {
            let (value, must) = (self.restitution, "between 0 and 1");
            return Err(Error::Range { what: "restitution", index: ALONE, value, must });
        }
        match self.grain {
            Some(g) => super::joint::unit("axis", &g.axis).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// A direction on one of the two bodies and how friction scales along and across it.
#[derive(Clone, Debug)]
pub(super) struct Ellipse {
    pub on_a: bool,
    pub axis: Vector3<f64>,
    pub along: f64,
    pub across: f64,
}

/// Where a gap comes from.
#[derive(Clone)]
pub(super) enum Source {
    Shapes {
        a: Option<usize>,
        b: Option<usize>,
        pair: Pair,
        /// Both bodies move in the plane.
        flat: bool,
        grain: Option<Ellipse>,
        /// How far the surface of b stands out at a time.
        advance: Option<Signal>,
    },
    /// gap = half - sign (coordinate - middle).
    Limit { coordinate: Coordinate, middle: f64, half: f64, sign: f64 },
}

/// One contact slot.
#[derive(Clone)]
pub(super) struct Slot {
    pub source: Source,
    pub mu: f64,
    pub restitution: f64,
    pub key: i64,
}

/// Gap and gradients in the coordinates of the bodies' velocities.
pub(super) struct Gap {
    pub value: f64,
    pub a: Vector6<f64>,
    pub b: Vector6<f64>,
}

impl Slot {
    /// Indices of the two bodies.
    pub(super) fn bodies(&self) -> (Option<usize>, Option<usize>) {
        match &self.source {
            Source::Shapes { a, b, .. } => (*a, *b),
            Source::Limit { coordinate, .. } => (coordinate.a, coordinate.b),
        }
    }

    /// Whether the gap changes in time by itself.
    pub(super) fn moves(&self) -> bool {
        matches!(&self.source, Source::Shapes { advance: Some(_), .. })
    }

    /// The gap; `None` where it has no gradient.
    pub(super) fn gap(&self, t: f64, a: &Placed, b: &Placed) -> Option<Gap> {
        match &self.source {
            Source::Shapes { pair, advance, .. } => {
                let touch = pair.touch(a, b, advance.as_ref().map_or(0.0, |f| f(t)))?;
                let zero = Vector3::zeros();
                Some(Gap {
                    value: touch.gap,
                    a: a.generalized(&touch.point, &touch.normal, &zero),
                    b: b.generalized(&touch.point, &-touch.normal, &zero),
                })
            }
            Source::Limit { coordinate, middle, half, sign } => {
                let g = coordinate.gradient(a, b, *middle)?;
                Some(Gap { value: half - sign * g.value, a: g.a * -*sign, b: g.b * -*sign })
            }
        }
    }

    /// Tangents t1, t2 at the contact, scaled for friction along and across the grain, and the
    /// point; `None` for limits and where the gap has no gradient.
    pub(super) fn tangents(
        &self,
        t: f64,
        a: &Placed,
        b: &Placed,
    ) -> Option<(Touch, [Vector3<f64>; 2])> {
        let Source::Shapes { pair, flat, grain, advance, .. } = &self.source else { return None };
        let touch = pair.touch(a, b, advance.as_ref().map_or(0.0, |f| f(t)))?;
        let both = tangents(&touch, *flat, grain.as_ref(), a, b);
        Some((touch, both))
    }
}

/// Tangents t1, t2 of a touch between bodies at `a` and `b`, scaled for friction along and across
/// the grain; the second is zero in the plane.
pub(super) fn tangents(
    touch: &Touch,
    flat: bool,
    grain: Option<&Ellipse>,
    a: &Placed,
    b: &Placed,
) -> [Vector3<f64>; 2] {
    let n = &touch.normal;
    if flat {
        return [n.cross(&Vector3::z()), Vector3::zeros()];
    }
    let (mut t1, mut scale) = (touch.along.unwrap_or_else(|| tangent(n)), [1.0, 1.0]);
    if let Some(g) = grain {
        let axis = if g.on_a { a.rot * g.axis } else { b.rot * g.axis };
        let level = axis - n * n.dot(&axis);
        if level.norm() > tol::POLE {
            t1 = level.normalize();
            scale = [g.along, g.across];
        }
    }
    let t2 = n.cross(&t1);
    [t1 * scale[0], t2 * scale[1]]
}

/// A unit tangent for the unit normal `n` of faces and edges: at right angles to y, except where the normal is along it. Any choice turns
/// by any angle where the normal turns by little past some direction, and friction along one tangent would meet the slip
/// along another. That direction must not be up, where normals of ground are and change from triangle to triangle.
pub(super) fn tangent_of_faces(n: &Vector3<f64>) -> Vector3<f64> {
    let across = Vector3::y().cross(n);
    if across.norm() > tol::POLE { across.normalize() } else { tangent(n) }
}

/// A unit tangent for the unit normal `n`: level, except where the normal is upright.
fn tangent(n: &Vector3<f64>) -> Vector3<f64> {
    let level = n.cross(&Vector3::z());
    if level.norm() > tol::POLE {
        return level.normalize();
    }
    (Vector3::x() - n * n.x).normalize()
}

/// Cosine and sine of the directions k = 0 .. n_dir/2 - 1, exact on the axes.
pub(super) fn facets(n_dir: usize) -> impl Iterator<Item = [f64; 2]> {
    let direction = move |k: usize| match (4 * k).checked_rem(n_dir) {
        Some(0) if k == 0 => [1.0, 0.0],
        // A quarter turn; more do not fit into half a turn.
        Some(0) => [0.0, 1.0],
        _ => {
            let (s, c) = (std::f64::consts::TAU * k as f64 / n_dir as f64).sin_cos();
            [c, s]
        }
    };
    (0..n_dir / 2).map(direction)
}
