//! What people are told about a game, and how they ask for its start.

use marquis_core::{ByPlayer, GameId, RulesPage};

/// What a newcomer is told about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Which game it is.
    pub id: GameId,
    /// What can be chosen: board sizes, variants.
    pub variants: &'static str,
    /// The grammar of position texts.
    pub grammar: &'static str,
    /// The rules for people, with diagrams.
    pub rules: &'static RulesPage,
    /// The sizes of the start positions that are listed, as they follow `start:`.
    pub sizes: &'static [&'static str],
    /// The names of the players' colours.
    pub colours: ByPlayer<&'static str>,
    /// What `generate` can build, for a reader: a line each.
    pub builds: &'static str,
    /// Whether players agree on what happens to one who cannot move.
    pub agrees_on_immobile: bool,
}

/// What follows `start` or `start:`, if the text asks for a start position.
pub(crate) fn start_size(text: &str) -> Option<Option<&str>> {
    match text.trim().strip_prefix("start")? {
        "" => Some(None),
        size => size.strip_prefix(':').map(Some),
    }
}
