//! A number for each position with the same counts of pieces, without a gap; names of layers.
//!
//! The mover's squares come by their number and then by their rank among the sets of so many squares; beside them the
//! opponent's in the same way among the squares that are left. Who is not on the track is at home.

use marquis_core::{ByPlayer, Cells, Chance, Player, Slot};
use marquis_rank::{Rank, binomial, rank_set_beside, set_beside, unrank_set};

use super::rules::{Position, Side};
use super::{MOST, NAME, SQUARES, Scurry};

/// The version of the numbering.
pub const NUMBERING: u32 = 1;

/// How many pieces are not borne off: of the player to throw, and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pieces {
    /// Of the player to throw.
    pub mover: u8,
    /// Of the other one.
    pub opponent: u8,
}

impl Pieces {
    const fn swapped(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }

    fn is_over(self) -> bool {
        self.mover.min(self.opponent) == 0
    }
}

/// The number of a set among those of at most as many squares as it may have, in squares that are not `taken`.
fn rank(set: Cells, taken: Cells) -> u64 {
    let cells = u32::from(SQUARES) - taken.len();
    let smaller: u64 = (0..set.len()).map(|size| binomial(cells, size)).sum();
    smaller + rank_set_beside(set, taken).0
}

/// The set of this number; the inverse of [`rank`].
fn unrank(number: u64, taken: Cells) -> Cells {
    let cells = u32::from(SQUARES) - taken.len();
    let (size, number) = part(number, |size| binomial(cells, size));
    set_beside(unrank_set(Rank(number), size), taken)
}

/// The part that a number falls into, and its number there, where parts 0 to 3 have so many numbers each.
///
/// Panics when the number is beyond the last part.
fn part(mut number: u64, numbers: impl Fn(u32) -> u64) -> (u32, u64) {
    for part in 0..=u32::from(MOST) {
        if number < numbers(part) {
            return (part, number);
        }
        number -= numbers(part);
    }
    panic!("a slot beyond the last one of its layer");
}

/// How many sets of squares the opponent's pieces may be on beside so many squares with the mover's.
fn beside(layer: Pieces, own: u32) -> u64 {
    let cells = u32::from(SQUARES) - own;
    (0..=u32::from(layer.opponent)).map(|size| binomial(cells, size)).sum()
}

/// How many positions have the mover's pieces on so many squares.
fn of_size(layer: Pieces, own: u32) -> u64 {
    if own > u32::from(layer.mover) { 0 } else { binomial(SQUARES.into(), own) * beside(layer, own) }
}

impl Scurry {
    /// All layers in which the game goes on, in rising order.
    #[must_use]
    pub fn layers(self) -> Vec<Pieces> {
        (1..=MOST).flat_map(|mover| (1..=MOST).map(move |opponent| Pieces { mover, opponent })).collect()
    }

    /// The layer of a position; none where the game is over.
    #[must_use]
    pub fn layer(self, position: &Position) -> Option<Pieces> {
        let pieces = |player: Player| position.sides[player].pieces();
        let layer = Pieces { mover: pieces(position.turn), opponent: pieces(position.turn.opponent()) };
        (!layer.is_over()).then_some(layer)
    }

    /// How many slots a layer has; each has a position of its own.
    #[must_use]
    pub fn slots(self, layer: Pieces) -> u64 {
        (0..=u32::from(MOST)).map(|own| of_size(layer, own)).sum()
    }

    /// The layer and slot of a position that is not over, the same for its colour swap.
    ///
    /// The layer of a finished position has a side without pieces, and is none of [`layers`](Self::layers).
    #[must_use]
    pub fn slot(self, position: &Position) -> (Pieces, Slot) {
        let ByPlayer { first: own, second: other } = self.as_mover(position).sides;
        let layer = Pieces { mover: own.pieces(), opponent: other.pieces() };
        let size = own.track.len();
        let smaller: u64 = (0..size).map(|size| of_size(layer, size)).sum();
        let row = rank_set_beside(own.track, Cells::EMPTY).0;
        (layer, Slot(smaller + row * beside(layer, size) + rank(other.track, own.track)))
    }

    /// The position of a slot below [`slots`](Self::slots), with the first player to throw.
    ///
    /// Panics when there is no such slot.
    #[must_use]
    pub fn position(self, layer: Pieces, slot: Slot) -> Position {
        let (size, number) = part(slot.0, |own| of_size(layer, own));
        let own = unrank_set(Rank(number / beside(layer, size)), size);
        let other = unrank(number % beside(layer, size), own);
        let side = |track: Cells, pieces: u8| Side { track, home: pieces - track.len() as u8 };
        let sides = ByPlayer::new(side(own, layer.mover), side(other, layer.opponent));
        Position { sides, turn: Player::First }
    }

    /// All layers between which play can go to and fro, `layer` included, in rising order.
    #[must_use]
    pub fn component(self, layer: Pieces) -> Vec<Pieces> {
        let mut component = vec![layer, layer.swapped()];
        component.sort();
        component.dedup();
        component
    }

    /// The layers that one move from `layer` or another of its component can reach, the component and finished games
    /// left out, in rising order.
    #[must_use]
    pub fn child_layers(self, layer: Pieces) -> Vec<Pieces> {
        let fewer = |layer: Pieces| Pieces { mover: layer.mover - 1, ..layer };
        let fewer = self.component(layer).into_iter().map(fewer).filter(|layer| !layer.is_over());
        let mut below: Vec<Pieces> = fewer.flat_map(|layer| [layer, layer.swapped()]).collect();
        below.sort();
        below.dedup();
        below
    }

    /// What is fixed for all layers: `squares=10`.
    #[must_use]
    pub fn variant(self) -> String {
        format!("squares={SQUARES}")
    }

    /// The rules of a variant; none where there is no such variant.
    #[must_use]
    pub fn of_variant(variant: &str) -> Option<Self> {
        (variant == Self.variant()).then_some(Self)
    }

    /// The folder of the files.
    #[must_use]
    pub fn folder(self) -> String {
        NAME.to_owned()
    }

    /// The name of a layer: `3v2`, the mover's pieces first.
    #[must_use]
    pub fn layer_name(self, layer: Pieces) -> String {
        format!("{}v{}", layer.mover, layer.opponent)
    }

    /// The layer of this name; none where there is no such layer.
    #[must_use]
    pub fn layer_named(self, name: &str) -> Option<Pieces> {
        self.layers().into_iter().find(|&layer| self.layer_name(layer) == name)
    }
}
