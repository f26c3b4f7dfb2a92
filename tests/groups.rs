//! Groups of contacts of which one gap is enough: corners and crossing edges that a body slides
//! over, hits and passes, against motions in closed form.

#[path = "support/groups.rs"]
mod groups;
mod scenes;

use groups::{Among, face};
use scenes::*;
use stiction::model::{Answer, ContactSink, Dims, Model};
use stiction::step::{ContactMode, EventKind, EventLevel, MethodKind, Options, Stepper};

/// Obstacle x < 0, y < 0: the top has the key 1, the side 2.
fn corner(force: &[f64]) -> Among {
    Among::new(force).obstacle(9, &[face(1, &[0.0, 1.0], 0.0), face(2, &[1.0, 0.0], 0.0)])
}

const METHODS: [MethodKind; 12] = [
    MethodKind::Trapezoid,
    MethodKind::TrapezoidI,
    MethodKind::TrapezoidII,
    MethodKind::Euler,
    MethodKind::ImplicitEuler,
    MethodKind::StewartTrinkle,
    MethodKind::Moreau,
    MethodKind::SchatzmanPaoli,
    MethodKind::LobattoIIIA2,
    MethodKind::LobattoIIIA4,
    MethodKind::RadauIIA5,
    MethodKind::HalfExplicit4,
];

fn kinds(s: &Stepper) -> Vec<(EventKind, i64)> {
    s.events().iter().map(|e| (e.kind, e.key)).collect()
}

fn bits(s: &Stepper) -> Vec<u64> {
    s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect()
}

#[test]
fn a_point_slides_over_the_edge_and_falls_along_the_side() {
    // Over the edge at t = 1/2; then x = 2 (t - 1/2), y = -5 (t - 1/2)^2.
    for h in [0.07, 0.1, 0.5, 1.0] {
        for events in [EventLevel::All, EventLevel::Collisions] {
            let o = Options { events: Some(events), ..Options::default() };
            let mut s = stepper(corner(&[0.0, -10.0]), &o, &[-1.0, 0.0], &[2.0, 0.0]);
            s.advance(1.0, h).unwrap();
            assert!(distance(s.q(), &[1.0, -1.25]) < 1e-12, "{h} {events:?}: {:?}", s.q());
            assert!(distance(s.v(), &[2.0, -5.0]) < 1e-12, "{h} {events:?}: {:?}", s.v());
            assert_eq!(s.stats().impacts, 0);
            assert!(s.stats().worst_gap > -1e-12);
            let sum = s.ledger_sum();
            assert!(sum.impact.abs() + sum.residue.abs() < 1e-12, "{sum:?}");
        }
    }
    let mut s = stepper(corner(&[0.0, -10.0]), &Options::default(), &[-1.0, 0.0], &[2.0, 0.0]);
    s.advance(1.0, 0.07).unwrap();
    assert_eq!(kinds(&s), [(EventKind::Takeoff, 1)]);
    assert!((s.events()[0].t - 0.5).abs() < 1e-12);
}

#[test]
fn friction_ends_at_the_edge() {
    // Slows down at 3 m/s^2 over 1 m: v = sqrt(16 - 6) at the edge.
    let edge = 10f64.sqrt();
    let t = (4.0 - edge) / 3.0;
    let model = corner(&[0.0, -10.0]).surface(0.3, 0.0);
    let mut s = stepper(model, &Options::default(), &[-1.0, 0.0], &[4.0, 0.0]);
    s.advance(0.6, 0.05).unwrap();
    let fall = 0.6 - t;
    let expected = [edge * fall, -5.0 * fall * fall];
    assert!(distance(s.q(), &expected) < 1e-12, "{:?} {expected:?}", s.q());
    let sum = s.ledger_sum();
    // Three newtons along one meter.
    assert!((sum.friction - 3.0).abs() < 1e-12 && sum.residue.abs() < 1e-12, "{sum:?}");
}

