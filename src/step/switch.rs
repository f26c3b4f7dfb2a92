//! Groups along a path: when all branches are below, when another one takes over, and whether a
//! step without location went by the wrong one. Knows no method.

use super::branch::{Member, groups};
use super::locate::{Hermite, first_joint_fall};
use super::options::EventLevel;
use super::resolve::Progress;
use super::run::{Run, no_solution};
use super::search::{Found, Look, Path, What};
use super::state::Mode;
use crate::error::Result;

/// Changes of branches at one instant after which complementarity decides.
const INSTANTS: u32 = 3;

impl Run<'_> {
    /// Lists the branches of the start and of `probe`.
    pub(super) fn list_members(&mut self) {
        let w = &mut *self.w;
        w.members.gather(&self.host.scratch.slots, &[&w.start.geometry, &w.probe]);
    }

    /// `first`, or what a group does before: it collides where the last of its branches falls,
    /// (step.66), and another branch takes over where it is further open than one in use, (step.67).
    pub(super) fn first_of_groups(
        &self,
        h: f64,
        path: Path,
        mut first: Option<Found>,
    ) -> Option<Found> {
        let w = &*self.w;
        let modes = path.pick(&w.m1, &w.m0);
        let v = path.pick(&w.v1, &w.vp);
        let mut see = |tau: Option<f64>, what: What, contact: usize| {
            if let Some(tau) = tau
                && first.is_none_or(|f| tau < f.tau)
            {
                first = Some(Found { tau, said: tau, what, contact });
            }
        };
        for branches in groups(&w.members.list).filter(|b| b.len() > 1) {
            let acting = branches.iter().find(|m| self.acts(m)).map(|m| m.2);
            if let Some(i) = acting.filter(|&i| self.state.contacts[i].mode.active()) {
                for m in branches.iter().filter(|m| m.2 != i) {
                    see(
                        self.lead_between(i, m.2, v, h).first_fall(self.gap_zero),
                        What::Branch,
                        m.2,
                    );
                }
            }
            let lead = acting.unwrap_or(branches[0].2);
            let held = acting.is_some_and(|i| modes[i].held());
            if !held && w.looked_into[lead] == Look::Not {
                see(self.group_fall(branches, acting, v, h), What::Collision, lead);
            }
        }
        first
    }

    /// The gap of branch `i` on the way to `probe`, by the cubic or by the line through the end that
    /// is known.
    fn branch_between(&self, i: usize, v: &[f64], h: f64) -> Hermite {
        let (w, here) = (&*self.w, &self.w.start.geometry);
        let first = || (here.own_gap(i), here.gap_rate(i, &w.start.v));
        let last = || (w.probe.own_gap(i), w.probe.gap_rate(i, v));
        match (here.present[i], w.probe.present[i]) {
            (true, true) => {
                let ((f0, g0), (f1, g1)) = (first(), last());
                Hermite { f0, g0, f1, g1, h }
            }
            (true, false) => {
                let (f0, g0) = first();
                Hermite { f0, g0, f1: f0 + h * g0, g1: g0, h }
            }
            (false, _) => {
                let (f1, g1) = last();
                Hermite { f0: f1 - h * g1, g0: g1, f1, g1, h }
            }
        }
    }

    /// How much further branch `i` is open than `other`.
    fn lead_between(&self, i: usize, other: usize, v: &[f64], h: f64) -> Hermite {
        let (a, b) = (self.branch_between(i, v, h), self.branch_between(other, v, h));
        Hermite { f0: a.f0 - b.f0, g0: a.g0 - b.g0, f1: a.f1 - b.f1, g1: a.g1 - b.g1, h }
    }

    /// When all `branches` have fallen below zero, or below where the group is at the start.
    fn group_fall(
        &self,
        branches: &[Member],
        acting: Option<usize>,
        v: &[f64],
        h: f64,
    ) -> Option<f64> {
        let (start, probe) = (&self.w.start.geometry, &self.w.probe);
        let cubic = |k: usize| self.branch_between(branches[k].2, v, h);
        let top = (0..branches.len()).fold(f64::NEG_INFINITY, |top, k| top.max(cubic(k).f0));
        // Seen at one end only: as with a contact alone.
        let at_end = branches.iter().any(|m| probe.present[m.2]);
        if (acting.is_none() && top <= 0.0) || (!at_end && top <= self.gap_zero) {
            return None;
        }
        let base = acting.map_or(0.0, |i| start.own_gap(i).min(0.0));
        first_joint_fall(branches.len(), |k| cubic(k).lowered(base), self.gap_zero)
    }

    /// The branch of the group of `i` that is furthest open at `probe`; `i` itself when it is alone.
    /// None where they are not reported.
    pub(super) fn highest(&self, i: usize) -> Option<usize> {
        let probe = &self.w.probe;
        if self.is_alone(i) {
            return probe.present[i].then_some(i);
        }
        let there = self.fellows(i).filter(|m| probe.present[m.2]).map(|m| m.2);
        there.reduce(|a, b| if probe.own_gap(b) > probe.own_gap(a) { b } else { a })
    }

    /// Whether the gap of a collision closes within the time `h` on the path itself. Gaps at stages, and
    /// the cubics between them, may say so a little earlier. `probe` is the point of the collision.
    pub(super) fn closes(&self, found: Found, h: f64) -> bool {
        let (start, there) = (&self.w.start.geometry, &self.w.probe);
        let i = found.contact;
        // exact: secants that lead beyond the end stop there
        found.tau < h || there.gap[i] - start.gap[i].min(0.0) <= self.gap_zero
    }

    /// Whether the contact of a collision is reported where it happens. `probe` is that point.
    pub(super) fn is_there(&self, found: Found) -> bool {
        let (start, there) = (&self.w.start.geometry, &self.w.probe);
        let i = found.contact;
        let at = if found.tau <= self.instant { start } else { there };
        at.present[i] || self.fellows(i).any(|m| at.present[m.2])
    }

    /// Gap of contact `i`, or of its group, and its rate at the time `tau` on the path; far away when it
    /// is not reported there.
    pub(super) fn gap_after(&mut self, path: Path, tau: f64, i: usize) -> Result<(f64, f64)> {
        self.reach_point(path, tau)?;
        let Some(i) = self.highest(i) else { return Ok((f64::INFINITY, 0.0)) };
        let w = &*self.w;
        let v = path.pick(&w.v1, &w.vp);
        Ok((w.probe.own_gap(i), w.probe.gap_rate(i, v)))
    }

    /// Follows `path` for the time `tau`; the geometry there is at `probe`.
    pub(super) fn reach_point(&mut self, path: Path, tau: f64) -> Result<()> {
        self.follow(path, tau)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + tau, path.pick(&w.q1, &w.qp), &mut w.probe)
    }

    /// The time at which branch `found.contact` takes over, on the path itself.
    pub(super) fn refine_branch(&mut self, path: Path, h: f64, found: Found) -> Result<Found> {
        let (i, other) = (self.acting(found.contact), found.contact);
        let g = &self.w.start.geometry;
        let base = if g.present[other] { (g.own_gap(i) - g.own_gap(other)).min(0.0) } else { 0.0 };
        self.refine(h, found, base, |run, tau| {
            run.follow(path, tau)?;
            let w = &mut *run.w;
            let (q, v) = if path == Path::Lcp { (&w.q1, &w.v1) } else { (&w.qp, &w.vp) };
            run.host.geometry(run.state.t + tau, q, &mut w.probe)?;
            let p = &w.probe;
            Ok((p.own_gap(i) - p.own_gap(other), p.gap_rate(i, v) - p.gap_rate(other, v)))
        })
    }

    /// Another branch takes over at the start of a piece.
    pub(super) fn hand_over_now(&mut self, i: usize, p: &mut Progress) {
        p.instants += 1;
        if p.instants > INSTANTS {
            p.events = self.set.max_events;
        }
        self.hand_over(i);
    }

    /// The piece of length `h` by complementarity; where nothing is located, by other branches if those
    /// that acted pushed although others are open at its end, and the way there is free: (step.68).
    pub(super) fn step_by_branches(&mut self, h: f64) -> Result<()> {
        self.step_lcp(h)?;
        if self.set.events != EventLevel::None || !self.w.start.geometry.has_branches() {
            return Ok(());
        }
        self.find_wrong_branches(h)?;
        if self.w.members.handed.is_empty() {
            return Ok(());
        }
        for k in 0..self.w.members.handed.len() {
            let (from, to) = self.w.members.handed[k];
            self.exchange(from, to)?;
        }
        match self.step_lcp(h) {
            Ok(()) => self.keep_wrong_again(h)?,
            // That there is no solution this way says nothing against the first one.
            Err(e) if no_solution(&e) => {}
            Err(e) => return Err(e),
        }
        if self.w.members.handed.is_empty() {
            return Ok(());
        }
        for k in 0..self.w.members.handed.len() {
            let (from, to) = self.w.members.handed[k];
            self.exchange(to, from)?;
            self.state.contacts[from].mode = self.w.m0[from];
        }
        self.step_lcp(h)
    }

    /// Lists branches that pushed although another is open at the end of the piece.
    fn find_wrong_branches(&mut self, h: f64) -> Result<()> {
        let w = &mut *self.w;
        self.host.geometry(self.state.t + h, &w.q1, &mut w.probe)?;
        self.list_members();
        let mut handed = std::mem::take(&mut self.w.members.handed);
        handed.clear();
        for (place, &i) in self.w.list.iter().enumerate() {
            let pushed = self.w.step.solver.normal()[place] > 0.0;
            let probe = &self.w.probe;
            if let Some(other) = self.highest(i).filter(|&other| pushed && other != i)
                && self.w.start.geometry.present[other]
                && probe.own_gap(other) > probe.own_gap(i).max(0.0) + self.gap_zero
            {
                handed.push((i, other));
            }
        }
        self.w.members.handed = handed;
        Ok(())
    }

    /// Keeps those exchanges in the list that did not help: the other branch pushes as well, or the
    /// group is below zero on the way.
    fn keep_wrong_again(&mut self, h: f64) -> Result<()> {
        let w = &mut *self.w;
        self.host.geometry(self.state.t + h, &w.q1, &mut w.probe)?;
        let mut handed = std::mem::take(&mut self.w.members.handed);
        handed.retain(|&(_, to)| {
            let w = &*self.w;
            let place = w.list.iter().position(|&i| i == to);
            let pushes = place.is_some_and(|place| w.step.solver.normal()[place] > 0.0);
            let group = w.members.of[to];
            let falls = groups(&w.members.list)
                .find(|b| Some(b[0].0) == group)
                .is_some_and(|b| self.group_fall(b, Some(to), &w.v1, h).is_some());
            pushes || falls
        });
        self.w.members.handed = handed;
        Ok(())
    }

    /// Lets `to` act in the place of `from` in the piece under way.
    ///
    /// # Errors
    /// `Memory`.
    fn exchange(&mut self, from: usize, to: usize) -> Result<()> {
        let fixed = self.host.fixed;
        self.w.followed.forget();
        let group = self.w.members.of[to];
        self.host.scratch.slots.act(from - fixed, None);
        self.host.scratch.slots.act(to - fixed, group);
        let g = &mut self.w.start.geometry;
        g.let_act(from, false);
        g.let_act(to, true);
        self.state.contacts[from].mode = Mode::Open;
        self.host.scratch.freeze(g, fixed)
    }
}
