//! What can be asked: a position's value, its line, the balance of a set-up, set-ups that are hard.

pub(crate) mod balance;
pub(crate) mod choice;
pub(crate) mod design;
mod difficulty;
pub(crate) mod line;
mod ordering;
pub(crate) mod promise;
pub mod query;
pub(crate) mod setups;
pub(crate) mod solve;
