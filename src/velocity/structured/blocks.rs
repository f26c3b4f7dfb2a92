//! The structure of a velocity-impulse problem: bodies, and what joins them. Knows no method of
//! solution.
//!
//! A body is a set of coordinates that belong together as it was told, or that the mass matrix
//! couples; springs taken implicitly make one body of a few, and couple many. Joints and contacts are groups of one to three
//! rows with links to the bodies they touch.

use super::super::Problem;
use super::polygon::{Triple, inner_radius};
use crate::error::{Result, grow};
use crate::linalg::{Column, DefiniteFactor, axpy, dot};
use crate::tol;
use std::ops::Range;

/// What a group stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Joint(usize),
    Contact(usize),
}

/// Rows of one joint or contact.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub kind: Kind,
    /// 1, or with friction 2 or 3.
    pub dim: usize,
    pub links: Range<usize>,
    pub mu: f64,
    /// Friction directions in the plane of the tangents, in `corners`.
    pub corners: Range<usize>,
    /// Radius of the largest circle around zero in their polygon; zero where they span none.
    pub inner: f64,
    pub offset: Triple,
    /// Speed that a unit impulse makes along itself, normal and largest tangential; as if the mass coupled its bodies with
    /// no others.
    pub response: [f64; 2],
}

/// One body of a group: `dim` columns of the body's size in `impulse`, in `answer` and in `row`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub body: usize,
    pub at: usize,
}

/// A block of the mass beside the diagonal: rows of body `to`, column-major from `at` on in `mass`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    pub to: usize,
    pub at: usize,
}

/// Bodies, groups and links of one problem. Storage grows with the largest problem seen and is then
/// used again.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Coordinates of v in the order of the bodies, and where each body begins.
    pub coords: Vec<usize>,
    pub first: Vec<usize>,
    pub(super) body_of: Vec<usize>,
    /// First coordinate of what each belongs to as it was told, and how many coordinates the mass couples it with.
    pub(super) alone: Vec<usize>,
    pub(super) together: Vec<usize>,
    /// Where bodies begin, as far as that was told.
    pub told: Vec<usize>,
    /// Masses and their inverses, column-major, and where each body's begin.
    pub mass: Vec<f64>,
    pub(super) inverse: Vec<f64>,
    pub square: Vec<usize>,
    /// Couplings in the order of the bodies of their columns, and where those of each begin.
    pub(super) couplings: Vec<Coupling>,
    pub(super) coupled: Vec<usize>,
    pub groups: Vec<Group>,
    pub links: Vec<Link>,
    pub impulse: Vec<f64>,
    /// Velocities that unit impulses make of the body, M^-1 times the columns of `impulse`.
    answer: Vec<f64>,
    pub row: Vec<f64>,
    pub corners: Vec<[f64; 2]>,
    /// Bodies that the group under way touches.
    pub(super) touched: Vec<usize>,
    pub(super) factor: Option<DefiniteFactor>,
}

