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
    /// Follows paths from the modes of the problem before. Where that is in vain impulses are what they were. Nothing for islands
    /// without joints, or where no modes are known.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn by_paths(&mut self, island: &Island) -> Result<bool> {
        let groups = &self.known.islands.groups[island.groups.clone()];
        if !self.known.modes || joints::of(self.known.blocks, groups).is_empty() {
            return Ok(false);
        }
        for &i in groups {
            self.tools.newton.modes[i] = self.known.remembered[i];
        }
        self.paths_from_here(island)
    }

    /// Follows paths from where a search has ended, which has `found` an answer or not, unless that is good enough for the judge.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn put_right(&mut self, island: &Island, found: bool) -> Result<bool> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        if joints::of(blocks, groups).is_empty() {
            return Ok(found);
        }
        let newton = &mut self.tools.newton;
        newton.velocities(blocks, islands, island);
        let good = found && newton.natural(blocks, groups) <= self.enough(island);
        if good {
            return Ok(true);
        }
        self.tools.newton.take_modes(blocks, groups);
        Ok(self.paths_from_here(island)? || found)
    }

    /// The residual that the judge lets pass.
    fn enough(&self, island: &Island) -> f64 {
        tol::STRUCTURED_JUDGED / tol::STRUCTURED_HELD * self.target(island)[1]
    }

    fn paths_from_here(&mut self, island: &Island) -> Result<bool> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        let newton = &mut self.tools.newton;
        newton.save(groups);
        newton.pattern(blocks, islands, island)?;
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
        let enough = self.enough(island);
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
            let known = eps > tol::PROXIMAL_MODES || !changed;
            if !found || !known && !newton.factor(blocks, islands, island, eps) {
                newton.back(groups);
                newton.velocities(blocks, islands, island);
                newton.take_modes(blocks, groups);
                return Ok(Left::All);
            }
            // A strong term tells modes; what it leaves is less with the next one.
            if eps > tol::PROXIMAL_MODES {
                newton.misfit(blocks, islands, island, eps, false);
                return Ok(Left::Something);
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

#[cfg(test)]
mod tests {
    use super::super::super::choice::Search;
    use super::super::blocks::{Blocks, Kind};
    use super::super::heap::Heap;
    use super::super::held::Held;
    use super::super::polygon::{Mode, Triple};
    use super::super::seeker::{Known, Tools};
    use super::*;

    /// The largest violation of the law of contact and of joints by impulses `r` and velocities `v`, which count from those without
    /// impulses: Signorini's conditions, and friction in its polygon that no other impulse there makes stronger.
    fn violation(blocks: &Blocks, r: &[Triple], v: &[f64]) -> f64 {
        let mut worst = 0.0f64;
        for (g, r) in blocks.groups.iter().zip(r) {
            let u = blocks.speeds(g, &g.offset, v);
            if matches!(g.kind, Kind::Joint(_)) {
                worst = worst.max(u[0].abs());
                continue;
            }
            worst = worst.max(-r[0]).max(-u[0]).max((r[0] * u[0]).abs());
            let works = |x: f64, y: f64| u[1] * x + u[2] * y;
            for c in blocks.corners(g) {
                let most = g.mu * r[0];
                worst = worst.max(works(r[1], r[2]) - works(most * c[0], most * c[1]));
                // Inside of the polygon of four corners at right angles.
                let along = blocks.corners(g).iter().map(|c| (c[0] * r[1] + c[1] * r[2]).max(0.0));
                worst = worst.max(along.sum::<f64>() - most);
            }
        }
        worst
    }

    #[test]
    fn paths_beside_joints_end_in_the_law_from_modes_without_sense() {
        let mut found = 0;
        for seed in 0..60 {
            let n = 4 + seed as usize % 9;
            let mut heap = Heap::new(n, seed);
            for i in 1..n {
                // Contacts with the ground and this say nearly the same.
                heap.join(i - 1, i, [0.02, 0.01, 1.0]);
            }
            let (blocks, islands, newton) = heap.read();
            let groups = blocks.groups.len();
            let mode = |i: usize| match (i as u32 * 7 + seed) % 6 {
                0 => Mode::Open,
                1 => Mode::Stick,
                k => Mode::Corner(k as u16 - 2),
            };
            let joint = |i: usize| matches!(blocks.groups[i].kind, Kind::Joint(_));
            let modes = |i: usize| if joint(i) { Mode::Stick } else { mode(i) };
            let remembered: Vec<_> = (0..groups).map(modes).collect();
            let (recalled, free) = (vec![[0.0; 3]; groups], heap.p.clone());
            let known = Known {
                blocks: &blocks,
                islands: &islands,
                remembered: &remembered,
                recalled: &recalled,
                free: &free,
                modes: true,
                search: Search::Whole,
            };
            let mut tools = Tools { newton, ..Tools::default() };
            let mut seeker = Seeker { known: &known, tools: &mut tools };
            let island = &islands.all[0];
            assert!(matches!(seeker.hold_joints(island).unwrap(), Held::Joints));
            if !seeker.by_paths(island).unwrap() {
                continue;
            }
            found += 1;
            tools.newton.decentre();
            let left = violation(&blocks, &tools.newton.r, &tools.newton.v);
            // Speeds are of the size of one; the residual counts as found up to 1e-9 of them.
            assert!(left < 1e-8, "{seed}: {left:e}");
        }
        assert!(found > 40, "{found}");
    }
}
