//! Ranks as processes, on one machine or many, by the message passing interface.
//!
//! It is a package of its own, so that those that know ranks need not be compiled again for it; without the feature
//! `mpi` there is nothing here.
#![forbid(unsafe_code)]

#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use world::among;
