//! Polyhedral friction directions: per contact an even number of columns in angular order, the
//! second half opposite to the first. Knows no mass and no impulse.

use crate::error::{Error, Result, told};
use crate::linalg::Columns;
use crate::tol;

/// Refuses directions that do not come in opposite pairs: of the `n_dir` columns of each contact,
/// column k + n_dir/2 must be minus column k. The friction law needs a balanced set, else a slip
/// direction without friction would exist.
///
/// # Errors
/// `Value` when `n_dir` is odd; `Range` with the entry that differs.
pub fn check_directions<'a>(tangent: impl Into<Columns<'a>>, n_dir: usize) -> Result<()> {
    let tangent = tangent.into();
    if n_dir % 2 == 1 {
        return Err(Error::Value { what: "n_dir", got: told(n_dir), must: "even" });
    }
    let half = n_dir / 2;
    if half == 0 {
        return Ok(());
    }
    for first in (0..tangent.cols()).step_by(n_dir) {
        for k in first..first + half {
            let (d, opposite) = (tangent.col(k), tangent.col(k + half));
            if d.is_minus(&opposite) {
                continue;
            }
            let slack = tol::OPPOSITE * d.max_abs().max(opposite.max_abs());
            let near = |((_, a), (_, b)): ((usize, f64), (usize, f64))| (a + b).abs() <= slack;
            let alike = d.runs() == opposite.runs();
            if alike && d.entries().zip(opposite.entries()).all(near) {
                continue;
            }
            let mut rows = d.runs().and(&opposite.runs()).rows();
            if let Some(i) = rows.find(|&i| (d.at(i) + opposite.at(i)).abs() > slack) {
                return Err(Error::Range {
                    what: "tangent",
                    index: (k + half) * tangent.rows() + i,
                    value: opposite.at(i),
                    must: "minus the entry of the direction n_dir/2 before it",
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::MatRef;

    #[test]
    fn directions_come_in_opposite_pairs() {
        let good = [1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0];
        check_directions(MatRef::new("tangent", &good, 2, 4, 2).unwrap(), 4).unwrap();
        let mut bad = good;
        bad[7] = -0.9;
        let e = check_directions(MatRef::new("tangent", &bad, 2, 4, 2).unwrap(), 4).unwrap_err();
        assert!(e.to_string().starts_with("tangent[7] is -0.9"), "{e}");
        let e = check_directions(MatRef::new("tangent", &good, 2, 3, 2).unwrap(), 3).unwrap_err();
        assert_eq!(e.to_string(), "n_dir is 3, must be even");
    }
}
