//! Where a host pushes the contacts that come and go, and how it finds them again.
//!
//! The pointer that the host gets is a name, never followed: it must be that of the innermost sink
//! that is open on this thread. A host that keeps it, or hands it to another thread, is told so.

use super::guard;
use super::ptr::{Arrays, In, count, reference_mut};
use super::status::{Fault, stn_status};
use super::stepper::stn_stepper;
use crate::error::{Error, told};
use crate::model::{ContactSink, Friction, HostContact};
use crate::step::Stepper;
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// Takes the contacts of one point. Serves during the call of a stn_contacts_fn that it was given
/// to, on the same thread.
#[derive(Debug)]
pub struct stn_contact_sink(());

thread_local! {
    /// The innermost open sink of this thread.
    static OPEN: Cell<Option<NonNull<ContactSink<'static>>>> = const { Cell::new(None) };
}

/// Puts the sink that was open before back when the call is over, however it ends.
struct Reopen(Option<NonNull<ContactSink<'static>>>);

impl Drop for Reopen {
    fn drop(&mut self) {
        OPEN.set(self.0);
    }
}

/// Opens `sink` for the pushes that `call` makes.
pub(super) fn open_sink<R>(
    sink: &mut ContactSink<'_>,
    call: impl FnOnce(*mut stn_contact_sink) -> R,
) -> R {
    let here = NonNull::from(sink).cast();
    let _before = Reopen(OPEN.replace(Some(here)));
    call(here.as_ptr().cast())
}

/// Pushes into the sink that `name` stands for.
///
/// # Errors
/// `Null`; `Closed` for a sink that is not open on this thread.
fn with_sink(
    name: *mut stn_contact_sink,
    push: impl FnOnce(&mut ContactSink<'_>) -> Result<(), Fault>,
) -> stn_status {
    guard::plain(|| {
        if name.is_null() {
            return Err(Fault::Null { what: "sink" });
        }
        let here = OPEN.get().filter(|open| open.as_ptr().cast() == name);
        let here = here.map_or(null_mut(), NonNull::as_ptr);
        if here.is_null() {
            let must = "that of the call under way, on its thread";
            let got = told(format_args!("{name:p}"));
            return Err(Error::Value { what: "sink", got, must }.into());
        }
        // SAFETY: `open_sink` holds the only reference, which it does not use before the call is over;
        // no push runs inside another.
        let sink = unsafe { reference_mut("sink", here)? };
        let done = push(sink);
        if let Err(fault) = &done {
            // A push that did not come as far as the sink fails the step all the same.
            sink.fail(cause(fault));
        }
        done.map(|()| stn_status::STN_OK)
    })
}

/// A fault of a push in the words of the core, with the same status.
fn cause(fault: &Fault) -> Error {
    match fault {
        Fault::Core(e) => e.again(),
        Fault::Null { what } => Error::Missing { what },
        Fault::Negative { what, got } => {
            Error::Dimension { what, got: i64::from(*got), expected: "not negative".into() }
        }
        other => Error::Value { what: "contact", got: told(other), must: "well-formed" },
    }
}

/// What every push brings.
struct Common {
    key: i64,
    gap: f64,
    mu: f64,
    restitution: f64,
}

impl Common {
    fn contact<'a>(&self, normal: &'a [f64], friction: Friction<'a>) -> HostContact<'a> {
        let Common { key, gap, mu, restitution } = *self;
        HostContact { key, gap, coordinates: None, normal, friction, mu, restitution }
    }
}

/// `n` columns of `rows` numbers; a product that no memory holds is left to the checks of arrays.
fn columns<'a>(a: &mut Arrays, p: *const f64, rows: usize, n: usize) -> Result<In<'a>, Fault> {
    a.input("tangent", p, rows.saturating_mul(n))
}

/// No friction without directions.
fn along(directions: &[f64]) -> Friction<'_> {
    if directions.is_empty() { Friction::None } else { Friction::Directions(directions) }
}

/// Pushes one contact, with dense columns. The library copies what it is given. A push that fails
/// makes the step fail with its status, whatever the host's function returns.
///
/// @param sink  the sink of this call; Nullable: no
/// @param key  what the host knows the contact by, from call to call; two contacts of one call have
/// different keys
/// @param gap  positive when open, m
/// @param normal  nv numbers: the rate of the gap is normal'v + d gap/dt; Nullable: no
/// @param n_dir  friction directions of this contact, even, at most n_dir of the model; 0 for none
/// @param tangent  nv by n_dir, in angular order, column k + n_dir/2 = - column k; Nullable: only if
/// n_dir = 0
/// @param mu  friction coefficient >= 0; 0 if n_dir = 0
/// @param restitution  coefficient in [0, 1]
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (n_dir < 0), STN_ERR_VALUE (n_dir odd, columns
/// not opposite, mu or restitution out of range, a sink that is not open on this thread),
/// STN_ERR_NONFINITE, STN_ERR_CAPACITY (too many directions or contacts), STN_ERR_MEMORY
/// @note Thread class: the thread of the call under way. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_contact_push(
    sink: *mut stn_contact_sink,
    key: i64,
    gap: f64,
    normal: *const f64,
    n_dir: i32,
    tangent: *const f64,
    mu: f64,
    restitution: f64,
) -> stn_status {
    let common = Common { key, gap, mu, restitution };
    with_sink(sink, |sink| {
        let mut a = Arrays::new();
        let normal = a.input("normal", normal, sink.nv())?;
        let tangent = columns(&mut a, tangent, sink.nv(), count("n_dir", n_dir)?)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (normal, tangent) = unsafe { (normal.get(), tangent.get()) };
        Ok(sink.push(&common.contact(normal, along(tangent)))?)
    })
}

/// Pushes one contact whose friction directions are the corners of a regular polygon: direction k is
/// cos(2 pi k/facets) first + sin(2 pi k/facets) second. Otherwise as stn_contact_push.
///
/// @param sink  the sink of this call; Nullable: no
/// @param key  what the host knows the contact by
/// @param gap  positive when open, m
/// @param normal  nv numbers; Nullable: no
/// @param facets  corners, even, at most n_dir of the model; 0 for none
/// @param first  nv numbers: a tangent; Nullable: only if facets = 0
/// @param second  nv numbers: the tangent a quarter turn further; Nullable: only if facets = 0
/// @param mu  friction coefficient >= 0; 0 if facets = 0
/// @param restitution  coefficient in [0, 1]
/// @return as stn_contact_push
/// @note Thread class: the thread of the call under way. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_contact_push_tangents(
    sink: *mut stn_contact_sink,
    key: i64,
    gap: f64,
    normal: *const f64,
    facets: i32,
    first: *const f64,
    second: *const f64,
    mu: f64,
    restitution: f64,
) -> stn_status {
    let common = Common { key, gap, mu, restitution };
    with_sink(sink, |sink| {
        let facets = count("facets", facets)?;
        let needed = if facets > 0 { sink.nv() } else { 0 };
        let mut a = Arrays::new();
        let normal = a.input("normal", normal, sink.nv())?;
        let first = a.input("first", first, needed)?;
        let second = a.input("second", second, needed)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (normal, first, second) = unsafe { (normal.get(), first.get(), second.get()) };
        let friction = match facets {
            0 => Friction::None,
            _ => Friction::Tangents { first, second, facets },
        };
        Ok(sink.push(&common.contact(normal, friction))?)
    })
}

