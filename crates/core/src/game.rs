//! The abilities of a game without chance.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::RangeInclusive;

use crate::{Outcome, Over, Packed, Player, Plies};

/// The result for a player who cannot move, in games where that is a setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Immobile {
    /// The player loses.
    #[default]
    Loss,
    /// The player passes; if neither player can move, the game is a draw.
    Pass,
}

impl Immobile {
    /// `loss` or `pass`; parsing accepts both.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Pass => "pass",
        }
    }
}

/// The rules of a game: positions, moves, play, the player to move, and the end of the game.
///
/// The implementing value holds what is fixed for a whole game (board size, target, variant);
/// a position is a small `Copy` value.
///
/// ```
/// use marquis_core::{Game, Over, Player, Reason};
///
/// /// A heap of stones: take one or two; the player who takes the last one wins.
/// #[derive(Clone, Debug)]
/// struct Heap;
///
/// impl Game for Heap {
///     type Position = (u8, Player);
///     type Move = u8;
///
///     fn turn(&self, &(_, turn): &Self::Position) -> Player {
///         turn
///     }
///
///     fn over(&self, &(stones, turn): &Self::Position) -> Option<Over> {
///         (stones == 0).then(|| Over::won(Reason::Stuck, turn.opponent()))
///     }
///
///     fn moves(&self, &(stones, _): &Self::Position, out: &mut Vec<u8>) {
///         out.extend(1..=stones.min(2));
///     }
///
///     fn play(&self, &(stones, turn): &Self::Position, taken: u8) -> Self::Position {
///         (stones - taken, turn.opponent())
///     }
/// }
///
/// let mut moves = Vec::new();
/// Heap.moves(&(3, Player::First), &mut moves);
/// assert_eq!(moves, [1, 2]);
/// let end = Heap.play(&(1, Player::First), 1);
/// assert_eq!(Heap.over(&end), Some(Over::won(Reason::Stuck, Player::First)));
/// ```
pub trait Game: Clone + Debug + Send + Sync {
    /// A position, with the player to move.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + Packed;
    /// A move, meaningful together with the position that it is made in.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The player to move.
    fn turn(&self, position: &Self::Position) -> Player;

    /// The reason and the outcome if the game is over, otherwise `None`.
    fn over(&self, position: &Self::Position) -> Option<Over>;

    /// Appends the legal moves, each once, in an order that is fixed for a position.
    ///
    /// Call only if the game is not [`over`](Self::over); there is then at least one move. A forced pass is a move.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// The position after a move from [`moves`](Self::moves).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Visits the [`moves`](Self::moves) in order, each with the position after it. Games that find a move together
    /// with its captures do this faster than move by move.
    ///
    /// * `moves`: a buffer; its content is lost.
    #[inline]
    fn each_move(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
        mut visit: impl FnMut(Self::Move, Self::Position),
    ) {
        moves.clear();
        self.moves(position, moves);
        moves.iter().for_each(|&mv| visit(mv, self.play(position, mv)));
    }

    /// A lower bound of the plies to the end, whatever both play, that costs next to nothing.
    fn least_plies(&self, position: &Self::Position) -> Plies {
        let _ = position;
        Plies::ZERO
    }

    /// Whether [`foregone`](Self::foregone) ever returns `Some`.
    const KNOWS_FOREGONE: bool = false;

    /// The outcome if a theorem about the rules decides it whatever the loser plays, although the game continues;
    /// `None` otherwise, and if the game is over.
    ///
    /// Lines of a proof end here as they do when the game is over. So an implementation comes with a proof of the
    /// theorem, and with a test against what plain solvers find for every position of small boards.
    ///
    /// The property is inherited: some move of the winner leads to a position that is foregone as well or that he has
    /// won, and so does every move of the loser. So the lines of a proof can be continued to the end of the game
    /// by calling this for each move.
    fn foregone(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// The least and the most plies to the end of a [`foregone`](Self::foregone) game in which the winner wins as soon
    /// as he can and the other player resists as long as he can; `None` if the theorem says nothing about them.
    ///
    /// * `outcome`: the outcome that is foregone.
    fn foregone_plies(&self, position: &Self::Position, outcome: Outcome) -> Option<RangeInclusive<Plies>> {
        let _ = (position, outcome);
        None
    }

    /// All further moves of the player to move, up to the one with which he has won: each is legal whatever the other
    /// player has answered, who can neither prevent the win nor win before. Empty if there is no such line, or none is
    /// known.
    ///
    /// A proof that others check names these moves in place of every line of a [`foregone`](Self::foregone) game.
    fn certain_line(&self, position: &Self::Position) -> Vec<Self::Move> {
        let _ = position;
        Vec::new()
    }
}

/// A game whose positions have a 64-bit key, equal for equal positions and well mixed.
pub trait Hashed: Game {
    /// The key; different positions may collide, so a key proves nothing.
    fn key(&self, position: &Self::Position) -> u64;

    /// A key that a position shares with positions that a search visits at about the same time, such as most of those
    /// after other moves; the key itself if there is nothing better.
    ///
    /// Tables store positions with the same high half close together in memory, closer if the low half is the same as
    /// well, which saves cache misses.
    fn locality(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// A key that images of a position may share, with the same player to move; the key itself if sharing does not
    /// pay.
    ///
    /// For tables of properties that all images share, such as the estimated distance to a proof.
    fn shared_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }
}

/// A game whose board can be turned or mirrored, or its colours swapped, without changing its value.
pub trait Symmetric: Game {
    /// The number of images of [`image`](Self::image); image 0 is the position itself.
    fn images(&self) -> usize;

    /// The image with this number; it has the same value and plies, and the same moves up to symmetry.
    fn image(&self, position: &Self::Position, number: usize) -> Self::Position;

    /// One chosen position among all images, the same for each of them.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// A game in which no position can repeat.
pub trait Acyclic: Game {
    /// A number that never falls, and rises with every move but a forced pass.
    fn progress(&self, position: &Self::Position) -> u32;
}
