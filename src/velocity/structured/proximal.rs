//! Proximal terms that vanish, (vel.11): which strengths are tried for one island, from where, and when its answer is taken.
//! Knows neither pivots nor factors.

use super::blocks::Kind;
use super::island::Island;
use super::path::Limits;
use super::seeker::Seeker;
use super::strength::Strength;
use crate::error::Result;
use crate::tol;

/// How long an island is searched for an answer: sweeps at the start, the strength of the first term, the weakest term for which
/// Newton's method, which changes many modes at once, is tried before a path is followed, and whether paths that turned too
/// often are followed once more in a way that ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub sweeps: usize,
    pub first: f64,
    pub newton: f64,
    pub to_the_end: bool,
}

impl Patience {
    /// For islands of several bodies, after sweeps: few contacts are in other modes than those of the answer.
    const SWEPT: Self = Self {
        sweeps: tol::SWEEPS,
        first: tol::PROXIMAL_SWEPT,
        newton: tol::NEWTON_WEAKEST,
        to_the_end: false,
    };
    /// For a single body: it costs next to nothing from a strong term on, which shares its load evenly among more points than it
    /// needs, while a weak one leaves the shares of the sweeps, and friction makes a spin of them. Also with joints, which
    /// are slow to feel what sweeps do, and where there are none.
    const SINGLE: Self = Self { first: tol::PROXIMAL_FIRST, ..Self::SWEPT };
    /// For searches after the first.
    const AFTER: [Self; 2] = [Self::after(tol::SWEEPS), Self::after(tol::SWEEPS_ONCE_MORE)];

    const fn after(sweeps: usize) -> Self {
        Self {
            sweeps,
            first: tol::PROXIMAL_FIRST,
            newton: tol::NEWTON_WEAKEST_ONCE_MORE,
            to_the_end: true,
        }
    }
}

