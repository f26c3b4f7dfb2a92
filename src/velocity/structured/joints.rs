//! Joints of an island: their impulses are unknowns beside the velocities, (vel.21), so that they hold exactly whatever the
//! contacts do. Knows no law of contacts.

use super::blocks::{Blocks, Kind};
use super::island::{Island, Islands};
use super::masses;
use super::newton::Newton;
use crate::error::{Result, grow};
use crate::linalg::BlockLu;
use crate::tol;

/// The joints of the island under way. Its groups begin with them.
#[derive(Debug, Default)]
pub(super) struct Joints {
    /// For each joint: its node in the factorisation, and its row there. Rows between the same bodies share a node.
    nodes: Vec<(usize, usize)>,
    /// The equations (vel.21) without contacts, factored.
    hold: BlockLu,
    /// What their equations are missed by.
    pub(super) error: Vec<f64>,
    /// Impulses that a step starts from.
    from: Vec<f64>,
    /// Speed over the root of the response that counts as none.
    pub(super) small: f64,
}

/// The joints among the groups of an island.
pub(super) fn of<'a>(blocks: &Blocks, groups: &'a [usize]) -> &'a [usize] {
    let joint = |i: &usize| matches!(blocks.groups[*i].kind, Kind::Joint(_));
    &groups[..groups.partition_point(joint)]
}

/// The others: contacts.
pub(super) fn beside<'a>(blocks: &Blocks, groups: &'a [usize]) -> &'a [usize] {
    &groups[of(blocks, groups).len()..]
}

/// All joints of a problem.
pub(super) fn count(blocks: &Blocks) -> usize {
    blocks.groups.partition_point(|g| matches!(g.kind, Kind::Joint(_)))
}

/// How softly a joint is held, in the units of its multiplier; see [`tol::JOINT_SOFTNESS`].
pub(super) fn softness(blocks: &Blocks, i: usize) -> f64 {
    tol::JOINT_SOFTNESS * blocks.groups[i].response[0]
}

impl Joints {
    /// Forgets the island before.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.error.clear();
        self.from.clear();
    }

    /// Appends the nodes of `joints` to `sizes`, and what joins them to bodies to `edges`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn append(
        &mut self,
        blocks: &Blocks,
        joints: &[usize],
        local: &[usize],
        sizes: &mut Vec<usize>,
        edges: &mut Vec<(u32, u32)>,
    ) -> Result<()> {
        self.clear();
        grow(&mut self.nodes, joints.len())?;
        grow(&mut self.error, joints.len())?;
        grow(&mut self.from, joints.len())?;
        grow(sizes, joints.len())?;
        self.error.resize(joints.len(), 0.0);
        let links = |i: usize| &blocks.links[blocks.groups[i].links.clone()];
        for (k, &i) in joints.iter().enumerate() {
            let bodies = |i: usize| links(i).iter().map(|l| l.body);
            if k > 0 && bodies(joints[k - 1]).eq(bodies(i)) {
                let node = sizes.len() - 1;
                self.nodes.push((node, sizes[node]));
                sizes[node] += 1;
                continue;
            }
            let node = sizes.len();
            self.nodes.push((node, 0));
            sizes.push(1);
            grow(edges, links(i).len())?;
            edges.extend(links(i).iter().map(|l| (local[l.body] as u32, node as u32)));
        }
        Ok(())
    }

    /// Writes the rows and columns of `joints` into a matrix of nodes of these `sizes`.
    pub(super) fn fill(
        &self,
        blocks: &Blocks,
        joints: &[usize],
        local: &[usize],
        sizes: &[usize],
        lu: &mut BlockLu,
    ) {
        for (&i, &(node, row)) in joints.iter().zip(&self.nodes) {
            let size = sizes[node];
            lu.block_mut(node, node)[row * (size + 1)] = softness(blocks, i);
            for l in &blocks.links[blocks.groups[i].links.clone()] {
                let (body, n) = (local[l.body], blocks.size(l.body));
                let column = &mut lu.block_mut(body, node)[row * n..(row + 1) * n];
                for (to, x) in column.iter_mut().zip(&blocks.impulse[l.at..]) {
                    *to = -x;
                }
                let block = lu.block_mut(node, body);
                for (c, x) in blocks.row[l.at..l.at + n].iter().enumerate() {
                    block[row + c * size] = *x;
                }
            }
        }
    }
}

