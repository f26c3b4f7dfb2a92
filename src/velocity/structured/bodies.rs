//! Bodies and their masses: which coordinates belong together, and what couples bodies that do not. Knows no joints and no
//! contacts.

use super::blocks::{Blocks, Coupling};
use crate::error::{Result, grow};
use crate::linalg::{Columns, DefiniteFactor, MatRef, axpy};
use crate::tol;

impl Blocks {
    /// Coordinates that were told to be a body, or that the mass couples, by joining sets. Where it couples more than a few
    /// that were told, each stays what it was told to be.
    pub(super) fn find_bodies(&mut self, mass: Columns<'_>) {
        let n = mass.cols();
        let root = |of: &[usize], mut i: usize| {
            while of[i] != i {
                i = of[i];
            }
            i
        };
        let of = &mut self.body_of;
        of.clear();
        of.extend(0..n);
        for (k, &first) in self.told.iter().enumerate() {
            let end = self.told.get(k + 1).map_or(n, |&next| next.min(n));
            of[first.min(n)..end].fill(first);
        }
        self.alone.extend_from_slice(of);
        for j in 0..n {
            for (i, x) in mass.col(j).entries() {
                // exact: what the model does not write is zero
                if x != 0.0 && i != j {
                    let (a, b) = (root(of, i), root(of, j));
                    of[a.max(b)] = a.min(b);
                }
            }
        }
        if !self.told.is_empty() {
            self.together.resize(n, 0);
            (0..n).for_each(|i| self.together[root(of, i)] += 1);
            for i in 0..n {
                if self.together[root(of, i)] > tol::COUPLED_AS_ONE {
                    self.together[i] = usize::MAX;
                }
            }
            let apart = self.together.iter().zip(&self.alone).zip(of.iter_mut());
            apart.filter(|((count, _), _)| **count == usize::MAX).for_each(|((_, a), of)| *of = *a);
        }
        self.coords.clear();
        self.first.clear();
        self.first.push(0);
        for head in 0..n {
            if root(of, head) != head {
                continue;
            }
            for i in head..n {
                if root(of, i) == head {
                    self.coords.push(i);
                }
            }
            self.first.push(self.coords.len());
        }
        for body in 0..self.first.len() - 1 {
            for at in self.first[body]..self.first[body + 1] {
                of[self.coords[at]] = body;
            }
        }
    }

    /// Masses of the bodies and their inverses.
    pub(super) fn invert(&mut self, mass: Columns<'_>) -> Result<()> {
        self.mass.clear();
        self.inverse.clear();
        self.square.clear();
        for body in 0..self.bodies() {
            let (range, n) = (self.range(body), self.size(body));
            let at = self.mass.len();
            self.square.push(at);
            grow(&mut self.mass, n * n)?;
            grow(&mut self.inverse, n * n)?;
            for &j in &self.coords[range.clone()] {
                let column = mass.col(j);
                self.mass.extend(self.coords[range.clone()].iter().map(|&i| column.at(i)));
            }
            let factor = match &mut self.factor {
                Some(f) if f.capacity() >= n => f,
                other => other.insert(DefiniteFactor::new(n)?),
            };
            factor.factor("mass", MatRef::square("mass", &self.mass[at..], n)?)?;
            self.inverse.resize(at + n * n, 0.0);
            for (j, column) in self.inverse[at..].chunks_exact_mut(n).enumerate() {
                column.fill(0.0);
                column[j] = 1.0;
                factor.solve(column);
            }
        }
        self.couple(mass)
    }

    /// Blocks of the mass beside the diagonal.
    fn couple(&mut self, mass: Columns<'_>) -> Result<()> {
        self.couplings.clear();
        self.coupled.clear();
        for body in 0..self.bodies() {
            self.coupled.push(self.couplings.len());
            self.touched.clear();
            for &j in &self.coords[self.first[body]..self.first[body + 1]] {
                for (i, x) in mass.col(j).entries() {
                    let other = self.body_of[i];
                    // exact: what the model does not write is zero
                    if x != 0.0 && other != body && !self.touched.contains(&other) {
                        grow(&mut self.touched, 1)?;
                        self.touched.push(other);
                    }
                }
            }
            self.touched.sort_unstable();
            for k in 0..self.touched.len() {
                let (to, at) = (self.touched[k], self.mass.len());
                let count = self.size(to) * self.size(body);
                grow(&mut self.couplings, 1)?;
                grow(&mut self.mass, count)?;
                self.couplings.push(Coupling { to, at });
                for &j in &self.coords[self.first[body]..self.first[body + 1]] {
                    let column = mass.col(j);
                    let rows = &self.coords[self.first[to]..self.first[to + 1]];
                    self.mass.extend(rows.iter().map(|&i| column.at(i)));
                }
            }
        }
        self.coupled.push(self.couplings.len());
        Ok(())
    }

    /// Couplings of a body with others.
    pub(super) fn couplings(&self, body: usize) -> &[Coupling] {
        &self.couplings[self.coupled[body]..self.coupled[body + 1]]
    }

    /// Whether the mass couples one of `bodies` with another.
    pub(super) fn couples(&self, bodies: &[usize]) -> bool {
        !self.couplings.is_empty() && bodies.iter().any(|&b| !self.couplings(b).is_empty())
    }

    /// out -= M x over `bodies`, all that the mass couples with each other; both in the order of the bodies.
    pub(super) fn subtract_mass_times(&self, bodies: &[usize], x: &[f64], out: &mut [f64]) {
        for &b in bodies {
            let diagonal = Coupling { to: b, at: self.square[b] };
            for block in std::iter::once(&diagonal).chain(self.couplings(b)) {
                let (range, n) = (self.range(block.to), self.size(block.to));
                for (j, at) in self.range(b).enumerate() {
                    let column = &self.mass[block.at + j * n..block.at + (j + 1) * n];
                    axpy(-x[at], column, &mut out[range.clone()]);
                }
            }
        }
    }
}
