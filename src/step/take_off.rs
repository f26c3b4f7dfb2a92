//! Contacts that take off with hardly any speed: whether they rise, and when they are back. Knows one path at a time.

use super::locate::bracketed;
use super::run::Run;
use super::search::{Found, Look, Path};
use crate::error::{Result, reserve};

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
            let mut heights = rows.iter().skip(i).step_by(n.max(1));
            if rows.len() == POINTS * n && heights.all(|height| height - base > 0.0) {
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
            let tau = h * 0.5f64.powi(k as i32);
            let height = self.height(path, h, k, i)? - base;
            if height > 0.0 && later.1 <= 0.0 {
                let width = f64::EPSILON * h;
                let tau = bracketed((tau, height), later, width, |tau| {
                    Ok(self.gap_after(path, tau, i)?.0 - base)
                })?;
                return Ok(Some(Found { tau, said: tau, ..found }));
            }
            rises &= height > 0.0;
            later = (tau, height);
        }
        Ok(if rises { None } else { Some(found) })
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
