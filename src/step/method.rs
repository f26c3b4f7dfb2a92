//! What a method is: the linear problem of one step, and how positions follow. Methods differ in
//! where they evaluate what; everything else is shared. Knows no events.

use super::host::{Geometry, Host, zeros};
use super::jacobian::negative_part;
use super::options::Jacobian;
use super::springs::Springs;
use super::state::State;
use crate::error::{Result, collect};
use crate::linalg::{Blocked, DefiniteFactor, axpy, max_abs};
use crate::model::{Dims, Parts};
use crate::tol;

/// Everything known at the point a step starts from.
#[derive(Debug)]
pub(super) struct Start {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub geometry: Geometry,
    pub mass: Blocked,
    pub force: Vec<f64>,
    /// Derivatives of the force along displacements and velocities, once [`Start::differentiate`]
    /// was called.
    pub k: Blocked,
    pub c: Blocked,
    /// Distance of differences in time it was evaluated with; NaN when that did not succeed.
    dt: f64,
    /// Distance within which contacts were asked for.
    within: f64,
    differentiated: bool,
    /// When they were taken.
    t_derivatives: f64,
    definite: bool,
    springs: Springs,
    /// Whether forces were found to turn too fast for their derivatives, once it was asked.
    turns: Option<bool>,
    values: Vec<f64>,
    vectors: Blocked,
    at_rest: Blocked,
    margin: DefiniteFactor,
}

impl Start {
    /// For a model of whose contacts the first `fixed` have gaps of their own, and whose masses and derivatives of forces
    /// couple `parts`.
    pub(super) fn new(d: &Dims, fixed: usize, parts: &Parts) -> Result<Self> {
        let square = || parts.square();
        let mass = square()?;
        Ok(Self {
            t: 0.0,
            q: zeros(d.nq)?,
            v: zeros(d.nv)?,
            geometry: Geometry::new(d, fixed)?,
            force: zeros(d.nv)?,
            k: square()?,
            c: square()?,
            dt: f64::NAN,
            within: 0.0,
            differentiated: false,
            t_derivatives: 0.0,
            definite: false,
            springs: Springs::new(d, parts)?,
            values: zeros(d.nv)?,
            turns: None,
            vectors: square()?,
            at_rest: square()?,
            margin: DefiniteFactor::with_room(d.nv, mass.room())?,
            mass,
        })
    }

    /// Whether this is the point (t, q, v), to the last bit, evaluated as `host` would.
    pub(super) fn is_at(&self, host: &Host<'_>, t: f64, q: &[f64], v: &[f64]) -> bool {
        let alike = self.dt == host.dt && self.within == host.margin;
        alike && self.t == t && self.q == q && self.v == v
    }

    /// The force at `state`, if that is this point.
    pub(super) fn force_at(&self, state: &State) -> Option<&[f64]> {
        // exact: the same point, with an answer
        let here = self.t == state.t && self.q == state.q && self.v == state.v;
        (here && !self.dt.is_nan()).then_some(&*self.force)
    }

    /// Drops the derivatives of the force, which belong to one length of step.
    pub(super) fn forget_derivatives(&mut self) {
        self.differentiated = false;
        self.definite = false;
        self.turns = None;
    }

    /// What was evaluated at the time `t` holds at the time `end`.
    pub(super) fn pass(&mut self, t: f64, end: f64) {
        // exact: this point or none
        if self.t == t {
            self.t = end;
        }
    }

    /// Makes the next step evaluate its start afresh.
    pub(super) fn forget(&mut self) {
        self.dt = f64::NAN;
    }

    /// Evaluates masses, forces, joints and contacts at (t, q, v).
    pub(super) fn at(&mut self, host: &mut Host<'_>, t: f64, q: &[f64], v: &[f64]) -> Result<()> {
        self.t = t;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.forget_derivatives();
        self.dt = f64::NAN;
        host.together(|host| {
            host.geometry(t, q, &mut self.geometry)?;
            host.asked.masses(t, q, &mut self.mass)?;
            host.asked.force(t, q, v, &mut self.force)
        })?;
        self.dt = host.dt;
        self.within = host.margin;
        Ok(())
    }

    /// Derivatives of the force at (t + h, q, v). They are kept for shorter steps from the same
    /// point: what that changes is of third order.
    pub(super) fn differentiate(
        &mut self,
        host: &mut Host<'_>,
        how: Jacobian,
        h: f64,
    ) -> Result<()> {
        if self.differentiated {
            return Ok(());
        }
        let t = self.t + h;
        host.force_jacobian(how, t, &self.q, &self.v, &mut self.k, &mut self.c)?;
        let (at, to) = ((t, &*self.q, &*self.v), (&mut self.k, &mut self.c));
        self.springs.differentiate(host, how, at, to)?;
        self.differentiated = true;
        self.t_derivatives = t;
        if how == Jacobian::Definite {
            self.make_definite(host, how)?;
        }
        Ok(())
    }

