//! Friction directions that follow the slip: a polygon turned so that one corner opposes the slip
//! acts like the circle. Knows no complementarity.

use super::host::{Geometry, Scratch};
use super::resolve::may_have_shorter;
use super::run::Run;
use super::state::Mode;
use crate::error::Result;
use crate::linalg::{axpy, max_abs};
use crate::tol;
use std::f64::consts::TAU;

/// Two directions at a right angle, such that direction k of the contact is cos(2 pi k/n) a + sin(2
/// pi k/n) b.
fn frame(n_dir: usize, tangent: &[f64], a: &mut [f64], b: &mut [f64]) {
    let nv = a.len();
    let (sine, cosine) = (TAU / n_dir as f64).sin_cos();
    a.copy_from_slice(&tangent[..nv]);
    b.copy_from_slice(&tangent[nv..2 * nv]);
    axpy(-cosine, a, b);
    b.iter_mut().for_each(|x| *x /= sine);
}

impl Scratch {
    /// Turns the friction directions of every contact by its angle, (step.23).
    pub(super) fn turn(&mut self, g: &mut Geometry) {
        let n_dir = g.n_dir();
        for i in 0..self.turns.len() {
            let angle = self.turns[i];
            // exact: zero stands for the host's own directions
            if angle != 0.0 {
                let (runs, columns) = g.directions_mut(i);
                self.turn_columns(n_dir, runs.width(), angle, columns);
            }
        }
    }

    /// Turns numbers that belong to the friction directions of the first contacts, one each, as those
    /// are.
    pub(super) fn turn_numbers(&mut self, n_dir: usize, numbers: &mut [f64]) {
        for (i, columns) in numbers.chunks_exact_mut(n_dir.max(1)).enumerate() {
            let angle = self.turns[i];
            // exact: zero stands for the host's own directions
            if angle != 0.0 {
                self.turn_columns(n_dir, 1, angle, columns);
            }
        }
    }

    /// Turns the columns of one contact, of `height` numbers each, at most nv.
    fn turn_columns(&mut self, n_dir: usize, height: usize, angle: f64, columns: &mut [f64]) {
        let (a, b) = (&mut self.across.0[..height], &mut self.across.1[..height]);
        frame(n_dir, columns, a, b);
        let half = columns.len() / 2;
        for k in 0..n_dir / 2 {
            let (sine, cosine) = (TAU * k as f64 / n_dir as f64 + angle).sin_cos();
            for r in 0..height {
                let x = cosine * a[r] + sine * b[r];
                columns[k * height + r] = x;
                columns[half + k * height + r] = -x;
            }
        }
    }

    /// The angle of the slip of contact `i` against the first of its directions in `geometry`;
    /// `None` for directions that are no regular polygon, and for no slip.
    pub(super) fn slip_angle(&mut self, geometry: &Geometry, i: usize, v: &[f64]) -> Option<f64> {
        let (along, aside) = self.slip_vector(geometry, i, v)?;
        // exact: no direction
        if along == 0.0 && aside == 0.0 { None } else { Some(aside.atan2(along)) }
    }

    /// Slip speed of contact `i`, along its fastest direction where these form no regular polygon.
    pub(super) fn slip_speed(&mut self, geometry: &Geometry, i: usize, v: &[f64]) -> f64 {
        let slip = self.slip_vector(geometry, i, v);
        slip.map_or_else(|| geometry.slip(i, v).0, |(x, y)| f64::hypot(x, y))
    }

    /// The slip of contact `i` along the first of its directions in `geometry` and at a right angle to
    /// it; `None` for directions that are no regular polygon of at least four.
    pub(super) fn slip_vector(
        &mut self,
        geometry: &Geometry,
        i: usize,
        v: &[f64],
    ) -> Option<(f64, f64)> {
        let n_dir = geometry.n_dir();
        if n_dir < 4 {
            return None;
        }
        let (runs, columns) = geometry.directions(i);
        let nv = runs.width();
        // exact: a contact with fewer directions than the model has zeros in their place
        if columns[columns.len() / 2 - nv..columns.len() / 2].iter().all(|&x| x == 0.0) {
            return None;
        }
        let (a, b) = (&mut self.across.0[..nv], &mut self.across.1[..nv]);
        frame(n_dir, columns, a, b);
        let slack = tol::REGULAR * max_abs(columns);
        for k in 2..n_dir / 2 {
            let (sine, cosine) = (TAU * k as f64 / n_dir as f64).sin_cos();
            let d = &columns[k * nv..(k + 1) * nv];
            let off = |r: usize| (d[r] - cosine * a[r] - sine * b[r]).abs() > slack;
            if (0..nv).any(off) {
                return None;
            }
        }
        Some((runs.pack(a).dot(v), runs.pack(b).dot(v)))
    }
}

