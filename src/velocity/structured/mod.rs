//! Problems with many contacts: solved in the space of bodies, island by island, without ever
//! forming the matrix of the complementarity problem. What it finds is judged like any other
//! answer; where it finds nothing, Lemke's method does.

mod blocks;
mod bodies;
mod drift;
#[cfg(test)]
mod heap;
mod held;
mod impulses;
mod island;
mod jointed;
mod joints;
mod judge;
mod masses;
mod newton;
mod parallel;
mod path;
mod polygon;
mod proximal;
mod reduce;
mod region;
mod seeker;
mod shift;
mod strength;
mod sweep;
mod trend;
mod undecided;
mod warm;

use super::Problem;
use super::assemble::Layout;
use super::choice::Search;
use crate::error::{Result, grow};
use crate::tol;
use blocks::{Blocks, Kind};
use island::Islands;
use newton::Newton;
use polygon::{Mode, Triple, joined, split};
use reduce::Patches;
use seeker::{Known, Tools};

pub use reduce::Reduction;

/// Workspace. Storage grows with the largest problem seen and is then used again.
#[derive(Debug, Default)]
pub(super) struct Structured {
    blocks: Blocks,
    patches: Patches,
    islands: Islands,
    tools: Tools,
    /// Those of other threads, where islands are shared with them, and with how many.
    others: Vec<Tools>,
    threads: usize,
    /// Modes that the basis of the problem before suggests, and its impulses.
    remembered: Vec<Mode>,
    recalled: Vec<Triple>,
    /// Momentum and velocity without impulses, in the order of the bodies.
    momentum: Vec<f64>,
    free: Vec<f64>,
    /// The latter in the order of the coordinates.
    free_coords: Vec<f64>,
    pub reduction: Reduction,
    pub search: Search,
}

/// How a problem was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Factorisations in the space of bodies.
    pub factorizations: usize,
    /// Every island was answered by the remembered modes.
    pub warm: bool,
}

impl Structured {
    /// Tells where the coordinates of each body begin.
    pub(super) fn set_bodies(&mut self, first: &[usize]) -> Result<()> {
        let told = &mut self.blocks.told;
        told.clear();
        grow(told, first.len())?;
        told.extend_from_slice(first);
        Ok(())
    }

    /// Lets up to `threads` of them answer islands that are worth it; one or none: the calling one alone.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Looks for impulses and velocities of `problem`, starting from the modes that `basic` (the
    /// basis of the complementarity problem laid out by `layout`) stands for, and from the impulses in
    /// `z`, its unknowns of the problem before, if there are any. `None` when nothing was found.
    ///
    /// # Errors
    /// `NotPositiveDefinite`, `Memory`.
    pub(super) fn solve(
        &mut self,
        problem: &Problem<'_>,
        layout: &Layout,
        (basic, z): (&[bool], &[f64]),
    ) -> Result<Option<Effort>> {
        if !self.blocks.read(problem)? {
            return Ok(None);
        }
        grow(&mut self.remembered, self.blocks.groups.len())?;
        grow(&mut self.recalled, self.blocks.groups.len())?;
        self.take_free_speeds(problem)?;
        let known = self.remember(layout, basic);
        self.recall(layout, z);
        let mut level = self.reduction;
        self.patches.find(&self.blocks, level)?;
        if known && level != Reduction::Aggressive {
            self.patches.keep_carried(&self.remembered);
        }
        let scale = Newton::scale(&self.blocks, 0..self.blocks.groups.len());
        let mut factorizations = 0;
        for round in 0..=tol::PATCH_LOOKS {
            if round == tol::PATCH_LOOKS {
                level = Reduction::Off;
                self.patches.find(&self.blocks, level)?;
            }
            self.islands.find(&self.blocks, &self.patches.kept)?;
            self.tools.newton.start(&self.blocks)?;
            // Modes of corners alone would leave the load to the corners when others are taken in.
            let Some(warm) = self.islands_apart(known && round == 0)? else {
                return Ok(None);
            };
            self.tools.newton.decentre();
            factorizations += self.tools.newton.factorizations;
            if self.patches.complete(&self.blocks, &self.tools.newton.v, level, scale) {
                return Ok(Some(Effort { factorizations, warm }));
            }
        }
        Ok(None)
    }

    /// Velocities without impulses; the speeds of all groups there become their offsets.
    fn take_free_speeds(&mut self, problem: &Problem<'_>) -> Result<()> {
        let coords = &self.blocks.coords;
        for x in [&mut self.momentum, &mut self.free, &mut self.free_coords] {
            x.clear();
            grow(x, coords.len())?;
            x.resize(coords.len(), 0.0);
        }
        for (p, &at) in self.momentum.iter_mut().zip(coords) {
            *p = problem.p[at];
        }
        self.tools.newton.masses.take(&self.blocks)?;
        if self.tools.newton.masses.coupled {
            self.tools.newton.masses.solve_all(&self.momentum, &mut self.free);
        } else {
            self.blocks.inverse_mass(0..self.blocks.bodies(), &self.momentum, &mut self.free);
        }
        for (&at, x) in coords.iter().zip(&self.free) {
            self.free_coords[at] = *x;
        }
        self.blocks.move_offsets(&self.free);
        Ok(())
    }

