//! What has been followed of the piece under way: the search for events asks for the same point of a path again and again.
//! Knows no mechanics.

use super::state::Mode;
use crate::error::{Result, reserve};

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
