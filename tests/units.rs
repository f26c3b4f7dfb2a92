//! The same motion told in other units: metres or millimetres, seconds or milliseconds, kilograms or grams, with
//! `length_scale` in the new unit. Results change by rounding only; another power of two of
//! seconds changes no bit.

mod scenes;

use scenes::{Block, DoublePendulum, pushed_block, rocking, rod};
use std::sync::Arc;
use stiction::model::{Answer, Dims, Model};
use stiction::rigid::{Attach, Builder, Link, Shape, Surface};
use stiction::step::{MethodKind, Options, Stepper};

/// How many of the new units one of the old is.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    time: f64,
    mass: f64,
}

const SAME: Units = Units { length: 1.0, time: 1.0, mass: 1.0 };
const MILLI: Units = Units { length: 1e3, time: 1e3, mass: 1e3 };

/// A model in other units. Coordinates are lengths or, where `angle` says so, angles.
struct Told<M> {
    model: M,
    angle: Vec<bool>,
    /// Power of the length that joint equations have.
    joint: i32,
    units: Units,
}

impl<M: Model> Told<M> {
    /// New numbers per old one: of coordinate i.
    fn q(&self, i: usize) -> f64 {
        if self.angle[i] { 1.0 } else { self.units.length }
    }
    fn v(&self, i: usize) -> f64 {
        self.q(i) / self.units.time
    }
    fn energy(&self) -> f64 {
        let speed = self.units.length / self.units.time;
        self.units.mass * speed * speed
    }
    fn old(&self, q: &[f64]) -> Vec<f64> {
        q.iter().enumerate().map(|(i, x)| x / self.q(i)).collect()
    }
    fn old_v(&self, v: &[f64]) -> Vec<f64> {
        v.iter().enumerate().map(|(i, x)| x / self.v(i)).collect()
    }
    /// Directions of something with the unit `of`: columns of nv.
    fn columns(&self, of: f64, x: &mut [f64]) {
        let n = self.angle.len();
        x.iter_mut().enumerate().for_each(|(k, x)| *x *= of / self.q(k % n));
    }
}

impl<M: Model> Model for Told<M> {
    fn dims(&self) -> Dims {
        self.model.dims()
    }
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        self.model.mass(t / self.units.time, &self.old(q), mass)?;
        let n = self.angle.len();
        for k in 0..n * n {
            mass[k] *= self.energy() / (self.v(k % n) * self.v(k / n));
        }
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        self.model.force(t / self.units.time, &self.old(q), &self.old_v(v), force)?;
        self.columns(self.energy(), force);
        Ok(())
    }
    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        self.model.joint(t / self.units.time, &self.old(q), phi, jt)?;
        let unit = self.units.length.powi(self.joint);
        phi.iter_mut().for_each(|x| *x *= unit);
        self.columns(unit, jt);
        Ok(())
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        self.model.gap(t / self.units.time, &self.old(q), gap, normal)?;
        gap.iter_mut().for_each(|x| *x *= self.units.length);
        self.columns(self.units.length, normal);
        Ok(())
    }
    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        self.model.tangent(t / self.units.time, &self.old(q), tangent)?;
        self.columns(self.units.length, tangent);
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        self.model.constraints_move()
    }
    fn mu(&self, contact: usize) -> f64 {
        self.model.mu(contact)
    }
    fn restitution(&self, contact: usize) -> f64 {
        self.model.restitution(contact)
    }
}

/// A scene by its name, in the units asked for: a stepper, and what one of its numbers is in metres or radians.
type Scene = fn(Units, &Options) -> (Stepper, Vec<f64>);

fn told<M: Model + 'static>(
    (model, q, v): (M, Vec<f64>, Vec<f64>),
    angles: bool,
    units: Units,
    options: &Options,
) -> (Stepper, Vec<f64>) {
    let angle = (0..q.len()).map(|i| angles && i % 3 == 2).collect();
    let told = Told { model, angle, joint: 2, units };
    let new_q: Vec<f64> = q.iter().enumerate().map(|(i, x)| x * told.q(i)).collect();
    let new_v: Vec<f64> = v.iter().enumerate().map(|(i, x)| x * told.v(i)).collect();
    let unit = (0..q.len()).map(|i| told.q(i)).collect();
    let mut s = Stepper::new(Arc::new(told), options).unwrap();
    s.set_state(0.0, &new_q, &new_v).unwrap();
    (s, unit)
}

fn pendulum(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    let model = DoublePendulum { g: 9.8, e: 0.1 };
    told((model, DoublePendulum::start().to_vec(), vec![0.0; 4]), false, units, options)
}

fn block(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
    told((model, vec![3.0, 0.0], vec![0.0; 2]), false, units, options)
}

fn rod_on_table(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    told(rod(0.5), true, units, options)
}

fn rocking_block(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    told(rocking(0.5), true, units, options)
}

fn pushed(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    told(pushed_block((0.5, 0.2), 0.3, (4.0, 3.0, 0.1)), true, units, options)
}

