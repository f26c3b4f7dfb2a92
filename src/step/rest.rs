//! What rests: velocities of which nothing but rounding is left, and steps that begin where the one before began and are
//! therefore not computed again. Knows no solver.

use super::memory::Bases;
use super::run::Run;
use super::state::State;
use super::{Outcome, Stepper, workspace};
use crate::error::Result;
use crate::model::Dims;
use crate::tol;
use std::ops::Range;

/// The step that ended where it began.
#[derive(Debug)]
pub(super) struct Rest {
    /// Its length; none where the last step did not end so.
    h: Option<f64>,
    /// What solvers remembered before it, and whether that was kept.
    before: Bases,
    kept: bool,
}

impl Rest {
    /// For the sizes `d`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn new(d: &Dims) -> Result<Self> {
        Ok(Self { h: None, before: Bases::new(workspace::unknowns(d))?, kept: false })
    }

    /// Somebody has changed something.
    pub(super) fn end(&mut self) {
        self.h = None;
    }
}

impl Run<'_> {
    /// Makes the new velocity zero where nothing but rounding is left of it: (step.78).
    pub(super) fn come_to_rest(&mut self) {
        let w = &mut *self.w;
        // exact: rates in time are differences of equal numbers for constraints at rest
        let moves = w.stage.rows().phi_t.iter().chain(&w.stage.rows().gap_t).any(|&x| x != 0.0);
        if w.stage.sum || moves {
            return;
        }
        for (size, p) in w.move_by.iter_mut().zip(&w.stage.p) {
            *size = p.abs();
        }
        // Most motions are told from rest by forces alone.
        let (mass, v) = (&w.stage.mass, &w.v1);
        let rests = |sizes: &[f64], rows: Range<usize>| {
            let (mut left, mut made) = (0.0f64, 0.0f64);
            for j in rows {
                // No squares: they leave the range of numbers where these do not.
                let root = mass.col(j).at(j).sqrt();
                left = left.max(root * v[j].abs());
                made = made.max(sizes[j] / root);
            }
            made < f64::INFINITY && left <= tol::AT_REST * made
        };
        if !rests(&w.move_by, 0..v.len()) {
            return;
        }
        let (found, at, n_dir) = (&w.step.solver, &w.stage.impulse, self.host.dims.n_dir);
        for (place, &i) in w.list.iter().enumerate() {
            at.normal(i).add_size(found.normal()[place], &mut w.move_by);
            let friction = found.friction().get(place * n_dir..(place + 1) * n_dir);
            for (k, beta) in friction.into_iter().flatten().enumerate() {
                at.tangent(i, k).add_size(*beta, &mut w.move_by);
            }
        }
        let mut bodies = mass.blocks().map(|(rows, _)| rows).peekable();
        if bodies.peek().is_none() || bodies.all(|rows| rests(&w.move_by, rows)) {
            w.v1.fill(0.0);
        }
    }

    /// Whether nothing moves where the piece by complementarity begins and ends, and the forces at its end are those at its start:
    /// then its impulses over its length hold everything in place, without an acceleration.
    pub(super) fn nothing_has_changed(&self) -> bool {
        let (start, there) = (&self.w.start, &self.w.there);
        // exact: what rests has the same numbers
        let still = |x: &f64| *x == 0.0;
        let moves = [&start.v, &there.v, &there.geometry.phi_t, &there.geometry.gap_t];
        self.host.dims.n_brake == 0
            && moves.iter().all(|x| x.iter().all(still))
            && start.q == there.q
            && start.force == there.force
    }
}

impl Stepper {
    /// The length of the step to `end` that was asked for as `h`. Times are rounded, but from rest steps that are asked for
    /// alike are to be alike; where rounding is more than a billionth of it the clock counts.
    pub(super) fn length(&self, h: f64, end: f64) -> f64 {
        let t = self.state.t;
        let (span, rounding) = (end - t, 2.0 * f64::EPSILON * t.abs().max(end.abs()));
        let rounded = (span - h).abs() <= rounding.min(tol::SAME_LENGTH * h);
        // exact: set by (step.78), or by the host
        let rests = self.may_rest() && self.state.v.iter().all(|&v| v == 0.0);
        if rounded && rests { h } else { span }
    }

    /// Whether a step of `h` begins where the last one began, of a model that answers as it did then.
    pub(super) fn rests(&self, h: f64) -> bool {
        // exact: another length is another problem
        self.rest.h == Some(h)
    }

    /// The step that was made last, once more: nothing but time has changed.
    pub(super) fn repeat(&mut self, end: f64, alone: bool) -> Outcome {
        let t = std::mem::replace(&mut self.state.t, end);
        self.events.begin(alone);
        self.events.commit(alone);
        self.dense.repeat((t, end));
        self.work.start.pass(t, end);
        self.stats.steps += 1;
        self.stats.substeps += 1;
        self.stats.repeated_steps += 1;
        Outcome::Quiet
    }

    /// Remembers of the step just made from `trial`, a state, to the present one, with its bases as they were, whether it
    /// changed anything but time: then the next one of this length, from the same numbers, does the same.
    pub(super) fn note_rest(&mut self, h: f64) {
        let (then, now) = (&self.trial, &self.state);
        let same = self.rest.kept && self.dense.count() == 1 && now.is_like(then);
        self.rest.h = (same && self.bases.are_like(&self.rest.before)).then_some(h);
    }

    /// Whether steps are compared: not where the model may answer otherwise at another time.
    pub(super) fn may_rest(&self) -> bool {
        self.kept.is_none() && self.model.is_timeless()
    }

    /// Before solvers hand over what they remember: keeps what they remembered, if the step ended where it began.
    pub(super) fn keep_bases(&mut self) {
        self.rest.kept = false;
        if self.may_rest() && self.state.stands_like(&self.trial) {
            self.rest.before.copy_from(&self.bases);
            self.rest.kept = true;
        }
    }
}

impl State {
    /// Whether positions and velocities are those of `other`, to the last bit.
    fn stands_like(&self, other: &State) -> bool {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        self.q.iter().zip(&other.q).all(same) && self.v.iter().zip(&other.v).all(same)
    }

    /// Whether everything that the following steps depend on is as in `other`, but for time.
    fn is_like(&self, other: &State) -> bool {
        let flags = |s: &State| (s.stale, s.fresh, s.damp, s.impacts_here, s.crowd);
        self.stands_like(other)
            && (self.h, self.h_before) == (other.h, other.h_before)
            && flags(self) == flags(other)
            && self.contacts == other.contacts
            && self.brakes == other.brakes
            && self.slots.are_like(&other.slots)
            && self.ledger.sum == other.ledger.sum
    }
}
