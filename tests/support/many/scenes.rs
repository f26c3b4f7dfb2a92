//! The scenes with many contacts: bases, stacks, walls, piles, chains, a pawl, jacks.

use super::{Form, Plan, Push};
use crate::rng::Rng;

/// What happens to a box on a base of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    Rest,
    /// 8 cos 5t newton through its base: it sticks and slides.
    Pushed,
    /// It turns about an edge of its base at 1 rad/s and falls back; 2.5 rad/s would throw it over.
    Tipping,
}

/// |x(5)| of a pushed box: closed form of a block with mu = 0.5 under 8 cos 5t.
pub const PUSHED: f64 = 0.140585627;

/// A box of 1 kg and 1 m on `side` by `side` points.
pub fn base(side: usize, load: Load) -> Plan {
    let mut plan = Plan::on_ground();
    let cube = plan.body(1.0, 1.0 / 6.0, [0.0, 0.0, 0.5]);
    let at = |k: usize| k as f64 / (side - 1) as f64 - 0.5;
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        plan.shapes.push((Some(cube), Form::Point, [at(i), at(j), -0.5]));
    }
    match load {
        Load::Rest => {}
        Load::Pushed => {
            let (at, along) = ([0.0, 0.0, -0.5], [8.0, 0.0, 0.0]);
            plan.push = Some(Push { body: cube, at, along, rate: 5.0 });
        }
        Load::Tipping => {
            // omega x (center - edge), with the edge at x = 1/2, z = 0.
            plan.bodies[cube].omega = [0.0, 1.0, 0.0];
            plan.bodies[cube].v = [0.5, 0.0, 0.5];
        }
    }
    plan
}

/// `n` cubes of 1 m on each other, the topmost of mass `top`, the others of 1 kg.
pub fn stack(n: usize, top: f64) -> Plan {
    let mut plan = Plan::on_ground();
    for k in 0..n {
        let m = if k + 1 == n { top } else { 1.0 };
        let cube = plan.body(m, m / 6.0, [0.0, 0.0, 0.5 + k as f64]);
        plan.shapes.push((Some(cube), Form::Box([0.5; 3]), [0.0; 3]));
    }
    plan
}

/// Bricks of 2 by 1 by 1 m in `rows` rows of `rows`, each row half a brick further.
pub fn wall(rows: usize) -> Plan {
    let mut plan = Plan::on_ground();
    for (k, j) in (0..rows).flat_map(|k| (0..rows).map(move |j| (k, j))) {
        let x = 2.05 * j as f64 + (k % 2) as f64;
        let brick = plan.body(1.0, 0.3, [x, 0.0, 0.5 + k as f64]);
        plan.shapes.push((Some(brick), Form::Box([1.0, 0.5, 0.5]), [0.0; 3]));
    }
    plan
}

/// Four walls around a square pit from `near` to `far`.
fn pit(plan: &mut Plan, near: f64, far: f64) {
    for (k, sign, at) in [(0, 1.0, near), (0, -1.0, far), (1, 1.0, near), (1, -1.0, far)] {
        let (mut normal, mut place) = ([0.0; 3], [0.0; 3]);
        (normal[k], place[k]) = (sign, at);
        plan.shapes.push((None, Form::Plane(normal), place));
    }
}

/// Places of `n` things of size `r` in shaken layers of `side` by `side`.
fn layers(n: usize, side: usize, r: f64) -> impl Iterator<Item = [f64; 3]> {
    let mut rng = Rng::new(1);
    (0..n).map(move |k| {
        let (layer, i, j) = (k / (side * side), k / side % side, k % side);
        let at = [2.05 * r * i as f64, 2.05 * r * j as f64, 1.2 * r + 2.1 * r * layer as f64];
        at.map(|x| x + 0.05 * r * rng.signed())
    })
}

