//! An answer about a position, with its best line where that was asked for.

use marquis_engine::reports::Line;
use marquis_engine::{Advice, Answer};
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::times::Cut;

/// An answer as it is sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    pub(crate) answer: Answer,
    /// The best moves of both sides, to the end of the game or as far as plies are proved; where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<Vec<String>>,
    /// The move of a player of the wanted level; where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<Chosen>,
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
        Self {
            answer,
            line: None,
            chosen: Some(Chosen { mv, position }),
            budget_cut_ms: None,
            cut: Vec::new(),
        }
    }
}

impl Answered {
    /// An answer, with its line where one was asked for.
    pub(crate) const fn of(answer: Answer, line: Option<Vec<String>>) -> Self {
        Self { answer, line, chosen: None, budget_cut_ms: None, cut: Vec::new() }
    }

    /// The same with the times that were cut.
    pub(crate) fn cut(self, cut: Vec<Cut>) -> Self {
        Self { budget_cut_ms: cut.first().map(|cut| cut.given_ms), cut, ..self }
    }

    /// The document.
    pub(crate) fn body(&self) -> Result<Vec<u8>, Problem> {
        // What is flattened is gathered first, which takes as long again: only for an answer that has more.
        let bare = self.line.is_none() && self.chosen.is_none() && self.cut.is_empty();
        let written = if bare { serde_json::to_vec(&self.answer) } else { serde_json::to_vec(self) };
        written.map_err(|_| Problem::internal())
    }
}

/// The moves of a line as texts.
pub(crate) fn moves_of(line: Line) -> Vec<String> {
    line.moves.into_iter().map(|mv| mv.mv).collect()
}
