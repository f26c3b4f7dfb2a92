//! Joints as sets of coordinates that stay zero. Knows neither forces nor contacts.

use super::body::Placed;
use super::coordinate::{Coordinate, Kind as Function};
use super::rotation::perpendicular;
use super::spring::Signal;
use crate::error::{Error, Result, reserve};
use crate::tol;
use nalgebra::{Unit, Vector3};

/// A joint of a [`Builder`](super::Builder) and of its [`Scene`](super::Scene).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// The joint's number, counted from zero in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The joint with this number; a builder or scene that has none refuses it.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// How two bodies are joined. Axes are given in world axes at the builder's pose and fixed in the
/// first body. In the plane `Revolute` about z, `Prismatic` and `Fixed` exist, in space all. Point
/// masses have no orientation: for them `Spherical` (in the plane `Revolute`) pins the point,
/// `Prismatic` and `Cylindrical` make a bead on a straight wire.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Joint {
    /// One common point: 3 equations.
    Spherical,
    /// One common point and axis: 5 equations, in the plane 2.
    Revolute {
        /// The axis of rotation.
        axis: [f64; 3],
    },
    /// One common point, an axis of each body at right angles to the other's: 4 equations.
    Universal {
        /// Fixed in the first body.
        axis_a: [f64; 3],
        /// Fixed in the second body, at right angles to `axis_a`.
        axis_b: [f64; 3],
    },
    /// One common axis, along and about which the bodies move: 4 equations.
    Cylindrical {
        /// The axis.
        axis: [f64; 3],
    },
    /// Straight motion along an axis without rotation: 5 equations, in the plane 2.
    Prismatic {
        /// The direction of motion.
        axis: [f64; 3],
    },
    /// No relative motion: 6 equations, in the plane 3.
    Fixed,
}

impl Joint {
    fn name(&self) -> &'static str {
        match self {
            Joint::Spherical => "spherical",
            Joint::Revolute { .. } => "revolute",
            Joint::Universal { .. } => "universal",
            Joint::Cylindrical { .. } => "cylindrical",
            Joint::Prismatic { .. } => "prismatic",
            Joint::Fixed => "fixed",
        }
    }
}

/// A coordinate that a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Rotation of the second body about the axis, relative to the first; zero at the builder's
    /// pose.
    Angle,
    /// Motion of the second body along the axis, relative to the first; zero at the builder's pose.
    Slide,
}

/// What a coordinate of a joint equation is compared with.
#[derive(Clone)]
pub(super) enum Target {
    Fixed(f64),
    /// A motion, counted from the value at the builder's pose.
    Moving {
        from: f64,
        motion: Signal,
    },
}

impl Target {
    pub(super) fn at(&self, t: f64) -> f64 {
        match self {
            Target::Fixed(x) => *x,
            // exact: most coordinates start at zero, and nothing is rounded then
            Target::Moving { from, motion } if *from == 0.0 => motion(t),
            Target::Moving { from, motion } => from + motion(t),
        }
    }
}

/// One joint equation: the coordinate minus its target is zero.
#[derive(Clone)]
pub(super) struct Equation {
    pub coordinate: Coordinate,
    pub target: Target,
}

/// Most equations of a joint: those of one that leaves nothing free.
const MOST: usize = 6;

/// What a joint is made of.
#[derive(Default)]
pub(super) struct Parts {
    pub equations: Vec<Coordinate>,
    pub angle: Option<Coordinate>,
    pub slide: Option<Coordinate>,
}

