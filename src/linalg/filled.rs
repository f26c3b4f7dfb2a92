//! Factors of a square block with all its numbers, column-major, in its place. Knows neither who asks nor what for.

use super::{Columns, axpy, dot};
use crate::error::{Error, Result};
use crate::tol;
use std::ops::Range;

/// The numbers of a block of `m`.
pub(super) fn read(m: Columns<'_>, block: &Range<usize>, a: &mut [f64]) {
    let n = block.len();
    for (j, column) in block.clone().zip(a.chunks_exact_mut(n.max(1))) {
        column.fill(0.0);
        // exact: outside of the block are zeros
        for (i, x) in m.col(j).entries().filter(|(i, _)| block.contains(i)) {
            column[i - block.start] = x;
        }
    }
}

/// The lower triangle := that of the symmetric part; whether the matrix was symmetric.
pub(super) fn symmetrize(n: usize, a: &mut [f64]) -> bool {
    let mut symmetric = true;
    for j in 0..n {
        for i in j..n {
            let (below, above) = (a[i + j * n], a[j + i * n]);
            // exact: a host that means a symmetric matrix writes the same bits twice
            symmetric &= below == above;
            a[i + j * n] = 0.5 * below + 0.5 * above;
        }
    }
    symmetric
}

/// What [`solve_ldl`] or [`solve_lu`] do, with absolute values. Needs `x` >= 0.
pub(super) fn bound(symmetric: bool, a: &[f64], x: &mut [f64]) {
    let n = x.len();
    for j in 0..n {
        let xj = x[j];
        for (xi, l) in x[j + 1..].iter_mut().zip(&a[j * n + j + 1..]) {
            *xi += xj * l.abs();
        }
    }
    for j in (0..n).rev() {
        let column = &a[j * n..(j + 1) * n];
        x[j] /= column[j].abs();
        if symmetric {
            let below = column[j + 1..].iter().zip(&x[j + 1..]);
            x[j] += below.map(|(l, xi)| l.abs() * xi).sum::<f64>();
        } else {
            let xj = x[j];
            for (xi, u) in x[..j].iter_mut().zip(column) {
                *xi += xj * u.abs();
            }
        }
    }
}

/// L D L' by columns on the lower triangle of a block, D on its diagonal; the row and pivot that fail. Without square
/// roots a diagonal mass divides exactly, so that a body at rest stays there to the last bit.
pub(super) fn ldl(n: usize, a: &mut [f64]) -> std::result::Result<(), (usize, f64)> {
    for j in 0..n {
        let (done, rest) = a.split_at_mut(j * n);
        let col = &mut rest[j..n];
        let before = col[0];
        for k in 0..j {
            let lk = &done[k * n + j..(k + 1) * n];
            axpy(-lk[0] * done[k * n + k], lk, col);
        }
        let pivot = col[0];
        // A NaN from overflow must fail too, hence the negated comparison.
        if !(pivot > tol::DEFINITE_PIVOT * before) || !pivot.is_finite() {
            return Err((j, pivot));
        }
        for x in &mut col[1..] {
            *x /= pivot;
        }
    }
    Ok(())
}

/// x := A^-1 x by the factors of [`ldl`].
pub(super) fn solve_ldl(a: &[f64], x: &mut [f64]) {
    let n = x.len();
    for j in 0..n {
        let xj = x[j];
        axpy(-xj, &a[j * n + j + 1..(j + 1) * n], &mut x[j + 1..]);
    }
    for j in (0..n).rev() {
        let l = &a[j * n + j..(j + 1) * n];
        x[j] = x[j] / l[0] - dot(&l[1..], &x[j + 1..]);
    }
}

/// Both factors of a block that begins at row `first`, in its place; `swaps` goes on with its exchanges.
pub(super) fn lu(
    what: &'static str,
    first: usize,
    n: usize,
    a: &mut [f64],
    swaps: &mut Vec<usize>,
) -> Result<()> {
    for k in 0..n {
        let col = &a[k * n..(k + 1) * n];
        let p = (k..n).fold(k, |b, i| if col[i].abs() > col[b].abs() { i } else { b });
        let pivot = col[p];
        // A definite matrix has no zero pivot; overflow may have made one.
        if pivot == 0.0 || !pivot.is_finite() {
            return Err(Error::NotPositiveDefinite { what, row: first + k, pivot });
        }
        swaps.push(p);
        for j in 0..n {
            a.swap(k + j * n, p + j * n);
        }
        let (head, tail) = a.split_at_mut((k + 1) * n);
        let col = &mut head[k * n + k + 1..];
        for x in col.iter_mut() {
            *x /= pivot;
        }
        for other in tail.chunks_exact_mut(n) {
            let f = other[k];
            axpy(-f, col, &mut other[k + 1..]);
        }
    }
    Ok(())
}

/// x := A^-1 x by the factors of [`lu`] and its exchanges of rows.
pub(super) fn solve_lu(a: &[f64], swaps: &[usize], x: &mut [f64]) {
    let n = x.len();
    for (k, &p) in swaps.iter().enumerate() {
        x.swap(k, p);
    }
    for j in 0..n {
        let xj = x[j];
        axpy(-xj, &a[j * n + j + 1..(j + 1) * n], &mut x[j + 1..]);
    }
    for j in (0..n).rev() {
        x[j] /= a[j * n + j];
        let xj = x[j];
        axpy(-xj, &a[j * n..j * n + j], &mut x[..j]);
    }
}
