//! One step under way: what it works with, and the single operations that the loop is made of.
//! Knows which contacts take part, not in what order things happen.

use super::assemble::Source;
use super::check::of_the_step;
use super::dense::Dense;
use super::event::{Event, EventKind, EventLog};
use super::host::Host;
use super::method::{Method, Stage};
use super::options::{Settings, Stabilization};
use super::search::Path;
use super::stabilize::add_drift_terms;
use super::state::{Mode, State};
use super::stats::Stats;
use super::workspace::Workspace;
use crate::error::{Error, Result};
use crate::linalg::{axpy, max_abs};
use crate::tol;

/// A step under way.
pub(super) struct Run<'a> {
    pub host: Host<'a>,
    pub set: &'a Settings,
    pub method: &'static dyn Method,
    pub state: &'a mut State,
    pub w: &'a mut Workspace,
    pub events: &'a mut EventLog,
    pub dense: &'a mut Dense,
    /// Counted from those before the step.
    pub stats: Stats,
    /// End of the step or of what is to be made of it now, both ends of the whole, its length, and the part of it below which
    /// times are not told apart.
    pub t_end: f64,
    pub whole: (f64, f64),
    pub h_grid: f64,
    pub instant: f64,
    /// Scales: free acceleration at contacts, speed that counts as zero, gap that counts as closed.
    pub a_scale: f64,
    pub v_zero: f64,
    pub gap_zero: f64,
    /// Impacts since the step began.
    pub impacts: u32,
    /// Times at which something happened in it to a contact to which something had happened before, and the last of them.
    pub repeats: u32,
    pub repeated: f64,
    /// Contacts that were hit.
    pub arrivals: u32,
    /// Whether a part of it was taken without location.
    pub capped: bool,
    /// The deepest penetration when it began, negative or zero.
    pub deepest: f64,
    /// When the change of modes that is found next began.
    pub changed_at: Option<f64>,
    /// Whether positions, and velocities, are projected after the piece under way.
    pub projects: bool,
    pub projects_velocity: bool,
}

