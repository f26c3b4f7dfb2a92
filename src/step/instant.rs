//! Accelerations and forces at the present instant. Knows no time stepping and changes no motion.

use super::Stepper;
use super::modes::At;
use super::run::Run;
use super::state::Mode;
use crate::error::{Error, Result};

/// What acts at one instant: (step.15) with the friction law.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Forces<'a> {
    /// dv/dt, nv numbers.
    pub acceleration: &'a [f64],
    /// Forces of the joints along their directions.
    pub joint: &'a [f64],
    /// Normal forces, zero for contacts that are open.
    pub normal: &'a [f64],
    /// Friction forces, n_dir numbers per contact along the directions of the model.
    pub friction: &'a [f64],
    /// Slip speeds of all contacts.
    pub slip_speed: &'a [f64],
}

impl Run<'_> {
    /// Solves for the accelerations at the present state; forces in the directions of the model go
    /// to the effort of the path by complementarity.
    fn act(&mut self) -> Result<()> {
        self.w.unbooked = None;
        self.look()?;
        self.update_active();
        if !self.find_modes()? {
            return Err(Error::NoAcceleration { t: self.state.t });
        }
        let turned = self.hold_slips()?;
        // The modes were found with these very slips, unless there was nothing to find.
        if (turned || self.w.list.is_empty()) && !self.accelerate(At::Start)? {
            return Err(Error::NoAcceleration { t: self.state.t });
        }
        self.collect_forces();
        Ok(())
    }

    /// m0, chosen := slip where there is a slip speed, else what the friction law says. Friction
    /// directions are turned to the slip, (step.23), where the method does so: then true.
    fn hold_slips(&mut self) -> Result<bool> {
        let w = &mut *self.w;
        w.m0.fill(Mode::Touch);
        let mut slips = false;
        for &i in &w.list {
            let (slip, along) = w.start.geometry.slip(i, &w.start.v);
            if w.mu[i] > 0.0 && slip > self.v_zero {
                w.m0[i] = Mode::Slip(along);
                slips = true;
            }
        }
        let turns = slips && self.host.dims.n_dir >= 4 && self.method.aligns();
        if turns {
            self.turn_to(0.0)?;
        }
        self.w.chosen.copy_from_slice(&self.w.m0);
        Ok(turns)
    }

    fn collect_forces(&mut self) {
        let w = &mut *self.w;
        let (found, n_dir) = (&w.forces.assembly.solver, self.host.dims.n_dir);
        let raw = &mut w.path_effort.impulses;
        raw.clear();
        raw.add_listed(&w.list, found.joint(), found.normal(), found.friction());
        for &i in &w.list {
            // A slip that was held has its friction in the column of the normal.
            if let Mode::Slip(k) = w.m0[i] {
                raw.friction[i * n_dir + usize::from(k)] = w.mu[i] * raw.normal[i];
            }
        }
        let forces = &mut w.lcp_effort.impulses;
        forces.clear();
        forces.add_turned(1.0, raw, &self.host.scratch.turns);
        forces.cancel_opposites();
        let (geometry, v) = (&w.start.geometry, &w.start.v);
        for (i, slip) in w.slip_speed.iter_mut().enumerate() {
            *slip = self.host.scratch.slip_speed(geometry, i, v);
        }
    }
}

impl Stepper {
    /// Accelerations, forces of joints and contacts, and slip speeds at the present state. Changes
    /// nothing but work space. A contact that touches and approaches takes no part: there an impact
    /// comes first. With redundant joints or contacts only sums of their forces are determined.
    ///
    /// # Errors
    /// `NoAcceleration` where rigid bodies have none (Painleve); those of the model.
    pub fn forces(&mut self) -> Result<Forces<'_>> {
        while let Err(e) = self.find_forces() {
            if self.trial.slots.wanted == 0 {
                return Err(e);
            }
            self.make_slots()?;
        }
        let (w, forces) = (&self.work, &self.work.lcp_effort.impulses);
        Ok(Forces {
            acceleration: &w.forces.a,
            joint: &forces.joint,
            normal: &forces.normal,
            friction: &forces.friction,
            slip_speed: &w.slip_speed,
        })
    }

    fn find_forces(&mut self) -> Result<()> {
        self.trial.copy_from(&self.state);
        self.bases.give_to(&mut self.work)?;
        self.turn_back();
        let h = self.pace();
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let found = self.under_way(self.state.t + h, h).act();
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        // New contacts have slots here that the next step does not know of.
        if found.is_err() || self.trial.slots.len() > 0 {
            self.ask_again();
        }
        found
    }
}
