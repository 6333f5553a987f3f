//! Positions without contact: each side bears off on its own, and who needs fewer moves wins.
//!
//! A checker lands on ranks beyond the rearmost one of its side, or beside a friend. Where each red stack is at least
//! as far up as the farthest white one, nobody can ever land on an enemy again, and a side that has a checker always
//! has a move: its foremost stack goes one rank on, or off. So nothing that one side does matters to the other. The
//! player to move wins if he needs no more moves than the opponent, in `2a - 1` plies when he needs `a`; otherwise he
//! loses in `2b` when the opponent needs `b`.
//!
//! How many moves a side needs is bounded from below by the same game with all checkers of a rank on one stack, for
//! that may do whatever the single stacks may. A search for a line of as many moves, then one more, and so on, finds
//! the true number. The two sides take turns at
//! that, so that nobody looks for more moves than the winner needs. Checked against whole layers in `marquis-engine`.

use std::collections::HashMap;
use std::sync::OnceLock;

use marquis_core::{ByPlayer, Effort, Game, Player, Plies, Score};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE, Position, Square};
use super::index::camp::each_list;
use super::rules::Move;

/// One side's checkers as the first player's, the other side's left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Runner(Position);

impl Runner {
    fn of(game: Squinch, position: &Position, owner: Player) -> Self {
        let seen = if owner == Player::First { *position } else { game.swapped(position) };
        let own = seen.stacks[Player::First];
        let mut alone = Position::empty(Player::First);
        alone.stacks[Player::First] = own;
        alone.heights = seen.heights.map(|plane| plane & own);
        Self(alone)
    }

    fn is_home(&self) -> bool {
        self.0.stacks[Player::First] == 0
    }

    /// The moves after which the side needs at most so many more, as far as [`piled`] knows, the promising ones first.
    fn promising(&self, game: Squinch, budget: u32) -> Vec<(u32, Move)> {
        let mut moves = Vec::new();
        game.moves(&self.0, &mut moves);
        let piles = self.piles(game);
        let to_go = |square: Square| usize::from(game.ranks() - 1 - square.rank());
        let after = |mv| {
            let mut after = piles;
            match mv {
                Move::Step { from, to } => {
                    after[to_go(from)] -= 1;
                    after[to_go(to)] += 1;
                }
                Move::Off { from } => after[to_go(from)] -= 1,
                Move::Pass => {}
            }
            (needed(&after), mv)
        };
        let mut promising: Vec<_> =
            moves.into_iter().map(after).filter(|&(least, _)| least <= budget).collect();
        promising.sort_by_key(|&(least, _)| least);
        promising
    }

    fn moved(&self, game: Squinch, mv: Move) -> Self {
        let mut after = game.play(&self.0, mv);
        after.turn = Player::First;
        Self(after)
    }

    fn piles(&self, game: Squinch) -> Piles {
        let own = self.0.stacks[Player::First];
        let mut piles = [0; RANKS];
        for (pile, rank) in piles.iter_mut().zip((0..game.ranks()).rev()) {
            *pile = self.0.count_in(own & (0xff << (8 * rank))) as usize;
        }
        piles
    }

    /// A number of moves that the side needs at least: those that it would need with one stack a rank.
    fn at_least(&self, game: Squinch) -> u32 {
        needed(&self.piles(game))
    }
}

const RANKS: usize = MAX_SIDE as usize;
const MOST: usize = MAX_CHECKERS as usize;

/// How many checkers stand on each rank, the last rank first; it does not matter how many ranks the board has.
type Piles = [usize; RANKS];

/// `LISTS[s][k]`: how many rising lists there are of `k` of `s + 1` numbers, that is `C(s + k, k)`.
static LISTS: [[u32; MOST + 2]; RANKS] = {
    let mut lists = [[1; MOST + 2]; RANKS];
    let mut s = 1;
    while s < RANKS {
        let mut k = 1;
        while k <= MOST + 1 {
            lists[s][k] = lists[s - 1][k] + lists[s][k - 1];
            k += 1;
        }
        s += 1;
    }
    lists
};

/// What a pile adds to the number, with so many checkers nearer to the edge.
const fn part(rank: usize, nearer: usize, pile: usize) -> usize {
    (LISTS[rank][nearer + pile] - LISTS[rank][nearer]) as usize
}

/// The number of piles among all of as many checkers; a step of one of them leads to a smaller number.
fn number(piles: &Piles) -> usize {
    let mut nearer = 0;
    let add = |(rank, &pile): (usize, &usize)| {
        nearer += pile;
        part(rank, nearer - pile, pile)
    };
    piles.iter().enumerate().map(add).sum()
}

/// A lower bound of the moves that checkers need; `to_go` is the number of ranks ahead of each.
pub(super) fn least_moves(to_go: impl Iterator<Item = u8>) -> u8 {
    let mut piles = [0; RANKS];
    to_go.for_each(|to_go| piles[usize::from(to_go)] += 1);
    needed(&piles) as u8
}

