//! Gaps, friction directions and limits of built-in bodies against geometry done by hand.

use std::f64::consts::PI;
use stiction::model::{Checked, ContactSet, Model};
use stiction::rigid::*;

const Z: [f64; 3] = [0.0, 0.0, 1.0];
const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const ROUND: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn on(at: [f64; 3]) -> Attach {
    Attach { at, ..Attach::default() }
}

/// Gaps at the builder's pose.
fn gaps(scene: &Scene) -> Vec<f64> {
    let d = scene.dims();
    let (mut gap, mut normal) = (vec![0.0; d.n_contact], vec![0.0; d.nv * d.n_contact]);
    Checked::new(scene).gap(0.0, scene.initial_position(), &mut gap, &mut normal).unwrap();
    gap
}

/// Friction directions of a contact at the builder's pose, columns of length nv.
fn directions(scene: &Scene, contact: usize) -> Vec<Vec<f64>> {
    let d = scene.dims();
    let mut tangent = vec![0.0; d.nv * d.n_contact * d.n_dir];
    Checked::new(scene).tangent(0.0, scene.initial_position(), &mut tangent).unwrap();
    let at = |k: usize| (contact * d.n_dir + k) * d.nv;
    (0..d.n_dir).map(|k| tangent[at(k)..at(k) + d.nv].to_vec()).collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14), "{a:?} against {b:?}");
}

/// A ball at a place against one other shape on the ground.
fn ball_against(shape: Shape, how: Attach, radius: f64, at: [f64; 3]) -> f64 {
    let mut b = Builder::new();
    let ball = b.spatial(1.0, ROUND, at, LEVEL).unwrap();
    b.shape(Link::Ground, shape, how).unwrap();
    b.shape(ball, Shape::Ball { radius }, Attach::default()).unwrap();
    let scene = b.build().unwrap();
    assert_eq!(scene.dims().n_contact, 1);
    gaps(&scene)[0]
}

#[test]
fn distances_of_balls_are_those_of_geometry() {
    let plane = Shape::HalfSpace { normal: [0.0, 3.0, 4.0] };
    // n = (0, .6, .8), origin at (0, 0, 1): .6 * 2 + .8 * (5 - 1) - .5
    close(&[ball_against(plane, on([0.0, 0.0, 1.0]), 0.5, [9.0, 2.0, 5.0])], &[3.9]);
    let ball = Shape::Ball { radius: 0.25 };
    close(&[ball_against(ball, on([1.0, 1.0, 1.0]), 0.5, [3.0, 3.0, 2.0])], &[3.0 - 0.75]);
    let capsule = Shape::Capsule { half_length: 2.0, radius: 0.25 };
    // Beside the segment and beyond its end.
    close(&[ball_against(capsule.clone(), on([0.0; 3]), 0.5, [1.5, 0.0, 2.0])], &[2.0 - 0.75]);
    close(&[ball_against(capsule, on([0.0; 3]), 0.5, [5.0, 4.0, 0.0])], &[5.0 - 0.75]);
    let cuboid = Shape::Box { half: [1.0, 2.0, 3.0] };
    let at = |p| ball_against(cuboid.clone(), Attach::default(), 0.5, p);
    // Face, edge, corner; then with the center inside, 0.25 below the nearest face.
    close(&[at([4.0, 0.0, 1.0]), at([4.0, 6.0, 1.0]), at([3.0, 4.0, 4.0])], &[2.5, 4.5, 2.5]);
    close(&[at([0.75, 0.1, 0.2])], &[-0.75]);
    // Turned by a quarter about z, its half edges change places.
    let turned = Attach { turn: [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()], ..Attach::default() };
    close(&[ball_against(cuboid, turned, 0.5, [4.0, 0.0, 1.0])], &[1.5]);
}

