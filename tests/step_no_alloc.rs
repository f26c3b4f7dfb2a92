//! A counting allocator around steps: after creation nothing is allocated, not even through impacts, events and snapshots.

mod scenes;

use scenes::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stiction::step::{MethodKind, Options, Stepper};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is being torn down has no counter any more.
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn steps_allocate(s: &mut Stepper, n: usize, h: f64) -> usize {
    let mut bytes = vec![0; s.saved_size() + 4096];
    let before = COUNT.get();
    let mut happened = 0;
    for _ in 0..n {
        s.step(h).unwrap();
        happened += s.events().len();
        let length = s.save(&mut bytes).unwrap();
        s.restore(&bytes[..length]).unwrap();
    }
    let count = COUNT.get() - before;
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
