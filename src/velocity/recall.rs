//! The basis of a velocity problem by contacts, and the unknowns that go with it: which of them are left
//! when other contacts take part. Knows names of contacts, not what they are.

use super::Problem;
use super::assemble::Layout;
use super::solver::Solver;
use crate::error::{Result, reserve};
use std::ops::Range;

/// A remembered basis: its parts are the unknowns of one contact each, then those of one brake
/// each. Contacts have names, brakes go by their order.
#[derive(Debug, PartialEq)]
pub struct Basis {
    /// Names of the contacts, ascending.
    names: Vec<usize>,
    /// Where each part ends.
    ends: Vec<usize>,
    /// Which unknowns are basic.
    basic: Vec<bool>,
    /// Their values, zero where nothing is known of them.
    z: Vec<f64>,
}

impl Basis {
    /// Nothing, with room for `unknowns`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(unknowns: usize) -> Result<Self> {
        // A brake that holds nothing is a part without unknowns: there are never more of them than
        // there is room for.
        Ok(Self {
            names: reserve(unknowns)?,
            ends: reserve(unknowns)?,
            basic: reserve(unknowns)?,
            z: reserve(unknowns)?,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.names.clear();
        self.ends.clear();
        self.basic.clear();
        self.z.clear();
    }

    /// Takes over `other`, for which there must be room.
    pub fn copy_from(&mut self, other: &Basis) {
        self.clear();
        self.names.extend_from_slice(&other.names);
        self.ends.extend_from_slice(&other.ends);
        self.basic.extend_from_slice(&other.basic);
        self.z.extend_from_slice(&other.z);
    }

    /// Adds a part: of the contact `name`, which is larger than those before, or, behind all
    /// contacts, of the next brake. Its unknowns: the value of one that is basic.
    pub fn push(&mut self, name: Option<usize>, unknowns: impl Iterator<Item = Option<f64>>) {
        self.names.extend(name);
        for value in unknowns {
            self.basic.push(value.is_some());
            self.z.push(value.unwrap_or(0.0));
        }
        self.ends.push(self.basic.len());
    }

    /// The parts in order, brakes without a name: the values of unknowns that are basic.
    pub fn parts(
        &self,
    ) -> impl ExactSizeIterator<Item = (Option<usize>, impl ExactSizeIterator<Item = Option<f64>>)>
    {
        (0..self.ends.len()).map(|i| {
            let part = self.part(i);
            let all = self.basic[part.clone()].iter().zip(&self.z[part]);
            (self.names.get(i).copied(), all.map(|(&basic, &z)| basic.then_some(z)))
        })
    }

    /// The unknowns of part `i`.
    fn part(&self, i: usize) -> Range<usize> {
        i.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[i]
    }

    /// The unknowns of the contact `name`; none for one that took no part.
    fn of_contact(&self, name: usize) -> Range<usize> {
        self.names.binary_search(&name).map_or(0..0, |i| self.part(i))
    }

    fn of_brake(&self, i: usize) -> Range<usize> {
        let at = self.names.len() + i;
        if at < self.ends.len() { self.part(at) } else { 0..0 }
    }

    /// The unknowns of the last problem; none where its contacts had no names.
    pub(super) fn unknowns(&self) -> &[f64] {
        &self.z
    }

    /// Takes over the answer `z` of the problem whose parts these are, if it is.
    pub(super) fn keep(&mut self, z: &[f64]) {
        if self.z.len() == z.len() {
            self.z.copy_from_slice(z);
        }
    }

    /// Whether its parts are those of the contacts `names`, as `layout` has them.
    fn is_of(&self, names: &[usize], layout: &Layout) -> bool {
        self.names == names && layout.ends().eq(self.ends.iter().copied())
    }

    /// Becomes the parts of the contacts `names` as `layout` has them, basic where `basic` says so, with
    /// the values `z`.
    fn set(&mut self, names: &[usize], layout: &Layout, basic: &[bool], z: &[f64]) {
        self.clear();
        self.names.extend_from_slice(names);
        self.ends.extend(layout.ends());
        self.basic.extend_from_slice(basic);
        self.z.extend_from_slice(z);
    }
}

impl Solver {
    /// Names the contacts of the problems to come, ascending: the basis that is remembered then goes
    /// by them when the contacts change, instead of by the number of unknowns. Names for another
    /// number of contacts than a problem has mean nothing to it.
    pub fn name_contacts(&mut self, names: &[usize]) {
        self.names.clear();
        self.names.extend_from_slice(names);
    }

    /// Writes what is remembered of the contacts for which `keep` holds; nothing after problems
    /// whose contacts had no names.
    pub fn write_basis(&self, keep: impl Fn(usize) -> bool, to: &mut Basis) {
        to.clear();
        let basic = self.lcp().basic();
        if basic.is_empty() || self.known.basic.len() != basic.len() {
            return;
        }
        for (i, (name, _)) in self.known.parts().enumerate() {
            if name.is_none_or(&keep) {
                let part = self.known.part(i);
                let all = basic[part.clone()].iter().zip(&self.known.z[part]);
                to.push(name, all.map(|(&basic, &z)| basic.then_some(z)));
            }
        }
    }

