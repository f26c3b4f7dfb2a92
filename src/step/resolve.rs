//! The loop of one step: impacts, modes, pieces between events. The complementarity problem of the
//! piece is the authority; events only refine it. Any disagreement ends in taking its answer, never
//! in a retry at the same instant.

use super::event::EventKind;
use super::host::Geometry;
use super::options::EventLevel;
use super::run::{Run, no_solution};
use super::search::{Look, Path};
use super::state::{Brake, Mode};
use crate::error::{Error, Result};
use crate::linalg::max_abs;
use crate::tol;
use crate::velocity::Search;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Rounds of a step, times those that its events explain, beyond which it has no end.
const ENDLESS: usize = 4;

/// How far the loop has come.
#[derive(Default)]
pub(super) struct Progress {
    pub events: usize,
    pub instants: u32,
    /// Only collisions are located from here to the end: modes and complementarity disagree.
    pub lcp_only: bool,
    /// Parts of the step that complementarity has decided for methods by stages.
    pub adopted: i32,
}

impl Run<'_> {
    /// Events after which the rest of the step is plain stepping: as asked for, else by the contacts
    /// that are there, which are few of all that might come.
    fn event_cap(&self) -> usize {
        let there = self.host.fixed + self.host.scratch.slots.taken().len();
        self.set.events_by_contact.map_or(self.set.max_events, |base| base + 4 * there)
    }

    /// Brings the state to the end of the step.
    ///
    /// # Errors
    /// Those of the model and of the solvers.
    pub(super) fn run(&mut self) -> Result<()> {
        let mut p = Progress::default();
        self.w.hits.fill(0);
        self.w.told.fill(f64::NAN);
        let most = 40 * (self.set.max_events + 1);
        // A step that failed may have left it behind.
        self.w.unbooked = None;
        for round in 0.. {
            self.look_around(round == 0)?;
            if round == 0 {
                self.open_ledger();
                self.deepest = deepest(&self.w.start.geometry);
                self.leave_out()?;
            } else {
                self.watch_spin()?;
            }
            let changed_at = self.changed_at.take();
            if self.collide_if_touching()? {
                p.events += 1;
                continue;
            }
            self.update_active();
            let h = self.left();
            let crowded = self.crowded();
            let capped = p.events >= self.event_cap() || round >= most || crowded;
            // Without location nothing asks what contacts are about to do.
            let by_modes = self.set.events == EventLevel::All || self.w.capture.used();
            if by_modes && self.state.stale && !crowded {
                if self.find_modes()? {
                    self.changed_at = changed_at;
                    self.take_modes();
                    self.changed_at = None;
                } else if h > self.instant && !capped && !self.stops() {
                    self.impulse_step(h)?;
                    p.events += 1;
                    continue;
                }
            }
            if self.stops() {
                self.t_end = self.state.t;
            }
            if h <= self.instant || self.stops() {
                return self.finish();
            }
            // Parts of no length that matters: rows on positions have no plain form, and the plain form has to end.
            if (round >= most && self.method.position_level()) || round >= ENDLESS * most {
                let why = Cow::Borrowed("events follow each other faster than steps can be cut");
                return Err(Error::StepTooSmall { t: self.state.t, h, why });
            }
            if capped && self.w.capture.used() {
                self.accumulate(h, &mut p)?;
            } else if crowded {
                self.in_crowd(h, &mut p)?;
            } else if capped && !self.method.position_level() {
                self.or_shorter(h, &mut p, |run, h, _| run.plain(h))?;
            } else if self.w.capture.used() {
                self.capture_piece(h, &mut p)?;
            } else if let Some(part) = self.damped_part(h)? {
                self.damped_piece(part, &mut p)?;
            } else {
                self.or_shorter(h, &mut p, Self::piece)?;
            }
        }
        Ok(())
    }

    /// Whether the step ends here because something has happened.
    fn stops(&self) -> bool {
        self.set.stop_at_event && self.events.eventful()
    }

    /// Contacts that touch and neither come nor go join the active set; those that have left go out
    /// of it.
    pub(super) fn update_active(&mut self) {
        let fresh = std::mem::replace(&mut self.state.fresh, false);
        let start = &self.w.start;
        // Beyond the cap on impacts those that approach are held like the rest.
        let held_anyway = self.state.impacts_here > 0;
        // Without location a contact that leaves may be back within the step: all that touch take
        // part, where positions lag those that will still touch.
        let unlocated = self.set.events == EventLevel::None;
        let lag = if self.method.position_lags() { self.left() } else { 0.0 };
        for (i, contact) in self.state.contacts.iter_mut().enumerate() {
            let gap = start.geometry.gap[i];
            // Nothing is there: neither does it touch nor can it leave.
            if gap == f64::INFINITY && contact.mode == Mode::Open {
                contact.depth = 0.0;
                continue;
            }
            let rate = start.geometry.gap_rate(i, &start.v);
            let touches = gap <= self.gap_zero;
            if self.method.position_level() {
                if fresh {
                    contact.depth = gap.min(0.0);
                }
            } else if fresh || gap > -self.gap_zero {
                contact.depth = if touches && gap < -self.gap_zero { gap } else { 0.0 };
            }
            let stays = gap + lag * rate <= self.gap_zero;
            let calm =
                (unlocated && stays) || rate.abs() <= self.v_zero || (held_anyway && rate < 0.0);
            if contact.mode == Mode::Open && touches && calm {
                contact.mode = Mode::Touch;
                self.state.stale = true;
            }
            let gone = rate > self.v_zero && !(touches && (stays || !unlocated));
            if contact.mode.active() && !contact.mode.held() && gone {
                contact.mode = Mode::Open;
                self.state.stale = true;
            }
        }
    }

    /// No acceleration exists (a Painleve case): a very short step by impulses decides, and is a
    /// jump.
    fn impulse_step(&mut self, h: f64) -> Result<()> {
        let short = tol::IMPULSE_STEP * h;
        let usual = self.method;
        self.method = usual.for_jumps().unwrap_or(usual);
        let solved = self.step_lcp(short);
        self.method = usual;
        solved?;
        self.w.lcp_effort.jump = true;
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
        self.state.brakes.fill(Brake::NEW);
        self.state.stale = true;
        Ok(())
    }

    /// One piece of the step: to its end, or to the earliest event.
    pub(super) fn piece(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        for (m0, contact) in self.w.m0.iter_mut().zip(&self.state.contacts) {
            *m0 = contact.mode;
        }
        for (m0, brake) in self.w.brakes.m0.iter_mut().zip(&self.state.brakes) {
            *m0 = brake.mode;
        }
        self.w.looked_into.fill(Look::Not);
        self.align(h)?;
        self.step_by_branches(h)?;
        self.end_of_piece(h)?;
        if !self.law_inside() {
            self.w.followed.keep_lcp(h);
        }
        self.foresee(h)?;
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
        let (path, from) = (if p.lcp_only { Path::Lcp } else { Path::Modes }, self.state.t);
        match self.piece_on(path, h, p) {
            // The modes of the start cannot be kept: complementarity decides.
            Err(e) if path == Path::Modes && self.state.t <= from && may_have_shorter(&e) => {
                p.lcp_only = true;
                self.piece_on(Path::Lcp, h, p)
            }
            done => done,
        }
    }

    /// The piece up to the earliest event on `path`.
    fn piece_on(&mut self, path: Path, h: f64, p: &mut Progress) -> Result<()> {
        self.follow(path, h)?;
        let found = self.earliest(path, h)?;
        self.decide(h, found, p)
    }

    /// A part of the step up to its end by `attempt`; where that finds no solution before time has moved,
    /// one half as long, and so on. What takes longest is tried for short parts only, unless none has a solution.
    pub(super) fn or_shorter(
        &mut self,
        h: f64,
        p: &mut Progress,
        attempt: fn(&mut Self, f64, &mut Progress) -> Result<()>,
    ) -> Result<()> {
        /// Halvings up to which Lemke's method is spared thousands of unknowns.
        const LONG: i32 = 3;
        /// Halvings before giving up.
        const MOST: i32 = 12;
        let from = self.state.t;
        self.w.step.solver.set_search(Search::Long);
        let done = self.halved(h, p, 0..=LONG, attempt);
        self.w.step.solver.set_search(Search::Whole);
        match done {
            Err(e) if self.state.t <= from && may_have_shorter(&e) => {
                self.halved(h, p, LONG..=MOST, attempt)
            }
            done => done,
        }
    }

    /// Parts of the step by `attempt` until one has a solution: the length is halved as often as `powers` say.
    pub(super) fn halved(
        &mut self,
        h: f64,
        p: &mut Progress,
        powers: RangeInclusive<i32>,
        attempt: fn(&mut Self, f64, &mut Progress) -> Result<()>,
    ) -> Result<()> {
        let (from, end) = (self.state.t, self.t_end);
        let mut done = Ok(());
        for power in powers {
            if power > 0 {
                self.t_end = from + h * 0.5f64.powi(power);
                self.state.stale = true;
                self.w.shortened = true;
                p.events += 1;
            }
            done = attempt(self, self.left(), p);
            self.t_end = end;
            if self.state.t > from || !done.as_ref().is_err_and(may_have_shorter) {
                break;
            }
        }
        done
    }

    /// Whether the step by complementarity ends in the modes of the start. With more than one pair
    /// of friction directions the slip may turn, by less than a right angle: that is no event.
    fn agree(&self) -> bool {
        let n_dir = self.host.dims.n_dir as u16;
        self.w.brakes.m0 == self.w.brakes.m1
            && self.w.m0.iter().zip(&self.w.m1).all(|pair| match pair {
                (Mode::Slip(a), Mode::Slip(b)) if n_dir > 2 => {
                    let apart = a.abs_diff(*b);
                    apart.min(n_dir - apart) <= n_dir / 4
                }
                (a, b) => a == b,
            })
    }

    /// Whether a contact slips forward on the mean, as scheme II sees it, but stands or goes backward
    /// at the end; in space, whether it has lost so much of its slip that it may have stopped and
    /// turned.
    fn slip_reversed(&self) -> bool {
        let (w, rows, n_dir) = (&*self.w, self.w.stage.rows(), self.host.dims.n_dir);
        (w.stage.sum || n_dir > 2)
            && w.m0.iter().zip(&w.m1).enumerate().any(|(i, modes)| match modes {
                (Mode::Slip(k), Mode::Slip(_)) if w.mu[i] > 0.0 => {
                    let (k, start) = (usize::from(*k), &w.start);
                    let before = -start.geometry.tangent(i, k).dot(&start.v);
                    let slow = if n_dir > 2 { tol::SLOWING * before } else { 2.0 * self.v_zero };
                    -rows.tangent(i, k).dot(&w.v1) < slow - self.v_zero
                }
                _ => false,
            })
            || w.brakes.reversed(&w.stage, &w.v1, self.v_zero)
    }

    pub(super) fn accept_stale(&mut self, t: f64, path: Path) {
        self.accept(t, path);
        self.state.stale = true;
    }

    /// Refuses a step by stages that ends deeper than it began, by more than what can be rounding and
    /// drift: it was so long that what touches could not be followed.
    fn check_depth(&self, least: f64) -> Result<()> {
        let (more, length) = (self.deepest - least, self.set.length);
        if more > tol::JOINTS_APART * length + self.gap_zero {
            return Err(Error::Residual { residual: more / length, tolerance: tol::JOINTS_APART });
        }
        Ok(())
    }

    /// The end of the step.
    fn finish(&mut self) -> Result<()> {
        self.close_ledger();
        self.look_at_left_out()?;
        self.part();
        self.coast()?;
        self.disperse();
        self.stats.steps += 1;
        self.stats.capped_steps += i64::from(self.capped);
        let geometry = &self.w.start.geometry;
        let least = deepest(geometry);
        if self.w.capture.used() && self.set.events != EventLevel::None {
            self.check_depth(least)?;
        }
        self.stats.worst_gap = self.stats.worst_gap.min(least);
        let drift = max_abs(&geometry.phi);
        self.stats.worst_joint_drift = self.stats.worst_joint_drift.max(drift);
        self.stats.force_evals += self.host.asked.force_evals as i64;
        Ok(())
    }
}

/// The deepest penetration, negative or zero.
fn deepest(geometry: &Geometry) -> f64 {
    geometry.gap.iter().fold(0.0f64, |s, &x| s.min(x))
}

/// Whether a piece that failed with `e` may have a solution when it is shorter. What has left the range of
/// numbers has none.
pub(super) fn may_have_shorter(e: &Error) -> bool {
    let vast = matches!(e, Error::Residual { residual, .. } if !residual.is_finite());
    no_solution(e) && !vast
}
