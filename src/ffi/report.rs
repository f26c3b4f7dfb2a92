//! What the last step did, in C: energies, impulses, contacts.

use super::guard;
use super::model::exactly;
use super::ptr::{Arrays, count};
use super::sized::{put, sized_struct};
use super::status::{Fault, stn_status};
use super::stepper::stn_stepper;
use crate::step::{ContactMode, ContactState, Ledger, Stepper};

/// Over which time energies are summed.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_ledger_span {
    /// The last step; of an advance the last one. All zero before the first step, and after the
    /// state was set or restored.
    STN_LEDGER_STEP = 0,
    /// Since the state was set, or since creation; part of snapshots.
    STN_LEDGER_SUM = 1,
}

/// Where kinetic energy came from and where it went, J: kinetic = external + drive - friction -
/// impact + stabilization + residue.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_ledger {
    /// sizeof(stn_ledger), set by the caller.
    pub struct_size: usize,
    /// Change of the kinetic energy.
    pub kinetic: f64,
    /// Work of the forces of the model, Coriolis forces apart.
    pub external: f64,
    /// Work of joints and surfaces that move by themselves.
    pub drive: f64,
    /// Lost to friction between impacts: the sum of mu times slip speed times normal impulse.
    pub friction: f64,
    /// Lost in impacts and when flights are closed, friction in them included.
    pub impact: f64,
    /// Work of the means against drift.
    pub stabilization: f64,
    /// The rest: what the method gained or lost by itself.
    pub residue: f64,
}

sized_struct!(
    stn_ledger,
    kinetic: f64,
    external: f64,
    drive: f64,
    friction: f64,
    impact: f64,
    stabilization: f64,
    residue: f64,
);

impl From<&Ledger> for stn_ledger {
    fn from(l: &Ledger) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            kinetic: l.kinetic,
            external: l.external,
            drive: l.drive,
            friction: l.friction,
            impact: l.impact,
            stabilization: l.stabilization,
            residue: l.residue,
        }
    }
}

/// What a contact does.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_contact_mode {
    /// Not touching, or leaving.
    STN_CONTACT_OPEN = 0,
    /// Touching; nothing more is known yet: before the first step from a state that was set.
    STN_CONTACT_TOUCH = 1,
    /// Closed, not slipping.
    STN_CONTACT_STICK = 2,
    /// Closed and slipping; always so without friction.
    STN_CONTACT_SLIP = 3,
}

/// One contact at the present state, with its impulses over the last step, impacts in it included.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_contact_state {
    /// sizeof(stn_contact_state), set by the caller.
    pub struct_size: usize,
    /// A stn_contact_mode.
    pub mode: i32,
    /// 0.
    pub reserved0: i32,
    /// The host's key; the index for fixed gaps of a model of functions. For built-in bodies see
    /// stn_model_get_contact_pair.
    pub key: i64,
    /// Gap, m, positive when open.
    pub gap: f64,
    /// Its rate, m/s.
    pub gap_rate: f64,
    /// Slip speed, m/s; max_j(d_j'v) where the directions form no regular polygon.
    pub slip_speed: f64,
    /// Normal impulse of the last step, N s.
    pub normal_impulse: f64,
    /// Size of the tangential impulse of the last step, N s, for directions that form a regular
    /// polygon, fewer than n_dir of them too while the contact is there.
    pub tangential_impulse: f64,
}

sized_struct!(
    stn_contact_state,
    mode: i32,
    reserved0: i32,
    key: i64,
    gap: f64,
    gap_rate: f64,
    slip_speed: f64,
    normal_impulse: f64,
    tangential_impulse: f64,
);

impl From<ContactState> for stn_contact_state {
    fn from(c: ContactState) -> Self {
        use stn_contact_mode::*;
        let mode = match c.mode {
            ContactMode::Open => STN_CONTACT_OPEN,
            ContactMode::Touching => STN_CONTACT_TOUCH,
            ContactMode::Sticking => STN_CONTACT_STICK,
            ContactMode::Slipping => STN_CONTACT_SLIP,
        };
        Self {
            struct_size: size_of::<Self>(),
            mode: mode as i32,
            reserved0: 0,
            key: c.key,
            gap: c.gap,
            gap_rate: c.gap_rate,
            slip_speed: c.slip_speed,
            normal_impulse: c.normal_impulse,
            tangential_impulse: c.tangential_impulse,
        }
    }
}

