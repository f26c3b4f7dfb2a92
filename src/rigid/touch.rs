//! Columns of the contacts that have a slot: gaps, normals and friction directions, of all or of some.
//! Knows no forces.

use super::body::Placed;
use super::scene::{NO_DIRECTION, Scene};
use crate::model::Answer;
use nalgebra::Vector3;

/// The two bodies of a contact and where they are, kept for the next one: the points of a base follow
/// each other.
struct Pair {
    bodies: (Option<usize>, Option<usize>),
    placed: (Placed, Placed),
}

impl Scene {
    /// Places the bodies of slot `i`, unless those are the ones of `before`.
    fn pair(&self, i: usize, q: &[f64], before: Option<Pair>) -> Pair {
        let bodies = self.slots[i].bodies();
        match before {
            Some(pair) if pair.bodies == bodies => pair,
            _ => Pair { bodies, placed: (self.place(bodies.0, q), self.place(bodies.1, q)) },
        }
    }

    /// Gaps and normals of the slots `which`.
    ///
    /// # Errors
    /// Refuses a point where one of them has no direction.
    pub(super) fn gaps(
        &self,
        t: f64,
        q: &[f64],
        which: impl Iterator<Item = usize>,
        gap: &mut [f64],
        normal: &mut [f64],
    ) -> Answer {
        let nv = self.dims.nv;
        let mut last = None;
        for i in which {
            let pair = self.pair(i, q, last.take());
            let ((a, b), (pa, pb)) = (pair.bodies, &pair.placed);
            let g = self.slots[i].gap(t, pa, pb).ok_or(NO_DIRECTION)?;
            gap[i] = g.value;
            let column = &mut normal[i * nv..(i + 1) * nv];
            self.scatter(a, 1.0, &g.a, column);
            self.scatter(b, 1.0, &g.b, column);
            last = Some(pair);
        }
        Ok(())
    }

    /// Friction directions of the slots `which`.
    pub(super) fn tangents(
        &self,
        t: f64,
        q: &[f64],
        which: impl Iterator<Item = usize>,
        tangent: &mut [f64],
    ) {
        let (nv, n_dir) = (self.dims.nv, self.dims.n_dir);
        let zero = Vector3::zeros();
        let mut last = None;
        for i in which {
            let pair = self.pair(i, q, last.take());
            let ((a, b), (pa, pb)) = (pair.bodies, &pair.placed);
            // Limits have no friction, and a pair without a direction was refused with its gap.
            if let Some((touch, [t1, t2])) = self.slots[i].tangents(t, pa, pb) {
                for (k, [cos, sin]) in self.facets.iter().enumerate() {
                    let d = t1 * *cos + t2 * *sin;
                    for (body, placed, side) in [(a, pa, 1.0), (b, pb, -1.0)] {
                        if body.is_none() {
                            continue;
                        }
                        let g = placed.generalized(&touch.point, &d, &zero);
                        for (at, sign) in [(k, side), (k + n_dir / 2, -side)] {
                            let column = &mut tangent[(i * n_dir + at) * nv..][..nv];
                            self.scatter(body, sign, &g, column);
                        }
                    }
                }
            }
            last = Some(pair);
        }
    }
}
