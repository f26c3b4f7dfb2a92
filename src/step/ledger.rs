//! Where kinetic energy comes from and where it goes: the books of a step. Knows no method and
//! changes no motion.

use super::options::Stabilization;
use super::run::Run;
use super::search::Path;
use super::state::Mode;
use crate::linalg::{Blocked, axpy, dot};
use crate::tol;

/// Energies, J, over one step or many: (step.30). What drives the bodies counts positive, losses by
/// friction and impacts are positive losses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ledger {
    /// Change of the kinetic energy.
    pub kinetic: f64,
    /// Work of the forces of the model, (step.31).
    pub external: f64,
    /// Work of joints and surfaces that move by themselves, (step.32).
    pub drive: f64,
    /// Lost to friction between impacts, (step.33).
    pub friction: f64,
    /// Lost in impacts, friction in them included, (step.34).
    pub impact: f64,
    /// Work of the means against drift, (step.35).
    pub stabilization: f64,
    /// The rest: what the method gained or lost by itself.
    pub residue: f64,
}

impl Ledger {
    /// All entries, in the order of a snapshot.
    pub(super) fn fields(&self) -> [f64; 7] {
        let Self { kinetic, external, drive, friction, impact, stabilization, residue } = *self;
        [kinetic, external, drive, friction, impact, stabilization, residue]
    }

    /// The inverse of [`fields`](Self::fields).
    pub(super) fn from_fields(x: [f64; 7]) -> Self {
        let [kinetic, external, drive, friction, impact, stabilization, residue] = x;
        Self { kinetic, external, drive, friction, impact, stabilization, residue }
    }

    /// Adds another one, entry by entry.
    fn add(&mut self, other: &Self) {
        let (mut sum, more) = (self.fields(), other.fields());
        axpy(1.0, &more, &mut sum);
        *self = Self::from_fields(sum);
    }

    /// The residue that balances (step.30).
    fn balance(&mut self) {
        let gained = self.external + self.drive + self.stabilization;
        self.residue = self.kinetic - (gained - self.friction - self.impact);
    }
}

/// The books of a stepper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ledgers {
    /// Of the last step.
    pub step: Ledger,
    /// Since the state was set.
    pub sum: Ledger,
}

/// v'Mv/2.
fn energy(mass: &Blocked, v: &[f64]) -> f64 {
    0.5 * mass.square(v)
}

