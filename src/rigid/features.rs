//! Gaps between the corners, edges and faces of two convex solids: every pair of features that is
//! near and faces each other, each with a smooth gap of its own, (rigid.22) to (rigid.24). Knows
//! neither friction nor which solids are near.

use super::contact::tangent_of_faces;
use super::shape::Touch;
use super::solid::Edge;
use super::stand::{Bounds, Stand};
use crate::tol;
use nalgebra::Vector3;

/// Gives every gap up to `margin` between `a` and `b` to `found`, with the number of its pair of
/// features. Numbers are those of the features, so that a gap keeps its number while it lasts. In
/// the plane, `flat`, edges do not cross.
pub(super) fn gaps(
    a: Stand<'_>,
    b: Stand<'_>,
    flat: bool,
    margin: f64,
    found: &mut dyn FnMut(usize, Touch),
) {
    let mut near = |number: usize, touch: Option<Touch>| {
        if let Some(t) = touch.filter(|t| t.gap <= margin) {
            found(number, t);
        }
    };
    let (on_a, on_b) = (a.solid.corners.len(), b.solid.corners.len());
    let turned = |k: usize| nearest(b.corner(k), b.solid.radius, a).map(Touch::turned);
    // A ball has one gap to anything convex.
    if a.round() && on_a == 1 {
        return near(0, nearest(a.corner(0), a.solid.radius, b));
    }
    if b.round() && on_b == 1 {
        return near(0, turned(0));
    }
    // Corners of the one against the surface of the other.
    let mut number = 0;
    if a.round() {
        (0..on_a).for_each(|k| near(k, nearest(a.corner(k), a.solid.radius, b)));
        number += on_a;
    }
    if b.round() {
        (0..on_b).for_each(|k| near(number + k, turned(k)));
        number += on_b;
    }
    if !a.round() && !b.round() {
        // Solids that overlap are parted the shortest way.
        let apart = apart(a, b).max(apart(b, a));
        corners_on_faces(a, b, apart, margin, &mut |k, t| near(k, Some(t)));
        number += on_a * b.solid.faces.len();
        corners_on_faces(b, a, apart, margin, &mut |k, t| near(number + k, Some(t.turned())));
        number += on_b * a.solid.faces.len();
    }
    if flat {
        return;
    }
    let others = b.solid.edges.len();
    let far = far(a, b, margin);
    let around_b = Bounds::around(b.corners, far);
    for (i, e) in a.solid.edges.iter().enumerate() {
        let ends = a.ends(e);
        if around_b.misses(&ends) {
            continue;
        }
        let around_e = Bounds::around(&ends, far);
        for (j, f) in b.solid.edges.iter().enumerate() {
            let opposite = b.ends(f);
            if !around_e.misses(&opposite) {
                near(number + i * others + j, edges([(a, e, ends), (b, f, opposite)], far));
            }
        }
    }
}

/// A distance of two edges beyond which their gap is larger than `margin` or as deep as on the far sides: most are
/// farther apart than that.
fn far(a: Stand<'_>, b: Stand<'_>, margin: f64) -> f64 {
    let radii = a.solid.radius + b.solid.radius;
    let deep = tol::FEATURE_DEPTH * a.solid.reach.min(b.solid.reach);
    // Crossings count a little beyond the ends of edges.
    let beyond = 4.0 * tol::FEATURE_SLACK * (a.solid.reach + b.solid.reach);
    tol::FEATURE_FAR * (margin + radii).max(deep) + beyond
}

/// Gaps up to `margin` between `a` and the plane through `origin`: its corners, rounded.
pub(super) fn gaps_to_plane(
    a: Stand<'_>,
    origin: &Vector3<f64>,
    normal: &Vector3<f64>,
    margin: f64,
    found: &mut dyn FnMut(usize, Touch),
) {
    for k in 0..a.solid.corners.len() {
        let c = a.corner(k);
        let gap = normal.dot(&(c - origin)) - a.solid.radius;
        if gap <= margin {
            let point = c - normal * (a.solid.radius + 0.5 * gap);
            found(k, Touch { gap, normal: *normal, point, along: None });
        }
    }
}

