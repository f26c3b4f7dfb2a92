//! The bouncing ball and the oscillator of Acary (2009): orders of every kind of method.

use crate::experiments::{Experiment, ball, oscillator};
use crate::page::{Page, order, small};
use stiction::step::{MethodKind, Options};

/// Methods, the order that theory gives them between located events, and numbers of steps whose errors lie between the
/// coarse and the rounding.
const METHODS: [(MethodKind, f64, [f64; 3]); 5] = [
    (MethodKind::Trapezoid, 2.0, [100.0, 200.0, 400.0]),
    (MethodKind::RadauIIA3, 3.0, [50.0, 100.0, 200.0]),
    (MethodKind::LobattoIIIA4, 4.0, [40.0, 80.0, 160.0]),
    (MethodKind::RadauIIA5, 5.0, [30.0, 60.0, 120.0]),
    (MethodKind::LobattoIIIA6, 6.0, [20.0, 40.0, 80.0]),
];

fn error(e: &Experiment, method: MethodKind, h: f64) -> f64 {
    let mut s = e.stepper(&Options { method, ..Options::default() });
    match s.advance(e.t_end, h) {
        Ok(_) => e.error(&s),
        Err(_) => f64::NAN,
    }
}

pub fn page() -> Page {
    let mut page = Page::default();
    page.heads(&["method", "order", "steps", "error of q(5)", "observed"]);
    let e = oscillator();
    for (method, p, numbers) in METHODS {
        let errors = numbers.map(|n| error(&e, method, e.t_end / n));
        let observed = order(Some(errors[1]), errors[2]);
        page.row(&[
            format!("{method:?}"),
            p.to_string(),
            numbers[2].to_string(),
            small(errors[2]),
            observed.clone(),
        ]);
        let off = (errors[1] / errors[2]).log2() - p;
        page.hold(off.abs() < 0.2, format!("{method:?}: {errors:?}"));
    }
    page.say("The oscillator m = 1, k = 10, c = 0.5 with restitution 0.8, five impacts. Moreau's and \
         Schatzman-Paoli's rules are of order 1 in integral norms and of none at a point: `tests/step_moreau.rs`.");
    page.columns(&["t", "q", "v"]);
    let mut s = ball().stepper(&Options::default());
    page.record(&mut s, 4.0, 0.005, |s| vec![s.t(), s.q()[0], s.v()[0]]);
    let rest = s.v()[0].abs().max(s.q()[0].abs());
    page.hold(rest < 1e-9, format!("the ball is not at rest: {rest:e}"));
    page
}
