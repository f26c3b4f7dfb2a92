//! Sweeps over the contacts of an island, each answered with the others fixed: they find most modes.
//! Knows no factorisation.

use super::blocks::Blocks;
use super::island::{Island, Islands};
use super::newton::Newton;
use crate::tol;

impl Newton {
    /// One sweep over the groups of an island, each answered with the others fixed.
    fn sweep(&mut self, blocks: &Blocks, groups: &[usize]) {
        for &i in groups {
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
    }

    /// Modes of the law at the present impulses and velocities.
    pub(super) fn take_modes(&mut self, blocks: &Blocks, groups: &[usize]) {
        for &i in groups {
            self.modes[i] = self.asked(blocks, i, &self.r[i], &self.v, 1.0).1;
        }
    }

    /// Up to `most` sweeps, fewer where they reach `target`.
    pub(super) fn sweeps(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        target: f64,
        most: usize,
    ) {
        let groups = &islands.groups[island.groups.clone()];
        for _ in 0..most / tol::SWEEPS_AT_A_TIME {
            for _ in 0..tol::SWEEPS_AT_A_TIME {
                self.sweep(blocks, groups);
            }
            self.velocities(blocks, islands, island);
            if self.natural(blocks, groups) <= target {
                return;
            }
        }
    }
}
