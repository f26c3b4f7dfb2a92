//! The C face: the only unsafe code. Each exported function is one guard around one call; pointers
//! become slices in `ptr` and nowhere else; panics end in `guard`. Nothing below this room knows it.
//!
//! The comments on exported items are the documentation of `include/stiction.h`, which is generated
//! from them.
// What a caller must promise is in the comment of each function, in the words of the C header.
#![allow(unsafe_code, non_camel_case_types, clippy::missing_safety_doc)]

mod contact;
mod guard;
mod impact;
mod lcp;
mod lcp_memory;
mod lcp_options;
mod ptr;
mod sized;
mod status;
mod version;

#[cfg(feature = "inject-faults")]
mod fault;

pub use contact::*;
#[cfg(feature = "inject-faults")]
pub use fault::*;
pub use impact::*;
pub use lcp::*;
pub use lcp_memory::*;
pub use lcp_options::*;
pub use status::*;
pub use version::*;