/// Pushes one contact with columns on a few velocity coordinates, the others being zero: those of
/// the two bodies that touch, say. Otherwise as stn_contact_push.
///
/// @param sink  the sink of this call; Nullable: no
/// @param key  what the host knows the contact by
/// @param gap  positive when open, m
/// @param n_index  number of coordinates, > 0
/// @param index  the coordinates, from 0 to nv - 1 in any order; entries for the same one add up;
/// Nullable: no
/// @param normal  n_index numbers; Nullable: no
/// @param n_dir  friction directions of this contact, even, at most n_dir of the model; 0 for none
/// @param tangent  n_index by n_dir; Nullable: only if n_dir = 0
/// @param mu  friction coefficient >= 0; 0 if n_dir = 0
/// @param restitution  coefficient in [0, 1]
/// @return as stn_contact_push, and STN_ERR_DIMENSION for a coordinate that the model does not have
/// and for n_index <= 0
/// @note Thread class: the thread of the call under way. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_contact_push_sparse(
    sink: *mut stn_contact_sink,
    key: i64,
    gap: f64,
    n_index: i32,
    index: *const i32,
    normal: *const f64,
    n_dir: i32,
    tangent: *const f64,
    mu: f64,
    restitution: f64,
) -> stn_status {
    let common = Common { key, gap, mu, restitution };
    with_sink(sink, |sink| {
        let n = count("n_index", n_index)?;
        let mut a = Arrays::new();
        let index: In<'_, i32> = a.input("index", index, n)?;
        let normal = a.input("normal", normal, n)?;
        let tangent = columns(&mut a, tangent, n, count("n_dir", n_dir)?)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (index, normal, tangent) = unsafe { (index.get(), normal.get(), tangent.get()) };
        Ok(sink.push_on(&common.contact(normal, along(tangent)), index)?)
    })
}

