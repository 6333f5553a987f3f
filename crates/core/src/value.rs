//! Values of positions: absolute outcomes, and values for the player to move.
//!
//! [`Outcome`] names the winner; [`Value`] and [`Score`] are from the side of the player to move.
//! [`Outcome::for_mover`] is the one bridge between them.

use std::cmp::Ordering;
use std::fmt;

use crate::Player;

/// The value of a position for the player to move, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move can force a win.
    Win,
}

impl Value {
    /// The same result as the other player sees it.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A number of moves by either player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Plies(pub u16);

impl Plies {
    /// The game is over.
    pub const ZERO: Self = Self(0);

    /// One ply more.
    ///
    /// Panics past 65 535 plies; a game that long needs a wider type, not a wrong number.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        assert!(self.0 < u16::MAX, "more plies than the type holds");
        Self(self.0 + 1)
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The exact result of a position: its value, and the plies to the end of a decided game.
///
/// The winner hastens and the loser delays, and the order reflects this: a `Score` is greater when the player to move
/// prefers it, so the best move is the maximum of [`Score::before_move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Lost in this number of plies.
    Loss(Plies),
    /// Drawn.
    Draw,
    /// Won in this number of plies.
    Win(Plies),
}

impl Score {
    /// The value without the plies.
    #[inline]
    #[must_use]
    pub const fn value(self) -> Value {
        match self {
            Self::Loss(_) => Value::Loss,
            Self::Draw => Value::Draw,
            Self::Win(_) => Value::Win,
        }
    }

    /// The number of plies to the end of the game; `None` for a draw.
    #[inline]
    #[must_use]
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Self::Loss(plies) | Self::Win(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The score of a move into this position, for the player who makes it.
    #[inline]
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Win(plies.next()),
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies.next()),
        }
    }

    /// The score of a position in which the game is over.
    #[inline]
    #[must_use]
    pub const fn finished(value: Value) -> Self {
        match value {
            Value::Loss => Self::Loss(Plies::ZERO),
            Value::Draw => Self::Draw,
            Value::Win => Self::Win(Plies::ZERO),
        }
    }
}

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Win(a), Self::Win(b)) => b.cmp(a),
            (Self::Loss(a), Self::Loss(b)) => a.cmp(b),
            _ => self.value().cmp(&other.value()),
        }
    }
}

impl PartialOrd for Score {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The worst and the best value that a position can still have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// At least this good for the player to move.
    pub worst: Value,
    /// At most this good for the player to move.
    pub best: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { worst: Value::Loss, best: Value::Win };

    /// The bounds of a known value.
    #[must_use]
    pub const fn exact(value: Value) -> Self {
        Self { worst: value, best: value }
    }

    /// The value, if only one is left.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.worst == self.best).then_some(self.worst)
    }

    /// The same knowledge as the other player sees it.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        Self { worst: self.best.for_opponent(), best: self.worst.for_opponent() }
    }

    /// The intersection of both bounds.
    ///
    /// Panics if they contradict each other: one of two proofs is then wrong.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = Self { worst: self.worst.max(other.worst), best: self.best.min(other.best) };
        assert!(both.worst <= both.best, "two proofs contradict each other: {self:?} and {other:?}");
        both
    }
}

/// How a game ended, in absolute terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player has won.
    Winner(Player),
    /// Neither player has won.
    Draw,
}

impl Outcome {
    /// The value for the player to move.
    #[must_use]
    pub fn for_mover(self, turn: Player) -> Value {
        match self {
            Self::Winner(winner) if winner == turn => Value::Win,
            Self::Winner(_) => Value::Loss,
            Self::Draw => Value::Draw,
        }
    }
}

/// Why a game is over.
///
/// The page has words for each reason in `ENDS` of `api/assets/values.js`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A side is in one group.
    Unified,
    /// The player to move has no move, for example on a full board.
    Stuck,
    /// A store has reached the target.
    Target,
    /// A side has borne off its last piece.
    BorneOff,
    /// A line is complete.
    Line,
}

impl Reason {
    /// The name in responses: `unified`, `stuck`, `target`, `borne-off`, `line`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unified => "unified",
            Self::Stuck => "stuck",
            Self::Target => "target",
            Self::BorneOff => "borne-off",
            Self::Line => "line",
        }
    }
}

/// The end of a game: the reason and the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Over {
    /// Why the game is over.
    pub reason: Reason,
    /// The winner, or a draw.
    pub outcome: Outcome,
}

impl Over {
    /// The end in which `winner` has won for this `reason`.
    #[must_use]
    pub const fn won(reason: Reason, winner: Player) -> Self {
        Self { reason, outcome: Outcome::Winner(winner) }
    }

    /// The end in which nobody has won, for this `reason`.
    #[must_use]
    pub const fn drawn(reason: Reason) -> Self {
        Self { reason, outcome: Outcome::Draw }
    }
}
