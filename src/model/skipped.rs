//! Contacts that come and go which whoever asks can do without. Knows no slots.

use super::sink::{ContactSet, ContactSink};
use crate::error::{Result, grow};

/// Keys that need not be pushed.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    /// Ascending.
    keys: Vec<i64>,
    /// Behind the last one found: keys are mostly pushed in their order.
    next: usize,
}

impl Skipped {
    /// Before contacts are pushed.
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }

    /// Whether `key` need not be pushed.
    pub(super) fn has(&mut self, key: i64) -> bool {
        if self.keys.get(self.next) == Some(&key) {
            self.next += 1;
            return true;
        }
        match self.keys.binary_search(&key) {
            Ok(place) => {
                self.next = place + 1;
                true
            }
            Err(_) => false,
        }
    }
}

impl ContactSet {
    /// Wants all contacts.
    pub fn skip_none(&mut self) {
        if !self.skipped.keys.is_empty() {
            self.forget_answer();
        }
        self.skipped.keys.clear();
    }

    /// Does without contacts of these keys until told otherwise.
    ///
    /// # Errors
    /// `Memory`.
    pub fn skip(&mut self, keys: impl Iterator<Item = i64>) -> Result<()> {
        self.skip_none();
        let known = &mut self.skipped.keys;
        for key in keys {
            grow(known, 1)?;
            known.push(key);
        }
        known.sort_unstable();
        if !known.is_empty() {
            self.forget_answer();
        }
        Ok(())
    }
}

impl ContactSink<'_> {
    /// Whether a contact of this key need not be pushed here; if it is, nothing happens. Models save the
    /// work of its columns.
    pub fn skips(&mut self, key: i64) -> bool {
        self.set.skipped.has(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_any_order() {
        let mut set = ContactSet::new(3, 0, 9);
        set.skip([7, -2, 5].into_iter()).unwrap();
        let mut sink = ContactSink::new(&mut set);
        for key in [-2, 5, 7, 7, 5, -2] {
            assert!(sink.skips(key) && !sink.skips(key + 1));
        }
        set.skip_none();
        assert!(!ContactSink::new(&mut set).skips(5));
    }
}
