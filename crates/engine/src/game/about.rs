//! The description of a game for people, and the texts that ask for its start position.

use marquis_core::{ByPlayer, GameId, RulesPage};

/// A description of a game for newcomers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The game.
    pub id: GameId,
    /// The options: board sizes and variants.
    pub variants: &'static str,
    /// The grammar of position texts.
    pub grammar: &'static str,
    /// The rules for people, with diagrams.
    pub rules: &'static RulesPage,
    /// The sizes of the listed start positions, as written after `start:`; one for a game with a single board.
    pub sizes: &'static [&'static str],
    /// The names of the players' colours.
    pub colours: ByPlayer<&'static str>,
    /// The tables that `generate` can build, one description per line.
    pub builds: &'static str,
    /// Whether the players choose the rule for a player who cannot move.
    pub agrees_on_immobile: bool,
}

/// The size after `start:` if the text asks for a start position; `Some(None)` for a bare `start`.
pub(crate) fn start_size(text: &str) -> Option<Option<&str>> {
    match text.trim().strip_prefix("start")? {
        "" => Some(None),
        size => size.strip_prefix(':').map(Some),
    }
}
