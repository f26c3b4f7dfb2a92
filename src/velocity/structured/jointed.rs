//! Islands with joints whose modes are nearly known: paths from there, at once with weak proximal terms. Knows no
//! sweeps.

use super::island::Island;
use super::joints;
use super::path::Limits;
use super::seeker::Seeker;
use crate::error::Result;
use crate::tol;

/// What a proximal term leaves to be done.
enum Left {
    Nothing,
    Something,
    /// No path ended.
    All,
}

impl Seeker<'_> {
    /// Follows paths from the modes of the problem before, or, where there are none, from those of the present impulses.
    /// Where that is in vain impulses are what they were. Nothing for islands without joints.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn by_paths(&mut self, island: &Island) -> Result<bool> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        if joints::of(blocks, groups).is_empty() {
            return Ok(false);
        }
        let newton = &mut self.tools.newton;
        newton.save(groups);
        newton.pattern(blocks, islands, island)?;
        if self.known.modes {
            for &i in groups {
                newton.modes[i] = self.known.remembered[i];
            }
        }
        if self.weaken(island)? {
            return Ok(true);
        }
        let newton = &mut self.tools.newton;
        newton.restore(groups);
        newton.velocities(blocks, islands, island);
        newton.take_modes(blocks, groups);
        Ok(false)
    }

    /// Proximal terms weaker and weaker; where a path does not end, less so from the last that was good for something.
    fn weaken(&mut self, island: &Island) -> Result<bool> {
        let [first, last] = tol::PROXIMAL_JOINTED;
        let (mut eps, mut good, mut part) = (first, first, tol::PROXIMAL_JOINTED_PART);
        loop {
            match self.with_term(island, eps)? {
                Left::Nothing => return Ok(true),
                Left::Something if eps <= last => return Ok(false),
                Left::Something => good = eps,
                Left::All if part < tol::PROXIMAL_WEAKER && eps < good => part = part.sqrt(),
                Left::All => return Ok(false),
            }
            eps = last.max(part * good);
        }
    }

    /// Paths with one proximal term, again with what they found as long as that gains.
    fn with_term(&mut self, island: &Island, eps: f64) -> Result<Left> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        let enough = tol::STRUCTURED_ENOUGH / tol::STRUCTURED_HELD * done;
        let changes = tol::PATH_JOINTED * groups.len();
        let limits = Limits { changes, flips: tol::PATH_FLIPS_JOINTED };
        let mut before = f64::INFINITY;
        for _ in 0..tol::PATHS_JOINTED {
            let newton = &mut self.tools.newton;
            // What is left of velocities is small beside where they come from.
            newton.recentre(blocks, islands, island);
            newton.rebase(groups);
            let found = self.tools.path.follow(newton, blocks, islands, island, eps, limits)?;
            let changed = self.tools.path.pivots > 0;
            if !found || changed && !newton.factor(blocks, islands, island, eps) {
                newton.back(groups);
                newton.velocities(blocks, islands, island);
                newton.take_modes(blocks, groups);
                return Ok(Left::All);
            }
            let left = newton.polish(blocks, islands, island, eps, target);
            let stays = left > tol::PROXIMAL_PROGRESS * before;
            if left <= done || stays && left <= enough {
                return Ok(Left::Nothing);
            }
            newton.take_modes(blocks, groups);
            if stays {
                break;
            }
            before = left;
        }
        Ok(Left::Something)
    }
}
