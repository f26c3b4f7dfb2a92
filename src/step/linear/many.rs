//! Many equations: solved in the space of bodies by the method of multipliers, (step.70). Knows what
//! [`Equations`](super::Equations) tells.

use super::Data;
use crate::error::{Error, Result, grow, reserve};
use crate::linalg::{BlockLu, Blocked, Column, axpy};
use crate::step::host::zeros;
use crate::tol;

/// Workspace. Storage beyond the unknowns grows with the most equations seen and is then used again.
#[derive(Debug)]
pub(super) struct Many {
    /// Where bodies begin as it was told; the bodies of the mass at hand.
    told: Vec<usize>,
    first: Vec<usize>,
    body_of: Vec<u32>,
    sizes: Vec<usize>,
    /// Blocks of the mass that are not zero, and their numbers, column-major.
    coupled: Vec<(u32, u32)>,
    mass: Vec<f64>,
    /// Sizes of bodies and, behind them, of joints that share their bodies; the node and the row of each joint.
    nodes: Vec<usize>,
    places: Vec<(u32, u32)>,
    edges: Vec<(u32, u32)>,
    touched: Vec<u32>,
    before: Vec<u32>,
    lu: BlockLu,
    /// Velocities and multipliers of joints that a round solves for.
    unknowns: Vec<f64>,
    /// How stiffly each equation is held.
    stiffness: Vec<f64>,
    left: Vec<f64>,
    change: Vec<f64>,
    step: Vec<f64>,
}

impl Many {
    pub(super) fn new((nv, masses): (usize, usize), most: usize, bodies: &[usize]) -> Result<Self> {
        let mut told = reserve(bodies.len())?;
        told.extend_from_slice(bodies);
        // Pairs of bodies that the mass couples: each has an entry at least.
        let pairs = masses.min((bodies.len() + 1).saturating_mul(bodies.len() + 1));
        Ok(Self {
            told,
            first: reserve(nv + 1)?,
            body_of: reserve(nv)?,
            sizes: reserve(nv)?,
            coupled: reserve(pairs)?,
            mass: reserve(masses)?,
            nodes: Vec::new(),
            places: Vec::new(),
            edges: Vec::new(),
            touched: Vec::new(),
            before: Vec::new(),
            lu: BlockLu::default(),
            unknowns: Vec::new(),
            stiffness: reserve(most)?,
            left: reserve(most)?,
            change: reserve(most)?,
            step: zeros(nv)?,
        })
    }

