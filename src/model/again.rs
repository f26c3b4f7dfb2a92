//! What a set of contacts answers, so that the same question need not be asked again: steps end where the next
//! begin, and look at one place for several reasons. Knows no slots.

use super::sink::ContactSet;
use crate::error::{Result, grow};

/// The question that the contacts at hand answer.
#[derive(Debug, Default)]
pub(super) struct Answered {
    known: bool,
    q: Vec<f64>,
    margin: f64,
}

impl ContactSet {
    /// Whether these are the contacts at `q` up to `margin`, of a model whose contacts depend on nothing else.
    pub(super) fn answers(&self, q: &[f64], margin: f64) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        let at = &self.answered;
        at.known
            && same(&at.margin, &margin)
            && at.q.len() == q.len()
            && at.q.iter().zip(q).all(|(a, b)| same(a, b))
    }

    /// Notes what has been answered.
    ///
    /// # Errors
    /// `Memory`; then nothing is known.
    pub(super) fn note_answer(&mut self, q: &[f64], margin: f64) -> Result<()> {
        let at = &mut self.answered;
        at.known = false;
        at.q.clear();
        grow(&mut at.q, q.len())?;
        at.q.extend_from_slice(q);
        (at.known, at.margin) = (true, margin);
        Ok(())
    }

    /// The next question has another answer, or this one was not answered.
    pub(super) fn forget_answer(&mut self) {
        self.answered.known = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Answer, Checked, ContactSink, Dims, Friction, HostContact, Model};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// A point over the ground that counts how often it is asked, always or never the same at a place.
    struct Point {
        asked: AtomicUsize,
        same: bool,
    }

    impl Model for Point {
        fn dims(&self) -> Dims {
            Dims { nq: 1, nv: 1, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], _: &mut [f64]) -> Answer {
            Ok(())
        }
        fn force(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> Answer {
            Ok(())
        }
        fn hosted(&self) -> usize {
            2
        }
        fn contacts_by_place(&self) -> bool {
            self.same
        }
        fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
            self.asked.fetch_add(1, Relaxed);
            let contact = HostContact {
                key: 1,
                gap: q[0],
                coordinates: None,
                normal: &[1.0],
                friction: Friction::None,
                mu: 0.0,
                restitution: 0.0,
            };
            sink.push(&contact).ok();
            Ok(())
        }
    }

    #[test]
    fn contacts_of_a_place_are_asked_for_once_and_again_when_anything_differs() {
        for (same, expected) in [(true, [1, 1, 2, 3, 4, 5]), (false, [1, 2, 3, 4, 5, 6])] {
            let model = Point { asked: AtomicUsize::new(0), same };
            let mut set = ContactSet::new(1, 0, 2);
            let mut counts = Vec::new();
            let mut ask = |set: &mut ContactSet, q: f64, margin: f64| {
                Checked::new(&model).contacts(0.0, &[q], margin, set).unwrap();
                counts.push(model.asked.load(Relaxed));
            };
            ask(&mut set, 0.5, 1.0);
            ask(&mut set, 0.5, 1.0);
            ask(&mut set, 0.25, 1.0);
            assert_eq!((set.len(), set.gap(0)), (1, 0.25));
            ask(&mut set, 0.25, 2.0);
            set.skip([1].into_iter()).unwrap();
            ask(&mut set, 0.25, 2.0);
            assert!(set.is_empty());
            set.skip_none();
            ask(&mut set, 0.25, 2.0);
            assert_eq!(set.len(), 1);
            assert_eq!(counts, expected);
        }
    }
}
