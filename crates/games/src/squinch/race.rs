//! Positions without contact: each side bears off independently, and the side that needs fewer moves wins.
//!
//! A checker lands on ranks beyond the rearmost one of its side, or joins a friend. If each red stack is at least as
//! far up as the farthest white one, no checker can ever land on an enemy again. A side that has a checker always has
//! a move: its foremost stack goes one rank on, or off. So the moves of one side do not affect the other. The player
//! to move wins if he needs no more moves than the opponent, in `2a - 1` plies when he needs `a`; otherwise he loses
//! in `2b` when the opponent needs `b`.
//!
//! A lower bound of the moves of a side comes from the same game with all checkers of a rank on one stack, which can
//! make every move of the separate stacks. An iterative deepening search over the number of moves finds the true
//! number. The two sides alternate, so that neither is searched deeper than the winner's number. Checked against
//! whole layers in `marquis-engine`.

use std::collections::HashMap;
use std::sync::OnceLock;

use marquis_core::{ByPlayer, Effort, Game, Player, Plies, Score};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE, Position, Square};
use super::index::camp::each_list;
use super::rules::Move;

/// One side's checkers as the first player's, without the other side's.
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

    /// The moves after which the side may need at most `budget` more, according to [`piled`]; the promising ones
    /// first.
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

    /// A lower bound of the number of moves: the number with one stack a rank.
    fn at_least(&self, game: Squinch) -> u32 {
        needed(&self.piles(game))
    }
}

const RANKS: usize = MAX_SIDE as usize;
const MOST: usize = MAX_CHECKERS as usize;

/// The number of checkers on each rank, the last rank first; it does not depend on the number of ranks of the board.
type Piles = [usize; RANKS];

/// `LISTS[s][k]`: the number of rising lists of `k` of `s + 1` numbers, `C(s + k, k)`.
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

/// The part of a pile in the number, with `nearer` checkers nearer to the edge.
const fn part(rank: usize, nearer: usize, pile: usize) -> usize {
    (LISTS[rank][nearer + pile] - LISTS[rank][nearer]) as usize
}

/// The number of the piles among all with as many checkers; a step of one of them leads to a smaller number.
fn number(piles: &Piles) -> usize {
    let mut nearer = 0;
    let add = |(rank, &pile): (usize, &usize)| {
        nearer += pile;
        part(rank, nearer - pile, pile)
    };
    piles.iter().enumerate().map(add).sum()
}

/// A lower bound of the moves of checkers; `to_go` is the number of ranks ahead of each.
pub(super) fn least_moves(to_go: impl Iterator<Item = u8>) -> u8 {
    let mut piles = [0; RANKS];
    to_go.for_each(|to_go| piles[usize::from(to_go)] += 1);
    needed(&piles) as u8
}

/// The number of moves with one stack a rank.
fn needed(piles: &Piles) -> u32 {
    u32::from(piled(piles.iter().sum())[number(piles)])
}

/// The moves that `checkers` need with one stack a rank, by [`number`].
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

/// One more than the least number of moves after a move.
///
/// * `needed`: for as many checkers, by the numbers below that of these piles.
/// * `fewer`: for one checker less.
fn fewest(piles: &Piles, needed: &[u8], fewer: &[u8]) -> u8 {
    let mut best = u8::MAX;
    let mut nearer = 0;
    let nearer: [usize; RANKS] = piles.map(|pile| {
        nearer += pile;
        nearer - pile
    });
    for (from, &pile) in piles.iter().enumerate().filter(|&(_, &pile)| pile > 0) {
        // The change of the number: the pile that a checker left, those that it passed, the one that it joined.
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
struct LineSearch<'a, 'b> {
    game: Squinch,
    /// Known lower bounds of the moves of a side.
    known: HashMap<Runner, u32>,
    /// One unit for each placement searched.
    effort: &'a mut Effort<'b>,
}

/// The search has used up its effort.
struct TooMany;

impl LineSearch<'_, '_> {
    /// Returns whether `budget` moves suffice.
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

    /// The side that is home first, and its number of moves.
    fn race(&mut self, runners: ByPlayer<Runner>, turn: Player) -> Result<(Player, u32), TooMany> {
        let mut budgets = runners.map(|runner| runner.at_least(self.game));
        loop {
            // With equal numbers the player to move is first.
            let next = if budgets[turn] <= budgets[turn.opponent()] { turn } else { turn.opponent() };
            if self.fits(runners[next], budgets[next])? {
                return Ok((next, budgets[next]));
            }
            budgets[next] += 1;
        }
    }
}

impl Squinch {
    /// Returns whether no checker can ever meet one of the other side again.
    #[must_use]
    pub fn is_race(&self, position: &Position) -> bool {
        let rearmost = position.stacks[Player::First].trailing_zeros() / 8;
        let farthest = position.stacks[Player::Second].checked_ilog2().unwrap_or(0) / 8;
        rearmost >= farthest
    }

    /// The score of a race.
    ///
    /// * `effort`: one unit for each placement searched.
    /// * Result: `None` if there is contact, or if the effort is used up.
    pub fn race(&self, position: &Position, effort: &mut Effort<'_>) -> Option<Score> {
        if !self.is_race(position) {
            return None;
        }
        if let Some(over) = self.over(position) {
            return Some(Score::finished(over.outcome.for_mover(position.turn)));
        }
        let runner = |owner| Runner::of(*self, position, owner);
        let runners = ByPlayer::new(runner(Player::First), runner(Player::Second));
        let mut line = LineSearch { game: *self, known: HashMap::new(), effort };
        let (first, moves) = line.race(runners, position.turn).ok()?;
        let moves = moves as u16;
        let won = first == position.turn;
        Some(if won { Score::Win(Plies(2 * moves - 1)) } else { Score::Loss(Plies(2 * moves)) })
    }
}
