//! Built-in bodies: every derivative they give against differences, in scenes that use every kind of part.

use std::sync::Arc;
use stiction::check::{check_model, check_state};
use stiction::model::Model;
use stiction::rigid::*;

/// Numbers in [-1, 1], always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn spring(stiffness: f64, damping: f64, rest: f64) -> Spring {
    Spring { stiffness, damping, rest: Some(rest) }
}

fn planar_zoo() -> Scene {
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

fn spatial_zoo() -> Scene {
    let mut b = Builder::new();
    b.gravity([0.3, -0.2, -9.81]).unwrap();
    let inertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]];
    let half = 0.5f64.sqrt();
    let p = b.point3(1.5, [1.0, 2.0, 0.5]).unwrap();
    let r = b.spatial(2.0, inertia, [0.2, -0.4, 0.1], [half, 0.0, half, 0.0]).unwrap();
    let s = b.spatial(1.0, inertia, [1.2, 0.4, -0.8], [0.5, 0.5, -0.5, 0.5]).unwrap();
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
    b.shape(w, Shape::HalfSpace { normal: Z }, moving).unwrap();
    b.build().unwrap()
}

fn check_everywhere(scene: &Scene, seed: u64) {
    let mut numbers = Numbers(seed);
    let start =
        check_state(scene, 0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
    assert!(start.joint.0 < 1e-14, "{start:?}");
    let d = scene.dims();
    let mut q = scene.initial_position().to_vec();
    for k in 0..20 {
        let v: Vec<f64> = (0..d.nv).map(|_| 2.0 * numbers.next()).collect();
        let report = check_model(scene, 0.1 * k as f64, &q, &v).unwrap();
        // Truncation of central differences: (6e-6)^2 times third derivatives over first ones, which reach 1e3 near short
        // distances and steep angles.
        assert!(report.worst < 1e-7, "state {k}: {report:?}");
        let step: Vec<f64> = (0..d.nv).map(|_| 0.3 * numbers.next()).collect();
        let mut moved = q.clone();
        if scene.gives_displacement() {
            scene.displace(0.0, &q, &step, &mut moved).unwrap();
        } else {
            moved.iter_mut().zip(&step).for_each(|(q, d)| *q += d);
        }
        q = moved;
    }
}

#[test]
fn all_derivatives_of_planar_bodies_agree_with_differences() {
    let scene = planar_zoo();
    assert_eq!((scene.dims().nq, scene.dims().nv, scene.dims().n_dir), (11, 11, 2));
    check_everywhere(&scene, 1);
}

#[test]
fn all_derivatives_of_spatial_bodies_agree_with_differences() {
    let scene = spatial_zoo();
    assert_eq!((scene.dims().nq, scene.dims().nv, scene.dims().n_dir), (24, 21, 8));
    check_everywhere(&scene, 2);
}

#[test]
fn spring_elements_make_up_the_spring_forces() {
    // Without gravity, motors and loads the force is minus the sum of (gamma phi + delta G'v) G, (rigid.16), plus the
    // gyroscopic force -K_c v, (rigid.7).
    let mut b = Builder::new();
    let inertia = [[0.3, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.5]];
    let r = b.spatial(2.0, inertia, [0.2, -0.4, 0.1], [0.6, 0.0, 0.8, 0.0]).unwrap();
    let s = b.spatial(1.0, inertia, [1.2, 0.4, -0.8], [0.5, 0.5, -0.5, 0.5]).unwrap();
    b.spring(r, [0.1, 0.0, 0.3], s, [0.0, 0.2, 0.0], spring(30.0, 2.0, 0.7)).unwrap();
    b.bushing(Link::Ground, [0.0; 3], s, [0.1, 0.0, 0.0], spring(3.0, 1.0, 0.0)).unwrap();
    let scene = b.build().unwrap();
    let (q, nv) = (scene.initial_position().to_vec(), scene.dims().nv);
    let mut numbers = Numbers(3);
    let v: Vec<f64> = (0..nv).map(|_| numbers.next()).collect();
    let mut force = vec![0.0; nv];
    scene.force(0.0, &q, &v, &mut force).unwrap();
    let mut k_c = vec![0.0; nv * nv];
    scene.gyroscopic(&v, &mut k_c).unwrap();
    for (j, vj) in v.iter().enumerate() {
        (0..nv).for_each(|i| force[i] += k_c[i + j * nv] * vj);
        (0..nv).for_each(|i| assert_eq!(k_c[i + j * nv], -k_c[j + i * nv]));
    }
    let mut g = vec![0.0; nv];
    for i in 0..scene.n_element() {
        let e = scene.element(i, &q, &mut g).unwrap();
        let rate: f64 = g.iter().zip(&v).map(|(g, v)| g * v).sum();
        let s = e.stiffness * e.phi + e.damping * rate;
        force.iter_mut().zip(&g).for_each(|(f, g)| *f += s * g);
    }
    assert!(force.iter().all(|f| f.abs() < 1e-14), "{force:?}");
}
