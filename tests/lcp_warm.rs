//! Starting from a remembered basis: what it saves, and that it never changes what is true.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::exact::ROUNDING;
use lcp_oracle::{Problem, Rng, contacts};
use stiction::Error;
use stiction::lcp::{Basis, Info, Lcp, Options, residual};

fn solve(lcp: &mut Lcp, p: &Problem) -> (Vec<f64>, Info) {
    let mut z = vec![0.0; p.n()];
    let info = lcp.solve(p.m(), &p.q, &mut z, None).unwrap();
    assert!(
        residual(p.m(), &p.q, &z).unwrap() <= info.residual + ROUNDING && info.residual <= 1e-9
    );
    (z, info)
}

#[test]
fn the_same_problem_again_needs_no_pivot_and_at_most_one_factorization() {
    let mut rng = Rng::new(7);
    for count in [1, 4, 12, 40] {
        let p = contacts(&mut rng, count, count, 1, 1e3);
        let mut lcp = Lcp::new(p.n()).unwrap();
        let (first, cold) = solve(&mut lcp, &p);
        assert!(!cold.warm && cold.pivots > 0);
        for _ in 0..3 {
            let (again, info) = solve(&mut lcp, &p);
            assert!(info.warm && info.pivots == 0 && info.refactorizations <= 1, "{info:?}");
            for (a, b) in first.iter().zip(&again) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()));
            }
        }
    }
}

#[test]
fn a_changed_right_hand_side_needs_few_pivots() {
    let mut rng = Rng::new(11);
    let mut p = contacts(&mut rng, 20, 30, 1, 10.0);
    let q = p.q.clone();
    let mut lcp = Lcp::new(p.n()).unwrap();
    let (_, cold) = solve(&mut lcp, &p);
    let (mut pivots, mut quiet) = (0, 0);
    for step in 0..100 {
        let f = 1.0 + 1e-3 * f64::from(step);
        p.q = q.iter().map(|x| x * f).collect();
        let mut z = vec![0.0; p.n()];
        let info = lcp.solve_again(p.m(), &p.q, &mut z, None).unwrap();
        assert!(residual(p.m(), &p.q, &z).unwrap() <= 1e-9);
        pivots += info.pivots;
        quiet += u32::from(info.warm);
    }
    // A scaled right-hand side keeps its basis.
    assert_eq!((pivots, quiet), (0, 100));
    for k in 0..50 {
        // An independent small push on one contact at a time.
        p.q = q.clone();
        p.q[4 * (k % 30)] -= 1e-2;
        let (_, info) = solve(&mut lcp, &p);
        pivots += info.pivots;
    }
    assert!(pivots < 50 * cold.pivots / 4, "{pivots} against {} from scratch", cold.pivots);
}

#[test]
fn a_slightly_changed_matrix_starts_from_the_old_basis() {
    let mut rng = Rng::new(3);
    let p = contacts(&mut rng, 20, 30, 1, 10.0);
    let n = p.n();
    let mut lcp = Lcp::new(n).unwrap();
    let (_, cold) = solve(&mut lcp, &p);
    let mut pivots = 0;
    for step in 1..=20 {
        let mut other = p.clone();
        // symmetric relative change of the impulse responses, friction rows kept
        for j in 0..n {
            for i in 0..=j {
                if i % 4 < 3 && j % 4 < 3 {
                    let f = 1.0 + 1e-6 * f64::from(step);
                    other.m[j * n + i] *= f;
                    other.m[i * n + j] = other.m[j * n + i];
                }
            }
        }
        pivots += solve(&mut lcp, &other).1.pivots;
    }
    assert!(pivots < 20 * cold.pivots / 10, "{pivots} against {}", cold.pivots);
}

