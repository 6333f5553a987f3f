//! A score as a small number, and cells of one or two bytes that hold it.
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | unused index: the slot has no position |
//! | 1 | draw; while solving also: not decided yet |
//! | 2 + 2p | loss in p plies |
//! | 3 + 2p | win in p plies |
//!
//! One byte holds up to 125 plies, two bytes up to 32 765. The two greatest codes are left free, because a solver
//! marks final draws with the greatest one. A code that does not fit is never truncated: the layer is solved again in
//! wider cells.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use marquis_core::{Plies, Score, Slot};
use prefetch_index::prefetch_index;

/// The code of an unused index.
pub(crate) const UNUSED: u32 = 0;
/// The code of a draw, and of a position that is not decided yet.
pub(crate) const UNDECIDED: u32 = 1;

/// The code of a score.
#[inline]
pub(crate) const fn code_of(score: Score) -> u32 {
    match score {
        Score::Draw => UNDECIDED,
        Score::Loss(plies) => 2 + 2 * plies.0 as u32,
        Score::Win(plies) => 3 + 2 * plies.0 as u32,
    }
}

/// The score of a code, which must not be that of an unused index.
#[inline]
pub(crate) const fn score_of(code: u32) -> Score {
    if code <= UNDECIDED {
        return Score::Draw;
    }
    let plies = Plies((code / 2 - 1) as u16);
    if code.is_multiple_of(2) { Score::Loss(plies) } else { Score::Win(plies) }
}

/// A code, ordered by the preference of the player who can move there: the greatest is the best move, and an unused
/// index is greater than all scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Preference(u32);

impl Preference {
    /// Less than any code.
    pub(crate) const LEAST: Self = Self(0);
    /// Above all wins of the opponent, and below all losses of the opponent.
    const DRAW: u32 = 1 << 30;

    /// The player wants the opponent to lose soon, or to win late.
    #[inline]
    pub(crate) const fn of(code: u32) -> Self {
        if code == UNDECIDED {
            return Self(Self::DRAW);
        }
        Self(if code.is_multiple_of(2) { u32::MAX - code } else { code })
    }

    /// The score of the code; `None` without a code, or for an unused index.
    pub(crate) const fn score(self) -> Option<Score> {
        let Self(word) = self;
        match word {
            0 | u32::MAX => None,
            Self::DRAW => Some(Score::Draw),
            _ => Some(score_of(if word > Self::DRAW { u32::MAX - word } else { word })),
        }
    }
}

/// The entry of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The slot has no position.
    Unused,
    /// The score of its position.
    Score(Score),
}

impl Entry {
    /// The entry of a code; the source of this module starts with the table of codes.
    ///
    /// * `code`: 0 is an unused index, 1 a draw, 2 + 2p a loss and 3 + 2p a win in p plies, p up to 65 535.
    #[inline]
    #[must_use]
    pub const fn of_code(code: u32) -> Self {
        if code == UNUSED { Self::Unused } else { Self::Score(score_of(code)) }
    }

    /// The code of this entry.
    #[inline]
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Unused => UNUSED,
            Self::Score(score) => code_of(score),
        }
    }

    /// The score; `None` for an unused index.
    #[inline]
    #[must_use]
    pub const fn score(self) -> Option<Score> {
        match self {
            Self::Unused => None,
            Self::Score(score) => Some(score),
        }
    }
}

/// The finished cells of a layer, one a slot, each the code of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerCells {
    /// One byte a slot: up to 125 plies.
    Narrow(Vec<u8>),
    /// Two bytes a slot: up to 32 765 plies.
    Wide(Vec<u16>),
}

impl LayerCells {
    /// Cells of these codes, in one byte if all fit.
    pub(crate) fn narrowed(codes: Vec<u16>) -> Self {
        if codes.iter().all(|&code| u32::from(code) <= AtomicU8::GREATEST) {
            return Self::Narrow(codes.into_iter().map(|code| code as u8).collect());
        }
        Self::Wide(codes)
    }

    /// The number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(cells) => cells.len(),
            Self::Wide(cells) => cells.len(),
        }
    }

    /// Returns whether there is no slot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of all slots.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Narrow(cells) => cells.len() as u64,
            Self::Wide(cells) => 2 * cells.len() as u64,
        }
    }

    /// The code of each slot, in order.
    pub(crate) fn codes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|slot| match self {
            Self::Narrow(cells) => u32::from(cells[slot]),
            Self::Wide(cells) => u32::from(cells[slot]),
        })
    }

    /// The entry of a slot. Panics past the last slot.
    #[inline]
    #[must_use]
    pub fn entry(&self, slot: Slot) -> Entry {
        Entry::of_code(self.code(slot))
    }

    /// Prefetches the cell of a slot.
    #[inline]
    pub(crate) fn send_for(&self, slot: Slot) {
        match self {
            Self::Narrow(cells) => prefetch_index(cells, slot.0 as usize),
            Self::Wide(cells) => prefetch_index(cells, slot.0 as usize),
        }
    }

    /// The code of a slot. Panics past the last slot.
    #[inline]
    pub(crate) fn code(&self, slot: Slot) -> u32 {
        match self {
            Self::Narrow(cells) => u32::from(cells[slot.0 as usize]),
            Self::Wide(cells) => u32::from(cells[slot.0 as usize]),
        }
    }
}

