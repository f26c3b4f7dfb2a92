//! Resolving one impact: phases in order, impulses summed, outputs committed at the end.

use super::laws::{admissible, kinetic_energy, momentum, newton_offsets, reflection_coefficient};
use super::{Impact, Law, Outcome};
use crate::contact::check_restitution;
use crate::error::{Apart, Error, Result, finite, length, reserve};
use crate::lcp::Info;
use crate::linalg::axpy;
use crate::tol;
use crate::velocity::{self, Rows};

/// Workspace for impacts. Nothing is allocated after [`Solver::new`].
///
/// ```
/// use stiction::impact::{Impact, Law, Solver};
/// use stiction::linalg::MatRef;
/// use stiction::velocity::Rows;
///
/// // A ball of 2 kg hits the ground with (1, -3) m/s, restitution 0.6.
/// let mass = [2.0, 0.0, 0.0, 2.0];
/// let none = MatRef::new("joint", &[], 2, 0, 2)?;
/// let impact = Impact {
///     mass: MatRef::square("mass", &mass, 2)?.into(),
///     v_minus: &[1.0, -3.0],
///     joint: Rows::same(none),
///     normal: Rows::same(MatRef::new("normal", &[0.0, 1.0], 2, 1, 2)?),
///     tangent: Rows::same(none),
///     n_dir: 0,
///     mu: &[],
///     restitution: &[0.6],
/// };
/// let mut solver = Solver::new(4)?;
/// solver.solve(Law::Poisson, &impact)?;
/// assert!((solver.v_plus()[1] - 1.8).abs() < 1e-14);
/// assert!((solver.normal()[0] - 1.6 * 6.0).abs() < 1e-14);
/// # Ok::<(), stiction::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    velocity: Apart<velocity::Solver>,
    p: Vec<f64>,
    offsets: Vec<f64>,
    v_compression: Vec<f64>,
    v_plus: Vec<f64>,
    joint: Vec<f64>,
    normal: Vec<f64>,
    friction: Vec<f64>,
}

