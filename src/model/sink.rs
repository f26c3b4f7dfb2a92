//! Contacts that come and go, as a host pushes them at one point. Knows neither slots nor steps.

use super::again::Answered;
use super::pushed::HostContact;
use super::skipped::Skipped;
use crate::error::{Error, Result, grow, told};
use crate::linalg::Runs;

/// Coordinates of sparse columns, as whoever pushes has them: how many, and which.
pub(super) type Coordinates<'a> = (usize, &'a dyn Fn(usize) -> i64);

/// Where a contact of a [`ContactSet`] is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) key: i64,
    pub(super) gap: f64,
    pub(super) mu: f64,
    pub(super) restitution: f64,
    /// The coordinates that its columns are kept on.
    pub(super) runs: Runs,
    /// First of its values: normal, then the first half of the friction directions.
    pub(super) value: usize,
    pub(super) n_dir: usize,
    /// Place of its group, for a branch of one.
    pub(super) group: Option<usize>,
}

/// The contacts of one point. Storage grows with the largest number met and is kept.
#[derive(Debug)]
pub struct ContactSet {
    pub(super) nv: usize,
    pub(super) n_dir: usize,
    pub(super) most: usize,
    /// Good contacts so far, also those that did not fit.
    pub(super) pushes: usize,
    failure: Option<Error>,
    pub(super) contacts: Vec<Kept>,
    /// Groups of which one gap is enough, and the contact with the largest of each.
    pub(super) groups: Vec<(i64, usize)>,
    pub(super) values: Vec<f64>,
    /// Coordinates of the contact under way, in ascending order.
    pub(super) on: Vec<usize>,
    /// Keys in ascending order.
    sorted: Vec<i64>,
    pub(super) skipped: Skipped,
    pub(super) answered: Answered,
    /// Cosine and sine of the directions of the last polygon, the first half of them.
    pub(super) polygon: Vec<[f64; 2]>,
}

impl ContactSet {
    /// For contacts with columns of length `nv` and up to `n_dir` directions, at most `most` at a
    /// point.
    pub fn new(nv: usize, n_dir: usize, most: usize) -> Self {
        Self {
            nv,
            n_dir,
            most,
            pushes: 0,
            failure: None,
            contacts: Vec::new(),
            groups: Vec::new(),
            values: Vec::new(),
            on: Vec::new(),
            sorted: Vec::new(),
            skipped: Skipped::default(),
            answered: Answered::default(),
            polygon: Vec::new(),
        }
    }

    /// Forgets all contacts.
    pub(super) fn clear(&mut self) {
        self.forget_answer();
        self.pushes = 0;
        self.failure = None;
        self.contacts.clear();
        self.groups.clear();
        self.values.clear();
        self.skipped.rewind();
    }

    /// Gives the failure of a push, whatever the host made of it.
    pub(super) fn pushed(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Refuses a key that was pushed twice.
    pub(super) fn distinct(&mut self) -> Result<()> {
        self.sorted.clear();
        grow(&mut self.sorted, self.contacts.len())?;
        self.sorted.extend(self.contacts.iter().map(|c| c.key));
        self.sorted.sort_unstable();
        match self.sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(()),
            Some(pair) => {
                let must = "pushed once at each point";
                Err(Error::Value { what: "contact key", got: told(pair[0]), must })
            }
        }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Key of contact `i`, in the order they were pushed.
    pub fn key(&self, i: usize) -> i64 {
        self.contacts[i].key
    }

    /// Gap of contact `i`.
    pub fn gap(&self, i: usize) -> f64 {
        self.contacts[i].gap
    }

    /// Friction coefficient of contact `i`.
    pub fn mu(&self, i: usize) -> f64 {
        self.contacts[i].mu
    }

    /// Restitution coefficient of contact `i`.
    pub fn restitution(&self, i: usize) -> f64 {
        self.contacts[i].restitution
    }

    /// The coordinates on which the columns of contact `i` may be other than zero.
    pub fn runs(&self, i: usize) -> Runs {
        self.contacts[i].runs
    }

    /// Adds the columns of contact `i` to `columns`, without what is outside of its runs: its normal, then its
    /// directions as [`write_directions`](Self::write_directions) does.
    ///
    /// # Errors
    /// `Memory`.
    pub fn append_packed(&self, i: usize, columns: &mut Vec<f64>) -> Result<()> {
        let contact = &self.contacts[i];
        let (width, half) = (contact.runs.width(), self.n_dir / 2);
        let (own, at) = (contact.n_dir / 2, columns.len());
        let values = &self.values[contact.value..][..(1 + own) * width];
        grow(columns, (1 + 2 * half) * width)?;
        columns.extend_from_slice(values);
        columns.resize(at + (1 + half) * width, 0.0);
        columns.extend(values[width..].iter().map(|d| -d));
        columns.resize(at + (1 + 2 * half) * width, -0.0);
        Ok(())
    }

    /// Writes the normal of contact `i`, nv numbers.
    pub fn write_normal(&self, i: usize, normal: &mut [f64]) {
        self.scatter(&self.contacts[i], 0, normal);
    }

    /// Writes the friction directions of contact `i`, n_dir columns of length nv: a contact with m
    /// < n_dir of them fills the first m/2 columns of either half, the others are zero.
    pub fn write_directions(&self, i: usize, directions: &mut [f64]) {
        let contact = &self.contacts[i];
        let (ahead, opposite) = directions.split_at_mut(self.nv * (self.n_dir / 2));
        let rows = self.nv.max(1);
        let pairs = ahead.chunks_exact_mut(rows).zip(opposite.chunks_exact_mut(rows));
        for (k, (d, back)) in pairs.enumerate() {
            if k < contact.n_dir / 2 {
                self.scatter(contact, k + 1, d);
            } else {
                d.fill(0.0);
            }
            back.iter_mut().zip(d).for_each(|(b, d)| *b = -*d);
        }
    }

    /// Column `k` of a contact, with its zeros.
    fn scatter(&self, contact: &Kept, k: usize, column: &mut [f64]) {
        let at = contact.value + k * contact.runs.width();
        contact.runs.pack(&self.values[at..]).write(&mut column[..self.nv]);
    }
}

/// What a model pushes its contacts into.
#[derive(Debug)]
pub struct ContactSink<'a> {
    pub(super) set: &'a mut ContactSet,
}

