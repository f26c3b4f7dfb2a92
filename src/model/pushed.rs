//! One contact that a host pushes, what it must be like, and how it is kept. Knows no other.

use super::sink::{ContactSet, Coordinates, Kept};
use crate::error::{Error, Result, finite, grow, length, told};
use crate::linalg::{Runs, max_abs};
use crate::tol;
use std::f64::consts::TAU;

/// How a pushed contact rubs. Columns have one entry per coordinate of
/// [`HostContact::coordinates`].
#[derive(Clone, Copy, Debug)]
pub enum Friction<'a> {
    /// Not at all.
    None,
    /// Along these columns, side by side: an even number up to `n_dir` of the model, in angular
    /// order, the second half opposite to the first.
    Directions(&'a [f64]),
    /// Along the corners of a regular polygon in the plane of two tangents at a right angle.
    Tangents {
        /// The direction of the first corner.
        first: &'a [f64],
        /// The direction a quarter turn further.
        second: &'a [f64],
        /// Corners: an even number up to `n_dir` of the model.
        facets: usize,
    },
}

/// One contact at one point.
#[derive(Clone, Copy, Debug)]
pub struct HostContact<'a> {
    /// What the host knows the contact by, from point to point and from step to step.
    pub key: i64,
    /// Positive when open.
    pub gap: f64,
    /// The velocity coordinates that `normal` and the friction columns are given on, the others
    /// being zero; entries for the same coordinate add up. `None`: all, in order.
    pub coordinates: Option<&'a [usize]>,
    /// The rate of the gap is normal'v + d gap/dt.
    pub normal: &'a [f64],
    /// Friction directions.
    pub friction: Friction<'a>,
    /// Friction coefficient, >= 0; 0 without directions.
    pub mu: f64,
    /// Restitution coefficient, in [0, 1].
    pub restitution: f64,
}

impl ContactSet {
    /// Checks a contact; gives the number of its directions.
    pub(super) fn check(&self, c: &HostContact<'_>, on: Option<Coordinates<'_>>) -> Result<usize> {
        let number = self.len();
        for (what, value) in [("gap", c.gap), ("mu", c.mu), ("restitution", c.restitution)] {
            if !value.is_finite() {
                return Err(Error::NonFinite { what, index: number, value });
            }
        }
        let rows = on.map_or(self.nv, |(n, _)| n);
        if let Some((n, at)) = on {
            let inside = |i: i64| usize::try_from(i).is_ok_and(|i| i < self.nv);
            if let Some(got) = (0..n).map(at).find(|&i| !inside(i)) {
                let expected = told(format_args!("from 0 to less than nv = {}", self.nv));
                return Err(Error::Dimension { what: "coordinate", got, expected });
            }
            if n == 0 {
                let expected = "at least 1".into();
                return Err(Error::Dimension { what: "number of coordinates", got: 0, expected });
            }
        }
        length("normal", c.normal, rows)?;
        finite("normal", c.normal)?;
        // exact: no impulse along it does anything, so it is a slip of the host
        if c.normal.iter().all(|&x| x == 0.0) {
            let got = told(format_args!("zero at contact {number}"));
            return Err(Error::Value { what: "normal", got, must: "a direction" });
        }
        let n_dir = self.check_friction(&c.friction, rows)?;
        let range = |what, value, must| Err(Error::Range { what, index: number, value, must });
        if c.mu < 0.0 {
            return range("mu", c.mu, ">= 0");
        }
        if c.mu > 0.0 && n_dir == 0 {
            return range("mu", c.mu, "0 without friction directions");
        }
        if !(0.0..=1.0).contains(&c.restitution) {
            return range("restitution", c.restitution, "between 0 and 1");
        }
        Ok(n_dir)
    }

    /// The shortest runs that hold the columns of `c`.
    pub(super) fn find_runs(
        &mut self,
        c: &HostContact<'_>,
        on: Option<Coordinates<'_>>,
    ) -> Result<Runs> {
        let nv = self.nv;
        let Some((n, at)) = on else {
            let more: [&[f64]; 2] = match c.friction {
                Friction::None => [&[], &[]],
                Friction::Directions(d) => [&d[..d.len() / 2], &[]],
                Friction::Tangents { first, second, .. } => [first, second],
            };
            let filled = |x: &[f64], i: usize| x.iter().skip(i).step_by(nv).any(|&x| x != 0.0);
            // exact: what the host did not write is zero
            return Ok(Runs::of(nv, |i| c.normal[i] != 0.0 || more.iter().any(|x| filled(x, i))));
        };
        self.on.clear();
        grow(&mut self.on, n)?;
        // They have been found to lie between 0 and nv.
        self.on.extend((0..n).map(|k| at(k) as usize));
        self.on.sort_unstable();
        Ok(if nv <= n { Runs::whole(nv) } else { Runs::around(self.on.iter().copied()) })
    }

