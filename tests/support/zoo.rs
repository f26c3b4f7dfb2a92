//! Scenes of built-in bodies that use every kind of part, for tests.

use std::sync::Arc;
use stiction::rigid::*;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A spring with a rest length or angle.
pub fn spring(stiffness: f64, damping: f64, rest: f64) -> Spring {
    Spring { stiffness, damping, rest: Some(rest) }
}

/// Points and planar bodies.
pub fn planar_zoo() -> Scene {
    let mut b = Builder::new();
    b.gravity([0.3, -9.81, 0.0]).unwrap();
    let p = b.point2(1.5, [1.0, 2.0]).unwrap();
    let r = b.planar(2.0, 0.3, [0.2, -0.4], 0.7).unwrap();
    let s = b.planar(1.0, 0.1, [1.2, 0.4], -0.3).unwrap();
    let w = b.planar(0.7, 0.2, [-1.2, 0.9], 1.3).unwrap();
    let hinge = b.joint(Joint::Revolute { axis: [0.0, 0.0, -2.0] }, r, s, [0.5, 0.1, 0.0]).unwrap();
    let slider =
        b.joint(Joint::Prismatic { axis: [1.0, 2.0, 0.0] }, s, w, [0.1, 0.4, 0.0]).unwrap();
    b.joint(Joint::Fixed, Link::Ground, w, [0.0, 0.0, 0.0]).unwrap();
    b.joint(Joint::Prismatic { axis: [1.0, -0.3, 0.0] }, r, p, [1.0, 2.0, 0.0]).unwrap();
    b.rod(p, [0.0; 3], w, [0.1, 0.2, 0.0], None).unwrap();
    b.drive(hinge, Freedom::Angle, Arc::new(|t: f64| t.sin())).unwrap();
    b.drive(slider, Freedom::Slide, Arc::new(|t: f64| 0.2 * t)).unwrap();
    b.spring(Link::Ground, [0.3, 3.0, 0.0], r, [0.1, -0.2, 0.0], spring(50.0, 3.0, 1.0)).unwrap();
    b.spring(s, [0.1, 0.4, 0.0], w, [0.3, -0.2, 0.0], spring(20.0, 2.0, 0.5)).unwrap();
    b.bushing(p, [0.0; 3], w, [0.2, 0.1, 0.0], spring(10.0, 1.0, 0.0)).unwrap();
    b.joint_spring(hinge, Freedom::Angle, spring(5.0, 0.4, 0.3)).unwrap();
    b.joint_spring(slider, Freedom::Slide, spring(7.0, 0.6, 0.1)).unwrap();
    b.motor(slider, Freedom::Slide, Arc::new(|t: f64| 3.0 + t)).unwrap();
    b.force(r, [0.3, 0.1, 0.0], Arc::new(|t: f64| [1.0, t, 0.0])).unwrap();
    b.torque(s, Arc::new(|t: f64| [0.0, 0.0, t.cos()])).unwrap();
    b.limit(hinge, Freedom::Angle, -1.0, 0.5, 0.3).unwrap();
    b.limit(slider, Freedom::Slide, -0.2, f64::INFINITY, 0.0).unwrap();
    b.limit_distance(r, [0.0; 3], p, [0.0; 3], [f64::NEG_INFINITY, 4.0], 0.0).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.4, restitution: 0.5, grain: None }).unwrap();
    let on = |at: [f64; 3]| Attach { at, ..Attach::default() };
    b.shape(
        Link::Ground,
        Shape::HalfSpace { normal: [0.2, 1.0, 0.0] },
        Attach { group: 8, ..on([0.0, -1.0, 0.0]) },
    )
    .unwrap();
    b.shape(p, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    b.shape(r, Shape::Ball { radius: 0.2 }, on([0.1, 0.3, 0.0])).unwrap();
    let wall = Attach { group: 2, meets: 1 | 4, ..on([0.1, 0.0, 0.0]) };
    b.shape(w, Shape::HalfSpace { normal: [1.0, 0.2, 0.0] }, wall).unwrap();
    let apart = Attach { group: 4, meets: 2 | 8, ..Attach::default() };
    b.shape(s, Shape::Polygon { vertices: vec![[0.2, 0.1], [-0.2, 0.1], [0.0, -0.2]] }, apart)
        .unwrap();
    b.build().unwrap()
}

