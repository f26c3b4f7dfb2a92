//! A scene: bodies, joints, forces and contacts as a [`Model`]. Never changes; nothing is allocated
//! when it is asked.

use super::body::{Body, Placed};
use super::body::{Kind, split};
use super::build::{Builder, Joined};
use super::contact::{Slot, facets};
use super::coordinate::Coordinate;
use super::joint::{Equation, Target};
use super::near::Near;
use super::rotation::{exponential, quaternion_rate, screw, store, stored};
use super::spring::{Actuator, JointBrake, Load, LoadKind};
use crate::error::{Error, Result, collect};
use crate::linalg::{Blocked, axpy};
use crate::model::{Answer, ContactSink, Dims, Elements, Model, Refusal};
use crate::tol;
use nalgebra::{Matrix6, Vector3, Vector6};

/// Refused points: a distance of zero, or another place where a gap or a joint has no direction.
pub(super) const NO_DIRECTION: Refusal = Refusal::Point(1);

/// The same entries in memory of their own; an entry takes none itself.
fn copy<T: Clone>(entries: &[T]) -> Result<Vec<T>> {
    collect(entries.iter().cloned())
}

/// Built-in bodies and all that acts between them. Made by [`Builder::build`]; never changes.
#[derive(Clone)]
pub struct Scene {
    pub(super) bodies: Vec<Body>,
    pub(super) gravity: Vector3<f64>,
    pub(super) equations: Vec<Equation>,
    pub(super) joints: Vec<Joined>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) loads: Vec<Load>,
    brakes: Vec<JointBrake>,
    pub(super) slots: Vec<Slot>,
    pub(super) near: Near,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) facets: Vec<[f64; 2]>,
    pub(super) dims: Dims,
    moves: bool,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene").field("dims", &self.dims).finish_non_exhaustive()
    }
}

impl Scene {
    pub(super) fn new(b: &Builder, slots: Vec<Slot>, near: Near) -> Result<Self> {
        let flat = slots.iter().all(|s| {
            let (a, c) = s.bodies();
            [a, c].iter().flatten().all(|&i| b.bodies[i].kind.flat())
        }) && near.items.iter().all(|i| i.flat);
        // exact: without friction anywhere there are no directions
        let smooth =
            slots.iter().all(|s| s.mu == 0.0) && near.met.iter().flatten().all(|m| m.mu == 0.0);
        let n_dir = if smooth { 0 } else { b.facets.unwrap_or(if flat { 2 } else { 8 }) };
        let dims = Dims {
            nq: b.q.len(),
            nv: b.v.len(),
            n_joint: b.equations.len(),
            n_contact: slots.len(),
            n_dir,
            n_brake: b.brakes.len(),
            n_element: b.actuators.len(),
        };
        let moves = b.equations.iter().any(|e| matches!(e.target, Target::Moving { .. }))
            || slots.iter().any(Slot::moves);
        let mut scene = Self {
            bodies: copy(&b.bodies)?,
            gravity: b.gravity,
            equations: copy(&b.equations)?,
            joints: copy(&b.joints)?,
            actuators: copy(&b.actuators)?,
            loads: copy(&b.loads)?,
            brakes: copy(&b.brakes)?,
            slots,
            near,
            q: copy(&b.q)?,
            v: copy(&b.v)?,
            facets: collect(facets(n_dir))?,
            dims,
            moves,
        };
        scene.measure_reaches();
        Ok(scene)
    }

    pub(super) fn place(&self, body: Option<usize>, q: &[f64]) -> Placed {
        body.map_or_else(Placed::ground, |i| self.bodies[i].place(q))
    }

    pub(super) fn velocity_of(&self, body: Option<usize>, v: &[f64]) -> Vector6<f64> {
        body.map_or_else(Vector6::zeros, |i| self.bodies[i].velocity(v))
    }

