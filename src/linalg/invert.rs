//! Inversion in place by Gauss-Jordan elimination with row exchanges. Knows only its matrix.

use super::kernel::{FEW, axpy, axpy4, max_abs};
use crate::error::{Result, reserve};

/// Columns eliminated together.
const PANEL: usize = 4;
/// A row with fewer entries is taken as pivot when its own is at least this share of the largest.
const SHARE: f64 = 0.25;

/// Storage of an inversion.
#[derive(Debug)]
pub(super) struct Room {
    swaps: Vec<usize>,
    /// Nonzeros of each row before the elimination; not renewed, they only guide it.
    entries: Vec<usize>,
    places: Vec<usize>,
}

impl Room {
    /// For matrices up to order `max`.
    pub(super) fn new(max: usize) -> Result<Self> {
        Ok(Self { swaps: reserve(max)?, entries: reserve(max)?, places: reserve(max)? })
    }

    fn count(&mut self, a: &[f64], k: usize, ld: usize) {
        self.entries.clear();
        self.entries.resize(k, 0);
        for col in a.chunks(ld.max(1)).take(k) {
            for (entries, x) in self.entries.iter_mut().zip(col) {
                *entries += usize::from(*x != 0.0);
            }
        }
    }
}

/// Inverts a matrix of order k with leading dimension ld in place; false when a pivot falls to
/// `floor` times the largest entry of its column.
///
/// Gauss-Jordan by panels of `PANEL` columns: a panel is reduced by itself, then its effect on
/// every other column is one sum of its columns, so that the matrix passes through memory once per
/// panel. Zeros cost nothing where columns with few entries come first: the rows of friction in
/// kernels of contact have two or three.
pub(super) fn invert(a: &mut [f64], k: usize, ld: usize, floor: f64, room: &mut Room) -> bool {
    room.count(a, k, ld);
    let Room { swaps, entries, places } = room;
    swaps.clear();
    for first in (0..k).step_by(PANEL) {
        let count = PANEL.min(k - first);
        let (before, rest) = a.split_at_mut(first * ld);
        let (panel, after) = rest.split_at_mut((count * ld).min(rest.len()));
        if !reduce_panel(panel, first, count, k, ld, floor, swaps, entries) {
            return false;
        }
        let swaps = &swaps[first..];
        let x = |t: usize| &panel[t * ld..t * ld + k];
        places.clear();
        if count == PANEL {
            let some = |i: &usize| (0..PANEL).any(|t| x(t)[*i] != 0.0);
            places.extend((0..k).filter(some));
        }
        let few = count == PANEL && FEW * places.len() < k;
        let others = before.chunks_mut(ld).chain(after.chunks_mut(ld));
        for col in others.filter(|col| col.len() >= k) {
            let col = &mut col[..k];
            for (t, &row) in swaps.iter().enumerate() {
                col.swap(first + t, row);
            }
            let mut f = [0.0; PANEL];
            f[..count].copy_from_slice(&col[first..first + count]);
            col[first..first + count].fill(0.0);
            // exact: structural zeros of the data
            if f == [0.0; PANEL] {
                continue;
            }
            if few {
                for &i in &*places {
                    col[i] += (f[0] * x(0)[i] + f[1] * x(1)[i]) + (f[2] * x(2)[i] + f[3] * x(3)[i]);
                }
            } else if count == PANEL {
                axpy4(col, f, [x(0), x(1), x(2), x(3)]);
            } else {
                for (t, &f) in f.iter().enumerate().take(count) {
                    axpy(f, x(t), col);
                }
            }
        }
    }
    for p in (0..k).rev() {
        let row = swaps[p];
        if row != p {
            let (left, right) = a.split_at_mut(row * ld);
            left[p * ld..p * ld + k].swap_with_slice(&mut right[..k]);
        }
    }
    true
}

/// Gauss-Jordan steps on the columns `first .. first + count` of a matrix of order k, in `panel`.
/// Row exchanges are appended to `swaps`. False for a pivot at or below `floor` times its column.
#[expect(clippy::too_many_arguments, reason = "the parts of one elimination")]
fn reduce_panel(
    panel: &mut [f64],
    first: usize,
    count: usize,
    k: usize,
    ld: usize,
    floor: f64,
    swaps: &mut Vec<usize>,
    entries: &mut [usize],
) -> bool {
    for t in 0..count {
        let p = first + t;
        let (before, rest) = panel.split_at_mut(t * ld);
        let (col, after) = rest.split_at_mut(ld.min(rest.len()));
        let col = &mut col[..k];
        let mut row = p;
        for i in p + 1..k {
            if col[i].abs() > col[row].abs() {
                row = i;
            }
        }
        let size = max_abs(col);
        if col[row].is_nan() || col[row].abs() <= floor * size.max(floor) {
            return false;
        }
        let enough = SHARE * col[row].abs();
        for i in p..k {
            if entries[i] < entries[row] && col[i].abs() >= enough {
                row = i;
            }
        }
        swaps.push(row);
        col.swap(p, row);
        entries.swap(p, row);
        let pivot = 1.0 / col[p];
        col[p] = 0.0;
        let others = before.chunks_mut(ld).chain(after.chunks_mut(ld));
        for other in others.filter(|other| other.len() >= k) {
            let other = &mut other[..k];
            other.swap(p, row);
            let f = other[p] * pivot;
            axpy(-f, col, other);
            other[p] = f;
        }
        for c in col.iter_mut() {
            *c *= -pivot;
        }
        col[p] = pivot;
    }
    true
}
