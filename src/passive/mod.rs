//! A model fed by its host: no function of the host is called, the host answers requests. Knows
//! models and steps, no C.
//!
//! A step asks; what has no answer yet becomes a request, and the attempt ends without a trace. The
//! host answers and lets the step try again: it repeats itself to the last bit, finds the answers
//! and comes further, until it is done. So whatever a step does is possible this way, the location
//! of impacts, stick, slip and take-off included, and the result has the bits that the same answers
//! would have given at once.
//!
//! ```
//! use std::sync::Arc;
//! use stiction::model::Dims;
//! use stiction::passive::{Options, Passive, Progress, Quantities, Quantity, step};
//! use stiction::step::Stepper;
//!
//! // A ball of 1 kg above the ground: the sizes, and what there is besides what they demand.
//! let dims = Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() };
//! let gives = Quantities::of(&[Quantity::Force]);
//! let options = Options { gives, restitution: vec![0.5], ..Options::default() };
//! let model = Arc::new(Passive::new(dims, &options)?);
//! let mut s = Stepper::new(model.clone(), &stiction::step::Options::default())?;
//! s.set_state(0.0, &[1.0], &[0.0])?;
//! while s.t() < 1.5 {
//!     while step(&mut s, 0.125)? == Progress::Wanted {
//!         for i in 0..model.request_count() {
//!             let (mut q, mut v) = ([0.0], [0.0]);
//!             let (wanted, _t) = model.request(i, &mut q, &mut v)?;
//!             for quantity in wanted.members() {
//!                 let answer = match quantity {
//!                     Quantity::Mass | Quantity::Normal => 1.0,
//!                     Quantity::Force => -2.0,
//!                     _ => q[0],
//!                 };
//!                 model.put(i, quantity, &[answer])?;
//!             }
//!         }
//!     }
//! }
//! // It fell for one second and rebounded with half its speed of 2 m/s.
//! assert!((s.q()[0] - (0.5 - 0.25)).abs() < 1e-12);
//! # Ok::<(), stiction::Error>(())
//! ```

mod answers;
mod quantity;
mod store;

pub use quantity::{Quantities, Quantity};

use crate::contact::{check_friction, check_restitution};
use crate::error::{Error, Result, length, told};
use crate::model::{Dims, Model};
use crate::step::{Outcome, Stepper};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::Store;

/// Points held at a time unless told otherwise: five times the most that a located event was seen
/// to ask for, a change of force bracketed over a long step.
pub const POINTS: usize = 1024;

/// What a model that gives accelerations gives.
const ACCELERATIONS: [Quantity; 3] =
    [Quantity::JointAccel, Quantity::NormalAccel, Quantity::TangentAccel];

/// What a passive model is made with. Empty lists stand for zeros.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the host gives besides the mass and what the sizes demand: of force, dfdq with dfdv,
    /// rate, moved, and the accelerations, any of which stands for all.
    pub gives: Quantities,
    /// Joints or gaps depend on time at fixed q. Asks for three times as much.
    pub moving: bool,
    /// Points held at a time; 0: [`POINTS`].
    pub points: usize,
    /// Friction coefficients.
    pub mu: Vec<f64>,
    /// Restitution coefficients.
    pub restitution: Vec<f64>,
}

/// How far a step has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Done.
    Done(Outcome),
    /// Answers are wanted: read the requests.
    Wanted,
}

/// A model whose host answers requests. The answers belong to one motion: a second stepper takes a
/// model of its own, from [`fresh`](Passive::fresh).
#[derive(Debug)]
pub struct Passive {
    dims: Dims,
    gives: Quantities,
    moving: bool,
    mu: Vec<f64>,
    restitution: Vec<f64>,
    store: Mutex<Store>,
}

impl Passive {
    /// A model of these sizes.
    ///
    /// # Errors
    /// `Value` for an odd n_dir, friction without directions, elements, or one of dfdq and dfdv; `Range`,
    /// `NonFinite` and `Dimension` for coefficients; `Dimension` for nq != nv without a rate;
    /// `Memory`.
    pub fn new(dims: Dims, options: &Options) -> Result<Self> {
        use Quantity::{Brake, BrakeBound, Dfdq, Dfdv, Gap, Jt, Mass, Normal, Phi, Rate, Tangent};
        let accelerations = Quantities::of(&ACCELERATIONS);
        let demanded = Quantities::of(&[Mass, Phi, Jt, Gap, Normal, Tangent, BrakeBound, Brake]);
        let mut gives = options.gives.with(demanded);
        if !gives.and(accelerations).is_empty() {
            gives = gives.with(accelerations);
        }
        if gives.contains(Dfdq) != gives.contains(Dfdv) {
            let got = if gives.contains(Dfdq) { "dfdq alone" } else { "dfdv alone" };
            let must = "with both derivatives of the force or none";
            return Err(Error::Value { what: "gives", got: got.into(), must });
        }
        if dims.nq != dims.nv && !gives.contains(Rate) {
            let expected = told(format_args!("nv = {} for a model without rate", dims.nv));
            return Err(Error::Dimension { what: "nq", got: dims.nq as i64, expected });
        }
        if dims.n_dir % 2 == 1 {
            let got = told(dims.n_dir);
            return Err(Error::Value { what: "n_dir", got, must: "even" });
        }
        if dims.n_element > 0 {
            let got = told(dims.n_element);
            return Err(Error::Value { what: "n_element", got, must: "0 for pushed arrays" });
        }
        for empty in gives.members().filter(|q| q.len_in(&dims) == 0) {
            gives = gives.without(Quantities::of(&[empty]));
        }
        let points = if options.points == 0 { POINTS } else { options.points };
        // First, so that sizes beyond memory fail before a page of it is touched.
        let store = Mutex::new(Store::new(&dims, gives, points)?);
        let mu = coefficients("mu", &options.mu, dims.n_contact)?;
        let restitution = coefficients("restitution", &options.restitution, dims.n_contact)?;
        check_friction(&mu, dims.n_contact)?;
        check_restitution(&restitution, dims.n_contact)?;
        if let Some(i) = mu.iter().position(|&x| x > 0.0 && dims.n_dir == 0) {
            let must = "0 without friction directions";
            return Err(Error::Range { what: "mu", index: i, value: mu[i], must });
        }
        Ok(Self { dims, gives, moving: options.moving, mu, restitution, store })
    }

