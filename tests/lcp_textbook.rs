//! Small problems with known answers and a named source.
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod lcp_oracle;

use lcp_oracle::exact::ROUNDING;
use lcp_oracle::{Problem, has_solution};
use std::ops::ControlFlow;
use stiction::Error;
use stiction::lcp::{EngineChoice, Info, Lcp, Options, residual};
use stiction::linalg::MatRef;

const ENGINES: [EngineChoice; 2] = [EngineChoice::Tableau, EngineChoice::Factored];

/// Rows of M as they are printed in books.
fn problem<const N: usize>(rows: [[f64; N]; N], q: [f64; N]) -> Problem {
    let m = (0..N * N).map(|k| rows[k % N][k / N]).collect();
    Problem { m, q: q.to_vec() }
}

fn solver(n: usize, engine: EngineChoice) -> Lcp {
    let mut lcp = Lcp::new(n).unwrap();
    let mut options = Options::default();
    options.engine = engine;
    options.warm = false;
    lcp.set_options(options).unwrap();
    lcp
}

fn answer(p: &Problem, engine: EngineChoice) -> (Vec<f64>, Vec<f64>, Info) {
    let n = p.n();
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    let info = solver(n, engine).solve(p.m(), &p.q, &mut z, Some(&mut w)).unwrap();
    let judged = residual(p.m(), &p.q, &z).unwrap();
    assert!(
        judged <= info.residual + ROUNDING && info.residual <= 1e-9,
        "{judged} {}",
        info.residual
    );
    (z, w, info)
}

fn check(p: &Problem, z: &[f64]) {
    for engine in ENGINES {
        let (found, w, _) = answer(p, engine);
        for (a, b) in found.iter().zip(z) {
            assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{found:?} {z:?}");
        }
        for (z, w) in found.iter().zip(w) {
            assert!(*z >= 0.0 && w >= -1e-12 && z * w.abs() <= 1e-10);
        }
    }
}

#[test]
fn a_unit_mass_on_the_ground_is_held_by_its_weight() {
    check(&problem([[1.0]], [-9.8]), &[9.8]);
}

#[test]
fn two_contacts_of_a_box_share_its_load() {
    // Both basic: by Cramer's rule.
    let (a, b, c, q) = (2.57023, -0.580137, 2.59027, 0.938699);
    let det = a * c - b * b;
    check(&problem([[a, b], [b, c]], [-q, -q]), &[q * (c - b) / det, q * (a - b) / det]);
}

#[test]
fn a_quadratic_program_gives_its_optimum_and_multipliers() {
    // min x1^2 - 2 x1 x2 + 2 x2^2 - 2 x1 - 6 x2 with x1 + x2 <= 2, -x1 + 2 x2 <= 2, x >= 0: optimum at
    // (4/5, 6/5), multiplier 14/5 of the first constraint (conditions of optimality, by hand).
    let rows = [
        [0.0, 0.0, -1.0, -1.0],
        [0.0, 0.0, 1.0, -2.0],
        [1.0, -1.0, 2.0, -2.0],
        [1.0, 2.0, -2.0, 4.0],
    ];
    check(&problem(rows, [2.0, 2.0, -2.0, -6.0]), &[2.8, 0.0, 0.8, 1.2]);
}

#[test]
fn triangular_and_two_by_two_problems_have_the_answers_worked_by_hand() {
    // z = (8, 0, 0): w = (0, 16 - 12, 16 - 14)
    let rows = [[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 2.0, 1.0]];
    check(&problem(rows, [-8.0, -12.0, -14.0]), &[8.0, 0.0, 0.0]);
    // 2 z1 - z2 = 3, -z1 + z2 = -1
    check(&problem([[2.0, -1.0], [-1.0, 1.0]], [-3.0, 1.0]), &[2.0, 1.0]);
    check(&problem([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]), &[4.0 / 3.0, 7.0 / 3.0]);
}