/// Two bodies about to be joined: indices, places, and the world point of the joint.
pub(super) struct Ends<'a> {
    pub a: (Option<usize>, &'a Placed),
    pub b: (Option<usize>, &'a Placed),
    pub at: Vector3<f64>,
}

impl Ends<'_> {
    fn coordinate(&self, kind: Function) -> Coordinate {
        Coordinate {
            a: self.a.0,
            b: self.b.0,
            at_a: self.a.1.local(&self.at),
            at_b: self.b.1.local(&self.at),
            kind,
        }
    }

    fn flat(&self) -> bool {
        self.a.1.kind.flat() || self.b.1.kind.flat()
    }

    /// The way between the points along the world direction `s`, which is fixed in the first body.
    fn slide(&self, s: &Vector3<f64>) -> Coordinate {
        self.coordinate(Function::Slide(self.a.1.rot.tr_mul(s)))
    }

    /// Cosine between world directions, `u` fixed in the first and `w` in the second body.
    fn cosine(&self, u: &Vector3<f64>, w: &Vector3<f64>) -> Coordinate {
        self.coordinate(Function::Cosine(self.a.1.rot.tr_mul(u), self.b.1.rot.tr_mul(w)))
    }

    /// Angle about z, counted from the direction x.
    fn angle(&self, x: &Vector3<f64>, y: &Vector3<f64>) -> Coordinate {
        let (ra, rb) = (&self.a.1.rot, &self.b.1.rot);
        let (zero, quarter) = (ra.tr_mul(x), ra.tr_mul(y));
        self.coordinate(Function::Angle { zero, quarter, hand: rb.tr_mul(x) })
    }

    /// The first `n` coordinates of the points, in a vector with room for all a joint can have.
    fn pinned(&self, n: usize) -> Result<Vec<Coordinate>> {
        let mut equations = reserve(MOST)?;
        equations.extend((0..n).map(|k| self.coordinate(Function::World(k))));
        Ok(equations)
    }

    /// Makes the equations of `joint`.
    ///
    /// # Errors
    /// `Value` for a joint that these bodies cannot have, `NonFinite` and `Range` for its axes.
    pub(super) fn join(&self, joint: &Joint) -> Result<Parts> {
        let (ka, kb) = (self.a.1.kind, self.b.1.kind);
        if ka.point() && kb.point() {
            return Err(refused(joint, "a joint with at most one point mass; use a rod"));
        }
        for (_, placed) in [self.a, self.b] {
            let off = (self.at - placed.x).norm();
            if placed.kind.point() && off > tol::GIVEN_UNIT * placed.x.norm().max(1.0) {
                return Err(refused(joint, "at the place of the point mass it joins"));
            }
        }
        if self.flat() { self.join_flat(joint) } else { self.join_spatial(joint) }
    }

    fn join_flat(&self, joint: &Joint) -> Result<Parts> {
        let point = self.a.1.kind.point() || self.b.1.kind.point();
        let turn = |sign: f64| (!point).then(|| self.coordinate(Function::Turn(sign)));
        match joint {
            Joint::Revolute { axis } => {
                let axis = unit("axis", axis)?;
                if axis.x.abs().max(axis.y.abs()) > tol::GIVEN_UNIT {
                    return Err(refused(joint, "about the z axis for bodies in the plane"));
                }
                let angle = turn(axis.z.signum());
                Ok(Parts { equations: self.pinned(2)?, angle, slide: None })
            }
            Joint::Prismatic { axis } => {
                let axis = unit("axis", axis)?;
                if axis.z.abs() > tol::GIVEN_UNIT {
                    return Err(refused(
                        joint,
                        "along an axis in the plane for bodies in the plane",
                    ));
                }
                self.axis_owner(joint)?;
                let across = Vector3::new(-axis.y, axis.x, 0.0);
                let mut equations = self.pinned(0)?;
                equations.push(self.slide(&across));
                equations.extend(turn(1.0));
                Ok(Parts { equations, angle: None, slide: Some(self.slide(&axis)) })
            }
            Joint::Fixed if !point => {
                let mut equations = self.pinned(2)?;
                equations.extend(turn(1.0));
                Ok(Parts { equations, ..Parts::default() })
            }
            _ => Err(refused(joint, "revolute, prismatic or fixed for these bodies in the plane")),
        }
    }

    fn join_spatial(&self, joint: &Joint) -> Result<Parts> {
        let point = self.a.1.kind.point() || self.b.1.kind.point();
        if point
            && !matches!(
                joint,
                Joint::Spherical | Joint::Prismatic { .. } | Joint::Cylindrical { .. }
            )
        {
            return Err(refused(joint, "spherical, prismatic or cylindrical for a point mass"));
        }
        match joint {
            Joint::Spherical => Ok(Parts { equations: self.pinned(3)?, ..Parts::default() }),
            Joint::Revolute { axis } => {
                let [x, y, z] = frame(axis)?;
                let mut equations = self.pinned(3)?;
                equations.extend([self.cosine(&z, &x), self.cosine(&z, &y)]);
                Ok(Parts { equations, angle: Some(self.angle(&x, &y)), slide: None })
            }
            Joint::Universal { axis_a, axis_b } => {
                let (u, w) = (unit("axis_a", axis_a)?, unit("axis_b", axis_b)?);
                if u.dot(&w).abs() > tol::GIVEN_UNIT {
                    return Err(refused(joint, "made of axes at right angles"));
                }
                let mut equations = self.pinned(3)?;
                equations.push(self.cosine(&u, &w));
                Ok(Parts { equations, ..Parts::default() })
            }
            Joint::Cylindrical { axis } | Joint::Prismatic { axis } => {
                let [x, y, z] = frame(axis)?;
                self.axis_owner(joint)?;
                let mut equations = self.pinned(0)?;
                equations.extend([self.slide(&x), self.slide(&y)]);
                let slide = Some(self.slide(&z));
                if point {
                    return Ok(Parts { equations, angle: None, slide });
                }
                equations.extend([self.cosine(&z, &x), self.cosine(&z, &y)]);
                if matches!(joint, Joint::Prismatic { .. }) {
                    equations.push(self.cosine(&x, &y));
                    return Ok(Parts { equations, angle: None, slide });
                }
                Ok(Parts { equations, angle: Some(self.angle(&x, &y)), slide })
            }
            Joint::Fixed => {
                let [x, y, z] = frame(&[0.0, 0.0, 1.0])?;
                let mut equations = self.pinned(3)?;
                equations.extend([self.cosine(&z, &x), self.cosine(&z, &y), self.cosine(&x, &y)]);
                Ok(Parts { equations, ..Parts::default() })
            }
        }
    }

    /// The first body carries the axis and must have an orientation.
    fn axis_owner(&self, joint: &Joint) -> Result<()> {
        if self.a.1.kind.point() {
            return Err(refused(joint, "given with the point mass as the second body"));
        }
        Ok(())
    }
}

fn refused(joint: &Joint, must: &'static str) -> Error {
    Error::Value { what: "joint", got: joint.name().into(), must }
}

/// `a` as a unit vector.
///
/// # Errors
/// `NonFinite`; `Value` when it is zero.
pub(super) fn unit(what: &'static str, a: &[f64; 3]) -> Result<Vector3<f64>> {
    crate::error::finite(what, a)?;
    match Unit::try_new(Vector3::from(*a), 0.0) {
        Some(u) => Ok(u.into_inner()),
        None => Err(Error::Value { what, got: "zero".into(), must: "a direction" }),
    }
}

/// World axes x, y, z at right angles with z along `axis`.
fn frame(axis: &[f64; 3]) -> Result<[Vector3<f64>; 3]> {
    let z = unit("axis", axis)?;
    let x = perpendicular(&z);
    Ok([x, z.cross(&x), z])
}
