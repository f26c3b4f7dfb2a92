//! Patches: contacts of the same bodies along the same normal, of which few carry the load. Says
//! which contacts a problem can be solved without; whoever solves it must look at the others
//! afterwards. Knows no impulses.
//!
//! The rows of a patch on one plane are an affine function of two coordinates, so that a contact
//! inside the hull of others cannot approach unless one of them does, (vel.14). Which contacts
//! form a patch is a guess from the first half of the coordinates of each body, where rigid bodies
//! have their translation: a wrong guess costs time, not truth.

use super::blocks::{Blocks, Group, Kind};
use super::polygon::Triple;
use crate::error::{Result, grow};
use crate::tol;
use std::ops::Range;

/// How far contacts are left out of problems that have many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reduction {
    /// Never.
    Off,
    /// Where the answer stays one of the full problem and friction has no say in which: patches that
    /// spin keep all their contacts.
    #[default]
    Safe,
    /// Also in patches that spin: an answer of the full problem, but another share of its friction
    /// torque.
    Aggressive,
}

/// Which contacts take part.
#[derive(Debug, Default)]
pub(super) struct Patches {
    /// Per group: whether it takes part.
    pub kept: Vec<bool>,
    /// Contacts, those of a patch side by side.
    order: Vec<usize>,
    /// Ranges of `order` of which not all contacts are kept.
    reduced: Vec<Range<usize>>,
    /// Coordinates in the plane of a patch with the place in `order`, and the hull under way.
    points: Vec<([f64; 2], usize)>,
    hull: Vec<usize>,
}

impl Patches {
    /// Finds the contacts of `blocks` that can be left out.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn find(&mut self, blocks: &Blocks, level: Reduction) -> Result<()> {
        let n = blocks.groups.len();
        self.kept.clear();
        grow(&mut self.kept, n)?;
        self.kept.resize(n, true);
        for list in [&mut self.order, &mut self.hull] {
            list.clear();
            grow(list, 2 * n)?;
        }
        self.reduced.clear();
        grow(&mut self.reduced, n)?;
        self.points.clear();
        grow(&mut self.points, n)?;
        if level == Reduction::Off {
            return Ok(());
        }
        let contact = |i: &usize| matches!(blocks.groups[*i].kind, Kind::Contact(_));
        self.order.extend((0..n).filter(contact));
        self.order.sort_unstable_by_key(|&i| (bodies(blocks, i), i));
        let mut start = 0;
        while start < n.min(self.order.len()) {
            let lead = self.order[start];
            // Members of the patch of `lead` move to the front of what is left of its bodies.
            let mut end = start + 1;
            let mut at = end;
            while at < self.order.len() && bodies(blocks, self.order[at]) == bodies(blocks, lead) {
                if alike(blocks, lead, self.order[at]) {
                    self.order[end..=at].rotate_right(1);
                    end += 1;
                }
                at += 1;
            }
            if end - start > 1 {
                self.keep_hull(blocks, start..end);
            }
            start = end;
        }
        Ok(())
    }

    /// Keeps the corners of the hull of one patch.
    fn keep_hull(&mut self, blocks: &Blocks, patch: Range<usize>) {
        self.lay_out(blocks, patch.clone());
        let slack = {
            let size = |k: usize| self.points.iter().fold(0.0f64, |s, (p, _)| s.max(p[k].abs()));
            tol::PATCH_SLACK * size(0).max(size(1)).powi(2)
        };
        self.points.sort_unstable_by(|a, b| {
            a.0[0].total_cmp(&b.0[0]).then(a.0[1].total_cmp(&b.0[1])).then(a.1.cmp(&b.1))
        });
        for &i in &self.order[patch.clone()] {
            self.kept[i] = false;
        }
        self.drop_twins();
        // Lower, then upper chain.
        for back in [false, true] {
            self.hull.clear();
            for step in 0..self.points.len() {
                let k = if back { self.points.len() - 1 - step } else { step };
                let turn = |a: usize, b: usize| {
                    let [o, a, b] = [a, b, k].map(|k| self.points[k].0);
                    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
                };
                while let [.., a, b] = self.hull[..]
                    && turn(a, b) <= slack
                {
                    self.hull.pop();
                }
                self.hull.push(k);
            }
            for &k in &self.hull {
                self.kept[self.order[self.points[k].1]] = true;
            }
        }
        if self.order[patch.clone()].iter().any(|&i| !self.kept[i]) {
            self.reduced.push(patch);
        }
    }

    /// Of sorted points that coincide the one of the first contact is left: which one must not depend on rounding, or
    /// what is known of the load would be of others the next time.
    fn drop_twins(&mut self) {
        let size = self.points.iter().fold(0.0f64, |s, (p, _)| s.max(p[0].abs()).max(p[1].abs()));
        let near = tol::PATCH_TWINS * tol::PATCH_SLACK * size;
        let mut left: usize = 0;
        for k in 0..self.points.len() {
            let (p, place) = self.points[k];
            let twin =
                self.points[..left].iter_mut().rev().take_while(|(q, _)| p[0] - q[0] <= near);
            match twin.into_iter().find(|(q, _)| (p[1] - q[1]).abs() <= near) {
                Some((_, first)) => *first = place.min(*first),
                None => {
                    self.points[left] = (p, place);
                    left += 1;
                }
            }
        }
        self.points.truncate(left);
    }

    /// Coordinates of the normal rows of a patch along the two directions in which they differ most.
    fn lay_out(&mut self, blocks: &Blocks, patch: Range<usize>) {
        let row = |i: usize| normal_row(blocks, &blocks.groups[i]);
        let lead = self.order[patch.start];
        let product = |i: usize, j: usize| -> f64 {
            let pairs = row(i).zip(row(j)).zip(row(lead));
            pairs.map(|((a, b), o)| (a - o) * (b - o)).sum()
        };
        let farthest = |of: &dyn Fn(usize) -> f64| {
            let order = &self.order[patch.clone()];
            // Corners that are as far but for rounding: always the first of them.
            let farther = |i: usize, far: usize| of(i) > (1.0 + tol::PATCH_SLACK) * of(far);
            order.iter().fold(lead, |far, &i| if farther(i, far) { i } else { far })
        };
        let far = farthest(&|i| product(i, i));
        let length = product(far, far);
        let along = |i: usize| if length > 0.0 { product(i, far) / length } else { 0.0 };
        let off = |i: usize| product(i, i) - along(i) * along(i) * length;
        let aside = farthest(&off);
        let width = off(aside);
        self.points.clear();
        for place in patch.clone() {
            let i = self.order[place];
            let x = along(i);
            let y = if width > tol::PATCH_SLACK * length {
                (product(i, aside) - x * along(aside) * length) / width.sqrt()
            } else {
                0.0
            };
            // Differences in rounding must not make corners.
            self.points.push(([x * length.sqrt(), y].map(|x| snap(x, length.sqrt())), place));
        }
    }

    /// Takes in what the answer with the velocity `v` (in the order of the bodies) shows to be
    /// missing: contacts that approach, and, unless `level` is aggressive, all contacts of patches
    /// that spin. True when there is nothing. `scale`: the largest speed without impulses over the
    /// root of its response.
    pub(super) fn complete(
        &mut self,
        blocks: &Blocks,
        v: &[f64],
        level: Reduction,
        scale: f64,
    ) -> bool {
        let Self { kept, order, reduced, hull: missing, .. } = self;
        missing.clear();
        let slow = tol::STRUCTURED_DONE * scale;
        for patch in reduced.iter() {
            let members = &order[patch.clone()];
            let spins = level != Reduction::Aggressive && spins(blocks, members, kept, v, scale);
            missing.extend(members.iter().filter(|&&i| {
                let g = &blocks.groups[i];
                !kept[i]
                    && (spins || blocks.speeds(g, &g.offset, v)[0] < -slow * g.response[0].sqrt())
            }));
        }
        for &i in missing.iter() {
            kept[i] = true;
        }
        missing.is_empty()
    }
}

