//! What contacts do, judged by accelerations: stick, slip, take-off. Knows no time stepping.

use super::assemble::Source;
use super::event::EventKind;
use super::host::{Host, forward};
use super::method::Start;
use super::run::{Run, no_solution};
use super::search::Path;
use super::state::{Contact, Known, Mode};
use super::workspace::Accelerations;
use crate::error::{Error, Result};
use crate::lcp::Info;
use crate::linalg::{axpy, max_abs};
use crate::tol;

/// Which point accelerations are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// The start of the step.
    Start,
    /// The point evaluated last by [`Run::violation_at`].
    There,
}

impl Accelerations {
    /// What velocity alone adds to accelerations at `point`: (step.15), by central differences
    /// along the motion, forward ones where the host refuses the time before or contacts come and go.
    pub(super) fn differentiate(
        &mut self,
        host: &mut Host<'_>,
        point: &Start,
        h_grid: f64,
    ) -> Result<()> {
        let here = &point.geometry;
        // exact: rates in time are differences of equal numbers for constraints at rest
        let moves = here.phi_t.iter().chain(&here.gap_t).any(|&x| x != 0.0);
        // exact: directions do not turn where nothing moves
        if !moves && point.v.iter().all(|&x| x == 0.0) {
            for x in [&mut self.joint, &mut self.normal, &mut self.tangent, &mut self.brake] {
                x.fill(0.0);
            }
            return Ok(());
        }
        let longest = tol::DIRECTION_TIME * h_grid;
        let e = if moves {
            longest
        } else {
            longest.min(tol::DIRECTION_DIFFERENCE * host.length / max_abs(&point.v))
        };
        let central = match self.look_along(host, point, [e, -e]) {
            // Where contacts come and go normals have kinks, at the seams of faces: what counts is
            // how they go on.
            Ok(()) if !host.is_hosted() => true,
            // The motion may begin here.
            Ok(()) | Err(Error::Rejected { .. }) => {
                self.look_along(host, point, [e, 2.0 * e])?;
                false
            }
            Err(e) => return Err(e),
        };
        let slope = |here: f64, first: f64, second: f64| {
            if central { (first - second) / (2.0 * e) } else { forward(here, first, second, e) }
        };
        let (first, second, v) = (&self.after, &self.before, &point.v);
        for (j, x) in self.joint.iter_mut().enumerate() {
            let [here, first, second] = [here, first, second].map(|g| g.joint_rate(j, v));
            *x = slope(here, first, second);
        }
        let n_dir = host.dims.n_dir;
        for (i, normal) in self.normal.iter_mut().enumerate() {
            let tangent = &mut self.tangent[i * n_dir..(i + 1) * n_dir];
            // What is not there has no part in accelerations.
            if here.gap[i] == f64::INFINITY {
                *normal = 0.0;
                tangent.fill(0.0);
                continue;
            }
            let all = [here, first, second];
            let [here, first, second] = all.map(|g| g.gap_rate(i, v));
            *normal = slope(here, first, second);
            for (k, x) in tangent.iter_mut().enumerate() {
                let [here, first, second] = all.map(|g| g.tangent(i, k).dot(v));
                *x = slope(here, first, second);
            }
        }
        for (i, x) in self.brake.iter_mut().enumerate() {
            let [here, first, second] = [here, first, second].map(|g| g.brake(i).dot(v));
            *x = slope(here, first, second);
        }
        Ok(())
    }

    /// Geometry at two times along the motion from `point`, into `after` and `before`.
    fn look_along(&mut self, host: &mut Host<'_>, point: &Start, times: [f64; 2]) -> Result<()> {
        host.together(|host| {
            for (side, to) in times.into_iter().zip([&mut self.after, &mut self.before]) {
                self.d.fill(0.0);
                axpy(side, &point.v, &mut self.d);
                host.displace(point.t, &point.q, side, &self.d, &mut self.q)?;
                host.geometry(point.t + side, &self.q, to)?;
            }
            Ok(())
        })
    }

