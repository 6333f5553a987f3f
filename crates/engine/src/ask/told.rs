//! From typed values, moves and positions to texts.

use marquis_core::{ByPlayer, Game as _, Notation as _, Player};

use crate::ask::choice::{PieChoice, PieLeaning, PlayerTwo};
use crate::domain::{self, BestLine, Choice, Insight, LineEnd, Solution};
use crate::files::proof::Said;
use crate::game::exact::ExactGame;
use crate::wire::answer::{self, ExactAnswer, MoveAnswer, Proof, Source, Verdict, Wdl};
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
            estimate: verdict.estimate.map(domain::Wdl::expected),
            wdl: verdict.wdl().map(Wdl::from),
            source: verdict
                .wdl()
                .map(|_| if verdict.value().is_some() { Source::Exact } else { Source::Estimate }),
        }
    }
}

impl From<domain::Wdl> for Wdl {
    fn from(domain::Wdl { win, draw, loss }: domain::Wdl) -> Self {
        Self { win, draw, loss }
    }
}

impl<G: ExactGame> Insight<G> {
    /// How the estimates of a position were found, as it is told.
    fn told(&self, rules: &G::Rules, from: &G::Position) -> answer::Insight {
        let mut position = *from;
        let tell = |&mv: &G::Move| {
            let text = rules.move_text(&position, mv);
            position = rules.play(&position, mv);
            text
        };
        answer::Insight {
            depth: self.depth,
            nodes: self.nodes,
            stability: self.stability,
            pv: self.line.iter().map(tell).collect(),
            pv_exact_from: self.exact_from,
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
            insight: self.insight.as_ref().map(|insight| insight.told(rules, &self.position)),
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

impl PieChoice {
    /// The choice as answers and proof files name it.
    const fn name(self) -> &'static str {
        match self {
            Self::MoveFirst | Self::MoveFirstWith(_) => "move-first",
            Self::ChooseColour(_) => "choose-colour",
            Self::TakeBait => "take-bait",
        }
    }

    /// The colour that it names.
    const fn colour(self) -> Option<Player> {
        match self {
            Self::MoveFirstWith(player) | Self::ChooseColour(player) => Some(player),
            Self::MoveFirst | Self::TakeBait => None,
        }
    }
}

impl PlayerTwo {
    /// What he should do as it is told.
    ///
    /// * `letters`: of the players, as answers write colours.
    pub(crate) fn told(self, letters: ByPlayer<char>) -> answer::PlayerTwo {
        let colour = |choice: PieChoice| Some(letters[choice.colour()?].to_string());
        answer::PlayerTwo {
            choice: self.choice.map(|choice| choice.name().to_owned()),
            colour: self.choice.and_then(colour),
            value: value_word(self.worth.value()),
            bounds: bound_words(self.worth),
            leaning: self.leaning.map(|PieLeaning { choice, wdl }| answer::PieLeaning {
                choice: choice.name().to_owned(),
                colour: colour(choice),
                wdl: wdl.into(),
            }),
        }
    }

    /// The same in the words of a proof file.
    pub(crate) fn said(self) -> Said {
        let choice = self.choice.map_or("none", PieChoice::name).to_owned();
        Said { choice, value: value_word(self.worth.value()) }
    }
}
