//! Parses the texts of a request.

use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;

use marquis_core::{Immobile, TextError};
use marquis_engine::{GameEntry, Level, NoLevel, Opponent, Pie, Registry, SetUpPattern};
use marquis_wire::Goal;
use marquis_wire::quantity::count;

use crate::problem::Problem;

/// The game that a path names.
pub(crate) fn game<'a>(registry: &'a Registry, name: &str) -> Result<&'a GameEntry, Problem> {
    registry.game(name).map_err(|_| Problem::unknown_game(registry, name))
}

/// The position text of a query, which is required.
pub(crate) fn position(text: Option<String>) -> Result<String, Problem> {
    text.ok_or_else(|| Problem::bad_input("position", "a position text, `start` or `start:SIZE`", ""))
}

/// The number in a parameter, as people type it (`20000`, `1e6`), if it is present.
pub(crate) fn number<N: TryFrom<u64>>(place: &str, text: Option<&str>) -> Result<Option<N>, Problem> {
    let read = |text: &str| count(text).and_then(|number| N::try_from(number).ok());
    text.map(|text| read(text).ok_or_else(|| Problem::bad_input(place, "a whole number", text))).transpose()
}

/// A number in a body, limited to 63 bits as in the API description, because most JSON readers support no more.
pub(crate) fn whole(place: &str, number: Option<u64>) -> Result<Option<u64>, Problem> {
    match number {
        Some(number) if i64::try_from(number).is_err() => {
            Err(Problem::bad_input(place, "at most 9223372036854775807", &number.to_string()))
        }
        number => Ok(number),
    }
}

/// `loss`, the default, or `pass`.
pub(crate) fn immobile(text: Option<&str>) -> Result<Immobile, Problem> {
    said(text)
}

/// `marquisian`, the default, or `bait`.
pub(crate) fn pie(text: Option<&str>) -> Result<Pie, Problem> {
    said(text)
}

/// `plies`, the default, `moves` or `value`.
pub(crate) fn goal(text: Option<&str>) -> Result<Goal, Problem> {
    said(text)
}

/// `random`, the default, or `point-symmetric`.
pub(crate) fn layout(text: Option<&str>) -> Result<SetUpPattern, Problem> {
    said(text)
}

/// Parses a word; the default if it is absent.
fn said<T: FromStr<Err = TextError> + Default>(text: Option<&str>) -> Result<T, Problem> {
    let Some(text) = text else { return Ok(T::default()) };
    text.parse().map_err(|TextError { place, expected, .. }| Problem::bad_input(&place, &expected, text))
}

/// The opponent that chooses a move, if a level is given.
pub(crate) fn opponent(level: Option<&str>, seed: Option<&str>) -> Result<Option<Opponent>, Problem> {
    let seed = whole("seed", number("seed", seed)?)?;
    let Some(text) = level else { return Ok(None) };
    let expected = format!("a whole number from {} to {}", Level::MIN, Level::MAX);
    let level = text.parse().map_err(|_: NoLevel| Problem::bad_input("level", &expected, text))?;
    // The system draws new hash keys each time.
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    Ok(Some(Opponent { level, seed }))
}

/// `true` or `false`, the default.
pub(crate) fn flag(place: &str, text: Option<&str>) -> Result<bool, Problem> {
    match text {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(Problem::bad_input(place, "`true` or `false`", other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (text, expected) in [("20000", 20_000), ("20k", 20_000), ("1.5e4", 15_000), ("20_000", 20_000)] {
            assert_eq!(number::<u64>("nodes", Some(text)).unwrap(), Some(expected), "{text}");
        }
        for wrong in ["", "-1", "1.5", "1e-1", "1e19", "256"] {
            assert!(number::<u8>("throw", Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_seed_has_63_bits_as_every_number_of_the_description() {
        assert_eq!(opponent(Some("3"), Some("9223372036854775807")).unwrap().unwrap().seed, i64::MAX as u64);
        for wrong in ["9223372036854775808", "18446744073709551616", "-1", ""] {
            assert!(
                opponent(Some("3"), Some(wrong)).is_err() && opponent(None, Some(wrong)).is_err(),
                "{wrong}"
            );
        }
    }
}