    /// The same model for another stepper, with no answers.
    ///
    /// # Errors
    /// `Memory`.
    pub fn fresh(&self) -> Result<Self> {
        let n = self.dims.n_contact;
        Ok(Self {
            dims: self.dims,
            gives: self.gives,
            moving: self.moving,
            mu: coefficients("mu", &self.mu, n)?,
            restitution: coefficients("restitution", &self.restitution, n)?,
            store: Mutex::new(Store::new(&self.dims, self.gives, self.store().most())?),
        })
    }

    /// The passive model behind a model, if it is one.
    pub fn behind(model: &dyn Model) -> Option<&Self> {
        model.as_any()?.downcast_ref()
    }

    /// Nothing that could panic half way happens under the lock.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of requests after a step that returned [`Progress::Wanted`].
    pub fn request_count(&self) -> usize {
        self.store().request_count()
    }

    /// Request `i`: what it asks for, its time, and its point into `q` and `v`. `v` is the
    /// displacement where [`Quantity::Moved`] is asked for, zero where nothing depends on it.
    ///
    /// # Errors
    /// `Dimension` for wrong lengths or a request that there is not; nothing is written then.
    pub fn request(&self, i: usize, q: &mut [f64], v: &mut [f64]) -> Result<(Quantities, f64)> {
        length("q", q, self.dims.nq)?;
        length("v", v, self.dims.nv)?;
        let store = self.store();
        let (what, t, q_there, v_there) = store.read(i)?;
        q.copy_from_slice(q_there);
        v.copy_from_slice(v_there);
        Ok((what, t))
    }

    /// Answers one quantity of request `i`; again, to correct it before the step goes on.
    ///
    /// # Errors
    /// `Dimension` for a request that there is not, or a wrong length; `Value` for a quantity that
    /// it does not ask for; `NonFinite`. Nothing changes then.
    pub fn put(&self, i: usize, quantity: Quantity, values: &[f64]) -> Result<()> {
        self.store().put(i, quantity, values)
    }

    /// Forgets requests and answers: the host refuses a point, or has changed what it would answer.
    /// The state is that before the step. Setting the state does so too.
    pub fn cancel(&self) {
        self.store().clear();
    }
}

/// A copy of `values`, `n` zeros when there are none.
fn coefficients(what: &'static str, values: &[f64], n: usize) -> Result<Vec<f64>> {
    if !values.is_empty() {
        length(what, values, n)?;
    }
    let mut copy = crate::error::reserve(n)?;
    copy.extend_from_slice(values);
    copy.resize(n, 0.0);
    Ok(copy)
}

/// One step of a stepper with a passive model, as far as the answers go: call it again with the
/// same `h` once all requests are answered.
///
/// # Errors
/// `Value` when the model is not passive, `Unanswered`, `Capacity` when the step asks for more
/// points than there is room for, and those of [`Stepper::step`]. The state is then the one before.
pub fn step(s: &mut Stepper, h: f64) -> Result<Progress> {
    let model = Arc::clone(s.model());
    let passive = Passive::behind(&*model).ok_or_else(|| Error::Value {
        what: "model",
        got: "one that answers by itself".into(),
        must: "passive, or stepped in the ordinary way",
    })?;
    // A length that cannot be is refused by the step itself, and the one under way goes on.
    if h.is_finite() && h > 0.0 {
        let mut store = passive.store();
        store.check_answered()?;
        store.open = true;
    }
    let done = s.step(h);
    let mut store = passive.store();
    if !std::mem::replace(&mut store.open, false) {
        return done.map(Progress::Done);
    }
    match done {
        Err(Error::Wanted { .. }) if !store.full => {
            store.ask();
            Ok(Progress::Wanted)
        }
        Err(Error::Wanted { .. }) => {
            let have = store.most();
            store.clear();
            Err(Error::Capacity { what: "the points of a step", needed: have + 1, have })
        }
        Ok(outcome) => {
            store.keep_at(s.q());
            Ok(Progress::Done(outcome))
        }
        Err(e) => {
            // The host may mend something before it tries again.
            store.clear();
            Err(e)
        }
    }
}
