//! Impacts inside a step: who takes part, what follows, and when flights are too short to follow.
//! Knows no time stepping.

use super::damped::SUB_STEPS;
use super::event::{Event, EventKind};
use super::modes::At;
use super::options::EventLevel;
use super::run::Run;
use super::state::{Brake, Known, Mode};
use super::workspace::ImpactData;
use crate::error::Result;
use crate::impact::{Impact, Law, Outcome, kinetic_energy};
use crate::linalg::{Columns, max_abs};
use crate::tol;
use crate::velocity::Rows;

/// Impacts at one instant after which restitution stops, and after which they are left to the
/// complementarity problem of the step.
const BOUNCES: u32 = 5;
const IMPACTS: u32 = 12;

/// Impacts in a step after which a pile is settling: bodies that hand rebounds round. One body alone
/// ends its accumulation before, or loses flights that together are shorter than a step.
const RESTLESS: u32 = 20;

/// Hits of one contact in such a step after which it no longer rebounds.
const HITS: u32 = 3;

impl Run<'_> {
    /// Resolves an impact if some contact touches and approaches. True when it did.
    pub(super) fn collide_if_touching(&mut self) -> Result<bool> {
        if self.state.impacts_here >= IMPACTS || self.method.position_level() || self.law_inside() {
            return Ok(false);
        }
        let start = &self.w.start;
        let hit = self.state.contacts.iter().enumerate().any(|(i, contact)| {
            let rate = start.geometry.gap_rate(i, &start.v);
            let touches = start.geometry.gap[i] <= self.gap_zero
                && rate < -self.v_zero
                && !contact.mode.held();
            touches && self.bounces(i, rate) || self.rebounds_early(i)
        });
        if hit {
            self.collide(None)?;
        }
        Ok(hit)
    }

    /// Resolves an impact at the present state, where the model has been evaluated: every contact
    /// that is held takes part, every one that touches, and `hit`.
    pub(super) fn collide(&mut self, hit: Option<usize>) -> Result<()> {
        self.gather_impact(hit)?;
        if self.w.impact_assembly.list.is_empty() {
            return Ok(());
        }
        let outcome = self.solve_impact()?;
        self.state.impacts_here += 1;
        self.stats.solved(&outcome.info);
        // exact: what was found to approach may turn out to leave, and gets no impulse
        if max_abs(self.w.impact.normal()) > 0.0 {
            self.impacts += 1;
            self.stats.impacts += 1;
            self.state.damp = SUB_STEPS;
            self.report_impact();
        }
        self.book_impact(outcome.energy_before, outcome.energy_after);
        self.state.v.copy_from_slice(self.w.impact.v_plus());
        self.state.stale = true;
        self.after_impact()
    }

    /// Collects the contacts of the impact.
    fn gather_impact(&mut self, hit: Option<usize>) -> Result<()> {
        let impacts = self.impacts_counted();
        // Of a group the branch is hit that acts where it collides.
        let hit = hit.map(|i| self.acting(i));
        self.w.list.clear();
        for i in 0..self.state.contacts.len() {
            if self.rebounds_early(i) {
                self.w.list.push(i);
            }
        }
        let w = &mut *self.w;
        let (data, start) = (&mut w.impact_assembly, &w.start);
        let plastic = self.state.impacts_here > BOUNCES;
        data.clear(self.host.dims.nv);
        for (i, contact) in self.state.contacts.iter().enumerate() {
            if !start.geometry.present[i] {
                continue;
            }
            let rate = start.geometry.gap_rate(i, &start.v);
            let near = self.gap_zero.max(-self.instant * rate);
            // One that was leaving when the piece began has left.
            let held = contact.mode.active() && contact.mode != Mode::Leave;
            let touches = start.geometry.gap[i] <= near || hit == Some(i);
            let early = w.list.binary_search(&i).is_ok();
            if !(held || touches || early) {
                continue;
            }
            data.list.push(i);
            data.early.push(early);
            data.before.push(rate);
            data.normal.push(start.geometry.normal(i))?;
            data.normal_offset.push(start.geometry.gap_t[i]);
            for k in 0..self.host.dims.n_dir {
                data.tangent.push(start.geometry.tangent(i, k))?;
            }
            data.mu.push(w.mu[i]);
            let slow = rate.abs() < self.set.restitution_speed;
            let settles = plastic || slow || settling(impacts, w.hits[i]);
            data.restitution.push(if settles { 0.0 } else { w.restitution[i] });
        }
        Ok(())
    }

    /// Solves the impact; if it would create energy, by the fallback law, and says so.
    fn solve_impact(&mut self) -> Result<Outcome> {
        let w = &mut *self.w;
        let n_dir = self.host.dims.n_dir;
        let (data, start) = (&w.impact_assembly, &w.start);
        let joints = start.geometry.joints()?;
        let normals = Columns::Packed(&data.normal);
        let impact = Impact {
            mass: start.mass.columns(),
            v_minus: &start.v,
            joint: Rows { impulse: joints, row: joints, offset: &start.geometry.phi_t },
            normal: Rows { impulse: normals, row: normals, offset: &data.normal_offset },
            tangent: Rows::same(Columns::Packed(&data.tangent)),
            n_dir,
            mu: &data.mu,
            restitution: &data.restitution,
        };
        w.impact.velocity_mut().name_contacts(&data.list);
        let outcome = w.impact.solve(self.set.law, &impact)?;
        // Moving joints and surfaces do work; exact: differences of equal numbers when they rest
        let driven = start.geometry.phi_t.iter().chain(&data.normal_offset).any(|&x| x != 0.0);
        let grown = outcome.energy_after > outcome.energy_before * (1.0 + tol::ENERGY_GROWTH);
        if driven || !grown || self.set.law == Law::Plastic {
            return Ok(outcome);
        }
        let replaced = w.impact.solve(self.set.energy_fallback, &impact)?;
        self.events.push(Event {
            kind: EventKind::Energy,
            contact: -1,
            t: self.state.t,
            speed_before: outcome.energy_before,
            speed_after: outcome.energy_after,
            impulse: 0.0,
            key: -1,
        });
        Ok(replaced)
    }

    /// One event per contact that was pushed.
    fn report_impact(&mut self) {
        let largest = max_abs(self.w.impact.normal());
        for place in 0..self.w.impact_assembly.list.len() {
            let w = &*self.w;
            let (i, impulse) = (w.impact_assembly.list[place], w.impact.normal()[place]);
            if impulse > tol::IMPULSE_ZERO * largest {
                let before = w.impact_assembly.before[place];
                let after = w.start.geometry.gap_rate(i, w.impact.v_plus());
                self.w.hits[i] += 1;
                self.arrivals += u32::from(before < -self.v_zero);
                self.report(EventKind::Impact, i, before, after, impulse);
            }
        }
    }

    /// Contacts that leave go out of the active set, the others stay; flights too short to follow
    /// are closed, (step.21).
    fn after_impact(&mut self) -> Result<()> {
        self.look()?;
        self.state.brakes.fill(Brake::NEW);
        for contact in self.state.contacts.iter_mut().filter(|c| c.mode == Mode::Leave) {
            contact.mode = Mode::Open;
        }
        let start = &self.w.start;
        let mut leaving = false;
        let data = &self.w.impact_assembly;
        for (&i, &early) in data.list.iter().zip(&data.early) {
            let contact = &mut self.state.contacts[i];
            contact.known = Known::Nothing;
            let leaves = early || start.geometry.gap_rate(i, &start.v) > self.v_zero;
            contact.mode = if leaves { Mode::Open } else { Mode::Touch };
            leaving |= leaves;
        }
        // exact: set by the host. Without a rebound contacts leave because others push them, and where nothing is located those
        // that touch take part in the piece that follows whether they leave or not.
        let rebounds = self.w.impact_assembly.restitution.iter().any(|&e| e > 0.0);
        let followed = rebounds || self.set.events != EventLevel::None;
        if leaving && followed && self.set.closing > 0.0 {
            self.close_short_flights()
        } else {
            Ok(())
        }
    }

    /// Impacts of the step that count towards a pile which settles. Methods by stages follow an
    /// accumulation further.
    fn impacts_counted(&self) -> u32 {
        const PATIENCE: u32 = 8;
        if self.w.capture.used() { self.impacts / PATIENCE } else { self.impacts }
    }

    fn close_short_flights(&mut self) -> Result<()> {
        if !self.find_modes()? {
            return Ok(());
        }
        self.list_chosen();
        if !self.accelerate(At::Start)? {
            return Ok(());
        }
        // Energy of the flights by themselves.
        let mut energy = 0.0;
        for place in 0..self.w.impact_assembly.list.len() {
            let i = self.w.impact_assembly.list[place];
            if let Some(rate) = self.short_flight(place) {
                // What a stiff damper does in its first moment says nothing about a flight, where
                // the rule can follow such a damper at all. exact: the sum of no squares
                let implicit = self.method.uses_derivatives();
                if energy == 0.0 && implicit && self.excites_stiff_damper(self.h_grid)? {
                    return Ok(());
                }
                self.state.contacts[i].mode = Mode::Touch;
                energy += 0.5 * rate * rate / self.response(i);
            }
        }
        // exact: the sum of no squares
        if energy == 0.0 {
            return Ok(());
        }
        let cheap = self.stop_flights(tol::FLIGHT_ENERGY * energy)?;
        for place in 0..self.w.impact_assembly.list.len() {
            let i = self.w.impact_assembly.list[place];
            match self.short_flight(place) {
                Some(rate) if cheap => self.report(EventKind::Close, i, rate, 0.0, 0.0),
                Some(_) => self.state.contacts[i].mode = Mode::Open,
                None => {}
            }
        }
        Ok(())
    }

    /// The speed with which the contact at `place` of the impact leaves if its flight is too short to follow.
    fn short_flight(&self, place: usize) -> Option<f64> {
        let w = &*self.w;
        let i = w.impact_assembly.list[place];
        if w.impact_assembly.early[place] {
            return None;
        }
        let rate = w.start.geometry.gap_rate(i, &w.start.v);
        let fall = -w.forces.gap(&w.start, i);
        let mut shortest = self.set.closing;
        if settling(self.impacts_counted(), w.hits[i]) {
            shortest = shortest.max(1.0);
        }
        if self.method.position_lags() {
            shortest = shortest.max(endless_flight(w.restitution[i]));
        }
        let short = 2.0 * rate < fall * shortest * self.h_grid;
        // A flight that stays within the gap of touching contacts is none: from there the contact
        // would bounce without ever being seen to land.
        let low = rate * rate < 2.0 * fall * self.gap_zero;
        (rate > self.v_zero && fall > 0.0 && (short || low)).then_some(rate)
    }

    /// Speed that a unit impulse makes at contact `i` along its normal.
    fn response(&mut self, i: usize) -> f64 {
        let w = &mut *self.w;
        w.start.geometry.normal(i).write(&mut w.move_by);
        w.equations.apply_inverse_mass(&mut w.move_by);
        w.start.geometry.normal(i).dot(&w.move_by)
    }

    /// Contacts that `chosen` holds.
    fn list_chosen(&mut self) {
        let w = &mut *self.w;
        w.list.clear();
        w.list.extend((0..w.chosen.len()).filter(|&i| w.chosen[i].held()));
    }

    /// Takes the normal speed of every active contact away, and the slip of those that stick, in
    /// the metric of the mass: this never raises the kinetic energy. Nothing happens, and this is
    /// false, when it would take more than `most`: two normals that are nearly parallel would stop
    /// the motion along them.
    fn stop_flights(&mut self, most: f64) -> Result<bool> {
        let w = &mut *self.w;
        let g = &w.start.geometry;
        w.equations.clear();
        for j in 0..g.phi.len() {
            w.equations.push_joint(g.joint(j), g.phi_t[j], g.joint(j))?;
        }
        for (i, contact) in self.state.contacts.iter().enumerate() {
            if !contact.mode.active() {
                continue;
            }
            w.equations.push(g.normal(i), g.gap_t[i], g.normal(i))?;
            if w.chosen[i] == Mode::Stick {
                for k in g.independent_directions() {
                    let d = g.tangent(i, k);
                    w.equations.push(d, 0.0, d)?;
                }
            }
        }
        w.move_by.copy_from_slice(&self.state.v);
        w.equations.correct(&mut w.move_by)?;
        let mass = w.start.mass.columns();
        let lost = kinetic_energy(mass, &self.state.v) - kinetic_energy(mass, &w.move_by);
        let cheap = lost <= most;
        if cheap {
            self.state.v.copy_from_slice(&w.move_by);
            self.book_stop();
        }
        Ok(cheap)
    }
}

/// Whether a contact that was hit `hits` times, in a step with `impacts` of them, settles: (step.42).
fn settling(impacts: u32, hits: u32) -> bool {
    impacts > RESTLESS && hits > HITS
}

/// Flights, in steps, that rebounds with the restitution `e` do not become shorter than where positions
/// lag: (step.41).
fn endless_flight(e: f64) -> f64 {
    /// They differ by the part of a step at which they begin.
    const ROOM: f64 = 1.5;
    // exact: an elastic rebound never rests
    if e == 1.0 { 0.0 } else { ROOM * 2.0 * e / (1.0 - e) }
}

impl ImpactData {
    fn clear(&mut self, nv: usize) {
        self.list.clear();
        self.early.clear();
        self.normal.clear(nv);
        self.tangent.clear(nv);
        for x in [&mut self.normal_offset, &mut self.mu, &mut self.restitution, &mut self.before] {
            x.clear();
        }
    }
}
