//! Bounds for the search in games of beads: the fastest possible captures, and the estimated work of a proof.
//!
//! Rows of beads only ever get shorter. A capture takes a whole row as it stands at that time, which is part of one
//! row of the current position, and the rest of that row can only be taken by further moves. So `k` captures of one
//! row each take at most as many beads as the `k` longest current rows together.

use std::ops::ControlFlow;

use marquis_core::{Cells, Player};

use marquis_engine::game::Kin;
use marquis_games::beads::{BeadGame, Capture, Immobile, Position};
use marquis_games::hex::{Direction, Hex};
use marquis_games::key::scatter;

use crate::doublings::doublings;
use crate::hexagon;

/// The longest row that fits on a board.
const LONGEST: usize = 9;

/// The number of rows of beads that have at least each length, in all three directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    at_least: [u8; LONGEST + 2],
}

impl RowCounts {
    /// Counts the unbroken rows of `beads`, single beads included, once for each direction.
    #[must_use]
    pub fn of(board: &Hex, beads: Cells) -> Self {
        let turned = board.turned(beads);
        let mut rows = Self::default();
        for mut ends in [beads, turned[0], turned[1]] {
            let mut length = 1;
            while !ends.is_empty() && length <= LONGEST {
                let after_another = Cells((ends & board.has_right()).0 << 1);
                rows.at_least[length] += (ends - after_another).len() as u8;
                ends = ends & Cells(ends.0 >> 1) & board.has_right();
                length += 1;
            }
        }
        rows
    }

    /// The smallest number of rows that hold `beads` beads together, the longest first; `None` if all rows together
    /// have fewer.
    #[must_use]
    pub fn fewest(&self, beads: u32) -> Option<u32> {
        let (mut left, mut taken) = (beads, 0);
        for length in (1..=LONGEST).rev() {
            let rows = u32::from(self.at_least[length] - self.at_least[length + 1]);
            let length = length as u32;
            if left <= rows * length {
                return Some(taken + left.div_ceil(length));
            }
            left -= rows * length;
            taken += rows;
        }
        (left == 0).then_some(taken)
    }
}

