//! Groups of contacts of which one gap is enough: which branch acts, and what the others are
//! meanwhile. Knows neither paths nor complementarity.
//!
//! A branch that does not act is like a contact that is not there: infinitely far for every
//! problem, with its own gap kept beside. The rules are in the chapter on groups of the theory.

use super::host::{Geometry, zeros};
use super::run::Run;
use super::slots::Slots;
use crate::error::{Result, reserve};
use crate::linalg::max_abs;
use crate::model::ContactSet;
use crate::tol;

/// What a point says of branches, per contact.
#[derive(Debug, Default)]
pub(super) struct Branches {
    /// Whether there are any.
    any: bool,
    group: Vec<Option<i64>>,
    /// The gap of the branch itself, and that of its group, (step.64).
    own: Vec<f64>,
    top: Vec<f64>,
}

impl Branches {
    pub(super) fn new(n_contact: usize) -> Result<Self> {
        let mut group = reserve(n_contact)?;
        group.resize(n_contact, None);
        Ok(Self { any: false, group, own: zeros(n_contact)?, top: zeros(n_contact)? })
    }
}

impl Geometry {
    pub(super) fn has_branches(&self) -> bool {
        self.branches.any
    }

    /// The contacts in `pushed` are about to be set.
    pub(super) fn begin_branches(&mut self, pushed: &ContactSet) {
        self.branches.any = pushed.has_groups();
    }

    /// Contact `i` is number `k` in `pushed`, its gap set; `acting` is the group that it acts for.
    pub(super) fn set_branch(
        &mut self,
        i: usize,
        pushed: &ContactSet,
        k: usize,
        acting: Option<i64>,
    ) {
        let group = pushed.group(k);
        self.branches.group[i] = group;
        if group.is_some() {
            self.branches.own[i] = self.gap[i];
            self.branches.top[i] = pushed.group_gap(k);
            self.let_act(i, acting == group);
        }
    }

    /// Makes branch `i` take part, or not.
    pub(super) fn let_act(&mut self, i: usize, acts: bool) {
        self.gap[i] = if acts { self.branches.own[i] } else { f64::INFINITY };
    }

    pub(super) fn copy_branch(&mut self, other: &Geometry, i: usize) {
        self.branches.group[i] = other.branches.group[i];
        self.branches.own[i] = other.branches.own[i];
        self.branches.top[i] = other.branches.top[i];
        self.branches.any |= self.branches.group[i].is_some();
    }

    /// Contact `i` is no branch from here on; whether it was.
    pub(super) fn leave_group(&mut self, i: usize) -> bool {
        self.branches.group[i].take().is_some()
    }

    pub(super) fn group(&self, i: usize) -> Option<i64> {
        self.branches.group[i]
    }

    /// Whether `i` is a branch that does not act.
    pub(super) fn rests(&self, i: usize) -> bool {
        // exact: a gap that the host gives is finite
        self.branches.group[i].is_some() && self.gap[i] == f64::INFINITY
    }

    /// The gap of contact `i` itself, whether it acts or not.
    pub(super) fn own_gap(&self, i: usize) -> f64 {
        if self.branches.group[i].is_some() { self.branches.own[i] } else { self.gap[i] }
    }

    /// Whether another branch of the group of `i` is further open here: then its gap says nothing of
    /// penetration.
    pub(super) fn is_lifted(&self, i: usize) -> bool {
        self.branches.group[i].is_some() && self.branches.top[i] > self.branches.own[i]
    }
}

/// One branch: its group, its key, its contact.
pub(super) type Member = (i64, i64, usize);

/// Branches of the points under consideration, group by group, by key in each.
#[derive(Debug)]
pub(super) struct Members {
    pub list: Vec<Member>,
    /// The group of a contact, if that has more branches.
    pub of: Vec<Option<i64>>,
    /// Branches that gave way to others in the piece under way, and those.
    pub handed: Vec<(usize, usize)>,
}

impl Members {
    pub(super) fn new(n_contact: usize) -> Result<Self> {
        let mut of = reserve(n_contact)?;
        of.resize(n_contact, None);
        Ok(Self { list: reserve(n_contact)?, of, handed: reserve(n_contact)? })
    }

