//! The model as a step sees it: positions displaced, directions with their rates in time, forces
//! with their derivatives. Knows no method.

use super::branch::Branches;
use super::slots::Slots;
use crate::error::{Error, Result, reserve};
use crate::linalg::{axpy, dot};
use crate::model::{Checked, ContactSet, Dims, Elements};

/// `n` zeros, taken at creation.
pub(super) fn zeros(n: usize) -> Result<Vec<f64>> {
    let mut x = reserve(n)?;
    x.resize(n, 0.0);
    Ok(x)
}

/// The slope at the first of three values that are `step` apart, to second order.
pub(super) fn forward(here: f64, next: f64, last: f64, step: f64) -> f64 {
    (4.0 * next - last - 3.0 * here) / (2.0 * step)
}

/// Joints and contacts at one point (t, q).
#[derive(Debug, Default)]
pub(super) struct Geometry {
    nv: usize,
    n_dir: usize,
    pub phi: Vec<f64>,
    /// d phi/dt at fixed q.
    pub phi_t: Vec<f64>,
    pub jt: Vec<f64>,
    /// Whether the contact is reported at this point: always for fixed gaps.
    pub present: Vec<bool>,
    /// Infinite for one that is not there.
    pub gap: Vec<f64>,
    /// d gap/dt at fixed q.
    pub gap_t: Vec<f64>,
    pub normal: Vec<f64>,
    pub tangent: Vec<f64>,
    pub brake_bound: Vec<f64>,
    pub brake: Vec<f64>,
    /// Coefficients of contacts that come and go.
    pub mu: Vec<f64>,
    pub restitution: Vec<f64>,
    pub branches: Branches,
}

impl Geometry {
    pub(super) fn new(d: &Dims) -> Result<Self> {
        let mut present = reserve(d.n_contact)?;
        present.resize(d.n_contact, true);
        Ok(Self {
            nv: d.nv,
            n_dir: d.n_dir,
            present,
            mu: zeros(d.n_contact)?,
            restitution: zeros(d.n_contact)?,
            branches: Branches::new(d.n_contact)?,
            phi: zeros(d.n_joint)?,
            phi_t: zeros(d.n_joint)?,
            jt: zeros(d.nv * d.n_joint)?,
            gap: zeros(d.n_contact)?,
            gap_t: zeros(d.n_contact)?,
            normal: zeros(d.nv * d.n_contact)?,
            tangent: zeros(d.nv * d.n_contact * d.n_dir)?,
            brake_bound: zeros(d.n_brake)?,
            brake: zeros(d.nv * d.n_brake)?,
        })
    }

    pub(super) fn joint(&self, j: usize) -> &[f64] {
        &self.jt[j * self.nv..(j + 1) * self.nv]
    }

    pub(super) fn normal(&self, i: usize) -> &[f64] {
        &self.normal[i * self.nv..(i + 1) * self.nv]
    }

    /// Friction directions per contact.
    pub(super) fn n_dir(&self) -> usize {
        self.n_dir
    }

    /// Friction directions that contact `i` has: a host may push fewer than there is room for. All of
    /// them for one that is not there.
    pub(super) fn directions_of(&self, i: usize) -> usize {
        // exact: columns that were not pushed are written as zeros
        let empty = |k: &usize| self.tangent(i, *k).iter().all(|&x| x == 0.0);
        match 2 * self.independent_directions().filter(|k| !empty(k)).count() {
            0 => self.n_dir,
            n => n,
        }
    }

    /// Friction direction `k` of contact `i`.
    pub(super) fn tangent(&self, i: usize, k: usize) -> &[f64] {
        let at = (i * self.n_dir + k) * self.nv;
        &self.tangent[at..at + self.nv]
    }

    /// Normal and friction directions of contact `i`, to write.
    pub(super) fn columns(&mut self, i: usize) -> (&mut [f64], &mut [f64]) {
        let size = self.n_dir * self.nv;
        (
            &mut self.normal[i * self.nv..(i + 1) * self.nv],
            &mut self.tangent[i * size..(i + 1) * size],
        )
    }

    /// Takes over the directions of contact `i` from `other`.
    pub(super) fn take_contact(&mut self, i: usize, other: &Geometry) {
        let (nv, n_dir) = (self.nv, self.n_dir);
        self.gap[i] = other.gap[i];
        self.normal[i * nv..(i + 1) * nv].copy_from_slice(other.normal(i));
        let all = i * n_dir * nv..(i + 1) * n_dir * nv;
        self.tangent[all.clone()].copy_from_slice(&other.tangent[all]);
    }

    /// Friction directions of which none is opposite to another: the first half.
    pub(super) fn independent_directions(&self) -> std::ops::Range<usize> {
        0..self.n_dir / 2
    }

