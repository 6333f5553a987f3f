//! From typed values, moves and positions to texts.

use marquis_core::{Game as _, Notation as _};

use crate::domain::{self, BestLine, Choice, LineEnd, Solution};
use crate::game::exact::ExactGame;
use crate::wire::answer::{ExactAnswer, MoveAnswer, Proof, Verdict};
use crate::wire::reports::Line;
use crate::wire::words::{bound_words, value_word};

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
