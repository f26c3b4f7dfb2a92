//! Impulses under way: put aside, taken back, turned into velocities, and where those count from. Knows no law.

use super::blocks::Blocks;
use super::island::{Island, Islands};
use super::newton::Newton;
use crate::tol;

impl Newton {
    /// Lets the velocities of an island count from where they are.
    pub(super) fn recentre(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        let bodies = &islands.bodies[island.bodies.clone()];
        for at in bodies.iter().flat_map(|&b| blocks.range(b)) {
            self.centre[at] += std::mem::take(&mut self.v[at]);
            self.p[at] = 0.0;
        }
        blocks.subtract_mass_times(bodies, &self.centre, &mut self.p);
        for &i in &islands.groups[island.groups.clone()] {
            let g = &blocks.groups[i];
            self.offset[i] = blocks.speeds(g, &g.offset, &self.centre);
        }
    }

    /// Lets all velocities count from those without impulses again.
    pub(super) fn decentre(&mut self) {
        for (v, centre) in self.v.iter_mut().zip(&self.centre) {
            *v += centre;
        }
    }

    /// Back to the impulses of the proximal term.
    pub(super) fn back(&mut self, groups: &[usize]) {
        for &i in groups {
            self.r[i] = self.base[i];
        }
    }

    /// Back to no impulses, for one island.
    pub(super) fn reset(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        for &i in &islands.groups[island.groups.clone()] {
            self.r[i] = [0.0; 3];
        }
        self.velocities(blocks, islands, island);
    }

    /// Puts the present impulses aside.
    pub(super) fn keep(&mut self, groups: &[usize]) {
        for &i in groups {
            self.kept[i] = self.r[i];
        }
    }

    /// Back to the impulses that were put aside.
    pub(super) fn take_back(&mut self, groups: &[usize]) {
        for &i in groups {
            self.r[i] = self.kept[i];
        }
    }

    /// Remembers the present impulses as the best so far.
    pub(super) fn save(&mut self, groups: &[usize]) {
        for &i in groups {
            self.best[i] = self.r[i];
        }
    }

    /// Back to the best impulses.
    pub(super) fn restore(&mut self, groups: &[usize]) {
        for &i in groups {
            self.r[i] = self.best[i];
        }
    }

    /// Gives the present impulses to the proximal term.
    pub(super) fn rebase(&mut self, groups: &[usize]) {
        for &i in groups {
            self.base[i] = self.r[i];
        }
    }

    /// Velocities from the impulses, afresh; those of joints are made ones that hold them.
    pub(super) fn velocities(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        self.move_freely(blocks, islands, island);
        for _ in 0..tol::HOLD_ROUNDS {
            if self.hold(blocks, islands, island) {
                break;
            }
            self.move_freely(blocks, islands, island);
        }
    }

    /// Velocities from the impulses as they are.
    fn move_freely(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        let groups = &islands.groups[island.groups.clone()];
        for &b in &islands.bodies[island.bodies.clone()] {
            let range = blocks.range(b);
            self.step[range.clone()].copy_from_slice(&self.p[range]);
        }
        for &i in groups {
            blocks.add_impulse(&blocks.groups[i], &self.r[i], &mut self.step);
        }
        let bodies = &islands.bodies[island.bodies.clone()];
        if blocks.couples(bodies) {
            self.masses.solve(blocks, bodies, &self.step, &mut self.v);
        } else {
            blocks.inverse_mass(bodies.iter().copied(), &self.step, &mut self.v);
        }
    }
}
