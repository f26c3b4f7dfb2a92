//! What can be chosen about a stepper, and what each method takes when nothing is chosen. Knows no
//! numerics.

use super::capture;
use crate::error::{ALONE, Error, Result, told};
use crate::impact::Law;
use crate::tol;

/// The methods, with the numbers they have in the C interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodKind {
    /// Anitescu and Potra 1997.
    Euler = 1,
    /// Stewart and Trinkle 1996, position level.
    StewartTrinkle = 2,
    /// Anitescu and Potra 2002, linearly implicit.
    ImplicitEuler = 3,
    /// Linearly implicit trapezoidal rule, mixed scheme: the default.
    Trapezoid = 4,
    /// The same, scheme I of Potra, Anitescu, Gavrea and Trinkle 2006.
    TrapezoidI = 5,
    /// The same, scheme II.
    TrapezoidII = 6,
    /// Moreau's rule.
    Moreau = 7,
    /// Schatzman and Paoli.
    SchatzmanPaoli = 8,
    /// Event-capturing Runge-Kutta from here on; order two.
    LobattoIIIA2 = 20,
    /// Order four.
    LobattoIIIA4 = 21,
    /// Order six.
    LobattoIIIA6 = 22,
    /// Order three.
    RadauIIA3 = 23,
    /// Order five.
    RadauIIA5 = 24,
    /// Half-explicit, order two.
    HalfExplicit2 = 25,
    /// Half-explicit, order four.
    HalfExplicit4 = 26,
}

impl MethodKind {
    /// The method with the number `code`.
    ///
    /// # Errors
    /// `Value` for a number that names none.
    pub fn from_code(code: i32) -> Result<Self> {
        use MethodKind::*;
        let all = [
            Euler,
            StewartTrinkle,
            ImplicitEuler,
            Trapezoid,
            TrapezoidI,
            TrapezoidII,
            Moreau,
            SchatzmanPaoli,
            LobattoIIIA2,
            LobattoIIIA4,
            LobattoIIIA6,
            RadauIIA3,
            RadauIIA5,
            HalfExplicit2,
            HalfExplicit4,
        ];
        all.into_iter().find(|&m| m as i32 == code).ok_or_else(|| Error::Value {
            what: "method",
            got: told(code),
            must: "the number of a method",
        })
    }

    /// Events, impact law and stabilization that suit the method.
    pub fn suits(self) -> (EventLevel, Law, Stabilization) {
        use MethodKind::*;
        match self {
            Trapezoid | TrapezoidI | TrapezoidII => {
                (EventLevel::All, Law::Poisson, Stabilization::Project)
            }
            Euler | ImplicitEuler => (EventLevel::Collisions, Law::Poisson, Stabilization::None),
            StewartTrinkle => (EventLevel::None, Law::Plastic, Stabilization::None),
            Moreau | SchatzmanPaoli => (EventLevel::None, Law::Newton, Stabilization::None),
            _ => (EventLevel::All, Law::Newton, Stabilization::Project),
        }
    }
}

/// What is located inside a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventLevel {
    /// Nothing: time stepping only.
    None = 0,
    /// Impacts.
    Collisions = 1,
    /// Impacts, stick, slip and take-off.
    All = 2,
}

/// How the drift of joints and closed gaps is kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilization {
    /// It is not.
    None = 0,
    /// By terms in the constraint rows, (step.12).
    Velocity = 1,
    /// By projection of positions and velocities, (step.13) and (step.14); of positions alone for
    /// scheme I.
    Project = 2,
}

/// How the derivatives of the force enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jacobian {
    /// Those of the model, else differences; the definite part of them where the whole would make
    /// the matrix of the step indefinite.
    Differences = 0,
    /// Those of the model, else none: the rule becomes explicit in the force.
    Explicit = 1,
    /// Their definite part only.
    Definite = 2,
}

/// How problems with many contacts are solved. The answer satisfies the same conditions in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ManyContacts {
    /// In the space of bodies, contacts inside of patches left out where friction has no say in it. Patches
    /// of more than eight are left out of steps as well: such contacts have no impulse and no events.
    #[default]
    Safe = 0,
    /// In the space of bodies, with all contacts.
    Full = 1,
    /// Contacts inside of patches left out even where a patch spins: another share of friction torque.
    Aggressive = 2,
    /// By Lemke's method alone.
    Lemke = 3,
}

