//! One velocity-impulse problem against closed forms and against the theorems about it.

use proptest::prelude::*;
use stiction::Error;
use stiction::lcp::Info;
use stiction::linalg::MatRef;
use stiction::velocity::{Brakes, Problem, Rows, Solver};

/// Arrays of a problem, column-major, owned.
#[derive(Clone, Default, Debug)]
struct Scene {
    mass: Vec<f64>,
    joint: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    n_dir: usize,
    mu: Vec<f64>,
    p: Vec<f64>,
    normal_offset: Vec<f64>,
    joint_offset: Vec<f64>,
}

impl Scene {
    fn problem(&self) -> Problem<'_> {
        fn columns<'a>(what: &'static str, data: &'a [f64], nv: usize) -> MatRef<'a> {
            MatRef::new(what, data, nv, data.len() / nv, nv).unwrap()
        }
        let nv = self.p.len();
        Problem {
            mass: columns("mass", &self.mass, nv).into(),
            p: &self.p,
            joint: Rows {
                offset: &self.joint_offset,
                ..Rows::same(columns("joint", &self.joint, nv))
            },
            normal: Rows {
                offset: &self.normal_offset,
                ..Rows::same(columns("normal", &self.normal, nv))
            },
            tangent: Rows::same(columns("tangent", &self.tangent, nv)),
            n_dir: self.n_dir,
            mu: &self.mu,
            brake: Brakes::NONE,
        }
    }

    fn solve(&self) -> Result<(Solver, Info), Error> {
        let problem = self.problem();
        let mut solver = Solver::new(problem.size())?;
        let info = solver.solve(&problem)?;
        Ok((solver, info))
    }
}

fn diagonal(d: &[f64]) -> Vec<f64> {
    let n = d.len();
    let mut m = vec![0.0; n * n];
    d.iter().enumerate().for_each(|(i, x)| m[i * n + i] = *x);
    m
}

/// A block of 1 kg on an incline of 30 degrees, one step of 10 ms from rest: x down the slope, y off it.
fn incline(mu: f64, h: f64) -> Scene {
    let (s, c) = (30f64.to_radians().sin(), 30f64.to_radians().cos());
    Scene {
        mass: diagonal(&[1.0, 1.0]),
        normal: vec![0.0, 1.0],
        tangent: vec![1.0, 0.0, -1.0, 0.0],
        n_dir: 2,
        mu: vec![mu],
        p: vec![h * 9.81 * s, -h * 9.81 * c],
        ..Scene::default()
    }
}

#[test]
fn a_block_slides_below_the_friction_angle_and_stays_above_it() {
    // a = g (sin 30 - mu cos 30) = 0.657145394437 for mu = 0.5; tan 30 = 0.577 < 0.6.
    let h = 0.01;
    let (s, _) = incline(0.5, h).solve().unwrap();
    assert!((s.v()[0] / h - 0.657145394437).abs() < 1e-11, "{:?}", s.v());
    let (s, _) = incline(0.6, h).solve().unwrap();
    // Rest is exact: not small, zero.
    assert_eq!(s.v(), &[0.0, 0.0]);
}

/// Box 2 by 2 by 2 of 1 kg on `side * side` base points, sliding with v_x = 1, pressed by gravity for 0.1 s.
fn box_on_points(side: usize) -> Scene {
    let mut normal = Vec::new();
    let mut tangent = Vec::new();
    for i in 0..side * side {
        let at = |k: usize| 2.0 * k as f64 / (side - 1) as f64 - 1.0;
        let (x, y, z) = (at(i % side), at(i / side), -1.0);
        // Velocity of the point is v + w x r; columns are its components in (v, w).
        normal.extend([0.0, 0.0, 1.0, y, -x, 0.0]);
        let dx = [1.0, 0.0, 0.0, 0.0, z, -y];
        let dy = [0.0, 1.0, 0.0, -z, 0.0, x];
        for (d, sign) in [(dx, 1.0), (dy, 1.0), (dx, -1.0), (dy, -1.0)] {
            tangent.extend(d.map(|a| sign * a));
        }
    }
    let inertia = 2.0 / 3.0;
    Scene {
        mass: diagonal(&[1.0, 1.0, 1.0, inertia, inertia, inertia]),
        normal,
        tangent,
        n_dir: 4,
        mu: vec![0.3; side * side],
        p: vec![1.0, 0.0, -0.981, 0.0, 0.0, 0.0],
        ..Scene::default()
    }
}

