//! Throws of those games that have them.

use marquis_engine::{Answer, Engine, EngineError, Posed};
use rand::RngExt as _;
use rand::rngs::SmallRng;

/// A throw by the weights that the game gives to its throws; none where it has none.
///
/// # Errors
/// A table that cannot be read.
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
