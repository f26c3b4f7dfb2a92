//! Two bodies and a damper, driven: section 3.2 of Anitescu and Potra (2002).

use crate::experiments::{self, Row};
use crate::page::{Page, small};
use std::sync::Arc;
use stiction::step::{MethodKind, Options, Stepper};

fn driven(method: MethodKind, damping: f64) -> Stepper {
    let mut e = experiments::driven();
    e.model = Arc::new(Row { stiffness: 0.0, damping, drive: 20.0, mu: 0.4, stopper: false });
    e.stepper(&Options { method, ..Options::default() })
}

/// x1(10) by steps of `h`, or nothing when the motion has left every bound.
fn end(method: MethodKind, damping: f64, h: f64) -> Option<f64> {
    let mut s = driven(method, damping);
    s.advance(10.0, h).ok()?;
    Some(s.q()[0]).filter(|x| x.abs() < 1e3)
}

pub fn page() -> Page {
    let mut page = Page::default();
    let told = |x: Option<f64>| x.map_or("leaves every bound".into(), |x| format!("{x:.5}"));
    page.heads(&[
        "damping",
        "explicit Euler, h = 0.05",
        "implicit Euler, h = 0.05",
        "trapezoid, h = 0.05",
    ]);
    for damping in [20.0, 100.0, 1e4, 1e8] {
        let ends = [MethodKind::Euler, MethodKind::ImplicitEuler, MethodKind::Trapezoid]
            .map(|method| end(method, damping, 0.05));
        page.row(&[&[format!("{damping}")], &ends.map(told)[..]].concat());
        page.hold(ends[1].is_some() && ends[2].is_some(), format!("damping {damping}: {ends:?}"));
        page.hold((damping < 50.0) == ends[0].is_some(), format!("explicit, {damping}: {ends:?}"));
    }
    page.say(
        "x1 at 10 s. Exact for a damping of 20: -2.12929; for a rigid rod in its place: -1.93284.",
    );
    let rigid = end(MethodKind::Trapezoid, 1e8, 0.05).unwrap_or(f64::NAN);
    page.hold((rigid + 1.93284474819437).abs() < 5e-3, format!("rigid limit: {rigid}"));
    page.heads(&["h", "error of the trapezoid, damping 20"]);
    for n in [100.0, 200.0, 400.0] {
        let error =
            end(MethodKind::Trapezoid, 20.0, 1.0 / n).unwrap_or(f64::NAN) + 2.129293098823678;
        page.row(&[format!("1/{n}"), small(error.abs())]);
    }
    page.columns(&["t", "x1", "x2"]);
    page.record(&mut driven(MethodKind::Trapezoid, 20.0), 10.0, 0.02, |s| {
        vec![s.t(), s.q()[0], s.q()[2]]
    });
    page
}
