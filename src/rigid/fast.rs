//! How fast surfaces move: what bounds the way of contacts in a step. Knows no contacts.

use super::body::Kind;
use super::near::{Form, Item};
use super::scene::Scene;
use super::solid::Solid;
use nalgebra::Vector3;

impl Item {
    /// The farthest point of its surface from the origin of its body; infinite for a half-space.
    fn reach(&self) -> f64 {
        let of_solid = |s: &Solid| s.middle.norm() + s.reach;
        match &self.form {
            Form::Solid(solid) => of_solid(solid),
            Form::Mesh(mesh) => mesh.triangles.iter().map(of_solid).fold(0.0, f64::max),
            Form::Plane(..) => f64::INFINITY,
        }
    }
}

impl Scene {
    /// For each body the farthest point of its shapes from its origin.
    pub(super) fn measure_reaches(&mut self) {
        for item in &self.near.items {
            if let Some(body) = item.body {
                let reach = item.reach();
                let most = &mut self.bodies[body].reach;
                *most = most.max(reach);
            }
        }
    }

    /// The speed of the fastest point of all shapes; `None` where a half-space turns, which has points as fast as any.
    pub(super) fn fastest(&self, v: &[f64]) -> Option<f64> {
        let mut fastest = 0.0f64;
        for b in &self.bodies {
            let v = &v[b.v_at..b.v_at + b.kind.nv()];
            let (going, turning) = v.split_at(match b.kind {
                Kind::Planar => 2,
                Kind::Spatial | Kind::Free => 3,
                Kind::Ground | Kind::Point2 | Kind::Point3 => v.len(),
            });
            let size = |x: &[f64]| Vector3::from_iterator(padded(x)).norm();
            let (going, turning) = (size(going), size(turning));
            // exact: infinity times nothing
            fastest = fastest.max(if turning == 0.0 { going } else { going + turning * b.reach });
        }
        fastest.is_finite().then_some(fastest)
    }
}

/// Up to three numbers, and zeros behind them.
fn padded(x: &[f64]) -> impl Iterator<Item = f64> {
    x.iter().copied().chain([0.0; 3]).take(3)
}
