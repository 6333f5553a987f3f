//! A number for each position with the same counts of pieces.
//!
//! The mover's set has a rank among the sets of its size of the 28 squares to rest on, the opponent's one among those
//! of the remaining squares; there are no unused indices.

use marquis_core::{ByPlayer, Cells, Chance, Player, Slot};
use marquis_rank::subset::{SubsetRank, binomial, rank_set, rank_set_beside, set_beside, unrank_set};

use super::Senet;
use super::board::{MAX_PIECES, Position, Set};

/// The number of squares to rest on.
pub const RESTS: u32 = 28;

/// The version of the numbering.
pub const NUMBERING: u32 = 1;

/// The squares below the water have the bits of [`Set`]; the two above it follow without a gap.
const BELOW_WATER: u32 = (1 << 26) - 1;

/// The numbers of pieces of the player to throw and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SenetLayer {
    /// Pieces of the player to throw.
    pub mover: u8,
    /// Pieces of the opponent.
    pub opponent: u8,
}

impl SenetLayer {
    /// The layer with these numbers of pieces; `None` unless both are 1 to 5.
    #[must_use]
    pub fn new(mover: u8, opponent: u8) -> Option<Self> {
        let fits = |pieces| pieces >= 1 && u32::from(pieces) <= MAX_PIECES;
        (fits(mover) && fits(opponent)).then_some(Self { mover, opponent })
    }

    /// The layer of a position that is not over.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        let turn = position.turn();
        let count = |player| position.pieces(player).len() as u8;
        Self::new(count(turn), count(turn.opponent()))
    }

    /// The number of positions.
    #[must_use]
    pub fn slots(self) -> u64 {
        self.rows() * self.beside()
    }

    /// The number of placements of the mover's pieces.
    #[must_use]
    pub fn rows(self) -> u64 {
        binomial(RESTS, self.mover.into())
    }

    /// The number of placements of the opponent's pieces for each of the mover's.
    #[must_use]
    pub fn beside(self) -> u64 {
        binomial(RESTS - u32::from(self.mover), self.opponent.into())
    }

    /// The number of a position of this layer, as the player to throw sees it.
    #[must_use]
    pub fn slot(self, position: &Position) -> Slot {
        let seen = Senet.as_mover(position);
        let (own, other) = (pack(seen.pieces(Player::First)), pack(seen.pieces(Player::Second)));
        Slot(rank_set(own).0 * self.beside() + rank_set_beside(other, own).0)
    }

    /// The position of a slot below [`slots`](Self::slots), with the first player to throw.
    ///
    /// Panics if there is no such slot.
    #[must_use]
    pub fn position(self, slot: Slot) -> Position {
        let (own, other) = self.sets(slot);
        Position { pieces: ByPlayer::new(own, other), turn: Player::First }
    }

    /// The pieces of the player to throw, and those of the opponent.
    ///
    /// Panics if there is no such slot.
    #[must_use]
    pub fn sets(self, slot: Slot) -> (Set, Set) {
        let own = unrank_set(SubsetRank(slot.0 / self.beside()), self.mover.into());
        let other = set_beside(unrank_set(SubsetRank(slot.0 % self.beside()), self.opponent.into()), own);
        (unpack(own), unpack(other))
    }
}

/// The squares to rest on of a set, without the gap of the water.
fn pack(set: Set) -> Cells {
    let bits = set.bits();
    Cells(u64::from(bits & BELOW_WATER | bits >> 1 & !BELOW_WATER))
}

fn unpack(cells: Cells) -> Set {
    let bits = cells.0 as u32;
    Set::from_bits(bits & BELOW_WATER | (bits & !BELOW_WATER) << 1)
}

/// The number of a set of squares to rest on among those of its size; rises with the bits.
#[must_use]
pub fn rank(set: Set) -> u64 {
    rank_set(pack(set)).0
}

/// The set of `size` squares to rest on that has this number.
///
/// Panics if there is none.
#[must_use]
pub fn unrank(rank: u64, size: u32) -> Set {
    unpack(unrank_set(SubsetRank(rank), size))
}
