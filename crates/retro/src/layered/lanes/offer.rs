//! The cells of a block: a byte for each score, a vector for each set, and messages to single cells.

use std::sync::atomic::AtomicU8;

use marquis_core::{LANES, Lane, LaneSet, Plies, Score, SetRank};

use super::super::layers_below::score_inside;
use crate::cell::{CellWidth, UNDECIDED, UNUSED, code_of};

/// The most sets: their numbers and a lane's fit into a message.
pub(super) const MOST_SETS: u64 = 1 << 19;

/// A score as a byte that is the greater, the better it is for the player who moves there.
///
/// 0 is no position, 1 + p a win of the opponent in p plies, 255 − p his loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Offer(u8);

impl Offer {
    pub(super) const NONE: Self = Self(0);
    pub(super) const UNDECIDED: Self = Self(128);
    const DRAWN: Self = Self(129);

    pub(super) const fn win(Plies(plies): Plies) -> Self {
        Self(1 + plies as u8)
    }

    pub(super) const fn loss(Plies(plies): Plies) -> Self {
        Self(255 - plies as u8)
    }

    /// That of a code of a cell of one byte, as it is while a bundle is solved.
    pub(super) fn of_code(code: u32) -> Self {
        match score_inside::<AtomicU8>(code) {
            _ if code == UNUSED => Self::NONE,
            _ if code == UNDECIDED => Self::UNDECIDED,
            Score::Draw => Self::DRAWN,
            Score::Win(plies) => Self::win(plies),
            Score::Loss(plies) => Self::loss(plies),
        }
    }

    pub(super) fn code(self) -> u8 {
        let Self(byte) = self;
        let code = match self {
            Self::NONE => UNUSED,
            Self::UNDECIDED => UNDECIDED,
            Self::DRAWN => AtomicU8::DRAWN,
            _ if self < Self::UNDECIDED => code_of(Score::Win(Plies(u16::from(byte) - 1))),
            _ => code_of(Score::Loss(Plies(255 - u16::from(byte)))),
        };
        code as u8
    }

    /// The code of a finished cell: undecided ones are drawn.
    pub(super) fn finished(self) -> u8 {
        if self == Self::DRAWN { UNDECIDED as u8 } else { self.code() }
    }

    /// Takes a score that is final, or a win.
    #[inline]
    fn receive(&mut self, score: Self) {
        let is_sooner = score < *self && *self < Self::UNDECIDED;
        if *self == Self::UNDECIDED || is_sooner {
            *self = score;
        }
    }
}

/// The cells of a block for one set.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Vector(pub(super) [Offer; LANES]);

/// A score for a cell: the set, the lane and the byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message(u32);

impl Message {
    #[inline]
    pub(super) fn new(SetRank(set): SetRank, Lane(lane): Lane, Offer(byte): Offer) -> Self {
        Self((set * LANES as u32 + u32::from(lane)) << 8 | u32::from(byte))
    }

    #[inline]
    pub(super) fn deliver(self, cells: &mut [Vector]) {
        let cell = (self.0 >> 8) as usize;
        cells[cell / LANES].0[cell % LANES].receive(Offer(self.0 as u8));
    }
}

impl Vector {
    /// The lanes whose byte has a property; `has` must not branch, so that all lanes are tested at once.
    #[inline]
    pub(super) fn lanes(&self, has: impl Fn(Offer) -> bool) -> LaneSet {
        let found = self.0.map(|cell| u8::from(has(cell)));
        if found.iter().fold(0, |any, found| any | found) == 0 {
            return LaneSet::default();
        }
        LaneSet(found.iter().enumerate().fold(0, |bits, (lane, &found)| bits | u32::from(found) << lane))
    }
}

/// The best of some sets, lane by lane. Not inline, so that it stays in registers.
#[inline(never)]
pub(super) fn best_of(cells: &[Vector], sets: &[SetRank]) -> Vector {
    let mut best = Vector([Offer::NONE; LANES]);
    for &SetRank(set) in sets {
        let offers = &cells[set as usize].0;
        best.0.iter_mut().zip(offers).for_each(|(best, offer)| *best = (*best).max(*offer));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every code that a cell of one byte holds while a bundle is solved.
    fn codes() -> impl Iterator<Item = u32> {
        (UNUSED..=AtomicU8::GREATEST).chain([AtomicU8::DRAWN])
    }

    #[test]
    fn a_code_comes_back_from_its_offer_and_the_best_offer_is_the_greatest() {
        assert!(codes().all(|code| u32::from(Offer::of_code(code).code()) == code));
        let scores = || codes().filter(|&code| code > UNDECIDED);
        for (one, other) in scores().flat_map(|one| scores().map(move |other| (one, other))) {
            let by_score = |code| score_inside::<AtomicU8>(code).before_move();
            let offers = [one, other].map(Offer::of_code);
            assert_eq!(offers[0].cmp(&offers[1]), by_score(one).cmp(&by_score(other)), "{one} and {other}");
        }
        let [undecided, drawn] = [UNDECIDED, AtomicU8::DRAWN].map(Offer::of_code);
        let wins_and_losses = scores().filter(|&code| code != AtomicU8::DRAWN);
        for (code, offer) in wins_and_losses.map(|code| (code, Offer::of_code(code))) {
            assert_eq!(offer < undecided, !code.is_multiple_of(2), "{code}");
            assert_eq!(offer > drawn, code.is_multiple_of(2), "{code}");
        }
    }

    #[test]
    fn a_message_reaches_its_cell_alone_which_takes_what_is_better() {
        let [soon, late, lost] = [Score::Win(Plies(3)), Score::Win(Plies(9)), Score::Loss(Plies(4))]
            .map(|score| Offer::of_code(code_of(score)));
        let (set, lane) = (SetRank(MOST_SETS as u32 - 1), Lane(LANES as u8 - 1));
        let mut cells = vec![Vector([Offer::UNDECIDED; LANES]); MOST_SETS as usize];
        let mut after = |score| {
            Message::new(set, lane, score).deliver(&mut cells);
            assert_eq!(
                cells.iter().flat_map(|cells| cells.0).filter(|&cell| cell != Offer::UNDECIDED).count(),
                1
            );
            cells.last().map(|cells| cells.0[LANES - 1])
        };
        assert_eq!([late, lost, soon, late, lost].map(&mut after), [late, late, soon, soon, soon].map(Some));
        let mut cell = lost;
        cell.receive(soon);
        assert_eq!(cell, lost, "a loss is final");
        let mut cell = Offer::NONE;
        cell.receive(soon);
        assert_eq!(cell, Offer::NONE, "here is no position");
    }
}
