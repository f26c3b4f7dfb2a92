//! Problems with free unknowns: elimination, redundancy, contradiction, and singular blocks.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::exact::ROUNDING;
use lcp_oracle::{Problem, Rng, semidefinite};
use stiction::Error;
use stiction::lcp::{Basis, Info, Lcp, Options, mixed_residual};

fn solve(p: &Problem, n_free: usize) -> Result<(Vec<f64>, Vec<f64>, Info), Error> {
    let n = p.n();
    let (mut x, mut w) = (vec![0.0; n], vec![0.0; n - n_free]);
    let info = Lcp::new(n).unwrap().solve_mixed(n_free, p.m(), &p.q, &mut x, Some(&mut w))?;
    let judged = mixed_residual(n_free, p.m(), &p.q, &x).unwrap();
    assert!(
        judged <= info.residual + ROUNDING && info.residual <= 1e-9,
        "{judged} {}",
        info.residual
    );
    Ok((x, w, info))
}

/// Rows of M as printed.
fn problem(rows: &[&[f64]], q: &[f64]) -> Problem {
    let n = q.len();
    Problem { m: (0..n * n).map(|k| rows[k % n][k / n]).collect(), q: q.to_vec() }
}

fn near(a: &[f64], b: &[f64]) {
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{a:?} {b:?}");
    }
}

#[test]
fn a_ball_that_meets_the_ground_stops() {
    // m v - c = m v0, w = v >= 0, c >= 0: with v0 = -3, m = 2: v = 0, c = 6.
    let p = problem(&[&[2.0, -1.0], &[1.0, 0.0]], &[6.0, 0.0]);
    let (x, w, _) = solve(&p, 1).unwrap();
    near(&x, &[0.0, 6.0]);
    near(&w, &[0.0]);
    // and one that leaves it goes on
    let p = problem(&[&[2.0, -1.0], &[1.0, 0.0]], &[-6.0, 0.0]);
    let (x, w, _) = solve(&p, 1).unwrap();
    near(&x, &[3.0, 0.0]);
    near(&w, &[3.0]);
}

#[test]
fn without_complementary_unknowns_it_is_a_linear_system() {
    // Hilbert matrix of order 4 times (1, 1, 1, 1): sums of its rows.
    let h = |i: usize, j: usize| 1.0 / (i + j + 1) as f64;
    let m = (0..16).map(|k| h(k % 4, k / 4)).collect();
    let q = (0..4).map(|i| -(0..4).map(|j| h(i, j)).sum::<f64>()).collect();
    let (x, w, info) = solve(&Problem { m, q }, 4).unwrap();
    // condition 1.6e4, so 12 digits remain
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-11), "{x:?}");
    assert!(w.is_empty() && info.pivots == 0);
}

#[test]
fn without_free_unknowns_it_is_the_plain_problem() {
    let mut rng = Rng::new(2);
    let p = semidefinite(&mut rng, 30, 20, 0.4);
    let (x, w, _) = solve(&p, 0).unwrap();
    let (mut z, mut v) = (vec![0.0; 30], vec![0.0; 30]);
    Lcp::new(30).unwrap().solve(p.m(), &p.q, &mut z, Some(&mut v)).unwrap();
    assert_eq!((x, w), (z, v));
}

#[test]
fn random_semidefinite_problems_with_free_unknowns_are_solved() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed + 1);
        let n = 2 + rng.below(40);
        let n_free = rng.below(n + 1);
        let mut p = semidefinite(&mut rng, n, n, 0.5);
        // any right-hand side will do for a positive definite matrix
        p.q.iter_mut().for_each(|q| *q = rng.unit());
        let (x, w, _) = solve(&p, n_free).unwrap();
        assert!(x[n_free..].iter().all(|&z| z >= 0.0) && w.iter().all(|&w| w >= -1e-9));
    }
}

/// Mass m (2 unknowns), joint row g twice: [[m, -g g], [g' 0], [g' 0]], then a contact on the second
/// velocity.
fn doubled_joint(second: f64) -> Problem {
    problem(
        &[
            &[2.0, 0.0, -1.0, -1.0, 0.0],
            &[0.0, 2.0, -1.0, -1.0, -1.0],
            &[1.0, 1.0, 0.0, 0.0, 0.0],
            &[1.0, 1.0, 0.0, 0.0, 0.0],
            &[0.0, 1.0, 0.0, 0.0, 0.0],
        ],
        &[-2.0, 6.0, 0.0, second, 0.0],
    )
}

