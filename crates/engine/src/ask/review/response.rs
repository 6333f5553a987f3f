//! Conversion of marks to their wire form.

use marquis_core::{ByPlayer, ChanceNotation as _, Game as _, Notation as _, Player};

use super::{Appraised, Certainty, Considered, Ground, Mark, Performance, Reviewed, ThrownPosition};
use crate::game::chance::ChanceGame;
use crate::game::exact::ExactGame;
use crate::results::{BestLine, ChanceSolution, Solution, ValuedMove, Weighed};
use marquis_wire::answer::Source;
use marquis_wire::review::{MarkGround, MoveMark, PlayerReview, ReviewedMove};

impl From<Mark> for MoveMark {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Great => Self::Great,
            Mark::Inaccuracy => Self::Inaccuracy,
            Mark::Mistake => Self::Mistake,
            Mark::Blunder => Self::Blunder,
        }
    }
}

impl From<Ground> for MarkGround {
    fn from(ground: Ground) -> Self {
        match ground {
            Ground::Value => Self::Value,
            Ground::Chance => Self::Chance,
        }
    }
}

impl Appraised {
    /// The appraisal by an answer and its line.
    pub(crate) fn of<G: ExactGame>(rules: &G::Rules, answer: &Solution<G>, line: &BestLine<G>) -> Self {
        let considered = |choice: &ValuedMove<G>| {
            let ValuedMove { ref text, verdict, alike, .. } = *choice;
            Considered { mv: text.clone(), verdict, alike }
        };
        let choices: Vec<Considered> = answer.choices.iter().map(considered).collect();
        let seen = line.choices.iter().map(|choice| choice.text.clone()).collect();
        let thought =
            answer.insight.as_ref().map(|insight| texts::<G>(rules, answer.position, &insight.line));
        let lines = [Some(seen), thought, choices.first().map(|choice| vec![choice.mv.clone()])];
        // The line of an answer begins with its best move; another one would contradict it.
        let best = choices.first().map(|choice| &choice.mv);
        let line = lines.into_iter().flatten().find(|line: &Vec<String>| line.first() == best);
        Self { verdict: answer.verdict, choices, line: line.unwrap_or_default() }
    }
}

/// The texts of successive moves.
fn texts<G: ExactGame>(rules: &G::Rules, mut position: G::Position, moves: &[G::Move]) -> Vec<String> {
    let mut text = |&mv: &G::Move| {
        let text = rules.move_text(&position, mv);
        position = rules.play(&position, mv);
        text
    };
    moves.iter().map(&mut text).collect()
}

impl<G: ChanceGame> ChanceSolution<G> {
    /// The appraisal of the throw with this score.
    pub(crate) fn appraised(&self, rules: &G::Rules, score: Option<u8>) -> ThrownPosition {
        let thrown = self.throws.iter().find(|thrown| Some(thrown.throw.score) == score);
        let choices = thrown.map(|thrown| &thrown.choices[..]).unwrap_or_default();
        let choice = |choice: &Weighed<G>| (rules.move_text(&self.position, choice.mv), choice.worth);
        ThrownPosition {
            before: self.worth,
            after: thrown.map(|thrown| thrown.worth),
            choices: choices.iter().map(choice).collect(),
        }
    }
}

/// The first player's chance, from the chance of `player`.
pub(crate) const fn of_first(chance: f64, player: Player) -> f64 {
    match player {
        Player::First => chance,
        Player::Second => 1.0 - chance,
    }
}

/// A share in points of 100, rounded to two decimals.
fn points(share: f64) -> f64 {
    (share * 1e4).round() / 1e2
}

/// The place of a move in its game.
pub(crate) struct MoveMade<'a> {
    /// From 1.
    pub(crate) ply: usize,
    pub(crate) throw: Option<u8>,
    pub(crate) mv: &'a str,
    /// The text of the position after it.
    pub(crate) position: String,
}

impl Reviewed {
    /// The wire form of the move.
    pub(crate) fn response(&self, place: MoveMade<'_>, letters: ByPlayer<char>) -> ReviewedMove {
        let MoveMade { ply, throw, mv, position } = place;
        let chance = self.chance.map(|(chance, _)| chance);
        ReviewedMove {
            ply,
            turn: letters[self.by].to_string(),
            throw,
            mv: mv.to_owned(),
            position,
            value: self.bounds.value(),
            plies: self.plies.map(|plies| plies.0),
            bounds: self.bounds,
            chance,
            first_chance: chance.map(|chance| of_first(chance, self.by)),
            source: self.chance.map(|(_, certainty)| match certainty {
                Certainty::Exact => Source::Exact,
                Certainty::Estimate => Source::Estimate,
            }),
            lost: self.lost.map(points),
            luck: self.luck.map(points),
            mark: self.mark.map(|(mark, _)| mark.into()),
            ground: self.mark.map(|(_, ground)| ground.into()),
            delta: self.delta,
            better: self.better.clone(),
        }
    }
}

impl Performance {
    /// The wire form of a player's performance.
    pub(crate) fn response(self, letter: char) -> PlayerReview {
        PlayerReview {
            turn: letter.to_string(),
            moves: self.moves,
            decisions: self.decisions,
            accuracy: self.accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0),
            great: self.great,
            inaccuracies: self.inaccuracies,
            mistakes: self.mistakes,
            blunders: self.blunders,
            luck: self.luck.map(points),
        }
    }
}
