//! Playing: a search that finds good moves in every position, and matches that measure its strength.
//!
//! [`Searcher`] is an iterative deepening search with an evaluation at the leaves, until it is stopped. A [`Team`]
//! runs it on several threads; a [`Level`] limits the strength of a player. Results searched to the end are
//! [proved](Proved) and never mixed with [estimates](marquis_eval::Leaning). This crate knows no particular game and
//! reads no files.
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
pub use expectation::{Expectation, PositionJudge, Weighed};
pub use guide::{Guide, NoOracle, Oracle};
pub use level::{Ladder, Level, NoLevel, Strength};
pub use search::{Candidate, Searcher, Team, Thought};
pub use table::TranspositionTable;
pub use worth::{Proved, Worth};
