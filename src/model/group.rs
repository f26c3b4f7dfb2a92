//! Contacts of which one is enough: groups of pushed contacts, in which penetration means that all
//! gaps are negative. Knows neither slots nor steps.

use super::sink::{ContactSet, ContactSink};
use crate::error::{Error, Result, grow, told};

impl ContactSet {
    /// The group that contact `i` is a branch of.
    pub fn group(&self, i: usize) -> Option<i64> {
        self.contacts[i].group.map(|place| self.groups[place].0)
    }

    /// Whether some contact is a branch of a group.
    pub fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether contact `i` counts by configuration alone: always, except for a branch that is not the
    /// one of its group with the largest gap, of equal ones the first that joined.
    pub fn counts(&self, i: usize) -> bool {
        self.contacts[i].group.is_none_or(|place| self.groups[place].1 == i)
    }

    /// The gap of the group of contact `i`: the largest of its branches. That of the contact itself
    /// when it is in none.
    pub fn group_gap(&self, i: usize) -> f64 {
        let top = self.contacts[i].group.map_or(i, |place| self.groups[place].1);
        self.contacts[top].gap
    }

    fn join(&mut self, group: i64, key: i64) -> Result<()> {
        let wrong = |must| Err(Error::Value { what: "contact key", got: told(key), must });
        // Branches are usually joined right after they are pushed.
        let Some(i) = self.contacts.iter().rposition(|c| c.key == key) else {
            return wrong("pushed before it joins a group");
        };
        if self.contacts[i].group.is_some() {
            return wrong("in one group");
        }
        let place = match self.groups.iter().rposition(|g| g.0 == group) {
            Some(place) => place,
            None => {
                grow(&mut self.groups, 1)?;
                self.groups.push((group, i));
                self.groups.len() - 1
            }
        };
        self.contacts[i].group = Some(place);
        let top = &mut self.groups[place].1;
        if self.contacts[i].gap > self.contacts[*top].gap {
            *top = i;
        }
        Ok(())
    }
}

impl ContactSink<'_> {
    /// Makes the contacts that were pushed with `keys` branches of `group`: at least one of the gaps
    /// of a group must hold. A group is joined whole at every point, or not at all; more calls with
    /// the same group add to it.
    ///
    /// # Errors
    /// `Dimension` without keys; `Value` for a key that was not pushed or is in a group already;
    /// `Memory`. Remembered as by [`push`](Self::push).
    pub fn join(&mut self, group: i64, keys: &[i64]) -> Result<()> {
        let done = if keys.is_empty() {
            let (what, expected) = ("branches that join a group", "at least 1".into());
            Err(Error::Dimension { what, got: 0, expected })
        } else {
            keys.iter().try_for_each(|&key| self.set.join(group, key))
        };
        self.noted(done)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pushed::{Friction, HostContact};
    use super::*;

    fn set(gaps: &[f64]) -> ContactSet {
        let mut set = ContactSet::new(1, 0, 9);
        let mut sink = ContactSink::new(&mut set);
        for (k, &gap) in gaps.iter().enumerate() {
            let contact = HostContact {
                key: 10 + k as i64,
                gap,
                coordinates: None,
                normal: &[1.0],
                friction: Friction::None,
                mu: 0.0,
                restitution: 0.0,
            };
            sink.push(&contact).unwrap();
        }
        set
    }

    #[test]
    fn the_branch_with_the_largest_gap_counts_and_of_equal_ones_the_first() {
        let mut set = set(&[-1.0, 0.5, -3.0, -2.0, -2.0]);
        let mut sink = ContactSink::new(&mut set);
        sink.join(7, &[13, 12]).unwrap();
        sink.join(-7, &[10, 11]).unwrap();
        // A group may be joined one by one.
        sink.join(7, &[14]).unwrap();
        let counts: Vec<bool> = (0..5).map(|i| set.counts(i)).collect();
        assert_eq!(counts, [false, true, false, true, false]);
        let groups: Vec<_> = (0..5).map(|i| set.group(i)).collect();
        assert_eq!(groups, [-7, -7, 7, 7, 7].map(Some));
        let gaps: Vec<f64> = (0..5).map(|i| set.group_gap(i)).collect();
        assert_eq!(gaps, [0.5, 0.5, -2.0, -2.0, -2.0]);
    }

    #[test]
    fn wrong_keys_are_named() {
        let mut set = set(&[0.0, 1.0]);
        let mut said =
            |keys: &[i64]| ContactSink::new(&mut set).join(1, keys).unwrap_err().to_string();
        assert_eq!(said(&[]), "branches that join a group is 0, expected at least 1");
        assert_eq!(said(&[12]), "contact key is 12, must be pushed before it joins a group");
        assert_eq!(said(&[10, 10]), "contact key is 10, must be in one group");
    }
}
