//! What a mechanical system must answer: masses, forces, joints, gaps, friction directions. Knows
//! neither methods nor time steps.
//!
//! The stepper asks through [`Checked`], which clears every output before the call, tests every
//! answer for finiteness and turns refusals into errors that name the question.

mod again;
mod answer;
mod brake;
mod contact;
mod coriolis;
mod dims;
mod element;
mod group;
mod parts;
mod pushed;
mod sink;
mod skipped;
mod slope;

pub use answer::{Answer, Refusal};
pub use coriolis::coriolis;
pub use dims::Dims;
pub use element::Elements;
pub use parts::Parts;
pub use pushed::{Friction, HostContact};
pub use sink::{ContactSet, ContactSink};

use crate::error::{Error, Result, finite};
use crate::linalg::Blocked;
use std::any::Any;
use std::cell::Cell;

/// A mechanical system M(t,q) dv/dt = force + constraint forces. Matrices are column-major,
/// directions are columns of length nv. All outputs are zero when a method is called.
pub trait Model: Send + Sync {
    /// Sizes, the same at every call.
    fn dims(&self) -> Dims;

    /// Mass matrix, nv by nv, symmetric part positive definite.
    ///
    /// # Errors
    /// The point is refused, or the host wants to stop; so for every question below.
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer;

