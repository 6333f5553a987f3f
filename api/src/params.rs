//! From the texts of a request to the façade's questions.

use std::str::FromStr;

use marquis_engine::{Game, GameId, Immobile, Pie, Posed, Query, Registry};

use crate::problem::Problem;

/// The game that a path names.
pub(crate) fn game<'a>(registry: &'a Registry, name: &str) -> Result<&'a Game, Problem> {
    registry.game(name).map_err(|_| Problem::unknown_game(registry, name))
}

/// The number that a parameter writes, if it is there.
pub(crate) fn number<N: FromStr>(place: &str, text: Option<&str>) -> Result<Option<N>, Problem> {
    let digits = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let read = |text: &str| Some(text).filter(digits).and_then(|text| text.parse().ok());
    text.map(|text| read(text).ok_or_else(|| Problem::bad_input(place, "a whole number", text))).transpose()
}

/// `loss`, the default, or `pass`.
pub(crate) fn immobile(text: Option<&str>) -> Result<Immobile, Problem> {
    match text {
        None | Some("loss") => Ok(Immobile::Loss),
        Some("pass") => Ok(Immobile::Pass),
        Some(other) => Err(Problem::bad_input("immobile", "`loss` or `pass`", other)),
    }
}

/// `marquisian`, the default, or `bait`.
pub(crate) fn pie(text: Option<&str>) -> Result<Pie, Problem> {
    match text {
        None | Some("marquisian") => Ok(Pie::Marquisian),
        Some("bait") => Ok(Pie::Bait),
        Some(other) => Err(Problem::bad_input("pie", "`marquisian` or `bait`", other)),
    }
}

/// The parameters of a question about a position, as texts.
pub(crate) struct Position {
    pub(crate) position: Option<String>,
    pub(crate) throw: Option<String>,
    pub(crate) budget_ms: Option<String>,
    pub(crate) play: Option<String>,
    pub(crate) immobile: Option<String>,
    pub(crate) line: Option<String>,
}

/// A question about a position, read, and how it is to be answered.
pub(crate) struct Question {
    pub(crate) posed: Posed,
    /// Milliseconds, if a budget is given.
    pub(crate) budget_ms: Option<u64>,
    /// Whether the best line to the end is wanted.
    pub(crate) line: bool,
}

/// The question that the texts ask.
pub(crate) fn question(registry: &Registry, game: GameId, asked: Position) -> Result<Question, Problem> {
    let position = asked
        .position
        .ok_or_else(|| Problem::bad_input("position", "a position text, `start` or `start:SIZE`", ""))?;
    let query = Query {
        game,
        position,
        play: asked.play,
        immobile: immobile(asked.immobile.as_deref())?,
        throw: number("throw", asked.throw.as_deref())?,
    };
    let budget_ms = budget(number("budget_ms", asked.budget_ms.as_deref())?)?;
    let posed = registry.pose(&query)?;
    Ok(Question { posed, budget_ms, line: flag("line", asked.line.as_deref())? })
}

/// A budget that the description allows: 63 bits, as of most who read JSON.
pub(crate) fn budget(asked_ms: Option<u64>) -> Result<Option<u64>, Problem> {
    match asked_ms {
        Some(ms) if i64::try_from(ms).is_err() => {
            Err(Problem::bad_input("budget_ms", "at most 9223372036854775807", &ms.to_string()))
        }
        asked_ms => Ok(asked_ms),
    }
}

/// `true` or `false`, the default.
fn flag(place: &str, text: Option<&str>) -> Result<bool, Problem> {
    match text {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(Problem::bad_input(place, "`true` or `false`", other)),
    }
}