#[test]
fn capsules_boxes_and_polygons_stand_on_their_ends_and_corners() {
    let mut b = Builder::new();
    let quarter = [0.5f64.sqrt(), 0.0, 0.5f64.sqrt(), 0.0];
    // The local x axis turned to -z: one end 0.5 above, one 0.5 below.
    let stick = b.spatial(1.0, ROUND, [0.0, 0.0, 2.0], quarter).unwrap();
    let floor = Attach { group: 2, ..Attach::default() };
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, floor).unwrap();
    b.shape(stick, Shape::Capsule { half_length: 0.5, radius: 0.25 }, on([0.0; 3])).unwrap();
    close(&gaps(&b.build().unwrap()), &[1.25, 2.25]);

    let mut b = Builder::new();
    let tile = b.planar(1.0, 1.0, [0.0, 3.0], PI / 2.0).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, floor).unwrap();
    let vertices = vec![[1.0, 0.5], [-1.0, 0.5], [0.0, -0.5]];
    b.shape(tile, Shape::Polygon { vertices }, Attach::default()).unwrap();
    close(&gaps(&b.build().unwrap()), &[4.0, 2.0, 3.0]);
}

#[test]
fn a_disc_in_the_plane_meets_a_box_on_the_ground_as_a_rectangle() {
    let gap = |at: [f64; 2]| {
        let mut b = Builder::new();
        let disc = b.planar(1.0, 1.0, at, 0.0).unwrap();
        b.shape(disc, Shape::Ball { radius: 0.5 }, Attach::default()).unwrap();
        // Thin across the plane, which must not matter.
        b.shape(Link::Ground, Shape::Box { half: [1.0, 2.0, 0.1] }, Attach::default()).unwrap();
        gaps(&b.build().unwrap())[0]
    };
    // Beside a face, beyond a corner, and 0.25 inside a face.
    close(&[gap([3.0, 0.5]), gap([4.0, 6.0]), gap([0.75, 0.2])], &[1.5, 4.5, -0.75]);
}

#[test]
fn on_a_level_table_the_first_of_eight_directions_is_x_and_they_turn_evenly() {
    let mut b = Builder::new();
    let p = b.point3(1.0, [0.0; 3]).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.5, ..Surface::default() }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, Attach::default()).unwrap();
    b.shape(p, Shape::Ball { radius: 0.0 }, Attach::default()).unwrap();
    let s = 0.5f64.sqrt();
    let octagon =
        [[1.0, 0.0], [s, s], [0.0, 1.0], [-s, s], [-1.0, 0.0], [-s, -s], [0.0, -1.0], [s, -s]];
    for (k, d) in directions(&b.build().unwrap(), 0).iter().enumerate() {
        close(d, &[octagon[k][0], octagon[k][1], 0.0]);
    }
}

#[test]
fn between_balls_the_first_direction_is_level() {
    let mut b = Builder::new();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.5, ..Surface::default() }).unwrap();
    for at in [[0.0; 3], [3.0, 4.0, 0.0]] {
        let p = b.point3(1.0, at).unwrap();
        b.shape(p, Shape::Ball { radius: 2.5 }, Attach::default()).unwrap();
    }
    let scene = b.build().unwrap();
    close(&gaps(&scene), &[0.0]);
    // n from the second to the first is (-.6, -.8, 0); n x z = (-.8, .6, 0).
    close(&directions(&scene, 0)[0], &[-0.8, 0.6, 0.0, 0.8, -0.6, 0.0]);
}

#[test]
fn contacts_between_bodies_carry_no_net_force_and_no_net_torque() {
    let mut b = Builder::new();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.5, ..Surface::default() }).unwrap();
    let inertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]];
    let r = b.spatial(2.0, inertia, [0.2, -0.4, 0.1], [0.6, 0.0, 0.8, 0.0]).unwrap();
    let s = b.spatial(1.0, inertia, [1.2, 0.4, -0.8], [0.5, 0.5, -0.5, 0.5]).unwrap();
    b.shape(r, Shape::Ball { radius: 0.3 }, on([0.1, 0.2, 0.3])).unwrap();
    b.shape(s, Shape::Box { half: [0.1, 0.2, 0.3] }, on([0.1, -0.2, 0.1])).unwrap();
    let scene = b.build().unwrap();
    let (d, q) = (scene.dims(), scene.initial_position());
    let (mut mass, mut columns) = (vec![0.0; 144], directions(&scene, 0));
    let (mut gap, mut normal) = ([0.0], [0.0; 12]);
    scene.gap(0.0, q, &mut gap, &mut normal).unwrap();
    columns.push(normal.to_vec());
    scene.mass(0.0, q, &mut mass).unwrap();
    let m = nalgebra::DMatrix::from_vec(d.nv, d.nv, mass);
    for c in columns {
        // M^-1 c is the velocity that an impulse along c gives.
        let v = m.clone().lu().solve(&nalgebra::DVector::from_vec(c)).unwrap();
        close(&scene.momentum(q, v.as_slice()).unwrap(), &[0.0; 3]);
        close(&scene.angular_momentum(q, v.as_slice()).unwrap(), &[0.0; 3]);
    }
}

