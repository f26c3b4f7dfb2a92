//! The earliest event of a step, on one path. Knows what can happen, not what is done about it.

use super::locate::{Hermite, bracketed};
use super::run::Run;
use super::state::Mode;
use super::take_off::SHORTEST;
use crate::error::Result;
use crate::tol;

/// How often the path up to a collision is searched for earlier ones. Its cubics differ from those of the
/// longer path by the error of the rule, which matters with stiff springs; they converge at once.
const RELOCATIONS: u32 = 4;

/// What is known of a contact that takes off in the piece under way and whose cubic falls at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing.
    Not,
    /// It collides on the path that is searched.
    Collides,
    /// It rises, whatever its cubic says.
    Rises,
}

/// What ends a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Collision,
    Stick,
    /// Slip or take-off.
    Force,
    /// Another branch of a group takes over: `contact` is that one.
    Branch,
    /// Nothing: what follows is better looked at from there.
    Part,
}

/// An event `tau` after the start of the piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub tau: f64,
    /// When it is said to have happened: a change of force is followed until it is beyond doubt.
    pub said: f64,
    pub what: What,
    pub contact: usize,
}

/// Which path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// The step by complementarity: (q1, v1, m1).
    Lcp,
    /// The modes of the start, kept: (qp, vp, m0).
    Modes,
}

impl Path {
    /// Whichever of the two belongs to this path.
    pub(super) fn pick<T>(self, lcp: T, modes: T) -> T {
        match self {
            Path::Lcp => lcp,
            Path::Modes => modes,
        }
    }
}

