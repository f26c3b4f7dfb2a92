//! Velocities under given equations: no complementarity, only which of the constraints hold. Paths
//! with fixed modes and projections are made of it. Knows neither contacts nor time.

mod few;
mod many;

use super::geometry::TWO_BODIES;
use super::host::zeros;
use crate::error::{Result, reserve};
use crate::linalg::{Blocked, Column, DefiniteFactor, Packed, dot};
use crate::tol;
use few::Few;
use many::Many;

/// Equations up to which all of them are solved for their multipliers at once; more, of bodies of
/// which each touches few others, are solved in the space of bodies. There a factorisation grows
/// with the bodies alone, here with the cube of the equations.
const FEW: usize = 48;

/// Equations row'u + offset = 0, each with the direction along which its multiplier acts.
#[derive(Debug)]
pub(super) struct Equations {
    nv: usize,
    mass: DefiniteFactor,
    rows: Packed,
    directions: Packed,
    offsets: Vec<f64>,
    /// How many of them, the first ones, are joints.
    joints: usize,
    /// What the equations were violated by before the last correction, and the multipliers of it.
    violations: Vec<f64>,
    multipliers: Vec<f64>,
    few: Few,
    many: Many,
}

impl Equations {
    /// Takes storage for up to `whole` equations on any of `nv` unknowns, with masses of `masses` entries in their blocks,
    /// and `narrow` ones on those of two bodies; bodies begin at `bodies` as far as that is known.
    pub(super) fn new(
        (nv, masses): (usize, usize),
        whole: usize,
        narrow: usize,
        bodies: &[usize],
    ) -> Result<Self> {
        let most = whole + narrow;
        let packed = || -> Result<Packed> {
            let mut columns = Packed::default();
            columns.reserve(most, whole * nv + narrow * nv.min(TWO_BODIES))?;
            Ok(columns)
        };
        let at_once = if nv <= TWO_BODIES { most } else { most.min(FEW) };
        Ok(Self {
            nv,
            mass: DefiniteFactor::with_room(nv, masses)?,
            rows: packed()?,
            directions: packed()?,
            offsets: reserve(most)?,
            joints: 0,
            violations: zeros(most)?,
            multipliers: zeros(most)?,
            few: Few::new(nv, at_once)?,
            many: Many::new((nv, masses), most, bodies)?,
        })
    }

    /// Starts a set of equations with this mass matrix.
    ///
    /// # Errors
    /// `NotPositiveDefinite`.
    pub(super) fn start(&mut self, mass: &Blocked) -> Result<()> {
        self.clear();
        self.mass.factor("mass", mass.columns())?;
        if self.nv > TWO_BODIES {
            self.many.start(mass)?;
        }
        Ok(())
    }

    /// Drops the equations, keeps the mass.
    pub(super) fn clear(&mut self) {
        self.rows.clear(self.nv);
        self.directions.clear(self.nv);
        self.offsets.clear();
        self.joints = 0;
    }

    /// Adds row'u + offset = 0 of a joint; joints come before everything else, and are not given up
    /// for it.
    ///
    /// # Errors
    /// `Memory`; so for the others.
    pub(super) fn push_joint(
        &mut self,
        row: Column<'_>,
        offset: f64,
        direction: Column<'_>,
    ) -> Result<()> {
        self.push(row, offset, direction)?;
        self.joints += 1;
        Ok(())
    }

    /// Adds row'u + offset = 0; the multiplier acts along `direction`.
    pub(super) fn push(
        &mut self,
        row: Column<'_>,
        offset: f64,
        direction: Column<'_>,
    ) -> Result<()> {
        self.directions.push(direction)?;
        self.rows.push(row)?;
        self.offsets.push(offset);
        Ok(())
    }

    /// Adds row'u + offset = 0; the multiplier acts along `direction` + `factor` `more`.
    pub(super) fn push_edge(
        &mut self,
        row: Column<'_>,
        offset: f64,
        direction: Column<'_>,
        factor: f64,
        more: Column<'_>,
    ) -> Result<()> {
        self.directions.push_sum(direction, factor, more)?;
        self.rows.push(row)?;
        self.offsets.push(offset);
        Ok(())
    }

