//! Factorisation of a positive definite matrix, symmetric or not. Knows no mechanics.

use super::places::Places;
use super::skyline::Profile;
use super::spread::Spreads;
use super::{Columns, filled};
use crate::error::{Error, Result, grow, reserve};
use crate::tol;
use std::ops::Range;

/// Factor of a matrix whose symmetric part is positive definite. The L D L' factorisation of the
/// symmetric part decides definiteness; it also solves when the matrix is symmetric, otherwise an
/// LU factorisation with row exchanges does. Blocks along the diagonal that nothing couples, the
/// bodies of a mass matrix, are factored, stored and solved one by one; large ones in which most is
/// zero, bodies on springs, by their profile, of which only numbers that grow too much make a whole block.
#[derive(Debug)]
pub struct DefiniteFactor {
    symmetric: bool,
    /// L and D of L D L', or both LU factors, block by block, column-major.
    a: Vec<f64>,
    /// Row of its block that each row was exchanged with.
    swaps: Vec<usize>,
    /// Where each block begins, and the end of the last; where their numbers do in `a`.
    blocks: Vec<usize>,
    at: Vec<usize>,
    /// Which of them have a profile; the first column of each row, and where its numbers begin, of those that have.
    thin: Vec<bool>,
    low: Vec<usize>,
    row: Vec<usize>,
    places: Places,
    /// Of blocks with a profile, where bounds are asked for.
    spreads: Option<Spreads>,
}

