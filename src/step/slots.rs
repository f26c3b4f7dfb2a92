//! Contacts that come and go in a fixed number of slots: which key has which slot, what a slot
//! holds where the host does not report its contact. Knows no complementarity.
//!
//! A key keeps its slot from the first point at which it is seen to the end of the last step in
//! which it is; modes, bases and events are those of the slot. The rules are in the chapter on
//! contacts that come and go of the theory.

use super::host::{Geometry, Host, Scratch};
use super::locate::Hermite;
use super::options::Settings;
use super::run::Run;
use super::state::{Contact, Half, Mode, State};
use crate::error::{Error, Result, reserve};
use crate::linalg::max_abs;
use crate::model::Model;
use crate::tol;

/// Slots that a stepper starts with, unless the model needs fewer.
pub(super) const FIRST: usize = 16;

/// Times the declared number of contacts that may be met in one step: keys that appear and vanish
/// on the way need slots of their own.
const TURNOVER: usize = 4;

/// The most slots of a model with up to `hosted` contacts at a point.
pub(super) fn most(hosted: usize) -> usize {
    hosted.saturating_mul(TURNOVER)
}

/// Keys and their slots. Slots are numbered from zero here, behind the fixed contacts elsewhere.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// Key and slot, ascending by key.
    table: Vec<(i64, usize)>,
    /// Key per slot; none for a free one.
    keys: Vec<Option<i64>>,
    /// Per slot: the group whose branch acts in it.
    ///
    /// Whether, and which: an empty option would leave a number unset that compilers compare before they ask whether it is there, and
    /// tools that look for such numbers complain.
    acting: Vec<(bool, i64)>,
    /// Slots that the last step needed and did not have; 0 when it had enough.
    pub wanted: usize,
}

impl Slots {
    pub(super) fn new(n: usize) -> Result<Self> {
        let mut keys = reserve(n)?;
        keys.resize(n, None);
        let mut acting = reserve(n)?;
        acting.resize(n, (false, 0));
        Ok(Self { table: reserve(n)?, keys, acting, wanted: 0 })
    }

    /// Whether they hold what `other` holds.
    pub(super) fn are_like(&self, other: &Slots) -> bool {
        (&self.table, &self.keys, &self.acting) == (&other.table, &other.keys, &other.acting)
    }

    /// Number of slots, free or not.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn key(&self, slot: usize) -> Option<i64> {
        self.keys.get(slot).copied().flatten()
    }

    pub(super) fn find(&self, key: i64) -> Option<usize> {
        let place = self.table.binary_search_by_key(&key, |&(k, _)| k).ok()?;
        Some(self.table[place].1)
    }

    /// Frees all slots.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.keys.fill(None);
        self.acting.fill((false, 0));
    }

    /// The group whose branch acts in `slot`.
    pub(super) fn acting(&self, slot: usize) -> Option<i64> {
        self.acting.get(slot).and_then(|&(acts, group)| acts.then_some(group))
    }

    /// Makes the contact in `slot` the one that acts for `group`, or one that does not act.
    pub(super) fn act(&mut self, slot: usize, group: Option<i64>) {
        if let Some(acting) = self.acting.get_mut(slot) {
            *acting = group.map_or((false, 0), |group| (true, group));
        }
    }

    /// Takes over `other`, which has at most as many slots.
    pub(super) fn copy_from(&mut self, other: &Slots) {
        self.table.clear();
        self.table.extend_from_slice(&other.table);
        let (taken, rest) = self.keys.split_at_mut(other.keys.len());
        taken.copy_from_slice(&other.keys);
        rest.fill(None);
        let (acting, rest) = self.acting.split_at_mut(other.acting.len());
        acting.copy_from_slice(&other.acting);
        rest.fill((false, 0));
        self.wanted = 0;
    }

    /// Keys and slots, ascending by key.
    pub(super) fn taken(&self) -> &[(i64, usize)] {
        &self.table
    }

    /// Gives `key` the given slot; false when the slot or the key is taken or there is no such
    /// slot.
    pub(super) fn put(&mut self, key: i64, slot: usize) -> bool {
        let place = self.table.binary_search_by_key(&key, |&(k, _)| k);
        let (Err(place), Some(free @ None)) = (place, self.keys.get_mut(slot)) else {
            return false;
        };
        *free = Some(key);
        self.table.insert(place, (key, slot));
        true
    }

    /// Gives `key` the lowest free slot unless it has one; false when there is none.
    fn admit(&mut self, key: i64) -> bool {
        if self.find(key).is_some() {
            return true;
        }
        let free = self.keys.iter().position(Option::is_none);
        free.is_some_and(|slot| self.put(key, slot))
    }

    fn free(&mut self, slot: usize) {
        if let Some(key) = self.keys.get_mut(slot).and_then(Option::take)
            && let Ok(place) = self.table.binary_search_by_key(&key, |&(k, _)| k)
        {
            self.table.remove(place);
        }
        self.act(slot, None);
    }

    /// How many slots a step needs that wants `self.wanted`, of a model with up to `hosted`
    /// contacts at a point.
    ///
    /// # Errors
    /// `Capacity` when there are more than such a model can need.
    pub(super) fn enough(&self, hosted: usize) -> Result<usize> {
        let most = most(hosted);
        if self.wanted > most {
            let what = "contact keys seen in one step";
            return Err(Error::Capacity { what, needed: self.wanted, have: most });
        }
        // Doubled, so that a growing scene does not repeat every step.
        Ok(self.wanted.max(2 * self.len()).min(most))
    }
}

