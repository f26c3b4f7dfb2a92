//! Brakes during a step: what they do, when they stop slipping and when they give way. They are
//! always there and never collide, so that only stick and slip are left of what contacts do.

use super::event::{Event, EventKind};
use super::host::Geometry;
use super::linear::Equations;
use super::locate::bracketed;
use super::method::{Stage, Start};
use super::run::Run;
use super::search::{Found, What};
use super::state::{Known, Mode};
use super::workspace::{Accelerations, Workspace};
use crate::error::{Result, reserve};

/// Sign of the friction of a brake that slips against its direction `k`: 0 its own, 1 the opposite.
pub(super) fn against(k: u16) -> f64 {
    if k == 0 { 1.0 } else { -1.0 }
}

/// The mode of a brake with the slip speed `speed`, or `rest` up to `zero`.
fn mode_of(speed: f64, zero: f64, rest: Mode) -> Mode {
    if speed > zero {
        Mode::Slip(1)
    } else if speed < -zero {
        Mode::Slip(0)
    } else {
        rest
    }
}

/// Modes of the brakes: at the start, after the step by complementarity, and those being chosen.
#[derive(Debug)]
pub(super) struct BrakeModes {
    pub m0: Vec<Mode>,
    pub m1: Vec<Mode>,
    pub chosen: Vec<Mode>,
}

impl BrakeModes {
    pub(super) fn new(n_brake: usize) -> Result<Self> {
        let modes = || -> Result<Vec<Mode>> {
            let mut m = reserve(n_brake)?;
            m.resize(n_brake, Mode::Touch);
            Ok(m)
        };
        Ok(Self { m0: modes()?, m1: modes()?, chosen: modes()? })
    }

    /// m1 := what the unknown `u` of the stage says.
    pub(super) fn read(&mut self, stage: &Stage, u: &[f64], zero: f64) {
        for (i, mode) in self.m1.iter_mut().enumerate() {
            *mode = mode_of(stage.rows().brake(i).dot(u), zero, Mode::Stick);
        }
    }

    /// chosen := m0.
    pub(super) fn choose_start(&mut self) {
        self.chosen.copy_from_slice(&self.m0);
    }

    /// The modes m0 on a path: rows for brakes that stick, impulses in `p` for those that slip.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn hold(
        &self,
        stage: &Stage,
        equations: &mut Equations,
        p: &mut [f64],
    ) -> Result<()> {
        push_brakes(equations, (&stage.impulse, stage.rows()), &self.m0)?;
        for (i, &mode) in self.m0.iter().enumerate() {
            if let Mode::Slip(k) = mode {
                let impulse = against(k) * stage.span * stage.impulse.brake_bound[i];
                stage.impulse.brake(i).add(impulse, p);
            }
        }
        Ok(())
    }

    /// Impulses of the brakes on a path with the modes m0, after its equations were solved.
    pub(super) fn take_impulses(&self, stage: &Stage, equations: &Equations, to: &mut [f64]) {
        for (i, &mode) in self.m0.iter().enumerate() {
            to[i] = match mode {
                Mode::Slip(k) => against(k) * stage.span * stage.impulse.brake_bound[i],
                _ => 0.0,
            };
        }
        add_sticking(equations, &self.m0, to);
    }

    /// Whether a brake slips forward on the mean, as a rule on sums of velocities sees it, but stands
    /// or goes backward at the end with the velocity `v`.
    pub(super) fn reversed(&self, stage: &Stage, v: &[f64], zero: f64) -> bool {
        stage.sum
            && self.m1.iter().enumerate().any(|(i, mode)| match mode {
                Mode::Slip(k) => against(*k) * stage.rows().brake(i).dot(v) > -zero,
                _ => false,
            })
    }
}

/// Adds the rows of the brakes that stick.
///
/// # Errors
/// `Memory`.
pub(super) fn push_brakes(
    equations: &mut Equations,
    (impulse, row): (&Geometry, &Geometry),
    modes: &[Mode],
) -> Result<()> {
    for i in (0..modes.len()).filter(|&i| modes[i] == Mode::Stick) {
        let d = impulse.brake(i);
        equations.push(row.brake(i), 0.0, d)?;
    }
    Ok(())
}

/// Adds the multipliers of the brakes that stick to `to`; their rows are the last of `equations`.
pub(super) fn add_sticking(equations: &Equations, modes: &[Mode], to: &mut [f64]) {
    let sticking = (0..modes.len()).filter(|&i| modes[i] == Mode::Stick);
    let all = equations.multipliers();
    let first = all.len().saturating_sub(sticking.clone().count());
    for (i, x) in sticking.zip(&all[first..]) {
        to[i] += x;
    }
}

impl Workspace {
    /// Largest acceleration that a brake makes along itself at the start. Needs the mass of the
    /// start in `equations`; changes `move_by`.
    pub(super) fn brake_acceleration(&mut self) -> f64 {
        let mut largest = 0.0f64;
        for i in 0..self.start.geometry.brake_bound.len() {
            let d = self.start.geometry.brake(i);
            d.write(&mut self.move_by);
            self.equations.apply_inverse_mass(&mut self.move_by);
            largest = largest.max(self.start.geometry.brake_bound[i] * d.dot(&self.move_by));
        }
        largest
    }
}

