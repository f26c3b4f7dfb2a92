//! Accelerations at one point with every contact kept in its mode: the ordinary differential
//! equation that the Runge-Kutta methods integrate between events. Knows no time stepping.

use crate::error::Result;
use crate::linalg::{Blocked, Column, axpy, max_abs};
use crate::model::{Dims, Model, Parts};
use crate::step::host::{Geometry, Host, zeros};
use crate::step::linear::Equations;
use crate::step::method::Start;
use crate::step::state::Mode;
use crate::tol;

/// What is kept of contacts along a piece, and how finely directions are differenced.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub modes: &'a [Mode],
    pub mu: &'a [f64],
    /// Length of the piece.
    pub h: f64,
    /// Whether joints or gaps depend on time.
    pub moving: bool,
}

impl Held<'_> {
    /// Whether nothing is constrained.
    pub(super) fn free(&self, d: &Dims) -> bool {
        d.n_joint == 0 && !self.modes.iter().any(|m| m.held())
    }
}

/// Masses, forces and directions at one point.
#[derive(Debug)]
pub(super) struct Flow {
    pub mass: Blocked,
    pub force: Vec<f64>,
    pub here: Geometry,
    near: Geometry,
    /// What velocity alone adds to the accelerations of joints, gaps and slip.
    joint: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    pub equations: Equations,
    q: Vec<f64>,
    d: Vec<f64>,
    /// Direction of the friction of one contact.
    pub(super) rub: Vec<f64>,
    /// Largest free acceleration met: constrained ones are exact up to its rounding.
    pub strongest: f64,
}

impl Flow {
    /// For `model` with the sizes `d`.
    pub(super) fn new(d: &Dims, model: &dyn Model) -> Result<Self> {
        let fixed = model.dims().n_contact;
        let rows = 1 + d.n_dir / 2;
        let (whole, narrow) = (d.n_joint + fixed * rows, (d.n_contact - fixed) * rows);
        let bodies = model.bodies()?;
        let mass = Parts::new(model, &bodies)?.square()?;
        Ok(Self {
            equations: Equations::new((d.nv, mass.room()), whole, narrow, &bodies)?,
            mass,
            force: zeros(d.nv)?,
            here: Geometry::new(d, fixed)?,
            near: Geometry::new(d, fixed)?,
            joint: zeros(d.n_joint)?,
            normal: zeros(d.n_contact)?,
            tangent: zeros(d.n_contact * d.n_dir)?,
            q: zeros(d.nq)?,
            d: zeros(d.nv)?,
            rub: zeros(d.nv)?,
            strongest: 0.0,
        })
    }

    /// Evaluates masses and forces at (t, q, v), and leaves the free acceleration in `a`.
    pub(super) fn free(
        &mut self,
        host: &mut Host<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
        a: &mut [f64],
    ) -> Result<()> {
        host.asked.masses(t, q, &mut self.mass)?;
        host.asked.force(t, q, v, &mut self.force)?;
        self.divide(a)
    }

    /// The same at `start`, where masses and forces are known.
    pub(super) fn free_at(&mut self, start: &Start, a: &mut [f64]) -> Result<()> {
        self.mass.copy_from_slice(&start.mass);
        self.force.copy_from_slice(&start.force);
        self.divide(a)
    }

    /// a := the force divided by the mass.
    fn divide(&mut self, a: &mut [f64]) -> Result<()> {
        self.equations.start(&self.mass)?;
        a.copy_from_slice(&self.force);
        self.equations.apply_inverse_mass(a);
        self.strongest = self.strongest.max(max_abs(a));
        Ok(())
    }

    /// a := the acceleration at `start`, where masses and forces are known.
    pub(super) fn accelerate_at(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        start: &Start,
        a: &mut [f64],
    ) -> Result<()> {
        let at = (start.t, &start.q[..], &start.v[..]);
        host.together(|host| {
            self.free_at(start, a)?;
            look(host, held.moving, at.0, at.1, &mut self.here)?;
            if held.free(&host.dims) { Ok(()) } else { self.differentiate(host, held, at) }
        })?;
        self.constrain(host, held, at.2, a)
    }

    /// a := the acceleration at (t, q, v) of the motion that `held` keeps, (cap.9). Leaves the
    /// directions there in `here`.
    pub(super) fn accelerate(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
        a: &mut [f64],
    ) -> Result<()> {
        // No question needs the answer of another: a model that answers later learns them at once.
        host.together(|host| {
            self.free(host, (t, q, v), a)?;
            look(host, held.moving, t, q, &mut self.here)?;
            if held.free(&host.dims) { Ok(()) } else { self.differentiate(host, held, (t, q, v)) }
        })?;
        self.constrain(host, held, v, a)
    }

    /// Corrects the free acceleration `a` by joints and held contacts.
    fn constrain(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        v: &[f64],
        a: &mut [f64],
    ) -> Result<()> {
        if held.free(&host.dims) {
            return Ok(());
        }
        self.list(host, held, v)?;
        self.equations.correct(a)
    }