#[test]
fn a_joint_given_twice_is_as_good_as_one() {
    // Velocities (0, 0): the contact stops the second, the joint then the first.
    let (x, _, _) = solve(&doubled_joint(0.0), 4).unwrap();
    near(&x[..2], &[0.0, 0.0]);
    // rows 0 and 1 of the equations: c1 + c2 = -2 and c1 + c2 + c_n = 6
    assert!((x[2] + x[3] + 2.0).abs() < 1e-12 && (x[4] - 8.0).abs() < 1e-12, "{x:?}");
}

#[test]
fn joints_that_contradict_each_other_are_named() {
    let mut out = [4.0; 5];
    let p = doubled_joint(1e-3);
    let e = Lcp::new(5).unwrap().solve_mixed(4, p.m(), &p.q, &mut out, None).unwrap_err();
    let Error::Inconsistent { row, violation, .. } = e else { panic!("{e}") };
    assert!(row == 2 || row == 3);
    assert!(violation > 1e-6);
    assert_eq!(out, [4.0; 5]);
}

#[test]
fn a_singular_block_is_no_obstacle_when_the_whole_problem_is_solvable() {
    // The free unknown u appears in no equation of its own: 0 u + v1 - v2 = 0, w1 = -u + v1 - 2,
    // w2 = u + v2 - 4. Both v positive and equal: adding the rows 2 v = 6, so v = 3, u = 1.
    let rows: [&[f64]; 3] = [&[0.0, 1.0, -1.0], &[-1.0, 1.0, 0.0], &[1.0, 0.0, 1.0]];
    let (x, w, _) = solve(&problem(&rows, &[0.0, -2.0, -4.0]), 1).unwrap();
    near(&x, &[1.0, 3.0, 3.0]);
    near(&w, &[0.0, 0.0]);
    // the same with the equation written with the opposite sign
    let rows: [&[f64]; 3] = [&[0.0, -5.0, 5.0], &[-1.0, 1.0, 0.0], &[1.0, 0.0, 1.0]];
    let (x, _, _) = solve(&problem(&rows, &[0.0, -2.0, -4.0]), 1).unwrap();
    near(&x, &[1.0, 3.0, 3.0]);
}