    /// Every force but those of constraints, with all Coriolis and gyroscopic terms, nv numbers.
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        let _ = (t, q, v, force);
        Ok(())
    }

    /// Whether [`force_jac`](Self::force_jac) answers; otherwise differences of the force are
    /// taken.
    fn gives_force_jac(&self) -> bool {
        false
    }

    /// Derivatives of the force: `dfdq` nv by nq, `dfdv` nv by nv.
    fn force_jac(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        dfdq: &mut [f64],
        dfdv: &mut [f64],
    ) -> Answer {
        let _ = (t, q, v, dfdq, dfdv);
        Ok(())
    }

    /// Whether [`rate`](Self::rate) answers; otherwise dq/dt = v and nq = nv.
    fn gives_rate(&self) -> bool {
        false
    }

    /// dq/dt, linear in v, nq numbers.
    fn rate(&self, t: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        let _ = (t, q);
        qdot.copy_from_slice(v);
        Ok(())
    }

    /// Whether [`displace`](Self::displace) answers; otherwise q moves by the midpoint rule through
    /// [`rate`](Self::rate).
    fn gives_displacement(&self) -> bool {
        false
    }

    /// The position reached from `q` by the displacement `d` (a velocity times a time, nv numbers)
    /// on the configuration manifold itself, for example by the exponential map. Must agree with
    /// the rate up to second order in `d`.
    fn displace(&self, t: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        let _ = (t, d);
        moved.copy_from_slice(q);
        Ok(())
    }

    /// Joint errors `phi` and directions `jt` (nv by n_joint): jt'v + d phi/dt = 0.
    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let _ = (t, q, phi, jt);
        Ok(())
    }

    /// Gaps, positive when open, and normals (nv by n_contact): the rate of a gap is normal'v + d
    /// gap/dt.
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let _ = (t, q, gap, normal);
        Ok(())
    }

    /// Friction directions, nv by n_contact n_dir, grouped by contact, in angular order, the second
    /// half opposite to the first.
    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        let _ = (t, q, tangent);
        Ok(())
    }

    /// Whether [`some_gaps`](Self::some_gaps) and [`some_tangents`](Self::some_tangents) answer: with
    /// patches of many contacts most need not be asked for at every point.
    fn gives_some_contacts(&self) -> bool {
        false
    }

    /// What [`gap`](Self::gap) writes for the contacts `which` alone; theirs is zero when this is called.
    fn some_gaps(
        &self,
        t: f64,
        q: &[f64],
        which: &[usize],
        gap: &mut [f64],
        normal: &mut [f64],
    ) -> Answer {
        let _ = which;
        self.gap(t, q, gap, normal)
    }

    /// The same for [`tangent`](Self::tangent).
    fn some_tangents(&self, t: f64, q: &[f64], which: &[usize], tangent: &mut [f64]) -> Answer {
        let _ = which;
        self.tangent(t, q, tangent)
    }

    /// Elastic and damping elements, whose forces the library adds to `force` unless
    /// [`elements_in_force`](Self::elements_in_force). Everything in `elements` is zero when this is
    /// called. Stiffness and damping must not change along a motion.
    fn elements(&self, t: f64, q: &[f64], elements: &mut Elements) -> Answer {
        let _ = (t, q, elements);
        Ok(())
    }

    /// Whether `force` and `force_jac` hold the elements already; then the elements must be all that
    /// is stiff in them.
    fn elements_in_force(&self) -> bool {
        false
    }

    /// K_c, nv by nv, antisymmetric: minus K_c v is the gyroscopic part of the force. Zero when it
    /// is not known.
    fn gyroscopic(&self, t: f64, q: &[f64], v: &[f64], k_c: &mut [f64]) -> Answer {
        let _ = (t, q, v, k_c);
        Ok(())
    }

    /// Brakes: `bound` the largest force of each, >= 0, and `direction` (nv by n_brake) along which it
    /// acts; direction'v is the speed it works against. The bound may depend on time and position.
    fn brake(&self, t: f64, q: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        let _ = (t, q, bound, direction);
        Ok(())
    }

    /// The host's name for a brake, given with events.
    fn brake_key(&self, brake: usize) -> i64 {
        brake as i64
    }

    /// Whether [`acceleration_terms`](Self::acceleration_terms) answers; otherwise directions are
    /// differenced along the motion, with an error of about 1e-10 of v^2 per length of the scene.
    fn gives_acceleration_terms(&self) -> bool {
        false
    }

    /// What velocity alone adds to accelerations: the rates of change of jt'v + d phi/dt, of
    /// normal'v + d gap/dt and of tangent'v along the motion with v constant. `joint` has n_joint
    /// numbers, `normal` n_contact, `tangent` n_contact n_dir.
    fn acceleration_terms(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        joint: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Answer {
        let _ = (t, q, v, joint, normal, tangent);
        Ok(())
    }

    /// The largest number of contacts that come and go at any point, beside those with a gap of
    /// their own; the same at every call. 0: [`contacts`](Self::contacts) is not asked.
    fn hosted(&self) -> usize {
        0
    }

    /// Contacts that come and go: pushes every one with a gap up to `margin`, and may push others. A contact keeps its key as long
    /// as it is the same for the model. Where one gap of several is enough they are all pushed and [joined](ContactSink::join).
    fn contacts(&self, t: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let _ = (t, q, margin, sink);
        Ok(())
    }

    /// Whether [`contacts`](Self::contacts) depend on q and the margin alone: an answer is then used again at the same place.
    fn contacts_by_place(&self) -> bool {
        false
    }

    /// Where in v the coordinates of each body begin, ascending from 0, for models made of bodies:
    /// contacts and joints touch few of them, and problems with many contacts are solved in blocks of
    /// this size. Empty where nothing is known; then the mass matrix tells. Asked while steppers are made.
    ///
    /// # Errors
    /// `Memory`.
    fn bodies(&self) -> Result<Vec<usize>> {
        Ok(Vec::new())
    }

    /// The speed of the fastest point that [`contacts`](Self::contacts) may be at, at the velocity `v`. `None` where that is not
    /// known: then the fastest coordinate counts, whether it goes or turns.
    fn fastest_point(&self, v: &[f64]) -> Option<f64> {
        let _ = v;
        None
    }

    /// Pairs of [`bodies`](Self::bodies), counted from 0, that masses or derivatives of forces couple; the first
    /// `n_element` are those that the gradient of each element touches, in their order; nothing in place of what is no body.
    /// Models that list pairs are asked for [`mass_blocks`](Self::mass_blocks),
    /// [`force_jac_blocks`](Self::force_jac_blocks) and [`gyroscopic_blocks`](Self::gyroscopic_blocks) where that spares
    /// squares of all velocities. `None`: everything may be coupled. Asked while steppers are made.
    ///
    /// # Errors
    /// `Memory`.
    fn couples(&self) -> Result<Option<Vec<[Option<usize>; 2]>>> {
        Ok(None)
    }

    /// [`mass`](Self::mass) with columns of the bodies that each is coupled with; zero when this is called.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    fn mass_blocks(&self, t: f64, q: &[f64], mass: &mut Blocked) -> Answer {
        self.mass(t, q, mass)
    }

    /// Derivatives of the force in such columns: `k` along displacements, `c` along velocities; zero when this is called.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    fn force_jac_blocks(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        k: &mut Blocked,
        c: &mut Blocked,
    ) -> Answer {
        let _ = (t, q, v, k, c);
        Ok(())
    }

    /// [`gyroscopic`](Self::gyroscopic) in such columns; zero when this is called.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    fn gyroscopic_blocks(&self, t: f64, q: &[f64], v: &[f64], k_c: &mut Blocked) -> Answer {
        let _ = (t, q, v, k_c);
        Ok(())
    }

    /// Whether answers depend on nothing but the arguments, and not on time: what rests is then not computed again.
    fn is_timeless(&self) -> bool {
        false
    }

    /// Whether joints or gaps may depend on time at fixed q. Models that say no spare the stepper
    /// the differences in time.
    fn constraints_move(&self) -> bool {
        true
    }

    /// The state a motion starts from unless told otherwise. Both are zero when this is called.
    fn initial(&self, q: &mut [f64], v: &mut [f64]) {
        let _ = (q, v);
    }

    /// Refuses numbers that are no position of this model, such as a quaternion of length zero,
    /// when the host sets a state. They are finite and as many as there should be.
    ///
    /// # Errors
    /// `Range` or `Value`, with the number at fault.
    fn check_position(&self, q: &[f64]) -> Result<()> {
        let _ = q;
        Ok(())
    }

    /// Friction coefficient of a contact, >= 0.
    fn mu(&self, contact: usize) -> f64 {
        let _ = contact;
        0.0
    }

    /// Restitution coefficient of a contact, in [0, 1].
    fn restitution(&self, contact: usize) -> f64 {
        let _ = contact;
        0.0
    }

    /// The host's name for a contact, given with events.
    fn key(&self, contact: usize) -> i64 {
        contact as i64
    }

    /// Whether questions may be answered with [`Refusal::Later`]. The stepper then asks as much as
    /// it can before it gives up.
    fn answers_later(&self) -> bool {
        false
    }

    /// The motion begins anew from a state that the host has set: answers kept from before may be
    /// stale.
    fn forget(&self) {}

    /// The model itself, for the room that made it and has more to do with it than to ask.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// A model asked with care: outputs cleared, answers tested, questions counted.
