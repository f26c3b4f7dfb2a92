//! Steps of bodies whose faces are triangulated with noise, as parts from CAD are: at rest, sliding and tipping, with and
//! without the contacts inside of patches.

#[path = "support/rng.rs"]
#[allow(dead_code)]
mod rng;

use rng::Rng;
use std::sync::Arc;
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Surface};
use stiction::step::{EventLevel, ManyContacts, Options, Stepper};

const H: f64 = 5e-3;
const G: f64 = 9.81;

/// Moment of inertia of the box of 1 kg and 1 m.
const I: f64 = 1.0 / 6.0;

/// A square of 5 by 5 cells of two triangles each, whose corners are off its plane by up to `noise`; `up`: it faces upwards.
fn sheet(size: f64, noise: f64, up: bool) -> Shape {
    let mut rng = Rng::new(11);
    let at = |k: u32| size * (f64::from(k) / 5.0 - 0.5);
    let corners = (0..6).flat_map(|j| (0..6).map(move |i| (i, j)));
    let vertices = corners.map(|(i, j)| [at(i), at(j), noise * rng.signed()]).collect();
    let mut triangles = vec![];
    for (j, i) in (0..5).flat_map(|j| (0..5).map(move |i| (j, i))) {
        let [a, b, c, d] = [0, 1, 7, 6].map(|k: u32| i + 6 * j + k);
        let two = if up { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
        triangles.extend(two);
    }
    Shape::Mesh { vertices, triangles }
}

/// A box of 1 kg and 1 m, just above the ground: its base is what `attach` makes.
fn on_ground(noise: f64, attach: impl Fn(&mut Builder, Link)) -> Arc<Scene> {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let rough = Surface { mu: 0.5, ..Surface::default() };
    b.surface(Default::default(), Default::default(), rough).unwrap();
    let inertia = [[I, 0.0, 0.0], [0.0, I, 0.0], [0.0, 0.0, I]];
    let up = [0.0, 0.0, 0.5 + 2.0 * noise];
    let body = b.spatial(1.0, inertia, up, [1.0, 0.0, 0.0, 0.0]).unwrap();
    attach(&mut b, body.into());
    Arc::new(b.build().unwrap())
}

/// The box with a triangulated base on a slab: 50 triangles against one face.
fn part(noise: f64) -> Arc<Scene> {
    on_ground(noise, |b, body| {
        let base = Attach { at: [0.0, 0.0, -0.5], ..Attach::default() };
        b.shape(body, sheet(1.0, noise, false), base).unwrap();
        let slab = Shape::Box { half: [3.0, 3.0, 0.5] };
        b.shape(Link::Ground, slab, base).unwrap();
    })
}

/// The box on 8 by 8 points over triangulated ground.
fn feet(noise: f64) -> Arc<Scene> {
    on_ground(noise, |b, body| {
        let at = |k: i32| f64::from(k) / 7.0 - 0.5;
        for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
            let how = Attach { at: [at(i), at(j), -0.5], ..Attach::default() };
            b.shape(body, Shape::Ball { radius: 0.0 }, how).unwrap();
        }
        b.shape(Link::Ground, sheet(4.0, noise, true), Attach::default()).unwrap();
    })
}

const RESTS: [f64; 6] = [0.0; 6];
const SLIDES: [f64; 6] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// About the edge x = 1/2 of its base.
const TIPS: [f64; 6] = [0.5, 0.0, 0.5, 0.0, 1.0, 0.0];

fn moving(
    scene: &Arc<Scene>,
    v: &[f64; 6],
    many_contacts: ManyContacts,
    events: EventLevel,
) -> Stepper {
    let options = Options { many_contacts, events: Some(events), ..Options::default() };
    let mut s = Stepper::new(scene.clone(), &options).unwrap();
    let q = s.q().to_vec();
    s.set_state(0.0, &q, v).unwrap();
    s
}

fn energy(s: &Stepper) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    0.5 * (square(&s.v()[..3]) + I * square(&s.v()[3..])) + G * s.q()[2]
}

fn pushing(s: &Stepper) -> usize {
    s.normal_impulses().iter().filter(|x| **x > 0.0).count()
}