impl Run<'_> {
    /// The first gap that closes on the way to the end of a path of length `h`, by cubics:
    /// (step.18). Contacts held closed cannot.
    pub(super) fn first_collision(&mut self, h: f64, path: Path) -> Result<Option<Found>> {
        let w = &mut *self.w;
        let (q, modes) = match path {
            Path::Lcp => (&w.q1, &w.m1),
            Path::Modes => (&w.qp, &w.m0),
        };
        // A contact that comes may be in none of the slots yet.
        let out = &self.host.scratch.patches.out;
        let closed = modes.iter().zip(out).all(|(m, out)| m.held() || *out);
        if closed && !self.host.is_hosted() {
            return Ok(None);
        }
        self.host.geometry(self.state.t + h, q, &mut w.probe)?;
        let by_stages = path == Path::Modes && w.capture.used();
        self.list_members();
        let w = &*self.w;
        let (v, modes) = if path == Path::Lcp { (&w.v1, &w.m1) } else { (&w.vp, &w.m0) };
        let mut first: Option<Found> = None;
        for i in (0..modes.len()).filter(|&i| !modes[i].held() && w.looked_into[i] == Look::Not) {
            if !self.is_alone(i) {
                continue;
            }
            let Some(gap) = self.gap_between(i, v, h) else { continue };
            let fall = self.first_fall_of(i, gap, by_stages);
            if let Some(tau) = fall
                && first.is_none_or(|f| tau < f.tau)
            {
                first = Some(Found { tau, said: tau, what: What::Collision, contact: i });
            }
        }
        let first = self.first_of_groups(h, path, first);
        Ok(first.or_else(|| self.missed(h, path.pick(&self.w.m1, &self.w.m0))))
    }

    /// When contact `i` with the gap `gap` falls first.
    pub(super) fn first_fall_of(&self, i: usize, gap: Hermite, by_stages: bool) -> Option<f64> {
        if by_stages && self.is_at_both_ends(i) {
            self.first_fall_by_stages(i, gap)
        } else {
            gap.first_fall(self.gap_zero)
        }
    }

    /// Follows `path` for the time `tau`.
    pub(super) fn follow(&mut self, path: Path, tau: f64) -> Result<()> {
        match path {
            Path::Modes => self.path(tau),
            // Its problem alone is to be written down again.
            Path::Lcp if self.w.followed.is_lcp(tau) => self.prepare(self.method, tau),
            Path::Lcp => {
                self.step_lcp(tau)?;
                self.project_step(tau)?;
                self.w.followed.keep_lcp(tau);
                Ok(())
            }
        }
    }

    /// The first collision on `path` within `h`, at its time on the path itself. The end of the
    /// path has been computed.
    pub(super) fn collision_on(&mut self, path: Path, h: f64) -> Result<Option<Found>> {
        let first = self.first_real_collision(path, h, RELOCATIONS)?;
        for look in self.w.looked_into.iter_mut().filter(|l| **l == Look::Collides) {
            *look = Look::Not;
        }
        Ok(first)
    }

    /// `again`: how often the path up to a collision is searched for earlier ones.
    pub(super) fn first_real_collision(
        &mut self,
        path: Path,
        h: f64,
        again: u32,
    ) -> Result<Option<Found>> {
        let mut first: Option<Found> = None;
        self.w.heights.clear();
        while let Some(found) = self.first_collision(h, path)? {
            if found.what == What::Part {
                let found = self.on_part(path, found, again)?;
                return Ok(first.filter(|f| f.tau < found.tau).or(Some(found)));
            }
            let other = found.what == What::Branch;
            if found.tau >= h * SHORTEST || other || !self.leaves(found.contact) {
                // exact: below from the start
                let refined = match found.what {
                    _ if found.tau == 0.0 => found,
                    What::Branch => self.refine_branch(path, h, found)?,
                    _ => self.refine_collision(path, h, found)?,
                };
                if refined.tau > 0.0 && refined.tau <= self.instant {
                    self.see_at_start(refined.contact)?;
                }
                if self.is_there(refined) && self.closes(refined, h) {
                    let found = first.filter(|f| f.tau < refined.tau).unwrap_or(refined);
                    return Ok(Some(self.or_earlier(path, found, again)?));
                }
                // It is over, or not yet, where its line said that it collides.
                self.w.looked_into[found.contact] = Look::Rises;
                self.follow(path, h)?;
                continue;
            }
            self.list_falling_at_once(path, h);
            let back = self.return_of(path, h, found)?;
            self.look_into_listed();
            self.w.looked_into[found.contact] =
                if back.is_some() { Look::Collides } else { Look::Rises };
            // Others may come before.
            first = match (first, back) {
                (Some(f), Some(b)) => Some(if b.tau < f.tau { b } else { f }),
                (f, b) => f.or(b),
            };
            self.follow(path, h)?;
        }
        Ok(first)
    }

    /// The collision `found`, or one before it that only the cubics of the path up to it show.
    fn or_earlier(&mut self, path: Path, found: Found, again: u32) -> Result<Found> {
        if again == 0 || found.tau <= self.instant {
            return Ok(found);
        }
        self.follow(path, found.tau)?;
        let look = self.w.looked_into[found.contact];
        let earlier = self.first_real_collision(path, found.tau, again - 1)?;
        // One that its host reports from this time on is not reported a rounding earlier: that it is
        // not found there says nothing about other paths.
        self.w.looked_into[found.contact] = look;
        Ok(earlier.filter(|f| f.tau < found.tau).unwrap_or(found))
    }

    /// The earliest event on `path` within `h`. The end of the path has been computed.
    pub(super) fn earliest(&mut self, path: Path, h: f64) -> Result<Option<Found>> {
        let mut found = self.collision_on(path, h)?;
        if path == Path::Lcp {
            return Ok(found);
        }
        let whole = found.map_or(h, |f| f.tau);
        self.list_slowing(whole)?;
        for place in 0..self.w.slowing.len() {
            let this = self.w.slowing[place];
            // The others stop later still.
            if this.earliest() * whole > found.map_or(whole, |f| f.tau) {
                break;
            }
            // Those that slip alike stop together: one of them is followed.
            if self.w.slowing[..place].iter().any(|before| before.like(&this)) {
                continue;
            }
            let i = this.contact;
            if let Some(f) = self.end_of_slip(i, h, found.map_or(h, |f| f.tau))? {
                found = Some(f);
            }
        }
        for i in 0..self.w.brakes.m0.len() {
            if let Some(f) = self.end_of_brake_slip(i, h, found.map_or(h, |f| f.tau))? {
                found = Some(f);
            }
        }
        let tau = found.map_or(h, |f| f.tau);
        if tau > self.instant
            && let Some(f) = self.change_of_force(h, tau)?
        {
            found = Some(f);
        }
        match found {
            Some(f) if f.what != What::Collision && f.tau > self.instant && self.may_collide() => {
                self.follow(path, f.tau)?;
                Ok(self.collision_on(path, f.tau)?.or(found))
            }
            _ => Ok(found),
        }
    }

    /// Whether there are contacts that the path of modes does not hold closed.
    fn may_collide(&self) -> bool {
        self.host.is_hosted() || self.w.m0.iter().any(|m| !m.held())
    }

    /// The time at which the gap is closed on the path itself, by secants from the root of its
    /// cubic.
    fn refine_collision(&mut self, path: Path, h: f64, found: Found) -> Result<Found> {
        let i = found.contact;
        let base = self.w.start.geometry.gap[i].min(0.0);
        self.refine(h, found, base, |run, tau| run.gap_after(path, tau, i))
    }

    /// The time near that of `found` at which a falling function, given with its rate, is `base`.
    pub(super) fn refine(
        &mut self,
        h: f64,
        found: Found,
        base: f64,
        mut gap_after: impl FnMut(&mut Self, f64) -> Result<(f64, f64)>,
    ) -> Result<Found> {
        /// Secants converge in three or four.
        const MOST: usize = 8;
        let (mut gap, mut rate) = gap_after(self, found.tau)?;
        let mut tau = found.tau;
        for _ in 0..MOST {
            if (gap - base).abs() <= tol::PROJECTED * self.set.length || rate >= 0.0 {
                break;
            }
            let next = (tau - (gap - base) / rate).clamp(0.5 * found.tau, h);
            // exact: no change left
            if next == tau {
                break;
            }
            let (last, last_gap) = (tau, gap);
            tau = next;
            (gap, rate) = gap_after(self, tau)?;
            // The slope between the last two points is that of the path; the rate at its end is only near it.
            let secant = (gap - last_gap) / (tau - last);
            if secant.is_finite() && secant < 0.0 {
                rate = secant;
            }
        }
        Ok(Found { tau, said: tau, ..found })
    }

    /// The time before `latest` at which contact `i` stops slipping on the path of modes: where its
    /// speed against the direction of friction changes sign. In space that may also be a slip that
    /// has turned by a right angle, which is no stop.
    fn end_of_slip(&mut self, i: usize, h: f64, latest: f64) -> Result<Option<Found>> {
        let along = match self.w.m0[i] {
            Mode::Slip(k) if self.w.mu[i] > 0.0 => usize::from(k),
            _ => return Ok(None),
        };
        if latest <= self.instant {
            return Ok(None);
        }
        if self.turns(i) {
            return self.stop_in_space(i, along, latest);
        }
        let stopped = |tau| Ok(Some(Found { tau, said: tau, what: What::Stick, contact: i }));
        let end = self.slip_after(latest, i, along)?;
        if end >= 0.0 {
            return Ok(None);
        }
        let w = &*self.w;
        let mut from = (0.0, -w.start.geometry.tangent(i, along).dot(&w.start.v));
        if from.1 <= self.v_zero {
            match self.moves_after(latest, |run, tau| run.slip_after(tau, i, along))? {
                Some(moving) => from = moving,
                None => return stopped(0.0),
            }
        }
        let width = f64::EPSILON * h;
        let tau = bracketed(from, (latest, end), width, |tau| self.slip_after(tau, i, along))?;
        if self.host.dims.n_dir > 2 && !self.rests_after(tau, i, from.1)? {
            return Ok(None);
        }
        stopped(tau)
    }

    /// For a slip that starts from rest: a time before `latest` at which it goes in its direction at
    /// all, and its speed then.
    pub(super) fn moves_after(
        &mut self,
        latest: f64,
        mut slip_after: impl FnMut(&mut Self, f64) -> Result<f64>,
    ) -> Result<Option<(f64, f64)>> {
        let (mut before, mut alike) = (f64::NAN, 0);
        for power in [1, 2, 3, 4, 6, 8, 10] {
            let tau = latest * 0.5f64.powi(power);
            let slip = slip_after(self, tau)?;
            if slip > 0.0 {
                return Ok(Some((tau, slip)));
            }
            // In proportion to the time it goes the other way from the start.
            let [least, most] = tol::LIKE_THE_TIME;
            alike = if before <= least * slip && before >= most * slip { alike + 1 } else { 0 };
            if alike == 2 {
                break;
            }
            before = slip;
        }
        Ok(None)
    }

    /// Whether contact `i` slips at the start of the piece and friction follows its slip round.
    pub(super) fn turns(&mut self, i: usize) -> bool {
        let (w, n_dir) = (&*self.w, self.host.dims.n_dir);
        let g = &w.start.geometry;
        // Beyond the contacts are the brakes, which have one direction.
        n_dir > 2
            && i < w.m0.len()
            && self.method.aligns()
            && g.slip(i, &w.start.v).0 > self.v_zero
            && self.host.scratch.slip_vector(g, i, &w.start.v).is_some()
    }

    /// Whether contact `i`, which began with the slip speed `first`, has hardly any left at the
    /// time `tau` on the path of modes.
    fn rests_after(&mut self, tau: f64, i: usize, first: f64) -> Result<bool> {
        self.path(tau)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + tau, &w.qp, &mut w.probe)?;
        Ok(w.probe.slip(i, &w.vp).0 <= (tol::STOPPED * first).max(self.v_zero))
    }

    /// Slip speed of contact `i` against direction `along` at the time `tau` on the path of modes.
    fn slip_after(&mut self, tau: f64, i: usize, along: usize) -> Result<f64> {
        self.path(tau)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + tau, &w.qp, &mut w.probe)?;
        Ok(-w.probe.tangent(i, along).dot(&w.vp))
    }

    /// The time before `latest` at which forces no longer agree with the modes of the path; the end
    /// at which they disagree, so that the new modes are definite.
    fn change_of_force(&mut self, h: f64, latest: f64) -> Result<Option<Found>> {
        /// Bisection alone would need twenty.
        const MOST: usize = 40;
        let zero = tol::MODE_ACCELERATION;
        self.path(latest)?;
        let mut worst = self.violation_at(latest, true)?;
        if worst <= zero {
            return Ok(None);
        }
        let changed = |tau, said| Ok(Some(Found { tau, said, what: What::Force, contact: 0 }));
        if self.violation_here()? > zero {
            return changed(0.0, 0.0);
        }
        let (mut lo, mut hi) = (0.0, latest);
        let mut before: Option<(f64, f64)> = None;
        let width = tol::FORCE_EVENT * h;
        for _ in 0..MOST {
            if hi - lo <= width {
                break;
            }
            let mut x = 0.5 * (lo + hi);
            // Secant through the last two points that disagree; a little further, so as to end on their side.
            if let Some((tau, w)) = before
                && w > worst
            {
                let secant = hi - worst * (tau - hi) / (w - worst) + 0.3 * width;
                if secant > lo && secant < hi {
                    x = secant;
                }
            }
            self.path(x)?;
            let w = self.violation_at(x, true)?;
            if w > zero {
                before = Some((hi, worst));
                (hi, worst) = (x, w);
            } else {
                lo = x;
            }
        }
        // The line through the last two points shows where the disagreement began.
        let said = match before {
            Some((tau, w)) if w > worst => hi - worst * (tau - hi) / (w - worst),
            _ => hi,
        };
        changed(hi, said.clamp(0.0, hi))
    }

    /// q1, v1 := the Hermite interpolant of the step by complementarity at `tau`. Needs dq/dt = v.
    pub(super) fn interpolate(&mut self, h: f64, tau: f64) {
        let w = &mut *self.w;
        let s = tau / h;
        let (q0, v0) = (&w.start.q, &w.start.v);
        let (a, b) = ((1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * (1.0 - s) * (1.0 - s) * h);
        let (c, d) = (s * s * (3.0 - 2.0 * s), s * s * (s - 1.0) * h);
        let slope = 6.0 * s * (1.0 - s) / h;
        let (from, to) = ((1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0));
        for i in 0..q0.len() {
            let (q1, v1) = (w.q1[i], w.v1[i]);
            w.q1[i] = a * q0[i] + b * v0[i] + c * q1 + d * v1;
            w.v1[i] = slope * (q1 - q0[i]) + from * v0[i] + to * v1;
            w.lcp_effort.travel[i] = w.q1[i] - q0[i];
        }
    }
}
