//! Bases that the solvers of a stepper remember between steps: kept with the state, so that a
//! failed step leaves them and a snapshot holds them. Knows no numerics.

use super::options::ManyContacts;
use super::workspace::Workspace;
use crate::error::Result;
use crate::lcp::Options;
use crate::velocity::{Basis, Reduction, Solver};

/// Bases of the problems of steps, of accelerations and of impacts. Contacts go by their index, and
/// those that come and go by their key: a slot that is free again leaves nothing behind.
#[derive(Debug)]
pub(super) struct Bases {
    step: Basis,
    forces: Basis,
    impact: Basis,
}

impl Bases {
    /// None, with room for `unknowns` each.
    pub(super) fn new(unknowns: usize) -> Result<Self> {
        Ok(Self {
            step: Basis::new(unknowns)?,
            forces: Basis::new(unknowns)?,
            impact: Basis::new(unknowns)?,
        })
    }

    /// Takes over `other`, which has at most as many unknowns.
    pub(super) fn copy_from(&mut self, other: &Bases) {
        for (to, from) in self.all_mut().into_iter().zip(other.all()) {
            to.copy_from(from);
        }
    }

    /// Whether they are `other`, to the last bit.
    pub(super) fn are_like(&self, other: &Bases) -> bool {
        self.all() == other.all()
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        for basis in self.all_mut() {
            basis.clear();
        }
    }

    pub(super) fn all(&self) -> [&Basis; 3] {
        [&self.step, &self.forces, &self.impact]
    }

    pub(super) fn all_mut(&mut self) -> [&mut Basis; 3] {
        [&mut self.step, &mut self.forces, &mut self.impact]
    }

    /// Takes over what the solvers remember of contacts that are `there`.
    pub(super) fn take_from(&mut self, w: &mut Workspace, there: impl Fn(usize) -> bool) {
        for (basis, solver) in self.all_mut().into_iter().zip(solvers(w)) {
            solver.write_basis(&there, basis);
        }
    }

    /// Makes the solvers remember this, and nothing else.
    ///
    /// # Errors
    /// `Capacity`.
    pub(super) fn give_to(&self, w: &mut Workspace) -> Result<()> {
        for (basis, solver) in self.all().into_iter().zip(solvers(w)) {
            solver.set_basis(basis)?;
        }
        Ok(())
    }
}

fn solvers(w: &mut Workspace) -> [&mut Solver; 3] {
    [&mut *w.step.solver, &mut *w.forces.assembly.solver, w.impact.velocity_mut()]
}

