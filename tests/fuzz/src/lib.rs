//! Code shared by the fuzz targets for files: valid seed files, and repair of checksums after a mutation, so that a
//! fuzzer gets past them.
#![forbid(unsafe_code)]

pub mod container;
pub mod folder;
#[cfg(feature = "service")]
pub mod job;
pub mod seeds;
#[cfg(feature = "service")]
pub mod service;
pub mod table;
