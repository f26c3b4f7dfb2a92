//! The contacts of a scene that come and go, pushed one by one. Knows neither gaps nor slots.

use super::Scene;
use super::near::{Found, Hears};
use crate::model::{ContactSink, Friction, HostContact};

/// Pushes what is found.
struct Pushes<'a, 'b> {
    scene: &'a Scene,
    sink: &'a mut ContactSink<'b>,
}

impl Hears for Pushes<'_, '_> {
    fn skips(&mut self, key: i64) -> bool {
        self.sink.skips(key)
    }

    fn hear(&mut self, found: &Found<'_>) {
        if !self.sink.skips(found.key) {
            self.scene.push(found, self.sink);
        }
    }
}

impl Scene {
    /// Pushes every contact with a gap up to `margin`.
    pub(super) fn push_near(&self, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) {
        if self.near.items.is_empty() {
            return;
        }
        let place = |body| self.place(body, q);
        let searched = self.near.search(margin, place, &mut Pushes { scene: self, sink });
        if let Err(e) = searched {
            sink.fail(e);
        }
    }

    /// Pushes a contact between two bodies, on their coordinates alone.
    fn push(&self, found: &Found<'_>, sink: &mut ContactSink<'_>) {
        let touch = found.touch;
        let [t1, t2] = found.tangents();
        let (mut on, mut count) = ([0usize; 12], 0);
        // Normal, first and second tangent, one after the other for each body.
        let mut columns = [[0.0f64; 12]; 3];
        for ((body, placed), sign) in found.bodies.into_iter().zip([1.0, -1.0]) {
            let Some(i) = body else { continue };
            let b = &self.bodies[i];
            for k in 0..b.kind.nv() {
                on[count + k] = b.v_at + k;
            }
            let directions = [touch.normal, t1, t2].map(|d| d * sign);
            let own = columns.each_mut().map(|column| &mut column[count..count + b.kind.nv()]);
            placed.write_generalized(&touch.point, directions, own);
            count += b.kind.nv();
        }
        let [normal, first, second] = columns;
        // exact: set by the host
        let friction = if found.met.mu == 0.0 {
            Friction::None
        } else {
            let (first, second) = (&first[..count], &second[..count]);
            Friction::Tangents { first, second, facets: self.dims.n_dir }
        };
        let contact = HostContact {
            key: found.key,
            gap: touch.gap,
            coordinates: Some(&on[..count]),
            normal: &normal[..count],
            friction,
            mu: found.met.mu,
            restitution: found.met.restitution,
        };
        // A failure is kept by the sink, which fails the question.
        sink.push(&contact).ok();
    }
}
