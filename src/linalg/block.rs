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

/// The same for the columns of `x`, one behind the other: bodies in space have six, which are taken through side by side.
pub(super) fn solve_columns(a: &[f64], n: usize, swaps: &[usize], x: &mut [f64]) {
    if n == 6 && x.len() == 36 {
        return substitute_sixes(a, swaps, x);
    }
    for column in x.chunks_exact_mut(n) {
        solve(a, n, swaps, column);
    }
}

/// Six columns through a block of six: by rows, so that each number comes from the same sums as in [`substitute`].
fn substitute_sixes(a: &[f64], swaps: &[usize], x: &mut [f64]) {
    let (a, _) = a.as_chunks::<6>();
    let (x, _) = x.as_chunks_mut::<6>();
    let mut rows = [[0.0; 6]; 6];
    for (c, column) in x.iter().enumerate() {
        for (row, value) in rows.iter_mut().zip(column) {
            row[c] = *value;
        }
    }
    for (j, &p) in swaps.iter().enumerate() {
        rows.swap(j, p);
    }
    for (j, factors) in a.iter().enumerate() {
        let from = rows[j];
        for i in j + 1..6 {
            for c in 0..6 {
                rows[i][c] += -from[c] * factors[i];
            }
        }
    }
    for (j, factors) in a.iter().enumerate().rev() {
        for c in 0..6 {
            rows[j][c] /= factors[j];
        }
        let from = rows[j];
        for i in 0..j {
            for c in 0..6 {
                rows[i][c] += -from[c] * factors[i];
            }
        }
    }
    for (c, column) in x.iter_mut().enumerate() {
        for (row, value) in rows.iter().zip(column) {
            *value = row[c];
        }
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

/// a -= l r, with blocks of `n` by `m`, `n` by `k` and `k` by `m`, column-major; each number by the same sums whatever the sizes.
pub(super) fn subtract_product(
    l: &[f64],
    r: &[f64],
    a: &mut [f64],
    (n, k, m): (usize, usize, usize),
) {
    if (n, k) == (6, 6) {
        return subtract_sixes(l, r, a, m);
    }
    for (column, factors) in a.chunks_exact_mut(n).zip(r.chunks_exact(k)).take(m) {
        subtract_times(l, factors, column);
    }
}

/// The same where known sizes make sums without loops.
fn subtract_sixes(l: &[f64], r: &[f64], a: &mut [f64], m: usize) {
    let (l, _) = l.as_chunks::<6>();
    let (r, _) = r.as_chunks::<6>();
    let (a, _) = a.as_chunks_mut::<6>();
    for (column, factors) in a.iter_mut().zip(r).take(m) {
        let mut sum = *column;
        for (l, f) in l.iter().zip(factors) {
            for i in 0..6 {
                sum[i] -= f * l[i];
            }
        }
        *column = sum;
    }
}

/// y -= a x for a column-major block of as many rows as `y` and columns as `x`.
pub(super) fn subtract_times(a: &[f64], x: &[f64], y: &mut [f64]) {
    if y.len() == 6 && x.len() == 6 {
        return subtract_sixes(a, x, y, 1);
    }
    for (column, &f) in a.chunks_exact(y.len()).zip(x) {
        axpy(-f, column, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_side_by_side_make_the_same_sums() {
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5;
        let mut a: Vec<f64> = (0..36).map(number).collect();
        let mut swaps = [0; 6];
        assert!(lu(&mut a, 6, &mut swaps));
        let mut x: Vec<f64> = (40..76).map(number).collect();
        let mut apart = x.clone();
        solve_columns(&a, 6, &swaps, &mut x);
        for column in apart.chunks_exact_mut(6) {
            solve(&a, 6, &swaps, column);
        }
        assert!(x.iter().zip(&apart).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn known_sizes_make_the_same_sums() {
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5;
        let numbers = |from: usize, n: usize| (from..from + n).map(number).collect::<Vec<_>>();
        for (n, k, m) in [(6, 6, 6), (6, 6, 3), (6, 3, 6), (3, 6, 1), (1, 1, 1)] {
            let (l, r, a) = (numbers(0, n * k), numbers(50, k * m), numbers(99, n * m));
            let mut by_block = a.clone();
            subtract_product(&l, &r, &mut by_block, (n, k, m));
            for c in 0..m {
                for i in 0..n {
                    let mut sum = a[i + c * n];
                    for j in 0..k {
                        sum -= l[i + j * n] * r[j + c * k];
                    }
                    assert_eq!(by_block[i + c * n].to_bits(), sum.to_bits(), "{n} {k} {m}");
                }
            }
        }
    }
}