#[test]
fn redundant_base_points_do_not_change_the_motion() {
    // mu = 0.3 does not tip the box: it slides on with v_x = 1 - mu g t, whatever the number of points.
    for side in [2, 3, 4, 6] {
        let (s, _) = box_on_points(side).solve().unwrap();
        let expected = [1.0 - 0.3 * 0.981, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (v, e) in s.v().iter().zip(expected) {
            assert!((v - e).abs() < 1e-12, "{side}: {:?}", s.v());
        }
        // The points share the weight in some way; the sum is what counts.
        let sum: f64 = s.normal().iter().sum();
        assert!((sum - 0.981).abs() < 1e-12);
    }
}

#[test]
fn directions_that_miss_their_opposites_by_rounding_give_the_same_motion() {
    // Exact pairs are computed once, others twice.
    let exact = box_on_points(3);
    let mut rounded = exact.clone();
    for (i, x) in rounded.tangent.iter_mut().enumerate() {
        *x *= if i % 2 == 0 { 1.0 + f64::EPSILON } else { 1.0 };
    }
    let (a, _) = exact.solve().unwrap();
    let (b, _) = rounded.solve().unwrap();
    for (x, y) in a.v().iter().zip(b.v()) {
        assert!((x - y).abs() < 1e-14, "{:?} {:?}", a.v(), b.v());
    }
}

/// Uniform rod of half-length 1 at 60 degrees, lower end on the ground, sliding with -1 m/s, mu = 2.
fn painleve(force: f64, h: f64) -> Scene {
    let (s, c) = (60f64.to_radians().sin(), 60f64.to_radians().cos());
    Scene {
        mass: diagonal(&[1.0, 1.0, 1.0 / 3.0]),
        normal: vec![0.0, 1.0, -c],
        tangent: vec![1.0, 0.0, s, -1.0, 0.0, -s],
        n_dir: 2,
        mu: vec![2.0],
        p: vec![-1.0, h * force, 0.0],
        ..Scene::default()
    }
}

#[test]
fn where_no_acceleration_exists_the_impulse_step_sticks() {
    // As h -> 0 the impulse tends to the one that stops the contact point: W c = -u with the 2 by 2 matrix
    // W = [7/4, -3 sqrt(3)/4; -3 sqrt(3)/4, 13/4] and u = (0, -1): c = (3 sqrt(3)/16, 7/16).
    let limit = [3.0 * 3f64.sqrt() / 16.0, 7.0 / 16.0];
    let mut before = f64::INFINITY;
    for h in [1e-2, 1e-3, 1e-4, 1e-5] {
        let (s, _) = painleve(-9.81, h).solve().unwrap();
        let tangential = s.friction()[0] - s.friction()[1];
        let error = (s.normal()[0] - limit[0]).abs().max((tangential - limit[1]).abs());
        assert!(error < 10.0 * h && error < 0.2 * before, "h = {h}: {error}");
        before = error;
    }
}

#[test]
fn an_ambiguous_rod_gets_one_of_its_solutions_and_always_the_same() {
    // Pulled up with 5 N for 1 ms there are three solutions: lift-off, sliding with c_n = b h / -p where
    // b = 5 and p = 7/4 - 2 * 3 sqrt(3)/4, and stick; enumerated by hand from the 3 bases.
    let h = 1e-3;
    let p = 1.75 - 2.0 * 0.75 * 3f64.sqrt();
    // W of the test above, W c = (-h b, 1), det W = 4.
    let stick = (3.0 * 3f64.sqrt() - 13.0 * 5.0 * h) / 16.0;
    let (s, _) = painleve(5.0, h).solve().unwrap();
    let c = s.normal()[0];
    let known = [0.0, -5.0 * h / p, stick];
    assert!(known.iter().any(|k| (c - k).abs() < 1e-12), "{c}");
    let (again, _) = painleve(5.0, h).solve().unwrap();
    assert_eq!(s.v(), again.v());
}

#[test]
fn joints_that_contradict_each_other_are_named() {
    let scene = Scene {
        mass: diagonal(&[1.0, 1.0]),
        joint: vec![1.0, 0.0, 1.0, 0.0],
        joint_offset: vec![0.0, -1.0],
        p: vec![1.0, 1.0],
        ..Scene::default()
    };
    let e = scene.solve().unwrap_err();
    assert!(matches!(e, Error::Inconsistent { what: "joint", .. }), "{e}");
    let moving = Scene { joint_offset: vec![-1.0, -1.0], ..scene };
    let (s, _) = moving.solve().unwrap();
    assert!((s.v()[0] - 1.0).abs() < 1e-15 && s.v()[1] == 1.0);
}

#[test]
fn joints_of_nothing_are_redundant_and_hold() {
    let empty = MatRef::new("joint", &[], 0, 2, 0).unwrap();
    let none = MatRef::new("normal", &[], 0, 0, 0).unwrap();
    let problem = Problem {
        mass: none.into(),
        p: &[],
        joint: Rows::same(empty),
        normal: Rows::same(none),
        tangent: Rows::same(none),
        n_dir: 0,
        mu: &[],
        brake: Brakes::NONE,
    };
    let mut solver = Solver::new(2).unwrap();
    solver.solve(&problem).unwrap();
    assert_eq!(solver.joint(), &[0.0, 0.0]);
}

#[test]
fn the_certificate_says_when_the_theorem_does_not_apply() {
    let mut scene = incline(0.5, 0.01);
    assert!(scene.problem().certificate().covered());
    scene.normal_offset = vec![-0.1];
    assert!(!scene.problem().certificate().covered());
    scene.normal_offset = vec![0.1];
    assert!(scene.problem().certificate().covered());
    let other = scene.tangent.clone();
    let mut problem = scene.problem();
    problem.tangent.row = MatRef::new("tangent", &other, 2, 2, 2).unwrap().into();
    assert!(!problem.certificate().covered());
}

#[test]
fn friction_without_measure_sticks() {
    for mu in [1e3, 1e12, 1e40, 1e300] {
        let scene = Scene { mu: vec![mu], p: vec![1.0, -1.0], ..incline(0.5, 0.01) };
        let (s, _) = scene.solve().unwrap();
        assert!(s.v()[0].abs() < 1e-12, "{mu}: {:?}", s.v());
    }
}

#[test]
fn a_smooth_contact_carries_no_friction_unknowns() {
    let (s, _) = incline(0.0, 0.01).solve().unwrap();
    assert!((s.v()[0] - 0.01 * 9.81 * 0.5).abs() < 1e-15);
    assert_eq!(s.friction(), &[0.0, 0.0]);
}

/// A ladder of 10 kg and half-length 2 leans on the floor and on a wall, one millisecond from rest.
fn ladder(angle: f64, mu_wall: f64) -> Scene {
    let (s, c) = (2.0 * angle.sin(), 2.0 * angle.cos());
    let slip = |d: [f64; 3]| [d, d.map(|x| -x)].concat();
    Scene {
        mass: diagonal(&[10.0, 10.0, 10.0 * 16.0 / 12.0]),
        normal: vec![0.0, 1.0, c, 1.0, 0.0, -s],
        tangent: [slip([1.0, 0.0, s]), slip([0.0, 1.0, -c])].concat(),
        n_dir: 2,
        mu: vec![0.5, mu_wall],
        p: vec![0.0, -0.0981, 0.0],
        ..Scene::default()
    }
}

#[test]
fn a_ladder_stands_at_every_angle_at_which_friction_holds_it() {
    // With a smooth wall it slides when tan(angle) < 1 / (2 mu) = 1, and stands above.
    for k in 0..140 {
        let angle = 0.8 + 0.005 * f64::from(k);
        for mu_wall in [0.0, 0.4] {
            let (s, _) = ladder(angle, mu_wall).solve().unwrap();
            for v in s.v() {
                assert!(v.abs() < 1e-15, "{angle} {mu_wall}: {:?}", s.v());
            }
        }
    }
    let (s, _) = ladder(0.7, 0.0).solve().unwrap();
    assert!(s.v()[1] < -1e-5, "{:?}", s.v());
}

#[test]
fn a_body_in_a_groove_rests_whatever_else_it_touches() {
    for k in 0..1000 {
        let a = 0.3 + 0.001 * f64::from(k);
        let scene = Scene {
            mass: diagonal(&[1.7, 1.7]),
            normal: vec![a.sin(), a.cos(), -a.sin(), a.cos(), 1.0, 0.0],
            p: vec![0.0, -0.01 * 1.7 * 9.81],
            ..Scene::default()
        };
        let (s, _) = scene.solve().unwrap();
        assert!(s.v().iter().all(|v| v.abs() < 1e-15), "{a}: {:?}", s.v());
    }
}

#[test]
fn a_contact_that_joints_hold_already_is_no_contradiction() {
    for k in 0..1000 {
        let a = 0.001 * f64::from(k);
        let (m, inertia) = (2.5, 0.13);
        // Pinned at a point, and touching there with friction.
        let (x, y) = (a.cos(), a.sin());
        let pinned = Scene {
            mass: diagonal(&[m, m, inertia]),
            joint: vec![1.0, 0.0, -y, 0.0, 1.0, x],
            normal: vec![0.0, 1.0, x],
            tangent: vec![1.0, 0.0, -y, -1.0, 0.0, y],
            n_dir: 2,
            mu: vec![0.4],
            p: vec![0.0, -m * 0.0981, 0.1],
            ..Scene::default()
        };
        let (s, _) = pinned.solve().unwrap();
        // About the pin: inertia I + m, moment 0.1 - m g x with the weight at the distance -x.
        let spin = (0.1 + m * 0.0981 * x) / (inertia + m);
        assert!((s.v()[2] - spin).abs() < 1e-13, "{a}: {:?} {spin}", s.v());
        // Welded in axes of its own.
        let welded = Scene { joint: vec![x, y, 0.3, -y, x, 0.2, 0.0, 0.0, 1.0], ..pinned };
        let (s, _) = welded.solve().unwrap();
        assert!(s.v().iter().all(|v| v.abs() < 1e-14), "{a}: {:?}", s.v());
    }
}

/// Contacts and joints with entries -1, 0 and 1: aligned axes, shared planes, everything redundant.
fn lattice_scene() -> impl Strategy<Value = Scene> {
    let column = |n: usize| prop::collection::vec((-1i32..=1).prop_map(f64::from), n);
    let mass = prop::collection::vec(0.1f64..10.0, 4);
    (
        mass,
        column(8),
        0..3usize,
        column(16),
        column(16),
        prop::collection::vec(0.0f64..1.5, 4),
        column(4),
    )
        .prop_map(|(mass, joint, n_joint, normal, t, mu, p)| {
            let tangent =
                t.chunks(4).flat_map(|d| [d.to_vec(), d.iter().map(|x| -x).collect()].concat());
            let tangent = tangent.collect();
            let joint = joint[..4 * n_joint].to_vec();
            Scene {
                mass: diagonal(&mass),
                joint,
                normal,
                tangent,
                n_dir: 2,
                mu,
                p,
                ..Scene::default()
            }
        })
}

/// Random contacts in the plane of three velocities, with duplicates.
fn random_scene() -> impl Strategy<Value = Scene> {
    let vector = |n| prop::collection::vec(-1.0f64..1.0, n);
    (vector(9), vector(9), vector(9), vector(3), prop::collection::vec(0.0f64..1.5, 3), 0..2usize)
        .prop_map(|(a, mut normal, t, p, mut mu, duplicate)| {
            let a = nalgebra::DMatrix::from_column_slice(3, 3, &a);
            let mass = &a * a.transpose() + nalgebra::DMatrix::<f64>::identity(3, 3) * 0.1;
            let mut tangent: Vec<f64> = t
                .chunks(3)
                .flat_map(|d| [d.to_vec(), d.iter().map(|x| -x).collect()].concat())
                .collect();
            if duplicate == 1 {
                normal.extend_from_within(..3);
                tangent.extend_from_within(..6);
                mu.push(mu[0]);
            }
            Scene {
                mass: mass.as_slice().to_vec(),
                normal,
                tangent,
                n_dir: 2,
                mu,
                p,
                ..Scene::default()
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(1997),
        ..ProptestConfig::default()
    })]

    /// Theorem 2.1 again, where everything is aligned with something and joints hold contacts.
    #[test]
    fn aligned_contacts_and_joints_are_solved(scene in lattice_scene()) {
        let (s, _) = scene.solve().map_err(|e| TestCaseError::fail(e.to_string()))?;
        for joint in scene.joint.chunks(4) {
            let rate: f64 = joint.iter().zip(s.v()).map(|(a, b)| a * b).sum();
            prop_assert!(rate.abs() < 1e-12);
        }
    }

    /// Theorem 2.1 of Anitescu and Potra 1997: a solution exists and is found. Theorem 2.3: constraints take energy out,
    /// v'Mv <= v_free'M v_free.
    #[test]
    fn contact_is_always_solved_and_never_adds_energy(scene in random_scene()) {
        prop_assert!(scene.problem().certificate().covered());
        let (s, info) = scene.solve().map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(info.residual <= 1e-9);
        let m = nalgebra::DMatrix::from_column_slice(3, 3, &scene.mass);
        let v = nalgebra::DVector::from_column_slice(s.v());
        let p = nalgebra::DVector::from_column_slice(&scene.p);
        let free = m.clone().lu().solve(&p).ok_or(TestCaseError::reject("mass"))?;
        let energy = |v: &nalgebra::DVector<f64>| v.dot(&(&m * v));
        prop_assert!(energy(&v) <= energy(&free) * (1.0 + 1e-12) + 1e-15);
        // Coulomb's polygon, contact by contact.
        for i in 0..s.normal().len() {
            let sum: f64 = s.friction()[2 * i..2 * i + 2].iter().sum();
            prop_assert!(sum <= scene.mu[i] * s.normal()[i] + 1e-9);
        }
    }
}
