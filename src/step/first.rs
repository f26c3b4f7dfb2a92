//! The first step of a run by tolerances: two solutions in a step far too long may agree on something
//! else than the motion, so that a first try is not believed. Knows no method but its order.

use super::Stepper;
use super::adapt::{GROW, UNLOCATED_PART, order};
use super::options::EventLevel;
use crate::error::{Error, Result};
use crate::linalg::max_abs;
use crate::model::Checked;
use crate::tol;

/// Part of the way that a motion of which nothing is known begins with at most.
const FIRST_PART: f64 = 0.01;

/// Part of the time in which the motion crosses the scene that would err by the tolerance, if its
/// derivatives were those of a circle.
const SAFETY: f64 = 0.1;

/// Tolerances that joints may be apart by when a run begins.
const APART: f64 = 10.0;

/// Times the step that the host tries beyond which a way counts as endless.
const ENDLESS: f64 = 1e6;

/// The shortest step that is tried on a way of the length `span` from the time `t`, when the host tries
/// `h`. Ways of subnormal length have no shortest part of their own.
pub(super) fn shortest(span: f64, t: f64, h: f64) -> f64 {
    (tol::SHORTEST_STEP * span.min(ENDLESS * h).max(t.abs())).max(f64::MIN_POSITIVE)
}

impl Stepper {
    /// The length that a run over the time `span` begins with when the host tries `h`: after a run
    /// before not much more than that would have gone on with, else (cap.19).
    ///
    /// # Errors
    /// Those of the model.
    pub(super) fn first_step(&mut self, h: f64, span: f64) -> Result<f64> {
        // exact: set by the last run, or by nothing
        if self.state.h_before > 0.0 {
            return Ok(h.min(GROW * self.state.h_before));
        }
        let least = self.least(span).max(shortest(span, self.state.t, h));
        let cautious = self.cautious(span)?;
        Ok(h.min(cautious).max(least.min(cautious)))
    }

    /// Refuses a state that was set with joints further apart than tolerances allow: what methods make of it
    /// differs, and no error says so.
    ///
    /// # Errors
    /// `Range`; those of the model.
    pub(super) fn check_start(&mut self) -> Result<()> {
        if !self.state.fresh || self.dims.n_joint == 0 {
            return Ok(());
        }
        let (set, g) = (&self.settings, &mut self.work.probe);
        let asked = Checked::new(&*self.model);
        asked.joint(self.state.t, &self.state.q, &mut g.phi, &mut g.jt)?;
        let most = (tol::JOINTS_APART * set.length).max(APART * set.tolerance(set.length));
        match g.phi.iter().position(|x| x.abs() > most) {
            Some(index) => {
                let must = "within ten tolerances where a run by tolerances begins";
                Err(Error::Range { what: "joint error", index, value: g.phi[index], must })
            }
            None => Ok(()),
        }
    }

    /// The length (cap.19).
    fn cautious(&mut self, span: f64) -> Result<f64> {
        let located = self.settings.events == EventLevel::All;
        let part = if located { FIRST_PART } else { UNLOCATED_PART };
        let set = &self.settings;
        let (length, order) = (set.length, order(set));
        let wanted = (set.tolerance(length) / length).min(1.0).powf(1.0 / f64::from(order + 1));
        let (speed, acceleration) = self.free_pace()?;
        let mut cross = f64::INFINITY;
        if speed > 0.0 {
            cross = cross.min(length / speed);
        }
        if acceleration > 0.0 {
            cross = cross.min((length / acceleration).sqrt());
        }
        Ok((SAFETY * wanted * cross).min(part * span))
    }

    /// The length below which steps of a run over the time `span` would be judged by the rounding of
    /// positions.
    fn least(&self, span: f64) -> f64 {
        let set = &self.settings;
        let ahead = 2f64.powi(order(set)) - 1.0;
        let noise = |x: &f64| tol::POSITION_ROUNDING * x.abs() / (ahead * set.tolerance(x.abs()));
        let worst = self.state.q.iter().map(noise).fold(0.0, f64::max);
        span * worst.min(1.0)
    }

    /// Notes what the next run may begin with. Rules on positions note their last step by
    /// themselves: it is part of their state.
    pub(super) fn trust(&mut self, h: f64) {
        if !self.method.position_level() {
            // Where nothing errs, as much as there is.
            self.state.h_before = h.min(f64::MAX);
        }
    }

    /// Speed, and acceleration without constraints, at the present state.
    fn free_pace(&mut self) -> Result<(f64, f64)> {
        let (state, w) = (&self.state, &mut *self.work);
        let mut asked = Checked::with(&*self.model, &mut self.elements);
        let (mass, force) = (&mut w.stage.mass, &mut w.stage.force);
        asked.masses(state.t, &state.q, mass)?;
        asked.force(state.t, &state.q, &state.v, force)?;
        self.stats.force_evals += asked.force_evals as i64;
        w.equations.start(mass)?;
        w.equations.apply_inverse_mass(force);
        Ok((max_abs(&state.v), max_abs(force)))
    }
}
