//! What it costs to find and to push the contacts of many balls in a box, by their number: the
//! question that a stepper asks at every point.
//!
//! `cargo bench --bench assembly`
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;

use clock::thread_seconds;
use stiction::model::{Checked, ContactSet, Model};
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Surface};

/// `count` balls of 0.1 m radius, packed in layers of ten by ten, each a little off its place, between
/// a floor and four walls.
fn balls(count: usize) -> Result<Scene, stiction::Error> {
    let mut b = Builder::new();
    b.surface(Default::default(), Default::default(), Surface { mu: 0.5, ..Default::default() })?;
    let side = (count as f64).cbrt().ceil() as usize;
    let mut seed = 1u32;
    let mut off = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1e-3 * (f64::from(seed >> 8) / f64::from(1 << 24) - 0.5)
    };
    for k in 0..count {
        let at = [k % side, k / side % side, k / side / side].map(|i| 0.1 + 0.2 * i as f64 + off());
        let inertia = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
        let body = b.spatial(1.0, inertia, at, [1.0, 0.0, 0.0, 0.0])?;
        b.shape(body, Shape::Ball { radius: 0.1 }, Attach::default())?;
    }
    let wide = 0.2 * side as f64;
    for (normal, at) in [
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([1.0, 0.0, 0.0], [0.0; 3]),
        ([0.0, 1.0, 0.0], [0.0; 3]),
        ([-1.0, 0.0, 0.0], [wide, 0.0, 0.0]),
        ([0.0, -1.0, 0.0], [0.0, wide, 0.0]),
    ] {
        b.shape(Link::Ground, Shape::HalfSpace { normal }, Attach { at, ..Attach::default() })?;
    }
    b.build()
}

fn main() -> Result<(), stiction::Error> {
    println!("| balls | contacts | us | us/contact | exponent |");
    println!("|---|---|---|---|---|");
    let mut before: Option<(f64, f64)> = None;
    for count in [125, 250, 500, 1000, 2000, 4000] {
        let scene = balls(count)?;
        let asked = Checked::new(&scene);
        let mut set = ContactSet::new(scene.dims().nv, scene.dims().n_dir, scene.hosted());
        let mut ask = || asked.contacts(0.0, scene.initial_position(), 0.01, &mut set);
        ask()?;
        let rounds = 400_000 / count;
        let start = thread_seconds();
        for _ in 0..rounds {
            ask()?;
        }
        let spent = 1e6 * (thread_seconds() - start) / rounds as f64;
        let contacts = set.len() as f64;
        let exponent = before.map(|(n, us)| (spent / us).ln() / (contacts / n).ln());
        println!(
            "| {count} | {contacts} | {spent:.0} | {:.3} | {} |",
            spent / contacts,
            exponent.map_or("-".into(), |e| format!("{e:.2}"))
        );
        before = Some((contacts, spent));
    }
    Ok(())
}
