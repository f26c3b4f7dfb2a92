//! Few equations: solved for their multipliers, with rank detection. Knows what [`Equations`](super::Equations)
//! tells.

use super::Data;
use crate::error::{Result, collect, reserve};
use crate::linalg::{RankFactor, axpy, dot};
use crate::step::host::zeros;
use crate::tol;

/// Workspace.
#[derive(Debug)]
pub(super) struct Few {
    nv: usize,
    rank: RankFactor,
    /// mass^-1 times the directions.
    response: Vec<f64>,
    unchecked: Vec<f64>,
    /// Equations that decide when there are more of them than unknowns, and their multipliers.
    chosen: Vec<usize>,
    solution: Vec<f64>,
    /// Orthogonal directions of the rows chosen so far, and what they leave of another.
    known: Vec<f64>,
    /// Shares of each equation in these directions, and what a unit along each of them makes.
    shares: Vec<f64>,
    shared: Vec<f64>,
    rest: Vec<f64>,
}

impl Few {
    /// Takes storage for up to `most` equations in `nv` unknowns.
    pub(super) fn new(nv: usize, most: usize) -> Result<Self> {
        // More equations than unknowns there can only be where unknowns are few.
        let (own, excess) = (nv.min(most), if most > nv { nv } else { 0 });
        Ok(Self {
            nv,
            rank: RankFactor::new(own)?,
            response: reserve(nv * most)?,
            // Equations that depend on others are dropped without a test: the points of a face agree only up to the
            // square of the step, and any of them stands for all.
            unchecked: collect([f64::INFINITY])?,
            chosen: reserve(own)?,
            solution: zeros(own)?,
            known: reserve(nv * excess)?,
            shares: reserve(most * excess)?,
            shared: reserve(nv * excess)?,
            rest: zeros(nv)?,
        })
    }

    /// Corrects `u`, of which the equations say that they are violated by `violations`; the
    /// multipliers go to `found`.
    ///
    /// # Errors
    /// Those of [`RankFactor::solve`].
    pub(super) fn correct(
        &mut self,
        data: &Data<'_>,
        violations: &[f64],
        found: &mut [f64],
        u: &mut [f64],
    ) -> Result<()> {
        let (nv, m) = (self.nv, violations.len());
        self.response.resize(m * nv, 0.0);
        for (j, response) in self.response.chunks_exact_mut(nv.max(1)).enumerate() {
            data.directions.col(j).write(response);
            data.mass.solve(response);
        }
        self.choose(data, m);
        if m > nv {
            self.share_response(data, m);
        }
        let chosen = &self.chosen;
        // Along what the unknown `j` acts: the multiplier of an equation, or a share in all of them.
        let response = if m > nv { &self.shared } else { &self.response };
        let made = |j: usize| &response[j * nv..(j + 1) * nv];
        self.rank.factor(chosen.len(), |i, j| data.rows.col(chosen[i]).dot(made(j)));
        let x = &mut self.solution[..chosen.len()];
        for (xi, &i) in x.iter_mut().zip(chosen) {
            *xi = -violations[i];
        }
        self.rank.solve("equations", &self.unchecked, x)?;
        for (j, &xj) in x.iter().enumerate() {
            axpy(xj, made(j), u);
        }
        for (i, multiplier) in found.iter_mut().enumerate() {
            // All are chosen where there are few.
            *multiplier = if m > nv { dot(&self.shares[i * nv..], x) } else { x[i] };
        }
        Ok(())
    }

    /// What a unit along each direction of the chosen rows makes when every equation has its share
    /// in it, in proportion to its row: a face bears on all of its points, not on the first three,
    /// of which one would have to pull.
    fn share_response(&mut self, data: &Data<'_>, m: usize) {
        let nv = self.nv;
        self.shares.clear();
        self.shared.clear();
        self.shared.resize(nv * self.chosen.len(), 0.0);
        for i in 0..m {
            let row = data.rows.col(i);
            let response = &self.response[i * nv..(i + 1) * nv];
            let at = self.shares.len();
            self.shares.resize(at + nv, 0.0);
            for (j, direction) in self.known.chunks_exact(nv).enumerate() {
                let share = row.dot(direction);
                self.shares[at + j] = share;
                axpy(share, response, &mut self.shared[j * nv..(j + 1) * nv]);
            }
        }
    }

    /// Lists the equations to solve: all of the `m`, or, when there are more than unknowns, those that
    /// do not depend on the ones before them, as the factorisation would find: what a face of
    /// hundreds of points says is said by a few of them. Joints come first and are not given up for
    /// contacts.
    fn choose(&mut self, data: &Data<'_>, m: usize) {
        let nv = self.nv;
        self.chosen.clear();
        if m <= nv {
            self.chosen.extend(0..m);
            return;
        }
        self.known.clear();
        for i in 0..m {
            // Enough are known to say all that can be said.
            if self.chosen.len() == nv {
                return;
            }
            let row = data.rows.col(i);
            row.write(&mut self.rest);
            for d in self.known.chunks_exact(nv) {
                axpy(-dot(&self.rest, d), d, &mut self.rest);
            }
            let left = dot(&self.rest, &self.rest);
            // An equation without a row says nothing.
            if left > tol::RANK * row.square() {
                self.chosen.push(i);
                let length = left.sqrt();
                self.known.extend(self.rest.iter().map(|x| x / length));
            }
        }
    }
}