/// A ball around `center` and the nearest point of `b`.
fn nearest(center: Vector3<f64>, radius: f64, b: Stand<'_>) -> Option<Touch> {
    let (distance, normal) = from_solid(&center, b)?;
    let gap = distance - radius - b.solid.radius;
    Some(Touch { gap, normal, point: center - normal * (radius + 0.5 * gap), along: None })
}

/// Distance of `p` from the corners, edges and faces of `b`, negative inside, and the direction
/// away from them; `None` where there is no such direction.
fn from_solid(p: &Vector3<f64>, b: Stand<'_>) -> Option<(f64, Vector3<f64>)> {
    let mut inside: Option<(f64, Vector3<f64>)> = None;
    let mut outside = false;
    let mut best = f64::INFINITY;
    let mut at = *p;
    let mut try_point = |x: Vector3<f64>| {
        let d = (p - x).norm_squared();
        if d < best {
            (best, at) = (d, x);
        }
    };
    let solid = b.solid;
    for (f, face) in solid.faces.iter().enumerate() {
        let normal = b.normals[f];
        let height = b.height(f, p);
        if height > 0.0 {
            outside = true;
            if over(p, &normal, &face.corners, b, 0.0) {
                try_point(p - normal * height);
            }
            let n = face.corners.len();
            for k in 0..n {
                let ends = [face.corners[k], face.corners[(k + 1) % n]].map(|k| b.corner(k));
                try_point(on_segment(p, &ends));
            }
        } else if inside.is_none_or(|(most, _)| height > most) {
            inside = Some((height, normal));
        }
    }
    if solid.faces.is_empty() {
        outside = true;
        match solid.edges.first() {
            Some(e) => try_point(on_segment(p, &b.ends(e))),
            None => try_point(b.corner(0)),
        }
    } else if solid.faces.len() == 1 {
        // A sheet has no inside: below it there is nothing to push against.
        inside = inside.filter(|_| over_face(p, b));
    }
    if !outside {
        return inside;
    }
    let away = p - at;
    let distance = away.norm();
    (distance > 0.0).then(|| (distance, away / distance))
}

fn over_face(p: &Vector3<f64>, b: Stand<'_>) -> bool {
    b.solid.faces.iter().zip(b.normals).all(|(f, normal)| over(p, normal, &f.corners, b, 0.0))
}

/// The point of a segment that is nearest to `p`.
fn on_segment(p: &Vector3<f64>, [a, b]: &[Vector3<f64>; 2]) -> Vector3<f64> {
    let along = b - a;
    let part = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    a + along * part
}

/// Whether `p` lies over the polygon of `corners`, within `slack`.
fn over(
    p: &Vector3<f64>,
    normal: &Vector3<f64>,
    corners: &[usize],
    b: Stand<'_>,
    slack: f64,
) -> bool {
    let n = corners.len();
    if n == 2 {
        // The side of a polygon: only along it.
        let [x, y] = [b.corner(corners[0]), b.corner(corners[1])];
        let along = y - x;
        let (at, length) = ((p - x).dot(&along), along.norm_squared());
        let slack = slack * length.sqrt();
        return at >= -slack && at <= length + slack;
    }
    (0..n).all(|k| {
        let (x, y) = (b.corner(corners[k]), b.corner(corners[(k + 1) % n]));
        let inward = normal.cross(&(y - x));
        let inside = (p - x).dot(&inward);
        // Most are far from the side, which needs no root.
        inside >= 0.0 || inside >= -slack * inward.norm()
    })
}

/// How far the face of `b` that parts them best keeps `a` away, negative when none does.
fn apart(a: Stand<'_>, b: Stand<'_>) -> f64 {
    (0..b.solid.faces.len()).map(|f| clearance(a, b, f)).fold(f64::NEG_INFINITY, f64::max)
}

/// Height of the lowest corner of `a` over face `f` of `b`.
fn clearance(a: Stand<'_>, b: Stand<'_>, f: usize) -> f64 {
    let heights = a.corners.iter().map(|p| b.height(f, p));
    heights.fold(f64::INFINITY, f64::min)
}

