//! Saved states: the same bits afterwards, and nothing but whole snapshots accepted.

mod scenes;

use scenes::*;
use stiction::error::Error;
use stiction::step::{EventLevel, MethodKind, Options, Stepper};

fn busy_scene() -> Stepper {
    let (model, q, v) = chain(3, true);
    stepper(model, &Options::default(), &q, &v)
}

fn saved(s: &Stepper) -> Vec<u8> {
    let mut bytes = vec![0; s.saved_size()];
    assert_eq!(s.save(&mut bytes).unwrap(), bytes.len());
    bytes
}

fn bits(s: &Stepper) -> Vec<u64> {
    s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect()
}

#[test]
fn the_same_motion_twice_has_the_same_bits() {
    let run = || {
        let model = DoublePendulum { g: 9.81, e: 0.1 };
        let mut s = stepper(model, &Options::default(), &DoublePendulum::start(), &[0.0; 4]);
        s.advance(2.5, 0.01).unwrap();
        (bits(&s), s.events().to_vec())
    };
    assert_eq!(run(), run());
}

#[test]
fn a_restored_motion_goes_on_with_the_same_bits() {
    let mut s = busy_scene();
    for _ in 0..45 {
        s.step(0.01).unwrap();
        let mut other = busy_scene();
        other.restore(&saved(&s)).unwrap();
        assert_eq!((other.t(), bits(&other), *other.stats()), (s.t(), bits(&s), *s.stats()));
        assert!(other.events().is_empty());
        let mut go_on = busy_scene();
        go_on.restore(&saved(&s)).unwrap();
        for _ in 0..3 {
            other.step(0.01).unwrap();
            go_on.step(0.01).unwrap();
        }
        assert_eq!(bits(&other), bits(&go_on));
    }
    let halfway = saved(&s);
    s.advance(1.0, 0.01).unwrap();
    let mut other = busy_scene();
    other.restore(&halfway).unwrap();
    other.advance(1.0, 0.01).unwrap();
    assert_eq!(bits(&other), bits(&s));
    assert_eq!(other.events(), s.events());
    // The model is asked once more for what was at hand when the state was saved.
    let counts = |s: &Stepper| (s.stats().substeps, s.stats().pivots, s.stats().check_solves);
    assert_eq!(counts(&other), counts(&s));
}

#[test]
fn a_failed_step_leaves_the_snapshot_as_it_was_but_for_its_count() {
    let mut s = busy_scene();
    s.advance(0.5, 0.01).unwrap();
    let mut reference = busy_scene();
    reference.restore(&saved(&s)).unwrap();
    assert!(s.step(1e300).is_err());
    assert_eq!(s.stats().rejected, 1);
    s.advance(0.7, 0.01).unwrap();
    reference.advance(0.7, 0.01).unwrap();
    assert_eq!(bits(&s), bits(&reference));
}

#[test]
fn a_snapshot_of_other_options_is_refused_and_says_which() {
    let make = |options: &Options| {
        let (model, q, v) = rod(0.5);
        stepper(model, options, &q, &v)
    };
    let usual = Options::default();
    let mut s = make(&usual);
    s.advance(0.3, 0.01).unwrap();
    let before = bits(&s);
    for (options, name) in [
        (Options { method: MethodKind::TrapezoidII, ..usual }, "method"),
        (Options { events: Some(EventLevel::Collisions), ..usual }, "events"),
        (Options { closing: 0.02, ..usual }, "closing"),
        (Options { damping_steps: false, ..usual }, "damping_steps"),
        (Options { contact_margin: 0.5, ..usual }, "contact_margin"),
    ] {
        let e = s.restore(&saved(&make(&options))).unwrap_err();
        let says = format!("of a stepper with another {name}");
        assert!(matches!(&e, Error::Value { got, .. } if *got == says), "{e}");
        assert_eq!(bits(&s), before);
    }
    // How many events are kept, and whether the host stops at them, is no part of the motion, and a default may be spelt
    // out.
    let same = Options { event_capacity: 7, stop_at_event: true, closing: 0.01, ..usual };
    s.restore(&saved(&make(&same))).unwrap();
}

#[test]
fn what_is_not_a_whole_snapshot_is_refused_and_changes_nothing() {
    let mut s = busy_scene();
    s.advance(0.3, 0.01).unwrap();
    let good = saved(&s);
    let before = (s.t(), bits(&s), *s.stats());
    for cut in [0, 7, 11, 40, good.len() - 1] {
        assert!(matches!(s.restore(&good[..cut]), Err(Error::Value { .. })), "{cut}");
    }
    for place in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        let e = s.restore(&bad).unwrap_err();
        let version = (8..12).contains(&place);
        assert_eq!(matches!(e, Error::SnapshotVersion { .. }), version, "{place}: {e}");
        assert!(version || matches!(e, Error::Value { .. }), "{place}: {e}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(s.restore(&longer).is_err());
    let (model, q, v) = rod(0.5);
    let other = stepper(model, &Options::default(), &q, &v);
    assert!(matches!(s.restore(&saved(&other)), Err(Error::Dimension { .. })));
    assert!(matches!(s.save(&mut vec![0; good.len() - 1]), Err(Error::Capacity { .. })));
    assert_eq!((s.t(), bits(&s), *s.stats()), before);
    s.restore(&good).unwrap();
}