    /// x := mass^-1 x.
    pub(super) fn apply_inverse_mass(&self, x: &mut [f64]) {
        self.mass.solve(x);
    }

    /// Corrects `u` along the directions so that the equations hold; those that depend on others
    /// are dropped, or, where there are many, met as nearly as they agree with each other.
    ///
    /// # Errors
    /// `Inconsistent` where no multipliers were found, `Memory`.
    pub(super) fn correct(&mut self, u: &mut [f64]) -> Result<()> {
        let m = self.offsets.len();
        if m == 0 {
            return Ok(());
        }
        for (i, violation) in self.violations[..m].iter_mut().enumerate() {
            *violation = self.rows.col(i).dot(u) + self.offsets[i];
        }
        let data = Data { rows: &self.rows, directions: &self.directions, mass: &self.mass };
        let (violations, found) = (&self.violations[..m], &mut self.multipliers[..m]);
        let few = m <= FEW && self.joints < tol::MANY_JOINTS;
        if few || self.nv <= TWO_BODIES {
            self.few.correct(&data, violations, found, u)
        } else {
            self.many.correct(&data, self.joints, violations, found, u)
        }
    }

    /// Multipliers of the last correction, in the order of the equations.
    pub(super) fn multipliers(&self) -> &[f64] {
        &self.multipliers[..self.offsets.len()]
    }

    /// Work that the last correction did along the rows, that of their offsets apart, when `u` was
    /// a velocity: half the sum of multipliers times violations, which it takes to zero.
    pub(super) fn work(&self) -> f64 {
        0.5 * dot(self.multipliers(), &self.violations[..self.offsets.len()])
    }
}