    /// Refuses a matrix of the step of which the force derivatives have left too little: beyond,
    /// velocities are magnified without bound although the matrix is definite still.
    ///
    /// # Errors
    /// `NotPositiveDefinite` unless `stage_mass` exceeds [`tol::MASS_MARGIN`] of the mass.
    pub(super) fn check_margin(&mut self, stage_mass: &[f64]) -> Result<()> {
        // exact: without derivatives the two are masses
        let derived = self.k.iter().chain(self.c.iter()).any(|&x| x != 0.0);
        if !self.differentiated || self.definite || !derived {
            return Ok(());
        }
        self.vectors.copy_from_slice(stage_mass);
        axpy(-tol::MASS_MARGIN, &self.mass, &mut self.vectors);
        self.margin.factor("mass", self.vectors.columns())
    }

    /// Whether stiff dampers turn so fast that the derivatives of their forces along the displacement
    /// say nothing about a step of `h`: (step.46).
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn turn_too_fast(&mut self, host: &mut Host<'_>, h: f64) -> Result<bool> {
        let mass = max_abs(&self.mass);
        if !self.differentiated || self.definite || h * max_abs(&self.c) <= tol::STIFF * mass {
            return Ok(false);
        }
        if let Some(known) = self.turns {
            return Ok(known);
        }
        self.values.fill(0.0);
        let (t, rest, how) = (self.t_derivatives, &self.values, Jacobian::Differences);
        host.force_jacobian(how, t, &self.q, rest, &mut self.at_rest, &mut self.vectors)?;
        let (at, to) = ((t, &*self.q, &**rest), (&mut self.at_rest, &mut self.vectors));
        self.springs.add_exact(host, at, to)?;
        let pairs = self.k.iter().zip(self.at_rest.iter());
        let change = pairs.fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs()));
        let turns = h * h * change > mass;
        self.turns = Some(turns);
        Ok(turns)
    }

    /// Replaces the derivatives by their definite part, (step.4), those along displacements taken at
    /// rest. False when that was done already.
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn make_definite(&mut self, host: &mut Host<'_>, how: Jacobian) -> Result<bool> {
        if !self.differentiated || std::mem::replace(&mut self.definite, true) {
            return Ok(false);
        }
        if self.springs.restore_own(&mut self.k, &mut self.c) {
            self.values.fill(0.0);
            let (t, rest) = (self.t_derivatives, &self.values);
            host.force_jacobian(how, t, &self.q, rest, &mut self.k, &mut self.vectors)?;
            for a in [&mut self.k, &mut self.c] {
                for ((rows, a), (_, vectors)) in a.blocks_mut().zip(self.vectors.blocks_mut()) {
                    negative_part(rows.len(), a, vectors, &mut self.values);
                }
            }
        }
        self.springs.add_definite(&mut self.k, &mut self.c);
        Ok(true)
    }
}

/// The linear problem of one step: mass u - impulses = p, with rows on u. The new velocity is u, or
/// u less the old one.
#[derive(Debug)]
pub(super) struct Stage {
    pub h: f64,
    /// For how long forces act in it.
    pub span: f64,
    pub mass: Blocked,
    pub p: Vec<f64>,
    /// Where impulses act.
    pub impulse: Geometry,
    /// What is constrained, when `apart`; else `impulse` serves.
    pub row: Geometry,
    pub apart: bool,
    /// Added to the rows.
    pub joint_offset: Vec<f64>,
    pub normal_offset: Vec<f64>,
    /// The unknown is the sum of both velocities.
    pub sum: bool,
    /// Nothing but joints is constrained, and what the rows leave of velocities is projected away.
    pub joints_alone: bool,
    /// Part of the new velocity in the displacement.
    pub weight: f64,
    /// Moreau's theta, an option.
    pub theta: f64,
    /// For rules on positions, per contact: restitution, the time that the row counts in, and the
    /// depth from which gaps are counted.
    pub restitution: Vec<f64>,
    pub row_time: Vec<f64>,
    pub depth: Vec<f64>,
    /// The same: whether the contact was closed before.
    pub closed: Vec<bool>,
    /// Work space: a position, a force, a displacement, another position.
    pub q: Vec<f64>,
    pub force: Vec<f64>,
    pub d: Vec<f64>,
    pub moved: Vec<f64>,
}

impl Stage {
    /// As [`Start::new`].
    pub(super) fn new(d: &Dims, fixed: usize, parts: &Parts) -> Result<Self> {
        Ok(Self {
            h: 0.0,
            span: 0.0,
            mass: parts.square()?,
            p: zeros(d.nv)?,
            impulse: Geometry::new(d, fixed)?,
            row: Geometry::new(d, fixed)?,
            apart: false,
            joint_offset: zeros(d.n_joint)?,
            normal_offset: zeros(d.n_contact)?,
            sum: false,
            joints_alone: false,
            weight: 0.5,
            theta: 0.5,
            restitution: zeros(d.n_contact)?,
            row_time: zeros(d.n_contact)?,
            depth: zeros(d.n_contact)?,
            closed: collect((0..d.n_contact).map(|_| false))?,
            q: zeros(d.nq)?,
            force: zeros(d.nv)?,
            d: zeros(d.nv)?,
            moved: zeros(d.nq)?,
        })
    }

