//! From modes that are nearly right to those that are: a path along which contacts change theirs one by one, (vel.18). Knows
//! one island at a time.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::newton::Newton;
use super::polygon::{Triple, along, derivative, times};
use super::region::{Behind, enter, unit, walls};
use crate::error::{Result, grow};
use crate::linalg::axpy;
use crate::tol;

/// A path and the changes of modes since the last factorisation. Storage grows with the largest island and is then used again.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Where the velocities of each body of the island begin, and their number.
    starts: Vec<usize>,
    n: usize,
    /// What each group asks for, how that changes along the path, and what was added to it for the modes to be right.
    pub(super) x: Vec<Triple>,
    dx: Vec<Triple>,
    pub(super) shift: Vec<Triple>,
    /// Impulses that the shift would make in the modes of the start: they are taken away as long as it lasts.
    pub(super) held: Vec<Triple>,
    /// How velocities change along the path.
    along: Vec<f64>,
    changes: Vec<Change>,
    /// Velocities that the impulses of each change make, one behind the other.
    columns: Vec<f64>,
    /// Changes of modes so far.
    pub pivots: usize,
}

/// A change of one mode: its group, the wall that was passed, in speeds, and one more than the speed along it that the impulses
/// of the change make.
#[derive(Clone, Copy, Debug)]
struct Change {
    group: usize,
    wall: Triple,
    pivot: f64,
}

/// How long a path may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Changes of modes.
    pub changes: usize,
    /// Times that it turns from forth to back or from back to forth.
    pub flips: usize,
}

/// A wall that is met, and after how much of the way.
#[derive(Clone, Copy, Debug)]
struct Met {
    group: usize,
    wall: Triple,
    behind: Behind,
    after: f64,
}

