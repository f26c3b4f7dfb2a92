//! Random problems with fixed seeds, judged by the residual and, where small, by enumeration.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::exact::ROUNDING;
use lcp_oracle::{Problem, Rng, contacts, has_solution, moving_contacts, semidefinite};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use stiction::Error;
use stiction::lcp::{EngineChoice, Lcp, Options, residual};

fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(20_060_531);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn solver(n: usize, engine: EngineChoice) -> Lcp {
    let mut options = Options::default();
    options.engine = engine;
    let mut lcp = Lcp::new(n).unwrap();
    lcp.set_options(options).unwrap();
    lcp
}

/// Every claim is true: a bound, and within the tolerance.
fn claim(p: &Problem, engine: EngineChoice) -> Result<Vec<f64>, Error> {
    let mut z = vec![0.0; p.n()];
    let info = solver(p.n(), engine).solve(p.m(), &p.q, &mut z, None)?;
    let judged = residual(p.m(), &p.q, &z).unwrap();
    assert!(judged <= info.residual + ROUNDING, "{judged} above its bound {}", info.residual);
    assert!(info.residual <= 1e-9);
    Ok(z)
}

fn must_solve(p: &Problem) {
    for engine in [EngineChoice::Auto, EngineChoice::Tableau, EngineChoice::Factored] {
        if let Err(e) = claim(p, engine) {
            panic!("{e} with {engine:?}, n = {}", p.n());
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn semidefinite_feasible_problems_are_solved(seed: u64, n in 1usize..70, deficit in 0usize..70) {
        let mut rng = Rng::new(seed);
        let rank = n.saturating_sub(deficit).max(1);
        let p = semidefinite(&mut rng, n, rank, if seed % 2 == 0 { 0.0 } else { 1.0 });
        must_solve(&p);
    }

    #[test]
    fn contacts_are_solved_whatever_their_masses(seed: u64, bodies in 1usize..8, count in 1usize..16) {
        let mut rng = Rng::new(seed);
        let heaviest = [1.0, 1e4, 1e8][seed as usize % 3];
        must_solve(&contacts(&mut rng, bodies, count, 1, heaviest));
    }

    #[test]
    fn redundant_and_duplicated_contacts_are_solved(seed: u64, bodies in 1usize..4, count in 4usize..12) {
        let mut rng = Rng::new(seed);
        let p = contacts(&mut rng, bodies, count, 2, 1e8);
        must_solve(&p);
        must_solve(&p.permuted(&mut rng));
    }

    #[test]
    fn degenerate_right_hand_sides_are_solved(seed: u64, bodies in 1usize..5, count in 2usize..12) {
        let mut rng = Rng::new(seed);
        let p = moving_contacts(&mut rng, bodies, count, 1, 10.0, 2);
        must_solve(&p);
        must_solve(&p.permuted(&mut rng));
    }

    #[test]
    fn any_small_problem_is_answered_truthfully(seed: u64, n in 1usize..8) {
        let mut rng = Rng::new(seed);
        let m = (0..n * n).map(|_| (3.0 * rng.unit()).round()).collect();
        let p = Problem { m, q: (0..n).map(|_| (3.0 * rng.unit()).round()).collect() };
        let mut lcp = solver(n, EngineChoice::Auto);
        let mut z = vec![0.0; n];
        match lcp.solve(p.m(), &p.q, &mut z, None) {
            Ok(_) => prop_assert!(residual(p.m(), &p.q, &z).unwrap() <= 1e-9),
            // Lemke may miss a solution outside its classes, but a proof of infeasibility is a proof.
            Err(_) => if lcp.ray().is_some_and(|ray| ray.infeasible) {
                prop_assert!(!has_solution(&p, 1e-9));
            },
        }
    }

    #[test]
    fn small_semidefinite_problems_are_refused_only_when_none_of_their_bases_solves_them(
        seed: u64, n in 1usize..7, rank in 1usize..4,
    ) {
        let mut rng = Rng::new(seed);
        let mut p = semidefinite(&mut rng, n, rank, 0.5);
        for q in &mut p.q {
            *q = rng.unit();
        }
        match claim(&p, EngineChoice::Auto) {
            Ok(_) => prop_assert!(has_solution(&p, 1e-6)),
            Err(_) => prop_assert!(!has_solution(&p, 1e-9)),
        }
    }

    #[test]
    fn violent_units_never_make_a_claim_false(seed: u64, n in 1usize..24, orders in 0i32..500) {
        let mut rng = Rng::new(seed);
        let mut p = semidefinite(&mut rng, n, n.div_ceil(2), 0.3);
        let rows: Vec<f64> = (0..n).map(|_| (rng.unit() * f64::from(orders)).exp2()).collect();
        let cols: Vec<f64> = (0..n).map(|_| (rng.unit() * f64::from(orders)).exp2()).collect();
        p = p.rescaled(|i| rows[i], |j| cols[j]);
        if seed % 3 == 0 {
            // an empty row and column, and a number below the normal range
            let k = rng.below(n);
            for i in 0..n {
                p.m[k * n + i] = 0.0;
                p.m[i * n + k] = 0.0;
            }
            p.q[k] = p.q[k].abs();
        }
        if seed % 5 == 0 {
            p.m[rng.below(n * n)] = 3e-310;
        }
        let _ = claim(&p, EngineChoice::Auto);
        let _ = claim(&p, EngineChoice::Factored);
    }

    #[test]
    fn units_do_not_matter_for_success(seed: u64, n in 1usize..30) {
        let mut rng = Rng::new(seed);
        let p = semidefinite(&mut rng, n, n, 0.3);
        let rows: Vec<f64> = (0..n).map(|_| (rng.unit() * 60.0).exp2()).collect();
        let cols: Vec<f64> = (0..n).map(|_| (rng.unit() * 60.0).exp2()).collect();
        must_solve(&p.rescaled(|i| rows[i], |j| cols[j]));
    }

    #[test]
    fn the_same_calls_give_the_same_bits(seed: u64, bodies in 1usize..6, count in 1usize..14) {
        let mut rng = Rng::new(seed);
        let p = contacts(&mut rng, bodies, count, 1, 1e4);
        let run = || {
            let mut lcp = Lcp::new(p.n()).unwrap();
            let mut z = vec![0.0; 3 * p.n()];
            for part in z.chunks_exact_mut(p.n()) {
                lcp.solve(p.m(), &p.q, part, None).unwrap();
            }
            z.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run());
    }
}