/// Corners of `a` over faces of `b`, (rigid.22). A corner inside `b` counts for the nearest face;
/// where the solids overlap, for a face that parts them the shortest way, by `apart`.
fn corners_on_faces(
    a: Stand<'_>,
    b: Stand<'_>,
    apart: f64,
    margin: f64,
    found: &mut dyn FnMut(usize, Touch),
) {
    let faces = &b.solid.faces;
    let slack = tol::FEATURE_SLACK * b.solid.reach;
    let overlap = apart < -slack;
    let middle = b.middle();
    for (k, &p) in a.corners.iter().enumerate() {
        // Far corners are most of them.
        if (p - middle).norm() > b.solid.reach + margin {
            continue;
        }
        let depth = (0..faces.len()).map(|f| b.height(f, &p)).fold(f64::NEG_INFINITY, f64::max);
        for (f, face) in faces.iter().enumerate() {
            let (gap, normal) = (b.height(f, &p), b.normals[f]);
            let facing = if overlap {
                gap >= apart - slack && clearance(a, b, f) >= apart - slack
            } else if depth < -slack {
                gap >= depth
            } else {
                gap >= -slack
            };
            // Corners of boxes that stand on each other edge to edge are over three faces and stand on one.
            let near = facing && gap <= margin && stands_on(a, k, &p, &normal);
            if near && over(&p, &normal, &face.corners, b, slack) {
                let point = p - normal * (0.5 * gap);
                let along = Some(tangent_of_faces(&normal));
                found(k * faces.len() + f, Touch { gap, normal, point, along });
            }
        }
    }
}

/// Whether `a` rises along `normal` from its corner `k` at `p`, up to a tilt. Where it does not, the
/// face of that normal lies beside `a`, not below it: the sides of two boxes that stand on each
/// other edge to edge do not stop one from sliding off the other.
fn stands_on(a: Stand<'_>, k: usize, p: &Vector3<f64>, normal: &Vector3<f64>) -> bool {
    let rises = |j: usize| {
        let away = a.corner(j) - p;
        let along = away.dot(normal);
        along >= 0.0 || along >= -tol::FEATURE_TILT * away.norm()
    };
    let at_corner = a.solid.faces.iter().filter_map(|f| {
        let (n, at) = (f.corners.len(), f.corners.iter().position(|&c| c == k)?);
        Some([f.corners[(at + 1) % n], f.corners[(at + n - 1) % n]])
    });
    at_corner.flatten().all(rises)
}

