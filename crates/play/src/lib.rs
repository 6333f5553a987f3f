//! Playing: a search that finds good moves for every position, and matches that say how good they are.
//!
//! [`Searcher`] looks ahead with an evaluation at the leaves, iteratively deeper, until it is stopped.
//! A [`Team`] does so on several threads; a [`Level`] says how strong a player is meant to be.
//! What it has seen to the end is [proved](Proved) and never mixed up with what is [estimated](marquis_eval::Leaning).
//! Nothing here knows a particular game or touches a file.
#![forbid(unsafe_code)]

pub mod arena;
pub mod budget;
pub mod expectation;
pub mod guide;
pub mod level;
pub mod search;
pub mod table;
pub mod worth;

pub use budget::Budget;
pub use expectation::{Expectation, Judge, Weighed};
pub use guide::{Guide, NoOracle, Oracle};
pub use level::{Ladder, Level, NoLevel, Strength};
pub use search::{Candidate, Searcher, Team, Thought};
pub use table::Table;
pub use worth::{Proved, Worth};
