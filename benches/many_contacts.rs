//! What a step costs with many contacts: time, penetration, drift, residual, pivots and who answered, for bases of
//! points, stacks, walls, piles, chains, a pawl and jacks; how the time grows with the contacts; ODE, MuJoCo and DART
//! on the same scenes in the same run, where they are installed.
//!
//! `cargo bench --bench many_contacts -- [SCENE ...] [--limit CPU_SECONDS] [--steps N] [--sizes A,B] [--events LEVEL]
//! [--peers no|only]`; SCENE may also be `lemke` (300 contacts against a cold Lemke) or `batch` (two threads); `--long` takes 10,000 steps (or `--steps`) of every scene and says which bounds hold; `--watched` computes every
//! step, also of what rests.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;
#[path = "../tests/support/many/mod.rs"]
mod many;
#[path = "../tests/support/pile.rs"]
mod pile;
#[path = "../tests/support/rng.rs"]
#[allow(dead_code, reason = "shared with tests, which use all of it")]
mod rng;

mod peers {
    pub mod compile;
}
#[path = "many/ask.rs"]
mod ask;
#[path = "many/batch.rs"]
mod batch;
#[path = "many/lemke.rs"]
mod lemke;
#[path = "many/measure.rs"]
mod measure;
#[path = "many/others.rs"]
mod others;
#[path = "many/tableau.rs"]
mod tableau;

use ask::{Asked, Who};
use many::scenes::{self, Load, PUSHED};
use many::{Done, Plan, Push};
use measure::{Row, growth, head, measure};
use others::Others;
use stiction::step::EventLevel;

/// Scenes of one kind in several sizes.
struct Family {
    name: &'static str,
    make: fn(usize) -> Plan,
    sizes: &'static [usize],
    steps: usize,
    /// |x| of the first body at the end of all steps, where it is known.
    exact: Option<f64>,
    /// Nothing moves, or what joints hold does not: what does is drift.
    still: bool,
    /// Sizes differ in contacts, so that growth means something.
    grows: bool,
    /// Rows for every level of events.
    levels: bool,
}

const PLAIN: Family = Family {
    name: "",
    make: |_| Plan::default(),
    sizes: &[],
    steps: 1000,
    exact: None,
    still: false,
    grows: true,
    levels: false,
};

/// All scenes; bases in points per side, the heavy stack in powers of ten, the others in bodies, rows or links.
const FAMILIES: [Family; 10] = [
    Family {
        name: "rest",
        make: |n| scenes::base(n, Load::Rest),
        sizes: &[2, 4, 8, 16],
        still: true,
        ..PLAIN
    },
    Family {
        name: "pushed",
        make: |n| scenes::base(n, Load::Pushed),
        sizes: &[2, 4, 8, 16],
        exact: Some(PUSHED),
        levels: true,
        ..PLAIN
    },
    Family {
        name: "tipping",
        make: |n| scenes::base(n, Load::Tipping),
        sizes: &[2, 4, 8, 16],
        ..PLAIN
    },
    Family {
        name: "stack",
        make: |n| scenes::stack(n, 1.0),
        sizes: &[1, 5, 10, 20],
        still: true,
        ..PLAIN
    },
    Family {
        name: "heavy",
        make: |n| scenes::stack(5, 10f64.powi(n as i32)),
        sizes: &[0, 1, 2, 3, 4],
        steps: 200,
        still: true,
        grows: false,
        ..PLAIN
    },
    Family {
        name: "wall",
        make: scenes::wall,
        sizes: &[2, 4, 6, 8],
        steps: 200,
        still: true,
        ..PLAIN
    },
    Family {
        name: "pile",
        make: scenes::pile,
        sizes: &[35, 100, 330],
        steps: 200,
        levels: true,
        ..PLAIN
    },
    Family {
        name: "chain",
        make: scenes::chain,
        sizes: &[10, 25, 50],
        steps: 200,
        still: true,
        levels: true,
        ..PLAIN
    },
    Family { name: "pawl", make: scenes::pawl, sizes: &[5, 10, 25], steps: 200, ..PLAIN },
    Family {
        name: "jacks",
        make: scenes::jacks,
        sizes: &[10, 30],
        steps: 200,
        levels: true,
        ..PLAIN
    },
];

/// Name of one scene as its row has it.
fn label(f: &Family, n: usize) -> String {
    match f.name {
        "rest" | "pushed" | "tipping" => format!("{}, {} points", f.name, n * n),
        "heavy" => format!("heavy, top 1e{n}"),
        "pawl" => format!("pawl, {} points", 12 * n),
        _ => format!("{} {n}", f.name),
    }
}