#[test]
fn nothing_to_do_is_done_at_once() {
    let mut lcp = Lcp::new(2).unwrap();
    let empty = MatRef::square("m", &[], 0).unwrap();
    assert_eq!(lcp.solve(empty, &[], &mut [], Some(&mut [])).unwrap().pivots, 0);
    let m = [-1.0, 0.0, 0.0, -1.0];
    let (mut z, mut w) = ([7.0; 2], [7.0; 2]);
    let m = MatRef::square("m", &m, 2).unwrap();
    let info = lcp.solve(m, &[0.0, 3.0], &mut z, Some(&mut w)).unwrap();
    assert_eq!((info.pivots, info.residual, z, w), (0, 0.0, [0.0; 2], [0.0, 3.0]));
}

#[test]
fn a_zero_matrix_is_solved_exactly_when_q_is_not_negative() {
    for n in [1, 3, 60] {
        let m = vec![0.0; n * n];
        let m = MatRef::square("m", &m, n).unwrap();
        let mut lcp = Lcp::new(n).unwrap();
        let mut z = vec![5.0; n];
        assert!(lcp.solve(m, &vec![0.0; n], &mut z, None).is_ok());
        assert!(z.iter().all(|&x| x == 0.0));
        let mut q = vec![1.0; n];
        q[n - 1] = -1.0;
        z.fill(5.0);
        assert!(matches!(lcp.solve(m, &q, &mut z, None), Err(Error::LcpRay { .. })));
        assert!(z.iter().all(|&x| x == 5.0), "outputs are untouched on failure");
    }
}

#[test]
fn an_infeasible_problem_ends_on_a_ray_that_proves_it() {
    // z1 - z2 >= 1 and z2 - z1 >= 1 contradict each other; y = (1, 1) shows it.
    let p = problem([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]);
    for engine in ENGINES {
        let mut lcp = solver(2, engine);
        let mut z = [3.0; 2];
        let e = lcp.solve(p.m(), &p.q, &mut z, None).unwrap_err();
        assert!(matches!(e, Error::LcpRay { n: 2, .. }), "{e}");
        let ray = lcp.ray().unwrap();
        assert!(ray.infeasible);
        assert_eq!(ray.rows, [0, 1]);
        assert!(ray.z.iter().all(|&x| x >= 0.0));
        assert!(z == [3.0; 2]);
    }
    assert!(!has_solution(&p, 1e-9));
}

#[test]
fn a_success_clears_the_ray_of_the_failure_before() {
    let mut lcp = Lcp::new(1).unwrap();
    let p = problem([[-1.0]], [-1.0]);
    assert!(lcp.solve(p.m(), &p.q, &mut [0.0], None).is_err());
    assert!(lcp.ray().unwrap().infeasible);
    lcp.solve(p.m(), &[1.0], &mut [0.0], None).unwrap();
    assert!(lcp.ray().is_none());
}

#[test]
fn a_ray_of_a_feasible_problem_is_not_called_a_proof() {
    // A bimatrix game in this form leaves its class: w = M z + q with M >= 0 has the feasible point of
    // large z, and Lemke from d = 1 still ends on a ray.
    let p = problem([[0.0, 1.0], [1.0, 0.0]], [-1.0, -1.0]);
    let mut lcp = Lcp::new(2).unwrap();
    let mut z = [0.0; 2];
    match lcp.solve(p.m(), &p.q, &mut z, None) {
        Ok(_) => assert!(residual(p.m(), &p.q, &z).unwrap() <= 1e-9),
        Err(_) => assert!(lcp.ray().is_none_or(|ray| !ray.infeasible)),
    }
}

/// Murty's family: M upper triangular with ones and twos, q_i = 2^(i+1) - 2^(n+1), counted from zero;
/// Lemke from d = 1 takes 2^n pivots to z = (0, ..., 0, 2^n).
fn murty(n: usize) -> Problem {
    let entry = |i: usize, j: usize| if i == j { 1.0 } else { 2.0 * f64::from(u8::from(j > i)) };
    let m = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    Problem { m, q: (0..n).map(|i| 2f64.powi(i as i32 + 1) - 2f64.powi(n as i32 + 1)).collect() }
}

