//! Problems with many contacts, answered in the space of bodies: every answer satisfies the conditions, and is the one
//! that Lemke's method finds where there is only one.

mod support;

use std::sync::Arc;
use stiction::linalg::MatRef;
use stiction::rigid::{Attach, Builder, Link, Shape, Surface};
use stiction::step::{ManyContacts, Options, Stepper};
use stiction::velocity::{Brakes, Problem, Reduction, Rows, Solver, Stage};
use support::rng::Rng;

/// Bodies with six velocities each (world axes), and contacts between them, with eight friction directions.
struct Pile {
    mass: Vec<f64>,
    p: Vec<f64>,
    normal: Vec<f64>,
    tangent: Vec<f64>,
    mu: Vec<f64>,
    nv: usize,
}

const N_DIR: usize = 8;

impl Pile {
    fn new(bodies: &[(f64, f64)], v: &[f64]) -> Self {
        let nv = 6 * bodies.len();
        let mut mass = vec![0.0; nv * nv];
        for (b, (m, i)) in bodies.iter().enumerate() {
            for k in 0..6 {
                mass[(6 * b + k) * (nv + 1)] = if k < 3 { *m } else { *i };
            }
        }
        let p = (0..nv).map(|i| mass[i * (nv + 1)] * v[i]).collect();
        Self { mass, p, normal: vec![], tangent: vec![], mu: vec![], nv }
    }

    /// A contact at a point, with the normal pointing towards the first body; arms from the centers.
    fn touch(&mut self, a: (usize, [f64; 3]), b: Option<(usize, [f64; 3])>, n: [f64; 3], mu: f64) {
        let level = if n[2].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let t1 = unit(cross(n, level));
        let t2 = cross(n, t1);
        let column = |d: [f64; 3]| {
            let mut c = vec![0.0; self.nv];
            for ((body, arm), sign) in
                [(Some(a), 1.0), (b, -1.0)].into_iter().filter_map(|(x, s)| Some((x?, s)))
            {
                let moment = cross(arm, d);
                for k in 0..3 {
                    c[6 * body + k] += sign * d[k];
                    c[6 * body + 3 + k] += sign * moment[k];
                }
            }
            c
        };
        let mut columns = vec![];
        for k in 0..N_DIR / 2 {
            let (s, c) = (std::f64::consts::TAU * k as f64 / N_DIR as f64).sin_cos();
            columns.push(column([0, 1, 2].map(|i| c * t1[i] + s * t2[i])));
        }
        let normal = column(n);
        self.normal.extend(normal);
        self.tangent.extend(columns.iter().flatten());
        self.tangent.extend(columns.iter().flatten().map(|x| -x));
        self.mu.push(mu);
    }

