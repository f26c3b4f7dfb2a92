//! Hosts that own their geometry: surfaces made of pieces, contacts seen late or not at all, bad
//! pushes, refusals.

#[path = "support/counting.rs"]
mod counting;
mod scenes;

use counting::allocations;
use scenes::{stepper, times};
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::error::Error;
use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model, Refusal};
use stiction::step::{EventKind, Options, Stepper};

/// A disc of 1 kg and radius 1 above the line y = 0, which is made of tiles of length 1: the host
/// reports the tile that the foot of the disc is in, nothing else. Gravity is (gx, -10).
struct Tiles {
    gx: f64,
    mu: f64,
    e: f64,
    /// Reports nothing beyond this distance, whatever is asked for.
    sees: f64,
}

impl Tiles {
    /// Moment of inertia of a disc.
    const INERTIA: f64 = 0.5;
}

impl Model for Tiles {
    fn dims(&self) -> Dims {
        Dims { nq: 3, nv: 3, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[4], mass[8]) = (1.0, 1.0, Self::INERTIA);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        (force[0], force[1]) = (self.gx, -10.0);
        Ok(())
    }
    fn hosted(&self) -> usize {
        1
    }
    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let gap = q[1] - 1.0;
        if gap <= margin.min(self.sees) {
            // The foot is one below the center; friction turns the disc.
            let friction = Friction::Directions(&[1.0, 0.0, 1.0, -1.0, 0.0, -1.0]);
            let contact = HostContact {
                key: q[0].floor() as i64,
                gap,
                coordinates: None,
                normal: &[0.0, 1.0, 0.0],
                friction,
                mu: self.mu,
                restitution: self.e,
            };
            let _ = sink.push(&contact);
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

#[test]
fn a_disc_rolls_over_tiles_as_over_one_plane() {
    let model = Tiles { gx: 3.0, mu: 0.5, e: 0.0, sees: f64::INFINITY };
    let mut s = stepper(model, &Options::default(), &[0.3, 1.0, 0.0], &[0.0; 3]);
    s.advance(4.0, 0.01).unwrap();
    // A rolling disc accelerates with g/(1 + 1/2); constant, so that the rule is exact.
    let a = 2.0 / 3.0 * 3.0;
    let (x, v) = (0.3 + 0.5 * a * 16.0, 4.0 * a);
    assert!((s.q()[0] - x).abs() < 1e-9, "{}", s.q()[0] - x);
    assert!((s.v()[0] - v).abs() < 1e-9 && (s.v()[2] + v).abs() < 1e-9);
    assert!((s.q()[1] - 1.0).abs() < 1e-12);
    assert_eq!(s.stats().impacts, 0);
    // Sixteen tiles in one slot after the other, each heard of when it ends and when it begins.
    let tiles = s.events().iter().filter(|e| e.kind == EventKind::Close).map(|e| e.key);
    assert_eq!(tiles.collect::<Vec<_>>(), (1..=16).collect::<Vec<i64>>());
    let over = s.events().iter().filter(|e| e.kind == EventKind::Takeoff).map(|e| e.key);
    assert_eq!(over.collect::<Vec<_>>(), (0..=15).collect::<Vec<i64>>());
    assert_eq!(s.contact_count(), 4);
}

#[test]
fn a_disc_that_slides_over_tiles_stops_after_v_over_mu_g() {
    // No spin can build up: the friction direction without its turning part would be another model,
    // so the slide ends in rolling, after v/(3 mu g) with 2/3 of the speed.
    let model = Tiles { gx: 0.0, mu: 0.1, e: 0.0, sees: f64::INFINITY };
    let mut s = stepper(model, &Options::default(), &[0.3, 1.0, 0.0], &[6.0, 0.0, 0.0]);
    s.advance(3.0, 0.01).unwrap();
    let rolls = times(s.events(), EventKind::Stick);
    assert!((rolls[0] - 6.0 / (3.0 * 0.1 * 10.0)).abs() < 1e-9, "{rolls:?}");
    assert!((s.v()[0] - 4.0).abs() < 1e-9);
}

#[test]
fn a_contact_is_located_however_late_the_host_sees_it() {
    // Falls for one second from 5 m; bounces to a quarter.
    for sees in [f64::INFINITY, 1e-2, 1e-9, 0.0] {
        let model = Tiles { gx: 0.0, mu: 0.0, e: 0.5, sees };
        let mut s = stepper(model, &Options::default(), &[0.5, 6.0, 0.0], &[0.0; 3]);
        s.advance(1.55, 0.1).unwrap();
        let hit = s.events()[0];
        assert!((hit.t - 1.0).abs() < 1e-9, "sees {sees}: {}", hit.t);
        assert!((hit.speed_after - 5.0).abs() < 1e-8, "sees {sees}: {hit:?}");
        // y = 1 + 5 t - 5 t^2 at t = 0.55.
        assert!((s.q()[1] - 2.2375).abs() < 1e-8, "sees {sees}: {}", s.q()[1]);
    }
}

#[test]
fn a_disc_that_flies_past_the_end_of_what_the_host_reports_does_not_collide() {
    /// A table that ends at x = 0.
    struct Table;
    impl Model for Table {
        fn dims(&self) -> Dims {
            Dims { nq: 2, nv: 2, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            (mass[0], mass[3]) = (1.0, 1.0);
            Ok(())
        }
        fn hosted(&self) -> usize {
            1
        }
        fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
            if q[0] < 0.0 {
                let normal = [0.0, 1.0];
                let contact = HostContact {
                    key: 1,
                    gap: q[1],
                    coordinates: None,
                    normal: &normal,
                    friction: Friction::None,
                    mu: 0.0,
                    restitution: 1.0,
                };
                let _ = sink.push(&contact);
            }
            Ok(())
        }
    }
    // Comes down 0.1 behind the edge, or 0.1 before it: the whole way in one step.
    for (x, hits) in [(-0.9, 0), (-1.1, 1)] {
        let mut s = stepper(Table, &Options::default(), &[x, 1.0], &[1.0, -1.0]);
        s.step(2.0).unwrap();
        assert_eq!(s.stats().impacts, hits, "from {x}");
        let y = if hits == 0 { -1.0 } else { 1.0 };
        assert!((s.q()[1] - y).abs() < 1e-9 && (s.q()[0] - x - 2.0).abs() < 1e-12);
    }
}

#[test]
fn a_settled_capacity_allocates_nothing() {
    let model = Tiles { gx: 3.0, mu: 0.5, e: 0.3, sees: f64::INFINITY };
    let mut s = stepper(model, &Options::default(), &[0.3, 1.2, 0.0], &[0.0; 3]);
    s.advance(1.5, 0.01).unwrap();
    let mut bytes = vec![0; s.saved_size() + 4096];
    let count = allocations(|| {
        for _ in 0..500 {
            s.step(0.01).unwrap();
            let n = s.save(&mut bytes).unwrap();
            s.restore(&bytes[..n]).unwrap();
        }
    });
    assert!(s.q()[0] > 20.0);
    assert_eq!(count, 0);
}

/// What a host does wrong at its fifth call.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    TwiceTheSame,
    NotANumber,
    NegativeFriction,
    TooElastic,
    TooManyDirections,
    Refuses,
    Stops,
}

struct Faulty(Wrong, AtomicUsize);

impl Model for Faulty {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn hosted(&self) -> usize {
        2
    }
    fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
        let good = HostContact {
            key: 77,
            gap: q[0],
            coordinates: None,
            normal: &[1.0],
            friction: Friction::None,
            mu: 0.0,
            restitution: 0.0,
        };
        let _ = sink.push(&good);
        if self.1.fetch_add(1, Ordering::Relaxed) != 4 {
            return Ok(());
        }
        let four = Friction::Directions(&[0.0; 4]);
        let bad = match self.0 {
            Wrong::TwiceTheSame => good,
            Wrong::NotANumber => HostContact { key: 1, gap: f64::NAN, ..good },
            Wrong::NegativeFriction => HostContact { key: 1, mu: -0.1, ..good },
            Wrong::TooElastic => HostContact { key: 1, restitution: 1.1, ..good },
            Wrong::TooManyDirections => HostContact { key: 1, friction: four, ..good },
            Wrong::Refuses => return Err(Refusal::Point(3)),
            Wrong::Stops => return Err(Refusal::Stop(-9)),
        };
        let _ = sink.push(&bad);
        Ok(())
    }
}

