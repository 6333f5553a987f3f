//! A game looked over: what each move kept and what it threw away.

mod accuracy;
mod marks;
mod thrown;
mod told;

use marquis_core::{Bounds, Player, Plies, Value};

pub(crate) use accuracy::Play;
pub(crate) use told::{Place, of_first};

use crate::domain::{Verdict, Worth};

/// What is known or thought of a position in which a move was made.
#[derive(Clone, Debug)]
pub(crate) enum Appraisal {
    /// Of a game without chance.
    Exact(Appraised),
    /// Of a game with throws.
    Chance(Thrown),
}

/// A position of a game without chance.
#[derive(Clone, Debug)]
pub(crate) struct Appraised {
    /// For the player to move.
    pub(crate) verdict: Verdict,
    /// Each legal move, best first, for the player who makes it.
    pub(crate) choices: Vec<Considered>,
    /// The best line as far as it is known; its first move is the best one.
    pub(crate) line: Vec<String>,
}

/// A move that could have been made.
#[derive(Clone, Debug)]
pub(crate) struct Considered {
    pub(crate) mv: String,
    /// For the player who makes it.
    pub(crate) verdict: Verdict,
    /// His chance by a look that was as deep for every open move of the position.
    pub(crate) alike: Option<f64>,
}

/// A position of a game with throws.
#[derive(Clone, Debug)]
pub(crate) struct Thrown {
    /// Before the throw, for the player to throw.
    pub(crate) before: Worth,
    /// After it, by the best move; none where the game is over or nothing was thrown.
    pub(crate) after: Option<Worth>,
    /// Each legal move of the throw, best first, for the player who makes it.
    pub(crate) choices: Vec<(String, Worth)>,
}

/// A move that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'a> {
    pub(crate) by: Player,
    /// Without its throw.
    pub(crate) mv: &'a str,
}

/// What stands at a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// The only one that keeps the value.
    Great,
    Inaccuracy,
    Mistake,
    Blunder,
}

/// Why it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// What is proved: the value was kept, or lost.
    Value,
    /// The chance that was lost.
    Chance,
}

/// A move that was looked over.
#[derive(Clone, Debug)]
pub(crate) struct Reviewed {
    pub(crate) by: Player,
    /// For the player who made it.
    pub(crate) bounds: Bounds,
    pub(crate) plies: Option<Plies>,
    /// The chance that it left to the player who made it, and whether that is certain.
    pub(crate) chance: Option<(f64, Certainty)>,
    /// The chance that it lost him, of 1; none where it cannot be told, for a proof would be compared with an estimate.
    pub(crate) lost: Option<f64>,
    /// What there was to decide; none where it made no difference, or `lost` is none.
    pub(crate) decision: Option<Decision>,
    /// What the throw before it brought him, of 1.
    pub(crate) luck: Option<f64>,
    pub(crate) mark: Option<(Mark, Ground)>,
    /// How many plies later the win, or sooner the loss, than by the best move of the same value.
    pub(crate) delta: Option<u16>,
    /// The best line in its place, where it is not of that line.
    pub(crate) better: Vec<String>,
}

/// A choice between moves of which at least two differ in value or estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    /// In a game without chance.
    Move,
    /// Among the moves of a throw: so much chance a random one of them loses, of 1.
    Throw { at_stake: f64 },
}

/// Chances that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Whether a chance follows from what is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Exact,
    Estimate,
}

/// How much of a chance a move loses that gets a mark, of 1: inaccuracy, mistake, blunder.
pub(crate) type Scale = [f64; 3];

/// Of games without chance: 5 and 10 points of a hundred; no estimate makes a blunder.
///
/// Source: lichess, `modules/tree/src/main/Advice.scala`, where .1 and .2 of chances between −1 and 1 are lost.
const POINTS: Scale = [0.05, 0.10, f64::INFINITY];

/// Of games with throws, whose best moves lie between a tenth of a point and a whole one apart
/// (`tablebases/SENET.md`): 0.1, 0.3 and, where the chances are certified, 1 points.
const POINTS_OF_CHANCE: Scale = [0.001, 0.003, 0.01];

/// The mark of a loss by a scale.
fn by_points(lost: f64, scale: Scale) -> Option<Mark> {
    // What was computed from decimal fractions may be a little less than it should be.
    let reached = |least: f64| lost >= least - 1e-9;
    let marks = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
    scale.into_iter().zip(marks).rfind(|(least, _)| reached(*least)).map(|(_, mark)| mark)
}

/// The moves of a game looked over.
///
/// * `appraisals`: of the position before each move, and of the one after the last; fewer where not all of them were
///   looked at, which leaves later moves out.
pub(crate) fn review(made: &[Made<'_>], appraisals: &[Appraisal]) -> Vec<Reviewed> {
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

/// The chance that a value is.
fn certain(value: Value) -> f64 {
    crate::game::judge::certain(value).expected()
}