    fn problem(&self) -> Problem<'_> {
        let nc = self.mu.len();
        let view = |x, n| MatRef::new("columns", x, self.nv, n, self.nv).unwrap();
        Problem {
            mass: MatRef::square("mass", &self.mass, self.nv).unwrap(),
            p: &self.p,
            joint: Rows::same(view(&[], 0)),
            normal: Rows::same(view(&self.normal, nc)),
            tangent: Rows::same(view(&self.tangent, nc * N_DIR)),
            n_dir: N_DIR,
            mu: &self.mu,
            brake: Brakes::NONE,
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let l = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    a.map(|x| x / l)
}

/// A box with side 2 on a square grid of n points.
fn base(n: usize, v: [f64; 6]) -> Pile {
    let mut pile = Pile::new(&[(2.0, 1.3)], &v);
    let side = (n as f64).sqrt().round() as usize;
    for i in 0..side {
        for j in 0..side {
            let at = |k: usize| 2.0 * k as f64 / (side - 1) as f64 - 1.0;
            pile.touch((0, [at(i), at(j), -1.0]), None, [0.0, 0.0, 1.0], 0.5);
        }
    }
    pile
}

/// Spheres on a jittered grid above a floor, touching their neighbors; a random motion downwards.
fn spheres(side: usize, layers: usize, seed: u64) -> Pile {
    let mut rng = Rng::new(seed);
    let mut centers = vec![];
    for k in 0..layers {
        for i in 0..side {
            for j in 0..side {
                let mut shake = || 0.1 * (0.5 * rng.signed());
                centers.push([
                    i as f64 + shake(),
                    j as f64 + shake(),
                    0.5 + 0.9 * k as f64 + 0.2 * shake(),
                ]);
            }
        }
    }
    let v: Vec<f64> = centers
        .iter()
        .flat_map(|_| {
            [
                0.5 * rng.signed(),
                0.5 * rng.signed(),
                -1.5 - 0.5 * rng.signed(),
                rng.signed(),
                rng.signed(),
                rng.signed(),
            ]
        })
        .collect();
    let bodies: Vec<_> = centers.iter().map(|_| (1.0, 0.1)).collect();
    let mut pile = Pile::new(&bodies, &v);
    for (i, a) in centers.iter().enumerate() {
        if a[2] < 0.6 {
            pile.touch((i, [0.0, 0.0, -0.5]), None, [0.0, 0.0, 1.0], 0.4);
        }
        for (j, b) in centers.iter().enumerate().take(i) {
            let d = [0, 1, 2].map(|k| a[k] - b[k]);
            let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            if distance < 1.03 {
                let n = unit(d);
                pile.touch((i, n.map(|x| -0.5 * x)), Some((j, n.map(|x| 0.5 * x))), n, 0.4);
            }
        }
    }
    pile
}

fn solver_for(problem: &Problem<'_>) -> Solver {
    Solver::new(problem.size()).unwrap()
}

#[test]
fn a_box_on_many_points_rests_slides_and_tips_as_lemke_says() {
    let motions = [
        [0.0, 0.0, -1.0, 0.0, 0.0, 0.0],
        [1.0, 0.3, -1.0, 0.0, 0.0, 0.0],
        [3.0, 0.0, -0.1, 0.0, 0.0, 0.0],
        [0.0, 0.0, -1.0, 0.0, 2.0, 0.0],
        [1.0, 0.0, -1.0, 0.3, 2.0, 0.0],
    ];
    for n in [16, 64] {
        for v in motions {
            let pile = base(n, v);
            let problem = pile.problem();
            let mut bodies = solver_for(&problem);
            let info = bodies.solve(&problem).unwrap();
            assert_eq!(bodies.stage(), Stage::Bodies);
            assert!(info.residual < 1e-11, "{n} points, {v:?}: {info:?}");
            let mut lemke = solver_for(&problem);
            lemke.set_lemke_only(true);
            lemke.solve(&problem).unwrap();
            for (a, b) in bodies.v().iter().zip(lemke.v()) {
                assert!(
                    (a - b).abs() < 1e-9,
                    "{n} points, {v:?}: {:?} {:?}",
                    bodies.v(),
                    lemke.v()
                );
            }
        }
    }
}

#[test]
fn piles_of_spheres_are_answered_in_the_space_of_bodies() {
    let (mut answered, mut all) = (0, 0);
    for seed in 0..12 {
        let pile = spheres(3, 3, seed);
        let problem = pile.problem();
        let mut solver = solver_for(&problem);
        let info = solver.solve(&problem).unwrap();
        assert!(info.residual < 1e-10, "{} contacts: {info:?}", pile.mu.len());
        all += 1;
        answered += usize::from(solver.stage() == Stage::Bodies);
    }
    // Newton's method is not sure to end; what it leaves is left to Lemke's, which is.
    assert!(10 * answered >= 9 * all, "{answered} of {all}");
}

/// The answer for `pile` at a level of reduction, and the number of contacts it was found with.
fn reduced(pile: &Pile, level: Reduction) -> (Vec<f64>, usize) {
    let problem = pile.problem();
    let mut solver = solver_for(&problem);
    solver.set_bodies(&[0]).unwrap();
    solver.set_reduction(level);
    let info = solver.solve(&problem).unwrap();
    assert_eq!(solver.stage(), Stage::Bodies);
    assert!(info.residual < 1e-11, "{info:?}");
    (solver.v().to_vec(), solver.contacts_kept())
}

#[test]
fn four_corners_stand_for_a_base_that_rests_slides_or_tips() {
    let motions = [
        [0.0, 0.0, -1.0, 0.0, 0.0, 0.0],
        [1.0, 0.3, -1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, -1.0, 0.0, 2.0, 0.0],
        [1.0, 0.0, -1.0, 0.3, 2.0, 0.0],
    ];
    for v in motions {
        let pile = base(256, v);
        let (full, all) = reduced(&pile, Reduction::Off);
        let (few, kept) = reduced(&pile, Reduction::Safe);
        assert_eq!((all, kept), (256, 4));
        for (a, b) in full.iter().zip(&few) {
            assert!((a - b).abs() < 1e-9, "{v:?}: {full:?} {few:?}");
        }
    }
}

#[test]
fn a_base_that_is_flat_only_to_a_thousandth_of_a_millimeter_is_still_one_patch() {
    let mut rng = Rng::new(7);
    let mut pile = Pile::new(&[(2.0, 1.3)], &[0.3, 0.0, -1.0, 0.0, 0.0, 0.0]);
    for _ in 0..256 {
        let tilt = [1e-7 * rng.signed(), 1e-7 * rng.signed(), 1.0];
        let arm = [rng.signed(), rng.signed(), -1.0 + 1e-6 * rng.signed()];
        pile.touch((0, arm), None, unit(tilt), 0.5);
    }
    let (full, _) = reduced(&pile, Reduction::Off);
    let (few, kept) = reduced(&pile, Reduction::Safe);
    assert!(kept <= 25, "{kept}");
    // The points disagree among themselves by the jitter; so may the answers.
    for (a, b) in full.iter().zip(&few) {
        assert!((a - b).abs() < 1e-5, "{full:?} {few:?}");
    }
}

#[test]
fn a_patch_that_spins_keeps_its_points_unless_told_otherwise() {
    let pile = base(16, [0.0, 0.0, -0.1, 0.0, 0.0, 2.0]);
    assert_eq!(reduced(&pile, Reduction::Safe).1, 16);
    let (v, kept) = reduced(&pile, Reduction::Aggressive);
    assert_eq!(kept, 4);
    // Friction acts in the corners, at the distance sqrt 2, along the nearest of eight directions:
    // mu N = 0.5 * 2 * 0.1, over the moment of inertia 1.3.
    assert!((v[5] - (2.0 - 0.1 * 2f64.sqrt() / 1.3)).abs() < 1e-9, "{v:?}");
}

/// A box of 1 kg and 1 m on `side` by `side` points, mu = 0.5, pushed level through its base by 8 cos 5t.
fn pushed(side: usize, many_contacts: ManyContacts) -> Stepper {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let rough = Surface { mu: 0.5, ..Surface::default() };
    b.surface(Default::default(), Default::default(), rough).unwrap();
    let i = 1.0 / 6.0;
    let inertia = [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
    let body = b.spatial(1.0, inertia, [0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]).unwrap();
    let at = |k: usize| k as f64 / (side - 1) as f64 - 0.5;
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let how = Attach { at: [at(i), at(j), -0.5], ..Attach::default() };
        b.shape(body, Shape::Ball { radius: 0.0 }, how).unwrap();
    }
    let ground = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, ground, Attach::default()).unwrap();
    let push = Arc::new(|t: f64| [8.0 * (5.0 * t).cos(), 0.0, 0.0]);
    b.force(body, [0.0, 0.0, -0.5], push).unwrap();
    let options = Options { many_contacts, ..Options::default() };
    Stepper::new(Arc::new(b.build().unwrap()), &options).unwrap()
}

#[test]
fn a_box_pushed_to_and_fro_on_many_points_goes_where_a_block_goes() {
    // |x(5)| of a block between stick and slip, in closed form; the rule is of second order.
    let exact = 0.140585627;
    for side in [2, 4, 6] {
        let error = |h: f64| {
            let mut s = pushed(side, ManyContacts::Safe);
            s.advance(5.0, h).unwrap();
            // Nothing turns the box, however its weight is shared among the points.
            assert!(s.q()[6].abs() < 1e-9, "{side}: {:?}", s.q());
            (s.q()[0].abs() - exact).abs()
        };
        let (coarse, fine) = (error(5e-3), error(2.5e-3));
        assert!(coarse < 5e-5 && fine < 0.3 * coarse, "{side}: {coarse:e} {fine:e}");
    }
}

#[test]
fn who_answered_can_be_chosen_and_is_told() {
    for (many, answered) in [(ManyContacts::Safe, true), (ManyContacts::Lemke, false)] {
        let mut s = pushed(4, many);
        s.advance(0.05, 5e-3).unwrap();
        let stats = s.stats();
        let all = stats.lcp_solves + stats.check_solves;
        assert_eq!(stats.body_solves, if answered { all } else { 0 });
    }
}
