//! Counts among the arguments: one parser, and a maximum for each.

use std::ops::RangeInclusive;

use clap::builder::TypedValueParser;
use marquis_wire::quantity::{MOST, MOST_THREADS, count_within};

/// Positions of a search, milliseconds, and other counts without a separate maximum.
pub(crate) const NODES: RangeInclusive<u64> = 0..=MOST;
/// Seeds of random numbers.
pub(crate) const SEED: RangeInclusive<u64> = 0..=MOST;
/// Worker threads.
pub(crate) const THREADS: RangeInclusive<u64> = 1..=MOST_THREADS;
/// Cells along an edge, pieces and throws; the game knows the actual maximum.
pub(crate) const SMALL: RangeInclusive<u64> = 0..=u8::MAX as u64;
/// Beads; the board knows the actual maximum.
pub(crate) const BEADS: RangeInclusive<u64> = 0..=u16::MAX as u64;
/// The number of a game in a file of records.
pub(crate) const GAME: RangeInclusive<u64> = 1..=u32::MAX as u64;
/// The number of a ply in a game.
pub(crate) const PLY: RangeInclusive<u64> = 0..=u32::MAX as u64;
/// Games of a match.
pub(crate) const MOST_GAMES: u64 = 1_000_000;
/// Pairs of games to measure a network.
pub(crate) const MOST_PAIRS: u64 = MOST_GAMES / 2;
/// Set-ups that a design tries, and that it lists.
pub(crate) const MOST_TRIES: u64 = 1_000_000;

/// Reads a whole number in a range, as people type it: `20000`, `20k`, `1e6`.
///
/// * `N`: holds every number of the range.
pub(crate) fn number<N>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = N>
where
    N: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| -> Result<N, String> {
        let number =
            count_within("number", &range, text).map_err(|error| format!("expected {}", error.expected))?;
        N::try_from(number).map_err(|_| format!("expected a smaller number than {number}"))
    }
}
