//! Where a path of modes starts, (vel.18) and (vel.23): what groups ask for is shifted into the modes of the start. Knows one
//! island at a time.

use super::blocks::{Blocks, Kind};
use super::newton::Newton;
use super::path::Path;
use super::polygon::{Mode, Triple, along, derivative, times};
use super::region::{unit, walls};
use crate::tol;

impl Path {
    /// Shifts what groups ask for into their modes, no two of them equally far beyond a wall. False when there was nothing to
    /// shift.
    pub(super) fn shift_into_modes(
        &mut self,
        newton: &Newton,
        blocks: &Blocks,
        groups: &[usize],
    ) -> bool {
        let least = tol::PATH_APART * self.largest(groups);
        let mut any = false;
        for &i in groups {
            let g = &blocks.groups[i];
            if !matches!(g.kind, Kind::Contact(_)) {
                continue;
            }
            let (corners, before) = (blocks.corners(g), self.x[i]);
            for round in 0..tol::PATH_ROUNDS {
                let mut inside = true;
                walls(newton.modes[i], g.mu, corners, |c, _| {
                    let c = unit(&c);
                    let beyond = -along(&c, &self.x[i]);
                    if beyond > -least {
                        inside = false;
                        any |= beyond > 0.0;
                        let by = beyond.max(least) * (1.0 + apart(i, round)) + least;
                        for k in 0..3 {
                            self.x[i][k] += by * c[k];
                        }
                    }
                });
                if inside {
                    break;
                }
            }
            for k in 0..3 {
                self.shift[i][k] = self.x[i][k] - before[k];
            }
            self.held[i] = times(&derivative(newton.modes[i], g.mu, corners), &self.shift[i]);
        }
        any
    }

    /// Of the modes that no loop goes through the one that takes the smaller shift along the normal.
    pub(super) fn stuck_or_open(&self, blocks: &Blocks, i: usize) -> Mode {
        let g = &blocks.groups[i];
        let corners = blocks.corners(g);
        let closed = if corners.len() < 2 { Mode::Corner(0) } else { Mode::Stick };
        let [(_, to_close), (_, to_open)] =
            [closed, Mode::Open].map(|mode| beyond(mode, g.mu, corners, &self.x[i]));
        // Without friction nothing sticks, however far it is shifted.
        let can_close = corners.len() < 2 || g.mu > 0.0;
        if can_close && to_close < to_open { closed } else { Mode::Open }
    }

    /// Shifts what groups ask for into their modes along the normal, each another way beyond the last wall.
    pub(super) fn shift_along_normals(
        &mut self,
        newton: &Newton,
        blocks: &Blocks,
        groups: &[usize],
    ) {
        let least = tol::PATH_BEYOND * self.largest(groups);
        for &i in groups {
            let g = &blocks.groups[i];
            let corners = blocks.corners(g);
            let (sign, by) = beyond(newton.modes[i], g.mu, corners, &self.x[i]);
            self.shift[i] = [sign * (by.max(0.0) + least) * (1.0 + apart(i, 0)), 0.0, 0.0];
            self.x[i][0] += self.shift[i][0];
            self.held[i] = times(&derivative(newton.modes[i], g.mu, corners), &self.shift[i]);
        }
    }

    /// The largest that a group asks for.
    fn largest(&self, groups: &[usize]) -> f64 {
        groups.iter().flat_map(|&i| self.x[i]).fold(0.0, |m, x| m.max(x.abs()))
    }
}

/// Which way along the normal the last wall of a mode is, and how far; negative inside.
fn beyond(mode: Mode, mu: f64, corners: &[[f64; 2]], x: &Triple) -> (f64, f64) {
    let (mut sign, mut by) = (1.0, f64::NEG_INFINITY);
    walls(mode, mu, corners, |c, _| {
        sign = c[0].signum();
        by = by.max(-along(&c, x) / c[0].abs());
    });
    (sign, by)
}

/// A number between 0 and 1 that is another for every group and round: walls are not to be met at the same time.
fn apart(i: usize, round: usize) -> f64 {
    let k = (i as u64 + 1).wrapping_mul(64).wrapping_add(round as u64);
    let mixed = (k ^ (k >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}
