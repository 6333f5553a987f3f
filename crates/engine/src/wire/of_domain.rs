//! From typed values, moves and positions to texts.

use marquis_core::{Bounds, Game as _, Notation as _, Value};

use super::answer::{ExactAnswer, MoveAnswer, Proof, Verdict};
use super::reports::Line;
use crate::domain::{self, BestLine, Choice, LineEnd, Solution};
use crate::game::ExactGame;

impl From<domain::Proof> for Proof {
    fn from(proof: domain::Proof) -> Self {
        match proof {
            domain::Proof::Rules => Self::Rules,
            domain::Proof::Table => Self::Table,
            domain::Proof::Search => Self::Search,
            domain::Proof::None => Self::None,
        }
    }
}

/// The name of a value, or `unknown`.
pub(crate) fn value_word(value: Option<Value>) -> String {
    value.map_or("unknown", Value::name).to_owned()
}

/// The names of the worst and the best value.
pub(crate) fn bound_words(bounds: Bounds) -> [String; 2] {
    [bounds.worst, bounds.best].map(|value| value.name().to_owned())
}

impl From<domain::Verdict> for Verdict {
    fn from(verdict: domain::Verdict) -> Self {
        Self {
            value: value_word(verdict.value()),
            plies: verdict.plies.map(|plies| plies.0),
            bounds: bound_words(verdict.bounds),
            proof: verdict.proof.into(),
            estimate: verdict.estimate,
        }
    }
}

impl<G: ExactGame> Choice<G> {
    /// The move as it is told.
    pub(crate) fn told(&self, rules: &G::Rules) -> MoveAnswer {
        MoveAnswer {
            mv: self.text.clone(),
            position: rules.position_text(&self.after),
            verdict: self.verdict.into(),
            delta: self.delta,
        }
    }
}

impl<G: ExactGame> Solution<G> {
    /// The answer as it is told.
    pub(crate) fn told(&self, rules: &G::Rules) -> ExactAnswer {
        ExactAnswer {
            game: G::ID.name().to_owned(),
            position: rules.position_text(&self.position),
            turn: G::LETTERS[rules.turn(&self.position)].to_string(),
            over: self.over.map(|over| over.reason.name().to_owned()),
            verdict: self.verdict.into(),
            moves: self.choices.iter().map(|choice| choice.told(rules)).collect(),
        }
    }
}

impl<G: ExactGame> BestLine<G> {
    /// The line as it is told.
    pub(crate) fn told(&self, rules: &G::Rules) -> Line {
        let end = match self.end {
            LineEnd::Over => "over",
            LineEnd::Draw => "draw",
            LineEnd::Proved => "proved",
            LineEnd::Unknown => "unknown",
        };
        Line {
            from: ExactAnswer { moves: Vec::new(), ..self.from.told(rules) },
            moves: self.choices.iter().map(|choice| choice.told(rules)).collect(),
            end: end.to_owned(),
        }
    }
}
