//! What follows from a model at one point: friction cones that are not pointed, Coriolis forces from the mass.

use stiction::check::{check_model, cone_margin};
use stiction::error::Error;
use stiction::model::{Answer, Dims, Model, coriolis};
use stiction::rigid::{Attach, Builder, Link, MaterialId, Shape, Surface};

/// A point of 2 kg between two walls that lean outward by `slope` from the vertical.
struct Wedge {
    slope: f64,
    mu: f64,
}

impl Model for Wedge {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 2, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (2.0, 2.0);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let (s, c) = self.slope.sin_cos();
        for (i, side) in [1.0, -1.0].into_iter().enumerate() {
            (normal[2 * i], normal[2 * i + 1]) = (side * c, s);
            gap[i] = side * c * q[0] + s * q[1];
        }
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], d: &mut [f64]) -> Answer {
        let (s, c) = self.slope.sin_cos();
        d.copy_from_slice(&[-s, c, s, -c, s, c, -s, -c]);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
}

#[test]
fn a_wedge_jams_when_friction_exceeds_the_slope_of_its_walls() {
    let slope = 20f64.to_radians();
    for mu in [0.0, 0.1, 0.3, 0.36] {
        let margin = cone_margin(&Wedge { slope, mu }, 0.0, &[0.0; 2], 1e-9).unwrap();
        // The lowest edges lean by slope - atan mu from the horizontal: their mean is its sine.
        let expected = (slope - f64::atan(mu)).sin();
        assert!((margin - expected).abs() < 1e-9, "{mu}: {margin} {expected}");
    }
    // tan 20 degrees is 0.3640.
    for mu in [0.365, 0.5, 2.0] {
        let margin = cone_margin(&Wedge { slope, mu }, 0.0, &[0.0; 2], 1e-9).unwrap();
        assert!(margin < 1e-7, "{mu}: {margin:e}");
    }
    // Lifted out it touches nothing.
    let margin = cone_margin(&Wedge { slope, mu: 0.5 }, 0.0, &[0.0, 1.0], 1e-9).unwrap();
    assert_eq!(margin, f64::INFINITY);
}

fn boxed(lid: bool) -> f64 {
    let mut b = Builder::new();
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let body = b.spatial(1.0, inertia, [0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]).unwrap();
    b.shape(body, Shape::Box { half: [0.5; 3] }, Attach::default()).unwrap();
    let floor = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, floor, Attach::default()).unwrap();
    if lid {
        let lid = Shape::HalfSpace { normal: [0.0, 0.0, -1.0] };
        let at = Attach { at: [0.0, 0.0, 1.0], ..Attach::default() };
        b.shape(Link::Ground, lid, at).unwrap();
    }
    let stone = MaterialId::from_index(0);
    b.surface(stone, stone, Surface { mu: 0.5, restitution: 0.0, grain: None }).unwrap();
    let scene = b.build().unwrap();
    cone_margin(&scene, 0.0, scene.initial_position(), 1e-9).unwrap()
}

#[test]
fn a_box_on_a_plane_has_a_pointed_cone_and_a_clamped_one_has_not() {
    assert!(boxed(false) > 0.1, "{}", boxed(false));
    assert!(boxed(true) < 1e-7, "{:e}", boxed(true));
}

/// Two rods of length and mass one, hinged, as points at their ends; two absolute angles.
struct TwoLinks;

impl Model for TwoLinks {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        let c = (q[0] - q[1]).cos();
        mass.copy_from_slice(&[2.0, c, c, 1.0]);
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        coriolis(self, t, q, v, force).map_err(|_| stiction::model::Refusal::Stop(-1))
    }
}

#[test]
fn coriolis_forces_of_two_links_are_those_of_the_book() {
    let (q, v) = ([0.7, -0.4], [1.3, -2.1]);
    let mut force = [0.0; 2];
    coriolis(&TwoLinks, 0.0, &q, &v, &mut force).unwrap();
    // -sin(a - b) vb^2 and sin(a - b) va^2, closed form.
    let s = (q[0] - q[1]).sin();
    let book = [-s * v[1] * v[1], s * v[0] * v[0]];
    assert!((force[0] - book[0]).abs() < 1e-9 && (force[1] - book[1]).abs() < 1e-9, "{force:?}");
    // The power balance of the check agrees.
    let report = check_model(&TwoLinks, 0.0, &q, &v).unwrap();
    assert!(report.worst < 1e-5, "{report:?}");
    // At rest there are none, to the last bit.
    coriolis(&TwoLinks, 0.0, &q, &[0.0; 2], &mut force).unwrap();
    assert_eq!(force, [0.0; 2]);
}

#[test]
fn masses_alone_do_not_tell_the_coriolis_forces_of_quasi_velocities() {
    let mut b = Builder::new();
    let inertia = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    b.spatial(1.0, inertia, [0.0; 3], [1.0, 0.0, 0.0, 0.0]).unwrap();
    let top = b.build().unwrap();
    let mut force = [7.0; 6];
    let e = coriolis(&top, 0.0, top.initial_position(), &[0.0; 6], &mut force).unwrap_err();
    assert!(matches!(e, Error::Value { what: "model", .. }), "{e}");
    let e = coriolis(&TwoLinks, 0.0, &[0.0, f64::NAN], &[0.0; 2], &mut force[..2]).unwrap_err();
    assert!(matches!(e, Error::NonFinite { what: "q", index: 1, .. }), "{e}");
    assert_eq!(force, [7.0; 6]);
}
