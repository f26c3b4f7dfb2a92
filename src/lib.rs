//! Stiction computes the motion of bodies that touch: hard contact, joints, Coulomb friction and
//! impacts, by linear complementarity.
//!
//! The numerics are safe Rust and can be used as such; [`ffi`] is the C face over them.
//!
//! | room | holds |
//! |---|---|
//! | [`lcp`] | complementarity problems, Lemke's method, the independent residual |
//! | [`contact`] | friction directions and the numbers that describe a contact |
//! | [`velocity`] | one velocity-impulse problem: masses, joints, contacts, friction |
//! | [`impact`] | velocity jumps: plastic, Newton, Poisson, reflection |
//! | [`model`] | what a mechanical system must answer |
//! | [`check`] | derivative and consistency checks for any model |
//! | [`rigid`] | built-in bodies, joints, springs and shapes: a model |
//! | [`step`] | time steps, events, impacts: motion |
//! | [`passive`] | a model fed by its host, by request and answer |
//! | [`batch`] | many independent things done by several threads |
//! | [`linalg`] | what nalgebra lacks, into storage the caller owns |
//! | [`tol`] | every tolerance, with its reason |
//! | [`error`] | every way to fail, with its numbers |
//!
//! Knowledge flows one way: a room uses the rooms below it and none above. `error`, `tol` and
//! `batch` lie at the bottom, then `linalg` and `model`, then `lcp`, `contact`, `rigid` and `check`, then
//! `velocity`, then `impact`, then `step`, then `passive`; `ffi` is on top and nothing below knows it.
//!
//! ```
//! use stiction::lcp::Lcp;
//! use stiction::linalg::MatRef;
//!
//! // w = M z + q, 0 <= z, 0 <= w, z'w = 0
//! let m = [2.0, 1.0, 1.0, 2.0];
//! let q = [-5.0, -6.0];
//! let mut z = [0.0; 2];
//! let mut lcp = Lcp::new(2)?;
//! let info = lcp.solve(MatRef::square("m", &m, 2)?, &q, &mut z, None)?;
//! assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14);
//! assert!(info.residual < 1e-12);
//! # Ok::<(), stiction::Error>(())
//! ```
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod batch;
pub mod check;
pub mod contact;
pub mod error;
pub mod ffi;
pub mod impact;
pub mod lcp;
pub mod linalg;
pub mod model;
pub mod passive;
pub mod rigid;
pub mod step;
pub mod tol;
pub mod velocity;

pub use error::Error;