/// A box of 20 by 10 cm falls on its corner and comes to rest; a built-in body, so that nothing wraps it.
fn settling_box(units: Units, options: &Options) -> (Stepper, Vec<f64>) {
    let Units { length: l, time: t, mass: m } = units;
    let mut b = Builder::new();
    b.gravity([0.0, -9.81 * l / (t * t), 0.0]).unwrap();
    let rough = Surface { mu: 0.4, restitution: 0.2, ..Surface::default() };
    b.surface(Default::default(), Default::default(), rough).unwrap();
    let body = b.planar(2.0 * m, 0.01 * m * l * l, [0.0, 0.3 * l], 0.4).unwrap();
    let half = [0.1, 0.05].map(|x| x * l);
    let vertices = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|s: [f64; 2]| [s[0] * half[0], s[1] * half[1]])
        .to_vec();
    b.shape(body, Shape::Polygon { vertices }, Attach::default()).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, Attach::default()).unwrap();
    (Stepper::new(Arc::new(b.build().unwrap()), options).unwrap(), vec![l, l, 1.0])
}

const SCENES: [(&str, Scene, f64); 6] = [
    ("pendulum", pendulum, 2.5),
    ("block", block, 7.0),
    ("rod", rod_on_table, 0.8),
    ("rocking block", rocking_block, 1.0),
    ("pushed block", pushed, 2.0),
    ("settling box", settling_box, 1.5),
];

const METHODS: [MethodKind; 10] = [
    MethodKind::Euler,
    MethodKind::StewartTrinkle,
    MethodKind::ImplicitEuler,
    MethodKind::Trapezoid,
    MethodKind::TrapezoidI,
    MethodKind::TrapezoidII,
    MethodKind::Moreau,
    MethodKind::SchatzmanPaoli,
    MethodKind::LobattoIIIA4,
    MethodKind::RadauIIA5,
];

/// Positions in metres and radians at the ends of all steps, or the text of the error that ended it.
fn motion(scene: Scene, t_end: f64, method: MethodKind, units: Units) -> (Vec<f64>, String) {
    let steps = (t_end * 128.0) as usize;
    let options = Options { method, length_scale: units.length, ..Options::default() };
    let (mut s, unit) = scene(units, &options);
    let mut path = Vec::new();
    for _ in 0..steps {
        if let Err(e) = s.step(units.time / 128.0) {
            return (path, e.to_string());
        }
        path.extend(s.q().iter().zip(&unit).map(|(x, u)| x / u));
    }
    (path, String::new())
}

/// Largest difference of two motions that ended the same way.
#[track_caller]
fn apart(what: &str, (a, ended): &(Vec<f64>, String), (b, other): &(Vec<f64>, String)) -> f64 {
    assert!(a.len() == b.len() && !a.is_empty(), "{what}: {ended} {other}");
    a.iter().zip(b).fold(0.0f64, |w, (a, b)| w.max((a - b).abs()))
}

#[test]
fn millimetres_milliseconds_and_grams_change_results_by_rounding_only() {
    for (name, scene, t_end) in SCENES {
        for method in METHODS {
            let (old, new) =
                (motion(scene, t_end, method, SAME), motion(scene, t_end, method, MILLI));
            // Rounding of some hundred steps. The position-level rules iterate to 1e-13 of the scene, and scheme I takes
            // its accelerations from differences of directions, which carry 1e-10 of v^2.
            let bound = match method {
                // Its velocity is the displacement over the step: 1e-13 of the scene are 1e-11 of it in each.
                MethodKind::TrapezoidI | MethodKind::SchatzmanPaoli => 1e-10,
                MethodKind::StewartTrinkle => 1e-11,
                _ => 1e-12,
            };
            let worst = apart(name, &old, &new);
            assert!(worst <= bound, "{name} {method:?}: {worst:e}");
        }
    }
}

#[test]
fn a_unit_of_time_that_is_a_power_of_two_changes_no_bit() {
    for (name, scene, t_end) in SCENES {
        for method in METHODS {
            let old = motion(scene, t_end, method, SAME);
            for time in [1024.0, 1.0 / 8.0] {
                let new = motion(scene, t_end, method, Units { time, ..SAME });
                assert_eq!(apart(name, &old, &new), 0.0, "{name} {method:?}");
            }
        }
    }
}

#[test]
fn steps_by_a_tolerance_follow_it_in_any_unit() {
    let end = |units: Units| {
        let Units { length, time, .. } = units;
        let options = Options {
            method: MethodKind::LobattoIIIA4,
            length_scale: length,
            abs_tol: 1e-6 * length,
            ..Options::default()
        };
        let (mut s, unit) = pendulum(units, &options);
        s.advance(2.5 * time, 0.01 * time).unwrap();
        let path: Vec<f64> = s.q().iter().zip(&unit).map(|(x, u)| x / u).collect();
        (path, s.stats().steps.to_string())
    };
    let (old, new) = (end(SAME), end(MILLI));
    // The same steps are chosen, up to rounding of their lengths.
    assert_eq!(old.1, new.1);
    let worst = apart("pendulum", &old, &new);
    assert!(worst <= 1e-10, "{worst:e}");
}