#[test]
fn friction_along_and_across_the_grain_fills_an_ellipse() {
    let mut b = Builder::new();
    let (d, wood) = (MaterialId::default(), b.material());
    let grain = Some(Grain { axis: [0.0, 2.0, 5.0], mu_across: 0.6 });
    b.surface(wood, d, Surface { mu: 0.2, restitution: 0.0, grain }).unwrap();
    b.facets(4).unwrap();
    let p = b.point3(1.0, [0.0; 3]).unwrap();
    b.shape(p, Shape::Ball { radius: 0.0 }, Attach::default()).unwrap();
    let board = Attach { material: wood, ..Attach::default() };
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, board).unwrap();
    let scene = b.build().unwrap();
    // Along y with 0.2, across it (n x y = -x) with 0.6: mu times the directions.
    assert_eq!(scene.mu(0), 0.6);
    let reach: Vec<Vec<f64>> =
        directions(&scene, 0).iter().map(|d| d.iter().map(|x| 0.6 * x).collect()).collect();
    let expected = [[0.0, 0.2, 0.0], [-0.6, 0.0, 0.0], [0.0, -0.2, 0.0], [0.6, 0.0, 0.0]];
    reach.iter().zip(&expected).for_each(|(a, b)| close(a, b));
}

#[test]
fn groups_decide_who_meets_and_every_slot_has_its_own_key() {
    let mut b = Builder::new();
    let floor = Attach { group: 4, ..Attach::default() };
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, floor).unwrap();
    for i in 0..3 {
        let body = b.spatial(1.0, ROUND, [3.0 * i as f64, 0.0, 1.0], LEVEL).unwrap();
        // Boxes meet the floor, not each other.
        let how = Attach { group: 2, meets: 4, ..Attach::default() };
        b.shape(body, Shape::Box { half: [0.5; 3] }, how).unwrap();
    }
    let scene = b.build().unwrap();
    assert_eq!(scene.dims().n_contact, 24);
    let mut keys: Vec<i64> = (0..24).map(|i| scene.key(i)).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 24);
}

#[test]
fn a_pair_without_a_gap_function_is_named_instead_of_passing_through() {
    let mut b = Builder::new();
    let sheet = |turn: [u32; 3]| Shape::Mesh {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![turn],
    };
    let body = b.spatial(1.0, ROUND, [3.0, 0.0, 1.0], LEVEL).unwrap();
    b.shape(body, sheet([0, 2, 1]), Attach::default()).unwrap();
    b.shape(Link::Ground, sheet([0, 1, 2]), Attach::default()).unwrap();
    let e = b.build().unwrap_err().to_string();
    assert!(e.starts_with("pair of shapes is mesh 0 and mesh 1"), "{e}");
}

#[test]
fn materials_that_meet_need_a_surface() {
    let mut b = Builder::new();
    let ice = b.material();
    let p = b.point2(1.0, [0.0, 1.0]).unwrap();
    b.shape(p, Shape::Ball { radius: 0.1 }, Attach { material: ice, ..Attach::default() }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, Attach::default()).unwrap();
    let e = b.clone().build().unwrap_err().to_string();
    assert!(e.contains("materials with a surface"), "{e}");
    b.surface(MaterialId::default(), ice, Surface { mu: 0.1, ..Surface::default() }).unwrap();
    let scene = b.build().unwrap();
    assert_eq!((scene.mu(0), scene.dims().n_dir), (0.1, 2));
    // On the floor the first direction in the plane is x.
    close(&directions(&scene, 0)[0], &[1.0, 0.0]);
}

