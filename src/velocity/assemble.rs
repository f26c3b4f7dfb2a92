//! From the mixed problem to one LCP: joints and velocities eliminated, (vel.5) and (vel.6).

use super::Problem;
use crate::error::{Result, reserve};
use crate::linalg::{Column, Columns, DefiniteFactor, RankFactor, axpy, max_abs};
use crate::tol;

/// Factors of mass and joints for one problem.
#[derive(Debug)]
pub(super) struct Elimination {
    mass: DefiniteFactor,
    joints: RankFactor,
    /// M^-1 nu, column-major nv by n_joint.
    y: Vec<f64>,
    /// S of (vel.5), column-major.
    s: Vec<f64>,
    n_joint: usize,
    size: Vec<f64>,
}

impl Elimination {
    /// For `nv` velocities, `n_joint` equations and masses with `masses` entries in their blocks.
    pub(super) fn new(nv: usize, n_joint: usize, masses: usize) -> Result<Self> {
        Ok(Self {
            mass: DefiniteFactor::with_bounds(nv, masses)?,
            joints: RankFactor::new(n_joint)?,
            y: reserve(nv.saturating_mul(n_joint))?,
            s: reserve(n_joint.saturating_mul(n_joint))?,
            n_joint: 0,
            size: reserve(n_joint)?,
        })
    }

    /// Factors mass and joints of `problem`.
    ///
    /// # Errors
    /// `NotPositiveDefinite`.
    pub(super) fn factor(&mut self, problem: &Problem<'_>) -> Result<()> {
        let (nv, nj) = (problem.nv(), problem.n_joint());
        self.mass.factor("mass", problem.mass)?;
        self.y.clear();
        for j in 0..nj {
            self.y.resize((j + 1) * nv, 0.0);
            problem.joint.impulse.col(j).write(&mut self.y[j * nv..]);
            self.mass.solve(&mut self.y[j * nv..]);
        }
        self.n_joint = nj;
        self.s.clear();
        for j in 0..nj {
            let y = &self.y[j * nv..(j + 1) * nv];
            self.s.extend((0..nj).map(|i| problem.joint.row.col(i).dot(y)));
        }
        let s = &self.s;
        self.joints.factor(nj, |i, j| s[i + j * nj]);
        Ok(())
    }

    /// Joint equations that depend on others and were dropped.
    pub(super) fn redundant_joints(&self) -> &[usize] {
        self.joints.dependent()
    }

    /// Speed that a unit impulse of joint `j` makes along its own row, >= 0.
    pub(super) fn response(&self, j: usize) -> f64 {
        self.s[j + j * self.n_joint].max(0.0)
    }

    /// `x`: sizes of the terms of a momentum in, sizes of what the velocity is made of out.
    pub(super) fn bound(&self, x: &mut [f64]) {
        self.mass.bound(x);
    }

    /// `x`: momentum in, velocity out, (vel.5); `c` receives the joint impulses. With `homogeneous`
    /// the offsets of the joints are left out, which gives the linear part of the map.
    ///
    /// # Errors
    /// `Inconsistent` when dependent joints contradict each other.
    pub(super) fn velocity(
        &mut self,
        problem: &Problem<'_>,
        homogeneous: bool,
        x: &mut [f64],
        c: &mut [f64],
    ) -> Result<()> {
        let nv = problem.nv();
        self.mass.solve(x);
        if c.is_empty() {
            return Ok(());
        }
        self.size.clear();
        for (j, cj) in c.iter_mut().enumerate() {
            let row = problem.joint.row.col(j);
            let offset = if homogeneous { 0.0 } else { problem.joint.offset(j) };
            *cj = -(row.dot(x) + offset);
            self.size.push(row.max_abs() * max_abs(x) + offset.abs());
        }
        self.joints.solve("joint", &self.size, c)?;
        for (j, &cj) in c.iter().enumerate() {
            axpy(cj, &self.y[j * nv..(j + 1) * nv], x);
        }
        Ok(())
    }
}

/// Impulse that stops motion of size `speed` along a direction of which a unit impulse makes
/// `response`; none where impulses do nothing.
pub(super) fn stopping(speed: f64, response: f64) -> f64 {
    if response > 0.0 { speed / response } else { 0.0 }
}

/// Where the unknowns of each contact stand in the LCP: c_n, then, with friction, beta and lambda;
/// after all contacts those of the brakes: f + bound and lambda.
#[derive(Debug)]
pub(super) struct Layout {
    first: Vec<usize>,
    /// Number of contacts, which the brakes follow in `first`.
    contacts: usize,
    /// See [`Problem::exact_pairs`].
    paired: bool,
}