    /// The terms of (cap.9) that velocity alone makes, by differences of fourth order along the
    /// motion.
    fn differentiate(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
    ) -> Result<()> {
        self.joint.fill(0.0);
        self.normal.fill(0.0);
        self.tangent.fill(0.0);
        let fastest = max_abs(v);
        let mut e = tol::FINE_TIME * held.h;
        if !held.moving {
            // exact: nothing turns at rest
            if fastest == 0.0 {
                return Ok(());
            }
            e = tol::FINE_DIRECTION * host.length / fastest;
        }
        let n_dir = host.dims.n_dir;
        for (side, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            self.d.fill(0.0);
            axpy(side * e, v, &mut self.d);
            host.displace(t, q, side * e, &self.d, &mut self.q)?;
            let then = if held.moving { t + side * e } else { t };
            look(host, held.moving, then, &self.q, &mut self.near)?;
            let factor = weight / (12.0 * e);
            for (j, x) in self.joint.iter_mut().enumerate() {
                *x += factor * self.near.joint_rate(j, v);
            }
            for (i, mode) in held.modes.iter().enumerate().filter(|(_, m)| m.held()) {
                self.normal[i] += factor * self.near.gap_rate(i, v);
                if *mode == Mode::Stick {
                    for k in 0..n_dir / 2 {
                        self.tangent[i * n_dir + k] += factor * self.near.tangent(i, k).dot(v);
                    }
                }
            }
        }
        Ok(())
    }

    /// Lists the equations of joints and held contacts on accelerations.
    fn list(&mut self, host: &mut Host<'_>, held: &Held<'_>, v: &[f64]) -> Result<()> {
        let g = &self.here;
        for (j, &offset) in self.joint.iter().enumerate() {
            self.equations.push_joint(g.joint(j), offset, g.joint(j))?;
        }
        let n_dir = host.dims.n_dir;
        for (i, &mode) in held.modes.iter().enumerate() {
            let (n, offset) = (g.normal(i), self.normal[i]);
            match mode {
                Mode::Slip(k) if held.mu[i] > 0.0 => {
                    let rub = against_slip(host, g, (i, k), v, &mut self.rub);
                    self.equations.push_edge(n, offset, n, held.mu[i], rub)?;
                }
                Mode::Slip(_) => self.equations.push(n, offset, n)?,
                Mode::Stick => {
                    self.equations.push(n, offset, n)?;
                    for k in 0..n_dir / 2 {
                        let d = g.tangent(i, k);
                        self.equations.push(d, self.tangent[i * n_dir + k], d)?;
                    }
                }
                Mode::Open | Mode::Touch | Mode::Leave => {}
            }
        }
        Ok(())
    }

    /// Lists the equations on the velocity at the next stage, whose directions are in `next`, with
    /// multipliers that act here: (cap.12).
    pub(super) fn list_next(
        &mut self,
        host: &mut Host<'_>,
        held: &Held<'_>,
        v: &[f64],
        next: &Geometry,
    ) -> Result<()> {
        let g = &self.here;
        for j in 0..g.phi.len() {
            self.equations.push_joint(next.joint(j), next.phi_t[j], g.joint(j))?;
        }
        for (i, &mode) in held.modes.iter().enumerate() {
            let (row, n, offset) = (next.normal(i), g.normal(i), next.gap_t[i]);
            match mode {
                Mode::Slip(k) if held.mu[i] > 0.0 => {
                    let rub = against_slip(host, g, (i, k), v, &mut self.rub);
                    self.equations.push_edge(row, offset, n, held.mu[i], rub)?;
                }
                Mode::Slip(_) => self.equations.push(row, offset, n)?,
                Mode::Stick => {
                    self.equations.push(row, offset, n)?;
                    for k in g.independent_directions() {
                        let d = g.tangent(i, k);
                        self.equations.push(next.tangent(i, k), 0.0, d)?;
                    }
                }
                Mode::Open | Mode::Touch | Mode::Leave => {}
            }
        }
        Ok(())
    }
}

/// Directions at (t, q), with their rates in time where they have any.
pub(super) fn look(
    host: &mut Host<'_>,
    moving: bool,
    t: f64,
    q: &[f64],
    g: &mut Geometry,
) -> Result<()> {
    if moving {
        return host.geometry(t, q, g);
    }
    g.phi_t.fill(0.0);
    g.gap_t.fill(0.0);
    host.directions(t, q, g)
}

/// The direction of friction at contact `i`, which slips against direction `k`. In space, where the
/// directions were turned to the slip at the start of the piece, it follows the slip, (cap.10);
/// a slip that has turned back keeps the direction of the start, so that its end is smooth.
pub(super) fn against_slip<'a>(
    host: &mut Host<'_>,
    g: &'a Geometry,
    (i, k): (usize, u16),
    v: &[f64],
    rub: &'a mut [f64],
) -> Column<'a> {
    let n_dir = host.dims.n_dir;
    let given = g.tangent(i, usize::from(k));
    if n_dir < 4 || usize::from(k) != n_dir / 2 {
        return given;
    }
    if let Some(angle) = host.scratch.slip_angle(g, i, v)
        && angle.cos() > 0.0
    {
        let (sine, cosine) = angle.sin_cos();
        let (a, b) = &host.scratch.across;
        for ((x, a), b) in rub.iter_mut().zip(a).zip(b) {
            *x = -(cosine * a + sine * b);
        }
        return g.directions(i).0.pack(rub);
    }
    given
}
