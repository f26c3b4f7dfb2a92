//! Bodies, and where they stand: points, axes and the generalised forces of forces and torques,
//! with their derivatives. Knows neither joints nor contacts.

use super::rotation::{hat, matrix, rotation_per_quaternion, stored};
use nalgebra::{Matrix3, Matrix3x6, Matrix6, SMatrix, Vector3, Vector6};

/// A body of a [`Builder`](super::Builder) and of the [`Scene`](super::Scene) it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// The body's number, counted from zero in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The body with this number; a builder or scene that has none refuses it.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// What something is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The world, which does not move.
    Ground,
    /// A body.
    Body(BodyId),
}

impl From<BodyId> for Link {
    fn from(id: BodyId) -> Self {
        Link::Body(id)
    }
}

/// In which axes the velocity of the center of mass of a spatial body is given. Its angular
/// velocity is always in body axes, and the mass matrix constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Axes {
    /// Those of the body, as in the equations of Newton and Euler. The velocity then turns with the
    /// body, and a step has to follow that: keep the angle of a step well below one radian.
    Body,
    /// Those of the world: a center of mass moves with the accuracy of a point mass however fast
    /// the body turns.
    #[default]
    World,
}

/// Which coordinates a body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ground,
    /// q = (x, y), v = dq/dt.
    Point2,
    /// q = (x, y, z), v = dq/dt.
    Point3,
    /// q = (x, y, theta), v = dq/dt.
    Planar,
    /// q = (x, y, z, quaternion w x y z), v = (velocity, angular velocity) in body axes.
    Spatial,
    /// The same, but with the velocity in world axes.
    Free,
}

impl Kind {
    pub(super) fn nq(self) -> usize {
        match self {
            Kind::Ground => 0,
            Kind::Point2 => 2,
            Kind::Point3 | Kind::Planar => 3,
            Kind::Spatial | Kind::Free => 7,
        }
    }

    pub(super) fn nv(self) -> usize {
        if self.turns() { 6 } else { self.nq() }
    }

    /// Is a rigid body in space.
    pub(super) fn turns(self) -> bool {
        matches!(self, Kind::Spatial | Kind::Free)
    }

    /// Moves in the plane z = 0 only.
    pub(super) fn flat(self) -> bool {
        matches!(self, Kind::Point2 | Kind::Planar)
    }

    /// Has no orientation.
    pub(super) fn point(self) -> bool {
        matches!(self, Kind::Point2 | Kind::Point3)
    }
}

/// A body as the scene keeps it.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub kind: Kind,
    pub mass: f64,
    /// About the center of mass in body axes; planar bodies use its zz entry, points none.
    pub inertia: Matrix3<f64>,
    /// First coordinate in q and in v.
    pub q_at: usize,
    pub v_at: usize,
    /// Distance of the farthest point of its surfaces whose contacts come and go.
    pub reach: f64,
}

