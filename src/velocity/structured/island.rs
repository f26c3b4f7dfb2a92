//! Islands: bodies that touch each other or that the mass couples, directly or through others. The ground is no body, so
//! two piles on one floor are two islands. Knows no impulses.

use super::blocks::{Blocks, Group};
use crate::error::{Result, grow};
use crate::tol;
use std::ops::Range;

/// Bodies and groups sorted by island.
#[derive(Debug, Default)]
pub(super) struct Islands {
    root: Vec<usize>,
    number: Vec<usize>,
    pub bodies: Vec<usize>,
    pub groups: Vec<usize>,
    /// Ranges of `bodies` and of `groups`.
    pub all: Vec<Island>,
}

/// One island.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    pub bodies: Range<usize>,
    pub groups: Range<usize>,
}

impl Islands {
    /// Sorts the bodies of `blocks` that some group touches, and the groups that are `kept`.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn find(&mut self, blocks: &Blocks, kept: &[bool]) -> Result<()> {
        for list in [&mut self.root, &mut self.number, &mut self.bodies] {
            list.clear();
            grow(list, blocks.bodies())?;
        }
        self.groups.clear();
        grow(&mut self.groups, blocks.groups.len())?;
        self.all.clear();
        grow(&mut self.all, blocks.bodies())?;
        self.root.extend(0..blocks.bodies());
        for g in &blocks.groups {
            let links = &blocks.links[g.links.clone()];
            for pair in links.windows(2) {
                let (a, b) = (self.head(pair[0].body), self.head(pair[1].body));
                self.root[a.max(b)] = a.min(b);
            }
        }
        for b in 0..blocks.bodies() {
            for c in blocks.couplings(b) {
                let (a, b) = (self.head(b), self.head(c.to));
                self.root[a.max(b)] = a.min(b);
            }
        }
        self.number.resize(blocks.bodies(), usize::MAX);
        for g in &blocks.groups {
            let Some(link) = blocks.links.get(g.links.start) else { continue };
            let head = self.head(link.body);
            if self.number[head] == usize::MAX {
                self.number[head] = self.all.len();
                self.all.push(Island::default());
            }
        }
        // Sorted by counting: first how many of each island, then where they go.
        for b in 0..blocks.bodies() {
            if let Some(k) = self.island_of(b) {
                self.all[k].bodies.end += 1;
            }
        }
        for (_, g) in blocks.groups.iter().enumerate().filter(|(i, _)| kept[*i]) {
            if let Some(k) = self.island_of_group(blocks, g) {
                self.all[k].groups.end += 1;
            }
        }
        let (mut body, mut group) = (0, 0);
        for island in &mut self.all {
            let (bodies, groups) = (island.bodies.end, island.groups.end);
            island.bodies = body..body;
            island.groups = group..group;
            (body, group) = (body + bodies, group + groups);
        }
        self.bodies.resize(body, 0);
        self.groups.resize(group, 0);
        for b in 0..blocks.bodies() {
            if let Some(k) = self.island_of(b) {
                self.bodies[self.all[k].bodies.end] = b;
                self.all[k].bodies.end += 1;
            }
        }
        for (i, g) in blocks.groups.iter().enumerate().filter(|(i, _)| kept[*i]) {
            if let Some(k) = self.island_of_group(blocks, g) {
                self.groups[self.all[k].groups.end] = i;
                self.all[k].groups.end += 1;
            }
        }
        Ok(())
    }

    /// How many threads have something to do.
    pub(super) fn worth_threads(&self) -> usize {
        self.all.iter().filter(|i| i.groups.len() >= tol::WORTH_A_THREAD).count()
    }

    /// The island of a body; none for one that nothing touches.
    fn island_of(&self, body: usize) -> Option<usize> {
        let k = self.number[self.head(body)];
        (k != usize::MAX).then_some(k)
    }

    fn island_of_group(&self, blocks: &Blocks, g: &Group) -> Option<usize> {
        blocks.links.get(g.links.start).and_then(|l| self.island_of(l.body))
    }

    fn head(&self, mut body: usize) -> usize {
        while self.root[body] != body {
            body = self.root[body];
        }
        body
    }
}
