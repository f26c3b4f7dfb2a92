//! Steps without location: everything that could touch takes part, with rows on positions. Knows no
//! events.

use super::implicit_euler::ImplicitEuler;
use super::method::{Stage, Start};
use super::run::{Run, no_solution};
use super::search::Path;
use super::state::Mode;
use crate::error::Result;
use crate::linalg::axpy;

impl Run<'_> {
    /// The rest of the step without location: one problem, in which everything within reach must
    /// not penetrate, (step.22). What arrives is left to the impact at the end.
    pub(super) fn plain(&mut self, h: f64) -> Result<()> {
        let (mut method, mut last) = (self.method, false);
        if self.state.crowd > 0 {
            // In a crowd something arrives in every step.
            (method, last) = (&ImplicitEuler, true);
        }
        loop {
            // Contacts that come within reach are not to be mirrored.
            self.prepare_rows(method, h, false)?;
            self.position_rows(h);
            match self.solve_all(h) {
                // Positions that follow half of the old velocity, or all of it, may pass through what the new one stops at.
                Ok(()) if !last && self.passes_through(h)? => {
                    (method, last) = (&ImplicitEuler, true)
                }
                Ok(()) => break,
                Err(e) if no_solution(&e) => match method.fallback() {
                    Some(other) => method = other,
                    None => return Err(e),
                },
                Err(e) => return Err(e),
            }
        }
        let w = &mut *self.w;
        for (place, &i) in w.list.iter().enumerate() {
            let active = self.state.contacts[i].mode.active();
            let pushed = w.step.solver.normal()[place] > 0.0;
            let far = !active && w.start.geometry.gap[i] > self.gap_zero;
            if far || !(active || pushed) {
                w.m1[i] = Mode::Open;
            }
        }
        self.project_step(h)?;
        if self.projects {
            // Its own list takes the place of that of the problem.
            let w = &mut *self.w;
            std::mem::swap(&mut w.list, &mut w.solved);
            let pushed = self.push_out(h);
            let w = &mut *self.w;
            std::mem::swap(&mut w.list, &mut w.solved);
            pushed?;
        }
        self.report_arrivals();
        self.accept_stale(self.t_end, Path::Lcp);
        self.capped = true;
        Ok(())
    }

    /// Solves the problem of the listed contacts, again with those that others push further than was thought to be in reach.
    fn solve_all(&mut self, h: f64) -> Result<()> {
        /// Times that contacts which others push on are added. What is left then is pushed out afterwards.
        const MOST: usize = 4;
        self.solve_stage()?;
        for _ in 0..MOST {
            if !self.list_pushed(h)? {
                break;
            }
            self.solve_stage()?;
        }
        Ok(())
    }

    /// Lists contacts that are deeper at q1 than what touches. False when there are none.
    fn list_pushed(&mut self, h: f64) -> Result<bool> {
        let w = &mut *self.w;
        self.host.geometry(self.state.t + h, &w.q1, &mut w.probe)?;
        let known = w.list.len();
        for i in 0..w.probe.gap.len() {
            let there = w.start.geometry.present[i] && w.probe.present[i];
            let deep = w.probe.gap[i] < -self.gap_zero && !w.probe.is_lifted(i);
            if there && deep && w.list[..known].binary_search(&i).is_err() {
                w.list.push(i);
                lift_row(&mut w.stage, &w.start, i, h);
            }
        }
        w.list.sort_unstable();
        Ok(w.list.len() > known)
    }

    /// Whether a listed contact that was open is deeper at q1 than accelerations within the step
    /// explain, twice over. `move_by` holds the free acceleration.
    fn passes_through(&mut self, h: f64) -> Result<bool> {
        let w = &mut *self.w;
        self.host.geometry(self.state.t + h, &w.q1, &mut w.probe)?;
        let w = &*self.w;
        Ok(w.list.iter().any(|&i| {
            let was_open = !self.state.contacts[i].mode.active();
            let allowed = self.gap_zero + 2.0 * h * h * self.fall(i);
            was_open && w.probe.present[i] && w.probe.gap[i] < -allowed
        }))
    }

    /// Free acceleration along the normal of contact `i`, at most. `move_by` holds it as a whole.
    fn fall(&self, i: usize) -> f64 {
        self.w.start.geometry.normal(i).size(&self.w.move_by)
    }

    /// Lists what is active or within reach, and gives the latter rows on the position at the end.
    fn position_rows(&mut self, h: f64) {
        self.free_acceleration();
        self.w.list.clear();
        for i in 0..self.state.contacts.len() {
            let active = self.state.contacts[i].mode.active();
            if active {
                self.w.list.push(i);
            } else if self.w.start.geometry.gap[i] <= self.reach(i, h) {
                let w = &mut *self.w;
                w.list.push(i);
                lift_row(&mut w.stage, &w.start, i, h);
            }
        }
    }

    /// Lists the contacts that could touch within the time `h`.
    pub(super) fn list_within_reach(&mut self, h: f64) {
        self.free_acceleration();
        self.w.list.clear();
        for i in 0..self.state.contacts.len() {
            if self.w.start.geometry.gap[i] <= self.reach(i, h) {
                self.w.list.push(i);
            }
        }
    }

    /// How far contact `i` can come in the time `h`, doubled for safety. `move_by` holds the free
    /// acceleration.
    fn reach(&self, i: usize, h: f64) -> f64 {
        let w = &*self.w;
        let rate = w.start.geometry.gap_rate(i, &w.start.v).abs();
        2.0 * h * (rate + h * self.fall(i))
    }

    /// move_by := the free acceleration at the start.
    fn free_acceleration(&mut self) {
        let w = &mut *self.w;
        w.move_by.fill(0.0);
        axpy(1.0, &w.start.force, &mut w.move_by);
        w.equations.apply_inverse_mass(&mut w.move_by);
    }
}

/// The row of contact `i` := one on its position at the end, (step.22).
fn lift_row(stage: &mut Stage, start: &Start, i: usize, h: f64) {
    let gap = if stage.sum { start.geometry.gap[i] } else { stage.impulse.gap[i] };
    let part = if stage.weight == 0.5 { 0.5 } else { 1.0 };
    stage.normal_offset[i] += gap.max(0.0) / (part * h);
}
