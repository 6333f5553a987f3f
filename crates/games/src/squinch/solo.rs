//! How many moves a side needs when it is left alone, and when the opponent stands in its way as much as he ever can.
//!
//! A checker lands on an empty square or on a friend, never on an enemy, and passes over everything. So all that the
//! opponent can do to a side is to stand where it would land. That gives two distances of a placement of one side's
//! checkers, both exact shortest ways of a game for one player, which never repeats a placement:
//!
//! * [`alone`](Moves::alone): with nobody else on the board. Whatever the opponent does, the side needs at least as
//!   many moves, for its moves among enemies are moves on the board without them.
//! * [`sure`](Moves::sure): landing only where no enemy can ever stand: on ranks beyond all enemies, for they come
//!   nearer with every move, sideways at best, and on squares where a friend stands. Such a move is legal whatever the
//!   opponent has done; so the side is off after as many of its own moves, and never without one until then.
//!
//! The player who is on move and surely needs no more moves than the opponent needs alone wins; so does the player off
//! move who surely needs fewer. Without contact both distances are the same, and every race is decided by them.

use std::sync::OnceLock;

use marquis_core::{ByPlayer, Player};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE, Position, Square};
use super::index::camp::{Camp, Rank, each_list, rank};

/// No line of such moves leads off.
const NEVER: u8 = u8::MAX;

/// The moves that a side needs until its last checker is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    /// With nobody else on the board: it needs at least as many.
    pub alone: u8,
    /// By moves that nobody can prevent: it needs at most as many. None where there is no such line.
    pub sure: Option<u8>,
}

/// Boards with more placements of a side's checkers have no distances: they would take too long, and too much memory.
const MOST_PLACEMENTS: u128 = 1 << 23;

/// Of all placements of so many checkers, by their rank among lists of squares.
#[derive(Clone, Debug)]
struct Distances {
    /// First those alone, then those with enemies up to the first rank, to the second, ….
    tables: Vec<Vec<u8>>,
}

/// The distances of so many checkers on a board, made when they are asked for first; none where that is too much.
fn distances(game: Squinch, checkers: usize) -> Option<&'static Distances> {
    type OfBoard = [OnceLock<Option<Distances>>; MAX_CHECKERS as usize + 1];
    const BOARDS: usize = (MAX_SIDE as usize + 1) * (MAX_SIDE as usize + 1);
    static MADE: [OfBoard; BOARDS] =
        [const { [const { OnceLock::new() }; MAX_CHECKERS as usize + 1] }; BOARDS];
    let board = usize::from(game.files()) * (usize::from(MAX_SIDE) + 1) + usize::from(game.ranks());
    let made = MADE[board][checkers].get_or_init(|| {
        if Camp::placements(game, checkers as u8) > MOST_PLACEMENTS {
            return None;
        }
        let fewer = checkers.checked_sub(1).map(|fewer| distances(game, fewer));
        Some(Distances::of(game, checkers as u8, fewer.flatten()))
    });
    made.as_ref()
}

impl Squinch {
    /// The moves that both sides need; none on boards with more than some eight million placements of a side.
    ///
    /// What is asked first of so many checkers on a board takes up to some seconds.
    #[inline]
    #[must_use]
    pub fn moves_needed(&self, position: &Position) -> Option<ByPlayer<Moves>> {
        let of = |owner| self.needed_by(position, owner);
        Some(ByPlayer::new(of(Player::First)?, of(Player::Second)?))
    }

    #[inline]
    fn needed_by(&self, position: &Position, owner: Player) -> Option<Moves> {
        let ranks = self.ranks();
        let turned = |stacks: u64| match owner {
            Player::First => stacks,
            Player::Second => stacks.swap_bytes() >> (8 * (MAX_SIDE - ranks)),
        };
        let mut left = turned(position.stacks[owner]);
        let mut list = Rank::default();
        while left != 0 {
            let own = Square::from_index(left.trailing_zeros());
            let seen = match owner {
                Player::First => own,
                Player::Second => Square::new(own.file(), ranks - 1 - own.rank()),
            };
            list.push(own.rank() * self.files() + own.file(), position.height(seen));
            left &= left - 1;
        }
        let enemies = turned(position.stacks[owner.opponent()]);
        let beyond = (u64::BITS - enemies.leading_zeros()).div_ceil(8) as usize;
        let tables = &distances(*self, list.len())?.tables;
        let at = list.rank() as usize;
        let sure = Some(tables[beyond][at]).filter(|&moves| moves < NEVER);
        Some(Moves { alone: tables[0][at], sure })
    }