impl Run<'_> {
    /// How long it is to the end. Of the whole step that is its length, which may be less rounded than times.
    pub(super) fn left(&self) -> f64 {
        // exact: nothing has been made of it
        let whole = (self.state.t, self.t_end) == self.whole;
        if whole { self.h_grid } else { self.t_end - self.state.t }
    }

    /// Evaluates the model at the present state, unless that is where it was evaluated last.
    pub(super) fn look(&mut self) -> Result<()> {
        self.look_around(false)
    }

    /// The same; `first`: a step begins here, which may do without some contacts.
    pub(super) fn look_around(&mut self, first: bool) -> Result<()> {
        let (state, w) = (&*self.state, &mut *self.w);
        w.followed.forget();
        // The check of forces at the end of the last piece was made where this one begins.
        if !w.start.is_at(&self.host, state.t, &state.q, &state.v)
            && w.there.is_at(&self.host, state.t, &state.q, &state.v)
        {
            std::mem::swap(&mut w.start, &mut w.there);
        }
        if w.start.is_at(&self.host, state.t, &state.q, &state.v) {
            w.start.forget_derivatives();
        } else {
            w.start.at(&mut self.host, state.t, &state.q, &state.v)?;
        }
        w.equations.start(&w.start.mass)?;
        self.meet()?;
        if first {
            self.find_patches();
        }
        self.set_scales();
        self.book_end();
        Ok(())
    }

    fn set_scales(&mut self) {
        let w = &mut *self.w;
        w.move_by.copy_from_slice(&w.start.force);
        w.equations.apply_inverse_mass(&mut w.move_by);
        // What can be left out is no larger than what cannot.
        let out = &self.host.scratch.patches.out;
        let free = w.start.geometry.contact_size(&w.move_by, out);
        self.a_scale = free + w.brake_acceleration();
        let geometry = &w.start.geometry;
        let speed = geometry.contact_size(&w.start.v, out) + self.h_grid * self.a_scale;
        let rounding = tol::SPEED_ROUNDING * self.set.length / self.h_grid;
        // In very short steps it would swallow what the forces do.
        let forced = tol::SPEED_FORCED * self.h_grid * self.a_scale;
        let rounding = if forced > 0.0 { rounding.min(forced) } else { rounding };
        self.v_zero = tol::MODE_SPEED * speed + rounding;
    }

    /// The piece of length `h` by complementarity, with every active contact: q1, v1, m1. Falls
    /// back on the second rule of the method when the first has no solution, and on the definite
    /// part of the force derivatives when the matrix is not definite.
    ///
    /// # Errors
    /// Those of the model and of the solvers.
    pub(super) fn step_lcp(&mut self, h: f64) -> Result<()> {
        if self.method.position_level() {
            self.list_within_reach(h);
        } else if self.law_inside() {
            self.list_forecast(h);
        } else {
            self.list_contacts(Mode::active);
        }
        let mut method = self.method;
        self.w.followed.forget_lcp();
        // Rules on positions iterate.
        self.w.followed.single = !method.position_level() && !method.checks_end();
        loop {
            match self.try_lcp(method, h) {
                Ok(()) => {
                    if !method.checks_end() || !self.list_violated() {
                        return Ok(());
                    }
                }
                Err(e @ Error::NotPositiveDefinite { .. }) => {
                    if !self.w.start.make_definite(&mut self.host, self.set.jacobian)? {
                        return Err(e);
                    }
                    self.stats.jacobian_fallbacks += 1;
                }
                Err(e) if no_solution(&e) => match method.fallback() {
                    Some(other) => {
                        self.stats.scheme_fallbacks += 1;
                        self.w.followed.single = false;
                        method = other;
                    }
                    None => return Err(e),
                },
                Err(e) => return Err(e),
            }
        }
    }

    fn try_lcp(&mut self, method: &'static dyn Method, h: f64) -> Result<()> {
        self.prepare(method, h)?;
        if self.w.start.turn_too_fast(&mut self.host, h)? {
            self.w.start.make_definite(&mut self.host, self.set.jacobian)?;
            self.stats.jacobian_fallbacks += 1;
            self.prepare(method, h)?;
        }
        self.w.start.check_margin(&self.w.stage.mass)?;
        let tolerance = tol::FIXED_POINT * self.set.length;
        let mut change = f64::INFINITY;
        for _ in 0..tol::ITERATIONS {
            self.solve_stage()?;
            let w = &mut *self.w;
            change = method.iterate(&mut self.host, &w.start, &w.v1, &mut w.stage)?;
            if change <= tolerance {
                return self.check_end(method);
            }
        }
        Err(Error::Residual { residual: change, tolerance })
    }

    /// Refuses a fixed point at which joints are apart: one that it takes for singular.
    fn check_end(&self, method: &'static dyn Method) -> Result<()> {
        let (left, length) = (max_abs(&self.w.stage.rows().phi), self.set.length);
        let before = max_abs(&self.w.start.geometry.phi);
        let apart = left > tol::JOINTS_APART * length && left >= 0.5 * before;
        if method.position_level() && apart {
            return Err(Error::Residual { residual: left / length, tolerance: tol::JOINTS_APART });
        }
        Ok(())
    }

    /// Lists the contacts that the solution violates as well: pushed by others, or beyond what was
    /// thought to be in reach. False when there are none.
    fn list_violated(&mut self) -> bool {
        let w = &mut *self.w;
        let deepest = -tol::FIXED_POINT * self.set.length;
        let known = w.list.len();
        for (i, &gap) in w.stage.impulse.gap.iter().enumerate() {
            if gap < deepest && !w.stage.impulse.is_lifted(i) && !w.list[..known].contains(&i) {
                w.list.push(i);
            }
        }
        w.list.sort_unstable();
        w.list.len() > known
    }

    /// Fills the stage with the problem of a piece of length `h`.
    pub(super) fn prepare(&mut self, method: &'static dyn Method, h: f64) -> Result<()> {
        self.prepare_rows(method, h, self.joints_alone())
    }

    /// The same, told whether joints are all that it constrains.
    pub(super) fn prepare_rows(
        &mut self,
        method: &'static dyn Method,
        h: f64,
        joints_alone: bool,
    ) -> Result<()> {
        self.projects = self.set.stabilization == Stabilization::Project;
        self.projects_velocity = self.projects && method.projects_velocity();
        self.w.followed.forget_path();
        self.w.stage.span = h;
        self.w.stage.joints_alone = joints_alone;
        if method.position_level() {
            self.recall(h);
        }
        if method.two_step() {
            self.w.stage.span = 0.5 * (self.state.h_before + h);
        }
        let w = &mut *self.w;
        let how = self.set.jacobian;
        self.host.together(|host| method.stage(host, &mut w.start, how, h, &mut w.stage))?;
        if self.set.stabilization == Stabilization::Velocity {
            add_drift_terms(&mut w.stage, &w.start, &self.state.contacts, self.h_grid);
        }
        if self.law_inside() {
            self.add_rebounds();
        }
        Ok(())
    }

    /// Whether joints are all that the piece under way constrains, and are projected at its end.
    fn joints_alone(&self) -> bool {
        let (dims, touching) =
            (&self.host.dims, self.state.contacts.iter().any(|c| c.mode.active()));
        let projects = self.set.stabilization == Stabilization::Project;
        projects && dims.n_joint > 0 && dims.n_brake == 0 && !touching
    }

    /// Solves the stage for the listed contacts and reads off velocity, modes and position.
    pub(super) fn solve_stage(&mut self) -> Result<()> {
        let w = &mut *self.w;
        let solved = w.step.solve(&Source::step(&w.stage, &w.mu), &w.list, |_| Mode::Touch);
        let info = solved.map_err(of_the_step)?;
        self.stats.solved(&info);
        let u = w.step.solver.v();
        w.m1.fill(Mode::Open);
        for &i in &w.list {
            w.m1[i] = mode_of(&w.stage, i, w.mu[i], u, self.v_zero);
        }
        w.brakes.read(&w.stage, u, self.v_zero);
        w.stage.velocity(&w.start, u, &mut w.v1);
        self.come_to_rest();
        let w = &mut *self.w;
        w.stage.position(&mut self.host, &w.start, &w.v1, &mut w.q1)?;
        w.lcp_effort.begin(&w.stage.d);
        let found = &w.step.solver;
        let impulses = &mut w.lcp_effort.impulses;
        impulses.add_listed(&w.list, found.joint(), found.normal(), found.friction());
        impulses.brake.copy_from_slice(found.brake());
        Ok(())
    }

    /// Projects q1, v1 with the modes m1, a piece of length `h` after the start.
    pub(super) fn project_step(&mut self, h: f64) -> Result<()> {
        let (mut q, mut v) = (std::mem::take(&mut self.w.q1), std::mem::take(&mut self.w.v1));
        let modes = std::mem::take(&mut self.w.m1);
        let done = self.project(self.state.t + h, &mut q, &mut v, &modes, Path::Lcp);
        (self.w.q1, self.w.v1, self.w.m1) = (q, v, modes);
        done
    }

    /// Lists the contacts whose mode satisfies `wanted`.
    pub(super) fn list_contacts(&mut self, wanted: impl Fn(Mode) -> bool) {
        self.w.list.clear();
        let all = self.state.contacts.iter().enumerate();
        self.w.list.extend(all.filter(|(_, c)| wanted(c.mode)).map(|(i, _)| i));
    }

    /// Takes the end of `path` as the state at `t`, with its modes.
    pub(super) fn accept(&mut self, t: f64, path: Path) {
        self.book_piece(t - self.state.t, path);
        self.keep_piece(t, path);
        let w = &*self.w;
        let (q, v, modes, brakes) = match path {
            Path::Lcp => (&w.q1, &w.v1, &w.m1, &w.brakes.m1),
            Path::Modes => (&w.qp, &w.vp, &w.m0, &w.brakes.m0),
        };
        if t > self.state.t + self.instant {
            self.state.impacts_here = 0;
        }
        let h = t - self.state.t;
        self.state.t = t;
        self.state.q.copy_from_slice(q);
        for (to, &v) in self.state.v.iter_mut().zip(v) {
            *to = if v.abs() < tol::NO_SPEED { 0.0 } else { v };
        }
        for (contact, &mode) in self.state.contacts.iter_mut().zip(modes) {
            contact.mode = mode;
        }
        for (brake, &mode) in self.state.brakes.iter_mut().zip(brakes) {
            brake.mode = mode;
        }
        if self.method.position_level() {
            self.remember(h);
        }
        let pieces = &mut self.w.pieces;
        if pieces.len() < pieces.capacity() {
            pieces.push(t);
        }
        self.stats.substeps += 1;
    }

    /// The rest of a step that is too short to compute: straight on.
    pub(super) fn coast(&mut self) -> Result<()> {
        let h = self.left();
        // exact: the usual end of a step
        if h == 0.0 {
            return Ok(());
        }
        let w = &mut *self.w;
        w.move_by.fill(0.0);
        axpy(h, &self.state.v, &mut w.move_by);
        w.q_old.copy_from_slice(&self.state.q);
        self.host.displace(self.state.t, &w.q_old, h, &w.move_by, &mut self.state.q)?;
        self.state.t = self.t_end;
        Ok(())
    }

    /// Tells the host what happened to contact `i` now.
    pub(super) fn report(
        &mut self,
        kind: EventKind,
        i: usize,
        before: f64,
        after: f64,
        impulse: f64,
    ) {
        self.note(i);
        let key = self.host.key(i);
        let (t, contact) = (self.changed_at.unwrap_or(self.state.t), i as i32);
        let event =
            Event { kind, contact, t, speed_before: before, speed_after: after, impulse, key };
        self.events.push(event);
    }
}

/// The mode that the unknown `u` of a stage gives contact `i`.
fn mode_of(stage: &Stage, i: usize, mu: f64, u: &[f64], zero: f64) -> Mode {
    let rows = stage.rows();
    let speed = rows.normal(i).dot(u) + stage.normal_offset[i];
    if speed > zero {
        return Mode::Leave;
    }
    // exact: set by the host
    if mu == 0.0 {
        return Mode::Slip(0);
    }
    let (slip, along) = rows.slip(i, u);
    if slip <= zero { Mode::Stick } else { Mode::Slip(along) }
}

/// Whether `e` says that a complementarity problem has no solution, or none that was found.
pub(super) fn no_solution(e: &Error) -> bool {
    matches!(
        e,
        Error::LcpRay { .. }
            | Error::LcpPivots { .. }
            | Error::Residual { .. }
            | Error::Inconsistent { .. }
    )
}
