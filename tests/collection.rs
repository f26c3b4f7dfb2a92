//! The collection of contact problems, as far as it is present: what has a solution that Lemke's
//! method must find is solved, what has none is refused, and no claim is wrong.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod support;

use support::collection::Collection;
use support::format::{Content, parse};
use support::manifest::{Entry, Expect};
use support::outcome::solve_cold;

/// Largest problem run here; `examples/lcp_folder.rs` takes the larger ones.
const MAX_N: usize = 1100;

/// Gives every problem of at most `max_n` unknowns that `wanted` picks, in the order of each seed,
/// to the library and returns what went wrong. Seed 0 is the order of the file.
fn faults(
    c: &Collection,
    seeds: &[u64],
    max_n: usize,
    wanted: impl Fn(&Entry) -> bool,
) -> (usize, Vec<String>) {
    let (mut count, mut faults) = (0, Vec::new());
    for entry in c.entries.iter().filter(|e| e.n <= max_n && wanted(e)) {
        let Some(problem) = c.load(entry).unwrap() else { continue };
        for &seed in seeds {
            let o = if seed == 0 {
                solve_cold(&problem).unwrap()
            } else {
                solve_cold(&problem.permuted(seed)).unwrap()
            };
            count += 1;
            if let Some(fault) = o.fault(expectation(entry)) {
                let (name, n, r) = (&entry.name, problem.n(), o.residual);
                faults.push(format!("{name} (n = {n}, order {seed}): {fault}, {} {r:e}", o.status));
            }
        }
    }
    (count, faults)
}

/// Mixed problems from circuits that the list leaves open. A solution of each was found by a mixed
/// integer program over the complementary pairs and checked with its basis; in `PD` and the diode
/// bridges the equations alone are singular.
const CIRCUITS: [&str; 10] = [
    "Buck2",
    "BuckFirstStep",
    "PD",
    "RCD",
    "deltasigma2",
    "deudeu",
    "diodeBridge20",
    "diodeBridge",
    "m3n2",
    "relay2",
];

fn expectation(entry: &Entry) -> Expect {
    let circuit = CIRCUITS.iter().any(|c| entry.name == format!("sic_{c}_mlcp"));
    if circuit { Expect::Reachable } else { entry.expect }
}

fn check(seeds: &[u64], max_n: usize, wanted: impl Fn(&Entry) -> bool) {
    let Some(c) = Collection::find().unwrap() else { return };
    let (count, faults) = faults(&c, seeds, max_n, wanted);
    println!("{count} problems, {} faults", faults.len());
    assert!(count > 0, "the collection has none of these");
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_problem_with_a_reachable_solution_is_solved() {
    check(&[0], MAX_N, |e| e.kind == "LCP" && e.expect.must_solve());
}

#[test]
fn the_order_of_the_unknowns_does_not_matter() {
    check(&[1, 2, 3], 700, |e| e.kind == "LCP" && e.expect.must_solve());
}

#[test]
fn a_problem_without_solution_is_refused() {
    check(&[0, 1, 2, 3], MAX_N, |e| e.expect == Expect::Refuse);
}

#[test]
fn where_nothing_is_promised_no_claim_is_wrong() {
    check(&[0, 1, 2], MAX_N, |e| e.kind == "LCP" && e.expect == Expect::Open);
}

#[test]
fn mixed_problems_are_solved_with_their_equations() {
    check(&[0, 1, 2], MAX_N, |e| e.kind == "MLCP");
}

#[test]
fn a_stored_derived_problem_is_the_one_derived_here() {
    let Some(c) = Collection::find().unwrap() else { return };
    let mut count = 0;
    let stored = |e: &&Entry| !e.file.is_empty() && !e.derive.is_empty() && e.n <= MAX_N;
    for entry in c.entries.iter().filter(stored) {
        let there = c.load(entry).unwrap().unwrap();
        let here = c.derive(&entry.derive).unwrap();
        // Both sum a few products per entry, in an order of their own; equations are eliminated
        // with conditions up to 1e12, which their entries may show.
        let slack = if entry.derive.starts_with("facet") { 1e-14 } else { 1e-6 };
        for (a, b) in [(&there.m, &here.m), (&there.q, &here.q)] {
            assert_eq!(a.len(), b.len(), "{}", entry.name);
            let size = a.iter().fold(0.0f64, |s, x| s.max(x.abs()));
            let worst = a.iter().zip(b).fold(0.0f64, |w, (x, y)| w.max((x - y).abs()));
            assert!(worst <= slack * size, "{}: {worst:e} of {size:e}", entry.name);
        }
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn the_reader_understands_every_kind_of_file() {
    let text = "LCP 1\n# a comment\n2\ncoo 2 2 3\n0 0 2\n0 1 -1\n1 1 3\n-5\n-6\n";
    let Content::Complementarity(p) = parse(text).unwrap() else { panic!("kind") };
    assert_eq!((p.n_free, p.m, p.q), (0, vec![2.0, 0.0, -1.0, 3.0], vec![-5.0, -6.0]));
    let text = "MLCP 1\n1 1\ndense 1 1\n2\ndense 1 1\n3\ndense 1 1\n4\ndense 1 1\n5\n6 7";
    let Content::Complementarity(p) = parse(text).unwrap() else { panic!("kind") };
    assert_eq!((p.n_free, p.m, p.q), (1, vec![2.0, 4.0, 3.0, 5.0], vec![6.0, 7.0]));
    let text = "FC 1\n2 1\ndense 2 2\n2 1 1 3\n-1 4\n0.5";
    let Content::Friction(f) = parse(text).unwrap() else { panic!("kind") };
    let p = support::facet::facet(&f, 2);
    // u_n = 2 r_n + r_t - 1, u_t = r_n + 3 r_t + 4, r_t = beta_1 - beta_2, both sped up by lambda,
    // and mu r_n - beta_1 - beta_2; columns below.
    let m = [2., 1., -1., 0.5, 1., 3., -3., -1., -1., -3., 3., -1., 0., 1., 1., 0.];
    assert_eq!((p.m, p.q), (m.to_vec(), vec![-1.0, 4.0, -4.0, 0.0]));
    for broken in ["", "LCP 2\n0", "LCP 1\n1\ndense 1 1\n", "LCP 1\n1\ncoo 1 1 1\n0 1 2\n3"] {
        assert!(parse(broken).is_err(), "{broken:?}");
    }
}