impl Body {
    pub(super) fn place(&self, q: &[f64]) -> Placed {
        let q = &q[self.q_at..self.q_at + self.kind.nq()];
        let flat = |z| Vector3::new(q[0], q[1], z);
        let (x, rot, turn) = match self.kind {
            Kind::Ground => (Vector3::zeros(), Matrix3::identity(), 0.0),
            Kind::Point2 => (flat(0.0), Matrix3::identity(), 0.0),
            Kind::Point3 => (flat(q[2]), Matrix3::identity(), 0.0),
            Kind::Planar => {
                let (s, c) = q[2].sin_cos();
                (flat(0.0), Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), q[2])
            }
            Kind::Spatial | Kind::Free => (flat(q[2]), matrix(&stored(&q[3..7])), 0.0),
        };
        Placed { kind: self.kind, x, rot, turn }
    }

    /// The body's velocities, padded with zeros.
    pub(super) fn velocity(&self, v: &[f64]) -> Vector6<f64> {
        let mut padded = Vector6::zeros();
        for (p, x) in padded.iter_mut().zip(&v[self.v_at..self.v_at + self.kind.nv()]) {
            *p = *x;
        }
        padded
    }

    /// Gyroscopic force of a spatial body, (rigid.2); zero for others.
    pub(super) fn gyroscopic(&self, v: &Vector6<f64>) -> Vector6<f64> {
        let mut f = Vector6::zeros();
        let (u, w) = split(v);
        if self.kind == Kind::Spatial {
            f.fixed_rows_mut::<3>(0).copy_from(&(u.cross(&w) * self.mass));
        }
        if self.kind.turns() {
            f.fixed_rows_mut::<3>(3).copy_from(&(self.inertia * w).cross(&w));
        }
        f
    }

    /// Says the entries of its mass matrix that may be other than zero.
    pub(super) fn masses(&self, mut set: impl FnMut(usize, usize, f64)) {
        let linear = if self.kind.flat() { 2 } else { 3 };
        if self.kind != Kind::Ground {
            (0..linear).for_each(|i| set(i, i, self.mass));
        }
        match self.kind {
            Kind::Planar => set(2, 2, self.inertia[(2, 2)]),
            Kind::Spatial | Kind::Free => {
                for (i, j) in (0..9).map(|k| (k % 3, k / 3)) {
                    set(3 + i, 3 + j, self.inertia[(i, j)]);
                }
            }
            Kind::Ground | Kind::Point2 | Kind::Point3 => {}
        }
    }

    /// Derivative of [`gyroscopic`](Self::gyroscopic) with respect to v, (rigid.6).
    pub(super) fn gyroscopic_jac(&self, v: &Vector6<f64>) -> Matrix6<f64> {
        let mut c = self.gyroscopic_half(v);
        let (u, w) = split(v);
        if self.kind == Kind::Spatial {
            c.fixed_view_mut::<3, 3>(0, 3).copy_from(&(hat(&u) * self.mass));
        }
        if self.kind.turns() {
            let turn = hat(&(self.inertia * w)) - hat(&w) * self.inertia;
            c.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
        }
        c
    }

    /// -K_c of (rigid.7): the antisymmetric matrix whose product with v is the gyroscopic force.
    pub(super) fn gyroscopic_half(&self, v: &Vector6<f64>) -> Matrix6<f64> {
        let mut c = Matrix6::zeros();
        let (_, w) = split(v);
        if self.kind == Kind::Spatial {
            c.fixed_view_mut::<3, 3>(0, 0).copy_from(&(hat(&w) * -self.mass));
        }
        if self.kind.turns() {
            c.fixed_view_mut::<3, 3>(3, 3).copy_from(&hat(&(self.inertia * w)));
        }
        c
    }

    /// Small motions in the coordinates of v per change of the stored q, nv by nq padded to 6 by 7,
    /// (rigid.5).
    pub(super) fn motion_per_position(&self, q: &[f64], placed: &Placed) -> SMatrix<f64, 6, 7> {
        let mut t = SMatrix::<f64, 6, 7>::zeros();
        t.fill_diagonal(1.0);
        if !self.kind.turns() {
            return t;
        }
        if self.kind == Kind::Spatial {
            t.fixed_view_mut::<3, 3>(0, 0).copy_from(&placed.rot.transpose());
        }
        let g = rotation_per_quaternion(&stored(&q[self.q_at + 3..self.q_at + 7]));
        t.fixed_view_mut::<3, 4>(3, 3).copy_from(&g);
        t
    }
}

/// Upper and lower half of a body velocity.
pub(super) fn split(v: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned())
}

/// Where a body stands. Everything is in world axes unless said.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub kind: Kind,
    /// Center of mass.
    pub x: Vector3<f64>,
    /// Body axes as columns.
    pub rot: Matrix3<f64>,
    /// Angle of a planar body, not reduced to one turn; 0 for others.
    pub turn: f64,
}

impl Placed {
    /// The ground, whose axes are the world's.
    pub(super) fn ground() -> Self {
        Self { kind: Kind::Ground, x: Vector3::zeros(), rot: Matrix3::identity(), turn: 0.0 }
    }

    /// World place of the point with body coordinates `at`.
    pub(super) fn point(&self, at: &Vector3<f64>) -> Vector3<f64> {
        self.x + self.rot * at
    }

    /// Body coordinates of the world point `p`.
    pub(super) fn local(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.rot.tr_mul(&(p - self.x))
    }

