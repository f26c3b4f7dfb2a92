//! A square matrix of blocks along its diagonal, everything else zero: masses of bodies that nothing couples. One
//! block where everything may be coupled. Knows no mechanics.

use super::{Column, Columns, Packed, Runs};
use crate::error::{Result, reserve};
use std::ops::{Deref, DerefMut, Range};

/// The blocks, column by column; as a slice the numbers of all of them, so that matrices of the same blocks are added
/// and compared number by number.
#[derive(Debug)]
pub struct Blocked {
    columns: Packed,
    /// Where the blocks begin, and the end of the last.
    first: Vec<usize>,
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
        Ok(Self { columns, first: ends })
    }

    /// Whether there is one block: then the numbers are those of the whole matrix.
    pub fn is_whole(&self) -> bool {
        self.first.len() == 2
    }

    /// The blocks: their rows and columns, and their numbers column by column.
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

    /// The block that begins at row and column `first`, and its size. Needs such a block.
    pub fn block_at(&mut self, first: usize) -> (usize, &mut [f64]) {
        let k = self.first.partition_point(|&x| x < first).min(self.first.len() - 2);
        let n = self.first[k + 1] - self.first[k];
        let at = self.columns.place(self.first[k]);
        (n, &mut self.columns.values_mut()[at..at + n * n])
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
        let (size, block) = a.block_at(3);
        assert_eq!((size, block.len(), block[1]), (6, 36, 0.5));
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
}