    /// Solves island by island; whether remembered modes answered all of them, `None` when one of
    /// them has no answer.
    fn islands_apart(&mut self, known: bool) -> Result<Option<bool>> {
        let Self {
            blocks,
            islands,
            remembered,
            recalled,
            free,
            tools,
            others,
            threads,
            search,
            ..
        } = self;
        let known =
            Known { blocks, islands, remembered, recalled, free, modes: known, search: *search };
        let threads = if *threads > 1 { islands.worth_threads().min(*threads) } else { 1 };
        if threads > 1 {
            return parallel::islands_apart(&known, tools, others, threads - 1);
        }
        let mut warm = true;
        for island in &islands.all {
            match tools.answer(&known, island)? {
                None => return Ok(None),
                Some(by_what_was_known) => warm &= by_what_was_known,
            }
        }
        Ok(Some(warm))
    }

    /// Modes from the basis of the problem before; false when it is of another shape.
    fn remember(&mut self, layout: &Layout, basic: &[bool]) -> bool {
        self.remembered.clear();
        if basic.len() != layout.unknowns() || basic.is_empty() {
            return false;
        }
        for g in &self.blocks.groups {
            let mode = match g.kind {
                Kind::Joint(_) => Mode::Stick,
                Kind::Contact(i) => mode_of(&basic[layout.normal(i)..], layout.directions(i)),
            };
            self.remembered.push(mode);
        }
        true
    }

    /// Impulses of the problem before, contacts that are new without; nothing where it is not known.
    fn recall(&mut self, layout: &Layout, z: &[f64]) {
        self.recalled.clear();
        if z.len() != layout.unknowns() {
            return;
        }
        for g in &self.blocks.groups {
            self.recalled.push(match g.kind {
                Kind::Joint(_) => [0.0; 3],
                Kind::Contact(i) => {
                    let unknowns = &z[layout.normal(i)..][..=layout.directions(i)];
                    joined(unknowns, self.blocks.corners(g))
                }
            });
        }
    }

    /// Contacts that took part in the last problem.
    pub(super) fn contacts_kept(&self) -> usize {
        let groups = self.blocks.groups.iter().zip(&self.patches.kept);
        groups.filter(|(g, kept)| **kept && matches!(g.kind, Kind::Contact(_))).count()
    }

    /// The unit-free residual of the answer `v`, `z`, by the original data.
    pub(super) fn residual(
        &self,
        problem: &Problem<'_>,
        layout: &Layout,
        z: &[f64],
        v: &[f64],
    ) -> f64 {
        judge::residual(problem, layout, &self.blocks, z, v, &self.free_coords)
    }

    /// Writes the answer: velocity, impulses of joints, and the unknowns of the complementarity
    /// problem with the basis that goes with them. `before`: those of the problem before, if there are any.
    pub(super) fn write(
        &self,
        layout: &Layout,
        before: &[f64],
        v: &mut [f64],
        joint: &mut [f64],
        z: &mut [f64],
        basic: &mut [bool],
    ) {
        let added = self.free.iter().zip(&self.tools.newton.v);
        for (at, (free, x)) in self.blocks.coords.iter().zip(added) {
            v[*at] = free + x;
        }
        z.fill(0.0);
        basic.fill(false);
        let found = self.tools.newton.r.iter().zip(&self.tools.newton.modes);
        for (k, (g, (r, mode))) in self.blocks.groups.iter().zip(found).enumerate() {
            let i = match g.kind {
                Kind::Joint(j) => {
                    joint[j] = r[0];
                    continue;
                }
                Kind::Contact(i) => i,
            };
            let (at, n_dir) = (layout.normal(i), layout.directions(i));
            z[at] = r[0].max(0.0);
            basic[at] = *mode != Mode::Open;
            if n_dir == 0 {
                continue;
            }
            let corners = self.blocks.corners(g);
            let u = self.blocks.speeds(g, &g.offset, &self.tools.newton.v);
            let against = |k: usize| -(corners[k][0] * u[1] + corners[k][1] * u[2]);
            let fastest = (0..n_dir).fold(0, |k, j| if against(j) > against(k) { j } else { k });
            let lambda = at + 1 + n_dir;
            let friction = at + 1..lambda;
            // exact: an impulse that has not changed has the same parts, where rounding would make others of it
            if self.recalled.get(k) == Some(r) {
                z[friction.clone()].copy_from_slice(&before[friction.clone()]);
            } else {
                let (first, parts) = split([r[1], r[2]], corners);
                for (k, part) in [first, (first + 1) % n_dir].into_iter().zip(parts) {
                    z[at + 1 + k] = part;
                }
            }
            for k in friction {
                basic[k] = z[k] > 0.0;
            }
            if *mode == Mode::Stick {
                continue;
            }
            z[lambda] = against(fastest).max(0.0);
            basic[lambda] = true;
            match mode {
                Mode::Open => basic[at + 1 + fastest] = true,
                Mode::Corner(k) => {
                    basic[at + 1..lambda].fill(false);
                    basic[at + 1 + usize::from(*k)] = true;
                }
                Mode::Stick | Mode::Side(_) => {}
            }
        }
    }
}

/// The mode that the basis of one contact stands for: c_n, then friction, then slip.
fn mode_of(basic: &[bool], n_dir: usize) -> Mode {
    if !basic[0] {
        return Mode::Open;
    }
    if n_dir == 0 {
        return Mode::Corner(0);
    }
    if !basic[1 + n_dir] {
        return Mode::Stick;
    }
    let rubs = |k: usize| basic[1 + k % n_dir];
    match (0..n_dir).find(|&k| rubs(k)) {
        None => Mode::Stick,
        // On a side both its ends rub; the side before the first corner ends there.
        Some(0) if n_dir > 2 && rubs(n_dir - 1) => Mode::Side(n_dir as u16 - 1),
        Some(k) if n_dir > 2 && rubs(k + 1) => Mode::Side(k as u16),
        Some(k) => Mode::Corner(k as u16),
    }
}
