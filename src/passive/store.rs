//! Points at which answers are wanted or known, in storage sized once. Knows neither models nor
//! steps.
//!
//! A point is found again by its bits: the attempts of a step repeat each other to the last one.

use super::quantity::{Quantities, Quantity};
use crate::error::{Error, Result, finite, length, reserve, told};
use crate::model::Dims;

/// One point (t, q, v). What depends on t and q alone is kept with any v, or none.
#[derive(Clone, Copy, Debug)]
struct Point {
    t: f64,
    has_v: bool,
    wanted: Quantities,
    given: Quantities,
}

/// A point to look for.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub t: f64,
    pub q: &'a [f64],
    /// `None` for questions that do not depend on it.
    pub v: Option<&'a [f64]>,
}

/// Points with their numbers: `stride` each, position and velocity first, then every quantity.
#[derive(Debug)]
pub(super) struct Store {
    dims: Dims,
    offsets: [usize; Quantity::ALL.len()],
    stride: usize,
    most: usize,
    points: Vec<Point>,
    numbers: Vec<f64>,
    /// Points that the host was told of after the last attempt, with what was asked there.
    requests: Vec<(usize, Quantities)>,
    /// A step is under way: questions without an answer become requests.
    pub open: bool,
    /// A question found no room.
    pub full: bool,
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

impl Store {
    /// Room for `most` points of a model that gives `gives`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn new(dims: &Dims, gives: Quantities, most: usize) -> Result<Self> {
        let mut offsets = [0; Quantity::ALL.len()];
        let mut stride = dims.nq + dims.nv;
        for (offset, quantity) in offsets.iter_mut().zip(Quantity::ALL) {
            *offset = stride;
            let len = if gives.contains(quantity) { quantity.len_in(dims) } else { 0 };
            stride = stride.saturating_add(len);
        }
        Ok(Self {
            dims: *dims,
            offsets,
            stride,
            most,
            points: reserve(most)?,
            numbers: reserve(most.saturating_mul(stride))?,
            requests: reserve(most)?,
            open: false,
            full: false,
        })
    }

