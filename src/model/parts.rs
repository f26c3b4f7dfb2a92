//! Which velocities masses and derivatives of forces couple, as far as a model tells. Knows no forces.

use super::{Dims, Elements, Model};
use crate::error::{Result, collect, grow, reserve};
use crate::linalg::{Blocked, Runs, order};
use crate::tol;

/// The shape of the matrices of a model and of the gradients of its elements.
#[derive(Debug, Default)]
pub struct Parts {
    n: usize,
    /// Where bodies that are stored apart begin; nothing where everything may be coupled.
    first: Vec<usize>,
    /// Rows of the columns of each body; nothing where no body is coupled with another.
    columns: Vec<Runs>,
    /// Order of their elimination, and numbers that a factor has at most.
    order: Vec<usize>,
    room: usize,
    /// Rows of the gradient of each element; nothing where they have all.
    gradients: Vec<Runs>,
}

impl Parts {
    /// Of a model with `nv` velocities and these [bodies](Model::bodies).
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(model: &dyn Model, bodies: &[usize]) -> Result<Self> {
        let Dims { nv, n_element, .. } = model.dims();
        let whole = Self { n: nv, ..Self::default() };
        let Some(couples) = model.couples()? else { return Ok(whole) };
        let two = |pair: &[Option<usize>; 2]| matches!(pair, [Some(a), Some(b)] if a != b);
        // The definite part of what is in no element takes the eigenvalues of all that is coupled.
        let own = couples.iter().skip(n_element).any(two);
        let unknown = couples.len() < n_element || (n_element > 0 && !model.elements_in_force());
        if bodies.len() < 2 || own || unknown {
            return Ok(whole);
        }
        let parts = Self::of(nv, bodies, &couples[..n_element])?;
        // Few bodies with springs between them are faster as one block.
        let few = n_element > 0 && parts.numbers() > nv * nv / tol::SPARSE;
        Ok(if few { whole } else { parts })
    }

    fn of(n: usize, bodies: &[usize], elements: &[[Option<usize>; 2]]) -> Result<Self> {
        let rows = |b: usize| bodies[b]..bodies.get(b + 1).copied().unwrap_or(n);
        let mut pairs = reserve(2 * elements.len() + bodies.len())?;
        pairs.extend((0..bodies.len()).map(|b| (b, b)));
        let mut gradients = reserve(elements.len())?;
        for ends in elements {
            let mut ends = ends.map(|end| end.filter(|b| *b < bodies.len()));
            ends.sort_unstable();
            let [a, b] = ends.map(|end| end.map_or(0..0, rows));
            gradients.push(Runs::around(a.chain(b)));
            if let [Some(a), Some(b)] = ends {
                pairs.extend([(a, b), (b, a)]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (mut columns, mut eliminated, mut room) = (Vec::new(), Vec::new(), 0);
        if pairs.len() > bodies.len() {
            let sizes = collect((0..bodies.len()).map(|b| rows(b).len()))?;
            (eliminated, room) = order(&sizes, &pairs)?;
            // Parts of which more than half is filled are factored whole, and short ones.
            room = (2 * room).max(tol::PROFILE_ROWS * n).min(n.saturating_mul(n));
            grow(&mut columns, bodies.len())?;
            for with in pairs.chunk_by(|x, y| x.0 == y.0) {
                columns.push(Runs::around(with.iter().flat_map(|&(_, b)| rows(b))));
            }
        }
        let first = collect(bodies.iter().copied())?;
        Ok(Self { n, first, columns, order: eliminated, room, gradients })
    }

    /// Numbers in one of the matrices.
    fn numbers(&self) -> usize {
        let ends = self.first.iter().skip(1).copied().chain([self.n]);
        let sizes = self.first.iter().zip(ends).map(|(first, end)| end - first).enumerate();
        sizes.map(|(b, n)| n * self.columns.get(b).map_or(n, Runs::width)).sum()
    }

    /// Whether matrices are stored with all their zeros.
    pub fn is_whole(&self) -> bool {
        self.first.len() < 2
    }

    /// A matrix of this shape, zero.
    ///
    /// # Errors
    /// `Memory`.
    pub fn square(&self) -> Result<Blocked> {
        if self.columns.is_empty() {
            return Blocked::new(self.n, &self.first);
        }
        Blocked::coupled(self.n, &self.first, &self.columns, (&self.order, self.room))
    }

    /// Room for the elements of a model of the sizes `d`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn elements(&self, d: &Dims) -> Result<Elements> {
        Elements::in_rows(d, &self.gradients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_springs_takes_the_rows_of_neighbors_and_a_star_those_of_its_middle() {
        let bodies: Vec<usize> = (0..100).map(|b| 6 * b).collect();
        let ring: Vec<_> = (0..100).map(|b| [Some(b), Some((b + 1) % 100)]).collect();
        let parts = Parts::of(600, &bodies, &ring).unwrap();
        // Three bodies each, but for the two that close the ring: their neighbors lie at both ends.
        assert_eq!(parts.numbers(), 100 * 6 * 18);
        assert_eq!(parts.square().unwrap().len(), parts.numbers());
        let star: Vec<_> = (0..99).map(|b| [Some(99), Some(b)]).collect();
        let parts = Parts::of(600, &bodies, &star).unwrap();
        assert_eq!(parts.numbers(), 98 * 6 * 12 + 6 * 12 + 6 * 600);
        let d = Dims { nv: 600, n_element: 99, ..Dims::default() };
        assert_eq!(parts.elements(&d).unwrap().gradient.len(), 99 * 12);
    }

    #[test]
    fn springs_to_the_ground_couple_nothing() {
        let ground = [[Some(1), None], [None, Some(0)], [None, None]];
        let parts = Parts::of(9, &[0, 6], &ground).unwrap();
        assert_eq!(parts.numbers(), 36 + 9);
        let d = Dims { nv: 9, n_element: 3, ..Dims::default() };
        assert_eq!(parts.elements(&d).unwrap().gradient.len(), 9);
        assert!(!parts.is_whole() && parts.square().unwrap().blocks().count() == 2);
    }
}
