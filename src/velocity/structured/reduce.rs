//! Patches: contacts of the same bodies along the same normal, of which few carry the load. Says
//! which contacts a problem can be solved without; whoever solves it must look at the others
//! afterwards. Knows no impulses.
//!
//! The rows of a patch on one plane are an affine function of two coordinates, so that a contact
//! inside the hull of others cannot approach unless one of them does, (vel.14). Which contacts
//! form a patch is a guess from the first half of the coordinates of each body, where rigid bodies
//! have their translation: a wrong guess costs time, not truth.

use super::blocks::{Blocks, Group, Kind, Link};
use super::polygon::{Mode, Triple};
use crate::error::{Result, grow};
use crate::linalg::dot;
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
    /// By what the normal rows of a patch differ from the first, one behind the other, and the products of each with itself.
    apart: Vec<f64>,
    squares: Vec<f64>,
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
                self.keep_hull(blocks, start..end)?;
            }
            start = end;
        }
        Ok(())
    }

    /// Keeps the corners of the hull of one patch.
    fn keep_hull(&mut self, blocks: &Blocks, patch: Range<usize>) -> Result<()> {
        self.lay_out(blocks, patch.clone())?;
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
        Ok(())
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
    fn lay_out(&mut self, blocks: &Blocks, patch: Range<usize>) -> Result<()> {
        let numbers = self.take_differences(blocks, patch.clone())?;
        let row = |k: usize| &self.apart[k * numbers..(k + 1) * numbers];
        let product =
            |j: usize, k: usize| -> f64 { row(j).iter().zip(row(k)).map(|(a, b)| a * b).sum() };
        // Corners that are as far but for rounding: always the first of them.
        let farthest = |of: &dyn Fn(usize) -> f64| {
            (0..self.squares.len()).fold((0, of(0)), |far, k| {
                let size = of(k);
                if size > (1.0 + tol::PATCH_SLACK) * far.1 { (k, size) } else { far }
            })
        };
        let (far, length) = farthest(&|k| self.squares[k]);
        let along = |k: usize| if length > 0.0 { product(k, far) / length } else { 0.0 };
        let off = |k: usize| {
            let along = along(k);
            self.squares[k] - along * along * length
        };
        let (aside, width) = farthest(&off);
        let sideways = along(aside);
        self.points.clear();
        for (k, place) in patch.enumerate() {
            let x = along(k);
            let y = if width > tol::PATCH_SLACK * length {
                (product(k, aside) - x * sideways * length) / width.sqrt()
            } else {
                0.0
            };
            // Differences in rounding must not make corners.
            self.points.push(([x * length.sqrt(), y].map(|x| snap(x, length.sqrt())), place));
        }
        Ok(())
    }

    /// `apart` and `squares` of a patch; how many numbers there are for each of its contacts.
    fn take_differences(&mut self, blocks: &Blocks, patch: Range<usize>) -> Result<usize> {
        let row = |i: usize| normal_row(blocks, &blocks.groups[i]);
        let (members, lead) = (&self.order[patch.clone()], self.order[patch.start]);
        let width = row(lead).count();
        self.apart.clear();
        self.squares.clear();
        grow(&mut self.apart, width * members.len())?;
        grow(&mut self.squares, members.len())?;
        for &i in members {
            let at = self.apart.len();
            self.apart.extend(row(i).zip(row(lead)).map(|(a, o)| a - o));
            self.squares.push(self.apart[at..].iter().map(|x| x * x).sum());
        }
        Ok(width)
    }

    /// Keeps patches whole in which more than the corners carried, by the modes of the problem before: they spun, and
    /// their points share the load from then on as they did.
    pub(super) fn keep_carried(&mut self, modes: &[Mode]) {
        for patch in &self.reduced {
            let members = &self.order[patch.clone()];
            if members.iter().any(|&i| !self.kept[i] && modes[i] != Mode::Open) {
                members.iter().for_each(|&i| self.kept[i] = true);
            }
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
        let speed = |i: usize| {
            let g = &blocks.groups[i];
            blocks.speeds(g, &g.offset, v)[0] / g.response[0].sqrt()
        };
        for patch in reduced.iter() {
            let members = &order[patch.clone()];
            let spins = level != Reduction::Aggressive && spins(blocks, members, kept, v, scale);
            let from = missing.len();
            missing.extend(members.iter().filter(|&&i| !kept[i] && (spins || speed(i) < -slow)));
            if !spins && missing.len() - from > tol::PATCH_TAKEN {
                // Those that approach fastest hold most of the others back.
                missing[from..]
                    .sort_unstable_by(|&a, &b| speed(a).total_cmp(&speed(b)).then(a.cmp(&b)));
                missing.truncate(from + tol::PATCH_TAKEN);
            }
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

/// Whether the contacts of a patch that take part slip differently, by more than what their normals disagree by.
fn spins(blocks: &Blocks, members: &[usize], kept: &[bool], v: &[f64], scale: f64) -> bool {
    let apart = |part: f64| slip_apart(blocks, members, kept, v, part * scale);
    apart(tol::PATCH_SPIN) && apart(tol::PATCH_SPIN + tol::PATCH_TILTED * tilt(blocks, members))
}

/// Largest difference between the normals of a patch, as a part of them.
fn tilt(blocks: &Blocks, members: &[usize]) -> f64 {
    let links = |i: usize| &blocks.links[blocks.groups[i].links.clone()];
    let mut most = 0.0f64;
    for &i in members {
        for (l, m) in links(members[0]).iter().zip(links(i)) {
            let lead = blocks.size(l.body).div_ceil(2);
            let (x, y) = (&blocks.row[l.at..l.at + lead], &blocks.row[m.at..m.at + lead]);
            let apart = x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            let size = crate::linalg::max_abs(x);
            most = if size > 0.0 { most.max(apart / size) } else { most };
        }
    }
    most
}

/// Whether slips differ by more than `speed` over the root of a response. Friction directions may differ from contact to
/// contact, turned along the slip of each: slips are compared along those of the first.
fn slip_apart(blocks: &Blocks, members: &[usize], kept: &[bool], v: &[f64], speed: f64) -> bool {
    let mut taking = members.iter().filter(|&&i| kept[i]).map(|&i| &blocks.groups[i]);
    let Some(first) = taking.next() else { return false };
    let u = blocks.speeds(first, &first.offset, v);
    taking.any(|g| {
        let root = first.response[1].max(g.response[1]).sqrt();
        let slow = speed * root;
        let slip = blocks.speeds(g, &g.offset, v);
        // Where directions cannot be compared, nothing is known: all points take part.
        (1..first.dim).any(|k| {
            along(blocks, first, k, g, &slip).is_none_or(|speed| (speed - u[k]).abs() > slow)
        })
    })
}

/// The slip `slip` of `g` along friction direction `k` of `first`, a contact of the same bodies with the same normal:
/// directions are compared by the first half of the coordinates of each body, which do not depend on the point.
fn along(blocks: &Blocks, first: &Group, k: usize, g: &Group, slip: &Triple) -> Option<f64> {
    let product = |a: &Group, i: usize, b: &Group, j: usize| -> f64 {
        let links = blocks.links[a.links.clone()].iter().zip(&blocks.links[b.links.clone()]);
        let of_link = |(l, m): (&Link, &Link)| {
            let (n, lead) = (blocks.size(l.body), blocks.size(l.body).div_ceil(2));
            dot(&blocks.row[l.at + i * n..][..lead], &blocks.row[m.at + j * n..][..lead])
        };
        links.map(of_link).sum()
    };
    let (a, x) = (product(g, 1, g, 1), product(g, 1, first, k));
    if g.dim == 2 {
        return (a > 0.0).then(|| x / a * slip[1]);
    }
    let (b, c, y) = (product(g, 1, g, 2), product(g, 2, g, 2), product(g, 2, first, k));
    let square = a * c - b * b;
    let known = square > tol::SAME_DIRECTION * a * c;
    known.then(|| ((x * c - y * b) * slip[1] + (y * a - x * b) * slip[2]) / square)
}
