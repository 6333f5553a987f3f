//! The common rules of Squish and Flowish: the position, playing a step, and the end.

use std::fmt::Debug;
use std::marker::PhantomData;

use marquis_core::{ByPlayer, Cell, Cells, Game, Hashed, Over, Player, Reason, Symmetric, packed};

use crate::hex::{Hex, SYMMETRIES, Side, Symmetry};
use crate::key::mix;
use crate::steps::Step;

/// The steps of a player's pieces.
///
/// The steps depend on the mover's own pieces alone: an enemy on the destination is captured.
pub trait Stepping: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The game's name in commands: `squish`, `flowish`.
    const ID: &'static str;

    /// The rules for people.
    const RULES: &'static marquis_core::RulesPage;

    /// Calls `visit` with each step of `own`, by rising origin, then by direction; none ends on a friend.
    fn steps(board: &Hex, own: Cells, visit: impl FnMut(Step));

    /// Why the piece on `from` has no step, in a sentence.
    fn why_stays(board: &Hex, own: Cells, from: Cell) -> String;

    /// Why this is not a step, in a sentence; it leads to a cell next to the piece that holds no friend.
    fn why_not_towards(board: &Hex, own: Cells, step: Step) -> String;

    /// Whether `own` can make any step.
    #[inline]
    fn can_step(board: &Hex, own: Cells) -> bool {
        let mut found = false;
        Self::steps(board, own, |_| found = true);
        found
    }
}

/// The pieces of both sides, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces of each player; the sets are disjoint.
    pub pieces: ByPlayer<Cells>,
    /// The player to move.
    pub turn: Player,
}

packed!(Position { pieces: ByPlayer<Cells>, turn: Player });

/// A game of unification on the board of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unification<R> {
    side: Side,
    rule: PhantomData<R>,
}

impl<R: Stepping> Unification<R> {
    /// The game on the board of this side.
    #[must_use]
    pub const fn new(side: Side) -> Self {
        Self { side, rule: PhantomData }
    }

    /// Cells along an edge.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &'static Hex {
        self.side.board()
    }

    /// The start position: colour class (q − r) mod 3 is empty, White, Black.
    #[must_use]
    pub fn start(&self) -> Position {
        let board = self.board();
        let class = |wanted: i8| {
            board
                .all()
                .filter(|&cell| {
                    let (q, r) = board.axial(cell);
                    (q - r).rem_euclid(3) == wanted
                })
                .collect()
        };
        Position { pieces: ByPlayer::new(class(1), class(2)), turn: Player::First }
    }
}

impl<R: Stepping> Game for Unification<R> {
    type Position = Position;
    type Move = Step;

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Over> {
        let board = self.board();
        for player in [position.turn.opponent(), position.turn] {
            if board.is_one_group(position.pieces[player]) {
                return Some(Over::won(Reason::Unified, player));
            }
        }
        let stuck = !R::can_step(board, position.pieces[position.turn]);
        stuck.then_some(Over::won(Reason::Stuck, position.turn.opponent()))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Step>) {
        R::steps(self.board(), position.pieces[position.turn], |step| out.push(step));
    }

    #[inline]
    fn play(&self, position: &Position, step: Step) -> Position {
        let (mover, opponent) = (position.turn, position.turn.opponent());
        // Built as a whole, because reading a whole value after writing its parts stalls the processor.
        let own = position.pieces[mover].without(step.from).with(step.to);
        Position {
            pieces: ByPlayer::of(mover, own, position.pieces[opponent].without(step.to)),
            turn: opponent,
        }
    }
}

impl<R: Stepping> Hashed for Unification<R> {
    fn key(&self, position: &Position) -> u64 {
        mix(&[position.pieces.first.0, position.pieces.second.0, position.turn as u64])
    }
}

impl<R: Stepping> Symmetric for Unification<R> {
    fn images(&self) -> usize {
        2 * SYMMETRIES
    }

    fn image(&self, position: &Position, number: usize) -> Position {
        let symmetry = Symmetry((number % SYMMETRIES) as u8);
        let turned = position.pieces.map(|cells| self.board().image_of(symmetry, cells));
        if number < SYMMETRIES {
            Position { pieces: turned, turn: position.turn }
        } else {
            Position { pieces: turned.swapped(), turn: position.turn.opponent() }
        }
    }

    fn canonical(&self, position: &Position) -> Position {
        let base = match position.turn {
            Player::First => *position,
            Player::Second => self.image(position, SYMMETRIES),
        };
        let [first, second] = self.board().smallest_image([base.pieces.first, base.pieces.second]);
        Position { pieces: ByPlayer::new(first, second), ..base }
    }
}
