//! The games that there are, and what they are called.

use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use marquis_engine::{Game, GameId, Player, Registry};

/// All games.
pub(crate) fn registry() -> &'static Registry {
    static GAMES: LazyLock<Registry> = LazyLock::new(marquis_registry::official);
    &GAMES
}

/// The game of this name, if there is one.
pub(crate) fn find(name: &str) -> Option<&'static Game> {
    registry().game(name).ok()
}

/// Reads the name of a game.
pub(crate) fn parser() -> impl TypedValueParser<Value = GameId> {
    let names: Vec<&str> = registry().games().map(|game| game.id().name()).collect();
    PossibleValuesParser::new(names).try_map(|name| registry().game(&name).map(Game::id))
}

/// The colour that a letter in the answers of a game stands for.
pub(crate) fn colour(game: &str, letter: &str) -> &'static str {
    find(game).map_or("White", |game| game.colour(game.player(letter).unwrap_or(Player::First)))
}