    /// Takes the bodies of `mass` and what couples them.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn start(&mut self, mass: &Blocked) -> Result<()> {
        self.find_bodies(self.step.len());
        self.coupled.clear();
        self.mass.clear();
        for b in 0..self.sizes.len() {
            let columns = self.first[b]..self.first[b + 1];
            let reach = columns.clone().filter_map(|j| mass.col(j).reach());
            let (low, high) = reach.fold((b, b), |(low, high), (first, last)| {
                let [first, last] = [first, last].map(|i| self.body_of[i] as usize);
                (low.min(first), high.max(last))
            });
            for a in low..=high {
                let rows = self.first[a]..self.first[a + 1];
                // exact: what the model does not write is zero
                let filled = |j: usize| rows.clone().any(|i| mass.col(j).at(i) != 0.0);
                if a != b && !columns.clone().any(filled) {
                    continue;
                }
                grow(&mut self.coupled, 1)?;
                grow(&mut self.mass, columns.len() * rows.len())?;
                self.coupled.push((a as u32, b as u32));
                for j in columns.clone() {
                    let column = mass.col(j);
                    self.mass.extend(rows.clone().map(|i| column.at(i)));
                }
            }
        }
        Ok(())
    }

    /// Bodies as they were told; all coordinates are one where nothing was, since columns that a host writes
    /// whole would couple each of them with all others.
    fn find_bodies(&mut self, n: usize) {
        if self.body_of.len() == n {
            return;
        }
        if self.told.is_empty() {
            self.first.push(0);
        }
        self.first.extend(self.told.iter().copied().filter(|&x| x < n));
        self.first.push(n);
        self.first.dedup();
        for (b, ends) in self.first.windows(2).enumerate() {
            self.sizes.push(ends[1] - ends[0]);
            self.body_of.resize(ends[1], b as u32);
        }
    }

    /// Corrects `u`, of which the equations say that they are violated by `violations`; the
    /// multipliers go to `found`. The first `joints` of them are held more firmly than the others.
    ///
    /// # Errors
    /// `Inconsistent` where the equations have no solution in the space of bodies; `Memory`.
    pub(super) fn correct(
        &mut self,
        data: &Data<'_>,
        joints: usize,
        violations: &[f64],
        found: &mut [f64],
        u: &mut [f64],
    ) -> Result<()> {
        let m = violations.len();
        for x in [&mut self.stiffness, &mut self.left, &mut self.change] {
            x.clear();
        }
        self.set_stiffness(data, joints, m);
        self.analyze(data, joints, m)?;
        self.fill(data, m);
        found.fill(0.0);
        if !self.lu.factor() {
            return Err(Error::Inconsistent { what: "equations", row: 0, violation: 1.0 });
        }
        self.left.extend_from_slice(violations);
        self.change.resize(m, 0.0);
        let small = tol::MULTIPLIERS_DONE * self.size();
        let (mut rounds, mut moved) = (0, f64::INFINITY);
        while rounds < tol::MULTIPLIER_ROUNDS && moved > small {
            let before = moved;
            moved = self.round(data, found, u);
            rounds += 1;
            // No better than before: what is left is rounding, or a contradiction.
            if moved > tol::MULTIPLIERS_STALL * before {
                break;
            }
        }
        let left = self.size();
        if !(left + moved).is_finite() {
            return Err(Error::Inconsistent { what: "equations", row: 0, violation: left });
        }
        // What is left and stays as it is comes from equations that contradict each other: they
        // push on and on, by the same amount each time.
        if left > small && moved < 0.1 * left {
            self.step.fill(0.0);
            for (i, x) in found.iter_mut().enumerate() {
                let excess = f64::from(rounds) * self.change[i];
                *x -= excess;
                data.directions.col(i).add(-excess, &mut self.step);
            }
            data.mass.solve(&mut self.step);
            axpy(1.0, &self.step, u);
        }
        Ok(())
    }

    /// 1/(eps w_i), w_i about the speed that a unit of the multiplier makes along its own row.
    fn set_stiffness(&mut self, data: &Data<'_>, joints: usize, m: usize) {
        // By the diagonal of the mass: only the size matters.
        self.step.fill(1.0);
        let mut at = 0;
        for &(a, b) in &self.coupled {
            let n = self.sizes[a as usize];
            if a == b {
                for i in 0..n {
                    self.step[self.first[a as usize] + i] = self.mass[at + i * (n + 1)];
                }
            }
            at += n * self.sizes[b as usize];
        }
        for i in 0..m {
            let (row, direction) = (data.rows.col(i), data.directions.col(i));
            let speed = |k: usize, x: f64, y: f64| (x * y / self.step[k]).abs();
            // Mostly they are of the same rows: then nothing is looked up.
            let w: f64 = match row.runs() == direction.runs() {
                true => row
                    .entries()
                    .zip(direction.entries())
                    .map(|((k, x), (_, y))| speed(k, x, y))
                    .sum(),
                false => row.entries().map(|(k, x)| speed(k, x, direction.at(k))).sum(),
            };
            let eps = if i < joints { tol::MULTIPLIER_JOINT } else { tol::MULTIPLIER_SOFTNESS };
            // exact: an equation without a row says nothing
            self.stiffness.push(if w > 0.0 { 1.0 / (eps * w) } else { 0.0 });
        }
    }

    /// Order of elimination: bodies that the mass or an equation couples, and the first `joints` equations as nodes of their
    /// own.
    fn analyze(&mut self, data: &Data<'_>, joints: usize, m: usize) -> Result<()> {
        let n = self.step.len() + joints;
        self.unknowns.clear();
        grow(&mut self.unknowns, n)?;
        self.unknowns.resize(n, 0.0);
        self.edges.clear();
        grow(&mut self.edges, self.coupled.len())?;
        let joined = self.coupled.iter().filter(|(a, b)| a != b);
        self.edges.extend(joined.map(|&(a, b)| (a.min(b), a.max(b))));
        self.add_joints(data, joints)?;
        for i in joints..m {
            self.touch(data, i)?;
            let n = self.touched.len();
            grow(&mut self.edges, n * n)?;
            for a in 0..n {
                for b in a + 1..n {
                    let (x, y) = (self.touched[a], self.touched[b]);
                    let edge = (x.min(y), x.max(y));
                    // Contacts of one pair of bodies follow each other.
                    if self.edges.last() != Some(&edge) {
                        self.edges.push(edge);
                    }
                }
            }
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.lu.analyze_late(&self.nodes, &self.edges, self.sizes.len())
    }

    /// Nodes of joints, one for all that follow each other between the same bodies, and the edges to these.
    fn add_joints(&mut self, data: &Data<'_>, joints: usize) -> Result<()> {
        self.nodes.clear();
        grow(&mut self.nodes, self.sizes.len() + joints)?;
        self.nodes.extend_from_slice(&self.sizes);
        self.places.clear();
        grow(&mut self.places, joints)?;
        self.before.clear();
        for i in 0..joints {
            self.touch(data, i)?;
            if i == 0 || self.touched != self.before {
                grow(&mut self.edges, self.touched.len())?;
                let node = self.nodes.len() as u32;
                self.edges.extend(self.touched.iter().map(|&body| (body, node)));
                self.nodes.push(0);
            }
            std::mem::swap(&mut self.before, &mut self.touched);
            let node = self.nodes.len() - 1;
            self.places.push((node as u32, self.nodes[node] as u32));
            self.nodes[node] += 1;
        }
        Ok(())
    }

    /// Bodies that equation `i` touches.
    fn touch(&mut self, data: &Data<'_>, i: usize) -> Result<()> {
        self.touched.clear();
        for column in [data.rows.col(i), data.directions.col(i)] {
            for (body, ..) in bodies(&column, &self.first, &self.body_of) {
                let body = body as u32;
                if self.touched.last() != Some(&body) && !self.touched.contains(&body) {
                    grow(&mut self.touched, 1)?;
                    self.touched.push(body);
                }
            }
        }
        Ok(())
    }

    /// The matrix of (step.70): the mass, each joint with its multiplier, and each other equation as a stiff spring.
    fn fill(&mut self, data: &Data<'_>, m: usize) {
        self.lu.clear();
        let mut at = 0;
        for &(a, b) in &self.coupled {
            let size = self.sizes[a as usize] * self.sizes[b as usize];
            let block = self.lu.block_mut(a as usize, b as usize);
            block.copy_from_slice(&self.mass[at..at + size]);
            at += size;
        }
        for i in 0..self.places.len() {
            self.fill_joint(data, i);
        }
        for i in self.places.len()..m {
            let (row, direction) = (data.rows.col(i), data.directions.col(i));
            let (first, body_of) = (&self.first, &self.body_of);
            for (a, from, along) in bodies(&direction, first, body_of) {
                let n = self.sizes[a];
                for (b, left, row) in bodies(&row, first, body_of) {
                    let block = self.lu.block_mut(a, b);
                    for (column, x) in block.chunks_exact_mut(n).skip(left).zip(row) {
                        axpy(self.stiffness[i] * x, along, &mut column[from..]);
                    }
                }
            }
        }
    }

    fn fill_joint(&mut self, data: &Data<'_>, i: usize) {
        let (row, direction) = (data.rows.col(i), data.directions.col(i));
        let (node, at) = (self.places[i].0 as usize, self.places[i].1 as usize);
        let (size, first, body_of) = (self.nodes[node], &self.first, &self.body_of);
        // exact: a row of no size says nothing, and neither does its multiplier
        let soft = if self.stiffness[i] > 0.0 { 1.0 / self.stiffness[i] } else { 1.0 };
        self.lu.block_mut(node, node)[at * (size + 1)] = soft;
        for (a, from, along) in bodies(&direction, first, body_of) {
            let n = self.sizes[a];
            let column = &mut self.lu.block_mut(a, node)[at * n..(at + 1) * n];
            column[from..].iter_mut().zip(along).for_each(|(x, d)| *x = -d);
        }
        for (b, from, row) in bodies(&row, first, body_of) {
            let block = self.lu.block_mut(node, b);
            let columns = block.chunks_exact_mut(size).skip(from);
            columns.zip(row).for_each(|(column, x)| column[at] = *x);
        }
    }

    /// One round of (step.70): multipliers, `u`, and what is left of the violations. Gives the largest
    /// change of those, in units of their own response.
    fn round(&mut self, data: &Data<'_>, found: &mut [f64], u: &mut [f64]) -> f64 {
        let (nv, joints) = (self.step.len(), self.places.len());
        self.unknowns[..nv].fill(0.0);
        for (i, left) in self.left.iter().enumerate() {
            if i < joints {
                self.unknowns[nv + i] = -left;
            } else {
                data.directions.col(i).add(-self.stiffness[i] * left, &mut self.unknowns);
            }
        }
        self.lu.solve(&mut self.unknowns);
        for (i, change) in self.change.iter_mut().enumerate() {
            *change = match i < joints {
                true => self.unknowns[nv + i],
                false => -self.stiffness[i] * (self.left[i] + data.rows.col(i).dot(&self.unknowns)),
            };
            found[i] += *change;
        }
        // The motion that the multipliers make, not the one that was solved for: both then belong
        // together to the last bit.
        self.step.fill(0.0);
        for (i, change) in self.change.iter().enumerate() {
            data.directions.col(i).add(*change, &mut self.step);
        }
        data.mass.solve(&mut self.step);
        axpy(1.0, &self.step, u);
        let mut moved = 0.0f64;
        for (i, left) in self.left.iter_mut().enumerate() {
            let more = data.rows.col(i).dot(&self.step);
            *left += more;
            moved = worse(moved, more * self.stiffness[i].sqrt());
        }
        moved
    }

    /// Largest violation left, in units of its own response.
    fn size(&self) -> f64 {
        let scaled = self.left.iter().zip(&self.stiffness).map(|(x, s)| x * s.sqrt());
        scaled.fold(0.0, worse)
    }
}

/// The larger of the two sizes; a NaN is not passed over.
fn worse(a: f64, b: f64) -> f64 {
    if b.abs() > a || b.is_nan() { b.abs() } else { a }
}

/// The bodies that a column touches, each with the numbers of it that are stored and where the first of them is in
/// the body.
fn bodies<'a>(
    column: &Column<'a>,
    first: &'a [usize],
    body_of: &'a [u32],
) -> impl Iterator<Item = (usize, usize, &'a [f64])> {
    let [mut piece, mut last] = column.pieces();
    std::iter::from_fn(move || {
        if piece.1.is_empty() {
            piece = std::mem::take(&mut last);
        }
        let (row, rest) = piece;
        let body = *body_of.get(row).filter(|_| !rest.is_empty())? as usize;
        let (part, more) = rest.split_at(rest.len().min(first[body + 1] - row));
        piece = (first[body + 1], more);
        Some((body, row - first[body], part))
    })
}
