//! How far a friction cone is from one that is not pointed: where impulses of contacts and joints
//! cancel each other, nothing bounds them. A wedge that jams is like that. Knows neither time nor
//! restitution.

use super::Problem;
use super::assemble::{Elimination, direction};
use crate::error::{Result, grow, reserve, zeros};
use crate::lcp::Lcp;
use crate::linalg::{MatRef, dot};
use crate::tol;

/// The edges of a friction cone, each as a direction and as the velocity that it makes.
struct Edges {
    nv: usize,
    force: Vec<f64>,
    velocity: Vec<f64>,
}

impl Edges {
    fn count(&self) -> usize {
        self.force.len() / self.nv.max(1)
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        let nv = self.nv;
        dot(&self.force[a * nv..(a + 1) * nv], &self.velocity[b * nv..(b + 1) * nv])
    }
}

impl Problem<'_> {
    /// Distance of the friction cone from one that is not pointed, (vel.20): the length of the
    /// shortest mean of its edges, each of length one in the norm of the inverse mass, after joints
    /// have taken what they can. Between 0 (impulses can cancel, and are not bounded by what they
    /// do) and 1; infinite without contacts. Rows and offsets are not read.
    ///
    /// # Errors
    /// Those of [`check`](Self::check); `NotPositiveDefinite`, `Memory`, and those of the solver.
    pub fn cone_margin(&self) -> Result<f64> {
        self.check()?;
        let Some(edges) = self.edges()? else { return Ok(0.0) };
        let n = edges.count();
        if n == 0 {
            return Ok(f64::INFINITY);
        }
        // min |E x|^2 + (1 - sum x)^2 over x >= 0: its mean has the direction of the shortest one.
        let mut m = reserve(n * n)?;
        for b in 0..n {
            m.extend((0..n).map(|a| edges.product(a, b) + 1.0));
        }
        let (mut q, mut x) = (reserve(n)?, reserve(n)?);
        q.resize(n, -1.0);
        x.resize(n, 0.0);
        Lcp::new(n)?.solve(MatRef::square("edges", &m, n)?, &q, &mut x, None)?;
        let sum: f64 = x.iter().sum();
        let square: f64 =
            (0..n).map(|b| x[b] * (0..n).map(|a| x[a] * edges.product(a, b)).sum::<f64>()).sum();
        Ok(square.max(0.0).sqrt() / sum)
    }

    /// The edges; `None` when joints take one of them whole.
    fn edges(&self) -> Result<Option<Edges>> {
        let nv = self.nv();
        let mut elimination = Elimination::new(nv, self.n_joint(), nv.saturating_mul(nv))?;
        elimination.factor(self)?;
        let mut edges = Edges { nv, force: Vec::new(), velocity: Vec::new() };
        let (mut force, mut velocity, mut terms) = (zeros(nv)?, zeros(nv)?, zeros(nv)?);
        let mut joints = zeros(self.n_joint())?;
        for i in 0..self.n_contact() {
            let mu = if self.n_dir > 0 { self.mu[i] } else { 0.0 };
            // exact: given by the caller; a smooth contact has its normal alone
            let directions = if mu == 0.0 { 0..1 } else { 1..self.n_dir + 1 };
            for k in directions {
                direction(self, i, 0).write(&mut force);
                if k > 0 {
                    direction(self, i, k).add(mu, &mut force);
                }
                terms.iter_mut().zip(&force).for_each(|(t, x)| *t = x.abs());
                elimination.bound(&mut terms);
                velocity.copy_from_slice(&force);
                elimination.velocity(self, true, &mut velocity, &mut joints)?;
                for (j, &c) in joints.iter().enumerate() {
                    self.joint.impulse.col(j).add(c, &mut force);
                }
                let square = dot(&force, &velocity);
                let size: f64 = force.iter().zip(&terms).map(|(f, t)| (f * t).abs()).sum();
                if square <= tol::POINTED * tol::POINTED * size {
                    return Ok(None);
                }
                let length = square.sqrt();
                grow(&mut edges.force, nv)?;
                grow(&mut edges.velocity, nv)?;
                edges.force.extend(force.iter().map(|x| x / length));
                edges.velocity.extend(velocity.iter().map(|x| x / length));
            }
        }
        Ok(Some(edges))
    }
}
