//! The published experiments with known ends, for the control of errors and for measuring work: each a model, a start, an
//! end time and what is exact there.
#![allow(dead_code, reason = "each user takes a part")]

use crate::norms::{BALL, OSCILLATOR, Single};
use crate::scenes::{Block, DoublePendulum, rod};
use std::sync::Arc;
use stiction::impact::Law;
use stiction::model::{Answer, Dims, Model};
use stiction::step::{Options, Stepper};

/// Two bodies of 1 kg in a row on a floor, a damper between them; the first on a spring from x = 0.2, driven by `drive`
/// cos t, stopped at x = 0 if `stopper`.
pub struct Row {
    pub stiffness: f64,
    pub damping: f64,
    pub drive: f64,
    pub mu: f64,
    pub stopper: bool,
}

impl Model for Row {
    fn dims(&self) -> Dims {
        let n_contact = if self.stopper { 3 } else { 2 };
        Dims { nq: 4, nv: 4, n_contact, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (0..4).for_each(|i| mass[5 * i] = 1.0);
        Ok(())
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        let pull = self.damping * (v[2] - v[0]);
        let drawn = self.drive * t.cos() - self.stiffness * (q[0] - 0.2);
        f.copy_from_slice(&[drawn + pull, -9.81, -pull, -9.81]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        (gap[0], gap[1]) = (q[1], q[3]);
        (normal[1], normal[7]) = (1.0, 1.0);
        if self.stopper {
            gap[2] = q[0];
            normal[8] = 1.0;
        }
        Ok(())
    }
    fn tangent(&self, _: f64, _: &[f64], tangent: &mut [f64]) -> Answer {
        // The stopper has directions too, but no friction.
        for (contact, axis) in [(0, 0), (1, 2), (2, 1)].into_iter().take(self.dims().n_contact) {
            tangent[8 * contact + axis] = 1.0;
            tangent[8 * contact + 4 + axis] = -1.0;
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn mu(&self, i: usize) -> f64 {
        if i == 2 { 0.0 } else { self.mu }
    }
    fn restitution(&self, i: usize) -> f64 {
        if i == 2 { 0.3 } else { 0.0 }
    }
}

/// One experiment.
pub struct Experiment {
    pub name: &'static str,
    pub model: Arc<dyn Model>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub t_end: f64,
    /// Coordinates and what they are at the end.
    pub exact: Vec<(usize, f64)>,
    /// Where methods of different laws would differ.
    pub law: Option<Law>,
}

impl Experiment {
    /// A stepper at the start.
    pub fn stepper(&self, options: &Options) -> Stepper {
        let mut options = *options;
        options.impact_law = options.impact_law.or(self.law);
        let mut s = Stepper::new(self.model.clone(), &options).unwrap();
        s.set_state(0.0, &self.q, &self.v).unwrap();
        s
    }

    /// Largest error of a coordinate at the end.
    pub fn error(&self, s: &Stepper) -> f64 {
        self.exact.iter().fold(0.0, |e, &(i, x)| e.max((s.q()[i] - x).abs()))
    }
}

fn single(name: &'static str, model: Single, t_end: f64) -> Experiment {
    let exact = vec![(0, model.exact(t_end).0)];
    let (q, v) = (vec![1.0], vec![0.0]);
    Experiment { name, model: Arc::new(model), q, v, t_end, exact, law: None }
}

/// The ball at t_end = 2.7, between the third impact and the fourth; at rest from 3 on there is nothing to measure.
pub fn ball() -> Experiment {
    single("ball", BALL, 2.7)
}

/// The oscillator after five impacts.
pub fn oscillator() -> Experiment {
    single("oscillator", OSCILLATOR, 5.0)
}

/// PAGT06 10.1; q(2.5) from minimal coordinates, 34-digit extrapolation. Impacts are one at a time, so that laws agree.
pub fn pendulum() -> Experiment {
    let exact = [0.02196211769492439, -0.9997588036053268, 0.02376948677391344, -1.999757170312499];
    Experiment {
        name: "pendulum",
        model: Arc::new(DoublePendulum { g: 9.8, e: 0.1 }),
        q: DoublePendulum::start().to_vec(),
        v: vec![0.0; 4],
        t_end: 2.5,
        exact: exact.into_iter().enumerate().collect(),
        law: None,
    }
}

/// PAGT06 10.2; x(10) in closed form.
pub fn block() -> Experiment {
    Experiment {
        name: "block",
        model: Arc::new(Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 }),
        q: vec![3.0, 0.0],
        v: vec![0.0; 2],
        t_end: 10.0,
        exact: vec![(0, 2.9913028331150315)],
        law: None,
    }
}

/// PAGT06 10.3, stiffness 100 and damping 10, at t = 1: matrix exponentials between events.
pub fn carts() -> Experiment {
    Experiment {
        name: "carts",
        model: Arc::new(Row {
            stiffness: 100.0,
            damping: 10.0,
            drive: 0.0,
            mu: 0.05,
            stopper: true,
        }),
        q: vec![0.2, 0.0, 5.2, 0.0],
        v: vec![-3.0, 0.0, -3.0, 0.0],
        t_end: 1.0,
        exact: vec![(0, 0.16716951023892263), (2, 4.885759589309227)],
        law: None,
    }
}

/// AP02 3.2, damping 20, at t = 10: matrix exponentials between events.
pub fn driven() -> Experiment {
    Experiment {
        name: "driven",
        model: Arc::new(Row {
            stiffness: 0.0,
            damping: 20.0,
            drive: 20.0,
            mu: 0.4,
            stopper: false,
        }),
        q: vec![0.0, 0.0, 3.0, 0.0],
        v: vec![0.0; 4],
        t_end: 10.0,
        exact: vec![(0, -2.129293098823678), (2, 1.125799838500371)],
        law: None,
    }
}

/// ST96; event-driven in minimal coordinates.
pub fn rod_on_table() -> Experiment {
    let (model, q, v) = rod(0.6);
    Experiment {
        name: "rod",
        model: Arc::new(model),
        q,
        v,
        t_end: 0.7,
        exact: vec![(0, -0.22735998270109)],
        law: None,
    }
}
