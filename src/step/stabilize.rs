//! Drift: terms in the rows of a step, and projection of positions and velocities. Knows neither
//! methods nor events.

use super::brake::{add_sticking, push_brakes};
use super::host::Geometry;
use super::linear::Equations;
use super::method::{Stage, Start};
use super::run::Run;
use super::search::Path;
use super::state::{Contact, Mode};
use crate::error::{Error, Result};
use crate::linalg::{axpy, dot, max_abs};
use crate::tol;

/// Adds the terms (step.12) to the rows of `stage`: what is wrong with positions and velocities at
/// the start of the step is gone after two whole steps. A penetration that was there when the state
/// was set is left alone.
pub(super) fn add_drift_terms(stage: &mut Stage, start: &Start, contacts: &[Contact], h_grid: f64) {
    let here = &start.geometry;
    let scale = if stage.sum { 2.0 } else { 1.0 };
    let half = if stage.sum { 0.0 } else { 1.0 - stage.weight };
    for (j, offset) in stage.joint_offset.iter_mut().enumerate() {
        *offset += scale * here.phi[j] / h_grid + half * here.joint_rate(j, &start.v);
    }
    for (i, offset) in stage.normal_offset.iter_mut().enumerate() {
        if contacts[i].mode.held() {
            let gap = here.gap[i] - contacts[i].depth;
            *offset += scale * gap / h_grid + half * here.gap_rate(i, &start.v);
        }
    }
}

impl Run<'_> {
    /// Projects (q, v) at time `t` on joints and on the contacts that `modes` holds closed, in the
    /// metric of the mass at the start of the step: (step.13), and (step.14) if velocities may be
    /// projected, of sticking brakes too. What that takes is added to the effort of `path`.
    pub(super) fn project(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        modes: &[Mode],
        path: Path,
    ) -> Result<()> {
        let brakes = path.pick(&self.w.brakes.m1, &self.w.brakes.m0);
        let held = modes.iter().chain(brakes).any(|m| m.held());
        let needed = self.host.dims.n_joint > 0 || held || self.holds_lengths();
        if !self.projects || !needed {
            return Ok(());
        }
        let mut geometry = std::mem::take(&mut self.w.spare);
        let done = self.project_with(t, (q, v), modes, &mut geometry, path);
        self.w.spare = geometry;
        done
    }

    /// Whether contact `i` faces about the same way in `geometry` as where the piece starts: only then is it held there.
    pub(super) fn faces(&self, geometry: &Geometry, i: usize) -> bool {
        let (before, now) = (self.w.start.geometry.normal(i), geometry.normal(i));
        !self.host.scratch.patches.turned_over(before, now)
    }

    fn project_with(
        &mut self,
        t: f64,
        (q, v): (&mut [f64], &mut [f64]),
        modes: &[Mode],
        geometry: &mut Geometry,
        path: Path,
    ) -> Result<()> {
        self.host.geometry(t, q, geometry)?;
        let holds = self.host.dims.n_element > 0;
        if holds {
            self.place_holding(t, q, modes, geometry, path)?;
        }
        let mut last = f64::INFINITY;
        for round in 0..if holds { 0 } else { tol::LONG_PROJECTIONS } {
            let left = drift_of(geometry, |i| modes[i].held() && self.faces(geometry, i));
            let usual = round < tol::PROJECTIONS;
            let enough = if usual { tol::PROJECTED } else { tol::JOINTS_APART };
            if left <= enough * self.set.length || (!usual && left > 0.5 * last) {
                break;
            }
            last = left;
            self.w.equations.clear();
            for j in 0..geometry.phi.len() {
                let row = geometry.joint(j);
                self.w.equations.push_joint(row, geometry.phi[j], row)?;
            }
            for i in (0..modes.len()).filter(|&i| modes[i].held()) {
                if !self.faces(geometry, i) {
                    continue;
                }
                let row = geometry.normal(i);
                self.w.equations.push(row, geometry.gap[i], row)?;
            }
            self.w.move_by.fill(0.0);
            self.w.equations.correct(&mut self.w.move_by)?;
            self.w.q_old.copy_from_slice(q);
            self.host.displace(t, &self.w.q_old, 0.0, &self.w.move_by, q)?;
            let w = &mut *self.w;
            let effort = path.pick(&mut w.lcp_effort, &mut w.path_effort);
            axpy(1.0, &w.move_by, &mut effort.travel);
            effort.lift += dot(&w.start.force, &w.move_by);
            self.host.geometry(t, q, geometry)?;
        }
        check_joints(geometry, max_abs(&self.w.start.geometry.phi), self.set.length)?;
        if !self.projects_velocity {
            return Ok(());
        }
        // exact: what rests moves along nothing, unless what holds it moves
        let still = |x: &f64| *x == 0.0;
        if v.iter().chain(&geometry.phi_t).all(still) && geometry.gap_t.iter().all(still) {
            return Ok(());
        }
        let mut facing = std::mem::take(&mut self.w.facing);
        facing.clear();
        facing.extend(modes.iter().enumerate().map(|(i, &mode)| match mode.held() {
            true if !self.faces(geometry, i) => Mode::Open,
            _ => mode,
        }));
        let done = self.project_velocity(v, &facing, geometry, path);
        self.w.facing = facing;
        done
    }

    /// Projects `v` where positions have been projected, on those that face as they did: (step.14).
    fn project_velocity(
        &mut self,
        v: &mut [f64],
        modes: &[Mode],
        geometry: &Geometry,
        path: Path,
    ) -> Result<()> {
        self.w.move_by.copy_from_slice(v);
        self.correct_velocity(v, modes, geometry, path, true)?;
        let w = &mut *self.w;
        let before = w.start.mass.square(&w.move_by);
        for (change, v) in w.move_by.iter_mut().zip(&*v) {
            *change -= v;
        }
        // Along edges of friction cones that are next to singular a speed of no size makes one of any: normals alone then,
        // which take energy away whatever they do.
        let change = w.start.mass.square(&w.move_by);
        // Where nothing slips there are no such edges.
        let rubs = modes.iter().zip(&w.mu).any(|(m, mu)| matches!(m, Mode::Slip(_)) && *mu > 0.0);
        if rubs && change > tol::PROJECTED_FAR * before {
            axpy(1.0, &w.move_by, v);
            self.w.move_by.copy_from_slice(v);
            self.correct_velocity(v, modes, geometry, path, false)?;
            let w = &mut *self.w;
            for (change, v) in w.move_by.iter_mut().zip(&*v) {
                *change -= v;
            }
            let least = w.start.mass.square(&w.move_by);
            if change <= before && change <= tol::PROJECTED_FARTHER * least {
                axpy(1.0, &w.move_by, v);
                self.correct_velocity(v, modes, geometry, path, true)?;
            }
        }
        let w = &mut *self.w;
        let brakes = path.pick(&w.brakes.m1, &w.brakes.m0);
        let effort = path.pick(&mut w.lcp_effort, &mut w.path_effort);
        effort.push += w.equations.work();
        effort.impulses.add_multipliers(&w.equations, modes, &w.mu);
        add_sticking(&w.equations, brakes, &mut effort.impulses.brake);
        Ok(())
    }

    /// Takes what `modes` do not allow out of `v`, (step.14); `rubs`: along the edges of the cones of contacts that slip.
    fn correct_velocity(
        &mut self,
        v: &mut [f64],
        modes: &[Mode],
        geometry: &Geometry,
        path: Path,
        rubs: bool,
    ) -> Result<()> {
        self.w.equations.clear();
        for j in 0..geometry.phi.len() {
            let row = geometry.joint(j);
            self.w.equations.push_joint(row, geometry.phi_t[j], row)?;
        }
        for (i, &mode) in modes.iter().enumerate() {
            if !mode.held() {
                continue;
            }
            let mu = if rubs { self.w.mu[i] } else { 0.0 };
            let both = (geometry, geometry);
            push_contact(&mut self.w.equations, both, mu, (i, mode), geometry.gap_t[i])?;
        }
        let w = &mut *self.w;
        let brakes = path.pick(&w.brakes.m1, &w.brakes.m0);
        push_brakes(&mut w.equations, (geometry, geometry), brakes)?;
        w.equations.correct(v)
    }
}

