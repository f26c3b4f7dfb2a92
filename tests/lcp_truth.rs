//! Claims against twice the digits: an answer is one, its residual is not below the true one, and what a theorem
//! promises is solved.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::singular::{KINDS, Kind, in_units, singular};
use lcp_oracle::{Problem, Rng, contacts, exact, moving_contacts, semidefinite};
use stiction::Error;
use stiction::lcp::{Basis, Info, Lcp};

/// What a report may stay below the true residual: rounding of M z + q, a tenth of the tolerance by its bound and
/// far less in fact.
const ROUNDING: f64 = 1e-12;

/// Sums up what happened; prints what should not have.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    calls: usize,
    refused: usize,
    wrong: usize,
}

impl Count {
    fn note(&mut self, name: &str, n_free: usize, p: &Problem, told: Result<Info, Error>, x: &[f64]) {
        self.calls += 1;
        match told {
            Ok(info) => {
                let residual = exact::residual(n_free, p, x);
                if !(residual <= 1e-9 && residual <= info.residual + ROUNDING) {
                    self.wrong += 1;
                    println!("{name}, n = {}: {residual:.1e}, told {:.1e}", p.n(), info.residual);
                }
            }
            Err(e) => {
                self.refused += 1;
                println!("{name}, n = {}: {e}", p.n());
            }
        }
    }
}

/// Mixed problems of one kind, in units over so many decimal orders.
fn mixed(kind: Kind, seeds: std::ops::Range<u64>, largest: usize, orders: f64) -> Count {
    let mut count = Count::default();
    for seed in seeds {
        let mut rng = Rng::new(seed + 1);
        let n = 2 + rng.below(largest - 1);
        let n_free = 1 + rng.below(n);
        let mut p = singular(&mut rng, kind, n_free, n - n_free);
        if orders > 0.0 {
            p = in_units(&mut rng, &p, orders);
        }
        let mut x = vec![0.0; n];
        let told = Lcp::new(n).unwrap().solve_mixed(n_free, p.m(), &p.q, &mut x, None);
        count.note(&format!("{kind:?} {seed} free {n_free} orders {orders}"), n_free, &p, told, &x);
    }
    count
}

/// Problems with one matrix that Lemke must solve, in an order and in units of their own.
struct Family {
    base: Problem,
    contacts: bool,
    shape: u64,
}

impl Family {
    fn new(rng: &mut Rng, largest: usize) -> Self {
        let n = 1 + rng.below(largest);
        let bodies = 1 + rng.below(6);
        let count = 1 + rng.below(n.div_ceil(4));
        let kind = rng.below(6);
        let base = match kind {
            0 => semidefinite(rng, n, n, 0.5),
            1 => semidefinite(rng, n, 1 + n / 3, 0.0),
            2 => singular(rng, Kind::Monotone, 0, n),
            3 => contacts(rng, bodies, count, 1, 1e8),
            4 => contacts(rng, bodies, count.div_ceil(2), 2, 1e4),
            _ => moving_contacts(rng, bodies, count, 1, 10.0, 2),
        };
        Self { base, contacts: kind > 2, shape: rng.bits() }
    }

    fn shown(&self) -> Problem {
        let rng = &mut Rng::new(self.shape);
        match rng.below(4) {
            0 => self.base.permuted(rng),
            1 => in_units(rng, &self.base, 4.0),
            _ => self.base.clone(),
        }
    }

    /// Another right-hand side: of contacts after some impulses, else one that some z and w solve.
    fn go_on(&mut self, rng: &mut Rng) {
        let (p, far) = (&mut self.base, [1e-3, 0.1, 1.0][rng.below(3)]);
        let n = p.n();
        // The last unknown of a contact is a slip speed, whose row stays homogeneous.
        let slip = |i: usize| self.contacts && i % 4 == 3;
        let mut z = vec![0.0; n];
        for j in (0..n).filter(|&j| !slip(j)) {
            z[j] = far * rng.unit().max(if self.contacts { -1.0 } else { 0.0 });
        }
        let old = p.q.clone();
        if !self.contacts {
            p.q.fill(0.0);
        }
        let w = exact::product(p, &z);
        for i in (0..n).filter(|&i| !slip(i)) {
            let rest = if z[i] > 0.0 { 0.0 } else { far * rng.unit().max(0.0) };
            p.q[i] = if self.contacts { w[i] } else { rest - w[i] };
        }
        // Some of them stay near the last one.
        if !self.contacts && far < 1.0 {
            p.q.iter_mut().zip(old).for_each(|(q, old)| *q = old + far * *q);
        }
    }
}

