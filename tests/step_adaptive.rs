#[path = "support/experiments.rs"]
mod experiments;
#[path = "support/norms.rs"]
mod norms;
mod scenes;

use MethodKind::*;
use experiments::*;
use stiction::step::{MethodKind, Options};

#[test]
fn probe() {
    let only = std::env::var("M").ok();
    for method in [
        Trapezoid,
        TrapezoidII,
        LobattoIIIA4,
        RadauIIA5,
        LobattoIIIA6,
        HalfExplicit4,
        HalfExplicit2,
        RadauIIA3,
        Moreau,
        Euler,
        ImplicitEuler,
        SchatzmanPaoli,
        StewartTrinkle,
        TrapezoidI,
    ] {
        if only.as_ref().is_some_and(|o| *o != format!("{method:?}")) {
            continue;
        }
        for e in [pendulum(), block(), carts(), driven(), rod_on_table(), ball(), oscillator()] {
            print!("{method:?} {}: ", e.name);
            let first = matches!(
                method,
                Moreau | Euler | ImplicitEuler | SchatzmanPaoli | StewartTrinkle | TrapezoidI
            );
            let second = matches!(method, Trapezoid | TrapezoidII | HalfExplicit2);
            for k in 3..=(if first {
                5
            } else if second {
                7
            } else {
                9
            }) {
                let tol = 0.1f64.powi(k);
                let mut s = e.stepper(&Options { method, abs_tol: tol, ..Options::default() });
                let t0 = std::time::Instant::now();
                let r = s.advance(e.t_end, 0.01);
                print!(
                    "{:.1e}({}{},{}s) ",
                    e.error(&s) / tol,
                    s.stats().steps,
                    if r.is_ok() { "".to_string() } else { format!(" {:?}", r) },
                    s.stats().tolerance_rejections
                );
                if t0.elapsed().as_secs_f64() > 5.0 {
                    print!("SLOW ");
                    break;
                }
            }
            println!();
        }
    }
}
