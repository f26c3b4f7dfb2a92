//! Contacts between solids: boxes, hulls, capsules, polygons, meshes. Gaps against their own differences, and bodies
//! that come to rest where they should.

use std::sync::Arc;
use stiction::check::check_model;
use stiction::model::{Checked, ContactSet, Model};
use stiction::rigid::{Attach, BodyId, Builder, Link, Scene, Shape, Surface};
use stiction::step::{Options, Stepper};

const G: f64 = 9.81;

fn builder(mu: f64, e: f64) -> Builder {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -G]).unwrap();
    let surface = Surface { mu, restitution: e, ..Surface::default() };
    b.surface(Default::default(), Default::default(), surface).unwrap();
    b
}

fn cube(b: &mut Builder, mass: f64, half: [f64; 3], at: [f64; 3], turn: [f64; 4]) -> BodyId {
    let [x, y, z] = half.map(|h| h * h);
    let i = |a: f64, b: f64| mass * (a + b) / 3.0;
    let inertia = [[i(y, z), 0.0, 0.0], [0.0, i(x, z), 0.0], [0.0, 0.0, i(x, y)]];
    let body = b.spatial(mass, inertia, at, turn).unwrap();
    b.shape(body, Shape::Box { half }, Attach::default()).unwrap();
    body
}

/// A ground whose top is level at z = 0.
fn slab(b: &mut Builder) {
    let how = Attach { at: [0.0, 0.0, -1.0], ..Attach::default() };
    b.shape(Link::Ground, Shape::Box { half: [5.0, 5.0, 1.0] }, how).unwrap();
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let l = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / l)
}

fn stepper(scene: Scene) -> Stepper {
    Stepper::new(Arc::new(scene), &Options::default()).unwrap()
}

/// (key, gap) of all contacts at a point.
fn contacts(scene: &Scene, q: &[f64], margin: f64) -> Vec<(i64, f64)> {
    let d = scene.dims();
    let mut set = ContactSet::new(d.nv, d.n_dir, scene.hosted());
    Checked::new(scene).contacts(0.0, q, margin, &mut set).unwrap();
    (0..set.len()).map(|i| (set.key(i), set.gap(i))).collect()
}

#[test]
fn a_cube_on_a_slab_has_four_corners_and_rests_on_them() {
    let mut b = builder(0.5, 0.0);
    slab(&mut b);
    cube(&mut b, 2.0, [0.5; 3], [0.1, 0.2, 0.5 + 0.05], [1.0, 0.0, 0.0, 0.0]);
    let scene = b.build().unwrap();
    // Edges of the cube cross no edge of the slab, whose corners are far.
    assert_eq!(contacts(&scene, scene.initial_position(), 0.1).len(), 4);
    let mut s = stepper(scene);
    s.advance(1.0, 0.01).unwrap();
    assert!((s.q()[2] - 0.5).abs() < 1e-12, "{:?}", s.q());
    assert!(s.v().iter().all(|x| x.abs() < 1e-12), "{:?}", s.v());
    assert!(s.stats().worst_gap > -1e-12);
}

#[test]
fn crossed_boxes_rest_on_the_crossings_of_their_edges() {
    // The upper bar lies across the lower one: no corner of either is over the other.
    let mut b = builder(0.5, 0.0);
    let how = Attach { at: [0.0, 0.0, -0.1], ..Attach::default() };
    b.shape(Link::Ground, Shape::Box { half: [2.0, 0.2, 0.1] }, how).unwrap();
    cube(&mut b, 1.0, [0.2, 2.0, 0.1], [0.0, 0.0, 0.15], [1.0, 0.0, 0.0, 0.0]);
    let scene = b.build().unwrap();
    assert_eq!(contacts(&scene, scene.initial_position(), 0.1).len(), 4);
    let mut s = stepper(scene);
    s.advance(0.5, 0.01).unwrap();
    assert!((s.q()[2] - 0.1).abs() < 1e-12, "{:?}", s.q());
    assert!(s.v().iter().all(|x| x.abs() < 1e-12));
}

