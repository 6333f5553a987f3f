//! What was learned of each game, and what it is made of.

mod inputs;
mod ladders;
mod senet;
mod weights;