/// Cold, warm, again, by keys: all calls on one workspace.
fn sequences(seeds: std::ops::Range<u64>, largest: usize) -> Count {
    let mut count = Count::default();
    let mut lcp = Lcp::new(4 * largest).unwrap();
    for seed in seeds {
        let mut rng = Rng::new(seed + 1);
        let mut family = Family::new(&mut rng, largest);
        let p = family.shown();
        let n = p.n();
        let mut z = vec![0.0; n];
        let told = lcp.solve(p.m(), &p.q, &mut z, None);
        count.note(&format!("cold {seed}"), 0, &p, told, &z);
        let keys: Vec<i64> = (0..n as i64).collect();
        let mut basis = Basis::new(n).unwrap();
        for step in 0..5 {
            family.go_on(&mut rng);
            let p = family.shown();
            let (told, name) = match rng.below(4) {
                0 => (lcp.solve(p.m(), &p.q, &mut z, None), "warm"),
                1 => {
                    let _ = lcp.get_basis(&keys, &mut basis);
                    lcp.set_basis(&keys, &basis).unwrap();
                    (lcp.solve(p.m(), &p.q, &mut z, None), "set")
                }
                _ => (lcp.solve_again(p.m(), &p.q, &mut z, None), "again"),
            };
            count.note(&format!("{name} {seed} step {step}"), 0, &p, told, &z);
        }
    }
    count
}

fn all_right(count: Count) {
    assert_eq!((count.refused, count.wrong), (0, 0), "{count:?}");
}

#[test]
fn monotone_mixed_problems_with_a_solution_are_solved_whatever_block_is_singular() {
    for kind in [Kind::Monotone, Kind::Saddle, Kind::Combined] {
        for orders in [0.0, 4.0] {
            all_right(mixed(kind, 0..400, 30, orders));
        }
    }
}

#[test]
fn mixed_problems_without_a_promise_are_answered_truthfully() {
    assert_eq!(mixed(Kind::Any, 0..400, 20, 0.0).wrong, 0);
    assert_eq!(mixed(Kind::Any, 0..100, 20, 8.0).wrong, 0);
}

#[test]
fn claims_on_one_workspace_are_true_and_what_must_be_solved_is() {
    all_right(sequences(0..300, 40));
}

#[test]
#[ignore = "minutes: cargo test --release --test lcp_truth -- --ignored"]
fn hundreds_of_thousands_of_claims_are_true() {
    let mut all = vec![];
    for kind in KINDS {
        for (orders, largest) in [(0.0, 25), (0.0, 60), (4.0, 25), (4.0, 60), (8.0, 25)] {
            let count = mixed(kind, 0..20_000, largest, orders);
            println!("{kind:?} to {largest}, orders {orders}: {count:?}");
            all.push((kind, orders, count));
        }
    }
    let count = sequences(0..75_000, 60);
    println!("sequences: {count:?}");
    assert!(all.iter().all(|(_, _, count)| count.wrong == 0));
    for (kind, orders, count) in all {
        assert!(kind == Kind::Any || orders > 4.0 || count.refused == 0, "{kind:?} {count:?}");
    }
    all_right(count);
}

#[test]
#[ignore]
fn one() {
    for seed in [561u64, 2948, 4207, 10563, 13406, 15924, 19936] {
        let mut rng = Rng::new(seed + 1);
        let mut family = Family::new(&mut rng, 60);
        let p = family.shown();
        let n = p.n();
        let mut z = vec![0.0; n];
        println!("seed {seed} n {n} contacts {} ", family.contacts);
        for e in [stiction::lcp::EngineChoice::Auto, stiction::lcp::EngineChoice::Factored] {
            for tol in [1e-9, 1e-6, 1e-3] {
                let mut o = stiction::lcp::Options::default();
                o.engine = e; o.tolerance = tol;
                let mut lcp = Lcp::new(n).unwrap();
                lcp.set_options(o).unwrap();
                let told = lcp.solve(p.m(), &p.q, &mut z, None);
                println!("{told:?} true {:.1e} z {:.1e} q {:.1e}", exact::residual(0, &p, &z), z.iter().fold(0.0f64, |a, b| a.max(b.abs())), p.q.iter().fold(0.0f64, |a, b| a.max(b.abs())));
            }
        }
        family.go_on(&mut rng);
    }
}
