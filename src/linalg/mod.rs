//! What nalgebra lacks: factorisations into storage the caller owns, and matrix views that keep the
//! leading dimension of foreign memory. Knows no mechanics and no complementarity.

mod definite;
mod mat;
mod rank;

pub use definite::DefiniteFactor;
pub use mat::MatRef;
pub use rank::RankFactor;

/// Scalar product in a fixed order: four running sums, so that the compiler can use vector
/// registers and the bits do not depend on it.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0f64; 4];
    let (xc, yc) = (x.chunks_exact(4), y.chunks_exact(4));
    let rest: f64 = xc.remainder().iter().zip(yc.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xc.zip(yc) {
        for k in 0..4 {
            lanes[k] += a[k] * b[k];
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

/// y += a x.
#[inline]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += a * xi;
    }
}

/// Largest absolute value, 0 for an empty slice.
#[inline]
pub fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0f64, |s, v| s.max(v.abs()))
}
