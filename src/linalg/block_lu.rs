//! LU factorisation of a sparse matrix made of dense blocks, with a symmetric pattern of blocks.
//! Knows no mechanics.
//!
//! Blocks are eliminated in the order of least degree, with row exchanges inside diagonal blocks
//! only. Fill is found once per pattern and kept while the pattern stays the same.

use super::block::{lu, solve, solve_columns, subtract_product, subtract_times};
use crate::error::{Result, grow};

/// A factor and the pattern it was made for. Storage grows with the largest pattern seen and is
/// then used again.
#[derive(Debug, Default)]
pub struct BlockLu {
    /// Sizes, pairs and first late node of the last analysis, to know it again.
    size: Vec<usize>,
    edges: Vec<(u32, u32)>,
    late: usize,
    /// Place of each node in the order of elimination, and its inverse.
    place: Vec<usize>,
    order: Vec<usize>,
    /// Nodes that may be eliminated.
    ready: Vec<bool>,
    /// First unknown of each node.
    first: Vec<usize>,
    /// Later neighbors of each place, as places in increasing order.
    later: Vec<Vec<u32>>,
    /// Where the blocks are in `data`: the diagonal, and for each later neighbor the block below
    /// and the block to the right.
    diagonal: Vec<usize>,
    below: Vec<Vec<usize>>,
    right: Vec<Vec<usize>>,
    data: Vec<f64>,
    swaps: Vec<usize>,
    work: Vec<f64>,
    /// Multiplications of a factorisation, about.
    effort: usize,
}

impl BlockLu {
    /// Finds order and fill for nodes of the given sizes and the blocks (i, j), (j, i) of each pair
    /// in `edges`; pairs may repeat.
    ///
    /// # Errors
    /// `Memory`; the pattern must then be analyzed again.
    pub fn analyze(&mut self, size: &[usize], edges: &[(u32, u32)]) -> Result<()> {
        self.analyze_late(size, edges, size.len())
    }

    /// The same where the diagonal blocks of the nodes from `late` on may be singular until a node before them that they
    /// have a block with is eliminated: none of them comes before its first such neighbor.
    ///
    /// # Errors
    /// `Memory`; the pattern must then be analyzed again.
    pub fn analyze_late(
        &mut self,
        size: &[usize],
        edges: &[(u32, u32)],
        late: usize,
    ) -> Result<()> {
        if self.size == size && self.edges == edges && self.late == late {
            return Ok(());
        }
        self.late = late;
        // Not known until everything below has succeeded.
        self.size.clear();
        self.edges.clear();
        let n = size.len();
        self.room(n, edges.len())?;
        self.size.extend_from_slice(size);
        self.first.clear();
        self.first.push(0);
        for (i, s) in size.iter().enumerate() {
            self.first.push(self.first[i] + s);
        }
        for list in &mut self.later {
            list.clear();
        }
        self.later.resize_with(n, Vec::new);
        for &(i, j) in edges.iter().filter(|(i, j)| i != j) {
            grow(&mut self.later[i as usize], 1)?;
            grow(&mut self.later[j as usize], 1)?;
            self.later[i as usize].push(j);
            self.later[j as usize].push(i);
        }
        for list in &mut self.later {
            list.sort_unstable();
            list.dedup();
        }
        let done = self.eliminate().and_then(|()| self.lay_out());
        match done {
            Ok(()) => self.edges.extend_from_slice(edges),
            Err(_) => self.size.clear(),
        }
        done
    }

    /// Room for what grows with the number of nodes and pairs.
    fn room(&mut self, n: usize, edges: usize) -> Result<()> {
        for list in [&mut self.size, &mut self.place, &mut self.order, &mut self.first] {
            list.clear();
            grow(list, n + 1)?;
        }
        self.diagonal.clear();
        grow(&mut self.diagonal, n)?;
        grow(&mut self.edges, edges)?;
        self.ready.clear();
        grow(&mut self.ready, n)?;
        let more = n.saturating_sub(self.later.len());
        grow(&mut self.later, more)?;
        grow(&mut self.below, more)?;
        grow(&mut self.right, more)
    }

    /// Least degree first, ties by number: turns the neighbors of each node into its later
    /// neighbors, with fill.
    fn eliminate(&mut self) -> Result<()> {
        let n = self.size.len();
        self.order.clear();
        self.place.clear();
        self.place.resize(n, usize::MAX);
        self.ready.clear();
        self.ready.resize(n, false);
        self.ready[..self.late.min(n)].fill(true);
        for step in 0..n {
            let free = (0..n).filter(|&i| self.place[i] == usize::MAX);
            let Some(node) = free.min_by_key(|&i| (!self.ready[i], self.later[i].len())) else {
                break;
            };
            self.place[node] = step;
            self.order.push(node);
            let clique = std::mem::take(&mut self.later[node]);
            for &i in &clique {
                self.ready[i as usize] = true;
                let list = &mut self.later[i as usize];
                grow(list, clique.len())?;
                list.extend(clique.iter().filter(|&&k| k != i));
                list.sort_unstable();
                list.dedup();
                list.retain(|&k| k as usize != node);
            }
            self.later[node] = clique;
        }
        Ok(())
    }

