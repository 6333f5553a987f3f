//! Throws of the games that have them, and the end of a game with or without throws.

use marquis_core::{Player, Value};
use marquis_engine::{Engine, EngineError, Posed};
use marquis_wire::answer::Answer;
use rand::RngExt as _;
use rand::rngs::SmallRng;

/// A random throw by the weights of the game; `None` if the position has no throws.
///
/// # Errors
/// A table cannot be read.
pub(crate) fn roll(engine: &Engine, here: &Posed, random: &mut SmallRng) -> Result<Option<u8>, EngineError> {
    if !here.has_throws() {
        return Ok(None);
    }
    let Answer::Chance(answer) = engine.probe_value(here)? else { return Ok(None) };
    let all: u32 = answer.throws.iter().map(|throw| u32::from(throw.weight)).sum();
    let mut left = random.random_range(0..all.max(1));
    let thrown = answer.throws.iter().find(|throw| {
        let here = left < u32::from(throw.weight);
        left = left.saturating_sub(throw.weight.into());
        here
    });
    Ok(thrown.map(|throw| throw.throw))
}

/// A move as `--play` takes it: `c4-c3`, or with its throw, `4:24-28`.
pub(crate) fn in_play(mv: &str, throw: Option<u8>) -> String {
    throw.map_or_else(|| mv.to_owned(), |throw| format!("{throw}:{mv}"))
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FinalResult {
    /// This player has won.
    Won(Player),
    /// A draw.
    Drawn,
}

/// How the game has ended, if it is over.
///
/// # Errors
/// A table cannot be read.
pub(crate) fn end(engine: &Engine, here: &Posed) -> Result<Option<FinalResult>, EngineError> {
    if !here.moves().is_empty() {
        return Ok(None);
    }
    let mover = here.turn();
    let end = |won: bool| FinalResult::Won(if won { mover } else { mover.opponent() });
    Ok(match engine.probe(here)? {
        Answer::Exact(answer) => answer.over.map(|_| match answer.verdict.value {
            Some(Value::Draw) => FinalResult::Drawn,
            value => end(value == Some(Value::Win)),
        }),
        Answer::Chance(answer) => answer.over.map(|_| end(answer.chance == Some(1.0))),
    })
}