    /// Remembers `basis` and nothing else.
    ///
    /// # Errors
    /// `Capacity`, `Memory`.
    pub fn set_basis(&mut self, basis: &Basis) -> Result<()> {
        self.lcp_mut().set_basic(&basis.basic)?;
        self.known.copy_from(basis);
        Ok(())
    }

    /// Before `problem` is solved: makes its basis of what is remembered, if it has other contacts
    /// than the problem before. New contacts start open; of one whose friction has come or gone its
    /// normal is left.
    pub(super) fn recall(&mut self, problem: &Problem<'_>) -> Result<()> {
        let count = problem.n_contact();
        if self.names.len() != count {
            self.known.clear();
            return Ok(());
        }
        if self.known.is_of(&self.names, &self.layout) {
            return Ok(());
        }
        let (layout, basic) = (&self.layout, self.lcp.basic());
        let mut any = false;
        self.basic.clear();
        self.basic.resize(layout.unknowns(), false);
        self.z.clear();
        self.z.resize(layout.unknowns(), 0.0);
        if !basic.is_empty() && basic.len() == self.known.basic.len() {
            self.known.basic.copy_from_slice(basic);
            for (i, end) in layout.ends().enumerate() {
                let old = match self.names.get(i) {
                    Some(&name) => self.known.of_contact(name),
                    None => self.known.of_brake(i - count),
                };
                let new = layout.start(i)..end;
                let same = if old.len() == new.len() { old.len() } else { 1 };
                for (new, old) in new.zip(old).take(same) {
                    self.basic[new] = self.known.basic[old];
                    self.z[new] = self.known.z[old];
                    any |= self.basic[new];
                }
            }
        }
        // Without a basic unknown the start is the usual one, which has its own ways.
        self.lcp.set_basic(if any { &self.basic } else { &[] })?;
        self.known.set(&self.names, &self.layout, &self.basic, &self.z);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::MatRef;
    use crate::velocity::{Brakes, Rows};

    /// Balls of unit mass on a line, each on ground of its own, pressed with `p`.
    fn presses(solver: &mut Solver, names: &[usize], p: &[f64]) -> (usize, bool) {
        let n = p.len();
        let unit: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect();
        let none = MatRef::new("joint", &[], n, 0, n).unwrap();
        let columns = MatRef::square("normal", &unit, n).unwrap();
        let problem = Problem {
            mass: columns.into(),
            p,
            joint: Rows::same(none),
            normal: Rows::same(columns),
            tangent: Rows::same(none),
            n_dir: 0,
            mu: &[],
            brake: Brakes::NONE,
        };
        solver.name_contacts(names);
        let info = solver.solve(&problem).unwrap();
        (info.pivots, info.warm)
    }

    #[test]
    fn what_is_remembered_of_a_contact_goes_where_the_contact_goes() {
        let mut s = Solver::new(8).unwrap();
        // Nothing known: a pivot per ball that is pressed down, and one for the artificial variable.
        assert_eq!(presses(&mut s, &[2, 5, 7], &[-1.0, 1.0, -2.0]), (3, false));
        assert_eq!(presses(&mut s, &[2, 5, 7], &[-2.0, 1.0, -1.0]), (0, true));
        // Ball 5 is gone, ball 9 is new and flies: nothing to look for.
        assert_eq!(presses(&mut s, &[2, 7, 9], &[-1.0, -1.0, 1.0]), (0, true));
        // By places alone 9, which flew, would be where 7 is.
        assert_eq!(presses(&mut s, &[1, 2, 7, 9], &[1.0, -1.0, -3.0, 1.0]), (0, true));
        let (pivots, warm) = presses(&mut s, &[1, 2, 7], &[-1.0, -1.0, -1.0]);
        assert!(!warm && pivots == 2, "{pivots}: only ball 1 comes down");
    }

    #[test]
    fn a_basis_written_and_read_back_is_the_same_and_leaves_out_what_is_gone() {
        let mut s = Solver::new(8).unwrap();
        presses(&mut s, &[2, 5, 7], &[-1.0, 1.0, -2.0]);
        let mut basis = Basis::new(6).unwrap();
        s.write_basis(|name| name != 2, &mut basis);
        let parts: Vec<_> = basis.parts().map(|(n, b)| (n, b.collect::<Vec<_>>())).collect();
        assert_eq!(parts, [(Some(5), vec![None]), (Some(7), vec![Some(2.0)])]);
        let mut other = Solver::new(8).unwrap();
        other.set_basis(&basis).unwrap();
        assert_eq!(presses(&mut other, &[5, 7], &[1.0, -1.0]), (0, true));
        basis.clear();
        other.set_basis(&basis).unwrap();
        assert!(!presses(&mut other, &[5, 7], &[1.0, -1.0]).1);
    }
}
