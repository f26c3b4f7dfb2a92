//! The friction law of one contact as a projection, (vel.10). Knows one contact only.

/// What a contact does, as far as its impulse is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// No impulse.
    #[default]
    Open,
    /// The impulse is free; also joints.
    Stick,
    /// Friction at the corner `k` of the polygon.
    Corner(u16),
    /// Friction on the side from corner `k` to the next.
    Side(u16),
}

/// An impulse (normal, first tangent, second tangent).
pub(super) type Triple = [f64; 3];

/// (vel.10): the impulse that `x` asks for, and how. `corners` are the friction directions in the
/// plane of the two tangents, in angular order; fewer than two: no friction. Two: along a line.
pub(super) fn project(x: &Triple, mu: f64, corners: &[[f64; 2]]) -> (Triple, Mode) {
    if !(x[0] > 0.0) {
        return ([0.0; 3], Mode::Open);
    }
    if corners.len() < 2 {
        return ([x[0], 0.0, 0.0], Mode::Corner(0));
    }
    let most = mu * x[0];
    let point = [x[1], x[2]];
    if inside(&point, most, corners) {
        return (*x, Mode::Stick);
    }
    let (mut best, mut found) = (f64::INFINITY, ([0.0; 2], Mode::Corner(0)));
    for k in 0..corners.len() {
        let (a, side) = edge(corners, k);
        let along = dot(&[point[0] - most * a[0], point[1] - most * a[1]], &side);
        let part = along / dot(&side, &side);
        // The far end is the corner of the next side.
        let (part, mode) = if part <= 0.0 {
            (0.0, Mode::Corner(k as u16))
        } else if part >= most {
            continue;
        } else {
            (part, Mode::Side(k as u16))
        };
        let at = [most * a[0] + part * side[0], most * a[1] + part * side[1]];
        let away = [point[0] - at[0], point[1] - at[1]];
        let distance = dot(&away, &away);
        if distance < best {
            (best, found) = (distance, (at, mode));
        }
    }
    let ([a, b], mode) = found;
    ([x[0], a, b], mode)
}

/// The impulse whose normal part and parts along the corners are given; the normal one alone where there are no corners.
pub(super) fn joined(parts: &[f64], corners: &[[f64; 2]]) -> Triple {
    let mut r = [parts.first().copied().unwrap_or(0.0), 0.0, 0.0];
    for (part, corner) in parts.iter().skip(1).zip(corners) {
        r[1] += part * corner[0];
        r[2] += part * corner[1];
    }
    r
}

/// Radius of the largest circle around zero in a polygon; zero for a line, and for none.
pub(super) fn inner_radius(corners: &[[f64; 2]]) -> f64 {
    if corners.len() < 3 {
        return 0.0;
    }
    let of_side = |k: usize| {
        let (a, side) = edge(corners, k);
        (a[0] * side[1] - a[1] * side[0]).abs() / dot(&side, &side).sqrt()
    };
    (0..corners.len()).map(of_side).fold(f64::INFINITY, f64::min)
}

/// Corner `k` and the vector from it to the next.
pub(super) fn edge(corners: &[[f64; 2]], k: usize) -> ([f64; 2], [f64; 2]) {
    let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
    (a, [b[0] - a[0], b[1] - a[1]])
}

/// Whether `point` lies in `most` times the polygon.
fn inside(point: &[f64; 2], most: f64, corners: &[[f64; 2]]) -> bool {
    if corners.len() == 2 {
        return point[0].abs() <= most * corners[0][0].abs();
    }
    (0..corners.len()).all(|k| {
        let (a, side) = edge(corners, k);
        // The polygon is around zero: the corner itself tells on which side of an edge inside is.
        let turn = a[0] * side[1] - a[1] * side[0];
        let here = (point[0] - most * a[0]) * side[1] - (point[1] - most * a[1]) * side[0];
        here * turn <= 0.0
    })
}

