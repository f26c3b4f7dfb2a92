//! What a host can read about the last step besides the state: energies, impulses, contacts. Knows
//! no numerics.

use super::grow::with_slots;
use super::host::Host;
use super::ledger::Ledger;
use super::state::Mode;
use super::{ContactMode, Stepper};
use crate::error::{Error, Result, told};
use crate::model::Checked;
use crate::tol;

/// One contact at the present state, with its impulses over the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactState {
    /// What it does.
    pub mode: ContactMode,
    /// The host's name of it.
    pub key: i64,
    /// Gap, m, positive when open.
    pub gap: f64,
    /// Its rate, m/s.
    pub gap_rate: f64,
    /// Slip speed, m/s; along the fastest direction where these form no regular polygon.
    pub slip_speed: f64,
    /// Normal impulse of the last step, N s.
    pub normal_impulse: f64,
    /// Size of the tangential impulse of the last step, N s, for directions that form a regular
    /// polygon.
    pub tangential_impulse: f64,
}

impl Stepper {
    /// Energies of the last step. Zero before the first, and after the state was set or restored.
    pub fn ledger(&self) -> &Ledger {
        &self.state.ledger.step
    }

    /// Energies since the state was set, or since creation.
    pub fn ledger_sum(&self) -> &Ledger {
        &self.state.ledger.sum
    }

    /// Impulses of the joints over the last step, impacts in it included. Zero before the first,
    /// and after the state was set or restored.
    pub fn joint_impulses(&self) -> &[f64] {
        &self.state.impulses.joint
    }

    /// The same for the normals of the contacts.
    pub fn normal_impulses(&self) -> &[f64] {
        &self.state.impulses.normal
    }

    /// The same for friction, n_dir numbers per contact along the directions of the model, none
    /// negative; of two opposite directions at most one has an impulse.
    pub fn friction_impulses(&self) -> &[f64] {
        &self.state.impulses.friction
    }

    /// The same for brakes, along their directions.
    pub fn brake_impulses(&self) -> &[f64] {
        &self.state.impulses.brake
    }

    /// What contact `i` was found to do by the last step; open for one that the model does not have,
    /// and before the first step. [`contact`](Self::contact) looks at the present state.
    pub fn contact_mode(&self, i: usize) -> ContactMode {
        match self.state.contacts.get(i).map(|c| c.mode) {
            None | Some(Mode::Open | Mode::Leave) => ContactMode::Open,
            Some(Mode::Touch) => ContactMode::Touching,
            Some(Mode::Stick) => ContactMode::Sticking,
            Some(Mode::Slip(_)) => ContactMode::Slipping,
        }
    }

    /// What brake `i` does at the present state: touching while that is not known yet, open for one
    /// that the model does not have.
    pub fn brake_mode(&self, i: usize) -> ContactMode {
        match self.state.brakes.get(i).map(|b| b.mode) {
            None => ContactMode::Open,
            Some(Mode::Stick) => ContactMode::Sticking,
            Some(Mode::Slip(_)) => ContactMode::Slipping,
            Some(Mode::Touch | Mode::Open | Mode::Leave) => ContactMode::Touching,
        }
    }

    /// Contact `i` at the present state; one that is not there is infinitely far away. Asks the
    /// model when it was not asked here last.
    ///
    /// # Errors
    /// `Dimension` for a contact that has no index; those of the model.
    pub fn contact(&mut self, i: usize) -> Result<ContactState> {
        let n = self.contact_count();
        if i >= n {
            let expected = told(format_args!("less than {n}"));
            return Err(Error::Dimension { what: "i", got: i as i64, expected });
        }
        self.look_here()?;
        let (geometry, v) = (&self.work.start.geometry, &self.work.start.v);
        Ok(ContactState {
            mode: self.mode_here(i),
            key: self.contact_key(i).unwrap_or(0),
            gap: geometry.own_gap(i),
            gap_rate: geometry.gap_rate(i, v),
            slip_speed: self.scratch.slip_speed(geometry, i, v),
            normal_impulse: self.state.impulses.normal[i],
            tangential_impulse: self.state.impulses.tangential(i, geometry.directions_of(i)),
        })
    }

    /// What contact `i` does where the model was evaluated. Before the first step from a state that
    /// was set it is not known what a touching contact will do, but that it touches.
    fn mode_here(&self, i: usize) -> ContactMode {
        let known = self.contact_mode(i);
        if !self.state.fresh || known != ContactMode::Open {
            return known;
        }
        let start = &self.work.start;
        let (geometry, v) = (&start.geometry, &start.v);
        let rounding = tol::SPEED_ROUNDING * self.settings.length / self.pace();
        let zero = tol::MODE_SPEED * geometry.contact_size(v, &self.scratch.patches.out) + rounding;
        let touches = geometry.gap[i] <= self.settings.active_gap;
        let leaves = geometry.gap_rate(i, v) > zero;
        if touches && !leaves { ContactMode::Touching } else { ContactMode::Open }
    }

    /// Length of step that differences in time go by outside of steps.
    pub(super) fn pace(&self) -> f64 {
        if self.state.h > 0.0 { self.state.h } else { tol::FIRST_STEP }
    }

    /// Evaluates the model at the present state, with its own friction directions, unless it was
    /// evaluated there last.
    fn look_here(&mut self) -> Result<()> {
        self.turn_back();
        self.trial.slots.copy_from(&self.state.slots);
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        let done = self.look_in_slots();
        std::mem::swap(&mut self.trial.slots, &mut self.scratch.slots);
        done
    }

    fn look_in_slots(&mut self) -> Result<()> {
        let h = self.pace();
        let (state, start) = (&self.state, &mut self.work.start);
        let mut host = Host {
            asked: Checked::with(&*self.model, &mut self.elements),
            dims: with_slots(&self.dims, state.slots.len()),
            fixed: self.dims.n_contact,
            margin: self.settings.margin(h, state, &*self.model),
            admits: false,
            scratch: &mut self.scratch,
            dt: tol::TIME_DIFFERENCE * h,
            length: self.settings.length,
        };
        if start.is_at(&host, state.t, &state.q, &state.v) {
            return Ok(());
        }
        start.at(&mut host, state.t, &state.q, &state.v)?;
        if host.is_hosted() {
            start.geometry.open_absent(host.fixed);
            // Contacts without a slot are not in it: a step must look again.
            start.forget();
        }
        Ok(())
    }
}
