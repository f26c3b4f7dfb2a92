//! The loop of one step: impacts, modes, pieces between events. The complementarity problem of the piece is the
//! authority; events only refine it. Any disagreement ends in taking its answer, never in a retry at the same instant.

use super::event::EventKind;
use super::options::EventLevel;
use super::run::{Run, no_solution};
use super::search::{Found, Path, What};
use super::state::Mode;
use crate::error::Result;
use crate::linalg::{dot, max_abs};
use crate::tol;

/// Changes of modes at one instant after which the complementarity problem decides.
const INSTANTS: u32 = 3;

/// How far the loop has come.
#[derive(Default)]
struct Progress {
    events: usize,
    instants: u32,
    /// Only collisions are located from here to the end: modes and complementarity disagree.
    lcp_only: bool,
}

impl Run<'_> {
    /// Brings the state to the end of the step.
    ///
    /// # Errors
    /// Those of the model and of the solvers.
    pub(super) fn run(&mut self) -> Result<()> {
        let mut p = Progress::default();
        let most = 40 * (self.set.max_events + 1);
        for round in 0.. {
            self.look()?;
            let changed_at = self.changed_at.take();
            if self.collide_if_touching()? {
                p.events += 1;
                continue;
            }
            self.update_active();
            let h = self.t_end - self.state.t;
            let capped = p.events >= self.set.max_events || round >= most;
            if self.set.events == EventLevel::All && self.state.stale {
                if self.find_modes()? {
                    self.changed_at = changed_at;
                    self.take_modes();
                    self.changed_at = None;
                } else if h > self.instant && !capped {
                    self.impulse_step(h)?;
                    p.events += 1;
                    continue;
                }
            }
            if h <= self.instant {
                return self.finish();
            }
            if capped {
                self.plain(h)?;
            } else {
                self.piece(h, &mut p)?;
            }
        }
        Ok(())
    }

    /// Contacts that touch and neither come nor go join the active set; those that have left go out of it.
    fn update_active(&mut self) {
        let fresh = std::mem::replace(&mut self.state.fresh, false);
        let start = &self.w.start;
        // Beyond the cap on impacts those that approach are held like the rest.
        let held_anyway = self.state.impacts_here > 0;
        for (i, contact) in self.state.contacts.iter_mut().enumerate() {
            let gap = start.geometry.gap[i];
            let rate = start.geometry.gap_rate(i, &start.v);
            let touches = gap <= self.gap_zero;
            if fresh || gap > -self.gap_zero {
                contact.depth = if touches && gap < -self.gap_zero { gap } else { 0.0 };
            }
            let calm = rate.abs() <= self.v_zero || (held_anyway && rate < 0.0);
            if contact.mode == Mode::Open && touches && calm {
                contact.mode = Mode::Touch;
                self.state.stale = true;
            }
            let gone = rate > self.v_zero && !touches;
            if contact.mode.active() && !contact.mode.held() && gone {
                contact.mode = Mode::Open;
                self.state.stale = true;
            }
        }
    }

    /// No acceleration exists (a Painleve case): a very short step by impulses decides, and is a jump.
    fn impulse_step(&mut self, h: f64) -> Result<()> {
        let short = tol::IMPULSE_STEP * h;
        self.step_lcp(short)?;
        self.accept(self.state.t + short, Path::Lcp);
        self.list_contacts(Mode::active);
        for place in 0..self.w.list.len() {
            let w = &*self.w;
            let (i, impulse) = (w.list[place], w.step.solver.normal()[place]);
            if impulse > tol::IMPULSE_ZERO * max_abs(w.step.solver.normal()) {
                let before = w.start.geometry.gap_rate(i, &w.start.v);
                let after = w.start.geometry.gap_rate(i, &w.v1);
                self.report(EventKind::Impact, i, before, after, impulse);
            }
        }
        for contact in self.state.contacts.iter_mut().filter(|c| c.mode.active()) {
            contact.mode = Mode::Touch;
            contact.known = super::state::Known::Nothing;
        }
        self.state.stale = true;
        Ok(())
    }

    /// One piece of the step: to its end, or to the earliest event.
    fn piece(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        for (m0, contact) in self.w.m0.iter_mut().zip(&self.state.contacts) {
            *m0 = contact.mode;
        }
        self.w.dismissed.fill(false);
        let Some(h) = self.step_or_shorten(h, p)? else { return Ok(()) };
        self.project_step(h)?;
        if self.set.events == EventLevel::None {
            self.accept(self.t_end, Path::Lcp);
            return Ok(());
        }
        let collision = self.first_collision(h, Path::Lcp)?;
        if self.set.events == EventLevel::Collisions {
            return self.collisions_only(h, collision, p);
        }
        let agree = self.agree() && !self.slip_reversed();
        if collision.is_none() {
            if p.lcp_only {
                self.accept_stale(self.t_end, Path::Lcp);
                return Ok(());
            }
            if agree && self.violation_at(h, false)? <= tol::MODE_ACCELERATION {
                self.accept(self.t_end, Path::Lcp);
                return Ok(());
            }
        }
        let path = if p.lcp_only { Path::Lcp } else { Path::Modes };
        self.follow(path, h)?;
        let found = self.earliest(path, h)?;
        self.decide(h, found, p)
    }

    /// The step by complementarity; where it has no solution at all, half of it, and so on, taken as a piece of its
    /// own: `None` then.
    fn step_or_shorten(&mut self, h: f64, p: &mut Progress) -> Result<Option<f64>> {
        /// Halvings before giving up.
        const MOST: i32 = 12;
        let mut failure = match self.step_lcp(h) {
            Ok(()) => return Ok(Some(h)),
            Err(e) if no_solution(&e) => e,
            Err(e) => return Err(e),
        };
        for power in 1..=MOST {
            let shorter = h * 0.5f64.powi(power);
            match self.step_lcp(shorter) {
                Ok(()) => {
                    self.project_step(shorter)?;
                    self.accept_stale(self.state.t + shorter, Path::Lcp);
                    p.events += 1;
                    return Ok(None);
                }
                Err(e) if no_solution(&e) => failure = e,
                Err(e) => return Err(e),
            }
        }
        Err(failure)
    }

    /// Whether the step by complementarity ends in the modes of the start. With more than one pair of friction
    /// directions the direction of slip may turn: that is no event.
    fn agree(&self) -> bool {
        let planar = self.host.dims.n_dir <= 2;
        self.w.m0.iter().zip(&self.w.m1).all(|pair| match pair {
            (Mode::Slip(_), Mode::Slip(_)) if !planar => true,
            (a, b) => a == b,
        })
    }

    /// Whether a contact slips forward on the mean, as scheme II sees it, but backward at the end.
    fn slip_reversed(&self) -> bool {
        let (w, rows) = (&*self.w, self.w.stage.rows());
        w.stage.sum
            && self.host.dims.n_dir == 2
            && w.m1.iter().enumerate().any(|(i, mode)| match mode {
                Mode::Slip(k) => {
                    w.mu[i] > 0.0 && dot(rows.tangent(i, usize::from(*k)), &w.v1) > self.v_zero
                }
                _ => false,
            })
    }

    /// Only collisions are located: at one the impact is resolved, and the rest of the step begins there. For the
    /// trapezoidal rule the state is interpolated as the 2006 paper does, (step.18); the velocities of first-order rules do not
    /// bear a cubic, their step is taken anew.
    fn collisions_only(
        &mut self,
        h: f64,
        collision: Option<Found>,
        p: &mut Progress,
    ) -> Result<()> {
        let cubic = self.w.stage.weight == 0.5 && !self.host.asked.model().gives_rate();
        let collision = match collision {
            Some(_) if !cubic => self.collision_on(Path::Lcp, h)?,
            found => found,
        };
        let Some(found) = collision else {
            self.accept(self.t_end, Path::Lcp);
            return Ok(());
        };
        p.events += 1;
        if found.tau <= self.instant {
            return self.collide_now(found.contact, p);
        }
        if cubic {
            self.interpolate(h, found.tau);
        } else {
            self.follow(Path::Lcp, found.tau)?;
        }
        self.accept((self.state.t + found.tau).min(self.t_end), Path::Lcp);
        self.look()?;
        self.collide(Some(found.contact))
    }

    /// A contact found colliding at the start of a piece.
    fn collide_now(&mut self, i: usize, p: &mut Progress) -> Result<()> {
        p.instants += 1;
        if p.instants > INSTANTS {
            p.events = self.set.max_events;
        }
        let start = &self.w.start;
        if start.geometry.gap_rate(i, &start.v) < -self.v_zero {
            p.events += 1;
            return self.collide(Some(i));
        }
        self.state.contacts[i].mode = Mode::Touch;
        self.state.stale = true;
        Ok(())
    }

    /// What to do about the earliest event.
    fn decide(&mut self, h: f64, found: Option<Found>, p: &mut Progress) -> Result<()> {
        let Some(found) = found else {
            // Modes differ but nothing happens on the way: complementarity decides.
            return self.retake_lcp(h);
        };
        if found.tau <= self.instant {
            return self.at_once(h, found, p);
        }
        let path = if p.lcp_only { Path::Lcp } else { Path::Modes };
        if found.tau >= h - self.instant && found.what != What::Collision {
            self.follow(path, h)?;
            self.accept_stale(self.t_end, path);
            return Ok(());
        }
        if found.what == What::Force {
            self.changed_at = Some(self.state.t + found.said);
        }
        self.follow(path, found.tau)?;
        if found.what == What::Stick {
            self.w.m0[found.contact] = Mode::Stick;
            self.project_path(found.tau)?;
        }
        self.accept_stale((self.state.t + found.tau).min(self.t_end), path);
        p.events += 1;
        p.instants = 0;
        p.lcp_only = false;
        if found.what == What::Collision {
            self.look()?;
            self.collide(Some(found.contact))?;
        }
        Ok(())
    }

    /// An event at the very start of the piece.
    fn at_once(&mut self, h: f64, found: Found, p: &mut Progress) -> Result<()> {
        let i = found.contact;
        let start = &self.w.start;
        let leaves = start.geometry.gap_rate(i, &start.v) >= -self.v_zero;
        let adopted = self.state.contacts[i].mode.active() && leaves;
        if found.what == What::Collision && !adopted {
            return self.collide_now(i, p);
        }
        p.instants += 1;
        let again = found.what == What::Force && p.instants <= INSTANTS;
        if again && self.find_modes()? && self.w.chosen != self.w.m0 {
            self.take_modes();
            return Ok(());
        }
        // Adopt what complementarity says for the rest of the step.
        if p.lcp_only {
            return self.adopt_shorter(h, p);
        }
        self.follow(Path::Lcp, h)?;
        if self.first_collision(h, Path::Lcp)?.is_none() {
            self.accept_stale(self.t_end, Path::Lcp);
            return Ok(());
        }
        for (contact, &mode) in self.state.contacts.iter_mut().zip(&self.w.m1) {
            contact.mode = mode;
        }
        p.events += 1;
        p.lcp_only = true;
        Ok(())
    }

    /// A contact that leaves by complementarity is below the ground on the whole path: the longest part of it without
    /// a collision is taken, the whole if there is none.
    fn adopt_shorter(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        /// Halvings before the whole is taken.
        const MOST: i32 = 10;
        p.events += 1;
        for power in 1..=MOST {
            let shorter = h * 0.5f64.powi(power);
            self.follow(Path::Lcp, shorter)?;
            if self.first_collision(shorter, Path::Lcp)?.is_none() {
                p.lcp_only = false;
                self.accept_stale(self.state.t + shorter, Path::Lcp);
                return Ok(());
            }
        }
        self.retake_lcp(h)
    }

    /// Takes the whole piece by complementarity, computed anew.
    fn retake_lcp(&mut self, h: f64) -> Result<()> {
        self.follow(Path::Lcp, h)?;
        self.accept_stale(self.t_end, Path::Lcp);
        Ok(())
    }

    fn accept_stale(&mut self, t: f64, path: Path) {
        self.accept(t, path);
        self.state.stale = true;
    }

    /// The rest of the step without location: one problem, in which everything within reach must not penetrate,
    /// (step.22). What arrives is left to the impact at the end.
    fn plain(&mut self, h: f64) -> Result<()> {
        self.stats.capped_steps += 1;
        let mut method = self.method;
        loop {
            self.prepare(method, h)?;
            self.position_rows(h);
            match self.solve_stage() {
                Ok(()) => break,
                Err(e) if no_solution(&e) => match method.fallback() {
                    Some(other) => method = other,
                    None => return Err(e),
                },
                Err(e) => return Err(e),
            }
        }
        let w = &mut *self.w;
        for (place, &i) in w.list.iter().enumerate() {
            let active = self.state.contacts[i].mode.active();
            let pushed = w.step.solver.normal()[place] > 0.0;
            let far = !active && w.start.geometry.gap[i] > self.gap_zero;
            if far || !(active || pushed) {
                w.m1[i] = Mode::Open;
            }
        }
        self.project_step(h)?;
        self.accept_stale(self.t_end, Path::Lcp);
        Ok(())
    }

    /// Lists what is active or within reach, and gives the latter rows on the position at the end.
    fn position_rows(&mut self, h: f64) {
        self.free_acceleration();
        self.w.list.clear();
        for i in 0..self.state.contacts.len() {
            let active = self.state.contacts[i].mode.active();
            if active {
                self.w.list.push(i);
            } else if self.w.start.geometry.gap[i] <= self.reach(i, h) {
                let w = &mut *self.w;
                w.list.push(i);
                let stage = &mut w.stage;
                let gap = if stage.sum { w.start.geometry.gap[i] } else { stage.impulse.gap[i] };
                let part = if stage.weight == 0.5 { 0.5 } else { 1.0 };
                stage.normal_offset[i] += gap.max(0.0) / (part * h);
            }
        }
    }

    /// The end of the step.
    fn finish(&mut self) -> Result<()> {
        self.coast()?;
        self.stats.steps += 1;
        let geometry = &self.w.start.geometry;
        let least = geometry.gap.iter().fold(0.0f64, |s, &x| s.min(x));
        self.stats.worst_gap = self.stats.worst_gap.min(least);
        let drift = max_abs(&geometry.phi);
        self.stats.worst_joint_drift = self.stats.worst_joint_drift.max(drift);
        self.stats.force_evals += self.host.asked.force_evals as i64;
        Ok(())
    }
}
