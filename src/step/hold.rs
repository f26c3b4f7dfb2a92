//! Projection of positions that holds springs: joints and gaps are met without stretching what is
//! stiff, so that no energy comes from it, (step.50). Knows neither methods nor events.

use super::host::{Geometry, zeros};
use super::options::EventLevel;
use super::run::Run;
use super::search::Path;
use super::state::Mode;
use crate::error::{Result, reserve};
use crate::linalg::{axpy, dot, max_abs};
use crate::model::{Dims, Elements, Parts};
use crate::tol;

/// Elements at the position under way, and what is held of them.
#[derive(Debug)]
pub(super) struct Hold {
    at: Elements,
    /// Elongation that each element is to have.
    target: Vec<f64>,
    /// Contacts that take part.
    list: Vec<usize>,
    /// The displacement that leaves springs alone.
    free: Vec<f64>,
}

impl Hold {
    pub(super) fn new(d: &Dims, parts: &Parts) -> Result<Self> {
        let list = reserve(if d.n_element > 0 { d.n_contact } else { 0 })?;
        Ok(Self { at: parts.elements(d)?, target: zeros(d.n_element)?, list, free: zeros(d.nv)? })
    }

    /// Elements that can store energy.
    fn stiff(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.at.count()).filter(|&i| self.at.stiffness[i] > 0.0)
    }

    fn stretched(&self) -> f64 {
        self.stiff().fold(0.0, |worst, i| worst.max((self.at.phi[i] - self.target[i]).abs()))
    }
}

impl Run<'_> {
    /// Whether positions are projected even without joints and closed contacts: the rule of first
    /// order promises lengths of springs that a curved path does not have.
    pub(super) fn holds_lengths(&self) -> bool {
        self.host.dims.n_element > 0 && self.linear_lengths()
    }

    /// Whether springs are to have the lengths that the rule saw, linear in the displacement. Rules
    /// of second order would lose an order by it.
    fn linear_lengths(&self) -> bool {
        self.w.stage.weight == 1.0 && !self.method.position_level()
    }

    /// Moves `q` at time `t` on joints and contacts without stretching springs. `geometry` is that
    /// of `q`, before and after.
    pub(super) fn place_holding(
        &mut self,
        t: f64,
        q: &mut [f64],
        modes: &[Mode],
        geometry: &mut Geometry,
        path: Path,
    ) -> Result<()> {
        self.aim(t, q, path)?;
        for _ in 0..tol::PROJECTIONS {
            self.host.asked.elements(t, q, &mut self.w.hold.at)?;
            let enough = tol::PROJECTED * self.set.length;
            let open = |i: &usize| !modes[*i].held() || geometry.gap[*i] >= 0.0;
            let placed = if self.one_sided() {
                (0..modes.len()).all(|i| open(&i)) && max_abs(&geometry.phi) <= enough
            } else {
                super::stabilize::drift(geometry, modes) <= enough
            };
            if placed && self.w.hold.stretched() <= enough {
                break;
            }
            self.nearest(geometry, modes, false)?;
            self.w.hold.free.copy_from_slice(&self.w.move_by);
            self.nearest(geometry, modes, true)?;
            let w = &mut *self.w;
            let effort = path.pick(&mut w.lcp_effort, &mut w.path_effort);
            let size = |x: &[f64]| w.start.mass.square(x);
            // A way longer than that of the step is none that a small error explains: springs stand
            // against what joints and gaps demand, and give way.
            let reach = tol::HOLD_REACH * (size(&w.hold.free) + size(&effort.travel));
            if size(&w.move_by) > reach {
                w.move_by.copy_from_slice(&w.hold.free);
            }
            axpy(1.0, &w.move_by, &mut effort.travel);
            effort.lift += dot(&w.start.force, &w.move_by);
            w.q_old.copy_from_slice(q);
            self.host.displace(t, &w.q_old, 0.0, &w.move_by, q)?;
            self.host.geometry(t, q, geometry)?;
        }
        Ok(())
    }

    /// Sets the elongations to hold: those at `q`, or the linear ones.
    fn aim(&mut self, t: f64, q: &[f64], path: Path) -> Result<()> {
        let linear = self.linear_lengths();
        let w = &mut *self.w;
        let from = if linear { &w.start.q } else { q };
        self.host.asked.elements(t, from, &mut w.hold.at)?;
        let effort = path.pick(&w.lcp_effort, &w.path_effort);
        for i in 0..w.hold.target.len() {
            let grown = if linear { w.hold.at.gradient(i).dot(&effort.travel) } else { 0.0 };
            w.hold.target[i] = w.hold.at.phi[i] + grown;
        }
        Ok(())
    }

    /// Whether a held contact may open: the rules whose velocities are not projected leave gaps as
    /// they are.
    fn one_sided(&self) -> bool {
        !self.projects_velocity && self.w.stage.weight == 1.0
    }

    /// move_by := the smallest displacement in the metric of the mass that meets joints as equations
    /// and contacts as inequalities, and holds springs if asked for. A contact that would have to
    /// pull is let go, one that would be closed is taken in, until neither happens.
    fn nearest(&mut self, geometry: &Geometry, modes: &[Mode], springs: bool) -> Result<()> {
        let (one_sided, unlocated) = (self.one_sided(), self.set.events == EventLevel::None);
        let w = &mut *self.w;
        let gap = &geometry.gap;
        let joins = |i: &usize| {
            if modes[*i].held() {
                !one_sided || gap[*i] < 0.0
            } else {
                unlocated && gap[*i] < 0.0 && !geometry.is_lifted(*i)
            }
        };
        w.hold.list.clear();
        w.hold.list.extend((0..modes.len()).filter(joins));
        for _ in 0..2 * (modes.len() + 1) {
            self.solve_held(geometry, springs)?;
            let w = &mut *self.w;
            let push = &w.equations.multipliers()[geometry.phi.len()..];
            let pulls = (0..w.hold.list.len())
                .filter(|&k| (one_sided || !modes[w.hold.list[k]].held()) && push[k] < 0.0)
                .min_by(|&a, &b| push[a].total_cmp(&push[b]));
            if let Some(k) = pulls {
                w.hold.list.remove(k);
                continue;
            }
            // What is below already is left to the location of impacts.
            let after = |i: usize| gap[i] + geometry.normal(i).dot(&w.move_by);
            let slack = -tol::PROJECTED * self.set.length;
            let closed = (0..gap.len())
                .filter(|i| gap[*i] >= 0.0 && after(*i) < slack && !w.hold.list.contains(i))
                .min_by(|&a, &b| after(a).total_cmp(&after(b)));
            match closed {
                Some(i) => w.hold.list.push(i),
                None => break,
            }
        }
        Ok(())
    }

    /// move_by := the smallest displacement with joints, listed gaps and, if asked for, springs as
    /// equations. Springs come last: where they depend on the others they are dropped.
    fn solve_held(&mut self, geometry: &Geometry, springs: bool) -> Result<()> {
        let w = &mut *self.w;
        w.equations.clear();
        for j in 0..geometry.phi.len() {
            let row = geometry.joint(j);
            w.equations.push_joint(row, geometry.phi[j], row)?;
        }
        for &i in &w.hold.list {
            let row = geometry.normal(i);
            w.equations.push(row, geometry.gap[i], row)?;
        }
        if springs {
            for i in w.hold.stiff() {
                let row = w.hold.at.gradient(i);
                let stretch = w.hold.at.phi[i] - w.hold.target[i];
                w.equations.push(row, stretch, row)?;
            }
        }
        w.move_by.fill(0.0);
        w.equations.correct(&mut w.move_by)
    }
}
