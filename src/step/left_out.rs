//! Steps without the contacts inside of patches: who is left out, the look at them at the end of the
//! step, and the step made again with those it needs. Knows no complementarity.

use super::geometry::Geometry;
use super::host::{Host, Scratch};
use super::options::ManyContacts;
use super::patch::{Patches, Surfaces};
use super::run::Run;
use super::state::{Half, Known, Mode};
use super::workspace::Workspace;
use crate::error::{Error, Result};
use crate::tol;

/// Friction and restitution where a step starts.
struct Given<'a>(&'a Workspace);

impl Surfaces for Given<'_> {
    fn of(&self, i: usize) -> [f64; 2] {
        [self.0.mu[i], self.0.restitution[i]]
    }
}

impl Scratch {
    /// Lets all contacts take part, at the end of a step or after it failed.
    pub(super) fn show_all(&mut self) {
        self.patches.clear();
        self.pushed.skip_none();
    }
}

impl Host<'_> {
    /// Lets the model know which contacts that come and go it need not push.
    ///
    /// # Errors
    /// `Memory`.
    fn skip_left_out(&mut self) -> Result<()> {
        if !self.is_hosted() {
            return Ok(());
        }
        let Scratch { slots, pushed, patches, .. } = &mut *self.scratch;
        let hidden = patches.hidden().iter();
        pushed.skip(hidden.filter_map(|&i| slots.key(i.checked_sub(self.fixed)?)))
    }
}

impl Run<'_> {
    /// Finds the contacts of the first point of the step that those around them stand for, (step.71).
    pub(super) fn find_patches(&mut self) {
        let level = self.set.many_contacts;
        let wanted = matches!(level, ManyContacts::Safe | ManyContacts::Aggressive);
        if !wanted || self.method.position_level() {
            return;
        }
        let (w, contacts) = (&*self.w, &self.state.contacts);
        let g = &w.start.geometry;
        let patches = &mut self.host.scratch.patches;
        // Penetration that was there from the start is a matter of each contact.
        let may = |i: usize| {
            g.present[i]
                && g.gap[i] >= -self.gap_zero
                && g.gap[i] < f64::INFINITY
                && g.group(i).is_none()
                // exact: set where there is one
                && contacts[i].depth == 0.0
                && contacts[i].half == Half::NONE
        };
        patches.find(g, &Given(w), tol::PATCH_DEPTH * self.gap_zero, may);
    }

    /// Leaves them out, unless they spin.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn leave_out(&mut self) -> Result<()> {
        let w = &*self.w;
        let (g, patches) = (&w.start.geometry, &mut self.host.scratch.patches);
        if self.set.many_contacts == ManyContacts::Safe && patches.any() {
            let (near, slow) = (self.gap_zero, self.v_zero);
            patches.keep_patches(|p, k| spins(p, k, g, (&w.mu, &w.start.v), near, slow));
        }
        patches.keep_rest(self.host.fixed);
        for (contact, out) in self.state.contacts.iter_mut().zip(&patches.out) {
            if *out {
                // What it did before says nothing about what it will do when it is back.
                (contact.mode, contact.known) = (Mode::Open, Known::Nothing);
            } else if contact.mode == Mode::Touch {
                self.state.stale = true;
            }
        }
        if patches.any() {
            self.w.start.geometry.hide(&patches.left);
            self.w.there.forget();
            for &i in patches.left.iter().filter(|&&i| i >= self.host.fixed) {
                self.host.scratch.frozen.present[i] = false;
            }
            self.host.skip_left_out()?;
        }
        Ok(())
    }

    /// Looks whether a patch has begun to spin where the piece starts.
    ///
    /// # Errors
    /// `Capacity` when the step must be made again with more contacts.
    pub(super) fn watch_spin(&mut self) -> Result<()> {
        let patches = &mut self.host.scratch.patches;
        if !patches.any() || self.set.many_contacts != ManyContacts::Safe {
            return Ok(());
        }
        let w = &*self.w;
        let (near, slow) = (self.gap_zero, self.v_zero);
        for k in 0..patches.len() {
            if spins(patches, k, &w.start.geometry, (&w.mu, &w.start.v), near, slow) {
                patches.return_patch(k);
            }
        }
        self.or_again()
    }

    /// Lets all contacts take part at the end of the step, and looks at those that did not: none may be
    /// deeper, or approach faster, than those that stood for it.
    ///
    /// # Errors
    /// Those of the model; `Capacity` when the step must be made again with more contacts.
    pub(super) fn look_at_left_out(&mut self) -> Result<()> {
        if !self.host.scratch.patches.any() {
            return Ok(());
        }
        // The directions are those of the model, as the next step wants them.
        self.host.scratch.turns.fill(0.0);
        self.host.scratch.patches.shown = true;
        self.host.skip_left_out()?;
        let w = &mut *self.w;
        let looked = self.host.geometry(w.start.t, &w.start.q, &mut w.start.geometry);
        self.host.scratch.patches.shown = false;
        looked?;
        w.there.forget();
        w.start.geometry.open_absent(self.host.fixed);
        let (g, v) = (&w.start.geometry, &w.start.v);
        let patches = &mut self.host.scratch.patches;
        for k in 0..patches.len() {
            let (mut lowest, mut fastest) = (0.0f64, 0.0f64);
            for &i in patches.members(k).iter().filter(|&&i| !patches.out[i] && g.present[i]) {
                lowest = lowest.min(g.gap[i]);
                if g.gap[i] <= self.gap_zero {
                    fastest = fastest.min(g.gap_rate(i, v));
                }
            }
            for place in 0..patches.members(k).len() {
                let i = patches.members(k)[place];
                if !patches.out[i] || !g.present[i] {
                    continue;
                }
                let (gap, rate) = (g.gap[i], g.gap_rate(i, v));
                let touches = gap <= self.gap_zero;
                let deep = gap < lowest - self.gap_zero;
                if deep || (touches && rate < fastest - self.v_zero) {
                    patches.return_contact(i);
                }
                if touches && rate <= self.v_zero {
                    self.state.contacts[i].mode = Mode::Touch;
                }
            }
        }
        self.or_again()
    }

    fn or_again(&self) -> Result<()> {
        let patches = &self.host.scratch.patches;
        if !patches.again {
            return Ok(());
        }
        let (have, needed) = (patches.out.len() - patches.left.len(), patches.out.len());
        Err(Error::Capacity { what: "contacts of a step", needed, have })
    }
}

/// Whether those contacts of patch `k` that take part and touch slip at different velocities.
fn spins(
    patches: &Patches,
    k: usize,
    g: &Geometry,
    (mu, v): (&[f64], &[f64]),
    near: f64,
    slow: f64,
) -> bool {
    let touching = |i: &&usize| !patches.out[**i] && g.gap[**i] <= near && mu[**i] > 0.0;
    let members = || patches.members(k).iter().filter(touching);
    g.independent_directions().any(|d| {
        let speeds = members().map(|&i| g.tangent(i, d).dot(v));
        let range = |(a, b): (f64, f64), x: f64| (a.min(x), b.max(x));
        let (least, most) = speeds.fold((f64::INFINITY, f64::NEG_INFINITY), range);
        most - least > slow
    })
}
