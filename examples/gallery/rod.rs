//! A rod falls on a table: Stewart and Trinkle (1996).

use crate::experiments;
use crate::page::{Page, order, small};
use crate::scenes::times;
use stiction::step::{EventKind, Options};

/// Both impacts, the time of rest and the place: event-driven in minimal coordinates.
const EXACT: [f64; 4] =
    [0.385817751713149, 0.547318419669808, 0.566342754231208, -0.22735998270109];

/// The times that the text of the paper names, of a rule of first order with h = 0.0025: good to two steps.
fn beside_the_paper(page: &mut Page) {
    const H: f64 = 0.0025;
    let mut s = experiments::rod_on_table().stepper(&Options::default());
    page.hold(s.advance(0.7, H).is_ok(), "the paper's step fails".into());
    let hits = times(s.events(), EventKind::Impact);
    let rest = times(s.events(), EventKind::Stick).last().copied().unwrap_or(f64::NAN);
    page.heads(&["h = 0.0025", "paper, s", "ours, s"]);
    for (what, paper, ours) in [
        ("one end hits the table", 0.383, hits[0]),
        ("the other end hits", 0.548, hits[1]),
        ("slides from then on for", 0.02, rest - hits[1]),
    ] {
        page.row(&[what.into(), paper.to_string(), format!("{ours:.4}")]);
        page.hold((ours - paper).abs() < 2.0 * H, format!("{what}: {ours:.4} for {paper}"));
    }
}

pub fn page() -> Page {
    let mut page = Page::default();
    beside_the_paper(&mut page);
    page.heads(&["h", "first touch", "second touch", "at rest", "order", "its place", "order"]);
    let mut before = [None; 2];
    for n in [250.0, 500.0, 1000.0, 2000.0] {
        let mut s = experiments::rod_on_table().stepper(&Options::default());
        page.hold(s.advance(0.7, 1.0 / n).is_ok(), format!("1/{n} failed"));
        let hits = times(s.events(), EventKind::Impact);
        let rest = times(s.events(), EventKind::Stick).last().copied().unwrap_or(f64::NAN);
        let found = [hits[0], hits[1], rest, s.q()[0]];
        let e = [0, 1, 2, 3].map(|i| (found[i] - EXACT[i]).abs());
        let orders = [order(before[0], e[2]), order(before[1], e[3])];
        page.row(&[
            format!("1/{n}"),
            format!("{:.0e}", e[0].max(1e-16)),
            small(e[1]),
            small(e[2]),
            orders[0].clone(),
            small(e[3]),
            orders[1].clone(),
        ]);
        page.hold(e[3] < 0.03 / (n * n), format!("1/{n}: place off by {:e}", e[3]));
        before = [Some(e[2]), Some(e[3])];
    }
    page.say(
        "Errors against an event-driven computation. At the first touch no acceleration exists that obeys Coulomb's law \
         (Painleve's paradox); the impulse does.",
    );
    page.columns(&["t", "x", "y", "angle"]);
    let mut s = experiments::rod_on_table().stepper(&Options::default());
    page.record(&mut s, 0.7, 0.0025, |s| [&[s.t()], s.q()].concat());
    page
}
