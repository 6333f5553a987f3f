//! From the closed set of games to code that is generic over a game.

/// Evaluates one expression for whichever of the five games without chance was asked about, and another
/// for Senet.
macro_rules! for_game {
    ($asked:expr, |$game:ident, $position:ident| $deterministic:expr, senet |$senet:ident, $throwing:ident| $chance:expr) => {
        match $asked {
            marquis_games::catalogue::Asked::Squish($game, $position) => $deterministic,
            marquis_games::catalogue::Asked::Flowish($game, $position) => $deterministic,
            marquis_games::catalogue::Asked::Swish($game, $position) => $deterministic,
            marquis_games::catalogue::Asked::Squeeze($game, $position) => $deterministic,
            marquis_games::catalogue::Asked::Squinch($game, $position) => $deterministic,
            marquis_games::catalogue::Asked::Senet($senet, $throwing) => $chance,
        }
    };
}

pub(crate) use for_game;
