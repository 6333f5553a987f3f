//! The binary, as its users and their programs start it.
mod answers;
mod builds;
mod checks;
mod common;
mod contests;
mod conversations;
#[cfg(feature = "http")]
mod elsewhere;
mod endings;
#[cfg(feature = "http")]
mod fetch;
mod input;
mod inspect;
mod interrupt;
mod leases;
mod log;
mod plans;
mod play;
mod proofs;
mod records;
mod rules;
mod running;
#[cfg(feature = "http")]
mod server;
mod strips;
mod study;
mod tables;
mod talk;
mod ugi;
mod vectors;
mod weights;
