//! Bases met before, each with the inverse of its kernel. Contact problems come back to the same few:
//! stick, slip one way, slip the other way. Knows how they are kept, not whether one serves.

use crate::error::{Result, reserve};
use crate::linalg::kernel::axpy;
use crate::tol;

/// Most bases kept.
const MOST: usize = 32;
/// Numbers in all inverses together: those of this many full ones; a kernel has a third of the rows.
const SHARE: usize = 3;
/// And not more than this, 24 MB.
const LARGEST: usize = 3 << 20;

/// Unknowns of a basis looked at together.
const BLOCK: usize = 16;

/// One basis: its inverse in the pool, its rows and columns in `index`.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    order: usize,
    slot: usize,
    /// Tells sets of columns apart.
    mark: u64,
    /// Unknown that was negative the last time this basis did not serve.
    doubt: usize,
    /// Slot of the basis that came after this one the last time.
    next: usize,
}

/// A basis on the shelf: K has these rows and columns, `inverse` is by columns without gaps.
pub(super) struct Kept<'a> {
    pub(super) rows: &'a [usize],
    pub(super) cols: &'a [usize],
    pub(super) inverse: &'a [f64],
}

#[derive(Debug)]
pub(super) struct Shelf {
    pool: Vec<f64>,
    index: Vec<usize>,
    /// As they came; a new one takes the place of the first.
    entries: Vec<Entry>,
    /// Slots as they were used, the last one last.
    recent: Vec<usize>,
    most: usize,
    n_max: usize,
}

impl Shelf {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let most = n_max.saturating_mul(n_max).saturating_mul(SHARE).min(LARGEST);
        Ok(Self {
            pool: reserve(most)?,
            index: reserve(2 * MOST * n_max)?,
            entries: reserve(MOST)?,
            recent: reserve(MOST)?,
            most,
            n_max,
        })
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.recent.clear();
    }

    /// Keeps a basis, from now on the last one. False when there is no room for it.
    pub(super) fn put<'a>(
        &mut self,
        rows: &[usize],
        cols: &[usize],
        column: impl Fn(usize) -> &'a [f64],
    ) -> bool {
        let (k, mark) = (cols.len(), mark(cols));
        let size = k * k;
        if let Some(e) = self.entries.iter().find(|e| e.mark == mark && e.order == k) {
            self.make_last(e.slot);
            return true;
        }
        if size > self.most || k == 0 {
            return false;
        }
        let behind = self.entries.last().map_or(0, |e| e.start + e.order * e.order);
        let start = if behind + size <= self.most { behind } else { 0 };
        let overlaps = |e: &Entry| e.start < start + size && start < e.start + e.order * e.order;
        while self.entries.len() == MOST || self.entries.iter().any(overlaps) {
            let gone = self.entries.remove(0);
            self.recent.retain(|&s| s != gone.slot);
        }
        let Some(slot) = (0..MOST).find(|s| !self.recent.contains(s)) else { return false };
        if self.pool.len() < start + size {
            self.pool.resize(start + size, 0.0);
        }
        self.index.resize(2 * MOST * self.n_max, 0);
        for (m, to) in self.pool[start..start + size].chunks_exact_mut(k).enumerate() {
            to.copy_from_slice(column(m));
        }
        let at = 2 * slot * self.n_max;
        self.index[at..at + k].copy_from_slice(rows);
        self.index[at + self.n_max..at + self.n_max + k].copy_from_slice(cols);
        self.entries.push(Entry { start, order: k, slot, mark, doubt: 0, next: slot });
        self.make_last(slot);
        true
    }

    /// The basis in that slot is the last one used, and came after the one that was.
    fn make_last(&mut self, slot: usize) {
        if let Some(&before) = self.recent.last()
            && let Some(e) = self.entries.iter_mut().find(|e| e.slot == before)
        {
            e.next = slot;
        }
        self.recent.retain(|&s| s != slot);
        self.recent.push(slot);
    }

    /// The basis that followed the last one the time before, as a number for [`Shelf::get`]; its
    /// slot may hold another by now, which is asked like any.
    pub(super) fn likely(&self) -> Option<usize> {
        let next = self.entries[self.find(0)?].next;
        self.recent.iter().rev().position(|&s| s == next).filter(|&back| back > 0)
    }

    /// The basis that was used `back` bases before the last one.
    pub(super) fn get(&self, back: usize) -> Option<Kept<'_>> {
        Some(self.kept(&self.entries[self.find(back)?]))
    }

    /// Whether the basis that was used `back` bases before the last one has no negative unknown
    /// with the right-hand side q. `None` when there is no such basis.
    pub(super) fn feasible(&mut self, back: usize, q: &[f64]) -> Option<bool> {
        let at = self.find(back)?;
        // What was negative last time mostly is so again.
        let negative = self.kept(&self.entries[at]).negative(q, self.entries[at].doubt);
        if let Some(l) = negative {
            self.entries[at].doubt = l;
        }
        Some(negative.is_none())
    }

    fn find(&self, back: usize) -> Option<usize> {
        let slot = *self.recent.iter().rev().nth(back)?;
        self.entries.iter().position(|e| e.slot == slot)
    }

    fn kept(&self, e: &Entry) -> Kept<'_> {
        let at = 2 * e.slot * self.n_max;
        Kept {
            rows: &self.index[at..at + e.order],
            cols: &self.index[at + self.n_max..at + self.n_max + e.order],
            inverse: &self.pool[e.start..e.start + e.order * e.order],
        }
    }
}

