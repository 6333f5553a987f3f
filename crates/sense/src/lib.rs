//! The games as an evaluation sees them: for each family of rules its inputs, hand-made terms, move ordering, and the
//! openings that training uses.
//!
//! ```
//! use marquis_core::Value;
//! use marquis_eval::HandMade;
//! use marquis_games::Squish;
//! use marquis_games::unification::Approach;
//! use marquis_play::{Budget, Searcher};
//! use marquis_sense::unification::Sense;
//!
//! let (game, position) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w")?;
//! let sense = Sense::<Approach>::default();
//! let mut searcher = Searcher::new(HandMade::<Sense<Approach>>::new(), sense, 1 << 20);
//! let thought = searcher.think(&game, &[], &position, &Budget::nodes(50_000), &mut |_| {});
//! assert_eq!(thought.proved.expect("a small board").value, Value::Win);
//! # Ok::<(), marquis_core::TextError>(())
//! ```
#![forbid(unsafe_code)]

pub mod beads;
mod calibrations;
mod hexagon;
pub mod lessons;
pub mod schooled;
pub mod senet;
pub mod squinch;
pub mod unification;
pub mod weights;

pub use schooled::{Board, Schooled};
pub use weights::{Weights, WeightsError};
