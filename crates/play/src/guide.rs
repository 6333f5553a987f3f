//! Knowledge about a game that a search can use in addition to the rules.

use marquis_core::{Game, Score};

use crate::Ladder;

/// The maximum number of kinds of moves in a game.
pub const KINDS: usize = 1 << 12;

/// Hints for a good order of moves.
pub trait Guide<G: Game>: Sync {
    /// Whether a position can repeat.
    const REPEATS: bool;

    /// The number of consecutive [noisy](Self::is_noisy) moves that a leaf searches past.
    const LOOKS_PAST: u8 = 0;

    /// Whether late moves in the order are first searched with reduced depth.
    const REDUCES: bool = true;

    /// The strengths of the levels.
    fn ladder(&self, game: &G) -> Ladder {
        let _ = game;
        Ladder::PLAIN
    }

    /// A small number, below [`KINDS`], that similar moves of different positions share.
    fn kind(&self, game: &G, position: &G::Position, mv: G::Move) -> usize;

    /// Whether a leaf should search past the move, because it changes much.
    fn is_noisy(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        let _ = (game, position, mv);
        false
    }
}

/// Certain knowledge without a search, such as from tables.
///
/// Values do not depend on the path to a position. Plies may be more than needed, and are
/// [`Proved::UNCOUNTED`](crate::Proved::UNCOUNTED) if they are unknown.
pub trait Oracle<G: Game>: Sync {
    /// The score of a position that is not over; `None` if it is unknown.
    ///
    /// Called for every position of a search, so it must be fast if the score is unknown.
    fn score(&self, game: &G, position: &G::Position) -> Option<Score>;

    /// Like [`score`](Self::score), but may take as long as a search of some plies.
    fn score_at_length(&self, game: &G, position: &G::Position) -> Option<Score> {
        self.score(game, position)
    }
}

impl<G: Game, O: Oracle<G> + ?Sized> Oracle<G> for &O {
    #[inline]
    fn score(&self, game: &G, position: &G::Position) -> Option<Score> {
        (**self).score(game, position)
    }

    fn score_at_length(&self, game: &G, position: &G::Position) -> Option<Score> {
        (**self).score_at_length(game, position)
    }
}

/// An oracle without knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    #[inline]
    fn score(&self, _: &G, _: &G::Position) -> Option<Score> {
        None
    }
}