impl<'a> ContactSink<'a> {
    pub(super) fn new(set: &'a mut ContactSet) -> Self {
        Self { set }
    }

    /// Length of dense columns.
    pub fn nv(&self) -> usize {
        self.set.nv
    }

    /// Takes a copy of `contact`.
    ///
    /// # Errors
    /// `NonFinite`, `Range`, `Dimension`, `Value` and `Capacity` for the contact or for one too
    /// many; `Memory`. The first failure is remembered: the question fails with it whatever the
    /// model answers.
    pub fn push(&mut self, contact: &HostContact<'_>) -> Result<()> {
        match contact.coordinates {
            Some(x) => self.keep(contact, Some((x.len(), &|k| x[k] as i64))),
            None => self.keep(contact, None),
        }
    }

    /// The same for a contact on `coordinates`, in the integers of the C interface.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_on(&mut self, contact: &HostContact<'_>, coordinates: &[i32]) -> Result<()> {
        self.keep(contact, Some((coordinates.len(), &|k| i64::from(coordinates[k]))))
    }

    fn keep(&mut self, contact: &HostContact<'_>, on: Option<Coordinates<'_>>) -> Result<()> {
        let done = self.set.keep(contact, on);
        self.noted(done)
    }

    /// Remembers the first failure.
    pub(super) fn noted(&mut self, done: Result<()>) -> Result<()> {
        if let Err(e) = &done {
            let one_more = matches!(
                (e, &self.set.failure),
                (Error::Capacity { what: a, .. }, Some(Error::Capacity { what: b, .. })) if a == b
            );
            // The last of those that did not fit tells how many there are.
            if self.set.failure.is_none() || one_more {
                self.set.failure = Some(e.again());
            }
        }
        done
    }

    /// Makes the question fail with `error`, as a push does that the model cannot even make.
    pub fn fail(&mut self, error: Error) {
        self.set.failure.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Answer, Checked, Dims, Friction, Model, Refusal};

    const PLAIN: HostContact<'static> = HostContact {
        key: 7,
        gap: 0.5,
        coordinates: None,
        normal: &[0.0, 1.0, 0.0],
        friction: Friction::None,
        mu: 0.0,
        restitution: 0.0,
    };

    #[test]
    fn sparse_and_dense_columns_are_the_same_contact() {
        let mut set = ContactSet::new(3, 4, 2);
        let mut sink = ContactSink::new(&mut set);
        let d = [1.0, 0.0, 2.0, -1.0, 0.0, -2.0];
        sink.push(&HostContact { friction: Friction::Directions(&d), mu: 0.5, ..PLAIN }).unwrap();
        let sparse = HostContact {
            key: 8,
            coordinates: Some(&[2, 0, 1]),
            normal: &[0.0, 0.0, 1.0],
            friction: Friction::Directions(&[2.0, 1.0, 0.0, -2.0, -1.0, 0.0]),
            mu: 0.5,
            ..PLAIN
        };
        sink.push(&sparse).unwrap();
        let (mut a, mut b) = ([9.0; 3], [9.0; 3]);
        set.write_normal(0, &mut a);
        set.write_normal(1, &mut b);
        assert_eq!((a, a), (b, [0.0, 1.0, 0.0]));
        let (mut a, mut b) = ([9.0; 12], [9.0; 12]);
        set.write_directions(0, &mut a);
        set.write_directions(1, &mut b);
        assert_eq!(a, b);
        // One pair of two: the second column of either half is empty.
        assert_eq!(a, [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, -1.0, 0.0, -2.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn two_tangents_make_a_polygon() {
        let mut set = ContactSet::new(3, 4, 1);
        let friction =
            Friction::Tangents { first: &[1.0, 0.0, 0.0], second: &[0.0, 0.0, 1.0], facets: 4 };
        ContactSink::new(&mut set).push(&HostContact { friction, mu: 1.0, ..PLAIN }).unwrap();
        let mut d = [9.0; 12];
        set.write_directions(0, &mut d);
        let expected = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, -1.0];
        // cos(pi/2) is 6e-17 in floating point.
        assert!(d.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-16), "{d:?}");
    }

    #[test]
    fn the_first_bad_contact_is_remembered_and_too_many_are_counted() {
        let mut set = ContactSet::new(3, 0, 2);
        let mut sink = ContactSink::new(&mut set);
        for key in 0..5 {
            let done = sink.push(&HostContact { key, ..PLAIN });
            assert_eq!(done.is_ok(), key < 2);
        }
        let e = set.pushed().unwrap_err();
        assert_eq!(e.to_string(), "contacts pushed at one point needs 5, there is room for 2");
        set.clear();
        let mut sink = ContactSink::new(&mut set);
        assert!(sink.push(&HostContact { gap: f64::NAN, ..PLAIN }).is_err());
        assert!(sink.push(&HostContact { mu: 0.5, ..PLAIN }).is_err());
        sink.push(&PLAIN).unwrap();
        assert_eq!(set.pushed().unwrap_err().to_string(), "gap[0] is NaN");
    }

    #[test]
    fn a_key_twice_is_named() {
        let mut set = ContactSet::new(3, 0, 9);
        let mut sink = ContactSink::new(&mut set);
        for key in [3, -4, 5, -4] {
            sink.push(&HostContact { key, ..PLAIN }).unwrap();
        }
        let e = set.distinct().unwrap_err();
        assert_eq!(e.to_string(), "contact key is -4, must be pushed once at each point");
    }

    #[test]
    fn bad_contacts_are_refused_with_their_numbers() {
        let mut set = ContactSet::new(3, 4, 9);
        let mut said =
            |c: HostContact<'_>| ContactSink::new(&mut set).push(&c).unwrap_err().to_string();
        assert_eq!(said(HostContact { mu: -1.0, ..PLAIN }), "mu[0] is -1, must be >= 0");
        assert_eq!(
            said(HostContact { restitution: 1.5, ..PLAIN }),
            "restitution[0] is 1.5, must be between 0 and 1"
        );
        assert_eq!(said(HostContact { normal: &[1.0], ..PLAIN }), "normal is 1, expected 3");
        let nowhere = HostContact { normal: &[0.0; 3], ..PLAIN };
        assert_eq!(said(nowhere), "normal is zero at contact 0, must be a direction");
        let sparse = HostContact { coordinates: Some(&[3]), normal: &[1.0], ..PLAIN };
        assert_eq!(said(sparse), "coordinate is 3, expected from 0 to less than nv = 3");
        let one = Friction::Directions(&[1.0, 0.0, 0.0]);
        let odd = HostContact { friction: one, mu: 1.0, ..PLAIN };
        assert_eq!(said(odd), "directions of a contact is 1, must be even");
        let six = Friction::Tangents { first: &[0.0; 3], second: &[0.0; 3], facets: 6 };
        let many = HostContact { friction: six, mu: 1.0, ..PLAIN };
        assert_eq!(said(many), "directions of a contact needs 6, there is room for 4");
    }

    struct Host;

    impl Model for Host {
        fn dims(&self) -> Dims {
            Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
        }
        fn mass(&self, t: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            // Only the nonzeros are written: what was there before must be gone.
            if t > 0.0 {
                mass[0] = 1.0;
            }
            Ok(())
        }
        fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
            force[0] = f64::NAN;
            if t < 0.0 { Err(Refusal::Stop(-7)) } else { Ok(()) }
        }
        fn gap(&self, _: f64, _: &[f64], _: &mut [f64], _: &mut [f64]) -> Answer {
            Err(Refusal::Point(3))
        }
    }

    #[test]
    fn outputs_are_cleared_and_refusals_name_the_question() {
        let mut asked = Checked::new(&Host);
        let mut x = [5.0];
        asked.mass(0.0, &[0.0], &mut x).unwrap();
        assert_eq!(x, [0.0]);
        let e = asked.force(0.0, &[0.0], &[0.0], &mut x).unwrap_err();
        assert_eq!(e.to_string(), "force[0] is NaN");
        let e = asked.force(-1.0, &[0.0], &[0.0], &mut x).unwrap_err();
        assert_eq!(e, Error::Callback { what: "force", code: -7 });
        let e = asked.gap(0.0, &[0.0], &mut x, &mut [0.0]).unwrap_err();
        assert_eq!(e, Error::Rejected { what: "gap", code: 3 });
        assert_eq!(asked.force_evals, 2);
    }
}
