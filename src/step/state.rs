//! What a stepper remembers between steps. Knows no numerics.

use super::impulses::Impulses;
use super::ledger::{Ledger, Ledgers};
use super::slots::Slots;
use crate::error::{Result, reserve};
use crate::model::Dims;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Not in the active set.
    Open,
    /// Touches; what it does is not known yet.
    Touch,
    /// Touches and is about to leave. Stays in the complementarity problem until it has left.
    Leave,
    /// Closed, no slip.
    Stick,
    /// Closed, slipping; friction acts along this direction of the contact. Direction 0 where there
    /// is no friction.
    Slip(u16),
}

impl Mode {
    /// In the active set.
    pub(super) fn active(self) -> bool {
        self != Mode::Open
    }

    /// Held by the complementarity problem of the step before.
    pub(super) fn held(self) -> bool {
        matches!(self, Mode::Stick | Mode::Slip(_))
    }
}

/// What the host knows of a contact, so that it hears of changes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: after the state was set, or after an impact.
    Nothing,
    Open,
    Stick,
    Slip,
}

/// Memory of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    pub mode: Mode,
    pub known: Known,
    /// Depth of a penetration that was there when the state was set, <= 0: no impulse may come from
    /// it.
    pub depth: f64,
    /// An impact under way, for rules on positions.
    pub half: Half,
}

/// The first half of an impact that takes two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Half {
    /// Time that its row counted in, kept for one step after the second half; else zero.
    pub time: f64,
    /// Gap rate before it, and its impulse, zero when no impact is under way.
    pub before: f64,
    pub impulse: f64,
}

impl Half {
    pub(super) const NONE: Half = Half { time: 0.0, before: 0.0, impulse: 0.0 };

    /// Whether an impact is under way.
    pub(super) fn under_way(&self) -> bool {
        self.impulse > 0.0
    }
}

impl Contact {
    /// After the state was set.
    pub(super) const NEW: Contact =
        Contact { mode: Mode::Open, known: Known::Nothing, depth: 0.0, half: Half::NONE };

    /// In a slot that is free: the contact that comes is heard of when it closes.
    pub(super) const FREE: Contact = Contact { known: Known::Open, ..Self::NEW };
}

/// Memory of one brake: it touches, sticks or slips; direction 0 is its own, 1 the opposite one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brake {
    pub mode: Mode,
    pub known: Known,
}

impl Brake {
    pub(super) const NEW: Brake = Brake { mode: Mode::Touch, known: Known::Nothing };
}

/// State between steps.
#[derive(Debug)]
pub(super) struct State {
    pub t: f64,
    /// Length of the last step, zero before the first.
    pub h: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Fixed contacts, then slots.
    pub contacts: Vec<Contact>,
    pub brakes: Vec<Brake>,
    /// Keys of the contacts in slots.
    pub slots: Slots,
    /// The modes must be found again before they are used.
    pub stale: bool,
    /// The state was set and no step has been tried from it.
    pub fresh: bool,
    /// Damped sub-steps that may still be due.
    pub damp: u8,
    /// Impacts since time last moved.
    pub impacts_here: u32,
    /// Steps that are still taken without location because of a crowd.
    pub crowd: u8,
    /// For rules on positions the length of the last step, to which the velocity of the two-step rule
    /// belongs; for others the step that a run by tolerance would have taken next. Zero when there was
    /// none.
    pub h_before: f64,
    pub ledger: Ledgers,
    /// Of the last step.
    pub impulses: Impulses,
}

impl State {
    /// For the sizes `dims`, of which the last `slots` contacts come and go.
    pub(super) fn new(dims: &Dims, slots: usize) -> Result<Self> {
        let zeros = |n: usize| -> Result<Vec<f64>> {
            let mut x = reserve(n)?;
            x.resize(n, 0.0);
            Ok(x)
        };
        let mut contacts = reserve(dims.n_contact)?;
        contacts.resize(dims.n_contact, Contact::NEW);
        let mut brakes = reserve(dims.n_brake)?;
        brakes.resize(dims.n_brake, Brake::NEW);
        Ok(Self {
            t: 0.0,
            h: 0.0,
            q: zeros(dims.nq)?,
            v: zeros(dims.nv)?,
            contacts,
            brakes,
            slots: Slots::new(slots)?,
            stale: true,
            fresh: true,
            damp: super::damped::SUB_STEPS,
            impacts_here: 0,
            crowd: 0,
            h_before: 0.0,
            ledger: Ledgers::default(),
            impulses: Impulses::new(dims)?,
        })
    }

    /// Takes over `other`, which has the same dimensions but perhaps fewer slots; the books of the
    /// last step are empty.
    pub(super) fn copy_from(&mut self, other: &State) {
        self.t = other.t;
        self.h = other.h;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.brakes.copy_from_slice(&other.brakes);
        let (taken, rest) = self.contacts.split_at_mut(other.contacts.len());
        taken.copy_from_slice(&other.contacts);
        // Slots that nobody has used yet are like those that have been freed.
        rest.fill(if other.fresh { Contact::NEW } else { Contact::FREE });
        self.slots.copy_from(&other.slots);
        self.stale = other.stale;
        self.fresh = other.fresh;
        self.damp = other.damp;
        self.impacts_here = other.impacts_here;
        self.crowd = other.crowd;
        self.h_before = other.h_before;
        self.ledger.sum = other.ledger.sum;
        self.forget_step();
    }

    /// Takes over `other` with the books of its last step.
    pub(super) fn copy_whole_from(&mut self, other: &State) {
        self.copy_from(other);
        self.ledger.step = other.ledger.step;
        self.impulses.copy_from(&other.impulses);
    }

    /// Empties the books of the last step.
    pub(super) fn forget_step(&mut self) {
        self.ledger.step = Ledger::default();
        self.impulses.clear();
    }
}
