//! What can be chosen about a stepper, in C.

use super::impact::law;
use super::sized::{SizedOut, sized_struct};
use super::status::{Fault, stn_status};
use super::{guard, ptr::Arrays, ptr::count};
use crate::impact::Law;
use crate::step::{EventLevel, Jacobian, ManyContacts, MethodKind, Options, Stabilization};

/// Methods. The comments name the papers: AP97, AP02 Anitescu and Potra; ST96 Stewart and Trinkle;
/// PAGT06 Potra, Anitescu, Gavrea and Trinkle; AC09 Acary. After the order: what is located inside
/// steps, and the law of impact, unless other options are set. Changing the method thus changes the law:
/// from TRAPEZOID to a Runge-Kutta method it is Newton's in place of Poisson's, which differ where
/// several contacts or friction take part; set impact_law to keep it. abs_tol and rel_tol work with
/// every method; with one of order 1 they cost many steps, 1e5 at a tolerance of 1e-4.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_method {
    /// AP97. Order 1; collisions; Poisson.
    STN_METHOD_EULER = 1,
    /// ST96, position level, fixed-point NCP. Order 1; nothing; plastic, over two steps.
    STN_METHOD_STEWART_TRINKLE = 2,
    /// AP02, for stiff springs and dampers. Order 1; collisions; Poisson.
    STN_METHOD_IMPLICIT_EULER = 3,
    /// Mixed scheme: the default. Order 2; collisions, stick, slip, take-off; Poisson.
    STN_METHOD_TRAPEZOID = 4,
    /// PAGT06 (6.12). Order 2, 1 with constraints that turn; as TRAPEZOID.
    STN_METHOD_TRAPEZOID_I = 5,
    /// PAGT06 (6.10). Order 2; as TRAPEZOID. Mirrors speeds that it does not locate.
    STN_METHOD_TRAPEZOID_II = 6,
    /// AC09 (16); theta and gamma are its options. Order 1; nothing; Newton.
    STN_METHOD_MOREAU = 7,
    /// AC09 (22) to (24), for steps of any lengths. Velocities are those of the last displacement.
    /// Order 1 through impacts, 2 between them; nothing; Newton, over two steps.
    STN_METHOD_SCHATZMAN_PAOLI = 8,
    /// AC09 algorithm 1 from here on: collisions, stick, slip, take-off; Newton. Order 2.
    STN_METHOD_LOBATTO_IIIA_2 = 20,
    /// Order 4.
    STN_METHOD_LOBATTO_IIIA_4 = 21,
    /// Order 6.
    STN_METHOD_LOBATTO_IIIA_6 = 22,
    /// Order 3.
    STN_METHOD_RADAU_IIA_3 = 23,
    /// Order 5.
    STN_METHOD_RADAU_IIA_5 = 24,
    /// Order 2.
    STN_METHOD_HALF_EXPLICIT_2 = 25,
    /// Order 4.
    STN_METHOD_HALF_EXPLICIT_4 = 26,
}

/// What is located inside a step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_event_level {
    /// Time stepping only.
    STN_EVENTS_NONE = 0,
    /// Locate impacts, restart inside the step.
    STN_EVENTS_COLLISIONS = 1,
    /// Also stick, slip, take-off: the default.
    STN_EVENTS_ALL = 2,
}

/// How drift is kept small. STN_BY_METHOD means, for events / impact law / stabilization: TRAPEZOID
/// all / Poisson / project; TRAPEZOID_I all / Poisson / positions only; TRAPEZOID_II all / Poisson
/// / project; EULER, IMPLICIT_EULER collisions / Poisson / none; STEWART_TRINKLE none / plastic /
/// its own position rows; MOREAU, SCHATZMAN_PAOLI none / Newton / none; Runge-Kutta all / Newton /
/// project.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_stabilization {
    /// For method-dependent options: what suits the method.
    STN_BY_METHOD = -1,
    /// It is not.
    STN_STABILIZE_NONE = 0,
    /// Gap and drift terms in the right-hand side.
    STN_STABILIZE_VELOCITY = 1,
    /// Positions and velocities are projected.
    STN_STABILIZE_PROJECT = 2,
}

