//! Islands with joints before contacts are looked at, and how well an island can be answered at all. Knows no law of
//! contacts.

use super::blocks::{Group, Link};
use super::island::Island;
use super::joints;
use super::newton::Newton;
use super::seeker::Seeker;
use crate::error::Result;
use crate::tol;

/// What became of an island when its joints were held.
pub(super) enum Held {
    Not,
    Joints,
    /// Nothing else is left to be done.
    All,
}

impl Seeker<'_> {
    /// Residuals of an island that are as good as rounding allows, and good enough.
    pub(super) fn target(&self, island: &Island) -> [f64; 2] {
        let groups = &self.known.islands.groups[island.groups.clone()];
        let scale = Newton::scale(self.known.blocks, groups.iter().copied());
        let joints = joints::of(self.known.blocks, groups);
        let rounding = self.rounding(joints);
        let done = if joints.is_empty() { tol::STRUCTURED_DONE } else { tol::STRUCTURED_HELD };
        let [target, done] = [tol::STRUCTURED_TARGET, done].map(|x| x * scale);
        [target.max(rounding), done.max(tol::ROUNDED_DONE * rounding)]
    }

    /// Rounding of the speeds along `joints`, over the roots of their responses: bodies that move fast, and hardly against
    /// each other, cannot obey them better.
    fn rounding(&self, joints: &[usize]) -> f64 {
        let of_joint = |g: &Group| {
            let of_link = |l: &Link| {
                let free = &self.known.free[self.known.blocks.range(l.body)];
                self.known.blocks.row[l.at..]
                    .iter()
                    .zip(free)
                    .map(|(a, v)| (a * v).abs())
                    .sum::<f64>()
            };
            let links = self.known.blocks.links[g.links.clone()].iter();
            links.map(of_link).sum::<f64>() / g.response[0].sqrt()
        };
        let speeds = joints.iter().map(|&i| of_joint(&self.known.blocks.groups[i]));
        f64::EPSILON * speeds.fold(0.0, f64::max)
    }

    /// Holds the joints of an island, if it has any; that may be all there is to do.
    pub(super) fn hold_joints(&mut self, island: &Island) -> Result<Held> {
        let groups = &self.known.islands.groups[island.groups.clone()];
        if joints::of(self.known.blocks, groups).is_empty() {
            self.tools.newton.joints.clear();
            return Ok(Held::Joints);
        }
        let [target, done] = self.target(island);
        let (blocks, islands) = (self.known.blocks, self.known.islands);
        if !self.tools.newton.begin(blocks, islands, island, target)? {
            return Ok(Held::Not);
        }
        self.tools.newton.take_modes(blocks, groups);
        let all = self.tools.newton.natural(blocks, groups) <= done;
        Ok(if all { Held::All } else { Held::Joints })
    }
}
