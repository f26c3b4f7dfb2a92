//! All buffers of a stepper, sized once. Knows no numerics.

use super::assemble::Assembly;
use super::brake::BrakeModes;
use super::branch::Members;
use super::capture;
use super::followed::Followed;
use super::geometry::TWO_BODIES;
use super::hold::Hold;
use super::host::{Geometry, zeros};
use super::impulses::Effort;
use super::kept::BREAKS;
use super::linear::Equations;
use super::method::{Stage, Start};
use super::search::{Look, Path};
use super::slots::FIRST;
use super::state::Mode;
use super::stop::Slowing;
use super::take_off::Heights;
use crate::error::{Apart, Result, reserve};
use crate::impact;
use crate::linalg::Packed;
use crate::model::{Dims, Model, Parts};
use crate::velocity::Solver;

/// Accelerations at one point, (step.15).
#[derive(Debug)]
pub(super) struct Accelerations {
    pub assembly: Assembly,
    /// Directions a little after and a little before.
    pub after: Geometry,
    pub before: Geometry,
    pub q: Vec<f64>,
    pub d: Vec<f64>,
    /// What velocity alone adds to the accelerations of joints, gaps and slip.
    pub joint: Vec<f64>,
    pub normal: Vec<f64>,
    pub tangent: Vec<f64>,
    pub brake: Vec<f64>,
    pub a: Vec<f64>,
}

/// Buffers of one stepper.
#[derive(Debug)]
pub(super) struct Workspace {
    pub mu: Vec<f64>,
    pub restitution: Vec<f64>,
    /// The point a step starts from.
    pub start: Start,
    /// Another point, for checks of forces.
    pub there: Start,
    pub stage: Stage,
    pub step: Assembly,
    /// With the mass at the start, for projections.
    pub equations: Equations,
    /// With the matrix of the step, for paths.
    pub path_equations: Equations,
    pub forces: Accelerations,
    pub impact: impact::Solver,
    pub impact_assembly: ImpactData,
    pub spare: Geometry,
    pub probe: Geometry,
    /// Branches of groups where the piece starts and at `probe`.
    pub members: Members,
    /// The step by complementarity, and the path with fixed modes.
    pub q1: Vec<f64>,
    pub v1: Vec<f64>,
    pub m1: Vec<Mode>,
    pub qp: Vec<f64>,
    pub vp: Vec<f64>,
    pub m0: Vec<Mode>,
    /// What they took.
    pub lcp_effort: Effort,
    pub path_effort: Effort,
    /// What of them is known to be as it was computed.
    pub followed: Followed,
    /// Mean velocity of the last piece, and the path it took if its end is not booked yet.
    pub mean: Vec<f64>,
    pub unbooked: Option<Path>,
    /// Of all contacts, where forces were asked for last.
    pub slip_speed: Vec<f64>,
    /// What is known of contacts that take off in this piece.
    pub looked_into: Vec<Look>,
    /// How often each contact was hit since the step began.
    pub hits: Vec<u32>,
    pub heights: Heights,
    /// When something happened last to each contact in this step; a NaN where nothing has.
    pub told: Vec<f64>,
    pub list: Vec<usize>,
    /// The list of the problem of a step, while another is in its place.
    pub solved: Vec<usize>,
    /// Angles by which friction directions were turned last.
    pub turned: Vec<f64>,
    /// Contacts whose slip may end on the path under way.
    pub slowing: Vec<Slowing>,
    pub chosen: Vec<Mode>,
    /// Modes with which the equations of a path or a projection are made: none where a contact has turned over.
    pub facing: Vec<Mode>,
    /// What m0, m1 and chosen are for contacts.
    pub brakes: BrakeModes,
    pub hold: Hold,
    pub move_by: Vec<f64>,
    pub q_old: Vec<f64>,
    /// Times at which the pieces of the step under way ended, up to a number.
    pub pieces: Vec<f64>,
    /// Whether one of them was cut because it could not be solved whole.
    pub shortened: bool,
    /// For Runge-Kutta methods.
    pub capture: capture::Work,
}

/// Columns of the contacts of an impact, side by side.
#[derive(Debug)]
pub(super) struct ImpactData {
    pub list: Vec<usize>,
    /// Whether each of them rebounds before it touches, (step.76).
    pub early: Vec<bool>,
    pub normal: Packed,
    pub normal_offset: Vec<f64>,
    pub tangent: Packed,
    pub mu: Vec<f64>,
    pub restitution: Vec<f64>,
    pub before: Vec<f64>,
}

/// Room for `per_contact` columns of every contact, of which the first `fixed` have all their rows.
///
/// # Errors
/// `Memory`.
pub(super) fn columns(d: &Dims, fixed: usize, per_contact: usize) -> Result<Packed> {
    let slots = d.n_contact - fixed;
    let values = fixed * d.nv + slots * d.nv.min(TWO_BODIES);
    let mut columns = Packed::default();
    columns.reserve(d.n_contact * per_contact, values * per_contact)?;
    Ok(columns)
}

/// Size of the largest velocity problem of a model.
pub(super) fn unknowns(d: &Dims) -> usize {
    (d.nv + d.n_joint).max(d.n_contact * (d.n_dir + 2) + 2 * d.n_brake)
}

