//! A strategy: what one player does at each of his positions, whatever the other one tries.
//!
//! As bytes: a head of two bytes (kind and holder, then 1 if lines end on a table), then
//! the positions depth first, moves in the order of the rules, each position where it is first met.
//! A position in which the game is over writes nothing. Where the holder is to move, the number of
//! his move follows; where the other player is, nothing. Numbers are in base 128, low digits first,
//! with the high bit set on all bytes but the last. With the second byte of the head 1, every
//! position that is not over begins with one more byte: 0 goes on, 1 ends on a table.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use marquis_core::{Bounds, Game, Player, Value};

/// What a strategy achieves for the player who holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A win in finitely many moves: no line returns to a position.
    Win,
    /// Never a loss: lines may go round for ever, and none ends in a loss.
    NeverLose,
}

impl Kind {
    /// What it says about a position of the strategy in which `turn` is to move.
    #[must_use]
    pub fn bounds(self, holder: Player, turn: Player) -> Bounds {
        let for_holder = match self {
            Self::Win => Bounds::exact(Value::Win),
            Self::NeverLose => Bounds { worst: Value::Draw, best: Value::Win },
        };
        if holder == turn { for_holder } else { for_holder.for_opponent() }
    }
}

/// What a strategy says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The holder plays the move with this number.
    Move(u16),
    /// The line ends here, on a table.
    Table,
}

/// A strategy from one position on.
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// Who plays it.
    pub holder: Player,
    /// What it achieves.
    pub kind: Kind,
    /// Where it begins.
    pub root: G::Position,
    pub(crate) kept: HashMap<G::Position, Kept, FixedState>,
}

impl<G: Game> Strategy<G> {
    /// What it proves about the value of its first position.
    #[must_use]
    pub fn bounds(&self, game: &G) -> Bounds {
        self.kind.bounds(self.holder, game.turn(&self.root))
    }

    /// Positions in which the holder has his move noted, or a line ends on more than the rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether it notes no move at all: the rules or a table decide the first position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether it leads through the move with this number in its first position.
    pub(crate) fn allows(&self, game: &G, number: usize) -> bool {
        match self.kept.get(&self.root) {
            Some(Kept::Move(kept)) => usize::from(*kept) == number,
            Some(Kept::Table) => false,
            None => game.turn(&self.root) != self.holder,
        }
    }

    /// Whether some line ends on a table.
    #[must_use]
    pub fn rests_on_tables(&self) -> bool {
        self.kept.values().any(|kept| *kept == Kept::Table)
    }

    /// The bytes that a checker replays from the root; the root itself is not among them.
    #[must_use]
    pub fn to_bytes(&self, game: &G) -> Vec<u8> {
        self.bytes_until(game, &|| false).unwrap_or_default()
    }

    /// The same; nothing when `stop`, asked every few thousand positions, says so.
    pub(crate) fn bytes_until(&self, game: &G, stop: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let marked = self.rests_on_tables();
        let kind = u8::from(self.kind == Kind::NeverLose);
        let mut bytes = vec![kind << 1 | u8::from(self.holder == Player::Second), u8::from(marked)];
        let mut met: HashSet<G::Position, FixedState> = HashSet::default();
        let mut stack = vec![self.root];
        let mut moves = Vec::new();
        while let Some(position) = stack.pop() {
            if game.over(&position).is_some() || !met.insert(position) {
                continue;
            }
            if met.len().is_multiple_of(ASK_EVERY) && stop() {
                return None;
            }
            let kept = self.kept.get(&position);
            if marked {
                bytes.push(u8::from(kept == Some(&Kept::Table)));
            }
            if let Some(Kept::Table) = kept {
                continue;
            }
            moves.clear();
            game.moves(&position, &mut moves);
            if game.turn(&position) == self.holder {
                let Some(Kept::Move(number)) = kept else { continue };
                write_number(*number, &mut bytes);
                stack.extend(moves.get(usize::from(*number)).map(|&mv| game.play(&position, mv)));
            } else {
                stack.extend(moves.iter().rev().map(|&mv| game.play(&position, mv)));
            }
        }
        Some(bytes)
    }
}

/// Positions of a strategy from one question whether to stop to the next.
pub(crate) const ASK_EVERY: usize = 1 << 12;

fn write_number(mut number: u16, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}
