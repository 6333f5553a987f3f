//! The review of a game: the value that each move kept or gave away.

mod accuracy;
mod marks;
mod response;
mod thrown;

use marquis_core::{Bounds, Player, Plies, Value};

pub(crate) use accuracy::Performance;
pub(crate) use response::{MoveMade, of_first};

use crate::results::{ChanceKnowledge, Verdict};

/// The appraisal of a position in which a move was made.
#[derive(Clone, Debug)]
pub(crate) enum Appraisal {
    /// Of a game without chance.
    Exact(Appraised),
    /// Of a game with throws.
    Chance(ThrownPosition),
}

/// A position of a game without chance.
#[derive(Clone, Debug)]
pub(crate) struct Appraised {
    /// For the player to move.
    pub(crate) verdict: Verdict,
    /// Each legal move, best first, for the player who makes it.
    pub(crate) choices: Vec<Considered>,
    /// The known part of the best line; its first move is the best one.
    pub(crate) line: Vec<String>,
}

/// A move that could have been made.
#[derive(Clone, Debug)]
pub(crate) struct Considered {
    pub(crate) mv: String,
    /// For the player who makes it.
    pub(crate) verdict: Verdict,
    /// His chance at a depth common to all unproved moves of the position.
    pub(crate) alike: Option<f64>,
}

/// A position of a game with throws.
#[derive(Clone, Debug)]
pub(crate) struct ThrownPosition {
    /// Before the throw, for the player to throw.
    pub(crate) before: ChanceKnowledge,
    /// After it, by the best move; `None` if the game is over or nothing was thrown.
    pub(crate) after: Option<ChanceKnowledge>,
    /// Each legal move of the throw, best first, for the player who makes it.
    pub(crate) choices: Vec<(String, ChanceKnowledge)>,
}

/// A move that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedMove<'a> {
    pub(crate) by: Player,
    /// Without its throw.
    pub(crate) mv: &'a str,
}

/// The mark of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// The only move that keeps the value.
    Great,
    Inaccuracy,
    Mistake,
    Blunder,
}

/// The reason for a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// A proof: the value was kept or lost.
    Value,
    /// The lost chance.
    Chance,
}

/// A reviewed move.
#[derive(Clone, Debug)]
pub(crate) struct Reviewed {
    pub(crate) by: Player,
    /// For the player who made it.
    pub(crate) bounds: Bounds,
    pub(crate) plies: Option<Plies>,
    /// The chance that it left to the player who made it, and whether that is certain.
    pub(crate) chance: Option<(f64, Certainty)>,
    /// The chance that it lost him, from 0 to 1; `None` if a proof would be compared with an estimate.
    pub(crate) lost: Option<f64>,
    /// The decision; `None` if all moves were equal, or if `lost` is `None`.
    pub(crate) decision: Option<Decision>,
    /// The chance that the throw before it gained him, from −1 to 1.
    pub(crate) luck: Option<f64>,
    pub(crate) mark: Option<(Mark, Ground)>,
    /// The plies by which the win comes later, or the loss sooner, than by the best move of the same value.
    pub(crate) delta: Option<u16>,
    /// The best line instead of it; empty if it is the best move.
    pub(crate) better: Vec<String>,
}

/// A choice between moves of which at least two differ in value or estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    /// In a game without chance.
    Move,
    /// Among the moves of a throw; `at_stake` is the mean chance, from 0 to 1, that a random one loses.
    Throw { at_stake: f64 },
}

/// Chances that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Whether a chance follows from a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Exact,
    Estimate,
}

/// The least lost chance for each mark, from 0 to 1: inaccuracy, mistake, blunder.
pub(crate) type Scale = [f64; 3];

/// The scale for games without chance: 5 and 10 points of 100. An estimate never makes a blunder.
///
/// Source: lichess, `Advice.scala`, which uses losses of .1 and .2 for chances between −1 and
/// 1.
const POINTS: Scale = [0.05, 0.10, f64::INFINITY];

/// The scale for games with throws, whose best moves lie 0.1 to 1 points apart (the guide, *Senet*): 0.1, 0.3 and,
/// if the chances are certified, 1 point.
const POINTS_OF_CHANCE: Scale = [0.001, 0.003, 0.01];

/// The mark of a loss on a scale.
fn by_points(lost: f64, scale: Scale) -> Option<Mark> {
    // Rounding may make a computed loss slightly too small.
    let reached = |least: f64| lost >= least - 1e-9;
    let marks = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
    scale.into_iter().zip(marks).rfind(|(least, _)| reached(*least)).map(|(_, mark)| mark)
}

/// Reviews the moves of a game.
///
/// * `appraisals`: of the position before each move, and of the one after the last. If there are fewer, later moves
///   are left out.
pub(crate) fn review(made: &[PlayedMove<'_>], appraisals: &[Appraisal]) -> Vec<Reviewed> {
    let exact: Option<Vec<&Appraised>> = appraisals.iter().map(Appraisal::exact).collect();
    match exact {
        Some(exact) => marks::review(made, &exact),
        None => made.iter().zip(appraisals).filter_map(|(made, own)| thrown::review(*made, own)).collect(),
    }
}

impl Appraisal {
    const fn exact(&self) -> Option<&Appraised> {
        match self {
            Self::Exact(appraised) => Some(appraised),
            Self::Chance(_) => None,
        }
    }

    /// The chance of the player to move, and whether it is certain.
    pub(crate) fn chance(&self) -> Option<(f64, Certainty)> {
        match self {
            Self::Exact(appraised) => chance_of(&appraised.verdict),
            Self::Chance(thrown) => thrown::chance_of(thrown.before),
        }
    }
}

fn chance_of(verdict: &Verdict) -> Option<(f64, Certainty)> {
    let certainty = if verdict.value().is_some() { Certainty::Exact } else { Certainty::Estimate };
    Some((verdict.wdl()?.expected(), certainty))
}

/// The chance that corresponds to a value.
fn certain(value: Value) -> f64 {
    crate::game::judge::certain(value).expected()
}