#[test]
fn a_point_below_the_top_hits_the_side() {
    let model = corner(&[0.0, 0.0]).surface(0.0, 0.5);
    let mut s = stepper(model, &Options::default(), &[1.0, 0.5], &[-2.0, -2.0]);
    // Below the level of the top at 1/4, at the side at 1/2, and back with half the speed.
    s.advance(1.0, 0.07).unwrap();
    assert_eq!(kinds(&s), [(EventKind::Impact, 2)]);
    assert!((s.events()[0].t - 0.5).abs() < 1e-12);
    assert!(distance(s.q(), &[0.5, -1.5]) < 1e-12, "{:?}", s.q());
    assert!(distance(s.v(), &[1.0, -2.0]) < 1e-12, "{:?}", s.v());
}

#[test]
fn a_point_that_passes_the_corner_touches_nothing() {
    for method in METHODS {
        let o = Options { method, ..Options::default() };
        // Through (1/2, 0): both gaps become negative, one after the other has become positive.
        let mut s = stepper(corner(&[0.0, 0.0]), &o, &[-0.5, 1.0], &[2.0, -2.0]);
        s.advance(1.5, 0.13).unwrap();
        assert!(distance(s.q(), &[2.5, -2.0]) < 1e-12, "{method:?} {:?}", s.q());
        assert_eq!(s.stats().impacts, 0, "{method:?}");
        assert_eq!(s.stats().worst_gap, 0.0, "{method:?}");
    }
}

#[test]
fn near_the_corner_it_is_decided_which_side_is_hit_or_none() {
    let run = |x: f64, v: [f64; 2]| {
        // Aimed so that y = 0 at x.
        let model = corner(&[0.0, 0.0]).surface(0.0, 1.0);
        let q = [x - 0.5 * v[0], -0.5 * v[1]];
        let mut s = stepper(model, &Options::default(), &q, &v);
        s.advance(1.0, 0.3).unwrap();
        (kinds(&s), s.q().to_vec(), q)
    };
    for d in [1e-3, 1e-6, 1e-8] {
        let (hits, q, from) = run(-d, [1.0, -1.0]);
        assert_eq!(hits, [(EventKind::Impact, 1)], "{d}");
        assert!(distance(&q, &[from[0] + 1.0, 0.5]) < 1e-12, "{q:?}");
        let (hits, q, from) = run(d, [1.0, -1.0]);
        assert_eq!(hits, [], "{d}");
        assert!(distance(&q, &[from[0] + 1.0, -0.5]) < 1e-12, "{q:?}");
        // Leftwards the point passes over the top, or falls below it and hits the side.
        let (hits, q, _) = run(d, [-1.0, -1.0]);
        assert_eq!(hits, [(EventKind::Impact, 2)], "{d}");
        assert!(distance(&q, &[0.5 - d, -0.5]) < 1e-12, "{q:?}");
        let (hits, q, _) = run(-d, [-1.0, -1.0]);
        assert_eq!(hits, [(EventKind::Impact, 1)], "{d}");
        assert!(distance(&q, &[-d - 0.5, 0.5]) < 1e-12, "{q:?}");
    }
}

/// A step in the ground: y < 0, and x < 0 with y < 1. The notch between them needs both the floor
/// and the step; the outer edge of the step is a group.
fn notch(force: &[f64]) -> Among {
    let step = [face(1, &[1.0, 0.0], 0.0), face(2, &[0.0, 1.0], -1.0)];
    Among::new(force).alone(face(3, &[0.0, 1.0], 0.0)).obstacle(-4, &step)
}

