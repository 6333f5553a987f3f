//! The strips of a rank, in one allocation: cells are written in random order, and the system uses large pages for
//! one large allocation.

use std::ops::Range;

use crate::cell::CellWidth;
use crate::layered::strips::{StripCut, StripNumber, View};

/// The cells of this rank's strips, one strip after the other.
pub(super) struct OwnStrips<W> {
    numbers: Vec<StripNumber>,
    /// For every strip of the bundle: where its cells begin among those of its rank.
    pub(super) begins: Vec<u64>,
    pub(super) own: Vec<W>,
    pub(super) mirror: Vec<W>,
}

impl<W: CellWidth> OwnStrips<W> {
    /// Strips in which nothing is decided, dealt to the ranks round-robin.
    pub(super) fn undecided(cut: &StripCut, rank: usize, ranks: usize) -> Self {
        let mut next = vec![0; ranks];
        let begin = |strip: StripNumber| {
            let next = &mut next[strip.0 % ranks];
            let begin = *next;
            *next += slots(cut, strip);
            begin
        };
        let begins = cut.strips().map(begin).collect();
        let numbers = cut.strips().skip(rank).step_by(ranks).collect();
        let cells = || (0..next[rank]).map(|_| W::undecided()).collect();
        Self { own: cells(), mirror: cells(), numbers, begins }
    }

    /// The strips, in order, and where the cells of each are.
    pub(super) fn places(&self, cut: &StripCut) -> impl Iterator<Item = (StripNumber, Range<usize>)> {
        self.numbers.iter().map(|&strip| {
            let begin = self.begins[strip.0];
            (strip, begin as usize..(begin + slots(cut, strip)) as usize)
        })
    }

    /// The strips as rows, in order.
    pub(super) fn views(&self, cut: &StripCut) -> Vec<View<'_, W>> {
        let view = |(strip, place): (StripNumber, Range<usize>)| {
            let extent = cut.extent(strip);
            let (own, mirror) = (&self.own[place.clone()], &self.mirror[place]);
            View { layer: extent.layer, rows: extent.rows, own, mirror }
        };
        self.places(cut).map(view).collect()
    }
}

fn slots(cut: &StripCut, strip: StripNumber) -> u64 {
    let slots = cut.extent(strip).slots;
    slots.end - slots.start
}