    /// Who wins whatever anybody plays, where the distances decide that; none in a game that is over.
    #[inline]
    pub(super) fn decided(&self, position: &Position) -> Option<Player> {
        let moves = self.moves_needed(position)?;
        let (turn, other) = (position.turn(), position.turn().opponent());
        let is_first = |sure: Option<u8>, most: u8| sure.is_some_and(|sure| sure <= most);
        if is_first(moves[turn].sure, moves[other].alone) {
            return Some(turn);
        }
        // Off move he needs one less, and somebody who needs none has won.
        is_first(moves[other].sure, moves[turn].alone.checked_sub(1)?).then_some(other)
    }
}

impl Distances {
    fn of(game: Squinch, checkers: u8, fewer: Option<&Self>) -> Self {
        let (files, ranks) = (game.files(), game.ranks());
        let mut lists = Vec::new();
        each_list(files * ranks, checkers, &mut |squares| lists.extend_from_slice(squares));
        let tables = usize::from(ranks) + 1;
        let Some(fewer) = fewer else { return Self { tables: vec![vec![0]; tables] } };
        let each = usize::from(checkers);
        let count = lists.len() / each;
        let list = |at: u32| &lists[at as usize * each..(at as usize + 1) * each];
        let mut own = Self { tables: vec![vec![NEVER; count]; tables] };
        for at in in_order(game, count, list) {
            let best = Self::best(game, list(at), &own, fewer);
            for (table, best) in own.tables.iter_mut().zip(best) {
                table[at as usize] = best;
            }
        }
        own
    }

    /// One more than the least after a move, in every table.
    fn best(game: Squinch, squares: &[u8], own: &Self, fewer: &Self) -> Best {
        let (files, ranks) = (game.files(), game.ranks());
        let mut best = [NEVER; MAX_SIDE as usize + 1];
        let mut consider = |after: &Self, at: u64, tables: usize| {
            for (best, table) in best.iter_mut().zip(&after.tables[..tables]) {
                *best = (*best).min(table[at as usize]);
            }
        };
        let height = |square: u8| squares.iter().filter(|&&own| own == square).count() as u8;
        let mut landings = Vec::new();
        for square in squares.chunk_by(|a, b| a == b).map(|stack| stack[0]) {
            let without = || {
                let first = squares.partition_point(|&other| other < square);
                squares[..first].iter().chain(&squares[first + 1..]).copied()
            };
            landings.clear();
            list_landings(game, square, &height, &mut landings);
            for &to in &landings {
                let mut after: Vec<u8> = without().collect();
                after.insert(after.partition_point(|&other| other <= to), to);
                // Where no friend stands, with enemies on ranks below the landing one, the first table being without any.
                let tables = if height(to) > 0 { ranks } else { to / files };
                consider(own, rank(&after), usize::from(tables) + 1);
            }
            if ranks - square / files <= height(square) {
                consider(fewer, rank(&without().collect::<Vec<_>>()), usize::from(ranks) + 1);
            }
        }
        best.map(|best| best.saturating_add(1))
    }
}

/// A number for every table.
type Best = [u8; MAX_SIDE as usize + 1];