/// A point and spatial bodies.
pub fn spatial_zoo() -> Scene {
    let mut b = Builder::new();
    b.gravity([0.3, -0.2, -9.81]).unwrap();
    let inertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]];
    let half = 0.5f64.sqrt();
    let p = b.point3(1.5, [1.0, 2.0, 0.5]).unwrap();
    let r = b.spatial(2.0, inertia, [0.2, -0.4, 0.1], [half, 0.0, half, 0.0]).unwrap();
    let s = b.spatial(1.0, inertia, [1.2, 0.4, -0.8], [0.5, 0.5, -0.5, 0.5]).unwrap();
    b.axes(Axes::World);
    let w = b.spatial(0.7, inertia, [-1.2, 0.9, 1.4], [0.6, 0.0, 0.0, 0.8]).unwrap();
    let hinge = b.joint(Joint::Revolute { axis: [1.0, 0.4, -2.0] }, r, s, [0.5, 0.1, 0.3]).unwrap();
    let tube =
        b.joint(Joint::Cylindrical { axis: [1.0, 2.0, 0.5] }, s, w, [0.1, 0.4, 0.2]).unwrap();
    b.joint(Joint::Spherical, Link::Ground, w, [0.0; 3]).unwrap();
    let rail = b.joint(Joint::Prismatic { axis: [1.0, 0.0, 0.3] }, w, r, [0.3, 0.2, 0.1]).unwrap();
    let cross = Joint::Universal { axis_a: [1.0, 1.0, 0.0], axis_b: [1.0, -1.0, 3.0] };
    b.joint(cross, r, w, [0.3, 0.1, 0.0]).unwrap();
    b.joint(Joint::Fixed, s, Link::Ground, [0.4, 0.0, 0.0]).unwrap();
    b.joint(Joint::Cylindrical { axis: [0.0, 1.0, 0.0] }, r, p, [1.0, 2.0, 0.5]).unwrap();
    b.rod(p, [0.0; 3], w, [0.1, 0.2, 0.3], None).unwrap();
    b.drive(hinge, Freedom::Angle, Arc::new(|t: f64| t.sin())).unwrap();
    b.drive(tube, Freedom::Slide, Arc::new(|t: f64| 0.2 * t)).unwrap();
    b.spring(Link::Ground, [0.3, 3.0, 1.0], r, [0.1, -0.2, 0.4], spring(50.0, 3.0, 1.0)).unwrap();
    b.spring(s, [0.1, 0.4, 0.1], w, [0.3, -0.2, 0.2], spring(20.0, 2.0, 0.5)).unwrap();
    b.bushing(p, [0.0; 3], w, [0.2, 0.1, 0.3], spring(10.0, 1.0, 0.0)).unwrap();
    b.joint_spring(hinge, Freedom::Angle, spring(5.0, 0.4, 0.3)).unwrap();
    b.joint_spring(tube, Freedom::Angle, spring(4.0, 0.3, -0.2)).unwrap();
    b.joint_spring(tube, Freedom::Slide, spring(7.0, 0.6, 0.1)).unwrap();
    b.motor(rail, Freedom::Slide, Arc::new(|t: f64| 3.0 + t)).unwrap();
    b.force(r, [0.3, 0.1, 0.2], Arc::new(|t: f64| [1.0, t, -2.0])).unwrap();
    b.torque(s, Arc::new(|t: f64| [1.0, 0.3, t.cos()])).unwrap();
    b.limit(hinge, Freedom::Angle, -1.0, 0.5, 0.3).unwrap();
    b.limit(rail, Freedom::Slide, f64::NEG_INFINITY, 0.4, 0.0).unwrap();
    b.limit_distance(r, [0.0; 3], p, [0.0; 3], [0.1, 4.0], 0.0).unwrap();
    let (d, wood) = (MaterialId::default(), b.material());
    b.surface(d, d, Surface { mu: 0.4, restitution: 0.5, grain: None }).unwrap();
    let grain = Some(Grain { axis: [1.0, 0.2, 0.1], mu_across: 0.2 });
    b.surface(wood, d, Surface { mu: 0.6, restitution: 0.1, grain }).unwrap();
    let on = |at: [f64; 3]| Attach { at, ..Attach::default() };
    b.shape(
        Link::Ground,
        Shape::HalfSpace { normal: [0.2, 0.1, 1.0] },
        Attach { group: 8, ..on([0.0, -1.0, -3.0]) },
    )
    .unwrap();
    b.shape(p, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    b.shape(r, Shape::Ball { radius: 0.2 }, on([0.1, 0.3, 0.2])).unwrap();
    let turn = [0.5, -0.5, 0.5, 0.5];
    let tilted = Attach { turn, group: 2, meets: 1 | 8, material: wood, ..on([0.2, 0.1, 0.1]) };
    b.shape(s, Shape::Box { half: [0.1, 0.2, 0.3] }, tilted).unwrap();
    b.shape(w, Shape::Capsule { half_length: 0.3, radius: 0.1 }, tilted).unwrap();
    let moving = Attach { group: 4, meets: 1, ..on([0.0, 0.0, -0.7]) };
    let wall = b.shape(w, Shape::HalfSpace { normal: Z }, moving).unwrap();
    b.wall_motion(wall, Arc::new(|t: f64| 0.1 * t.sin())).unwrap();
    b.build().unwrap()
}