#[test]
fn what_a_host_does_wrong_is_named_and_leaves_the_step_undone() {
    let said = |wrong: Wrong| -> Error {
        let mut s = Stepper::new(std::sync::Arc::new(Faulty(wrong, 0.into())), &Options::default());
        let s = s.as_mut().unwrap();
        s.set_state(0.0, &[1.0], &[-0.1]).unwrap();
        let e = s.step(0.1).unwrap_err();
        assert_eq!((s.t(), s.q(), s.stats().rejected), (0.0, &[1.0][..], 1), "{wrong:?}");
        s.step(0.1).unwrap();
        assert!((s.q()[0] - 0.99).abs() < 1e-15, "{wrong:?}");
        e
    };
    let text = |wrong| said(wrong).to_string();
    assert_eq!(text(Wrong::TwiceTheSame), "contact key is 77, must be pushed once at each point");
    assert_eq!(text(Wrong::NotANumber), "gap[1] is NaN");
    assert_eq!(text(Wrong::NegativeFriction), "mu[1] is -0.1, must be >= 0");
    assert_eq!(text(Wrong::TooElastic), "restitution[1] is 1.1, must be between 0 and 1");
    let many = "directions of a contact needs 4, there is room for 2";
    assert_eq!(text(Wrong::TooManyDirections), many);
    assert_eq!(said(Wrong::Refuses), Error::Rejected { what: "contacts", code: 3 });
    assert_eq!(said(Wrong::Stops), Error::Callback { what: "contacts", code: -9 });
}

