//! Two articulated bars on a table: section 3.3 of Anitescu and Potra (2002).

use crate::page::Page;
use crate::scenes::{bars, stepper, times};
use stiction::step::{EventKind, Options, Stepper};

fn fall(mu: f64) -> (Stepper, impl Fn(&Stepper) -> f64) {
    let (model, q, v) = bars(mu);
    let (copy, ..) = bars(mu);
    (stepper(model, &Options::default(), &q, &v), move |s: &Stepper| copy.energy(s.q(), s.v()))
}

pub fn page() -> Page {
    let mut page = Page::default();
    page.heads(&[
        "mu",
        "sliding ends, s",
        "second-order loop, independent",
        "energy never grew by 1e-9 J",
    ]);
    for (mu, independent) in [(0.05, 1.363408), (0.2, 1.019064), (0.5, 0.648592)] {
        let (mut s, energy) = fall(mu);
        let (mut end, mut hit, mut last, mut falls) = (None, f64::NAN, energy(&s), true);
        for _ in 0..2400 {
            page.hold(s.step(1.5 / 2400.0).is_ok(), format!("mu {mu} fails at {}", s.t()));
            end = times(s.events(), EventKind::Stick).last().copied().or(end);
            hit = times(s.events(), EventKind::Impact).last().copied().unwrap_or(hit);
            let now = energy(&s);
            falls &= now <= last + 1e-9;
            last = now;
        }
        // Where nothing slides to a stop, the last impact ended in stick.
        let end = end.unwrap_or(hit);
        let told = if falls { "yes" } else { "no" };
        page.row(&[mu.to_string(), format!("{end:.5}"), independent.to_string(), told.into()]);
        page.near(&format!("mu {mu}"), end, independent, 1e-3);
        page.hold(falls, format!("mu {mu}: energy grew"));
    }
    page.say("With 0.5 nothing slides to a stop: an impact ends in stick.");
    page.columns(&["t", "joint", "energy"]);
    let (mut s, energy) = fall(0.2);
    page.record(&mut s, 1.5, 0.005, |s| vec![s.t(), s.q()[0] - s.q()[2].cos(), energy(s)]);
    page
}