/// Choices for a stepper. `None` means what suits the method, see [`MethodKind::suits`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Default [`MethodKind::Trapezoid`].
    pub method: MethodKind,
    /// What is located.
    pub events: Option<EventLevel>,
    /// How contacts rebound.
    pub impact_law: Option<Law>,
    /// How drift is kept small.
    pub stabilization: Option<Stabilization>,
    /// Events per step, then plain stepping to its end; 0: 10 + 4 per contact that is there, and 200 + 4
    /// for Runge-Kutta methods, which follow accumulations further. Of contacts that come and go those
    /// count that have come. Unless a number is given, steps that meet a crowd are made without locating events, (step.75).
    pub max_events: usize,
    /// Pivots per complementarity problem; 0: automatic.
    pub max_pivots: usize,
    /// Derivatives of the force.
    pub jacobian: Jacobian,
    /// The law used when an impact would create energy: [`Law::Plastic`] or [`Law::Reflection`].
    pub energy_fallback: Law,
    /// Events kept per step or advance, later ones are counted; 0: 1024.
    pub event_capacity: usize,
    /// Size of the scene, m; 0: 1.
    pub length_scale: f64,
    /// Gap up to which a contact touches, m; 0: 1e-9 length_scale, for Runge-Kutta methods 1e-12
    /// length_scale from the second step on.
    pub active_gap: f64,
    /// The same, per h^3; the larger counts.
    pub active_gap_h3: f64,
    /// Approach speed below which restitution counts as 0, m/s; 0: only the closing rule.
    pub restitution_speed: f64,
    /// A flight shorter than this part of the step is closed; 0: 0.01, for Runge-Kutta methods of
    /// order p its power p/2.
    pub closing: f64,
    /// The constant C of algorithm 1 of AC09, in s^-p, for Runge-Kutta methods of order p: collisions
    /// are passed by a step of C h^(p+1) of Moreau's rule, 1e-9 h at least. 0: they are located to
    /// rounding.
    pub critical: f64,
    /// Least distance up to which contacts that come and go are asked for, m; the way of a step is
    /// added to it, (step.61). 0: 0.01 length_scale.
    pub contact_margin: f64,
    /// Residual of complementarity problems; 0: 1e-9.
    pub lcp_tolerance: f64,
    /// Moreau's theta.
    pub theta: f64,
    /// Moreau's forecast.
    pub gamma: f64,
    /// Two linearly implicit Euler sub-steps after an impact or a start that excites a stiff damper,
    /// for the trapezoidal rules.
    pub damping_steps: bool,
    /// Absolute tolerance of step-size control; 0: none.
    pub abs_tol: f64,
    /// Relative tolerance of step-size control; 0: none.
    pub rel_tol: f64,
    /// Longest step that a run by tolerances takes, s; 0: any.
    pub max_step: f64,
    /// Steps that a run by tolerances tries at most, per advance; 0: any number.
    pub max_steps: u64,
    /// A step or advance ends at the first event, resolved. It may be where it began. Slip and
    /// take-off by a change of force are followed until the acceleration shows them.
    pub stop_at_event: bool,
    /// How problems with many contacts are solved.
    pub many_contacts: ManyContacts,
    /// Threads that share independent islands of contacts; 0 or 1: the calling one alone. Others take memory in every step.
    pub island_threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: MethodKind::Trapezoid,
            events: None,
            impact_law: None,
            stabilization: None,
            max_events: 0,
            max_pivots: 0,
            jacobian: Jacobian::Differences,
            energy_fallback: Law::Plastic,
            event_capacity: 0,
            length_scale: 0.0,
            active_gap: 0.0,
            active_gap_h3: 0.0,
            restitution_speed: 0.0,
            closing: 0.0,
            critical: 0.0,
            contact_margin: 0.0,
            lcp_tolerance: 0.0,
            theta: 0.5,
            gamma: 0.5,
            damping_steps: true,
            abs_tol: 0.0,
            rel_tol: 0.0,
            max_step: 0.0,
            max_steps: 0,
            stop_at_event: false,
            many_contacts: ManyContacts::default(),
            island_threads: 0,
        }
    }
}

