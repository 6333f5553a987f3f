//! Measurements of strength: matches against other players, rates, and error rates of a search.
#![forbid(unsafe_code)]

pub mod answers;
pub mod blunders;
pub mod board;
pub mod kept;
pub mod mcts;
pub mod pace;
pub mod players;
pub mod program;
pub mod rates;
pub mod senet;
pub mod start;
pub mod versus;
