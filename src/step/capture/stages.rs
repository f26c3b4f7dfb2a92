//! One Runge-Kutta step with fixed modes: collocation by simplified Newton iterations. Knows no
//! events.

use super::flow::{Flow, Held, look};
use super::guess::{Aim, Past};
use super::tableau::{Kind, Tableau};
use super::works::{self, Works};
use crate::error::Result;
use crate::linalg::{Blocked, RankFactor, axpy, max_abs};
use crate::model::{Dims, Model, Parts};
use crate::step::host::{Geometry, Host, zeros};
use crate::step::impulses::Impulses;
use crate::step::method::Start;
use crate::step::options::Jacobian;
use crate::tol;

/// What the iterations know of how accelerations depend on positions and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Derivatives {
    /// Nothing: enough unless forces are stiff or the step is long.
    None,
    /// The derivatives of the force that the model gives, on the constraints.
    OfForce,
    /// Differences of accelerations, which see turning constraints and friction too.
    Whole,
}

/// How the iterations of a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Converged,
    /// Too slow or away from a solution.
    Not,
}

/// Storage of the stages, and the accelerations they are made of.
#[derive(Debug)]
pub(super) struct Stages {
    pub tableau: Tableau,
    pub(super) nv: usize,
    pub(super) nq: usize,
    pub flow: Flow,
    pub(super) next: Geometry,
    /// Accelerations, velocities, rates of positions and positions of the stages, one after the
    /// other.
    pub(super) acc: Vec<f64>,
    pub(super) vel: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pos: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// Acceleration at the start.
    pub(super) first: Vec<f64>,
    has_first: bool,
    /// Length of the last piece whose stages are in `acc`.
    pub(super) solved: Option<f64>,
    pub(super) old: Vec<f64>,
    /// The pieces before this one.
    pub past: Past,
    /// When iterations end.
    pub aim: Aim,
    /// Gaps and their rates at the stages.
    pub gap: Vec<f64>,
    pub gap_rate: Vec<f64>,
    /// Derivatives of the acceleration along displacements and velocities, once they were needed.
    jq: Vec<f64>,
    jv: Vec<f64>,
    /// Those of the force, along displacements and velocities.
    own: (Blocked, Blocked),
    derivatives: Derivatives,
    newton: RankFactor,
    unchecked: [f64; 1],
    /// Impulses of the piece; of one stage; of the acceleration at the start, per time.
    pub impulses: Impulses,
    pub(super) one: Impulses,
    first_impulses: Impulses,
    /// Works of the piece; of the start, per time.
    pub works: Works,
    first_works: Works,
    pub(super) no_turns: Vec<f64>,
    /// Iterations since the last [`Stages::take_iterations`].
    iterations: i64,
}

impl Stages {
    /// For `model` with the sizes `d`.
    pub(super) fn new(d: &Dims, model: &dyn Model, tableau: Tableau) -> Result<Self> {
        let s = tableau.stages;
        let implicit = tableau.kind == Kind::Collocation;
        let square = if implicit { d.nv * d.nv } else { 0 };
        let bodies = model.bodies()?;
        let parts = Parts::new(model, &bodies)?;
        let own = || if implicit { parts.square() } else { Blocked::new(0, &[]) };
        Ok(Self {
            tableau,
            nv: d.nv,
            nq: d.nq,
            flow: Flow::new(d, model)?,
            next: Geometry::new(d, model.dims().n_contact)?,
            acc: zeros(s * d.nv)?,
            vel: zeros(s * d.nv)?,
            rate: zeros(s * d.nq)?,
            pos: zeros(s * d.nq)?,
            change: zeros(s * d.nv)?,
            first: zeros(d.nv)?,
            has_first: false,
            solved: None,
            old: zeros(s * d.nv)?,
            past: Past::new(s * d.nv)?,
            aim: Aim::new(d.nv)?,
            gap_rate: zeros(s * d.n_contact)?,
            gap: zeros(s * d.n_contact)?,
            jq: zeros(square)?,
            jv: zeros(square)?,
            own: (own()?, own()?),
            derivatives: Derivatives::None,
            newton: RankFactor::new(if implicit { s * d.nv } else { 0 })?,
            unchecked: [f64::INFINITY],
            impulses: Impulses::new(d)?,
            one: Impulses::new(d)?,
            first_impulses: Impulses::new(d)?,
            works: Works::default(),
            first_works: Works::default(),
            no_turns: zeros(d.n_contact)?,
            iterations: 0,
        })
    }

