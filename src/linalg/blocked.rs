//! A square matrix most of which is zero: blocks along its diagonal, masses of bodies that nothing couples; one block
//! where everything may be coupled; columns with runs of their own where each body is coupled with few. Knows no
//! mechanics.

use super::{Column, Columns, Packed, Runs, axpy};
use crate::error::{Result, reserve};
use std::ops::{Deref, DerefMut, Range};

/// What is stored, column by column; as a slice the numbers of all columns, so that matrices of the same shape are added
/// and compared number by number.
#[derive(Debug)]
pub struct Blocked {
    columns: Packed,
    /// Where the blocks begin, and the end of the last; nothing where columns have runs of their own.
    first: Vec<usize>,
    room: usize,
}

impl Blocked {
    /// Zeros, `n` by `n`, with blocks that begin at `first`, ascending from 0; one block if there is nothing in it.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n: usize, first: &[usize]) -> Result<Self> {
        let mut ends = reserve(first.len() + 2)?;
        ends.push(0);
        ends.extend(first.iter().copied().filter(|&x| x > 0 && x < n));
        ends.push(n);
        let mut columns = Packed::default();
        columns.clear(n);
        let squares = ends.windows(2).map(|b| (b[1] - b[0]).saturating_mul(b[1] - b[0]));
        columns.reserve(n, squares.fold(0, usize::saturating_add))?;
        for block in ends.windows(2) {
            for _ in block[0]..block[1] {
                columns.push_zeros(Runs::around(block[0]..block[1]))?;
            }
        }
        let room = columns.values().len();
        Ok(Self { columns, first: ends, room })
    }

    /// Zeros, `n` by `n`: the columns from `first[b]` on have the rows of `runs[b]`. Needs as many of both, `first`
    /// ascending from 0. Bodies are best eliminated in this `order`, or as they stand if it is empty, and a factor has
    /// `room` numbers.
    ///
    /// # Errors
    /// `Memory`.
    pub fn coupled(
        n: usize,
        first: &[usize],
        runs: &[Runs],
        (order, room): (&[usize], usize),
    ) -> Result<Self> {
        let ends = first.iter().skip(1).copied().chain([n]);
        let sizes = first.iter().zip(ends).map(|(first, end)| end - first);
        let numbers = sizes.clone().zip(runs).map(|(size, runs)| size * runs.width());
        let mut columns = Packed::default();
        columns.clear(n);
        columns.reserve(n, numbers.sum())?;
        for (size, runs) in sizes.zip(runs) {
            for _ in 0..size {
                columns.push_zeros(*runs)?;
            }
        }
        let mut rows = reserve(if order.is_empty() { 0 } else { n })?;
        for &b in order {
            rows.extend(first[b]..first.get(b + 1).copied().unwrap_or(n));
        }
        columns.set_order(rows);
        Ok(Self { columns, first: Vec::new(), room })
    }

    /// Whether there is one block: then the numbers are those of the whole matrix.
    pub fn is_whole(&self) -> bool {
        self.first.len() == 2
    }

    /// The blocks: their rows and columns, and their numbers column by column; none where columns have runs of their own.
    pub fn blocks(&self) -> impl Iterator<Item = (Range<usize>, &[f64])> {
        let mut rest = self.columns.values();
        self.first.windows(2).map(move |b| {
            let n = b[1] - b[0];
            let (block, after) = rest.split_at(n * n);
            rest = after;
            (b[0]..b[1], block)
        })
    }

    /// The same, to change.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = (Range<usize>, &mut [f64])> {
        let mut rest = self.columns.values_mut();
        self.first.windows(2).map(move |b| {
            let n = b[1] - b[0];
            let (block, after) = std::mem::take(&mut rest).split_at_mut(n * n);
            rest = after;
            (b[0]..b[1], block)
        })
    }

    /// The `count` numbers of column `j` from row `row` on, to change. Needs them in one run of the column.
    pub fn part_mut(&mut self, j: usize, row: usize, count: usize) -> &mut [f64] {
        let at = self.columns.place(j) + self.columns.col(j).runs().place(row);
        &mut self.columns.values_mut()[at..at + count]
    }

    /// Adds f g g'. Needs the rows of g stored in each of these columns.
    pub fn add_square(&mut self, f: f64, g: Column<'_>) {
        let runs = g.runs().starts();
        for (j, gj) in g.entries() {
            for (part, first) in g.parts().into_iter().zip(runs) {
                if !part.is_empty() {
                    axpy(f * gj, part, self.part_mut(j, first, part.len()));
                }
            }
        }
    }

    /// Numbers that a factor of it has at most.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Column `j`. Needs `j < n`.
    #[inline]
    pub fn col(&self, j: usize) -> Column<'_> {
        self.columns.col(j)
    }

    /// The matrix as columns.
    pub fn columns(&self) -> Columns<'_> {
        Columns::Packed(&self.columns)
    }

    /// y += f A x.
    pub fn add_product(&self, f: f64, x: &[f64], y: &mut [f64]) {
        for (j, xj) in x.iter().enumerate() {
            self.col(j).add(f * xj, y);
        }
    }

    /// x' A x.
    pub fn square(&self, x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(j, xj)| xj * self.col(j).dot(x)).sum()
    }
}

