//! A counting allocator around built-in bodies: answering and stepping allocate nothing.

#[path = "support/counting.rs"]
mod counting;
#[path = "support/zoo.rs"]
mod zoo;

use counting::allocations;
use std::sync::Arc;
use stiction::model::{Checked, ContactSet, Model};
use stiction::rigid::*;
use stiction::step::{Options, Stepper};

#[test]
fn a_scene_answers_every_question_without_allocating() {
    for scene in [zoo::planar_zoo(), zoo::spatial_zoo()] {
        let d = scene.dims();
        let (q, v) = (scene.initial_position().to_vec(), vec![0.3; d.nv]);
        let square = || vec![0.0; d.nv * d.nv];
        let (mut mass, mut dfdv, mut dfdq) = (square(), square(), vec![0.0; d.nv * d.nq]);
        let (mut force, mut moved) = (vec![0.0; d.nv], vec![0.0; d.nq]);
        let (mut phi, mut jt) = (vec![0.0; d.n_joint], vec![0.0; d.nv * d.n_joint]);
        let (mut gap, mut normal) = (vec![0.0; d.n_contact], vec![0.0; d.nv * d.n_contact]);
        let mut tangent = vec![0.0; d.nv * d.n_contact * d.n_dir];
        let mut asked = Checked::new(&scene);
        let count = allocations(|| {
            asked.mass(0.1, &q, &mut mass).unwrap();
            asked.force(0.1, &q, &v, &mut force).unwrap();
            asked.force_jac(0.1, &q, &v, &mut dfdq, &mut dfdv).unwrap();
            asked.rate(0.1, &q, &v, &mut moved).unwrap();
            asked.displace(0.1, &q, &v, &mut moved).unwrap();
            asked.joint(0.1, &q, &mut phi, &mut jt).unwrap();
            asked.gap(0.1, &q, &mut gap, &mut normal).unwrap();
            asked.tangent(0.1, &q, &mut tangent).unwrap();
            scene.potential_energy(&q).unwrap();
            scene.angular_momentum(&q, &v).unwrap();
        });
        assert_eq!(count, 0);
    }
}

#[test]
fn a_falling_cube_and_ball_step_without_allocating() {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let d = MaterialId::default();
    b.surface(d, d, Surface { mu: 0.5, restitution: 0.3, grain: None }).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 0.0, 1.0] }, Attach::default()).unwrap();
    let inertia = [[0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]];
    let turn = [0.8, 0.6, 0.0, 0.0];
    let cube = b.spatial(1.0, inertia, [0.0, 0.0, 1.0], turn).unwrap();
    b.shape(cube, Shape::Box { half: [0.5; 3] }, Attach::default()).unwrap();
    let ball = b.spatial(1.0, inertia, [0.0, 0.2, 2.5], [1.0, 0.0, 0.0, 0.0]).unwrap();
    b.shape(ball, Shape::Ball { radius: 0.3 }, Attach::default()).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let mut s = Stepper::new(scene.clone(), &Options::default()).unwrap();
    s.set_state(0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
    let count = allocations(|| {
        for _ in 0..100 {
            s.step(0.01).unwrap();
        }
    });
    assert_eq!(count, 0);
    assert!(s.stats().impacts > 0);
}

#[test]
fn the_contacts_of_a_heap_are_found_without_allocating_once_they_have_been() {
    let mut b = Builder::new();
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    for k in 0..216 {
        let at = [k % 6, k / 6 % 6, k / 36].map(|i| 0.2 * f64::from(i));
        let body = b.spatial(1.0, inertia, at, [1.0, 0.0, 0.0, 0.0]).unwrap();
        b.shape(body, Shape::Ball { radius: 0.1 }, Attach::default()).unwrap();
    }
    let scene = b.build().unwrap();
    let asked = Checked::new(&scene);
    let mut set = ContactSet::new(scene.dims().nv, scene.dims().n_dir, scene.hosted());
    let mut ask = || asked.contacts(0.0, scene.initial_position(), 0.01, &mut set).unwrap();
    ask();
    assert_eq!(allocations(&mut ask), 0);
    // Five gaps along each of 36 rows in three directions.
    assert_eq!(set.len(), 3 * 36 * 5);
}

#[test]
fn balls_on_springs_step_without_allocating_in_whatever_order_they_are_counted() {
    let spring = Spring { stiffness: 1e4, damping: 1.0, rest: None };
    let inertia = [[1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-3]];
    for stride in [1, 17] {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -9.81]).unwrap();
        let place = |k: usize| [0.1 * ((stride * k) % 60) as f64, 0.0, 0.0];
        let ball = |k: usize| b.spatial(0.1, inertia, place(k), [1.0, 0.0, 0.0, 0.0]).unwrap();
        let balls: Vec<_> = (0..60).map(ball).collect();
        let mut row = balls.clone();
        (0..60).for_each(|k| row[(stride * k) % 60] = balls[k]);
        b.spring(Link::Ground, [0.0; 3], row[0], [0.0, 0.01, 0.0], spring).unwrap();
        for pair in row.windows(2) {
            b.spring(pair[0], [0.0, 0.01, 0.0], pair[1], [0.0, 0.0, 0.01], spring).unwrap();
        }
        let scene = Arc::new(b.build().unwrap());
        let mut s = Stepper::new(scene.clone(), &Options::default()).unwrap();
        s.set_state(0.0, scene.initial_position(), scene.initial_velocity()).unwrap();
        let count = allocations(|| {
            for _ in 0..50 {
                s.step(2e-3).unwrap();
            }
        });
        assert_eq!(count, 0, "{stride}");
    }
}
