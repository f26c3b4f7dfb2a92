//! Forces along coordinates and loads in time: springs, dampers, motors, brakes, thrusts. Knows
//! neither joint equations nor contacts.

use super::coordinate::{Coordinate, Gradient};
use super::joint::JointId;
use nalgebra::{Vector3, Vector6};
use std::sync::Arc;

/// A number as a function of time.
pub type Signal = Arc<dyn Fn(f64) -> f64 + Send + Sync>;

/// A world vector as a function of time.
pub type VectorSignal = Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>;

/// A spring and a damper side by side.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Spring {
    /// Stiffness, >= 0; N/m between points, N m/rad at joints.
    pub stiffness: f64,
    /// Damping, >= 0; N s/m or N m s/rad.
    pub damping: f64,
    /// Length or angle without force; `None`: the one at the builder's pose.
    pub rest: Option<f64>,
}

/// A force along the gradient of a coordinate, (rigid.16).
#[derive(Clone)]
pub(super) struct Actuator {
    pub coordinate: Coordinate,
    pub rest: f64,
    pub stiffness: f64,
    pub damping: f64,
    /// Force or torque added along the coordinate.
    pub drive: Option<Signal>,
}

impl Actuator {
    /// The force along the gradient `g`, for the velocities of the two bodies.
    pub(super) fn strength(
        &self,
        t: f64,
        g: &Gradient,
        va: &Vector6<f64>,
        vb: &Vector6<f64>,
    ) -> f64 {
        let rate = g.a.dot(va) + g.b.dot(vb);
        let driven = self.drive.as_ref().map_or(0.0, |f| f(t));
        driven - self.stiffness * g.value - self.damping * rate
    }
}

/// Friction with a bound of its own along a free coordinate of a joint.
#[derive(Clone)]
pub(super) struct JointBrake {
    pub coordinate: Coordinate,
    pub joint: JointId,
    pub bound: f64,
}

/// Where a load acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LoadKind {
    /// A force at this point of the body.
    Force(Vector3<f64>),
    /// A torque.
    Torque,
}

/// A force or torque given in time, in world axes.
#[derive(Clone)]
pub(super) struct Load {
    pub body: usize,
    pub kind: LoadKind,
    pub value: VectorSignal,
}

/// A spring or damper as the positive definite approximation of the force's derivatives sees it:
/// the force is
/// -(stiffness phi + damping gradient'v) gradient, (rigid.16).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Elongation or angle from rest.
    pub phi: f64,
    /// Stiffness, >= 0.
    pub stiffness: f64,
    /// Damping, >= 0.
    pub damping: f64,
}
