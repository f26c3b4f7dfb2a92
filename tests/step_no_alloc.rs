//! A counting allocator around steps: after creation nothing is allocated, not even through impacts, events, snapshots and questions.

#[path = "support/counting.rs"]
mod counting;
mod scenes;

use counting::allocations;
use scenes::*;
use stiction::step::{MethodKind, Options, Stepper};

fn steps_allocate(s: &mut Stepper, n: usize, h: f64) -> usize {
    let mut bytes = vec![0; s.saved_size() + 4096];
    let mut happened = 0;
    let count = allocations(|| {
        for _ in 0..n {
            s.step(h).unwrap();
            happened += s.events().len();
            happened += usize::from(s.contact(0).unwrap().gap < -1.0);
            let t = s.t() - 0.4 * h;
            s.state_at(t).unwrap();
            let length = s.save(&mut bytes).unwrap();
            s.restore(&bytes[..length]).unwrap();
        }
    });
    assert!(happened > 0);
    count
}

#[test]
fn a_thousand_steps_allocate_nothing() {
    for method in [
        MethodKind::Trapezoid,
        MethodKind::TrapezoidI,
        MethodKind::TrapezoidII,
        MethodKind::Euler,
        MethodKind::ImplicitEuler,
        MethodKind::Moreau,
        MethodKind::LobattoIIIA4,
        MethodKind::RadauIIA5,
        MethodKind::HalfExplicit4,
    ] {
        let options = Options { method, ..Options::default() };
        let model = DoublePendulum { g: 9.81, e: 0.5 };
        let mut s = stepper(model, &options, &DoublePendulum::start(), &[0.0; 4]);
        assert_eq!(steps_allocate(&mut s, 1000, 0.005), 0, "{method:?}");
        let (model, q, v) = thrown_box(2);
        let mut s = stepper(model, &options, &q, &v);
        assert_eq!(steps_allocate(&mut s, 300, 0.01), 0, "{method:?}");
        let (model, q, v) = chain(4, false);
        let mut s = stepper(model, &options, &q, &v);
        assert_eq!(steps_allocate(&mut s, 200, 0.01), 0, "{method:?}");
    }
    let (model, q, v) = shaken_stack(1);
    let mut s = stepper(model, &Options::default(), &q, &v);
    assert_eq!(steps_allocate(&mut s, 300, 0.01), 0);
}
