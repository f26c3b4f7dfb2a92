//! Problems with many contacts, answered in the space of bodies: every answer satisfies the conditions, and is the one
//! that Lemke's method finds where there is only one.

#[path = "support/pile.rs"]
mod pile;
#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use pile::{Pile, base, spheres, triangulated, unit};
use rng::Rng;
use std::sync::Arc;
use stiction::rigid::{Attach, Builder, Link, Shape, Surface};
use stiction::step::{ManyContacts, Options, Stepper};
use stiction::velocity::{Problem, Reduction, Solver, Stage};

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
    // With reduction a step is made with the four corners, which are few enough for Lemke's method.
    let levels =
        [(ManyContacts::Full, true), (ManyContacts::Safe, false), (ManyContacts::Lemke, false)];
    for (many, answered) in levels {
        let mut s = pushed(4, many);
        s.advance(0.05, 5e-3).unwrap();
        let stats = s.stats();
        let all = stats.lcp_solves + stats.check_solves;
        assert_eq!(stats.body_solves, if answered { all } else { 0 });
    }
}

/// Contacts kept, largest difference of the velocities from those of `full`, and the velocities.
fn answer(pile: &Pile, level: Reduction, full: Option<&[f64]>) -> (usize, f64, Vec<f64>) {
    let problem = pile.problem();
    let mut solver = solver_for(&problem);
    solver.set_bodies(&[0]).unwrap();
    solver.set_reduction(level);
    let info = solver.solve(&problem).unwrap();
    assert!(info.residual < 1e-8, "{info:?}");
    let pairs = solver.v().iter().zip(full.unwrap_or(solver.v()));
    let apart = pairs.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    (solver.contacts_kept(), apart, solver.v().to_vec())
}

#[test]
fn a_triangulated_face_at_rest_is_one_patch_in_spite_of_its_noise() {
    for (noise, most) in [(1e-9, 10), (1e-8, 15), (1e-7, 25)] {
        let pile = triangulated(noise, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        let (all, _, full) = answer(&pile, Reduction::Off, None);
        assert_eq!(all, 150);
        for level in [Reduction::Safe, Reduction::Aggressive] {
            let (kept, apart, _) = answer(&pile, level, Some(&full));
            assert!(kept <= most, "noise {noise:e}, {level:?}: {kept} of {all}");
            assert!(apart < 1e-9, "noise {noise:e}, {level:?}: {apart:e}");
        }
    }
}

/// Slides, slides askew, tips, and both along one line; none of them spins.
const SLIDES_AND_TIPS: [[f64; 6]; 4] = [
    [1.0, 0.0, -1.0, 0.0, 0.0, 0.0],
    [3.0, 0.3, -0.2, 0.0, 0.0, 0.0],
    [0.0, 0.0, -1.0, 0.0, 2.0, 0.0],
    [1.0, 0.0, -1.0, 0.0, 2.0, 0.0],
];

#[test]
fn an_edge_that_is_hit_askew_may_stick_or_turn_and_both_are_answers() {
    // The edge below x = 1 hits at (-1, 0.3) along the ground: friction across it turns the box about the vertical unless
    // friction along it, more at one end than at the other, holds against. The law allows both: all points, the corners and
    // Lemke's method find answers with a residual of rounding (which `answer` looks at) that differ by far more.
    let pile = triangulated(0.0, [1.0, 0.3, -1.0, 0.0, 2.0, 0.0]);
    let (_, _, full) = answer(&pile, Reduction::Off, None);
    let (_, _, corners) = answer(&pile, Reduction::Safe, None);
    // Held, the box turns about its edge: with 2 kg, 1.3 kg m^2 and arms of 1 m, (1.3 2 + 2 1 - 2 1)/(1.3 + 2 + 2) rad/s.
    let turns = 2.6 / 5.3;
    for v in [&full, &corners] {
        assert!((v[2] - v[4]).abs() < 1e-9 && v[3].abs() < 1e-9, "{v:?}");
        let held = (v[4] - turns).abs() < 1e-9 && v[1].abs() + v[5].abs() < 1e-9;
        assert!(held || v[5] < -1e-3, "{v:?}");
    }
}

#[test]
fn a_triangulated_face_slides_and_tips_the_same_at_every_level() {
    for noise in [1e-9, 1e-8, 1e-7] {
        for v in SLIDES_AND_TIPS {
            let pile = triangulated(noise, v);
            let (all, _, full) = answer(&pile, Reduction::Off, None);
            for level in [Reduction::Safe, Reduction::Aggressive] {
                let (kept, apart, _) = answer(&pile, level, Some(&full));
                assert!(kept <= 30, "noise {noise:e}, {v:?}, {level:?}: {kept} of {all}");
                // Corners stand out by twice the noise in cells of 0.4, so that normals disagree by a tilt of up to 2
                // sqrt(2) 2/0.4 noise; speeds of 3 along them, times friction and arms, by three times as much.
                let tilt = 15.0 * noise;
                assert!(apart < 4.0 * tilt, "{noise:e}, {v:?}, {level:?}: {apart:e}");
            }
        }
    }
}

#[test]
fn jittered_feet_slide_and_tip_on_a_tenth_of_them() {
    let jitter = 1e-7;
    for v in SLIDES_AND_TIPS {
        let mut rng = Rng::new(5);
        let mut pile = Pile::new(&[(2.0, 1.3)], &v);
        for k in 0..256 {
            let at = |k: usize| 2.0 * k as f64 / 15.0 - 1.0;
            let tilt = [jitter * rng.signed(), jitter * rng.signed(), 1.0];
            let arm = [at(k / 16), at(k % 16), -1.0 + jitter * rng.signed()];
            pile.touch((0, arm), None, unit(tilt), 0.5);
        }
        let (all, _, full) = answer(&pile, Reduction::Off, None);
        let (kept, apart, _) = answer(&pile, Reduction::Safe, Some(&full));
        assert!(all == 256 && kept <= 25, "{v:?}: {kept} of {all}");
        // Normals disagree by up to 2 sqrt(2) of the jitter; speeds along them are up to 3.
        assert!(apart < 10.0 * jitter, "{v:?}: {apart:e}");
    }
}
