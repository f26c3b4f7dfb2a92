//! Claims against twice the digits: an answer is one, its residual is not below the true one, and what a theorem
//! promises is solved.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::exact;
use lcp_oracle::singular::{KINDS, Kind, in_units, singular};
use lcp_oracle::{Problem, Rng};
use stiction::Error;
use stiction::lcp::Lcp;

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    calls: usize,
    refused: usize,
    wrong: usize,
    low: usize,
}

#[test]
fn probe() {
    let cases: u64 = std::env::var("CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(200);
    let largest: usize = std::env::var("SIZE").ok().and_then(|s| s.parse().ok()).unwrap_or(25);
    let orders: f64 = std::env::var("ORDERS").ok().and_then(|s| s.parse().ok()).unwrap_or(0.0);
    for kind in KINDS {
        let mut c = Count::default();
        let mut told = std::collections::BTreeMap::<String, usize>::new();
        for seed in 0..cases {
            let mut rng = Rng::new(seed + 1);
            let n = 2 + rng.below(largest - 1);
            let n_free = 1 + rng.below(n);
            let mut p = singular(&mut rng, kind, n_free, n - n_free);
            if orders > 0.0 { p = in_units(&mut rng, &p, orders); }
            let mut x = vec![0.0; n];
            c.calls += 1;
            match Lcp::new(n).unwrap().solve_mixed(n_free, p.m(), &p.q, &mut x, None) {
                Ok(info) => {
                    let r = exact::residual(n_free, &p, &x);
                    if r > 1e-9 { c.wrong += 1; println!("wrong {kind:?} seed {seed} n {n} free {n_free}: {r:.1e} told {:.1e} x {:.1e}", info.residual, x.iter().fold(0.0f64, |a, b| a.max(b.abs()))); }
                    if r > info.residual + 1e-14 { c.low += 1; }
                }
                Err(e) => {
                    c.refused += 1;
                    let s = match e { Error::LcpRay{..} => "ray", Error::LcpPivots{..} => "pivots", Error::Residual{..} => "residual", Error::Inconsistent{..} => "inconsistent", _ => "other" };
                    *told.entry(s.into()).or_default() += 1;
                    if told[s] <= 2 { println!("{kind:?} seed {seed} n {n} free {n_free}: {e}"); }
                }
            }
        }
        println!("{kind:?}: {c:?} {told:?}");
    }
}

#[test]
#[ignore]
fn one() {
    let get = |s: &str| std::env::var(s).unwrap();
    let seed: u64 = get("SEED").parse().unwrap();
    let largest: usize = get("SIZE").parse().unwrap();
    let orders: f64 = get("ORDERS").parse().unwrap();
    let kind = KINDS[get("KIND").parse::<usize>().unwrap()];
    let mut rng = Rng::new(seed + 1);
    let n = 2 + rng.below(largest - 1);
    let n_free = 1 + rng.below(n);
    let mut p = singular(&mut rng, kind, n_free, n - n_free);
    if orders > 0.0 { p = in_units(&mut rng, &p, orders); }
    for i in 0..n {
        println!("{:?} | {:e}", (0..n).map(|j| p.m[j * n + i]).collect::<Vec<_>>(), p.q[i]);
    }
    let mut x = vec![0.0; n];
    println!("{:?}", Lcp::new(n).unwrap().solve_mixed(n_free, p.m(), &p.q, &mut x, None));
}