/// `n` spheres of 0.1 m and 1 kg let go in layers between four walls.
pub fn pile(n: usize) -> Plan {
    let mut plan = Plan::on_ground();
    let (r, side) = (0.1, (n as f64 / 4.0).sqrt().ceil().max(2.0) as usize);
    for at in layers(n, side, r) {
        let ball = plan.body(1.0, 0.4 * r * r, at);
        plan.shapes.push((Some(ball), Form::Ball(r), [0.0; 3]));
    }
    pit(&mut plan, -1.2 * r, 2.05 * r * side as f64 - r);
    plan
}

/// `n` jacks, three crossed rods of 0.2 m each, let go in layers between four walls.
pub fn jacks(n: usize) -> Plan {
    let mut plan = Plan::on_ground();
    let (r, side) = (0.1, (n as f64 / 4.0).sqrt().ceil().max(2.0) as usize);
    for at in layers(n, side, 1.1 * r) {
        let jack = plan.body(1.0, 2.0 / 9.0 * r * r, at);
        for axis in 0..3 {
            plan.shapes.push((Some(jack), Form::Rod(axis, 0.8 * r, 0.2 * r), [0.0; 3]));
        }
    }
    pit(&mut plan, -1.3 * r, 2.3 * r * side as f64 - r);
    plan
}

/// A chain of `n` links with a ball each, let go level above the ground and over a step.
pub fn chain(n: usize) -> Plan {
    let mut plan = Plan::on_ground();
    for k in 0..n {
        let x = 0.1 * k as f64;
        let link = plan.body(0.1, 1e-4, [x, 0.0, 0.3]);
        plan.shapes.push((Some(link), Form::Ball(0.04), [0.0; 3]));
        if k > 0 {
            plan.joints.push((link - 1, link, [x - 0.05, 0.0, 0.3]));
        }
    }
    plan.shapes.push((None, Form::Box([0.3, 0.5, 0.05]), [0.05 * n as f64, 0.0, 0.05]));
    plan
}

/// A pawl of 0.2 by 0.1 by 0.1 m with `faces` times 6 points on its floor and `faces` times 3 on each of two faces, 12
/// `faces` altogether, pushed into the corner of a slot: 10 mm from its end, 1 mm of play to its sides.
pub fn pawl(faces: usize) -> Plan {
    let mut plan = Plan::on_ground();
    let half = [0.1, 0.05, 0.05];
    let pawl = plan.body(1.0, 1e-3, [0.0, 0.0, half[2]]);
    let grid = |n: usize, k: usize| 1.9 * (k as f64 / (n - 1).max(1) as f64 - 0.5);
    let mut face = |fixed: usize, sign: f64, across: [usize; 2], n: [usize; 2]| {
        for (i, j) in (0..n[0]).flat_map(|i| (0..n[1]).map(move |j| (i, j))) {
            let mut at = [0.0; 3];
            at[fixed] = sign * half[fixed];
            at[across[0]] = grid(n[0], i) * half[across[0]];
            at[across[1]] = grid(n[1], j) * half[across[1]];
            plan.shapes.push((Some(pawl), Form::Point, at));
        }
    };
    face(2, -1.0, [0, 1], [faces, 6]);
    face(1, 1.0, [0, 2], [faces, 3]);
    face(0, 1.0, [1, 2], [faces, 3]);
    for (normal, at) in [
        ([0.0, -1.0, 0.0], [0.0, half[1] + 1e-3, 0.0]),
        ([0.0, 1.0, 0.0], [0.0, -half[1] - 1e-3, 0.0]),
        ([-1.0, 0.0, 0.0], [half[0] + 1e-2, 0.0, 0.0]),
    ] {
        plan.shapes.push((None, Form::Plane(normal), at));
    }
    // Through the center, so that nothing but the walls turns it.
    plan.push = Some(Push { body: pawl, at: [0.0; 3], along: [12.0, 4.0, 0.0], rate: 0.0 });
    plan
}
