//! The wire forms: the shapes of `--json` output and HTTP responses, the words in them, and the quantities that a
//! question gives.
//!
//! Knows no solver; all of `serde` for answers is here. Fields are added, never changed.
#![forbid(unsafe_code)]

pub mod answer;
pub mod book;
pub mod ending;
mod goal;
mod memory_size;
pub mod progress;
pub mod quantity;
pub mod record;
pub mod reports;
pub mod review;
pub mod study;
pub mod vectors;
pub mod words;

pub use goal::Goal;
pub use memory_size::{DiskSize, MemorySize, in_words};