/// Whether the player to move has a capture that ends the game in his favour.
///
/// It may fill his store, or take the last rooks of an opponent who loses without a move.
#[inline]
#[must_use]
pub fn wins_at_once<R: Capture>(game: &BeadGame<R>, position: &Position) -> bool {
    let missing = u32::from(game.target().0.saturating_sub(position.stores[position.turn].0));
    let enemies = position.enemies();
    let takes_all = game.immobile() == Immobile::Loss && enemies.len() <= MOST_LEAPED;
    if missing > MOST_CAPTURED && !takes_all {
        return false;
    }
    let mut rooks = position.rooks[position.turn];
    rooks.any(|from| {
        let decided = R::captures(game.board(), position, from, |_, captured| {
            let filled = (captured & position.beads).len() >= missing;
            if filled || takes_all && (enemies - captured).is_empty() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        decided.is_break()
    })
}

/// Whether some move may lead to a position in which the opponent [wins at once](wins_at_once).
///
/// False is certain: moves leave his store as it is and make no row of beads longer.
#[inline]
#[must_use]
pub fn may_lose_next<R: Capture>(game: &BeadGame<R>, position: &Position) -> bool {
    let next = position.turn.opponent();
    let missing = u32::from(game.target().0.saturating_sub(position.stores[next].0));
    if game.immobile() == Immobile::Loss && position.rooks[position.turn].len() <= MOST_LEAPED {
        return true;
    }
    let rows = u32::from(R::most_rows(position.rooks[next].len() as u8));
    missing <= MOST_CAPTURED
        && RowCounts::of(game.board(), position.beads).fewest(missing).is_some_and(|fewest| fewest <= rows)
}

/// The estimated work of a proof that `player` wins, at least 1.
///
/// Each bead that he misses, and each rook fewer than the opponent has, adds one and a half doublings; each bead that
/// the opponent misses takes half a doubling away. Being off move adds two doublings, being on move takes two away.
/// Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
#[must_use]
pub fn work<R: Capture>(game: &BeadGame<R>, position: &Position, player: Player) -> u32 {
    let missing = |of: Player| i32::from(game.target().0) - i32::from(position.stores[of].0);
    let rooks = |of: Player| position.rooks[of].len().cast_signed();
    let other = player.opponent();
    let on_move = if position.turn == player { -ON_MOVE } else { ON_MOVE };
    doublings(
        BEAD * missing(player) - AWAY * missing(other) + ROOK * (rooks(other) - rooks(player)) + on_move,
    )
}

/// The kin of positions whose proofs that `player` wins cost about the same for equal [`work`].
///
/// Much depends on the longest row that `player` could take, on the missing beads and on the rooks of both players.
///
/// In Swish the cost follows the beads on the board most of all. Wide kin share them; close kin share the longest row
/// that `player` captures if he is on move, once with the beads, once with missing beads and rooks. In Squeeze, where a
/// move may capture several rows, the cost follows the rooks. Wide kin share missing beads, rooks, the longest row and
/// the number of rooks next to a bead; close kin share the beads with the longest row, or the places of the player's
/// rooks. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
#[must_use]
pub fn kin<R: Capture>(game: &BeadGame<R>, position: &Position, player: Player) -> Kin {
    let of = |player: Player| {
        let missing = game.target().0.saturating_sub(position.stores[player].0);
        u64::from(missing) | u64::from(position.rooks[player].len()) << 16
    };
    let standing = of(player) | of(player.opponent()) << 24;
    let beads = scatter(position.beads.0, 0);
    if R::most_rows(u8::MAX) == 1 {
        // Off move it tells too little for its time.
        let longest = if position.turn == player { u64::from(longest_capture(game, position)) } else { 0 };
        return Kin { wide: position.beads.0, close: Some([beads ^ longest, standing | longest << 48]) };
    }
    let ClosableRows { anchors, longest } = ClosableRows::of(game.board(), position, player);
    let wide = standing | u64::from(longest) << 48 | u64::from(anchors) << 56;
    Kin { wide, close: Some([beads ^ u64::from(longest), scatter(position.rooks[player].0, 1)]) }
}

/// The most beads that a move captures.
#[inline]
fn longest_capture<R: Capture>(game: &BeadGame<R>, position: &Position) -> u32 {
    let mut longest = 0;
    for rook in position.rooks[position.turn] {
        let _ = R::captures(game.board(), position, rook, |_, captured| {
            longest = longest.max((captured & position.beads).len());
            ControlFlow::<()>::Continue(())
        });
    }
    longest
}

/// The rows of beads that one more rook at their end would enclose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ClosableRows {
    /// The rooks next to a bead.
    anchors: u8,
    /// The beads of the longest row from a rook to a vacant cell that another rook of the player can slide to.
    longest: u8,
}

impl ClosableRows {
    #[inline]
    fn of(board: &Hex, position: &Position, player: Player) -> Self {
        let (rooks, occupied) = (position.rooks[player], position.occupied());
        let mut found = Self::default();
        for rook in rooks {
            let beside = board.adjacent(rook) & position.beads;
            if beside.is_empty() {
                continue;
            }
            found.anchors += 1;
            let others = rooks.without(rook);
            for direction in Direction::ALL {
                let ray = board.ray(rook, direction);
                let end =
                    if ray.meets(beside) { Hex::nearest(ray - position.beads, direction) } else { None };
                let Some(end) = end.filter(|&end| !occupied.contains(end)) else { continue };
                let row = board.between(rook, end).len() as u8;
                let slides = |from| !board.between(from, end).meets(occupied);
                if row > found.longest && (others & board.star(end)).any(slides) {
                    found.longest = row;
                }
            }
        }
        found
    }
}

/// Whether an estimate says that far more than `states` positions can be reached: never on a board that is half full,
/// where little can move.
#[must_use]
pub fn is_vast<R: Capture>(game: &BeadGame<R>, position: &Position, states: f64) -> bool {
    let vacant = game.board().count() - position.occupied().len();
    2 * vacant >= game.board().count() && estimated_states(game, position) > states
}

/// An upper estimate of the number of positions that can be reached from one: rooks anywhere, each bead there or not;
/// stores are ignored.
fn estimated_states<R: Capture>(game: &BeadGame<R>, position: &Position) -> f64 {
    let places = |rooks: Cells| hexagon::placements(game.board().count(), rooks.len());
    2.0 * places(position.rooks.first)
        * places(position.rooks.second)
        * f64::from(position.beads.len()).exp2()
}

/// A move hardly ever takes more beads or rooks than this.
const MOST_CAPTURED: u32 = 5;
const MOST_LEAPED: u32 = 1;
// Weights, in parts of a doubling of the work: a missing bead, a bead that the opponent misses, a rook more or less,
// and being on move or off it.
const BEAD: i32 = 6;
const AWAY: i32 = 2;
const ROOK: i32 = 6;
const ON_MOVE: i32 = 8;

#[cfg(test)]
mod tests {
    use marquis_core::{Cell, Game};

    use super::*;
    use crate::tests::random_games::each_position;
    use marquis_games::beads::{Leap, Sandwich};
    use marquis_games::hex::Side;
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    /// Lengths of all rows, the longest first, found by walking.
    fn walked(board: &Hex, beads: Cells) -> Vec<u32> {
        let mut lengths = Vec::new();
        for cell in beads {
            for direction in [Direction::Right, Direction::UpLeft, Direction::UpRight] {
                let bead_at =
                    |from: Cell, way| board.neighbour(from, way).filter(|&next| beads.contains(next));
                let back = Direction::ALL[(direction as usize + 3) % 6];
                if bead_at(cell, back).is_none() {
                    let walk = std::iter::successors(Some(cell), |&from| bead_at(from, direction));
                    lengths.push(walk.count() as u32);
                }
            }
        }
        lengths.sort_by(|a, b| b.cmp(a));
        lengths
    }

    #[test]
    fn the_fewest_rows_are_the_longest_ones() {
        let mut random = SmallRng::seed_from_u64(1);
        for side in Side::all() {
            let board = side.board();
            for _ in 0..500 {
                let beads = Cells(random.random::<u64>() & random.random::<u64>()) & board.all();
                let (lengths, rows) = (walked(board, beads), RowCounts::of(board, beads));
                let mut sum = 0;
                for (taken, &length) in (1..).zip(&lengths) {
                    assert_eq!(rows.fewest(sum + 1), Some(taken), "{beads:?}");
                    sum += length;
                    assert_eq!(rows.fewest(sum), Some(taken), "{beads:?}");
                }
                assert_eq!(rows.fewest(sum + 1), None, "{beads:?}");
            }
        }
    }

    /// Calls `visit` with the positions of random games, each with the positions after its moves.
    fn play_about<R: Capture>(text: &str, mut visit: impl FnMut(&BeadGame<R>, &Position, &[Position])) {
        let (game, root) = BeadGame::<R>::parse(text, Immobile::Loss).unwrap();
        each_position(&game, root, 400, 60, |position, nexts| visit(&game, position, nexts));
    }

    /// Whether some move ends the game in favour of the player who makes it, by the rules.
    fn has_winning_capture<R: Capture>(game: &BeadGame<R>, position: &Position, nexts: &[Position]) -> bool {
        let wins = |next: &Position| {
            let over = game.over(next);
            over.is_some_and(|over| over.outcome == marquis_core::Outcome::Winner(position.turn))
        };
        nexts.iter().any(wins)
    }

    fn ends_are_foreseen<R: Capture>(text: &str) {
        let (mut seen, mut quiet) = (0, 0);
        play_about::<R>(text, |game, position, nexts| {
            let wins = has_winning_capture(game, position, nexts);
            if wins_at_once(game, position) {
                assert!(wins, "{position:?} is no win at once");
                seen += 1;
            } else {
                let fills = |next: &&Position| {
                    next.stores[position.turn].0 <= position.stores[position.turn].0 + MOST_CAPTURED as u16
                };
                let target =
                    nexts.iter().filter(fills).any(|next| next.stores[position.turn] >= game.target());
                assert!(!target, "{position:?} is a win at once");
            }
            if !may_lose_next(game, position) {
                quiet += 1;
                assert!(!nexts.iter().any(|next| wins_at_once(game, next)), "{position:?} may be lost next");
            }
        });
        assert!(seen > 50 && quiet > 50, "{text}: {seen} wins at once, {quiet} positions without a threat");
    }

    fn kin_of<R: Capture>(text: &str) -> Kin {
        let (game, position) = BeadGame::<R>::parse(text, Immobile::Loss).unwrap();
        kin(&game, &position, Player::First)
    }

    const HERE: &str = "w3b/6/2o1o2/8/b7w/8/2o1o2/6/w3b w 0-1 5";
    const MOVED: &str = "1w2b/6/2o1o2/8/b7w/8/2o1o2/6/w3b w 0-1 5";
    const STORED: &str = "w3b/6/2o1o2/8/b7w/8/2o1o2/6/w3b w 1-0 5";
    const OTHER_BEADS: &str = "w3b/6/2o1o2/8/b7w/8/2o2o1/6/w3b w 0-1 5";
    const OFF_MOVE: &str = "w3b/6/2o1o2/8/b7w/8/2o1o2/6/w3b b 0-1 5";

    #[test]
    fn wide_kin_share_the_beads_or_what_rooks_could_take() {
        let near = "4b/2w3/2o1o2/8/b7w/8/2o1o2/6/w3b w 0-1 5";
        let fewer = "4b/6/2o1o2/8/b7w/8/2o1o2/6/w3b w 0-1 5";
        let same = |kin: fn(&str) -> Kin| {
            [MOVED, near, fewer, STORED, OTHER_BEADS, OFF_MOVE].map(|text| kin(HERE).wide == kin(text).wide)
        };
        assert_eq!(same(kin_of::<Leap>), [true, true, true, true, false, true]);
        assert_eq!(same(kin_of::<Sandwich>), [true, false, false, false, true, true]);
    }

    /// Which of the two close kin of a position are those of [`HERE`].
    fn shared_close_kin<R: Capture>(text: &str) -> [bool; 2] {
        let [here, there] = [HERE, text].map(|text| kin_of::<R>(text).close.expect("close kin"));
        [0, 1].map(|number| here[number] == there[number])
    }

    #[test]
    fn close_kin_of_swish_share_the_longest_row_with_the_beads_or_with_missing_beads_and_rooks() {
        let no_row = "4b/6/2o1o2/8/b7w/8/2o1o2/6/4b w 0-1 5";
        let fewer = "w3b/6/2o1o2/8/b7w/8/2o1o2/6/w4 w 0-1 5";
        let same = shared_close_kin::<Leap>;
        assert_eq!(same(MOVED), [true; 2]);
        assert_eq!([no_row, STORED, fewer].map(same), [[false; 2], [true, false], [true, false]]);
        assert_eq!(same(OTHER_BEADS), [false, true]);
        // Off move the row does not count.
        let no_capture = "4b/w5/2o1o2/w7/b8/w7/2o1o2/6/4b w 0-1 5";
        let off_move = |text: &str| kin_of::<Leap>(&text.replace(" w 0-1", " b 0-1"));
        assert_eq!(same(no_capture), [false; 2]);
        assert_eq!(off_move(no_capture), off_move(HERE));
    }

    #[test]
    fn close_kin_of_squeeze_share_the_longest_row_with_the_beads_or_the_places_of_the_provers_rooks() {
        let a_row = "1w2b/6/1wo1o2/8/b7w/8/2o1o2/6/4b w 0-1 5";
        let defended = "w2b1/6/2o1o2/8/b7w/8/2o1o2/6/w3b w 0-1 5";
        let same = shared_close_kin::<Sandwich>;
        assert_eq!([MOVED, defended, OTHER_BEADS].map(same), [[true, false], [true; 2], [false, true]]);
        assert_eq!(same(a_row), [false; 2]);
    }

    /// Starts of random games on a small board and a large one.
    const STARTS: [&str; 2] =
        ["b2/2oo/w1o1b/2o1/1w1 w 0-0 3", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 9"];

    /// Moves one rook at a time as the rules do: the longest row of a capture that takes a single row of beads.
    #[test]
    fn closable_rows_are_rows_that_a_slide_captures() {
        let (mut closable, mut several) = (0, 0);
        for text in STARTS {
            play_about::<Sandwich>(text, |game, position, nexts| {
                let ClosableRows { anchors, longest } =
                    ClosableRows::of(game.board(), position, position.turn);
                let taken = nexts.iter().map(|next| (position.beads - next.beads).len() as u8).max();
                let most = taken.unwrap_or(0);
                assert!(longest <= most, "{position:?}: {longest} beads in a row, {most} captured");
                assert_eq!(longest == 0, most == 0, "{position:?}");
                let beside = |&rook: &Cell| game.board().adjacent(rook).meets(position.beads);
                assert_eq!(usize::from(anchors), position.rooks[position.turn].filter(beside).count());
                closable += u32::from(longest > 0);
                several += u32::from(longest < most);
            });
        }
        assert!(closable > 100 && several > 0, "{closable} {several}");
    }

    fn longest_captures_are_moves<R: Capture>(text: &str) {
        let mut captures = 0;
        play_about::<R>(text, |game, position, nexts| {
            let taken = nexts.iter().map(|next| (position.beads - next.beads).len()).max().unwrap_or(0);
            assert_eq!(longest_capture(game, position), taken, "{position:?}");
            captures += u32::from(taken > 1);
        });
        assert!(captures > 100, "{text}: {captures}");
    }

    #[test]
    fn longest_captures_are_what_some_move_takes() {
        for text in STARTS {
            longest_captures_are_moves::<Leap>(text);
            longest_captures_are_moves::<Sandwich>(text);
        }
    }

    #[test]
    fn captures_that_end_the_game_are_foreseen() {
        for text in
            ["b2/2oo/w1o1b/2o1/1w1 w 0-0 3", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 7"]
        {
            ends_are_foreseen::<Leap>(text);
            ends_are_foreseen::<Sandwich>(text);
        }
    }
}