/// A solver of the velocity problems of a model, of whose contacts `at_once` have the storage of their complementarity
/// problem from the start, which is many times their square. Others take it when they are closed and their
/// problem is not answered in the space of bodies. `masses`: numbers that a factor of the mass has at most.
///
/// # Errors
/// `Memory`.
pub(super) fn solver(d: &Dims, at_once: usize, masses: usize) -> Result<Apart<Solver>> {
    let room = d.n_contact.min(at_once) * (d.n_dir + 2) + 2 * d.n_brake;
    Apart::new(|| Solver::growing(room, (d.nv, d.n_joint, masses), unknowns(d)))
}

impl Workspace {
    pub(super) fn new(model: &dyn Model, d: &Dims) -> Result<Self> {
        let fixed = model.dims().n_contact;
        let rows = 1 + d.n_dir / 2;
        let (mut mu, mut restitution) = (zeros(d.n_contact)?, zeros(d.n_contact)?);
        // Those of contacts that come and go are pushed with them.
        for i in 0..model.dims().n_contact {
            mu[i] = if d.n_dir > 0 { model.mu(i) } else { 0.0 };
            restitution[i] = model.restitution(i);
        }
        let modes = || -> Result<Vec<Mode>> {
            let mut m = reserve(d.n_contact)?;
            m.resize(d.n_contact, Mode::Open);
            Ok(m)
        };
        // First, because sizes that no memory holds fail here, before they are multiplied.
        let bodies = model.bodies()?;
        let parts = &Parts::new(model, &bodies)?;
        let start = Start::new(d, fixed, parts)?;
        // Elements that tell their bodies touch two.
        let (wide, thin) = if parts.is_whole() { (d.n_element, 0) } else { (0, d.n_element) };
        let whole = d.n_joint + fixed * rows + d.n_brake + wide;
        let narrow = (d.n_contact - fixed) * rows + thin;
        let masses = start.mass.room();
        // A model that tells no bodies has no space of bodies, and promises that steps take no storage.
        let at_once = FIRST + if bodies.is_empty() { fixed } else { 0 };
        let assembly = || Assembly::new(d, fixed, (at_once, masses));
        let (mut step, mut forces) = (assembly()?, assembly()?);
        let mut impact = impact::Solver::with(solver(d, at_once, masses)?)?;
        for solver in [&mut *step.solver, &mut *forces.solver, impact.velocity_mut()] {
            solver.set_bodies(&bodies)?;
        }
        let mut looked_into = reserve(d.n_contact)?;
        looked_into.resize(d.n_contact, Look::Not);
        let mut hits = reserve(d.n_contact)?;
        hits.resize(d.n_contact, 0);
        Ok(Self {
            mu,
            restitution,
            start,
            there: Start::new(d, fixed, parts)?,
            stage: Stage::new(d, fixed, parts)?,
            step,
            equations: Equations::new((d.nv, masses), whole, narrow, &bodies)?,
            path_equations: Equations::new((d.nv, masses), whole, narrow, &bodies)?,
            forces: Accelerations {
                assembly: forces,
                after: Geometry::new(d, fixed)?,
                before: Geometry::new(d, fixed)?,
                q: zeros(d.nq)?,
                d: zeros(d.nv)?,
                joint: zeros(d.n_joint)?,
                normal: zeros(d.n_contact)?,
                tangent: zeros(d.n_contact * d.n_dir)?,
                brake: zeros(d.n_brake)?,
                a: zeros(d.nv)?,
            },
            impact,
            impact_assembly: ImpactData {
                list: reserve(d.n_contact)?,
                early: reserve(d.n_contact)?,
                normal: columns(d, fixed, 1)?,
                normal_offset: reserve(d.n_contact)?,
                tangent: columns(d, fixed, d.n_dir)?,
                mu: reserve(d.n_contact)?,
                restitution: reserve(d.n_contact)?,
                before: reserve(d.n_contact)?,
            },
            spare: Geometry::new(d, fixed)?,
            probe: Geometry::new(d, fixed)?,
            members: Members::new(d.n_contact)?,
            q1: zeros(d.nq)?,
            v1: zeros(d.nv)?,
            m1: modes()?,
            qp: zeros(d.nq)?,
            vp: zeros(d.nv)?,
            m0: modes()?,
            lcp_effort: Effort::new(d)?,
            path_effort: Effort::new(d)?,
            followed: Followed::new(d.n_contact + d.n_brake)?,
            mean: zeros(d.nv)?,
            unbooked: None,
            slip_speed: zeros(d.n_contact)?,
            looked_into,
            hits,
            heights: Heights::new(d.n_contact)?,
            told: zeros(d.n_contact)?,
            list: reserve(d.n_contact)?,
            solved: reserve(d.n_contact)?,
            turned: zeros(d.n_contact)?,
            slowing: reserve(d.n_contact)?,
            chosen: modes()?,
            facing: modes()?,
            brakes: BrakeModes::new(d.n_brake)?,
            hold: Hold::new(d, parts)?,
            move_by: zeros(d.nv)?,
            q_old: zeros(d.nq)?,
            pieces: reserve(8 * BREAKS)?,
            shortened: false,
            capture: capture::Work::default(),
        })
    }
}
