//! Records of games: what is written is read, and what is said of texts that are none.

mod identity;
mod reading;
