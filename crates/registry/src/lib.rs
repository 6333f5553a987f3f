//! The games of this project, as what the engine asks about: one folder a family of rules, one line each in
//! [`official`].
//!
//! A folder here holds what a game knows beyond its rules: how its tables are named, found and built, what its
//! designer claims, how boards are drawn and set up, and the first numbers of the search.
#![forbid(unsafe_code)]

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod ahead;
pub mod beads;
mod doublings;
mod hexagon;
mod judges;
pub mod senet;
mod squinch;
pub mod training;
mod unification;

use std::path::Path;
use std::sync::Arc;

use marquis_engine::{Game, LeftOut, Registry};
use marquis_sense::courses::Attend;
use marquis_sense::weights::Weights;
pub use marquis_sense::weights::WeightsError;

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

/// The six games with the weights of a folder, and those that come with the program for all other boards.
///
/// The registry [says](Registry::left_out) which files of the folder it is made without, and why.
///
/// # Errors
/// The folder cannot be listed.
pub fn with_weights_of(folder: &Path) -> Result<Registry, WeightsError> {
    let mut weights = Weights::embedded();
    let left_out = weights.read_folder(folder)?;
    let left_out =
        left_out.into_iter().map(|why| LeftOut { file: why.path().to_owned(), why: Arc::new(why) });
    Ok(with_weights(weights).without(left_out.collect()))
}

/// The six games with these weights.
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
    .with_book(BOOK)
}

/// The known results that come with the program.
const BOOK: &str = include_str!("../../../tablebases/book/results.tsv");
