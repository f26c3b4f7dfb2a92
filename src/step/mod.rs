//! Time steps: the motion of a [`Model`] through contact, impact, stick and slip. Knows no C and no
//! rigid body.
#![doc = include_str!("theory.md")]

mod adapt;
mod align;
mod assemble;
mod attempt;
mod brake;
mod branch;
mod capture;
mod check;
mod collide;
mod crowd;
mod damped;
mod decide;
mod dense;
mod doubled;
mod euler;
mod event;
mod first;
mod followed;
mod foresee;
mod geometry;
mod grow;
mod halves;
mod hold;
mod host;
mod implicit_euler;
mod impulses;
mod instant;
mod jacobian;
mod kept;
mod ledger;
mod left_out;
mod linear;
mod locate;
mod memory;
mod method;
mod missed;
mod modes;
mod moreau;
mod on_arrays;
mod options;
mod pairs;
mod patch;
mod plain;
mod report;
mod resolve;
mod rest;
mod rough;
mod rule;
mod run;
mod sample;
mod schatzman_paoli;
mod search;
mod slots;
mod snapshot;
mod springs;
mod stabilize;
mod state;
mod stats;
mod stewart_trinkle;
mod stop;
mod switch;
mod take_off;
mod terms;
mod trapezoid;
mod unlocated;
mod workspace;

pub use event::{Event, EventKind};
pub use instant::Forces;
pub use ledger::Ledger;
pub use on_arrays::{TrapezoidData, TrapezoidWork};
pub use options::{EventLevel, Jacobian, ManyContacts, MethodKind, Options, Stabilization};
pub use report::ContactState;
pub use stats::Stats;

use crate::error::{ALONE, Apart, Error, Result, finite, finite_number, length};
use crate::model::{Checked, Dims, Elements, Model, Parts};
use crate::tol;
use check::{check_brakes, check_model, positive, step_count};
use dense::Dense;
use event::EventLog;
use host::{Host, Scratch};
use ledger::Ledgers;
use memory::Bases;
use method::Method;
use options::Settings;
use run::Run;
use state::{Brake, Contact, State};
use std::sync::Arc;
use workspace::Workspace;

/// How a completed step or advance went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing happened on the way.
    Quiet,
    /// Something did: read the events.
    Eventful,
}

/// What a contact was last found to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMode {
    /// Not touching, or leaving.
    Open,
    /// Touching; nothing more is known yet.
    Touching,
    /// Closed, not slipping.
    Sticking,
    /// Closed and slipping; always so without friction.
    Slipping,
}

/// State and workspace of one motion. Belongs to one thread at a time; nothing is allocated after
/// [`Stepper::new`], except when more contacts come and go than at any time before.
///
/// ```
/// use std::sync::Arc;
/// use stiction::model::{Answer, Dims, Model};
/// use stiction::step::{EventKind, Options, Stepper};
///
/// /// A ball of 1 kg above the ground.
/// struct Ball;
/// impl Model for Ball {
///     fn dims(&self) -> Dims {
///         Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
///     }
///     fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
///         mass[0] = 1.0;
///         Ok(())
///     }
///     fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
///         force[0] = -2.0;
///         Ok(())
///     }
///     fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
///         gap[0] = q[0];
///         normal[0] = 1.0;
///         Ok(())
///     }
///     fn restitution(&self, _: usize) -> f64 {
///         0.5
///     }
/// }
///
/// let mut s = Stepper::new(Arc::new(Ball), &Options::default())?;
/// s.set_state(0.0, &[1.0], &[0.0])?;
/// s.advance(1.5, 0.1)?;
/// // It fell for one second and rebounded with half its speed of 2 m/s.
/// let hit = s.events()[0];
/// assert_eq!(hit.kind, EventKind::Impact);
/// assert!((hit.t - 1.0).abs() < 1e-12 && (hit.speed_after - 1.0).abs() < 1e-12);
/// # Ok::<(), stiction::Error>(())
/// ```
pub struct Stepper {
    model: Arc<dyn Model>,
    dims: Dims,
    options: Options,
    settings: Settings,
    method: &'static dyn Method,
    state: State,
    /// The state a step works on; it becomes `state` when the step succeeds.
    trial: State,
    bases: Bases,
    work: Apart<Workspace>,
    scratch: Scratch,
    /// Room for the elements of the model.
    elements: Elements,
    events: EventLog,
    /// The pieces of the last step, and of the one under way.
    dense: Dense,
    dense_trial: Dense,
    stats: Stats,
    rest: rest::Rest,
    /// For steps that are taken back, when tolerances decide their lengths.
    kept: Option<kept::Kept>,
}