fn dot(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The derivative of [`project`] in a mode: rows are impulses, columns `x`.
pub(super) fn derivative(mode: Mode, mu: f64, corners: &[[f64; 2]]) -> [[f64; 3]; 3] {
    match mode {
        Mode::Open => [[0.0; 3]; 3],
        Mode::Stick => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        Mode::Corner(k) => {
            let [a, b] = corners.get(usize::from(k)).copied().unwrap_or([0.0; 2]);
            let mu = if corners.len() < 2 { 0.0 } else { mu };
            [[1.0, 0.0, 0.0], [mu * a, 0.0, 0.0], [mu * b, 0.0, 0.0]]
        }
        Mode::Side(k) => {
            let (a, side) = edge(corners, usize::from(k) % corners.len());
            let length = dot(&side, &side);
            let part = dot(&a, &side) / length;
            // The point of the side's line that is nearest to zero moves with the normal impulse.
            let foot = [a[0] - part * side[0], a[1] - part * side[1]];
            let (xx, xy, yy) = (
                side[0] * side[0] / length,
                side[0] * side[1] / length,
                side[1] * side[1] / length,
            );
            [[1.0, 0.0, 0.0], [mu * foot[0], xx, xy], [mu * foot[1], xy, yy]]
        }
    }
}

/// Parts >= 0 of two neighboring directions that make up the friction (a, b), and the number of the
/// first: beta of (vel.4) with as few entries as can be.
pub(super) fn split(friction: [f64; 2], corners: &[[f64; 2]]) -> (usize, [f64; 2]) {
    let n = corners.len();
    if n == 2 {
        let first = corners[0][0];
        // exact: no friction at all
        if first == 0.0 {
            return (0, [0.0; 2]);
        }
        let part = friction[0] / first;
        return (0, [part.max(0.0), (-part).max(0.0)]);
    }
    let (mut best, mut found) = (f64::NEG_INFINITY, (0, [0.0; 2]));
    for k in 0..n {
        let (a, b) = (corners[k], corners[(k + 1) % n]);
        let turn = a[0] * b[1] - a[1] * b[0];
        let x = (friction[0] * b[1] - friction[1] * b[0]) / turn;
        let y = (a[0] * friction[1] - a[1] * friction[0]) / turn;
        // Both are positive in one sector; rounding at its ends makes the best one the judge.
        let least = x.min(y);
        if least > best {
            (best, found) = (least, (k, [x.max(0.0), y.max(0.0)]));
        }
    }
    found
}

/// How far `x` is along `c`.
pub(super) fn along(c: &Triple, x: &Triple) -> f64 {
    c[0] * x[0] + c[1] * x[1] + c[2] * x[2]
}

/// a - b.
pub(super) fn minus(a: &Triple, b: &Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A matrix, by rows, times a vector.
pub(super) fn times(a: &[Triple; 3], x: &Triple) -> Triple {
    a.map(|row| along(&row, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octagon() -> Vec<[f64; 2]> {
        (0..8)
            .map(|k| {
                let (s, c) = (std::f64::consts::TAU * f64::from(k) / 8.0).sin_cos();
                [c, s]
            })
            .collect()
    }

    #[test]
    fn the_projection_is_the_nearest_point_of_the_polygon() {
        let corners = octagon();
        let mu = 0.6;
        for i in 0..400 {
            let angle = f64::from(i) * 0.1;
            let radius = 0.02 * f64::from(i);
            let x = [1.5, radius * angle.cos(), radius * angle.sin()];
            let (r, mode) = project(&x, mu, &corners);
            // Nearest: no corner and no middle of a side is closer.
            let distance = |p: [f64; 2]| (p[0] - x[1]).hypot(p[1] - x[2]);
            let here = distance([r[1], r[2]]);
            for k in 0..8 {
                for part in 0..=20 {
                    let (a, side) = edge(&corners, k);
                    let s = 1.5 * mu;
                    let f = s * f64::from(part) / 20.0;
                    let p = [s * a[0] + f * side[0], s * a[1] + f * side[1]];
                    assert!(here <= distance(p) + 1e-14);
                }
            }
            // The derivative reproduces the projection: it is homogeneous.
            let d = derivative(mode, mu, &corners);
            for row in 0..3 {
                let back: f64 = (0..3).map(|c| d[row][c] * x[c]).sum();
                assert!((back - r[row]).abs() < 1e-14, "{mode:?}");
            }
        }
    }

    #[test]
    fn two_neighbors_make_up_any_friction() {
        let corners = octagon();
        for i in 0..100 {
            let angle = 0.77 * f64::from(i);
            let f = [angle.cos(), angle.sin()];
            let (k, [x, y]) = split(f, &corners);
            let (a, b) = (corners[k], corners[(k + 1) % 8]);
            assert!((x * a[0] + y * b[0] - f[0]).abs() < 1e-14);
            assert!((x * a[1] + y * b[1] - f[1]).abs() < 1e-14);
            // Inside the polygon the parts add up to less than one, on a corner to one.
            assert!(x + y <= 1.0 / (std::f64::consts::PI / 8.0).cos() + 1e-14);
        }
    }
}