/// Makes contacts that were pushed in this call branches of a group: at least one of the gaps of a
/// group must hold, as where a vertex may pass an edge on either side. The gap of the group is the
/// largest of its branches; the branch that has it acts as contact, along its normal and with its
/// coefficients, and the others are as if they were not there. The host pushes and joins all
/// branches of a group, or none. More calls with the same group add to it.
///
/// @param sink  the sink of this call; Nullable: no
/// @param group  what the host knows the group by, from call to call; need not differ from keys of
/// contacts
/// @param n_key  number of branches that join, > 0
/// @param key  keys of contacts that have been pushed and are in no group; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (n_key <= 0), STN_ERR_VALUE (a key that was not
/// pushed or is in a group, a sink that is not open on this thread), STN_ERR_MEMORY. A call that
/// fails makes the step fail with its status
/// @note Thread class: the thread of the call under way. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_contact_join(
    sink: *mut stn_contact_sink,
    group: i64,
    n_key: i32,
    key: *const i64,
) -> stn_status {
    with_sink(sink, |sink| {
        let n = count("n_key", n_key)?;
        let key: In<'_, i64> = Arrays::new().input("key", key, n)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        Ok(sink.join(group, unsafe { key.get() })?)
    })
}

/// Number of contacts that have an index: the n_contact of the model, then the slots of those that
/// come and go, free ones included. Grows when more come than at any time before.
///
/// @param s  stepper; Nullable: no
/// @return the number, or a negative stn_status: STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_contact_count(s: *const stn_stepper) -> i32 {
    let mut n = 0;
    let call = |s: &Stepper| {
        n = i32::try_from(s.contact_count()).unwrap_or(i32::MAX);
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    let status = unsafe { guard::shared(s, call) };
    if status == stn_status::STN_OK { n } else { status as i32 }
}

/// The host's key of a contact at the present state; the index itself for fixed gaps of a model
/// of functions. For built-in bodies see stn_model_get_contact_pair.
///
/// @param s  stepper; Nullable: no
/// @param contact  0 <= contact < stn_stepper_contact_count
/// @param key  receives the key, 0 for a slot that is free; Nullable: no
/// @param taken  receives 1, or 0 for a slot that is free; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such contact), STN_ERR_VALUE (overlap),
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_get_contact_key(
    s: *const stn_stepper,
    contact: i32,
    key: *mut i64,
    taken: *mut i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let (i, n) = (count("contact", contact)?, s.contact_count());
        if i >= n {
            let (got, expected) = (i64::from(contact), told(format_args!("less than {n}")));
            return Err(Error::Dimension { what: "contact", got, expected }.into());
        }
        let mut a = Arrays::new();
        let key = a.output("key", key, 1)?;
        let taken = a.wanted("taken", taken, 1)?;
        a.disjoint()?;
        let found = s.contact_key(i);
        // SAFETY: the caller's promise for the numbers, which are disjoint.
        unsafe { key.get()[0] = found.unwrap_or(0) };
        if let Some(taken) = taken {
            // SAFETY: as above.
            unsafe { taken.get()[0] = i32::from(found.is_some()) };
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}

/// Finds a contact that comes and goes by its key.
///
/// @param s  stepper; Nullable: no
/// @param key  the host's key
/// @param contact  receives the index of the contact at the present state, -1 when no contact with
/// this key was reported there; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_stepper_find_contact(
    s: *const stn_stepper,
    key: i64,
    contact: *mut i32,
) -> stn_status {
    let call = |s: &Stepper| {
        let contact = Arrays::new().output("contact", contact, 1)?;
        let found = s.find_contact(key).and_then(|i| i32::try_from(i).ok());
        // SAFETY: the caller's promise for the number.
        unsafe { contact.get()[0] = found.unwrap_or(-1) };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(s, call) }
}
