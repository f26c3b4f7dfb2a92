//! What is done about an event: the path up to it is taken, an impact resolved, or complementarity
//! left to decide. Knows nothing of how events are found.

use super::resolve::Progress;
use super::run::Run;
use super::search::{Found, Path, What};
use super::state::Mode;
use crate::error::Result;

/// Changes of modes at one instant after which the complementarity problem decides.
const INSTANTS: u32 = 3;

impl Run<'_> {
    /// Only collisions are located: at one the impact is resolved, and the rest of the step begins
    /// there. For the trapezoidal rule the state is interpolated as the 2006 paper does, (step.18);
    /// the velocities of first-order rules do not bear a cubic, their step is taken anew.
    pub(super) fn collisions_only(
        &mut self,
        h: f64,
        collision: Option<Found>,
        p: &mut Progress,
    ) -> Result<()> {
        let known = collision.is_none_or(|found| self.is_at_both_ends(found.contact));
        let cubic = known && self.w.stage.weight == 0.5 && !self.host.asked.model().gives_rate();
        let collision = match collision {
            Some(_) if !cubic => self.collision_on(Path::Lcp, h)?,
            found => found,
        };
        let Some(found) = collision else {
            self.accept(self.t_end, Path::Lcp);
            return Ok(());
        };
        p.events += 1;
        if found.tau <= self.instant && found.what == What::Branch {
            self.hand_over_now(found.contact, p);
            return Ok(());
        }
        if found.tau <= self.instant {
            return self.collide_now(found.contact, p);
        }
        if cubic {
            self.interpolate(h, found.tau);
        } else {
            self.follow(Path::Lcp, found.tau)?;
        }
        self.accept((self.state.t + found.tau).min(self.t_end), Path::Lcp);
        match found.what {
            What::Part => return Ok(()),
            What::Branch => {
                self.hand_over(found.contact);
                return Ok(());
            }
            _ => {}
        }
        self.look()?;
        self.collide(Some(found.contact))
    }

    /// A contact found colliding at the start of a piece.
    pub(super) fn collide_now(&mut self, i: usize, p: &mut Progress) -> Result<()> {
        p.instants += 1;
        if p.instants > INSTANTS {
            p.events = self.set.max_events;
        }
        let (i, start) = (self.acting(i), &self.w.start);
        if start.geometry.gap_rate(i, &start.v) < -self.v_zero {
            p.events += 1;
            return self.collide(Some(i));
        }
        self.state.contacts[i].mode = Mode::Touch;
        self.state.stale = true;
        Ok(())
    }

    /// What to do about the earliest event.
    pub(super) fn decide(&mut self, h: f64, found: Option<Found>, p: &mut Progress) -> Result<()> {
        let Some(found) = found else {
            // Modes differ but nothing happens on the way: complementarity decides.
            return if p.lcp_only { self.retake_lcp(h) } else { self.adopt_lcp(h, p) };
        };
        if found.tau <= self.instant {
            return self.at_once(h, found, p);
        }
        let path = if p.lcp_only { Path::Lcp } else { Path::Modes };
        if found.tau >= h - self.instant && found.what != What::Collision {
            self.follow(path, h)?;
            if path == Path::Modes && self.friction_drives() {
                return self.adopt_lcp(h, p);
            }
            self.accept_stale(self.t_end, path);
            return Ok(());
        }
        if found.what == What::Stick && !self.w.stage.sum && self.turns(found.contact) {
            // What friction does while it turns is what stops the slip at this time. Rows on the sum
            // of two velocities would mirror the slip.
            self.stick(found.contact);
        }
        self.follow(path, found.tau)?;
        if found.what == What::Stick {
            self.stick(found.contact);
            self.project_path(found.tau)?;
        }
        if path == Path::Modes && (self.friction_drives() || self.slips_on(found)?) {
            return self.adopt_lcp(h, p);
        }
        if found.what == What::Force {
            self.changed_at = Some(self.state.t + found.said);
        }
        self.accept_stale((self.state.t + found.tau).min(self.t_end), path);
        p.events += 1;
        p.instants = 0;
        p.lcp_only = false;
        if found.what == What::Branch {
            self.hand_over(found.contact);
        }
        if found.what == What::Collision {
            self.look()?;
            self.collide(Some(found.contact))?;
        }
        Ok(())
    }

    /// Whether the contact of a stop slips on at the end of the path that was to stop it: (step.74).
    fn slips_on(&mut self, found: Found) -> Result<bool> {
        let stops = found.what == What::Stick && found.contact < self.w.m0.len();
        if !stops || !self.projects_velocity {
            return Ok(false);
        }
        let w = &mut *self.w;
        self.host.geometry(self.state.t + found.tau, &w.qp, &mut w.probe)?;
        Ok(w.probe.slip(found.contact, &w.vp).0 > self.v_zero)
    }

    /// An event at the very start of the piece.
    fn at_once(&mut self, h: f64, found: Found, p: &mut Progress) -> Result<()> {
        if found.what == What::Branch {
            self.hand_over_now(found.contact, p);
            return Ok(());
        }
        let i = self.acting(found.contact);
        if found.what == What::Collision {
            let start = &self.w.start;
            let leaves = start.geometry.gap_rate(i, &start.v) >= -self.v_zero;
            if !(self.state.contacts[i].mode.active() && leaves) {
                return self.collide_now(i, p);
            }
        }
        p.instants += 1;
        let again = found.what == What::Force && p.instants <= INSTANTS;
        if again && self.find_modes()? && self.modes_changed() {
            self.take_modes();
            return Ok(());
        }
        // Adopt what complementarity says for the rest of the step.
        if p.lcp_only {
            return self.adopt_shorter(h, p);
        }
        self.adopt_lcp(h, p)
    }

    /// Takes the whole piece by complementarity; if something collides on it, the piece begins anew with
    /// its modes, and collisions are located on its path.
    fn adopt_lcp(&mut self, h: f64, p: &mut Progress) -> Result<()> {
        self.follow(Path::Lcp, h)?;
        if self.first_collision(h, Path::Lcp)?.is_none() {
            self.accept_stale(self.t_end, Path::Lcp);
            return Ok(());
        }
        for (contact, &mode) in self.state.contacts.iter_mut().zip(&self.w.m1) {
            contact.mode = mode;
        }
        for (brake, &mode) in self.state.brakes.iter_mut().zip(&self.w.brakes.m1) {
            brake.mode = mode;
        }
        p.events += 1;
        p.lcp_only = true;
        Ok(())
    }

    /// A contact that leaves by complementarity is below the ground on the whole path: the longest
    /// part of it without a collision is taken, the whole if there is none and nothing is deep at its end, else a step without
    /// location, which keeps everything else out too.
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
        if self.ends_deep(h)? && !self.method.position_level() {
            return self.plain(h);
        }
        self.accept_stale(self.t_end, Path::Lcp);
        Ok(())
    }

    /// Takes the whole piece by complementarity, computed anew.
    fn retake_lcp(&mut self, h: f64) -> Result<()> {
        self.follow(Path::Lcp, h)?;
        self.accept_stale(self.t_end, Path::Lcp);
        Ok(())
    }
}
