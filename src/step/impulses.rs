//! Impulses of joints, contacts and brakes: what a path took, and what a whole step took. Knows no energy.

use super::capture::Works;
use super::host::zeros;
use super::linear::Equations;
use super::state::Mode;
use crate::error::{Result, finite};
use crate::linalg::axpy;
use crate::model::Dims;
use std::f64::consts::TAU;

/// Impulses of all joints, contacts and brakes of a model.
#[derive(Debug)]
pub(super) struct Impulses {
    n_dir: usize,
    pub joint: Vec<f64>,
    pub normal: Vec<f64>,
    /// `n_dir` per contact.
    pub friction: Vec<f64>,
    pub brake: Vec<f64>,
}

impl Impulses {
    pub(super) fn new(d: &Dims) -> Result<Self> {
        Ok(Self {
            n_dir: d.n_dir,
            joint: zeros(d.n_joint)?,
            normal: zeros(d.n_contact)?,
            friction: zeros(d.n_contact * d.n_dir)?,
            brake: zeros(d.n_brake)?,
        })
    }

    /// Refuses impulses that overflowed: a body at rest can carry them where its state shows nothing.
    ///
    /// # Errors
    /// `NonFinite`.
    pub(super) fn check(&self) -> Result<()> {
        finite("joint impulse", &self.joint)?;
        finite("normal impulse", &self.normal)?;
        finite("friction impulse", &self.friction)?;
        finite("brake impulse", &self.brake)
    }

    pub(super) fn clear(&mut self) {
        for x in [&mut self.joint, &mut self.normal, &mut self.friction, &mut self.brake] {
            x.fill(0.0);
        }
    }

    /// Takes over `other`, of the same model.
    pub(super) fn copy_from(&mut self, other: &Impulses) {
        self.joint.copy_from_slice(&other.joint);
        self.normal.copy_from_slice(&other.normal);
        self.friction.copy_from_slice(&other.friction);
    }

    /// Adds the impulses that a solver found for the contacts of `list`.
    pub(super) fn add_listed(
        &mut self,
        list: &[usize],
        joint: &[f64],
        normal: &[f64],
        friction: &[f64],
    ) {
        axpy(1.0, joint, &mut self.joint);
        for (place, &i) in list.iter().enumerate() {
            self.normal[i] += normal[place];
            let n = self.n_dir;
            // Empty where no contact has friction.
            if let Some(beta) = friction.get(place * n..(place + 1) * n) {
                axpy(1.0, beta, &mut self.friction[i * n..(i + 1) * n]);
            }
        }
    }

    /// Adds the multipliers of `equations` that were pushed for all joints and for contacts in
    /// `modes`, as [`push_contact`](super::stabilize::push_contact) pushes them.
    pub(super) fn add_multipliers(&mut self, equations: &Equations, modes: &[Mode], mu: &[f64]) {
        let (joints, contacts) = equations.multipliers().split_at(self.joint.len());
        axpy(1.0, joints, &mut self.joint);
        let mut rest = contacts.iter();
        for (i, &mode) in modes.iter().enumerate().filter(|(_, m)| m.held()) {
            let Some(&push) = rest.next() else { return };
            self.normal[i] += push;
            match mode {
                Mode::Slip(k) if mu[i] > 0.0 => self.rub(i, usize::from(k), mu[i] * push),
                Mode::Stick => self.add_sticking(i, &mut rest),
                _ => {}
            }
        }
    }

    /// Adds multipliers along the first half of the directions of contact `i`.
    pub(super) fn add_sticking<'a>(&mut self, i: usize, of: &mut impl Iterator<Item = &'a f64>) {
        for (k, &x) in (0..self.n_dir / 2).zip(of) {
            self.rub(i, k, x);
        }
    }

    /// Adds `x` along direction `k` of contact `i`; a negative one along its opposite.
    fn rub(&mut self, i: usize, k: usize, x: f64) {
        let half = self.n_dir / 2;
        let along = if x >= 0.0 { k } else { (k + half) % self.n_dir };
        self.friction[i * self.n_dir + along] += x.abs();
    }

    /// Adds `part` of `other`, whose friction directions are turned by the angles `turns`,
    /// (step.23), along the directions of the model.
    pub(super) fn add_turned(&mut self, part: f64, other: &Impulses, turns: &[f64]) {
        axpy(part, &other.joint, &mut self.joint);
        axpy(part, &other.normal, &mut self.normal);
        axpy(part, &other.brake, &mut self.brake);
        let n = self.n_dir;
        for (i, &angle) in turns.iter().enumerate().take(if n > 0 { self.normal.len() } else { 0 })
        {
            let (from, to) = (&other.friction[i * n..], &mut self.friction[i * n..(i + 1) * n]);
            // exact: zero stands for the host's own directions
            if angle == 0.0 {
                axpy(part, &from[..n], to);
                continue;
            }
            for (k, &beta) in from[..n].iter().enumerate().filter(|(_, beta)| **beta != 0.0) {
                let ((m, a), (next, b)) = neighbors(n, k, angle);
                to[m] += part * beta * a;
                to[next] += part * beta * b;
            }
        }
    }

    /// Takes away what opposite directions have in common: it does nothing.
    pub(super) fn cancel_opposites(&mut self) {
        let half = self.n_dir / 2;
        if half == 0 {
            return;
        }
        for friction in self.friction.chunks_exact_mut(self.n_dir) {
            let (first, second) = friction.split_at_mut(half);
            for (a, b) in first.iter_mut().zip(second) {
                let common = a.min(*b);
                *a -= common;
                *b -= common;
            }
        }
    }

    /// Size of the tangential impulse of contact `i`, whose `n` directions form a regular polygon: the
    /// first of either half of those there is room for.
    pub(super) fn tangential(&self, i: usize, n: usize) -> f64 {
        let (room, half) = (self.n_dir, self.n_dir / 2);
        let beta = self.friction.get(i * room..(i + 1) * room).unwrap_or_default();
        let (ahead, back) = beta.split_at(half.min(beta.len()));
        let (mut x, mut y) = (0.0, 0.0);
        for (k, (a, b)) in ahead.iter().zip(back).enumerate() {
            if n == 2 && k == 0 {
                return (a - b).abs();
            }
            let (sine, cosine) = (TAU * k as f64 / n as f64).sin_cos();
            x += (a - b) * cosine;
            y += (a - b) * sine;
        }
        f64::hypot(x, y)
    }
}

