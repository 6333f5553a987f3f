//! Players, what they prove, and the games that they play.

mod arena;
mod exact;
mod expectation;
mod players;
