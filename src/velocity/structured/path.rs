//! From modes that are nearly right to those that are: a path along which contacts change theirs one by one, (vel.18). Knows
//! one island at a time.

use super::blocks::{Blocks, Group, Kind};
use super::island::{Island, Islands};
use super::joints;
use super::newton::Newton;
use super::polygon::{Triple, along, derivative, times};
use super::region::{Behind, enter, unit, walls};
use crate::error::{Result, grow};
use crate::linalg::{axpy, axpy8, dot};
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
    /// At most how fast each group moves along the path, and at least how far it is from its walls.
    pace: Vec<f64>,
    margin: Vec<f64>,
    /// How velocities change along the path.
    along: Vec<f64>,
    changes: Vec<Change>,
    /// How many of them are worth a factorisation.
    most: usize,
    /// Velocities that the impulses of each change make, one behind the other.
    columns: Vec<f64>,
    /// The row of the wall of each change, on the velocities of the bodies of its group, one behind the other.
    rows: Vec<f64>,
    /// What each of these rows makes of the columns before its own, one behind the other.
    products: Vec<f64>,
    factors: Vec<f64>,
    /// Changes of modes so far.
    pub pivots: usize,
}

/// A change of one mode: its group, where the row of the wall that was passed begins, and one more than what that row makes
/// of the velocities of the change.
#[derive(Clone, Copy, Debug)]
struct Change {
    group: usize,
    row: usize,
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
        let groups = joints::beside(blocks, &islands.groups[island.groups.clone()]);
        self.room(newton, blocks, islands, island)?;
        if !newton.factor(blocks, islands, island, eps) {
            return Ok(false);
        }
        self.by_kept_modes(newton, blocks, islands, island, eps);
        if !self.shift_into_modes(newton, blocks, groups) {
            return Ok(true);
        }
        Ok(self.walk(newton, blocks, islands, island, eps, limits))
    }

    /// The same from modes near the present ones that no loop goes through, (vel.23): all stick or are open, and what groups
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
        let groups = joints::beside(blocks, &islands.groups[island.groups.clone()]);
        self.room(newton, blocks, islands, island)?;
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
        let groups = joints::beside(blocks, &islands.groups[island.groups.clone()]);
        // The part of the shift that is left, and whether it shrinks.
        let (mut part, mut forth, mut flips) = (1.0, 1.0, 0);
        self.turn(newton, blocks, groups, eps);
        for _ in 0..limits.changes {
            let end = if forth > 0.0 { part } else { f64::INFINITY };
            let next = self.first_wall(newton, blocks, groups, forth, end);
            let after = next.map_or(end, |m| m.after);
            if !after.is_finite() {
                return false;
            }
            self.go(newton, blocks, islands, island, forth * after);
            part -= forth * after;
            let Some(met) = next else { return true };
            self.pivots += 1;
            let turned = self.change(newton, blocks, islands, island, &met, eps);
            // Where the equations change their orientation, the way on is the way back.
            forth *= turned;
            flips += usize::from(turned < 0.0);
            // exact: else a NaN, from a change that makes the equations singular
            if forth.abs() != 1.0 || flips > limits.flips {
                return false;
            }
            if self.changes.len() == self.most {
                if !newton.factor(blocks, islands, island, eps) {
                    return false;
                }
                self.start_again(newton, blocks, islands, island);
            }
            self.turn(newton, blocks, groups, eps);
        }
        false
    }

    fn room(
        &mut self,
        newton: &Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
    ) -> Result<()> {
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
        for list in [&mut self.pace, &mut self.margin] {
            list.clear();
            grow(list, blocks.groups.len())?;
            list.resize(blocks.groups.len(), 0.0);
        }
        self.along.clear();
        grow(&mut self.along, self.n)?;
        self.along.resize(self.n, 0.0);
        self.pivots = 0;
        let [least, most] = tol::PATH_CHANGES;
        self.most = (newton.lu.effort() / self.n.max(1)).isqrt().clamp(least, most);
        self.forget_changes();
        grow(&mut self.changes, self.most)?;
        grow(&mut self.factors, self.most)?;
        grow(&mut self.columns, self.most * self.n)?;
        grow(&mut self.products, self.most * self.most / 2)?;
        let row = |i: &usize| {
            let links = &blocks.links[blocks.groups[*i].links.clone()];
            links.iter().map(|l| blocks.size(l.body)).sum::<usize>()
        };
        let groups = joints::beside(blocks, &islands.groups[island.groups.clone()]);
        grow(&mut self.rows, self.most * groups.iter().map(row).max().unwrap_or(0))
    }

    fn forget_changes(&mut self) {
        self.changes.clear();
        self.columns.clear();
        self.rows.clear();
        self.products.clear();
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
        let groups = joints::beside(blocks, &islands.groups[island.groups.clone()]);
        for &i in groups {
            let r = newton.kept_impulse(blocks, i, &newton.offset[i], eps);
            blocks.add_impulse(&blocks.groups[i], &r, &mut newton.error);
        }
        newton.ask_joints(blocks, joints::of(blocks, &islands.groups[island.groups.clone()]));
        newton.solve_error(blocks, bodies);
        // What follows are changes, which joints take no part in.
        newton.joints.error.fill(0.0);
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
        self.forget_changes();
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            newton.error[blocks.range(b)].fill(0.0);
        }
        for &i in joints::beside(blocks, &islands.groups[island.groups.clone()]) {
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
            let dx = &mut self.dx[i];
            for k in 0..g.dim {
                dx[k] = -self.shift[i][k] - u[k] / (eps * g.response[usize::from(k > 0)]);
            }
            self.pace[i] = dx[0].abs() + dx[1].abs() + dx[2].abs();
        }
    }

    /// The first wall on the way before its `end`. Groups that are too far from theirs are not looked at.
    fn first_wall(
        &mut self,
        newton: &Newton,
        blocks: &Blocks,
        groups: &[usize],
        forth: f64,
        end: f64,
    ) -> Option<Met> {
        let mut first: Option<Met> = None;
        let mut soonest = end;
        for &i in groups {
            if soonest * self.pace[i] < tol::PATH_UNSEEN * self.margin[i] {
                continue;
            }
            let g = &blocks.groups[i];
            if !matches!(g.kind, Kind::Contact(_)) {
                continue;
            }
            let (x, dx, mut margin) = (&self.x[i], &self.dx[i], f64::INFINITY);
            walls(newton.modes[i], g.mu, blocks.corners(g), |c, behind| {
                let fall = -forth * along(&c, dx);
                let left = along(&c, x).max(0.0);
                margin = margin.min(left / (c[0].abs() + c[1].abs() + c[2].abs()));
                if fall > 0.0 && left < soonest * fall {
                    soonest = left / fall;
                    first = Some(Met { group: i, wall: c, behind, after: soonest });
                }
            });
            self.margin[i] = margin;
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
        for &i in joints::beside(blocks, &islands.groups[island.groups.clone()]) {
            for k in 0..3 {
                self.x[i][k] += by * self.dx[i][k];
            }
            self.margin[i] -= by.abs() * self.pace[i];
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
        self.margin[i] = 0.0;
        let [now, then] =
            [newton.modes[i], before].map(|m| times(&derivative(m, g.mu, corners), &c));
        let r = [0, 1, 2].map(|k| now[k] - then[k]);
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            newton.error[blocks.range(b)].fill(0.0);
        }
        blocks.add_impulse(g, &r, &mut newton.error);
        newton.solve_error(blocks, bodies);
        self.take_changes_into_account(newton, blocks);
        let mut change = Change { group: i, row: self.rows.len(), pivot: 1.0 };
        self.push_row(blocks, g, &c, eps);
        for column in self.columns.chunks_exact(self.n) {
            self.products.push(self.row_times(newton, blocks, &change, column));
        }
        change.pivot += self.row_times(newton, blocks, &change, &newton.step);
        self.columns.extend_from_slice(&newton.step[..self.n]);
        self.changes.push(change);
        axpy(along(&c, &self.dx[i]) / change.pivot, &newton.step[..self.n], &mut self.along);
        change.pivot.signum()
    }

    /// What the changes so far make of velocities that were found with the factor: each of them takes away its column times
    /// what its row makes of what those before have left, (vel.19).
    fn take_changes_into_account(&mut self, newton: &mut Newton, blocks: &Blocks) {
        self.factors.clear();
        let mut products = &self.products[..];
        for change in &self.changes {
            let (own, rest) = products.split_at(self.factors.len());
            products = rest;
            let left =
                self.row_times(newton, blocks, change, &newton.step) - dot(own, &self.factors);
            self.factors.push(left / change.pivot);
        }
        let step = &mut newton.step[..self.n];
        let (mut columns, mut factors) = (&self.columns[..], &self.factors[..]);
        while let Some((f, rest)) = factors.split_first_chunk::<8>() {
            let (eight, behind) = columns.split_at(8 * self.n);
            let x = std::array::from_fn(|k| &eight[k * self.n..(k + 1) * self.n]);
            axpy8(step, f.map(|f| -f), x);
            (columns, factors) = (behind, rest);
        }
        for (f, column) in factors.iter().zip(columns.chunks_exact(self.n)) {
            axpy(-f, column, step);
        }
    }

    /// Adds the row of the wall `c` of a group: what it asks for along it, on the velocities of its bodies.
    fn push_row(&mut self, blocks: &Blocks, g: &Group, c: &Triple, eps: f64) {
        for l in &blocks.links[g.links.clone()] {
            let n = blocks.size(l.body);
            let row = self.rows.len();
            self.rows.resize(row + n, 0.0);
            for k in 0..g.dim {
                let f = c[k] / (eps * g.response[usize::from(k > 0)]);
                axpy(f, &blocks.row[l.at + k * n..l.at + (k + 1) * n], &mut self.rows[row..]);
            }
        }
    }

    /// The row of a change times `column`, velocities of the bodies of the island side by side.
    fn row_times(&self, newton: &Newton, blocks: &Blocks, change: &Change, column: &[f64]) -> f64 {
        let (mut sum, mut at) = (0.0, change.row);
        for l in &blocks.links[blocks.groups[change.group].links.clone()] {
            let n = blocks.size(l.body);
            sum += dot(&self.rows[at..at + n], &column[self.starts[newton.local[l.body]]..][..n]);
            at += n;
        }
        sum
    }
}
