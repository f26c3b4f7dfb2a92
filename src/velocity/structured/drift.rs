//! Where repetitions of the proximal step go on the same way, (vel.22): how far that is. Knows one island at a time.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::joints;
use super::newton::Newton;
use super::polygon::{Triple, along, minus};
use super::region::walls;
use crate::tol;

impl Newton {
    /// Takes two proximal steps of strength `eps` with the last factor. Where the second repeats the first, impulses go on
    /// that way to a little beyond the first wall of a mode. Otherwise false, and impulses are what they were.
    pub(super) fn drift(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) -> bool {
        let bodies = &islands.bodies[island.bodies.clone()];
        let groups = &islands.groups[island.groups.clone()];
        self.keep(groups);
        for _ in 0..2 {
            self.rebase(groups);
            self.misfit(blocks, islands, island, eps, false);
            self.solve_error(blocks, bodies);
            self.add_step(blocks, bodies, joints::of(blocks, groups));
            self.misfit(blocks, islands, island, eps, false);
        }
        let repeats = self.repetitions(groups);
        let far = repeats.map(|n| n.min(self.steps_to_a_wall(blocks, groups, eps)));
        let Some(far) = far.filter(|n| n.is_finite()) else {
            self.take_back(groups);
            self.velocities(blocks, islands, island);
            self.take_modes(blocks, groups);
            return false;
        };
        for &i in groups {
            let d = minus(&self.r[i], &self.base[i]);
            for k in 0..3 {
                self.r[i][k] += far * (1.0 + tol::DRIFT_BEYOND) * d[k];
            }
        }
        self.velocities(blocks, islands, island);
        true
    }

    /// How often the last step would be repeated, each time a little shorter: none where it is not like the one before.
    fn repetitions(&self, groups: &[usize]) -> Option<f64> {
        let (mut first, mut both, mut second) = (0.0, 0.0, 0.0);
        for &i in groups {
            let (a, b) = (minus(&self.base[i], &self.kept[i]), minus(&self.r[i], &self.base[i]));
            first += along(&a, &a);
            both += along(&a, &b);
            second += along(&b, &b);
        }
        let part = both / first;
        let alike = both > tol::DRIFT_ALIKE * (first * second).sqrt();
        let steady = alike && part > tol::DRIFT_STEADY;
        steady.then(|| if part < 1.0 { part / (1.0 - part) } else { f64::INFINITY })
    }

    /// Steps like the last one until a contact that takes part in it meets a wall of its mode.
    fn steps_to_a_wall(&self, blocks: &Blocks, groups: &[usize], eps: f64) -> f64 {
        let step = |i: usize| minus(&self.r[i], &self.base[i]);
        let size = |d: &Triple| d.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let largest = groups.iter().fold(0.0f64, |m, &i| m.max(size(&step(i))));
        let mut least = f64::INFINITY;
        for &i in groups {
            let (g, d) = (&blocks.groups[i], step(i));
            let takes_part = size(&d) >= tol::DRIFT_PART * largest;
            if !takes_part || !matches!(g.kind, Kind::Contact(_)) {
                continue;
            }
            let u = blocks.speeds(g, &self.offset[i], &self.v);
            let mut x = [0.0; 3];
            for k in 0..g.dim {
                x[k] = self.base[i][k] - u[k] / (eps * g.response[usize::from(k > 0)]);
            }
            walls(self.modes[i], g.mu, blocks.corners(g), |c, _| {
                let (left, fall) = (along(&c, &x).max(0.0), -along(&c, &d));
                if fall > 0.0 {
                    least = least.min(left / fall);
                }
            });
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::super::heap::Heap;
    use crate::tol;

    /// A mass of 1e9 kg creeps along x at 1e-9 m/s into one of 1 kg, which 1 N s presses on the ground with mu = 0.5.
    fn creep() -> Heap {
        let mut heap = Heap::of_masses(&[1e9, 1.0]);
        heap.p[..6].copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
        heap.contact(None, 1, [0.0, 0.0, 1.0]);
        heap.contact(Some(0), 1, [1.0, 0.0, 0.0]);
        heap.mu = vec![0.5, 0.0];
        heap
    }

    #[test]
    fn a_creeping_push_is_taken_to_where_friction_gives_way() {
        let (blocks, islands, mut newton) = creep().read();
        let (island, eps) = (&islands.all[0], 1e-6);
        let push = |r: &[[f64; 3]]| r[1][0];
        assert!(newton.settle(&blocks, &islands, island, eps, tol::NEWTON_STEPS));
        for _ in 0..40 {
            newton.polish(&blocks, &islands, island, eps, 0.0);
        }
        // Each proximal step pushes by u / (eps W) = 1e-3 N s more: forty are far from enough.
        assert!(push(&newton.r) < 0.2, "{}", push(&newton.r));
        assert!(newton.drift(&blocks, &islands, island, eps));
        // mu N = 0.5 N s, and a little beyond.
        assert!((push(&newton.r) - 0.5).abs() < 2e-3, "{}", push(&newton.r));
    }

    #[test]
    fn impulses_that_are_found_do_not_drift() {
        let (blocks, islands, mut newton) = Heap::new(5, 3).read();
        let (island, eps) = (&islands.all[0], 1e-2);
        assert!(newton.settle(&blocks, &islands, island, eps, tol::NEWTON_STEPS));
        newton.polish(&blocks, &islands, island, eps, 1e-14);
        let before = newton.r.clone();
        assert!(!newton.drift(&blocks, &islands, island, eps));
        assert_eq!(before, newton.r);
    }
}
