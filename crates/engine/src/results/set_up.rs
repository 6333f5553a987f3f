//! The value of a set-up, and how hard it is.

use marquis_play::Level;
use marquis_proof::Ended;

use super::exact::{Ending, ValuedMove};
use super::pie::PlayerTwo;
use super::verdict::Verdict;
use crate::game::exact::ExactGame;
use crate::query::Pie;

/// The value of a set-up for the player who moves first with one colour.
pub(crate) struct FirstMover<G: ExactGame> {
    /// The position that this player faces.
    pub(crate) position: G::Position,
    pub(crate) verdict: Verdict,
    /// The moves of the highest value; empty if the value is unknown.
    pub(crate) best: Vec<ValuedMove<G>>,
    /// How the search of this colour ended; `None` if it was not searched.
    pub(crate) ending: Option<Ending>,
}

/// The results of a level as Player Two of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) level: Level,
    /// Games in which it made the right choice.
    pub(crate) found: u32,
    /// The number of those games that it won against the highest level.
    pub(crate) held: u32,
    /// The number of games.
    pub(crate) games: u32,
}

impl Tried {
    /// The share of games in which it found the right choice and held it.
    fn share(self) -> f64 {
        f64::from(self.held) / f64::from(self.games.max(1))
    }

    /// Whether the level held at least half of its games.
    pub(crate) fn in_half(self) -> bool {
        2 * self.held >= self.games
    }
}

/// The level at which half of the games are held, interpolated between two levels: [`Level::MIN`] if the lowest level
/// holds half, one above [`Level::MAX`] if the highest does not.
///
/// * `tried`: the lowest level first, with the lowest that succeeds and the one below it.
pub(crate) fn rating(tried: &[Tried]) -> f64 {
    let number = |own: Tried| f64::from(own.level.get());
    let Some(place) = tried.iter().position(|own| own.in_half()) else {
        return f64::from(Level::MAX.get()) + 1.0;
    };
    let Some(below) = place.checked_sub(1).map(|below| tried[below]) else { return number(tried[place]) };
    let (low, high) = (below.share(), tried[place].share());
    number(below) + (number(tried[place]) - number(below)) * (0.5 - low) / (high - low)
}

/// How hard the right choice is to see and to play, seen from one first position.
pub(crate) struct Difficulty<G: ExactGame> {
    /// The first position that decides the set-up, or White's.
    pub(crate) position: G::Position,
    /// The number of first moves.
    pub(crate) first_moves: usize,
    /// The number of first moves that keep the value; `None` if some value is unknown.
    pub(crate) keeping: Option<usize>,
    /// The first move that captures most.
    pub(crate) greedy: Option<G::Move>,
    /// Whether it keeps the value, if that is known.
    pub(crate) greedy_keeps: Option<bool>,
    /// The length, in plies, of the longest line in which only one move holds.
    pub(crate) only_move_line: Option<u16>,
    /// The number of nodes of the proof.
    pub(crate) nodes: u64,
    /// The levels that were tried as Player Two, the lowest first; `None` if no choice is known to win, or the time
    /// was up.
    pub(crate) tried: Option<Vec<Tried>>,
}

/// The value of a set-up.
pub(crate) struct Balance<G: ExactGame> {
    /// For the player who moves first, with White and with Black.
    pub(crate) first_movers: [FirstMover<G>; 2],
    pub(crate) player_two: PlayerTwo,
    /// The same under the other pie, if that has the same first positions.
    pub(crate) under_other: Option<(Pie, PlayerTwo)>,
    pub(crate) difficulty: Difficulty<G>,
    /// Why the requested search ended; `None` if nothing was searched.
    pub(crate) ended: Option<Ended>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(level: u8, held: u32) -> Tried {
        let level = Level::new(level).expect("a level");
        Tried { level, found: held, held, games: 8 }
    }

    #[test]
    fn a_rating_lies_between_the_levels_that_fail_and_succeed() {
        let of = |tried: &[Tried]| rating(tried);
        // Halfway from 2 of 8 to 6 of 8.
        assert!((of(&[tried(4, 2), tried(5, 6)]) - 4.5).abs() < 1e-9);
        // Four of eight are half of them.
        assert!((of(&[tried(2, 0), tried(3, 4), tried(4, 8)]) - 3.0).abs() < 1e-9);
        // Interpolated across a level that was left out.
        assert!((of(&[tried(4, 3), tried(6, 5)]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_rating_is_1_where_the_lowest_level_succeeds_and_9_where_the_highest_fails() {
        assert!((rating(&[tried(1, 4), tried(2, 8)]) - 1.0).abs() < 1e-9);
        assert!((rating(&[tried(7, 0), tried(8, 3)]) - 9.0).abs() < 1e-9);
    }
}
