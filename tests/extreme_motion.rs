//! Motions with extreme data: masses from 1e-9 to 1e9 kg in one scene, steps from 1e-9 s to 1 s, springs up to 1e12 N/m, none to a
//! thousand contacts, friction of 0 and of 1000. Every step gives an answer that obeys the laws, as this file computes them, or ends
//! with a named status and the state before it. The default method answers all of them.

#[path = "support/methods.rs"]
mod methods;

use methods::METHODS;
use std::sync::Arc;
use stiction::Error;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{MethodKind, Options, Stepper};

const G: f64 = 9.81;

/// Bodies one above the other, each resting on the one below.
struct Column(Vec<f64>);

impl Model for Column {
    fn dims(&self) -> Dims {
        let n = self.0.len();
        Dims { nq: n, nv: n, n_contact: n, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        let n = self.0.len();
        (0..n).for_each(|i| mass[i * (n + 1)] = self.0[i]);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.iter_mut().zip(&self.0).for_each(|(f, m)| *f = -m * G);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let n = self.0.len();
        for i in 0..n {
            gap[i] = q[i] - if i > 0 { q[i - 1] } else { 0.0 };
            normal[i * n + i] = 1.0;
            if i > 0 {
                normal[i * n + i - 1] = -1.0;
            }
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// A body of 1 kg on `points` equal contacts with a slope.
struct OnPoints {
    points: usize,
    mu: f64,
    slope: f64,
}

impl Model for OnPoints {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: self.points, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        (force[0], force[1]) = (G * self.slope.sin(), -G * self.slope.cos());
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap.fill(q[1]);
        normal.chunks_exact_mut(2).for_each(|n| n[1] = 1.0);
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        tangent.chunks_exact_mut(4).for_each(|d| (d[0], d[2]) = (1.0, -1.0));
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

/// 1 kg on a spring from y = 0.5 m, above a floor, falling from 1 m.
struct Sprung(f64);

impl Model for Sprung {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = -self.0 * (q[0] - 0.5);
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, _: &[f64], _: &[f64], dfdq: &mut [f64], _: &mut [f64]) -> Answer {
        dfdq[0] = -self.0;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        (gap[0], normal[0]) = (q[0], 1.0);
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        0.5
    }
    fn constraints_move(&self) -> bool {
        false
    }
}

fn stepper(model: impl Model + 'static, method: MethodKind, q: &[f64]) -> Stepper {
    let options = Options { method, ..Options::default() };
    let mut s = Stepper::new(Arc::new(model), &options).unwrap();
    s.set_state(0.0, q, &vec![0.0; q.len()]).unwrap();
    s
}

/// Takes `n` steps; whether all succeeded. A step that fails leaves the state, to the last bit; one that succeeds is finite.
#[track_caller]
fn steps(s: &mut Stepper, h: f64, n: usize, what: &str) -> bool {
    for _ in 0..n {
        let before = (s.t(), s.q().to_vec(), s.v().to_vec());
        if let Err(e) = s.step(h) {
            // Explicit rules leave the range of numbers beside stiff springs.
            let named = matches!(
                e,
                Error::LcpRay { .. } | Error::Residual { .. } | Error::NonFinite { .. }
            );
            assert!(named, "{what}: {e}");
            assert_eq!(before, (s.t(), s.q().to_vec(), s.v().to_vec()), "{what}");
            return false;
        }
        assert!(s.q().iter().chain(s.v()).all(|x| x.is_finite()), "{what}: {:?}", s.q());
    }
    true
}

/// From the ground upwards. A body that carries more than some 1e10 times itself has a response in which the other is lost
/// to rounding, 1/m + 1/M = 1/m: there a status is all that can be given. The first `ANSWERED` are asked for an answer.
const COLUMNS: [&[f64]; 8] = [
    &[1e9, 1e-9],
    &[1e9, 1e4, 1.0, 1e-4, 1e-9],
    &[1e-3, 1e4],
    &[1.0, 1e5, 1e-9, 1e-6],
    &[1e-9, 1e9],
    &[1e-9, 1e-4, 1.0, 1e4, 1e9],
    &[1e-9, 1e9, 1e-9, 1e9],
    &[1.0, 1e-9, 1e9, 1e-3, 1e3],
];
const ANSWERED: usize = 4;

#[test]
fn bodies_of_any_mass_rest_on_each_other_with_the_weight_of_those_above() {
    let mut failed = Vec::new();
    let all =
        METHODS.iter().flat_map(|m| COLUMNS.iter().enumerate().map(move |(k, c)| (*m, k, *c)));
    for (method, k, column) in all {
        for h in [1e-9, 1e-6, 1e-3, 1.0] {
            let what = format!("{method:?}, {column:?}, h = {h:e}");
            let mut s = stepper(Column(column.to_vec()), method, &vec![0.0; column.len()]);
            if !steps(&mut s, h, 3, &what) {
                failed.push((k, what));
                continue;
            }
            // Its forecast opens a contact that leaves by rounding, for a step.
            if method == MethodKind::Moreau {
                continue;
            }
            // Rules on positions know velocities up to what positions leave, 1e-13 m per step.
            let by_position =
                matches!(method, MethodKind::StewartTrinkle | MethodKind::SchatzmanPaoli);
            let noise = if by_position { 1e-13 / h } else { 0.0 };
            for (i, c) in s.normal_impulses().iter().enumerate() {
                let weight = G * h * column[i..].iter().sum::<f64>();
                // Of the weight of all: what a light body adds to a heavy one is below its rounding. A problem
                // is solved to a residual of 1e-9.
                let all = G * h * column.iter().sum::<f64>();
                let enough =
                    (c - weight).abs() <= 1e-8 * weight.max(1e-7 * all) + noise * column[i];
                assert!(enough, "{what}: impulse {i} is {c:e}, not {weight:e}");
            }
            let speed = s.v().iter().fold(0.0f64, |w, v| w.max(v.abs()));
            // What a light body carries, it moves by the rounding of.
            let least = column.iter().fold(f64::INFINITY, |m, x| x.min(m));
            let rounding = 1e-15 * column.iter().sum::<f64>() / least;
            assert!(speed <= (1e-9 + rounding) * G * h + noise, "{what}: moves with {speed:e}");
        }
    }
    assert!(failed.iter().all(|(k, _)| *k >= ANSWERED), "{failed:#?}");
}

#[test]
fn bodies_of_any_mass_fall_on_each_other_and_come_to_rest() {
    for column in COLUMNS {
        let start: Vec<f64> = (1..=column.len()).map(|i| 0.1 * i as f64).collect();
        let mut s = stepper(Column(column.to_vec()), MethodKind::Trapezoid, &start);
        let what = format!("{column:?}");
        if !steps(&mut s, 0.01, 100, &what) {
            assert!(!COLUMNS[..ANSWERED].contains(&column), "{what}");
            continue;
        }
        assert!(s.stats().worst_gap >= -1e-9, "{what}: {:e}", s.stats().worst_gap);
        assert!(
            s.v().iter().all(|v| v.abs() < 1e-9) && s.q().iter().all(|q| q.abs() < 1e-8),
            "{what}: {:?}",
            s.v()
        );
    }
}

#[test]
fn none_to_a_thousand_contacts_carry_one_weight() {
    for points in [0, 1, 10, 100, 1000] {
        for (mu, slope) in [(0.0, 0.3), (1e3, 0.3), (0.5, 0.0)] {
            let what = format!("{points} points, mu = {mu}");
            let (h, n) = (1e-3, 2);
            let mut s = stepper(OnPoints { points, mu, slope }, MethodKind::Trapezoid, &[0.0; 2]);
            assert!(steps(&mut s, h, n, &what), "{what}");
            let (time, push) = (n as f64 * h, s.normal_impulses().iter().sum::<f64>());
            let weight = if points > 0 { G * slope.cos() * h } else { 0.0 };
            assert!((push - weight).abs() <= 1e-9 * G * h, "{what}: {push:e}");
            // Without friction it slides as if it fell along the slope; a thousandfold one holds it, exactly.
            let slides = if mu == 0.0 || points == 0 { G * slope.sin() * time } else { 0.0 };
            assert!((s.v()[0] - slides).abs() <= 1e-12 * G * time, "{what}: {:e}", s.v()[0]);
        }
    }
}

#[test]
fn springs_of_any_stiffness_bounce_on_the_floor_in_any_step_without_gaining_energy() {
    for k in [1.0, 1e4, 1e8, 1e12] {
        for h in [1e-9, 1e-6, 1e-3, 1.0] {
            for method in METHODS {
                let what = format!("{method:?}, k = {k:e}, h = {h:e}");
                let mut s = stepper(Sprung(k), method, &[1.0]);
                let energy =
                    |s: &Stepper| 0.5 * s.v()[0].powi(2) + 0.5 * k * (s.q()[0] - 0.5).powi(2);
                let start = energy(&s);
                let good = steps(&mut s, h, 20, &what);
                let implicit = matches!(
                    method,
                    MethodKind::ImplicitEuler
                        | MethodKind::Trapezoid
                        | MethodKind::TrapezoidI
                        | MethodKind::TrapezoidII
                );
                if implicit {
                    assert!(good, "{what}");
                    assert!(
                        energy(&s) <= start * (1.0 + 1e-9),
                        "{what}: {:e} of {start:e}",
                        energy(&s)
                    );
                    assert!(s.q()[0] >= -1e-9, "{what}: {:e}", s.q()[0]);
                }
            }
        }
    }
}