impl DefiniteFactor {
    /// Takes storage for matrices of up to `n_max` rows.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(n_max: usize) -> Result<Self> {
        Self::with_room(n_max, n_max.saturating_mul(n_max))
    }

    /// Takes storage for matrices of up to `n_max` rows whose blocks have `numbers` entries in all.
    ///
    /// # Errors
    /// `Memory`.
    pub fn with_room(n_max: usize, numbers: usize) -> Result<Self> {
        Ok(Self {
            symmetric: true,
            a: reserve(numbers)?,
            swaps: reserve(n_max)?,
            blocks: reserve(n_max.saturating_add(1))?,
            at: reserve(n_max.saturating_add(1))?,
            thin: reserve(n_max)?,
            low: reserve(n_max)?,
            row: reserve(n_max)?,
            places: Places::new(n_max)?,
            spreads: None,
        })
    }

    /// The same, of which [`bound`](Self::bound) may be asked.
    ///
    /// # Errors
    /// `Memory`.
    pub fn with_bounds(n_max: usize, numbers: usize) -> Result<Self> {
        let spreads = Some(Spreads::new(n_max, numbers)?);
        Ok(Self { spreads, ..Self::with_room(n_max, numbers)? })
    }

    /// Rows of the largest matrix that the storage takes without growing.
    pub fn capacity(&self) -> usize {
        self.swaps.capacity()
    }

    /// Factors `m`. Needs it square, finite and of no more rows than the storage is for.
    ///
    /// # Errors
    /// `NotPositiveDefinite` with the name `what`; `Memory` where more is coupled than the storage was taken for.
    pub fn factor<'a>(&mut self, what: &'static str, m: impl Into<Columns<'a>>) -> Result<()> {
        let m = m.into();
        self.find_blocks(m);
        self.places.arrange(&self.blocks, m.order())?;
        self.lay_out(m)?;
        let mut symmetric = true;
        for b in 0..self.at.len() {
            let (block, range) = self.place_of(b);
            let mut a = std::mem::take(&mut self.a);
            let numbers = &mut a[range];
            let done = match self.profile(b) {
                Some(profile) => {
                    profile.read(m, &block, numbers);
                    symmetric &= profile.symmetrize(numbers);
                    profile.ldl(numbers)
                }
                None => {
                    filled::read(m, &block, numbers);
                    symmetric &= filled::symmetrize(block.len(), numbers);
                    filled::ldl(block.len(), numbers)
                }
            };
            self.a = a;
            done.map_err(|(i, pivot)| Error::NotPositiveDefinite {
                what,
                row: self.row_at(b, i),
                pivot,
            })?;
        }
        self.symmetric = symmetric;
        self.find_spreads()?;
        if symmetric { Ok(()) } else { self.factor_both(what, m) }
    }

    /// The spreads of the rows of blocks with a profile, from the factors of the symmetric part.
    fn find_spreads(&mut self) -> Result<()> {
        let Some(mut spreads) = self.spreads.take() else { return Ok(()) };
        let found = (0..self.at.len()).try_for_each(|b| {
            let (block, range) = self.place_of(b);
            self.profile(b).map_or(Ok(()), |p| spreads.find(&p, &block, &self.a[range]))
        });
        self.spreads = Some(spreads);
        found
    }

    /// L U of all blocks.
    fn factor_both(&mut self, what: &'static str, m: Columns<'_>) -> Result<()> {
        self.swaps.clear();
        for b in 0..self.at.len() {
            let (block, range) = self.place_of(b);
            let mut a = std::mem::take(&mut self.a);
            let done = self.profile(b).map(|profile| {
                profile.read(m, &block, &mut a[range.clone()]);
                profile.lu(&mut a[range])
            });
            self.a = a;
            if done == Some(true) {
                self.swaps.extend(0..block.len());
                continue;
            }
            if done == Some(false) {
                self.widen(b, block.len())?;
            }
            let (_, range) = self.place_of(b);
            let a = &mut self.a[range];
            filled::read(m, &block, a);
            filled::lu(what, block.start, block.len(), a, &mut self.swaps)?;
        }
        Ok(())
    }

    /// Rows and columns of block `b`, and where its numbers are.
    fn place_of(&self, b: usize) -> (Range<usize>, Range<usize>) {
        let block = self.blocks[b]..self.blocks[b + 1];
        let n = if self.thin[b] {
            let last = block.end - 1;
            self.row[last] + 2 * (block.len() - 1 - self.low[last]) + 1
        } else {
            block.len() * block.len()
        };
        (block, self.at[b]..self.at[b] + n)
    }

    /// The profile of block `b`, if it has one.
    fn profile(&self, b: usize) -> Option<Profile<'_>> {
        let block = self.blocks[b]..self.blocks[b + 1];
        self.thin[b].then(|| Profile {
            low: &self.low[block.clone()],
            row: &self.row[block.clone()],
            place: self.places.of(&block),
            moves: self.places.moves(&block),
        })
    }

    /// The row that is eliminated as number `i` of block `b`.
    fn row_at(&self, b: usize, i: usize) -> usize {
        let at = self.blocks[b] + i;
        if self.thin[b] { self.places.row(at) } else { at }
    }

    /// Gives block `b` of `n` rows room for all its numbers.
    fn widen(&mut self, b: usize, n: usize) -> Result<()> {
        self.thin[b] = false;
        self.at[b] = self.a.len();
        grow(&mut self.a, n * n)?;
        self.a.resize(self.at[b] + n * n, 0.0);
        Ok(())
    }

    /// Finds profiles and gives every block its room.
    fn lay_out(&mut self, m: Columns<'_>) -> Result<()> {
        for list in [&mut self.at, &mut self.low, &mut self.row] {
            list.clear();
        }
        self.thin.clear();
        self.a.clear();
        let mut end = 0;
        for b in self.blocks.windows(2) {
            let n = b[1] - b[0];
            self.low.resize(b[1], 0);
            self.row.resize(b[1], 0);
            let mut numbers = n * n;
            let mut thin = n > tol::PROFILE_ROWS;
            if thin {
                let (low, row) = (&mut self.low[b[0]..b[1]], &mut self.row[b[0]..b[1]]);
                self.places.find_profile(m, &(b[0]..b[1]), low);
                let mut at = 0;
                for (i, (low, row)) in low.iter().zip(row).enumerate() {
                    *row = at;
                    at += 2 * (i - low) + 1;
                }
                // Otherwise whole columns are as fast.
                thin = at < numbers / 2;
                numbers = if thin { at } else { numbers };
            }
            self.thin.push(thin);
            self.at.push(end);
            end += numbers;
        }
        grow(&mut self.a, end)?;
        self.a.resize(end, 0.0);
        Ok(())
    }

    /// Blocks of neighboring rows that no entry couples with others.
    fn find_blocks(&mut self, m: Columns<'_>) {
        let n = m.cols();
        self.blocks.clear();
        self.blocks.push(0);
        // The first row from here on that nothing so far reaches: by columns for what is below the
        // diagonal; what is above it joins blocks afterwards.
        let mut end = 0;
        for j in 0..n {
            if j == end && j > 0 {
                self.blocks.push(j);
            }
            let (first, last) = m.col(j).reach().unwrap_or((j, j));
            end = end.max(last + 1).max(j + 1);
            while self.blocks.last().is_some_and(|&start| start > first) {
                self.blocks.pop();
            }
        }
        self.blocks.push(n);
        if n == 0 {
            self.blocks.truncate(1);
        }
    }

    /// The blocks: their rows, their factors, their profile if they have one.
    fn each(&self) -> impl Iterator<Item = (Range<usize>, &[f64], Option<Profile<'_>>)> {
        (0..self.at.len()).map(|b| {
            let (block, range) = self.place_of(b);
            (block, &self.a[range], self.profile(b))
        })
    }

    /// x := A^-1 x. Needs a successful [`factor`](Self::factor) and `x` of its size.
    pub fn solve(&self, x: &mut [f64]) {
        for (block, a, profile) in self.each() {
            if let Some(profile) = profile {
                profile.solve(self.symmetric, a, &mut x[block]);
            } else if self.symmetric {
                filled::solve_ldl(a, &mut x[block]);
            } else {
                filled::solve_lu(a, &self.swaps[block.clone()], &mut x[block]);
            }
        }
    }

    /// x := a bound, entry by entry, of what the solve of a right-hand side with entries of size
    /// `x` adds up: the same substitution with absolute values. Rounding of a solution is a few
    /// units in the last place of it, however much of the solution cancels. Along a chain of stiff springs these grow as a
    /// power of its length, beyond all numbers: blocks with a profile are bounded by their inverse where that is less,
    /// if [`with_bounds`](Self::with_bounds) made them. Needs `x` >= 0.
    pub fn bound(&self, x: &mut [f64]) {
        for (block, a, profile) in self.each() {
            let x = &mut x[block.clone()];
            if let Some(profile) = profile {
                let spread = self.spreads.as_ref().map(|s| s.of(&block));
                profile.bound(self.symmetric, a, spread, x);
                continue;
            }
            for (k, &p) in self.swaps.iter().skip(block.start).take(x.len()).enumerate() {
                if !self.symmetric {
                    x.swap(k, p);
                }
            }
            filled::bound(self.symmetric, a, x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{MatRef, axpy};

    fn solved(m: &[f64], x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let view = MatRef::square("mass", m, n).unwrap();
        let mut b = vec![0.0; n];
        for j in 0..n {
            axpy(x[j], view.col(j), &mut b);
        }
        let mut f = DefiniteFactor::new(n).unwrap();
        f.factor("mass", view).unwrap();
        f.solve(&mut b);
        b
    }

    #[test]
    fn symmetric_and_unsymmetric_systems_give_back_the_known_solution() {
        let x = [1.0, -2.0, 3.0];
        let symmetric = [4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 5.0];
        let gyroscopic = [2.0, 7.0, -3.0, -7.0, 3.0, 9.0, 3.0, -9.0, 4.0];
        for m in [symmetric, gyroscopic] {
            for (a, b) in solved(&m, &x).iter().zip(&x) {
                assert!((a - b).abs() < 1e-14 * 9.0, "{a} {b}");
            }
        }
    }

    #[test]
    fn the_bound_is_exact_for_a_diagonal_and_above_the_solution_for_others() {
        let mut f = DefiniteFactor::new(3).unwrap();
        let diagonal = [2.0, 0.0, 0.0, 4.0];
        f.factor("mass", MatRef::square("mass", &diagonal, 2).unwrap()).unwrap();
        let mut x = [1.0, 1.0];
        f.bound(&mut x);
        assert_eq!(x, [0.5, 0.25]);
        let symmetric = [4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 5.0];
        let gyroscopic = [2.0, 7.0, -3.0, -7.0, 3.0, 9.0, 3.0, -9.0, 4.0];
        for m in [symmetric, gyroscopic] {
            f.factor("mass", MatRef::square("mass", &m, 3).unwrap()).unwrap();
            for b in [[1.0, -1.0, 2.0], [0.0, 3.0, 0.5]] {
                let (mut x, mut bound) = (b, b.map(f64::abs));
                f.solve(&mut x);
                f.bound(&mut bound);
                for i in 0..3 {
                    assert!(bound[i] >= x[i].abs(), "{bound:?} {x:?}");
                }
            }
        }
    }

    #[test]
    fn blocks_that_nothing_couples_are_solved_apart_and_one_entry_joins_them() {
        let mut m = vec![0.0; 25];
        for (i, d) in [4.0, 5.0, 6.0, 7.0, 8.0].into_iter().enumerate() {
            m[i * 6] = d;
        }
        (m[1], m[5]) = (1.0, 1.0);
        let x = [1.0, -2.0, 3.0, 0.5, -1.0];
        let mut f = DefiniteFactor::new(5).unwrap();
        f.factor("mass", MatRef::square("mass", &m, 5).unwrap()).unwrap();
        assert_eq!(f.blocks, [0, 2, 3, 4, 5]);
        // One entry above the diagonal, or below it, makes one block of all between; then LU solves.
        for (i, j) in [(1, 3), (3, 1)] {
            let mut m = m.clone();
            m[i + 5 * j] = 0.5;
            f.factor("mass", MatRef::square("mass", &m, 5).unwrap()).unwrap();
            assert_eq!(f.blocks, [0, 4, 5]);
            for (a, b) in solved(&m, &x).iter().zip(&x) {
                assert!((a - b).abs() < 1e-14, "{a} {b}");
            }
        }
        for (a, b) in solved(&m, &x).iter().zip(&x) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }

    /// Bodies of six in a row, each coupled with the next; the larger `skew`, the less symmetric.
    fn chain(bodies: usize, skew: f64) -> Vec<f64> {
        let n = 6 * bodies;
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5;
        let mut m = vec![0.0; n * n];
        for (i, j) in (0..n * n).map(|k| (k % n, k / n)).filter(|(i, j)| i <= j) {
            if j / 6 - i / 6 <= 1 {
                let (x, y) = (number(i + n * j), skew * number(3 * i + j));
                (m[i + j * n], m[j + i * n]) = (x + y, x - y);
            }
        }
        (0..n).for_each(|i| m[i * (n + 1)] = 8.0);
        m
    }

    #[test]
    fn a_chain_is_factored_by_its_profile_and_solved_as_the_whole_matrix_is() {
        let x: Vec<f64> = (0..72).map(|i| 1.0 + f64::from(i as u8 % 7)).collect();
        for (skew, thin) in [(0.0, true), (1.0, true), (400.0, false)] {
            let m = chain(12, skew);
            let mut f = DefiniteFactor::with_bounds(72, 72 * 72).unwrap();
            f.factor("mass", MatRef::square("mass", &m, 72).unwrap()).unwrap();
            assert_eq!((f.thin[0], f.symmetric), (thin, skew == 0.0), "{skew}");
            for (a, b) in solved(&m, &x).iter().zip(&x) {
                assert!((a - b).abs() < 1e-12, "{skew}: {a} {b}");
            }
            let (mut y, mut bound) = (x.clone(), x.clone());
            f.solve(&mut y);
            f.bound(&mut bound);
            assert!(y.iter().zip(&bound).all(|(y, bound)| y.abs() <= *bound));
        }
        let mut m = chain(12, 1.0);
        m[50 * 73] = -1.0;
        let mut f = DefiniteFactor::new(72).unwrap();
        let e = f.factor("mass", MatRef::square("mass", &m, 72).unwrap()).unwrap_err();
        assert!(matches!(e, Error::NotPositiveDefinite { row: 50, .. }));
    }

    #[test]
    fn positive_eigenvalues_alone_do_not_make_a_matrix_definite() {
        // [[1, 100], [0, 1]]: both eigenvalues are 1, the symmetric part has the eigenvalue -49.
        let m = [1.0, 0.0, 100.0, 1.0];
        let mut f = DefiniteFactor::new(2).unwrap();
        let e = f.factor("mass", MatRef::square("mass", &m, 2).unwrap()).unwrap_err();
        assert!(matches!(e, Error::NotPositiveDefinite { row: 1, .. }));
    }

    #[test]
    fn a_singular_mass_is_refused_at_its_row() {
        let m = [1.0, 1.0, 1.0, 1.0];
        let mut f = DefiniteFactor::new(2).unwrap();
        assert!(f.factor("mass", MatRef::square("mass", &m, 2).unwrap()).is_err());
        let zero = [0.0];
        assert!(f.factor("mass", MatRef::square("mass", &zero, 1).unwrap()).is_err());
    }

    #[test]
    fn masses_of_very_different_size_are_still_definite() {
        let m = [1e-9, 0.0, 0.0, 1e9];
        let mut f = DefiniteFactor::new(2).unwrap();
        f.factor("mass", MatRef::square("mass", &m, 2).unwrap()).unwrap();
        let mut x = [1e-9, 1e9];
        f.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
    }
}
