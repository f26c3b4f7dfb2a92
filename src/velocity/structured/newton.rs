//! Modes by sweeps and by Newton's method in the space of bodies, (vel.11) and (vel.12), for one
//! island. Knows no Lemke.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::joints::{self, Joints};
use super::masses::{self, Masses};
use super::polygon::{Mode, Triple, derivative};
use super::region::project_near;
use super::trend::Trend;
use crate::error::{Result, grow};
use crate::linalg::{BlockLu, axpy, dot};
use crate::tol;

/// Impulses, velocities and modes under way; everything in the order of bodies and groups. Velocities
/// count from a centre, (vel.16), and that from those without impulses: where bodies move fast but
/// hardly against each other, or are brought to rest, their speeds are not lost in rounding.
#[derive(Debug, Default)]
pub(super) struct Newton {
    pub v: Vec<f64>,
    pub r: Vec<Triple>,
    pub modes: Vec<Mode>,
    /// Where velocities count from, the momentum there, and the speeds of the groups.
    pub(super) centre: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) offset: Vec<Triple>,
    /// Impulses around which the proximal term pulls.
    pub(super) base: Vec<Triple>,
    pub(super) kept: Vec<Triple>,
    pub(super) best: Vec<Triple>,
    pub(super) factored: Vec<Mode>,
    pub(super) lu: BlockLu,
    pub(super) joints: Joints,
    /// Nodes of the island under way, bodies before joints, and which of them have a block in common.
    pub(super) sizes: Vec<usize>,
    pub(super) edges: Vec<(u32, u32)>,
    /// Place of a body in its island.
    pub(super) local: Vec<usize>,
    pub(super) error: Vec<f64>,
    pub(super) step: Vec<f64>,
    trial: Vec<f64>,
    pub(super) trend: Trend,
    pub(super) masses: Masses,
    /// Factorisations so far.
    pub factorizations: usize,
}

