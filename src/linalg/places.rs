//! Rows of a matrix in another order, block by block, and where the rows of a block begin in it. Knows no numbers.

use super::Columns;
use crate::error::{Result, grow, reserve};
use std::ops::Range;

/// The order; empty where rows stay as they stand.
#[derive(Debug)]
pub(super) struct Places {
    /// Which row comes where, and at which place of its block each row.
    order: Vec<usize>,
    place: Vec<usize>,
    /// Exchanges that bring the rows of each block there, one place after the other.
    moves: Vec<usize>,
    /// Which row is where on the way, and where each row is; how far each block has come.
    held: Vec<usize>,
    at: Vec<usize>,
    next: Vec<usize>,
}

impl Places {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let list = || reserve(n_max);
        let (order, place, moves, held, at) = (list()?, list()?, list()?, list()?, list()?);
        Ok(Self { order, place, moves, held, at, next: reserve(n_max.saturating_add(1))? })
    }

    /// Takes the order inside of each block from that of all rows. Blocks begin at `blocks`, and the last ends there.
    pub(super) fn arrange(&mut self, blocks: &[usize], order: &[usize]) -> Result<()> {
        let n = order.len();
        for list in [&mut self.order, &mut self.place, &mut self.moves] {
            list.clear();
            grow(list, n)?;
            list.resize(n, 0);
        }
        for list in [&mut self.held, &mut self.at] {
            list.clear();
            grow(list, n)?;
            list.extend(0..n);
        }
        self.next.clear();
        grow(&mut self.next, blocks.len())?;
        self.next.extend_from_slice(blocks);
        for &i in order {
            let b = blocks.partition_point(|&first| first <= i) - 1;
            self.order[self.next[b]] = i;
            self.place[i] = self.next[b] - blocks[b];
            self.next[b] += 1;
        }
        for block in blocks.windows(2).filter(|_| n > 0) {
            for k in block[0]..block[1] {
                let from = self.at[self.order[k]];
                self.moves[k] = from - block[0];
                self.held.swap(k, from);
                (self.at[self.held[k]], self.at[self.held[from]]) = (k, from);
            }
        }
        Ok(())
    }

    /// The row at place `k` of all.
    pub(super) fn row(&self, k: usize) -> usize {
        self.order.get(k).copied().unwrap_or(k)
    }

    /// Places in their block of the rows of a block.
    pub(super) fn of(&self, block: &Range<usize>) -> &[usize] {
        self.place.get(block.clone()).unwrap_or(&[])
    }

    /// Exchanges in a block.
    pub(super) fn moves(&self, block: &Range<usize>) -> &[usize] {
        self.moves.get(block.clone()).unwrap_or(&[])
    }

    /// low := the place of the first column of each row, or of the first row of each column if that comes before it, in a
    /// block of `m`.
    pub(super) fn find_profile(&self, m: Columns<'_>, block: &Range<usize>, low: &mut [usize]) {
        let place = self.of(block);
        let at = |i: usize| place.get(i - block.start).copied().unwrap_or(i - block.start);
        for (i, x) in low.iter_mut().enumerate() {
            *x = i;
        }
        for j in block.clone() {
            // exact: what nobody wrote is zero
            for (i, _) in m.col(j).entries().filter(|(_, x)| *x != 0.0) {
                let (i, j) = (at(i), at(j));
                low[i.max(j)] = low[i.max(j)].min(i.min(j));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_bring_the_rows_of_each_block_into_their_order() {
        let mut places = Places::new(9).unwrap();
        places.arrange(&[0, 4, 9], &[8, 2, 0, 5, 3, 7, 1, 4, 6]).unwrap();
        assert_eq!(places.of(&(0..4)), [1, 3, 0, 2]);
        for (block, order) in [(0..4, [2, 0, 3, 1].as_slice()), (4..9, &[8, 5, 7, 4, 6])] {
            let mut rows: Vec<usize> = block.clone().collect();
            for (k, &from) in places.moves(&block).iter().enumerate() {
                rows.swap(k, from);
            }
            assert_eq!(rows, order);
        }
        assert_eq!((places.row(0), places.row(8)), (2, 6));
        places.arrange(&[0, 4], &[]).unwrap();
        assert_eq!((places.row(3), places.of(&(0..4)).len()), (3, 0));
    }
}
