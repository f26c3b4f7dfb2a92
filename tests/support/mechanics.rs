//! Accelerations and small steps of a model without a stepper, for tests.
#![allow(dead_code)] // each test file uses its part

use stiction::linalg::{DefiniteFactor, MatRef, RankFactor, axpy, dot};
use stiction::model::{Checked, Model};
use stiction::velocity::{Brakes, Problem, Rows, Solver};

/// The acceleration of a model without contacts: M a = force + jt c, jt'a = -d(jt'v + phi_t)/dt at
/// fixed v, the latter by central differences along the motion.
pub fn acceleration(model: &dyn Model, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let (d, mut asked) = (model.dims(), Checked::new(model));
    let (mut mass, mut a) = (vec![0.0; d.nv * d.nv], vec![0.0; d.nv]);
    asked.mass(t, q, &mut mass).unwrap();
    asked.force(t, q, v, &mut a).unwrap();
    let (mut phi, mut jt) = (vec![0.0; d.n_joint], vec![0.0; d.nv * d.n_joint]);
    // Fourth order, so that a wide difference is accurate.
    let s = 1e-3;
    let mut curvature = vec![0.0; d.n_joint];
    for (k, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
        let rates = joint_rates(model, t + k * s, &displaced(model, t, q, v, k * s), v);
        axpy(weight / (12.0 * s), &rates, &mut curvature);
    }
    asked.joint(t, q, &mut phi, &mut jt).unwrap();
    let mut factor = DefiniteFactor::new(d.nv).unwrap();
    factor.factor("mass", MatRef::square("mass", &mass, d.nv).unwrap()).unwrap();
    factor.solve(&mut a);
    let column = |j: usize| &jt[j * d.nv..(j + 1) * d.nv];
    let along: Vec<Vec<f64>> = (0..d.n_joint)
        .map(|j| {
            let mut x = column(j).to_vec();
            factor.solve(&mut x);
            x
        })
        .collect();
    let mut system = RankFactor::new(d.n_joint).unwrap();
    system.factor(d.n_joint, |i, j| dot(column(i), &along[j]));
    let mut push: Vec<f64> = (0..d.n_joint).map(|i| -dot(column(i), &a) - curvature[i]).collect();
    let size = vec![dot(v, v) + dot(&a, &a).sqrt() + 1.0; d.n_joint];
    system.solve("joints", &size, &mut push).unwrap();
    along.iter().zip(&push).for_each(|(x, p)| axpy(*p, x, &mut a));
    a
}

/// Joint equations that the velocity solver finds to depend on others.
pub fn redundant_joints(model: &dyn Model, q: &[f64]) -> Vec<usize> {
    let v = vec![0.0; model.dims().nv];
    contact_step(model, q, &v, 0.01, f64::NEG_INFINITY).redundant_joints().to_vec()
}

/// jt'v + d phi/dt.
fn joint_rates(model: &dyn Model, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let (d, asked) = (model.dims(), Checked::new(model));
    let (mut phi, mut jt) = (vec![0.0; d.n_joint], vec![0.0; d.nv * d.n_joint]);
    let s = 1e-4;
    let mut rates = vec![0.0; d.n_joint];
    if model.constraints_move() {
        for (k, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            asked.joint(t + k * s, q, &mut phi, &mut jt).unwrap();
            axpy(weight / (12.0 * s), &phi, &mut rates);
        }
    }
    asked.joint(t, q, &mut phi, &mut jt).unwrap();
    for (i, rate) in rates.iter_mut().enumerate() {
        *rate += dot(&jt[i * d.nv..(i + 1) * d.nv], v);
    }
    rates
}

/// q moved with the velocity v for the time s.
pub fn displaced(model: &dyn Model, t: f64, q: &[f64], v: &[f64], s: f64) -> Vec<f64> {
    let step: Vec<f64> = v.iter().map(|x| s * x).collect();
    let mut moved = q.to_vec();
    if model.gives_displacement() {
        model.displace(t, q, &step, &mut moved).unwrap();
    } else {
        axpy(1.0, &step, &mut moved);
    }
    moved
}

/// One Euler step of a model with contacts from a state in which all of them with gap <= `near` are
/// active.
pub fn contact_step(model: &dyn Model, q: &[f64], v: &[f64], h: f64, near: f64) -> Solver {
    let (d, mut asked) = (model.dims(), Checked::new(model));
    let (mut mass, mut p) = (vec![0.0; d.nv * d.nv], vec![0.0; d.nv]);
    asked.mass(0.0, q, &mut mass).unwrap();
    asked.force(0.0, q, v, &mut p).unwrap();
    p.iter_mut().for_each(|x| *x *= h);
    (0..d.nv).for_each(|j| axpy(v[j], &mass[j * d.nv..(j + 1) * d.nv], &mut p));
    let (mut phi, mut jt) = (vec![0.0; d.n_joint], vec![0.0; d.nv * d.n_joint]);
    asked.joint(0.0, q, &mut phi, &mut jt).unwrap();
    let (mut gap, mut normal) = (vec![0.0; d.n_contact], vec![0.0; d.nv * d.n_contact]);
    asked.gap(0.0, q, &mut gap, &mut normal).unwrap();
    let mut tangent = vec![0.0; d.nv * d.n_contact * d.n_dir];
    asked.tangent(0.0, q, &mut tangent).unwrap();
    let active: Vec<usize> = (0..d.n_contact).filter(|&i| gap[i] <= near).collect();
    let columns = |from: &[f64], n: usize| -> Vec<f64> {
        active.iter().flat_map(|&i| from[i * n..(i + 1) * n].to_vec()).collect()
    };
    let (normal, tangent) = (columns(&normal, d.nv), columns(&tangent, d.nv * d.n_dir));
    let mu: Vec<f64> = active.iter().map(|&i| model.mu(i)).collect();
    let view = |x: &'static str, data, n| MatRef::new(x, data, d.nv, n, d.nv).unwrap();
    let problem = Problem {
        mass: MatRef::square("mass", &mass, d.nv).unwrap().into(),
        p: &p,
        joint: Rows::same(view("joint", &jt, d.n_joint)),
        normal: Rows::same(view("normal", &normal, active.len())),
        tangent: Rows::same(view("tangent", &tangent, active.len() * d.n_dir)),
        n_dir: d.n_dir,
        mu: &mu,
        brake: Brakes::NONE,
    };
    let mut solver = Solver::new(problem.size()).unwrap();
    solver.solve(&problem).unwrap();
    solver
}