    /// Lists the branches that are reported at one of `points`; the first tells the group.
    pub(super) fn gather(&mut self, slots: &Slots, points: &[&Geometry]) {
        if !self.list.is_empty() {
            self.list.clear();
            self.of.fill(None);
        }
        if !points.iter().any(|g| g.has_branches()) {
            return;
        }
        let fixed = self.of.len() - slots.len();
        for i in fixed..self.of.len() {
            let group = points.iter().find(|g| g.present[i]).and_then(|g| g.group(i));
            if let (Some(group), Some(key)) = (group, slots.key(i - fixed)) {
                self.list.push((group, key, i));
            }
        }
        self.list.sort_unstable();
        for branches in groups(&self.list).filter(|b| b.len() > 1) {
            for &(group, _, i) in branches {
                self.of[i] = Some(group);
            }
        }
    }
}

/// The branches of each group.
pub(super) fn groups(list: &[Member]) -> impl Iterator<Item = &[Member]> {
    list.chunk_by(|a, b| a.0 == b.0)
}

impl Run<'_> {
    /// Lets one branch of every group act where the piece starts, (step.65).
    pub(super) fn choose_branches(&mut self) {
        let (fixed, slots) = (self.host.fixed, &mut self.host.scratch.slots);
        let w = &mut *self.w;
        w.members.gather(slots, &[&w.start.geometry]);
        let (g, v) = (&mut w.start.geometry, &w.start.v);
        let still =
            tol::MODE_SPEED * max_abs(v) + tol::SPEED_ROUNDING * self.set.length / self.h_grid;
        for branches in groups(&w.members.list) {
            let top = branches.iter().fold(f64::NEG_INFINITY, |top, m| top.max(g.own_gap(m.2)));
            let rate = |m: &Member| g.gap_rate(m.2, v);
            let level = |m: &&Member| g.own_gap(m.2) >= top - self.gap_zero;
            let fastest = branches.iter().filter(level).map(rate).fold(f64::NEG_INFINITY, f64::max);
            let mut able = branches.iter().filter(level).filter(|m| rate(m) >= fastest - still);
            let held = |m: &&Member| slots.acting(m.2 - fixed) == Some(m.0);
            let Some(chosen) = able.clone().find(held).or_else(|| able.next()) else { continue };
            for &(group, _, i) in branches {
                let acts = i == chosen.2;
                slots.act(i - fixed, acts.then_some(group));
                g.let_act(i, acts);
            }
        }
    }

    /// Whether contact `i` is in no group, or is the only branch of it that is seen.
    pub(super) fn is_alone(&self, i: usize) -> bool {
        self.w.members.of[i].is_none()
    }

    /// Whether the branch `m` acts in the piece under way.
    pub(super) fn acts(&self, m: &Member) -> bool {
        let slot = m.2 - self.host.fixed;
        self.w.start.geometry.present[m.2] && self.host.scratch.slots.acting(slot) == Some(m.0)
    }

    /// The branches of the group of `i`; none when it is alone.
    pub(super) fn fellows(&self, i: usize) -> impl Iterator<Item = &Member> {
        // Brakes have numbers beyond those of contacts.
        let group = self.w.members.of.get(i).copied().flatten();
        self.w.members.list.iter().filter(move |m| Some(m.0) == group)
    }

    /// The branch that acts for the group of `i`, or `i` itself.
    pub(super) fn acting(&self, i: usize) -> usize {
        self.fellows(i).find(|m| self.acts(m)).map_or(i, |m| m.2)
    }

    /// From the next look on branch `i` acts, if it is as far open as others.
    pub(super) fn hand_over(&mut self, i: usize) {
        let (fixed, slots) = (self.host.fixed, &mut self.host.scratch.slots);
        let members = &self.w.members;
        for m in members.list.iter().filter(|m| Some(m.0) == members.of[i]) {
            slots.act(m.2 - fixed, (m.2 == i).then_some(m.0));
        }
        self.state.stale = true;
    }
}