#[test]
fn contacts_come_and_go_by_their_keys() {
    let mut rng = Rng::new(5);
    let all = contacts(&mut rng, 12, 16, 1, 10.0);
    let n = all.n();
    // the problem without its third contact
    let kept: Vec<usize> = (0..n).filter(|i| i / 4 != 2).collect();
    let m = kept.iter().flat_map(|&j| kept.iter().map(move |&i| (i, j)));
    let fewer = Problem {
        m: m.map(|(i, j)| all.m[j * n + i]).collect(),
        q: kept.iter().map(|&i| all.q[i]).collect(),
    };
    let keys: Vec<i64> = (0..n as i64).map(|k| 1000 - k).collect();
    let fewer_keys: Vec<i64> = kept.iter().map(|&i| keys[i]).collect();
    let mut lcp = Lcp::new(n).unwrap();
    let mut basis = Basis::new(n).unwrap();
    let (z, cold) = solve(&mut lcp, &all);
    lcp.get_basis(&keys, &mut basis).unwrap();
    assert!(basis.keys().windows(2).all(|k| k[0] < k[1]));
    assert!(z.iter().zip(&keys).all(|(&z, k)| z == 0.0 || basis.keys().contains(k)));
    lcp.set_basis(&fewer_keys, &basis).unwrap();
    let (_, info) = solve(&mut lcp, &fewer);
    assert!(info.pivots < cold.pivots, "{} against {}", info.pivots, cold.pivots);
    // back again: the other way round the missing contact starts nonbasic
    lcp.get_basis(&fewer_keys, &mut basis).unwrap();
    lcp.set_basis(&keys, &basis).unwrap();
    let (_, info) = solve(&mut lcp, &all);
    assert!(info.pivots < cold.pivots, "{} against {}", info.pivots, cold.pivots);
    assert!(lcp.get_basis(&keys[1..], &mut basis).is_err());
    assert!(lcp.get_basis(&keys, &mut Basis::new(0).unwrap()).is_err());
}

#[test]
fn a_useless_basis_costs_time_but_not_truth() {
    let mut rng = Rng::new(13);
    let p = contacts(&mut rng, 6, 10, 2, 1e6);
    let n = p.n();
    let keys: Vec<i64> = (0..n as i64).collect();
    let mut basis = Basis::new(n).unwrap();
    for pattern in 0..4 {
        let some: Vec<i64> = keys.iter().copied().filter(|k| k % 4 >= pattern).collect();
        basis.set_keys(&some).unwrap();
        let mut lcp = Lcp::new(n).unwrap();
        lcp.set_basis(&keys, &basis).unwrap();
        solve(&mut lcp, &p);
    }
}

#[test]
fn without_warm_start_every_solve_is_the_first() {
    let mut rng = Rng::new(17);
    let p = contacts(&mut rng, 10, 14, 1, 1e2);
    let mut options = Options::default();
    options.warm = false;
    let mut lcp = Lcp::new(p.n()).unwrap();
    lcp.set_options(options).unwrap();
    let (first, a) = solve(&mut lcp, &p);
    let (second, b) = solve(&mut lcp, &p);
    assert_eq!((first, a), (second, b));
    assert!(!a.warm);
}

#[test]
fn a_failed_solve_leaves_the_workspace_as_good_as_new() {
    let mut rng = Rng::new(19);
    let p = contacts(&mut rng, 10, 14, 1, 1e2);
    let n = p.n();
    let mut lcp = Lcp::new(n).unwrap();
    solve(&mut lcp, &p);
    let hopeless = Problem { m: p.m.iter().map(|x| -x.abs()).collect(), q: vec![-1.0; n] };
    let mut z = vec![2.0; n];
    assert!(lcp.solve(hopeless.m(), &hopeless.q, &mut z, None).is_err());
    assert!(z.iter().all(|&x| x == 2.0));
    let mut broken = p.clone();
    broken.m[n + 1] = f64::NAN;
    assert!(lcp.solve(broken.m(), &broken.q, &mut z, None).is_err());
    let (_, info) = solve(&mut lcp, &p);
    assert!(info.warm, "the basis of the last solution survives failures");
}

#[test]
fn another_kind_of_call_in_between_does_not_lend_its_scales() {
    // A mixed problem of the same reduced size leaves scales behind that fit nothing else; a claim made
    // in them would be false.
    let mut rng = Rng::new(23);
    let p = contacts(&mut rng, 3, 4, 1, 10.0);
    let n = p.n();
    let mut lcp = Lcp::new(n + 1).unwrap();
    solve(&mut lcp, &p);
    let mut m = vec![0.0; (n + 1) * (n + 1)];
    for j in 0..n {
        for i in 0..n {
            m[(j + 1) * (n + 1) + i + 1] = -p.m[j * n + i].abs() * 1e12;
        }
    }
    m[0] = 1.0;
    let mixed = Problem { m, q: vec![-1.0; n + 1] };
    let mut x = vec![0.0; n + 1];
    assert!(lcp.solve_mixed(1, mixed.m(), &mixed.q, &mut x, None).is_err());
    let mut z = vec![0.0; n];
    let info = lcp.solve_again(p.m(), &p.q, &mut z, None).unwrap();
    assert!(
        residual(p.m(), &p.q, &z).unwrap() <= info.residual + ROUNDING && info.residual <= 1e-9
    );
}

