//! The chance of winning in a game with throws, between a lower and an upper bound that meet.
//!
//! * [`iterate`]: value iteration over everything reachable from a position; the judge.
//! * [`grid`]: value iteration over whole layers, row by row; for tables.
//! * [`outlook`]: the limit of an iteration, estimated from the changes of its last steps.
#![forbid(unsafe_code)]

pub mod grid;
pub mod iterate;
pub mod outlook;

pub use iterate::{ChanceInterval, IterationLimits, IterationProgress, SolvedChances, Stopped, solve};