/// How problems with many contacts are solved. Every answer satisfies the conditions of all contacts.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_many_contacts {
    /// In the space of bodies; contacts inside of flat patches are left out and looked at afterwards,
    /// unless the patch spins: the default.
    STN_MANY_SAFE = 0,
    /// In the space of bodies, with all contacts.
    STN_MANY_FULL = 1,
    /// As SAFE, in spinning patches too: the corners then carry all friction torque.
    STN_MANY_AGGRESSIVE = 2,
    /// By Lemke's method alone, which is slow and whose success is a theorem.
    STN_MANY_LEMKE = 3,
}

/// Choices for a stepper; fill with stn_stepper_options_init, then change what you mean to.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_stepper_options {
    /// sizeof(stn_stepper_options), set by the caller.
    pub struct_size: usize,
    /// A stn_method; STN_METHOD_TRAPEZOID.
    pub method: i32,
    /// A stn_event_level; STN_BY_METHOD.
    pub events: i32,
    /// A stn_impact_law; STN_BY_METHOD.
    pub impact_law: i32,
    /// A stn_stabilization; STN_BY_METHOD.
    pub stabilization: i32,
    /// Per step, then plain stepping to its end; 0: 10 + 4 per contact that is there (n_contact, and
    /// those that have come), Runge-Kutta 200 + 4 per contact. With 0, steps in which a pile of many contacts hands impacts
    /// round are made without locating them; not so with Runge-Kutta methods, with tolerances, and where steps stop at events.
    pub max_events: i32,
    /// Per complementarity problem; 0: automatic.
    pub max_pivots: i32,
    /// 0 given, else differences; 1 given, else explicit; 2 positive definite part, that of elements
    /// being stiffness and damping times gradient gradient'.
    pub jacobian: i32,
    /// When an impact would create energy: STN_IMPACT_PLASTIC (default) or STN_IMPACT_REFLECTION.
    pub energy_fallback: i32,
    /// Events kept per step or advance, later ones counted; 0: 1024.
    pub event_capacity: i32,
    /// 0.
    pub reserved0: i32,
    /// Of the scene, m; 0: 1.
    pub length_scale: f64,
    /// Gap up to which a contact touches, m; 0: 1e-9 length_scale, Runge-Kutta 1e-12 length_scale
    /// after the first step.
    pub active_gap: f64,
    /// The same, per h^3; 0.
    pub active_gap_h3: f64,
    /// Below this approach speed, m/s, restitution counts as 0; 0: only the closing rule.
    pub restitution_speed: f64,
    /// A flight shorter than closing * h is closed; 0: 0.01, Runge-Kutta of order p: 0.01^(p/2).
    pub closing: f64,
    /// 0: 1e-9.
    pub lcp_tolerance: f64,
    /// MOREAU: the part of the new velocity in forces and displacement, 0 to 1, else STN_ERR_VALUE;
    /// 0.5. 0 is explicit; every other is linearly implicit, one solve with derivatives of the force
    /// and no iteration.
    pub theta: f64,
    /// MOREAU: a contact takes part when gap + gamma h rate is closed, 0 to 1, else STN_ERR_VALUE;
    /// 0.5.
    pub gamma: f64,
    /// What each coordinate of q may err by at the end of stn_stepper_advance, in its unit, >= 0, for
    /// every method; 0. abs_tol or rel_tol > 0: advance chooses the steps, h is its first try, and
    /// stn_stepper_step takes its h as it is. Velocities are not measured; those of SCHATZMAN_PAOLI
    /// belong to the middle of its last step and are wrong by half a step of acceleration. About 1e-11
    /// of the scene's size can be reached by methods of order 2, 1e-14 by those of order 4 to 6; what
    /// cannot ends with STN_ERR_STEP_TOO_SMALL, and always does where the tolerance is below the
    /// rounding of q, 2e-15 |q|. Forces may jump and bumpers may begin to act: they are sampled five
    /// times per step, and passed by steps that shrink to them. A pulse that begins and ends between two
    /// samples is not seen: max_step. A force that turns round at every step, such as friction
    /// written as one, ends with STN_ERR_STEP_TOO_SMALL. A start with joints apart by more than ten
    /// tolerances, and 1e-6 length_scale, is STN_ERR_VALUE.
    pub abs_tol: f64,
    /// The same, times the size of the coordinate, which counts as 1e-3 length_scale at least; the
    /// two are added. 0.
    pub rel_tol: f64,
    /// 1: stn_stepper_step and stn_stepper_advance end at the first event, resolved; 0: at their end.
    /// With events NONE impacts are the only events, and lie at the end of the step that feels them:
    /// STEWART_TRINKLE and SCHATZMAN_PAOLI feel them over two steps and report the second.
    pub stop_at_event: i32,
    /// 0: two linearly implicit Euler sub-steps after an impact, or a start, that excites a stiff
    /// damper, for the trapezoidal methods; 1: none.
    pub damping_steps: i32,
    /// Least distance up to which contacts that come and go are asked for, m, beside the way of the
    /// step, see stn_contacts_fn; 0: 0.01 length_scale.
    pub contact_margin: f64,
    /// A stn_many_contacts; STN_MANY_SAFE.
    pub many_contacts: i32,
    /// 0.
    pub reserved1: i32,
    /// Runge-Kutta of order p: the constant C of AC09's algorithm 1, s^-p; collisions are passed by a
    /// step of C h^(p+1) of MOREAU, 1e-9 h at least. 0: they are located to rounding.
    pub critical: f64,
    /// By tolerances: the longest step, s, for forces with pulses shorter than the motion shows; 0: any.
    pub max_step: f64,
    /// By tolerances: steps that one stn_stepper_advance tries, those taken back counted, before it ends
    /// with STN_ERR_STEP_LIMIT at the last that was taken; 0: any number.
    pub max_steps: i32,
    /// Threads, the calling one among them, that share islands of contacts, each independent of the others, where there are
    /// enough of 24 contacts and more; 0 or 1: the calling one alone. The motion is the same to the bit. Functions of the
    /// model are called on the calling thread. Threads take memory in every step.
    pub island_threads: i32,
}