/// Sets the limits of all solvers, and how they go about many contacts.
///
/// # Errors
/// `Value` for a tolerance that is not positive.
pub(super) fn set_limits(w: &mut Workspace, set: &super::Options) -> Result<()> {
    let (tolerance, max_pivots) = (set.lcp_tolerance, set.max_pivots);
    for solver in solvers(w) {
        solver.set_threads(set.island_threads);
        solver.set_lemke_only(set.many_contacts == ManyContacts::Lemke);
        solver.set_reduction(match set.many_contacts {
            ManyContacts::Safe | ManyContacts::Lemke => Reduction::Safe,
            ManyContacts::Full => Reduction::Off,
            ManyContacts::Aggressive => Reduction::Aggressive,
        });
        let lcp = solver.lcp_mut();
        let mut options: Options = *lcp.options();
        options.max_pivots = max_pivots;
        if tolerance > 0.0 {
            options.tolerance = tolerance;
        }
        lcp.set_options(options)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Stepper};
    use crate::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};
    use std::sync::Arc;

    /// Blocks of 1 kg in a row on rough ground, each coupled to the next by a spring and pushed
    /// along; one after the other is lifted off and set down again. The contacts of those that are
    /// up are not reported.
    struct Row(usize);

    impl Row {
        /// Force on block `k` along and up.
        fn load(&self, t: f64, k: usize) -> [f64; 2] {
            let lifted = (t * 8.0) as usize % (2 * self.0) == 2 * k;
            [2.0 + 0.2 * k as f64, if lifted { 20.0 } else { -10.0 }]
        }
    }

    impl Model for Row {
        fn dims(&self) -> Dims {
            Dims { nq: 2 * self.0, nv: 2 * self.0, n_dir: 2, ..Dims::default() }
        }
        fn hosted(&self) -> usize {
            self.0
        }
        fn mass(&self, _: f64, _: &[f64], m: &mut [f64]) -> Answer {
            m.iter_mut().step_by(2 * self.0 + 1).for_each(|x| *x = 1.0);
            Ok(())
        }
        fn force(&self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
            for k in 0..self.0 {
                f[2 * k..2 * k + 2].copy_from_slice(&self.load(t, k));
            }
            for i in 0..2 * (self.0 - 1) {
                let pull = 20.0 * (q[i + 2] - q[i]) + 2.0 * (v[i + 2] - v[i]);
                f[i] += pull;
                f[i + 2] -= pull;
            }
            Ok(())
        }
        fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
            for k in 0..self.0 {
                let gap = q[2 * k + 1];
                if gap <= margin {
                    let directions = Friction::Directions(&[1.0, 0.0, -1.0, 0.0]);
                    let _ = sink.push(&HostContact {
                        // From the right, so that keys and indices run against each other.
                        key: 1000 - k as i64,
                        gap,
                        coordinates: Some(&[2 * k, 2 * k + 1]),
                        normal: &[0.0, 1.0],
                        friction: directions,
                        mu: 0.3,
                        restitution: 0.0,
                    });
                }
            }
            Ok(())
        }
    }

    fn row(blocks: usize) -> Stepper {
        let options = Options { contact_margin: 1e-3, ..Options::default() };
        Stepper::new(Arc::new(Row(blocks)), &options).unwrap()
    }

    #[test]
    fn a_row_whose_contacts_come_and_go_keeps_its_warm_start() {
        for blocks in [7, 12] {
            let (mut warm, mut cold) = (row(blocks), row(blocks));
            let (mut changes, mut known, mut apart) = (0, 0, 0.0f64);
            for _ in 0..500 {
                warm.step(0.01).unwrap();
                cold.step(0.01).unwrap();
                cold.bases.clear();
                let there = warm.state.slots.taken().len();
                changes += usize::from(there != std::mem::replace(&mut known, there));
                for (a, b) in warm.q().iter().chain(warm.v()).zip(cold.q().iter().chain(cold.v())) {
                    apart = apart.max((a - b).abs());
                }
            }
            let (warm, cold) = (warm.stats(), cold.stats());
            assert!(changes >= 15, "{changes}");
            // Residuals of 1e-11 in velocities of size 1, divided by steps of 0.01 where events are
            // located.
            assert!(apart <= 1e-8, "{apart:e}");
            // Seven go to Lemke's method, twelve to the space of bodies, which has no pivots.
            let all = warm.lcp_solves + warm.check_solves;
            assert!(20 * warm.pivots <= cold.pivots, "{} of {}", warm.pivots, cold.pivots);
            assert!(10 * warm.warm_solves >= 9 * all, "{} of {all}", warm.warm_solves);
            assert!(2 * cold.warm_solves <= all, "{} of {all}", cold.warm_solves);
        }
    }

    #[test]
    fn what_is_remembered_of_changing_contacts_survives_a_snapshot() {
        let mut a = row(7);
        a.advance(1.3, 0.01).unwrap();
        let mut bytes = vec![0; a.saved_size()];
        a.save(&mut bytes).unwrap();
        let mut b = row(7);
        b.restore(&bytes).unwrap();
        let pivots = a.stats().pivots;
        for s in [&mut a, &mut b] {
            s.advance(2.6, 0.01).unwrap();
        }
        let bits = |s: &Stepper| s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&a), bits(&b));
        assert!(a.stats().pivots > pivots);
        assert_eq!(a.stats().pivots, b.stats().pivots);
    }
}