impl Blocks {
    pub(super) fn bodies(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    pub(super) fn size(&self, body: usize) -> usize {
        self.first[body + 1] - self.first[body]
    }

    /// Coordinates of a body in the order of the bodies.
    pub(super) fn range(&self, body: usize) -> Range<usize> {
        self.first[body]..self.first[body + 1]
    }

    pub(super) fn corners(&self, g: &Group) -> &[[f64; 2]] {
        &self.corners[g.corners.clone()]
    }

    /// Reads the structure off `problem`. False where there is none to be used: friction directions
    /// of a contact that do not lie in a plane, or a row that no impulse moves.
    ///
    /// # Errors
    /// `NotPositiveDefinite`, `Memory`.
    pub(super) fn read(&mut self, problem: &Problem<'_>) -> Result<bool> {
        self.room(problem)?;
        self.find_bodies(problem.mass);
        self.invert(problem.mass)?;
        self.links.clear();
        self.impulse.clear();
        self.answer.clear();
        self.row.clear();
        for j in 0..problem.n_joint() {
            let columns = [problem.joint.impulse.col(j)];
            let rows = [problem.joint.row.col(j)];
            let offset = [problem.joint.offset(j), 0.0, 0.0];
            if !self.add(Kind::Joint(j), &columns, &rows, offset, 0.0)? {
                return Ok(false);
            }
        }
        for i in 0..problem.n_contact() {
            if !self.add_contact(problem, i)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Room for what grows with the sizes of the problem.
    fn room(&mut self, problem: &Problem<'_>) -> Result<()> {
        let nv = problem.nv();
        let Self { coords, first, body_of, square, alone, together, coupled, .. } = self;
        for list in [coords, first, body_of, square, alone, together, coupled] {
            list.clear();
            grow(list, nv + 1)?;
        }
        self.groups.clear();
        grow(&mut self.groups, problem.n_joint() + problem.n_contact())?;
        self.corners.clear();
        grow(&mut self.corners, problem.n_contact() * (problem.n_dir + 2))
    }

    fn add_contact(&mut self, problem: &Problem<'_>, i: usize) -> Result<bool> {
        let normal = (problem.normal.impulse.col(i), problem.normal.row.col(i));
        let normal_offset = problem.normal.offset(i);
        let n_dir = problem.n_dir;
        let alone = [normal_offset, 0.0, 0.0];
        if !problem.has_friction(i) {
            return self.add(Kind::Contact(i), &[normal.0], &[normal.1], alone, 0.0);
        }
        let column = |k: usize| problem.tangent.impulse.col(i * n_dir + k);
        let row = |k: usize| problem.tangent.row.col(i * n_dir + k);
        let offset = |k: usize| problem.tangent.offset(i * n_dir + k);
        let start = self.corners.len();
        // Two directions about a quarter turn apart span the plane.
        let second = if n_dir > 2 { (n_dir / 4).max(1) } else { 0 };
        let (t1, t2) = (column(0), column(second));
        let (a, b, c) = (t1.square(), t1.times(&t2), t2.square());
        let flat = a * c - b * b <= tol::SAME_DIRECTION * a * c;
        let half = n_dir / 2;
        for k in 0..n_dir {
            let d = column(k);
            if k >= half && d.is_minus(&column(k - half)) && row(k).is_minus(&row(k - half)) {
                self.corners.push(self.corners[start + k - half].map(|x| -x));
                continue;
            }
            let (x, y) = (d.times(&t1), d.times(&t2));
            let at = if flat {
                [x / a, 0.0]
            } else {
                [(x * c - y * b) / (a * c - b * b), (y * a - x * b) / (a * c - b * b)]
            };
            let off = |d: Column<'_>, t1: Column<'_>, t2: Column<'_>| {
                let off = |d: f64, t1: f64, t2: f64| (d - at[0] * t1 - at[1] * t2).abs();
                if d.runs() == t1.runs() && d.runs() == t2.runs() {
                    return d.largest(&t1, &t2, off);
                }
                let rows = d.runs().and(&t1.runs()).and(&t2.runs()).rows();
                rows.map(|m| off(d.at(m), t1.at(m), t2.at(m))).fold(0.0, f64::max)
            };
            let size = d.max_abs().max(f64::MIN_POSITIVE);
            let wrong = off(d, t1, t2).max(off(row(k), row(0), row(second)));
            // Offsets that come from differences lie in the plane up to their rounding; what they are beside it counts
            // in the residual.
            if !(wrong <= tol::SAME_DIRECTION * size) {
                return Ok(false);
            }
            self.corners.push(at);
        }
        if flat {
            // Along a line only the two ends count.
            self.corners.truncate(start);
            self.corners.extend([[1.0, 0.0], [-1.0, 0.0]]);
            if n_dir != 2 {
                return Ok(false);
            }
        }
        let offsets = [normal_offset, offset(0), if flat { 0.0 } else { offset(second) }];
        let (columns, rows) = ([normal.0, t1, t2], [normal.1, row(0), row(second)]);
        let dim = if flat { 2 } else { 3 };
        let mu = problem.mu[i].min(tol::MU_LARGEST);
        let done = self.add(Kind::Contact(i), &columns[..dim], &rows[..dim], offsets, mu)?;
        if let Some(g) = self.groups.last_mut().filter(|_| done) {
            g.corners = start..self.corners.len();
            g.inner = inner_radius(&self.corners[start..]);
        }
        Ok(done)
    }

    /// Adds a group with its links; false when no impulse along it moves its normal row.
    fn add(
        &mut self,
        kind: Kind,
        columns: &[Column<'_>],
        rows: &[Column<'_>],
        offset: Triple,
        mu: f64,
    ) -> Result<bool> {
        self.touched.clear();
        for column in columns.iter().chain(rows) {
            for (first, part) in column.pieces() {
                for (x, &body) in part.iter().zip(&self.body_of[first.min(self.body_of.len())..]) {
                    // exact: what the model does not write is zero
                    let known = *x == 0.0 || self.touched.last() == Some(&body);
                    if !known && !self.touched.contains(&body) {
                        grow(&mut self.touched, 1)?;
                        self.touched.push(body);
                    }
                }
            }
        }
        self.touched.sort_unstable();
        let start = self.links.len();
        for k in 0..self.touched.len() {
            let body = self.touched[k];
            let count = columns.len() * self.size(body);
            grow(&mut self.links, 1)?;
            for list in [&mut self.impulse, &mut self.answer, &mut self.row] {
                grow(list, count)?;
            }
            self.links.push(Link { body, at: self.impulse.len() });
            let coords = &self.coords[self.first[body]..self.first[body + 1]];
            // Mostly they follow each other, and stand in one run.
            let in_a_row = coords.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            let take = |column: &Column<'_>, to: &mut Vec<f64>| {
                let run = coords.first().filter(|_| in_a_row);
                match run.and_then(|&first| column.run(first, coords.len())) {
                    Some(run) => to.extend_from_slice(run),
                    None => to.extend(coords.iter().map(|&i| column.at(i))),
                }
            };
            for (column, row) in columns.iter().zip(rows) {
                take(column, &mut self.impulse);
                take(row, &mut self.row);
                let (n, at) = (coords.len(), self.answer.len());
                self.answer.resize(at + n, 0.0);
                let inverse = self.inverse[self.square[body]..].chunks_exact(n);
                for (x, inverse) in self.impulse[at..].iter().zip(inverse) {
                    axpy(*x, inverse, &mut self.answer[at..]);
                }
            }
        }
        let links = start..self.links.len();
        let mut group = Group {
            kind,
            dim: columns.len(),
            links,
            mu,
            corners: 0..0,
            inner: 0.0,
            offset,
            response: [0.0; 2],
        };
        let own = |k: usize| self.response(&group, k);
        let normal = own(0);
        let tangential = (1..group.dim).map(own).fold(0.0, f64::max);
        group.response = [normal, if tangential > 0.0 { tangential } else { normal }];
        self.groups.push(group);
        Ok(normal > 0.0)
    }

    /// Speed along row `k` of a group that a unit impulse along its column `k` makes.
    fn response(&self, g: &Group, k: usize) -> f64 {
        let of_link = |l: &Link| {
            let n = self.size(l.body);
            let range = l.at + k * n..l.at + (k + 1) * n;
            dot(&self.answer[range.clone()], &self.row[range])
        };
        self.links[g.links.clone()].iter().map(of_link).sum()
    }

    /// Speeds of a group: rows times v (in the order of the bodies), plus `offset`.
    pub(super) fn speeds(&self, g: &Group, offset: &Triple, v: &[f64]) -> Triple {
        let mut u = *offset;
        for l in &self.links[g.links.clone()] {
            let n = self.size(l.body);
            let v = &v[self.range(l.body)];
            for (k, u) in u.iter_mut().enumerate().take(g.dim) {
                *u += dot(&self.row[l.at + k * n..l.at + (k + 1) * n], v);
            }
        }
        u
    }

    /// Adds the speeds of all groups at `v` to their offsets: the speeds to come count from there.
    pub(super) fn move_offsets(&mut self, v: &[f64]) {
        for i in 0..self.groups.len() {
            let g = &self.groups[i];
            self.groups[i].offset = self.speeds(g, &g.offset, v);
        }
    }

    /// momentum += columns of a group times the impulse `r`.
    pub(super) fn add_impulse(&self, g: &Group, r: &Triple, momentum: &mut [f64]) {
        for l in &self.links[g.links.clone()] {
            let n = self.size(l.body);
            let to = &mut momentum[self.range(l.body)];
            for (k, r) in r.iter().enumerate().take(g.dim) {
                axpy(*r, &self.impulse[l.at + k * n..l.at + (k + 1) * n], to);
            }
        }
    }

    /// v += M^-1 (columns of a group times the impulse `r`), for bodies that the mass does not couple.
    pub(super) fn push(&self, g: &Group, r: &Triple, v: &mut [f64]) {
        for l in &self.links[g.links.clone()] {
            let n = self.size(l.body);
            let to = &mut v[self.range(l.body)];
            for (k, r) in r.iter().enumerate().take(g.dim) {
                axpy(*r, &self.answer[l.at + k * n..l.at + (k + 1) * n], to);
            }
        }
    }

    /// out := M^-1 x for `bodies` that the mass does not couple, both in the order of the bodies.
    pub(super) fn inverse_mass(
        &self,
        bodies: impl Iterator<Item = usize>,
        x: &[f64],
        out: &mut [f64],
    ) {
        for body in bodies {
            let (range, n) = (self.range(body), self.size(body));
            let inverse = &self.inverse[self.square[body]..];
            out[range.clone()].fill(0.0);
            for (j, at) in range.clone().enumerate() {
                axpy(x[at], &inverse[j * n..(j + 1) * n], &mut out[range.clone()]);
            }
        }
    }
}
