//! Contacts whose modes Newton's method does not find, because they hang on each other: answered by Lemke's method
//! while the others keep theirs, (vel.17). Knows one island at a time.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::joints;
use super::newton::Newton;
use super::polygon::{Mode, joined};
use crate::error::{Result, grow};
use crate::lcp::Lcp;
use crate::linalg::{MatRef, axpy};
use crate::tol;

/// The contacts in question, and the small problem of their impulses. Storage grows with the largest one and is then
/// used again.
#[derive(Debug, Default)]
pub(super) struct Undecided {
    list: Vec<usize>,
    /// Where the velocities of each body of the island begin.
    starts: Vec<usize>,
    lcp: Option<(usize, Lcp)>,
    /// Velocity and impulses of joints without theirs, and what unit impulses along each of their columns make of it, side by
    /// side.
    free: Vec<f64>,
    columns: Vec<f64>,
    /// Speeds along their rows of all of these, column by column, the free ones last.
    speeds: Vec<f64>,
    m: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
}

impl Undecided {
    /// Rows of the groups in question.
    fn rows(&self, blocks: &Blocks) -> usize {
        self.list.iter().map(|&i| blocks.groups[i].dim).sum()
    }

    /// Takes in contacts of `groups` whose present mode is another than the factored one; false when that makes too many.
    /// `any` says whether there was one.
    fn admit(
        &mut self,
        blocks: &Blocks,
        newton: &Newton,
        groups: &[usize],
        any: &mut bool,
    ) -> Result<bool> {
        *any = false;
        for &i in groups {
            let contact = matches!(blocks.groups[i].kind, Kind::Contact(_));
            if newton.modes[i] == newton.factored[i] || !contact || self.list.contains(&i) {
                continue;
            }
            *any = true;
            if self.list.len() == tol::UNDECIDED {
                return Ok(false);
            }
            grow(&mut self.list, 1)?;
            self.list.push(i);
        }
        Ok(true)
    }

    /// Solves the proximal problem of strength `eps` from the present velocities, as
    /// [`settle`](Newton::settle) does: first without contacts in question, then with all whose modes would change.
    pub(super) fn settle(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) -> Result<bool> {
        let groups = &islands.groups[island.groups.clone()];
        self.list.clear();
        newton.misfit(blocks, islands, island, eps, false);
        for _ in 0..tol::UNDECIDED_ROUNDS {
            for &i in &self.list {
                newton.modes[i] = Mode::Open;
            }
            if !newton.factor(blocks, islands, island, eps) {
                return Ok(false);
            }
            self.respond(newton, blocks, islands, island, eps)?;
            if !self.solve(newton, blocks)? {
                return Ok(false);
            }
            self.apply(newton, blocks, islands, island);
            newton.misfit(blocks, islands, island, eps, false);
            let mut any = false;
            if !self.admit(blocks, newton, groups, &mut any)? {
                return Ok(false);
            }
            if !any {
                return Ok(newton.factor(blocks, islands, island, eps));
            }
        }
        Ok(false)
    }

