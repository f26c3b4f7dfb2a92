//! A counting allocator around the loop of request and answer: after creation nothing is allocated.

#[path = "support/counting.rs"]
mod counting;

use counting::allocations;
use std::sync::Arc;
use stiction::model::Dims;
use stiction::passive::{Options, Passive, Progress, Quantities, Quantity, step};
use stiction::step::Stepper;

#[test]
fn request_and_answer_allocate_nothing() {
    // A ball above the ground that bounces, and comes to rest.
    let dims = Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() };
    let gives = Quantities::of(&[Quantity::Force]);
    let options = Options { gives, restitution: vec![0.5], ..Options::default() };
    let model = Arc::new(Passive::new(dims, &options).unwrap());
    let mut s = Stepper::new(model.clone(), &stiction::step::Options::default()).unwrap();
    s.set_state(0.0, &[1.0], &[0.0]).unwrap();
    let (mut rounds, mut events) = (0, 0);
    let count = allocations(|| {
        for _ in 0..200 {
            while step(&mut s, 0.05).unwrap() == Progress::Wanted {
                for i in 0..model.request_count() {
                    let (mut q, mut v) = ([0.0], [0.0]);
                    let (wanted, _) = model.request(i, &mut q, &mut v).unwrap();
                    for quantity in wanted.members() {
                        let answer = match quantity {
                            Quantity::Mass | Quantity::Normal => 1.0,
                            Quantity::Force => -2.0,
                            _ => q[0],
                        };
                        model.put(i, quantity, &[answer]).unwrap();
                    }
                }
                rounds += 1;
            }
            events += s.events().len();
        }
    });
    assert!(rounds >= 400 && events >= 5, "{rounds} {events}");
    assert_eq!(count, 0);
}
