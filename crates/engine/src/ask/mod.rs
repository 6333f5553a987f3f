//! Answering a request: the knowledge about a position, and the search for the rest.

pub(crate) mod balance;
pub(crate) mod choice;
pub(crate) mod closure;
mod conclude;
mod difficulty;
mod everything;
pub(crate) mod hints;
mod image;
mod judged;
mod line;
pub(crate) mod memory;
mod ordering;
mod plies;
pub(crate) mod promise;
pub(crate) mod purse;
mod rating;
mod refine;
pub(crate) mod review;
pub(crate) mod solve;
mod told;
