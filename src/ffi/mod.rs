//! The C face: the only unsafe code. Each exported function is one guard around one call; pointers
//! become slices in `ptr` and nowhere else; panics end in `guard`. Nothing below this room knows
//! it.
//!
//! The comments on exported items are the documentation of `include/stiction.h`, which is generated
//! from them.
// What a caller must promise is in the comment of each function, in the words of the C header.
#![allow(unsafe_code, non_camel_case_types, clippy::missing_safety_doc)]

mod batch;
mod builder;
mod builder_force;
mod builder_joint;
mod builder_shape;
mod builder_solid;
mod callback;
mod consistency;
mod contact;
mod derived;
mod environment;
mod event;
mod forces;
mod guard;
mod impact;
mod lcp;
mod lcp_memory;
mod lcp_options;
mod measure;
mod model;
mod pair;
mod passive;
mod pose;
mod ptr;
mod report;
mod signal;
mod sink;
mod sized;
mod status;
mod stepper;
mod stepper_options;
mod trapezoid;
mod version;

#[cfg(feature = "inject-faults")]
mod fault;

pub use batch::*;
pub use builder::*;
pub use builder_force::*;
pub use builder_joint::*;
pub use builder_shape::*;
pub use builder_solid::*;
pub use callback::*;
pub use consistency::*;
pub use contact::*;
pub use derived::*;
pub use event::*;
#[cfg(feature = "inject-faults")]
pub use fault::*;
pub use forces::*;
pub use impact::*;
pub use lcp::*;
pub use lcp_memory::*;
pub use lcp_options::*;
pub use measure::*;
pub use model::*;
pub use pair::*;
pub use passive::*;
pub use pose::*;
pub use report::*;
pub use signal::*;
pub use sink::*;
pub use status::*;
pub use stepper::*;
pub use stepper_options::*;
pub use trapezoid::*;
pub use version::*;
