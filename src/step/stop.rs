//! The end of a slip in space, where its direction turns on the way. Knows one contact at a time,
//! and nothing of what is done about it.

use super::run::Run;
use super::search::{Found, What};
use super::state::Mode;
use crate::error::Result;
use crate::tol;

/// A contact whose slip may end on a path: its speed along the direction it began with, at both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slowing {
    pub contact: usize,
    pub before: f64,
    pub after: f64,
}

impl Slowing {
    /// The part of the path before which the slip does not end: that after which the line between its
    /// ends does, less a margin for the path's being none.
    pub(super) fn earliest(&self) -> f64 {
        let lost = self.before - self.after;
        if lost > 0.0 { tol::LINE_OF_SLIP * self.before.max(0.0) / lost } else { f64::INFINITY }
    }

    /// Whether the two slip alike all the way: points of one body on another, which stop together.
    pub(super) fn like(&self, other: &Slowing) -> bool {
        let size = self.before.abs().max(self.after.abs());
        let near = |a: f64, b: f64| (a - b).abs() <= tol::SLIP_ALIKE * size;
        near(self.before, other.before) && near(self.after, other.after)
    }
}

/// Two components of a slip.
type Slip = [f64; 2];

fn dot(a: Slip, b: Slip) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The time after which a slip `s` ends under friction of the deceleration `a` against it and the
/// acceleration `b` of everything else, (step.43); `None` if it does not.
fn duration(s: Slip, a: f64, b: Slip) -> Option<f64> {
    let rest = a * a - dot(b, b);
    let t = (a * dot(s, s).sqrt() + dot(b, s)) / rest;
    (rest > 0.0 && t.is_finite()).then_some(t)
}

