//! An answer about a position, with its best line where that was asked for.

use marquis_engine::reports::Line;
use marquis_engine::{Advice, Answer, ChanceAnswer, ExactAnswer};
use serde::Serialize;
use utoipa::ToSchema;

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

/// The answer about a position, with what else was asked for.
// Programs that make clients from a description know no choice with parts beside it: each choice has them.
#[derive(ToSchema)]
#[schema(as = Answered)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) enum AnsweredShape {
    Exact(ExactAnswered),
    Chance(ChanceAnswered),
}

/// The answer about a position of a game without chance, with what else was asked for.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) struct ExactAnswered {
    #[serde(flatten)]
    answer: ExactAnswer,
    #[serde(flatten)]
    more: More,
}

/// The answer about a position of Senet, with what else was asked for.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is sent")]
pub(crate) struct ChanceAnswered {
    #[serde(flatten)]
    answer: ChanceAnswer,
    #[serde(flatten)]
    more: More,
}

/// What an answer has besides.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct More {
    /// The best moves of both sides, to the end of the game or as far as they are proved; where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    /// Whether it is known that nobody can win sooner or hold longer than in the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_is_shortest: Option<bool>,
    /// The move of a player of the wanted level; where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen>,
    /// Milliseconds to which the budget was cut, where more was asked for and there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_cut_ms: Option<u64>,
    /// The same with what was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<Cut>,
}

/// A move that was chosen.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Chosen {
    /// The move text.
    #[serde(rename = "move")]
    mv: String,
    /// The position after it.
    position: String,
}

impl From<Advice> for Answered {
    fn from(Advice { mv, position, answer, .. }: Advice) -> Self {
        Self { answer, more: More { chosen: Some(Chosen { mv, position }), ..More::default() } }
    }
}

impl Answered {
    /// An answer, with its line where one was asked for.
    pub(crate) fn of(answer: Answer, line: Option<Line>) -> Self {
        let line_is_shortest = line.as_ref().map(|line| line.shortest);
        let line = line.map(|line| line.moves.into_iter().map(|mv| mv.mv).collect());
        Self { answer, more: More { line, line_is_shortest, ..More::default() } }
    }

    /// An answer of which nothing is known, with its empty line where one was asked for.
    pub(crate) fn unknown(answer: Answer, with_line: bool) -> Self {
        let (line, line_is_shortest) = (with_line.then(Vec::new), with_line.then_some(false));
        Self { answer, more: More { line, line_is_shortest, ..More::default() } }
    }

    /// The same with the times that were cut.
    pub(crate) fn cut(self, cut: Vec<Cut>) -> Self {
        let budget_cut_ms = cut.first().map(|cut| cut.given_ms);
        Self { more: More { budget_cut_ms, cut, ..self.more }, ..self }
    }

    /// The document.
    pub(crate) fn body(&self) -> Result<Vec<u8>, Problem> {
        // What is flattened is gathered first, which takes as long again: only for an answer that has more.
        let More { line, chosen, cut, .. } = &self.more;
        let bare = line.is_none() && chosen.is_none() && cut.is_empty();
        let written = if bare { serde_json::to_vec(&self.answer) } else { serde_json::to_vec(self) };
        written.map_err(|_| Problem::internal())
    }
}