#[test]
fn a_point_slides_off_a_step_and_lands_on_the_floor() {
    let mut s = stepper(notch(&[0.0, -10.0]), &Options::default(), &[-0.5, 1.0], &[2.0, 0.0]);
    s.advance(1.0, 0.03).unwrap();
    assert_eq!(kinds(&s), [(EventKind::Takeoff, 2), (EventKind::Impact, 3)]);
    // One meter of fall after a quarter of a second, without rebound.
    let landing = 0.25 + 0.2f64.sqrt();
    assert!((s.events()[1].t - landing).abs() < 1e-12);
    assert!(distance(s.q(), &[1.5, 0.0]) < 1e-12 && distance(s.v(), &[2.0, 0.0]) < 1e-12);
    assert!(s.stats().worst_gap > -1e-12);
}

#[test]
fn a_point_in_the_notch_is_held_by_both_sides_of_it() {
    // Pushed left with 3 N on the floor: arrives at the side of the step and stays.
    let mut s = stepper(notch(&[-3.0, -10.0]), &Options::default(), &[1.0, 0.0], &[-1.0, 0.0]);
    s.advance(2.0, 0.03).unwrap();
    // 1 = t + 3/2 t^2.
    let t = (-1.0 + 7f64.sqrt()) / 3.0;
    assert_eq!(kinds(&s)[..1], [(EventKind::Impact, 1)]);
    assert!((s.events()[0].t - t).abs() < 1e-12);
    assert!(distance(s.q(), &[0.0, 0.0]) < 1e-12 && distance(s.v(), &[0.0, 0.0]) < 1e-12);
    let [side, top, floor] = [1, 2, 3].map(|key| s.find_contact(key).unwrap());
    assert_eq!(
        [side, top, floor].map(|i| s.contact_mode(i) == ContactMode::Open),
        [false, true, false]
    );
    let push = [side, top, floor].map(|i| s.contact(i).unwrap().normal_impulse);
    let h = 2.0 - 0.03 * 66.0;
    assert!(distance(&push, &[3.0 * h, 0.0, 10.0 * h]) < 1e-12, "{push:?}");
    // The branch that does not act shows its own gap.
    assert_eq!(s.contact(top).unwrap().gap, -1.0);
}

#[test]
fn a_spring_pulls_a_point_over_the_edge_back_against_the_side() {
    // Slides over the edge at 0.1 m/s; a spring of 4 N/m then pulls it back: x = 0.05 sin 2t, so
    // that the side is hit after pi/2 at 0.1 m/s, and held from there without rebound.
    let model = Among { spring: 4.0, ..corner(&[0.0, -1.0]) };
    let o = Options { method: MethodKind::RadauIIA5, ..Options::default() };
    for o in [o, Options::default()] {
        let mut s = stepper(model.clone(), &o, &[0.0, 0.0], &[0.1, 0.0]);
        s.advance(2.0, 0.01).unwrap();
        let hits: Vec<_> = s.events().iter().filter(|e| e.kind == EventKind::Impact).collect();
        let tolerance = if o.method == MethodKind::RadauIIA5 { 1e-9 } else { 1e-4 };
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].key, 2);
        assert!((hits[0].t - 0.5 * std::f64::consts::PI).abs() < tolerance, "{}", hits[0].t);
        assert!((hits[0].speed_before + 0.1).abs() < tolerance);
        assert!(distance(s.q(), &[0.0, -2.0]) < 1e-9, "{:?}", s.q());
    }
}

#[test]
fn at_rest_on_the_very_corner_the_branch_that_holds_keeps_holding() {
    let mut s = stepper(corner(&[0.0, -10.0]), &Options::default(), &[0.0, 0.0], &[0.0, 0.0]);
    for _ in 0..100 {
        s.step(0.01).unwrap();
    }
    assert_eq!((s.q(), s.v()), (&[0.0, 0.0][..], &[0.0, 0.0][..]));
    // A push to the right takes it over the edge at once: a parabola in both coordinates.
    let mut s = stepper(corner(&[1.0, -10.0]), &Options::default(), &[0.0, 0.0], &[0.0, 0.0]);
    s.advance(1.0, 0.03).unwrap();
    assert!(distance(s.q(), &[0.5, -5.0]) < 1e-9, "{:?}", s.q());
}

