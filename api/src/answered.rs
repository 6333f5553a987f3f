//! The response about a position, with its best line if requested.

use marquis_wire::answer::{Answer, ChosenMove};
#[cfg(test)]
use marquis_wire::answer::{ChanceAnswer, ExactAnswer};
use marquis_wire::reports::Line;
use serde::Serialize;

use crate::problem::Problem;
use crate::times::Cut;

/// An answer as it is sent.
#[derive(Debug, Serialize)]
pub(crate) struct Answered {
    #[serde(flatten)]
    pub(crate) answer: Answer,
    #[serde(flatten)]
    more: More,
}

/// The answer about a position, with the requested extras.
// Client generators do not support a choice (`oneOf`) with additional fields, so each choice has them.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[schema(as = Answered)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) enum AnsweredShape {
    Exact(ExactAnswered),
    Chance(ChanceAnswered),
}

/// The answer about a position of a game without chance, with the requested extras.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) struct ExactAnswered {
    #[serde(flatten)]
    answer: ExactAnswer,
    #[serde(flatten)]
    more: More,
}

/// The answer about a position of Senet, with the requested extras.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) struct ChanceAnswered {
    #[serde(flatten)]
    answer: ChanceAnswer,
    #[serde(flatten)]
    more: More,
}

/// The additional fields of an answer.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct More {
    /// The best moves of both sides, to the end of the game or as far as they are proved; only if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    /// Whether it is known that nobody can win sooner or hold out longer than in the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_is_shortest: Option<bool>,
    /// The move of a player of the requested level, null if the game is over; only if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<ChosenMove>))]
    chosen: Option<Option<ChosenMove>>,
    /// The budget in milliseconds after it was cut, if more was requested and there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_cut_ms: Option<u64>,
    /// The requested times that were cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<Cut>,
}

impl Answered {
    /// An answer with the move of a player, or none if the game is over.
    pub(crate) fn chosen(answer: Answer, chosen: Option<ChosenMove>) -> Self {
        Self { answer, more: More { chosen: Some(chosen), ..More::default() } }
    }

    /// An answer, with its line if one was requested.
    pub(crate) fn of(answer: Answer, line: Option<Line>) -> Self {
        let line_is_shortest = line.as_ref().map(|line| line.shortest);
        let line = line.map(|line| line.moves.into_iter().map(|mv| mv.mv).collect());
        Self { answer, more: More { line, line_is_shortest, ..More::default() } }
    }

    /// An answer without any knowledge, with an empty line if one was requested.
    pub(crate) fn unknown(answer: Answer, with_line: bool) -> Self {
        let (line, line_is_shortest) = (with_line.then(Vec::new), with_line.then_some(false));
        Self { answer, more: More { line, line_is_shortest, ..More::default() } }
    }

    /// The same answer with the times that were cut.
    pub(crate) fn cut(self, cut: Vec<Cut>) -> Self {
        let budget_cut_ms = cut.first().map(|cut| cut.given_ms);
        Self { more: More { budget_cut_ms, cut, ..self.more }, ..self }
    }

    /// The JSON document.
    pub(crate) fn body(&self) -> Result<Vec<u8>, Problem> {
        // Serde buffers flattened fields, which takes twice as long: only for an answer that has extra fields.
        let More { line, chosen, cut, .. } = &self.more;
        let bare = line.is_none() && chosen.is_none() && cut.is_empty();
        let written = if bare { serde_json::to_vec(&self.answer) } else { serde_json::to_vec(self) };
        written.map_err(|_| Problem::internal())
    }
}
