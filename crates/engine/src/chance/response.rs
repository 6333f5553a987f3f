//! Converts certified chances to numbers and texts.

use marquis_chance::ChanceInterval;
use marquis_core::{Chance as _, ChanceNotation as _};

use crate::game::chance::ChanceGame;
use crate::results::{ChanceKnowledge, ChanceSolution, Thrown, Weighed};
use marquis_wire::answer::{ChanceAnswer, ChanceMove, Source, ThrowAnswer};
use marquis_wire::book::BookSource;

/// Chance and error, if anything is known; the error is rounded outward, and `None` for an estimate.
fn known(worth: ChanceKnowledge) -> (Option<f64>, Option<f64>) {
    let error =
        |between: ChanceInterval| if between.gap() == 0.0 { 0.0 } else { between.gap() / 2.0 + f64::EPSILON };
    let chance = worth.chance();
    match worth {
        ChanceKnowledge::Certified(between) => (chance, chance.map(|_| error(between))),
        ChanceKnowledge::Estimated(_) => (chance, None),
    }
}

/// The source of a chance, if there is one.
fn source(worth: ChanceKnowledge) -> Option<Source> {
    worth.chance().map(|_| match worth {
        ChanceKnowledge::Certified(_) => Source::Exact,
        ChanceKnowledge::Estimated(_) => Source::Estimate,
    })
}

impl<G: ChanceGame> ChanceSolution<G> {
    /// The response for this solution.
    pub(super) fn response(&self, rules: &G::Rules) -> ChanceAnswer {
        let (chance, error) = known(self.worth);
        ChanceAnswer {
            game: G::ID.name().to_owned(),
            position: rules.position_text(&self.position),
            turn: G::LETTERS[rules.turn(&self.position)].to_string(),
            over: self.over.map(|over| over.reason.name().to_owned()),
            chance,
            error,
            source: source(self.worth),
            proof: self.proof.into(),
            book: self.entry.as_deref().map(|entry| Box::new(BookSource::from(entry))),
            throws: self.throws.iter().map(|thrown| thrown.response(rules, &self.position)).collect(),
        }
    }
}

impl<G: ChanceGame> Thrown<G> {
    fn response(&self, rules: &G::Rules, position: &G::Position) -> ThrowAnswer {
        let (chance, error) = known(self.worth);
        ThrowAnswer {
            throw: self.throw.score,
            weight: self.throw.weight,
            chance,
            error,
            source: source(self.worth),
            moves: self.choices.iter().map(|choice| choice.response(rules, position)).collect(),
        }
    }
}

impl<G: ChanceGame> Weighed<G> {
    fn response(&self, rules: &G::Rules, position: &G::Position) -> ChanceMove {
        let (chance, error) = known(self.worth);
        ChanceMove {
            mv: rules.move_text(position, self.mv),
            position: rules.position_text(&self.after),
            chance,
            error,
            source: source(self.worth),
        }
    }
}