/// Reads the books of energy: of the last step, or since the state was set.
///
/// @param s  stepper; Nullable: no
/// @param span  a stn_ledger_span
/// @param out  receives the energies; Nullable: no
/// @return STN_OK; STN_ERR_VALUE for an unknown span; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_ledger(
    s: *const stn_stepper,
    span: i32,
    out: *mut stn_ledger,
) -> stn_status {
    let call = |s: &Stepper| {
        let ledger = match span {
            0 => s.ledger(),
            1 => s.ledger_sum(),
            got => return Err(Fault::Unknown { what: "span", got, of: "stn_ledger_span" }),
        };
        // SAFETY: the caller's promise for the struct.
        unsafe { put("out", out, ledger.into()) }
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Reads the impulses of the last step, impacts in it included. Zero before the first step, and
/// after the state was set or restored. With several contacts or joints that could carry the same
/// load only their sums are determined.
///
/// @param s  stepper; Nullable: no
/// @param joint  receives n_joint numbers, along the columns jt; Nullable: yes
/// @param n_joint  as in the model
/// @param normal  receives n_contact normal impulses, N s; Nullable: yes
/// @param n_contact  stn_stepper_contact_count: as in the model, and slots of contacts that come and
/// go
/// @param friction  receives n_contact * n_dir impulses along the friction directions, N s, none
/// negative, at most one of two opposite ones not zero; Nullable: yes
/// @param n_friction  n_contact * n_dir, n_dir of the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_impulses(
    s: *const stn_stepper,
    joint: *mut f64,
    n_joint: i32,
    normal: *mut f64,
    n_contact: i32,
    friction: *mut f64,
    n_friction: i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let (mut a, d, n) = (Arrays::new(), s.dims(), s.contact_count());
        let joint = a.wanted("joint", joint, exactly("n_joint", n_joint, d.n_joint)?)?;
        let normal = a.wanted("normal", normal, exactly("n_contact", n_contact, n)?)?;
        let n = exactly("n_friction", n_friction, n * d.n_dir)?;
        let friction = a.wanted("friction", friction, n)?;
        a.disjoint()?;
        for (out, values) in [
            (joint, s.joint_impulses()),
            (normal, s.normal_impulses()),
            (friction, s.friction_impulses()),
        ] {
            if let Some(out) = out {
                // SAFETY: the caller's promise for the arrays, which are disjoint.
                unsafe { out.get() }.copy_from_slice(values);
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Reads the impulses of the brakes over the last step. Zero before the first step, and after the
/// state was set or restored.
///
/// @param s  stepper; Nullable: no
/// @param brake  receives n_brake numbers, along the directions of the brakes, N s; Nullable: only if
/// n_brake = 0
/// @param n_brake  as in the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_brake_impulses(
    s: *const stn_stepper,
    brake: *mut f64,
    n_brake: i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let mut a = Arrays::new();
        let out = a.output("brake", brake, exactly("n_brake", n_brake, s.dims().n_brake)?)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the array.
        unsafe { out.get() }.copy_from_slice(s.brake_impulses());
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Reads one contact: what it does at the present state, and its impulses over the last step. Asks
/// the model if it was not asked at this state last.
///
/// @param s  stepper; Nullable: no
/// @param i  0 <= i < stn_stepper_contact_count; a contact that is not there has an infinite gap
/// @param out  receives the contact; Nullable: no
/// @return STN_OK, STN_REJECTED when a callback refused the state; STN_ERR_DIMENSION for i;
/// STN_ERR_CALLBACK and STN_ERR_NONFINITE from the model; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_contact(
    s: *mut stn_stepper,
    i: i32,
    out: *mut stn_contact_state,
) -> stn_status {
    let call = |s: &mut Stepper| {
        if out.is_null() {
            return Err(Fault::Null { what: "out" });
        }
        let contact = s.contact(count("i", i)?)?;
        // SAFETY: the caller's promise for the struct.
        unsafe { put("out", out, contact.into()) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(s, call) }
}
