//! Pieces of a step by Runge-Kutta methods: to the end, or to the earliest event on the way. Knows
//! what is done about events, not how stages are solved.

use super::flow::Held;
use super::stages::Ended;
use super::tableau::{Kind, Tableau};
use crate::error::{Error, Result};
use crate::step::host::Host;
use crate::step::locate::Hermite;
use crate::step::method::{Method, Stage, Start};
use crate::step::options::{EventLevel, Jacobian, MethodKind};
use crate::step::resolve::Progress;
use crate::step::run::{Run, no_solution};
use crate::step::search::{Found, Look, Path, What};
use crate::step::state::Mode;
use crate::step::trapezoid::{Scheme, Trapezoid};
use std::borrow::Cow;

/// What stands in where the complementarity problem of a whole step is asked for: the trapezoidal
/// rule. Pieces between events are made by stages.
#[derive(Debug)]
pub(in crate::step) struct Capture;

impl Method for Capture {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        Trapezoid(Scheme::Mixed).stage(host, start, how, h, stage)
    }

    fn fallback(&self) -> Option<&'static dyn Method> {
        Some(&Trapezoid(Scheme::I))
    }
}

/// Order of a Runge-Kutta method; `None` for other methods.
pub(in crate::step) fn order(method: MethodKind) -> Option<i32> {
    Tableau::of(method).map(|t| t.order)
}

/// Halvings of a step whose stages do not converge.
const HALVINGS: i32 = 6;

/// Part of a piece for which complementarity decides where modes do not.
const ADOPTED: f64 = 1.0 / 16.0;

/// Changes of modes at one instant after which complementarity decides.
const INSTANTS: u32 = 3;

