//! Whether forces are smooth along a step: five samples of them on its path. Two solutions that pass a
//! jump of a force alike do not show it. Knows no step control.

use super::Stepper;
use super::host;
use super::state::Contact;
use crate::error::Result;
use crate::linalg::{axpy, max_abs};
use crate::model::Dims;
use crate::tol;

/// Samples of a step: both ends, its middle, and the middles of its halves.
pub(super) const POINTS: usize = 5;

/// Part of second differences up to which a fourth one is that of a smooth force, where nothing is
/// known of it: samples are then closer than a ninth of a period.
const BENT: f64 = 0.5;

/// Times the fourth difference that the steps before lead to up to which it is expected.
const EXPECTED: f64 = 8.0;

/// Part of it that is left of an older one: the fourth derivative may just pass through zero.
const MEMORY: f64 = 0.5;

/// Times the fourth power of their lengths by which fourth differences of two steps from one start
/// differ where the force is smooth.
const SHRUNK: f64 = 3.0;

/// Part of the largest second difference from which on a sample shows what has happened before it.
const SHOWN: f64 = 0.25;

/// Velocity, per fourth difference and length of the step, that a jump between two samples may be
/// wrong by, at most.
const MISSED: f64 = 0.25;

/// Part of the difference of two velocities up to which a momentum that is missed is in it: the finer one
/// is wrong by a third of it at most.
const SEEN: f64 = 0.5;

/// A force that is not smooth: what it may be wrong by, in tolerances, and between which times it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rough {
    pub error: f64,
    pub from: f64,
    pub to: f64,
}

/// What is known of the masses along a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Masses {
    Unknown,
    /// The bits of one, mixed.
    Seen(u64),
    /// Those of all looks at it were the same.
    Same,
}

/// A fourth difference of accelerations, and the length of the step it belongs to.
#[derive(Clone, Copy, Debug)]
struct Fourth {
    size: f64,
    h: f64,
}

impl Fourth {
    /// What a step of the length `h` would show of the same force.
    fn at(&self, h: f64) -> f64 {
        self.size * (h / self.h).powi(4)
    }
}

/// Forces along the step that is made, and what is known of those before.
#[derive(Debug)]
pub(super) struct Samples {
    nv: usize,
    /// One after the other.
    pub forces: Vec<f64>,
    /// The state in the middle, for rules of two steps.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Whether those of the first half are there.
    pub begun: bool,
    /// When the first of them was taken, at the state before the step.
    pub start: Option<f64>,
    pub masses: Masses,
    pub rough: Option<Rough>,
    this: Option<Fourth>,
    /// Of the steps that were taken.
    before: Option<Fourth>,
    /// Of the last step that was taken back, and where it began.
    tried: Option<(f64, Fourth)>,
    /// Work space: differences.
    second: [Vec<f64>; 3],
    fourth: Vec<f64>,
}

impl Samples {
    pub(super) fn new(d: &Dims) -> Result<Self> {
        let zeros = || host::zeros(d.nv);
        Ok(Self {
            nv: d.nv,
            forces: host::zeros(POINTS * d.nv)?,
            q: host::zeros(d.nq)?,
            v: zeros()?,
            begun: false,
            start: None,
            masses: Masses::Unknown,
            rough: None,
            this: None,
            before: None,
            tried: None,
            second: [zeros()?, zeros()?, zeros()?],
            fourth: zeros()?,
        })
    }

    /// Takes over `other`, of the same model.
    pub(super) fn copy_from(&mut self, other: &Samples) {
        self.forces.copy_from_slice(&other.forces);
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        let Self { begun, start, masses, rough, this, before, tried, .. } = *other;
        self.masses = masses;
        (self.begun, self.start, self.rough, self.this) = (begun, start, rough, this);
        (self.before, self.tried) = (before, tried);
    }

    /// Forgets all that is known of forces.
    pub(super) fn forget(&mut self) {
        (self.before, self.tried, self.start) = (None, None, None);
        self.begin();
    }

    /// Begins with a step.
    pub(super) fn begin(&mut self) {
        (self.begun, self.rough, self.this) = (false, None, None);
        self.masses = Masses::Unknown;
    }

    /// The step was taken. What happened in it may have changed the force for good.
    pub(super) fn take(&mut self, eventful: bool) {
        self.tried = None;
        let old = self.before;
        self.before = match self.this {
            Some(new) if self.rough.is_none() && !eventful => {
                let old = old.map_or(0.0, |old| MEMORY * old.at(new.h));
                Some(Fourth { size: new.size.max(old), h: new.h })
            }
            _ => None,
        };
    }

    /// The step from `t` was taken back.
    pub(super) fn take_back(&mut self, t: f64) {
        self.tried = self.this.map(|this| (t, this));
    }

    fn force(&self, k: usize) -> &[f64] {
        &self.forces[k * self.nv..(k + 1) * self.nv]
    }