    /// Solves for the accelerations at `point` with the contacts of `list`; those that `held` shows
    /// slipping keep their direction.
    fn solve(
        &mut self,
        point: &Start,
        mu: &[f64],
        list: &[usize],
        held: impl Fn(usize) -> Mode,
        brake_held: &[Mode],
    ) -> Result<Info> {
        let source = Source {
            mass: &point.mass,
            p: &point.force,
            impulse: &point.geometry,
            row: &point.geometry,
            joint_offset: &self.joint,
            normal_offset: &self.normal,
            tangent_offset: &self.tangent,
            mu,
            time: 1.0,
            brake_offset: &self.brake,
            brake_held,
        };
        let info = self.assembly.solve(&source, list, held)?;
        self.a.copy_from_slice(self.assembly.solver.v());
        Ok(info)
    }

    /// Acceleration of gap `i`.
    pub(super) fn gap(&self, point: &Start, i: usize) -> f64 {
        point.geometry.normal(i).dot(&self.a) + self.normal[i]
    }

    /// Acceleration of slip at contact `i`, and the direction in which friction would oppose it.
    fn slip(&self, point: &Start, i: usize) -> (f64, u16) {
        let n_dir = self.tangent.len() / self.normal.len().max(1);
        let mut fastest = (0.0, 0);
        for k in 0..n_dir {
            let a = -point.geometry.tangent(i, k).dot(&self.a) - self.tangent[i * n_dir + k];
            if a > fastest.0 {
                fastest = (a, k as u16);
            }
        }
        fastest
    }
}

