//! An order of the nodes of a graph in which the rows of a matrix with its pattern begin late. Knows no numbers.

use crate::error::{Result, collect, reserve};

/// Nodes with their sizes and neighbors.
struct Graph<'a> {
    size: &'a [usize],
    pairs: &'a [(usize, usize)],
    start: Vec<usize>,
}

/// The order of elimination of nodes of these sizes, and the numbers in a factor made in it; no order where they are best
/// left as they stand. `pairs`: those coupled, ascending, both (i, j) and (j, i).
///
/// # Errors
/// `Memory`.
pub fn order(size: &[usize], pairs: &[(usize, usize)]) -> Result<(Vec<usize>, usize)> {
    let start = collect((0..=size.len()).map(|i| pairs.partition_point(|p| p.0 < i)))?;
    let graph = Graph { size, pairs, start };
    let given = graph.numbers(&collect(0..size.len())?)?;
    // Levels suit chains and nets, children before parents trees and stars.
    let mut best = (Vec::new(), given);
    for other in [graph.levels()?, graph.children_first()?] {
        let numbers = graph.numbers(&other)?;
        if numbers < best.1 {
            best = (other, numbers);
        }
    }
    Ok(best)
}

impl Graph<'_> {
    fn neighbors(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.pairs[self.start[i]..self.start[i + 1]].iter().map(|p| p.1)
    }

    /// Numbers in the profile of a factor, on both sides of the diagonal.
    fn numbers(&self, order: &[usize]) -> Result<usize> {
        let mut first = collect(order.iter().map(|_| 0))?;
        let mut end = 0;
        let mut sum = 0usize;
        for &i in order {
            first[i] = end;
            end += self.size[i];
        }
        for i in 0..order.len() {
            let low = self.neighbors(i).map(|j| first[j]).fold(first[i], usize::min);
            sum += self.size[i] * (2 * (first[i] - low) + self.size[i]);
        }
        Ok(sum)
    }

    /// The nodes of the component of `from` by their distance from it, neighbors of few before neighbors of many; those
    /// that `seen` knows are left out and the others made known to it.
    fn spread(&self, from: usize, seen: &mut [bool], to: &mut Vec<usize>) {
        let begin = to.len();
        to.push(from);
        seen[from] = true;
        let mut at = begin;
        while at < to.len() {
            let (node, end) = (to[at], to.len());
            for j in self.neighbors(node) {
                if !std::mem::replace(&mut seen[j], true) {
                    to.push(j);
                }
            }
            to[end..].sort_by_key(|&j| (self.neighbors(j).len(), j));
            at += 1;
        }
    }

    /// Reverse Cuthill-McKee: levels of distance from a node far out, backwards.
    fn levels(&self) -> Result<Vec<usize>> {
        let n = self.size.len();
        let mut seen: Vec<bool> = collect((0..n).map(|_| false))?;
        let mut order = reserve(n)?;
        for i in 0..n {
            if seen[i] {
                continue;
            }
            let begin = order.len();
            let mut from = i;
            // Twice: the last node of a spread lies far out, and what lies far from that is the other end.
            for _ in 0..2 {
                self.spread(from, &mut seen, &mut order);
                from = order[order.len() - 1];
                order.drain(begin..).for_each(|j| seen[j] = false);
            }
            self.spread(from, &mut seen, &mut order);
        }
        order.reverse();
        Ok(order)
    }

    /// Each node behind those that were first reached through it.
    fn children_first(&self) -> Result<Vec<usize>> {
        let n = self.size.len();
        let mut seen: Vec<bool> = collect((0..n).map(|_| false))?;
        let mut order = reserve(n)?;
        let mut path: Vec<(usize, usize)> = reserve(n)?;
        for root in 0..n {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            path.push((root, 0));
            while let Some((node, next)) = path.last_mut() {
                let (i, k) = (*node, *next);
                *next += 1;
                match self.neighbors(i).nth(k) {
                    Some(j) if !std::mem::replace(&mut seen[j], true) => path.push((j, 0)),
                    Some(_) => {}
                    None => {
                        order.push(i);
                        path.pop();
                    }
                }
            }
        }
        Ok(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, usize) {
        let mut pairs: Vec<_> = edges.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (order, numbers) = order(&vec![1; n], &pairs).unwrap();
        let mut nodes = order.clone();
        nodes.sort_unstable();
        assert!(order.is_empty() || nodes == (0..n).collect::<Vec<_>>());
        (order, numbers)
    }

    #[test]
    fn a_chain_is_left_as_it_stands_and_a_shuffled_one_is_unrolled() {
        let n = 101;
        let (order, numbers) = found(n, (1..n).map(|i| (i - 1, i)));
        assert_eq!((order.len(), numbers), (0, 3 * n - 2));
        let place = |i: usize| (i * 37 + 5) % n;
        let (order, numbers) = found(n, (1..n).map(|i| (place(i - 1), place(i))));
        assert_eq!((order.len(), numbers), (n, 3 * n - 2));
    }

    #[test]
    fn the_middle_of_a_star_comes_last_and_so_does_the_root_of_a_tree() {
        let n = 100;
        let (order, numbers) = found(n, (1..n).map(|i| (0, i)));
        assert!(numbers <= 5 * n && order[n - 2..].contains(&0), "{numbers}");
        // A binary tree of 127: each parent waits for one of its halves, 2 (63 + 2 31 + 4 15 + ...) and the diagonal.
        let (order, numbers) = found(127, (1..127).map(|i| ((i - 1) / 2, i)));
        assert!(numbers < 10 * 127 && order[126] == 0, "{numbers}");
    }
}