/// Adds the rows of contact `i` in `mode`: its normal, with the multiplier along the edge of the
/// friction cone in slip, and its friction directions in stick. Nothing for one that is not held.
/// `mu` is zero without directions.
///
/// # Errors
/// `Memory`.
pub(super) fn push_contact(
    equations: &mut Equations,
    (impulse, row): (&Geometry, &Geometry),
    mu: f64,
    (i, mode): (usize, Mode),
    offset: f64,
) -> Result<()> {
    let (n, n_row) = (impulse.normal(i), row.normal(i));
    match mode {
        Mode::Slip(k) if mu > 0.0 => {
            equations.push_edge(n_row, offset, n, mu, impulse.tangent(i, usize::from(k)))?;
        }
        Mode::Slip(_) => equations.push(n_row, offset, n)?,
        Mode::Stick => {
            equations.push(n_row, offset, n)?;
            for k in impulse.independent_directions() {
                let d = impulse.tangent(i, k);
                equations.push(row.tangent(i, k), 0.0, d)?;
            }
        }
        Mode::Open | Mode::Touch | Mode::Leave => {}
    }
    Ok(())
}

/// Refuses joints that projection could not bring together: joints that contradict each other, and
/// those that a step far too long has torn apart. `before` is their largest error at its start.
pub(super) fn check_joints(geometry: &Geometry, before: f64, length: f64) -> Result<()> {
    let left = max_abs(&geometry.phi);
    if left <= tol::JOINTS_APART * length || left < 0.5 * before {
        return Ok(());
    }
    let row = geometry.phi.iter().position(|x| x.abs() == left).unwrap_or(0);
    Err(Error::Inconsistent { what: "joints", row, violation: left / length })
}

/// Largest error of a joint or of a gap that is held closed.
pub(super) fn drift(geometry: &Geometry, modes: &[Mode]) -> f64 {
    drift_of(geometry, |i| modes[i].held())
}

fn drift_of(geometry: &Geometry, held: impl Fn(usize) -> bool) -> f64 {
    let gaps = geometry.gap.iter().enumerate().filter(|(i, _)| held(*i));
    gaps.fold(max_abs(&geometry.phi), |worst, (_, gap)| worst.max(gap.abs()))
}
