//! What can be read from a scene at a state: energies, momenta, poses, points, joint coordinates,
//! spring elements. Changes nothing.

use super::Scene;
use super::body::{BodyId, Kind};
use super::build::momenta;
use super::joint::{Freedom, JointId};
use super::rotation::{store, stored};
use super::spring::Element;
use crate::error::{Error, Result, length, told};
use crate::linalg::axpy;
use nalgebra::Vector3;

/// Where a body stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Center of mass.
    pub position: [f64; 3],
    /// Orientation, unit quaternion w x y z.
    pub quaternion: [f64; 4],
}

impl Scene {
    /// The builder's pose.
    pub fn initial_position(&self) -> &[f64] {
        &self.q
    }

    /// The velocities given to the builder.
    pub fn initial_velocity(&self) -> &[f64] {
        &self.v
    }

    /// Where the coordinates of a body are in q; empty for a body of another scene.
    pub fn position_range(&self, id: BodyId) -> std::ops::Range<usize> {
        self.bodies.get(id.index()).map_or(0..0, |b| b.q_at..b.q_at + b.kind.nq())
    }

    /// Where the coordinates of a body are in v; empty for a body of another scene.
    pub fn velocity_range(&self, id: BodyId) -> std::ops::Range<usize> {
        self.bodies.get(id.index()).map_or(0..0, |b| b.v_at..b.v_at + b.kind.nv())
    }
}

impl Scene {
    /// Mass of all bodies.
    pub fn total_mass(&self) -> f64 {
        self.bodies.iter().map(|b| b.mass).sum()
    }

    /// Kinetic energy v'Mv/2.
    ///
    /// # Errors
    /// `Dimension`.
    pub fn kinetic_energy(&self, v: &[f64]) -> Result<f64> {
        length("v", v, self.v.len())?;
        let mut twice = 0.0;
        for b in &self.bodies {
            let x = b.velocity(v);
            let linear = if b.kind.flat() { 2 } else { 3 };
            twice += b.mass * x.rows(0, linear).norm_squared();
            match b.kind {
                Kind::Planar => twice += b.inertia[(2, 2)] * x[2] * x[2],
                Kind::Spatial | Kind::Free => {
                    let w: Vector3<f64> = x.fixed_rows::<3>(3).into_owned();
                    twice += w.dot(&(b.inertia * w));
                }
                Kind::Ground | Kind::Point2 | Kind::Point3 => {}
            }
        }
        Ok(0.5 * twice)
    }

    /// Potential energy of gravity, zero at the origin, and of springs. Loads and motors have none.
    ///
    /// # Errors
    /// `Dimension`; `Rejected` where the points of a spring coincide.
    pub fn potential_energy(&self, q: &[f64]) -> Result<f64> {
        length("q", q, self.q.len())?;
        let mut energy = 0.0;
        for b in &self.bodies {
            energy -= b.mass * self.gravity.dot(&b.place(q).x);
        }
        for i in 0..self.actuators.len() {
            let act = &self.actuators[i];
            let phi = self.gradient_of(i, q)?.value;
            energy += 0.5 * act.stiffness * phi * phi;
        }
        Ok(energy)
    }

    /// Linear momentum in world axes.
    ///
    /// # Errors
    /// `Dimension`.
    pub fn momentum(&self, q: &[f64], v: &[f64]) -> Result<[f64; 3]> {
        Ok(self.momenta(q, v)?[0].into())
    }

    /// Angular momentum about the origin, in world axes.
    ///
    /// # Errors
    /// `Dimension`.
    pub fn angular_momentum(&self, q: &[f64], v: &[f64]) -> Result<[f64; 3]> {
        Ok(self.momenta(q, v)?[1].into())
    }

    fn momenta(&self, q: &[f64], v: &[f64]) -> Result<[Vector3<f64>; 2]> {
        length("q", q, self.q.len())?;
        length("v", v, self.v.len())?;
        let mut sum = [Vector3::zeros(); 2];
        for b in &self.bodies {
            let placed = b.place(q);
            let [linear, spin] = momenta(b, &placed, &b.velocity(v));
            sum[0] += linear;
            sum[1] += placed.x.cross(&linear) + spin;
        }
        Ok(sum)
    }

    /// Where a body stands.
    ///
    /// # Errors
    /// `Dimension`; `Value` for a body of another scene.
    pub fn pose(&self, id: BodyId, q: &[f64]) -> Result<Pose> {
        length("q", q, self.q.len())?;
        let b = &self.bodies[self.known(id)?];
        let placed = b.place(q);
        let mut quaternion = [1.0, 0.0, 0.0, 0.0];
        match b.kind {
            Kind::Spatial | Kind::Free => {
                store(&stored(&q[b.q_at + 3..b.q_at + 7]).normalize(), &mut quaternion);
            }
            Kind::Planar => {
                let (s, c) = (0.5 * placed.turn).sin_cos();
                quaternion = [c, 0.0, 0.0, s];
            }
            Kind::Ground | Kind::Point2 | Kind::Point3 => {}
        }
        Ok(Pose { position: placed.x.into(), quaternion })
    }

