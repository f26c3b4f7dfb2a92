//! One model, many steppers, many threads: each motion has the bits that it has alone.

#[path = "support/experiments.rs"]
mod experiments;
#[path = "support/norms.rs"]
mod norms;
mod scenes;

use experiments::{Experiment, block, carts, pendulum, rod_on_table};
use stiction::step::{MethodKind, Options};

/// Bits of the state after 200 steps of length h.
fn bits(e: &Experiment, method: MethodKind, h: f64) -> Vec<u64> {
    let mut s = e.stepper(&Options { method, ..Options::default() });
    for _ in 0..200 {
        s.step(h).unwrap();
    }
    s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect()
}

#[test]
fn sixty_four_steppers_on_eight_threads_move_as_each_does_alone() {
    let methods = [
        MethodKind::Trapezoid,
        MethodKind::TrapezoidII,
        MethodKind::ImplicitEuler,
        MethodKind::RadauIIA5,
    ];
    let scenes = [pendulum(), block(), carts(), rod_on_table()];
    // Sixteen pairs of model and method, four step sizes each.
    let job = &|k: usize| (&scenes[k % 4], methods[k / 4 % 4], 0.002 + 0.0005 * (k / 16) as f64);
    let alone: Vec<_> = (0..64).map(job).map(|(e, m, h)| bits(e, m, h)).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|t| {
                scope.spawn(move || {
                    let mine = (0..8).map(|i| 8 * i + t);
                    mine.map(|k| (k, job(k)))
                        .map(|(k, (e, m, h))| (k, bits(e, m, h)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        for thread in threads {
            for (k, together) in thread.join().unwrap() {
                assert_eq!(together, alone[k], "stepper {k}");
            }
        }
    });
}
