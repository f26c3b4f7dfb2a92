//! Velocities under given equations: no complementarity, only which of the constraints hold. Paths
//! with fixed modes and projections are made of it. Knows neither contacts nor time.

use super::host::zeros;
use crate::error::{Result, reserve};
use crate::linalg::{DefiniteFactor, MatRef, RankFactor, axpy, dot};
use crate::tol;

/// Equations row'u + offset = 0, each with the direction along which its multiplier acts.
#[derive(Debug)]
pub(super) struct Equations {
    nv: usize,
    mass: DefiniteFactor,
    rank: RankFactor,
    rows: Vec<f64>,
    /// mass^-1 times the directions.
    response: Vec<f64>,
    offsets: Vec<f64>,
    /// What the equations were violated by before the last correction, and the multipliers of it.
    violations: Vec<f64>,
    multipliers: Vec<f64>,
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

impl Equations {
    /// Takes storage for up to `most` equations in `nv` unknowns.
    pub(super) fn new(nv: usize, most: usize) -> Result<Self> {
        Ok(Self {
            nv,
            mass: DefiniteFactor::new(nv)?,
            rank: RankFactor::new(most)?,
            rows: reserve(nv * most)?,
            response: reserve(nv * most)?,
            offsets: reserve(most)?,
            violations: zeros(most)?,
            multipliers: zeros(most)?,
            // Equations that depend on others are dropped without a test: the points of a face agree only up to the
            // square of the step, and any of them stands for all.
            unchecked: vec![f64::INFINITY],
            chosen: reserve(most)?,
            solution: zeros(most)?,
            known: reserve(nv * nv)?,
            shares: reserve(nv * most)?,
            shared: reserve(nv * nv)?,
            rest: zeros(nv)?,
        })
    }

    /// Starts a set of equations with this mass matrix.
    ///
    /// # Errors
    /// `NotPositiveDefinite`.
    pub(super) fn start(&mut self, mass: &[f64]) -> Result<()> {
        self.clear();
        self.mass.factor("mass", MatRef::square("mass", mass, self.nv)?)
    }

    /// Drops the equations, keeps the mass.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.response.clear();
        self.offsets.clear();
    }

    /// Adds row'u + offset = 0; the multiplier acts along `direction` + `factor` `more`.
    pub(super) fn push(
        &mut self,
        row: &[f64],
        offset: f64,
        direction: &[f64],
        factor: f64,
        more: &[f64],
    ) {
        let at = self.response.len();
        self.rows.extend_from_slice(row);
        self.response.extend_from_slice(direction);
        let response = &mut self.response[at..];
        axpy(factor, more, response);
        self.mass.solve(response);
        self.offsets.push(offset);
    }

    /// x := mass^-1 x.
    pub(super) fn apply_inverse_mass(&self, x: &mut [f64]) {
        self.mass.solve(x);
    }

    /// Corrects `u` along the directions so that the equations hold; those that depend on others
    /// are dropped.
    ///
    /// # Errors
    /// Those of [`RankFactor::solve`].
    pub(super) fn correct(&mut self, u: &mut [f64]) -> Result<()> {
        let (nv, m) = (self.nv, self.offsets.len());
        if m == 0 {
            return Ok(());
        }
        self.choose(m);
        for i in 0..m {
            self.violations[i] = dot(&self.rows[i * nv..(i + 1) * nv], u) + self.offsets[i];
        }
        if m > nv {
            self.share_response(m);
        }
        let (rows, chosen) = (&self.rows, &self.chosen);
        // Along what the unknown `j` acts: the multiplier of an equation, or a share in all of them.
        let response = if m > nv { &self.shared } else { &self.response };
        let made = |j: usize| &response[j * nv..(j + 1) * nv];
        let row = |i: usize| &rows[chosen[i] * nv..(chosen[i] + 1) * nv];
        self.rank.factor(chosen.len(), |i, j| dot(row(i), made(j)));
        let x = &mut self.solution[..chosen.len()];
        for (xi, &i) in x.iter_mut().zip(chosen) {
            *xi = -self.violations[i];
        }
        self.rank.solve("equations", &self.unchecked, x)?;
        for (j, &xj) in x.iter().enumerate() {
            axpy(xj, made(j), u);
        }
        self.multipliers[..m].fill(0.0);
        for (i, multiplier) in self.multipliers[..m].iter_mut().enumerate() {
            // All are chosen where there are few.
            *multiplier = if m > nv { dot(&self.shares[i * nv..], x) } else { x[i] };
        }
        Ok(())
    }

    /// What a unit along each direction of the chosen rows makes when every equation has its share
    /// in it, in proportion to its row: a face bears on all of its points, not on the first three,
    /// of which one would have to pull.
    fn share_response(&mut self, m: usize) {
        let nv = self.nv;
        self.shares.clear();
        self.shared.clear();
        self.shared.resize(nv * self.chosen.len(), 0.0);
        for i in 0..m {
            let row = &self.rows[i * nv..(i + 1) * nv];
            let response = &self.response[i * nv..(i + 1) * nv];
            let at = self.shares.len();
            self.shares.resize(at + nv, 0.0);
            for (j, direction) in self.known.chunks_exact(nv).enumerate() {
                let share = dot(row, direction);
                self.shares[at + j] = share;
                axpy(share, response, &mut self.shared[j * nv..(j + 1) * nv]);
            }
        }
    }

    /// Lists the equations to solve: all of the `m`, or, when there are more than unknowns, those that
    /// do not depend on the ones before them, as the factorisation would find: what a face of
    /// hundreds of points says is said by a few of them. Joints come first and are not given up for
    /// contacts.
    fn choose(&mut self, m: usize) {
        let nv = self.nv;
        self.chosen.clear();
        if m <= nv {
            self.chosen.extend(0..m);
            return;
        }
        self.known.clear();
        for (i, row) in self.rows.chunks_exact(nv).enumerate().take(m) {
            let size = dot(row, row);
            self.rest.copy_from_slice(row);
            for d in self.known.chunks_exact(nv) {
                axpy(-dot(&self.rest, d), d, &mut self.rest);
            }
            let left = dot(&self.rest, &self.rest);
            // An equation without a row says nothing.
            if left > tol::RANK * size && self.chosen.len() < nv {
                self.chosen.push(i);
                let length = left.sqrt();
                self.known.extend(self.rest.iter().map(|x| x / length));
            }
        }
    }

    /// Multipliers of the last correction, in the order of the equations.
    pub(super) fn multipliers(&self) -> &[f64] {
        &self.multipliers[..self.offsets.len()]
    }

    /// Work that the last correction did along the rows, that of their offsets apart, when `u` was
    /// a velocity: half the sum of multipliers times violations, which it takes to zero.
    pub(super) fn work(&self) -> f64 {
        0.5 * dot(self.multipliers(), &self.violations[..self.offsets.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_close_to_another_is_not_given_up_for_a_contact_that_stands_out() {
        let mut e = Equations::new(2, 3).unwrap();
        e.start(&[1.0, 0.0, 0.0, 1.0]).unwrap();
        // Two joints that meet in (0, 0), at an angle of a tenth (which magnifies rounding four hundred
        // times), and a contact that says otherwise.
        for (row, offset) in [([1.0, 0.0], 0.0), ([1.0, 0.1], 0.0), ([0.0, 1.0], -1.0)] {
            e.push(&row, offset, &row, 0.0, &row);
        }
        let mut u = [0.3, 0.7];
        e.correct(&mut u).unwrap();
        assert!(u.iter().all(|x| x.abs() < 1e-12), "{u:?}");
    }
}
