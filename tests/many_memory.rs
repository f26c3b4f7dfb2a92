//! What a stepper of many contacts holds in memory grows with the contacts, not with their square.

#[path = "support/counting.rs"]
#[allow(dead_code, reason = "shared with tests that count allocations")]
mod counting;
#[path = "support/many/mod.rs"]
mod many;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use counting::weighed;
use many::Plan;
use many::scenes::{self, Load};
use std::sync::Arc;
use stiction::rigid::{Builder, Scene, Spring};
use stiction::step::{ContactMode, EventLevel, Options, Stepper};

const H: f64 = 5e-3;

/// Most contacts that touched at once, and bytes held, after `steps` steps.
fn weigh(plan: &Plan, steps: usize) -> (f64, f64) {
    weigh_scene(plan.build().unwrap(), steps)
}

fn weigh_scene(scene: Scene, steps: usize) -> (f64, f64) {
    let scene = Arc::new(scene);
    let options = Options { events: Some(EventLevel::None), ..Options::default() };
    let mut most = 0;
    let (_stepper, bytes) = weighed(|| {
        let mut s = Stepper::new(scene.clone(), &options).unwrap();
        for _ in 0..steps {
            s.step(H).unwrap();
            let touching = |i: &usize| s.contact_mode(*i) != ContactMode::Open;
            most = most.max((0..s.contact_count()).filter(touching).count());
        }
        s
    });
    (most as f64, bytes as f64)
}

/// Slope of log bytes over log contacts, by least squares.
fn exponent(rows: &[(f64, f64)]) -> f64 {
    let n = rows.len() as f64;
    let x = rows.iter().map(|r| r.0.ln()).sum::<f64>() / n;
    let y = rows.iter().map(|r| r.1.ln()).sum::<f64>() / n;
    let (mut above, mut below) = (0.0, 0.0);
    for (contacts, bytes) in rows {
        above += (contacts.ln() - x) * (bytes.ln() - y);
        below += (contacts.ln() - x).powi(2);
    }
    above / below
}

#[test]
fn memory_grows_no_faster_than_the_points_of_a_base() {
    let rows = [2, 4, 8, 16].map(|n| weigh(&scenes::base(n, Load::Rest), 5));
    assert_eq!(rows.map(|r| r.0), [4.0, 16.0, 64.0, 256.0]);
    assert!(exponent(&rows) < 1.0, "{}: {rows:?}", exponent(&rows));
    // 640 unknowns of 64 points: one square of them alone is 3.3 MB, and there were 24.
    assert!(rows[2].1 < 2.0 * rows[1].1, "{rows:?}");
}

#[test]
fn memory_grows_with_the_links_of_a_chain() {
    // As long as no problem is left to Lemke's method, which takes the square of its unknowns when it is asked.
    let rows = [10, 25, 50].map(|n| (n as f64, weigh(&scenes::chain(n), 45).1));
    assert!(exponent(&rows) < 1.2, "{}: {rows:?}", exponent(&rows));
}

#[test]
fn memory_grows_with_the_spheres_of_a_pile() {
    // Few steps: all spheres touch some other, none of the problems is left to Lemke's method.
    let rows = [35, 100, 330].map(|n| weigh(&scenes::pile(n), 20));
    assert!(exponent(&rows) < 1.2, "{}: {rows:?}", exponent(&rows));
}

/// Balls in flight, each on a spring to the one that `on` says.
fn on_springs(n: usize, on: impl Fn(usize) -> usize) -> Scene {
    let mut b = Builder::new();
    let i = 6.4e-5;
    let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
    let place = |k: usize| [0.1 * k as f64, 0.05 * (k % 3) as f64, 0.0];
    let ball = |k: usize| b.spatial(0.1, inertia, place(k), [1.0, 0.0, 0.0, 0.0]).unwrap();
    let ids: Vec<_> = (0..n).map(ball).collect();
    let spring = Spring { stiffness: 1e5, damping: 1.0, rest: None };
    for k in 1..n {
        b.spring(ids[on(k)], [0.01, 0.0, 0.0], ids[k], [0.0, 0.01, 0.0], spring).unwrap();
    }
    b.build().unwrap()
}

#[test]
fn memory_grows_with_the_springs_of_a_chain_and_of_a_star() {
    for middle in [false, true] {
        let scene = |n: usize| on_springs(n, |k| if middle { 0 } else { k - 1 });
        let rows = [50, 100, 200].map(|n| (n as f64, weigh_scene(scene(n), 5).1));
        assert!(exponent(&rows) < 1.1, "{}: {rows:?}", exponent(&rows));
        // One square of 1200 velocities is 11.5 MB, and there were some thirty.
        assert!(rows[2].1 < 11.5e6, "{rows:?}");
    }
}
