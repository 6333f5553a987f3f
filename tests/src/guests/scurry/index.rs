//! A dense numbering of the positions with the same counts of pieces; names of layers.
//!
//! The mover's squares are sorted by their number and then by their rank among the sets of that size; within them,
//! the opponent's squares are numbered likewise among the remaining squares. Pieces that are not on the track are at
//! home.

use marquis_core::{ByPlayer, Cells, Chance, Player, Slot};
use marquis_rank::{SubsetRank, binomial, rank_set_beside, set_beside, unrank_set};

use super::rules::{Position, Side};
use super::{MOST, NAME, SQUARES, Scurry};

/// The version of the numbering.
pub const NUMBERING: u32 = 1;

/// The number of pieces that are not borne off: of the player to throw, and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pieces {
    /// Those of the player to throw.
    pub mover: u8,
    /// Those of the opponent.
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

/// The number of a set among all sets up to the maximum size, on squares that are not `taken`.
fn rank(set: Cells, taken: Cells) -> u64 {
    let cells = u32::from(SQUARES) - taken.len();
    let smaller: u64 = (0..set.len()).map(|size| binomial(cells, size)).sum();
    smaller + rank_set_beside(set, taken).0
}

/// The set of this number; the inverse of [`rank`].
fn unrank(number: u64, taken: Cells) -> Cells {
    let cells = u32::from(SQUARES) - taken.len();
    let (size, number) = part(number, |size| binomial(cells, size));
    set_beside(unrank_set(SubsetRank(number), size), taken)
}

/// The part that contains a number, and the number within the part; part `i` has `numbers(i)` numbers.
///
/// Panics if the number is beyond the last part.
fn part(mut number: u64, numbers: impl Fn(u32) -> u64) -> (u32, u64) {
    for part in 0..=u32::from(MOST) {
        if number < numbers(part) {
            return (part, number);
        }
        number -= numbers(part);
    }
    panic!("a slot beyond the last one of its layer");
}

/// The number of sets of squares for the opponent's pieces if the mover's pieces occupy `own` squares.
fn beside(layer: Pieces, own: u32) -> u64 {
    let cells = u32::from(SQUARES) - own;
    (0..=u32::from(layer.opponent)).map(|size| binomial(cells, size)).sum()
}

/// The number of positions with the mover's pieces on `own` squares.
fn of_size(layer: Pieces, own: u32) -> u64 {
    if own > u32::from(layer.mover) { 0 } else { binomial(SQUARES.into(), own) * beside(layer, own) }
}

impl Scurry {
    /// All layers of unfinished positions, in ascending order.
    #[must_use]
    pub fn layers(self) -> Vec<Pieces> {
        (1..=MOST).flat_map(|mover| (1..=MOST).map(move |opponent| Pieces { mover, opponent })).collect()
    }

    /// The layer of a position; `None` if the game is over.
    #[must_use]
    pub fn layer(self, position: &Position) -> Option<Pieces> {
        let pieces = |player: Player| position.sides[player].pieces();
        let layer = Pieces { mover: pieces(position.turn), opponent: pieces(position.turn.opponent()) };
        (!layer.is_over()).then_some(layer)
    }

    /// The number of slots of a layer; each slot is one position.
    #[must_use]
    pub fn slots(self, layer: Pieces) -> u64 {
        (0..=u32::from(MOST)).map(|own| of_size(layer, own)).sum()
    }

    /// The layer and slot of an unfinished position; a colour swap has the same.
    ///
    /// The layer of a finished position has a side without pieces, and is not in [`layers`](Self::layers).
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
    /// Panics if the slot does not exist.
    #[must_use]
    pub fn position(self, layer: Pieces, slot: Slot) -> Position {
        let (size, number) = part(slot.0, |own| of_size(layer, own));
        let own = unrank_set(SubsetRank(number / beside(layer, size)), size);
        let other = unrank(number % beside(layer, size), own);
        let side = |track: Cells, pieces: u8| Side { track, home: pieces - track.len() as u8 };
        let sides = ByPlayer::new(side(own, layer.mover), side(other, layer.opponent));
        Position { sides, turn: Player::First }
    }

    /// All layers between which play can go back and forth, including `layer`, in ascending order.
    #[must_use]
    pub fn component(self, layer: Pieces) -> Vec<Pieces> {
        let mut component = vec![layer, layer.swapped()];
        component.sort();
        component.dedup();
        component
    }

    /// The layers that one move from the component of `layer` can reach, without the component and finished games, in
    /// ascending order.
    #[must_use]
    pub fn child_layers(self, layer: Pieces) -> Vec<Pieces> {
        let fewer = |layer: Pieces| Pieces { mover: layer.mover - 1, ..layer };
        let fewer = self.component(layer).into_iter().map(fewer).filter(|layer| !layer.is_over());
        let mut below: Vec<Pieces> = fewer.flat_map(|layer| [layer, layer.swapped()]).collect();
        below.sort();
        below.dedup();
        below
    }

    /// The properties that all layers share: `squares=10`.
    #[must_use]
    pub fn variant(self) -> String {
        format!("squares={SQUARES}")
    }

    /// The rules of a variant; `None` if the variant does not exist.
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

    /// The layer of this name; `None` if the layer does not exist.
    #[must_use]
    pub fn layer_named(self, name: &str) -> Option<Pieces> {
        self.layers().into_iter().find(|&layer| self.layer_name(layer) == name)
    }
}
