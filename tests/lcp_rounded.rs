//! Mixed problems whose numbers were rounded: what depended on each other does so up to rounding.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::singular::{Kind, in_decimal_units, singular};
use lcp_oracle::{Problem, Rng, exact};
use stiction::lcp::{Lcp, Options};

/// A quadratic program with equations in units over so many decimal orders, and its number of equations.
fn rounded(seed: u64, orders: f64) -> (Problem, usize) {
    let mut rng = Rng::new(seed + 1);
    let n = 2 + rng.below(24);
    let n_free = 1 + rng.below(n);
    let p = singular(&mut rng, Kind::Saddle, n_free, n - n_free);
    (in_decimal_units(&mut rng, &p, orders), n_free)
}

/// What elimination left of a row that repeats another was rounding, and so were its terms: it counted as data.
#[test]
fn rounding_that_a_block_magnifies_is_not_taken_for_data() {
    let mut refused = vec![];
    for seed in 0..4000 {
        let (p, n_free) = rounded(seed, 8.0);
        let mut x = vec![0.0; p.n()];
        match Lcp::new(p.n()).unwrap().solve_mixed(n_free, p.m(), &p.q, &mut x, None) {
            Ok(_) => assert!(exact::residual(n_free, &p, &x) <= 1e-9, "{seed}"),
            Err(e) => refused.push((seed, e)),
        }
    }
    // One is left that this does not reach: a residual of 6e-6, and a ray.
    assert!(refused.len() <= 1, "{} {refused:?}", refused.len());
}

/// A limit ended the search before rounding was told from data, and the ray met until then counted as a proof.
#[test]
fn a_ray_proves_nothing_before_rounding_is_told_from_data() {
    for seed in 0..4000 {
        let (p, n_free) = rounded(seed, 8.0);
        let mut lcp = Lcp::new(p.n()).unwrap();
        let mut options = Options::default();
        options.max_pivots = 1 + seed as usize % 30;
        lcp.set_options(options).unwrap();
        let mut x = vec![0.0; p.n()];
        if let Ok(info) = lcp.solve_mixed(n_free, p.m(), &p.q, &mut x, None) {
            assert!(info.pivots <= options.max_pivots, "{seed}: {info:?}");
        }
        assert!(lcp.ray().is_none_or(|ray| !ray.infeasible), "{seed}");
    }
}

/// A second path, for rows that are judged by themselves, took one pivot before it asked for the limit.
#[test]
fn a_limit_of_pivots_holds_also_after_an_answer_is_found() {
    let mut options = Options::default();
    options.tolerance = 5e-4;
    for seed in 0..4000 {
        let mut rng = Rng::new(seed + 1);
        let p = lcp_oracle::contacts(&mut rng, 4, 4, 1, 1e8);
        let mut lcp = Lcp::new(p.n()).unwrap();
        for limit in 1..12 {
            options.max_pivots = limit;
            lcp.set_options(options).unwrap();
            if let Ok(info) = lcp.solve(p.m(), &p.q, &mut vec![0.0; p.n()], None) {
                assert!(info.pivots <= limit, "{seed}: {limit} {info:?}");
            }
        }
    }
}
