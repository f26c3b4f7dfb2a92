//! A point that falls from rest onto a floor of tiles while it moves along it: each tile is a contact of its own, so that the one it
//! starts above is gone when the step ends, and the one it has fallen through by then was not there when it began.

#[path = "support/methods.rs"]
mod methods;

use std::sync::Arc;
use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};
use stiction::step::{EventKind, EventLevel, Options, Stepper};

const G: f64 = 9.81;
const HEIGHT: f64 = 1e-3;
const SPEED: f64 = 10.0;

/// 1 kg over tiles of the length `tile` along x; y is up. Only the tile below the point is reported.
struct Tiles {
    tile: f64,
}

impl Model for Tiles {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_dir: 2, ..Dims::default() }
    }
    fn hosted(&self) -> usize {
        2
    }
    fn initial(&self, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&[0.0, HEIGHT]);
        v.copy_from_slice(&[SPEED, 0.0]);
    }
    fn mass(&self, _: f64, _: &[f64], m: &mut [f64]) -> Answer {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], f: &mut [f64]) -> Answer {
        f[1] = -G;
        Ok(())
    }
    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        if q[1] <= margin {
            let _ = sink.push(&HostContact {
                key: (q[0] / self.tile).floor() as i64,
                gap: q[1],
                coordinates: Some(&[0, 1]),
                normal: &[0.0, 1.0],
                friction: Friction::Directions(&[1.0, 0.0, -1.0, 0.0]),
                mu: 0.0,
                restitution: 0.5,
            });
        }
        Ok(())
    }
}

/// Free fall: t = sqrt(2 height/g) = 14.28 ms. The step of 20 ms ends 0.96 mm below the floor, with a line backwards that meets it
/// at 15.1 ms; tiles of 0.16 to 0.199 m are left after 16 to 19.9 ms, later than that.
#[test]
fn what_falls_onto_one_tile_and_would_leave_by_the_next_hits_the_first() {
    let landing = (2.0 * HEIGHT / G).sqrt();
    let locate = methods::METHODS.into_iter().filter(|m| m.suits().0 == EventLevel::All);
    for (method, events) in locate.flat_map(|m| [(m, EventLevel::All), (m, EventLevel::Collisions)])
    {
        for tile in [0.16, 0.18, 0.199] {
            let o = Options { method, events: Some(events), ..Options::default() };
            let mut s = Stepper::new(Arc::new(Tiles { tile }), &o).unwrap();
            s.step(0.02).unwrap();
            let what = format!("{method:?}, {events:?}, {tile}");
            let hit = s.events().iter().find(|e| e.kind == EventKind::Impact);
            let hit = hit.unwrap_or_else(|| panic!("{what}: no impact, y = {}", s.q()[1]));
            assert!((hit.t - landing).abs() < 1e-12, "{what}: {} {landing}", hit.t);
            assert!(s.stats().worst_gap > -1e-12, "{what}: {:e}", s.stats().worst_gap);
            // Half of the speed at which it landed, and what gravity has taken of it since.
            let up = 0.5 * G * landing - G * (0.02 - landing);
            assert!((s.v()[1] - up).abs() < 1e-9, "{what}: {:?} {up}", s.v());
        }
    }
}