#[test]
fn every_method_keeps_to_the_group() {
    for method in METHODS {
        for (events, h) in [(None, 0.01), (Some(EventLevel::None), 0.01), (None, 0.003)] {
            let o = Options { method, events, ..Options::default() };
            let model = corner(&[0.0, -10.0]).surface(0.2, 0.0);
            let mut s = stepper(model.clone(), &o, &[-0.503, 0.2], &[2.0, 0.0]);
            // Lands on the top, slides over the edge, falls along the side.
            let mut deepest = 0.0f64;
            for _ in 0..(1.0 / h) as usize {
                s.step(h).unwrap();
                deepest = deepest.min(model.depth(s.q()));
            }
            // Falls 0.2 s; friction takes 0.2 of the 2 m/s that stop, then 2 m/s^2 over 0.103 m.
            let v = (1.6f64 * 1.6 - 2.0 * 2.0 * 0.103).sqrt();
            let fall = s.t() - 0.2 - (1.6 - v) / 2.0;
            let far = distance(s.q(), &[v * fall, -5.0 * fall * fall]);
            let inside =
                [MethodKind::StewartTrinkle, MethodKind::SchatzmanPaoli, MethodKind::Moreau];
            let unlocated = events.is_some() || inside.contains(&method);
            let first = [MethodKind::Euler, MethodKind::ImplicitEuler].contains(&method);
            println!("{method:?} {events:?} {h}: {far:e} deep {deepest:e}");
            // Landing and edge are up to a step late, and the fall ends with 7 m/s.
            let near = if unlocated || first { 15.0 * h } else { 1e-10 };
            assert!(far < near, "{method:?} {events:?} {h}: {far:e}");
            // Without location the fall of 2 m/s ends up to a step too low.
            let deep = if unlocated { -2.0 * h } else { -1e-9 };
            assert!(deepest > deep, "{method:?} {events:?} {h}: {deepest:e}");
        }
    }
}

#[test]
fn a_group_of_one_is_a_contact_alone_to_the_last_bit() {
    for method in METHODS {
        let o = Options { method, ..Options::default() };
        let floor = face(1, &[0.0, 1.0], 0.0);
        let wall = face(2, &[-1.0, 0.0], 1.0);
        let with = Among::new(&[1.0, -10.0])
            .obstacle(5, std::slice::from_ref(&floor))
            .obstacle(6, std::slice::from_ref(&wall));
        let without = Among::new(&[1.0, -10.0]).alone(floor).alone(wall);
        let [mut a, mut b] =
            [with, without].map(|m| stepper(m.surface(0.3, 0.5), &o, &[0.0, 0.5], &[1.0, 0.0]));
        for _ in 0..200 {
            a.step(0.01).unwrap();
            b.step(0.01).unwrap();
            assert_eq!(bits(&a), bits(&b), "{method:?} at {}", a.t());
        }
        assert_eq!(kinds(&a), kinds(&b));
    }
}

