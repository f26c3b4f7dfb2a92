//! Solving one velocity-impulse problem and checking the answer. Knows neither time nor
//! restitution.

use super::Problem;
use super::assemble::{Elimination, Layout, cone_entries, contact_rows, direction, stopping};
use super::choice::Stage;
use super::recall::Basis;
use super::structured::Structured;
use crate::error::{Error, Result, reserve};
use crate::lcp::{Info, Lcp};
use crate::linalg::MatRef;
use crate::tol;

/// Workspace for velocity-impulse problems. Nothing is allocated after [`Solver::new`].
///
/// ```
/// use stiction::linalg::MatRef;
/// use stiction::velocity::{Brakes, Problem, Rows, Solver};
///
/// // A ball of 2 kg arrives at the ground with (1, -3) m/s; the ground is smooth.
/// let mass = [2.0, 0.0, 0.0, 2.0];
/// let none = MatRef::new("joint", &[], 2, 0, 2)?;
/// let problem = Problem {
///     mass: MatRef::square("mass", &mass, 2)?.into(),
///     p: &[2.0, -6.0],
///     joint: Rows::same(none),
///     normal: Rows::same(MatRef::new("normal", &[0.0, 1.0], 2, 1, 2)?),
///     tangent: Rows::same(none),
///     n_dir: 0,
///     mu: &[],
///     brake: Brakes::NONE,
/// };
/// let mut solver = Solver::new(4)?;
/// solver.solve(&problem)?;
/// assert_eq!(solver.v(), &[1.0, 0.0]);
/// assert_eq!(solver.normal(), &[6.0]);
/// # Ok::<(), stiction::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    n_max: usize,
    /// Unknowns that there is storage for so far.
    room: usize,
    pub(super) lcp: Lcp,
    pub(super) elimination: Elimination,
    pub(super) layout: Layout,
    /// Matrix, right-hand side and solution of (vel.6).
    pub(super) m: Vec<f64>,
    q: Vec<f64>,
    pub(super) z: Vec<f64>,
    /// Sizes of what a velocity is made of.
    pub(super) terms: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) joint: Vec<f64>,
    pub(super) normal: Vec<f64>,
    friction: Vec<f64>,
    pub(super) brake: Vec<f64>,
    pub(super) work: Vec<f64>,
    /// Momentum with every brake at its lower bound.
    p: Vec<f64>,
    pub(super) structured: Structured,
    pub(super) basic: Vec<bool>,
    /// Names of the contacts of the problem, and the parts of the basis that `lcp` remembers.
    pub(super) names: Vec<usize>,
    pub(super) known: Basis,
    pub(super) stage: Stage,
    pub(super) lemke_only: bool,
}