/// How many moves are needed with one stack a rank.
fn needed(piles: &Piles) -> u32 {
    u32::from(piled(piles.iter().sum())[number(piles)])
}

/// How many moves so many checkers need with one stack a rank, by [`number`].
fn piled(checkers: usize) -> &'static [u8] {
    static PILED: [OnceLock<Vec<u8>>; MOST + 1] = [const { OnceLock::new() }; MOST + 1];
    PILED[checkers].get_or_init(|| {
        let Some(fewer) = checkers.checked_sub(1) else { return vec![0] };
        let fewer = piled(fewer);
        let mut needed: Vec<u8> = Vec::with_capacity(LISTS[RANKS - 1][checkers] as usize);
        each_list(MAX_SIDE, checkers as u8, &mut |list| {
            let mut piles = [0; RANKS];
            for &rank in list {
                piles[usize::from(rank)] += 1;
            }
            let best = fewest(&piles, &needed, fewer);
            needed.push(best);
        });
        needed
    })
}

/// One more than the least of what is needed after a move.
///
/// * `needed`: of as many checkers, by the numbers below that of these piles.
/// * `fewer`: of a checker less.
fn fewest(piles: &Piles, needed: &[u8], fewer: &[u8]) -> u8 {
    let mut best = u8::MAX;
    let mut nearer = 0;
    let nearer: [usize; RANKS] = piles.map(|pile| {
        nearer += pile;
        nearer - pile
    });
    for (from, &pile) in piles.iter().enumerate().filter(|&(_, &pile)| pile > 0) {
        // What changes in the number: the pile that a checker left, those that it passed, the one that it joined.
        let left = part(from, nearer[from], pile) - part(from, nearer[from] + 1, pile - 1);
        let mut passed = 0;
        for to in (from.saturating_sub(pile)..from).rev() {
            let joined = part(to, nearer[to], piles[to] + 1) - part(to, nearer[to], piles[to]);
            best = best.min(needed[needed.len() + joined + passed - left]);
            passed += part(to, nearer[to] + 1, piles[to]) - part(to, nearer[to], piles[to]);
        }
        if from < pile {
            let mut after = *piles;
            after[from] -= 1;
            best = best.min(fewer[number(&after)]);
        }
    }
    best + 1
}

/// The search for a line of few moves.
struct Line<'a, 'b> {
    game: Squinch,
    /// What a side is known to need at least.
    known: HashMap<Runner, u32>,
    /// A piece is a placement that is looked at.
    effort: &'a mut Effort<'b>,
}

/// The search has looked at as many placements as it may.
struct TooMany;

impl Line<'_, '_> {
    /// Whether so many moves are enough.
    fn fits(&mut self, runner: Runner, budget: u32) -> Result<bool, TooMany> {
        if runner.is_home() {
            return Ok(true);
        }
        if self.known.get(&runner).is_some_and(|&least| least > budget) {
            return Ok(false);
        }
        if !self.effort.spend() {
            return Err(TooMany);
        }
        let rest = budget.saturating_sub(1);
        for (_, mv) in runner.promising(self.game, rest) {
            if self.fits(runner.moved(self.game, mv), rest)? {
                return Ok(true);
            }
        }
        self.known.insert(runner, budget + 1);
        Ok(false)
    }

    /// Who is home first, and in how many moves.
    fn race(&mut self, runners: ByPlayer<Runner>, turn: Player) -> Result<(Player, u32), TooMany> {
        let mut budgets = runners.map(|runner| runner.at_least(self.game));
        loop {
            // With as many moves left the player to move is first.
            let next = if budgets[turn] <= budgets[turn.opponent()] { turn } else { turn.opponent() };
            if self.fits(runners[next], budgets[next])? {
                return Ok((next, budgets[next]));
            }
            budgets[next] += 1;
        }
    }
}

impl Squinch {
    /// Whether no checker can ever meet one of the other side again.
    #[must_use]
    pub fn is_race(&self, position: &Position) -> bool {
        let rearmost = position.stacks[Player::First].trailing_zeros() / 8;
        let farthest = position.stacks[Player::Second].checked_ilog2().unwrap_or(0) / 8;
        rearmost >= farthest
    }

    /// The score of a race.
    ///
    /// * `effort`: a piece is a placement that is looked at.
    /// * Result: none where there is contact, or where it takes more effort.
    pub fn race(&self, position: &Position, effort: &mut Effort<'_>) -> Option<Score> {
        if !self.is_race(position) {
            return None;
        }
        if let Some(over) = self.over(position) {
            return Some(Score::finished(over.outcome.for_mover(position.turn)));
        }
        let runner = |owner| Runner::of(*self, position, owner);
        let runners = ByPlayer::new(runner(Player::First), runner(Player::Second));
        let mut line = Line { game: *self, known: HashMap::new(), effort };
        let (first, moves) = line.race(runners, position.turn).ok()?;
        let moves = moves as u16;
        let won = first == position.turn;
        Some(if won { Score::Win(Plies(2 * moves - 1)) } else { Score::Loss(Plies(2 * moves)) })
    }
}
