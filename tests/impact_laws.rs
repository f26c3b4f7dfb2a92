//! Impacts on plain arrays against closed forms. Unless said otherwise the numbers follow by hand
//! from momentum balance and the law; the derivation stands beside each.

use proptest::prelude::*;
use stiction::impact::{Impact, Law, Outcome, Solver, resolve};
use stiction::linalg::MatRef;
use stiction::velocity::Rows;

/// Arrays of an impact, column-major, owned.
#[derive(Clone, Default, Debug)]
struct Scene {
    mass: Vec<f64>,
    joint: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    n_dir: usize,
    mu: Vec<f64>,
    e: Vec<f64>,
}

impl Scene {
    fn resolve(&self, law: Law, v: &[f64]) -> (Solver, Outcome) {
        let nv = v.len();
        let view = |what, x| MatRef::new(what, x, nv, x.len() / nv, nv).unwrap();
        let impact = Impact {
            mass: view("mass", &self.mass).into(),
            v_minus: v,
            joint: Rows::same(view("joint", &self.joint)),
            normal: Rows::same(view("normal", &self.normal)),
            tangent: Rows::same(view("tangent", &self.tangent)),
            n_dir: self.n_dir,
            mu: &self.mu,
            restitution: &self.e,
        };
        resolve(law, &impact).unwrap()
    }

    /// M (v+ - v-) - J c_j - N c_n - D beta, the largest entry: impulses are totals.
    fn imbalance(&self, s: &Solver, v: &[f64]) -> f64 {
        let nv = v.len();
        let mut r = vec![0.0; nv];
        let mut add = |columns: &[f64], factors: &[f64], sign: f64| {
            for (c, f) in columns.chunks(nv).zip(factors) {
                r.iter_mut().zip(c).for_each(|(r, c)| *r += sign * c * f);
            }
        };
        let jump: Vec<f64> = s.v_plus().iter().zip(v).map(|(a, b)| a - b).collect();
        add(&self.mass, &jump, 1.0);
        add(&self.joint, s.joint(), -1.0);
        add(&self.normal, s.normal(), -1.0);
        add(&self.tangent, s.friction(), -1.0);
        r.iter().fold(0.0, |m, x| m.max(x.abs()))
    }
}

fn diagonal(d: &[f64]) -> Vec<f64> {
    let n = d.len();
    let mut m = vec![0.0; n * n];
    d.iter().enumerate().for_each(|(i, x)| m[i * n + i] = *x);
    m
}

#[track_caller]
fn close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (g, e) in got.iter().zip(expected) {
        assert!((g - e).abs() <= 1e-12, "{got:?} instead of {expected:?}");
    }
}

#[test]
fn a_ball_rebounds_with_e_times_its_speed() {
    let s = Scene {
        mass: diagonal(&[2.0, 2.0]),
        normal: vec![0.0, 1.0],
        e: vec![0.6],
        ..Scene::default()
    };
    // c = m |v_n| = 6; total (1 + e) c = 9.6; v+ = 0.6 * 3. All laws with restitution agree here.
    for law in [Law::Poisson, Law::Newton, Law::Reflection] {
        let (r, out) = s.resolve(law, &[1.0, -3.0]);
        close(r.v_plus(), &[1.0, 1.8]);
        close(r.normal(), &[9.6]);
        assert!(out.energy_after < out.energy_before);
    }
    let (r, _) = s.resolve(Law::Plastic, &[1.0, -3.0]);
    close(r.v_plus(), &[1.0, 0.0]);
    close(r.normal(), &[6.0]);
}

#[test]
fn two_balls_exchange_momentum_by_the_textbook_formula() {
    let s = Scene {
        mass: diagonal(&[1.0, 3.0]),
        normal: vec![-1.0, 1.0],
        e: vec![0.5],
        ..Scene::default()
    };
    // Reduced mass 3/4, approach 3: c = 9/4; v+ = (2 - 27/8, -1 + 9/8).
    let (r, _) = s.resolve(Law::Poisson, &[2.0, -1.0]);
    close(r.v_plus(), &[-11.0 / 8.0, 1.0 / 8.0]);
    close(r.v_compression(), &[-0.25, -0.25]);
    close(r.normal(), &[1.5 * 2.25]);
}