#[test]
fn several_singular_unknowns_are_paired_with_their_equations() {
    // B = G G' positive definite, equations D' v = a with full rank: the conditions of a quadratic
    // program with equality constraints, in a random order and combination of its equations.
    for seed in 0..50 {
        let mut rng = Rng::new(900 + seed);
        let (d, n_comp) = (1 + rng.below(3), 6 + rng.below(6));
        let n = d + n_comp;
        let b = semidefinite(&mut rng, n_comp, n_comp, 0.3);
        let act: Vec<f64> = (0..d * n_comp).map(|_| rng.unit()).collect();
        let mix: Vec<f64> = (0..d * d).map(|_| rng.unit()).collect();
        let mut p = Problem { m: vec![0.0; n * n], q: vec![0.0; n] };
        // a point that meets the equations
        let v: Vec<f64> = (0..n_comp).map(|_| rng.unit().abs()).collect();
        for j in 0..n_comp {
            for i in 0..n_comp {
                p.m[(d + j) * n + d + i] = b.m[j * n_comp + i];
            }
            for t in 0..d {
                p.m[t * n + d + j] = act[t * n_comp + j];
                let row: f64 = (0..d).map(|s| mix[t * d + s] * act[s * n_comp + j]).sum();
                p.m[(d + j) * n + t] = row;
                p.q[t] -= row * v[j];
            }
            p.q[d + j] = rng.unit();
        }
        solve(&p, d).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

#[test]
fn an_unsymmetric_positive_definite_mass_is_fine() {
    // gyroscopic coupling: mass [[1, 100], [-100, 1]]
    let rows: [&[f64]; 3] = [&[1.0, 100.0, -1.0], &[-100.0, 1.0, 0.0], &[1.0, 0.0, 0.0]];
    let p = problem(&rows, &[5.0, 0.0, 0.0]);
    let (x, _, _) = solve(&p, 2).unwrap();
    // contact closed: v1 = 0, so v2 = 0 and c = 5
    near(&x, &[0.0, 0.0, 5.0]);
}

#[test]
fn masses_over_many_orders_do_not_hide_a_joint() {
    // two bodies of 1e8 and 1e-8 kg tied together, pushed against the ground
    let rows: [&[f64]; 4] = [
        &[1e8, 0.0, -1.0, 0.0],
        &[0.0, 1e-8, 1.0, -1.0],
        &[1.0, -1.0, 0.0, 0.0],
        &[0.0, 1.0, 0.0, 0.0],
    ];
    let p = problem(&rows, &[1e8, 1e-8, 0.0, 0.0]);
    let (x, _, _) = solve(&p, 3).unwrap();
    near(&[x[0], x[1], x[2] / 1e8, x[3] / 1e8], &[0.0, 0.0, 1.0, 1.0]);
}

/// The problem with its complementary unknowns taken in another order, some of them left out.
fn rearranged(p: &Problem, n_free: usize, pairs: &[usize]) -> Problem {
    let places: Vec<usize> = (0..n_free).chain(pairs.iter().map(|k| n_free + k)).collect();
    let n = p.n();
    let column = |&j: &usize| places.iter().map(move |&i| (i, j));
    let m = places.iter().flat_map(column).map(|(i, j)| p.m[i + j * n]).collect();
    Problem { m, q: places.iter().map(|&i| p.q[i]).collect() }
}

#[test]
fn a_basis_by_keys_serves_when_pairs_come_in_another_order_or_go() {
    let (n, n_free) = (24, 6);
    let p = semidefinite(&mut Rng::new(7), n, n, 0.4);
    let mut lcp = Lcp::new(n).unwrap();
    let (mut x, mut w) = (vec![0.0; n], vec![0.0; n - n_free]);
    let cold = lcp.solve_mixed(n_free, p.m(), &p.q, &mut x, Some(&mut w)).unwrap();
    assert!(cold.pivots > 0 && !cold.warm);
    let keys: Vec<i64> = (0..18).map(|k| 1000 + 7 * k).collect();
    let mut basis = Basis::new(n).unwrap();
    lcp.get_basis(&keys, &mut basis).unwrap();
    assert!(lcp.get_basis(&keys[1..], &mut basis).is_err());
    // Without a pair at rest the others are as they were.
    let idle = (0..18).find(|&k| x[n_free + k] == 0.0).unwrap();
    let reversed: Vec<usize> = (0..18).rev().collect();
    let fewer: Vec<usize> = (0..18).filter(|&k| k != idle).collect();
    for pairs in [reversed, fewer] {
        let q = rearranged(&p, n_free, &pairs);
        let names: Vec<i64> = pairs.iter().map(|&k| keys[k]).collect();
        let mut other = Lcp::new(n).unwrap();
        other.set_basis(&names, &basis).unwrap();
        let mut y = vec![0.0; q.n()];
        let info = other.solve_mixed(n_free, q.m(), &q.q, &mut y, None).unwrap();
        assert!(info.warm && info.pivots == 0, "{info:?}");
        for (k, &pair) in pairs.iter().enumerate() {
            assert!((y[n_free + k] - x[n_free + pair]).abs() < 1e-10, "{x:?} {y:?}");
        }
    }
}

#[test]
fn bad_shapes_are_refused() {
    let p = problem(&[&[1.0, 0.0], &[0.0, 1.0]], &[1.0, 1.0]);
    let mut lcp = Lcp::new(2).unwrap();
    let mut x = [0.0; 2];
    assert!(lcp.solve_mixed(3, p.m(), &p.q, &mut x, None).is_err());
    assert!(lcp.solve_mixed(1, p.m(), &p.q, &mut x[..1], None).is_err());
    assert!(lcp.solve_mixed(1, p.m(), &p.q, &mut x, Some(&mut [0.0; 2])).is_err());
    let bad = problem(&[&[1.0, 0.0], &[0.0, f64::INFINITY]], &[1.0, 1.0]);
    let e = lcp.solve_mixed(1, bad.m(), &bad.q, &mut x, None).unwrap_err();
    assert_eq!(e.to_string(), "m[3] is inf");
}

#[test]
fn the_ray_of_a_mixed_problem_is_one_of_its_pairs_in_their_units() {
    // u = v_1, w_1 = u - v_2 / s - 1, w_2 = -s u + v_2 - s, so w_2 = -s (w_1 + 2): no w >= 0. Without
    // the constants v = (1, s) keeps w at zero.
    let s = 2f64.powi(20);
    let rows: [&[f64]; 3] = [&[1.0, -1.0, 0.0], &[1.0, 0.0, -1.0 / s], &[-s, 0.0, 1.0]];
    let regular = problem(&rows, &[0.0, -1.0, -s]);
    // u acts on w_1 alone and no equation fixes it: the reduction has more pairs than the problem.
    let rows: [&[f64]; 3] = [&[0.0, 1.0, 0.0], &[-1.0, -1.0, 0.0], &[0.0, 0.0, -1.0]];
    let singular = problem(&rows, &[-1.0, 0.0, -1.0]);
    for (p, ratio) in [(regular, Some(s)), (singular, None)] {
        let n_free = 1;
        let n = p.n();
        let (mut x, mut lcp) = (vec![0.0; n], Lcp::new(n).unwrap());
        let told = lcp.solve_mixed(n_free, p.m(), &p.q, &mut x, None);
        assert!(matches!(told, Err(Error::LcpRay { .. })), "{told:?}");
        let ray = lcp.ray().unwrap();
        assert_eq!((ray.z.len(), ray.w.len()), (n - n_free, n - n_free));
        assert!(ray.rows.iter().all(|&i| i < n - n_free && ray.z[i] > 0.0), "{ray:?}");
        assert!(ray.z.iter().chain(&ray.w).all(|x| *x >= 0.0 && x.is_finite()), "{ray:?}");
        // (lcp.18) sees the second one only.
        assert!(!ray.rows.is_empty() && ray.infeasible == ratio.is_none(), "{ray:?}");
        assert!(ratio.is_none_or(|s| (ray.z[1] / ray.z[0] - s).abs() <= 1e-12 * s), "{ray:?}");
    }
}

#[test]
fn the_ray_of_a_first_way_is_not_shown_when_a_later_one_finds_a_contradiction() {
    // M = D G'G D with a singular block: with what may be rounding taken for data the path ends on a ray,
    // without it an equation contradicts the others.
    const G: [[f64; 15]; 4] = [
        [0., -1., 0., 1., 1., 1., 0., 0., 0., 2., -2., 0., 0., 1., -1.],
        [-2., 2., 0., -1., 0., 0., -2., -2., 1., 1., -1., -1., -2., 0., -1.],
        [0., 1., -2., 2., -2., 0., 0., -1., -2., 2., -2., 0., 1., 2., 1.],
        [-1., 0., 2., 1., -1., 0., 0., 0., 0., 0., 0., 2., 0., -2., 1.],
    ];
    let d = [-8, -4, 11, 0, 8, 7, 0, 5, 12, 6, 6, -13, -8, -13, -12].map(|e| 2f64.powi(e));
    let q = [
        -768.0,
        -50.0,
        -4.00048828125,
        -2.0,
        5.98828125,
        4.0,
        -5.0,
        -2.0,
        0.999755859375,
        9.03125,
        -8.984375,
        -24581.0,
        -770.0,
        -8181.0,
        8185.0,
    ];
    let (n, n_free) = (15, 7);
    let entry = |i: usize, j: usize| G.iter().map(|g| g[i] * g[j]).sum::<f64>() * d[i] * d[j];
    let m = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    let p = Problem { m, q: q.iter().zip(&d).map(|(q, d)| q * d).collect() };
    let (mut x, mut lcp) = (vec![0.0; n], Lcp::new(n).unwrap());
    let told = lcp.solve_mixed(n_free, p.m(), &p.q, &mut x, None);
    assert!(matches!(told, Err(Error::Inconsistent { .. })), "{told:?}");
    assert!(lcp.ray().is_none());
}

#[test]
fn a_limit_of_pivots_that_ends_a_mixed_problem_leaves_a_residual_to_tell() {
    let mut rng = Rng::new(8);
    for limit in 1..6 {
        let p = semidefinite(&mut rng, 40, 30, 0.0);
        let mut lcp = Lcp::new(40).unwrap();
        let mut options = Options::default();
        options.max_pivots = limit;
        lcp.set_options(options).unwrap();
        match lcp.solve_mixed(4, p.m(), &p.q, &mut [0.0; 40], None) {
            Err(Error::LcpPivots { residual, .. }) => assert!(residual.is_finite(), "{residual}"),
            other => panic!("{other:?}"),
        }
    }
}
