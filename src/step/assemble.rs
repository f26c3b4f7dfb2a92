//! The complementarity problem of a step, or of accelerations, for the contacts that take part.
//! Knows neither methods nor events.

use super::brake::against;
use super::host::Geometry;
use super::method::Stage;
use super::state::Mode;
use super::workspace::{columns, solver};
use crate::error::{Apart, Result, reserve};
use crate::lcp::Info;
use crate::linalg::{Blocked, Columns, MatRef, Packed};
use crate::model::Dims;
use crate::velocity::{Brakes, Problem, Rows, Solver};

/// Columns of the contacts that take part, side by side, and the solver for them.
#[derive(Debug)]
pub(super) struct Assembly {
    dims: Dims,
    pub solver: Apart<Solver>,
    normal: Packed,
    normal_row: Packed,
    normal_offset: Vec<f64>,
    tangent: Packed,
    tangent_row: Packed,
    tangent_offset: Vec<f64>,
    mu: Vec<f64>,
    brake_bound: Vec<f64>,
    p: Vec<f64>,
}

/// Where the impulses of a problem act, what it constrains, and what is added to the constrained
/// rows.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub mass: &'a Blocked,
    pub p: &'a [f64],
    pub impulse: &'a Geometry,
    pub row: &'a Geometry,
    pub joint_offset: &'a [f64],
    /// Per contact of the model.
    pub normal_offset: &'a [f64],
    /// Per direction of the model; empty for zero.
    pub tangent_offset: &'a [f64],
    pub mu: &'a [f64],
    /// What the bounds of brakes are multiplied by: the time for which their forces act.
    pub time: f64,
    /// Per brake; empty for zero.
    pub brake_offset: &'a [f64],
    /// Brakes that rub along a direction whatever happens; empty: all obey the friction law.
    pub brake_held: &'a [Mode],
}

impl<'a> Source<'a> {
    /// The problem of a step.
    pub(super) fn step(stage: &'a Stage, mu: &'a [f64]) -> Self {
        Self {
            mass: &stage.mass,
            p: &stage.p,
            impulse: &stage.impulse,
            row: stage.rows(),
            joint_offset: &stage.joint_offset,
            normal_offset: &stage.normal_offset,
            tangent_offset: &[],
            mu,
            time: stage.span,
            brake_offset: &[],
            brake_held: &[],
        }
    }
}

impl Assembly {
    /// For a model of whose contacts the first `fixed` have gaps of their own, with storage as [`solver`] takes it.
    pub(super) fn new(d: &Dims, fixed: usize, (at_once, masses): (usize, usize)) -> Result<Self> {
        Ok(Self {
            dims: *d,
            solver: solver(d, at_once, masses)?,
            normal: columns(d, fixed, 1)?,
            normal_row: columns(d, fixed, 1)?,
            normal_offset: reserve(d.n_contact)?,
            tangent: columns(d, fixed, d.n_dir)?,
            tangent_row: columns(d, fixed, d.n_dir)?,
            tangent_offset: reserve(d.n_contact * d.n_dir)?,
            mu: reserve(d.n_contact)?,
            brake_bound: reserve(d.n_brake)?,
            p: reserve(d.nv)?,
        })
    }

    /// Solves `source` with the contacts of `list`. Contacts for which `held` gives a slip mode rub
    /// along that direction whatever happens, (step.16); the others obey the friction law. Read the
    /// answer from `solver`.
    ///
    /// # Errors
    /// Those of [`Solver::solve`].
    pub(super) fn solve(
        &mut self,
        source: &Source<'_>,
        list: &[usize],
        held: impl Fn(usize) -> Mode,
    ) -> Result<Info> {
        self.gather(source, list, held)?;
        self.gather_brakes(source);
        let (nv, n_dir) = (self.dims.nv, self.dims.n_dir);
        let view = |what, x, n| MatRef::new(what, x, nv, n, nv).map(Columns::from);
        let problem = Problem {
            mass: source.mass.columns(),
            p: &self.p,
            joint: Rows {
                impulse: source.impulse.joints()?,
                row: source.row.joints()?,
                offset: source.joint_offset,
            },
            normal: Rows {
                impulse: Columns::Packed(&self.normal),
                row: Columns::Packed(&self.normal_row),
                offset: &self.normal_offset,
            },
            tangent: Rows {
                impulse: Columns::Packed(&self.tangent),
                row: Columns::Packed(&self.tangent_row),
                offset: &self.tangent_offset,
            },
            n_dir,
            mu: &self.mu,
            brake: Brakes {
                rows: Some(Rows {
                    impulse: view("brake", &source.impulse.brake, self.dims.n_brake)?,
                    row: view("brake", &source.row.brake, self.dims.n_brake)?,
                    offset: source.brake_offset,
                }),
                bound: &self.brake_bound,
            },
        };
        self.solver.name_contacts(list);
        self.solver.solve(&problem)
    }

    /// Impulse bounds of the brakes; those that are held become part of the momentum.
    fn gather_brakes(&mut self, source: &Source<'_>) {
        self.p.clear();
        self.p.extend_from_slice(source.p);
        self.brake_bound.clear();
        for (i, bound) in source.impulse.brake_bound.iter().enumerate() {
            let bound = source.time * bound;
            match source.brake_held.get(i) {
                Some(&Mode::Slip(k)) => {
                    source.impulse.brake(i).add(against(k) * bound, &mut self.p);
                    self.brake_bound.push(0.0);
                }
                _ => self.brake_bound.push(bound),
            }
        }
    }

    fn gather(
        &mut self,
        source: &Source<'_>,
        list: &[usize],
        held: impl Fn(usize) -> Mode,
    ) -> Result<()> {
        let (nv, n_dir) = (self.dims.nv, self.dims.n_dir);
        for x in [&mut self.normal, &mut self.normal_row, &mut self.tangent, &mut self.tangent_row]
        {
            x.clear(nv);
        }
        for x in [&mut self.normal_offset, &mut self.tangent_offset, &mut self.mu] {
            x.clear();
        }
        for &i in list {
            let normal = source.impulse.normal(i);
            self.normal_row.push(source.row.normal(i))?;
            self.normal_offset.push(source.normal_offset[i]);
            let mu = if n_dir > 0 { source.mu[i] } else { 0.0 };
            match held(i) {
                Mode::Slip(k) if mu > 0.0 => {
                    let along = source.impulse.tangent(i, usize::from(k));
                    self.normal.push_sum(normal, mu, along)?;
                    self.mu.push(0.0);
                }
                _ => {
                    self.normal.push(normal)?;
                    self.mu.push(mu);
                }
            }
            for k in 0..n_dir {
                self.tangent.push(source.impulse.tangent(i, k))?;
                self.tangent_row.push(source.row.tangent(i, k))?;
            }
            if !source.tangent_offset.is_empty() {
                let offsets = &source.tangent_offset[i * n_dir..(i + 1) * n_dir];
                self.tangent_offset.extend_from_slice(offsets);
            }
        }
        Ok(())
    }
}
