//! Event-capturing methods after Acary's review of 2009: what their equations are. Knows no C.
#![doc = include_str!("theory.md")]
