//! Columns of one length side by side, whole or without most of their zeros. Knows no mechanics.

use super::{Column, MatRef, Runs};
use crate::error::{Error, Result, grow};

/// Columns of which only the runs that matter are kept. Storage grows with the most that were kept
/// and is then used again.
#[derive(Debug, Default)]
pub struct Packed {
    rows: usize,
    runs: Vec<Runs>,
    start: Vec<usize>,
    values: Vec<f64>,
    /// Of a square matrix: its rows as they are best eliminated; nothing where that is as they stand.
    order: Vec<usize>,
}

impl Packed {
    /// Takes room for `columns` columns with `values` numbers in all.
    ///
    /// # Errors
    /// `Memory`.
    pub fn reserve(&mut self, columns: usize, values: usize) -> Result<()> {
        grow(&mut self.runs, columns)?;
        grow(&mut self.start, columns)?;
        grow(&mut self.values, values)
    }

    /// Drops all columns; those to come have `rows` rows.
    pub fn clear(&mut self, rows: usize) {
        self.rows = rows;
        self.runs.clear();
        self.start.clear();
        self.values.clear();
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Column `j`. Needs `j < len`.
    #[inline]
    pub fn col(&self, j: usize) -> Column<'_> {
        self.runs[j].pack(&self.values[self.start[j]..])
    }

    /// Says in which order the rows of the matrix are best eliminated.
    pub(super) fn set_order(&mut self, order: Vec<usize>) {
        self.order = order;
    }

    /// Where the numbers of column `j` begin.
    pub(super) fn place(&self, j: usize) -> usize {
        self.start[j]
    }

    /// The numbers of all columns, one behind the other.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same, to change.
    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Adds a column of zeros with these runs.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn push_zeros(&mut self, runs: Runs) -> Result<()> {
        self.room(runs).map(|_| ())
    }

    /// Adds a copy of `column`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn push(&mut self, column: Column<'_>) -> Result<()> {
        let values = self.room(column.runs())?;
        let [a, b] = column.parts();
        values[..a.len()].copy_from_slice(a);
        values[a.len()..].copy_from_slice(b);
        Ok(())
    }

    /// Adds the column a + f b.
    ///
    /// # Errors
    /// `Memory`.
    pub fn push_sum(&mut self, a: Column<'_>, f: f64, b: Column<'_>) -> Result<()> {
        let same = a.runs() == b.runs();
        let runs = if same { a.runs() } else { a.runs().and(&b.runs()) };
        let values = self.room(runs)?;
        for (i, x) in a.entries() {
            values[runs.place(i)] = x;
        }
        for (i, x) in b.entries() {
            values[runs.place(i)] += f * x;
        }
        Ok(())
    }

    /// A column of zeros in `runs`, to write.
    fn room(&mut self, runs: Runs) -> Result<&mut [f64]> {
        let (at, width) = (self.values.len(), runs.width());
        self.reserve(1, width)?;
        self.runs.push(runs);
        self.start.push(at);
        self.values.resize(at + width, 0.0);
        Ok(&mut self.values[at..])
    }
}

/// Columns in somebody else's memory.
#[derive(Clone, Copy, Debug)]
pub enum Columns<'a> {
    /// With all their rows.
    Whole(MatRef<'a>),
    /// With all their rows, of which only those in the runs of each are other than zero.
    Within(MatRef<'a>, &'a [Runs]),
    /// Without their zeros.
    Packed(&'a Packed),
}

impl<'a> Columns<'a> {
    /// Length of the columns.
    pub fn rows(&self) -> usize {
        match self {
            Self::Whole(m) | Self::Within(m, _) => m.rows(),
            Self::Packed(p) => p.rows,
        }
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        match self {
            Self::Whole(m) | Self::Within(m, _) => m.cols(),
            Self::Packed(p) => p.len(),
        }
    }

    /// Column `j`. Needs `j < cols`.
    #[inline]
    pub fn col(&self, j: usize) -> Column<'a> {
        match *self {
            Self::Whole(m) => Column::whole(m.col(j)),
            Self::Within(m, runs) => runs[j].within(m.col(j)),
            Self::Packed(p) => p.col(j),
        }
    }

    /// The rows of a square matrix as they are best eliminated; nothing where that is as they stand.
    pub(super) fn order(&self) -> &'a [usize] {
        match *self {
            Self::Whole(_) | Self::Within(..) => &[],
            Self::Packed(p) => &p.order,
        }
    }

    /// Whether both are the same numbers in memory.
    pub fn same(&self, other: &Columns<'_>) -> bool {
        match (self, other) {
            (Self::Whole(a) | Self::Within(a, _), Columns::Whole(b) | Columns::Within(b, _)) => {
                std::ptr::eq(a.data(), b.data())
            }
            (Self::Packed(a), Columns::Packed(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }

    /// Refuses columns with a NaN or an infinity in them; the index counts as in whole columns.
    ///
    /// # Errors
    /// `NonFinite` with the name `what`.
    pub fn finite(&self, what: &'static str) -> Result<()> {
        match self {
            Self::Whole(m) => return m.finite(what),
            // All numbers in one go, without a branch for each; which one it is does not matter mostly.
            Self::Packed(p) if p.values.iter().fold(true, |all, x| all & x.is_finite()) => {
                return Ok(());
            }
            _ => {}
        }
        for j in (0..self.cols()).filter(|&j| !self.col(j).is_finite()) {
            if let Some((i, value)) = self.col(j).entries().find(|(_, x)| !x.is_finite()) {
                return Err(Error::NonFinite { what, index: i + j * self.rows(), value });
            }
        }
        Ok(())
    }
}

impl<'a> From<MatRef<'a>> for Columns<'a> {
    fn from(m: MatRef<'a>) -> Self {
        Self::Whole(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_columns_with_other_runs_have_the_rows_of_both() {
        let (mut a, mut b) = (vec![0.0; 40], vec![0.0; 40]);
        (a[3], a[20]) = (1.0, 2.0);
        (b[20], b[33]) = (5.0, 7.0);
        let runs = |x: &[f64]| Runs::of(40, |i| x[i] != 0.0);
        let mut p = Packed::default();
        p.clear(40);
        p.push(runs(&a).within(&a)).unwrap();
        p.push_sum(Column::whole(&a), 2.0, runs(&b).within(&b)).unwrap();
        let (runs_a, runs_b) = (runs(&a), runs(&b));
        p.push_sum(runs_a.within(&a), 2.0, runs_b.within(&b)).unwrap();
        let mut x = vec![9.0; 40];
        p.col(0).write(&mut x);
        assert_eq!(x, a);
        a[20] += 10.0;
        a[33] = 14.0;
        for j in [1, 2] {
            p.col(j).write(&mut x);
            assert_eq!(x, a);
        }
        let c = Columns::Packed(&p);
        assert_eq!((c.rows(), c.cols()), (40, 3));
        assert!(c.same(&Columns::Packed(&p)) && c.finite("c").is_ok());
    }

    #[test]
    fn a_nan_is_counted_as_in_whole_columns() {
        let mut x = vec![0.0; 80];
        x[40 + 21] = f64::NAN;
        let runs = [Runs::default(), Runs::of(40, |i| x[40 + i] != 0.0)];
        let m = MatRef::new("m", &x, 40, 2, 40).unwrap();
        let e = Columns::Within(m, &runs).finite("m").unwrap_err();
        assert_eq!(e.to_string(), "m[61] is NaN");
    }
}
