//! The registered games and their names.

use std::path::Path;
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use marquis_core::{GameId, Player};
use marquis_engine::{GameEntry, Registry, causes};

use crate::exit::CommandFailure;

/// All games, with the weights that come with the program.
pub(crate) fn registry() -> &'static Registry {
    static GAMES: LazyLock<Registry> = LazyLock::new(marquis_registry::official);
    &GAMES
}

/// The same games with the networks of a folder, if one is named.
///
/// # Errors
/// The folder cannot be listed.
pub(crate) fn with_weights_of(folder: Option<&Path>) -> Result<Registry, CommandFailure> {
    let Some(folder) = folder else { return Ok(registry().clone()) };
    marquis_registry::with_weights_of(folder).map_err(|error| {
        let what = "expected a folder with networks (*.net)";
        CommandFailure::failed(format!("--weights: {what}: {}", causes(&error)))
    })
}

/// The game of this name, if there is one.
pub(crate) fn find(name: &str) -> Option<&'static GameEntry> {
    registry().game(name).ok()
}

/// Whether a text is a board of a game with set-ups, without a player to move: a position names that player after its
/// rows.
pub(crate) fn is_board(game: GameId, text: &str) -> bool {
    let has_set_ups = find(game.name()).is_some_and(GameEntry::has_set_ups);
    has_set_ups && text.contains('/') && !text.trim().contains(|c: char| c.is_whitespace() || c == '_')
}

/// Reads the name of a game.
pub(crate) fn parser() -> impl TypedValueParser<Value = GameId> {
    let names: Vec<&str> = registry().games().map(|game| game.id().name()).collect();
    PossibleValuesParser::new(names).try_map(|name| registry().game(&name).map(GameEntry::id))
}

/// The colour that a letter in the answers of a game stands for.
pub(crate) fn colour(game: &str, letter: &str) -> &'static str {
    find(game).map_or("White", |game| game.colour(game.player(letter).unwrap_or(Player::First)))
}