impl Run<'_> {
    /// The step begins: the model has been evaluated at its start.
    pub(super) fn open_ledger(&mut self) {
        let start = &self.w.start;
        self.state.ledger.step.kinetic = -energy(&start.mass, &start.v);
    }

    /// The step ends: the model has been evaluated at its end.
    pub(super) fn close_ledger(&mut self) {
        let start = &self.w.start;
        let books = &mut self.state.ledger;
        books.step.kinetic += energy(&start.mass, &start.v);
        books.step.balance();
        let step = books.step;
        books.sum.add(&step);
        self.state.impulses.cancel_opposites();
    }

    /// Books the piece of length `h` that ends with `path`, before the state takes it: everything
    /// but what the forces at its end add, for which [`book_end`](Self::book_end) waits.
    pub(super) fn book_piece(&mut self, h: f64, path: Path) {
        self.take_mean(path);
        let w = &mut *self.w;
        let effort = path.pick(&w.lcp_effort, &w.path_effort);
        // A state interpolated inside the piece took its part of the impulses.
        let cut = (h - w.stage.h).abs() > self.instant;
        let part = if cut { h / w.stage.h } else { 1.0 };
        let mean = &w.mean;
        let turns = &self.host.scratch.turns;
        self.state.impulses.add_turned(part, &effort.impulses, turns);

        let books = &mut self.state.ledger.step;
        w.unbooked = Some(path);
        if let Some(works) = effort.works {
            // Masses by stages, or the first half of theirs in (step.31).
            let masses = if works.ends { energy(&w.start.mass, mean) } else { 0.0 };
            books.external += works.external + effort.lift - masses;
            books.drive += works.drive;
            books.friction += works.friction;
            books.stabilization += effort.push - effort.lift;
            return;
        }
        // The first half of (step.31).
        books.external += 0.5 * dot(&w.start.force, &effort.travel) - energy(&w.start.mass, mean);
        books.stabilization += part * (effort.push - effort.lift);
        self.book_impulses(part, path);
    }

    /// mean := that of the velocities at both ends of `path`.
    fn take_mean(&mut self, path: Path) {
        let w = &mut *self.w;
        let ends = w.start.v.iter().zip(path.pick(&w.v1, &w.vp));
        for (mean, (a, b)) in w.mean.iter_mut().zip(ends) {
            *mean = (b + a) * 0.5;
        }
    }

    /// Works of the impulses of a piece on the mean velocity, (step.32) to (step.35).
    fn book_impulses(&mut self, part: f64, path: Path) {
        let w = &*self.w;
        let effort = path.pick(&w.lcp_effort, &w.path_effort);
        let (impulses, mean) = (&effort.impulses, &w.mean);
        let (at, rows, start) = (&w.stage.impulse, w.stage.rows(), &w.start);
        // Rates in time in the middle of the piece: there, or the mean of both ends.
        let middle = |now: f64, row: f64| if w.stage.apart { 0.5 * (now + row) } else { row };
        let in_rows = self.set.stabilization == Stabilization::Velocity;
        let (mut drive, mut against_drift, mut hit) = (0.0, 0.0, 0.0);
        for (j, &c) in impulses.joint.iter().enumerate() {
            let rate = middle(start.geometry.phi_t[j], rows.phi_t[j]);
            drive -= c * rate;
            if in_rows {
                against_drift += c * (at.joint(j).dot(mean) + rate);
            }
        }
        for (i, &c) in impulses.normal.iter().enumerate() {
            // exact: a contact that takes no part
            if c == 0.0 {
                continue;
            }
            let rate = middle(start.geometry.gap_t[i], rows.gap_t[i]);
            drive -= c * rate;
            if effort.jump || self.arrives_here(i) {
                hit -= c * (at.normal(i).dot(mean) + rate);
            } else if in_rows {
                against_drift += c * (at.normal(i).dot(mean) + rate);
            }
        }
        let (in_hits, rubbed) = self.rubbed(path, mean);
        hit += in_hits;
        let books = &mut self.state.ledger.step;
        books.drive += part * drive;
        books.stabilization += part * against_drift;
        books.impact += part * if effort.jump { hit + rubbed } else { hit };
        books.friction += if effort.jump { 0.0 } else { part * rubbed };
    }

    /// What the friction of a piece takes from the velocity `mean`, (step.33): at contacts that arrive, and
    /// at all others and brakes.
    fn rubbed(&self, path: Path, mean: &[f64]) -> (f64, f64) {
        let w = &*self.w;
        let impulses = &path.pick(&w.lcp_effort, &w.path_effort).impulses;
        let (at, n_dir) = (&w.stage.impulse, self.host.dims.n_dir);
        let (mut hit, mut rubbed) = (0.0, 0.0);
        for (k, &beta) in impulses.friction.iter().enumerate().filter(|(_, beta)| **beta != 0.0) {
            let i = k / n_dir;
            let lost = -beta * at.tangent(i, k % n_dir).dot(mean);
            if self.arrives_here(i) {
                hit += lost;
            } else {
                rubbed += lost;
            }
        }
        for (i, f) in impulses.brake.iter().enumerate() {
            rubbed -= f * at.brake(i).dot(mean);
        }
        (hit, rubbed)
    }

    fn arrives_here(&self, i: usize) -> bool {
        let start = &self.w.start;
        let rate = start.geometry.gap_rate(i, &start.v);
        self.arrives(i, self.state.contacts[i].mode, rate)
    }

    /// Whether friction adds energy on the path of modes: (step.73).
    pub(super) fn friction_drives(&mut self) -> bool {
        self.take_mean(Path::Modes);
        let w = &*self.w;
        let (hit, rubbed) = self.rubbed(Path::Modes, &w.mean);
        let moves = energy(&w.start.mass, &w.start.v).max(energy(&w.start.mass, &w.vp));
        let impulses = &w.path_effort.impulses;
        let pushed = impulses.friction.iter().chain(&impulses.brake).fold(0.0, |s, f| s + f.abs());
        hit + rubbed < -(tol::FRICTION_DRIVES * moves + self.v_zero * pushed)
    }

    /// Books what the forces and the mass at the end of the last piece add: the second half of
    /// (step.31). The model has been evaluated there.
    pub(super) fn book_end(&mut self) {
        let Some(path) = self.w.unbooked.take() else { return };
        let w = &*self.w;
        let effort = path.pick(&w.lcp_effort, &w.path_effort);
        let masses = energy(&w.start.mass, &w.mean);
        let work = match effort.works {
            Some(works) if works.ends => masses,
            Some(_) => 0.0,
            None => 0.5 * dot(&w.start.force, &effort.travel) + masses,
        };
        self.state.ledger.step.external += work;
    }

    /// Books an impact that took the kinetic energy `before` to `after`.
    pub(super) fn book_impact(&mut self, before: f64, after: f64) {
        let w = &mut *self.w;
        let (impact, data) = (&w.impact, &w.impact_assembly);
        // The path by complementarity lies before the impact or is computed anew after it.
        let taken = &mut w.lcp_effort.impulses;
        taken.clear();
        taken.add_listed(&data.list, impact.joint(), impact.normal(), impact.friction());
        self.state.impulses.add_turned(1.0, taken, &self.host.scratch.turns);
        let geometry = &w.start.geometry;
        let drive = -dot(&taken.joint, &geometry.phi_t) - dot(&taken.normal, &geometry.gap_t);
        self.state.ledger.step.drive += drive;
        self.state.ledger.step.impact += before - after + drive;
    }

    /// Books flights that were stopped: the multipliers of the equations for all joints and the
    /// active contacts.
    pub(super) fn book_stop(&mut self) {
        let w = &mut *self.w;
        let taken = &mut w.lcp_effort.impulses;
        taken.clear();
        let (joints, contacts) = w.equations.multipliers().split_at(taken.joint.len());
        taken.joint.copy_from_slice(joints);
        let mut rest = contacts.iter();
        let active = self.state.contacts.iter().enumerate().filter(|(_, c)| c.mode.active());
        for (i, _) in active {
            let Some(&push) = rest.next() else { break };
            taken.normal[i] += push;
            if w.chosen[i] == Mode::Stick {
                taken.add_sticking(i, &mut rest);
            }
        }
        self.state.impulses.add_turned(1.0, taken, &self.host.scratch.turns);
        let geometry = &w.start.geometry;
        let drive = -dot(&taken.joint, &geometry.phi_t) - dot(&taken.normal, &geometry.gap_t);
        self.state.ledger.step.drive += drive;
        self.state.ledger.step.impact -= w.equations.work();
    }
}
