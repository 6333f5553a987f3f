//! The games of the registry by name: a test that loops over them includes each new game.

use std::sync::LazyLock;

use marquis_engine::{GameEntry, Registry, StartPosition};
use marquis_registry::official;

static REGISTRY: LazyLock<Registry> = LazyLock::new(official);

/// All games, in the order of the registry.
#[must_use]
pub fn all() -> Vec<&'static str> {
    REGISTRY.games().map(|game| game.id().name()).collect()
}

/// The games without chance.
#[must_use]
pub fn without_throws() -> Vec<&'static str> {
    REGISTRY.games().filter(|game| !game.has_throws()).map(|game| game.id().name()).collect()
}

/// The registered game of this name.
///
/// Panics for an unknown game.
#[must_use]
pub fn named(name: &str) -> &'static GameEntry {
    REGISTRY.game(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The listed starts of a game, the smallest board first.
///
/// Panics at the caller's place in the source if there are none: tests of such a game need an arm there.
#[must_use]
#[track_caller]
pub fn starts(game: &str) -> Vec<StartPosition> {
    let starts = named(game).starts();
    if starts.is_empty() { lacks(game) } else { starts }
}

/// Panics at the caller's place in the source, which has nothing about a game yet.
#[track_caller]
pub fn lacks(game: &str) -> ! {
    panic!("there is no arm for the game {game:?} here: add one")
}
