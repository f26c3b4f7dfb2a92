//! The path of modes, and what is known of it: the search for events asks for the same point again and again. Knows no events.

use super::run::Run;
use super::search::Path;
use super::stabilize::push_contact;
use super::state::Mode;
use crate::error::{Error, Result, reserve};
use crate::tol;

/// The last path of modes, and the last step by complementarity, from the start of the piece.
#[derive(Debug)]
pub(super) struct Followed {
    /// How far the path led; none where what it left behind has been changed.
    path: Option<f64>,
    modes: Vec<Mode>,
    /// The same of the step.
    lcp: Option<f64>,
    /// Whether the last step was computed by one linear problem of the method itself, which can be written down again.
    pub single: bool,
}

impl Followed {
    /// For `n` contacts and brakes.
    pub(super) fn new(n: usize) -> Result<Self> {
        Ok(Self { path: None, modes: reserve(n)?, lcp: None, single: false })
    }

    /// Another start, or other friction directions there.
    pub(super) fn forget(&mut self) {
        (self.path, self.lcp) = (None, None);
    }

    /// The path, or the stage, is about to be changed.
    pub(super) fn forget_path(&mut self) {
        self.path = None;
    }

    /// The step is about to be changed.
    pub(super) fn forget_lcp(&mut self) {
        self.lcp = None;
    }

    /// Whether the path led as far as `h`, with these `modes` of contacts and brakes.
    pub(super) fn is_path(&self, h: f64, modes: [&[Mode]; 2]) -> bool {
        // exact: the same path
        self.path == Some(h) && modes.into_iter().flatten().eq(&self.modes)
    }

    /// The path leads as far as `h`.
    pub(super) fn keep_path(&mut self, h: f64, modes: [&[Mode]; 2]) {
        self.modes.clear();
        self.modes.extend(modes.into_iter().flatten());
        self.path = Some(h);
    }

    /// Whether the step has the length `h`.
    pub(super) fn is_lcp(&self, h: f64) -> bool {
        // exact: the same step
        self.lcp == Some(h)
    }

    /// The step has the length `h`, if it can be written down again.
    pub(super) fn keep_lcp(&mut self, h: f64) {
        self.lcp = self.single.then_some(h);
    }
}

impl Run<'_> {
    /// The piece of length `h` with the modes m0 kept, (step.17): qp, vp, projected.
    pub(super) fn path(&mut self, h: f64) -> Result<()> {
        if self.w.capture.used() {
            return self.capture_path(h);
        }
        let w = &*self.w;
        if w.followed.is_path(h, [&w.m0, &w.brakes.m0]) {
            return Ok(());
        }
        self.prepare(self.method, h)?;
        self.list_facing();
        let w = &mut *self.w;
        w.path_equations.start(&w.stage.mass)?;
        let rows = w.stage.rows();
        for j in 0..w.stage.joint_offset.len() {
            let (row, direction) = (rows.joint(j), w.stage.impulse.joint(j));
            w.path_equations.push_joint(row, w.stage.joint_offset[j], direction)?;
        }
        for (i, &mode) in w.facing.iter().enumerate().filter(|(_, mode)| mode.held()) {
            let both = (&w.stage.impulse, rows);
            let offset = w.stage.normal_offset[i];
            push_contact(&mut w.path_equations, both, w.mu[i], (i, mode), offset)?;
        }
        w.move_by.copy_from_slice(&w.stage.p);
        w.brakes.hold(&w.stage, &mut w.path_equations, &mut w.move_by)?;
        w.path_equations.apply_inverse_mass(&mut w.move_by);
        let free = w.stage.mass.square(&w.move_by) + w.stage.mass.square(&w.start.v);
        w.path_equations.correct(&mut w.move_by)?;
        // exact: what is driven may gain any energy
        let still = |x: &f64| *x == 0.0;
        if w.stage.joint_offset.iter().chain(&w.stage.normal_offset).all(still) {
            check_energy(w.stage.mass.square(&w.move_by), free)?;
        }
        w.stage.velocity(&w.start, &w.move_by, &mut w.vp);
        w.stage.position(&mut self.host, &w.start, &w.vp, &mut w.qp)?;
        w.path_effort.begin(&w.stage.d);
        let impulses = &mut w.path_effort.impulses;
        impulses.add_multipliers(&w.path_equations, &w.facing, &w.mu);
        w.brakes.take_impulses(&w.stage, &w.path_equations, &mut impulses.brake);
        self.project_path(h)?;
        let w = &mut *self.w;
        w.followed.keep_path(h, [&w.m0, &w.brakes.m0]);
        Ok(())
    }

    /// facing := the modes m0, open where a contact passes an edge between the middle of the piece and its end, (step.72).
    fn list_facing(&mut self) {
        let mut facing = std::mem::take(&mut self.w.facing);
        facing.clear();
        let (impulse, rows) = (&self.w.stage.impulse, self.w.stage.rows());
        let patches = &self.host.scratch.patches;
        let turned = |i| patches.turned_over(impulse.normal(i), rows.normal(i));
        let open_where_turned = |(i, &mode): (usize, &Mode)| match mode.held() {
            true if turned(i) => Mode::Open,
            _ => mode,
        };
        facing.extend(self.w.m0.iter().enumerate().map(open_where_turned));
        self.w.facing = facing;
    }

    /// Projects qp, vp with the modes m0.
    pub(super) fn project_path(&mut self, h: f64) -> Result<()> {
        self.w.followed.forget_path();
        let (mut q, mut v) = (std::mem::take(&mut self.w.qp), std::mem::take(&mut self.w.vp));
        let modes = std::mem::take(&mut self.w.m0);
        let done = self.project(self.state.t + h, &mut q, &mut v, &modes, Path::Modes);
        (self.w.qp, self.w.vp, self.w.m0) = (q, v, modes);
        done
    }
}

/// Refuses a path on which what is held makes far more energy than there was, `free`: with friction along slips that are
/// kept, contacts and joints may be next to singular.
fn check_energy(energy: f64, free: f64) -> Result<()> {
    // A NaN must fail too.
    if !(energy <= tol::PATH_ENERGY * free) {
        return Err(Error::Residual { residual: energy / free, tolerance: tol::PATH_ENERGY });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_known_for_its_length_and_modes_until_something_changes() {
        let mut f = Followed::new(2).unwrap();
        let (stick, slip) = ([Mode::Stick], [Mode::Slip(1)]);
        assert!(!f.is_path(0.5, [&stick, &slip]));
        f.keep_path(0.5, [&stick, &slip]);
        assert!(f.is_path(0.5, [&stick, &slip]));
        assert!(!f.is_path(0.25, [&stick, &slip]) && !f.is_path(0.5, [&slip, &stick]));
        f.single = true;
        f.keep_lcp(0.5);
        f.forget_path();
        assert!(!f.is_path(0.5, [&stick, &slip]) && f.is_lcp(0.5));
        f.forget();
        assert!(!f.is_lcp(0.5));
        // A step by several problems is not known again.
        f.single = false;
        f.keep_lcp(0.5);
        assert!(!f.is_lcp(0.5));
    }
}
