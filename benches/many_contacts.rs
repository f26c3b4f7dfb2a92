//! What a step costs with many contacts: time, drift, penetration, residual, pivots and who answered,
//! for bases of points, stacks, walls, piles and chains, and how the time grows with the contacts.
//!
//! `cargo bench --bench many_contacts` runs all scenes; `-- stack pile` those of these names. A scene
//! that is long on a slow machine ends after `SECONDS` of it, with the steps done so far.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/clock.rs"]
mod clock;
#[path = "../tests/support/jacks.rs"]
mod jacks;
#[path = "../tests/support/rng.rs"]
#[allow(dead_code, reason = "shared with tests, which use all of it")]
mod rng;

use clock::thread_seconds;
use jacks::Jacks;
use rng::Rng;
use std::sync::Arc;
use stiction::model::Model;
use stiction::rigid::{Attach, BodyId, Builder, Joint, Link, Scene, Shape, Surface};
use stiction::step::{Options, Stepper};

type Done<T> = Result<T, stiction::Error>;

/// |x(5)| of the pushed box: closed form of a block with mu = 0.5 under 8 cos 5t.
const PUSHED: f64 = 0.140585627;

/// Step of all scenes, s.
const H: f64 = 5e-3;

/// CPU time after which a scene is cut short, s.
const SECONDS: f64 = 20.0;

fn builder() -> Done<Builder> {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81])?;
    b.surface(Default::default(), Default::default(), Surface { mu: 0.5, ..Default::default() })?;
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 0.0, 1.0] }, Attach::default())?;
    Ok(b)
}

/// A body of mass `m` with the moment of inertia `i` about every axis.
fn body(b: &mut Builder, m: f64, i: f64, at: [f64; 3]) -> Done<BodyId> {
    let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
    b.spatial(m, inertia, at, [1.0, 0.0, 0.0, 0.0])
}

/// A box of 1 kg and 1 m on `side` by `side` points, pushed level through its base by `push` cos 5t.
fn base(side: usize, push: f64) -> Done<Scene> {
    let mut b = builder()?;
    let cube = body(&mut b, 1.0, 1.0 / 6.0, [0.0, 0.0, 0.5])?;
    let at = |k: usize| k as f64 / (side - 1) as f64 - 0.5;
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let how = Attach { at: [at(i), at(j), -0.5], ..Attach::default() };
        b.shape(cube, Shape::Ball { radius: 0.0 }, how)?;
    }
    if push > 0.0 {
        let force = Arc::new(move |t: f64| [push * (5.0 * t).cos(), 0.0, 0.0]);
        b.force(cube, [0.0, 0.0, -0.5], force)?;
    }
    b.build()
}

/// `n` cubes of 1 m on each other, the topmost of mass `top`, the others of 1 kg.
fn stack(n: usize, top: f64) -> Done<Scene> {
    let mut b = builder()?;
    for k in 0..n {
        let m = if k + 1 == n { top } else { 1.0 };
        let cube = body(&mut b, m, m / 6.0, [0.0, 0.0, 0.5 + k as f64])?;
        b.shape(cube, Shape::Box { half: [0.5; 3] }, Attach::default())?;
    }
    b.build()
}

/// Bricks of 2 by 1 by 1 m in `rows` rows of `rows`, each row half a brick further.
fn wall(rows: usize) -> Done<Scene> {
    let mut b = builder()?;
    for (k, j) in (0..rows).flat_map(|k| (0..rows).map(move |j| (k, j))) {
        let x = 2.05 * j as f64 + (k % 2) as f64;
        let brick = body(&mut b, 1.0, 0.3, [x, 0.0, 0.5 + k as f64])?;
        b.shape(brick, Shape::Box { half: [1.0, 0.5, 0.5] }, Attach::default())?;
    }
    b.build()
}

/// `n` spheres of 0.1 m let go in layers between four walls.
fn pile(n: usize) -> Done<Scene> {
    let mut b = builder()?;
    let mut rng = Rng::new(1);
    let (r, side) = (0.1, (n as f64 / 4.0).sqrt().ceil().max(2.0) as usize);
    for k in 0..n {
        let (layer, i, j) = (k / (side * side), k / side % side, k % side);
        let at = [2.05 * r * i as f64, 2.05 * r * j as f64, 1.2 * r + 2.1 * r * layer as f64];
        let ball = body(&mut b, 1.0, 0.4 * r * r, at.map(|x| x + 5e-3 * rng.signed()))?;
        b.shape(ball, Shape::Ball { radius: r }, Attach::default())?;
    }
    let far = 2.05 * r * side as f64 - r;
    for (k, sign, at) in [(0, 1.0, -1.2 * r), (0, -1.0, far), (1, 1.0, -1.2 * r), (1, -1.0, far)] {
        let (mut normal, mut place) = ([0.0; 3], [0.0; 3]);
        (normal[k], place[k]) = (sign, at);
        let how = Attach { at: place, ..Attach::default() };
        b.shape(Link::Ground, Shape::HalfSpace { normal }, how)?;
    }
    b.build()
}

