//! A column-major matrix in somebody else's memory. Knows only its shape.

use super::kernel::{FIRST, pad};
use crate::error::{Error, Result, told};
use nalgebra::{Const, DMatrix, DMatrixView, Dyn, U1};

/// Column-major view: entry (i, j) is `data[i + j * ld]`.
#[derive(Clone, Copy, Debug)]
pub struct MatRef<'a> {
    data: &'a [f64],
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<'a> MatRef<'a> {
    /// A view of `rows` by `cols` entries with leading dimension `ld`.
    ///
    /// # Errors
    /// `Dimension` when `ld < rows` or `data` is too short.
    pub fn new(
        what: &'static str,
        data: &'a [f64],
        rows: usize,
        cols: usize,
        ld: usize,
    ) -> Result<Self> {
        if ld < rows {
            let expected = told(format_args!("a leading dimension of at least {rows}"));
            return Err(Error::Dimension { what, got: ld as i64, expected });
        }
        // Lazily: an error text is allocated, and a view must cost nothing.
        let needed = Self::span(rows, cols, ld).ok_or_else(|| Error::Dimension {
            what,
            got: ld as i64,
            expected: "fewer entries".into(),
        })?;
        if data.len() < needed {
            let expected = told(format_args!("at least {needed} entries"));
            return Err(Error::Dimension { what, got: data.len() as i64, expected });
        }
        Ok(Self { data: &data[..needed], rows, cols, ld })
    }

    /// An `n` by `n` view without gaps between its columns.
    ///
    /// # Errors
    /// `Dimension` when `data` is too short.
    pub fn square(what: &'static str, data: &'a [f64], n: usize) -> Result<Self> {
        Self::new(what, data, n, n, n)
    }

    /// Entries from the first to the last of a matrix in memory, or `None` if that overflows. The
    /// last column is not padded to `ld`.
    pub fn span(rows: usize, cols: usize, ld: usize) -> Option<usize> {
        if rows == 0 || cols == 0 {
            return Some(0);
        }
        (cols - 1).checked_mul(ld)?.checked_add(rows)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Column `j`, contiguous. Needs `j < cols`.
    #[inline]
    pub fn col(&self, j: usize) -> &'a [f64] {
        // An empty matrix has columns too, but no memory behind them.
        if self.rows == 0 { &[] } else { &self.data[j * self.ld..j * self.ld + self.rows] }
    }

    /// Entries `i .. i + count` of column `j`, then zeros. Needs them within the matrix and `count
    /// <= P <= 16`.
    #[inline(always)]
    pub fn masked<const P: usize>(&self, i: usize, j: usize, count: usize) -> [f64; P] {
        // Memory goes on behind a column, but for the last ones: no loop over single entries. One
        // reference for both cases, so that numbers stay in memory until they are masked.
        let from = &self.data[i + j * self.ld..];
        let copy;
        let x: &[f64; P] = match from.first_chunk() {
            Some(x) => x,
            None => {
                copy = pad(from);
                &copy
            }
        };
        let mask = &FIRST[count];
        std::array::from_fn(|k| f64::from_bits(x[k].to_bits() & mask[k]))
    }

    /// Entry (i, j). Needs `i < rows` and `j < cols`.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i + j * self.ld]
    }

    /// Columns `first .. first + count`.
    pub fn columns(&self, first: usize, count: usize) -> MatRef<'a> {
        let start = (first * self.ld).min(self.data.len());
        let span = Self::span(self.rows, count, self.ld).unwrap_or(0);
        Self { data: &self.data[start..start + span], rows: self.rows, cols: count, ld: self.ld }
    }

    /// The entries in memory, gaps between columns included.
    pub fn data(&self) -> &'a [f64] {
        self.data
    }

    /// The same matrix for nalgebra.
    pub fn view(&self) -> DMatrixView<'a, f64, U1, Dyn> {
        let (rows, cols, ld) = (Dyn(self.rows), Dyn(self.cols), Dyn(self.ld));
        DMatrixView::from_slice_with_strides_generic(self.data, rows, cols, Const::<1>, ld)
    }

    /// Refuses a matrix with a NaN or an infinity in it; the index counts as in memory.
    ///
    /// # Errors
    /// `NonFinite` with the name `what`.
    pub fn finite(&self, what: &'static str) -> Result<()> {
        for j in 0..self.cols {
            crate::error::finite(what, self.col(j)).map_err(|e| match e {
                Error::NonFinite { what, index, value } => {
                    Error::NonFinite { what, index: index + j * self.ld, value }
                }
                other => other,
            })?;
        }
        Ok(())
    }
}

impl<'a> From<&'a DMatrix<f64>> for MatRef<'a> {
    fn from(m: &'a DMatrix<f64>) -> Self {
        Self { data: m.as_slice(), rows: m.nrows(), cols: m.ncols(), ld: m.nrows() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_needs_no_padding() {
        let data = [1.0, 2.0, 9.0, 3.0, 4.0];
        let m = MatRef::new("m", &data, 2, 2, 3).unwrap();
        assert_eq!(m.col(1), &[3.0, 4.0]);
        assert_eq!(m.view()[(1, 1)], 4.0);
        assert!(MatRef::new("m", &data[..4], 2, 2, 3).is_err());
        assert!(MatRef::new("m", &data, 2, 2, 1).is_err());
    }

    #[test]
    fn what_lies_behind_a_column_is_not_seen_through_a_mask() {
        let data = [1.0, 2.0, f64::NAN, 3.0, 4.0];
        let m = MatRef::new("m", &data, 2, 2, 3).unwrap();
        assert_eq!(m.masked::<4>(0, 0, 2), [1.0, 2.0, 0.0, 0.0]);
        assert_eq!(m.masked::<4>(0, 1, 2), [3.0, 4.0, 0.0, 0.0]);
        assert_eq!(m.masked::<2>(1, 0, 1), [2.0, 0.0]);
    }

    #[test]
    fn an_empty_matrix_is_a_matrix() {
        let m = MatRef::new("m", &[], 0, 3, 0).unwrap();
        assert_eq!(m.col(2).len(), 0);
        assert_eq!(m.view().shape(), (0, 3));
        assert!(m.finite("m").is_ok());
    }

    #[test]
    fn a_nan_is_counted_as_in_memory() {
        let data = [1.0, 2.0, f64::NAN, 3.0, f64::NAN];
        let m = MatRef::new("m", &data, 2, 2, 3).unwrap();
        let e = m.finite("m").unwrap_err();
        assert_eq!(e.to_string(), "m[4] is NaN");
    }
}