#[test]
fn a_remembered_basis_whose_point_is_far_below_zero_does_not_hide_what_is_violated() {
    // Found by fuzzing: z_2 = -5.6e16 was clipped, and w_1 = 0 was left of -6.7 by cancellation.
    let mut lcp = Lcp::new(2).unwrap();
    let (z, _) = solve(&mut lcp, &Problem { m: vec![1.0, 0.0, 0.0, 1.0], q: vec![1.0, -1.0] });
    assert_eq!(z, [0.0, 1.0]);
    let hard = Problem { m: vec![4.9375, -7.25, 7.25, 1e-16], q: vec![-6.6875, 5.625] };
    let (z, _) = solve(&mut lcp, &hard);
    // Both rows as equations: z_1 = 5.625 / 7.25, z_2 = (6.6875 - 4.9375 z_1) / 7.25.
    assert!((z[0] - 5.625 / 7.25).abs() < 1e-12);
    assert!((z[1] - (6.6875 - 4.9375 * 5.625 / 7.25) / 7.25).abs() < 1e-12);
}

/// A problem and right-hand sides that push some of its contacts more than others.
fn to_and_fro() -> (Problem, [Vec<f64>; 3]) {
    let mut rng = Rng::new(23);
    let p = contacts(&mut rng, 12, 20, 1, 10.0);
    let push = 0.1 * p.q.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    // Four unknowns per contact, the normal impulse first.
    let pushed = |every: usize| {
        let change = |(i, x): (usize, &f64)| if i % (4 * every) == 0 { x - push } else { *x };
        p.q.iter().enumerate().map(change).collect::<Vec<_>>()
    };
    let q = [p.q.clone(), pushed(2), pushed(3)];
    (p, q)
}

#[test]
fn a_basis_met_before_is_found_again_without_a_pivot() {
    let (mut p, right) = to_and_fro();
    let mut lcp = Lcp::new(p.n()).unwrap();
    let mut pivots = [0; 4];
    for round in 0..4 {
        for q in &right {
            p.q.clone_from(q);
            let mut z = vec![0.0; p.n()];
            let info = lcp.solve_again(p.m(), &p.q, &mut z, None).unwrap();
            assert!(residual(p.m(), &p.q, &z).unwrap() <= 1e-9);
            assert_eq!(info.warm, info.pivots == 0);
            pivots[round] += info.pivots;
        }
    }
    // The first of the second round comes from the last of the first.
    assert!(pivots[0] > 10 && pivots[1..] == [0, 0, 0], "{pivots:?}");
}

