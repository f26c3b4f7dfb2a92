//! Patches: contacts of the same bodies along the same normal, of which the corners of their hull stand
//! for all. Says which contacts a step can be made without; whoever makes it must look at the others
//! afterwards. Knows no model and no method.
//!
//! Which contacts form a patch is a guess from the first half of the coordinates of each body, or of those that a contact
//! touches where no bodies are told; that the
//! others of them lie in a plane, and which do not stand out of it, is looked at, (step.71).

use super::geometry::Geometry;
use crate::error::{Result, reserve};
use crate::linalg::Column;
use crate::tol;
use std::ops::Range;

/// Which contacts take part in the step under way.
#[derive(Debug, Default)]
pub(super) struct Patches {
    /// Per contact: whether it is left out.
    pub out: Vec<bool>,
    /// Contacts that are left out, and those of the fixed ones that are not. Empty, both of them, when
    /// all take part.
    pub left: Vec<usize>,
    kept: Vec<usize>,
    /// Whether the model is asked for them nevertheless.
    pub shown: bool,
    /// Per contact: whether the step that is tried again needs it.
    stays: Vec<bool>,
    /// A step was found to need more contacts than it had; how often since it was first tried.
    pub again: bool,
    rounds: usize,
    /// Contacts, those of a patch side by side, and the patches of which not all take part.
    order: Vec<usize>,
    reduced: Vec<Range<usize>>,
    /// Coordinates in the plane of a patch, how far its gap is above that plane, and the place in
    /// `order`.
    points: Vec<Point>,
    /// One for all points at the same place, and the hull under way.
    apart: Vec<usize>,
    hull: Vec<usize>,
    /// Per coordinate: whether it is in the first half of those of its body; whether bodies were told.
    leading: Vec<bool>,
    told: bool,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    at: [f64; 2],
    above: f64,
    place: usize,
}

/// What two contacts of one patch have in common besides their columns.
pub(super) trait Surfaces {
    /// Friction and restitution of contact `i`.
    fn of(&self, i: usize) -> [f64; 2];
}

