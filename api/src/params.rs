//! From the texts of a request to the façade's questions.

use std::str::FromStr;

use marquis_engine::{GameId, Immobile, Pie, Query};

use crate::problem::Problem;

/// The game that a path names.
pub(crate) fn game(name: &str) -> Result<GameId, Problem> {
    name.parse().map_err(|_| Problem::unknown_game(name))
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
}

/// The question, and the budget in milliseconds if one is given.
pub(crate) fn question(game: GameId, asked: Position) -> Result<(Query, Option<u64>), Problem> {
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
    Ok((query, number("budget_ms", asked.budget_ms.as_deref())?))
}

/// The same question in canonical text, its moves played, so that equal questions are equal.
pub(crate) fn canonical(query: &Query) -> Result<Query, Problem> {
    query.throw()?;
    Ok(Query { position: query.asked()?.text(), play: None, ..query.clone() })
}
