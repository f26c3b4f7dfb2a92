//! Keys of contacts between built-in bodies: how they are made of shapes, and back. Knows neither
//! gaps nor forces.
//!
//! Three ranges, so that a key tells its kind: contacts that have a gap of their own, contacts that
//! come and go, limits.

use super::Scene;
use super::body::{BodyId, Link};
use super::shape::ShapeId;

/// Keys of contacts that come and go start here.
const COMING: i64 = 1 << 61;
/// Keys of limits start here.
const LIMIT: i64 = 1 << 62;

/// Most shapes of a scene in which contacts come and go: two of their numbers are part of a key.
pub(super) const SHAPES: usize = 1 << 15;

/// Key of pair `feature` of the shapes `at`, which has a gap of its own.
pub(super) fn of_slot(at: [usize; 2], feature: usize) -> i64 {
    (at[0] as i64) << 38 | (at[1] as i64) << 14 | feature as i64
}

/// Key of pair `feature` of the shapes `at`, below [`SHAPES`], when it comes and goes.
pub(super) fn of_coming(at: [usize; 2], feature: usize) -> i64 {
    COMING + ((at[0] as i64) << 45) + ((at[1] as i64) << 30) + feature as i64
}

/// Key of limit `number`.
pub(super) fn of_limit(number: usize) -> i64 {
    LIMIT + number as i64
}

/// The shapes of a key that is neither negative nor of a limit.
fn shapes(key: i64) -> [usize; 2] {
    if key >= COMING {
        let at = (key - COMING) >> 30;
        return [(at >> 15) as usize, (at & 0x7fff) as usize];
    }
    [(key >> 38) as usize, ((key >> 14) & 0xff_ffff) as usize]
}

/// Whose contact it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactPair {
    /// The gap grows when the first moves along the normal, or the second against it.
    pub bodies: [Link; 2],
    /// Their shapes that meet; none for a limit.
    pub shapes: Option<[ShapeId; 2]>,
}

impl Scene {
    /// The bodies and shapes of the contact with this key, as events and steppers give it. None for a
    /// key that no contact of this scene can have.
    pub fn contact_pair(&self, key: i64) -> Option<ContactPair> {
        let link = |body: Option<usize>| body.map_or(Link::Ground, |i| BodyId(i as u32).into());
        let ids = |at: [usize; 2]| at.map(|i| ShapeId(i as u32));
        if (COMING..LIMIT).contains(&key) {
            let at = shapes(key);
            let (a, b) = (self.near.items.get(at[0])?, self.near.items.get(at[1])?);
            let bodies = [link(a.body), link(b.body)];
            return self
                .near
                .looks_for(a, b)
                .then_some(ContactPair { bodies, shapes: Some(ids(at)) });
        }
        let (a, b) = self.slots.iter().find(|s| s.key == key)?.bodies();
        let shapes = (key < COMING).then(|| ids(shapes(key)));
        Some(ContactPair { bodies: [link(a), link(b)], shapes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_its_shapes() {
        for at in [[0, 1], [5, 3], [SHAPES - 2, SHAPES - 1]] {
            for feature in [0, 1, 16_383] {
                assert_eq!(shapes(of_slot(at, feature)), at);
                assert_eq!(shapes(of_coming(at, (1 << 30) - 1 - feature)), at);
            }
        }
        assert!(
            of_slot([SHAPES, SHAPES], 0) < COMING && of_limit(0) > of_coming([SHAPES - 1; 2], 0)
        );
    }
}