#[test]
fn limits_are_gaps_to_both_ends_of_the_range() {
    let mut b = Builder::new();
    let arm = b.spatial(1.0, ROUND, [1.0, 0.0, 0.0], LEVEL).unwrap();
    let hinge = b.joint(Joint::Revolute { axis: Z }, Link::Ground, arm, [0.0; 3]).unwrap();
    // A range that reaches beyond half a turn.
    b.limit(hinge, Freedom::Angle, -0.5, 5.0, 0.3).unwrap();
    let rope = [f64::NEG_INFINITY, 2.0];
    b.limit_distance(Link::Ground, [0.0, 0.0, -1.0], arm, [0.0; 3], rope, 0.0).unwrap();
    let scene = b.build().unwrap();
    assert_eq!((scene.restitution(0), scene.restitution(2), scene.mu(0)), (0.3, 0.0, 0.0));
    for angle in [0.0f64, 0.7, 3.0, 4.4, -0.3] {
        let half = 0.5 * angle;
        let q = [angle.cos(), angle.sin(), 0.0, half.cos(), 0.0, 0.0, half.sin()];
        let (mut gap, mut normal) = ([0.0; 3], [0.0; 18]);
        scene.gap(0.0, &q, &mut gap, &mut normal).unwrap();
        close(&gap, &[angle + 0.5, 5.0 - angle, 2.0 - 2f64.sqrt()]);
        // Turning about z opens one end and closes the other.
        assert!((normal[5] - 1.0).abs() < 1e-15 && (normal[11] + 1.0).abs() < 1e-15);
    }
}

#[test]
fn a_gap_without_direction_refuses_the_point() {
    let mut b = Builder::new();
    for _ in 0..2 {
        let p = b.point3(1.0, [1.0, 2.0, 3.0]).unwrap();
        b.shape(p, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    }
    let scene = b.build().unwrap();
    let (mut gap, mut normal) = ([0.0], [0.0; 6]);
    let asked = Checked::new(&scene);
    let e = asked.gap(0.0, scene.initial_position(), &mut gap, &mut normal).unwrap_err();
    assert_eq!(e, stiction::Error::Rejected { what: "gap", code: 1 });
}

#[test]
fn a_key_leads_from_a_contact_to_its_bodies_and_shapes() {
    let mut b = Builder::new();
    let ground = b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, on([0.0; 3])).unwrap();
    let low = b.spatial(1.0, ROUND, [0.0, 0.0, 0.5], LEVEL).unwrap();
    let high = b.spatial(1.0, ROUND, [0.0, 0.0, 1.5], LEVEL).unwrap();
    let brick = Shape::Box { half: [0.5; 3] };
    let lower = b.shape(low, brick.clone(), on([0.0; 3])).unwrap();
    let upper = b.shape(high, brick, on([0.0; 3])).unwrap();
    b.limit_distance(low, [0.0; 3], high, [0.0; 3], [0.5, f64::INFINITY], 0.0).unwrap();
    let scene = b.build().unwrap();
    // Corners of either box with the ground and the limit have gaps of their own; the boxes meet as
    // they come.
    let mut set = ContactSet::new(12, scene.dims().n_dir, scene.hosted());
    Checked::new(&scene).contacts(0.0, scene.initial_position(), 0.01, &mut set).unwrap();
    let own = (0..scene.dims().n_contact).map(|i| scene.key(i));
    let keys: Vec<i64> = own.chain((0..set.len()).map(|k| set.key(k))).collect();
    let is = |bodies: [Link; 2], shapes: Option<[ShapeId; 2]>| {
        let same = |p: &ContactPair| {
            let turned = |x: [ShapeId; 2]| [x[1], x[0]];
            (p.bodies, p.shapes) == (bodies, shapes)
                || (p.bodies, p.shapes) == ([bodies[1], bodies[0]], shapes.map(turned))
        };
        keys.iter().filter(|&&key| same(&scene.contact_pair(key).unwrap())).count()
    };
    let (low, high) = (Link::from(low), Link::from(high));
    let met = [
        is([low, Link::Ground], Some([lower, ground])),
        is([high, Link::Ground], Some([upper, ground])),
        is([low, high], Some([lower, upper])),
        is([low, high], None),
    ];
    assert_eq!((met[0], met[1], met[3]), (8, 8, 1), "{met:?}");
    // Four corners of each on the face of the other, edges crossing edges beside them.
    assert!(met[2] >= 4 && met.iter().sum::<usize>() == keys.len(), "{met:?}");
    assert_eq!(scene.contact_pair(-1), None);
    assert_eq!(scene.contact_pair(i64::MAX), None);
}