    /// Differences of the samples, of forces. False where the fourth ones are rounding.
    fn differences(&mut self) -> bool {
        let n = self.nv;
        let mut real = false;
        for i in 0..n {
            let f = |k: usize| self.forces[k * n + i];
            let second = [0, 1, 2].map(|k| f(k) - 2.0 * f(k + 1) + f(k + 2));
            let fourth = second[0] - 2.0 * second[1] + second[2];
            let size = (0..POINTS).fold(0.0f64, |size, k| size.max(f(k).abs()));
            real |= fourth.abs() > tol::FORCE_ROUNDING * size;
            for (to, from) in self.second.iter_mut().zip(second) {
                to[i] = from;
            }
            self.fourth[i] = fourth;
        }
        real
    }
}

impl Stepper {
    /// Judges the five samples between two times, (cap.21). `follows`: steps before tell what to
    /// expect.
    pub(super) fn judge(&mut self, (t0, t1): (f64, f64), follows: bool) {
        let set = &self.settings;
        let Some(kept) = &mut self.kept else { return };
        let (span, samples, h) = (kept.span, &mut kept.samples, t1 - t0);
        if !samples.differences() {
            samples.this = Some(Fourth { size: 0.0, h });
            return;
        }
        let inverse = &self.work.equations;
        inverse.apply_inverse_mass(&mut samples.fourth);
        let this = Fourth { size: max_abs(&samples.fourth), h };
        samples.this = Some(this);
        let before = samples.before.filter(|_| follows);
        let expected = before.is_some_and(|before| this.size <= EXPECTED * before.at(h));
        // From the same start, and in the proportion of their lengths.
        let like =
            samples.tried.filter(|&(t, tried)| t == t0 && h < tried.h).is_some_and(|(_, tried)| {
                let ratio = this.size / tried.at(h);
                (1.0 / SHRUNK..=SHRUNK).contains(&ratio)
            });
        let smooth = expected
            || ((before.is_none() || like) && {
                samples.second.iter_mut().for_each(|d| inverse.apply_inverse_mass(d));
                (0..samples.nv).all(|i| {
                    let bent = samples.second.iter().fold(0.0f64, |b, d| b.max(d[i].abs()));
                    samples.fourth[i].abs() <= BENT * bent
                })
            });
        let error = MISSED * h * this.size * span / set.tolerance(set.length);
        if smooth || samples.rough.is_some_and(|rough| rough.error >= error) {
            return;
        }
        let worst = (0..samples.nv).fold(0, |worst, i| {
            if samples.fourth[i].abs() > samples.fourth[worst].abs() { i } else { worst }
        });
        let f = |k: usize| samples.force(k)[worst];
        let second = [0, 1, 2].map(|k| (f(k) - 2.0 * f(k + 1) + f(k + 2)).abs());
        let shown = SHOWN * second.iter().fold(0.0f64, |a, &b| a.max(b));
        let first = second.iter().position(|&d| d >= shown).unwrap_or(0) + 1;
        let at = |k: usize| t0 + 0.25 * h * k as f64;
        samples.rough = Some(Rough { error, from: at(first), to: at(first + 1) });
    }

    /// Judges a pair by the momentum that its samples give, (cap.22), where nothing else acts on it and
    /// masses do not change: stages may have seen what no sample shows.
    pub(super) fn judge_momentum(&mut self) {
        // An impact at the end is in the velocity.
        if self.happened().is_some() {
            return;
        }
        let (nv, set) = (self.dims.nv, &self.settings);
        let Some(kept) = &mut self.kept else { return };
        let samples = &mut kept.samples;
        let held = |contacts: &[Contact]| contacts.iter().any(|c| c.mode.active());
        let free = self.dims.n_joint == 0
            && !held(&kept.state.contacts)
            && !held(&self.state.contacts)
            && kept.modes.iter().all(|m| !m.active());
        if !free || !samples.begun || samples.rough.is_some() || samples.masses != Masses::Same {
            return;
        }
        let h = self.state.t - kept.state.t;
        let sum = &mut samples.fourth;
        sum.fill(0.0);
        for (k, weight) in [7.0, 32.0, 12.0, 32.0, 7.0].into_iter().enumerate() {
            axpy(weight / 90.0 * h, &samples.forces[k * nv..(k + 1) * nv], sum);
        }
        self.work.equations.apply_inverse_mass(sum);
        axpy(1.0, &kept.state.v, sum);
        axpy(-1.0, &self.state.v, sum);
        let missed = max_abs(sum);
        let pairs = self.state.v.iter().zip(&kept.v);
        let seen = pairs.fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        let error = missed * kept.span / set.tolerance(set.length);
        let rounding = tol::FORCE_ROUNDING * max_abs(&self.state.v).max(max_abs(&kept.state.v));
        if missed <= rounding.max(SEEN * seen) {
            return;
        }
        // Samples lie on cubics: what that leaves of a force that bends is no jump.
        samples.differences();
        let inverse = &self.work.equations;
        let bent = samples.second.iter_mut().fold(0.0f64, |bent, d| {
            inverse.apply_inverse_mass(d);
            bent.max(max_abs(d))
        });
        if missed > tol::CUBIC_MOMENTUM * h * bent {
            let middle = kept.state.t + 0.5 * h;
            samples.rough = Some(Rough { error, from: middle, to: self.state.t });
        }
    }
}