    /// Forgets everything about the start of the last piece.
    pub(super) fn restart(&mut self) {
        self.has_first = false;
        self.solved = None;
        self.derivatives = Derivatives::None;
    }

    /// d := the displacement of the last step, which took the time `h`.
    pub(super) fn travel(&self, h: f64, d: &mut [f64]) {
        d.fill(0.0);
        for i in 0..self.tableau.stages {
            axpy(h * self.tableau.b[i], &self.vel[i * self.nv..(i + 1) * self.nv], d);
        }
    }

    /// Iterations counted since this was last asked.
    pub(super) fn take_iterations(&mut self) -> i64 {
        std::mem::take(&mut self.iterations)
    }

    /// Whether the last step needed no derivatives: nothing is stiff.
    pub(super) fn plain(&self) -> bool {
        self.derivatives == Derivatives::None
    }

    /// The step of length `held.h` from `start` into (q, v), not projected.
    ///
    /// # Errors
    /// Those of the model, `NotPositiveDefinite` for its mass.
    pub(super) fn step(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        held: &Held<'_>,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<Ended> {
        if self.tableau.kind == Kind::HalfExplicit {
            self.half_explicit(host, start, held, q, v)?;
            return Ok(Ended::Converged);
        }
        let ended = self.collocate(host, start, held)?;
        let h = held.h;
        v.copy_from_slice(&start.v);
        q.copy_from_slice(&start.q);
        for i in 0..self.tableau.stages {
            axpy(h * self.tableau.b[i], &self.acc[i * self.nv..(i + 1) * self.nv], v);
            axpy(h * self.tableau.b[i], &self.rate[i * self.nq..(i + 1) * self.nq], q);
        }
        self.solved = (ended == Ended::Converged).then_some(h);
        Ok(ended)
    }

    /// Solves the stage equations (cap.11), with as few derivatives as will do.
    fn collocate(&mut self, host: &mut Host<'_>, start: &Start, held: &Held<'_>) -> Result<Ended> {
        if !self.has_first {
            self.flow.accelerate_at(host, held, start, &mut self.first)?;
            self.first_impulses.clear();
            self.first_impulses.add_multipliers(&self.flow.equations, held.modes, held.mu);
            self.first_works = self.flow.power(host, held, &start.v, &self.first_impulses);
            self.has_first = true;
        }
        loop {
            self.guess(start.t, held.h);
            let newton = self.derivatives != Derivatives::None;
            if newton {
                self.factor(held.h);
            }
            if self.iterate(host, start, held, newton)? == Ended::Converged {
                return Ok(Ended::Converged);
            }
            self.solved = None;
            self.derivatives = match self.derivatives {
                Derivatives::None if host.asked.model().gives_force_jac() => {
                    self.differentiate_force(host, start, held)?;
                    Derivatives::OfForce
                }
                Derivatives::None | Derivatives::OfForce => {
                    self.differentiate(host, start, held)?;
                    Derivatives::Whole
                }
                Derivatives::Whole => return Ok(Ended::Not),
            };
        }
    }

