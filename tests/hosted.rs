//! Contacts that come and go: they move like the same contacts with gaps of their own, whatever
//! keys, margins, growth and snapshots do.

#[path = "support/hosted.rs"]
mod hosted;
mod scenes;

use hosted::{Hosted, key};
use scenes::*;
use stiction::error::Error;
use stiction::model::Model;
use stiction::step::{ContactMode, Event, EventKind, MethodKind, Options, Stepper};

type Scene = (Planar, Vec<f64>, Vec<f64>);
type Named = (&'static str, fn() -> Scene);

fn bits(s: &Stepper) -> Vec<u64> {
    s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect()
}

fn saved(s: &Stepper) -> Vec<u8> {
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    bytes
}

/// Largest distance of two motions over `steps` steps of `h`.
fn apart(a: &mut Stepper, b: &mut Stepper, steps: usize, h: f64) -> f64 {
    let mut worst = 0.0f64;
    for _ in 0..steps {
        a.step(h).unwrap();
        b.step(h).unwrap();
        worst = worst.max(distance(a.q(), b.q())).max(distance(a.v(), b.v()));
    }
    worst
}

/// A plate of 1 kg with `n` points in its lower face, dropped flat from `height`.
fn plate(n: usize, height: f64) -> Scene {
    let at = |k: usize| 2.0 * k as f64 / (n - 1) as f64 - 1.0;
    let touches = (0..n).map(|k| ground(0, [at(k), 0.0], 0.0, 0.3, 0.0)).collect();
    let model = Planar { bodies: vec![(1.0, 0.3)], touches, g: 10.0, ..Planar::default() };
    (model, vec![0.0, height, 0.0], vec![0.5, 0.0, 0.0])
}

const METHODS: [MethodKind; 11] = [
    MethodKind::Trapezoid,
    MethodKind::TrapezoidI,
    MethodKind::TrapezoidII,
    MethodKind::Euler,
    MethodKind::ImplicitEuler,
    MethodKind::StewartTrinkle,
    MethodKind::Moreau,
    MethodKind::SchatzmanPaoli,
    MethodKind::LobattoIIIA2,
    MethodKind::RadauIIA5,
    MethodKind::HalfExplicit4,
];

#[test]
fn contacts_that_come_and_go_move_like_fixed_gaps() {
    let scenes: [Named; 5] = [
        ("rod", || rod(0.5)),
        ("rocking block", || rocking(0.9)),
        ("thrown box", || thrown_box(2)),
        ("eight points", eight_points),
        ("cart", || cart(0.4, 0.5, 2.0)),
    ];
    for (method, (name, make)) in METHODS.into_iter().flat_map(|m| scenes.map(|s| (m, s))) {
        let o = Options { method, ..Options::default() };
        let (model, q, v) = make();
        let mut fixed = stepper(model, &o, &q, &v);
        let mut hosted = stepper(Hosted::all(make().0), &o, &q, &v);
        let worst = apart(&mut fixed, &mut hosted, 100, 0.01);
        // The same numbers in another order in the complementarity problems.
        assert!(worst <= 1e-11, "{method:?} {name}: {worst:e}");
        let counts = |s: &Stepper| (s.stats().impacts, s.stats().substeps, s.stats().lcp_solves);
        assert_eq!(counts(&fixed), counts(&hosted), "{method:?} {name}");
    }
}

#[test]
fn sparse_columns_and_a_mixture_with_fixed_gaps_change_nothing() {
    for (fixed, sparse) in [(0, true), (1, false), (2, true), (3, true)] {
        let (model, q, v) = shaken_stack(1);
        let inner = shaken_stack(1).0;
        let most = inner.dims().n_contact - fixed;
        let mixed = Hosted { inner, fixed, most, sparse };
        let mut a = stepper(model, &Options::default(), &q, &v);
        let mut b = stepper(mixed, &Options::default(), &q, &v);
        let worst = apart(&mut a, &mut b, 150, 0.01);
        assert!(worst <= 1e-10, "{fixed} fixed: {worst:e}");
        assert!(a.stats().impacts + a.stats().check_solves > 0);
    }
}

#[test]
fn events_carry_the_keys_of_the_host() {
    let (model, q, v) = thrown_box(4);
    let mut a = stepper(model, &Options::default(), &q, &v);
    let mut b = stepper(Hosted::all(thrown_box(4).0), &Options::default(), &q, &v);
    a.advance(2.0, 0.01).unwrap();
    b.advance(2.0, 0.01).unwrap();
    let told = |e: &Event, key: i64| (e.kind, key, (e.t * 1e6).round() as i64);
    let mut expected: Vec<_> =
        a.events().iter().map(|e| told(e, key(e.contact as usize))).collect();
    let mut got: Vec<_> = b.events().iter().map(|e| told(e, e.key)).collect();
    // Contacts at one instant are in the order of their slots.
    expected.sort_by_key(|x| (x.2, x.1, x.0 as i32));
    got.sort_by_key(|x| (x.2, x.1, x.0 as i32));
    assert!(expected.iter().any(|e| e.0 == EventKind::Impact));
    assert_eq!(expected, got);
    for e in b.events().iter().filter(|e| e.contact >= 0) {
        assert!((e.contact as usize) < b.contact_count());
    }
}

#[test]
fn a_contact_is_found_by_its_key_while_it_is_there() {
    let (inner, q, _) = plate(2, 0.0);
    let mixed = Hosted { inner, fixed: 1, most: 1, sparse: false };
    let mut s = stepper(mixed, &Options::default(), &q, &[0.0; 3]);
    assert_eq!(s.find_contact(key(1)), None);
    s.step(0.01).unwrap();
    assert_eq!(
        (s.contact_key(0), s.contact_key(1), s.contact_key(9)),
        (Some(0), Some(key(1)), None)
    );
    assert_eq!(s.find_contact(key(1)), Some(1));
    assert_eq!(s.contact_mode(1), ContactMode::Sticking);
    let (a, b) = (s.contact(0).unwrap(), s.contact(1).unwrap());
    assert_eq!((b.key, b.mode), (key(1), ContactMode::Sticking));
    assert!(b.gap.abs() < 1e-15 && b.gap_rate.abs() < 1e-15);
    // Ten newtons for a hundredth of a second, on both together.
    assert!((a.normal_impulse + b.normal_impulse - 0.1).abs() < 1e-12);
    assert!(matches!(s.contact(s.contact_count()), Err(Error::Dimension { .. })));
    // Lifted out of reach it is gone, and its slot is free.
    s.set_state(1.0, &[0.0, 5.0, 0.0], &[0.0; 3]).unwrap();
    s.step(0.01).unwrap();
    assert_eq!((s.find_contact(key(1)), s.contact_key(1)), (None, None));
    assert_eq!(s.contact_mode(1), ContactMode::Open);
    assert_eq!(s.contact(1).unwrap().gap, f64::INFINITY);
}

#[test]
fn capacity_grows_when_more_contacts_come_and_nothing_else_changes() {
    for n in [40, 70] {
        let (model, q, v) = plate(n, 0.2);
        let mut a = stepper(model, &Options::default(), &q, &v);
        let mut b = stepper(Hosted::all(plate(n, 0.2).0), &Options::default(), &q, &v);
        assert!(b.contact_count() < n);
        let worst = apart(&mut a, &mut b, 60, 0.01);
        assert!(worst <= 1e-10, "{n} points: {worst:e}");
        assert!(b.contact_count() >= n && b.contact_count() <= 2 * n);
        // Growing is no failed step.
        assert_eq!(b.stats().rejected, 0);
        assert_eq!(b.stats().impacts, 1);
    }
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits_across_growth() {
    let new = || {
        let (_, q, v) = plate(40, 0.05);
        stepper(Hosted::all(plate(40, 0.05).0), &Options::default(), &q, &v)
    };
    let mut s = new();
    let mut before = None;
    for k in 0..40 {
        let small = s.contact_count();
        let bytes = saved(&s);
        s.step(0.01).unwrap();
        if s.contact_count() > small {
            before = Some((k, bytes));
        }
    }
    let (k, bytes) = before.unwrap();
    let mut again = new();
    again.restore(&bytes).unwrap();
    assert!(again.contact_count() < 40);
    for _ in k..40 {
        again.step(0.01).unwrap();
    }
    assert_eq!((bits(&again), saved(&again)), (bits(&s), saved(&s)));
    // Taken up by a stepper that has not grown yet.
    let mut other = new();
    other.restore(&saved(&s)).unwrap();
    for _ in 0..20 {
        s.step(0.01).unwrap();
        other.step(0.01).unwrap();
        assert_eq!(bits(&other), bits(&s));
    }
    let mut far = stepper(Hosted::all(plate(4, 1.0).0), &Options::default(), &[0.0; 3], &[0.0; 3]);
    let e = far.restore(&saved(&s)).unwrap_err();
    assert!(matches!(e, Error::Value { what: "snapshot", .. }), "{e}");
}

#[test]
fn more_contacts_than_declared_are_an_error_that_counts_them() {
    let (inner, q, v) = plate(9, 0.05);
    let model = Hosted { inner, fixed: 0, most: 5, sparse: false };
    let mut s = stepper(model, &Options::default(), &q, &v);
    let e = (0..20).find_map(|_| s.step(0.01).err()).unwrap();
    assert_eq!(e.to_string(), "contacts pushed at one point needs 9, there is room for 5");
    let (t, state) = (s.t(), bits(&s));
    s.step(0.01).unwrap_err();
    assert_eq!((s.t(), bits(&s), s.stats().rejected), (t, state, 2));
}

#[test]
fn forces_are_those_of_fixed_gaps_and_may_need_more_slots() {
    let (model, q, _) = plate(40, 0.0);
    let mut a = stepper(model, &Options::default(), &q, &[0.0; 3]);
    let mut b = stepper(Hosted::all(plate(40, 0.0).0), &Options::default(), &q, &[0.0; 3]);
    let sum = |x: &[f64]| x.iter().sum::<f64>();
    let expected = sum(a.forces().unwrap().normal);
    // Ten newtons of weight.
    assert!((expected - 10.0).abs() < 1e-9);
    assert!(b.contact_count() < 40);
    assert!((sum(b.forces().unwrap().normal) - expected).abs() < 1e-9);
    assert!(b.contact_count() >= 40);
    let before = saved(&b);
    b.forces().unwrap();
    assert_eq!(saved(&b), before);
    a.step(0.01).unwrap();
    b.step(0.01).unwrap();
    assert!(distance(a.q(), b.q()) < 1e-12);
}

#[test]
fn steps_that_follow_a_tolerance_grow_as_well() {
    let o = Options { abs_tol: 1e-6, ..Options::default() };
    let (model, q, v) = plate(40, 0.2);
    let mut a = stepper(model, &o, &q, &v);
    let mut b = stepper(Hosted::all(plate(40, 0.2).0), &o, &q, &v);
    a.advance(0.5, 0.05).unwrap();
    b.advance(0.5, 0.05).unwrap();
    assert!(b.contact_count() >= 40);
    assert!(distance(a.q(), b.q()) < 1e-9, "{}", distance(a.q(), b.q()));
}
