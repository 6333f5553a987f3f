//! The moves that a side needs if it is left alone, and if the opponent obstructs it as much as possible.
//!
//! A checker lands on an empty square or on a friend, never on an enemy, and passes over everything. So the opponent
//! can only obstruct a side by standing where it would land. That gives two distances of a placement of one side's
//! checkers. Both are exact shortest paths of a game for one player, which never repeats a placement:
//!
//! * [`alone`](MovesToGo::alone): with no enemy on the board. Whatever the opponent plays, the side needs at least as
//!   many moves, because its moves among enemies are moves on the board without them.
//! * [`sure`](MovesToGo::sure): landing only where no enemy can ever stand: on ranks beyond all enemies, because they
//!   come nearer with every move, sideways at best, and on squares where a friend stands. Such a move is legal
//!   whatever the opponent has played; so the side is off after that number of moves, and never without a legal move
//!   until then.
//!
//! The player to move wins if he surely needs no more moves than the opponent needs alone; the other player wins if
//! he surely needs fewer. Without contact both distances are equal, and they decide every race.

use std::ops::RangeInclusive;

use marquis_core::{ByPlayer, Game as _, Player, Plies};

use super::Squinch;
use super::board::{MAX_SIDE, Position, Square};
use super::distances::{Bound, CheckerDistances, CheckerSquares, NEVER, distances, lands_surely};
use super::rules::Move;

/// The moves that a side needs until its last checker is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesToGo {
    /// With no enemy on the board: a lower bound.
    pub alone: u8,
    /// By moves that the opponent cannot prevent: an upper bound. `None` if there is no such line.
    pub sure: Option<u8>,
}

impl Squinch {
    /// The moves that both sides need; `None` on boards with more than some eight million placements of a side.
    #[inline]
    #[must_use]
    pub fn moves_needed(&self, position: &Position) -> Option<ByPlayer<MovesToGo>> {
        let of = |owner| self.moves_of(position, owner);
        Some(ByPlayer::new(of(Player::First)?, of(Player::Second)?))
    }

    /// The winner, if the distances decide the game whatever both play; `None` if it is over.
    #[inline]
    pub(super) fn decided(&self, position: &Position) -> Option<Player> {
        let (turn, other) = (position.turn(), position.turn().opponent());
        let (own, opposing) = (SoloSide::of(*self, position, turn)?, SoloSide::of(*self, position, other)?);
        // The player to move may need as many moves.
        if own.is_surely_off_before(&opposing, 1) {
            return Some(turn);
        }
        opposing.is_surely_off_before(&own, 0).then_some(other)
    }

    /// The least and the most plies to the end of a game that the distances decide for `winner`.
    pub(super) fn decided_within(
        &self,
        position: &Position,
        winner: Player,
    ) -> Option<RangeInclusive<Plies>> {
        let MovesToGo { alone, sure } = self.moves_of(position, winner)?;
        // The last ply is the winner's.
        let plies = |moves: u8| Plies(2 * u16::from(moves) - u16::from(winner == position.turn()));
        Some(plies(alone)..=plies(sure?))
    }

    /// The moves that one side needs.
    fn moves_of(&self, position: &Position, owner: Player) -> Option<MovesToGo> {
        let side = SoloSide::of(*self, position, owner)?;
        Some(MovesToGo { alone: side.alone(), sure: side.sure() })
    }

    /// The fewest moves by which the player to move bears off all checkers though the opponent obstructs them as much
    /// as possible; empty if there is no such line.
    pub(super) fn sure_line(self, position: &Position) -> Vec<Move> {
        let turn = position.turn();
        let found = SoloSide::of(self, position, turn).and_then(|side| Some((side.beyond, side.sure()?)));
        let Some((beyond, sure)) = found else { return Vec::new() };
        let (mut own, mut line) = (position.of_mover(), Vec::new());
        let is_sure = |own: &Position, mv: &Move| match *mv {
            Move::Step { to, .. } => {
                let rank = self.ranks() - self.distance_off(to, turn);
                lands_surely(own.height(to), rank, beyond)
            }
            Move::Off { .. } => true,
            Move::Pass => false,
        };
        for left in (0..sure).rev() {
            let mut moves = Vec::new();
            self.moves(&own, &mut moves);
            let next = moves.into_iter().filter(|mv| is_sure(&own, mv)).find_map(|mv| {
                let after = Position { turn, ..self.play(&own, mv) };
                let side = SoloSide { beyond, ..SoloSide::of(self, &after, turn)? };
                (side.sure() == Some(left)).then_some((mv, after))
            });
            let (mv, after) = next.expect("a move of a shortest line");
            line.push(mv);
            own = after;
        }
        line
    }
}