/// Where the top checker of a stack may land with nobody else on the board.
fn list_landings(game: Squinch, square: u8, height: &impl Fn(u8) -> u8, out: &mut Vec<u8>) {
    let (files, ranks) = (game.files(), game.ranks());
    let (file, from, tall) = (square % files, square / files, height(square));
    for far in 1..=tall {
        let beside = [file.checked_sub(far), Some(file + far)].into_iter().flatten();
        for across in beside.filter(|&across| across < files) {
            let sideways = from * files + across;
            if height(sideways) >= tall {
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
}

/// All placements, each after those that a move leads to: those with fewer squares to go first, then the higher ones.
fn in_order<'l>(game: Squinch, count: usize, list: impl Fn(u32) -> &'l [u8]) -> Vec<u32> {
    let key = |at: u32| {
        let squares = list(at);
        let to_go: u32 = squares.iter().map(|&square| u32::from(game.ranks() - square / game.files())).sum();
        let squared: u32 =
            squares.chunk_by(|a, b| a == b).map(|stack| (stack.len() * stack.len()) as u32).sum();
        (to_go + 1) * (1 << 10) - squared
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_cached_key(|&at| key(at));
    order
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use marquis_core::{Effort, Game as _, Notation as _, Outcome, Value};
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::super::parse;
    use super::*;

    /// What Red needs, alone and surely.
    #[track_caller]
    fn check(text: &str, alone: u8, sure: Option<u8>) {
        let (game, position) = parse(text).expect(text);
        assert_eq!(game.moves_needed(&position).expect(text).first, Moves { alone, sure }, "{text}");
    }

    #[test]
    fn what_a_side_needs_alone_and_where_nobody_can_stand() {
        check("r1,1/2/w1,1 r", 1, Some(1));
        // Two single steps and off, or one checker onto the other and both off from there.
        check("2/r2,1/w1,1 r", 3, Some(3));
        // White comes to the last rank from nowhere, to the one below him from there: Red steps past or waits.
        check("1,w1/2/r1,1 r", 3, None);
        check("2/1,w1/r1,1 r", 3, None);
        // Onto a friend, who stands where no enemy can: b3 from a2, with two steps from there.
        check("1,w1/r1,r1/2 r", 4, None);
        check("2/1,w1/r1,1/2 r", 3, None);
        // Onto a friend beside White, with two steps off from there. Who is left below him alone has to wait.
        check("3/r1,1,w1/r1,2 r", 4, Some(4));
        check("3/1,w1,1/r2,2 r", 5, None);
    }

    #[test]
    fn races_are_decided_as_the_search_for_lines_decides_them() {
        let mut random = SmallRng::seed_from_u64(11);
        let mut races = 0;
        while races < 300 {
            let (files, ranks) = (random.random_range(2..=5), random.random_range(3..=6));
            let game = Squinch::new(files, ranks).expect("a board");
            let middle = random.random_range(0..ranks);
            let mut position = Position::empty(Player::BOTH[random.random_range(0..2)]);
            for owner in Player::BOTH {
                for _ in 0..random.random_range(1..=3) {
                    let rank = match owner {
                        Player::First => random.random_range(middle..ranks),
                        Player::Second => random.random_range(0..=middle),
                    };
                    let square = Square::new(random.random_range(0..files), rank);
                    let height = random.random_range(1..=2);
                    if position.stack(square).is_none() {
                        position.put(square, super::super::Stack { owner, height });
                    }
                }
            }
            if game.over(&position).is_some() || !game.is_race(&position) {
                continue;
            }
            races += 1;
            let score = game.race(&position, &mut Effort::of(u32::MAX)).expect("a race");
            let (wins, turn) = (score.value() == Value::Win, position.turn());
            let winner = if wins { turn } else { turn.opponent() };
            let text = game.position_text(&position);
            assert_eq!(game.foregone(&position), Some(Outcome::Winner(winner)), "{text}");
            let moves = score.plies().expect("no draws").0.div_ceil(2);
            assert_eq!(u16::from(game.moves_needed(&position).expect("a small board")[winner].alone), moves);
        }
    }

    /// Who wins, by playing every line to its end, and how many moves he needs.
    fn solve(
        game: Squinch,
        position: &Position,
        known: &mut HashMap<Position, (Player, u8)>,
    ) -> (Player, u8) {
        if let Some(over) = game.over(position) {
            return (
                if over.outcome == Outcome::Winner(Player::First) { Player::First } else { Player::Second },
                0,
            );
        }
        if let Some(&found) = known.get(position) {
            return found;
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let turn = position.turn();
        let ends: Vec<_> = moves.iter().map(|&mv| solve(game, &game.play(position, mv), known)).collect();
        let own = ends.iter().filter(|end| end.0 == turn).map(|end| end.1 + 1).min();
        let most = || ends.iter().map(|end| end.1).max().expect("a move");
        let found = own.map_or_else(|| (turn.opponent(), most()), |least| (turn, least));
        known.insert(*position, found);
        found
    }

    #[test]
    fn what_is_foregone_is_what_every_line_to_its_end_says() {
        let texts = [
            "w1,w1,w1/3/r1,r1,r1 r",
            "w1,w1,w1/3/3/r1,r1,r1 r",
            "w1,w1/w1,w1/r1,r1/r1,r1 r",
            "w2,1/2/2/1,r3 r",
        ];
        let (mut in_contact, mut of_white) = (0, 0);
        for text in texts {
            let (game, start) = parse(text).expect(text);
            let mut known = HashMap::new();
            solve(game, &start, &mut known);
            for (position, (winner, moves)) in &known {
                let found = game.foregone(position);
                let text = || game.position_text(position);
                assert!(found.is_none_or(|end| end == Outcome::Winner(*winner)), "{found:?}: {}", text());
                assert!(found.is_some() || !game.is_race(position), "an open race: {}", text());
                let alone = game.moves_needed(position).expect("a small board")[*winner].alone;
                assert!(alone <= *moves, "{alone} moves of {moves}: {}", text());
                let is_new = found.is_some() && !game.is_race(position);
                in_contact += u32::from(is_new);
                of_white += u32::from(is_new && *winner == Player::Second);
            }
        }
        assert!(
            in_contact > 20_000 && of_white > 5_000,
            "{in_contact} foregone in contact, {of_white} White's"
        );
    }

    #[test]
    fn a_full_board_has_no_distances_until_few_checkers_are_left() {
        let start = Squinch::FULL.start(3).expect("a start");
        assert_eq!(Squinch::FULL.moves_needed(&start), None);
        assert_eq!(Squinch::FULL.foregone(&start), None);
        let (game, position) = parse("r2,7/8/8/8/8/8/8/w3,7 r").expect("few checkers");
        assert_eq!(game.foregone(&position), Some(Outcome::Winner(Player::First)));
    }
}
