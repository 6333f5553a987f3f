//! The games of this project, as what the engine asks about: one folder a family of rules, one line each in
//! [`official`].
//!
//! A folder here holds what a game knows beyond its rules: how its tables are named, found and built, what its
//! designer claims, how boards are drawn and set up, and the first numbers of the search.
#![forbid(unsafe_code)]

pub mod beads;
mod hexagon;
pub mod senet;
mod squinch;
mod unification;

use marquis_engine::{Game, Registry};

/// The six games, in the order of the rules.
#[must_use]
pub fn official() -> Registry {
    Registry::new([
        Game::exact::<unification::Squish>(),
        Game::exact::<unification::Flowish>(),
        Game::exact::<beads::Swish>(),
        Game::exact::<beads::Squeeze>(),
        Game::exact::<squinch::Squinch>(),
        Game::chance::<senet::Adapter>(),
    ])
}