impl Deref for Blocked {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        self.columns.values()
    }
}

impl DerefMut for Blocked {
    fn deref_mut(&mut self) -> &mut [f64] {
        self.columns.values_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_what_the_whole_matrix_does_and_hold_no_zeros_beside_them() {
        let n = 15;
        let mut a = Blocked::new(n, &[0, 3, 9]).unwrap();
        assert_eq!(a.len(), 9 + 36 + 36);
        let mut whole = Blocked::new(n, &[]).unwrap();
        assert_eq!(whole.len(), n * n);
        for (block, numbers) in a.blocks_mut() {
            for (k, x) in numbers.iter_mut().enumerate() {
                *x = (1 + k) as f64 / (1 + block.start) as f64;
            }
        }
        for (block, numbers) in a.blocks() {
            let size = block.len();
            for (k, x) in numbers.iter().enumerate() {
                whole[(block.start + k % size) + (block.start + k / size) * n] = *x;
            }
        }
        assert_eq!(a.part_mut(3, 4, 2), [0.5, 0.75]);
        let x: Vec<f64> = (0..n).map(|i| f64::from(i as u8 % 5) - 1.5).collect();
        let (mut y, mut z) = (x.clone(), x.clone());
        a.add_product(2.0, &x, &mut y);
        whole.add_product(2.0, &x, &mut z);
        for (y, z) in y.iter().zip(&z) {
            assert!((y - z).abs() < 1e-12);
        }
        assert!((a.square(&x) - whole.square(&x)).abs() < 1e-10);
        assert_eq!(a.col(4).at(2), 0.0);
        assert_eq!(Blocked::new(0, &[]).unwrap().len(), 0);
    }

    #[test]
    fn squares_of_columns_are_added_where_bodies_are_coupled() {
        // Five bodies of three: the first with the last, the second with the third.
        let first = [0, 3, 6, 9, 12];
        let rows = |b: usize| 3 * b..3 * b + 3;
        let with = |a: usize, b: usize| Runs::around(rows(a).chain(rows(b)));
        let runs = [with(0, 4), with(1, 2), with(1, 2), Runs::around(rows(3)), with(0, 4)];
        let mut a = Blocked::coupled(15, &first, &runs, (&[], 225)).unwrap();
        assert_eq!((a.len(), a.is_whole(), a.blocks().count()), (9 * 9, false, 0));
        let mut whole = Blocked::new(15, &[]).unwrap();
        for (b, c) in [(0, 4), (1, 2), (3, 3)] {
            let g: Vec<f64> = (0..15)
                .map(|i| if [b, c].contains(&(i / 3)) { f64::from(i as u8) - 4.5 } else { 0.0 })
                .collect();
            a.add_square(-2.0, runs[b].within(&g));
            whole.add_square(-2.0, Column::whole(&g));
        }
        for (i, j) in (0..225).map(|k| (k % 15, k / 15)) {
            assert_eq!(a.col(j).at(i), whole.col(j).at(i), "{i} {j}");
        }
        assert!(whole.iter().any(|x| *x != 0.0));
    }
}
