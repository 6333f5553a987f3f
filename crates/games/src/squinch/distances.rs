//! The moves that a placement of one side's checkers needs on a board without enemies.
//!
//! Each distance is computed on first use, by searches for a line of at most so many moves that remember what they
//! find. No move leads back, so each search ends. [`solo`](super::solo) says what the distances mean.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE};
use super::index::camp::{Camp, rank};
use super::race::least_moves;

/// There is no line of such moves, or none that is short enough.
pub(super) const NEVER: u8 = u8::MAX >> 1;

/// Boards with more placements of a side's checkers have no distances: they would take too much memory.
const MOST_PLACEMENTS: u128 = 1 << 23;

/// The distances of every placement of a number of checkers on a board, each computed on first use.
///
/// A search needs few of them, a whole table takes seconds on the larger boards, and the limit of a request may be
/// shorter.
#[derive(Debug)]
pub(super) struct CheckerDistances {
    game: Squinch,
    checkers: usize,
    /// For one checker less; `None` if there are no checkers.
    fewer: Option<&'static Self>,
    placements: usize,
    /// First those alone, then those with enemies up to the first rank, to the second, …
    tables: [OnceLock<Table>; MAX_SIDE as usize + 1],
}

/// By the rank of a placement among lists of squares: a packed [`Bound`], or 0.
type Table = Vec<AtomicU8>;

/// The distances of `checkers` on a board; `None` if they would take too much memory.
pub(super) fn distances(game: Squinch, checkers: usize) -> Option<&'static CheckerDistances> {
    // Boxed, because the empty places of all boards are data of the program.
    type OfBoard = [OnceLock<Option<Box<CheckerDistances>>>; MAX_CHECKERS as usize + 1];
    const BOARDS: usize = (MAX_SIDE as usize + 1) * (MAX_SIDE as usize + 1);
    static MADE: [OfBoard; BOARDS] =
        [const { [const { OnceLock::new() }; MAX_CHECKERS as usize + 1] }; BOARDS];
    let board = usize::from(game.files()) * (usize::from(MAX_SIDE) + 1) + usize::from(game.ranks());
    let made = MADE[board][checkers].get_or_init(|| {
        let placements = Camp::placements(game, checkers as u8);
        if placements > MOST_PLACEMENTS {
            return None;
        }
        let fewer = checkers.checked_sub(1).and_then(|fewer| distances(game, fewer));
        let tables = [const { OnceLock::new() }; MAX_SIDE as usize + 1];
        Some(Box::new(CheckerDistances { game, checkers, fewer, placements: placements as usize, tables }))
    });
    made.as_deref()
}

/// The squares of a side's checkers, rising; a stack of two has its square twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CheckerSquares {
    squares: [u8; MAX_CHECKERS as usize],
    pub(super) len: usize,
}

impl CheckerSquares {
    /// Adds a stack on a square above those before.
    #[inline]
    pub(super) fn push(&mut self, square: u8, height: u8) {
        let end = self.len + usize::from(height);
        self.squares[self.len..end].fill(square);
        self.len = end;
    }

    #[inline]
    fn listed(&self) -> &[u8] {
        &self.squares[..self.len]
    }

    #[inline]
    pub(super) fn rank(&self) -> usize {
        rank(self.listed()) as usize
    }

    fn height(&self, square: u8) -> u8 {
        self.listed().iter().filter(|&&own| own == square).count() as u8
    }

    fn without(mut self, square: u8) -> Self {
        let at = self.listed().partition_point(|&own| own < square);
        self.squares.copy_within(at + 1..self.len, at);
        self.len -= 1;
        self
    }

    fn with(mut self, square: u8) -> Self {
        let at = self.listed().partition_point(|&own| own < square);
        self.squares.copy_within(at..self.len, at + 1);
        self.squares[at] = square;
        self.len += 1;
        self
    }

    /// Whether there is evidently no line.
    ///
    /// Below the rank `beyond` checkers land on friends alone, so that the squares with friends become fewer. The last
    /// checker leaves the last of them by a step of one rank.
    fn are_stuck(&self, game: Squinch, beyond: usize) -> bool {
        let rank = |&square: &u8| usize::from(square / game.files());
        self.listed().first().is_some_and(|last| rank(last) < beyond)
            && !self.listed().iter().any(|square| rank(square) + 1 == beyond)
    }

    /// A lower bound of the number of moves.
    fn at_least(&self, game: Squinch) -> u8 {
        least_moves(self.listed().iter().map(|&square| game.ranks() - 1 - square / game.files()))
    }
}

