//! One dense block of a matrix of blocks: its factors and substitutions. Knows no pattern.

use super::axpy;

/// LU with row exchanges of a column-major n by n block, in place.
pub(super) fn lu(a: &mut [f64], n: usize, swaps: &mut [usize]) -> bool {
    for j in 0..n {
        let mut p = j;
        for i in j + 1..n {
            if a[i + j * n].abs() > a[p + j * n].abs() {
                p = i;
            }
        }
        swaps[j] = p;
        let pivot = a[p + j * n];
        // A NaN must fail too; an exact zero is a singular block.
        if !(pivot.abs() > 0.0) {
            return false;
        }
        if p != j {
            for k in 0..n {
                a.swap(j + k * n, p + k * n);
            }
        }
        for i in j + 1..n {
            a[i + j * n] /= pivot;
        }
        let (head, tail) = a.split_at_mut((j + 1) * n);
        let column = &head[j * n + j + 1..(j + 1) * n];
        for other in tail.chunks_exact_mut(n) {
            let f = other[j];
            axpy(-f, column, &mut other[j + 1..]);
        }
    }
    true
}

/// x := A^-1 x for a block factored by [`lu`]. Bodies in space and joints of three rows are most of all blocks: known sizes
/// make the same sums without loops.
pub(super) fn solve(a: &[f64], n: usize, swaps: &[usize], x: &mut [f64]) {
    match n {
        3 => substitute(&a[..9], 3, &swaps[..3], &mut x[..3]),
        6 => substitute(&a[..36], 6, &swaps[..6], &mut x[..6]),
        _ => substitute(a, n, swaps, x),
    }
}

#[inline(always)]
fn substitute(a: &[f64], n: usize, swaps: &[usize], x: &mut [f64]) {
    for (j, &p) in swaps.iter().enumerate() {
        x.swap(j, p);
    }
    for j in 0..n {
        let f = -x[j];
        for i in j + 1..n {
            x[i] += f * a[i + j * n];
        }
    }
    for j in (0..n).rev() {
        x[j] /= a[j + j * n];
        let f = -x[j];
        for i in 0..j {
            x[i] += f * a[i + j * n];
        }
    }
}