/// Options with every default filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub method: MethodKind,
    pub damping_steps: bool,
    pub events: EventLevel,
    pub law: Law,
    pub stabilization: Stabilization,
    /// Never more events in a step than this.
    pub max_events: usize,
    /// Where nothing was asked for, this many and four per contact that is there.
    pub events_by_contact: Option<usize>,
    pub jacobian: Jacobian,
    pub energy_fallback: Law,
    pub event_capacity: usize,
    pub length: f64,
    pub active_gap: f64,
    pub active_gap_h3: f64,
    /// The active gap of a motion under way, when it is not the one of its start.
    pub moving_gap: f64,
    pub restitution_speed: f64,
    pub closing: f64,
    pub critical: f64,
    pub stop_at_event: bool,
    pub contact_margin: f64,
    pub theta: f64,
    pub gamma: f64,
    pub lcp_tolerance: f64,
    pub max_pivots: usize,
    pub abs_tol: f64,
    pub rel_tol: f64,
    pub max_step: f64,
    pub max_steps: u64,
    pub many_contacts: ManyContacts,
}

impl Settings {
    /// Everything that the motion depends on, by name, as a snapshot holds it. Where a host stops on the
    /// way and how many events it wants to read are its own affair.
    pub(super) fn marks(&self) -> [(&'static str, u64); 22] {
        [
            ("method", self.method as u64),
            ("events", self.events as u64),
            ("impact_law", self.law as u64),
            ("stabilization", self.stabilization as u64),
            // What is automatic follows the model, which is compared by its sizes.
            ("max_events", self.events_by_contact.map_or(self.max_events as u64, |_| 0)),
            ("max_pivots", self.max_pivots as u64),
            ("jacobian", self.jacobian as u64),
            ("energy_fallback", self.energy_fallback as u64),
            ("length_scale", self.length.to_bits()),
            ("active_gap", self.active_gap.to_bits()),
            ("active_gap_h3", self.active_gap_h3.to_bits()),
            ("restitution_speed", self.restitution_speed.to_bits()),
            ("closing", self.closing.to_bits()),
            ("critical", self.critical.to_bits()),
            ("lcp_tolerance", self.lcp_tolerance.to_bits()),
            ("theta", self.theta.to_bits()),
            ("gamma", self.gamma.to_bits()),
            ("damping_steps", u64::from(self.damping_steps)),
            ("abs_tol", self.abs_tol.to_bits()),
            ("rel_tol", self.rel_tol.to_bits()),
            ("contact_margin", self.contact_margin.to_bits()),
            ("many_contacts", self.many_contacts as u64),
        ]
    }

    /// What a coordinate of this size may err by.
    pub(super) fn tolerance(&self, size: f64) -> f64 {
        self.abs_tol + self.rel_tol * size.max(tol::SMALL_COORDINATE * self.length)
    }

    /// Whether tolerances decide the lengths of steps.
    pub(super) fn adapts(&self) -> bool {
        self.abs_tol > 0.0 || self.rel_tol > 0.0
    }
}

impl Options {
    /// Fills in the defaults for a model with `n_contact` contacts.
    ///
    /// # Errors
    /// `NonFinite` and `Range` for numbers, `Value` for what this version does not do.
    pub(super) fn resolve(&self, n_contact: usize) -> Result<Settings> {
        self.check()?;
        let (events, law, stabilization) = self.method.suits();
        self.check_method()?;
        let or = |x: f64, default: f64| if x > 0.0 { x } else { default };
        let length = or(self.length_scale, 1.0);
        let active_gap = or(self.active_gap, tol::ACTIVE_GAP * length);
        // What is good enough for a rule of second order would be the error of a high one.
        let order = capture::order(self.method);
        let moving_gap = if order.is_some() { tol::MOVING_GAP * length } else { active_gap };
        let closing = order.map_or(tol::CLOSING, |p| tol::CLOSING.powf(0.5 * f64::from(p)));
        let events_default = if order.is_some() { 200 } else { 10 };
        Ok(Settings {
            method: self.method,
            damping_steps: self.damping_steps,
            events: self.events.unwrap_or(events),
            law: self.impact_law.unwrap_or(law),
            stabilization: self.stabilization.unwrap_or(stabilization),
            max_events: if self.max_events > 0 {
                self.max_events
            } else {
                events_default + 4 * n_contact
            },
            events_by_contact: (self.max_events == 0).then_some(events_default),
            jacobian: self.jacobian,
            energy_fallback: self.energy_fallback,
            event_capacity: if self.event_capacity > 0 { self.event_capacity } else { 1024 },
            length,
            active_gap,
            moving_gap: or(self.active_gap, moving_gap),
            active_gap_h3: self.active_gap_h3,
            restitution_speed: self.restitution_speed,
            closing: or(self.closing, closing),
            critical: self.critical,
            stop_at_event: self.stop_at_event,
            contact_margin: or(self.contact_margin, tol::MARGIN * length),
            theta: self.theta,
            gamma: self.gamma,
            lcp_tolerance: self.lcp_tolerance,
            max_pivots: self.max_pivots,
            abs_tol: self.abs_tol,
            rel_tol: self.rel_tol,
            max_step: self.max_step,
            max_steps: self.max_steps,
            many_contacts: self.many_contacts,
        })
    }

