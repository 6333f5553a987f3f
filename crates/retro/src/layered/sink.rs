//! The messages of a row: codes for cells of the layer that faces it.

use marquis_core::{Plies, Score, Slot};

use crate::cell::{CellWidth, UNDECIDED, code_of, score_of};

/// The code of a cell while it is solved, as an opaque value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub u16);

/// Takes the messages of one worker to the facing layer; the worker drops it after its last message.
pub trait Sink {
    /// The cell of this slot gets this code.
    fn put(&self, slot: Slot, code: Code);
}

impl Code {
    /// The plies of its score; `None` for a draw or an undecided cell.
    #[inline]
    #[must_use]
    pub fn plies<W: CellWidth>(self) -> Option<Plies> {
        let code = u32::from(self.0);
        if code == W::DRAWN || code <= UNDECIDED { None } else { score_of(code).plies() }
    }

    /// The code of a score in cells of this width; `None` if it does not fit.
    #[must_use]
    pub fn of<W: CellWidth>(score: Score) -> Option<Self> {
        let code = if score.plies().is_none() { W::DRAWN } else { code_of(score) };
        (code == W::DRAWN || code <= W::GREATEST).then_some(Self(code as u16))
    }
}
