//! State as bytes and back: versioned, with a checksum, the same on every platform. Knows no
//! numerics.
//!
//! Layout, little-endian: magic, version, length, sizes of the model, options, number of slots, time,
//! length of the last step, position, velocity, fixed contacts, contacts in slots with their keys and the groups they act for,
//! brakes, flags, time of the last displacement, counters, energies, remembered bases, checksum (FNV-1a, 64
//! bits) of everything before it.
//! Model and events are not part of it.

use super::grow::with_slots;
use super::ledger::Ledger;
use super::memory::Bases;
use super::options::Settings;
use super::slots::most;
use super::state::{Brake, Contact, Half, Known, Mode, State};
use super::stats::Stats;
use crate::error::{Error, Result, told};
use crate::model::Dims;

const MAGIC: [u8; 8] = *b"stn.snap";
/// What stands for the name of a part of a basis that has none.
const NAMELESS: u64 = u64::MAX;
pub(super) const VERSION: u32 = 11;

/// Collects bytes, or only counts them when there is no room.
struct Writer<'a> {
    to: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        if let Some(place) = self.to.get_mut(self.at..self.at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    fn put_u64(&mut self, x: u64) {
        self.put(&x.to_le_bytes());
    }

    fn put_f64(&mut self, x: f64) {
        self.put_u64(x.to_bits());
    }
}

/// Takes bytes apart; running out of them is an error.
struct Reader<'a> {
    from: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.from.split_at_checked(n).ok_or_else(|| corrupt("cut short"))?;
        self.from = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64> {
        let x = f64::from_bits(self.u64()?);
        if x.is_finite() { Ok(x) } else { Err(corrupt("a number is not finite")) }
    }
}

fn corrupt(why: &'static str) -> Error {
    Error::Value { what: "snapshot", got: why.into(), must: "bytes written by save" }
}

fn foreign(option: &str) -> Error {
    let got = told(format_args!("of a stepper with another {option}"));
    Error::Value { what: "snapshot", got, must: "of a stepper with the same options" }
}

fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, b: &u8| (sum ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn sizes(dims: &Dims) -> [usize; 6] {
    [dims.nq, dims.nv, dims.n_joint, dims.n_contact, dims.n_dir, dims.n_brake]
}

fn put_mode(w: &mut Writer<'_>, mode: Mode, known: Known) {
    let (mode, direction) = match mode {
        Mode::Open => (0, 0),
        Mode::Touch => (1, 0),
        Mode::Leave => (2, 0),
        Mode::Stick => (3, 0),
        Mode::Slip(k) => (4, k),
    };
    let known = match known {
        Known::Nothing => 0,
        Known::Open => 1,
        Known::Stick => 2,
        Known::Slip => 3,
    };
    w.put(&[mode, known]);
    w.put(&direction.to_le_bytes());
}

/// Writes everything but the checksum.
fn body(
    w: &mut Writer<'_>,
    length: usize,
    dims: &Dims,
    set: &Settings,
    state: &State,
    bases: &Bases,
    stats: &Stats,
) {
    w.put(&MAGIC);
    w.put(&VERSION.to_le_bytes());
    w.put_u64(length as u64);
    for n in sizes(dims) {
        w.put_u64(n as u64);
    }
    for (_, mark) in set.marks() {
        w.put_u64(mark);
    }
    let taken = state.slots.taken();
    w.put_u64(state.slots.len() as u64);
    w.put_f64(state.t);
    w.put_f64(state.h);
    for &x in state.q.iter().chain(&state.v) {
        w.put_f64(x);
    }
    for c in &state.contacts[..dims.n_contact] {
        put_contact(w, c);
    }
    w.put_u64(taken.len() as u64);
    for &(key, slot) in taken {
        w.put_u64(key as u64);
        w.put_u64(slot as u64);
        put_contact(w, &state.contacts[dims.n_contact + slot]);
        let acting = state.slots.acting(slot);
        w.put(&[u8::from(acting.is_some())]);
        w.put_u64(acting.unwrap_or(0) as u64);
    }
    for b in &state.brakes {
        put_mode(w, b.mode, b.known);
    }
    w.put(&[u8::from(state.stale), u8::from(state.fresh), state.damp, state.crowd]);
    w.put(&state.impacts_here.to_le_bytes());
    w.put_f64(state.h_before);
    let (counts, worst) = stats.fields();
    for x in counts {
        w.put_u64(x as u64);
    }
    for x in worst {
        w.put_f64(x);
    }
    for x in state.ledger.sum.fields() {
        w.put_f64(x);
    }
    for basis in bases.all() {
        w.put_u64(basis.parts().len() as u64);
        for (name, part) in basis.parts() {
            w.put_u64(name.map_or(NAMELESS, |i| i as u64));
            w.put_u64(part.len() as u64);
            for value in part {
                w.put(&[u8::from(value.is_some())]);
                w.put_f64(value.unwrap_or(0.0));
            }
        }
    }
}

fn put_contact(w: &mut Writer<'_>, c: &Contact) {
    put_mode(w, c.mode, c.known);
    for x in [c.depth, c.half.time, c.half.before, c.half.impulse] {
        w.put_f64(x);
    }
}

/// Number of bytes [`write`] needs.
pub(super) fn size(
    dims: &Dims,
    set: &Settings,
    state: &State,
    bases: &Bases,
    stats: &Stats,
) -> usize {
    let mut w = Writer { to: &mut [], at: 0 };
    body(&mut w, 0, dims, set, state, bases, stats);
    w.at + 8
}

/// Writes the snapshot; gives its length.
///
/// # Errors
/// `Capacity`; `buf` is untouched then.
pub(super) fn write(
    buf: &mut [u8],
    dims: &Dims,
    set: &Settings,
    state: &State,
    bases: &Bases,
    stats: &Stats,
) -> Result<usize> {
    let needed = size(dims, set, state, bases, stats);
    if buf.len() < needed {
        return Err(Error::Capacity { what: "snapshot", needed, have: buf.len() });
    }
    let mut w = Writer { to: buf, at: 0 };
    body(&mut w, needed, dims, set, state, bases, stats);
    let sum = checksum(&w.to[..w.at]);
    w.put_u64(sum);
    Ok(needed)
}

/// Number of slots of the stepper that wrote a snapshot, for a model with up to `hosted` contacts at
/// a point.
///
/// # Errors
/// As [`read`].
pub(super) fn slots(bytes: &[u8], dims: &Dims, set: &Settings, hosted: usize) -> Result<usize> {
    let n = open(bytes, dims, set)?.u64()?;
    match usize::try_from(n) {
        Ok(n) if n <= most(hosted) => Ok(n),
        _ => Err(corrupt("of a model with more contacts")),
    }
}

/// A reader of a whole snapshot of the model `dims`, behind its head.
fn open<'a>(bytes: &'a [u8], dims: &Dims, set: &Settings) -> Result<Reader<'a>> {
    let mut r = Reader { from: bytes };
    if r.array::<8>()? != MAGIC {
        return Err(corrupt("not a snapshot"));
    }
    let version = u32::from_le_bytes(r.array()?);
    if version != VERSION {
        return Err(Error::SnapshotVersion { got: version, expected: VERSION });
    }
    let length = r.u64()? as usize;
    let (whole, sum) = match bytes.len().checked_sub(8) {
        Some(n) if length == bytes.len() => bytes.split_at(n),
        _ => return Err(corrupt("of the wrong length")),
    };
    if checksum(whole).to_le_bytes() != sum {
        return Err(corrupt("damaged"));
    }
    let names = ["nq", "nv", "n_joint", "n_contact", "n_dir", "n_brake"];
    for (what, n) in names.into_iter().zip(sizes(dims)) {
        let got = r.u64()?;
        if got != n as u64 {
            return Err(Error::Dimension { what, got: got as i64, expected: told(n) });
        }
    }
    for (name, mark) in set.marks() {
        if r.u64()? != mark {
            return Err(foreign(name));
        }
    }
    Ok(r)
}