    /// Generalised force J'f + W't of the force `f` at the world point `p` and the torque `torque`,
    /// (rigid.8).
    pub(super) fn generalized(
        &self,
        p: &Vector3<f64>,
        f: &Vector3<f64>,
        torque: &Vector3<f64>,
    ) -> Vector6<f64> {
        let mut g = Vector6::zeros();
        let moment = || (p - self.x).cross(f) + torque;
        match self.kind {
            Kind::Ground => {}
            Kind::Point2 => (g[0], g[1]) = (f.x, f.y),
            Kind::Point3 => (g[0], g[1], g[2]) = (f.x, f.y, f.z),
            Kind::Planar => (g[0], g[1], g[2]) = (f.x, f.y, moment().z),
            Kind::Spatial => {
                g.fixed_rows_mut::<3>(0).copy_from(&self.rot.tr_mul(f));
                g.fixed_rows_mut::<3>(3).copy_from(&self.rot.tr_mul(&moment()));
            }
            Kind::Free => {
                g.fixed_rows_mut::<3>(0).copy_from(f);
                g.fixed_rows_mut::<3>(3).copy_from(&self.rot.tr_mul(&moment()));
            }
        }
        g
    }

    /// Generalised forces of three forces at the world point `p`, each into the place of its own.
    pub(super) fn write_generalized(
        &self,
        p: &Vector3<f64>,
        f: [Vector3<f64>; 3],
        to: [&mut [f64]; 3],
    ) {
        let arm = p - self.x;
        for (f, to) in f.iter().zip(to) {
            if let (Kind::Free, Some(to)) = (self.kind, to.first_chunk_mut::<6>()) {
                // Most bodies: without looking again at what they are.
                let turn = self.rot.tr_mul(&arm.cross(f));
                *to = [f.x, f.y, f.z, turn.x, turn.y, turn.z];
            } else {
                let g = self.generalized(p, f, &Vector3::zeros());
                to.copy_from_slice(&g.as_slice()[..to.len()]);
            }
        }
    }

    /// J of the world point `p` fixed to the body: its velocity is J v.
    pub(super) fn jacobian(&self, p: &Vector3<f64>) -> Matrix3x6<f64> {
        let mut j = Matrix3x6::zeros();
        let arm = p - self.x;
        match self.kind {
            Kind::Ground => {}
            Kind::Point2 => (j[(0, 0)], j[(1, 1)]) = (1.0, 1.0),
            Kind::Point3 => j.fill_diagonal(1.0),
            Kind::Planar => {
                (j[(0, 0)], j[(1, 1)]) = (1.0, 1.0);
                (j[(0, 2)], j[(1, 2)]) = (-arm.y, arm.x);
            }
            Kind::Spatial | Kind::Free => {
                let world = self.kind == Kind::Free;
                let axes = if world { Matrix3::identity() } else { self.rot };
                j.fixed_view_mut::<3, 3>(0, 0).copy_from(&axes);
                j.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-hat(&arm) * self.rot));
            }
        }
        j
    }

    /// W: the angular velocity of the body is W v.
    pub(super) fn spin(&self) -> Matrix3x6<f64> {
        let mut w = Matrix3x6::zeros();
        match self.kind {
            Kind::Planar => w[(2, 2)] = 1.0,
            Kind::Spatial | Kind::Free => w.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.rot),
            Kind::Ground | Kind::Point2 | Kind::Point3 => {}
        }
        w
    }

    /// Derivative of [`generalized`](Self::generalized) along small motions of the body, with `f`
    /// and `torque` kept in the world and the point in the body, (rigid.9).
    pub(super) fn bend(
        &self,
        p: &Vector3<f64>,
        f: &Vector3<f64>,
        torque: &Vector3<f64>,
    ) -> Matrix6<f64> {
        let mut d = Matrix6::zeros();
        let arm = p - self.x;
        match self.kind {
            Kind::Ground | Kind::Point2 | Kind::Point3 => {}
            Kind::Planar => d[(2, 2)] = -(arm.x * f.x + arm.y * f.y),
            Kind::Spatial | Kind::Free => {
                let f = hat(&self.rot.tr_mul(f));
                if self.kind == Kind::Spatial {
                    d.fixed_view_mut::<3, 3>(0, 3).copy_from(&f);
                }
                let moment = hat(&self.rot.tr_mul(&arm)) * f + hat(&self.rot.tr_mul(torque));
                d.fixed_view_mut::<3, 3>(3, 3).copy_from(&moment);
            }
        }
        d
    }
}