#[test]
fn an_exponential_path_ends_within_its_limit_with_a_status() {
    let p = murty(12);
    let mut solution = vec![0.0; 12];
    solution[11] = 4096.0;
    check(&p, &solution);
    let mut lcp = solver(12, EngineChoice::Auto);
    let mut options = *lcp.options();
    options.max_pivots = 5;
    lcp.set_options(options).unwrap();
    let e = lcp.solve(p.m(), &p.q, &mut [0.0; 12], None);
    assert!(matches!(e, Err(Error::LcpPivots { .. })), "{e:?}");
    let p = murty(40);
    let mut z = vec![0.0; 40];
    match solver(40, EngineChoice::Auto).solve(p.m(), &p.q, &mut z, None) {
        Ok(_) => assert!(residual(p.m(), &p.q, &z).unwrap() <= 1e-9),
        Err(e) => assert!(matches!(e, Error::LcpPivots { .. }), "{e}"),
    }
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let mut lcp = Lcp::new(2).unwrap();
    let m = [1.0, 0.0, f64::NAN, 1.0];
    let view = MatRef::square("m", &m, 2).unwrap();
    let mut z = [4.0; 2];
    let e = lcp.solve(view, &[-1.0, 1.0], &mut z, None).unwrap_err();
    assert_eq!(e.to_string(), "m[2] is NaN");
    // also where the answer would be trivial
    assert!(lcp.solve(view, &[1.0, 1.0], &mut z, None).is_err());
    let good = [1.0, 0.0, 0.0, 1.0];
    let view = MatRef::square("m", &good, 2).unwrap();
    let e = lcp.solve(view, &[1.0, f64::INFINITY], &mut z, None).unwrap_err();
    assert_eq!(e.to_string(), "q[1] is inf");
    assert!(matches!(lcp.solve(view, &[1.0], &mut z, None), Err(Error::Dimension { .. })));
    assert!(lcp.solve(view, &[1.0; 2], &mut z[..1], None).is_err());
    assert!(lcp.solve(view, &[1.0; 2], &mut z, Some(&mut [0.0])).is_err());
    let large = MatRef::square("m", &[1.0; 9], 3).unwrap();
    let e = lcp.solve(large, &[1.0; 3], &mut [0.0; 3], None).unwrap_err();
    assert!(matches!(e, Error::Capacity { needed: 3, have: 2, .. }));
    assert_eq!(z, [4.0; 2]);
    let mut options = Options::default();
    options.tolerance = f64::NAN;
    assert!(lcp.set_options(options).is_err());
}

