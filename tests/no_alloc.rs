//! A counting allocator around solves: after creation nothing is allocated.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

#[path = "support/counting.rs"]
mod counting;
mod lcp_oracle;

use counting::allocations;
use lcp_oracle::{Rng, contacts, semidefinite};
use stiction::lcp::{Basis, EngineChoice, Lcp, Options};

#[test]
fn solving_allocates_nothing_after_creation() {
    let mut rng = Rng::new(1);
    for engine in [EngineChoice::Auto, EngineChoice::Tableau, EngineChoice::Factored] {
        let mut problems: Vec<_> =
            [1, 2, 5, 11, 30].iter().map(|&c| contacts(&mut rng, c, c, 1, 1e6)).collect();
        problems.push(semidefinite(&mut rng, 250, 40, 0.5));
        let n_max = problems.iter().map(|p| p.n()).max().unwrap();
        let mut lcp = Lcp::new(n_max).unwrap();
        let mut options = Options::default();
        options.engine = engine;
        lcp.set_options(options).unwrap();
        let mut basis = Basis::new(n_max).unwrap();
        let keys: Vec<i64> = (0..n_max as i64).collect();
        let (mut z, mut w) = (vec![0.0; n_max], vec![0.0; n_max]);
        // the largest first and last, so that growth and reuse are both met
        for p in problems.iter().rev().chain(&problems) {
            let n = p.n();
            let count = allocations(|| {
                for _ in 0..2 {
                    lcp.solve(p.m(), &p.q, &mut z[..n], Some(&mut w[..n])).unwrap();
                }
                lcp.solve_again(p.m(), &p.q, &mut z[..n], None).unwrap();
                lcp.get_basis(&keys[..n], &mut basis).unwrap();
                lcp.set_basis(&keys[..n], &basis).unwrap();
                lcp.solve_mixed(n / 3, p.m(), &p.q, &mut z[..n], None).ok();
            });
            assert_eq!(count, 0, "n = {n}, {engine:?}");
        }
    }
}

#[test]
fn the_way_through_all_recoveries_allocates_nothing() {
    // Infeasible: every attempt is made. The error itself carries numbers only.
    let n = 60;
    let m = vec![-1.0; n * n];
    let q = vec![-1.0; n];
    let mut lcp = Lcp::new(n).unwrap();
    let mut z = vec![0.0; n];
    let view = stiction::linalg::MatRef::square("m", &m, n).unwrap();
    let count = allocations(|| assert!(lcp.solve(view, &q, &mut z, None).is_err()));
    assert_eq!(count, 0);
}
