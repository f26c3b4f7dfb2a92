//! Orders of elimination: neighbors of nodes, and which of those that are left has the fewest. Knows no matrix.

use crate::error::{Error, Result, grow};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Neighbors of each node; storage grows with the most nodes seen and is then used again.
#[derive(Debug, Default)]
pub(super) struct Neighbors {
    near: Vec<Vec<u32>>,
    nodes: usize,
    degrees: Degrees,
}

impl Neighbors {
    /// Takes those of `n` nodes from pairs, which may repeat.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn read(&mut self, n: usize, edges: &[(u32, u32)]) -> Result<()> {
        for list in &mut self.near {
            list.clear();
        }
        let more = n.saturating_sub(self.near.len());
        grow(&mut self.near, more)?;
        self.near.extend((0..more).map(|_| Vec::new()));
        self.nodes = n;
        for &(i, j) in edges.iter().filter(|(i, j)| i != j) {
            for (i, j) in [(i, j), (j, i)] {
                grow(&mut self.near[i as usize], 1)?;
                self.near[i as usize].push(j);
            }
        }
        for list in &mut self.near[..n] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(())
    }

    /// Neighbors of a node, ascending; after [`order`](Self::order) those that come later, with fill.
    pub(super) fn of(&self, node: usize) -> &[u32] {
        &self.near[node]
    }

    /// Adds all nodes to `order`, for which there must be room: least degree first, ties by number, and those from `late` on
    /// not before their first neighbor. Turns the neighbors of each node into its later ones, with fill.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn order(&mut self, late: usize, order: &mut Vec<usize>) -> Result<()> {
        self.degrees.start(self.nodes, late)?;
        for (i, list) in self.near[..self.nodes].iter().enumerate() {
            self.degrees.set(i, list.len())?;
        }
        while let Some(node) = self.degrees.take_least() {
            order.push(node);
            let clique = std::mem::take(&mut self.near[node]);
            for &i in &clique {
                let list = &mut self.near[i as usize];
                join(list, &clique, [node as u32, i])?;
                self.degrees.make_ready(i as usize);
                self.degrees.set(i as usize, list.len())?;
            }
            self.near[node] = clique;
        }
        Ok(())
    }
}

/// Adds those of `more` to `list`, both ascending, without the two nodes `but`.
fn join(list: &mut Vec<u32>, more: &[u32], but: [u32; 2]) -> Result<()> {
    list.retain(|&k| k != but[0]);
    let mine = list.len();
    grow(list, more.len())?;
    for &k in more {
        if k != but[0] && k != but[1] && list[..mine].binary_search(&k).is_err() {
            list.push(k);
        }
    }
    if list.len() > mine {
        list.sort_unstable();
    }
    Ok(())
}

/// A node as it is sorted: those that have to wait last, then by degree, then by number.
type Key = Reverse<(bool, usize, usize)>;

/// Degrees of nodes, the least on top. What is on the heap may be out of date: a node is pushed again whenever its degree
/// changes, and what is known of it tells which of its keys counts.
#[derive(Debug, Default)]
struct Degrees {
    heap: BinaryHeap<Key>,
    /// Degree of each node that is left, and whether it has to wait.
    left: Vec<Option<(bool, usize)>>,
}

impl Degrees {
    /// Starts with `n` nodes without a degree, of which those from `late` on have to wait.
    ///
    /// # Errors
    /// `Memory`.
    fn start(&mut self, n: usize, late: usize) -> Result<()> {
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
    fn set(&mut self, node: usize, degree: usize) -> Result<()> {
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
    fn make_ready(&mut self, node: usize) {
        if let Some((waits, _)) = &mut self.left[node] {
            *waits = false;
        }
    }

    /// Takes the node with the least degree that need not wait, of equal ones the lowest; one that has to wait when there
    /// is no other.
    fn take_least(&mut self) -> Option<usize> {
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