impl Settings {
    /// Distance up to which the host must report contacts during a step of length `h` from `state`,
    /// (step.61); zero for models without such contacts, so that a change of it tells nothing.
    pub(super) fn margin(&self, h: f64, state: &State, model: &dyn Model) -> f64 {
        if state.slots.len() == 0 {
            return 0.0;
        }
        let by_coordinates = || tol::MARGIN_WAY * max_abs(&state.v) * self.length.max(1.0);
        let by_points = model.fastest_point(&state.v).map(|v| tol::MARGIN_POINTS * v);
        margin(self.contact_margin, h * by_points.unwrap_or_else(by_coordinates))
    }
}

fn margin(least: f64, way: f64) -> f64 {
    // Rounded up to a power of two, so that the point a step ends at serves the next one.
    let rounded = if way > 0.0 { way.log2().ceil().exp2() } else { 0.0 };
    (least + rounded).min(f64::MAX)
}

impl State {
    /// Whether contact `i` is there: always for fixed gaps.
    pub(super) fn has_contact(&self, i: usize) -> bool {
        let fixed = self.contacts.len() - self.slots.len();
        i < fixed || self.slots.key(i - fixed).is_some()
    }
}

impl Geometry {
    /// Forgets the contacts behind the `fixed` first ones that are not reported here.
    pub(super) fn open_absent(&mut self, fixed: usize) {
        for i in fixed..self.present.len() {
            if !self.present[i] {
                self.open(i);
            }
        }
    }

    /// Takes the contact at `i` over from `other`, as one that is not reported here.
    fn copy_contact(&mut self, other: &Geometry, i: usize) -> Result<()> {
        self.copy_branch(other, i);
        self.gap_t[i] = other.gap_t[i];
        self.take_contact(i, other)
    }
}

impl Scratch {
    /// Keeps the contacts of `g`, behind the `fixed` first ones, for points at which they are not
    /// reported.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn freeze(&mut self, g: &Geometry, fixed: usize) -> Result<()> {
        self.frozen.clear_slots();
        for i in fixed..g.present.len() {
            self.frozen.present[i] = g.present[i];
            if g.present[i] {
                self.frozen.copy_contact(g, i)?;
            }
        }
        Ok(())
    }
}

