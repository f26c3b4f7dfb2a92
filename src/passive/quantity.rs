//! The arrays that a host may be asked for, and their sizes. Knows no points.

use crate::model::Dims;

/// One array of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Mass matrix, nv by nv.
    Mass,
    /// Force, nv.
    Force,
    /// Derivative of the force by q, nv by nq.
    Dfdq,
    /// Derivative of the force by v, nv by nv.
    Dfdv,
    /// The matrix that turns v into dq/dt, nq by nv.
    Rate,
    /// Joint errors, n_joint.
    Phi,
    /// Joint directions, nv by n_joint.
    Jt,
    /// Gaps, n_contact.
    Gap,
    /// Normals, nv by n_contact.
    Normal,
    /// Friction directions, nv by n_contact n_dir.
    Tangent,
    /// The position reached by the displacement v, nq.
    Moved,
    /// What velocity alone adds to the accelerations of joints, n_joint.
    JointAccel,
    /// The same of gaps, n_contact.
    NormalAccel,
    /// The same of slip, n_contact n_dir.
    TangentAccel,
    /// Largest forces of brakes, n_brake.
    BrakeBound,
    /// Directions of brakes, nv by n_brake.
    Brake,
}

impl Quantity {
    /// All of them, in the order of their numbers.
    pub const ALL: [Quantity; 16] = [
        Quantity::Mass,
        Quantity::Force,
        Quantity::Dfdq,
        Quantity::Dfdv,
        Quantity::Rate,
        Quantity::Phi,
        Quantity::Jt,
        Quantity::Gap,
        Quantity::Normal,
        Quantity::Tangent,
        Quantity::Moved,
        Quantity::JointAccel,
        Quantity::NormalAccel,
        Quantity::TangentAccel,
        Quantity::BrakeBound,
        Quantity::Brake,
    ];

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Mass => "mass",
            Quantity::Force => "force",
            Quantity::Dfdq => "dfdq",
            Quantity::Dfdv => "dfdv",
            Quantity::Rate => "rate",
            Quantity::Phi => "phi",
            Quantity::Jt => "jt",
            Quantity::Gap => "gap",
            Quantity::Normal => "normal",
            Quantity::Tangent => "tangent",
            Quantity::Moved => "moved",
            Quantity::JointAccel => "joint accel",
            Quantity::NormalAccel => "normal accel",
            Quantity::TangentAccel => "tangent accel",
            Quantity::BrakeBound => "brake bound",
            Quantity::Brake => "brake direction",
        }
    }

    /// Number of its entries in a model of these sizes; the largest number there is where it would
    /// be beyond it, for which no memory can be had.
    pub fn len_in(self, d: &Dims) -> usize {
        match self {
            Quantity::Mass | Quantity::Dfdv => d.nv.saturating_mul(d.nv),
            Quantity::Force => d.nv,
            Quantity::Dfdq | Quantity::Rate => d.nv.saturating_mul(d.nq),
            Quantity::Phi | Quantity::JointAccel => d.n_joint,
            Quantity::Jt => d.nv.saturating_mul(d.n_joint),
            Quantity::Gap | Quantity::NormalAccel => d.n_contact,
            Quantity::TangentAccel => d.n_contact.saturating_mul(d.n_dir),
            Quantity::Normal => d.nv.saturating_mul(d.n_contact),
            Quantity::Tangent => d.nv.saturating_mul(d.n_contact).saturating_mul(d.n_dir),
            Quantity::Moved => d.nq,
            Quantity::BrakeBound => d.n_brake,
            Quantity::Brake => d.nv.saturating_mul(d.n_brake),
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of quantities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantities(u32);

impl Quantities {
    /// None.
    pub const NONE: Self = Self(0);

    /// The set with these members.
    pub fn of(members: &[Quantity]) -> Self {
        Self(members.iter().fold(0, |bits, q| bits | q.bit()))
    }

    /// The set whose members are the bits of `bits`, lowest for [`Quantity::Mass`]; `None` when a
    /// bit stands for nothing.
    pub fn from_bits(bits: u32) -> Option<Self> {
        (bits >> Quantity::ALL.len() == 0).then_some(Self(bits))
    }

    /// The set as bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether `q` belongs to it.
    pub fn contains(self, q: Quantity) -> bool {
        self.0 & q.bit() != 0
    }

    /// Whether all of `other` belong to it.
    pub fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Both together.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in it and not in `other`.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has no members.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its members, in the order of their numbers.
    pub fn members(self) -> impl Iterator<Item = Quantity> {
        Quantity::ALL.into_iter().filter(move |q| self.contains(*q))
    }
}