impl Seeker<'_> {
    /// The first search.
    pub(super) fn search(&mut self, island: &Island) -> Result<bool> {
        let bodies = &self.known.islands.bodies[island.bodies.clone()];
        let swept = !self.is_jointed(island) && !self.known.blocks.couples(bodies);
        let several = bodies.len() > 1 && swept;
        let patience = if several { Patience::SWEPT } else { Patience::SINGLE };
        // Sweeps from known impulses are made already.
        let sweeps = if several && !self.known.recalled.is_empty() { 0 } else { tol::SWEEPS };
        self.afresh(island, Patience { sweeps, ..patience })
    }

    /// Sweeps, then proximal terms that get weaker. Near the answer sweeps remove what rounding, which the proximal term
    /// magnifies, has left; where nothing more is gained there, the judge decides.
    fn afresh(&mut self, island: &Island, patience: Patience) -> Result<bool> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        let [target, done] = self.target(island);
        let [near, enough] =
            [tol::STRUCTURED_NEAR, tol::STRUCTURED_ENOUGH].map(|x| x / tol::STRUCTURED_DONE * done);
        if patience.sweeps > 0 {
            self.tools.newton.sweeps(blocks, islands, island, target, patience.sweeps);
        }
        self.tools.newton.recentre(blocks, islands, island);
        self.tools.newton.save(groups);
        self.tools.newton.pattern(blocks, islands, island)?;
        let (mut strength, mut before, mut drifts) =
            (Strength::new(patience.first), f64::INFINITY, 0);
        for _ in 0..tol::PROXIMAL_TERMS {
            let (blocks, islands) = (self.known.blocks, self.known.islands);
            let groups = &islands.groups[island.groups.clone()];
            self.tools.newton.velocities(blocks, islands, island);
            if self.tools.newton.natural(blocks, groups) <= target {
                return Ok(true);
            }
            self.tools.newton.rebase(groups);
            let eps = strength.eps;
            let settled = self.settle(island, eps, patience)?;
            let (blocks, islands) = (self.known.blocks, self.known.islands);
            let groups = &islands.groups[island.groups.clone()];
            let mut left = f64::INFINITY;
            if settled {
                left = self.tools.newton.polish(blocks, islands, island, eps, target);
                // A single body may rest on more points than it needs: its load would drift from one to the next.
                let may = island.bodies.len() > 1 && drifts < tol::DRIFTS;
                if may
                    && left > done
                    && left <= near
                    && self.tools.newton.drift(blocks, islands, island, eps)
                {
                    drifts += 1;
                    continue;
                }
            }
            if !settled || strength.is_lost(left) {
                self.tools.newton.restore(groups);
                self.tools.newton.velocities(blocks, islands, island);
                strength.fail();
                if strength.exhausted() {
                    break;
                }
                if eps >= tol::PROXIMAL_FIRST {
                    self.tools.newton.sweeps(blocks, islands, island, target, tol::SWEEPS);
                }
                continue;
            }
            if left > done && left <= near {
                left = self.tools.newton.refine(blocks, islands, island, left, done);
            }
            let stays = left <= enough && left > tol::PROXIMAL_PROGRESS * before;
            if left <= done || stays {
                return Ok(true);
            }
            before = left;
            if strength.pass(left, near) {
                self.tools.newton.save(groups);
            }
            if strength.exhausted() {
                break;
            }
        }
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        self.tools.newton.restore(groups);
        self.tools.newton.velocities(blocks, islands, island);
        Ok(self.tools.newton.natural(blocks, groups) <= enough)
    }

    /// Modes and velocities with a proximal term of strength `eps`, and their factor.
    fn settle(&mut self, island: &Island, eps: f64, patience: Patience) -> Result<bool> {
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        let groups = &islands.groups[island.groups.clone()];
        let jointed = self.is_jointed(island);
        let newton = &mut self.tools.newton;
        if !jointed {
            let steps = tol::NEWTON_STEPS_BEFORE_PATH;
            if eps >= patience.newton && newton.settle(blocks, islands, island, eps, steps) {
                return Ok(true);
            }
            newton.take_modes(blocks, groups);
            let changes = (tol::PATH_PIVOTS * groups.len() as f64) as usize;
            let limits = Limits { changes, flips: tol::PATH_FLIPS };
            let mut found = self.tools.path.follow(newton, blocks, islands, island, eps, limits)?;
            if !found && patience.to_the_end {
                newton.back(groups);
                newton.velocities(blocks, islands, island);
                found = self.tools.path.follow_to_the_end(newton, blocks, islands, island, eps)?;
            }
            let changed = self.tools.path.pivots > 0;
            return Ok(found && (!changed || newton.factor(blocks, islands, island, eps)));
        }
        if newton.settle(blocks, islands, island, eps, tol::NEWTON_STEPS) {
            return Ok(true);
        }
        newton.back(groups);
        newton.velocities(blocks, islands, island);
        self.tools.undecided.settle(newton, blocks, islands, island, eps)
    }

    /// From no impulses, with paths that end, and at last with many more sweeps: other ways to the answer, and still far
    /// shorter than Lemke's for an island of many contacts.
    pub(super) fn once_more(&mut self, island: &Island) -> Result<bool> {
        for patience in Patience::AFTER {
            self.tools.newton.reset(self.known.blocks, self.known.islands, island);
            if self.afresh(island, patience)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_jointed(&self, island: &Island) -> bool {
        let groups = &self.known.islands.groups[island.groups.clone()];
        groups.iter().any(|&i| matches!(self.known.blocks.groups[i].kind, Kind::Joint(_)))
    }
}

#[cfg(test)]
mod tests {
    // Each stage must solve the proximal problem of a heap of point masses by itself.
    use super::super::blocks::Blocks;
    use super::super::heap::Heap;
    use super::super::island::Islands;
    use super::super::newton::Newton;
    use super::super::path::{Limits, Path};
    use super::super::polygon::Mode;
    use super::super::undecided::Undecided;

    const FREE: Limits = Limits { changes: 1000, flips: 1000 };

    /// What is missing in momentum, and how many modes are others than the law asks for.
    fn missing(newton: &mut Newton, blocks: &Blocks, islands: &Islands, eps: f64) -> (f64, usize) {
        let modes = newton.modes.clone();
        let size = newton.misfit(blocks, islands, &islands.all[0], eps, false);
        (size.sqrt(), modes.iter().zip(&newton.modes).filter(|(a, b)| a != b).count())
    }

    #[test]
    fn a_path_ends_in_the_modes_of_the_law_wherever_it_starts() {
        let mut changes = 0;
        for seed in 0..40 {
            for eps in [1.0, 1e-2, 1e-4] {
                let heap = Heap::new(3 + seed as usize % 9, seed);
                let (blocks, islands, mut newton) = heap.read();
                // Modes without sense.
                for (i, mode) in newton.modes.iter_mut().enumerate() {
                    let k = (i as u32 * 7 + seed) % 6;
                    *mode = match k {
                        0 => Mode::Open,
                        1 => Mode::Stick,
                        _ => Mode::Corner(k as u16 - 2),
                    };
                }
                let mut path = Path::default();
                let island = &islands.all[0];
                let found = path.follow(&mut newton, &blocks, &islands, island, eps, FREE).unwrap();
                assert!(found, "{seed} {eps} after {}", path.pivots);
                let (left, others) = missing(&mut newton, &blocks, &islands, eps);
                assert!(left < 1e-12 / eps, "{seed} {eps}: {left}");
                assert_eq!(others, 0, "{seed} {eps}");
                changes += path.pivots;
            }
        }
        assert!(changes > 500, "{changes}");
    }

    #[test]
    fn contacts_in_question_are_answered_as_the_path_answers_them() {
        for seed in 0..40 {
            // Strong enough for the answer to be the only one.
            let eps = 1.0;
            let heap = Heap::new(3 + seed as usize % 9, seed);
            let (blocks, islands, mut newton) = heap.read();
            let island = &islands.all[0];
            let mut undecided = Undecided::default();
            assert!(
                undecided.settle(&mut newton, &blocks, &islands, island, eps).unwrap(),
                "{seed}"
            );
            let (left, others) = missing(&mut newton, &blocks, &islands, eps);
            assert!(left < 1e-12 && others == 0, "{seed}: {left} {others}");
            let (_, _, mut other) = heap.read();
            let found =
                Path::default().follow(&mut other, &blocks, &islands, island, eps, FREE).unwrap();
            assert!(found);
            for (a, b) in newton.v.iter().zip(&other.v) {
                assert!((a - b).abs() < 1e-12, "{seed}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_path_from_stuck_and_open_contacts_ends_where_others_are_loops() {
        let mut loops = 0;
        for seed in 0..200 {
            let heap = Heap { mu: vec![1.5; 23], ..Heap::new(12, seed) };
            for eps in [1e-2, 1e-4, 1e-6] {
                let (blocks, islands, mut newton) = heap.read();
                let (island, mut path) = (&islands.all[0], Path::default());
                let groups = &islands.groups[island.groups.clone()];
                newton.modes.fill(Mode::Corner(seed as u16 % 4));
                if path.follow(&mut newton, &blocks, &islands, island, eps, FREE).unwrap() {
                    continue;
                }
                loops += 1;
                newton.back(groups);
                newton.velocities(&blocks, &islands, island);
                let found = path.follow_to_the_end(&mut newton, &blocks, &islands, island, eps);
                assert!(found.unwrap(), "{seed} {eps} after {}", path.pivots);
                let (left, others) = missing(&mut newton, &blocks, &islands, eps);
                assert!(left < 1e-12 / eps, "{seed} {eps}: {left}");
                assert_eq!(others, 0, "{seed} {eps}");
            }
        }
        assert!(loops > 100, "{loops}");
    }

    #[test]
    fn a_path_that_may_not_turn_or_change_says_that_it_found_nothing() {
        let (blocks, islands, mut newton) = Heap::new(6, 1).read();
        newton.modes.fill(Mode::Stick);
        let (island, none) = (&islands.all[0], Limits { changes: 0, flips: 0 });
        assert!(
            !Path::default().follow(&mut newton, &blocks, &islands, island, 0.1, none).unwrap()
        );
    }
}