impl Patches {
    /// For `n` contacts of a model with `nv` velocities whose bodies begin at `bodies`; one body where
    /// nothing is known.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn new(n: usize, nv: usize, bodies: &[usize]) -> Result<Self> {
        let flags = |n: usize| -> Result<Vec<bool>> {
            let mut x = reserve(n)?;
            x.resize(n, false);
            Ok(x)
        };
        let mut leading = flags(nv)?;
        let ends = bodies.iter().skip(1).copied().chain([nv]);
        let firsts = if bodies.is_empty() { &[0][..] } else { bodies };
        for (&first, end) in firsts.iter().zip(ends) {
            leading[first..first + (end - first).div_ceil(2)].fill(true);
        }
        Ok(Self {
            out: flags(n)?,
            left: reserve(n)?,
            kept: reserve(n)?,
            shown: false,
            stays: flags(n)?,
            again: false,
            rounds: 0,
            order: reserve(n)?,
            reduced: reserve(n)?,
            points: reserve(n)?,
            apart: reserve(n)?,
            hull: reserve(2 * n)?,
            leading,
            told: !bodies.is_empty(),
        })
    }

    /// Whether two normals of one contact differ by so much that it has passed an edge in between, (step.72): by the first half
    /// of the coordinates of each body, its translation. Unknown, and false, where no bodies were told.
    pub(super) fn turned_over(&self, a: Column<'_>, b: Column<'_>) -> bool {
        if !self.told {
            return false;
        }
        let mut sums = [0.0; 3];
        let mut take = |i: usize, x: f64, y: f64| {
            if self.leading[i] {
                sums[0] += x * y;
                sums[1] += x * x;
                sums[2] += y * y;
            }
        };
        if a.runs() == b.runs() {
            a.entries().zip(b.entries()).for_each(|((i, x), (_, y))| take(i, x, y));
        } else {
            a.runs().and(&b.runs()).rows().for_each(|i| take(i, a.at(i), b.at(i)));
        }
        let [along, size_a, size_b] = sums;
        along < 0.0 || along * along < tol::TURNED_OVER * size_a * size_b
    }

    /// Before a step is tried for the first time.
    pub(super) fn begin(&mut self) {
        self.again = false;
        self.rounds = 0;
        self.stays.fill(false);
    }

    /// Lets all contacts take part.
    pub(super) fn clear(&mut self) {
        for &i in &self.left {
            self.out[i] = false;
        }
        self.left.clear();
        self.kept.clear();
        self.reduced.clear();
    }

    /// Contacts that the model is not asked for.
    pub(super) fn hidden(&self) -> &[usize] {
        if self.shown { &[] } else { &self.left }
    }

    /// Whether contact `i` is one of them.
    pub(super) fn hides(&self, i: usize) -> bool {
        self.out[i] && !self.shown
    }

    /// The fixed contacts that the model is asked for, where it is not asked for all.
    pub(super) fn asked(&self) -> Option<&[usize]> {
        (!self.shown && !self.kept.is_empty()).then_some(&self.kept)
    }

    /// Whether some contact is left out.
    pub(super) fn any(&self) -> bool {
        !self.left.is_empty()
    }

    /// The step needs contact `i` as well.
    pub(super) fn return_contact(&mut self, i: usize) {
        self.stays[i] = true;
        self.again = true;
    }

    /// The step needs all contacts of patch `k`.
    pub(super) fn return_patch(&mut self, k: usize) {
        for &i in &self.order[self.reduced[k].clone()] {
            self.stays[i] = true;
        }
        self.again = true;
    }

    /// Number of patches of which not all contacts take part.
    pub(super) fn len(&self) -> usize {
        self.reduced.len()
    }

    /// The contacts of patch `k`.
    pub(super) fn members(&self, k: usize) -> &[usize] {
        &self.order[self.reduced[k].clone()]
    }

    /// Finds contacts of `g` that can be left out, among those that `may`; a gap of `slack` below what
    /// the others say is none.
    pub(super) fn find(
        &mut self,
        g: &Geometry,
        surfaces: &impl Surfaces,
        slack: f64,
        may: impl Fn(usize) -> bool,
    ) {
        self.clear();
        self.order.clear();
        let again = std::mem::take(&mut self.again);
        self.rounds += usize::from(again);
        if self.rounds > tol::PATCH_ROUNDS {
            return;
        }
        self.order.extend((0..g.gap.len()).filter(|&i| may(i)));
        if self.order.len() <= tol::MANY_CONTACTS {
            return;
        }
        self.order.sort_unstable_by(|&a, &b| g.runs_of(a).cmp(&g.runs_of(b)).then(a.cmp(&b)));
        let mut start = 0;
        while start < self.order.len() {
            let end = self.gather(g, surfaces, start);
            if end - start > tol::MANY_CONTACTS {
                self.reduce(g, start..end, slack);
            }
            start = end;
        }
        self.left.sort_unstable();
    }

    /// The fixed contacts that take part, of `fixed`.
    pub(super) fn keep_rest(&mut self, fixed: usize) {
        self.kept.clear();
        if self.any() {
            self.kept.extend((0..fixed).filter(|&i| !self.out[i]));
        }
    }

    /// Takes a patch that `keep` refuses back in.
    pub(super) fn keep_patches(&mut self, keep: impl Fn(&Self, usize) -> bool) {
        let mut k = 0;
        while k < self.reduced.len() {
            if keep(self, k) {
                let patch = self.reduced.remove(k);
                for &i in &self.order[patch] {
                    self.out[i] = false;
                }
            } else {
                k += 1;
            }
        }
        let out = &self.out;
        self.left.retain(|&i| out[i]);
    }

    /// Moves what is like the contact at `start` behind it; the end of the patch.
    fn gather(&mut self, g: &Geometry, surfaces: &impl Surfaces, start: usize) -> usize {
        let lead = self.order[start];
        let (mut end, mut at) = (start + 1, start + 1);
        while at < self.order.len() && g.runs_of(self.order[at]) == g.runs_of(lead) {
            if self.alike(g, surfaces, lead, self.order[at]) {
                self.order[end..=at].rotate_right(1);
                end += 1;
            }
            at += 1;
        }
        end
    }

    /// Whether two contacts with equal runs have one surface, one normal and the same directions.
    fn alike(&self, g: &Geometry, surfaces: &impl Surfaces, a: usize, b: usize) -> bool {
        // exact: one surface has one coefficient
        if surfaces.of(a) != surfaces.of(b) {
            return false;
        }
        let same_where = |counts: &dyn Fn(usize) -> bool, x: Column<'_>, y: Column<'_>| {
            x.difference(&y, counts) <= tol::PATCH_NORMAL * x.max_abs()
        };
        // Where no bodies were told, what a contact touches is all that is known of them.
        let runs = g.runs_of(a);
        let same = |x: Column<'_>, y: Column<'_>| {
            same_where(&|row| self.leading[row], x, y)
                || (!self.told && same_where(&|row| runs.leads(row), x, y))
        };
        // Two directions tell of all of a polygon.
        let half = g.independent_directions().end;
        same(g.normal(a), g.normal(b))
            && [0, half / 2].iter().all(|&k| half == 0 || same(g.tangent(a, k), g.tangent(b, k)))
    }

    /// Leaves out what is inside of the hull of one patch.
    fn reduce(&mut self, g: &Geometry, patch: Range<usize>, slack: f64) {
        let size = self.lay_out(g, patch.clone());
        let thin = tol::PATCH_SLACK * size * size;
        self.points.sort_unstable_by(|a, b| {
            let by = |k: usize| a.at[k].total_cmp(&b.at[k]);
            by(0).then(by(1)).then(a.place.cmp(&b.place))
        });
        self.drop_twins(tol::PATCH_TWINS * tol::PATCH_SLACK * size, slack);
        // `hull` holds the corners, lower chain, then upper.
        self.hull.clear();
        let n = self.apart.len();
        for back in [false, true] {
            let base = self.hull.len();
            for step in 0..n {
                let k = self.apart[if back { n - 1 - step } else { step }];
                while self.hull.len() > base + 1
                    && let [.., a, b] = self.hull[..]
                    && self.turn(a, b, k) <= thin
                {
                    self.hull.pop();
                }
                self.hull.push(k);
            }
        }
        let corners = |k: &usize| self.points[*k].above;
        let highest = self.hull.iter().map(corners).fold(f64::NEG_INFINITY, f64::max);
        self.hull.sort_unstable();
        let before = self.left.len();
        for (k, p) in self.points.iter().enumerate() {
            let i = self.order[p.place];
            let inside = self.hull.binary_search(&k).is_err();
            if inside && !self.stays[i] && p.above >= highest - slack {
                self.out[i] = true;
                self.left.push(i);
            }
        }
        // Fewer than half would not make up for the look at them.
        if 2 * (self.left.len() - before) >= patch.len() {
            self.reduced.push(patch);
            return;
        }
        for i in self.left.drain(before..) {
            self.out[i] = false;
        }
    }

    /// `apart` := of sorted points up to `near` from each other the lowest, of those that are as low up to `slack` the
    /// first: were it rounding that chooses, what is known of the load would be of others the next time.
    fn drop_twins(&mut self, near: f64, slack: f64) {
        let points = &self.points;
        let rank = |k: usize| {
            let low = if slack > 0.0 { (points[k].above / slack).round() } else { points[k].above };
            (low, points[k].place)
        };
        self.apart.clear();
        for k in 0..points.len() {
            let off = |j: usize, side: usize| (points[k].at[side] - points[j].at[side]).abs();
            let twins = self.apart.iter_mut().rev().take_while(|j| off(**j, 0) <= near);
            match twins.into_iter().find(|j| off(**j, 1) <= near) {
                Some(j) if rank(k) < rank(*j) => *j = k,
                Some(_) => {}
                None => self.apart.push(k),
            }
        }
    }

    /// Twice the area of three points, positive when they turn left.
    fn turn(&self, o: usize, a: usize, b: usize) -> f64 {
        let [o, a, b] = [o, a, b].map(|k| self.points[k].at);
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    }

    /// Coordinates of the contacts of a patch along the two directions in which their normals differ
    /// most, without those whose normals differ otherwise; the extent of the patch.
    fn lay_out(&mut self, g: &Geometry, patch: Range<usize>) -> f64 {
        let first = patch.start;
        let lead = self.order[first];
        let from = g.normal(lead);
        let apart = |a: usize, b: usize| g.normal(a).product_from(&g.normal(b), &from);
        self.points.clear();
        // First the squares of distances from the lead, then what is off the line to the farthest.
        for place in patch {
            let i = self.order[place];
            self.points.push(Point { at: [0.0; 2], above: apart(i, i), place });
        }
        let farthest = |points: &[Point]| {
            points.iter().fold((first, 0.0), |far, p| {
                let farther = p.above > (1.0 + tol::PATCH_SLACK) * far.1;
                if farther { (p.place, p.above) } else { far }
            })
        };
        let (far, square) = farthest(&self.points);
        let (far, length) = (self.order[far], square.sqrt());
        for p in &mut self.points {
            let x = if length > 0.0 { apart(self.order[p.place], far) / length } else { 0.0 };
            p.at[0] = x;
            p.above -= x * x;
        }
        let (aside, off) = farthest(&self.points);
        let flat = off <= (tol::PATCH_SLACK * length).powi(2);
        let (aside, width) = (self.order[aside], if flat { 0.0 } else { off.sqrt() });
        let shift = if flat { 0.0 } else { apart(aside, far) / length };
        // The plane through the gaps of three of them.
        let rise = if length > 0.0 { (g.gap[far] - g.gap[lead]) / length } else { 0.0 };
        let tilt = if flat { 0.0 } else { (g.gap[aside] - g.gap[lead] - rise * shift) / width };
        let loose = tol::PATCH_NORMAL * (length + from.max_abs());
        let order = &self.order;
        self.points.retain_mut(|p| {
            let (i, x) = (order[p.place], p.at[0]);
            let y = if flat { 0.0 } else { (apart(i, aside) - x * shift) / width };
            let in_plane = p.above - y * y <= loose * loose;
            p.above = g.gap[i] - g.gap[lead] - rise * x - tilt * y;
            // Differences in rounding must not make corners.
            p.at = [x, y].map(|x| snap(x, length));
            in_plane
        });
        length
    }
}

/// Rounds `x` to a part of `size` far above its rounding.
fn snap(x: f64, size: f64) -> f64 {
    let unit = tol::PATCH_SLACK * size;
    if unit > 0.0 { (x / unit).round() * unit } else { x }
}
