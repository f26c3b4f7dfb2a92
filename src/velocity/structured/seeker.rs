//! One island under search: what is known of it, what it is searched with, and the order in which that is tried. Knows no
//! other islands.

use super::super::choice::Search;
use super::blocks::Blocks;
use super::held::Held;
use super::island::{Island, Islands};
use super::newton::Newton;
use super::path::Path;
use super::polygon::{Mode, Triple};
use super::undecided::Undecided;
use crate::error::Result;
use crate::tol;

/// What is known of all islands.
pub(super) struct Known<'a> {
    pub blocks: &'a Blocks,
    pub islands: &'a Islands,
    /// Modes and impulses of the problem before; none, where it is not known.
    pub remembered: &'a [Mode],
    pub recalled: &'a [Triple],
    /// Velocities without impulses.
    pub free: &'a [f64],
    /// Whether modes are remembered.
    pub modes: bool,
    pub search: Search,
}

/// What an island is searched with, and what was found.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub newton: Newton,
    pub undecided: Undecided,
    pub path: Path,
}

impl Tools {
    /// Looks for an answer of `island`: whether what was known gave it, `None` where there is none.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn answer(&mut self, known: &Known<'_>, island: &Island) -> Result<Option<bool>> {
        Seeker { known, tools: self }.answer(island)
    }
}

/// One search.
pub(super) struct Seeker<'a> {
    pub known: &'a Known<'a>,
    pub tools: &'a mut Tools,
}

impl Seeker<'_> {
    fn answer(&mut self, island: &Island) -> Result<Option<bool>> {
        match self.hold_joints(island)? {
            Held::Not => return Ok(None),
            Held::All => return Ok(Some(self.known.modes)),
            Held::Joints => {}
        }
        let recalled = self.by_impulses(island);
        let by_modes = recalled || self.known.modes && self.by_modes(island)?;
        if by_modes || self.by_paths(island)? || self.by_sweeps(island) {
            return Ok(Some(self.known.modes));
        }
        let found =
            self.search(island)? || self.known.search > Search::Short && self.once_more(island)?;
        Ok(self.put_right(island, found)?.then_some(false))
    }

    /// The impulses of the problem before, times what suits this one best: what rests needs no more. Where that is no
    /// answer, they are where others start from.
    fn by_impulses(&mut self, island: &Island) -> bool {
        if self.known.recalled.is_empty() {
            return false;
        }
        let groups = &self.known.islands.groups[island.groups.clone()];
        let [target, _] = self.target(island);
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let cold = self.tools.newton.natural(blocks, groups);
        for &i in groups {
            self.tools.newton.r[i] = self.known.recalled[i];
        }
        self.tools.newton.scale_impulses(blocks, islands, island);
        let left = self.tools.newton.natural(blocks, groups);
        if !(left < cold) {
            self.tools.newton.reset(blocks, islands, island);
        }
        self.tools.newton.recentre(blocks, islands, island);
        self.tools.newton.take_modes(blocks, groups);
        // Impulses of a heavy body on light ones are rounded by more than what moves these.
        let rounding = tol::ROUNDED_DONE * f64::EPSILON * self.tools.newton.largest(blocks, groups);
        left <= (tol::STRUCTURED_AGAIN / tol::STRUCTURED_TARGET * target).max(rounding)
    }

    /// Sweeps from known impulses: enough where they are those of a problem that was hardly different.
    fn by_sweeps(&mut self, island: &Island) -> bool {
        if self.known.recalled.is_empty() {
            return false;
        }
        let groups = &self.known.islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let most = if island.bodies.len() > 1 { tol::SWEEPS } else { tol::SWEEPS_AT_A_TIME };
        self.tools.newton.sweeps(blocks, islands, island, target, most);
        self.tools.newton.natural(blocks, groups) <= done
    }

    /// One factorisation with the remembered modes, kept if they are the right ones. Otherwise its
    /// impulses, as far as the law allows them, are where the sweeps start from, if they are nearer to it than those before.
    fn by_modes(&mut self, island: &Island) -> Result<bool> {
        let groups = &self.known.islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        for &i in groups {
            self.tools.newton.modes[i] = self.known.remembered[i];
        }
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let before = self.tools.newton.natural(blocks, groups);
        self.tools.newton.keep(groups);
        self.tools.newton.pattern(blocks, islands, island)?;
        let eps = tol::PROXIMAL_MODES;
        let solved = self.tools.newton.factor(blocks, islands, island, eps);
        if solved && self.tools.newton.keep_modes(blocks, islands, island, eps, target) <= done {
            return Ok(true);
        }
        self.tools.newton.admit(blocks, groups);
        self.tools.newton.velocities(blocks, islands, island);
        if !(self.tools.newton.natural(blocks, groups) < before) {
            self.tools.newton.take_back(groups);
            self.tools.newton.velocities(blocks, islands, island);
        }
        Ok(false)
    }
}