impl Layout {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        Ok(Self { first: reserve(n_max + 1)?, contacts: 0, paired: false })
    }

    pub(super) fn arrange(&mut self, problem: &Problem<'_>) {
        self.paired = problem.exact_pairs();
        self.first.clear();
        let mut n = 0;
        for i in 0..problem.n_contact() {
            self.first.push(n);
            n += if problem.has_friction(i) { problem.n_dir + 2 } else { 1 };
        }
        self.contacts = self.first.len();
        for i in 0..problem.brake.count() {
            self.first.push(n);
            n += if problem.brake.acts(i) { 2 } else { 0 };
        }
        self.first.push(n);
    }

    /// Number of unknowns of the LCP.
    pub(super) fn unknowns(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// Where the unknowns of each contact end, then those of each brake.
    pub(super) fn ends(&self) -> impl ExactSizeIterator<Item = usize> {
        self.first.iter().skip(1).copied()
    }

    /// Where the unknowns of contact `i` start, or, behind all contacts, those of a brake.
    pub(super) fn start(&self, i: usize) -> usize {
        self.first[i]
    }

    /// Place of c_n of contact `i`; beta follows.
    pub(super) fn normal(&self, i: usize) -> usize {
        self.first[i]
    }

    /// Place of the impulse of brake `i`, counted from its lower bound; `None` for one that has no
    /// unknowns.
    pub(super) fn brake(&self, i: usize) -> Option<usize> {
        let at = self.contacts + i;
        (self.first[at + 1] > self.first[at]).then(|| self.first[at])
    }

    /// Number of friction directions of contact `i` to compute; the others are their opposites.
    pub(super) fn computed(&self, i: usize) -> usize {
        let n_dir = self.directions(i);
        if self.paired { n_dir / 2 } else { n_dir }
    }

    /// Number of friction directions of contact `i` that take part.
    pub(super) fn directions(&self, i: usize) -> usize {
        (self.first[i + 1] - self.first[i]).saturating_sub(2)
    }
}

/// Fills column `column` of the LCP matrix from the velocity `x` that a unit impulse along that
/// column makes; also the right-hand side, from the velocity without contact impulses.
///
/// `terms`, when not empty, holds the sizes of what `x` is made of. Where joints hold a contact,
/// what is left of its speed is rounding; it must be a zero, or scaling takes it for data and finds
/// contradictions in it.
pub(super) fn contact_rows(
    problem: &Problem<'_>,
    layout: &Layout,
    x: &[f64],
    terms: &[f64],
    with_offsets: bool,
    column: &mut [f64],
) {
    let speed = |row: Column<'_>, offset: f64| {
        let offset = if with_offsets { offset } else { 0.0 };
        let speed = row.dot(x) + offset;
        if terms.is_empty() {
            return speed;
        }
        let size = row.size(terms) + offset.abs();
        if speed.abs() <= tol::ROUNDING * size { 0.0 } else { speed }
    };
    for i in 0..problem.n_contact() {
        let at = layout.normal(i);
        column[at] = speed(problem.normal.row.col(i), problem.normal.offset(i));
        let (n_dir, computed) = (layout.directions(i), layout.computed(i));
        for k in 0..computed {
            let d = i * n_dir + k;
            column[at + 1 + k] = speed(problem.tangent.row.col(d), problem.tangent.offset(d));
        }
        for k in computed..n_dir {
            column[at + 1 + k] = -column[at + 1 + k - computed];
        }
        if n_dir > 0 {
            column[at + 1 + n_dir] = 0.0;
        }
    }
    for i in 0..problem.brake.count() {
        let Some(at) = layout.brake(i) else { continue };
        let (row, offset) = problem.brake.row(i);
        column[at] = speed(row, offset);
        column[at + 1] = if with_offsets { 2.0 * problem.brake.bound[i] } else { 0.0 };
    }
}

/// The entries of (vel.6) and (vel.9) that do not depend on masses: mu and -e' in the row of
/// lambda, e in its column.
pub(super) fn cone_entries(problem: &Problem<'_>, layout: &Layout, m: &mut [f64]) {
    let n = layout.unknowns();
    for i in 0..problem.n_contact() {
        let (at, n_dir) = (layout.normal(i), layout.directions(i));
        if n_dir == 0 {
            continue;
        }
        let lambda = at + 1 + n_dir;
        m[lambda * n..(lambda + 1) * n].fill(0.0);
        m[lambda + at * n] = problem.mu[i].min(tol::MU_LARGEST);
        for k in at + 1..lambda {
            m[lambda + k * n] = -1.0;
            m[k + lambda * n] = 1.0;
        }
    }
    for at in (0..problem.brake.count()).filter_map(|i| layout.brake(i)) {
        let lambda = at + 1;
        m[lambda * n..(lambda + 1) * n].fill(0.0);
        m[lambda + at * n] = -1.0;
        m[at + lambda * n] = 1.0;
    }
}

/// Column of the impulse direction at place `at + k` of contact `i`: the normal for k = 0.
pub(super) fn direction<'a>(problem: &Problem<'a>, i: usize, k: usize) -> Column<'a> {
    let of: Columns<'a> = if k == 0 { problem.normal.impulse } else { problem.tangent.impulse };
    of.col(if k == 0 { i } else { i * problem.n_dir + k - 1 })
}
