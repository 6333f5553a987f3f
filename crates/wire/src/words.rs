//! Values and bounds as the words that `serde` reads and writes.

use marquis_core::{Bounds, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The word for a value that is not known.
const UNKNOWN: &str = "unknown";
/// The word in place of a value in a game with throws; in the book a prefix, as in `chance=0.5103±1e-9`.
pub const CHANCE: &str = "chance";

/// `win`, `draw`, `loss` or `unknown`.
#[must_use]
pub const fn word(value: Option<Value>) -> &'static str {
    match value {
        Some(value) => value.name(),
        None => UNKNOWN,
    }
}

/// The names of the worst and the best value.
#[must_use]
pub fn names(bounds: Bounds) -> [&'static str; 2] {
    [bounds.worst, bounds.best].map(Value::name)
}

/// The value with this name.
pub fn value_of(word: &str) -> Option<Value> {
    [Value::Win, Value::Draw, Value::Loss].into_iter().find(|value| value.name() == word)
}

/// Reads a value, or the word for none.
fn read<'de, D: Deserializer<'de>>(from: D, none: &'static str) -> Result<Option<Value>, D::Error> {
    let word = String::deserialize(from)?;
    match value_of(&word) {
        None if word != none => {
            Err(de::Error::custom(format!("expected `win`, `draw`, `loss` or `{none}`, found `{word}`")))
        }
        value => Ok(value),
    }
}

/// A value, or `unknown`.
pub(super) mod value {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(value: &Option<Value>, to: S) -> Result<S::Ok, S::Error> {
        word(*value).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
        read(from, UNKNOWN)
    }
}

/// A value, or `chance`.
pub(super) mod value_or_chance {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(value: &Option<Value>, to: S) -> Result<S::Ok, S::Error> {
        value.map_or(CHANCE, Value::name).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
        read(from, CHANCE)
    }
}

/// The worst and the best value.
pub(super) mod bounds {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bounds: &Bounds, to: S) -> Result<S::Ok, S::Error> {
        names(*bounds).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bounds, D::Error> {
        let words = <[String; 2]>::deserialize(from)?;
        match words.each_ref().map(|word| value_of(word)) {
            [Some(worst), Some(best)] => Ok(Bounds { worst, best }),
            _ => Err(de::Error::custom(format!("expected the worst and the best value, found {words:?}"))),
        }
    }
}
