//! Values and bounds as words.

use marquis_core::{Bounds, Value};

/// The name of a value, or `unknown`.
pub(crate) fn value_word(value: Option<Value>) -> String {
    value.map_or("unknown", Value::name).to_owned()
}

/// The value with this name.
pub(crate) fn value_of_word(word: &str) -> Option<Value> {
    [Value::Win, Value::Draw, Value::Loss].into_iter().find(|value| value.name() == word)
}

/// The names of the worst and the best value.
pub(crate) fn bound_words(bounds: Bounds) -> [String; 2] {
    [bounds.worst, bounds.best].map(|value| value.name().to_owned())
}
