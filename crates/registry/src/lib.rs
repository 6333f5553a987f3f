//! The games of this project, as what the engine asks about: one folder a family of rules, one line each in
//! [`official`].
//!
//! A folder here holds what a game knows beyond its rules: how its tables are named, found and built, what its
//! designer claims, how boards are drawn and set up, and the first numbers of the search.
#![forbid(unsafe_code)]

pub mod beads;
mod hexagon;
mod judges;
pub mod senet;
mod squinch;
pub mod training;
mod unification;

use std::sync::Arc;

use marquis_engine::{Game, Registry};
use marquis_sense::courses::Attend;
use marquis_sense::weights::Weights;

use self::judges::judge;

/// The six games, in the order of the rules, with the weights that come with the program.
#[must_use]
pub fn official() -> Registry {
    with_weights(Weights::embedded())
}

/// What is done with the course of a board that can be learned by self-play; nothing where there is no such board.
fn attend<A: Attend>(game: &str, size: Option<&str>, what: A) -> Option<A::Output> {
    marquis_sense::unification::attend(game, size, what)
        .or_else(|what| marquis_sense::beads::attend(game, size, what))
        .or_else(|what| marquis_sense::squinch::attend(game, size, what))
        .ok()
}

/// The same with other weights.
#[must_use]
pub fn with_weights(weights: Weights) -> Registry {
    let weights = Arc::new(weights);
    Registry::new([
        Game::judged::<unification::Squish>(judge(&weights)),
        Game::judged::<unification::Flowish>(judge(&weights)),
        Game::judged::<beads::Swish>(judge(&weights)),
        Game::judged::<beads::Squeeze>(judge(&weights)),
        Game::judged::<squinch::Squinch>(judge(&weights)),
        Game::forecast::<senet::Adapter>(weights.senet()),
    ])
}