    /// World place of the point `at`, body coordinates.
    ///
    /// # Errors
    /// `Dimension`; `Value` for a body of another scene.
    pub fn point(&self, id: BodyId, q: &[f64], at: [f64; 3]) -> Result<[f64; 3]> {
        length("q", q, self.q.len())?;
        Ok(self.bodies[self.known(id)?].place(q).point(&Vector3::from(at)).into())
    }

    /// World velocity of the point `at`, body coordinates.
    ///
    /// # Errors
    /// `Dimension`; `Value` for a body of another scene.
    pub fn point_velocity(
        &self,
        id: BodyId,
        q: &[f64],
        v: &[f64],
        at: [f64; 3],
    ) -> Result<[f64; 3]> {
        length("q", q, self.q.len())?;
        length("v", v, self.v.len())?;
        let b = &self.bodies[self.known(id)?];
        let placed = b.place(q);
        Ok((placed.jacobian(&placed.point(&Vector3::from(at))) * b.velocity(v)).into())
    }

    /// A free coordinate of a joint, counted from the builder's pose. Angles in space lie in (-pi,
    /// pi].
    ///
    /// # Errors
    /// `Dimension`; `Value` for an unknown joint or a coordinate it does not leave free.
    pub fn coordinate(&self, joint: JointId, freedom: Freedom, q: &[f64]) -> Result<f64> {
        length("q", q, self.q.len())?;
        let j = self.joints.get(joint.index());
        let c = j.and_then(|j| match freedom {
            Freedom::Angle => j.angle.as_ref(),
            Freedom::Slide => j.slide.as_ref(),
        });
        let c = c.ok_or_else(|| Error::Value {
            what: "coordinate of the joint",
            got: told(format_args!("{freedom:?} of joint {}", joint.index())),
            must: "one that the joint leaves free",
        })?;
        let read = |q: &[f64]| {
            c.gradient(&self.place(c.a, q), &self.place(c.b, q), 0.0).map_or(0.0, |g| g.value)
        };
        Ok(read(q) - read(&self.q))
    }

    /// The numbers of a joint's equations; empty for a joint of another scene.
    pub fn joint_equations(&self, joint: JointId) -> std::ops::Range<usize> {
        self.joints.get(joint.index()).map_or(0..0, |j| j.equations.clone())
    }

    /// Number of spring and damper elements.
    pub fn n_element(&self) -> usize {
        self.actuators.len()
    }

    /// Element `i` at a position, with its gradient (nv numbers) in `gradient`: what the positive
    /// definite approximation of the force's derivatives is made of.
    ///
    /// # Errors
    /// `Dimension`; `Rejected` where the points of a spring coincide.
    pub fn element(&self, i: usize, q: &[f64], gradient: &mut [f64]) -> Result<Element> {
        length("q", q, self.q.len())?;
        length("gradient", gradient, self.v.len())?;
        let Some(act) = self.actuators.get(i) else {
            let expected = told(format_args!("less than {}", self.actuators.len()));
            return Err(Error::Dimension { what: "element", got: i as i64, expected });
        };
        let g = self.gradient_of(i, q)?;
        gradient.fill(0.0);
        for (body, part) in [(act.coordinate.a, &g.a), (act.coordinate.b, &g.b)] {
            if let Some(b) = body.map(|k| &self.bodies[k]) {
                let n = b.kind.nv();
                axpy(1.0, &part.as_slice()[..n], &mut gradient[b.v_at..b.v_at + n]);
            }
        }
        Ok(Element { phi: g.value, stiffness: act.stiffness, damping: act.damping })
    }

    /// K_c of (rigid.7), nv by nv: antisymmetric, and K_c v is minus the gyroscopic force.
    ///
    /// # Errors
    /// `Dimension`.
    pub fn gyroscopic(&self, v: &[f64], k_c: &mut [f64]) -> Result<()> {
        let nv = self.v.len();
        length("v", v, nv)?;
        length("k_c", k_c, nv * nv)?;
        k_c.fill(0.0);
        self.add_gyroscopic(v, k_c);
        Ok(())
    }

    /// Writes the blocks of K_c into zeros.
    pub(super) fn add_gyroscopic(&self, v: &[f64], k_c: &mut [f64]) {
        let nv = self.v.len();
        for b in self.bodies.iter().filter(|b| b.kind.turns()) {
            let half = b.gyroscopic_half(&b.velocity(v));
            for (i, j) in (0..36).map(|k| (k % 6, k / 6)) {
                k_c[b.v_at + i + (b.v_at + j) * nv] = -half[(i, j)];
            }
        }
    }

    fn gradient_of(&self, i: usize, q: &[f64]) -> Result<super::coordinate::Gradient> {
        let act = &self.actuators[i];
        let c = &act.coordinate;
        c.gradient(&self.place(c.a, q), &self.place(c.b, q), act.rest)
            .ok_or(Error::Rejected { what: "spring", code: 1 })
    }

    fn known(&self, id: BodyId) -> Result<usize> {
        if id.index() < self.bodies.len() {
            return Ok(id.index());
        }
        let got = told(id.index());
        Err(Error::Value { what: "body", got, must: "one of this scene" })
    }
}
