//! Two linearly implicit Euler sub-steps after an impact, or from a start, that excites a stiff
//! damper: the trapezoidal rule would let it ring. Knows no contact.

use super::host::Host;
use super::implicit_euler::ImplicitEuler;
use super::method::{Method, Stage, Start};
use super::options::Jacobian;
use super::resolve::Progress;
use super::run::Run;
use crate::error::Result;
use crate::linalg::{Blocked, axpy, dot};
use crate::tol;

/// Sub-steps that take the ringing away.
pub(super) const SUB_STEPS: u8 = 2;

/// The rule (step.44).
#[derive(Debug)]
struct Damped;

impl Method for Damped {
    fn stage(
        &self,
        host: &mut Host<'_>,
        start: &mut Start,
        how: Jacobian,
        h: f64,
        stage: &mut Stage,
    ) -> Result<()> {
        start.differentiate(host, how, h)?;
        let (middle, end) = (start.t + 0.5 * h, start.t + h);
        stage.h = h;
        stage.weight = 1.0;
        stage.sum = false;
        stage.apart = true;
        stage.predict(host, start, 0.5)?;
        host.asked.masses(middle, &stage.q, &mut stage.mass)?;
        axpy(-h, &start.c, &mut stage.mass);
        axpy(-h * h, &start.k, &mut stage.mass);
        host.directions(middle, &stage.q, &mut stage.impulse)?;
        stage.predict(host, start, 1.0)?;
        host.geometry(end, &stage.q, &mut stage.row)?;
        stage.set_offsets(1.0);
        host.asked.force(end, &start.q, &start.v, &mut stage.force)?;
        stage.p.fill(0.0);
        axpy(h, &stage.force, &mut stage.p);
        start.k.add_product(h * h, &start.v, &mut stage.p);
        stage.add_momentum(1.0, &start.v);
        Ok(())
    }

    fn fallback(&self) -> Option<&'static dyn Method> {
        Some(&ImplicitEuler)
    }

    fn uses_derivatives(&self) -> bool {
        true
    }

    fn aligns(&self) -> bool {
        true
    }
}

impl Run<'_> {
    /// The length of the damped sub-step that is due at the present state with `h` left of the step;
    /// `None` when none is.
    pub(super) fn damped_part(&mut self, h: f64) -> Result<Option<f64>> {
        if self.state.damp == 0 || !self.set.damping_steps || !self.method.rings() {
            return Ok(None);
        }
        if !self.excites_stiff_damper(h)? {
            self.state.damp = 0;
            return Ok(None);
        }
        Ok(Some(h.min(0.5 * self.h_grid)))
    }

    /// A piece by the damped rule, of length `part` unless an event ends it.
    pub(super) fn damped_piece(&mut self, part: f64, p: &mut Progress) -> Result<()> {
        let (end, usual) = (self.t_end, self.method);
        // The step may end a rounding error beyond.
        self.t_end = (self.state.t + part).min(end);
        if end - self.t_end <= self.instant {
            self.t_end = end;
        }
        self.method = &Damped;
        let done = self.or_shorter(self.left(), p, Self::piece);
        // A piece much shorter than the step has damped little of what would ring in a whole one.
        if self.state.t == self.t_end && part > 0.25 * self.h_grid {
            self.state.damp = self.state.damp.saturating_sub(1);
        }
        (self.t_end, self.method) = (end, usual);
        done
    }

    /// Whether the velocity at the start of the piece moves a damper that a step of `h` cannot
    /// follow: (step.45).
    pub(super) fn excites_stiff_damper(&mut self, h: f64) -> Result<bool> {
        if self.host.asked.model().answers_later() {
            // The derivatives are asked for with all else that the usual rule wants of the step.
            self.prepare(self.method, h)?;
        }
        let w = &mut *self.w;
        w.start.differentiate(&mut self.host, self.set.jacobian, h)?;
        let start = &w.start;
        let times = |a: &Blocked, x: &[f64], out: &mut [f64]| {
            out.fill(0.0);
            a.add_product(1.0, x, out);
        };
        // y = M^-1 k_v v: how fast dampers change the velocity.
        times(&start.c, &start.v, &mut w.stage.force);
        w.move_by.copy_from_slice(&w.stage.force);
        w.equations.apply_inverse_mass(&mut w.move_by);
        let y_mass = dot(&w.move_by, &w.stage.force);
        times(&start.c, &w.move_by, &mut w.stage.force);
        let rate = -dot(&w.move_by, &w.stage.force) / y_mass;
        times(&start.mass, &start.v, &mut w.stage.force);
        let v_mass = dot(&start.v, &w.stage.force);
        let large = self.h_grid * y_mass.sqrt() > tol::EXCITED * v_mass.sqrt();
        Ok(y_mass > 0.0 && large && self.h_grid * rate > tol::STIFF)
    }
}
