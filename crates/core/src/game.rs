//! The abilities of a game without chance.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Outcome, Over, Packed, Player};

/// What happens to a player who cannot move, in games where that is agreed upon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Immobile {
    /// He loses.
    #[default]
    Loss,
    /// He passes; when neither player can move the game is a draw.
    Pass,
}

impl Immobile {
    /// `loss` or `pass`; parsing gives it back.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Pass => "pass",
        }
    }
}

/// The rules of a game: positions, moves, play, who is to move, and when it is over.
///
/// The implementing value holds what is fixed for a whole game (board size, target, variant);
/// a position is a small `Copy` value.
///
/// ```
/// use marquis_core::{Game, Over, Player, Reason};
///
/// /// A heap of stones: take one or two; whoever takes the last one has won.
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

    /// Who is to move.
    fn turn(&self, position: &Self::Position) -> Player;

    /// Why the game is over and who has won, or nothing while it goes on.
    fn over(&self, position: &Self::Position) -> Option<Over>;

    /// Appends the legal moves, each once, in an order that is fixed for a position.
    ///
    /// Ask only where the game is not [`over`](Self::over); there is then at least one move.
    /// A forced pass is a move.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// The position after a move from [`moves`](Self::moves).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether [`foregone`](Self::foregone) ever says anything.
    const KNOWS_FOREGONE: bool = false;

    /// How the game ends whatever the loser plays, where a theorem about the rules says so although they let it go on;
    /// nothing where it is over.
    ///
    /// Lines of a proof end here as they do where the game is over. So whoever says more than nothing proves the
    /// theorem where he does, and tests it against what plain solvers find for every position of small boards.
    ///
    /// It is inherited: some move of the winner leads to a position that is foregone as well or in which he has won, and
    /// every move of the loser does. So a proof can be played on to the end of the game by asking this for each move.
    fn foregone(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }
}

/// A game whose positions have a 64-bit key, equal for equal positions and well mixed.
pub trait Hashed: Game {
    /// The key; different positions may collide, so a key proves nothing.
    fn key(&self, position: &Self::Position) -> u64;

    /// A key that a position shares with positions that a search looks at together with it, such as
    /// most of those that other moves would have led to; the key itself where nothing is better.
    ///
    /// Tables put what has the same high half close together in memory, closer if the low half is the
    /// same as well, and get by with fewer misses.
    fn locality(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// A key that images of a position may share, with the same player to move; the key itself where that does not pay.
    ///
    /// For tables of what is true of all images, such as how far a position looks from a proof.
    fn shared_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }
}

/// A game whose board can be turned or mirrored, or its colours swapped, without changing its value.
pub trait Symmetric: Game {
    /// How many images [`image`](Self::image) has; image 0 is the position itself.
    fn images(&self) -> usize;

    /// The image with this number: the same value, plies and moves up to the same symmetry.
    fn image(&self, position: &Self::Position, number: usize) -> Self::Position;

    /// One chosen position among all images, the same for each of them.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// A game in which no position can repeat.
pub trait Acyclic: Game {
    /// A number that never falls, and rises with every move but a forced pass.
    fn progress(&self, position: &Self::Position) -> u32;
}