    /// Velocities, rates and positions of the stages from their accelerations.
    fn place(&mut self, host: &mut Host<'_>, start: &Start, h: f64) -> Result<()> {
        let (s, nv, nq) = (self.tableau.stages, self.nv, self.nq);
        for i in 0..s {
            let vel = &mut self.vel[i * nv..(i + 1) * nv];
            vel.copy_from_slice(&start.v);
            for j in 0..s {
                axpy(h * self.tableau.a[i][j], &self.acc[j * nv..(j + 1) * nv], vel);
            }
        }
        let by_rate = host.asked.model().gives_rate();
        if !by_rate {
            self.rate.copy_from_slice(&self.vel);
        }
        // Rates depend on positions: a second round after positions have followed them once.
        for _ in 0..if by_rate { 2 } else { 1 } {
            for i in 0..s {
                let pos = &mut self.pos[i * nq..(i + 1) * nq];
                if by_rate {
                    let (at, vel) = (i * nq..(i + 1) * nq, &self.vel[i * nv..(i + 1) * nv]);
                    let t = start.t + self.tableau.c[i] * h;
                    host.asked.rate(t, pos, vel, &mut self.rate[at])?;
                }
            }
            for i in 0..s {
                let pos = &mut self.pos[i * nq..(i + 1) * nq];
                pos.copy_from_slice(&start.q);
                for j in 0..s {
                    axpy(h * self.tableau.a[i][j], &self.rate[j * nq..(j + 1) * nq], pos);
                }
            }
        }
        Ok(())
    }

    fn iterate(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        held: &Held<'_>,
        newton: bool,
    ) -> Result<Ended> {
        let (s, nv, nq, h) = (self.tableau.stages, self.nv, self.nq, held.h);
        for i in 0..s {
            self.pos[i * nq..(i + 1) * nq].copy_from_slice(&start.q);
        }
        // exact: the first stage of some methods is the start
        let from = usize::from(self.tableau.c[0] == 0.0);
        let mut last = f64::INFINITY;
        self.flow.strongest = 0.0;
        for count in 0..tol::STAGE_ITERATIONS {
            self.iterations += 1;
            self.place(host, start, h)?;
            self.change.fill(0.0);
            self.impulses.clear();
            self.works = Works::default();
            if from > 0 {
                let part = h * self.tableau.b[0];
                self.works.add(part, &self.first_works);
                self.impulses.add_turned(part, &self.first_impulses, &self.no_turns);
            }
            for i in from..s {
                let (pos, vel) = (&self.pos[i * nq..(i + 1) * nq], &self.vel[i * nv..(i + 1) * nv]);
                let change = &mut self.change[i * nv..(i + 1) * nv];
                let t = start.t + self.tableau.c[i] * h;
                self.flow.accelerate(host, held, (t, pos, vel), change)?;
                axpy(-1.0, &self.acc[i * nv..(i + 1) * nv], change);
                self.one.clear();
                self.one.add_multipliers(&self.flow.equations, held.modes, held.mu);
                self.impulses.add_turned(h * self.tableau.b[i], &self.one, &self.no_turns);
                let power = self.flow.power(host, held, vel, &self.one);
                self.works.add(h * self.tableau.b[i], &power);
                let masses = (&start.mass, &self.flow.mass);
                self.works.external += works::of_mass(&self.tableau, i, masses, &self.vel);
                let n = self.flow.here.gap.len();
                for k in 0..n {
                    self.gap[i * n + k] = self.flow.here.gap[k];
                    self.gap_rate[i * n + k] = self.flow.here.gap_rate(k, vel);
                }
            }
            if newton {
                self.newton.solve("stages", &self.unchecked, &mut self.change)?;
            }
            axpy(1.0, &self.change, &mut self.acc);
            let scale = max_abs(&self.vel) + h * max_abs(&self.acc).max(self.flow.strongest);
            let size = h * max_abs(&self.change);
            if !size.is_finite() {
                return Ok(Ended::Not);
            }
            let ratio = size / last;
            // What is left is a geometric series.
            let left = if count > 0 && ratio < 1.0 { size * ratio / (1.0 - ratio) } else { size };
            let stalled = ratio > tol::FIXED_POINT_RATE && size <= tol::STAGE_NOISE * scale;
            let enough = self.aim.enough(start, h, &self.tableau, &self.acc);
            if left <= enough.max(tol::STAGE * scale) || stalled {
                self.place(host, start, h)?;
                return Ok(Ended::Converged);
            }
            let slow = if newton { tol::NEWTON_RATE } else { tol::FIXED_POINT_RATE };
            if count >= 2 && ratio > slow {
                return Ok(Ended::Not);
            }
            last = size;
        }
        Ok(Ended::Not)
    }

