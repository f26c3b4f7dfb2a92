//! Joints and contacts at one point: gaps, and the columns of directions without most of their
//! zeros. Knows no model and no method.

use super::branch::Branches;
use super::host::zeros;
use crate::error::{Result, grow, reserve};
use crate::linalg::{Column, Columns, MatRef, Runs};
use crate::model::{ContactSet, Dims};

/// Coordinates that room is taken for at creation in the columns of a contact that comes and goes:
/// two bodies in space. Longer columns take more when they come.
pub(super) const TWO_BODIES: usize = 12;

/// Joints and contacts at one point (t, q). The first contacts have a gap of their own and whole
/// columns, as the model writes them; those that come and go follow, with the runs that they were
/// pushed with.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    nv: usize,
    n_dir: usize,
    fixed: usize,
    pub phi: Vec<f64>,
    /// d phi/dt at fixed q.
    pub phi_t: Vec<f64>,
    pub jt: Vec<f64>,
    joint_runs: Vec<Runs>,
    /// Whether the contact is reported at this point: always for fixed gaps.
    pub present: Vec<bool>,
    /// Infinite for one that is not there.
    pub gap: Vec<f64>,
    /// d gap/dt at fixed q.
    pub gap_t: Vec<f64>,
    /// Of the fixed contacts, nv numbers per column.
    pub normal: Vec<f64>,
    pub tangent: Vec<f64>,
    /// Where the columns of each contact are other than zero; of all contacts.
    runs: Vec<Runs>,
    /// Where the columns of each contact that comes and goes begin in `values`: its normal, then its
    /// directions.
    start: Vec<usize>,
    values: Vec<f64>,
    pub brake_bound: Vec<f64>,
    pub brake: Vec<f64>,
    /// Coefficients of contacts that come and go.
    pub mu: Vec<f64>,
    pub restitution: Vec<f64>,
    pub branches: Branches,
    /// Whether contacts with gaps of their own may be hidden.
    hides: bool,
}

impl Geometry {
    /// For the sizes `d`, of which the first `fixed` contacts have gaps of their own.
    pub(super) fn new(d: &Dims, fixed: usize) -> Result<Self> {
        let slots = d.n_contact - fixed;
        let mut present = reserve(d.n_contact)?;
        present.resize(d.n_contact, true);
        let all = |n: usize| -> Result<Vec<Runs>> {
            let mut runs = reserve(n)?;
            runs.resize(n, Runs::whole(d.nv));
            Ok(runs)
        };
        let (joint_runs, mut runs) = (all(d.n_joint)?, all(d.n_contact)?);
        runs[fixed..].fill(Runs::default());
        let mut start = reserve(slots)?;
        start.resize(slots, 0);
        Ok(Self {
            nv: d.nv,
            n_dir: d.n_dir,
            fixed,
            present,
            mu: zeros(d.n_contact)?,
            restitution: zeros(d.n_contact)?,
            branches: Branches::new(d.n_contact)?,
            hides: false,
            phi: zeros(d.n_joint)?,
            phi_t: zeros(d.n_joint)?,
            jt: zeros(d.nv * d.n_joint)?,
            joint_runs,
            gap: zeros(d.n_contact)?,
            gap_t: zeros(d.n_contact)?,
            normal: zeros(d.nv * fixed)?,
            tangent: zeros(d.nv * fixed * d.n_dir)?,
            runs,
            start,
            values: reserve(slots * (1 + d.n_dir) * d.nv.min(TWO_BODIES))?,
            brake_bound: zeros(d.n_brake)?,
            brake: zeros(d.nv * d.n_brake)?,
        })
    }

    /// Where the columns of contact `i` are other than zero.
    pub(super) fn runs_of(&self, i: usize) -> Runs {
        self.runs[i]
    }

    /// Makes contacts that take no part in the step infinitely far, along no direction; those with gaps of
    /// their own that were so before are there again.
    pub(super) fn hide(&mut self, left_out: &[usize]) {
        if std::mem::replace(&mut self.hides, !left_out.is_empty()) {
            self.present[..self.fixed].fill(true);
        }
        for &i in left_out {
            self.present[i] = false;
            self.gap[i] = f64::INFINITY;
            self.gap_t[i] = 0.0;
            self.runs[i] = Runs::default();
        }
    }

    /// Friction directions per contact.
    pub(super) fn n_dir(&self) -> usize {
        self.n_dir
    }

