//! Event-capturing Runge-Kutta methods: orders through impacts, stick and slip, accumulations, joints.

#[path = "support/norms.rs"]
mod norms;
mod scenes;

use MethodKind::*;
use norms::*;
use scenes::*;
use stiction::step::{EventKind, MethodKind, Options, Stepper};

const ALL: [(MethodKind, f64); 7] = [
    (LobattoIIIA2, 2.0),
    (RadauIIA3, 3.0),
    (LobattoIIIA4, 4.0),
    (RadauIIA5, 5.0),
    (LobattoIIIA6, 6.0),
    (HalfExplicit2, 2.0),
    (HalfExplicit4, 4.0),
];

fn options(method: MethodKind) -> Options {
    Options { method, ..Options::default() }
}

fn run(model: Single, method: MethodKind, n: usize) -> (Grid, Grid, Stepper) {
    let mut s = stepper(model, &options(method), &[1.0], &[0.0]);
    let mut grids = (Grid { t: vec![0.0], x: vec![1.0] }, Grid { t: vec![0.0], x: vec![0.0] });
    let h = 5.0 / n as f64;
    for k in 1..=n {
        s.advance(k as f64 * h, h).unwrap();
        for (grid, x) in [(&mut grids.0, s.q()[0]), (&mut grids.1, s.v()[0])] {
            grid.t.push(s.t());
            grid.x.push(x);
        }
    }
    (grids.0, grids.1, s)
}

#[test]
fn probe() {
    for (method, p) in ALL {
        let mut eq = vec![];
        let mut ev = vec![];
        for k in 0..7 {
            let n = 27 << k;
            let (q, v, s) = run(OSCILLATOR, method, n);
            eq.push(q.integral(1, |t| OSCILLATOR.exact(t).0));
            ev.push(v.integral(1, |t| OSCILLATOR.exact(t).1));
            if k == 3 {
                println!("{:?}", s.stats());
            }
        }
        println!("{method:?} {p} {eq:?} {:?} {ev:?}", orders(&eq, 2.0));
        let mut eq = vec![];
        let mut ev = vec![];
        for k in 0..6 {
            let n = 27 << k;
            let (q, v, s) = run(BALL, method, n);
            eq.push(q.integral(1, |t| BALL.exact(t).0));
            ev.push(v.integral(1, |t| BALL.exact(t).1));
            if k == 3 {
                println!("{:?} {:?} {:?}", s.stats(), s.q(), s.v());
            }
        }
        println!("BALL {method:?} {p} {eq:?} {:?} {ev:?}", orders(&eq, 2.0));
    }
}