/// One side of a position, as its owner sees it.
struct SoloSide {
    distances: &'static CheckerDistances,
    checkers: CheckerSquares,
    /// The rank of the placement among lists of squares.
    at: usize,
    /// The rank after the last one with an enemy.
    beyond: usize,
}

impl SoloSide {
    #[inline]
    fn of(game: Squinch, position: &Position, owner: Player) -> Option<Self> {
        let ranks = game.ranks();
        let turned = |stacks: u64| match owner {
            Player::First => stacks,
            Player::Second => stacks.swap_bytes() >> (8 * (MAX_SIDE - ranks)),
        };
        let mut left = turned(position.stacks[owner]);
        let mut checkers = CheckerSquares::default();
        while left != 0 {
            let own = Square::from_index(left.trailing_zeros());
            let seen = match owner {
                Player::First => own,
                Player::Second => Square::new(own.file(), ranks - 1 - own.rank()),
            };
            checkers.push(own.rank() * game.files() + own.file(), position.height(seen));
            left &= left - 1;
        }
        let enemies = turned(position.stacks[owner.opponent()]);
        let beyond = (u64::BITS - enemies.leading_zeros()).div_ceil(8) as usize;
        Some(Self { distances: distances(game, checkers.len)?, checkers, at: checkers.rank(), beyond })
    }

    /// Whether this side surely needs less than the number of moves of the other one alone plus `spare`.
    ///
    /// The searches of both become deeper in turn, so that neither goes deeper than necessary.
    #[inline]
    fn is_surely_off_before(&self, other: &Self, spare: u8) -> bool {
        if !self.distances.escapes(self.at, &self.checkers, self.beyond) {
            return false;
        }
        let mut budget = 0;
        loop {
            let sure = self.bound(self.beyond, budget);
            let before = sure.least.saturating_sub(spare);
            if other.bound(0, before).least <= before {
                return false;
            }
            if sure.is_exact {
                return true;
            }
            budget = sure.least;
        }
    }

    #[inline]
    fn bound(&self, beyond: usize, budget: u8) -> Bound {
        self.distances.bound(self.at, &self.checkers, beyond, budget)
    }

    #[inline]
    fn alone(&self) -> u8 {
        self.distances.moves(self.at, &self.checkers, 0)
    }