impl Solver {
    /// Takes storage for problems with max(nv + n_joint, n_contact (n_dir + 2) + 2 n_brake) <=
    /// `n_max`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n_max: usize) -> Result<Self> {
        let squared = n_max.saturating_mul(n_max);
        Self::with(n_max, Elimination::new(n_max, n_max, squared)?, n_max, Lcp::new(n_max)?)
    }

    /// The same with storage for `room` unknowns of the complementarity problem, and more of it, up to
    /// `n_max`, when a problem needs it: its square is far more than what many contacts take that
    /// are seldom closed at once, or answered in the space of bodies, which needs none. For `nv` velocities and `n_joint` joint equations, and masses whose blocks have
    /// `masses` entries in all. The complementarity solver inside takes no mixed problems.
    ///
    /// # Errors
    /// `Memory`.
    pub fn growing(
        room: usize,
        (nv, n_joint, masses): (usize, usize, usize),
        n_max: usize,
    ) -> Result<Self> {
        let room = room.min(n_max);
        Self::with(room, Elimination::new(nv, n_joint, masses)?, n_max, Lcp::pure(room, n_max)?)
    }

    fn with(room: usize, elimination: Elimination, n_max: usize, lcp: Lcp) -> Result<Self> {
        Ok(Self {
            n_max,
            room,
            lcp,
            elimination,
            layout: Layout::new(n_max)?,
            m: reserve(room.saturating_mul(room))?,
            q: reserve(n_max)?,
            z: reserve(n_max)?,
            terms: reserve(n_max)?,
            v: reserve(n_max)?,
            joint: reserve(n_max)?,
            normal: reserve(n_max)?,
            friction: reserve(n_max)?,
            brake: reserve(n_max)?,
            work: reserve(n_max)?,
            p: reserve(n_max)?,
            structured: Structured::default(),
            basic: reserve(n_max)?,
            names: reserve(n_max)?,
            known: Basis::new(n_max)?,
            stage: Stage::default(),
            lemke_only: false,
        })
    }

    /// The size given to [`Solver::new`].
    pub fn n_max(&self) -> usize {
        self.n_max
    }

    /// The complementarity solver inside, with the basis it remembers.
    pub fn lcp(&self) -> &Lcp {
        &self.lcp
    }

    /// The same, to change.
    pub fn lcp_mut(&mut self) -> &mut Lcp {
        &mut self.lcp
    }

    /// Velocity of the last solved problem.
    pub fn v(&self) -> &[f64] {
        &self.v
    }

    /// Joint impulses of the last solved problem.
    pub fn joint(&self) -> &[f64] {
        &self.joint
    }

    /// Normal impulses of the last solved problem.
    pub fn normal(&self) -> &[f64] {
        &self.normal
    }

    /// Friction impulses of the last solved problem, `n_dir` per contact.
    pub fn friction(&self) -> &[f64] {
        &self.friction
    }

    /// Impulses of the brakes of the last solved problem, between minus their bound and their bound.
    pub fn brake(&self) -> &[f64] {
        &self.brake
    }

    /// Joint equations of the last solved problem that depend on others; their impulses are zero.
    /// None where the answer came from the space of bodies, which shares impulses among them.
    pub fn redundant_joints(&self) -> &[usize] {
        match self.stage {
            Stage::Lemke => self.elimination.redundant_joints(),
            Stage::Bodies => &[],
        }
    }

    /// Solves `problem`; read the answer with [`v`](Self::v) and its neighbours.
    ///
    /// # Errors
    /// Those of [`Problem::check`]; `Capacity`; `NotPositiveDefinite` for the mass; `Inconsistent`
    /// for joints that contradict each other; `LcpRay`, `LcpPivots` and `Residual` when no solution
    /// was found. The answer of the problem before is lost then.
    pub fn solve(&mut self, problem: &Problem<'_>) -> Result<Info> {
        if problem.size() > self.n_max {
            return Err(Error::Capacity {
                what: "max(nv + n_joint, n_contact * (n_dir + 2) + 2 * n_brake)",
                needed: problem.size(),
                have: self.n_max,
            });
        }
        problem.check()?;
        self.layout.arrange(problem);
        self.recall(problem)?;
        // Brakes are left to Lemke's method.
        let brakes = (0..problem.brake.count()).any(|i| problem.brake.acts(i));
        let many = !self.lemke_only
            && !brakes
            && (problem.n_contact() >= tol::MANY_CONTACTS || problem.n_joint() >= tol::MANY_JOINTS);
        if many && let Some(info) = self.solve_in_bodies(problem)? {
            return Ok(info);
        }
        let unknowns = self.layout.unknowns();
        if many && unknowns > self.structured.search.left_to_lemke() {
            let (n, residual) = (unknowns, f64::INFINITY);
            return Err(Error::LcpPivots { n, limit: 0, residual });
        }
        self.stage = Stage::Lemke;
        self.make_room(self.layout.unknowns())?;
        self.elimination.factor(problem)?;
        self.assemble(problem)?;
        let n = self.layout.unknowns();
        self.z.resize(n, 0.0);
        let info =
            self.lcp.solve_rounded(MatRef::square("contact", &self.m, n)?, &self.q, &mut self.z)?;
        self.recover(problem)?;
        match self.verify(problem) {
            // The basis of hundreds of contacts may be right and its answer lost in rounding: its modes are solved once more.
            Err(e) if many => {
                self.known.keep(&self.z);
                self.solve_in_bodies(problem)?.ok_or(e)
            }
            Err(e) => Err(e),
            Ok(()) => {
                self.known.keep(&self.z);
                Ok(info)
            }
        }
    }

    /// Takes storage for complementarity problems of `n` unknowns, if there is not enough. What is
    /// remembered stays.
    ///
    /// # Errors
    /// `Memory`; nothing has changed then.
    fn make_room(&mut self, n: usize) -> Result<()> {
        if n <= self.room {
            return Ok(());
        }
        let room = n.max(2 * self.room).min(self.n_max.max(n));
        let mut lcp = Lcp::pure(room, self.n_max)?;
        lcp.set_options(*self.lcp.options())?;
        lcp.set_basic(self.lcp.basic())?;
        self.m = reserve(room.saturating_mul(room))?;
        (self.lcp, self.room) = (lcp, room);
        Ok(())
    }

    /// The answer by modes in the space of bodies, if there is one that the judge accepts.
    fn solve_in_bodies(&mut self, problem: &Problem<'_>) -> Result<Option<Info>> {
        let found = self.structured.solve(
            problem,
            &self.layout,
            (self.lcp.basic(), self.known.unknowns()),
        )?;
        let Some(effort) = found else { return Ok(None) };
        let n = self.layout.unknowns();
        self.z.resize(n, 0.0);
        self.v.resize(problem.nv(), 0.0);
        self.joint.resize(problem.n_joint(), 0.0);
        self.basic.resize(n, false);
        let (v, z) = (&mut self.v, &mut self.z);
        let before = self.known.unknowns();
        self.structured.write(&self.layout, before, v, &mut self.joint, z, &mut self.basic);
        self.read_contacts(problem);
        self.brake.clear();
        self.brake.resize(problem.brake.count(), 0.0);
        let residual = self.structured.residual(problem, &self.layout, &self.z, &self.v);
        let momentum = self.momentum_error(problem);
        if !(residual <= self.lcp.options().tolerance && momentum <= tol::VELOCITY_CHECK) {
            return Ok(None);
        }
        self.lcp.set_basic(&self.basic)?;
        self.stage = Stage::Bodies;
        self.known.keep(&self.z);
        Ok(Some(Info::without_pivots(residual, effort.warm, effort.factorizations)))
    }

    /// Impulses of contacts from z.
    fn read_contacts(&mut self, problem: &Problem<'_>) {
        self.normal.clear();
        self.friction.clear();
        for i in 0..problem.n_contact() {
            let (at, n_dir) = (self.layout.normal(i), self.layout.directions(i));
            self.normal.push(self.z[at]);
            self.friction.extend_from_slice(&self.z[at + 1..at + 1 + n_dir]);
            self.friction.resize((i + 1) * problem.n_dir, 0.0);
        }
    }

    /// Matrix and right-hand side (vel.6) with the blocks (vel.9), a column per impulse direction.
    fn assemble(&mut self, problem: &Problem<'_>) -> Result<()> {
        let (n, nj) = (self.layout.unknowns(), problem.n_joint());
        self.m.resize(n * n, 0.0);
        self.q.resize(n, 0.0);
        self.joint.clear();
        self.joint.resize(nj, 0.0);
        for i in 0..problem.n_contact() {
            let computed = self.layout.computed(i);
            for k in 0..=self.layout.directions(i) {
                let at = (self.layout.normal(i) + k) * n;
                if k > computed {
                    let (before, from_here) = self.m.split_at_mut(at);
                    let opposite = &before[at - computed * n..][..n];
                    from_here.iter_mut().zip(opposite).for_each(|(x, o)| *x = -o);
                    continue;
                }
                self.respond(problem, |p| direction(problem, i, k).write(p), true)?;
                let column = &mut self.m[at..at + n];
                contact_rows(problem, &self.layout, &self.v, &self.terms, false, column);
            }
        }
        for i in 0..problem.brake.count() {
            let Some(at) = self.layout.brake(i) else { continue };
            self.respond(problem, |p| problem.brake.direction(i).write(p), true)?;
            let column = &mut self.m[at * n..(at + 1) * n];
            contact_rows(problem, &self.layout, &self.v, &self.terms, false, column);
        }
        cone_entries(problem, &self.layout, &mut self.m[..n * n]);
        self.p.clear();
        self.p.extend_from_slice(problem.p);
        for (i, bound) in problem.brake.bound.iter().enumerate() {
            problem.brake.direction(i).add(-bound, &mut self.p);
        }
        let p = std::mem::take(&mut self.p);
        let answer = self.respond(problem, |x| x.copy_from_slice(&p), false);
        self.p = p;
        answer?;
        contact_rows(problem, &self.layout, &self.v, &self.terms, true, &mut self.q);
        Ok(())
    }

    /// The velocity that the momentum makes which `write` gives, in `v`, and what it is made of, in `terms`; those only
    /// with joints, without which nothing cancels.
    fn respond(
        &mut self,
        problem: &Problem<'_>,
        write: impl FnOnce(&mut [f64]),
        homogeneous: bool,
    ) -> Result<()> {
        self.v.resize(problem.nv(), 0.0);
        write(&mut self.v);
        self.terms.clear();
        if !self.joint.is_empty() {
            self.terms.extend(self.v.iter().map(|x| x.abs()));
        }
        self.elimination.velocity(problem, homogeneous, &mut self.v, &mut self.joint)?;
        if !self.joint.is_empty() {
            self.add_joint_terms(problem);
        }
        Ok(())
    }

    /// `terms`: sizes of what a momentum is made of in, of what the velocity is made of out, joint
    /// impulses included; `work` keeps those of the momentum. An impulse counts with at least the
    /// size that stops the motion along it: that is the scale in which it is rounded, even to zero.
    pub(super) fn add_joint_terms(&mut self, problem: &Problem<'_>) {
        self.work.clear();
        self.work.extend_from_slice(&self.terms);
        self.elimination.bound(&mut self.work);
        for (j, &c) in self.joint.iter().enumerate() {
            let speed = problem.joint.row.col(j).size(&self.work);
            let stop = stopping(speed, self.elimination.response(j));
            problem.joint.impulse.col(j).add_size(c.abs() + stop, &mut self.terms);
        }
        self.work.copy_from_slice(&self.terms);
        self.elimination.bound(&mut self.terms);
    }

    /// Impulses from z, then the velocity afresh from all impulses, (vel.5).
    fn recover(&mut self, problem: &Problem<'_>) -> Result<()> {
        self.v.clear();
        self.v.extend_from_slice(problem.p);
        self.read_contacts(problem);
        for i in 0..problem.n_contact() {
            let (at, n_dir) = (self.layout.normal(i), self.layout.directions(i));
            for k in 0..=n_dir {
                direction(problem, i, k).add(self.z[at + k], &mut self.v);
            }
        }
        self.brake.clear();
        for (i, &bound) in problem.brake.bound.iter().enumerate() {
            // The bound is a promise: what the solver left beyond it is rounding.
            let f = self.layout.brake(i).map_or(0.0, |at| self.z[at].min(2.0 * bound) - bound);
            self.brake.push(f);
            problem.brake.direction(i).add(f, &mut self.v);
        }
        self.elimination.velocity(problem, false, &mut self.v, &mut self.joint)
    }
}
