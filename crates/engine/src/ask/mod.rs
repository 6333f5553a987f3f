//! A question and its answer: what is known of a position, and what has to be searched.

pub(crate) mod balance;
pub(crate) mod choice;
mod difficulty;
mod everything;
pub(crate) mod hints;
mod judged;
mod line;
pub(crate) mod memory;
mod ordering;
pub(crate) mod promise;
mod rating;
pub(crate) mod review;
pub(crate) mod shares;
pub(crate) mod solve;
mod told;