#[test]
fn a_snapshot_keeps_the_branch_that_acts() {
    for method in METHODS {
        let o = Options { method, ..Options::default() };
        let make =
            || stepper(notch(&[-1.0, -10.0]).surface(0.1, 0.3), &o, &[-0.5, 1.3], &[2.0, 0.0]);
        let mut a = make();
        for _ in 0..150 {
            let mut bytes = vec![0; a.saved_size()];
            a.save(&mut bytes).unwrap();
            let mut b = make();
            b.restore(&bytes).unwrap();
            a.step(0.013).unwrap();
            b.step(0.013).unwrap();
            assert_eq!(bits(&a), bits(&b), "{method:?} at {}", a.t());
        }
    }
    // On the very corner nothing but memory tells the branches apart: held by the top, the point
    // stays there although the side has become the first of equals.
    let tie = |top: i64| {
        let faces = [face(top, &[0.0, 1.0], 0.0), face(2, &[1.0, 0.0], 0.0)];
        Among::new(&[0.0, -10.0]).obstacle(9, &faces)
    };
    let mut a = stepper(tie(1), &Options::default(), &[0.0, 0.0], &[0.0, 0.0]);
    a.step(0.1).unwrap();
    let mut bytes = vec![0; a.saved_size()];
    a.save(&mut bytes).unwrap();
    a.restore(&bytes).unwrap();
    a.step(0.1).unwrap();
    assert_eq!(a.q(), [0.0, 0.0]);
    // With the other as the first it falls along the side.
    let mut b = stepper(tie(3), &Options::default(), &[0.0, 0.0], &[0.0, 0.0]);
    b.step(0.1).unwrap();
    assert!(distance(b.q(), &[0.0, -0.05]) < 1e-15, "{:?}", b.q());
}

/// Two rods of half lengths 1 and 0.5 that cross at a right angle and are 0.1 thick: one lies along x,
/// the other is along y and moves without turning. Over, under, or past an end.
fn crossing(force: &[f64]) -> Among {
    let sides = [
        face(1, &[0.0, 0.0, 1.0], -0.1),
        face(2, &[0.0, 0.0, -1.0], -0.1),
        face(3, &[1.0, 0.0, 0.0], -1.0),
        face(4, &[-1.0, 0.0, 0.0], -1.0),
        face(5, &[0.0, 1.0, 0.0], -0.5),
        face(6, &[0.0, -1.0, 0.0], -0.5),
    ];
    Among::new(force).obstacle(77, &sides)
}

#[test]
fn crossing_edges_meet_from_every_side() {
    let run = |q: [f64; 3], v: [f64; 3]| {
        let o = Options::default();
        let mut s = stepper(crossing(&[0.0; 3]).surface(0.0, 1.0), &o, &q, &v);
        s.advance(2.0, 0.09).unwrap();
        (kinds(&s), s.q().to_vec())
    };
    // (from, velocity, key of what it hits, where it is after 2 s)
    type Case = ([f64; 3], [f64; 3], Option<i64>, [f64; 3]);
    let cases: [Case; 6] = [
        ([0.2, 0.0, 1.1], [0.1, 0.0, -1.0], Some(1), [0.4, 0.0, 1.1]),
        ([0.2, 0.0, -1.1], [0.1, 0.2, 1.0], Some(2), [0.4, 0.4, -1.1]),
        ([2.0, 0.1, 0.05], [-1.0, 0.0, 0.0], Some(3), [2.0, 0.1, 0.05]),
        ([0.9, -1.5, 0.0], [-1.0, 1.0, 0.0], Some(6), [-1.1, -1.5, 0.0]),
        // Past the end, and over it.
        ([1.1, 0.0, 1.0], [0.0, 0.0, -1.0], None, [1.1, 0.0, -1.0]),
        ([-2.0, 0.0, 0.2], [2.0, 0.0, 0.0], None, [2.0, 0.0, 0.2]),
    ];
    for (from, v, hits, to) in cases {
        let (events, q) = run(from, v);
        let expected: Vec<_> = hits.map(|key| (EventKind::Impact, key)).into_iter().collect();
        assert_eq!(events, expected, "{from:?}");
        assert!(distance(&q, &to) < 1e-12, "{from:?}: {q:?}");
    }
}

#[test]
fn a_rod_slides_along_another_and_off_its_end() {
    // On top of it with 1 m/s, 0.5 m from the end: then it falls.
    let q = [0.5, 0.0, 0.1];
    let mut s = stepper(crossing(&[0.0, 0.0, -10.0]), &Options::default(), &q, &[1.0, 0.0, 0.0]);
    s.advance(1.0, 0.07).unwrap();
    assert_eq!(kinds(&s), [(EventKind::Takeoff, 1)]);
    assert!(distance(s.q(), &[1.5, 0.0, 0.1 - 1.25]) < 1e-12, "{:?}", s.q());
}

