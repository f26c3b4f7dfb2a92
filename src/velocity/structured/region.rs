//! Where the modes of one contact begin and end: walls of the pieces of (vel.10), and what is behind them. Knows one
//! contact only.

use super::polygon::{Mode, Triple, along, derivative, edge, project, times};

/// What is behind a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Another mode.
    Mode(Mode),
    /// The corner that friction points to: a contact that closes slips first.
    Closed,
}

/// Calls `wall` with every wall of a mode: `c` with c'x >= 0 inside, of any length, and what is behind. Walls that meet the
/// others in the tip of the cone only are left out.
pub(super) fn walls(
    mode: Mode,
    mu: f64,
    corners: &[[f64; 2]],
    mut wall: impl FnMut(Triple, Behind),
) {
    let n = corners.len();
    match mode {
        Mode::Open => wall([-1.0, 0.0, 0.0], Behind::Closed),
        Mode::Corner(_) if n < 2 => wall([1.0, 0.0, 0.0], Behind::Mode(Mode::Open)),
        // A joint, which has no other mode.
        Mode::Stick if n < 2 => {}
        Mode::Stick if n == 2 => {
            for k in 0..2u16 {
                wall(along_line(mu, corners, k, 1.0), Behind::Mode(Mode::Corner(k)));
            }
        }
        Mode::Stick => {
            for k in 0..n as u16 {
                wall(within(mu, corners, k), Behind::Mode(Mode::Side(k)));
            }
        }
        Mode::Corner(k) => {
            wall([1.0, 0.0, 0.0], Behind::Mode(Mode::Open));
            if n == 2 {
                wall(along_line(mu, corners, k, -1.0), Behind::Mode(Mode::Stick));
                return;
            }
            let before = (usize::from(k) + n - 1) % n;
            wall(start(mu, corners, k).map(|x| -x), Behind::Mode(Mode::Side(k)));
            let end = end(mu, corners, before as u16);
            wall(end.map(|x| -x), Behind::Mode(Mode::Side(before as u16)));
        }
        Mode::Side(k) => {
            let next = (usize::from(k) + 1) % n.max(1);
            wall(within(mu, corners, k).map(|x| -x), Behind::Mode(Mode::Stick));
            wall(start(mu, corners, k), Behind::Mode(Mode::Corner(k)));
            wall(end(mu, corners, k), Behind::Mode(Mode::Corner(next as u16)));
        }
    }
}

/// [`project`], which need not look for the mode where it is `known`. `corners`: those of the polygon, and the radius of its
/// largest circle.
pub(super) fn project_near(
    x: &Triple,
    mu: f64,
    (corners, inner): (&[[f64; 2]], f64),
    known: Mode,
) -> (Triple, Mode) {
    let most = mu * x[0] * inner;
    let stays = match known {
        _ if !(x[0] > 0.0) => return ([0.0; 3], Mode::Open),
        Mode::Open => false,
        Mode::Stick => x[1] * x[1] + x[2] * x[2] < most * most,
        Mode::Corner(_) | Mode::Side(_) => {
            let mut inside = true;
            walls(known, mu, corners, |c, _| inside &= along(&c, x) > 0.0);
            inside
        }
    };
    if stays { (times(&derivative(known, mu, corners), x), known) } else { project(x, mu, corners) }
}

/// A wall as a vector of length one.
pub(super) fn unit(c: &Triple) -> Triple {
    let size = (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]).sqrt();
    c.map(|x| x / size)
}

/// The mode behind a wall that is met at `x`.
pub(super) fn enter(behind: Behind, x: &Triple, corners: &[[f64; 2]]) -> Mode {
    match behind {
        Behind::Mode(mode) => mode,
        Behind::Closed => {
            let along = |k: usize| corners[k][0] * x[1] + corners[k][1] * x[2];
            let best = (0..corners.len()).fold(0, |b, k| if along(k) > along(b) { k } else { b });
            Mode::Corner(best as u16)
        }
    }
}

/// Inside of the line of side `k`: positive.
fn within(mu: f64, corners: &[[f64; 2]], k: u16) -> Triple {
    let (a, side) = edge(corners, usize::from(k));
    let turn = a[0] * side[1] - a[1] * side[0];
    let sign = turn.signum();
    [mu * turn.abs(), -sign * side[1], sign * side[0]]
}

/// Beyond the first end of side `k`, along it: positive.
fn start(mu: f64, corners: &[[f64; 2]], k: u16) -> Triple {
    let (a, side) = edge(corners, usize::from(k));
    [-mu * (a[0] * side[0] + a[1] * side[1]), side[0], side[1]]
}

