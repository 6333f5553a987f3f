//! The strips that a rank has, in one piece of memory: single cells of all of them are written in no order, and of a
//! piece the system makes large pages.

use std::ops::Range;

use crate::cell::Width;
use crate::layered::strips::{Cut, StripNumber, View};

/// The cells of the own strips, one strip after the other.
pub(super) struct OwnStrips<W> {
    numbers: Vec<StripNumber>,
    pub(super) own: Vec<W>,
    pub(super) mirror: Vec<W>,
}

impl<W: Width> OwnStrips<W> {
    /// Strips in which nothing is decided.
    pub(super) fn undecided(cut: &Cut, numbers: Vec<StripNumber>) -> Self {
        let slots = numbers.iter().map(|&strip| slots(cut, strip)).sum();
        let cells = || (0..slots).map(|_| W::undecided()).collect();
        Self { own: cells(), mirror: cells(), numbers }
    }

    /// The strips, in order, and where the cells of each are.
    pub(super) fn places(&self, cut: &Cut) -> impl Iterator<Item = (StripNumber, Range<usize>)> {
        let mut next = 0;
        self.numbers.iter().map(move |&strip| {
            let first = next;
            next += slots(cut, strip) as usize;
            (strip, first..next)
        })
    }

    /// The strips as rows, in order.
    pub(super) fn views(&self, cut: &Cut) -> Vec<View<'_, W>> {
        let view = |(strip, place): (StripNumber, Range<usize>)| {
            let extent = cut.extent(strip);
            let (own, mirror) = (&self.own[place.clone()], &self.mirror[place]);
            View { layer: extent.layer, rows: extent.rows, own, mirror }
        };
        self.places(cut).map(view).collect()
    }
}

fn slots(cut: &Cut, strip: StripNumber) -> u64 {
    let slots = cut.extent(strip).slots;
    slots.end - slots.start
}

/// Where the cells of each strip of a bundle begin among those of its rank, strips being dealt in turn.
pub(super) fn begins(cut: &Cut, ranks: usize) -> Vec<u64> {
    let mut next = vec![0; ranks];
    let begin = |strip: StripNumber| {
        let next = &mut next[strip.0 % ranks];
        let begin = *next;
        *next += slots(cut, strip);
        begin
    };
    cut.strips().map(begin).collect()
}
