//! Contacts that take off with hardly any speed: whether they rise, and when they are back. Knows one path at a time.

use super::locate::bracketed;
use super::run::Run;
use super::search::{Found, Look, Path, What};
use crate::error::{Result, reserve};
use crate::tol;

/// Points of a path at which heights are looked at: its end, and halves of it.
const POINTS: usize = 11;

/// Part of a step below which a motion that starts from rest is not followed: the last of them.
pub(super) const SHORTEST: f64 = 1.0 / (1 << (POINTS - 1)) as f64;

/// Heights of all contacts at the end of a path, at half of it, and so on: contacts of one body take off together, and each point
/// of a path by complementarity costs a problem.
#[derive(Debug)]
pub(super) struct Heights {
    /// Gaps of all contacts, one row per point looked at so far.
    rows: Vec<f64>,
    /// Contacts that take off and whose cubics fall at once.
    falling: Vec<usize>,
}

impl Heights {
    /// For `n` contacts.
    pub(super) fn new(n: usize) -> Result<Self> {
        Ok(Self { rows: reserve(POINTS * n)?, falling: reserve(n)? })
    }

    /// Forgets the path.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }
}

impl Run<'_> {
    /// Whether contact `i` touches at the start of the piece and does not approach.
    pub(super) fn leaves(&self, i: usize) -> bool {
        let start = &self.w.start;
        start.geometry.gap[i] <= self.gap_zero
            && start.geometry.gap_rate(i, &start.v) >= -self.v_zero
    }

    /// Lists the contacts that take off and whose cubics fall at once on the path of length `h`, whose end is at `probe`.
    pub(super) fn list_falling_at_once(&mut self, path: Path, h: f64) {
        let by_stages = path == Path::Modes && self.w.capture.used();
        let mut falling = std::mem::take(&mut self.w.heights.falling);
        falling.clear();
        let w = &*self.w;
        let (v, modes) = (path.pick(&w.v1, &w.vp), path.pick(&w.m1, &w.m0));
        falling.extend((0..modes.len()).filter(|&i| {
            let may = !modes[i].held() && w.looked_into[i] == Look::Not && self.is_alone(i);
            let gap = if may && self.leaves(i) { self.gap_between(i, v, h) } else { None };
            let fall = gap.and_then(|gap| self.first_fall_of(i, gap, by_stages));
            fall.is_some_and(|tau| tau < h * SHORTEST)
        }));
        self.w.heights.falling = falling;
    }

    /// Tells of the listed contacts that rise at all points of the path that they do, whatever their cubics say.
    pub(super) fn look_into_listed(&mut self) {
        let w = &mut *self.w;
        let n = w.looked_into.len();
        let Heights { rows, falling } = &w.heights;
        for &i in falling {
            let base = w.start.geometry.gap[i].min(0.0);
            let heights = || rows.iter().skip(i).step_by(n.max(1)).map(|height| height - base);
            let to_the_end = rows.len() == POINTS * n && heights().all(|height| height > 0.0);
            if to_the_end || like_a_square(heights()) {
                w.looked_into[i] = Look::Rises;
            }
        }
    }

    /// A contact that takes off with hardly any speed: its cubic can fall at once by the error of
    /// its end values alone. Shorter paths tell whether it rises, and when it is back, if it is.
    /// The collision as found when it does not rise.
    pub(super) fn return_of(&mut self, path: Path, h: f64, found: Found) -> Result<Option<Found>> {
        let i = found.contact;
        let base = self.w.start.geometry.gap[i].min(0.0);
        let mut later = (h, self.height(path, h, 0, i)? - base);
        let mut rises = later.1 > 0.0;
        for k in 1..POINTS {
            if self.rises_like_a_square(i) {
                return Ok(None);
            }
            let tau = h * 0.5f64.powi(k as i32);
            let height = self.height(path, h, k, i)? - base;
            if height > 0.0 && later.1 <= 0.0 {
                return self.back_between((tau, height), later, path, found).map(Some);
            }
            rises &= height > 0.0;
            later = (tau, height);
        }
        Ok(if rises { None } else { Some(found) })
    }

    /// When a contact is back on `path` that is open at the time `open` and not at `closed`. A path by complementarity may jump
    /// there to where others push the contact in: its part before is taken then, and what follows looked at anew.
    fn back_between(
        &mut self,
        open: (f64, f64),
        closed: (f64, f64),
        path: Path,
        found: Found,
    ) -> Result<Found> {
        let i = found.contact;
        let base = self.w.start.geometry.gap[i].min(0.0);
        let width = f64::EPSILON * closed.0;
        let tau = bracketed(open, closed, width, |tau| Ok(self.gap_after(path, tau, i)?.0 - base))?;
        if self.gap_after(path, tau, i)?.0 - base < -self.gap_zero {
            return Ok(Found { tau: open.0, said: open.0, what: What::Part, ..found });
        }
        Ok(Found { tau, said: tau, ..found })
    }

    /// Whether that is known already of contact `i`.
    fn rises_like_a_square(&self, i: usize) -> bool {
        let w = &*self.w;
        let (n, base) = (w.looked_into.len(), w.start.geometry.gap[i].min(0.0));
        like_a_square(w.heights.rows.iter().skip(i).step_by(n.max(1)).map(|height| height - base))
    }

    /// The gap of contact `i`, or of its group, after the time `h/2^k` on `path`; those of all contacts are kept.
    fn height(&mut self, path: Path, h: f64, k: usize, i: usize) -> Result<f64> {
        let n = self.w.looked_into.len();
        while self.w.heights.rows.len() <= k * n + i {
            let tau = h * 0.5f64.powi((self.w.heights.rows.len() / n) as i32);
            self.reach_point(path, tau)?;
            for j in 0..n {
                let gap = self.highest(j).map_or(f64::INFINITY, |j| self.w.probe.own_gap(j));
                self.w.heights.rows.push(gap);
            }
        }
        Ok(self.w.heights.rows.get(k * n + i).copied().unwrap_or(f64::INFINITY))
    }
}

/// Whether heights after a time, half of it, and so on, are all positive, and the last three fall like its square: then what is
/// of higher order is small, and they are positive down to zero. With `b` times the cube beside `a` times the square the
/// ratio of two of them is above 5 for `a < 0`, where they are positive.
fn like_a_square(heights: impl Iterator<Item = f64>) -> bool {
    let (mut before, mut alike) = (f64::NAN, 0);
    for height in heights {
        if !(height > 0.0) {
            return false;
        }
        let [least, most] = tol::LIKE_A_SQUARE;
        alike = if before >= least * height && before <= most * height { alike + 1 } else { 0 };
        before = height;
    }
    alike >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rises_like_the_square_of_the_time_is_told_from_what_falls_first() {
        // a t^2 + b t^3 after one second, and halves of it.
        let rises = |a: f64, b: f64, points: i32| {
            like_a_square((0..points).map(|k| {
                let t = 0.5f64.powi(k);
                a * t * t + b * t * t * t
            }))
        };
        assert!(rises(1.0, 0.0, 3) && !rises(1.0, 0.0, 2));
        // The cube is more than half of the first, but less and less.
        assert!(!rises(1.0, 2.0, 3) && rises(1.0, 2.0, 6));
        // It falls first, below t = 1/100 or 1/3, or comes down.
        for (a, b) in [(-0.01, 1.0), (-1.0, 3.0), (1.0, -1.5)] {
            assert!((1..POINTS as i32).all(|points| !rises(a, b, points)), "{a} {b}");
        }
    }
}
