//! The wire forms: the shapes of `--json` output and HTTP responses, and the words in them.
//!
//! All of `serde` is here.

pub mod answer;
pub mod book;
pub mod ending;
pub mod record;
pub mod reports;
pub mod review;
mod size;
pub mod study;
pub mod vectors;
pub mod words;
