//! Proximal terms that vanish, (vel.11): which strengths are tried for one island, from where, and when its answer is taken.
//! Knows neither pivots nor factors.

use super::Structured;
use super::blocks::Kind;
use super::island::Island;
use super::path::Limits;
use super::strength::Strength;
use crate::error::Result;
use crate::tol;

/// How long an island is searched for an answer: sweeps at the start, and turns of each path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub sweeps: usize,
    pub flips: usize,
}

impl Patience {
    /// For the first search.
    pub(super) const FIRST: Self = Self { sweeps: tol::SWEEPS, flips: tol::PATH_FLIPS };
    const ONCE_MORE: Self =
        Self { sweeps: tol::SWEEPS_ONCE_MORE, flips: tol::PATH_FLIPS_ONCE_MORE };
}

impl Structured {
    /// From the modes of the law at known impulses, with a proximal term that is weak from the start: where they are those of a
    /// problem that was little different, few contacts change their modes on the way. Not for a single body: it costs next to
    /// nothing from a strong term on, which shares its load evenly among more points than it needs, while a weak one leaves
    /// the shares of the sweeps, and friction makes a spin of them.
    pub(super) fn by_path(&mut self, island: &Island) -> Result<bool> {
        if self.recalled.is_empty() || island.bodies.len() < 2 || self.is_jointed(island) {
            return Ok(false);
        }
        let (blocks, islands) = (&self.blocks, &self.islands);
        let groups = &islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        let near = tol::STRUCTURED_NEAR / tol::STRUCTURED_DONE * done;
        self.newton.pattern(blocks, islands, island)?;
        self.newton.recentre(blocks, islands, island);
        self.newton.take_modes(blocks, groups);
        self.newton.save(groups);
        let mut eps = tol::PROXIMAL_PATH;
        for _ in 0..tol::PATH_TERMS {
            self.newton.restore(groups);
            self.newton.rebase(groups);
            let limits = Limits { changes: groups.len(), flips: tol::PATH_FLIPS };
            if !self.path.follow(&mut self.newton, blocks, islands, island, eps, limits)? {
                break;
            }
            // What the next term pulls to.
            for &i in groups {
                let base = &self.newton.base[i];
                self.newton.best[i] = self.newton.asked(blocks, i, base, &self.newton.v, eps).0;
            }
            if self.path.pivots > 0 && !self.newton.factor(blocks, islands, island, eps) {
                break;
            }
            let mut left = self.newton.keep_modes(blocks, islands, island, eps, target);
            if left > done && left <= near {
                left = self.newton.refine(blocks, islands, island, left, done);
            }
            if left <= done {
                return Ok(true);
            }
            eps *= tol::PATH_WEAKER;
        }
        self.newton.restore(groups);
        self.newton.velocities(blocks, islands, island);
        Ok(false)
    }

    /// Sweeps, then proximal terms from a strong one on. Near the answer sweeps remove what rounding, which the proximal term
    /// magnifies, has left; where nothing more is gained there, the judge decides.
    pub(super) fn afresh(&mut self, island: &Island, patience: Patience) -> Result<bool> {
        let (blocks, islands) = (&self.blocks, &self.islands);
        let groups = &islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        let [near, enough] =
            [tol::STRUCTURED_NEAR, tol::STRUCTURED_ENOUGH].map(|x| x / tol::STRUCTURED_DONE * done);
        self.newton.pattern(blocks, islands, island)?;
        self.newton.sweeps(blocks, islands, island, target, patience.sweeps);
        self.newton.recentre(blocks, islands, island);
        self.newton.save(groups);
        let (mut strength, mut before) = (Strength::new(), f64::INFINITY);
        for _ in 0..tol::PROXIMAL_TERMS {
            let (blocks, islands) = (&self.blocks, &self.islands);
            let groups = &islands.groups[island.groups.clone()];
            self.newton.velocities(blocks, islands, island);
            if self.newton.natural(blocks, groups) <= target {
                return Ok(true);
            }
            self.newton.rebase(groups);
            let eps = strength.eps;
            let settled = self.settle(island, eps, patience.flips)?;
            let (blocks, islands) = (&self.blocks, &self.islands);
            let groups = &islands.groups[island.groups.clone()];
            let mut left = f64::INFINITY;
            if settled {
                left = self.newton.polish(blocks, islands, island, eps, target);
            }
            if !settled || strength.is_lost(left) {
                self.newton.restore(groups);
                self.newton.velocities(blocks, islands, island);
                strength.fail();
                if strength.exhausted() {
                    break;
                }
                if eps >= tol::PROXIMAL_FIRST {
                    self.newton.sweeps(blocks, islands, island, target, tol::SWEEPS);
                }
                continue;
            }
            if left > done && left <= near {
                left = self.newton.refine(blocks, islands, island, left, done);
            }
            let stays = left <= enough && left > tol::PROXIMAL_PROGRESS * before;
            if left <= done || stays {
                return Ok(true);
            }
            before = left;
            if strength.pass(left, near) {
                self.newton.save(groups);
            }
            if strength.exhausted() {
                break;
            }
        }
        let (blocks, islands) = (&self.blocks, &self.islands);
        let groups = &islands.groups[island.groups.clone()];
        self.newton.restore(groups);
        self.newton.velocities(blocks, islands, island);
        Ok(self.newton.natural(blocks, groups) <= enough)
    }

    /// Modes and velocities with a proximal term of strength `eps`, and their factor.
    fn settle(&mut self, island: &Island, eps: f64, flips: usize) -> Result<bool> {
        let (blocks, islands) = (&self.blocks, &self.islands);
        let groups = &islands.groups[island.groups.clone()];
        let jointed = self.is_jointed(island);
        let newton = &mut self.newton;
        if !jointed {
            newton.misfit(blocks, islands, island, eps, false);
            let limits = Limits { changes: tol::PATH_PIVOTS * groups.len(), flips };
            return Ok(self.path.follow(newton, blocks, islands, island, eps, limits)?
                && (self.path.pivots == 0 || newton.factor(blocks, islands, island, eps)));
        }
        if newton.settle(blocks, islands, island, eps) {
            return Ok(true);
        }
        newton.back(groups);
        newton.velocities(blocks, islands, island);
        self.undecided.settle(newton, blocks, islands, island, eps)
    }

    /// From no impulses, with many more sweeps: another way to the answer, and still far shorter than Lemke's for an
    /// island of many contacts.
    pub(super) fn once_more(&mut self, island: &Island) -> Result<bool> {
        self.newton.reset(&self.blocks, &self.islands, island);
        self.afresh(island, Patience::ONCE_MORE)
    }

    fn is_jointed(&self, island: &Island) -> bool {
        let groups = &self.islands.groups[island.groups.clone()];
        groups.iter().any(|&i| matches!(self.blocks.groups[i].kind, Kind::Joint(_)))
    }
}