    /// Checks directions with `rows` entries each; gives how many there are.
    fn check_friction(&self, friction: &Friction<'_>, rows: usize) -> Result<usize> {
        let n_dir = match *friction {
            Friction::None => 0,
            Friction::Directions(d) => d.len() / rows.max(1),
            Friction::Tangents { facets, .. } => facets,
        };
        if n_dir % 2 == 1 {
            let got = told(n_dir);
            return Err(Error::Value { what: "directions of a contact", got, must: "even" });
        }
        if n_dir > self.n_dir {
            let what = "directions of a contact";
            return Err(Error::Capacity { what, needed: n_dir, have: self.n_dir });
        }
        match *friction {
            Friction::None => {}
            Friction::Directions(d) => {
                length("tangent", d, n_dir * rows)?;
                finite("tangent", d)?;
                opposite(d, rows)?;
            }
            Friction::Tangents { first, second, .. } => {
                for t in [first, second] {
                    length("tangent", t, rows)?;
                    finite("tangent", t)?;
                }
            }
        }
        Ok(n_dir)
    }
}

/// Refuses columns of `rows` entries whose second half is not opposite to the first.
fn opposite(columns: &[f64], rows: usize) -> Result<()> {
    let half = columns.len() / 2;
    for at in (0..half).step_by(rows.max(1)) {
        let (d, back) = (&columns[at..at + rows], &columns[half + at..half + at + rows]);
        let slack = tol::OPPOSITE * max_abs(d).max(max_abs(back));
        if let Some(i) = (0..rows).find(|&i| (d[i] + back[i]).abs() > slack) {
            return Err(Error::Range {
                what: "tangent",
                index: half + at + i,
                value: back[i],
                must: "minus the entry of the direction n_dir/2 before it",
            });
        }
    }
    Ok(())
}

impl ContactSet {
    /// Makes the directions of a polygon of `facets` corners known.
    fn know_polygon(&mut self, facets: usize) -> Result<()> {
        if self.polygon.len() != facets / 2 {
            self.polygon.clear();
            grow(&mut self.polygon, facets / 2)?;
            for j in 0..facets / 2 {
                let (sine, cosine) = (TAU * j as f64 / facets as f64).sin_cos();
                self.polygon.push([cosine, sine]);
            }
        }
        Ok(())
    }

    /// Adds a column of `rows` numbers, where each has its row.
    fn add_column(
        &mut self,
        runs: Runs,
        rows: usize,
        row: impl Fn(usize) -> usize,
        column: impl Fn(usize) -> f64,
    ) {
        let start = self.values.len();
        self.values.resize(start + runs.width(), 0.0);
        for k in 0..rows {
            let x = column(k);
            // exact: what is outside of the runs is zero
            if x != 0.0 {
                self.values[start + runs.place(row(k))] += x;
            }
        }
    }

    /// Takes a copy of `c`, which is on the coordinates `on`.
    ///
    /// # Errors
    /// As [`ContactSink::push`](super::ContactSink::push).
    pub(super) fn keep(&mut self, c: &HostContact<'_>, on: Option<Coordinates<'_>>) -> Result<()> {
        if self.skipped.has(c.key) {
            return Ok(());
        }
        let n_dir = self.check(c, on)?;
        if let Friction::Tangents { facets, .. } = c.friction {
            self.know_polygon(facets)?;
        }
        self.pushes += 1;
        if self.pushes > self.most {
            let what = "contacts pushed at one point";
            return Err(Error::Capacity { what, needed: self.pushes, have: self.most });
        }
        let runs = self.find_runs(c, on)?;
        let (rows, width, value) = (c.normal.len(), runs.width(), self.values.len());
        grow(&mut self.contacts, 1)?;
        grow(&mut self.values, width * (1 + n_dir / 2))?;
        // Mostly columns are written as they are kept: then nothing is looked up number by number.
        let straight = rows == width
            && on.is_none_or(|(_, at)| runs.rows().enumerate().all(|(k, row)| at(k) == row as i64));
        let row = |k: usize| on.map_or(k, |(_, at)| at(k) as usize);
        // + 0: a zero of either sign is kept as the same one.
        if straight {
            self.values.extend(c.normal.iter().map(|x| x + 0.0));
        } else {
            self.add_column(runs, rows, row, |k| c.normal[k]);
        }
        match c.friction {
            Friction::None => {}
            Friction::Directions(d) if straight => {
                self.values.extend(d[..n_dir / 2 * rows].iter().map(|x| x + 0.0));
            }
            Friction::Directions(d) => {
                (0..n_dir / 2).for_each(|j| self.add_column(runs, rows, row, |k| d[j * rows + k]));
            }
            Friction::Tangents { first, second, .. } => {
                for j in 0..self.polygon.len() {
                    let [cosine, sine] = self.polygon[j];
                    let both = first.iter().zip(second);
                    let mixed = both.map(|(x, y)| cosine * x + sine * y + 0.0);
                    if straight {
                        self.values.extend(mixed);
                    } else {
                        let one = |k| cosine * first[k] + sine * second[k];
                        self.add_column(runs, rows, row, one);
                    }
                }
            }
        }
        let HostContact { key, gap, mu, restitution, .. } = *c;
        let group = None;
        self.contacts.push(Kept { key, gap, mu, restitution, runs, value, n_dir, group });
        Ok(())
    }
}
