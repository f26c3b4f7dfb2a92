//! Sweeps over the contacts of an island, each answered with the others fixed: they find most modes.
//! Knows no factorisation.

use super::blocks::Blocks;
use super::island::{Island, Islands};
use super::joints;
use super::newton::Newton;
use crate::tol;

impl Newton {
    /// One sweep over the contacts of an island, each answered with the others fixed, then over its joints, all at once.
    fn sweep(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) {
        let groups = &islands.groups[island.groups.clone()];
        for &i in &groups[joints::of(blocks, groups).len()..] {
            let (asked, mode) = self.asked(blocks, i, &self.r[i], &self.v, 1.0);
            let mut change = [0.0; 3];
            for k in 0..blocks.groups[i].dim {
                change[k] = asked[k] - self.r[i][k];
            }
            // exact: most contacts at rest do not change
            if change != [0.0; 3] {
                blocks.push(&blocks.groups[i], &change, &mut self.v);
            }
            self.r[i] = asked;
            self.modes[i] = mode;
        }
        self.hold(blocks, islands, island);
    }

    /// Modes of the law at the present impulses and velocities.
    pub(super) fn take_modes(&mut self, blocks: &Blocks, groups: &[usize]) {
        for &i in groups {
            self.modes[i] = self.asked(blocks, i, &self.r[i], &self.v, 1.0).1;
        }
    }

    /// Up to `most` sweeps, fewer where they reach `target`, and in islands with joints. In islands of several bodies without
    /// joints each goes on a part of the way that those before it took together, (vel.24), but the last before a look,
    /// whose impulses the law allows. A single body may rest on more points than it needs: there the way would be one of loads
    /// from one to the next. None where the mass couples bodies: an impulse moves all of them.
    pub(super) fn sweeps(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        target: f64,
        most: usize,
    ) {
        let groups = &islands.groups[island.groups.clone()];
        let bodies = &islands.bodies[island.bodies.clone()];
        if blocks.couples(bodies) {
            return;
        }
        let jointed = !joints::of(blocks, groups).is_empty();
        let most = if jointed { most / tol::SWEEPS_JOINTED } else { most };
        let follows = !jointed && bodies.len() > 1;
        self.trend.forget();
        for _ in 0..(most / tol::SWEEPS_AT_A_TIME).max(1) {
            for left in (0..tol::SWEEPS_AT_A_TIME).rev() {
                if !follows {
                    self.sweep(blocks, islands, island);
                    continue;
                }
                self.trend.mark(blocks, (bodies, &self.v), (groups, &self.r));
                self.sweep(blocks, islands, island);
                let (v, r) = ((bodies, &mut self.v[..]), (groups, &mut self.r[..]));
                self.trend.follow(blocks, v, r, left > 0);
            }
            self.velocities(blocks, islands, island);
            if self.natural(blocks, groups) <= target {
                return;
            }
        }
    }

    /// Sweeps near the answer, of which `left` is missing: they remove what rounding, which the proximal term magnifies, has
    /// left. Speeds then count from there. Gives what is missing still.
    pub(super) fn refine(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        left: f64,
        done: f64,
    ) -> f64 {
        let groups = &islands.groups[island.groups.clone()];
        self.keep(groups);
        self.sweeps(blocks, islands, island, done, tol::SWEEPS);
        let swept = self.natural(blocks, groups);
        if !(swept < left) {
            self.take_back(groups);
            self.velocities(blocks, islands, island);
            // Those of sweeps that went astray: slips were told to stick.
            self.take_modes(blocks, groups);
        }
        self.recentre(blocks, islands, island);
        left.min(swept)
    }
}