/// Of the corner, the side is reported from x = -0.3 on only and the top down to y = -0.2 only.
struct Shy(Among);

impl Model for Shy {
    fn dims(&self) -> Dims {
        self.0.dims()
    }
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        self.0.mass(t, q, mass)
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        self.0.force(t, q, v, force)
    }
    fn hosted(&self) -> usize {
        2
    }
    fn contacts(&self, t: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let mut part = self.0.clone();
        part.faces.retain(|(_, f)| if f.key == 1 { q[1] > -0.2 } else { q[0] > -0.3 });
        part.contacts(t, q, margin, sink)
    }
}

#[test]
fn branches_come_and_go_like_contacts() {
    for method in [MethodKind::Trapezoid, MethodKind::RadauIIA5] {
        for h in [0.01, 0.03, 0.2] {
            let o = Options { method, ..Options::default() };
            let model = Shy(corner(&[-1.0, -10.0]).surface(0.0, 0.0));
            let mut s = stepper(model, &o, &[-0.5, 0.0], &[2.0, 0.0]);
            s.advance(6.0, h).unwrap();
            // 0.5 = 2 t - t^2/2 at the edge, sqrt(3) m/s left; back at the side 2 sqrt(3) s later.
            let (edge, back) = (2.0 - 3f64.sqrt(), 2.0 + 3f64.sqrt());
            let told: Vec<_> = s.events().iter().map(|e| (e.kind, e.key)).collect();
            assert_eq!(
                told[..2],
                [(EventKind::Takeoff, 1), (EventKind::Impact, 2)],
                "{method:?} {h}"
            );
            assert!((s.events()[0].t - edge).abs() < 1e-9, "{:?}", s.events()[0]);
            assert!((s.events()[1].t - back).abs() < 1e-9, "{:?}", s.events()[1]);
            let fall = 6.0 - edge;
            assert!(
                distance(s.q(), &[0.0, -5.0 * fall * fall]) < 1e-8,
                "{method:?} {h}: {:?}",
                s.q()
            );
        }
    }
}

#[test]
fn the_state_of_a_group_is_judged_by_its_largest_gap() {
    use stiction::check::{check_state, nearest_state};
    let model = corner(&[0.0, 0.0]);
    let at = |q: &[f64]| check_state(&model, 0.0, q, &[0.0; 2]).unwrap();
    assert_eq!((at(&[-1.0, 0.5]).depth.0, at(&[0.5, -1.0]).depth.0), (0.0, 0.0));
    let inside = at(&[-0.3, -0.1]);
    assert_eq!((inside.depth.0, inside.depth_key), (0.1, Some(1)));
    let (mut q, mut v) = ([-0.3, -0.1], [0.0; 2]);
    nearest_state(&model, 0.0, &mut q, &mut v).unwrap();
    assert!(distance(&q, &[-0.3, 0.0]) < 1e-12, "{q:?}");
}

#[test]
fn groups_hold_with_step_lengths_by_a_tolerance() {
    for method in [MethodKind::Trapezoid, MethodKind::RadauIIA5] {
        let o = Options { method, abs_tol: 1e-8, rel_tol: 0.0, ..Options::default() };
        let model = Among { spring: 4.0, ..corner(&[0.0, -1.0]).surface(0.2, 0.5) };
        let mut s = stepper(model.clone(), &o, &[-0.2, 0.0], &[1.0, 0.0]);
        s.advance(3.0, 0.01).unwrap();
        assert!(
            model.depth(s.q()) >= -1e-9 && s.stats().worst_gap >= -1e-9,
            "{method:?} {:?}",
            s.q()
        );
        assert!(s.stats().impacts > 0);
    }
}
