//! The builder: bodies and gravity, with every input checked. What joins and touches them is in
//! `attach` and `meet`.

use super::Scene;
use super::body::{Axes, Body, BodyId, Kind, Link, Placed, split};
use super::contact::{MaterialId, Slot, Surface};
use super::coordinate::Coordinate;
use super::joint::{Equation, JointId};
use super::meet::Attached;
use super::rotation::{store, stored};
use super::spring::{Actuator, JointBrake, Load};
use crate::error::{ALONE, Error, Result, finite, grow, told};
use crate::linalg::{DefiniteFactor, MatRef};
use crate::tol;
use nalgebra::{Matrix3, Vector3, Vector6};

/// A joint as it was made: its equations, and the coordinates it leaves free.
#[derive(Clone)]
pub(super) struct Joined {
    pub equations: std::ops::Range<usize>,
    pub angle: Option<Coordinate>,
    pub slide: Option<Coordinate>,
}

/// Collects bodies and what acts between them, and makes a [`Scene`] of it. The poses given here
/// are the pose at which joints are made and the scene's initial position. A call that fails
/// changes nothing; every one that keeps something fails with `Memory` when there is no room for it.
///
/// ```
/// use stiction::model::Model;
/// use stiction::rigid::{Builder, Joint, Link};
///
/// // A rod of 1 kg and 1 m, pinned at its upper end.
/// let mut b = Builder::new();
/// b.gravity([0.0, -9.81, 0.0])?;
/// let rod = b.planar(1.0, 1.0 / 12.0, [0.0, -0.5], 0.0)?;
/// b.joint(Joint::Revolute { axis: [0.0, 0.0, 1.0] }, Link::Ground, rod, [0.0, 0.0, 0.0])?;
/// let scene = b.build()?;
/// assert_eq!((scene.dims().nq, scene.dims().n_joint), (3, 2));
/// # Ok::<(), stiction::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Builder {
    pub(super) bodies: Vec<Body>,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) gravity: Vector3<f64>,
    pub(super) axes: Axes,
    pub(super) equations: Vec<Equation>,
    pub(super) joints: Vec<Joined>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) loads: Vec<Load>,
    pub(super) brakes: Vec<JointBrake>,
    pub(super) limits: Vec<Slot>,
    pub(super) shapes: Vec<Attached>,
    pub(super) materials: u32,
    pub(super) surfaces: Vec<(MaterialId, MaterialId, Surface)>,
    pub(super) facets: Option<usize>,
}

impl Builder {
    /// A world without bodies and without gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the acceleration of gravity, in m/s^2.
    ///
    /// # Errors
    /// `NonFinite`.
    pub fn gravity(&mut self, g: [f64; 3]) -> Result<()> {
        finite("gravity", &g)?;
        self.gravity = Vector3::from(g);
        Ok(())
    }

    /// Chooses the axes for the velocities of the spatial bodies added from now on; at first
    /// [`Axes::World`].
    pub fn axes(&mut self, axes: Axes) {
        self.axes = axes;
    }

    /// Adds a point mass in the plane: q = (x, y).
    ///
    /// # Errors
    /// `NonFinite`; `Range` for a mass that is not positive.
    pub fn point2(&mut self, mass: f64, at: [f64; 2]) -> Result<BodyId> {
        finite("position", &at)?;
        self.add(Kind::Point2, mass, Matrix3::zeros(), &at)
    }

    /// Adds a point mass in space: q = (x, y, z).
    ///
    /// # Errors
    /// `NonFinite`; `Range` for a mass that is not positive.
    pub fn point3(&mut self, mass: f64, at: [f64; 3]) -> Result<BodyId> {
        finite("position", &at)?;
        self.add(Kind::Point3, mass, Matrix3::zeros(), &at)
    }