impl Stepper {
    /// A stepper for `model` at t = 0 and the model's [`initial`](Model::initial) state.
    ///
    /// # Errors
    /// `Value` for options this version does not have, and for brakes with a Runge-Kutta method, `Range` and `NonFinite` for numbers,
    /// `Dimension` for a model with nq != nv and no rate, `Memory`.
    pub fn new(model: Arc<dyn Model>, options: &Options) -> Result<Self> {
        let dims = model.dims();
        check_model(&*model, &dims)?;
        let hosted = model.hosted();
        let slots = slots::most(hosted).min(slots::FIRST);
        let settings = options.resolve(dims.n_contact + hosted)?;
        check_brakes(&dims, settings.method)?;
        let room = grow::with_slots(&dims, slots);
        let work = grow::workspace(&*model, &room, options, &settings)?;
        let bodies = model.bodies()?;
        let parts = Parts::new(&*model, &bodies)?;
        let mut state = State::new(&room, slots)?;
        model.initial(&mut state.q, &mut state.v);
        finite("q", &state.q)?;
        finite("v", &state.v)?;
        Ok(Self {
            state,
            trial: State::new(&room, slots)?,
            bases: Bases::new(workspace::unknowns(&room))?,
            work,
            scratch: Scratch::new(&room, dims.n_contact, hosted, (&bodies, &parts))?,
            elements: parts.elements(&dims)?,
            options: *options,
            method: rule::of(settings.method)?,
            events: EventLog::new(settings.event_capacity)?,
            dense: Dense::new(&dims, &settings)?,
            dense_trial: Dense::new(&dims, &settings)?,
            stats: Stats::default(),
            rest: rest::Rest::new(&room)?,
            kept: if settings.adapts() { Some(kept::Kept::new(&room, slots)?) } else { None },
            settings,
            dims,
            model,
        })
    }

    /// The model.
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// Sizes of the model.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Time.
    pub fn t(&self) -> f64 {
        self.state.t
    }

    /// Position.
    pub fn q(&self) -> &[f64] {
        &self.state.q
    }

    /// Velocity.
    pub fn v(&self) -> &[f64] {
        &self.state.v
    }

    /// Events of the last step or advance, in order of time, contact, kind.
    pub fn events(&self) -> &[Event] {
        self.events.kept()
    }