    pub(super) fn joint(&self, j: usize) -> Column<'_> {
        self.joint_runs[j].within(&self.jt[j * self.nv..(j + 1) * self.nv])
    }

    /// All joints.
    ///
    /// # Errors
    /// None: sizes agree from creation on.
    pub(super) fn joints(&self) -> Result<Columns<'_>> {
        let m = MatRef::new("jt", &self.jt, self.nv, self.phi.len(), self.nv)?;
        Ok(Columns::Within(m, &self.joint_runs))
    }

    pub(super) fn normal(&self, i: usize) -> Column<'_> {
        let runs = &self.runs[i];
        match i.checked_sub(self.fixed) {
            None => runs.within(&self.normal[i * self.nv..(i + 1) * self.nv]),
            Some(slot) => runs.pack(&self.values[self.start[slot]..]),
        }
    }

    /// Friction direction `k` of contact `i`.
    pub(super) fn tangent(&self, i: usize, k: usize) -> Column<'_> {
        let runs = &self.runs[i];
        match i.checked_sub(self.fixed) {
            None => {
                let at = (i * self.n_dir + k) * self.nv;
                runs.within(&self.tangent[at..at + self.nv])
            }
            Some(slot) => runs.pack(&self.values[self.start[slot] + (k + 1) * runs.width()..]),
        }
    }

    /// Friction directions of contact `i` side by side, and the runs of each.
    pub(super) fn directions(&self, i: usize) -> (Runs, &[f64]) {
        let (runs, at) = self.directions_at(i);
        let size = self.n_dir * runs.width();
        let from = if i < self.fixed { &self.tangent } else { &self.values };
        (runs, &from[at..at + size])
    }

    /// The same to write.
    pub(super) fn directions_mut(&mut self, i: usize) -> (Runs, &mut [f64]) {
        let (runs, at) = self.directions_at(i);
        let size = self.n_dir * runs.width();
        let to = if i < self.fixed { &mut self.tangent } else { &mut self.values };
        (runs, &mut to[at..at + size])
    }

    fn directions_at(&self, i: usize) -> (Runs, usize) {
        match i.checked_sub(self.fixed) {
            None => (Runs::whole(self.nv), i * self.n_dir * self.nv),
            Some(slot) => (self.runs[i], self.start[slot] + self.runs[i].width()),
        }
    }

    pub(super) fn brake(&self, i: usize) -> Column<'_> {
        Column::whole(&self.brake[i * self.nv..(i + 1) * self.nv])
    }

    /// Looks where the columns of joints are other than zero, after they were written.
    pub(super) fn find_joint_runs(&mut self) {
        let nv = self.nv;
        for (runs, column) in self.joint_runs.iter_mut().zip(self.jt.chunks_exact(nv.max(1))) {
            if *runs != Runs::whole(nv) && runs.hold(column) {
                continue;
            }
            // exact: what the model does not write is zero
            *runs = Runs::of(nv, |i| column[i] != 0.0);
        }
    }

    /// Looks where the columns of fixed contacts are other than zero, after they were written.
    pub(super) fn find_contact_runs(&mut self, hidden: impl Fn(usize) -> bool) {
        let (nv, n_dir) = (self.nv, self.n_dir);
        for (i, runs) in self.runs[..self.fixed].iter_mut().enumerate() {
            if hidden(i) {
                continue;
            }
            let normal = &self.normal[i * nv..(i + 1) * nv];
            let tangent = &self.tangent[i * n_dir * nv..(i * n_dir + n_dir / 2) * nv];
            // They are mostly where they were before.
            let known = *runs != Runs::whole(nv) && runs.hold(normal);
            if known && tangent.chunks_exact(nv.max(1)).all(|d| runs.hold(d)) {
                continue;
            }
            // exact: what the model does not write is zero
            let filled = |j: usize| {
                normal[j] != 0.0 || tangent.iter().skip(j).step_by(nv.max(1)).any(|&x| x != 0.0)
            };
            *runs = Runs::of(nv, filled);
        }
    }

    /// Drops the columns of all contacts that come and go.
    pub(super) fn clear_slots(&mut self) {
        self.values.clear();
        self.runs[self.fixed..].fill(Runs::default());
        self.start.fill(0);
    }

    /// Takes the columns of contact `k` of `set` for those of contact `i`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn put(&mut self, i: usize, set: &ContactSet, k: usize) -> Result<()> {
        self.runs[i] = set.runs(k);
        self.start[i - self.fixed] = self.values.len();
        set.append_packed(k, &mut self.values)
    }

    /// Room for the columns of contact `i`, which comes and goes, behind all others.
    fn make_room(&mut self, i: usize, runs: Runs) -> Result<usize> {
        let (at, size) = (self.values.len(), (1 + self.n_dir) * runs.width());
        grow(&mut self.values, size)?;
        self.values.resize(at + size, 0.0);
        self.runs[i] = runs;
        self.start[i - self.fixed] = at;
        Ok(at)
    }

    /// Takes over gap and directions of contact `i` from `other`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn take_contact(&mut self, i: usize, other: &Geometry) -> Result<()> {
        self.gap[i] = other.gap[i];
        let (nv, n_dir) = (self.nv, self.n_dir);
        if i < self.fixed && other.runs[i].width() == 0 {
            self.runs[i] = other.runs[i];
            return Ok(());
        }
        if i < self.fixed {
            let (one, all) = (i * nv..(i + 1) * nv, i * n_dir * nv..(i + 1) * n_dir * nv);
            self.normal[one.clone()].copy_from_slice(&other.normal[one]);
            self.tangent[all.clone()].copy_from_slice(&other.tangent[all]);
            self.runs[i] = other.runs[i];
            return Ok(());
        }
        let (from, size) = (other.start[i - self.fixed], (1 + n_dir) * other.runs[i].width());
        let known = self.runs[i] == other.runs[i];
        let at = if known { self.start[i - self.fixed] } else { self.make_room(i, other.runs[i])? };
        self.values[at..at + size].copy_from_slice(&other.values[from..from + size]);
        Ok(())
    }

    /// Takes over the directions of all joints from `other`.
    pub(super) fn take_joints(&mut self, other: &Geometry) {
        self.jt.copy_from_slice(&other.jt);
        self.joint_runs.copy_from_slice(&other.joint_runs);
    }

    /// Friction directions of contact `i` half way to those of `other`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn mean_tangents(&mut self, i: usize, other: &Geometry) -> Result<()> {
        let (own, both) = (self.runs[i], self.runs[i].and(&other.runs[i]));
        if i >= self.fixed && own != both {
            let from = self.start[i - self.fixed];
            let at = self.make_room(i, both)?;
            for (k, row) in (0..=self.n_dir).flat_map(|k| own.rows().map(move |row| (k, row))) {
                let to = at + k * both.width() + both.place(row);
                self.values[to] = self.values[from + k * own.width() + own.place(row)];
            }
        }
        self.runs[i] = both;
        let (runs, columns) = self.directions_mut(i);
        for (k, d) in columns.chunks_exact_mut(runs.width().max(1)).enumerate() {
            let there = other.tangent(i, k);
            for (x, row) in d.iter_mut().zip(runs.rows()) {
                *x = 0.5 * (*x + there.at(row));
            }
        }
        Ok(())
    }

    /// Forgets the contact at `i`, which comes and goes: infinitely far, along no direction.
    pub(super) fn open(&mut self, i: usize) {
        self.leave_group(i);
        self.gap[i] = f64::INFINITY;
        self.gap_t[i] = 0.0;
        self.runs[i] = Runs::default();
        self.start[i - self.fixed] = 0;
    }

    /// Whether joints and gaps are those of `other` to the last bit.
    pub(super) fn is_like(&self, other: &Geometry) -> bool {
        self.phi == other.phi
            && self.gap == other.gap
            && self.jt == other.jt
            && (0..self.gap.len()).all(|i| {
                let (a, b) = (self.normal(i), other.normal(i));
                a.runs() == b.runs() && a.parts() == b.parts()
            })
    }

    /// Friction directions that contact `i` has: a host may push fewer than there is room for. All of
    /// them for one that is not there.
    pub(super) fn directions_of(&self, i: usize) -> usize {
        let empty = |k: &usize| self.tangent(i, *k).is_zero();
        match 2 * self.independent_directions().filter(|k| !empty(k)).count() {
            0 => self.n_dir,
            n => n,
        }
    }

    /// Friction directions of which none is opposite to another: the first half.
    pub(super) fn independent_directions(&self) -> std::ops::Range<usize> {
        0..self.n_dir / 2
    }

    /// Rate of joint error `j`.
    pub(super) fn joint_rate(&self, j: usize, v: &[f64]) -> f64 {
        self.joint(j).dot(v) + self.phi_t[j]
    }

    /// Rate of gap `i`.
    pub(super) fn gap_rate(&self, i: usize, v: &[f64]) -> f64 {
        self.normal(i).dot(v) + self.gap_t[i]
    }

    /// Slip speed of contact `i`, and the direction along which friction would oppose it: the one
    /// with the most negative d'v. (0, 0) without directions.
    pub(super) fn slip(&self, i: usize, v: &[f64]) -> (f64, u16) {
        let mut fastest = (0.0, 0);
        for k in 0..self.n_dir {
            let s = -self.tangent(i, k).dot(v);
            if s > fastest.0 {
                fastest = (s, k as u16);
            }
        }
        fastest
    }

    /// Largest (|n| + |d|)'|x| over contacts, and |d|'|x| over brakes: what `x` can mean there.
    /// Without the contacts that are `out`.
    pub(super) fn contact_size(&self, x: &[f64], out: &[bool]) -> f64 {
        let mut largest = 0.0f64;
        for i in (0..self.gap.len()).filter(|&i| self.gap[i] < f64::INFINITY && !out[i]) {
            let along = self
                .independent_directions()
                .map(|k| self.tangent(i, k).size(x))
                .fold(0.0, f64::max);
            largest = largest.max(self.normal(i).size(x) + along);
        }
        (0..self.brake_bound.len()).fold(largest, |most, i| most.max(self.brake(i).size(x)))
    }
}
