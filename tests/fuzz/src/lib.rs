//! What the fuzz targets for files share: true files to begin with, and seals that are put right after a change, so
//! that a fuzzer gets beyond the checksums.
#![forbid(unsafe_code)]

pub mod container;
pub mod folder;
#[cfg(feature = "service")]
pub mod job;
pub mod seeds;
#[cfg(feature = "service")]
pub mod service;
pub mod table;
