//! The check of an answer with the original data. Knows how an answer is laid out, not how it was found.

use super::Problem;
use super::assemble::{direction, stopping};
use super::solver::Solver;
use crate::error::{Error, Result};
use crate::linalg::{Column, dot, max_abs};
use crate::tol;

impl Solver {
    /// Evaluates (vel.1) to (vel.3) with the original data. What overflowed on the way is refused
    /// as well.
    pub(super) fn verify(&mut self, problem: &Problem<'_>) -> Result<()> {
        let mut worst = worse(0.0, self.momentum_error(problem));
        self.measure(problem);
        // Root of the energy of all terms: what cancels far away reaches every joint and contact as rounding, in
        // proportion to the root of its response.
        let energy = dot(&self.work, &self.terms).sqrt();
        for j in 0..problem.n_joint() {
            let (speed, terms) = self.speed(problem.joint.row.col(j), problem.joint.offset(j));
            let reach = energy * self.elimination.response(j).sqrt();
            worst = worse(worst, speed.abs() / (terms + reach));
        }
        for i in 0..problem.n_contact() {
            let (speed, terms) = self.speed(problem.normal.row.col(i), problem.normal.offset(i));
            let reach = energy * self.response(self.layout.normal(i)).sqrt();
            worst = worse(worst, -speed / (terms + reach));
        }
        if worst <= tol::VELOCITY_CHECK {
            return Ok(());
        }
        Err(Error::Residual { residual: worst, tolerance: tol::VELOCITY_CHECK })
    }

    /// Sizes of what the answer is made of, in `terms`: a body that is brought to rest has nothing
    /// but rounding of these left in v.
    fn measure(&mut self, problem: &Problem<'_>) {
        self.terms.clear();
        self.terms.extend(problem.p.iter().map(|x| x.abs()));
        self.work.clear();
        self.work.extend_from_slice(&self.terms);
        self.elimination.bound(&mut self.work);
        for i in 0..problem.n_contact() {
            for k in 0..=self.layout.directions(i) {
                let (at, d) = (self.layout.normal(i) + k, direction(problem, i, k));
                let stop = stopping(d.size(&self.work), self.response(at));
                d.add_size(self.z[at] + stop, &mut self.terms);
            }
        }
        for (i, bound) in problem.brake.bound.iter().enumerate() {
            problem.brake.direction(i).add_size(*bound, &mut self.terms);
        }
        self.add_joint_terms(problem);
    }

    /// Speed that a unit impulse makes along its own direction at place `i` of the LCP, >= 0.
    fn response(&self, i: usize) -> f64 {
        self.m[i + i * self.layout.unknowns()].max(0.0)
    }

    /// Largest violation of (vel.1), relative to its largest term.
    pub(super) fn momentum_error(&mut self, problem: &Problem<'_>) -> f64 {
        let error = &mut self.work;
        error.clear();
        error.extend(problem.p.iter().map(|x| -x));
        let mut size = max_abs(problem.p).max(f64::MIN_POSITIVE);
        let mut add = |factor: f64, column: Column<'_>| {
            // exact: most friction impulses are no part of an answer
            if factor == 0.0 {
                return;
            }
            column.add(factor, error);
            size = size.max(factor.abs() * column.max_abs());
        };
        for (j, &vj) in self.v.iter().enumerate() {
            add(vj, problem.mass.col(j));
        }
        for (j, &c) in self.joint.iter().enumerate() {
            add(-c, problem.joint.impulse.col(j));
        }
        for i in 0..problem.n_contact() {
            for k in 0..=self.layout.directions(i) {
                add(-self.z[self.layout.normal(i) + k], direction(problem, i, k));
            }
        }
        for (i, &f) in self.brake.iter().enumerate() {
            add(-f, problem.brake.direction(i));
        }
        error.iter().fold(0.0, |worst, x| worse(worst, x.abs())) / size
    }

    /// row'v + offset, and the size of what it was made of.
    fn speed(&self, row: Column<'_>, offset: f64) -> (f64, f64) {
        let terms = row.size(&self.terms) + offset.abs();
        (row.dot(&self.v) + offset, terms.max(f64::MIN_POSITIVE))
    }
}

/// The larger of the two; unlike `f64::max` it does not drop a NaN, which is worse than anything.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}
