//! Lemke's method on a dense tableau. Knows no mechanics.

use crate::error::{Error, Result, reserve};
use crate::linalg::MatRef;
use crate::tol;

/// Storage of one tableau: column-major n by (n + 2), columns of the nonbasic variables, of the
/// artificial one, and the right-hand side.
#[derive(Debug)]
pub(super) struct Tableau {
    a: Vec<f64>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl Tableau {
    pub(super) fn new(n_max: usize) -> Result<Self> {
        let entries = n_max.saturating_mul(n_max.saturating_add(2));
        Ok(Self { a: reserve(entries)?, basic: reserve(n_max)?, nonbasic: reserve(n_max + 1)? })
    }
}

/// Variables are numbered w_0..w_{n-1}, z_0..z_{n-1}, artificial 2n.
pub(super) fn solve(t: &mut Tableau, m: MatRef<'_>, q: &[f64], z: &mut [f64]) -> Result<usize> {
    let n = q.len();
    let size = q.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    if q.iter().all(|&x| x >= 0.0) {
        return Ok(0);
    }
    t.a.clear();
    for j in 0..n {
        t.a.extend_from_slice(m.col(j));
    }
    t.a.extend(std::iter::repeat_n(1.0, n));
    t.a.extend(q.iter().map(|x| x / size));
    t.basic.clear();
    t.basic.extend(0..n);
    t.nonbasic.clear();
    t.nonbasic.extend(n..=2 * n);
    let rhs = (n + 1) * n;
    let mut row = (0..n).fold(0, |b, i| if t.a[rhs + i] < t.a[rhs + b] { i } else { b });
    let mut col = n;
    let limit = 50 * n + 1000;
    for pivots in 1..=limit {
        let leaving = t.basic[row];
        pivot(t, n, row, col);
        if leaving == 2 * n {
            for i in 0..n {
                if t.basic[i] >= n {
                    z[t.basic[i] - n] = t.a[rhs + i].max(0.0) * size;
                }
            }
            return Ok(pivots);
        }
        let entering = if leaving < n { leaving + n } else { leaving - n };
        col = t.nonbasic.iter().position(|&x| x == entering).unwrap_or(n);
        row = match ratio_test(t, n, col) {
            Some(row) => row,
            None => return Err(Error::LcpRay { n, pivots, residual: f64::INFINITY }),
        };
    }
    Err(Error::LcpPivots { n, limit, residual: f64::INFINITY })
}

/// Two passes: the smallest ratio with slack, then the largest pivot among the rows within it.
fn ratio_test(t: &Tableau, n: usize, col: usize) -> Option<usize> {
    let d = &t.a[col * n..(col + 1) * n];
    let x = &t.a[(n + 1) * n..(n + 2) * n];
    let floor = tol::LCP_PIVOT * d.iter().fold(1.0f64, |s, v| s.max(v.abs()));
    let mut theta = f64::INFINITY;
    for i in 0..n {
        if -d[i] > floor {
            theta = theta.min((x[i].max(0.0) + tol::LCP_RATIO) / -d[i]);
        }
    }
    let mut best = None;
    let mut largest = 0.0;
    for i in 0..n {
        if -d[i] > floor && x[i] <= theta * -d[i] {
            if t.basic[i] == 2 * n {
                return Some(i);
            }
            if -d[i] > largest {
                (best, largest) = (Some(i), -d[i]);
            }
        }
    }
    best
}

/// Exchanges basic variable `row` with nonbasic variable `col`.
fn pivot(t: &mut Tableau, n: usize, row: usize, col: usize) {
    let p = t.a[col * n + row];
    for j in 0..n + 2 {
        if j == col {
            continue;
        }
        let f = t.a[j * n + row] / p;
        for i in 0..n {
            if i != row {
                t.a[j * n + i] -= t.a[col * n + i] * f;
            }
        }
        t.a[j * n + row] = -f;
    }
    for i in 0..n {
        t.a[col * n + i] = if i == row { 1.0 / p } else { t.a[col * n + i] / p };
    }
    std::mem::swap(&mut t.basic[row], &mut t.nonbasic[col]);
}