    /// Velocities and speeds that the impulses in question are to be found from; everything else stays in its mode.
    fn respond(
        &mut self,
        newton: &mut Newton,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) -> Result<()> {
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            let range = blocks.range(b);
            newton.error[range.clone()].copy_from_slice(&newton.p[range]);
        }
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        newton.ask_joints(blocks, joints);
        for &i in &groups[joints.len()..] {
            // exact: those in question were factored as open, and add nothing
            let r = newton.kept_impulse(blocks, i, &newton.offset[i], eps);
            blocks.add_impulse(&blocks.groups[i], &r, &mut newton.error);
        }
        newton.solve_error(blocks, bodies);
        let n = bodies.iter().map(|&b| blocks.size(b)).sum::<usize>() + joints.len();
        newton.joints.error.fill(0.0);
        self.free.clear();
        grow(&mut self.free, n)?;
        self.free.extend_from_slice(&newton.step[..n]);
        let rows = self.rows(blocks);
        self.columns.clear();
        grow(&mut self.columns, n * rows)?;
        self.starts.clear();
        grow(&mut self.starts, bodies.len())?;
        let mut at = 0;
        for &b in bodies {
            self.starts.push(at);
            at += blocks.size(b);
        }
        for &i in &self.list {
            for a in 0..blocks.groups[i].dim {
                for &b in bodies {
                    newton.error[blocks.range(b)].fill(0.0);
                }
                let mut unit = [0.0; 3];
                unit[a] = 1.0;
                blocks.add_impulse(&blocks.groups[i], &unit, &mut newton.error);
                newton.solve_error(blocks, bodies);
                self.columns.extend_from_slice(&newton.step[..n]);
            }
        }
        self.measure(newton, blocks, eps)
    }

    /// Speeds along the rows of the contacts in question, with the proximal term eps W (r - base) in them.
    fn measure(&mut self, newton: &Newton, blocks: &Blocks, eps: f64) -> Result<()> {
        let rows = self.rows(blocks);
        self.speeds.clear();
        grow(&mut self.speeds, rows * (rows + 1))?;
        for column in self.columns.chunks_exact(self.free.len().max(1)).chain([&self.free[..]]) {
            for &j in &self.list {
                let u = newton.local_speeds(blocks, &self.starts, j, column);
                self.speeds.extend_from_slice(&u[..blocks.groups[j].dim]);
            }
        }
        let mut row = 0;
        for &j in &self.list {
            let g = &blocks.groups[j];
            for a in 0..g.dim {
                let pull = eps * g.response[usize::from(a > 0)];
                self.speeds[row + row * rows] += pull;
                self.speeds[row + rows * rows] += newton.offset[j][a] - pull * newton.base[j][a];
                row += 1;
            }
        }
        Ok(())
    }

    /// Impulses of the contacts in question; false when there are none.
    fn solve(&mut self, newton: &mut Newton, blocks: &Blocks) -> Result<bool> {
        let n: usize = self.list.iter().map(|&i| unknowns(blocks, i)).sum();
        for (x, size) in [(&mut self.m, n * n), (&mut self.q, n), (&mut self.z, n)] {
            x.clear();
            grow(x, size)?;
            x.resize(size, 0.0);
        }
        if n == 0 {
            return Ok(true);
        }
        let rows = self.rows(blocks);
        let (mut to, mut row) = (0, 0);
        for &j in &self.list {
            let g = &blocks.groups[j];
            let corners = blocks.corners(g);
            for l in 0..=corners.len() {
                let along = weights(l, corners);
                let speed = |column: usize| -> f64 {
                    let from = row + column * rows;
                    along.iter().zip(&self.speeds[from..from + g.dim]).map(|(w, u)| w * u).sum()
                };
                self.q[to + l] = speed(rows);
                let (mut at, mut column) = (0, 0);
                for &i in &self.list {
                    let (h, other) = (&blocks.groups[i], blocks.corners(&blocks.groups[i]));
                    for k in 0..=other.len() {
                        let parts = weights(k, other);
                        let sum: f64 = (0..h.dim).map(|a| parts[a] * speed(column + a)).sum();
                        self.m[to + l + (at + k) * n] = sum;
                    }
                    at += unknowns(blocks, i);
                    column += h.dim;
                }
            }
            if !corners.is_empty() {
                let slip = to + 1 + corners.len();
                self.m[slip + to * n] = g.mu;
                for k in to + 1..slip {
                    self.m[slip + k * n] = -1.0;
                    self.m[k + slip * n] = 1.0;
                }
            }
            to += unknowns(blocks, j);
            row += g.dim;
        }
        if self.lcp.as_ref().is_none_or(|(room, _)| *room < n) {
            self.lcp = Some((2 * n, Lcp::pure(2 * n, 2 * n)?));
        }
        let Some((_, lcp)) = &mut self.lcp else { return Ok(false) };
        lcp.set_basic(&[])?;
        if lcp.solve_rounded(MatRef::square("contact", &self.m, n)?, &self.q, &mut self.z).is_err()
        {
            return Ok(false);
        }
        let mut at = 0;
        for &i in &self.list {
            let corners = blocks.corners(&blocks.groups[i]);
            newton.r[i] = joined(&self.z[at..=at + corners.len()], corners);
            at += unknowns(blocks, i);
        }
        Ok(true)
    }

    /// Velocities with the impulses found.
    fn apply(&self, newton: &mut Newton, blocks: &Blocks, islands: &Islands, island: &Island) {
        let n = self.free.len();
        newton.step[..n].copy_from_slice(&self.free);
        let mut columns = self.columns.chunks_exact(n.max(1));
        for &i in &self.list {
            for a in 0..blocks.groups[i].dim {
                if let Some(column) = columns.next() {
                    axpy(newton.r[i][a], column, &mut newton.step[..n]);
                }
            }
        }
        let joints = joints::of(blocks, &islands.groups[island.groups.clone()]);
        newton.take_step(blocks, &islands.bodies[island.bodies.clone()], joints);
    }
}

/// Unknowns of group `i`: its normal impulse, parts along the corners of the polygon, slip.
fn unknowns(blocks: &Blocks, i: usize) -> usize {
    match blocks.groups[i].corners.len() {
        0 => 1,
        corners => corners + 2,
    }
}

/// What unknown `k` of a contact is along its rows.
fn weights(k: usize, corners: &[[f64; 2]]) -> [f64; 3] {
    if k == 0 { [1.0, 0.0, 0.0] } else { [0.0, corners[k - 1][0], corners[k - 1][1]] }
}