impl Kept<'_> {
    /// An entry of y = -inverse times the entries of q in the rows that is negative, looked for by blocks
    /// from that of entry `from` on: a basis that does not serve mostly shows it at once.
    fn negative(&self, q: &[f64], from: usize) -> Option<usize> {
        let (k, start) = (self.rows.len(), from / BLOCK);
        (start..k.div_ceil(BLOCK)).chain(0..start).find_map(|b| {
            let (low, mut y) = (b * BLOCK, [0.0; BLOCK]);
            let count = BLOCK.min(k - low);
            for (column, &i) in self.inverse.chunks_exact(k).zip(self.rows) {
                // exact: structural zeros of the data
                if q[i] == 0.0 {
                    continue;
                }
                match column[low..].first_chunk::<BLOCK>() {
                    Some(x) => (0..BLOCK).for_each(|l| y[l] -= q[i] * x[l]),
                    None => axpy(-q[i], &column[low..], &mut y),
                }
            }
            y[..count].iter().position(|y| *y < -tol::LCP_RATIO).map(|l| low + l)
        })
    }
}

/// The same for the same set in any order, hardly ever for another one.
fn mark(cols: &[usize]) -> u64 {
    cols.iter().fold(0, |sum: u64, &j| {
        let x = (j as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum.wrapping_add((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inverse of a diagonal matrix of order k whose entries are `d`.
    fn put(shelf: &mut Shelf, cols: &[usize], d: f64) -> bool {
        let k = cols.len();
        let mut inverse = vec![0.0; k * k];
        inverse.iter_mut().step_by(k + 1).for_each(|x| *x = 1.0 / d);
        let columns: Vec<&[f64]> = inverse.chunks(k).collect();
        shelf.put(cols, cols, |m| columns[m])
    }

    #[test]
    fn the_oldest_gives_way_and_the_last_used_comes_first() {
        let n = 7;
        let mut shelf = Shelf::new(n).unwrap();
        assert!(shelf.get(0).is_none());
        let sets: Vec<Vec<usize>> = (0..60).map(|s| (s % 5..s % 5 + 1 + s % 3).collect()).collect();
        for (s, set) in sets.iter().enumerate() {
            assert!(put(&mut shelf, set, 1.0 + (s % 15) as f64));
            let kept = shelf.get(0).unwrap();
            assert_eq!((kept.rows, kept.cols), (&set[..], &set[..]));
            assert_eq!(kept.inverse[0], 1.0 / (1.0 + (s % 15) as f64));
            // Every other one is still what it was.
            for back in 0.. {
                let Some(kept) = shelf.get(back) else { break };
                let k = kept.rows.len();
                let d = kept.inverse[0];
                let diagonal = |(m, x): (usize, &f64)| *x == if m % (k + 1) == 0 { d } else { 0.0 };
                assert!(kept.inverse.iter().enumerate().all(diagonal));
            }
        }
        // The sets came in turn.
        assert_eq!(shelf.likely(), Some(14));
        // Fifteen different sets, all of which fit.
        assert!(shelf.get(14).is_some() && shelf.get(15).is_none());
        // A full inverse of its own leaves no room for most.
        assert!(put(&mut shelf, &[0, 1, 2, 3, 4, 5, 6], 2.0));
        assert!(put(&mut shelf, &[0, 1, 2, 3, 4, 5], 2.0));
        assert!(shelf.get(1).is_some_and(|kept| kept.rows.len() == 7));
        shelf.clear();
        assert!(shelf.get(0).is_none());
    }

    #[test]
    fn a_basis_serves_when_nothing_is_negative() {
        let mut shelf = Shelf::new(6).unwrap();
        put(&mut shelf, &[1, 2, 3, 4, 5], 2.0);
        // z = -q / 2
        for (bad, serves) in [(0, true), (1, false), (5, false), (3, false), (0, true)] {
            let mut q = [-1.0; 6];
            q[bad] = 1.0;
            assert_eq!(shelf.feasible(0, &q), Some(serves));
        }
        assert_eq!(shelf.feasible(1, &[-1.0; 6]), None);
    }
}