sized_struct!(
    stn_stepper_options,
    method: i32,
    events: i32,
    impact_law: i32,
    stabilization: i32,
    max_events: i32,
    max_pivots: i32,
    jacobian: i32,
    energy_fallback: i32,
    event_capacity: i32,
    reserved0: i32,
    length_scale: f64,
    active_gap: f64,
    active_gap_h3: f64,
    restitution_speed: f64,
    closing: f64,
    lcp_tolerance: f64,
    theta: f64,
    gamma: f64,
    abs_tol: f64,
    rel_tol: f64,
    stop_at_event: i32,
    damping_steps: i32,
    contact_margin: f64,
    many_contacts: i32,
    reserved1: i32,
    critical: f64,
    max_step: f64,
    max_steps: i32,
    island_threads: i32,
);

/// STN_BY_METHOD, for the options that have it.
const BY_METHOD: i32 = stn_stabilization::STN_BY_METHOD as i32;

/// The choice with the number `got` among `all`.
fn choice<T: Copy>(
    what: &'static str,
    of: &'static str,
    got: i32,
    all: &[(i32, T)],
) -> Result<T, Fault> {
    let found = all.iter().find(|(number, _)| *number == got);
    found.map(|(_, value)| *value).ok_or(Fault::Unknown { what, got, of })
}

/// As [`choice`], where STN_BY_METHOD leaves it to the method.
fn by_method<T: Copy>(
    what: &'static str,
    of: &'static str,
    got: i32,
    all: &[(i32, T)],
) -> Result<Option<T>, Fault> {
    if got == BY_METHOD { Ok(None) } else { choice(what, of, got, all).map(Some) }
}