/// A chain of `n` links with a ball each, let go level above the ground and over a step.
fn chain(n: usize) -> Done<Scene> {
    let mut b = builder()?;
    let mut last = None;
    for k in 0..n {
        let x = 0.1 * k as f64;
        let link = body(&mut b, 0.1, 1e-4, [x, 0.0, 0.3])?;
        b.shape(link, Shape::Ball { radius: 0.04 }, Attach::default())?;
        if let Some(last) = last.replace(link) {
            b.joint(Joint::Spherical, last, link, [x - 0.05, 0.0, 0.3])?;
        }
    }
    let how = Attach { at: [0.05 * n as f64, 0.0, 0.05], ..Attach::default() };
    b.shape(Link::Ground, Shape::Box { half: [0.3, 0.5, 0.05] }, how)?;
    b.build()
}

/// Contacts at the end and microseconds of a step.
fn measure(
    name: &str,
    scene: impl Model + 'static,
    steps: usize,
    exact: Option<f64>,
) -> Done<(f64, f64)> {
    let mut s = Stepper::new(Arc::new(scene), &Options::default())?;
    let start = thread_seconds();
    let mut done = 0;
    let mut failed = String::new();
    while done < steps && thread_seconds() - start < SECONDS {
        if let Err(e) = s.step(H) {
            failed = format!(" {e}");
            break;
        }
        done += 1;
    }
    let spent = 1e6 * (thread_seconds() - start) / (done.max(1)) as f64;
    let there = (0..s.contact_count()).filter(|&i| s.contact_key(i).is_some()).count();
    let st = s.stats();
    let solves = st.lcp_solves + st.check_solves;
    let error = exact.filter(|_| done == steps).map(|x| s.q()[0].abs() - x);
    println!(
        "| {name} | {there} | {done} | {spent:.1} | {} | {:.1e} | {:.1e} | {} of {} | {} |{failed}",
        error.map_or("-".into(), |e| format!("{e:.1e}")),
        st.worst_gap,
        st.worst_residual,
        st.body_solves,
        solves,
        st.pivots,
    );
    Ok((there as f64, spent))
}

/// Slope of log time over log contacts, by least squares.
fn growth(name: &str, points: &[(f64, f64)]) {
    let logs: Vec<_> = points.iter().map(|(n, t)| (n.ln(), t.ln())).collect();
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x) * (p.0 - x));
    println!("| {name}: time grows as contacts to the power | {slope:.2} | | | | | | | |");
}

fn main() -> Done<()> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|a| a == name);
    println!(
        "| scene | contacts near | steps | us/step | error of x(5) | worst gap | residual | in bodies | pivots |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, push) in [("rest", 0.0), ("pushed", 8.0)] {
        let mut points = vec![];
        for side in [2, 4, 8, 16].into_iter().filter(|_| wanted(name)) {
            let exact = Some(if push > 0.0 { PUSHED } else { 0.0 });
            let label = format!("{name} on {} points", side * side);
            points.push(measure(&label, base(side, push)?, 1000, exact)?);
        }
        if !points.is_empty() {
            growth(name, &points);
        }
    }
    type Make = fn(usize) -> Done<Scene>;
    let families: [(&str, Make, &[usize], usize); 5] = [
        ("stack", |n| stack(n, 1.0), &[1, 5, 10, 20], 200),
        ("heavy", |n| stack(5, 10f64.powi(n as i32)), &[1, 2, 3, 4], 100),
        ("wall", wall, &[2, 4, 6], 50),
        ("pile", pile, &[10, 20, 40], 100),
        ("chain", chain, &[10, 25, 50], 60),
    ];
    for (name, make, sizes, steps) in families.into_iter().filter(|f| wanted(f.0)) {
        let mut points = vec![];
        for &n in sizes {
            points.push(measure(&format!("{name} {n}"), make(n)?, steps, None)?);
        }
        if name != "heavy" {
            growth(name, &points);
        }
    }
    // Crosses of two bars in the plane, all corners of which are groups of four branches.
    for count in [3, 5, 8].into_iter().filter(|_| wanted("jacks")) {
        let pile = Jacks { count, trough: 0.9, mu: 0.5, restitution: 0.0 };
        measure(&format!("jacks {count}"), pile, 600, None)?;
    }
    Ok(())
}
