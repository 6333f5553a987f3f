//! Ranks as processes, on one machine or many, by the Message Passing Interface.
//!
//! A separate package, so that crates that use ranks are not compiled again for it. Without the feature `mpi` it is
//! empty.
#![forbid(unsafe_code)]

#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use world::among;