    /// Rate of joint error `j`.
    pub(super) fn joint_rate(&self, j: usize, v: &[f64]) -> f64 {
        dot(self.joint(j), v) + self.phi_t[j]
    }

    /// Rate of gap `i`.
    pub(super) fn gap_rate(&self, i: usize, v: &[f64]) -> f64 {
        dot(self.normal(i), v) + self.gap_t[i]
    }

    /// Slip speed of contact `i`, and the direction along which friction would oppose it: the one
    /// with the most negative d'v. (0, 0) without directions.
    pub(super) fn slip(&self, i: usize, v: &[f64]) -> (f64, u16) {
        let mut fastest = (0.0, 0);
        for k in 0..self.n_dir {
            let s = -dot(self.tangent(i, k), v);
            if s > fastest.0 {
                fastest = (s, k as u16);
            }
        }
        fastest
    }

    /// Largest (|n| + |d|)'|x| over contacts, and |d|'|x| over brakes: what `x` can mean there.
    pub(super) fn contact_size(&self, x: &[f64]) -> f64 {
        let size = |column: &[f64]| column.iter().zip(x).map(|(c, x)| (c * x).abs()).sum::<f64>();
        let mut largest = 0.0f64;
        for i in (0..self.gap.len()).filter(|&i| self.gap[i] < f64::INFINITY) {
            let along =
                self.independent_directions().map(|k| size(self.tangent(i, k))).fold(0.0, f64::max);
            largest = largest.max(size(self.normal(i)) + along);
        }
        (0..self.brake_bound.len()).fold(largest, |most, i| most.max(size(self.brake(i))))
    }
}

/// Storage for differences of the model's answers.
#[derive(Debug)]
pub(super) struct Scratch {
    phi: Vec<f64>,
    jt: Vec<f64>,
    pub gap: Vec<f64>,
    normal: Vec<f64>,
    pub q: Vec<f64>,
    pub rate: Vec<f64>,
    pub v: Vec<f64>,
    pub force: Vec<f64>,
    pub here: Vec<f64>,
    /// nv by nq.
    pub dfdq: Vec<f64>,
    /// Elements nearby.
    pub elements: Elements,
    /// Angles by which the friction directions of each contact are turned, and two directions of
    /// one contact.
    pub turns: Vec<f64>,
    pub across: (Vec<f64>, Vec<f64>),
    /// Contacts that come and go: the slots of the step under way, what the host pushed last, and
    /// what they were where the piece starts.
    pub slots: Slots,
    pub pushed: ContactSet,
    pub frozen: Geometry,
}

impl Scratch {
    /// For the sizes `d`, with the slots of a model that pushes up to `hosted` contacts.
    pub(super) fn new(d: &Dims, hosted: usize) -> Result<Self> {
        let slots = if hosted > 0 { d.n_contact } else { 0 };
        Ok(Self {
            slots: Slots::new(0)?,
            pushed: ContactSet::new(d.nv, d.n_dir, hosted),
            frozen: Geometry::new(&Dims { n_joint: 0, n_contact: slots, ..*d })?,
            phi: zeros(d.n_joint)?,
            jt: zeros(d.nv * d.n_joint)?,
            gap: zeros(d.n_contact)?,
            normal: zeros(d.nv * d.n_contact)?,
            q: zeros(d.nq)?,
            rate: zeros(d.nq)?,
            v: zeros(d.nv)?,
            force: zeros(d.nv)?,
            here: zeros(d.nv)?,
            dfdq: zeros(d.nv * d.nq)?,
            elements: Elements::new(d)?,
            turns: zeros(d.n_contact)?,
            across: (zeros(d.nv)?, zeros(d.nv)?),
        })
    }
}

/// The model during one step.
pub(super) struct Host<'a> {
    pub asked: Checked<'a>,
    /// With a contact per slot.
    pub dims: Dims,
    /// Contacts with a gap of their own: the first ones.
    pub fixed: usize,
    /// Distance up to which the others are reported.
    pub margin: f64,
    /// Whether new ones of them get slots.
    pub admits: bool,
    pub scratch: &'a mut Scratch,
    /// Half the distance of differences in time: a fixed part of the step, so that what it leaves
    /// out is of higher order than the method.
    pub dt: f64,
    pub length: f64,
}

