//! Loops over contiguous numbers, written so that the compiler turns them into vector instructions
//! and with a fixed order of summation. Knows no matrix.

/// Lanes of the reductions: enough independent sums to hide the latency of an addition.
const LANES: usize = 8;

/// A sum over given places costs as much per term as this many terms of a sum over all.
pub const FEW: usize = 4;

/// Sum of a_i b_i over the shorter length.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    // A body in space or in the plane: the same sums without loops.
    if let (Ok(a), Ok(b)) = (<&[f64; 6]>::try_from(a), <&[f64; 6]>::try_from(b)) {
        return short(a, b);
    }
    if let (Ok(a), Ok(b)) = (<&[f64; 3]>::try_from(a), <&[f64; 3]>::try_from(b)) {
        return short(a, b);
    }
    let mut lanes = [0.0f64; LANES];
    let (ca, cb) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (ra, rb) = (ca.remainder(), cb.remainder());
    for (x, y) in ca.zip(cb) {
        for l in 0..LANES {
            lanes[l] += x[l] * y[l];
        }
    }
    let mut rest = 0.0;
    for (x, y) in ra.iter().zip(rb) {
        rest += x * y;
    }
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
        + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
        + rest
}

/// Sum of a_i b_i from the first to the last.
#[inline]
fn short<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

/// y += f x.
#[inline]
pub fn axpy(f: f64, x: &[f64], y: &mut [f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += f * xi;
    }
}

/// y += f_0 x_0 + f_1 x_1 + f_2 x_2 + f_3 x_3: one pass over y instead of four. Needs x_k at least
/// as long as y.
#[inline]
pub fn axpy4(y: &mut [f64], f: [f64; 4], x: [&[f64]; 4]) {
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (f[0] * x0[i] + f[1] * x1[i]) + (f[2] * x2[i] + f[3] * x3[i]);
    }
}

/// The same with eight vectors.
#[inline]
pub fn axpy8(y: &mut [f64], f: [f64; 8], x: [&[f64]; 8]) {
    let n = y.len();
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x.map(|x| &x[..n]);
    for i in 0..n {
        let low = (f[0] * x0[i] + f[1] * x1[i]) + (f[2] * x2[i] + f[3] * x3[i]);
        let high = (f[4] * x4[i] + f[5] * x5[i]) + (f[6] * x6[i] + f[7] * x7[i]);
        y[i] += low + high;
    }
}

/// a x_0, ..., a x_3 in one pass over a. Needs x_k at least as long as a.
#[inline]
pub fn dot4(a: &[f64], x: [&[f64]; 4]) -> [f64; 4] {
    let n = a.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    let ((pairs, rest), x) = (a.as_chunks::<2>(), [x0, x1, x2, x3]);
    let [p0, p1, p2, p3] = x.map(|x| &x.as_chunks::<2>().0[..pairs.len()]);
    let mut lanes = [[0.0f64; 2]; 4];
    for (i, a) in pairs.iter().enumerate() {
        for l in 0..2 {
            lanes[0][l] += a[l] * p0[i][l];
            lanes[1][l] += a[l] * p1[i][l];
            lanes[2][l] += a[l] * p2[i][l];
            lanes[3][l] += a[l] * p3[i][l];
        }
    }
    let mut sum = lanes.map(|l| l[0] + l[1]);
    if let [last] = rest {
        for (s, x) in sum.iter_mut().zip(x) {
            *s += last * x[n - 1];
        }
    }
    sum
}

/// c_k += f_k y for four columns in one pass over y. Needs columns at least as long as y.
#[inline]
pub fn update4(c: [&mut [f64]; 4], f: [f64; 4], y: &[f64]) {
    let n = y.len();
    let [c0, c1, c2, c3] = c.map(|c| &mut c[..n]);
    for i in 0..n {
        c0[i] += f[0] * y[i];
        c1[i] += f[1] * y[i];
        c2[i] += f[2] * y[i];
        c3[i] += f[3] * y[i];
    }
}