impl Run<'_> {
    /// Turns the friction directions of slipping contacts to the slip in the middle of a piece of
    /// length `h`: first to the slip at its start, then by what a path with fixed modes makes of
    /// it. Needs m0; friction then acts along the direction half way round.
    pub(super) fn align(&mut self, h: f64) -> Result<()> {
        let n_dir = self.host.dims.n_dir;
        let slips = |m: &Mode| matches!(m, Mode::Slip(_));
        if n_dir < 4 || !self.method.aligns() || !self.w.m0.iter().any(slips) {
            return Ok(());
        }
        self.turn_to(0.0)?;
        if !self.path_exists(h)? {
            return Ok(());
        }
        let swings = self.slip_changes_much();
        self.turn_to(0.5)?;
        if swings && self.path_exists(h)? {
            self.settle_turns()?;
        }
        Ok(())
    }

    /// The path with fixed modes, where it exists: friction along slips that are kept may make it singular. Complementarity, which
    /// decides, needs no more of it than a guess of where the slips turn.
    fn path_exists(&mut self, h: f64) -> Result<bool> {
        match self.path(h) {
            Err(e) if may_have_shorter(&e) => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// Whether the path changes the slip of some contact so much that friction brings its direction
    /// about within the piece.
    fn slip_changes_much(&self) -> bool {
        let w = &*self.w;
        let slips = w.m0.iter().enumerate().filter(|(_, m)| matches!(m, Mode::Slip(_)));
        slips.filter(|(i, _)| w.mu[*i] > 0.0).any(|(i, _)| {
            let [before, after] = [&w.start.v, &w.vp].map(|v| w.start.geometry.slip(i, v).0);
            (after - before).abs() > tol::SWING * before.min(after)
        })
    }

    /// Corrects the last turn by what the path makes of it: the turn that reproduces itself, by the line
    /// through the two, (step.63). The turn alone would be explicit, and throw a body that spins
    /// a little about when its slip is about to end or has just begun.
    fn settle_turns(&mut self) -> Result<()> {
        let w = &mut *self.w;
        w.move_by.fill(0.0);
        axpy(0.5, &w.start.v, &mut w.move_by);
        axpy(0.5, &w.vp, &mut w.move_by);
        let geometry = &w.start.geometry;
        for i in 0..w.m0.len() {
            let first = w.turned[i];
            // exact: not turned
            if first == 0.0 {
                continue;
            }
            let Some(left) = self.host.scratch.slip_angle(geometry, i, &w.move_by) else {
                continue;
            };
            // Angles count from the slip itself, which friction opposes.
            let rate = (left / first).min(tol::SWING_RATE);
            self.host.scratch.turns[i] += left / (1.0 - rate);
        }
        self.look_at_turned()
    }

    /// Friction directions where the piece starts, as they are turned now.
    fn look_at_turned(&mut self) -> Result<()> {
        self.w.followed.forget();
        // Always from the host's own directions, so that rounding does not gather.
        let start = &mut self.w.start;
        self.host.friction(start.t, &start.q, &mut start.geometry)?;
        self.host.scratch.freeze(&start.geometry, self.host.fixed)
    }

    /// Turns to the slip at the start, or `part` of the way to that at the end of the path. A
    /// contact whose slip is reversed there stops on the way: its direction stays.
    pub(super) fn turn_to(&mut self, part: f64) -> Result<()> {
        let n_dir = self.host.dims.n_dir;
        let w = &mut *self.w;
        w.move_by.fill(0.0);
        axpy(1.0 - part, &w.start.v, &mut w.move_by);
        axpy(part, &w.vp, &mut w.move_by);
        let geometry = &w.start.geometry;
        w.turned.fill(0.0);
        for i in 0..w.m0.len() {
            let Mode::Slip(k) = w.m0[i] else { continue };
            let reversed = part > 0.0 && geometry.tangent(i, usize::from(k)).dot(&w.vp) >= 0.0;
            if w.mu[i] == 0.0 || reversed {
                continue;
            }
            let (slip, against) = geometry.slip(i, &w.move_by);
            let more = self.host.scratch.slip_angle(geometry, i, &w.move_by);
            // A slip that is about to begin keeps the direction that forces give it: what it has of a
            // speed is rounding.
            if slip <= self.v_zero {
                continue;
            }
            match more {
                Some(more) => {
                    self.host.scratch.turns[i] += more;
                    // From the slip that friction opposed so far.
                    let before = TAU * (f64::from(k) / n_dir as f64 + 0.5);
                    w.turned[i] = (more - before) - TAU * ((more - before) / TAU).round();
                    w.m0[i] = Mode::Slip((n_dir / 2) as u16);
                }
                None => w.m0[i] = Mode::Slip(against),
            }
            self.state.contacts[i].mode = w.m0[i];
        }
        self.look_at_turned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dims, Parts};

    #[test]
    fn what_belongs_to_directions_turns_with_them() {
        let (nv, n_dir) = (3, 8);
        let dims = Dims { nq: nv, nv, n_contact: 2, n_dir, ..Dims::default() };
        let mut scratch = Scratch::new(&dims, 2, 0, (&[], &Parts::default())).unwrap();
        scratch.turns.copy_from_slice(&[0.3, -1.1]);
        // Two polygons in different planes, and any linear function of their directions.
        let planes = [([1.0, 0.0, 0.5], [0.0, 1.0, 0.2]), ([0.0, 0.8, 0.6], [1.0, 0.1, 0.0])];
        let v = [0.7, -0.4, 1.3];
        let mut g = Geometry::new(&dims, 2).unwrap();
        g.tangent.clear();
        for (a, b) in planes {
            for k in 0..n_dir {
                let (sine, cosine) = (TAU * k as f64 / n_dir as f64).sin_cos();
                g.tangent.extend((0..nv).map(|r| cosine * a[r] + sine * b[r]));
            }
        }
        let terms =
            |t: &[f64]| t.chunks_exact(nv).map(|d| crate::linalg::dot(d, &v)).collect::<Vec<_>>();
        let mut turned = terms(&g.tangent);
        scratch.turn(&mut g);
        scratch.turn_numbers(n_dir, &mut turned);
        let tangent = &g.tangent;
        for (x, y) in turned.iter().zip(terms(tangent)) {
            assert!((x - y).abs() < 1e-14, "{x} {y}");
        }
    }
}
