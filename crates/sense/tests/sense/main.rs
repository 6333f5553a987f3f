//! The weights of each game, and the inputs that they use.

mod inputs;
mod ladders;
mod senet;
mod weights;