impl Run<'_> {
    /// Accelerations at a point with the listed contacts, slip held as `chosen` says. False when
    /// there are none: a Painleve case.
    pub(super) fn accelerate(&mut self, at: At) -> Result<bool> {
        let w = &mut *self.w;
        let point = if at == At::Start { &w.start } else { &w.there };
        w.forces.velocity_terms(&mut self.host, point, self.h_grid)?;
        let chosen = &w.chosen;
        match w.forces.solve(point, &w.mu, &w.list, |i| chosen[i], &w.brakes.chosen) {
            Ok(info) => {
                self.stats.checked(&info);
                Ok(true)
            }
            Err(e) if no_solution(&e) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// How far the modes m0 are from what forces want at (t, q, v), as a part of the free
    /// acceleration: (step.19). `path` picks (qp, vp), else (q1, v1), at the time `h` after the
    /// start.
    pub(super) fn violation_at(&mut self, h: f64, path: bool) -> Result<f64> {
        self.list_modes();
        if self.nothing_to_judge() {
            return Ok(0.0);
        }
        self.look_there(h, if path { Path::Modes } else { Path::Lcp })?;
        if !path && self.nothing_has_changed() {
            return Ok(0.0);
        }
        self.violation(At::There)
    }

    /// The same at the start of the step.
    pub(super) fn violation_here(&mut self) -> Result<f64> {
        self.list_modes();
        self.violation(At::Start)
    }

    fn list_modes(&mut self) {
        let w = &mut *self.w;
        w.list.clear();
        w.list.extend((0..w.m0.len()).filter(|&i| w.m0[i].held()));
        w.chosen.copy_from_slice(&w.m0);
        w.brakes.choose_start();
    }

    fn violation(&mut self, at: At) -> Result<f64> {
        // Where forces have no solution they cannot contradict the modes.
        if !self.accelerate(at)? {
            return Ok(0.0);
        }
        let w = &*self.w;
        let point = if at == At::Start { &w.start } else { &w.there };
        let mut worst = 0.0f64;
        for &i in &w.list {
            worst = worst.max(w.forces.gap(point, i));
            if w.m0[i] == Mode::Stick {
                worst = worst.max(w.forces.slip(point, i).0);
            }
        }
        worst = worst.max(w.forces.brake_violation(point, &w.brakes.m0));
        Ok(worst / self.a_scale.max(f64::MIN_POSITIVE))
    }

    /// Finds the modes of the active contacts from velocities and accelerations at the present
    /// state, (step.20), into `chosen`. False when no acceleration exists.
    pub(super) fn find_modes(&mut self) -> Result<bool> {
        let w = &mut *self.w;
        let (v, geometry) = (&w.start.v, &w.start.geometry);
        w.list.clear();
        for (i, contact) in self.state.contacts.iter().enumerate() {
            w.chosen[i] = contact.mode;
            if !contact.mode.active() {
                continue;
            }
            // Without projection a held contact keeps a small speed that means nothing.
            let exact = self.projects_velocity || !contact.mode.held();
            if exact && geometry.gap_rate(i, v) > self.v_zero {
                w.chosen[i] = Mode::Leave;
                continue;
            }
            let (slip, along) = geometry.slip(i, v);
            let sticks = slip <= self.v_zero || (!exact && contact.mode == Mode::Stick);
            let slips = w.mu[i] > 0.0 && !sticks;
            w.chosen[i] = if slips { Mode::Slip(along) } else { Mode::Touch };
            w.list.push(i);
        }
        self.choose_by_speed();
        if self.nothing_to_judge() {
            return Ok(true);
        }
        if !self.accelerate(At::Start)? {
            return Ok(false);
        }
        let w = &mut *self.w;
        let zero = tol::MODE_ACCELERATION * self.a_scale;
        for &i in &w.list {
            if w.forces.gap(&w.start, i) > zero {
                w.chosen[i] = Mode::Leave;
            } else if w.chosen[i] == Mode::Touch {
                let (slip, along) = w.forces.slip(&w.start, i);
                let smooth = w.mu[i] == 0.0; // exact: set by the host
                w.chosen[i] = match (smooth, slip > zero) {
                    (true, _) => Mode::Slip(0),
                    (false, true) => Mode::Slip(along),
                    (false, false) => Mode::Stick,
                };
            }
        }
        self.choose_by_force(zero);
        Ok(true)
    }

    /// Takes the modes in `chosen`, and tells the host what is new about them.
    pub(super) fn take_modes(&mut self) {
        self.state.stale = false;
        self.take_brake_modes();
        for i in 0..self.state.contacts.len() {
            if self.host.scratch.patches.out[i] {
                continue;
            }
            let mode = self.w.chosen[i];
            let Contact { known: old, mode: stood, .. } = self.state.contacts[i];
            self.state.contacts[i].mode = mode;
            let new = match mode {
                Mode::Stick => Known::Stick,
                Mode::Slip(_) => Known::Slip,
                Mode::Open | Mode::Touch | Mode::Leave => Known::Open,
            };
            self.state.contacts[i].known = new;
            let (start, smooth) = (&self.w.start, self.w.mu[i] == 0.0); // exact: set by the host
            let rate = start.geometry.gap_rate(i, &start.v);
            let slip = start.geometry.slip(i, &start.v).0;
            match (old, new) {
                (Known::Slip, Known::Stick) => self.report(EventKind::Stick, i, slip, slip, 0.0),
                // It stood for an instant: the slip was reversed.
                (Known::Slip, Known::Slip) if !smooth && stood == Mode::Stick => {
                    self.report(EventKind::Stick, i, slip, slip, 0.0);
                    self.report(EventKind::Slip, i, slip, slip, 0.0);
                }
                (Known::Stick, Known::Slip) if !smooth => {
                    self.report(EventKind::Slip, i, slip, slip, 0.0);
                }
                (Known::Stick | Known::Slip, Known::Open) => {
                    self.report(EventKind::Takeoff, i, rate, rate, 0.0);
                }
                (Known::Open, Known::Stick | Known::Slip) => {
                    self.report(EventKind::Close, i, rate, rate, 0.0);
                }
                _ => {}
            }
        }
    }
}
