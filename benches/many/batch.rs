//! Many steppers on one and on two threads: how much sooner they are done, and whether they end with the same bits.

use crate::clock::thread_seconds;
use crate::many::scenes::{self, Load};
use crate::many::{Done, Plan};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use stiction::batch;
use stiction::step::{Options, Stepper};

/// Steppers of a batch.
const COUNT: usize = 32;

/// Seconds on the clock, CPU seconds of all threads and of the busiest one, and the bits of all states.
struct Run {
    clock: f64,
    all: f64,
    busiest: f64,
    bits: Vec<u64>,
}

fn run(plan: &Plan, threads: usize, steps: usize) -> Done<Run> {
    let scene = Arc::new(plan.build()?);
    let make = |_| Stepper::new(scene.clone(), &Options::default());
    let mut steppers: Vec<Stepper> = (0..COUNT).map(make).collect::<Result<_, _>>()?;
    // Every one a motion of its own.
    for (k, s) in steppers.iter_mut().enumerate() {
        let (q, mut v) = (s.q().to_vec(), s.v().to_vec());
        v[0] += 0.01 * k as f64;
        s.set_state(0.0, &q, &v)?;
    }
    let busy = Mutex::new(BTreeMap::new());
    let begin = Instant::now();
    batch::each(threads, &mut steppers, |s| {
        let start = thread_seconds();
        for _ in 0..steps {
            // A stepper that fails stays where it is; its bits tell.
            if s.step(5e-3).is_err() {
                break;
            }
        }
        let spent = thread_seconds() - start;
        let name = format!("{:?}", std::thread::current().id());
        if let Ok(mut busy) = busy.lock() {
            *busy.entry(name).or_insert(0.0) += spent;
        }
    });
    let clock = begin.elapsed().as_secs_f64();
    let busy = busy.into_inner().unwrap_or_default();
    let bits = steppers.iter().flat_map(|s| s.q().iter().chain(s.v())).map(|x| x.to_bits());
    Ok(Run {
        clock,
        all: busy.values().sum(),
        busiest: busy.values().fold(0.0f64, |m, x| m.max(*x)),
        bits: bits.collect(),
    })
}

/// Prints one row per scene. Threads share two cores with whatever else runs: the time on the clock is theirs only on a
/// quiet machine; the CPU time of the busiest thread is what it would be on free cores.
pub fn compare() -> Done<()> {
    println!(
        "\n| {COUNT} steppers | clock 1 thread, s | 2 threads | ratio | CPU 1 thread, s | busiest of 2 | ratio | same bits |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, plan, steps) in [
        ("box sliding on 4 points", scenes::base(2, Load::Pushed), 1000),
        ("box tipping on 16 points", scenes::base(4, Load::Tipping), 200),
        ("stack of 3 whose foot moves", scenes::stack(3, 1.0), 20),
    ] {
        let (one, two) = (run(&plan, 1, steps)?, run(&plan, 2, steps)?);
        println!(
            "| {name}, {steps} steps | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
            one.clock,
            two.clock,
            one.clock / two.clock,
            one.all,
            two.busiest,
            one.all / two.busiest,
            if one.bits == two.bits { "yes" } else { "NO" }
        );
    }
    Ok(())
}