impl stn_stepper_options {
    pub(super) const DEFAULT: Self = Self {
        struct_size: size_of::<Self>(),
        method: stn_method::STN_METHOD_TRAPEZOID as i32,
        events: BY_METHOD,
        impact_law: BY_METHOD,
        stabilization: BY_METHOD,
        max_events: 0,
        max_pivots: 0,
        jacobian: 0,
        energy_fallback: 0,
        event_capacity: 0,
        reserved0: 0,
        length_scale: 0.0,
        active_gap: 0.0,
        active_gap_h3: 0.0,
        restitution_speed: 0.0,
        closing: 0.0,
        lcp_tolerance: 0.0,
        theta: 0.5,
        gamma: 0.5,
        abs_tol: 0.0,
        rel_tol: 0.0,
        stop_at_event: 0,
        damping_steps: 0,
        contact_margin: 0.0,
        many_contacts: stn_many_contacts::STN_MANY_SAFE as i32,
        reserved1: 0,
        critical: 0.0,
        max_step: 0.0,
        max_steps: 0,
        island_threads: 0,
    };

    pub(super) fn checked(&self) -> Result<Options, Fault> {
        let events = [(0, EventLevel::None), (1, EventLevel::Collisions), (2, EventLevel::All)];
        let stabilization =
            [(0, Stabilization::None), (1, Stabilization::Velocity), (2, Stabilization::Project)];
        let jacobian =
            [(0, Jacobian::Differences), (1, Jacobian::Explicit), (2, Jacobian::Definite)];
        let reserved = [self.reserved0, self.reserved1];
        for (what, got) in ["reserved0", "reserved1"].into_iter().zip(reserved) {
            if got != 0 {
                return Err(Fault::Unknown { what, got, of: "zero" });
            }
        }
        let many = [
            (0, ManyContacts::Safe),
            (1, ManyContacts::Full),
            (2, ManyContacts::Aggressive),
            (3, ManyContacts::Lemke),
        ];
        let fallback = [(0, Law::Plastic), (3, Law::Reflection)];
        Ok(Options {
            method: MethodKind::from_code(self.method)?,
            events: by_method("events", "stn_event_level", self.events, &events)?,
            impact_law: match self.impact_law {
                BY_METHOD => None,
                number => Some(law(number)?),
            },
            stabilization: by_method(
                "stabilization",
                "stn_stabilization",
                self.stabilization,
                &stabilization,
            )?,
            max_events: count("max_events", self.max_events)?,
            max_pivots: count("max_pivots", self.max_pivots)?,
            jacobian: choice("jacobian", "way to take derivatives", self.jacobian, &jacobian)?,
            energy_fallback: choice(
                "energy_fallback",
                "law that keeps energy",
                self.energy_fallback,
                &fallback,
            )?,
            event_capacity: count("event_capacity", self.event_capacity)?,
            length_scale: self.length_scale,
            active_gap: self.active_gap,
            active_gap_h3: self.active_gap_h3,
            restitution_speed: self.restitution_speed,
            closing: self.closing,
            lcp_tolerance: self.lcp_tolerance,
            theta: self.theta,
            gamma: self.gamma,
            abs_tol: self.abs_tol,
            rel_tol: self.rel_tol,
            stop_at_event: choice(
                "stop_at_event",
                "truth",
                self.stop_at_event,
                &[(0, false), (1, true)],
            )?,
            damping_steps: choice(
                "damping_steps",
                "choice of damped sub-steps",
                self.damping_steps,
                &[(0, true), (1, false)],
            )?,
            contact_margin: self.contact_margin,
            many_contacts: choice("many_contacts", "stn_many_contacts", self.many_contacts, &many)?,
            critical: self.critical,
            max_step: self.max_step,
            max_steps: count("max_steps", self.max_steps)? as u64,
            island_threads: count("island_threads", self.island_threads)?,
        })
    }
}

/// Fills options with their defaults and sets struct_size.
///
/// @param opt  receives the defaults; Nullable: no
/// @param struct_size  sizeof(stn_stepper_options) of the caller
/// @return STN_OK, STN_ERR_NULL, STN_ERR_ABI, STN_ERR_VALUE (misaligned)
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_options_init(
    opt: *mut stn_stepper_options,
    struct_size: usize,
) -> stn_status {
    guard::plain(|| {
        // SAFETY: the caller's promise that the struct has the stated size.
        unsafe {
            let mut a = Arrays::new();
            let out = SizedOut::fresh(&mut a, "opt", opt, struct_size)?;
            out.write(stn_stepper_options::DEFAULT);
        }
        Ok(stn_status::STN_OK)
    })
}
