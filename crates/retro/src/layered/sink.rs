//! What leaves a row: codes for cells of the layer that faces it.

use marquis_core::{Plies, Score, Slot};

use crate::cell::{UNDECIDED, Width, code_of, score_of};

/// What a cell holds while it is solved, as somebody passes it on who does not look into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub u16);

/// Takes what a worker tells the facing layer; one worker has it, and drops it when he has nothing more to tell.
pub trait Sink {
    /// The cell of this slot gets this code.
    fn put(&self, slot: Slot, code: Code);
}

impl Code {
    /// The plies of the score that it stands for; none for a draw, and where nothing is decided.
    #[inline]
    #[must_use]
    pub fn plies<W: Width>(self) -> Option<Plies> {
        let code = u32::from(self.0);
        if code == W::DRAWN || code <= UNDECIDED { None } else { score_of(code).plies() }
    }

    /// The code of a score, as it is in cells of this width; none where it does not fit.
    #[must_use]
    pub fn of<W: Width>(score: Score) -> Option<Self> {
        let code = if score.plies().is_none() { W::DRAWN } else { code_of(score) };
        (code == W::DRAWN || code <= W::GREATEST).then_some(Self(code as u16))
    }
}