impl Run<'_> {
    /// The time before `latest` at which contact `i`, slipping against direction `along` of a
    /// regular polygon, comes to rest: friction follows the slip as it turns. `None` when it does
    /// not.
    pub(super) fn stop_in_space(
        &mut self,
        i: usize,
        along: usize,
        latest: f64,
    ) -> Result<Option<Found>> {
        /// Accelerations over the whole piece first, then over the slip itself.
        const ROUNDS: usize = 3;
        let w = &mut *self.w;
        let n_dir = self.host.dims.n_dir;
        let (geometry, v) = (&w.start.geometry, &w.start.v);
        let Some(s) = self.host.scratch.slip_vector(geometry, i, v).map(Slip::from) else {
            return Ok(None);
        };
        let mut tau = latest;
        for _ in 0..ROUNDS {
            let with = self.slip_over(i, tau)?;
            self.reverse_friction(i, along);
            let against = self.slip_over(i, tau);
            self.reverse_friction(i, (along + n_dir / 2) % n_dir);
            let against = against?;
            let (Some(with), Some(against)) = (with, against) else { return Ok(None) };
            let half = 0.5 / tau;
            let b = [0, 1].map(|k| half * (with[k] + against[k] - 2.0 * s[k]));
            let pull = [0, 1].map(|k| half * (against[k] - with[k]));
            match duration(s, dot(pull, pull).sqrt(), b) {
                Some(t) if t <= latest => tau = t,
                _ => return Ok(None),
            }
        }
        Ok(Some(Found { tau, said: tau, what: What::Stick, contact: i }))
    }

    /// Lists the contacts whose slip may end before `latest` on the path of modes, in the order in which
    /// they may: those of which at
    /// that time little is left along the direction it began with. One look at the end of the path
    /// spares a search for every other contact; friction that turns with a slip stops it no earlier
    /// than friction that keeps its direction, (step.43).
    pub(super) fn list_slowing(&mut self, latest: f64) -> Result<()> {
        let slips = |(m, mu): (&Mode, &f64)| matches!(m, Mode::Slip(_)) && *mu > 0.0;
        self.w.slowing.clear();
        if latest <= self.instant || !self.w.m0.iter().zip(&self.w.mu).any(slips) {
            return Ok(());
        }
        self.path(latest)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + latest, &w.qp, &mut w.probe)?;
        for (i, mode) in w.m0.iter().enumerate() {
            let Mode::Slip(k) = *mode else { continue };
            let along = usize::from(k);
            let before = -w.start.geometry.tangent(i, along).dot(&w.start.v);
            let after = -w.probe.tangent(i, along).dot(&w.vp);
            if w.mu[i] > 0.0 && after < tol::SLOWING * before.max(0.0) {
                w.slowing.push(Slowing { contact: i, before, after });
            }
        }
        // The first to end are followed first, and spare the search for others.
        w.slowing.sort_by(|a, b| a.earliest().total_cmp(&b.earliest()));
        Ok(())
    }

    /// Turns the friction of contact `i`, along direction `along`, round, and that of all contacts
    /// which slip alike: the points of a base stop together, and each of them alone brakes little.
    fn reverse_friction(&mut self, i: usize, along: usize) {
        let (w, n_dir) = (&mut *self.w, self.host.dims.n_dir);
        let half = (n_dir / 2) as u16;
        let opposite = |k: u16| Mode::Slip((k + half) % n_dir as u16);
        let this = w.slowing.iter().find(|s| s.contact == i).copied();
        for s in &w.slowing {
            if let (Some(this), Mode::Slip(k)) = (this, w.m0[s.contact])
                && s.contact != i
                && s.like(&this)
            {
                w.m0[s.contact] = opposite(k);
            }
        }
        w.m0[i] = opposite(along as u16);
    }

    /// Makes contact `i` and all that slip alike stick on the path of modes.
    pub(super) fn stick_together(&mut self, i: usize) {
        let w = &mut *self.w;
        let this = w.slowing.iter().find(|s| s.contact == i).copied();
        w.m0[i] = Mode::Stick;
        for s in w.slowing.iter().filter(|s| this.is_some_and(|this| s.like(&this))) {
            w.m0[s.contact] = Mode::Stick;
        }
    }

    /// The slip of contact `i` at the time `tau` on the path of modes.
    fn slip_over(&mut self, i: usize, tau: f64) -> Result<Option<Slip>> {
        self.path(tau)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + tau, &w.qp, &mut w.probe)?;
        Ok(self.host.scratch.slip_vector(&w.probe, i, &w.vp).map(Slip::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_that_nothing_turns_ends_after_speed_over_deceleration() {
        assert_eq!(duration([3.0, 4.0], 2.0, [0.0; 2]), Some(2.5));
        // Pulled along with more than friction it never ends.
        assert_eq!(duration([3.0, 4.0], 2.0, [0.0, 2.5]), None);
    }

    #[test]
    fn a_slip_pulled_aside_ends_when_the_motion_itself_does() {
        // Classical fourth-order rule in the logarithm of the speed, which reaches e^-30 of it.
        let (a, b) = (2.0, [0.3, 0.9]);
        let (mut t, mut s) = (0.0f64, [1.0f64, 0.0]);
        let rate = |s: Slip| {
            let speed = dot(s, s).sqrt();
            ([0, 1].map(|k| speed * b[k] - a * s[k]), speed)
        };
        let h = 1e-3;
        for _ in 0..60_000 {
            let at = |k: Slip, h: f64| [s[0] + h * k[0], s[1] + h * k[1]];
            let k1 = rate(s);
            let k2 = rate(at(k1.0, 0.5 * h));
            let k3 = rate(at(k2.0, 0.5 * h));
            let k4 = rate(at(k3.0, h));
            t += h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
            s = [0, 1].map(|i| s[i] + h / 6.0 * (k1.0[i] + 2.0 * (k2.0[i] + k3.0[i]) + k4.0[i]));
        }
        let ends = duration([1.0, 0.0], a, b).unwrap();
        assert!((ends - t).abs() < 1e-10, "{ends} {t}");
    }
}