impl Path {
    /// Solves the proximal problem of strength `eps`, with the impulses `base`, from the present modes: what each group asks
    /// for is shifted to where they are right, and the shift taken back. False where the path does not end, or not within
    /// `limits`: it may be a loop.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn follow(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        limits: Limits,
    ) -> Result<bool> {
        let groups = &islands.groups[island.groups.clone()];
        self.room(blocks, islands, island)?;
        if !newton.factor(blocks, islands, island, eps) {
            return Ok(false);
        }
        self.by_kept_modes(newton, blocks, islands, island, eps);
        if !self.shift_into_modes(newton, blocks, groups) {
            return Ok(true);
        }
        Ok(self.walk(newton, blocks, islands, island, eps, limits))
    }

    /// The same from modes near the present ones that no loop goes through, (vel.20): all stick or are open, and what groups
    /// ask for is shifted along their normals. Longer, and it ends.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn follow_to_the_end(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) -> Result<bool> {
        let groups = &islands.groups[island.groups.clone()];
        self.room(blocks, islands, island)?;
        self.ask(newton, blocks, groups, eps);
        for &i in groups {
            newton.modes[i] = self.stuck_or_open(blocks, i);
        }
        if !newton.factor(blocks, islands, island, eps) {
            return Ok(false);
        }
        self.by_kept_modes(newton, blocks, islands, island, eps);
        self.shift_along_normals(newton, blocks, groups);
        let limits = Limits { changes: tol::PATH_LONGEST * groups.len(), flips: usize::MAX };
        Ok(self.walk(newton, blocks, islands, island, eps, limits))
    }

    /// Takes the shift back. False where that does not end within `limits`.
    fn walk(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        limits: Limits,
    ) -> bool {
        let groups = &islands.groups[island.groups.clone()];
        // The part of the shift that is left, and whether it shrinks.
        let (mut part, mut forth, mut flips) = (1.0, 1.0, 0);
        self.turn(newton, blocks, groups, eps);
        for _ in 0..limits.changes {
            let next = self.first_wall(newton, blocks, groups, forth);
            let end = if forth > 0.0 { part } else { f64::INFINITY };
            let after = next.map_or(f64::INFINITY, |m| m.after).min(end);
            if !after.is_finite() {
                return false;
            }
            self.go(newton, blocks, islands, island, forth * after);
            part -= forth * after;
            let Some(met) = next.filter(|m| m.after < end) else { return true };
            self.pivots += 1;
            let turned = self.change(newton, blocks, islands, island, &met, eps);
            // Where the equations change their orientation, the way on is the way back.
            forth *= turned;
            flips += usize::from(turned < 0.0);
            // exact: else a NaN, from a change that makes the equations singular
            if forth.abs() != 1.0 || flips > limits.flips {
                return false;
            }
            if self.changes.len() == tol::PATH_CHANGES {
                if !newton.factor(blocks, islands, island, eps) {
                    return false;
                }
                self.start_again(newton, blocks, islands, island);
            }
            self.turn(newton, blocks, groups, eps);
        }
        false
    }

    fn room(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) -> Result<()> {
        let bodies = &islands.bodies[island.bodies.clone()];
        self.starts.clear();
        grow(&mut self.starts, bodies.len())?;
        self.n = 0;
        for &b in bodies {
            self.starts.push(self.n);
            self.n += blocks.size(b);
        }
        for list in [&mut self.x, &mut self.dx, &mut self.shift, &mut self.held] {
            list.clear();
            grow(list, blocks.groups.len())?;
            list.resize(blocks.groups.len(), [0.0; 3]);
        }
        self.along.clear();
        grow(&mut self.along, self.n)?;
        self.along.resize(self.n, 0.0);
        self.changes.clear();
        grow(&mut self.changes, tol::PATH_CHANGES)?;
        self.columns.clear();
        grow(&mut self.columns, tol::PATH_CHANGES * self.n)?;
        self.pivots = 0;
        Ok(())
    }

    /// Velocities and what groups ask for where all keep their modes.
    fn by_kept_modes(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) {
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            let range = blocks.range(b);
            newton.error[range.clone()].copy_from_slice(&newton.p[range]);
        }
        let groups = &islands.groups[island.groups.clone()];
        for &i in groups {
            let r = newton.kept_impulse(blocks, i, &newton.offset[i], eps);
            blocks.add_impulse(&blocks.groups[i], &r, &mut newton.error);
        }
        newton.solve_error(blocks, bodies);
        for (at, j) in bodies.iter().flat_map(|&b| blocks.range(b)).enumerate() {
            newton.v[j] = newton.step[at];
        }
        self.ask(newton, blocks, groups, eps);
    }

    /// What groups ask for at the present velocities.
    fn ask(&mut self, newton: &Newton, blocks: &Blocks, groups: &[usize], eps: f64) {
        for &i in groups {
            let g = &blocks.groups[i];
            let u = blocks.speeds(g, &newton.offset[i], &newton.v);
            for k in 0..g.dim {
                self.x[i][k] = newton.base[i][k] - u[k] / (eps * g.response[usize::from(k > 0)]);
            }
        }
    }

    /// After a factorisation: what is known of changes is in it.
    fn start_again(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
    ) {
        self.changes.clear();
        self.columns.clear();
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            newton.error[blocks.range(b)].fill(0.0);
        }
        for &i in &islands.groups[island.groups.clone()] {
            let g = &blocks.groups[i];
            // exact: most groups are in their modes as they are
            if self.shift[i] != [0.0; 3] {
                let made =
                    times(&derivative(newton.modes[i], g.mu, blocks.corners(g)), &self.shift[i]);
                let r = [0, 1, 2].map(|k| self.held[i][k] - made[k]);
                blocks.add_impulse(g, &r, &mut newton.error);
            }
        }
        newton.solve_error(blocks, bodies);
        self.along.copy_from_slice(&newton.step[..self.n]);
    }

    /// How what groups ask for changes along the path.
    fn turn(&mut self, newton: &Newton, blocks: &Blocks, groups: &[usize], eps: f64) {
        for &i in groups {
            let g = &blocks.groups[i];
            let u = newton.local_speeds(blocks, &self.starts, i, &self.along);
            for k in 0..g.dim {
                self.dx[i][k] = -self.shift[i][k] - u[k] / (eps * g.response[usize::from(k > 0)]);
            }
        }
    }

    /// The first wall on the way.
    fn first_wall(
        &self,
        newton: &Newton,
        blocks: &Blocks,
        groups: &[usize],
        forth: f64,
    ) -> Option<Met> {
        let mut first: Option<Met> = None;
        let mut soonest = f64::INFINITY;
        for &i in groups {
            let g = &blocks.groups[i];
            if !matches!(g.kind, Kind::Contact(_)) {
                continue;
            }
            walls(newton.modes[i], g.mu, blocks.corners(g), |c, behind| {
                let fall = -forth * along(&c, &self.dx[i]);
                let left = along(&c, &self.x[i]).max(0.0);
                if fall > 0.0 && left < soonest * fall {
                    soonest = left / fall;
                    first = Some(Met { group: i, wall: c, behind, after: soonest });
                }
            });
        }
        first
    }

    fn go(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        by: f64,
    ) {
        let coords = islands.bodies[island.bodies.clone()].iter().flat_map(|&b| blocks.range(b));
        for (at, j) in coords.enumerate() {
            newton.v[j] += by * self.along[at];
        }
        for &i in &islands.groups[island.groups.clone()] {
            for k in 0..3 {
                self.x[i][k] += by * self.dx[i][k];
            }
        }
    }

    /// Takes a group through a wall. On the wall both modes ask for the same, so that they differ by a matrix of rank one, (vel.19).
    /// Gives the sign by which the determinant changes.
    fn change(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        met: &Met,
        eps: f64,
    ) -> f64 {
        let (i, g) = (met.group, &blocks.groups[met.group]);
        let corners = blocks.corners(g);
        let (c, before) = (unit(&met.wall), newton.modes[i]);
        newton.modes[i] = enter(met.behind, &self.x[i], corners);
        let [now, then] =
            [newton.modes[i], before].map(|m| times(&derivative(m, g.mu, corners), &c));
        let r = [0, 1, 2].map(|k| now[k] - then[k]);
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            newton.error[blocks.range(b)].fill(0.0);
        }
        blocks.add_impulse(g, &r, &mut newton.error);
        newton.solve_error(blocks, bodies);
        for (change, column) in self.changes.iter().zip(self.columns.chunks_exact(self.n)) {
            let u = newton.local_speeds(blocks, &self.starts, change.group, &newton.step);
            let f = along(&change.wall, &u) / change.pivot;
            axpy(-f, column, &mut newton.step[..self.n]);
        }
        let mut wall = [0.0; 3];
        for k in 0..g.dim {
            wall[k] = c[k] / (eps * g.response[usize::from(k > 0)]);
        }
        let u = newton.local_speeds(blocks, &self.starts, i, &newton.step);
        let pivot = 1.0 + along(&wall, &u);
        self.columns.extend_from_slice(&newton.step[..self.n]);
        self.changes.push(Change { group: i, wall, pivot });
        axpy(along(&c, &self.dx[i]) / pivot, &newton.step[..self.n], &mut self.along);
        pivot.signum()
    }
}
