//! Steps of many contacts allocate nothing once their sizes have settled.

#[path = "support/counting.rs"]
mod counting;
#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use counting::allocations;
use many::scenes::{self, Load};
use std::sync::Arc;
use stiction::step::{EventLevel, Options, Stepper};

const H: f64 = 5e-3;

#[test]
fn many_contacts_are_stepped_without_allocating_once_sizes_have_settled() {
    for (name, plan, events, settle, steps) in [
        ("base", scenes::base(8, Load::Pushed), EventLevel::All, 20, 40),
        ("stack", scenes::stack(3, 1.0), EventLevel::All, 3, 10),
        ("wall", scenes::wall(2), EventLevel::All, 3, 10),
        ("pile", scenes::pile(8), EventLevel::None, 250, 100),
        ("chain", scenes::chain(4), EventLevel::None, 250, 100),
        ("pawl", scenes::pawl(5), EventLevel::All, 40, 20),
    ] {
        let options = Options { events: Some(events), ..Options::default() };
        let mut s = Stepper::new(Arc::new(plan.build().unwrap()), &options).unwrap();
        for _ in 0..settle {
            s.step(H).unwrap();
        }
        let count = allocations(|| {
            for _ in 0..steps {
                s.step(H).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}