#[test]
fn a_check_finds_a_wrong_normal_of_a_contact_that_comes_and_goes() {
    /// A point above a circle of radius 1; the slope of the normal may be off.
    struct Hill(f64);
    impl Model for Hill {
        fn dims(&self) -> Dims {
            Dims { nq: 2, nv: 2, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            (mass[0], mass[3]) = (1.0, 1.0);
            Ok(())
        }
        fn hosted(&self) -> usize {
            2
        }
        fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
            let r = q[0].hypot(q[1]);
            let normal = [q[0] / r * self.0, q[1] / r];
            let contact = HostContact {
                key: -3,
                gap: r - 1.0,
                coordinates: None,
                normal: &normal,
                friction: Friction::None,
                mu: 0.0,
                restitution: 0.0,
            };
            let _ = sink.push(&contact);
            Ok(())
        }
    }
    let check = |off: f64| stiction::check::check_model(&Hill(off), 0.0, &[0.6, 0.9], &[1.0, 2.0]);
    let good = check(1.0).unwrap();
    assert!(good.worst < 1e-8, "{good:?}");
    let bad = check(1.01).unwrap();
    assert_eq!((bad.what, bad.index), ("hosted normal", 0));
    // One percent of the first of two numbers that are compared with the larger one, 0.6 to 0.9.
    assert!((bad.worst - 0.01 * 0.6 / 0.9).abs() < 1e-6, "{bad:?}");
}

#[test]
fn a_contact_with_one_pair_of_directions_in_a_model_of_eight_rubs_along_it_alone() {
    /// A block on a rail along x: friction along x, none along y.
    struct Rail;
    impl Model for Rail {
        fn dims(&self) -> Dims {
            Dims { nq: 3, nv: 3, n_dir: 8, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            (mass[0], mass[4], mass[8]) = (1.0, 1.0, 1.0);
            Ok(())
        }
        fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
            force[2] = -10.0;
            Ok(())
        }
        fn hosted(&self) -> usize {
            1
        }
        fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
            let contact = HostContact {
                key: 1,
                gap: q[2],
                coordinates: Some(&[0, 2]),
                normal: &[0.0, 1.0],
                friction: Friction::Directions(&[1.0, 0.0, -1.0, 0.0]),
                mu: 0.3,
                restitution: 0.0,
            };
            let _ = sink.push(&contact);
            Ok(())
        }
        fn constraints_move(&self) -> bool {
            false
        }
    }
    let mut s = stepper(Rail, &Options::default(), &[0.0; 3], &[3.0, 2.0, 0.0]);
    s.advance(2.0, 0.01).unwrap();
    // 3 m/s end after 3/(0.3 10) = 1 s and 1.5 m; along y nothing slows it.
    let stop = times(s.events(), EventKind::Stick);
    assert!(stop.len() == 1 && (stop[0] - 1.0).abs() < 1e-9, "{stop:?}");
    assert!((s.q()[0] - 1.5).abs() < 1e-9 && (s.q()[1] - 4.0).abs() < 1e-12, "{:?}", s.q());
    assert!(s.v()[0].abs() < 1e-12 && s.v()[1] == 2.0);
}