/// Largest difference of the velocities with and without what is inside of patches along `steps` steps, and how many contacts
/// pushed at the end.
fn compare(
    scene: &Arc<Scene>,
    v: &[f64; 6],
    events: EventLevel,
    steps: usize,
) -> (f64, [usize; 2], [Stepper; 2]) {
    let levels = [ManyContacts::Safe, ManyContacts::Full];
    let mut two = levels.map(|many| moving(scene, v, many, events));
    let mut most = 0.0f64;
    for k in 0..steps {
        for s in &mut two {
            s.step(H).unwrap_or_else(|e| panic!("{v:?}, step {k}: {e}"));
            assert!(s.stats().worst_residual < 1e-8, "{v:?}, step {k}: {:?}", s.stats());
        }
        let [a, b] = &two;
        most = a.v().iter().zip(b.v()).fold(most, |m, (a, b)| m.max((a - b).abs()));
    }
    (most, [pushing(&two[0]), pushing(&two[1])], two)
}

#[test]
fn a_triangulated_part_rests_slides_and_tips_the_same_with_and_without_what_is_inside_of_its_base()
{
    for noise in [0.0, 1e-10, 1e-9, 1e-8, 1e-7] {
        let scene = part(noise);
        for (name, v, steps) in [("rests", RESTS, 10), ("slides", SLIDES, 20), ("tips", TIPS, 40)] {
            for events in [EventLevel::All, EventLevel::None] {
                let (apart, count, two) = compare(&scene, &v, events, steps);
                // Nothing turns it but what it lands on: with noise as large as the gap that counts as closed the base may land
                // on other corners, and an edge that is hit askew may stick or turn.
                let most = match (name, events) {
                    ("tips", EventLevel::All) if noise == 1e-9 => 1e-2,
                    ("tips", _) if noise > 0.0 => 1e-8,
                    _ => 1e-12,
                };
                assert!(apart < most, "{noise:e} {name} {events:?}: {apart:e}");
                let few = noise > 0.0 || name == "tips" || (count[0] <= 4 && count[1] > 40);
                assert!(few, "{name} {events:?}: {count:?}");
                for s in two.iter().filter(|_| events == EventLevel::All) {
                    let gap = s.stats().worst_gap;
                    assert!(gap > -1e-9 - noise, "{noise:e} {name}: {gap:e}");
                }
            }
        }
    }
}

#[test]
fn points_over_triangulated_ground_move_the_same_with_and_without_inner_points() {
    for noise in [0.0, 1e-8] {
        let scene = feet(noise);
        for (name, v, steps) in [("rests", RESTS, 10), ("slides", SLIDES, 30), ("tips", TIPS, 60)] {
            let (apart, count, _) = compare(&scene, &v, EventLevel::None, steps);
            // Over noise the feet step from triangle to triangle, and which of them carry decides the torque of friction.
            let same = apart < 1e-12 || (noise > 0.0 && name != "rests");
            assert!(same, "{noise:e} {name}: {apart:e}");
            assert!(noise > 0.0 || (count[0] <= 4 && count[1] > 40), "{name}: {count:?}");
        }
    }
}

/// Contacts on triangles that are nearly, but not quite, one plane hang on each other by as little: a projection of velocities
/// along edges of friction cones made 0.4 J and a spin of 2 rad/s out of 1e-8 m/s.
#[test]
fn noise_of_triangles_does_not_throw_what_slides_over_them() {
    let scene = feet(1e-8);
    for many in [ManyContacts::Safe, ManyContacts::Full] {
        let askew = [1.0, 0.3, 0.0, 0.0, 0.0, 0.0];
        let mut s = moving(&scene, &askew, many, EventLevel::All);
        let mut before = energy(&s);
        for k in 0..12 {
            s.step(H).unwrap();
            let now = energy(&s);
            assert!(now < before + 1e-6, "{many:?}, step {k}: {before} {now}");
            before = now;
        }
        // Some steps reach their limit of events on the way over 50 triangles, after which nothing is located.
        assert!(s.stats().worst_gap > -2e-8, "{many:?}: {:e}", s.stats().worst_gap);
        assert!(s.v()[5].abs() < 0.1, "{many:?}: {:?}", s.v());
    }
}