/// One scene; a load of nothing may be something at another time, so that no step of it is repeated.
fn scene(f: &Family, n: usize, asked: &Asked) -> Plan {
    let mut plan = (f.make)(n);
    if asked.watched {
        let nothing = Push { body: 0, at: [0.0; 3], along: [0.0; 3], rate: 0.0 };
        plan.push = plan.push.or(Some(nothing));
    }
    plan
}

fn family(f: &Family, asked: &Asked, others: &Others) -> Done<()> {
    let steps = asked.steps.unwrap_or(f.steps);
    // Known at the end of 5 s only.
    let exact = f.exact.filter(|_| steps == f.steps);
    let sizes = asked.sizes.as_deref().unwrap_or(f.sizes);
    let levels: &[EventLevel] = match asked.events {
        Some(ref level) => std::slice::from_ref(level),
        None if f.levels => &[EventLevel::All, EventLevel::Collisions, EventLevel::None],
        None => &[EventLevel::All],
    };
    let mut points = vec![vec![]; levels.len()];
    let mut cut = vec![false; levels.len()];
    for &n in sizes {
        let (plan, name) = (scene(f, n, asked), label(f, n));
        for ((level, points), cut) in levels.iter().zip(&mut points).zip(&mut cut) {
            if asked.who == Who::PeersOnly {
                break;
            }
            let row = measure(&plan, *level, steps, asked.limit)?;
            row.print(&name, &format!("stiction, {level:?}"), f.still, exact);
            points.push((row.contacts as f64, row.us));
            *cut |= !row.note.is_empty();
        }
        for (peer, row) in others.measure(f.name, &plan, steps, asked.limit) {
            match row {
                Some(row) => row.print(&name, peer, f.still, exact),
                None => println!(
                    "| {name} | {peer} | - | 0 | - | - | - | - | - | - | - | - | - | - | ended without an answer |"
                ),
            }
        }
    }
    for ((level, points), cut) in levels.iter().zip(&points).zip(&cut).filter(|_| f.grows) {
        growth(&format!("{}, {level:?}", f.name), points, *cut);
    }
    Ok(())
}

fn main() -> Done<()> {
    let asked = match Asked::from_arguments() {
        Ok(asked) => asked,
        Err(text) => {
            println!("{text}");
            std::process::exit(2);
        }
    };
    let wanted = |name: &str| asked.scenes.is_empty() || asked.scenes.iter().any(|a| a == name);
    let others = if asked.who == Who::All || asked.who == Who::PeersOnly {
        Others::find()
    } else {
        Others::default()
    };
    for line in &others.missing {
        println!("{line}");
    }
    if asked.long {
        return long_runs(&asked, &wanted);
    }
    head();
    for f in FAMILIES.iter().filter(|f| wanted(f.name)) {
        family(f, &asked, &others)?;
    }
    if asked.who != Who::PeersOnly && wanted("lemke") {
        lemke::compare(asked.limit);
    }
    if asked.who != Who::PeersOnly && wanted("batch") {
        batch::compare()?;
    }
    Ok(())
}

/// Many steps of every scene in its smallest size and one larger, and whether they kept what is promised: no step fails, every residual
/// below 1e-8, nothing that rests drifts by more than 1e-9 m. Where no events are located, gaps and joint errors are those of the second half.
fn long_runs(asked: &Asked, wanted: &dyn Fn(&str) -> bool) -> Done<()> {
    let steps = asked.steps.unwrap_or(10_000);
    let (mut broken, mut cut) = (0, 0);
    head();
    for f in FAMILIES.iter().filter(|f| wanted(f.name)) {
        let few = &f.sizes[..f.sizes.len().min(2)];
        for &n in asked.sizes.as_deref().unwrap_or(few) {
            let row: Row = measure(
                &scene(f, n, asked),
                asked.events.unwrap_or(EventLevel::All),
                steps,
                asked.limit,
            )?;
            row.print(&label(f, n), "stiction", f.still, None);
            broken += usize::from(!row.holds(f.still));
            cut += usize::from(row.steps < steps);
        }
    }
    println!(
        "\n{broken} scenes broke a bound (failed step, residual above 1e-8, gap below -1e-9 m, drift at rest above 1e-9 m; without located events gaps and joint errors of the second half); {cut} did not take all {steps} steps"
    );
    Ok(())
}
