//! Loops over contiguous numbers, written so that the compiler turns them into vector instructions
//! and with a fixed order of summation. Knows no matrix.

/// Lanes of the reductions: enough independent sums to hide the latency of an addition.
const LANES: usize = 8;

/// Sum of a_i b_i over the shorter length.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
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

/// y += f x.
#[inline]
pub fn axpy(y: &mut [f64], f: f64, x: &[f64]) {
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
            axpy(&mut four, 6.5, &a);
            assert_eq!(once, four);
        }
    }
}
