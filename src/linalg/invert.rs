//! Inversion in place by Gauss-Jordan elimination with row exchanges. Knows only its matrix.

use super::kernel::{axpy, axpy4, max_abs};

/// Columns eliminated together.
const PANEL: usize = 4;

/// Inverts a matrix of order k with leading dimension ld in place; false when a pivot falls to
/// `floor` times the largest entry of its column. `swaps` is workspace.
///
/// Gauss-Jordan by panels of `PANEL` columns: a panel is reduced by itself, then its effect on
/// every other column is one sum of its columns, so that the matrix passes through memory once per
/// panel.
pub(super) fn invert(
    a: &mut [f64],
    k: usize,
    ld: usize,
    floor: f64,
    swaps: &mut Vec<usize>,
) -> bool {
    swaps.clear();
    for first in (0..k).step_by(PANEL) {
        let count = PANEL.min(k - first);
        let (before, rest) = a.split_at_mut(first * ld);
        let (panel, after) = rest.split_at_mut((count * ld).min(rest.len()));
        if !reduce_panel(panel, first, count, k, ld, floor, swaps) {
            return false;
        }
        let swaps = &swaps[first..];
        let others = before.chunks_mut(ld).chain(after.chunks_mut(ld));
        for col in others.filter(|col| col.len() >= k) {
            let col = &mut col[..k];
            for (t, &row) in swaps.iter().enumerate() {
                col.swap(first + t, row);
            }
            let mut f = [0.0; PANEL];
            f[..count].copy_from_slice(&col[first..first + count]);
            col[first..first + count].fill(0.0);
            if count == PANEL {
                let x = |t: usize| &panel[t * ld..t * ld + k];
                axpy4(col, f, [x(0), x(1), x(2), x(3)]);
            } else {
                for (t, &f) in f.iter().enumerate().take(count) {
                    axpy(f, &panel[t * ld..t * ld + k], col);
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
fn reduce_panel(
    panel: &mut [f64],
    first: usize,
    count: usize,
    k: usize,
    ld: usize,
    floor: f64,
    swaps: &mut Vec<usize>,
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
        swaps.push(row);
        col.swap(p, row);
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
