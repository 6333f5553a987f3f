//! What a search may be told about a game beyond its rules.

use marquis_core::{Game, Score};

use crate::Ladder;

/// How many kinds of moves a game may tell apart.
pub const KINDS: usize = 1 << 12;

/// What helps to look at moves in a good order.
pub trait Guide<G: Game>: Sync {
    /// Whether a position can come again.
    const REPEATS: bool;

    /// How many [noisy](Self::is_noisy) moves in a row a leaf looks past.
    const LOOKS_PAST: u8 = 0;

    /// Whether a move that is late in the order is first looked at less far.
    const REDUCES: bool = true;

    /// What the levels are worth.
    fn ladder(&self, game: &G) -> Ladder {
        let _ = game;
        Ladder::PLAIN
    }

    /// A small number, below [`KINDS`], that like moves of different positions share.
    fn kind(&self, game: &G, position: &G::Position, mv: G::Move) -> usize;

    /// Whether the move changes so much that a leaf should look past it.
    fn is_noisy(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        let _ = (game, position, mv);
        false
    }
}

/// What is known for certain without a search, such as by tables.
///
/// Values do not depend on how a position was reached. Plies may be more than are needed, and are
/// [`Proved::UNCOUNTED`](crate::Proved::UNCOUNTED) where nobody has counted them.
pub trait Oracle<G: Game>: Sync {
    /// The score of a position that is not over; nothing where nobody knows.
    ///
    /// Every position that a search comes to is asked about, so it has to be quick where it knows nothing.
    fn score(&self, game: &G, position: &G::Position) -> Option<Score>;

    /// The same where it may take as long as a search of some plies.
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

/// Nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    #[inline]
    fn score(&self, _: &G, _: &G::Position) -> Option<Score> {
        None
    }
}