/// What a solution is made from: rows, the directions of their multipliers, the factored mass.
struct Data<'a> {
    rows: &'a Packed,
    directions: &'a Packed,
    mass: &'a DefiniteFactor,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(mass: &[f64], nv: usize) -> Blocked {
        let mut x = Blocked::new(nv, &[]).unwrap();
        x.copy_from_slice(mass);
        x
    }

    #[test]
    fn a_joint_close_to_another_is_not_given_up_for_a_contact_that_stands_out() {
        let mut e = Equations::new((2, 4), 3, 0, &[]).unwrap();
        e.start(&whole(&[1.0, 0.0, 0.0, 1.0], 2)).unwrap();
        // Two joints that meet in (0, 0), at an angle of a tenth (which magnifies rounding four hundred
        // times), and a contact that says otherwise.
        for (row, offset) in [([1.0, 0.0], 0.0), ([1.0, 0.1], 0.0), ([0.0, 1.0], -1.0)] {
            let row = Column::whole(&row);
            e.push(row, offset, row).unwrap();
        }
        let mut u = [0.3, 0.7];
        e.correct(&mut u).unwrap();
        assert!(u.iter().all(|x| x.abs() < 1e-12), "{u:?}");
    }

    /// A chain of `n` point masses in the plane of which each hangs at the one before by two
    /// equations, the last ones twice over, with other masses and offsets each.
    fn chain(n: usize, twice: usize) -> (Vec<f64>, Vec<(Vec<f64>, f64)>) {
        let nv = 2 * n;
        let mut mass = vec![0.0; nv * nv];
        for i in 0..nv {
            mass[i * (nv + 1)] = 1.0 + (i / 2 % 7) as f64;
        }
        let mut rows = Vec::new();
        for k in 0..n - 1 {
            for c in 0..2 {
                let mut row = vec![0.0; nv];
                (row[2 * k + c], row[2 * k + 2 + c]) = (-1.0, 1.0 + 0.1 * c as f64);
                rows.push((row, 0.1 * (k as f64 + c as f64).sin()));
            }
        }
        let again = rows[rows.len() - twice..].to_vec();
        rows.extend(again);
        (mass, rows)
    }

    #[test]
    fn many_equations_are_met_and_leave_what_they_do_not_speak_of() {
        let n = 60;
        let told: Vec<usize> = (0..n).map(|k| 2 * k).collect();
        for (twice, bodies) in [(0, &told[..]), (9, &told), (9, &[])] {
            let (mass, rows) = chain(n, twice);
            let nv = 2 * n;
            let mut e = Equations::new((nv, nv * nv), rows.len(), 0, bodies).unwrap();
            e.start(&whole(&mass, nv)).unwrap();
            for (row, offset) in &rows {
                let row = Column::whole(row);
                e.push(row, *offset, row).unwrap();
            }
            assert!(rows.len() > FEW);
            let before: Vec<f64> = (0..nv).map(|i| (i as f64).cos()).collect();
            let mut u = before.clone();
            e.correct(&mut u).unwrap();
            for (row, offset) in &rows {
                let left = dot(row, &u) + offset;
                assert!(left.abs() < 1e-13, "{left:e}");
            }
            // mass (u - before) is the sum of the multipliers along the rows: nothing else moved.
            for i in 0..nv {
                let sum: f64 =
                    rows.iter().zip(e.multipliers()).map(|((row, _), x)| row[i] * x).sum();
                let change = mass[i * (nv + 1)] * (u[i] - before[i]);
                assert!((sum - change).abs() < 1e-12, "{sum} {change}");
            }
        }
    }

    #[test]
    fn joints_of_a_long_chain_are_met_to_rounding_beside_contacts_that_slip() {
        let n = 100;
        let (mass, rows) = chain(n, 0);
        let (nv, bodies) = (2 * n, (0..n).map(|k| 2 * k).collect::<Vec<_>>());
        let mut e = Equations::new((nv, nv * nv), rows.len() + n, 0, &bodies).unwrap();
        e.start(&whole(&mass, nv)).unwrap();
        for (row, offset) in &rows {
            let row = Column::whole(row);
            e.push_joint(row, *offset, row).unwrap();
        }
        // Every tenth mass is held across, by a multiplier that rubs along the chain, to the speed that it has by the
        // joints when the first one rests: others would contradict them.
        let unit = |i: usize| (0..nv).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>();
        let mut across = vec![0.0; n];
        for k in 1..n {
            across[k] = (across[k - 1] - rows[2 * k - 1].1) / 1.1;
        }
        let tenth = (0..n).step_by(10);
        let held: Vec<_> = tenth.map(|k| (unit(2 * k + 1), -across[k], unit(2 * k))).collect();
        for (normal, offset, along) in &held {
            let (normal, along) = (Column::whole(normal), Column::whole(along));
            e.push_edge(normal, *offset, normal, -0.5, along).unwrap();
        }
        let mut u: Vec<f64> = (0..nv).map(|i| (i as f64).cos()).collect();
        e.correct(&mut u).unwrap();
        let all = rows.iter().map(|(row, b)| (row, *b)).chain(held.iter().map(|(n, b, _)| (n, *b)));
        for (k, (row, offset)) in all.enumerate() {
            let left = dot(row, &u) + offset;
            assert!(left.abs() < 1e-12, "{k}: {left:e}");
        }
    }

    #[test]
    fn equations_that_contradict_each_other_are_met_halfway_and_their_multipliers_stay_small() {
        let n = 40;
        let (mass, mut rows) = chain(n, 1);
        let last = rows.len() - 1;
        rows[last].1 += 1e-6;
        let bodies: Vec<usize> = (0..n).map(|k| 2 * k).collect();
        let mut e = Equations::new((2 * n, 4 * n * n), rows.len(), 0, &bodies).unwrap();
        e.start(&whole(&mass, 2 * n)).unwrap();
        for (row, offset) in &rows {
            let row = Column::whole(row);
            e.push(row, *offset, row).unwrap();
        }
        let mut u = vec![0.0; 2 * n];
        e.correct(&mut u).unwrap();
        for (k, (row, offset)) in rows.iter().enumerate() {
            let half = if rows[k].0 == rows[last].0 { 0.5e-6 } else { 0.0 };
            let left = (dot(row, &u) + offset).abs();
            assert!((left - half).abs() < 1e-12, "{k}: {left:e}");
        }
        assert!(e.multipliers().iter().all(|x| x.abs() < 10.0), "{:?}", e.multipliers());
    }
}
