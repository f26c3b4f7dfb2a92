//! Many bodies on springs: chains, nets, stars and trees move as they do when everything may be coupled with everything,
//! at a cost that grows with the springs.

use std::sync::Arc;
use stiction::error::Result;
use stiction::model::{Answer, Dims, Elements, Model};
use stiction::rigid::{BodyId, Builder, Link, Scene, Spring};
use stiction::step::{Jacobian, MethodKind, Options, Stepper};

/// A scene that does not tell what its springs couple: one block of all velocities.
struct Whole(Scene);

impl Model for Whole {
    fn dims(&self) -> Dims {
        self.0.dims()
    }
    fn initial(&self, q: &mut [f64], v: &mut [f64]) {
        self.0.initial(q, v);
    }
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        self.0.mass(t, q, mass)
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        self.0.force(t, q, v, force)
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, t: f64, q: &[f64], v: &[f64], k: &mut [f64], c: &mut [f64]) -> Answer {
        self.0.force_jac(t, q, v, k, c)
    }
    fn gives_rate(&self) -> bool {
        self.0.gives_rate()
    }
    fn rate(&self, t: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        self.0.rate(t, q, v, qdot)
    }
    fn gives_displacement(&self) -> bool {
        self.0.gives_displacement()
    }
    fn displace(&self, t: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        self.0.displace(t, q, d, moved)
    }
    fn elements(&self, t: f64, q: &[f64], elements: &mut Elements) -> Answer {
        self.0.elements(t, q, elements)
    }
    fn elements_in_force(&self) -> bool {
        self.0.elements_in_force()
    }
    fn gyroscopic(&self, t: f64, q: &[f64], v: &[f64], k_c: &mut [f64]) -> Answer {
        Model::gyroscopic(&self.0, t, q, v, k_c)
    }
    fn bodies(&self) -> Result<Vec<usize>> {
        self.0.bodies()
    }
    fn constraints_move(&self) -> bool {
        self.0.constraints_move()
    }
}

/// Springs of 1 kN/m and 1 N s/m between the outsides of balls of 0.1 kg.
fn tie(b: &mut Builder, from: impl Into<Link>, at: [f64; 3], to: BodyId) {
    let spring = Spring { stiffness: 1e3, damping: 1.0, rest: None };
    b.spring(from, at, to, [-0.02, 0.01, 0.03], spring).unwrap();
}

/// Balls at 0.1 m from each other in rows of `row`, all of them spinning. `edges` between them;
/// the first hangs on the ground.
fn balls(n: usize, row: usize, edges: impl Iterator<Item = (usize, usize)>) -> Builder {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81]).unwrap();
    let i = 0.4 * 0.1 * 0.04 * 0.04;
    let inertia = [[i, 0.0, 0.0], [0.0, 1.2 * i, 0.0], [0.0, 0.0, 1.5 * i]];
    let add = |k: usize| {
        let at = [0.1 * (k % row) as f64, 0.1 * (k / row) as f64, 0.01 * (k % 7) as f64];
        let id = b.spatial(0.1, inertia, at, [1.0, 0.0, 0.0, 0.0]).unwrap();
        b.velocity(id, [0.1, 0.0, 0.2], [1.0, -2.0, 0.1 * k as f64]).unwrap();
        id
    };
    let ids: Vec<_> = (0..n).map(add).collect();
    tie(&mut b, Link::Ground, [0.0, 0.0, 0.2], ids[0]);
    edges.for_each(|(i, j)| tie(&mut b, ids[i], [0.02, 0.01, 0.02], ids[j]));
    b
}

fn chain(n: usize) -> Builder {
    balls(n, n, (1..n).map(|k| (k - 1, k)))
}

/// A square net whose balls are counted in the order that `place` gives them.
fn net(side: usize, place: impl Fn(usize) -> usize) -> Builder {
    let along = (0..side * side).filter(|k| k % side > 0).map(|k| (k - 1, k));
    let across = (side..side * side).map(|k| (k - side, k));
    balls(side * side, side, along.chain(across).map(|(a, b)| (place(a), place(b))))
}

/// Position and velocity after 20 steps of 2 ms.
fn run(model: Arc<dyn Model>, options: &Options) -> (Vec<f64>, Vec<f64>) {
    let mut s = Stepper::new(model, options).unwrap();
    for _ in 0..20 {
        s.step(2e-3).unwrap();
    }
    (s.q().to_vec(), s.v().to_vec())
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| f64::max(worst, (a - b).abs()))
}

#[test]
fn springs_move_bodies_as_if_everything_were_coupled() {
    let scenes = [
        ("chain", chain(14)),
        ("ring", balls(14, 14, (0..14).map(|k| (k, (k + 1) % 14)))),
        ("net", net(6, |k| k)),
        ("shuffled net", net(6, |k| (7 * k + 3) % 36)),
        ("star", balls(20, 5, (1..20).map(|k| (0, k)))),
        ("tree", balls(31, 6, (1..31).map(|k| ((k - 1) / 2, k)))),
        ("two chains", balls(20, 5, (2..20).map(|k| (k - 2, k)))),
        ("on the ground alone", balls(6, 3, std::iter::empty())),
    ];
    let methods =
        [MethodKind::Trapezoid, MethodKind::ImplicitEuler, MethodKind::Euler, MethodKind::Moreau];
    for (name, b) in scenes {
        let scene = b.build().unwrap();
        for method in methods {
            for jacobian in [Options::default().jacobian, Jacobian::Definite] {
                let options = Options { method, jacobian, ..Options::default() };
                let apart = run(Arc::new(scene.clone()), &options);
                let whole = run(Arc::new(Whole(scene.clone())), &options);
                let far = largest_difference(&apart.0, &whole.0);
                let fast = apart.1.iter().fold(1.0, |most: f64, v| most.max(v.abs()));
                let off = largest_difference(&apart.1, &whole.1) / fast;
                assert!(far < 1e-12 && off < 1e-12, "{name} {method:?}: {far} {off}");
            }
        }
    }
}

#[test]
fn stages_of_runge_kutta_methods_see_the_same_springs() {
    let scene = chain(14).build().unwrap();
    let options = Options { method: MethodKind::RadauIIA5, ..Options::default() };
    let apart = run(Arc::new(scene.clone()), &options);
    let whole = run(Arc::new(Whole(scene)), &options);
    // Iterations end within their own tolerance.
    assert!(largest_difference(&apart.0, &whole.0) < 1e-9);
}