    /// Counters since creation.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Puts the motion at (t, q, v). Forgets events, modes, energies, impulses and the remembered
    /// bases, keeps the counters.
    ///
    /// # Errors
    /// `Dimension`, `NonFinite`; those of [`Model::check_position`]. Nothing changes then.
    pub fn set_state(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<()> {
        length("q", q, self.dims.nq)?;
        length("v", v, self.dims.nv)?;
        finite_number("t", t)?;
        finite("q", q)?;
        finite("v", v)?;
        self.model.check_position(q)?;
        self.rest.end();
        self.state.t = t;
        self.state.h = 0.0;
        self.state.q.copy_from_slice(q);
        self.state.v.copy_from_slice(v);
        self.state.contacts.fill(Contact::NEW);
        self.state.brakes.fill(Brake::NEW);
        self.state.slots.clear();
        self.state.stale = true;
        self.state.fresh = true;
        self.state.damp = damped::SUB_STEPS;
        self.state.impacts_here = 0;
        self.state.crowd = 0;
        self.state.ledger = Ledgers::default();
        self.state.forget_step();
        self.state.h_before = 0.0;
        self.bases.clear();
        self.events.clear();
        self.dense.clear();
        self.ask_again();
        self.model.forget();
        Ok(())
    }

    /// One step, to t + h exactly, events resolved inside; with the option `stop_at_event` to the
    /// first event, if there is one.
    ///
    /// # Errors
    /// `NonFinite` and `Range` for h; `StepTooSmall` when t + h = t; those of the model and of the
    /// solvers. State, events and counters are then as before, but for `rejected`.
    pub fn step(&mut self, h: f64) -> Result<Outcome> {
        positive("h", h)?;
        let t = self.state.t;
        // exact: time does not move
        if t + h == t {
            self.stats.rejected += 1;
            return Err(attempt::too_short_for(t, h));
        }
        self.attempt_of(self.length(h, t + h), t + h, true)
    }

    /// To `t_end`. With a tolerance in the options the stepper chooses its steps, and h is the first
    /// try. Else steps of h: step k ends at t + k h, the last one at `t_end` exactly. The number
    /// of steps is (t_end - t)/h when that is an integer to 1e-9, else the next larger integer.
    /// Stops at events only with the option `stop_at_event`.
    ///
    /// # Errors
    /// As [`step`](Self::step), and `Range` for `t_end` before t. The last completed step stands.
    pub fn advance(&mut self, t_end: f64, h: f64) -> Result<Outcome> {
        positive("h", h)?;
        finite_number("t_end", t_end)?;
        let t0 = self.state.t;
        if t_end < t0 {
            let must = "not before the present time";
            return Err(Error::Range { what: "t_end", index: ALONE, value: t_end, must });
        }
        if self.kept.is_some() {
            return self.advance_adaptively(t_end, h);
        }
        let n = step_count(t0, t_end, h)?;
        self.events.clear();
        let mut outcome = Outcome::Quiet;
        for k in 1..=n {
            let end = if k == n { t_end } else { t0 + k as f64 * h };
            if self.attempt_of(self.length(h, end), end, false)? == Outcome::Eventful {
                outcome = Outcome::Eventful;
                if self.settings.stop_at_event {
                    break;
                }
            }
        }
        Ok(outcome)
    }

    /// Number of bytes [`save`](Self::save) writes.
    pub fn saved_size(&self) -> usize {
        snapshot::size(&self.dims, &self.settings, &self.state, &self.bases, &self.stats)
    }

    /// Writes the state, with everything that the following steps depend on, and gives the number
    /// of bytes. Events and the model are not part of it.
    ///
    /// # Errors
    /// `Capacity`; `buf` is untouched then.
    pub fn save(&self, buf: &mut [u8]) -> Result<usize> {
        snapshot::write(buf, &self.dims, &self.settings, &self.state, &self.bases, &self.stats)
    }

    /// Takes up a saved state: the following steps give the same bits as after [`save`](Self::save), for the
    /// same model and options but `stop_at_event` and `event_capacity`. Forgets events.
    ///
    /// # Errors
    /// `Value` for bytes that are not a whole snapshot and for one of other options,
    /// `SnapshotVersion`, `Dimension` for another model, `Memory`. Nothing changes then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<()> {
        self.make_room_for(bytes)?;
        let set = &self.settings;
        self.stats = snapshot::read(bytes, &self.dims, set, &mut self.trial, &mut self.bases)?;
        self.ask_again();
        self.rest.end();
        std::mem::swap(&mut self.state, &mut self.trial);
        self.events.clear();
        self.dense.clear();
        self.model.forget();
        Ok(())
    }

    /// Drops what the model said about the present state: after a failure, or when the state is
    /// set, the host may have mended something.
    fn ask_again(&mut self) {
        self.work.start.forget();
        self.work.there.forget();
    }

    /// Goes back to the model's own friction directions.
    fn turn_back(&mut self) {
        // exact: zero stands for the host's own directions
        if self.scratch.turns.iter().any(|&x| x != 0.0) {
            self.scratch.turns.fill(0.0);
            self.ask_again();
        }
    }

    /// A step of length `h` to `end` on the trial state, about to begin. Its slots are with `scratch`.
    fn under_way(&mut self, end: f64, h: f64) -> Run<'_> {
        let set = &self.settings;
        let margin = set.margin(h, &self.state, &*self.model);
        let projects = set.stabilization == Stabilization::Project;
        let cubic = set.active_gap_h3 * h * h * h;
        // Steps that shrink to an event leave rounding only of differences in time.
        let calm = self.kept.as_ref().map_or(0.0, |kept| kept.calm);
        let active_gap = if self.trial.fresh { set.active_gap } else { set.moving_gap };
        Run {
            host: Host {
                asked: Checked::with(&*self.model, &mut self.elements),
                dims: grow::with_slots(&self.dims, self.scratch.slots.len()),
                fixed: self.dims.n_contact,
                margin,
                admits: true,
                scratch: &mut self.scratch,
                dt: tol::TIME_DIFFERENCE * h.max(tol::CALM * calm),
                length: set.length,
            },
            set,
            method: self.method,
            state: &mut self.trial,
            w: &mut self.work,
            events: &mut self.events,
            dense: &mut self.dense_trial,
            stats: self.stats,
            t_end: end,
            whole: (self.state.t, end),
            h_grid: h,
            instant: tol::INSTANT * h,
            a_scale: 0.0,
            v_zero: 0.0,
            gap_zero: active_gap.max(cubic),
            impacts: 0,
            repeats: 0,
            repeated: f64::NAN,
            arrivals: 0,
            capped: false,
            deepest: 0.0,
            changed_at: None,
            projects,
            projects_velocity: projects && self.method.projects_velocity(),
        }
    }
}