    /// Adds a rigid body in the plane: q = (x, y, theta) with the center of mass at (x, y).
    ///
    /// # Errors
    /// `NonFinite`; `Range` for a mass or inertia that is not positive.
    pub fn planar(&mut self, mass: f64, inertia: f64, at: [f64; 2], angle: f64) -> Result<BodyId> {
        finite("position", &[at[0], at[1], angle])?;
        self.positive("inertia", inertia)?;
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, inertia));
        self.add(Kind::Planar, mass, inertia, &[at[0], at[1], angle])
    }

    /// Adds a rigid body in space: q = (center of mass, unit quaternion w x y z), v = (velocity
    /// in world axes, angular velocity in body axes), see also [`axes`](Self::axes). `inertia` is
    /// about the center of mass in body axes.
    ///
    /// # Errors
    /// `NonFinite`; `Range` for a mass that is not positive, an inertia that is not symmetric, a
    /// quaternion that is not of length one; `NotPositiveDefinite` for the inertia.
    pub fn spatial(
        &mut self,
        mass: f64,
        inertia: [[f64; 3]; 3],
        at: [f64; 3],
        quaternion: [f64; 4],
    ) -> Result<BodyId> {
        finite("position", &at)?;
        let turn = unit_quaternion(&quaternion)?;
        let inertia = check_inertia(&inertia)?;
        let mut q = [at[0], at[1], at[2], 0.0, 0.0, 0.0, 0.0];
        q[3..].copy_from_slice(&turn);
        let kind = if self.axes == Axes::World { Kind::Free } else { Kind::Spatial };
        self.add(kind, mass, inertia, &q)
    }

    /// Sets the initial velocity of a body: of its center of mass, and its angular velocity, both
    /// in world axes. What a body cannot do must be zero.
    ///
    /// # Errors
    /// `Value` for an unknown body; `NonFinite`; `Range` for a part the body does not have.
    pub fn velocity(&mut self, id: BodyId, linear: [f64; 3], angular: [f64; 3]) -> Result<()> {
        finite("velocity", &linear)?;
        finite("angular velocity", &angular)?;
        let index = self.body(id)?;
        let kind = self.bodies[index].kind;
        let missing = |what, index, value: f64| {
            // exact: given as zero
            if value == 0.0 {
                return Ok(());
            }
            Err(Error::Range { what, index, value, must: "zero for this kind of body" })
        };
        if kind.flat() {
            missing("velocity", 2, linear[2])?;
            missing("angular velocity", 0, angular[0])?;
            missing("angular velocity", 1, angular[1])?;
        }
        if kind.point() {
            (0..3).try_for_each(|k| missing("angular velocity", k, angular[k]))?;
        }
        let placed = self.bodies[index].place(&self.q);
        let (linear, angular) = (Vector3::from(linear), Vector3::from(angular));
        let mut v = Vector6::zeros();
        match kind {
            Kind::Spatial | Kind::Free => {
                let world = kind == Kind::Free;
                let linear = if world { linear } else { placed.rot.tr_mul(&linear) };
                v.fixed_rows_mut::<3>(0).copy_from(&linear);
                v.fixed_rows_mut::<3>(3).copy_from(&placed.rot.tr_mul(&angular));
            }
            Kind::Planar => (v[0], v[1], v[2]) = (linear.x, linear.y, angular.z),
            _ => (v[0], v[1], v[2]) = (linear.x, linear.y, linear.z),
        }
        let at = self.bodies[index].v_at;
        self.v[at..at + kind.nv()].copy_from_slice(&v.as_slice()[..kind.nv()]);
        Ok(())
    }

    /// Makes the scene. The builder stays as it is.
    ///
    /// # Errors
    /// `Value` without bodies, for pairs of shapes whose gap cannot be computed, for materials that
    /// meet without a surface; `Memory`.
    pub fn build(&self) -> Result<Scene> {
        if self.bodies.is_empty() {
            let (got, must) = ("0".into(), "at least one");
            return Err(Error::Value { what: "number of bodies", got, must });
        }
        let (mut slots, near) = self.meetings()?;
        grow(&mut slots, self.limits.len())?;
        slots.extend_from_slice(&self.limits);
        Scene::new(self, slots, near)
    }

    fn add(&mut self, kind: Kind, mass: f64, inertia: Matrix3<f64>, q: &[f64]) -> Result<BodyId> {
        self.positive("mass", mass)?;
        let id = BodyId(self.bodies.len() as u32);
        let (q_at, v_at) = (self.q.len(), self.v.len());
        grow(&mut self.q, q.len())?;
        grow(&mut self.v, kind.nv())?;
        grow(&mut self.bodies, 1)?;
        self.q.extend_from_slice(q);
        self.v.resize(v_at + kind.nv(), 0.0);
        self.bodies.push(Body { kind, mass, inertia, q_at, v_at, reach: 0.0 });
        Ok(id)
    }

    fn positive(&self, what: &'static str, value: f64) -> Result<()> {
        let index = self.bodies.len();
        if !value.is_finite() {
            return Err(Error::NonFinite { what, index, value });
        }
        if value > 0.0 {
            return Ok(());
        }
        Err(Error::Range { what, index, value, must: "positive" })
    }

    /// The index of a body of this builder.
    pub(super) fn body(&self, id: BodyId) -> Result<usize> {
        if id.index() < self.bodies.len() {
            return Ok(id.index());
        }
        let got = told(id.0);
        Err(Error::Value { what: "body", got, must: "one that this builder made" })
    }

    /// The index of what is linked, and where it stands at the builder's pose.
    pub(super) fn link(&self, link: Link) -> Result<(Option<usize>, Placed)> {
        match link {
            Link::Ground => Ok((None, Placed::ground())),
            Link::Body(id) => {
                let index = self.body(id)?;
                Ok((Some(index), self.bodies[index].place(&self.q)))
            }
        }
    }

    /// Both ends of something between two different bodies.
    pub(super) fn ends(
        &self,
        what: &'static str,
        a: Link,
        b: Link,
    ) -> Result<[(Option<usize>, Placed); 2]> {
        let ends = [self.link(a)?, self.link(b)?];
        if ends[0].0 != ends[1].0 {
            return Ok(ends);
        }
        let got =
            ends[0].0.map_or("the ground twice".into(), |i| told(format_args!("body {i} twice")));
        Err(Error::Value { what, got, must: "between two different bodies" })
    }

    /// The joint of this builder.
    pub(super) fn joined(&self, id: JointId) -> Result<&Joined> {
        let got = || told(id.0);
        self.joints.get(id.index()).ok_or_else(|| Error::Value {
            what: "joint",
            got: got(),
            must: "one that this builder made",
        })
    }
}

