//! Sizes of a model. Knows nothing else.

/// Sizes of a model. They never change after creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Dims {
    /// Coordinates of position.
    pub nq: usize,
    /// Coordinates of velocity.
    pub nv: usize,
    /// Joint equations.
    pub n_joint: usize,
    /// Contacts, open or closed, that a gap is always asked for. Those that come and go are not
    /// among them, see [`Model::hosted`](super::Model::hosted).
    pub n_contact: usize,
    /// Friction directions per contact, even; 0 without friction.
    pub n_dir: usize,
    /// Brakes: friction with bounds of its own, not tied to a normal force.
    pub n_brake: usize,
    /// Elastic and damping elements that the model declares.
    pub n_element: usize,
}