#[test]
fn a_caller_who_has_waited_enough_gets_out_and_may_come_back() {
    let p = murty(14);
    let mut lcp = solver(14, EngineChoice::Auto);
    let mut z = [9.0; 14];
    let mut seen = vec![];
    let e = lcp.solve_with(p.m(), &p.q, &mut z, None, &mut |progress| {
        seen.push(progress.pivots);
        assert!(progress.artificial >= 0.0);
        if seen.len() == 3 { ControlFlow::Break(-7) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(e.unwrap_err(), Error::Callback { what: "progress", code: -7 });
    assert_eq!(seen, [64, 128, 192]);
    assert_eq!(z, [9.0; 14]);
    lcp.solve(p.m(), &p.q, &mut z, None).unwrap();
    assert_eq!(z[13], 16384.0);
}

#[test]
fn a_leading_dimension_larger_than_the_matrix_changes_nothing() {
    let padded = [2.0, 1.0, f64::NAN, 1.0, 2.0];
    let m = MatRef::new("m", &padded, 2, 2, 3).unwrap();
    let mut z = [0.0; 2];
    Lcp::new(2).unwrap().solve(m, &[-5.0, -6.0], &mut z, None).unwrap();
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14);
}

#[test]
fn a_ray_beside_large_numbers_proves_nothing() {
    // z = (3.36e7, 0) solves it although M'y of the ray is small beside the other entries.
    let m = [9.3132257461547852e-10, 2048.0, -1.0, 0.0];
    let q = [-0.03125, 0.0];
    let view = MatRef::square("m", &m, 2).unwrap();
    let mut lcp = Lcp::new(2).unwrap();
    let mut z = [0.0; 2];
    match lcp.solve(view, &q, &mut z, None) {
        Ok(_) => assert!(residual(view, &q, &z).unwrap() <= 1e-9),
        Err(_) => assert!(!lcp.ray().is_some_and(|ray| ray.infeasible)),
    }
}

#[test]
fn a_path_in_circles_is_given_up_soon() {
    // Steps of some length and steps of none alternate, so the rule against stalls does not see the cycle. No path of four
    // unknowns has more than 5 * 16 bases.
    let m = [-2.0, 2.0, -1.0, 2.0, -1.0, 0.0, 1.0, -2.0, -1.0, 2.0, 1.0, 1.0, -2.0, 2.0, 0.0, -1.0];
    let q = [0.0, -2.0, -2.0, 2.0];
    let view = MatRef::square("m", &m, 4).unwrap();
    let mut lcp = Lcp::new(4).unwrap();
    let mut z = [0.0; 4];
    match lcp.solve(view, &q, &mut z, None) {
        Ok(info) => {
            assert!(info.pivots < 1000);
            assert!(residual(view, &q, &z).unwrap() <= 1e-9);
        }
        Err(Error::LcpPivots { limit, .. } | Error::LcpRay { pivots: limit, .. }) => {
            assert!(limit < 1000, "{limit}");
        }
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn a_tolerance_that_lets_anything_pass_is_refused() {
    let mut lcp = Lcp::new(1).unwrap();
    for tolerance in [0.0, -1e-9, f64::NAN, f64::INFINITY, 1.0, 1e300] {
        let mut options = Options::default();
        options.tolerance = tolerance;
        assert!(matches!(lcp.set_options(options), Err(Error::Value { .. })), "{tolerance}");
    }
}

#[test]
fn a_light_row_is_solved_beside_a_heavy_one_that_hides_it() {
    // Two problems of one unknown in one: z = -q / m each. In units of the first, the second is
    // violated by 2e-14 when its z is left at zero.
    let (m, q) = ([1e-8, 0.0, 0.0, 1.0], [-0.49, -1e-10]);
    let mut lcp = Lcp::new(2).unwrap();
    for _ in 0..2 {
        let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
        lcp.solve(MatRef::square("m", &m, 2).unwrap(), &q, &mut z, Some(&mut w)).unwrap();
        assert!((z[0] / 0.49e8 - 1.0).abs() < 1e-15 && (z[1] / 1e-10 - 1.0).abs() < 1e-15, "{z:?}");
        assert!(w[1].abs() < 1e-25, "{w:?}");
    }
}

#[test]
fn a_direction_that_overflows_is_no_ray_that_could_be_shown() {
    // Found by fuzzing: entries of 1e-309 beside 7.25 make rates of 1e308 and more in the units of the problem.
    let (t, u) = (1.3034133631941648e-309, 4.9406564584124654e-324);
    let rows = [
        [0.0, 0.0, -t, 7.25, 7.25, 7.25],
        [0.0, 0.0, 0.0, 4.375, 7.25, -1e-300],
        [t, t, 0.0, 0.0, 0.0, -u],
        [-7.25, -7.25, 0.0, 0.0, 0.0, 0.0],
        [-7.25, -7.25, 0.0, 0.0, 0.9375, 0.9375],
        [-7.25, -7.25, u, 0.0, -0.9375, 0.9375],
    ];
    let m: Vec<f64> = (0..36).map(|k| rows[k % 6][k / 6]).collect();
    let q = [-0.9375, -0.9375, -7.0625, 3.5, 0.0, 0.0];
    for engine in ENGINES {
        let mut lcp = solver(6, engine);
        let m = MatRef::square("m", &m, 6).unwrap();
        let (mut z, mut w) = ([0.0; 6], [0.0; 6]);
        let told = lcp.solve(m, &q, &mut z, Some(&mut w));
        assert!(told.is_ok() || matches!(told, Err(Error::LcpRay { .. } | Error::Residual { .. })));
        if let Some(ray) = lcp.ray() {
            assert!(ray.z.iter().chain(&ray.w).all(|x| x.is_finite()), "{ray:?}");
        }
    }
}
