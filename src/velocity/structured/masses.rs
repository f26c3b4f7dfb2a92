//! Velocities from momenta where the mass couples bodies: springs taken implicitly do. Knows no contacts.

use super::blocks::Blocks;
use crate::error::{Error, Result, grow};
use crate::linalg::BlockLu;

/// The mass of all bodies, factored over the graph of its couplings. Storage grows with the largest problem seen and is then
/// used again.
#[derive(Debug, Default)]
pub(super) struct Masses {
    sizes: Vec<usize>,
    edges: Vec<(u32, u32)>,
    lu: BlockLu,
    x: Vec<f64>,
    pub(super) coupled: bool,
}

impl Masses {
    /// Takes the masses of `blocks`, if they couple bodies at all.
    ///
    /// # Errors
    /// `NotPositiveDefinite`, `Memory`.
    pub(super) fn take(&mut self, blocks: &Blocks) -> Result<()> {
        let bodies = 0..blocks.bodies();
        self.coupled = bodies.clone().any(|b| !blocks.couplings(b).is_empty());
        if !self.coupled {
            return Ok(());
        }
        self.sizes.clear();
        self.edges.clear();
        self.x.clear();
        grow(&mut self.sizes, bodies.len())?;
        grow(&mut self.x, blocks.coords.len())?;
        self.x.resize(blocks.coords.len(), 0.0);
        for b in bodies.clone() {
            self.sizes.push(blocks.size(b));
            add_edges(blocks, b, |body| body, &mut self.edges)?;
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.lu.analyze(&self.sizes, &self.edges)?;
        self.lu.clear();
        bodies.for_each(|b| fill(blocks, b, |body| body, &mut self.lu));
        // A mass whose symmetric part is definite has no singular block on the way.
        if !self.lu.factor() {
            return Err(Error::NotPositiveDefinite { what: "mass", row: 0, pivot: 0.0 });
        }
        Ok(())
    }

    /// out := M^-1 x for `bodies`, with all that the mass couples with them; both in the order of the bodies.
    pub(super) fn solve(&mut self, blocks: &Blocks, bodies: &[usize], x: &[f64], out: &mut [f64]) {
        self.x.fill(0.0);
        for &b in bodies {
            self.x[blocks.range(b)].copy_from_slice(&x[blocks.range(b)]);
        }
        self.lu.solve(&mut self.x);
        for &b in bodies {
            out[blocks.range(b)].copy_from_slice(&self.x[blocks.range(b)]);
        }
    }

    /// The same for all bodies.
    pub(super) fn solve_all(&mut self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
        self.lu.solve(out);
    }
}

/// Adds what the mass couples with body `b` to the edges of a graph whose nodes are `place`d.
///
/// # Errors
/// `Memory`.
pub(super) fn add_edges(
    blocks: &Blocks,
    b: usize,
    place: impl Fn(usize) -> usize,
    edges: &mut Vec<(u32, u32)>,
) -> Result<()> {
    let couplings = blocks.couplings(b);
    grow(edges, couplings.len())?;
    edges.extend(couplings.iter().map(|c| {
        let (i, j) = (place(b) as u32, place(c.to) as u32);
        (i.min(j), i.max(j))
    }));
    Ok(())
}

/// Writes the mass of body `b`, and what couples it with others, into a matrix that is zero there.
pub(super) fn fill(blocks: &Blocks, b: usize, place: impl Fn(usize) -> usize, lu: &mut BlockLu) {
    let n = blocks.size(b);
    let own = &blocks.mass[blocks.square[b]..blocks.square[b] + n * n];
    lu.block_mut(place(b), place(b)).copy_from_slice(own);
    for c in blocks.couplings(b) {
        let numbers = &blocks.mass[c.at..c.at + n * blocks.size(c.to)];
        lu.block_mut(place(c.to), place(b)).copy_from_slice(numbers);
    }
}
