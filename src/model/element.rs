//! Elastic and damping elements that a model declares, and the force they make. Knows no method.

use super::{Checked, Dims};
use crate::error::{Error, Result, finite, reserve, zeros};
use crate::linalg::{Blocked, Column, Runs, axpy};

/// Elements at one point: the force of each is -(stiffness phi + damping gradient'v) gradient.
#[derive(Debug, Default)]
pub struct Elements {
    /// Elongation or angle from rest.
    pub phi: Vec<f64>,
    /// Derivatives of phi along velocities, nv by n_element; of models that list what each element
    /// [couples](super::Model::couples) the rows of these bodies alone.
    pub gradient: Vec<f64>,
    /// Stiffness, >= 0.
    pub stiffness: Vec<f64>,
    /// Damping, >= 0.
    pub damping: Vec<f64>,
    /// The rows of each gradient, and where they begin.
    runs: Vec<Runs>,
    start: Vec<usize>,
}

impl Elements {
    /// Room for the elements of a model of these sizes, zero.
    ///
    /// # Errors
    /// `Memory`.
    pub fn new(d: &Dims) -> Result<Self> {
        Self::in_rows(d, &[])
    }

    /// The same where the gradient of element `i` has the rows `runs[i]` alone; all have all of them where there are none.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn in_rows(d: &Dims, runs: &[Runs]) -> Result<Self> {
        let (n, whole) = (d.n_element, Runs::whole(d.nv));
        let numbers = match runs {
            [] => d.nv.saturating_mul(n),
            _ => runs.iter().map(Runs::width).sum(),
        };
        // First, because sizes that no memory holds fail here.
        let gradient = zeros(numbers)?;
        let (mut rows, mut start, mut end) = (reserve(n)?, reserve(n)?, 0);
        for i in 0..n {
            rows.push(runs.get(i).copied().unwrap_or(whole));
            start.push(end);
            end += rows[i].width();
        }
        let (phi, stiffness, damping) = (zeros(n)?, zeros(n)?, zeros(n)?);
        Ok(Self { phi, gradient, stiffness, damping, runs: rows, start })
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.phi.len()
    }

    /// Gradient of element `i`.
    pub fn gradient(&self, i: usize) -> Column<'_> {
        self.runs[i].pack(&self.gradient[self.start[i]..])
    }

    /// Adds `x` to the gradient of element `i` from row `row` on. Needs these rows to be of a body that it couples.
    pub fn add_gradient(&mut self, i: usize, row: usize, x: &[f64]) {
        let at = self.start[i] + self.runs[i].place(row);
        axpy(1.0, x, &mut self.gradient[at..at + x.len()]);
    }

    /// Force of element `i` along its gradient, with its sign changed.
    pub fn tension(&self, i: usize, v: &[f64]) -> f64 {
        self.stiffness[i] * self.phi[i] + self.damping[i] * self.gradient(i).dot(v)
    }

    /// Energy stored in the stiffness of all elements.
    pub fn energy(&self) -> f64 {
        self.stiffness.iter().zip(&self.phi).map(|(k, phi)| 0.5 * k * phi * phi).sum()
    }

    /// Adds the forces of all elements to `force`.
    pub fn add_force(&self, v: &[f64], force: &mut [f64]) {
        for i in 0..self.count() {
            self.gradient(i).add(-self.tension(i, v), force);
        }
    }

    /// Subtracts stiffness times gradient gradient' from `k`, and the same with damping from `c`:
    /// (30) and (31) of Anitescu and Potra, 2002.
    pub fn subtract_products(&self, k: &mut Blocked, c: &mut Blocked) {
        for i in 0..self.count() {
            k.add_square(-self.stiffness[i], self.gradient(i));
            c.add_square(-self.damping[i], self.gradient(i));
        }
    }

    pub(super) fn clear(&mut self) {
        for x in [&mut self.phi, &mut self.gradient, &mut self.stiffness, &mut self.damping] {
            x.fill(0.0);
        }
    }

    /// Refuses what is not finite, and negative stiffness or damping.
    pub(super) fn check(&self) -> Result<()> {
        finite("element phi", &self.phi)?;
        finite("element gradient", &self.gradient)?;
        for (what, x) in
            [("element stiffness", &self.stiffness), ("element damping", &self.damping)]
        {
            finite(what, x)?;
            if let Some(index) = x.iter().position(|&x| x < 0.0) {
                return Err(Error::Range { what, index, value: x[index], must: ">= 0" });
            }
        }
        Ok(())
    }
}

impl Checked<'_> {
    /// [`Model::force`](super::Model::force) alone.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn own_force(&mut self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Result<()> {
        self.force_evals += 1;
        force.fill(0.0);
        self.answered("force", self.model.force(t, q, v, force))?;
        finite("force", force)
    }

    /// [`Model::force`](super::Model::force), and the forces of the elements that it leaves out.
    ///
    /// # Errors
    /// As [`own_force`](Self::own_force) and [`elements`](Self::elements); `Memory` when no room for
    /// elements was lent.
    pub fn force(&mut self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Result<()> {
        self.own_force(t, q, v, force)?;
        let dims = self.model.dims();
        if dims.n_element == 0 || self.model.elements_in_force() {
            return Ok(());
        }
        let mut room = match &mut self.lent {
            Some(lent) => std::mem::take(*lent),
            None => Elements::new(&dims)?,
        };
        let answer = self.elements(t, q, &mut room);
        room.add_force(v, force);
        if let Some(lent) = &mut self.lent {
            **lent = room;
        }
        answer?;
        finite("force", force)
    }

    /// [`Model::elements`](super::Model::elements); not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass), and `Range` for negative stiffness or damping.
    pub fn elements(&self, t: f64, q: &[f64], elements: &mut Elements) -> Result<()> {
        if elements.count() == 0 {
            return Ok(());
        }
        elements.clear();
        self.answered("elements", self.model.elements(t, q, elements))?;
        elements.check()
    }
}