    /// Renames nodes to places and gives every block its storage.
    fn lay_out(&mut self) -> Result<()> {
        let n = self.size.len();
        for list in &mut self.later {
            for k in list.iter_mut() {
                *k = self.place[*k as usize] as u32;
            }
            list.sort_unstable();
        }
        // From nodes to places, in cycles of exchanges.
        for at in 0..n {
            let mut from = self.order[at];
            while from < at {
                from = self.order[from];
            }
            self.later.swap(at, from);
        }
        self.diagonal.clear();
        self.below.resize_with(n, Vec::new);
        self.right.resize_with(n, Vec::new);
        self.effort = 0;
        let mut end = 0;
        let mut take = |count: usize| {
            end += count;
            end - count
        };
        for at in 0..n {
            let s = self.size[self.order[at]];
            self.diagonal.push(take(s * s));
            self.below[at].clear();
            self.right[at].clear();
            grow(&mut self.below[at], self.later[at].len())?;
            grow(&mut self.right[at], self.later[at].len())?;
            let mut reach = s;
            for &k in &self.later[at] {
                let other = self.size[self.order[k as usize]];
                self.below[at].push(take(s * other));
                self.right[at].push(take(s * other));
                reach += other;
            }
            self.effort += s * reach * reach;
        }
        let unknowns = self.first.last().copied().unwrap_or(0);
        self.data.clear();
        grow(&mut self.data, end)?;
        self.data.resize(end, 0.0);
        self.swaps.clear();
        grow(&mut self.swaps, unknowns)?;
        self.swaps.resize(unknowns, 0);
        grow(&mut self.work, unknowns)
    }

    /// Multiplications of a factorisation, about.
    pub fn effort(&self) -> usize {
        self.effort
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.data.fill(0.0);
    }

    /// The block (i, j) of nodes in the pattern, column-major, size of i by size of j.
    pub fn block_mut(&mut self, i: usize, j: usize) -> &mut [f64] {
        let (pi, pj) = (self.place[i], self.place[j]);
        let at = self.at(pi, pj);
        let count = self.size[i] * self.size[j];
        &mut self.data[at..at + count]
    }

    fn at(&self, pi: usize, pj: usize) -> usize {
        if pi == pj {
            return self.diagonal[pi];
        }
        let (low, high) = (pi.min(pj), pi.max(pj));
        let k = self.later[low].partition_point(|&x| (x as usize) < high);
        if pi > pj { self.below[low][k] } else { self.right[low][k] }
    }

    /// Factors; false when a diagonal block is singular.
    pub fn factor(&mut self) -> bool {
        for at in 0..self.size.len() {
            let s = self.size[self.order[at]];
            let swaps = self.first[self.order[at]];
            let d = self.diagonal[at];
            if !lu(&mut self.data[d..d + s * s], s, &mut self.swaps[swaps..swaps + s]) {
                return false;
            }
            // Columns to the right become D^-1 of themselves; what is below stays.
            for k in 0..self.later[at].len() {
                let other = self.size[self.order[self.later[at][k] as usize]];
                let (right, count) = (self.right[at][k], s * other);
                let (head, tail) = self.data.split_at_mut(right);
                let swaps = &self.swaps[swaps..swaps + s];
                solve_columns(&head[d..d + s * s], s, swaps, &mut tail[..count]);
            }
            self.update(at, s);
        }
        true
    }

    /// A(i, j) -= below(i) right(j) for later neighbors i, j of the place `at`.
    fn update(&mut self, at: usize, s: usize) {
        for ki in 0..self.later[at].len() {
            let pi = self.later[at][ki] as usize;
            let ni = self.size[self.order[pi]];
            for kj in 0..self.later[at].len() {
                let pj = self.later[at][kj] as usize;
                let nj = self.size[self.order[pj]];
                let to = self.at(pi, pj);
                let (below, right) = (self.below[at][ki], self.right[at][kj]);
                // Blocks of later places lie behind all blocks of this one.
                let (from, target) = self.data.split_at_mut(to);
                let (l, r) = (&from[below..below + s * ni], &from[right..right + s * nj]);
                subtract_product(l, r, &mut target[..ni * nj], (ni, s, nj));
            }
        }
    }