/// The bodies that a group touches: the first and the last.
fn bodies(blocks: &Blocks, i: usize) -> (usize, usize, usize) {
    let links = &blocks.links[blocks.groups[i].links.clone()];
    let body = |l: Option<&super::blocks::Link>| l.map_or(usize::MAX, |l| l.body);
    (links.len(), body(links.first()), body(links.last()))
}

/// Whether two contacts of the same bodies have the same normal and the same friction.
fn alike(blocks: &Blocks, a: usize, b: usize) -> bool {
    let (g, h) = (&blocks.groups[a], &blocks.groups[b]);
    // exact: one surface has one coefficient
    if g.dim != h.dim || g.mu != h.mu {
        return false;
    }
    let links = |g: &Group| blocks.links[g.links.clone()].iter();
    links(g).zip(links(h)).all(|(l, m)| {
        let n = blocks.size(l.body);
        let same = |x: &[f64]| {
            let (x, y) = (&x[l.at..l.at + n], &x[m.at..m.at + n]);
            let size = crate::linalg::max_abs(x);
            (0..n.div_ceil(2)).all(|k| (x[k] - y[k]).abs() <= tol::PATCH_NORMAL * size)
        };
        l.body == m.body && same(&blocks.row) && same(&blocks.impulse)
    })
}

/// The entries of the normal row of a group, body by body.
fn normal_row<'a>(blocks: &'a Blocks, g: &'a Group) -> impl Iterator<Item = f64> + 'a {
    let links = blocks.links[g.links.clone()].iter();
    links.flat_map(|l| blocks.row[l.at..l.at + blocks.size(l.body)].iter().copied())
}

/// Rounds `x` to a part of `size` far above its rounding.
fn snap(x: f64, size: f64) -> f64 {
    let unit = tol::PATCH_SLACK * size;
    if unit > 0.0 { (x / unit).round() * unit } else { x }
}

/// Whether the kept ones of `members` slip at different velocities.
fn spins(blocks: &Blocks, members: &[usize], kept: &[bool], v: &[f64], scale: f64) -> bool {
    let (mut least, mut most): (Triple, Triple) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let (mut dim, mut slow) = (1, 0.0f64);
    for &i in members.iter().filter(|&&i| kept[i]) {
        let g = &blocks.groups[i];
        dim = g.dim;
        slow = slow.max(tol::PATCH_SPIN * scale * g.response[1].sqrt());
        let u = blocks.speeds(g, &g.offset, v);
        for k in 1..dim {
            (least[k], most[k]) = (least[k].min(u[k]), most[k].max(u[k]));
        }
    }
    (1..dim).any(|k| most[k] - least[k] > slow)
}
