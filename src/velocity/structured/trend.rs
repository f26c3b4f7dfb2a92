//! What sweeps do on the whole: each is followed by a part of the way of those before it, (vel.24). Knows no law.

use super::blocks::{Blocks, Group};
use super::polygon::{Triple, minus};
use crate::error::{Result, grow};

/// The way of the sweeps so far. Impulses and velocities are moved together, so that they still belong to each other.
#[derive(Debug, Default)]
pub(super) struct Trend {
    /// Before the sweep under way.
    r: Vec<Triple>,
    v: Vec<f64>,
    /// The way.
    dr: Vec<Triple>,
    dv: Vec<f64>,
    /// Square of the last sweep's own length; infinite where there was none.
    last: f64,
}

impl Trend {
    /// Room for `n` velocities and for the impulses of `groups`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn room(&mut self, n: usize, groups: usize) -> Result<()> {
        for list in [&mut self.v, &mut self.dv] {
            list.clear();
            grow(list, n)?;
            list.resize(n, 0.0);
        }
        for list in [&mut self.r, &mut self.dr] {
            list.clear();
            grow(list, groups)?;
            list.resize(groups, [0.0; 3]);
        }
        Ok(())
    }

    /// The next sweep is the first.
    pub(super) fn forget(&mut self) {
        self.last = f64::INFINITY;
    }

    /// A sweep of the bodies and groups that are listed begins here.
    pub(super) fn mark(
        &mut self,
        blocks: &Blocks,
        (bodies, v): (&[usize], &[f64]),
        (groups, r): (&[usize], &[Triple]),
    ) {
        for &b in bodies {
            self.v[blocks.range(b)].copy_from_slice(&v[blocks.range(b)]);
        }
        for &i in groups {
            self.r[i] = r[i];
        }
    }

    /// The sweep that was marked is over. Adds the part of the way before it that (vel.24) says, if it `goes_on`, and what the
    /// sweep itself did to the way.
    pub(super) fn follow(
        &mut self,
        blocks: &Blocks,
        (bodies, v): (&[usize], &mut [f64]),
        (groups, r): (&[usize], &mut [Triple]),
        goes_on: bool,
    ) {
        let mut size = 0.0;
        for &i in groups {
            size += length(&blocks.groups[i], &minus(&r[i], &self.r[i]));
        }
        let part = size / self.last;
        // A sweep that is longer than the one before went another way.
        let part = if part < 1.0 { part } else { 0.0 };
        let first = self.last == f64::INFINITY;
        self.last = size;
        let further = if goes_on { part } else { 0.0 };
        for &i in groups {
            for k in 0..3 {
                let own = r[i][k] - self.r[i][k];
                let way = if first { 0.0 } else { self.dr[i][k] };
                r[i][k] += further * way;
                self.dr[i][k] = part * way + own;
            }
        }
        for j in bodies.iter().flat_map(|&b| blocks.range(b)) {
            let own = v[j] - self.v[j];
            let way = if first { 0.0 } else { self.dv[j] };
            v[j] += further * way;
            self.dv[j] = part * way + own;
        }
    }
}

/// Square of the length of an impulse, in the measure of the responses.
fn length(g: &Group, r: &Triple) -> f64 {
    (0..g.dim).map(|k| r[k] * r[k] * g.response[usize::from(k > 0)]).sum()
}