/// The two of `n` regular directions between which direction `k` lies when it is turned by `angle`,
/// each with the part of a unit along it.
fn neighbors(n: usize, k: usize, angle: f64) -> ((usize, f64), (usize, f64)) {
    let width = TAU / n as f64;
    let place = (k as f64 + angle / width).rem_euclid(n as f64);
    let first = place.floor();
    let beyond = (place - first) * width;
    let m = first as usize % n;
    let whole = width.sin();
    ((m, (width - beyond).sin() / whole), ((m + 1) % n, beyond.sin() / whole))
}

/// What one path of a piece took.
#[derive(Debug)]
pub(super) struct Effort {
    pub impulses: Impulses,
    /// Displacement from the start, projection included.
    pub travel: Vec<f64>,
    /// Work of the force at the start along the projection of positions.
    pub lift: f64,
    /// Work of the projection of velocities, that of friction and moving constraints apart.
    pub push: f64,
    /// The velocity jumps: what is lost is lost by an impact.
    pub jump: bool,
    /// The law of an impact stood in the rows of the step.
    pub felt: bool,
    /// What stages have summed up.
    pub works: Option<Works>,
}

impl Effort {
    pub(super) fn new(d: &Dims) -> Result<Self> {
        let (impulses, travel) = (Impulses::new(d)?, zeros(d.nv)?);
        let (jump, felt, works) = (false, false, None);
        Ok(Self { impulses, travel, lift: 0.0, push: 0.0, jump, felt, works })
    }

    /// A path that goes by `travel` before it is projected, without impulses so far.
    pub(super) fn begin(&mut self, travel: &[f64]) {
        self.impulses.clear();
        self.travel.copy_from_slice(travel);
        (self.lift, self.push, self.jump, self.felt) = (0.0, 0.0, false, false);
        self.works = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impulse_along_a_turned_direction_is_one_along_its_neighbors() {
        // Direction 3 of eight, turned by 30 degrees: 165 degrees, between 135 and 180.
        let ((m, a), (next, b)) = neighbors(8, 3, TAU / 12.0);
        assert_eq!((m, next), (3, 4));
        let at = |k: usize| (TAU * k as f64 / 8.0).sin_cos();
        let (x, y) = (a * at(m).1 + b * at(next).1, a * at(m).0 + b * at(next).0);
        // cos and sin of 165 degrees.
        assert!((x + 0.965_925_826_289_068_3).abs() < 1e-15);
        assert!((y - 0.258_819_045_102_520_8).abs() < 1e-15);
        // Backward beyond the first: -15 degrees.
        assert_eq!(neighbors(8, 0, -TAU / 24.0).0.0, 7);
    }

    #[test]
    fn opposite_impulses_cancel() {
        let d = Dims { nq: 2, nv: 2, n_contact: 1, n_dir: 4, ..Dims::default() };
        let mut x = Impulses::new(&d).unwrap();
        x.friction.copy_from_slice(&[3.0, 1.0, 1.0, 2.5]);
        x.cancel_opposites();
        assert_eq!(x.friction, [2.0, 0.0, 0.0, 1.5]);
        // 2 and 1.5 at a right angle.
        assert_eq!(x.tangential(0, 4), 2.5);
        // One pair in a place for two, then two in a place for four.
        x.friction = vec![2.0, 0.0, 0.5, 0.0];
        assert_eq!(x.tangential(0, 2), 1.5);
        x.n_dir = 8;
        x.friction = vec![3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0];
        assert!((x.tangential(0, 4) - 5.0).abs() < 1e-15);
    }
}