    #[inline]
    fn sure(&self) -> Option<u8> {
        Some(self.distances.moves(self.at, &self.checkers, self.beyond)).filter(|&moves| moves < NEVER)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use marquis_core::{Effort, Notation as _, Outcome, Value};
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::super::parse;
    use super::*;

    /// Red's distances, alone and sure.
    #[track_caller]
    fn check(text: &str, alone: u8, sure: Option<u8>) {
        let (game, position) = parse(text).expect(text);
        assert_eq!(game.moves_needed(&position).expect(text).first, MovesToGo { alone, sure }, "{text}");
    }

    #[test]
    fn what_a_side_needs_alone_and_where_nobody_can_stand() {
        check("r1,1/2/w1,1 r", 1, Some(1));
        // Two single steps and off, or one checker onto the other and both off from there.
        check("2/r2,1/w1,1 r", 3, Some(3));
        // White reaches the last rank from nowhere, and the one below from there: Red steps past or waits.
        check("1,w1/2/r1,1 r", 3, None);
        check("2/1,w1/r1,1 r", 3, None);
        // Onto a friend, which stands where no enemy can: b3 from a2, with two steps from there.
        check("1,w1/r1,r1/2 r", 4, None);
        check("2/1,w1/r1,1/2 r", 3, None);
        // Onto a friend next to White, with two steps off from there. A checker left below White alone has to wait.
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

    /// The winner and the number of his moves, by playing every line to its end.
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

    /// Plays a line against every reply: each move is legal, the last one wins, and no reply ends the game.
    fn wins_against_every_reply(game: Squinch, position: &Position, line: &[Move]) {
        let (turn, mut reached) = (position.turn(), HashSet::from([*position]));
        for (mv, left) in line.iter().zip((0..line.len()).rev()) {
            let mut next = HashSet::new();
            for before in &reached {
                let mut moves = Vec::new();
                game.moves(before, &mut moves);
                assert!(moves.contains(mv), "{mv:?} in {}", game.position_text(before));
                let after = game.play(before, *mv);
                let winner = game.over(&after).map(|over| over.outcome);
                assert_eq!(
                    winner,
                    (left == 0).then_some(Outcome::Winner(turn)),
                    "{}",
                    game.position_text(before)
                );
                if left > 0 {
                    moves.clear();
                    game.moves(&after, &mut moves);
                    next.extend(moves.iter().map(|&reply| game.play(&after, reply)));
                }
            }
            assert!(next.iter().all(|position| game.over(position).is_none()), "a reply ends the game");
            reached = next;
        }
        assert!(reached.is_empty(), "the line does not end the game");
    }

    #[test]
    fn what_is_foregone_is_what_every_line_to_its_end_says() {
        let texts = [
            "w1,w1,w1/3/r1,r1,r1 r",
            "w1,w1,w1/3/3/r1,r1,r1 r",
            "w1,w1/w1,w1/r1,r1/r1,r1 r",
            "w2,1/2/2/1,r3 r",
        ];
        let (mut in_contact, mut of_white, mut lines, mut exact) = (0, 0, 0, 0);
        for text in texts {
            let (game, start) = parse(text).expect(text);
            let mut known = HashMap::new();
            solve(game, &start, &mut known);
            for (number, (position, (winner, moves))) in known.iter().enumerate() {
                let found = game.foregone(position);
                let text = || game.position_text(position);
                if game.over(position).is_none() {
                    let needed = game.moves_needed(position).expect("a small board");
                    let (turn, other) = (position.turn(), position.turn().opponent());
                    let own = needed[turn].sure.is_some_and(|sure| sure <= needed[other].alone);
                    let opposing = needed[other].sure.is_some_and(|sure| sure < needed[turn].alone);
                    let by_distances = own.then_some(turn).or(opposing.then_some(other));
                    assert_eq!(game.decided(position), by_distances, "{}", text());
                }
                assert!(found.is_none_or(|end| end == Outcome::Winner(*winner)), "{found:?}: {}", text());
                assert!(found.is_some() || !game.is_race(position), "an open race: {}", text());
                let alone = game.moves_needed(position).expect("a small board")[*winner].alone;
                assert!(alone <= *moves, "{alone} moves of {moves}: {}", text());
                let plies = Plies(2 * u16::from(*moves) - u16::from(*winner == position.turn()));
                assert!(game.least_plies(position) <= plies, "{}", text());
                let within = found.and_then(|end| game.foregone_plies(position, end));
                assert_eq!(within.is_some(), found.is_some(), "{}", text());
                assert!(
                    within.as_ref().is_none_or(|within| within.contains(&plies)),
                    "{within:?}: {}",
                    text()
                );
                exact += u32::from(within.is_some_and(|within| within.start() == within.end()));
                let line = game.certain_line(position);
                let is_own = found == Some(Outcome::Winner(position.turn()));
                assert_eq!(line.is_empty(), !is_own, "{}", text());
                if is_own && number.is_multiple_of(64) {
                    wins_against_every_reply(game, position, &line);
                    lines += 1;
                }
                let is_new = found.is_some() && !game.is_race(position);
                in_contact += u32::from(is_new);
                of_white += u32::from(is_new && *winner == Player::Second);
            }
        }
        assert!(
            in_contact > 20_000 && of_white > 5_000,
            "{in_contact} foregone in contact, {of_white} White's"
        );
        assert!(lines > 200, "{lines} lines");
        assert!(exact > 20_000, "{exact} exact");
    }

    #[test]
    fn a_full_board_has_no_distances_until_few_checkers_are_left() {
        let start = Squinch::FULL.start(3).expect("a start");
        assert_eq!(Squinch::FULL.moves_needed(&start), None);
        assert_eq!(Squinch::FULL.foregone(&start), None);
        let (game, position) = parse("r2,7/8/8/8/8/8/8/w3,7 r").expect("few checkers");
        assert_eq!(game.foregone(&position), Some(Outcome::Winner(Player::First)));
    }

    #[test]
    fn lines_that_lead_nowhere_are_not_searched_for_every_number_of_moves() {
        // Millions of lines end where a checker has to wait: a question took seconds here.
        let texts = [
            "w3,1/1,w2/1,1/w1,w1/r1,1/1,r1/1,w3/1,1 w",
            "w1,2,w1,1,w1,w1/w1,2,w1,r1,2/1,r2,w1,1,r1,2/2,r1,2,r1,r1 w",
            "w1,w1,1,w1,w1,w1,w1,w1/1,w1,3,r1,2/r1,r1,r1,r1,r1,r1,1,r1 w",
        ];
        for text in texts {
            let (game, position) = parse(text).expect(text);
            assert_eq!(game.foregone(&position), None, "{text}");
            for owner in Player::BOTH {
                let side = SoloSide::of(game, &position, owner).expect(text);
                let reached = side.distances.reached(side.beyond);
                assert!(reached < 500, "{reached} placements of {owner:?}: {text}");
            }
        }
    }
}