/// A width of cells while they are being solved: one byte or two.
pub trait CellWidth: Send + Sync + Debug + Sized + 'static {
    /// Bytes of a cell.
    const BYTES: usize;
    /// The greatest code of a score.
    const GREATEST: u32;
    /// While solving: a final draw, unlike an undecided cell.
    const DRAWN: u32 = Self::GREATEST + 2;

    /// An undecided cell.
    fn undecided() -> Self;
    /// The current code.
    fn load(&self) -> u32;
    /// Stores `code`, which is at most [`Self::GREATEST`], or [`Self::DRAWN`].
    fn store(&self, code: u32);
    /// The current codes.
    fn copy(cells: &[Self]) -> LayerCells;
    /// The finished cells: both marks of a solver become draws.
    fn finish(cells: Vec<Self>) -> LayerCells;
    /// The codes as bytes, the lower one first.
    fn into_bytes(cells: Vec<Self>) -> Vec<u8>;
    /// Cells of these bytes, which are a multiple of [`Self::BYTES`].
    fn from_bytes(bytes: Vec<u8>) -> Vec<Self>;
}

const fn finished<W: CellWidth>(code: u32) -> u32 {
    if code == W::DRAWN { UNDECIDED } else { code }
}

impl CellWidth for AtomicU8 {
    const BYTES: usize = 1;
    const GREATEST: u32 = u8::MAX as u32 - 2;

    fn undecided() -> Self {
        Self::new(UNDECIDED as u8)
    }

    #[inline]
    fn load(&self) -> u32 {
        u32::from(Self::load(self, Relaxed))
    }

    #[inline]
    fn store(&self, code: u32) {
        Self::store(self, code as u8, Relaxed);
    }

    fn copy(cells: &[Self]) -> LayerCells {
        LayerCells::Narrow(cells.iter().map(|cell| cell.load(Relaxed)).collect())
    }

    fn finish(cells: Vec<Self>) -> LayerCells {
        LayerCells::Narrow(
            cells.into_iter().map(|cell| finished::<Self>(CellWidth::load(&cell)) as u8).collect(),
        )
    }

    // Both in place: an atomic byte is a byte.
    fn into_bytes(cells: Vec<Self>) -> Vec<u8> {
        cells.into_iter().map(Self::into_inner).collect()
    }

    fn from_bytes(bytes: Vec<u8>) -> Vec<Self> {
        bytes.into_iter().map(Self::new).collect()
    }
}

impl CellWidth for AtomicU16 {
    const BYTES: usize = 2;
    const GREATEST: u32 = u16::MAX as u32 - 2;

    fn undecided() -> Self {
        Self::new(UNDECIDED as u16)
    }

    #[inline]
    fn load(&self) -> u32 {
        u32::from(Self::load(self, Relaxed))
    }

    #[inline]
    fn store(&self, code: u32) {
        Self::store(self, code as u16, Relaxed);
    }

    fn copy(cells: &[Self]) -> LayerCells {
        LayerCells::Wide(cells.iter().map(|cell| cell.load(Relaxed)).collect())
    }

    fn finish(cells: Vec<Self>) -> LayerCells {
        LayerCells::Wide(
            cells.into_iter().map(|cell| finished::<Self>(CellWidth::load(&cell)) as u16).collect(),
        )
    }

    fn into_bytes(cells: Vec<Self>) -> Vec<u8> {
        cells.into_iter().flat_map(|cell| cell.into_inner().to_le_bytes()).collect()
    }

    fn from_bytes(bytes: Vec<u8>) -> Vec<Self> {
        bytes.chunks_exact(2).map(|cell| Self::new(u16::from_le_bytes([cell[0], cell[1]]))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_of_a_move_is_what_its_score_says() {
        let longest = 65_535;
        let plies = [0, 1, 2, 125, 126, 32_765, longest - 1].map(Plies);
        let scores = plies.into_iter().flat_map(|plies| [Score::Loss(plies), Score::Win(plies)]);
        let scores: Vec<Score> = scores.chain([Score::Draw]).collect();
        for &score in &scores {
            let wanted = Preference::of(code_of(score));
            assert_eq!(wanted.score(), Some(score));
            assert!(Preference::LEAST < wanted && wanted < Preference::of(UNUSED));
            for &other in &scores {
                let by_score = score.before_move().cmp(&other.before_move());
                assert_eq!(wanted.cmp(&Preference::of(code_of(other))), by_score, "{score:?} and {other:?}");
            }
        }
        assert_eq!([Preference::LEAST, Preference::of(UNUSED)].map(Preference::score), [None; 2]);
    }

    #[test]
    fn the_longest_games_that_cells_hold_are_those_of_the_page() {
        assert_eq!(code_of(Score::Win(Plies(125))), AtomicU8::GREATEST);
        assert!(code_of(Score::Loss(Plies(126))) > AtomicU8::GREATEST);
        assert_eq!(code_of(Score::Win(Plies(32_765))), AtomicU16::GREATEST);
        assert!(code_of(Score::Loss(Plies(32_766))) > AtomicU16::GREATEST);
    }
}