impl Run<'_> {
    /// One piece of the step: by stages, or, where their equations cannot be solved, a part of it by
    /// complementarity.
    pub(in crate::step) fn capture_piece(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        match self.by_stages(h, p) {
            Err(Error::StepTooSmall { .. }) => {
                self.stats.scheme_fallbacks += 1;
                self.adopt(h, p)
            }
            done => done,
        }
    }

    /// The piece by stages: to its end, or to the earliest event.
    fn by_stages(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        for (m0, contact) in self.w.m0.iter_mut().zip(&self.state.contacts) {
            *m0 = contact.mode;
        }
        self.w.looked_into.fill(Look::Not);
        if self.host.dims.n_dir >= 4 {
            self.turn_to(0.0)?;
        }
        let moving = self.constraints_move(h)?;
        self.w.capture.begin(moving);
        let whole = h;
        let h = self.longest_path(h)?;
        self.w.shortened |= h < whole;
        let end = if h == whole { self.t_end } else { self.state.t + h };
        let found = match self.set.events {
            EventLevel::All => self.earliest(Path::Modes, h)?,
            EventLevel::Collisions => self.collision_on(Path::Modes, h)?,
            EventLevel::None => None,
        };
        let Some(found) = found else {
            self.path(h)?;
            self.accept_path(h, end);
            // Without location modes are found anew where the piece ends.
            self.state.stale |= self.set.events != EventLevel::All;
            return Ok(());
        };
        if found.tau <= self.instant {
            return self.capture_at_once(h, found, p);
        }
        if found.what == What::Collision
            && let Some(length) = self.critical()
        {
            return self.pass_collision(found, length, p);
        }
        if found.what == What::Force {
            self.changed_at = Some(self.state.t + found.said);
        }
        self.path(found.tau)?;
        if found.what == What::Stick {
            self.w.m0[found.contact] = Mode::Stick;
            self.project_path(found.tau)?;
        }
        let late = found.tau >= h - self.instant && h == whole;
        let t = if late { self.t_end } else { (self.state.t + found.tau).min(self.t_end) };
        self.accept_path(found.tau, t);
        if let Some(stages) = &mut self.w.capture.stages {
            stages.past.forget();
        }
        self.state.stale = true;
        p.events += 1;
        p.instants = 0;
        if found.what == What::Branch {
            self.hand_over(found.contact);
        }
        if found.what == What::Collision {
            self.look()?;
            self.collide(Some(found.contact))?;
        }
        Ok(())
    }

    /// An event at the very start of the piece: an impact, other modes, or a short step by
    /// complementarity where modes and forces do not agree.
    fn capture_at_once(&mut self, h: f64, found: Found, p: &mut Progress) -> Result<()> {
        if found.what == What::Branch {
            self.hand_over_now(found.contact, p);
            return Ok(());
        }
        let i = self.acting(found.contact);
        let start = &self.w.start;
        let leaves = start.geometry.gap_rate(i, &start.v) >= -self.v_zero;
        let adopted = self.state.contacts[i].mode.active() && leaves;
        if found.what == What::Collision && !adopted {
            return self.collide_now(i, p);
        }
        p.instants += 1;
        let again = matches!(found.what, What::Force | What::Stick) && p.instants <= INSTANTS;
        if again && self.find_modes()? && self.w.chosen != self.w.m0 {
            self.take_modes();
            return Ok(());
        }
        self.adopt(h, p)
    }

    /// Takes a part of the piece by complementarity, more each time, and the rest begins anew; less
    /// where something collides on the way.
    fn adopt(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        /// Halvings before a part is taken although something collides in it.
        const MOST: i32 = 10;
        let part = (ADOPTED * 2f64.powi(p.adopted)).min(1.0);
        p.adopted += 1;
        p.events += 1;
        for power in 0..=MOST {
            let short = part * h * 0.5f64.powi(power);
            match self.follow(Path::Lcp, short) {
                Err(e) if power < MOST && no_solution(&e) => continue,
                done => done?,
            }
            if power == MOST || self.first_collision(short, Path::Lcp)?.is_none() {
                let end = if short == h { self.t_end } else { self.state.t + short };
                self.accept_stale(end, Path::Lcp);
                break;
            }
        }
        Ok(())
    }

    /// The longest path of the lengths h, h/2, ... whose stages converge.
    fn longest_path(&mut self, h: f64) -> Result<f64> {
        for power in 0..=HALVINGS {
            let shorter = h * 0.5f64.powi(power);
            if self.try_path(shorter)? == Ended::Converged {
                return Ok(shorter);
            }
        }
        Err(self.unsolved(h * 0.5f64.powi(HALVINGS)))
    }

    fn unsolved(&self, h: f64) -> Error {
        let why = Cow::Borrowed("the equations of its stages are not solved");
        Error::StepTooSmall { t: self.state.t, h, why }
    }

    /// The piece of length `h` with the modes m0 kept: qp, vp, projected.
    ///
    /// # Errors
    /// `StepTooSmall` when the stages do not converge.
    pub(in crate::step) fn capture_path(&mut self, h: f64) -> Result<()> {
        match self.try_path(h)? {
            Ended::Converged => Ok(()),
            Ended::Not => Err(self.unsolved(h)),
        }
    }

    fn try_path(&mut self, h: f64) -> Result<Ended> {
        let w = &mut *self.w;
        let Some(stages) = w.capture.stages.as_mut() else { return Ok(Ended::Not) };
        // exact: asked again for what is there
        if w.capture.at == Some(h) {
            return Ok(Ended::Converged);
        }
        w.capture.at = None;
        let held = Held { modes: &w.m0, mu: &w.mu, h, moving: w.capture.moving };
        let ended = stages.step(&mut self.host, &w.start, &held, &mut w.qp, &mut w.vp)?;
        self.stats.stage_iterations += stages.take_iterations();
        if ended == Ended::Not {
            return Ok(ended);
        }
        if self.host.asked.model().gives_displacement() {
            // Back to the manifold that coordinates have left by the error of the method.
            w.q_old.copy_from_slice(&w.qp);
            w.move_by.fill(0.0);
            self.host.displace(self.state.t + h, &w.q_old, 0.0, &w.move_by, &mut w.qp)?;
        }
        let w = &mut *self.w;
        if let Some(stages) = &w.capture.stages {
            stages.travel(h, &mut w.move_by);
            w.path_effort.begin(&w.move_by);
            w.path_effort.impulses.add_turned(1.0, &stages.impulses, &w.capture.no_turns);
            w.path_effort.works = Some(stages.works);
        }
        match self.project_path(h) {
            Ok(()) => self.w.capture.at = Some(h),
            // So far from the joints that projection does not bring them together.
            Err(Error::Inconsistent { .. }) => return Ok(Ended::Not),
            Err(e) => return Err(e),
        }
        Ok(ended)
    }

    /// Takes the end of the path of length `h` as the state at `t`.
    pub(super) fn accept_path(&mut self, h: f64, t: f64) {
        let w = &mut *self.w;
        w.stage.h = h;
        w.stage.apart = false;
        if let Some(stages) = &mut w.capture.stages {
            stages.remember(t, h);
        }
        self.accept(t, Path::Modes);
    }

    /// One piece of length `h` from the state with its modes, from the guess that two finer pieces
    /// make; `fine` is the velocity at their end. Leaves qp, vp; false where the stages do not
    /// converge.
    ///
    /// # Errors
    /// Those of the model.
    pub(in crate::step) fn compare_path(&mut self, h: f64, fine: &[f64]) -> Result<bool> {
        self.look()?;
        for (m0, contact) in self.w.m0.iter_mut().zip(&self.state.contacts) {
            *m0 = contact.mode;
        }
        if self.host.dims.n_dir >= 4 {
            self.turn_to(0.0)?;
        }
        let moving = self.w.capture.moving;
        self.w.capture.begin(moving);
        self.w.capture.compare(Some(fine));
        let ended = self.try_path(h);
        self.w.capture.compare(None);
        Ok(ended? == Ended::Converged)
    }

    /// Whether a joint or a gap depends on time at fixed q within the piece: asked at two later
    /// times, at which a motion that returns is not back.
    fn constraints_move(&mut self, h: f64) -> Result<bool> {
        /// No fraction with a small denominator.
        const LATER: f64 = 0.381_966_011_250_105_1;
        if !self.host.asked.model().constraints_move() {
            return Ok(false);
        }
        let w = &mut *self.w;
        for part in [LATER, 1.0] {
            self.host.directions(w.start.t + part * h, &w.start.q, &mut w.probe)?;
            let (a, b) = (&w.probe, &w.start.geometry);
            // exact: the same numbers from the same sums when nothing moves
            if !a.is_like(b) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first fall of gap `i` on the path of length `h` whose ends are given, piece by piece
    /// between the stages where those are as good as the ends.
    pub(in crate::step) fn first_fall_by_stages(&self, i: usize, ends: Hermite) -> Option<f64> {
        let stages = self.w.capture.stages.as_ref()?;
        let n = self.w.start.geometry.gap.len();
        let base = ends.f0.min(0.0);
        let mut from = (0.0, ends.f0 - base, ends.g0);
        let inner =
            if stages.tableau.kind == Kind::Collocation { stages.tableau.stages } else { 0 };
        for k in 0..=inner {
            let to = if k < inner {
                let at = k * n + i;
                (stages.tableau.c[k], stages.gap[at] - base, stages.gap_rate[at])
            } else {
                (1.0, ends.f1 - base, ends.g1)
            };
            // The first stage may be the start, the last the end.
            if to.0 <= from.0 || (k < inner && to.0 >= 1.0) {
                continue;
            }
            let h = (to.0 - from.0) * ends.h;
            let piece = Hermite { f0: from.1, g0: from.2, f1: to.1, g1: to.2, h };
            if let Some(tau) = piece.first_fall(self.gap_zero) {
                return Some(from.0 * ends.h + tau);
            }
            from = to;
        }
        None
    }
}