impl Host<'_> {
    /// Whether the model has contacts that come and go.
    pub(super) fn is_hosted(&self) -> bool {
        self.fixed < self.dims.n_contact
    }

    /// Asks for the contacts at (t, q) and puts them into their slots, new keys into new ones if they
    /// are admitted.
    ///
    /// # Errors
    /// Those of the model; `Capacity` when there are not enough slots, and `wanted` says how many
    /// would do.
    pub(super) fn fill_slots(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let s = &mut *self.scratch;
        self.asked.contacts(t, q, self.margin, &mut s.pushed)?;
        let (n, admits) = (s.pushed.len(), self.admits);
        let missing = (0..n).filter(|&k| admits && !s.slots.admit(s.pushed.key(k))).count();
        if missing > 0 {
            let (what, have) = ("slots for contacts", s.slots.len());
            let needed = have + missing;
            s.slots.wanted = needed;
            return Err(Error::Capacity { what, needed, have });
        }
        g.present[self.fixed..].fill(false);
        g.clear_slots();
        g.begin_branches(&s.pushed);
        for k in 0..s.pushed.len() {
            let Some(slot) = s.slots.find(s.pushed.key(k)) else { continue };
            let i = self.fixed + slot;
            if s.patches.hides(i) {
                continue;
            }
            g.present[i] = true;
            g.gap[i] = s.pushed.gap(k);
            g.mu[i] = s.pushed.mu(k);
            g.restitution[i] = s.pushed.restitution(k);
            g.put(i, &s.pushed, k)?;
            g.set_branch(i, &s.pushed, k, s.slots.acting(slot));
        }
        Ok(())
    }

    /// What the slots hold whose contacts are not reported at this point: those of the start of the
    /// piece what they were there, the others nothing.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn fill_absent(&mut self, g: &mut Geometry) -> Result<()> {
        for i in self.fixed..g.present.len() {
            if g.present[i] {
                continue;
            }
            if self.scratch.frozen.present[i] {
                g.copy_contact(&self.scratch.frozen, i)?;
            } else {
                g.open(i);
            }
        }
        Ok(())
    }

    /// d gap/dt of the contacts in slots, by central differences between `before` and `after`; zero
    /// for one that is not reported at both.
    pub(super) fn slot_rates(
        &mut self,
        (before, after): (f64, f64),
        q: &[f64],
        g: &mut Geometry,
    ) -> Result<()> {
        let s = &mut *self.scratch;
        g.gap_t[self.fixed..].fill(f64::INFINITY);
        s.gap[self.fixed..].fill(f64::INFINITY);
        for (t, gaps) in [(after, &mut g.gap_t), (before, &mut s.gap)] {
            self.asked.contacts(t, q, self.margin, &mut s.pushed)?;
            for k in 0..s.pushed.len() {
                if let Some(slot) = s.slots.find(s.pushed.key(k)) {
                    gaps[self.fixed + slot] = s.pushed.gap(k);
                }
            }
        }
        for i in self.fixed..g.present.len() {
            let known = g.present[i] && g.gap_t[i].is_finite() && s.gap[i].is_finite();
            g.gap_t[i] = if known { (g.gap_t[i] - s.gap[i]) / (after - before) } else { 0.0 };
        }
        Ok(())
    }

    /// The host's key of contact `i`.
    pub(super) fn key(&self, i: usize) -> i64 {
        match i.checked_sub(self.fixed) {
            Some(slot) => self.scratch.slots.key(slot).unwrap_or(-1),
            None => self.asked.model().key(i),
        }
    }
}

