//! Checks shared by the tests of the games.

pub(crate) mod agreement;
pub(crate) mod ahead;
pub(crate) mod random_games;
pub(crate) mod solved;
mod spilled;