    /// The geometry of the rows.
    pub(super) fn rows(&self) -> &Geometry {
        if self.apart { &self.row } else { &self.impulse }
    }

    /// stage.q := the position reached from the start with `part` of the step at the old velocity.
    pub(super) fn predict(&mut self, host: &mut Host<'_>, start: &Start, part: f64) -> Result<()> {
        let time = part * self.h;
        self.d.fill(0.0);
        axpy(time, &start.v, &mut self.d);
        host.displace(start.t, &start.q, time, &self.d, &mut self.q)
    }

    /// How far the position reached with the velocity `v` alone lies from stage.q.
    pub(super) fn moves_by(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
    ) -> Result<f64> {
        self.d.fill(0.0);
        axpy(self.h, v, &mut self.d);
        host.displace(start.t, &start.q, self.h, &self.d, &mut self.moved)?;
        let pairs = self.moved.iter().zip(&self.q);
        Ok(pairs.fold(0.0, |c, (a, b)| f64::max(c, (a - b).abs())))
    }

    /// Adds `factor` mass v to the momentum.
    pub(super) fn add_momentum(&mut self, factor: f64, v: &[f64]) {
        self.mass.add_product(factor, v, &mut self.p);
    }

    /// Offsets of the rows: rates in time, `factor` times.
    pub(super) fn set_offsets(&mut self, factor: f64) {
        let rows = if self.apart { &self.row } else { &self.impulse };
        for (to, from) in self.joint_offset.iter_mut().zip(&rows.phi_t) {
            *to = factor * from;
        }
        for (to, from) in self.normal_offset.iter_mut().zip(&rows.gap_t) {
            *to = factor * from;
        }
    }

    /// The new velocity from the unknown `u`.
    pub(super) fn velocity(&self, start: &Start, u: &[f64], v: &mut [f64]) {
        v.copy_from_slice(u);
        if self.sum {
            axpy(-1.0, &start.v, v);
        }
    }

    /// The new position from the new velocity: (step.8).
    pub(super) fn position(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
        q: &mut [f64],
    ) -> Result<()> {
        self.d.fill(0.0);
        axpy(self.h * (1.0 - self.weight), &start.v, &mut self.d);
        axpy(self.h * self.weight, v, &mut self.d);
        host.displace(start.t, &start.q, self.h, &self.d, q)
    }
}

/// A rule for one step.
pub(super) trait Method: Send + Sync {
    /// Fills `stage` for a step of length `h` from `start`.
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()>;

    /// Directions at the points that the velocity `v` leads to, and the offsets of the rows there,
    /// for rules on positions.
    fn rows_at(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
        stage: &mut Stage,
    ) -> Result<()> {
        let _ = (host, start, v, stage);
        Ok(())
    }

    /// Improves `stage` after a solution with the new velocity `v`, for rules that repeat; gives by
    /// how much the position moved, zero when there is nothing to repeat.
    fn iterate(
        &self,
        host: &mut Host<'_>,
        start: &Start,
        v: &[f64],
        stage: &mut Stage,
    ) -> Result<f64> {
        if !self.position_level() {
            return Ok(0.0);
        }
        let change = stage.moves_by(host, start, v)?;
        self.rows_at(host, start, v, stage)?;
        Ok(change)
    }

    /// The rule that takes this one's place where velocities jump within no time. A rule with rows
    /// on the mean of two velocities would mirror what it should stop.
    fn for_jumps(&self) -> Option<&'static dyn Method> {
        None
    }

    /// Whether the rule uses derivatives of the force.
    fn uses_derivatives(&self) -> bool {
        false
    }

    /// Whether the rule is A-stable and no more: a stiff damper that is excited rings.
    fn rings(&self) -> bool {
        false
    }

    /// Whether positions move with the velocity before the step.
    fn position_lags(&self) -> bool {
        false
    }

    /// Whether the rows are on positions: then every contact within reach takes part and impacts
    /// need no law.
    fn position_level(&self) -> bool {
        false
    }

    /// Whether the law of impact stands in the rows of the step when nothing is located.
    fn law_inside(&self) -> bool {
        false
    }

    /// Whether the velocity is that of the last displacement.
    fn two_step(&self) -> bool {
        false
    }

    /// Whether the stage ends at the position that the step leads to, so that all gaps can be checked
    /// there.
    fn checks_end(&self) -> bool {
        false
    }

    /// The rule to take when the problem of this one has no solution.
    fn fallback(&self) -> Option<&'static dyn Method> {
        None
    }

    /// Whether friction directions are turned to follow the slip, (step.23).
    fn aligns(&self) -> bool {
        false
    }

    /// Whether velocities may be projected: where the rule leaves less than first order of them in
    /// constrained directions.
    fn projects_velocity(&self) -> bool {
        true
    }
}
