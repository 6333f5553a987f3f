//! The binary, as its users and their programs start it.
mod answers;
mod builds;
mod common;
mod endings;
mod input;
mod inspect;
mod interrupt;
mod log;
mod play;
mod proofs;
mod records;
mod rules;
mod study;
mod tables;
mod ugi;
mod weights;