impl Accelerations {
    /// Acceleration of slip at brake `i`.
    fn brake_slip(&self, point: &Start, i: usize) -> f64 {
        point.geometry.brake(i).dot(&self.a) + self.brake[i]
    }

    /// Largest acceleration of a brake that should stick.
    pub(super) fn brake_violation(&self, point: &Start, modes: &[Mode]) -> f64 {
        let sticking = (0..modes.len()).filter(|&i| modes[i] == Mode::Stick);
        sticking.fold(0.0, |worst, i| worst.max(self.brake_slip(point, i).abs()))
    }
}

impl Run<'_> {
    /// Whether there is neither a listed contact nor a brake that accelerations could tell about.
    pub(super) fn nothing_to_judge(&self) -> bool {
        self.w.list.is_empty() && self.w.brakes.m0.is_empty()
    }

    /// The modes that velocities give the brakes, into `chosen`; touching where there is no slip.
    pub(super) fn choose_by_speed(&mut self) {
        let w = &mut *self.w;
        for (i, chosen) in w.brakes.chosen.iter_mut().enumerate() {
            let known = self.state.brakes[i].mode;
            // Without projection a brake that sticks keeps a small speed that means nothing.
            if !self.projects_velocity && known == Mode::Stick {
                *chosen = Mode::Touch;
                continue;
            }
            let speed = w.start.geometry.brake(i).dot(&w.start.v);
            *chosen = mode_of(speed, self.v_zero, Mode::Touch);
        }
    }

    /// Stick or slip for the brakes without slip, by accelerations; `zero` counts as none.
    pub(super) fn choose_by_force(&mut self, zero: f64) {
        let w = &mut *self.w;
        for i in 0..w.brakes.chosen.len() {
            if w.brakes.chosen[i] == Mode::Touch {
                let slip = w.forces.brake_slip(&w.start, i);
                w.brakes.chosen[i] = mode_of(slip, zero, Mode::Stick);
            }
        }
    }

    /// Takes the modes in `chosen`, and tells the host what is new about them.
    pub(super) fn take_brake_modes(&mut self) {
        for i in 0..self.state.brakes.len() {
            let mode = self.w.brakes.chosen[i];
            let new = if mode == Mode::Stick { Known::Stick } else { Known::Slip };
            let brake = &mut self.state.brakes[i];
            brake.mode = mode;
            let old = std::mem::replace(&mut brake.known, new);
            match (old, new) {
                (Known::Slip, Known::Stick) => self.report_brake(EventKind::Stick, i),
                (Known::Stick, Known::Slip) => self.report_brake(EventKind::Slip, i),
                _ => {}
            }
        }
    }

    fn report_brake(&mut self, kind: EventKind, i: usize) {
        let start = &self.w.start;
        let speed = start.geometry.brake(i).dot(&start.v).abs();
        self.events.push(Event {
            kind,
            contact: (self.host.dims.n_contact + i) as i32,
            t: self.changed_at.unwrap_or(self.state.t),
            speed_before: speed,
            speed_after: speed,
            impulse: 0.0,
            key: self.host.asked.model().brake_key(i),
        });
    }

    /// Whether the chosen modes are others than those of the start.
    pub(super) fn modes_changed(&self) -> bool {
        self.w.chosen != self.w.m0 || self.w.brakes.chosen != self.w.brakes.m0
    }

    /// Makes contact `at` stick on the path of modes, and those that slip alike; beyond the contacts
    /// are the brakes.
    pub(super) fn stick(&mut self, at: usize) {
        match at.checked_sub(self.host.dims.n_contact) {
            None => self.stick_together(at),
            Some(i) => self.w.brakes.m0[i] = Mode::Stick,
        }
    }

    /// The time before `latest` at which brake `i` stops slipping on the path of modes.
    pub(super) fn end_of_brake_slip(
        &mut self,
        i: usize,
        h: f64,
        latest: f64,
    ) -> Result<Option<Found>> {
        let Mode::Slip(k) = self.w.brakes.m0[i] else { return Ok(None) };
        if latest <= self.instant {
            return Ok(None);
        }
        let end = self.brake_after(latest, i, k)?;
        if end >= 0.0 {
            return Ok(None);
        }
        let contact = self.host.dims.n_contact + i;
        let stopped = |tau| Ok(Some(Found { tau, said: tau, what: What::Stick, contact }));
        let w = &*self.w;
        let mut from = (0.0, -against(k) * w.start.geometry.brake(i).dot(&w.start.v));
        if from.1 <= self.v_zero {
            match self.moves_after(latest, |run, tau| run.brake_after(tau, i, k))? {
                Some(moving) => from = moving,
                None => return stopped(0.0),
            }
        }
        let width = f64::EPSILON * h;
        let tau = bracketed(from, (latest, end), width, |tau| self.brake_after(tau, i, k))?;
        stopped(tau)
    }

    /// Slip speed of brake `i` against its direction `k` at the time `tau` on the path of modes.
    fn brake_after(&mut self, tau: f64, i: usize, k: u16) -> Result<f64> {
        self.path(tau)?;
        let w = &mut *self.w;
        self.host.geometry(self.state.t + tau, &w.qp, &mut w.probe)?;
        Ok(-against(k) * w.probe.brake(i).dot(&w.vp))
    }
}