    /// Number of points there is room for.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    fn q_of(&self, point: usize) -> &[f64] {
        &self.numbers[point * self.stride..][..self.dims.nq]
    }

    fn v_of(&self, point: usize) -> &[f64] {
        &self.numbers[point * self.stride + self.dims.nq..][..self.dims.nv]
    }

    fn range(&self, point: usize, quantity: Quantity) -> std::ops::Range<usize> {
        let from = point * self.stride + self.offsets[quantity as usize];
        from..from + quantity.len_in(&self.dims)
    }

    /// The point at `place` whose facts satisfy `fits`; where `place` has no velocity, any will do.
    fn find(&self, place: Place<'_>, fits: impl Fn(&Point) -> bool) -> Option<usize> {
        (0..self.points.len()).find(|&i| {
            let p = &self.points[i];
            let here = p.t.to_bits() == place.t.to_bits() && fits(p);
            here && same(self.q_of(i), place.q)
                && place.v.is_none_or(|v| p.has_v && same(self.v_of(i), v))
        })
    }

    /// The point at `place` where all of `what` is known.
    pub(super) fn known(&self, place: Place<'_>, what: Quantities) -> Option<usize> {
        self.find(place, |p| p.given.contains_all(what))
    }

    /// The numbers of a quantity that is known at a point.
    pub(super) fn get(&self, point: usize, quantity: Quantity) -> &[f64] {
        &self.numbers[self.range(point, quantity)]
    }

    /// Notes that `what` is wanted at `place`, next to what else is wanted there.
    pub(super) fn want(&mut self, place: Place<'_>, what: Quantities) {
        let without_v = Place { v: None, ..place };
        let found = self
            .find(place, |_| true)
            .or_else(|| self.find(without_v, |p| !p.has_v && place.v.is_some()));
        let i = match found {
            Some(i) => i,
            None if self.points.len() >= self.most => {
                self.full = true;
                return;
            }
            None => {
                let none = Quantities::NONE;
                let i = self.points.len();
                self.points.push(Point { t: place.t, has_v: false, wanted: none, given: none });
                self.numbers.resize((i + 1) * self.stride, 0.0);
                self.numbers[i * self.stride..][..self.dims.nq].copy_from_slice(place.q);
                i
            }
        };
        if let Some(v) = place.v {
            self.points[i].has_v = true;
            let at = i * self.stride + self.dims.nq;
            self.numbers[at..at + self.dims.nv].copy_from_slice(v);
        }
        self.points[i].wanted = self.points[i].wanted.with(what);
    }

    /// Makes requests of all that is wanted and not known.
    pub(super) fn ask(&mut self) {
        self.requests.clear();
        for (i, p) in self.points.iter().enumerate() {
            let missing = p.wanted.without(p.given);
            if !missing.is_empty() {
                self.requests.push((i, missing));
            }
        }
    }

    /// Refuses to go on before every request is answered.
    ///
    /// # Errors
    /// `Unanswered`.
    pub(super) fn check_answered(&self) -> Result<()> {
        for (request, &(point, what)) in self.requests.iter().enumerate() {
            if let Some(missing) = what.without(self.points[point].given).members().next() {
                return Err(Error::Unanswered { request, what: missing.name() });
            }
        }
        Ok(())
    }

    /// Number of requests.
    pub(super) fn request_count(&self) -> usize {
        self.requests.len()
    }

    fn request(&self, i: usize) -> Result<(usize, Quantities)> {
        self.requests.get(i).copied().ok_or_else(|| Error::Dimension {
            what: "i",
            got: i as i64,
            expected: told(format_args!("less than {}", self.requests.len())),
        })
    }

    /// Request `i`: what it asks for, and its point. The velocity is zero when nothing asked for
    /// depends on it.
    ///
    /// # Errors
    /// `Dimension` for a request that there is not.
    pub(super) fn read(&self, i: usize) -> Result<(Quantities, f64, &[f64], &[f64])> {
        let (point, what) = self.request(i)?;
        Ok((what, self.points[point].t, self.q_of(point), self.v_of(point)))
    }

    /// Answers one quantity of request `i`; again, to correct it.
    ///
    /// # Errors
    /// `Dimension` for a request that there is not, or a wrong length; `Value` for a quantity that
    /// it does not ask for; `NonFinite`. Nothing changes then.
    pub(super) fn put(&mut self, i: usize, quantity: Quantity, values: &[f64]) -> Result<()> {
        let (point, what) = self.request(i)?;
        if !what.contains(quantity) {
            let (got, must) = (told(quantity.name()), "among what the request asks for");
            return Err(Error::Value { what: "what", got, must });
        }
        length(quantity.name(), values, quantity.len_in(&self.dims))?;
        finite(quantity.name(), values)?;
        let range = self.range(point, quantity);
        self.numbers[range].copy_from_slice(values);
        let p = &mut self.points[point];
        p.given = p.given.with(Quantities::of(&[quantity]));
        Ok(())
    }

    /// Forgets everything but what is known at the position `q`, where the next step begins.
    pub(super) fn keep_at(&mut self, q: &[f64]) {
        let mut kept = 0;
        for i in 0..self.points.len() {
            if !same(self.q_of(i), q) || self.points[i].given.is_empty() {
                continue;
            }
            self.points[kept] = Point { wanted: self.points[i].given, ..self.points[i] };
            let from = i * self.stride;
            self.numbers.copy_within(from..from + self.stride, kept * self.stride);
            kept += 1;
        }
        self.points.truncate(kept);
        self.numbers.truncate(kept * self.stride);
        self.requests.clear();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.numbers.clear();
        self.requests.clear();
        self.full = false;
    }
}