/// c_k += f_k y for four columns, then t -= b_0 c_0 + ... + b_3 c_3, in one pass. Needs columns and
/// t at least as long as y.
#[inline]
pub fn update4_then(c: [&mut [f64]; 4], f: [f64; 4], y: &[f64], b: [f64; 4], t: &mut [f64]) {
    let n = y.len();
    let t = &mut t[..n];
    let [c0, c1, c2, c3] = c.map(|c| &mut c[..n]);
    for i in 0..n {
        let x =
            [c0[i] + f[0] * y[i], c1[i] + f[1] * y[i], c2[i] + f[2] * y[i], c3[i] + f[3] * y[i]];
        (c0[i], c1[i], c2[i], c3[i]) = (x[0], x[1], x[2], x[3]);
        t[i] -= (b[0] * x[0] + b[1] * x[1]) + (b[2] * x[2] + b[3] * x[3]);
    }
}

/// Row c has ones in its first c words: which numbers of a block belong to a vector of c.
///
/// A table, because the compiler would take conditions on single numbers apart into branches.
pub static FIRST: [[u64; 16]; 17] = {
    let mut first = [[0; 16]; 17];
    let mut c = 0;
    while c <= 16 {
        let mut k = 0;
        while k < c {
            first[c][k] = u64::MAX;
            k += 1;
        }
        c += 1;
    }
    first
};

/// x followed by zeros. Needs at most P numbers.
#[inline]
pub fn pad<const P: usize>(x: &[f64]) -> [f64; P] {
    let mut out = [0.0; P];
    let (fours, rest) = x.as_chunks::<4>();
    let (whole, last) = out.split_at_mut(4 * fours.len());
    for (to, from) in whole.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
        *to = *from;
    }
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    out
}

/// Largest |x_i|, 0 for none. A NaN is passed over.
#[inline]
pub fn max_abs(x: &[f64]) -> f64 {
    let mut lanes = [0.0f64; LANES];
    let chunks = x.chunks_exact(LANES);
    let rest = chunks.remainder();
    for c in chunks {
        for l in 0..LANES {
            let v = c[l].abs();
            lanes[l] = if v > lanes[l] { v } else { lanes[l] };
        }
    }
    rest.iter().map(|v| v.abs()).chain(lanes).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_agree_with_their_definitions_at_every_length() {
        for n in 0..40 {
            let a: Vec<f64> = (0..n).map(|i| f64::from(i % 7) - 3.0).collect();
            let b: Vec<f64> = (0..n).map(|i| f64::from(i % 5) - 1.5).collect();
            let sum: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&a, &b), sum);
            assert_eq!(max_abs(&a), a.iter().fold(0.0f64, |m, x| m.max(x.abs())));
            let mut once = b.clone();
            axpy4(&mut once, [1.0, 2.0, -0.5, 4.0], [&a, &a, &a, &a]);
            let mut four = b.clone();
            axpy(6.5, &a, &mut four);
            assert_eq!(once, four);
            let mut eight = b.clone();
            let f = [1.0, 2.0, -0.5, 4.0, 0.25, -2.0, 1.5, 0.25];
            axpy8(&mut eight, f, [&a; 8].map(|a| &a[..]));
            assert_eq!(eight, four);
            if n <= 16 {
                let padded = pad::<16>(&a);
                assert_eq!(padded[..a.len()], a[..]);
                assert!(padded[a.len()..].iter().all(|x| x.to_bits() == 0));
                assert_eq!(FIRST[a.len()].iter().filter(|w| **w != 0).count(), a.len());
            }
            assert_eq!(dot4(&a, [&b, &a, &b, &a]), [sum, dot(&a, &a), sum, dot(&a, &a)]);
            let mut c = [a.clone(), b.clone(), a.clone(), b.clone()];
            let (mut t, [c0, c1, c2, c3]) = (a.clone(), c.each_mut());
            update4_then(
                [c0, c1, c2, c3],
                [1.0, 2.0, 0.5, -1.0],
                &b,
                [1.0, 0.0, 2.0, -4.0],
                &mut t,
            );
            for i in 0..n as usize {
                assert_eq!((c[0][i], c[2][i]), (a[i] + b[i], a[i] + 0.5 * b[i]));
                assert_eq!((c[1][i], c[3][i]), (3.0 * b[i], 0.0));
                assert_eq!(t[i], a[i] - (c[0][i] + 2.0 * c[2][i]));
            }
        }
    }
}
