//! Games with throws: moves by their expected value, a throw or two ahead.

use marquis_core::{Chance, Outcome, Throw};

use crate::Ladder;

/// An evaluation of positions.
pub trait PositionJudge<G: Chance>: Sync {
    /// The chance of the player to throw, in a position where the game is not over.
    fn chance(&self, game: &G, position: &G::Position) -> f64;

    /// The strengths of the levels. Only the random part counts, because all moves are searched equally deep.
    fn ladder(&self) -> Ladder {
        Ladder::PLAIN
    }
}

/// A move, and the winning chance of the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed<M> {
    /// The move.
    pub mv: M,
    /// The chance.
    pub chance: f64,
}

impl<M> Weighed<M> {
    /// The chance as [`Strength::pick`](crate::Strength::pick) compares it: hundredths of log-odds, always finite.
    #[must_use]
    pub fn leaning(&self) -> f64 {
        let chance = self.chance.clamp(1e-6, 1.0 - 1e-6);
        100.0 * libm::log(chance / (1.0 - chance))
    }
}

/// A look-ahead with a judge at its leaves.
#[derive(Debug)]
pub struct Expectation<'a, G, J> {
    game: &'a G,
    judge: &'a J,
}

impl<'a, G: Chance, J: PositionJudge<G>> Expectation<'a, G, J> {
    /// A look-ahead by these rules.
    #[must_use]
    pub const fn new(game: &'a G, judge: &'a J) -> Self {
        Self { game, judge }
    }

    /// The chance of the player to throw, by a search of `throws` throws; 0 is the judge's own value.
    #[must_use]
    pub fn chance(&self, position: &G::Position, throws: u32) -> f64 {
        self.bounded(position, throws, [0.0, 1.0])
    }

    /// The moves for a throw, the best first, each by a search of `throws` throws.
    ///
    /// * `position`: must not be over.
    #[must_use]
    pub fn weigh(&self, position: &G::Position, throw: Throw, throws: u32) -> Vec<Weighed<G::Move>> {
        let mut moves = Vec::new();
        self.game.moves(position, throw, &mut moves);
        let weigh = |mv| {
            let after = self.game.play(position, throw, mv);
            Weighed { mv, chance: self.after(position, &after, throws, [0.0, 1.0]) }
        };
        let mut weighed: Vec<_> = moves.into_iter().map(weigh).collect();
        weighed.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        weighed
    }

    /// The chance of the player to throw: exact between the bounds, otherwise a bound beyond them.
    fn bounded(&self, position: &G::Position, throws: u32, [low, high]: [f64; 2]) -> f64 {
        let turn = self.game.turn(position);
        if let Some(over) = self.game.over(position) {
            return match over.outcome {
                Outcome::Winner(winner) => f64::from(u8::from(winner == turn)),
                Outcome::Draw => 0.5,
            };
        }
        if throws == 0 {
            return self.judge.chance(self.game, position);
        }
        let all: f64 = self.game.throws().iter().map(|throw| f64::from(throw.weight)).sum();
        // Star 1: throws that were not searched are worth between 0 and 1.
        let (mut sum, mut left) = (0.0, 1.0);
        for &throw in self.game.throws() {
            let share = f64::from(throw.weight) / all;
            left -= share;
            let least = ((low - sum - left) / share).max(0.0);
            let most = ((high - sum) / share).min(1.0);
            let best = self.best(position, throw, throws - 1, [least, most]);
            sum += share * best;
            if sum >= high {
                return sum;
            }
            if sum + left <= low {
                return sum + left;
            }
        }
        sum
    }

    /// The chance that the best move for a throw gives.
    fn best(&self, position: &G::Position, throw: Throw, throws: u32, [low, high]: [f64; 2]) -> f64 {
        let mut moves = Vec::new();
        self.game.moves(position, throw, &mut moves);
        let mut best = 0.0_f64;
        for mv in moves {
            let after = self.game.play(position, throw, mv);
            best = best.max(self.after(position, &after, throws, [low.max(best), high]));
            if best >= high {
                break;
            }
        }
        best
    }

    /// The value of a position to the player who threw before it.
    fn after(&self, before: &G::Position, after: &G::Position, throws: u32, [low, high]: [f64; 2]) -> f64 {
        if self.game.turn(before) == self.game.turn(after) {
            self.bounded(after, throws, [low, high])
        } else {
            1.0 - self.bounded(after, throws, [1.0 - high, 1.0 - low])
        }
    }
}
