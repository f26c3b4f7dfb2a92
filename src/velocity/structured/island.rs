//! Islands: bodies that touch each other, directly or through others. The ground is no body, so
//! two piles on one floor are two islands. Knows no impulses.

use super::blocks::Blocks;
use crate::error::{Result, grow};
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
    /// Sorts the bodies of `blocks` that some group touches.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn find(&mut self, blocks: &Blocks) -> Result<()> {
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
        self.number.resize(blocks.bodies(), usize::MAX);
        for g in &blocks.groups {
            let Some(link) = blocks.links.get(g.links.start) else { continue };
            let head = self.head(link.body);
            if self.number[head] == usize::MAX {
                self.number[head] = self.all.len();
                self.all.push(Island::default());
            }
        }
        for k in 0..self.all.len() {
            let (body, group) = (self.bodies.len(), self.groups.len());
            for b in 0..blocks.bodies() {
                if self.number[self.head(b)] == k {
                    self.bodies.push(b);
                }
            }
            for (i, g) in blocks.groups.iter().enumerate() {
                let of = |l: &super::blocks::Link| self.number[self.head(l.body)] == k;
                if blocks.links.get(g.links.start).is_some_and(of) {
                    self.groups.push(i);
                }
            }
            self.all[k] =
                Island { bodies: body..self.bodies.len(), groups: group..self.groups.len() };
        }
        Ok(())
    }

    fn head(&self, mut body: usize) -> usize {
        while self.root[body] != body {
            body = self.root[body];
        }
        body
    }
}