impl Newton {
    /// Starts an island with joints: their impulses, and velocities that obey them, which speeds then count from. `small`: see
    /// [`Joints::small`]. False where they cannot be held.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn begin(
        &mut self,
        blocks: &Blocks,
        islands: &Islands,
        island: &Island,
        small: f64,
    ) -> Result<bool> {
        self.pattern(blocks, islands, island)?;
        let joints = of(blocks, &islands.groups[island.groups.clone()]);
        let bodies = &islands.bodies[island.bodies.clone()];
        self.joints.small = small;
        let mut hold = std::mem::take(&mut self.joints.hold);
        let known = hold.analyze_late(&self.sizes, &self.edges, bodies.len());
        if known.is_ok() {
            self.fill_masses(blocks, bodies, &mut hold);
            self.joints.fill(blocks, joints, &self.local, &self.sizes, &mut hold);
        }
        let held = known.is_ok() && hold.factor();
        self.joints.hold = hold;
        known?;
        if held {
            self.velocities(blocks, islands, island);
            self.recentre(blocks, islands, island);
        }
        Ok(held)
    }

    /// Masses of `bodies` in a matrix that is cleared before.
    pub(super) fn fill_masses(&self, blocks: &Blocks, bodies: &[usize], lu: &mut BlockLu) {
        lu.clear();
        bodies.iter().for_each(|&b| masses::fill(blocks, b, |body| self.local[body], lu));
    }

    /// Speeds along `joints` at the present velocities, with their sign changed, in the errors of the joints; the largest of
    /// them over the root of its response.
    fn joint_speeds(&mut self, blocks: &Blocks, joints: &[usize]) -> f64 {
        let mut worst = 0.0f64;
        for (k, &i) in joints.iter().enumerate() {
            let g = &blocks.groups[i];
            let u = blocks.speeds(g, &self.offset[i], &self.v)[0];
            self.joints.error[k] = -u;
            worst = worst.max(u.abs() / g.response[0].sqrt());
        }
        worst
    }

    /// Brings the speeds along the joints of an island to zero, by their impulses; what they make of the velocities is added
    /// to them. True when nothing was to be done.
    pub(super) fn hold(&mut self, blocks: &Blocks, islands: &Islands, island: &Island) -> bool {
        let joints = of(blocks, &islands.groups[island.groups.clone()]);
        if joints.is_empty() || self.joint_speeds(blocks, joints) <= self.joints.small {
            return true;
        }
        let bodies = &islands.bodies[island.bodies.clone()];
        let n: usize = bodies.iter().map(|&b| blocks.size(b)).sum();
        self.step[..n].fill(0.0);
        self.step[n..n + joints.len()].copy_from_slice(&self.joints.error);
        self.joints.hold.solve(&mut self.step[..n + joints.len()]);
        self.add_step(blocks, bodies, joints);
        false
    }

    /// v and the impulses of `joints` += the step of an island.
    pub(super) fn add_step(&mut self, blocks: &Blocks, bodies: &[usize], joints: &[usize]) {
        let mut at = 0;
        for j in bodies.iter().flat_map(|&b| blocks.range(b)) {
            self.v[j] += self.step[at];
            at += 1;
        }
        for (&i, dc) in joints.iter().zip(&self.step[at..]) {
            self.r[i][0] += dc;
        }
    }

    /// v and the impulses of `joints` := the step of an island.
    pub(super) fn take_step(&mut self, blocks: &Blocks, bodies: &[usize], joints: &[usize]) {
        let mut at = 0;
        for j in bodies.iter().flat_map(|&b| blocks.range(b)) {
            self.v[j] = self.step[at];
            at += 1;
        }
        for (&i, c) in joints.iter().zip(&self.step[at..]) {
            self.r[i][0] = *c;
        }
    }

    /// The impulses that a step of Newton's method starts from.
    pub(super) fn mark_joints(&mut self, joints: &[usize]) {
        self.joints.from.clear();
        let r = &self.r;
        self.joints.from.extend(joints.iter().map(|&i| r[i][0]));
    }

    /// Impulses of `joints` a `part` of the step away from where it started; `n` velocities come before them in it.
    pub(super) fn move_joints(&mut self, joints: &[usize], n: usize, part: f64) {
        for (k, &i) in joints.iter().enumerate() {
            self.r[i][0] = self.joints.from[k] + part * self.step[n + k];
        }
    }

    /// What the equations of `joints` ask for where velocities are unknowns themselves, not changes of them.
    pub(super) fn ask_joints(&mut self, blocks: &Blocks, joints: &[usize]) {
        for (k, &i) in joints.iter().enumerate() {
            self.joints.error[k] = softness(blocks, i) * self.base[i][0] - self.offset[i][0];
        }
    }
}