/// Before the second end of side `k`: positive.
fn end(mu: f64, corners: &[[f64; 2]], k: u16) -> Triple {
    let (a, side) = edge(corners, usize::from(k));
    let b = [a[0] + side[0], a[1] + side[1]];
    [mu * (b[0] * side[0] + b[1] * side[1]), -side[0], -side[1]]
}

/// Of two directions along a line: short of corner `k`, positive for `sign` 1.
fn along_line(mu: f64, corners: &[[f64; 2]], k: u16, sign: f64) -> Triple {
    let a = corners[usize::from(k)][0];
    [sign * mu * a.abs(), -sign * a.signum(), 0.0]
}

#[cfg(test)]
mod tests {
    use super::super::polygon::inner_radius;
    use super::*;

    /// A regular polygon of `n` corners.
    fn polygon(n: usize) -> Vec<[f64; 2]> {
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        (0..n).map(|k| [angle(k).cos(), angle(k).sin()]).collect()
    }

    /// Points all around, none of them on a wall.
    fn points() -> impl Iterator<Item = Triple> {
        (1..4000u32).map(|k| {
            let (a, b) = (f64::from(k) * 0.7548776662, f64::from(k) * 0.5698402910);
            [f64::from(k % 7) / 3.0 - 0.9, 2.0 * (a.fract() - 0.5), 2.0 * (b.fract() - 0.5)]
        })
    }

    #[test]
    fn a_point_is_inside_the_walls_of_its_own_mode_and_of_no_other() {
        for n in [0, 4, 5, 8] {
            let corners = polygon(n);
            let mut modes = vec![Mode::Open, Mode::Corner(0)];
            if n > 0 {
                modes.push(Mode::Stick);
                modes.extend((1..n as u16).map(Mode::Corner));
                modes.extend((0..n as u16).map(Mode::Side));
            }
            for x in points() {
                let own = project(&x, 0.6, &corners).1;
                for &mode in &modes {
                    let mut least = f64::INFINITY;
                    walls(mode, 0.6, &corners, |c, _| {
                        least = least.min(c[0] * x[0] + c[1] * x[1] + c[2] * x[2]);
                    });
                    assert_eq!(least > 0.0, mode == own, "{n} corners, {x:?}: {mode:?} {own:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_asked_for_does_not_hang_on_the_mode_that_is_known() {
        for corners in [polygon(0), vec![[1.0, 0.0], [-1.0, 0.0]], polygon(4), polygon(8)] {
            let n = corners.len();
            let mut modes = vec![Mode::Open, Mode::Corner(0)];
            if n > 0 {
                modes.push(Mode::Stick);
                modes.extend((0..n as u16).map(Mode::Corner));
            }
            if n > 2 {
                modes.extend((0..n as u16).map(Mode::Side));
            }
            let inner = inner_radius(&corners);
            // apothem of a regular polygon of radius one
            let apothem = if n > 2 { (std::f64::consts::PI / n as f64).cos() } else { 0.0 };
            assert!((inner - apothem).abs() < 1e-15);
            for mut x in points() {
                if n < 4 {
                    x[2] = 0.0;
                }
                let (r, mode) = project(&x, 0.6, &corners);
                for &known in &modes {
                    let (near, other) = project_near(&x, 0.6, (&corners, inner), known);
                    assert_eq!(other, mode, "{n} corners, {x:?}, {known:?}");
                    assert!((0..3).all(|k| (near[k] - r[k]).abs() < 1e-15));
                }
            }
        }
    }

    #[test]
    fn behind_a_wall_is_the_mode_that_a_point_beyond_it_has() {
        for corners in [polygon(0), vec![[1.0, 0.0], [-1.0, 0.0]], polygon(4), polygon(8)] {
            let n = corners.len();
            let mut seen = 0;
            for mut x in points() {
                if n == 2 {
                    x[2] = 0.0;
                }
                let own = project(&x, 0.6, &corners).1;
                walls(own, 0.6, &corners, |c, behind| {
                    let c = unit(&c);
                    let f = c[0] * x[0] + c[1] * x[1] + c[2] * x[2];
                    let beyond = [0, 1, 2].map(|k| x[k] - (f + 1e-6) * c[k]);
                    let crossed = project(&beyond, 0.6, &corners).1;
                    // Beyond the plane of a wall may also be beside the wall.
                    let mut beside = false;
                    walls(own, 0.6, &corners, |d, _| {
                        let d = unit(&d);
                        beside |=
                            d != c && d[0] * beyond[0] + d[1] * beyond[1] + d[2] * beyond[2] < 1e-5;
                    });
                    if !beside && (own != Mode::Open || n == 0 || f > 1e-3) {
                        assert_eq!(crossed, enter(behind, &beyond, &corners), "{own:?} {x:?}");
                        seen += 1;
                    }
                });
            }
            assert!(seen > 1000, "{n} corners: {seen}");
        }
    }
}
