//! What happened during a step. Knows neither how it was found nor who asks.

use crate::error::{Result, reserve};

/// Kinds of events, with the numbers they have in the C interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// A contact received an impulse.
    Impact = 1,
    /// Slip ended.
    Stick = 2,
    /// Slip began.
    Slip = 3,
    /// A closed contact opened.
    Takeoff = 4,
    /// A contact closed without an impact, or at the end of an accumulation of impacts.
    Close = 5,
    /// An impact would have created energy and the fallback law was used.
    Energy = 6,
}

/// One event. IMPACT: normal speeds before and after, total normal impulse. STICK, SLIP: slip
/// speeds. TAKEOFF, CLOSE: normal speeds. ENERGY: kinetic energies, contact -1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Index of the contact, n_contact + i for brake i, -1 for none.
    pub contact: i32,
    /// When.
    pub t: f64,
    /// Speed (or energy) before.
    pub speed_before: f64,
    /// Speed (or energy) after.
    pub speed_after: f64,
    /// Total normal impulse of an impact, else 0.
    pub impulse: f64,
    /// The host's name of the contact or brake; the index for fixed gaps.
    pub key: i64,
}

/// Events of the last step or advance, up to a capacity; the rest is counted.
#[derive(Debug)]
pub(super) struct EventLog {
    kept: Vec<Event>,
    capacity: usize,
    /// Events of the step under way start here and may go up to there.
    step_start: usize,
    limit: usize,
    lost: u64,
}

impl EventLog {
    pub(super) fn new(capacity: usize) -> Result<Self> {
        // Twice: the events of one step are kept until those of the next have come to pass.
        let kept = reserve(capacity.saturating_mul(2))?;
        Ok(Self { kept, capacity, step_start: 0, limit: capacity, lost: 0 })
    }

    pub(super) fn kept(&self) -> &[Event] {
        &self.kept[..self.step_start]
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.step_start = 0;
    }

    /// A step begins. `alone`: its events will replace those before, else they are added.
    pub(super) fn begin(&mut self, alone: bool) {
        self.limit = if alone { self.step_start + self.capacity } else { self.capacity };
    }

    /// Whether something has happened in the step under way.
    pub(super) fn eventful(&self) -> bool {
        self.kept.len() > self.step_start || self.lost > 0
    }

    /// Notes an event of the step under way.
    pub(super) fn push(&mut self, event: Event) {
        if self.kept.len() < self.limit {
            self.kept.push(event);
        } else {
            self.lost += 1;
        }
    }

    /// The step under way happened: its events are put in order and kept. `alone` drops those of
    /// the steps before. Gives how many there were, and how many of them were lost.
    pub(super) fn commit(&mut self, alone: bool) -> (usize, u64) {
        if alone {
            self.kept.drain(..self.step_start);
            self.step_start = 0;
        }
        // Ties in all three keys are equal events for any reader; unstable sorting allocates nothing.
        let new = &mut self.kept[self.step_start..];
        new.sort_unstable_by(|a, b| {
            let place = (a.contact, a.kind).cmp(&(b.contact, b.kind));
            a.t.total_cmp(&b.t).then(place)
        });
        let count = new.len();
        self.step_start = self.kept.len();
        (count, std::mem::take(&mut self.lost))
    }

    /// The events from the `count`-th on did not happen after all.
    pub(super) fn forget_from(&mut self, count: usize) {
        self.kept.truncate(count);
        self.step_start = self.kept.len();
    }

    /// The step under way did not happen.
    pub(super) fn roll_back(&mut self) {
        self.kept.truncate(self.step_start);
        self.lost = 0;
    }
}
