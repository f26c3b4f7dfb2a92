//! Two carts and a stopper: figures 6 and 7 of Potra, Anitescu, Gavrea and Trinkle (2006).

use crate::experiments::{self, Row};
use crate::page::{Page, order, small};
use std::sync::Arc;
use stiction::step::{Options, Stepper};

const H: f64 = 0.01;

/// The carts with a spring and a damper, at their start.
fn carts(stiffness: f64, damping: f64) -> Stepper {
    let mut e = experiments::carts();
    e.model = Arc::new(Row { stiffness, damping, drive: 0.0, mu: 0.05, stopper: true });
    e.stepper(&Options::default())
}

/// Kinetic energy and that of the spring from x = 0.2.
fn energy(s: &Stepper, stiffness: f64) -> f64 {
    let kinetic: f64 = s.v().iter().map(|v| 0.5 * v * v).sum();
    kinetic + 0.5 * stiffness * (s.q()[0] - 0.2).powi(2)
}

/// Largest change of the distance, largest way of the first cart from the end of its spring, and whether energy was never
/// above its start, over ten seconds.
fn roll(stiffness: f64, damping: f64) -> (f64, f64, bool) {
    let mut s = carts(stiffness, damping);
    let start = energy(&s, stiffness);
    let (mut distance, mut way, mut bounded) = (0.0f64, 0.0f64, true);
    for _ in 0..1000 {
        bounded &= s.step(H).is_ok() && energy(&s, stiffness) <= start * (1.0 + 1e-12);
        distance = distance.max((s.q()[2] - s.q()[0] - 5.0).abs());
        way = way.max((s.q()[0] - 0.2).abs());
    }
    (distance, way, bounded)
}

fn yes(x: bool) -> String {
    if x { "yes" } else { "no" }.into()
}

pub fn page() -> Page {
    let mut page = Page::default();
    page.heads(&["delta (gamma = 100)", "distance changes by, m", "energy never above its start"]);
    let mut before = f64::INFINITY;
    for damping in [1e1, 1e2, 1e3, 1e4, 1e5, 1e6] {
        let (distance, _, bounded) = roll(100.0, damping);
        page.row(&[format!("{damping:.0e}"), small(distance), yes(bounded)]);
        page.hold(bounded && distance < before, format!("delta {damping}: {distance} {bounded}"));
        before = distance;
    }
    page.heads(&[
        "gamma (delta = 10)",
        "first cart gets away by, m",
        "energy never above its start",
    ]);
    for stiffness in [1e2, 1e3, 1e4, 1e5, 1e6] {
        let (_, way, bounded) = roll(stiffness, 10.0);
        page.row(&[format!("{stiffness:.0e}"), small(way), yes(bounded)]);
        page.hold(bounded, format!("gamma {stiffness}"));
    }
    page.heads(&["h", "error at t = 1", "order"]);
    let mut before = None;
    for n in [200.0, 400.0, 800.0, 1600.0] {
        let e = experiments::carts();
        let mut s = e.stepper(&Options::default());
        page.hold(s.advance(1.0, 1.0 / n).is_ok(), format!("1/{n} failed"));
        let error = e.error(&s);
        page.row(&[format!("1/{n}"), small(error), order(before, error)]);
        before = Some(error);
    }
    page.columns(&["t", "x1", "x2"]);
    page.record(&mut carts(100.0, 10.0), 4.0, H, |s| vec![s.t(), s.q()[0], s.q()[2]]);
    page
}
