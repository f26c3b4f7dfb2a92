//! Which of the nodes that are left has the fewest neighbors: for orders of elimination. Knows no matrix.

use crate::error::{Error, Result, grow};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node as it is sorted: those that have to wait last, then by degree, then by number.
type Key = Reverse<(bool, usize, usize)>;

/// Degrees of nodes, the least on top. What is on the heap may be out of date: a node is pushed again whenever its degree
/// changes, and what is known of it tells which of its keys counts.
#[derive(Debug, Default)]
pub(super) struct Degrees {
    heap: BinaryHeap<Key>,
    /// Degree of each node that is left, and whether it has to wait.
    left: Vec<Option<(bool, usize)>>,
}

impl Degrees {
    /// Starts with `n` nodes without a degree, of which those from `late` on have to wait.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn start(&mut self, n: usize, late: usize) -> Result<()> {
        self.heap.clear();
        self.left.clear();
        grow(&mut self.left, n)?;
        self.left.extend((0..n).map(|i| Some((i >= late, 0))));
        Ok(())
    }

    /// Sets the degree of a node that is left.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn set(&mut self, node: usize, degree: usize) -> Result<()> {
        if let Some((waits, known)) = &mut self.left[node] {
            *known = degree;
            let key = Reverse((*waits, degree, node));
            let bytes = size_of::<Key>();
            self.heap.try_reserve(1).map_err(|_| Error::Memory { bytes })?;
            self.heap.push(key);
        }
        Ok(())
    }

    /// The node need not wait any longer; its degree is about to be set.
    pub(super) fn make_ready(&mut self, node: usize) {
        if let Some((waits, _)) = &mut self.left[node] {
            *waits = false;
        }
    }

    /// Takes the node with the least degree that need not wait, of equal ones the lowest; one that has to wait when there
    /// is no other.
    pub(super) fn take_least(&mut self) -> Option<usize> {
        while let Some(Reverse((waits, degree, node))) = self.heap.pop() {
            if self.left[node] == Some((waits, degree)) {
                self.left[node] = None;
                return Some(node);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_by_degree_then_by_number_and_those_that_wait_come_last() {
        let mut d = Degrees::default();
        // A second start forgets the first.
        for _ in 0..2 {
            d.start(5, 4).unwrap();
            for (node, degree) in [3, 1, 1, 2, 0].into_iter().enumerate() {
                d.set(node, degree).unwrap();
            }
            assert_eq!(d.take_least(), Some(1));
            d.set(2, 4).unwrap();
            d.set(0, 2).unwrap();
            assert_eq!((d.take_least(), d.take_least()), (Some(0), Some(3)));
            d.make_ready(4);
            d.set(4, 0).unwrap();
            assert_eq!(d.take_least(), Some(4));
            // One that is gone has no degree any more.
            d.set(4, 0).unwrap();
            assert_eq!((d.take_least(), d.take_least()), (Some(2), None));
        }
    }
}
