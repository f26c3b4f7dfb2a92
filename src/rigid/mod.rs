//! Built-in bodies: points, planar and spatial rigid bodies, joints, springs and contact shapes, as
//! one [`Model`] among others. Knows neither steps nor how contacts are solved.
//!
//! [`Model`]: crate::model::Model
#![doc = include_str!("theory.md")]

mod attach;
mod body;
mod build;
mod contact;
mod coordinate;
mod fast;
mod features;
mod grid;
mod joint;
mod keys;
mod measure;
mod meet;
mod mesh;
mod near;
mod push;
mod rotation;
mod scene;
mod shape;
mod slopes;
mod solid;
mod spring;
mod stand;
mod touch;

pub use body::{Axes, BodyId, Link};
pub use build::Builder;
pub use contact::{Grain, MaterialId, Surface};
pub use joint::{Freedom, Joint, JointId};
pub use keys::ContactPair;
pub use measure::Pose;
pub use meet::Attach;
pub use mesh::height_field;
pub use scene::Scene;
pub use shape::{Shape, ShapeId};
pub use spring::{Element, Signal, Spring, VectorSignal};
