//! The chance of winning in a game with throws, between a lower and an upper bound that meet.
//!
//! * [`iterate`]: value iteration over everything reachable from a position; the judge.
//! * [`grid`]: value iteration over whole layers, row by row; for tables.
#![forbid(unsafe_code)]

pub mod grid;
pub mod iterate;

pub use iterate::{Between, IterationLimits, IterationProgress, Solved, Stopped, solve};