#[test]
fn gaps_of_solids_in_any_position_have_the_normals_of_their_differences() {
    let points = vec![
        [0.4, 0.0, 0.0],
        [-0.3, 0.3, 0.0],
        [-0.3, -0.35, 0.1],
        [0.0, 0.0, 0.6],
        [0.0, 0.1, -0.5],
    ];
    let shapes = [
        Shape::Box { half: [0.5, 0.4, 0.3] },
        Shape::Hull { points },
        Shape::Capsule { half_length: 0.4, radius: 0.2 },
        Shape::Ball { radius: 0.3 },
    ];
    let mesh = Shape::Mesh {
        vertices: vec![
            [-2.0, -2.0, 0.0],
            [2.0, -2.0, 0.1],
            [2.0, 2.0, -0.1],
            [-2.0, 2.0, 0.2],
            [0.0, 0.0, 0.5],
        ],
        triangles: vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
    };
    let mut worst = 0.0f64;
    let mut seen = 0;
    for (i, one) in shapes.iter().enumerate() {
        for (j, other) in shapes.iter().chain([&mesh]).enumerate() {
            for k in 0..6 {
                let mut b = builder(0.5, 0.0);
                let turn = |s: f64| unit([1.0, 0.3 * s, -0.2 + 0.1 * s, 0.4]);
                let f = f64::from(k);
                let at = if j == 4 {
                    [0.2, 0.3 * f - 0.4, 0.95]
                } else {
                    [0.2 - 0.1 * f, 0.3 * f - 0.4, 0.8]
                };
                let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                let body = b.spatial(1.0, inertia, at, turn(f)).unwrap();
                b.shape(body, one.clone(), Attach::default()).unwrap();
                if j == 4 {
                    b.shape(Link::Ground, other.clone(), Attach::default()).unwrap();
                } else {
                    let base = b.spatial(1.0, inertia, [0.0; 3], turn(-1.0)).unwrap();
                    b.shape(base, other.clone(), Attach::default()).unwrap();
                }
                let scene = b.build().unwrap();
                seen += contacts(&scene, scene.initial_position(), 1.0).len();
                let v: Vec<f64> = (0..scene.dims().nv).map(|m| 0.3 - 0.1 * m as f64).collect();
                let found = check_model(&scene, 0.0, scene.initial_position(), &v).unwrap();
                assert!(found.worst < 1e-6, "pair {i} {j}, pose {k}: {found:?}");
                worst = worst.max(found.worst);
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn a_stack_of_five_boxes_stands_still() {
    let mut b = builder(0.5, 0.0);
    slab(&mut b);
    for k in 0..5 {
        cube(&mut b, 1.0, [0.5; 3], [0.0, 0.0, 0.5 + f64::from(k)], [1.0, 0.0, 0.0, 0.0]);
    }
    let mut s = stepper(b.build().unwrap());
    let start = s.q().to_vec();
    s.advance(1.0, 0.01).unwrap();
    for (a, b) in s.q().iter().zip(&start) {
        assert!((a - b).abs() < 1e-10, "{:?}", s.q());
    }
}

#[test]
fn a_box_slides_off_another_of_its_size() {
    // Edge above edge: the sides of the lower box are beside the upper one, not before it.
    let mut b = builder(0.0, 0.0);
    slab(&mut b);
    let one = [1.0, 0.0, 0.0, 0.0];
    cube(&mut b, 1.0, [0.5; 3], [0.0, 0.0, 0.5], one);
    let upper = cube(&mut b, 1.0, [0.5; 3], [0.0, 0.0, 1.5], one);
    b.velocity(upper, [0.1, 0.0, 0.0], [0.0; 3]).unwrap();
    let mut s = stepper(b.build().unwrap());
    s.advance(1.0, 0.01).unwrap();
    assert!((s.q()[7] - 0.1).abs() < 1e-9 && s.q()[0].abs() < 1e-9, "{:?}", s.q());
}

#[test]
fn boxes_and_polygons_that_overlap_are_parted_the_shortest_way() {
    // Depths of the start are pushed out along the face of least overlap, not along sides that happen to be flush.
    for (depth, offset) in [(0.05, 0.0), (0.05, 1e-5), (0.05, 0.02), (0.2, 0.1), (1e-4, 0.0)] {
        let mut b = builder(0.5, 0.0);
        slab(&mut b);
        for (x, z) in [(0.0, 0.5), (offset, 1.5 - depth)] {
            cube(&mut b, 1.0, [0.5; 3], [x, 0.0, z], [1.0, 0.0, 0.0, 0.0]);
        }
        let mut s = stepper(b.build().unwrap());
        s.advance(0.3, 0.01).unwrap();
        assert!((s.q()[9] - 1.5).abs() < 1e-9, "{depth} {offset}: {:?}", s.q());
        assert!((s.q()[2] - 0.5).abs() < 1e-9 && (s.q()[7] - offset).abs() < 1e-9);
    }
}

#[test]
fn capsules_lie_across_each_other() {
    let mut b = builder(0.3, 0.0);
    let shape = Shape::Capsule { half_length: 1.0, radius: 0.1 };
    let quarter = unit([1.0, 0.0, 0.0, 1.0]);
    for x in [-0.5, 0.5] {
        let how = Attach { at: [x, 0.0, 0.0], turn: quarter, ..Attach::default() };
        b.shape(Link::Ground, shape.clone(), how).unwrap();
    }
    let body = b.spatial(
        1.0,
        [[0.01, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.4]],
        [0.0, 0.0, 0.25],
        [1.0, 0.0, 0.0, 0.0],
    );
    b.shape(body.unwrap(), shape, Attach::default()).unwrap();
    let mut s = stepper(b.build().unwrap());
    s.advance(0.5, 0.01).unwrap();
    assert!((s.q()[2] - 0.2).abs() < 1e-11, "{:?}", s.q());
}

#[test]
fn a_ball_rolls_over_the_seams_of_a_mesh_as_over_a_plane() {
    // A level square of 8 by 8 cells; the ball rolls without slip along a line that crosses seams and diagonals.
    let n = 9u32;
    let vertices =
        (0..n * n).map(|k| [f64::from(k % n) - 4.0, f64::from(k / n) - 4.0, 0.0]).collect();
    let mut triangles = vec![];
    for i in 0..n - 1 {
        for j in 0..n - 1 {
            let a = i + j * n;
            triangles.extend([[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]);
        }
    }
    let mut b = builder(0.4, 0.0);
    b.shape(Link::Ground, Shape::Mesh { vertices, triangles }, Attach::default()).unwrap();
    let i = 0.4 * 0.25;
    let ball = b
        .spatial(
            1.0,
            [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]],
            [-3.0, -1.3, 0.5],
            [1.0, 0.0, 0.0, 0.0],
        )
        .unwrap();
    b.shape(ball, Shape::Ball { radius: 0.5 }, Attach::default()).unwrap();
    // Rolling: w = n x v / r.
    b.velocity(ball, [2.0, 0.7, 0.0], [-1.4, 4.0, 0.0]).unwrap();
    let mut s = stepper(b.build().unwrap());
    s.advance(2.0, 0.01).unwrap();
    assert!((s.q()[0] - 1.0).abs() < 1e-9 && (s.q()[1] - 0.1).abs() < 1e-9, "{:?}", s.q());
    assert!((s.q()[2] - 0.5).abs() < 1e-12);
}

#[test]
fn polygons_of_the_plane_stand_on_each_other() {
    let mut b = Builder::new();
    b.gravity([0.0, -G, 0.0]).unwrap();
    b.surface(Default::default(), Default::default(), Surface { mu: 0.5, ..Surface::default() })
        .unwrap();
    let square = |h: f64| Shape::Polygon { vertices: vec![[-h, -h], [h, -h], [h, h], [-h, h]] };
    let lower = b.planar(2.0, 1.0, [0.0, 1.0], 0.0).unwrap();
    b.shape(lower, square(1.0), Attach::default()).unwrap();
    let upper = b.planar(1.0, 0.2, [0.3, 2.5], 0.0).unwrap();
    b.shape(upper, square(0.5), Attach::default()).unwrap();
    let how = Attach { at: [0.0, 0.0, 0.0], ..Attach::default() };
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, how).unwrap();
    let mut s = stepper(b.build().unwrap());
    s.advance(1.0, 0.01).unwrap();
    assert!((s.q()[4] - 2.5).abs() < 1e-11 && (s.q()[3] - 0.3).abs() < 1e-11, "{:?}", s.q());
}

#[test]
fn a_thousand_spheres_touch_their_neighbors_only() {
    // Loose grids of spheres in a box: every sphere has its neighbors, whatever the number of pairs.
    let count = |side: usize| {
        let mut b = builder(0.3, 0.0);
        for i in 0..side {
            for j in 0..side {
                for k in 0..side {
                    let at = [i, j, k].map(|x| 1.01 * x as f64 + 0.51);
                    let body = b.point3(1.0, at).unwrap();
                    b.shape(body, Shape::Ball { radius: 0.5 }, Attach::default()).unwrap();
                }
            }
        }
        let wall = 1.01 * side as f64 + 0.01;
        for axis in 0..3 {
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            b.shape(Link::Ground, Shape::HalfSpace { normal }, Attach::default()).unwrap();
            normal[axis] = -1.0;
            let mut at = [0.0; 3];
            at[axis] = wall;
            b.shape(Link::Ground, Shape::HalfSpace { normal }, Attach { at, ..Attach::default() })
                .unwrap();
        }
        let scene = b.build().unwrap();
        contacts(&scene, scene.initial_position(), 0.05).len()
    };
    // Six neighbors each, inner ones counted once, walls included: 3 n^2 (n - 1) + 6 n^2.
    for side in [4, 10] {
        assert_eq!(count(side), 3 * side * side * (side - 1) + 6 * side * side);
    }
}

/// Ridges of 1 mm across the way of a box: normals are up but for a slope that changes its sign from triangle to triangle. With
/// tangents that turned by 180 degrees there, friction pushed the box on, by up to 6e-4 J in a step.
#[test]
fn a_box_on_a_shallow_sawtooth_is_not_pushed_on_by_friction() {
    let (mut b, half) = (builder(0.4, 0.0), [0.1, 0.1, 0.1]);
    let ridge = |i: u32| if i % 2 == 1 { 1e-3 } else { 0.0 };
    let grid = (0..3u32).flat_map(|j| (0..41u32).map(move |i| (i, j)));
    let vertices =
        grid.map(|(i, j)| [0.1 * f64::from(i) - 2.0, f64::from(j) - 1.0, ridge(i)]).collect();
    let cells = (0..2u32).flat_map(|j| (0..40u32).map(move |i| i + 41 * j));
    let triangles = cells.flat_map(|k| [[k, k + 1, k + 42], [k, k + 42, k + 41]]).collect();
    b.shape(Link::Ground, Shape::Mesh { vertices, triangles }, Attach::default()).unwrap();
    let body = cube(&mut b, 1.0, half, [-1.5, 0.1, 0.101], [1.0, 0.0, 0.0, 0.0]);
    b.velocity(body, [3.0, 0.5, 0.0], [0.0; 3]).unwrap();
    let mut s = stepper(b.build().unwrap());
    // I = m (0.1^2 + 0.1^2)/3 about every axis.
    let energy = |s: &Stepper| {
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        0.5 * (square(&s.v()[..3]) + 0.02 / 3.0 * square(&s.v()[3..])) + G * s.q()[2]
    };
    let first = energy(&s);
    let mut before = first;
    for k in 0..100 {
        s.step(5e-3).unwrap();
        let now = energy(&s);
        assert!(now < before + 1e-9, "step {k}: {before} {now}");
        before = now;
    }
    // It slid, against mu g for half a second: 0.4 * 9.81 * 0.5 = 1.96 of 3.04 m/s are gone, and what the ridges took.
    assert!(before < first - 3.0, "{first} {before}");
}
