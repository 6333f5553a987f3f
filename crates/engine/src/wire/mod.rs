//! The edge: the shapes that `--json` prints and HTTP sends, and how they are made of what the engine computes with.
//!
//! All of `serde` is here.

pub mod answer;
mod of_domain;
pub mod reports;
mod size;

pub(crate) use of_domain::{bound_words, value_word};