impl Run<'_> {
    /// Contacts that are not reported where the piece starts are over; the others bring their
    /// coefficients.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn meet(&mut self) -> Result<()> {
        if !self.host.is_hosted() {
            return Ok(());
        }
        let fixed = self.host.fixed;
        self.w.start.geometry.open_absent(fixed);
        self.choose_branches();
        let w = &mut *self.w;
        let g = &mut w.start.geometry;
        for i in fixed..g.present.len() {
            if g.present[i] {
                (w.mu[i], w.restitution[i]) = (g.mu[i], g.restitution[i]);
            }
            if g.present[i] && !g.rests(i) {
                continue;
            }
            // A branch that does not act is over like one that is not there.
            let contact = &mut self.state.contacts[i];
            if g.present[i] {
                contact.half = Half::NONE;
            }
            if contact.mode.active() {
                contact.mode = Mode::Open;
                self.state.stale = true;
            }
        }
        self.host.scratch.freeze(g, fixed)
    }

    /// Frees the slots of contacts that are not reported at the end of the step.
    pub(super) fn part(&mut self) {
        let fixed = self.host.fixed;
        for i in fixed..self.state.contacts.len() {
            if !self.w.start.geometry.present[i] {
                self.host.scratch.slots.free(i - fixed);
                self.state.contacts[i] = Contact::FREE;
            }
        }
    }

    /// The gap of contact `i` between the start of the piece and the point `probe`, where the
    /// velocity is `v`, `h` later: a cubic. For one that is reported at one of them only, the line
    /// through it there, (step.62); nothing where that line tells of no collision.
    pub(super) fn gap_between(&self, i: usize, v: &[f64], h: f64) -> Option<Hermite> {
        let (w, here) = (&*self.w, &self.w.start.geometry);
        let first = || (here.own_gap(i), here.gap_rate(i, &w.start.v));
        let last = || (w.probe.own_gap(i), w.probe.gap_rate(i, v));
        match (here.present[i], w.probe.present[i]) {
            (true, true) => {
                let ((f0, g0), (f1, g1)) = (first(), last());
                Some(Hermite { f0, g0, f1, g1, h })
            }
            (true, false) => {
                let (f0, g0) = first();
                (f0 > self.gap_zero).then_some(Hermite { f0, g0, f1: f0 + h * g0, g1: g0, h })
            }
            (false, true) => {
                let (f1, g1) = last();
                let f0 = f1 - h * g1;
                (f0 > 0.0).then_some(Hermite { f0, g0: g1, f1, g1, h })
            }
            (false, false) => None,
        }
    }

    /// Contact `found` collides less than an instant after the start of the piece, at `probe`: if it is not
    /// reported at the start but there, it is taken over from there, with the branches of its group. A host may see nothing at a gap of
    /// one rounding.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn see_at_start(&mut self, found: usize) -> Result<()> {
        self.w.followed.forget();
        for i in self.host.fixed..self.w.probe.present.len() {
            let w = &mut *self.w;
            let wanted =
                i == found || w.members.of[i].is_some() && w.members.of[i] == w.members.of[found];
            if !wanted || w.start.geometry.present[i] || !w.probe.present[i] {
                continue;
            }
            w.start.geometry.copy_branch(&w.probe, i);
            w.start.geometry.take_contact(i, &w.probe)?;
            w.start.geometry.gap_t[i] = w.probe.gap_t[i];
            w.start.geometry.present[i] = true;
            (w.mu[i], w.restitution[i]) = (w.probe.mu[i], w.probe.restitution[i]);
        }
        self.choose_branches();
        Ok(())
    }

    /// Whether contact `i` is reported at both ends of the path that was searched last, and alone.
    pub(super) fn is_at_both_ends(&self, i: usize) -> bool {
        self.is_alone(i) && self.w.start.geometry.present[i] && self.w.probe.present[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_its_slot_and_a_free_slot_is_taken_from_below() {
        let mut s = Slots::new(3).unwrap();
        assert!(s.admit(50) && s.admit(-2) && s.admit(50) && s.admit(9));
        assert_eq!((s.find(50), s.find(-2), s.find(9)), (Some(0), Some(1), Some(2)));
        assert!(!s.admit(1));
        s.free(1);
        assert_eq!((s.find(-2), s.key(1)), (None, None));
        assert!(s.admit(1));
        assert_eq!((s.find(1), s.find(50), s.find(9)), (Some(1), Some(0), Some(2)));
        let mut t = Slots::new(5).unwrap();
        t.copy_from(&s);
        assert_eq!((t.find(9), t.key(4)), (Some(2), None));
        assert!(!t.put(9, 4) && !t.put(10, 2) && !t.put(10, 5) && t.put(10, 4));
    }

    #[test]
    fn the_margin_covers_the_way_of_a_step_and_hardly_changes_from_step_to_step() {
        let at = |v: f64| margin(0.01, 0.1 * tol::MARGIN_POINTS * v);
        assert_eq!(at(0.0), 0.01);
        assert!(at(2.0) > 0.01 + 0.1 * 2.0);
        assert_eq!(at(2.0), at(2.1));
    }
}