    /// Derivatives of the acceleration by differences of it at the start.
    fn differentiate(&mut self, host: &mut Host<'_>, start: &Start, held: &Held<'_>) -> Result<()> {
        let nv = self.nv;
        for j in 0..nv {
            let size = host.shift(start.t, &start.q, j)?;
            // The flow uses the scratch space that holds the shifted position.
            self.pos[..self.nq].copy_from_slice(&host.scratch.q);
            let column = &mut self.jq[j * nv..(j + 1) * nv];
            let at = (start.t, &self.pos[..self.nq], &start.v[..]);
            self.flow.accelerate(host, held, at, column)?;
            axpy(-1.0, &self.first, column);
            column.iter_mut().for_each(|x| *x /= size);
            self.vel[..nv].copy_from_slice(&start.v);
            self.vel[j] += tol::DIFFERENCE * (start.v[j].abs() + host.length);
            let size = self.vel[j] - start.v[j];
            let column = &mut self.jv[j * nv..(j + 1) * nv];
            let at = (start.t, &start.q[..], &self.vel[..nv]);
            self.flow.accelerate(host, held, at, column)?;
            axpy(-1.0, &self.first, column);
            column.iter_mut().for_each(|x| *x /= size);
        }
        Ok(())
    }

    /// Derivatives of the acceleration that stem from those of the force, on the constraints.
    fn differentiate_force(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        held: &Held<'_>,
    ) -> Result<()> {
        let nv = self.nv;
        let at = (start.t, &start.q[..], &start.v[..]);
        let (k, c) = (&mut self.own.0, &mut self.own.1);
        host.force_jacobian(Jacobian::Differences, at.0, at.1, at.2, k, c)?;
        for (to, from) in [(&mut self.jq, k), (&mut self.jv, c)] {
            for (j, column) in to.chunks_exact_mut(nv).enumerate() {
                from.col(j).write(column);
            }
        }
        self.flow.free(host, at, &mut self.change[..nv])?;
        look(host, held.moving, at.0, at.1, &mut self.flow.here)?;
        look(host, held.moving, at.0, at.1, &mut self.next)?;
        let mut rows = std::mem::take(&mut self.next);
        rows.phi_t.fill(0.0);
        rows.gap_t.fill(0.0);
        self.flow.list_next(host, held, at.2, &rows)?;
        self.next = rows;
        for column in self.jq.chunks_exact_mut(nv).chain(self.jv.chunks_exact_mut(nv)) {
            self.flow.equations.apply_inverse_mass(column);
            self.flow.equations.correct(column)?;
        }
        Ok(())
    }

    /// Factors the matrix of the iterations, I - h A x Jv - h^2 A A x Jq.
    fn factor(&mut self, h: f64) {
        let (s, nv) = (self.tableau.stages, self.nv);
        let a = &self.tableau.a;
        let (jq, jv) = (&self.jq, &self.jv);
        self.newton.factor(s * nv, |row, col| {
            let (i, r, j, c) = (row / nv, row % nv, col / nv, col % nv);
            let twice: f64 = (0..s).map(|k| a[i][k] * a[k][j]).sum();
            let one = if row == col { 1.0 } else { 0.0 };
            one - h * a[i][j] * jv[r + c * nv] - h * h * twice * jq[r + c * nv]
        });
    }
}