    /// x := A^-1 x, unknowns in the order of the nodes.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.size.len();
        let mut work = std::mem::take(&mut self.work);
        for at in 0..n {
            let (s, first) = self.node(at);
            let d = self.diagonal[at];
            let swaps = &self.swaps[first..first + s];
            // exact: most of a right side is zero until the first node that it reaches
            if x[first..first + s].iter().all(|&x| x == 0.0) {
                continue;
            }
            work.clear();
            work.extend_from_slice(&x[first..first + s]);
            solve(&self.data[d..d + s * s], s, swaps, &mut work);
            x[first..first + s].copy_from_slice(&work);
            for (k, &p) in self.later[at].iter().enumerate() {
                let (other, to) = self.node(p as usize);
                let below = self.below[at][k];
                let block = &self.data[below..below + s * other];
                subtract_times(block, &work, &mut x[to..to + other]);
            }
        }
        for at in (0..n).rev() {
            let (s, first) = self.node(at);
            work.clear();
            work.extend_from_slice(&x[first..first + s]);
            for (k, &p) in self.later[at].iter().enumerate() {
                let (other, from) = self.node(p as usize);
                let right = self.right[at][k];
                let block = &self.data[right..right + s * other];
                subtract_times(block, &x[from..from + other], &mut work);
            }
            x[first..first + s].copy_from_slice(&work);
        }
        self.work = work;
    }

    /// Size and first unknown of the node at a place.
    fn node(&self, at: usize) -> (usize, usize) {
        let node = self.order[at];
        (self.size[node], self.first[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::axpy;

    /// Numbers without pattern, from a linear congruence.
    fn numbers(count: usize) -> Vec<f64> {
        let mut s = 12345u64;
        let next = |s: &mut u64| {
            *s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*s >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..count).map(|_| next(&mut s)).collect()
    }

    #[test]
    fn a_ring_of_blocks_is_solved_to_rounding() {
        let size = [3usize, 6, 1, 4, 6, 2];
        let edges: Vec<(u32, u32)> = (0..6).map(|i| (i, (i + 1) % 6)).chain([(0, 3)]).collect();
        let n: usize = size.iter().sum();
        let first: Vec<usize> = (0..6).map(|i| size[..i].iter().sum()).collect();
        let mut lu = BlockLu::default();
        lu.analyze(&size, &edges).unwrap();
        lu.clear();
        let mut dense = vec![0.0; n * n];
        let mut random = numbers(10_000).into_iter();
        let all =
            (0..6).map(|i| (i, i)).chain(edges.iter().map(|&(i, j)| (i as usize, j as usize)));
        for (i, j) in all.collect::<Vec<_>>() {
            for (i, j) in if i == j { vec![(i, i)] } else { vec![(i, j), (j, i)] } {
                let block = lu.block_mut(i, j);
                for c in 0..size[j] {
                    for r in 0..size[i] {
                        let dominant = if i == j && r == c { 8.0 } else { 0.0 };
                        let x = random.next().unwrap() + dominant;
                        block[r + c * size[i]] = x;
                        dense[first[i] + r + (first[j] + c) * n] = x;
                    }
                }
            }
        }
        assert!(lu.factor());
        let exact: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
        let mut x = vec![0.0; n];
        for (j, e) in exact.iter().enumerate() {
            axpy(*e, &dense[j * n..(j + 1) * n], &mut x);
        }
        lu.solve(&mut x);
        for (a, b) in x.iter().zip(&exact) {
            assert!((a - b).abs() < 1e-12 * b.abs(), "{a} is not {b}");
        }
    }

    #[test]
    fn nodes_without_a_diagonal_wait_for_a_neighbor() {
        // A chain of masses 1, 2, .. held together by rows v_k+1 - v_k = u_k, whose own blocks are zero: by least
        // degree alone the rows would come first.
        let n = 9usize;
        let size = vec![1; 2 * n - 1];
        let rows = 0..n - 1;
        let edges: Vec<_> = rows.flat_map(|k| [(k, n + k), (k + 1, n + k)]).collect();
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a as u32, b as u32)).collect();
        let mut lu = BlockLu::default();
        lu.analyze_late(&size, &edges, n).unwrap();
        lu.clear();
        for k in 0..n {
            lu.block_mut(k, k)[0] = 1.0 + k as f64;
        }
        for k in 0..n - 1 {
            for (body, sign) in [(k, -1.0), (k + 1, 1.0)] {
                lu.block_mut(n + k, body)[0] = sign;
                lu.block_mut(body, n + k)[0] = -sign;
            }
        }
        assert!(lu.factor());
        // Momentum 90 of all, 45 masses: all move at 2, from the first mass on.
        let mut x = vec![0.0; 2 * n - 1];
        x[0] = 90.0;
        lu.solve(&mut x);
        assert!(x[..n].iter().all(|v| (v - 2.0).abs() < 1e-13), "{x:?}");
        // What is behind row k gets its momentum through it.
        for k in 0..n - 1 {
            let behind: f64 = (k + 1..n).map(|i| 2.0 * (1.0 + i as f64)).sum();
            assert!((x[n + k] - behind).abs() < 1e-12, "{k}: {x:?}");
        }
        // Fill is that of a chain: every node has one later neighbor at most.
        assert!(lu.later.iter().all(|list| list.len() <= 1), "{:?}", lu.later);
    }
}