/// The knowledge about a distance.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    /// The lower bound.
    pub(super) least: u8,
    /// Whether the distance equals it.
    pub(super) is_exact: bool,
}

impl Bound {
    const NEVER: Self = Self { least: NEVER, is_exact: true };

    /// `None` if no search has reached the placement.
    const fn unpacked(byte: u8) -> Option<Self> {
        if byte == 0 { None } else { Some(Self { least: byte >> 1, is_exact: byte & 1 == 1 }) }
    }

    /// One byte, never 0: a side with a checker needs a move, and one without has no entry.
    const fn packed(self) -> u8 {
        self.least << 1 | self.is_exact as u8
    }
}

impl CheckerDistances {
    /// The fewest moves with no enemy on the board, landing on friends or from the rank `beyond` on: searches for a
    /// line within the lower bound, then within the next one, until one is found.
    ///
    /// * `at`: the rank of the placement.
    pub(super) fn moves(&self, at: usize, checkers: &CheckerSquares, beyond: usize) -> u8 {
        if !self.escapes(at, checkers, beyond) {
            return NEVER;
        }
        let mut budget = 0;
        loop {
            let found = self.bound(at, checkers, beyond, budget);
            if found.is_exact {
                return found.least;
            }
            budget = found.least;
        }
    }

    /// Whether there is a line: ends with the first one that is found, and remembers the placements without one.
    ///
    /// Where there is none, this is one pass over the placements; [`bound`](Self::bound) makes one for every number of
    /// moves.
    #[inline]
    pub(super) fn escapes(&self, at: usize, checkers: &CheckerSquares, beyond: usize) -> bool {
        if beyond == 0 || self.fewer.is_none() {
            return true;
        }
        if checkers.are_stuck(self.game, beyond) {
            return false;
        }
        let entry = &self.table(beyond)[at];
        if let Some(known) = Self::known(entry).filter(|known| known.is_exact) {
            return known.least < NEVER;
        }
        let escapes = self
            .after(checkers, beyond)
            .iter()
            .any(|(_, after)| self.with_as_many(after).escapes(after.rank(), after, beyond));
        if !escapes {
            entry.store(Bound::NEVER.packed(), Ordering::Relaxed);
        }
        escapes
    }

    /// The distance if it is within the budget; otherwise a lower bound beyond the budget.
    #[inline]
    pub(super) fn bound(&self, at: usize, checkers: &CheckerSquares, beyond: usize, budget: u8) -> Bound {
        if self.fewer.is_none() {
            return Bound { least: 0, is_exact: true };
        }
        let entry = &self.table(beyond)[at];
        let known = Self::known(entry)
            .unwrap_or_else(|| Bound { least: checkers.at_least(self.game), is_exact: false });
        if known.is_exact || known.least > budget {
            return known;
        }
        let found = self.search(checkers, beyond, budget);
        // Another thread may store its own bound in between: both are true.
        entry.store(found.packed(), Ordering::Relaxed);
        found
    }

    /// The number of placements that the searches of one kind of distance have reached.
    #[cfg(test)]
    pub(super) fn reached(&self, beyond: usize) -> usize {
        let entries = self.tables[beyond].get().into_iter().flatten();
        entries.filter(|entry| entry.load(Ordering::Relaxed) != 0).count()
    }

    #[inline]
    fn table(&self, beyond: usize) -> &Table {
        self.tables[beyond].get_or_init(|| (0..self.placements).map(|_| AtomicU8::new(0)).collect())
    }

    fn known(entry: &AtomicU8) -> Option<Bound> {
        Bound::unpacked(entry.load(Ordering::Relaxed))
    }

    /// The distances of the placements after a move.
    fn with_as_many(&self, after: &CheckerSquares) -> &Self {
        self.fewer.filter(|fewer| fewer.checkers == after.len).unwrap_or(self)
    }

    /// The same, from the bounds of the placements after a move. No move leads back, so this ends.
    fn search(&self, checkers: &CheckerSquares, beyond: usize, budget: u8) -> Bound {
        let mut best = NEVER;
        for (least, after) in self.after(checkers, beyond) {
            if least >= best {
                break;
            }
            let of = self.with_as_many(&after);
            best = best.min(of.bound(after.rank(), &after, beyond, budget.min(best) - 1).least);
        }
        let least = best.saturating_add(1).min(NEVER);
        Bound { least, is_exact: least <= budget || least == NEVER }
    }

