//! The model as a step sees it: positions displaced, directions with their rates in time, forces
//! with their derivatives. Knows no method.

pub(super) use super::geometry::Geometry;
use super::patch::Patches;
use super::slots::Slots;
use crate::error::{Error, Result, finite, reserve};
use crate::linalg::axpy;
use crate::model::{Checked, ContactSet, Dims, Elements, Parts};
use crate::tol;

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
    /// nv by nq; nothing where derivatives come in blocks.
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
    /// Contacts that take no part in the step under way.
    pub patches: Patches,
}

impl Scratch {
    /// For the sizes `d`, with the slots of a model that pushes up to `hosted` contacts.
    /// The first `fixed` contacts have gaps of their own. `bodies`: where their velocities begin; `parts`: what is coupled.
    pub(super) fn new(
        d: &Dims,
        fixed: usize,
        hosted: usize,
        (bodies, parts): (&[usize], &Parts),
    ) -> Result<Self> {
        Ok(Self {
            patches: Patches::new(d.n_contact, d.nv, bodies)?,
            slots: Slots::new(0)?,
            pushed: ContactSet::new(d.nv, d.n_dir, hosted),
            frozen: Geometry::new(&Dims { n_joint: 0, ..*d }, fixed)?,
            phi: zeros(d.n_joint)?,
            jt: zeros(d.nv * d.n_joint)?,
            gap: zeros(d.n_contact)?,
            normal: zeros(d.nv * fixed)?,
            q: zeros(d.nq)?,
            rate: zeros(d.nq)?,
            v: zeros(d.nv)?,
            force: zeros(d.nv)?,
            here: zeros(d.nv)?,
            dfdq: zeros(if parts.is_whole() { d.nv * d.nq } else { 0 })?,
            elements: parts.elements(d)?,
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

impl<'a> Host<'a> {
    /// Outside of steps: no contact comes, nothing is differenced.
    pub(super) fn alone(
        asked: Checked<'a>,
        dims: &Dims,
        scratch: &'a mut Scratch,
        length: f64,
    ) -> Self {
        let fixed = dims.n_contact;
        Self { asked, dims: *dims, fixed, margin: 0.0, admits: false, scratch, dt: 0.0, length }
    }

    /// Adds to `force` what brakes have at (t, q) at most, along their directions. `g` is work space.
    pub(super) fn add_brakes(
        &mut self,
        t: f64,
        q: &[f64],
        g: &mut Geometry,
        force: &mut [f64],
    ) -> Result<()> {
        self.asked.brake(t, q, &mut g.brake_bound, &mut g.brake)?;
        let directions = g.brake.chunks_exact(self.dims.nv.max(1));
        for (direction, &bound) in directions.zip(&g.brake_bound) {
            axpy(bound, direction, force);
        }
        Ok(())
    }

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
            g.find_joint_runs();
            let (gap, normal) = (&mut g.gap[..n], &mut g.normal[..n * nv]);
            match host.scratch.patches.asked() {
                None => host.asked.gap(t, q, gap, normal)?,
                Some(which) => host.asked.some_gaps(t, q, which, gap, normal)?,
            }
            host.friction(t, q, g)?;
            host.asked.brake(t, q, &mut g.brake_bound, &mut g.brake)
        })
    }

    /// Friction directions at (t, q), turned as the step has them, and contacts that come and go.
    pub(super) fn friction(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let patches = &self.scratch.patches;
        let size = self.dims.nv * self.dims.n_dir;
        match patches.asked() {
            None => self.asked.tangent(t, q, &mut g.tangent)?,
            Some(which) => self.asked.some_tangents(t, q, which, size, &mut g.tangent)?,
        }
        g.find_contact_runs(|i| patches.hides(i));
        if self.is_hosted() {
            self.fill_slots(t, q, g)?;
        }
        g.hide(self.scratch.patches.hidden());
        self.scratch.turn(g);
        if self.is_hosted() { self.fill_absent(g) } else { Ok(()) }
    }

    /// Joints and contacts at (t, q).
    pub(super) fn geometry(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        self.together(|host| {
            host.directions(t, q, g)?;
            if host.asked.model().constraints_move() {
                host.rates(t, q, g)?;
                g.hide(host.scratch.patches.hidden());
            }
            Ok(())
        })
    }

    /// d phi/dt and d gap/dt at fixed q, by central differences; forward ones of the same order
    /// where the host refuses the time before: its motion may begin here.
    fn rates(&mut self, t: f64, q: &[f64], g: &mut Geometry) -> Result<()> {
        let dt = self.dt.max(tol::TIME_RESOLVED * t.abs());
        let (before, after) = (t - dt, t + dt);
        let known = match self.constraints_at(after, before, q, g) {
            Ok(()) => {
                let width = after - before;
                self.combine(g, |_, after, before| (after - before) / width);
                before
            }
            Err(Error::Rejected { .. }) => {
                self.constraints_at(after, after + dt, q, g)?;
                self.combine(g, |here, after, later| forward(here, after, later, dt));
                t
            }
            Err(e) => return Err(e),
        };
        if self.is_hosted() {
            self.slot_rates((known, after), q, g)?;
        }
        // Answers that jump in time have no rate.
        finite("rate of joints in time", &g.phi_t)?;
        finite("rate of gaps in time", &g.gap_t)
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
