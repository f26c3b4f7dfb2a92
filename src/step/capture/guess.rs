//! Where the iterations of the stages begin and when they may end: what earlier pieces and the
//! tolerance of the steps know. Changes no result by more than the tolerance allows.

use super::stages::Stages;
use super::tableau::Tableau;
use crate::error::Result;
use crate::linalg::axpy;
use crate::step::host::zeros;
use crate::step::method::Start;

/// Longest step, in lengths of the last, over which its polynomial is followed further.
const FURTHER: f64 = 2.5;

/// Part of the difference from a finer solution to which one that is only compared is computed.
const COMPARED: f64 = 0.01;

/// Accelerations of the last two pieces at their stages.
#[derive(Debug)]
pub(super) struct Past {
    /// Of the last, and of the one before.
    acc: [Vec<f64>; 2],
    /// Their lengths; none when they are not known.
    h: [Option<f64>; 2],
    /// When the last ended.
    end: f64,
    /// Whether pieces are remembered at all.
    pub kept: bool,
}

impl Past {
    pub(super) fn new(n: usize) -> Result<Self> {
        Ok(Self { acc: [zeros(n)?, zeros(n)?], h: [None; 2], end: 0.0, kept: false })
    }

    /// What comes next goes on from nothing that is known.
    pub(super) fn forget(&mut self) {
        self.h = [None; 2];
    }

    /// A piece of length `h` with the accelerations `acc` ended at `t`.
    pub(super) fn push(&mut self, t: f64, h: f64, acc: &[f64]) {
        if self.kept {
            self.acc.swap(0, 1);
            self.acc[0].copy_from_slice(acc);
            self.h = [Some(h), self.h[0]];
            self.end = t;
        }
    }
}

/// When iterations end before rounding.
#[derive(Debug)]
pub(super) struct Aim {
    /// Change of velocity that does not matter.
    pub speed: f64,
    /// Velocity at the end of a finer solution with which this one will be compared, when `compares`.
    pub fine: Vec<f64>,
    pub compares: bool,
}

impl Aim {
    pub(super) fn new(nv: usize) -> Result<Self> {
        Ok(Self { speed: 0.0, fine: zeros(nv)?, compares: false })
    }

    /// What a step of length `h` with the accelerations `acc` may be wrong by in velocity.
    pub(super) fn enough(&self, start: &Start, h: f64, tableau: &Tableau, acc: &[f64]) -> f64 {
        if !self.compares {
            return self.speed;
        }
        let nv = start.v.len();
        let mut apart = 0.0f64;
        for (k, fine) in self.fine.iter().enumerate() {
            let gain: f64 = (0..tableau.stages).map(|i| tableau.b[i] * acc[i * nv + k]).sum();
            apart = apart.max((start.v[k] + h * gain - fine).abs());
        }
        self.speed.max(COMPARED * apart)
    }
}

/// The weight of node `j` in the polynomial through the first `s` nodes of `c`, at `x`.
fn weight(c: &[f64], s: usize, j: usize, x: f64) -> f64 {
    (0..s).filter(|&m| m != j).map(|m| (x - c[m]) / (c[j] - c[m])).product()
}

impl Stages {
    /// Remembers the stages of the piece of length `h` that ended at `t`.
    pub(super) fn remember(&mut self, t: f64, h: f64) {
        match self.solved {
            // exact: asked for what is there
            Some(solved) if solved == h => self.past.push(t, h, &self.acc),
            _ => self.past.forget(),
        }
    }

    /// acc := where the iterations of a piece of length `h` from the time `t` begin: on the
    /// polynomial of the last one from this start, of two finer ones, or of the piece before; else
    /// the acceleration at the start.
    pub(super) fn guess(&mut self, t: f64, h: f64) {
        let (s, nv) = (self.tableau.stages, self.nv);
        if let Some(last) = self.solved {
            self.guess_again(h, last);
            return;
        }
        let c = &self.tableau.c;
        let (acc, past) = (&mut self.acc, &self.past);
        for i in 0..s {
            let acc = &mut acc[i * nv..(i + 1) * nv];
            let (from, x) = match past.h {
                [Some(second), Some(first)] if self.aim.compares => {
                    let at = c[i] * (first + second);
                    if at <= first { (1, at / first) } else { (0, (at - first) / second) }
                }
                // exact: where the last piece ended this one begins
                [Some(last), _] if past.end == t && h <= FURTHER * last => {
                    (0, 1.0 + c[i] * h / last)
                }
                _ => {
                    acc.copy_from_slice(&self.first);
                    continue;
                }
            };
            acc.fill(0.0);
            for j in 0..s {
                axpy(weight(c, s, j, x), &past.acc[from][j * nv..(j + 1) * nv], acc);
            }
        }
        // exact: the first stage of some methods is the start
        if c[0] == 0.0 {
            acc[..nv].copy_from_slice(&self.first);
        }
    }

    /// The same on the polynomial of the piece of length `last` from this start, and the
    /// acceleration there.
    fn guess_again(&mut self, h: f64, last: f64) {
        let (s, nv) = (self.tableau.stages, self.nv);
        self.old.copy_from_slice(&self.acc);
        self.acc.fill(0.0);
        let c = &self.tableau.c;
        let begins = c[0] > 0.0;
        for i in 0..s {
            let x = c[i] * h / last;
            let acc = &mut self.acc[i * nv..(i + 1) * nv];
            if begins {
                let weight = (0..s).map(|m| (x - c[m]) / -c[m]).product();
                axpy(weight, &self.first, acc);
            }
            for j in 0..s {
                let more = if begins { x / c[j] } else { 1.0 };
                axpy(more * weight(c, s, j, x), &self.old[j * nv..(j + 1) * nv], acc);
            }
        }
    }
}