/// The quaternion w x y z with its last rounding removed.
///
/// # Errors
/// `NonFinite`; `Range` with its length when that is not one.
pub(super) fn unit_quaternion(q: &[f64; 4]) -> Result<[f64; 4]> {
    finite("quaternion", q)?;
    let p = stored(q);
    let length = p.norm();
    if !((length - 1.0).abs() <= tol::GIVEN_UNIT) {
        let must = "1";
        return Err(Error::Range { what: "quaternion length", index: ALONE, value: length, must });
    }
    let mut unit = [0.0; 4];
    store(&(p / length), &mut unit);
    Ok(unit)
}

fn check_inertia(rows: &[[f64; 3]; 3]) -> Result<Matrix3<f64>> {
    let flat = rows.as_flattened();
    finite("inertia", flat)?;
    let m = Matrix3::from_row_slice(flat);
    for (i, j) in [(1, 0), (2, 0), (2, 1)] {
        if (m[(i, j)] - m[(j, i)]).abs() > tol::GIVEN_UNIT * m.amax() {
            let (index, value) = (3 * i + j, m[(i, j)]);
            return Err(Error::Range { what: "inertia", index, value, must: "symmetric" });
        }
    }
    let m = (m + m.transpose()) * 0.5;
    DefiniteFactor::new(3)?.factor("inertia", MatRef::square("inertia", m.as_slice(), 3)?)?;
    Ok(m)
}

/// Momentum and spin of one body in world axes: linear, and angular about its center of mass.
pub(super) fn momenta(body: &Body, placed: &Placed, v: &Vector6<f64>) -> [Vector3<f64>; 2] {
    let velocity = placed.jacobian(&placed.x) * v;
    let spin = match body.kind {
        Kind::Spatial | Kind::Free => placed.rot * (body.inertia * split(v).1),
        _ => body.inertia * (placed.spin() * v),
    };
    [velocity * body.mass, spin]
}