    /// The placements after the allowed moves, each with a lower bound of its distance, in that order.
    fn after(&self, checkers: &CheckerSquares, beyond: usize) -> Vec<(u8, CheckerSquares)> {
        let (game, mut after) = (self.game, Vec::new());
        let mut keep = |placement: CheckerSquares| {
            if !placement.are_stuck(game, beyond) {
                after.push((placement.at_least(game), placement));
            }
        };
        for square in checkers.listed().chunk_by(|a, b| a == b).map(|stack| stack[0]) {
            let left = checkers.without(square);
            let is_sure = |&to: &u8| lands_surely(checkers.height(to), to / game.files(), beyond);
            landings(game, square, checkers).into_iter().filter(is_sure).for_each(|to| keep(left.with(to)));
            if game.ranks() - square / game.files() <= checkers.height(square) {
                keep(left);
            }
        }
        after.sort_by_key(|&(least, _)| least);
        after
    }
}

/// Whether no enemy can ever stand on a square where a checker lands.
///
/// * `friends`: the height of the side's own stack there.
/// * `rank`: as the owner of the checker sees it.
/// * `beyond`: the rank after the last one with an enemy.
pub(super) const fn lands_surely(friends: u8, rank: u8, beyond: usize) -> bool {
    friends > 0 || rank as usize >= beyond
}

/// The squares where the top checker of a stack may land with no enemy on the board.
fn landings(game: Squinch, square: u8, checkers: &CheckerSquares) -> Vec<u8> {
    let (files, ranks) = (game.files(), game.ranks());
    let (file, from, tall) = (square % files, square / files, checkers.height(square));
    let mut out = Vec::new();
    for far in 1..=tall {
        let beside = [file.checked_sub(far), Some(file + far)].into_iter().flatten();
        for across in beside.filter(|&across| across < files) {
            let sideways = from * files + across;
            if checkers.height(sideways) >= tall {
                out.push(sideways);
            }
            if from + far < ranks {
                out.push(sideways + far * files);
            }
        }
        if from + far < ranks {
            out.push(square + far * files);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use marquis_core::{Game as _, Player};

    use super::super::board::{Position, Square, Stack};
    use super::super::index::camp::each_list;
    use super::super::rules::Move;
    use super::*;

    /// The fewest moves by the rules on a board without enemies, counting only those that land on friends or from the
    /// rank `beyond` on: plays every line to its end.
    fn fewest(
        game: Squinch,
        position: &Position,
        beyond: u8,
        known: &mut HashMap<Position, Option<u8>>,
    ) -> Option<u8> {
        if position.checkers(Player::First) == 0 {
            return Some(0);
        }
        if let Some(&found) = known.get(position) {
            return found;
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let may = |mv: &Move| match *mv {
            Move::Step { to, .. } => to.rank() >= beyond || position.height(to) > 0,
            Move::Off { .. } => true,
            Move::Pass => false,
        };
        let after = moves.iter().filter(|mv| may(mv)).map(|&mv| {
            let mut after = game.play(position, mv);
            after.turn = Player::First;
            after
        });
        let found =
            after.filter_map(|after| fewest(game, &after, beyond, known)).min().map(|least| least + 1);
        known.insert(*position, found);
        found
    }

    #[test]
    fn distances_are_those_of_every_line_to_its_end() {
        let (mut finite, mut never) = (0, 0);
        for (files, ranks, checkers) in [(2, 2, 5), (3, 3, 4), (2, 5, 4), (5, 2, 4), (4, 4, 3)] {
            let game = Squinch::new(files, ranks).expect("a board");
            let distances = distances(game, checkers).expect("a small board");
            for beyond in 0..=ranks {
                let mut known = HashMap::new();
                each_list(files * ranks, checkers as u8, &mut |squares| {
                    let (mut list, mut position) =
                        (CheckerSquares::default(), Position::empty(Player::First));
                    for stack in squares.chunk_by(|a, b| a == b) {
                        let (square, height) = (stack[0], stack.len() as u8);
                        list.push(square, height);
                        let square = Square::new(square % files, square / files);
                        position.put(square, Stack { owner: Player::First, height });
                    }
                    let expected = fewest(game, &position, beyond, &mut known);
                    let found = distances.moves(list.rank(), &list, usize::from(beyond));
                    assert_eq!(found, expected.unwrap_or(NEVER), "{squares:?} from rank {beyond} on");
                    finite += u32::from(expected.is_some());
                    never += u32::from(expected.is_none());
                });
            }
        }
        assert!(finite > 5_000 && never > 3_000, "{finite} lead off, {never} do not");
    }
}