/// Reads a snapshot into `state`, which has slots enough, `bases` and the counters it gives back.
///
/// # Errors
/// `SnapshotVersion` for another version, `Dimension` for another model, `Value` for other options
/// and for anything else that is not a whole snapshot. `state` is unspecified then, `bases` untouched.
pub(super) fn read(
    bytes: &[u8],
    dims: &Dims,
    set: &Settings,
    state: &mut State,
    bases: &mut Bases,
) -> Result<Stats> {
    let mut r = open(bytes, dims, set)?;
    r.u64()?;
    state.t = r.f64()?;
    state.h = r.f64()?;
    for x in state.q.iter_mut().chain(&mut state.v) {
        *x = r.f64()?;
    }
    let (fixed, in_slots) = state.contacts.split_at_mut(dims.n_contact);
    for c in fixed {
        *c = contact(&mut r, dims)?;
    }
    in_slots.fill(Contact::FREE);
    state.slots.clear();
    for _ in 0..r.u64()? {
        let (key, slot) = (r.u64()? as i64, r.u64()? as usize);
        let contact = contact(&mut r, dims)?;
        if !state.slots.put(key, slot) {
            return Err(corrupt("a slot is taken twice"));
        }
        in_slots[slot] = contact;
        let ([acts], group) = (r.array()?, r.u64()? as i64);
        state.slots.act(slot, (acts != 0).then_some(group));
    }
    for b in &mut state.brakes {
        let (mode, known) = mode(&mut r, 2)?;
        *b = Brake { mode, known };
    }
    let [stale, fresh, damp, crowd] = r.array()?;
    (state.stale, state.fresh) = (stale != 0, fresh != 0);
    (state.damp, state.crowd) = (damp, crowd);
    if state.fresh {
        state.contacts.fill(Contact::NEW);
    }
    state.impacts_here = u32::from_le_bytes(r.array()?);
    state.h_before = r.f64()?;
    let (mut counts, mut worst) = Stats::default().fields();
    for x in &mut counts {
        *x = r.u64()? as i64;
    }
    for x in &mut worst {
        *x = r.f64()?;
    }
    let mut sum = Ledger::default().fields();
    for x in &mut sum {
        // Not part of the motion: energies may overflow where the state does not.
        *x = f64::from_bits(r.u64()?);
    }
    state.ledger.sum = Ledger::from_fields(sum);
    state.forget_step();
    let room = with_slots(dims, state.slots.len());
    let mut again = Reader { from: r.from };
    for _ in bases.all() {
        basis(&mut r, &room, |_, _| ())?;
    }
    if r.from.len() != 8 {
        return Err(corrupt("of the wrong length"));
    }
    for to in bases.all_mut() {
        to.clear();
        basis(&mut again, &room, |name, part| {
            let unknowns = part.chunks_exact(UNKNOWN);
            to.push(name, unknowns.map(|from| unknown(from).unwrap_or(None)));
        })?;
    }
    Ok(Stats::from_fields(counts, worst))
}

/// Bytes of one unknown of a basis: whether it is basic, and its value.
const UNKNOWN: usize = 9;

/// The value of an unknown that is basic.
fn unknown(from: &[u8]) -> Result<Option<f64>> {
    let mut r = Reader { from };
    let [basic] = r.array()?;
    let z = r.f64()?;
    Ok((basic != 0).then_some(z))
}

/// A basis of a model with sizes `room`, part by part: the contact, none for a brake, and the bytes of its
/// unknowns.
fn basis<'a>(
    r: &mut Reader<'a>,
    room: &Dims,
    mut see: impl FnMut(Option<usize>, &'a [u8]),
) -> Result<()> {
    let (mut next, mut brakes) = (0, 0);
    for _ in 0..r.u64()? {
        let (name, n) = (r.u64()?, r.u64()? as usize);
        let contact = (name != NAMELESS).then_some(name as usize);
        let known = match contact {
            Some(i) => {
                let in_order = i >= next && i < room.n_contact && brakes == 0;
                next = i.saturating_add(1);
                in_order && (n == 1 || n == room.n_dir + 2)
            }
            None => {
                brakes += 1;
                brakes <= room.n_brake && (n == 0 || n == 2)
            }
        };
        if !known {
            return Err(corrupt("a basis is of another model"));
        }
        let part = r.take(UNKNOWN * n)?;
        for from in part.chunks_exact(UNKNOWN) {
            unknown(from)?;
        }
        see(contact, part);
    }
    Ok(())
}

fn contact(r: &mut Reader<'_>, dims: &Dims) -> Result<Contact> {
    let (mode, known) = mode(r, dims.n_dir)?;
    let depth = r.f64()?;
    let half = Half { time: r.f64()?, before: r.f64()?, impulse: r.f64()? };
    Ok(Contact { mode, known, depth, half })
}

/// A mode, with a direction below `n_dir`.
fn mode(r: &mut Reader<'_>, n_dir: usize) -> Result<(Mode, Known)> {
    let [mode, known] = r.array()?;
    let direction = u16::from_le_bytes(r.array()?);
    if direction > 0 && usize::from(direction) >= n_dir {
        return Err(corrupt("a direction is unknown"));
    }
    let mode = match mode {
        0 => Mode::Open,
        1 => Mode::Touch,
        2 => Mode::Leave,
        3 => Mode::Stick,
        4 => Mode::Slip(direction),
        _ => return Err(corrupt("a mode is unknown")),
    };
    let known = match known {
        0 => Known::Nothing,
        1 => Known::Open,
        2 => Known::Stick,
        3 => Known::Slip,
        _ => return Err(corrupt("a mode is unknown")),
    };
    Ok((mode, known))
}