impl Solver {
    /// Takes storage for impacts with max(nv + n_joint, n_contact (n_dir + 2)) <= `n_max`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n_max: usize) -> Result<Self> {
        Self::with(Apart::new(|| velocity::Solver::new(n_max))?)
    }

    /// Takes storage for impacts of the size that `velocity` solves.
    ///
    /// # Errors
    /// `Memory`.
    pub fn with(velocity: Apart<velocity::Solver>) -> Result<Self> {
        let n_max = velocity.n_max();
        Ok(Self {
            velocity,
            p: reserve(n_max)?,
            offsets: reserve(n_max)?,
            v_compression: reserve(n_max)?,
            v_plus: reserve(n_max)?,
            joint: reserve(n_max)?,
            normal: reserve(n_max)?,
            friction: reserve(n_max)?,
        })
    }

    /// The velocity solver inside.
    pub fn velocity(&self) -> &velocity::Solver {
        &self.velocity
    }

    /// The same, to change.
    pub fn velocity_mut(&mut self) -> &mut velocity::Solver {
        &mut self.velocity
    }

    /// Velocity after compression; for Newton's law the velocity after the impact.
    pub fn v_compression(&self) -> &[f64] {
        &self.v_compression
    }

    /// Velocity after the impact.
    pub fn v_plus(&self) -> &[f64] {
        &self.v_plus
    }

    /// Joint impulses, in total.
    pub fn joint(&self) -> &[f64] {
        &self.joint
    }

    /// Normal impulses, in total.
    pub fn normal(&self) -> &[f64] {
        &self.normal
    }

    /// Friction impulses, in total, `n_dir` per contact.
    pub fn friction(&self) -> &[f64] {
        &self.friction
    }

    /// Resolves `impact` by `law`; read the answer with [`v_plus`](Self::v_plus) and its
    /// neighbours.
    ///
    /// # Errors
    /// Those of [`velocity::Solver::solve`]; `Range` for restitution outside [0, 1].
    pub fn solve(&mut self, law: Law, impact: &Impact<'_>) -> Result<Outcome> {
        length("v_minus", impact.v_minus, impact.mass.rows())?;
        finite("v_minus", impact.v_minus)?;
        if law != Law::Plastic {
            check_restitution(impact.restitution, impact.normal.impulse.cols())?;
        }
        momentum(impact.mass, impact.v_minus, &mut self.p);
        // Named after what the caller gave: only an overflow of the product can be at fault here.
        impact.mass.finite("mass")?;
        finite("mass * v_minus", &self.p)?;
        let info = match law {
            Law::Newton => self.newton(impact)?,
            Law::Plastic => self.compress(impact)?,
            Law::Poisson => self.poisson(impact)?,
            Law::Reflection => self.reflect(impact)?,
        };
        self.check_finite()?;
        let mut certificate = impact.phase(impact.v_minus).certificate();
        if law == Law::Newton {
            // The offsets of the law, not those of the surfaces, are what the solver saw.
            certificate.normal_offsets_nonnegative = self.offsets.iter().all(|&b| b >= 0.0);
        }
        Ok(Outcome {
            info,
            certificate,
            energy_before: kinetic_energy(impact.mass, impact.v_minus),
            energy_after: kinetic_energy(impact.mass, &self.v_plus),
        })
    }

    /// Refuses an answer that overflowed when the phases were put together.
    fn check_finite(&self) -> Result<()> {
        let impulses = self.joint.iter().chain(&self.normal).chain(&self.friction);
        if self.v_plus.iter().chain(impulses).all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(Error::Residual { residual: f64::INFINITY, tolerance: tol::VELOCITY_CHECK })
    }

    /// (imp.1): one phase from v^-, its impulses kept.
    fn compress(&mut self, impact: &Impact<'_>) -> Result<Info> {
        let info = self.velocity.solve(&impact.phase(&self.p))?;
        self.keep();
        Ok(info)
    }

    /// (imp.3): one phase whose normal rows ask for the rebound.
    fn newton(&mut self, impact: &Impact<'_>) -> Result<Info> {
        newton_offsets(impact, &mut self.offsets);
        let mut problem = impact.phase(&self.p);
        problem.normal = Rows { offset: &self.offsets, ..impact.normal };
        let info = self.velocity.solve(&problem)?;
        self.keep();
        Ok(info)
    }

    /// (imp.2): compression, then decompression with the restitution impulse.
    fn poisson(&mut self, impact: &Impact<'_>) -> Result<Info> {
        let first = self.compress(impact)?;
        // The restitution impulse joins the normal impulses and the momentum.
        momentum(impact.mass, &self.v_compression, &mut self.p);
        let mut restituted = 0.0f64;
        for (i, &e) in impact.restitution.iter().enumerate() {
            let back = e * self.normal[i];
            impact.normal.impulse.col(i).add(back, &mut self.p);
            self.normal[i] += back;
            restituted = restituted.max(back);
        }
        // exact: without restitution v^c itself solves the second phase
        if restituted == 0.0 {
            return Ok(first);
        }
        let second = self.velocity.solve(&impact.phase(&self.p))?;
        self.v_plus.copy_from_slice(self.velocity.v());
        axpy(1.0, self.velocity.joint(), &mut self.joint);
        axpy(1.0, self.velocity.normal(), &mut self.normal);
        axpy(1.0, self.velocity.friction(), &mut self.friction);
        Ok(first.and(second))
    }

    /// (imp.4): compression reflected, unless that would penetrate or break a joint.
    fn reflect(&mut self, impact: &Impact<'_>) -> Result<Info> {
        let info = self.compress(impact)?;
        let e = reflection_coefficient(impact.restitution, &self.normal);
        // Written as a change of v^c: a velocity that the impact leaves alone stays to the last bit.
        for (v, before) in self.v_plus.iter_mut().zip(impact.v_minus) {
            *v += e * (*v - before);
        }
        if !admissible(impact, &self.v_plus, &self.v_compression) {
            self.v_plus.copy_from_slice(&self.v_compression);
            return Ok(info);
        }
        for c in self.joint.iter_mut().chain(&mut self.normal).chain(&mut self.friction) {
            *c *= 1.0 + e;
        }
        Ok(info)
    }

    /// Takes velocity and impulses of the phase just solved as the answer so far.
    fn keep(&mut self) {
        let from = &self.velocity;
        for (to, from) in [
            (&mut self.v_compression, from.v()),
            (&mut self.v_plus, from.v()),
            (&mut self.joint, from.joint()),
            (&mut self.normal, from.normal()),
            (&mut self.friction, from.friction()),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
    }
}