impl Newton {
    /// Starts a problem with no impulses.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn start(&mut self, blocks: &Blocks) -> Result<()> {
        let (n, groups) = (blocks.coords.len(), blocks.groups.len());
        for x in self.vectors() {
            x.clear();
            grow(x, n)?;
        }
        for r in [&mut self.r, &mut self.base, &mut self.kept, &mut self.best] {
            r.clear();
            grow(r, groups)?;
        }
        for modes in [&mut self.modes, &mut self.factored] {
            modes.clear();
            grow(modes, groups)?;
        }
        self.sizes.clear();
        grow(&mut self.sizes, blocks.bodies())?;
        self.local.clear();
        grow(&mut self.local, blocks.bodies())?;
        for x in self.vectors() {
            x.resize(n, 0.0);
        }
        let joints = joints::count(blocks);
        grow(&mut self.step, joints)?;
        self.step.resize(n + joints, 0.0);
        self.offset.clear();
        grow(&mut self.offset, groups)?;
        self.offset.extend(blocks.groups.iter().map(|g| g.offset));
        for r in [&mut self.r, &mut self.base, &mut self.kept, &mut self.best] {
            r.resize(groups, [0.0; 3]);
        }
        self.trend.room(n, groups)?;
        self.modes.resize(groups, Mode::Open);
        self.factored.resize(groups, Mode::Open);
        self.local.resize(blocks.bodies(), 0);
        self.factorizations = 0;
        Ok(())
    }

    fn vectors(&mut self) -> [&mut Vec<f64>; 6] {
        let Self { v, centre, p, error, step, trial, .. } = self;
        [v, centre, p, error, step, trial]
    }

    /// Speed over the root of the response, the largest of some groups without impulses: what their
    /// residuals are measured by.
    pub(super) fn scale(blocks: &Blocks, groups: impl Iterator<Item = usize>) -> f64 {
        let mut scale = 0.0f64;
        for g in groups.map(|i| &blocks.groups[i]) {
            for (k, u) in g.offset.iter().enumerate().take(g.dim) {
                scale = scale.max(u.abs() / g.response[usize::from(k > 0)].sqrt());
            }
        }
        scale
    }

    /// How far the impulses are from those that the law asks for at the present velocities, in the
    /// units of [`scale`](Self::scale).
    pub(super) fn natural(&self, blocks: &Blocks, groups: &[usize]) -> f64 {
        let mut worst = 0.0f64;
        for &i in groups {
            let g = &blocks.groups[i];
            let asked = self.asked(blocks, i, &self.r[i], &self.v, 1.0).0;
            for k in 0..g.dim {
                let w = g.response[usize::from(k > 0)].sqrt();
                worst = worst.max((asked[k] - self.r[i][k]).abs() * w);
            }
        }
        worst
    }

    /// The largest impulse of some groups times the root of its response, in the units of [`scale`](Self::scale).
    pub(super) fn largest(&self, blocks: &Blocks, groups: &[usize]) -> f64 {
        let of_group = |&i: &usize| {
            let (g, r) = (&blocks.groups[i], &self.r[i]);
            (0..g.dim)
                .map(|k| r[k].abs() * g.response[usize::from(k > 0)].sqrt())
                .fold(0.0, f64::max)
        };
        groups.iter().map(of_group).fold(0.0, f64::max)
    }

    /// Pi(base - S u) of group `i`, with S = 1/(eps W), (vel.11).
    pub(super) fn asked(
        &self,
        blocks: &Blocks,
        i: usize,
        base: &Triple,
        v: &[f64],
        eps: f64,
    ) -> (Triple, Mode) {
        let g = &blocks.groups[i];
        let u = blocks.speeds(g, &self.offset[i], v);
        let mut x = [0.0; 3];
        for k in 0..g.dim {
            x[k] = base[k] - u[k] / (eps * g.response[usize::from(k > 0)]);
        }
        match g.kind {
            Kind::Joint(_) => (x, Mode::Stick),
            Kind::Contact(_) => project_near(&x, g.mu, (blocks.corners(g), g.inner), self.modes[i]),
        }
    }

    /// Prepares the pattern of an island.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn pattern(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
    ) -> Result<()> {
        self.sizes.clear();
        let all = &islands.bodies[island.bodies.clone()];
        for (k, &b) in all.iter().enumerate() {
            self.local[b] = k;
            self.sizes.push(blocks.size(b));
        }
        self.edges.clear();
        for &b in all {
            masses::add_edges(blocks, b, |body| self.local[body], &mut self.edges)?;
        }
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        let bodies = self.sizes.len();
        let (sizes, edges) = (&mut self.sizes, &mut self.edges);
        self.joints.append(blocks, joints, &self.local, sizes, edges)?;
        for &i in &groups[joints.len()..] {
            let links = &blocks.links[blocks.groups[i].links.clone()];
            for (k, a) in links.iter().enumerate() {
                grow(&mut self.edges, links.len())?;
                for b in &links[k + 1..] {
                    let (a, b) = (self.local[a.body] as u32, self.local[b.body] as u32);
                    self.edges.push((a.min(b), a.max(b)));
                }
            }
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.lu.analyze_late(&self.sizes, &self.edges, bodies)
    }

    /// Factors M + J P S J' of (vel.12) with the present modes; false when it is singular.
    pub(super) fn factor(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
    ) -> bool {
        self.factorizations += 1;
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        let mut lu = std::mem::take(&mut self.lu);
        self.fill_masses(blocks, &islands.bodies[island.bodies.clone()], &mut lu);
        self.joints.fill(blocks, joints, &self.local, &self.sizes, &mut lu);
        self.lu = lu;
        for &i in groups {
            self.factored[i] = self.modes[i];
        }
        for &i in &groups[joints.len()..] {
            if self.modes[i] != Mode::Open {
                self.add_group(blocks, i, eps);
            }
        }
        self.lu.factor()
    }

    fn add_group(&mut self, blocks: &Blocks, i: usize, eps: f64) {
        let g = &blocks.groups[i];
        let slope = derivative(self.modes[i], g.mu, blocks.corners(g));
        let links = &blocks.links[g.links.clone()];
        for to in links {
            let n = blocks.size(to.body);
            for from in links {
                let m = blocks.size(from.body);
                let block = self.lu.block_mut(self.local[to.body], self.local[from.body]);
                for c in 0..m {
                    for a in 0..g.dim {
                        let mut f = 0.0;
                        for b in 0..g.dim {
                            let s = 1.0 / (eps * g.response[usize::from(b > 0)]);
                            f += slope[a][b] * s * blocks.row[from.at + b * m + c];
                        }
                        let column = &blocks.impulse[to.at + a * n..to.at + (a + 1) * n];
                        axpy(f, column, &mut block[c * n..(c + 1) * n]);
                    }
                }
            }
        }
    }

    /// M v - p - J Pi(base - S (J'v + b)) at `v`, in `error`; sets impulses and modes. Gives its
    /// size.
    pub(super) fn misfit(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        trial: bool,
    ) -> f64 {
        let v = if trial { std::mem::take(&mut self.trial) } else { std::mem::take(&mut self.v) };
        let bodies = &islands.bodies[island.bodies.clone()];
        for &b in bodies {
            self.error[blocks.range(b)].copy_from_slice(&self.p[blocks.range(b)]);
        }
        blocks.subtract_mass_times(bodies, &v, &mut self.error);
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        let mut size = 0.0;
        for (k, &i) in joints.iter().enumerate() {
            let g = &blocks.groups[i];
            let u = blocks.speeds(g, &self.offset[i], &v)[0];
            self.joints.error[k] = -u;
            self.modes[i] = Mode::Stick;
            blocks.add_impulse(g, &self.r[i], &mut self.error);
            size += u * u / g.response[0];
        }
        for &i in &groups[joints.len()..] {
            let (asked, mode) = self.asked(blocks, i, &self.base[i], &v, eps);
            self.r[i] = asked;
            self.modes[i] = mode;
            blocks.add_impulse(&blocks.groups[i], &asked, &mut self.error);
        }
        if trial {
            self.trial = v;
        } else {
            self.v = v;
        }
        for &b in bodies {
            let n = blocks.size(b);
            for (k, at) in blocks.range(b).enumerate() {
                let m = blocks.mass[blocks.square[b] + k * (n + 1)];
                size += self.error[at] * self.error[at] / m;
            }
        }
        size
    }

    /// Rows of group `i` times `column`, velocities of the bodies of an island side by side.
    pub(super) fn local_speeds(
        &self,
        blocks: &Blocks,
        starts: &[usize],
        i: usize,
        column: &[f64],
    ) -> Triple {
        let (g, mut u) = (&blocks.groups[i], [0.0; 3]);
        for l in &blocks.links[g.links.clone()] {
            let n = blocks.size(l.body);
            let v = &column[starts[self.local[l.body]]..][..n];
            for (k, u) in u.iter_mut().enumerate().take(g.dim) {
                *u += dot(&blocks.row[l.at + k * n..l.at + (k + 1) * n], v);
            }
        }
        u
    }

    /// Solves the factored equations of an island for `error`, body by body, and what the joints miss, into `step`.
    pub(super) fn solve_error(&mut self, blocks: &Blocks, bodies: &[usize]) {
        let mut at = 0;
        for &b in bodies {
            let range = blocks.range(b);
            self.step[at..at + range.len()].copy_from_slice(&self.error[range.clone()]);
            at += range.len();
        }
        let joints = self.joints.error.len();
        self.step[at..at + joints].copy_from_slice(&self.joints.error);
        self.lu.solve(&mut self.step[..at + joints]);
    }

    /// Up to `steps` of Newton's method with a proximal term of strength `eps`, from the present v. True when the
    /// modes repeat themselves: then the subproblem is solved exactly.
    pub(super) fn settle(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        steps: usize,
    ) -> bool {
        let groups = &islands.groups[island.groups.clone()];
        let joints = joints::of(blocks, groups);
        let mut size = self.misfit(blocks, islands, island, eps, false);
        for _ in 0..steps {
            if !self.factor(blocks, islands, island, eps) {
                return false;
            }
            let bodies = &islands.bodies[island.bodies.clone()];
            self.solve_error(blocks, bodies);
            self.mark_joints(joints);
            let mut part = 1.0;
            loop {
                let mut at = 0;
                for &b in bodies {
                    for j in blocks.range(b) {
                        self.trial[j] = self.v[j] + part * self.step[at];
                        at += 1;
                    }
                }
                self.move_joints(joints, at, part);
                let trial = self.misfit(blocks, islands, island, eps, true);
                // A full step with unchanged modes is as good as rounding allows.
                if trial < size
                    || part < tol::NEWTON_SHORTEST
                    || part == 1.0 && self.repeats(groups)
                {
                    size = trial;
                    break;
                }
                part *= 0.5;
            }
            for &b in bodies {
                let range = blocks.range(b);
                self.v[range.clone()].copy_from_slice(&self.trial[range]);
            }
            // exact: a full step with unchanged modes solves the piecewise linear equations
            if part == 1.0 && self.repeats(groups) {
                return true;
            }
            if !size.is_finite() {
                return false;
            }
        }
        false
    }

    /// Whether all groups are in the modes that were factored.
    fn repeats(&self, groups: &[usize]) -> bool {
        groups.iter().all(|&i| self.modes[i] == self.factored[i])
    }

    /// Repeats the proximal step with the modes and the factor of the last
    /// [`settle`](Self::settle) or [`factor`](Self::factor) until the law holds without the
    /// proximal term, or no longer gets nearer to it. Gives the residual left. Modes may differ
    /// where it makes no difference: contacts that touch without a load flicker.
    pub(super) fn polish(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        eps: f64,
        target: f64,
    ) -> f64 {
        let (mut best, mut last) = (f64::INFINITY, f64::INFINITY);
        let bodies = &islands.bodies[island.bodies.clone()];
        let groups = &islands.groups[island.groups.clone()];
        for _ in 0..tol::PROXIMAL_STEPS {
            self.misfit(blocks, islands, island, eps, false);
            self.solve_error(blocks, bodies);
            self.add_step(blocks, bodies, joints::of(blocks, groups));
            self.misfit(blocks, islands, island, eps, false);
            self.rebase(groups);
            // What impulses make of the velocities is rounded in another way, which the proximal term would magnify.
            for &b in bodies {
                let range = blocks.range(b);
                self.trial[range.clone()].copy_from_slice(&self.v[range]);
            }
            self.velocities(blocks, islands, island);
            let left = self.natural(blocks, groups);
            for &b in bodies {
                let range = blocks.range(b);
                self.v[range.clone()].copy_from_slice(&self.trial[range]);
            }
            if left < best {
                best = left;
                self.keep(groups);
            }
            if best <= target || left > tol::PROXIMAL_PROGRESS * last {
                break;
            }
            last = left;
        }
        self.take_back(groups);
        self.velocities(blocks, islands, island);
        best
    }
}
