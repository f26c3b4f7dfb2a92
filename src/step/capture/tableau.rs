//! Coefficients of the Runge-Kutta methods. Knows numbers only.

use crate::step::options::MethodKind;

/// Most stages of any method.
pub(super) const MOST: usize = 5;

/// How the stages depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// All together: collocation, with the multipliers of each stage from accelerations.
    Collocation,
    /// One after the other, with the multipliers of each from the velocity of the next.
    HalfExplicit,
}

/// A method of `stages` stages; rows of `a` and entries of `b`, `c` beyond are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tableau {
    pub kind: Kind,
    pub order: i32,
    pub stages: usize,
    pub a: [[f64; MOST]; MOST],
    pub b: [f64; MOST],
    pub c: [f64; MOST],
}

impl Tableau {
    fn new<const S: usize>(kind: Kind, order: i32, rows: [[f64; S]; S], weights: [f64; S]) -> Self {
        let (mut a, mut b, mut c) = ([[0.0; MOST]; MOST], [0.0; MOST], [0.0; MOST]);
        for i in 0..S {
            a[i][..S].copy_from_slice(&rows[i]);
            c[i] = rows[i].iter().sum();
        }
        b[..S].copy_from_slice(&weights);
        Self { kind, order, stages: S, a, b, c }
    }

    /// The coefficients of `method`; `None` for one that is no Runge-Kutta method.
    pub(super) fn of(method: MethodKind) -> Option<Self> {
        use Kind::{Collocation, HalfExplicit};
        Some(match method {
            MethodKind::LobattoIIIA2 => {
                Self::new(Collocation, 2, [[0.0, 0.0], [0.5, 0.5]], [0.5, 0.5])
            }
            MethodKind::LobattoIIIA4 => {
                let last = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
                let middle = [5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0];
                Self::new(Collocation, 4, [[0.0; 3], middle, last], last)
            }
            MethodKind::LobattoIIIA6 => lobatto_6(),
            MethodKind::RadauIIA3 => {
                let last = [0.75, 0.25];
                Self::new(Collocation, 3, [[5.0 / 12.0, -1.0 / 12.0], last], last)
            }
            MethodKind::RadauIIA5 => radau_5(),
            // The midpoint rule.
            MethodKind::HalfExplicit2 => {
                Self::new(HalfExplicit, 2, [[0.0, 0.0], [0.5, 0.0]], [0.0, 1.0])
            }
            MethodKind::HalfExplicit4 => brasey_hairer_4(),
            _ => return None,
        })
    }
}

fn lobatto_6() -> Tableau {
    let r = 5f64.sqrt();
    let last = [1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0];
    let over = |row: [f64; 4]| row.map(|x| x / 120.0);
    let second = over([11.0 + r, 25.0 - r, 25.0 - 13.0 * r, r - 1.0]);
    let third = over([11.0 - r, 25.0 + 13.0 * r, 25.0 + r, -1.0 - r]);
    Tableau::new(Kind::Collocation, 6, [[0.0; 4], second, third, last], last)
}

fn radau_5() -> Tableau {
    let r = 6f64.sqrt();
    let first = [(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (3.0 * r - 2.0) / 225.0];
    let second = [(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0];
    let last = [(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0];
    Tableau::new(Kind::Collocation, 5, [first, second, last], last)
}

/// The half-explicit method of order four of Brasey and Hairer (1993): the weights are those of
/// Radau, so that the order holds for velocities under constraints too.
fn brasey_hairer_4() -> Tableau {
    let r = 6f64.sqrt();
    let rows = [
        [0.0; 5],
        [0.3, 0.0, 0.0, 0.0, 0.0],
        [(1.0 + r) / 30.0, (11.0 - 4.0 * r) / 30.0, 0.0, 0.0, 0.0],
        [(-79.0 - 31.0 * r) / 150.0, (-1.0 - 4.0 * r) / 30.0, (24.0 + 11.0 * r) / 25.0, 0.0, 0.0],
        [
            (14.0 + 5.0 * r) / 6.0,
            (7.0 * r - 8.0) / 6.0,
            (-9.0 - 7.0 * r) / 4.0,
            (9.0 - r) / 4.0,
            0.0,
        ],
    ];
    let b = [0.0, 0.0, (16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0];
    Tableau::new(Kind::HalfExplicit, 4, rows, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use MethodKind::*;

    #[test]
    fn the_coefficients_satisfy_the_quadrature_and_collocation_conditions() {
        for method in [
            LobattoIIIA2,
            LobattoIIIA4,
            LobattoIIIA6,
            RadauIIA3,
            RadauIIA5,
            HalfExplicit2,
            HalfExplicit4,
        ] {
            let t = Tableau::of(method).unwrap();
            for k in 1..=t.order {
                let sum: f64 = (0..t.stages).map(|i| t.b[i] * t.c[i].powi(k - 1)).sum();
                assert!((sum - 1.0 / f64::from(k)).abs() < 1e-14, "{method:?} b c^{k}");
            }
            if t.kind == Kind::Collocation {
                for k in 1..=t.stages as i32 {
                    for i in 0..t.stages {
                        let sum: f64 = (0..t.stages).map(|j| t.a[i][j] * t.c[j].powi(k - 1)).sum();
                        let exact = t.c[i].powi(k) / f64::from(k);
                        assert!((sum - exact).abs() < 1e-14, "{method:?} stage {i}, c^{k}");
                    }
                }
            }
        }
        assert!(Tableau::of(Trapezoid).is_none());
    }
}
