//! Double pendulum and wall: table 10.1 of Potra, Anitescu, Gavrea and Trinkle (2006).

use crate::experiments;
use crate::page::{Page, order, small};
use crate::scenes::distance;
use stiction::step::{EventLevel, MethodKind, Options, Stabilization};

/// Errors and drifts of the two rods for h = 2^-5 .. 2^-11, as printed.
const PRINTED: [[f64; 3]; 7] = [
    [2.38e-3, 1.27e-3, 3.18e-3],
    [6.14e-4, 3.14e-4, 8.29e-4],
    [1.54e-4, 7.82e-5, 2.14e-4],
    [3.95e-5, 1.95e-5, 5.48e-5],
    [1.01e-5, 4.88e-6, 1.37e-5],
    [2.42e-6, 1.22e-6, 3.44e-6],
    [6.15e-7, 3.05e-7, 8.60e-7],
];

/// q(2.5) at the end of steps of `h`, and its error.
fn swing(options: &Options, h: f64) -> (Vec<f64>, f64) {
    let e = experiments::pendulum();
    let exact: Vec<f64> = e.exact.iter().map(|x| x.1).collect();
    let mut s = e.stepper(options);
    let error = match s.advance(e.t_end, h) {
        Ok(_) => distance(s.q(), &exact),
        Err(_) => f64::NAN,
    };
    (s.q().to_vec(), error)
}

pub fn page() -> Page {
    let mut page = Page::default();
    let two = Options {
        method: MethodKind::TrapezoidII,
        events: Some(EventLevel::Collisions),
        stabilization: Some(Stabilization::None),
        active_gap: 1e-10,
        ..Options::default()
    };
    page.heads(&[
        "h",
        "error, paper",
        "error, II",
        "drift of rod 1, paper",
        "drift, II",
        "drift of rod 2, paper",
        "drift, II",
        "error, default",
        "order",
    ]);
    let mut before = None;
    for (k, printed) in (5..).zip(PRINTED) {
        let h = 0.5f64.powi(k);
        let (q, error) = swing(&two, h);
        let rods =
            [q[0] * q[0] + q[1] * q[1] - 1.0, (q[0] - q[2]).powi(2) + (q[1] - q[3]).powi(2) - 1.0];
        let (_, mixed) = swing(&Options::default(), h);
        page.row(&[
            format!("2^-{k}"),
            format!("{:.2e}", printed[0]),
            small(error),
            format!("{:.2e}", printed[1]),
            small(rods[0]),
            format!("{:.2e}", printed[2]),
            small(rods[1]),
            small(mixed),
            order(before, mixed),
        ]);
        before = Some(mixed);
        // Half a unit of the third digit; the paper's own reference shows in the last row.
        for (ours, printed) in [error, rods[0], rods[1]].into_iter().zip(printed) {
            page.near(&format!("2^-{k}"), ours, printed, 6e-3);
        }
    }
    page.say("The default keeps both rods to rounding, so it has no drift to print.");
    page.columns(&["t", "x1", "y1", "x2", "y2"]);
    let e = experiments::pendulum();
    page.record(&mut e.stepper(&Options::default()), e.t_end, 0.5f64.powi(8), |s| {
        [&[s.t()], s.q()].concat()
    });
    page
}