#[test]
fn a_basis_that_is_set_makes_the_workspace_forget_the_others() {
    let (mut p, right) = to_and_fro();
    let n = p.n();
    let mut lcp = Lcp::new(n).unwrap();
    let mut run = |lcp: &mut Lcp, which: usize| {
        p.q.clone_from(&right[which]);
        let mut z = vec![0.0; n];
        lcp.solve(p.m(), &p.q, &mut z, None).unwrap();
        z.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for which in [0, 1, 2, 0] {
        run(&mut lcp, which);
    }
    let basic = lcp.basic().to_vec();
    lcp.set_basic(&basic).unwrap();
    let mut fresh = Lcp::new(n).unwrap();
    fresh.set_basic(&basic).unwrap();
    for which in [1, 2, 0, 1] {
        assert_eq!(run(&mut lcp, which), run(&mut fresh, which));
    }
}

fn diagonal(n: usize, d: f64) -> Problem {
    let mut m = vec![0.0; n * n];
    m.iter_mut().step_by(n + 1).for_each(|x| *x = d);
    Problem { m, q: vec![-1.0; n] }
}

#[test]
fn a_matrix_that_did_not_stay_is_judged_as_it_is() {
    for n in [8, 31, 32, 40, 96, 250] {
        let mut lcp = Lcp::new(n).unwrap();
        let p = diagonal(n, 2.0);
        solve(&mut lcp, &p);
        let mut z = vec![0.0; n];
        for d in [2.0, 2.0, 3.0, 3.0, 2.5] {
            let p = diagonal(n, d);
            let info = lcp.solve_again(p.m(), &p.q, &mut z, None).unwrap();
            // d z = 1
            assert!(z.iter().all(|z| (z * d - 1.0).abs() < 1e-9), "n = {n}, {d}: {info:?}");
        }
    }
}

#[test]
fn a_mixed_problem_that_fails_in_between_does_not_lend_its_name() {
    let n = 32;
    let mut lcp = Lcp::new(n).unwrap();
    let (p, mut other) = (diagonal(n, 2.0), diagonal(n, 1.5));
    solve(&mut lcp, &p);
    let mut z = vec![0.0; n];
    lcp.solve_again(p.m(), &p.q, &mut z, None).unwrap();
    // Nothing acts on the first unknown, and its row asks for -1 = 0.
    other.m[0] = 0.0;
    assert!(lcp.solve_mixed(1, other.m(), &other.q, &mut z, None).is_err());
    other.q[0] = 1.0;
    lcp.solve_again(other.m(), &other.q, &mut z, None).unwrap();
    assert!(residual(other.m(), &other.q, &z).unwrap() <= 1e-9 && (z[1] - 1.0 / 1.5).abs() < 1e-12);
}

#[test]
fn a_limit_of_pivots_is_kept_to_the_pivot() {
    let mut rng = Rng::new(5);
    for count in [2, 10] {
        let p = contacts(&mut rng, count, count, 1, 10.0);
        let keys: Vec<i64> = (0..p.n() as i64).collect();
        let mut wrong = Basis::new(p.n()).unwrap();
        wrong.set_keys(&keys).unwrap();
        for limit in [1, 2, 3] {
            let mut lcp = Lcp::new(p.n()).unwrap();
            let mut options = Options::default();
            options.max_pivots = limit;
            lcp.set_options(options).unwrap();
            lcp.set_basis(&keys, &wrong).unwrap();
            let mut z = vec![0.0; p.n()];
            match lcp.solve(p.m(), &p.q, &mut z, None) {
                Ok(info) => assert!(info.pivots <= limit),
                Err(Error::LcpPivots { limit: done, .. }) => assert!(done <= limit, "{done}"),
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn what_is_small_in_a_row_of_its_own_is_not_taken_for_rounding() {
    // One unknown beside many that know nothing of it: z = -q, far below the rounding of the others.
    let mut rng = Rng::new(3);
    let p = contacts(&mut rng, 20, 30, 1, 10.0);
    let (n, light) = (p.n(), 3e-14);
    let mut m = vec![0.0; (n + 1) * (n + 1)];
    for j in 0..n {
        m[j * (n + 1)..j * (n + 1) + n].copy_from_slice(p.m().col(j));
    }
    m[(n + 1) * (n + 1) - 1] = 1.0;
    let size = p.q.iter().fold(0.0f64, |s, q| s.max(q.abs()));
    let mut all = Problem { m, q: [&p.q[..], &[-light * size]].concat() };
    let mut lcp = Lcp::new(n + 1).unwrap();
    let (mut z, mut still) = (vec![0.0; n + 1], 0);
    for step in 0..30 {
        // The same problem in another size, then another one.
        let factor = 1.0 + 0.2 * rng.unit();
        for (x, q) in all.q.iter_mut().zip(&p.q) {
            *x = if step % 3 == 2 { q * (1.0 + 0.2 * rng.unit()) } else { q * factor };
        }
        let info = if step == 0 {
            lcp.solve(all.m(), &all.q, &mut z, None).unwrap()
        } else {
            lcp.solve_again(all.m(), &all.q, &mut z, None).unwrap()
        };
        still += usize::from(info.warm);
        assert!(residual(all.m(), &all.q, &z).unwrap() <= 1e-9);
        assert!((z[n] / (light * size) - 1.0).abs() < 1e-9, "step {step}: {:e} {info:?}", z[n]);
    }
    assert!(still > 0);
}