/// Two edges that cross, (rigid.23) for sharp ones and (rigid.24) for round ones: `None` unless
/// their nearest points lie within both, or where their lines are `far` apart.
fn edges(
    [(a, e, [p, p1]), (b, f, [q, q1])]: [(Stand<'_>, &Edge, [Vector3<f64>; 2]); 2],
    far: f64,
) -> Option<Touch> {
    let (d, c, r) = (p1 - p, q1 - q, p - q);
    let cross = d.cross(&c);
    // Most are told by squares, before a root is needed.
    let (square, apart) = (cross.norm_squared(), cross.dot(&r));
    if apart * apart > far * far * square {
        return None;
    }
    let sine = square.sqrt();
    let (dd, cc, dc) = (d.norm_squared(), c.norm_squared(), d.dot(&c));
    if sine <= tol::FEATURE_PARALLEL * (dd * cc).sqrt() {
        return None;
    }
    let (rd, rc) = (r.dot(&d), r.dot(&c));
    let (s, t) = ((dc * rc - cc * rd) / (sine * sine), (dd * rc - dc * rd) / (sine * sine));
    let slack = tol::FEATURE_SLACK;
    let within = |x: f64| x >= -slack && x <= 1.0 + slack;
    if !within(s) || !within(t) {
        return None;
    }
    let (x, y) = (p + d * s, q + c * t);
    let radii = a.solid.radius + b.solid.radius;
    let normal = if a.round() || b.round() {
        // Between round ones the direction is that of the way from one to the other; edges that
        // meet have none.
        let away = x - y;
        let distance = away.norm();
        if !(distance > 0.0) {
            return None;
        }
        away / distance
    } else {
        facing(&(cross / sine), [(a, e), (b, f)])?
    };
    let gap = normal.dot(&(x - y)) - radii;
    // Edges on the far sides of two solids face each other too, the wrong way round.
    if gap < -tol::FEATURE_DEPTH * a.solid.reach.min(b.solid.reach) {
        return None;
    }
    if a.round() != b.round() && !leans(&normal, a, e, b, f) {
        return None;
    }
    let point = x - normal * (a.solid.radius + 0.5 * gap);
    Some(Touch { gap, normal, point, along: Some(tangent_of_faces(&normal)) })
}

/// The normal, of two opposite ones, to which the solids on both sides of the edges turn their backs.
fn facing(
    normal: &Vector3<f64>,
    [(a, e), (b, f)]: [(Stand<'_>, &Edge); 2],
) -> Option<Vector3<f64>> {
    let slack = tol::FEATURE_TILT;
    let up = |n: &Vector3<f64>| {
        e.into.iter().all(|d| (a.placed.rot * d).dot(n) >= -slack)
            && f.into.iter().all(|d| (b.placed.rot * d).dot(n) <= slack)
    };
    [*normal, -normal].into_iter().find(up)
}

/// Whether the solid with faces, of a round one and it, turns its back to the normal at its edge.
fn leans(normal: &Vector3<f64>, a: Stand<'_>, e: &Edge, b: Stand<'_>, f: &Edge) -> bool {
    let slack = tol::FEATURE_SLACK;
    if b.round() {
        e.into.iter().all(|d| (a.placed.rot * d).dot(normal) >= -slack)
    } else {
        f.into.iter().all(|d| (b.placed.rot * d).dot(normal) <= slack)
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::{Kind, Placed};
    use super::super::shape::Shape;
    use super::super::solid::Solid;
    use super::super::stand::Stands;
    use super::*;
    use nalgebra::{Matrix3, Rotation3};

    /// Numbers without pattern between -1 and 1, from a linear congruence.
    fn number(s: &mut u64) -> f64 {
        *s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn edges_that_are_not_looked_at_have_no_gap() {
        let solid =
            |shape| Solid::of(&shape, &Vector3::zeros(), &Matrix3::identity()).unwrap().unwrap();
        let [big, small] =
            [[0.5, 0.4, 0.6], [0.1, 0.5, 0.2]].map(|half| solid(Shape::Box { half }));
        let round = solid(Shape::Capsule { half_length: 0.4, radius: 0.1 });
        let (mut seed, mut found, mut looked) = (7, 0, 0);
        for k in 0..3000 {
            let (a, b) = ([&big, &round][k % 2], [&small, &big, &round][k % 3]);
            let mut place = |reach: f64| {
                let [x, y, z] = [0; 3].map(|_| number(&mut seed));
                // Half of them along the axes, as in a stack.
                let turn = if k % 4 < 2 { 0.0 } else { 3.0 };
                let rot = Rotation3::from_euler_angles(turn * y, turn * z, turn * x).into_inner();
                Placed { kind: Kind::Free, x: Vector3::new(x, y, z) * reach, rot, turn: 0.0 }
            };
            let places = [place(0.0), place(1.2)];
            let mut stands = Stands::default();
            for (solid, place) in [a, b].iter().zip(&places) {
                stands.push(Some(solid), place).unwrap();
            }
            let (a, b) = (stands.get(0, a, &places[0]), stands.get(1, b, &places[1]));
            let margin = [0.0, 0.02, 0.3][k % 3];
            let mut told = Vec::new();
            gaps(a, b, false, margin, &mut |number, touch| told.push((number, touch.gap)));
            // All edges, however far.
            let [on_a, on_b] = [a, b].map(|s| (s.solid.corners.len(), s.solid.faces.len()));
            let corners = match (a.round(), b.round()) {
                (false, false) => on_a.0 * on_b.1 + on_b.0 * on_a.1,
                (x, y) => usize::from(x) * on_a.0 + usize::from(y) * on_b.0,
            };
            told.retain(|&(number, _)| number >= corners);
            let mut all = Vec::new();
            for (i, e) in a.solid.edges.iter().enumerate() {
                for (j, f) in b.solid.edges.iter().enumerate() {
                    let both = [(a, e, a.ends(e)), (b, f, b.ends(f))];
                    let touch = edges(both, f64::INFINITY).filter(|t| t.gap <= margin);
                    let number = corners + i * b.solid.edges.len() + j;
                    all.extend(touch.map(|t| (number, t.gap)));
                    looked += 1;
                }
            }
            assert_eq!(told, all, "{k}");
            found += all.len();
        }
        assert!(found > 100 && looked > 100_000, "{found} {looked}");
    }
}
