//! LU factorisation of a sparse matrix made of dense blocks, with a symmetric pattern of blocks.
//! Knows no mechanics.
//!
//! Blocks are eliminated in the order of least degree, with row exchanges inside diagonal blocks
//! only. Fill is found once per pattern and kept while the pattern stays the same.

use super::block::{lu, solve, solve_columns, subtract_product, subtract_times};
use super::degrees::Neighbors;
use crate::error::{Result, grow};
use std::ops::Range;

/// A factor and the pattern it was made for. Storage grows with the largest pattern seen and is
/// then used again.
#[derive(Debug, Default)]
pub struct BlockLu {
    /// Sizes, pairs and first late node of the last analysis, to know it again.
    size: Vec<usize>,
    edges: Vec<(u32, u32)>,
    late: usize,
    /// Place of each node in the order of elimination.
    place: Vec<usize>,
    order: Vec<usize>,
    /// Finds the order.
    near: Neighbors,
    /// First unknown of each node, and size and first unknown of each place.
    first: Vec<usize>,
    nodes: Vec<(usize, usize)>,
    /// Later neighbors of each place, as places in increasing order, one place behind the other, and where those of
    /// each begin.
    next: Vec<u32>,
    from: Vec<usize>,
    /// Where the blocks are in `data`: the diagonal, and for each later neighbor the block below
    /// and the block to the right. Those of a place lie together, and behind those of places before it.
    diagonal: Vec<usize>,
    below: Vec<usize>,
    right: Vec<usize>,
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
        self.first.push(0);
        for (i, s) in size.iter().enumerate() {
            self.first.push(self.first[i] + s);
        }
        let order = self.near.read(n, edges).and_then(|()| self.near.order(late, &mut self.order));
        let done = order.and_then(|()| self.lay_out());
        match done {
            Ok(()) => self.edges.extend_from_slice(edges),
            Err(_) => self.size.clear(),
        }
        done
    }

    /// Room for what grows with the number of nodes and pairs.
    fn room(&mut self, n: usize, edges: usize) -> Result<()> {
        let lists = [&mut self.size, &mut self.place, &mut self.order, &mut self.first];
        for list in lists.into_iter().chain([&mut self.from, &mut self.diagonal]) {
            list.clear();
            grow(list, n + 1)?;
        }
        self.nodes.clear();
        grow(&mut self.nodes, n)?;
        grow(&mut self.edges, edges)
    }

    /// Renames nodes to places and gives every block its storage.
    fn lay_out(&mut self) -> Result<()> {
        self.place.resize(self.order.len(), 0);
        for (at, &node) in self.order.iter().enumerate() {
            self.place[node] = at;
        }
        let count = self.order.iter().map(|&node| self.near.of(node).len()).sum();
        self.next.clear();
        grow(&mut self.next, count)?;
        for list in [&mut self.below, &mut self.right] {
            list.clear();
            grow(list, count)?;
        }
        self.effort = 0;
        let mut end = 0;
        let mut take = |count: usize| {
            end += count;
            end - count
        };
        for &node in &self.order {
            let s = self.size[node];
            self.nodes.push((s, self.first[node]));
            let start = self.next.len();
            self.from.push(start);
            self.next.extend(self.near.of(node).iter().map(|&k| self.place[k as usize] as u32));
            self.next[start..].sort_unstable();
            self.diagonal.push(take(s * s));
            let mut reach = s;
            for &p in &self.next[start..] {
                let other = self.size[self.order[p as usize]];
                self.below.push(take(s * other));
                reach += other;
            }
            // Substitutions read either all below or all to the right.
            for &p in &self.next[start..] {
                self.right.push(take(s * self.size[self.order[p as usize]]));
            }
            self.effort += s * reach * reach;
        }
        self.from.push(self.next.len());
        let unknowns = self.unknowns();
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
        let at = if pi == pj {
            self.diagonal[pi]
        } else {
            let links = self.links(pi.min(pj));
            let high = pi.max(pj);
            let k = links.start + self.next[links].partition_point(|&x| (x as usize) < high);
            if pi > pj { self.below[k] } else { self.right[k] }
        };
        let count = self.size[i] * self.size[j];
        &mut self.data[at..at + count]
    }

    /// Where the later neighbors of a place are in `next`.
    fn links(&self, at: usize) -> Range<usize> {
        self.from[at]..self.from[at + 1]
    }

    /// Factors; false when a diagonal block is singular.
    pub fn factor(&mut self) -> bool {
        for at in 0..self.size.len() {
            let (s, first) = self.nodes[at];
            let d = self.diagonal[at];
            let swaps = &mut self.swaps[first..first + s];
            if !lu(&mut self.data[d..d + s * s], s, swaps) {
                return false;
            }
            // Columns to the right become D^-1 of themselves; what is below stays.
            for k in self.links(at) {
                let (other, _) = self.nodes[self.next[k] as usize];
                let right = self.right[k];
                let (head, tail) = self.data.split_at_mut(right);
                let swaps = &self.swaps[first..first + s];
                solve_columns(&head[d..d + s * s], s, swaps, &mut tail[..s * other]);
            }
            self.update(at, s);
        }
        true
    }

    /// A(i, j) -= below(i) right(j) for later neighbors i, j of the place `at`.
    fn update(&mut self, at: usize, s: usize) {
        let links = self.links(at);
        // Blocks of later places lie behind all blocks of this one.
        let end = self.diagonal.get(at + 1).copied().unwrap_or(self.data.len());
        let (own, later) = self.data.split_at_mut(end);
        for ki in links.clone() {
            let pi = self.next[ki] as usize;
            let (ni, _) = self.nodes[pi];
            let (l, r) = (&own[self.below[ki]..][..ni * s], &own[self.right[ki]..][..s * ni]);
            let target = self.diagonal[pi] - end;
            subtract_product(l, r, &mut later[target..][..ni * ni], (ni, s, ni));
            // Those behind it are all among its own neighbors: one walk finds their blocks.
            let mut k = self.from[pi];
            for kj in ki + 1..links.end {
                let pj = self.next[kj];
                while self.next[k] < pj {
                    k += 1;
                }
                let (nj, _) = self.nodes[pj as usize];
                let beyond = &own[self.right[kj]..][..s * nj];
                let target = &mut later[self.right[k] - end..][..ni * nj];
                subtract_product(l, beyond, target, (ni, s, nj));
                let under = &own[self.below[kj]..][..nj * s];
                let target = &mut later[self.below[k] - end..][..nj * ni];
                subtract_product(under, r, target, (nj, s, ni));
            }
        }
    }

    /// x := A^-1 x, unknowns in the order of the nodes.
    pub fn solve(&mut self, x: &mut [f64]) {
        let mut work = std::mem::take(&mut self.work);
        for at in 0..self.nodes.len() {
            let (s, first) = self.nodes[at];
            // exact: most of a right side is zero until the first node that it reaches
            if x[first..first + s].iter().all(|&x| x == 0.0) {
                continue;
            }
            // Bodies in space: numbers that need no other memory.
            if let Some(own) = x[first..].first_chunk_mut::<6>().filter(|_| s == 6) {
                self.solve_diagonal(at, own);
                let own = *own;
                self.reach_below(at, &own, x);
            } else {
                work.clear();
                work.extend_from_slice(&x[first..first + s]);
                self.solve_diagonal(at, &mut work);
                x[first..first + s].copy_from_slice(&work);
                self.reach_below(at, &work, x);
            }
        }
        for at in (0..self.nodes.len()).rev() {
            let (s, first) = self.nodes[at];
            if let Some(&(mut own)) = x[first..].first_chunk::<6>().filter(|_| s == 6) {
                self.gather_right(at, x, &mut own);
                x[first..first + 6].copy_from_slice(&own);
            } else {
                work.clear();
                work.extend_from_slice(&x[first..first + s]);
                self.gather_right(at, x, &mut work);
                x[first..first + s].copy_from_slice(&work);
            }
        }
        self.work = work;
    }

    #[inline(always)]
    fn solve_diagonal(&self, at: usize, own: &mut [f64]) {
        let ((s, first), d) = (self.nodes[at], self.diagonal[at]);
        solve(&self.data[d..d + s * s], s, &self.swaps[first..first + s], own);
    }

    /// x -= what is below times `own`.
    #[inline(always)]
    fn reach_below(&self, at: usize, own: &[f64], x: &mut [f64]) {
        for k in self.links(at) {
            let (other, to) = self.nodes[self.next[k] as usize];
            let block = &self.data[self.below[k]..][..own.len() * other];
            subtract_times(block, own, &mut x[to..to + other]);
        }
    }

    /// own -= what is to the right times `x`.
    #[inline(always)]
    fn gather_right(&self, at: usize, x: &[f64], own: &mut [f64]) {
        for k in self.links(at) {
            let (other, from) = self.nodes[self.next[k] as usize];
            let block = &self.data[self.right[k]..][..own.len() * other];
            subtract_times(block, &x[from..from + other], own);
        }
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
        assert!(lu.from.windows(2).all(|ends| ends[1] - ends[0] <= 1), "{:?}", lu.from);
    }

    /// Nodes on a square of `n` by `n`, each with those beside it.
    fn grid(n: usize) -> (Vec<usize>, Vec<(u32, u32)>) {
        let at = |i: usize, j: usize| (i * n + j) as u32;
        let pairs = (0..n).flat_map(|i| (1..n).map(move |j| (i, j)));
        let edges = pairs.flat_map(|(i, j)| [(at(i, j - 1), at(i, j)), (at(j - 1, i), at(j, i))]);
        (vec![1; n * n], edges.collect())
    }

    #[test]
    fn a_grid_is_solved_in_the_order_of_least_degrees_with_the_fill_of_that() {
        let n = 12;
        let (size, edges) = grid(n);
        let mut lu = BlockLu::default();
        lu.analyze(&size, &edges).unwrap();
        // The definition: look at all that are left for the least degree, every time.
        let mut near = vec![std::collections::BTreeSet::new(); n * n];
        for &(i, j) in &edges {
            near[i as usize].insert(j as usize);
            near[j as usize].insert(i as usize);
        }
        let mut left: Vec<usize> = (0..n * n).collect();
        let mut fill = 0;
        for at in 0..n * n {
            let node = *left.iter().min_by_key(|&&i| (near[i].len(), i)).unwrap();
            assert_eq!(lu.order[at], node, "{at}");
            left.retain(|&i| i != node);
            let clique = std::mem::take(&mut near[node]);
            fill += clique.len();
            for &i in &clique {
                near[i].extend(clique.iter().filter(|&&k| k != i));
                near[i].remove(&node);
            }
        }
        assert_eq!(lu.next.len(), fill);
        // Row by row there would be a band of n.
        assert!(3 * fill < 2 * n * n * n, "{fill}");
        lu.clear();
        for i in 0..n * n {
            lu.block_mut(i, i)[0] = 5.0;
        }
        for &(i, j) in &edges {
            lu.block_mut(i as usize, j as usize)[0] = -1.0;
            lu.block_mut(j as usize, i as usize)[0] = -1.5;
        }
        assert!(lu.factor());
        let exact: Vec<f64> = (0..n * n).map(|i| (1 + i % 7) as f64).collect();
        let mut x: Vec<f64> = exact.iter().map(|e| 5.0 * e).collect();
        for &(i, j) in &edges {
            let (i, j) = (i as usize, j as usize);
            x[i] -= exact[j];
            x[j] -= 1.5 * exact[i];
        }
        lu.solve(&mut x);
        assert!(x.iter().zip(&exact).all(|(x, e)| (x - e).abs() < 1e-12), "{x:?}");
    }
}
