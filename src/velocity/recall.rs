//! The basis of a velocity problem by contacts: which of it is left when other contacts take part.
//! Knows names of contacts, not what they are.

use super::Problem;
use super::assemble::Layout;
use super::solver::Solver;
use crate::error::{Result, reserve};

/// A remembered basis: its parts are the unknowns of one contact each, then those of one brake
/// each. Contacts have names, brakes go by their order.
#[derive(Debug)]
pub struct Basis {
    /// Names of the contacts, ascending.
    names: Vec<usize>,
    /// Where each part ends.
    ends: Vec<usize>,
    /// Which unknowns are basic.
    basic: Vec<bool>,
}

impl Basis {
    /// Nothing, with room for `unknowns`.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(unknowns: usize) -> Result<Self> {
        // A brake that holds nothing is a part without unknowns: there are never more of them than
        // there is room for.
        Ok(Self { names: reserve(unknowns)?, ends: reserve(unknowns)?, basic: reserve(unknowns)? })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.names.clear();
        self.ends.clear();
        self.basic.clear();
    }

    /// Takes over `other`, for which there must be room.
    pub fn copy_from(&mut self, other: &Basis) {
        self.clear();
        self.names.extend_from_slice(&other.names);
        self.ends.extend_from_slice(&other.ends);
        self.basic.extend_from_slice(&other.basic);
    }

    /// Adds a part: of the contact `name`, which is larger than those before, or, behind all
    /// contacts, of the next brake.
    pub fn push(&mut self, name: Option<usize>, basic: impl Iterator<Item = bool>) {
        self.names.extend(name);
        self.basic.extend(basic);
        self.ends.push(self.basic.len());
    }

    /// The parts in order, brakes without a name.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = (Option<usize>, &[bool])> {
        (0..self.ends.len()).map(|i| (self.names.get(i).copied(), self.part(i, &self.basic)))
    }

    /// Part `i` of `all`, which holds a number per unknown.
    fn part<'a>(&self, i: usize, all: &'a [bool]) -> &'a [bool] {
        let from = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &all[from..self.ends[i]]
    }

    /// Which unknowns of the contact `name` are basic; none for one that took no part.
    fn of_contact(&self, name: usize) -> &[bool] {
        self.names.binary_search(&name).map_or(&[], |i| self.part(i, &self.basic))
    }

    fn of_brake(&self, i: usize) -> &[bool] {
        let at = self.names.len() + i;
        if at < self.ends.len() { self.part(at, &self.basic) } else { &[] }
    }

    /// Whether its parts are those of the contacts `names`, as `layout` has them.
    fn is_of(&self, names: &[usize], layout: &Layout) -> bool {
        self.names == names && layout.ends().eq(self.ends.iter().copied())
    }

    /// Becomes the parts of the contacts `names` as `layout` has them, basic where `basic` says so.
    fn set(&mut self, names: &[usize], layout: &Layout, basic: &[bool]) {
        self.clear();
        self.names.extend_from_slice(names);
        self.ends.extend(layout.ends());
        self.basic.extend_from_slice(basic);
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
                to.push(name, self.known.part(i, basic).iter().copied());
            }
        }
    }

    /// Remembers `basis` and nothing else.
    ///
    /// # Errors
    /// `Capacity`, `Memory`.
    pub fn set_basis(&mut self, basis: &Basis) -> Result<()> {
        self.make_room(basis.basic.len())?;
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
        if !basic.is_empty() && basic.len() == self.known.basic.len() {
            self.known.basic.copy_from_slice(basic);
            for (i, end) in layout.ends().enumerate() {
                let old = match self.names.get(i) {
                    Some(&name) => self.known.of_contact(name),
                    None => self.known.of_brake(i - count),
                };
                let new = &mut self.basic[layout.start(i)..end];
                let same = if old.len() == new.len() { old.len() } else { 1 };
                for (new, old) in new.iter_mut().zip(old).take(same) {
                    *new = *old;
                    any |= *old;
                }
            }
        }
        // Without a basic unknown the start is the usual one, which has its own ways.
        self.lcp.set_basic(if any { &self.basic } else { &[] })?;
        self.known.set(&self.names, &self.layout, &self.basic);
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
            mass: columns,
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
        let parts: Vec<_> = basis.parts().map(|(n, b)| (n, b.to_vec())).collect();
        assert_eq!(parts, [(Some(5), vec![false]), (Some(7), vec![true])]);
        let mut other = Solver::new(8).unwrap();
        other.set_basis(&basis).unwrap();
        assert_eq!(presses(&mut other, &[5, 7], &[1.0, -1.0]), (0, true));
        basis.clear();
        other.set_basis(&basis).unwrap();
        assert!(!presses(&mut other, &[5, 7], &[1.0, -1.0]).1);
    }
}
