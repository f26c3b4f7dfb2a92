//! Two ways from a contact problem to an LCP: polygonal friction cones and elimination of equations.

use super::Result;
use super::format::Friction;
use super::problem::Problem;
use nalgebra::{DMatrix, DVector};

/// The LCP of a friction problem with `k` directions per contact (always 2 in the plane). Unknowns:
/// normal impulses, then `k` tangential ones per contact, then one sliding speed per contact.
pub fn facet(p: &Friction, k: usize) -> Problem {
    let dirs = directions(p.dim, k);
    let (k, nc) = (dirs.len(), p.mu.len());
    let n = nc * (k + 2);
    let mut m = vec![0.0; n * n];
    let mut q = vec![0.0; n];
    for &(i, j, v) in &p.w.entries {
        // Row i acts on the unknowns of its contact: weight 1 for the normal, d for each direction.
        for (a, da) in unknowns(p.dim, nc, &dirs, i) {
            for (b, db) in unknowns(p.dim, nc, &dirs, j) {
                m[a + b * n] += da * v * db;
            }
        }
    }
    for (i, &v) in p.q.iter().enumerate() {
        for (a, da) in unknowns(p.dim, nc, &dirs, i) {
            q[a] += da * v;
        }
    }
    for (c, &mu) in p.mu.iter().enumerate() {
        let speed = nc * (k + 1) + c;
        m[speed + c * n] = mu;
        for t in nc + c * k..nc + (c + 1) * k {
            m[t + speed * n] = 1.0;
            m[speed + t * n] = -1.0;
        }
    }
    Problem { n_free: 0, m, q }
}

/// Unknowns that push along local coordinate `i`, and how much.
fn unknowns(
    dim: usize,
    nc: usize,
    dirs: &[[f64; 2]],
    i: usize,
) -> impl Iterator<Item = (usize, f64)> {
    let (contact, axis) = (i / dim, i % dim);
    let normal = (axis == 0).then_some((contact, 1.0));
    let count = if axis == 0 { 0 } else { dirs.len() };
    let first = nc + contact * dirs.len();
    let tangent = dirs[..count].iter().enumerate().map(move |(l, d)| (first + l, d[axis - 1]));
    normal.into_iter().chain(tangent)
}

/// Unit directions, counter-clockwise from the first axis, exact on axes and diagonals.
fn directions(dim: usize, k: usize) -> Vec<[f64; 2]> {
    if dim == 2 {
        return vec![[1.0, 0.0], [-1.0, 0.0]];
    }
    let eighth = std::f64::consts::FRAC_1_SQRT_2;
    let exact = [0.0, eighth, 1.0, eighth, 0.0, -eighth, -1.0, -eighth];
    (0..k)
        .map(|l| {
            if 8 % k == 0 {
                let l = l * 8 / k;
                [exact[(l + 2) % 8], exact[l]]
            } else {
                let angle = std::f64::consts::TAU * l as f64 / k as f64;
                [angle.cos(), angle.sin()]
            }
        })
        .collect()
}

/// The LCP left when the equations of a mixed problem are solved for the free unknowns.
pub fn schur(p: &Problem) -> Result<Problem> {
    let (n, f) = (p.n(), p.n_free);
    let full = DMatrix::from_column_slice(n, n, &p.m);
    let q = DVector::from_column_slice(&p.q);
    let mut right = DMatrix::zeros(f, n - f + 1);
    right.view_mut((0, 0), (f, n - f)).copy_from(&full.view((0, f), (f, n - f)));
    right.column_mut(n - f).copy_from(&q.rows(0, f));
    let solved = full.view((0, 0), (f, f)).into_owned().lu().solve(&right);
    let x = solved.ok_or("the equations are singular")?;
    let below = full.view((f, 0), (n - f, f)) * x;
    let m = full.view((f, f), (n - f, n - f)) - below.columns(0, n - f);
    let q = q.rows(f, n - f) - below.column(n - f);
    Ok(Problem { n_free: 0, m: m.as_slice().to_vec(), q: q.as_slice().to_vec() })
}
