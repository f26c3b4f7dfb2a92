//! Built-in bodies: every derivative they give against differences, in scenes that use every kind
//! of part.

#[path = "support/zoo.rs"]
mod zoo;

use stiction::check::{check_model, check_state};
use stiction::model::Model;
use stiction::rigid::*;
use zoo::{planar_zoo, spatial_zoo, spring};

/// Numbers in [-1, 1], always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
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
        // Truncation of central differences: (6e-6)^2 times third derivatives over first ones,
        // which reach 1e3 near short distances and steep angles.
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
    // Without gravity, motors and loads the force is minus the sum of (gamma phi + delta G'v) G,
    // (rigid.16), plus the gyroscopic force -K_c v, (rigid.7).
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