pub struct Checked<'a> {
    model: &'a dyn Model,
    /// Force evaluations so far.
    pub force_evals: u64,
    /// Whether missing answers stand as zeros for now, and the first of them.
    gathers: Cell<bool>,
    missing: Cell<Option<&'static str>>,
    /// Room for the elements of the model.
    lent: Option<&'a mut Elements>,
}

impl<'a> Checked<'a> {
    /// Asks `model`, counting from zero.
    pub fn new(model: &'a dyn Model) -> Self {
        let (gathers, missing) = (Cell::new(false), Cell::new(None));
        Self { model, force_evals: 0, gathers, missing, lent: None }
    }

    /// The same with room for elements, so that nothing is allocated.
    pub fn with(model: &'a dyn Model, elements: &'a mut Elements) -> Self {
        Self { lent: Some(elements), ..Self::new(model) }
    }

    /// The model itself.
    pub fn model(&self) -> &'a dyn Model {
        self.model
    }

    /// From now on, or no longer, answers that come later stand as zeros, until
    /// [`all_answered`](Self::all_answered) is asked. Gives what was so before.
    pub fn gather(&self, gathers: bool) -> bool {
        self.gathers.replace(gathers)
    }

    /// Whether no answer was missing since this was asked last.
    ///
    /// # Errors
    /// `Wanted`.
    pub fn all_answered(&self) -> Result<()> {
        self.missing.take().map_or(Ok(()), |what| Err(Error::Wanted { what }))
    }

    fn answered(&self, what: &'static str, answer: Answer) -> Result<()> {
        match answer {
            Ok(()) => Ok(()),
            Err(Refusal::Point(code)) => Err(Error::Rejected { what, code }),
            Err(Refusal::Stop(code)) => Err(Error::Callback { what, code }),
            Err(Refusal::Later) if self.gathers.get() => {
                self.missing.set(self.missing.get().or(Some(what)));
                Ok(())
            }
            Err(Refusal::Later) => Err(Error::Wanted { what }),
        }
    }

    /// [`Model::rate`].
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn rate(&self, t: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Result<()> {
        qdot.fill(0.0);
        self.answered("rate", self.model.rate(t, q, v, qdot))?;
        finite("qdot", qdot)
    }

    /// [`Model::displace`].
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn displace(&self, t: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Result<()> {
        moved.fill(0.0);
        self.answered("displace", self.model.displace(t, q, d, moved))?;
        finite("moved", moved)
    }

    /// [`Model::joint`]; not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Result<()> {
        if phi.is_empty() {
            return Ok(());
        }
        phi.fill(0.0);
        jt.fill(0.0);
        self.answered("joint", self.model.joint(t, q, phi, jt))?;
        finite("phi", phi)?;
        finite("jt", jt)
    }

    /// [`Model::acceleration_terms`].
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn acceleration_terms(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        joint: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Result<()> {
        joint.fill(0.0);
        normal.fill(0.0);
        tangent.fill(0.0);
        let answer = self.model.acceleration_terms(t, q, v, joint, normal, tangent);
        self.answered("accel", answer)?;
        finite("joint accel", joint)?;
        finite("normal accel", normal)?;
        finite("tangent accel", tangent)
    }
}
