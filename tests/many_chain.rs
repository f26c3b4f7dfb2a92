//! Chains with many contacts: joints and contacts together are answered in the space of bodies.

#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use rng::Rng;
use stiction::linalg::MatRef;
use stiction::velocity::{Brakes, Problem, Rows, Solver, Stage};

const N_DIR: usize = 8;

/// A level chain of `n` point masses on the ground, its neighbors held together in all directions, moving along itself at
/// 3 m/s; joints and contacts are violated by speeds up to `wrong`, and `weight` presses on every mass.
struct Chain {
    nv: usize,
    mass: Vec<f64>,
    p: Vec<f64>,
    joint: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    mu: Vec<f64>,
}

impl Chain {
    fn new(n: usize, wrong: f64, weight: f64) -> Self {
        let (nv, m) = (3 * n, 0.1);
        let mut rng = Rng::new(7);
        let mut mass = vec![0.0; nv * nv];
        (0..nv).for_each(|i| mass[i * (nv + 1)] = m);
        let along = [3.0, 0.0, -weight];
        let p = (0..nv).map(|i| m * (along[i % 3] + wrong * rng.signed())).collect();
        let unit = |i: usize| (0..nv).map(move |k| f64::from(u8::from(k == i)));
        let (mut joint, mut normal, mut tangent) = (vec![], vec![], vec![]);
        for i in 0..nv - 3 {
            joint.extend(unit(i).zip(unit(i + 3)).map(|(a, b)| b - a));
        }
        for body in 0..n {
            normal.extend(unit(3 * body + 2));
            for k in 0..N_DIR {
                let angle = std::f64::consts::TAU * (k % (N_DIR / 2)) as f64 / N_DIR as f64;
                let sign = if k < N_DIR / 2 { 1.0 } else { -1.0 };
                let (s, c) = (sign * angle.sin(), sign * angle.cos());
                let (x, y) = (unit(3 * body), unit(3 * body + 1));
                tangent.extend(x.zip(y).map(|(x, y)| c * x + s * y));
            }
        }
        Self { nv, mass, p, joint, normal, tangent, mu: vec![0.5; n] }
    }

    fn problem(&self) -> Problem<'_> {
        let view = |x| MatRef::new("columns", x, self.nv, x.len() / self.nv, self.nv).unwrap();
        Problem {
            mass: MatRef::square("mass", &self.mass, self.nv).unwrap().into(),
            p: &self.p,
            joint: Rows::same(view(&self.joint)),
            normal: Rows::same(view(&self.normal)),
            tangent: Rows::same(view(&self.tangent)),
            n_dir: N_DIR,
            mu: &self.mu,
            brake: Brakes::NONE,
        }
    }
}

#[test]
fn a_fast_chain_that_is_nearly_right_is_put_right_in_the_space_of_bodies() {
    for wrong in [1e-3, 1e-6, 1e-9, 1e-12] {
        // Contacts that touch and carry nothing: what is wrong is all there is.
        let mut chain = Chain::new(40, wrong, 0.0);
        chain.mu.fill(0.0);
        let problem = chain.problem();
        let mut solver = Solver::new(problem.size()).unwrap();
        solver.set_bodies(&(0..40).map(|b| 3 * b).collect::<Vec<_>>()).unwrap();
        let info = solver.solve(&problem).unwrap();
        assert_eq!(solver.stage(), Stage::Bodies, "{wrong:e}");
        assert!(info.residual < 1e-9, "{wrong:e}: {info:?}");
        // All masses move together with the mean of what they had; upwards only: closed form.
        for axis in 0..3 {
            let mean = chain.p.iter().skip(axis).step_by(3).sum::<f64>() / 4.0;
            let mean = if axis == 2 { mean.max(0.0) } else { mean };
            for v in solver.v().iter().skip(axis).step_by(3) {
                assert!((v - mean).abs() < 1e-13 + 1e-9 * wrong, "{wrong:e}: {v} {mean}");
            }
        }
    }
}

#[test]
fn a_chain_that_slides_is_slowed_as_one_body() {
    let chain = Chain::new(40, 0.0, 0.1);
    let problem = chain.problem();
    let mut solver = Solver::new(problem.size()).unwrap();
    let info = solver.solve(&problem).unwrap();
    assert_eq!(solver.stage(), Stage::Bodies);
    assert!(info.residual < 1e-9, "{info:?}");
    // Every mass presses with 0.1 m/s of its own momentum, in all or in part through the joints: mu times the whole.
    for v in solver.v().chunks_exact(3) {
        for (v, exact) in v.iter().zip([3.0 - 0.05, 0.0, 0.0]) {
            assert!((v - exact).abs() < 1e-12, "{v} is not {exact}");
        }
    }
}