impl Host<'_> {
    /// Asks questions of which none needs the answer of another: a model that answers later learns
    /// all of them at once. Missing answers stand as zeros inside.
    ///
    /// # Errors
    /// `Wanted` when answers are missing; else those of `ask`.
    pub(super) fn together(&mut self, ask: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let outer = self.asked.gather(true);
        let done = ask(self);
        self.asked.gather(outer);
        if !outer {
            // What was made of zeros has no meaning, failures neither.
            self.asked.all_answered()?;
        }
        done
    }

    /// Joints and contacts at (t, q), without their rates in time.
    pub(super) fn directions(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let (n, nv) = (self.fixed, self.dims.nv);
        self.together(|host| {
            host.asked.joint(t, q, &mut g.phi, &mut g.jt)?;
            host.asked.gap(t, q, &mut g.gap[..n], &mut g.normal[..n * nv])?;
            host.friction(t, q, g)?;
            host.asked.brake(t, q, &mut g.brake_bound, &mut g.brake)
        })
    }

    /// Friction directions at (t, q), turned as the step has them, and contacts that come and go.
    pub(super) fn friction(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let (n_dir, fixed) = (self.dims.n_dir, self.fixed * self.dims.n_dir * self.dims.nv);
        self.asked.tangent(t, q, &mut g.tangent[..fixed])?;
        if self.is_hosted() {
            self.fill_slots(t, q, g)?;
        }
        self.scratch.turn(n_dir, &mut g.tangent);
        if self.is_hosted() {
            self.fill_absent(g);
        }
        Ok(())
    }

    /// Joints and contacts at (t, q).
    pub(super) fn geometry(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        self.together(|host| {
            host.directions(t, q, g)?;
            if host.asked.model().constraints_move() { host.rates(t, q, g) } else { Ok(()) }
        })
    }

    /// d phi/dt and d gap/dt at fixed q, by central differences; forward ones of the same order
    /// where the host refuses the time before: its motion may begin here.
    fn rates(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let (before, after) = (t - self.dt, t + self.dt);
        let known = match self.constraints_at(after, before, q, g) {
            Ok(()) => {
                let width = after - before;
                self.combine(g, |_, after, before| (after - before) / width);
                before
            }
            Err(Error::Rejected { .. }) => {
                self.constraints_at(after, after + self.dt, q, g)?;
                let dt = self.dt;
                self.combine(g, |here, after, later| forward(here, after, later, dt));
                t
            }
            Err(e) => return Err(e),
        };
        if self.is_hosted() { self.slot_rates((known, after), q, g) } else { Ok(()) }
    }

    /// Joint errors and gaps at the time `first`, into the places of their rates, and at `second`,
    /// into the scratch.
    fn constraints_at(
        &mut self,
        first: f64,
        second: f64,
        q: &[f64],
        g: &mut Geometry,
    ) -> Result<()> {
        let s = &mut *self.scratch;
        self.asked.joint(first, q, &mut g.phi_t, &mut s.jt)?;
        self.asked.joint(second, q, &mut s.phi, &mut s.jt)?;
        let (n, nv) = (self.fixed, self.dims.nv);
        let normal = &mut s.normal[..n * nv];
        self.asked.gap(first, q, &mut g.gap_t[..n], normal)?;
        self.asked.gap(second, q, &mut s.gap[..n], normal)
    }

    /// Makes rates of (here, first, second).
    fn combine(&self, g: &mut Geometry, rate: impl Fn(f64, f64, f64) -> f64) {
        let joints = g.phi_t.iter_mut().zip(&g.phi).zip(&self.scratch.phi);
        let gaps = g.gap_t[..self.fixed].iter_mut().zip(&g.gap).zip(&self.scratch.gap);
        for ((x, here), second) in joints.chain(gaps) {
            *x = rate(*here, *x, *second);
        }
    }

    /// The position reached from (t, q) in the time `h` with the displacement `d`: (step.2).
    pub(super) fn displace(
        &mut self,
        t: f64,
        q: &[f64],
        h: f64,
        d: &[f64],
        moved: &mut [f64],
    ) -> Result<()> {
        // Positions made of missing answers would be asked for in vain.
        let outer = self.asked.gather(false);
        let done = self.displace_by(t, q, h, d, moved);
        self.asked.gather(outer);
        done
    }

    fn displace_by(
        &mut self,
        t: f64,
        q: &[f64],
        h: f64,
        d: &[f64],
        moved: &mut [f64],
    ) -> Result<()> {
        let model = self.asked.model();
        if model.gives_displacement() {
            return self.asked.displace(t, q, d, moved);
        }
        moved.copy_from_slice(q);
        if !model.gives_rate() {
            axpy(1.0, d, moved);
            return Ok(());
        }
        let s = &mut *self.scratch;
        self.asked.rate(t, q, d, &mut s.rate)?;
        s.q.copy_from_slice(q);
        axpy(0.5, &s.rate, &mut s.q);
        self.asked.rate(t + 0.5 * h, &s.q, d, &mut s.rate)?;
        axpy(1.0, &s.rate, moved);
        Ok(())
    }
}