    /// out += factor x, in the places of a body's velocities.
    pub(super) fn scatter(
        &self,
        body: Option<usize>,
        factor: f64,
        x: &Vector6<f64>,
        out: &mut [f64],
    ) {
        if let Some(i) = body {
            let (at, n) = (self.bodies[i].v_at, self.bodies[i].kind.nv());
            axpy(factor, &x.as_slice()[..n], &mut out[at..at + n]);
        }
    }

    /// A load as force at a point and torque.
    pub(super) fn load(&self, load: &Load, t: f64, placed: &Placed) -> [Vector3<f64>; 3] {
        let value = Vector3::from((load.value)(t));
        match load.kind {
            LoadKind::Force(at) => [placed.point(&at), value, Vector3::zeros()],
            LoadKind::Torque => [placed.x, Vector3::zeros(), value],
        }
    }
}

impl Model for Scene {
    fn dims(&self) -> Dims {
        self.dims
    }

    fn initial(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
    }

    fn check_position(&self, q: &[f64]) -> Result<()> {
        for b in self.bodies.iter().filter(|b| b.kind.turns()) {
            let value = stored(&q[b.q_at + 3..b.q_at + 7]).norm();
            if !((value - 1.0).abs() <= tol::STATE_UNIT) {
                let (what, must) = ("length of the quaternion at q", "1");
                return Err(Error::Range { what, index: b.q_at + 3, value, must });
            }
        }
        Ok(())
    }

    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        let nv = self.dims.nv;
        for b in &self.bodies {
            b.masses(|i, j, x| mass[b.v_at + i + (b.v_at + j) * nv] = x);
        }
        Ok(())
    }

    fn fastest_point(&self, v: &[f64]) -> Option<f64> {
        self.fastest(v)
    }

    fn couples(&self) -> Result<Option<Vec<[Option<usize>; 2]>>> {
        // Bodies that cannot move are not counted.
        let mut moving = 0;
        let place = collect(self.bodies.iter().map(|b| {
            moving += usize::from(b.kind.nv() > 0);
            (b.kind.nv() > 0).then(|| moving - 1)
        }))?;
        let ends = |c: &Coordinate| [c.a, c.b].map(|end| end.and_then(|i| place[i]));
        collect(self.actuators.iter().map(|act| ends(&act.coordinate))).map(Some)
    }

    fn mass_blocks(&self, _: f64, _: &[f64], mass: &mut Blocked) -> Answer {
        for b in &self.bodies {
            b.masses(|i, j, x| mass.part_mut(b.v_at + j, b.v_at + i, 1)[0] = x);
        }
        Ok(())
    }

    fn force_jac_blocks(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        k: &mut Blocked,
        c: &mut Blocked,
    ) -> Answer {
        self.bends(t, q, |i, bend| self.add_block((i, i), bend, k));
        for (i, b) in self.bodies.iter().enumerate() {
            self.add_block((i, i), &b.gyroscopic_jac(&b.velocity(v)), c);
        }
        let mut add = |row: Option<usize>, col: Option<usize>, [dk, dc]: [&Matrix6<f64>; 2]| {
            if let (Some(i), Some(j)) = (row, col) {
                self.add_block((i, j), dk, k);
                self.add_block((i, j), dc, c);
            }
        };
        self.actuators.iter().try_for_each(|a| self.actuator_jac(a, (t, q, v), &mut add))
    }

    fn gyroscopic_blocks(&self, _: f64, _: &[f64], v: &[f64], k_c: &mut Blocked) -> Answer {
        for (i, b) in self.bodies.iter().enumerate().filter(|(_, b)| b.kind.turns()) {
            self.add_block((i, i), &-b.gyroscopic_half(&b.velocity(v)), k_c);
        }
        Ok(())
    }

    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        let zero = Vector3::zeros();
        for (i, b) in self.bodies.iter().enumerate() {
            let placed = b.place(q);
            let weight = placed.generalized(&placed.x, &(self.gravity * b.mass), &zero);
            self.scatter(Some(i), 1.0, &(weight + b.gyroscopic(&b.velocity(v))), force);
        }
        for l in &self.loads {
            let placed = self.place(Some(l.body), q);
            let [p, f, torque] = self.load(l, t, &placed);
            self.scatter(Some(l.body), 1.0, &placed.generalized(&p, &f, &torque), force);
        }
        for act in &self.actuators {
            let c = &act.coordinate;
            let g = c.gradient(&self.place(c.a, q), &self.place(c.b, q), act.rest);
            let g = g.ok_or(NO_DIRECTION)?;
            let (va, vb) = (self.velocity_of(c.a, v), self.velocity_of(c.b, v));
            let strength = act.strength(t, &g, &va, &vb);
            self.scatter(c.a, strength, &g.a, force);
            self.scatter(c.b, strength, &g.b, force);
        }
        Ok(())
    }

    fn gives_force_jac(&self) -> bool {
        true
    }

    fn force_jac(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        dfdq: &mut [f64],
        dfdv: &mut [f64],
    ) -> Answer {
        self.bends(t, q, |i, bend| self.add_stiffness(q, Some(i), Some(i), bend, dfdq));
        for (i, b) in self.bodies.iter().enumerate() {
            self.add_damping(Some(i), Some(i), &b.gyroscopic_jac(&b.velocity(v)), dfdv);
        }
        let mut add = |row: Option<usize>, col: Option<usize>, [dk, dc]: [&Matrix6<f64>; 2]| {
            self.add_stiffness(q, row, col, dk, dfdq);
            self.add_damping(row, col, dc, dfdv);
        };
        self.actuators.iter().try_for_each(|a| self.actuator_jac(a, (t, q, v), &mut add))
    }

    fn gives_rate(&self) -> bool {
        self.dims.nq != self.dims.nv
    }

    fn rate(&self, _: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        for b in &self.bodies {
            let (at, n) = (b.q_at, b.kind.nq());
            if b.kind.turns() {
                let (u, w) = split(&b.velocity(v));
                let u = if b.kind == Kind::Free { u } else { b.place(q).rot * u };
                qdot[at..at + 3].copy_from_slice(u.as_slice());
                store(&quaternion_rate(&stored(&q[at + 3..at + 7]), &w), &mut qdot[at + 3..at + 7]);
            } else {
                qdot[at..at + n].copy_from_slice(&v[b.v_at..b.v_at + n]);
            }
        }
        Ok(())
    }

    fn gives_displacement(&self) -> bool {
        self.gives_rate()
    }

    fn displace(&self, _: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        moved.copy_from_slice(q);
        for b in &self.bodies {
            let (at, n) = (b.q_at, b.kind.nq());
            // exact: what does not move keeps its orientation to the last bit, unit or not
            if d[b.v_at..b.v_at + b.kind.nv()].iter().all(|&x| x == 0.0) {
                continue;
            }
            if b.kind.turns() {
                let (u, w) = split(&b.velocity(d));
                let placed = b.place(q);
                let way = if b.kind == Kind::Free { u } else { placed.rot * screw(&w, &u) };
                let x = placed.x + way;
                moved[at..at + 3].copy_from_slice(x.as_slice());
                let turned = stored(&q[at + 3..at + 7]) * exponential(&w);
                store(&turned.normalize(), &mut moved[at + 3..at + 7]);
            } else {
                axpy(1.0, &d[b.v_at..b.v_at + n], &mut moved[at..at + n]);
            }
        }
        Ok(())
    }

    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let nv = self.dims.nv;
        for (i, e) in self.equations.iter().enumerate() {
            let c = &e.coordinate;
            let g = c.gradient(&self.place(c.a, q), &self.place(c.b, q), e.target.at(t));
            let g = g.ok_or(NO_DIRECTION)?;
            phi[i] = g.value;
            let column = &mut jt[i * nv..(i + 1) * nv];
            self.scatter(c.a, 1.0, &g.a, column);
            self.scatter(c.b, 1.0, &g.b, column);
        }
        Ok(())
    }

    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        self.gaps(t, q, 0..self.slots.len(), gap, normal)
    }

    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        self.tangents(t, q, 0..self.slots.len(), tangent);
        Ok(())
    }

    fn gives_some_contacts(&self) -> bool {
        true
    }

    fn some_gaps(
        &self,
        t: f64,
        q: &[f64],
        which: &[usize],
        gap: &mut [f64],
        normal: &mut [f64],
    ) -> Answer {
        self.gaps(t, q, which.iter().copied(), gap, normal)
    }

    fn some_tangents(&self, t: f64, q: &[f64], which: &[usize], tangent: &mut [f64]) -> Answer {
        self.tangents(t, q, which.iter().copied(), tangent);
        Ok(())
    }

    fn hosted(&self) -> usize {
        if self.near.items.is_empty() { 0 } else { tol::CONTACTS_OF_A_SCENE }
    }

    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        self.push_near(q, margin, sink);
        Ok(())
    }

    fn contacts_by_place(&self) -> bool {
        true
    }

    fn elements(&self, _: f64, q: &[f64], elements: &mut Elements) -> Answer {
        for (i, act) in self.actuators.iter().enumerate() {
            let c = &act.coordinate;
            let g = c.gradient(&self.place(c.a, q), &self.place(c.b, q), act.rest);
            let g = g.ok_or(NO_DIRECTION)?;
            elements.phi[i] = g.value;
            elements.stiffness[i] = act.stiffness;
            elements.damping[i] = act.damping;
            for (body, along) in [(c.a, &g.a), (c.b, &g.b)] {
                if let Some(b) = body.map(|k| &self.bodies[k]).filter(|b| b.kind.nv() > 0) {
                    elements.add_gradient(i, b.v_at, &along.as_slice()[..b.kind.nv()]);
                }
            }
        }
        Ok(())
    }

    fn elements_in_force(&self) -> bool {
        true
    }

    fn gyroscopic(&self, _: f64, _: &[f64], v: &[f64], k_c: &mut [f64]) -> Answer {
        self.add_gyroscopic(v, k_c);
        Ok(())
    }

    fn brake(&self, _: f64, q: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        let nv = self.dims.nv;
        for (i, brake) in self.brakes.iter().enumerate() {
            let c = &brake.coordinate;
            let g = c.gradient(&self.place(c.a, q), &self.place(c.b, q), 0.0);
            let g = g.ok_or(NO_DIRECTION)?;
            bound[i] = brake.bound;
            let column = &mut direction[i * nv..(i + 1) * nv];
            self.scatter(c.a, 1.0, &g.a, column);
            self.scatter(c.b, 1.0, &g.b, column);
        }
        Ok(())
    }

    fn brake_key(&self, brake: usize) -> i64 {
        self.brakes.get(brake).map_or(brake as i64, |b| b.joint.index() as i64)
    }

    fn bodies(&self) -> Result<Vec<usize>> {
        collect(self.bodies.iter().filter(|b| b.kind.nv() > 0).map(|b| b.v_at))
    }

    fn constraints_move(&self) -> bool {
        self.moves
    }

    fn is_timeless(&self) -> bool {
        let driven = self.actuators.iter().any(|a| a.drive.is_some());
        !self.moves && !driven && self.loads.is_empty()
    }

    fn mu(&self, contact: usize) -> f64 {
        self.slots.get(contact).map_or(0.0, |s| s.mu)
    }

    fn restitution(&self, contact: usize) -> f64 {
        self.slots.get(contact).map_or(0.0, |s| s.restitution)
    }

    fn key(&self, contact: usize) -> i64 {
        self.slots.get(contact).map_or(contact as i64, |s| s.key)
    }
}