#[test]
fn a_cradle_of_touching_balls_shares_the_blow() {
    let s = Scene {
        mass: diagonal(&[1.0; 3]),
        normal: vec![-1.0, 1.0, 0.0, 0.0, -1.0, 1.0],
        e: vec![1.0; 2],
        ..Scene::default()
    };
    // Compression: common speed 1/3, c = (2/3, 1/3); the same impulses again.
    let (r, out) = s.resolve(Law::Poisson, &[1.0, 0.0, 0.0]);
    close(r.v_plus(), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    close(r.normal(), &[4.0 / 3.0, 2.0 / 3.0]);
    assert!((out.energy_after - out.energy_before).abs() < 1e-14);
}

/// Disc of mass 1, inertia 1/2, radius 1 on the ground: contact speed x' + omega.
fn disc() -> Scene {
    Scene {
        mass: diagonal(&[1.0, 1.0, 0.5]),
        normal: vec![0.0, 1.0, 0.0],
        tangent: vec![1.0, 0.0, 1.0, -1.0, 0.0, -1.0],
        n_dir: 2,
        mu: vec![0.5],
        e: vec![0.5],
        ..Scene::default()
    }
}

#[test]
fn a_disc_sticks_when_friction_suffices_and_slides_when_it_does_not() {
    let s = disc();
    // Normal: c = 2, v_y+ = 1. Stick needs 0.3 of friction impulse, mu c = 1 allows it; decompression adds none.
    let (r, _) = s.resolve(Law::Poisson, &[0.9, -2.0, 0.0]);
    close(r.v_plus(), &[0.6, 1.0, -0.6]);
    // Slides: friction mu c = 1 in compression only, restitution carries no friction while nothing slips further.
    let (r, _) = s.resolve(Law::Poisson, &[6.0, -2.0, 0.0]);
    close(r.v_plus(), &[5.0, 1.0, -2.0]);
    close(r.normal(), &[3.0]);
    assert!(s.imbalance(&r, &[6.0, -2.0, 0.0]) < 1e-14);
}

#[test]
fn a_block_lands_on_two_corners() {
    // m = 3, I = 1.25, corners at (+-1, -1/2): normals (0, 1, +-1), tangents (1, 0, 1/2).
    let s = Scene {
        mass: diagonal(&[3.0, 3.0, 1.25]),
        normal: vec![0.0, 1.0, -1.0, 0.0, 1.0, 1.0],
        tangent: [[1.0, 0.0, 0.5], [-1.0, 0.0, -0.5]].concat().repeat(2),
        n_dir: 2,
        mu: vec![0.3; 2],
        e: vec![0.5; 2],
        ..Scene::default()
    };
    let v = [1.0, -2.0, 0.0];
    // Compression: sum c = 6, friction 0.3 * 6 = 1.8, torque balance gives c = (2.55, 3.45), v^c_x = 1 - 0.6.
    // Decompression adds half of each: v_y = 1, omega = 0.5 * 0.9 / 1.25.
    let (r, _) = s.resolve(Law::Plastic, &v);
    close(r.v_plus(), &[0.4, 0.0, 0.0]);
    close(r.normal(), &[2.55, 3.45]);
    let (r, _) = s.resolve(Law::Poisson, &v);
    close(r.v_compression(), &[0.4, 0.0, 0.0]);
    close(r.v_plus(), &[0.4, 1.0, 0.36]);
    assert!(s.imbalance(&r, &v) < 1e-14);
}

/// Bar of length 2, mass 1, inertia 1/3, pinned at its left end, hit at the right end.
fn pinned_bar(redundant: bool) -> Scene {
    let pin = [[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]];
    Scene {
        mass: diagonal(&[1.0, 1.0, 1.0 / 3.0]),
        joint: pin.concat().repeat(if redundant { 2 } else { 1 }),
        normal: vec![0.0, 1.0, 1.0],
        e: vec![0.5],
        ..Scene::default()
    }
}

#[test]
fn a_pinned_bar_turns_back_about_its_pin() {
    // About the pin: I = 4/3, angular momentum 4/3, lever 2: c = 2/3; the pin gives 1 - 2/3 = 1/3.
    let s = pinned_bar(false);
    let v = [0.0, -1.0, -1.0];
    let (r, _) = s.resolve(Law::Plastic, &v);
    close(r.v_plus(), &[0.0; 3]);
    close(r.joint(), &[0.0, 1.0 / 3.0]);
    for law in [Law::Poisson, Law::Newton, Law::Reflection] {
        let (r, _) = s.resolve(law, &v);
        close(r.v_plus(), &[0.0, 0.5, 0.5]);
        close(r.joint(), &[0.0, 0.5]);
        assert!(s.imbalance(&r, &v) < 1e-14);
    }
}

#[test]
fn a_joint_given_twice_changes_nothing_but_its_own_impulse() {
    let s = pinned_bar(true);
    let v = [0.0, -1.0, -1.0];
    let (r, _) = s.resolve(Law::Poisson, &v);
    close(r.v_plus(), &[0.0, 0.5, 0.5]);
    assert_eq!(r.velocity().redundant_joints().len(), 2);
    assert!(s.imbalance(&r, &v) < 1e-14);
}

#[test]
fn poisson_can_create_energy_and_reflection_cannot() {
    // Anitescu and Potra 1997: m = 1, J = 1/8, n = (0,1,1), t = (1,0,1), mu = 1.2, v- = (1,-1,0) gives
    // v+ = (0, e, 8e), more energy than before (1) when e^2/2 + 4 e^2 > 1, that is e > sqrt(2)/3.
    let scene = |e| Scene {
        mass: diagonal(&[1.0, 1.0, 0.125]),
        normal: vec![0.0, 1.0, 1.0],
        tangent: vec![1.0, 0.0, 1.0, -1.0, 0.0, -1.0],
        n_dir: 2,
        mu: vec![1.2],
        e: vec![e],
        ..Scene::default()
    };
    let v = [1.0, -1.0, 0.0];
    for (e, grows) in [(0.47, false), (0.48, true), (1.0, true)] {
        let (r, out) = scene(e).resolve(Law::Poisson, &v);
        close(r.v_plus(), &[0.0, e, 8.0 * e]);
        assert_eq!(out.energy_after > out.energy_before, grows);
        let (_, out) = scene(e).resolve(Law::Reflection, &v);
        assert!(out.energy_after <= out.energy_before * (1.0 + 1e-14));
    }
}

#[test]
fn a_contact_that_was_leaving_is_not_driven_into_the_ground_by_reflection() {
    // A bar whose right end hits while its left end, touching too, leaves: compression stops both, the plain
    // reflection would push the left end down, so the answer is v^c.
    let s = Scene {
        mass: diagonal(&[1.0, 1.0, 0.05]),
        normal: vec![0.0, 1.0, -1.0, 0.0, 1.0, 1.0],
        e: vec![0.5; 2],
        ..Scene::default()
    };
    let (r, _) = s.resolve(Law::Reflection, &[0.0, -1.0, -1.5]);
    for speed in [r.v_plus()[1] - r.v_plus()[2], r.v_plus()[1] + r.v_plus()[2]] {
        assert!(speed >= -1e-14);
    }
    close(r.v_plus(), r.v_compression());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(1997),
        ..ProptestConfig::default()
    })]

    /// Section 3.2 (a)-(c) of Anitescu and Potra 1997: without friction, with equal e of the new contacts
    /// and smaller ones elsewhere, contacts at rest before, Poisson's law is (1 + e) v^c - e v^-.
    #[test]
    fn without_friction_poisson_reflects(
        entries in prop::collection::vec(-1.0f64..1.0, 16),
        normals in prop::collection::vec(-1.0f64..1.0, 12),
        v in prop::collection::vec(-1.0f64..1.0, 4),
        e in 0.1f64..1.0,
        smaller in prop::collection::vec(0.0f64..1.0, 3),
    ) {
        // A A' + I is positive definite.
        let a = nalgebra::DMatrix::from_column_slice(4, 4, &entries);
        let mass = &a * a.transpose() + nalgebra::DMatrix::identity(4, 4);
        // v- rests on contacts 1 and 2 (projected onto their normals' complement) and approaches contact 0.
        let n = nalgebra::DMatrix::from_column_slice(4, 3, &normals);
        let held = n.columns(1, 2).into_owned();
        let gram = held.transpose() * &held;
        prop_assume!(gram.determinant() > 1e-3);
        let v0 = nalgebra::DVector::from_column_slice(&v);
        let lift = gram.try_inverse().ok_or(TestCaseError::reject("gram"))?;
        let mut v = &v0 - &held * (lift * (held.transpose() * &v0));
        let approach = n.column(0).dot(&v);
        prop_assume!(approach.abs() > 1e-2);
        if approach > 0.0 {
            v = -v;
        }
        let s = Scene {
            mass: mass.as_slice().to_vec(),
            normal: normals,
            e: vec![e, e * smaller[1], e * smaller[2]],
            ..Scene::default()
        };
        let (r, _) = s.resolve(Law::Poisson, v.as_slice());
        for i in 0..4 {
            let reflected = (1.0 + e) * r.v_compression()[i] - e * v[i];
            prop_assert!((r.v_plus()[i] - reflected).abs() < 1e-9);
        }
        // The law of that name takes the smallest e of the loaded contacts: with all equal it is the same.
        let equal = Scene { e: vec![e; 3], ..s };
        let (p, _) = equal.resolve(Law::Poisson, v.as_slice());
        let (q, _) = equal.resolve(Law::Reflection, v.as_slice());
        for i in 0..4 {
            prop_assert!((p.v_plus()[i] - q.v_plus()[i]).abs() < 1e-9);
        }
    }
}

#[test]
fn rounding_left_by_cancelling_impulses_does_not_fail_the_check() {
    // The lower rod of a hanging double pendulum pulls its first bob against a wall. The bob hangs straight, so that its
    // velocity along the rod is zero, and what the two rods leave there is rounding of a velocity of 4.
    let (dx, dy): (f64, f64) = (-0.5984825981870937, 0.801135806007462);
    let s = Scene {
        mass: diagonal(&[1.0; 4]),
        joint: vec![1.7e-16, -2.0, 0.0, 0.0, 2.0 * dx, 2.0 * dy, -2.0 * dx, -2.0 * dy],
        normal: vec![1.0, 0.0, 0.0, 0.0],
        e: vec![0.1],
        ..Scene::default()
    };
    let v = [-1.9827737898559474, -1.682681771697503e-16, -3.721373742495251, -1.2988082782731554];
    let (solver, _) = s.resolve(Law::Poisson, &v);
    // Newton's and Poisson's law agree for one contact without friction.
    assert!((solver.v_plus()[0] - 0.19827737898559474).abs() < 1e-14);
}