    /// Refuses what a method cannot combine: a rule on positions has no impacts to locate and no
    /// drift to correct, a law inside the steps is Newton's or plastic.
    fn check_method(&self) -> Result<()> {
        if self.critical > 0.0 && capture::order(self.method).is_none() {
            let got = told(format_args!("{:e}", self.critical));
            return Err(Error::Value { what: "critical", got, must: "0 without stages" });
        }
        let located = self.events.is_some_and(|e| e != EventLevel::None);
        let inside = match self.method {
            MethodKind::StewartTrinkle => &[Law::Plastic][..],
            MethodKind::SchatzmanPaoli => &[Law::Plastic, Law::Newton],
            MethodKind::Moreau if !located => &[Law::Plastic, Law::Newton],
            _ => return Ok(()),
        };
        if let Some(law) = self.impact_law.filter(|law| !inside.contains(law)) {
            let must = if inside.len() == 1 {
                "plastic for this rule on positions"
            } else {
                "Newton's or plastic inside a step; locate events for others"
            };
            let got = told(format_args!("{law:?}"));
            return Err(Error::Value { what: "impact_law", got, must });
        }
        if self.method == MethodKind::Moreau { Ok(()) } else { self.check_position_level() }
    }

    fn check_position_level(&self) -> Result<()> {
        let must = "none for a rule on positions";
        if let Some(level @ (EventLevel::Collisions | EventLevel::All)) = self.events {
            let got = told(format_args!("{level:?}"));
            return Err(Error::Value { what: "events", got, must });
        }
        match self.stabilization {
            None | Some(Stabilization::None) => Ok(()),
            Some(other) => {
                let got = told(format_args!("{other:?}"));
                Err(Error::Value { what: "stabilization", got, must })
            }
        }
    }

    fn check(&self) -> Result<()> {
        for (what, value) in [
            ("length_scale", self.length_scale),
            ("active_gap", self.active_gap),
            ("active_gap_h3", self.active_gap_h3),
            ("restitution_speed", self.restitution_speed),
            ("closing", self.closing),
            ("critical", self.critical),
            ("contact_margin", self.contact_margin),
            ("lcp_tolerance", self.lcp_tolerance),
            ("theta", self.theta),
            ("gamma", self.gamma),
            ("abs_tol", self.abs_tol),
            ("rel_tol", self.rel_tol),
            ("max_step", self.max_step),
        ] {
            if !value.is_finite() {
                return Err(Error::NonFinite { what, index: ALONE, value });
            }
            if value < 0.0 {
                return Err(Error::Range { what, index: ALONE, value, must: ">= 0" });
            }
        }
        for (what, value) in [("theta", self.theta), ("gamma", self.gamma)] {
            if value > 1.0 {
                return Err(Error::Range { what, index: ALONE, value, must: "between 0 and 1" });
            }
        }
        if !matches!(self.energy_fallback, Law::Plastic | Law::Reflection) {
            let got = told(format_args!("{:?}", self.energy_fallback));
            let must = "plastic or reflection";
            return Err(Error::Value { what: "energy_fallback", got, must });
        }
        Ok(())
    }
}
