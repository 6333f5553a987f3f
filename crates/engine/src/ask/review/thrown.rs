//! Marks of games with throws, which separate the luck of a throw from the choice of the move.

use marquis_core::{Bounds, Value};

use super::{
    Appraisal, Certainty, Decision, EQUAL, Ground, Mark, POINTS_OF_CHANCE, PlayedMove, Reviewed,
    ThrownPosition, by_points,
};
use crate::results::ChanceKnowledge;

/// The review of a move; `None` if nothing was thrown, or if the move is not among those of the throw.
pub(super) fn review(made: PlayedMove<'_>, appraisal: &Appraisal) -> Option<Reviewed> {
    let Appraisal::Chance(ThrownPosition { before, after, choices }) = appraisal else { return None };
    let played = choices.iter().find(|(mv, _)| mv == made.mv).map(|(_, worth)| *worth)?;
    let chances = |better: ChanceKnowledge, worse: ChanceKnowledge| Some((better.chance()?, worse.chance()?));
    let best = choices.first().map_or(played, |(_, worth)| *worth);
    let comparable = chances(best, played).filter(|_| alike(best, played));
    let lost = comparable.map(|(best, played)| (best - played).max(0.0));
    let luck = after.and_then(|after| chances(after, *before)).map(|(after, before)| after - before);
    let mark = lost.and_then(|lost| marked(lost, is_certified(played)));
    let is_best = choices.first().is_none_or(|(mv, _)| mv == made.mv);
    Some(Reviewed {
        by: made.by,
        bounds: bounds(played),
        plies: None,
        chance: chance_of(played),
        lost,
        decision: lost.and_then(|_| at_stake(choices)).map(|at_stake| Decision::Throw { at_stake }),
        luck,
        mark,
        delta: None,
        better: if is_best {
            Vec::new()
        } else {
            choices.first().map(|(mv, _)| mv.clone()).into_iter().collect()
        },
    })
}

const fn is_certified(worth: ChanceKnowledge) -> bool {
    matches!(worth, ChanceKnowledge::Certified(_))
}

/// Whether both are certified, or both estimated.
const fn alike(own: ChanceKnowledge, other: ChanceKnowledge) -> bool {
    is_certified(own) == is_certified(other)
}

/// The mark of a loss; an estimate never makes a blunder.
fn marked(lost: f64, is_certified: bool) -> Option<(Mark, Ground)> {
    let mark = by_points(lost, POINTS_OF_CHANCE)?;
    Some(if is_certified { (mark, Ground::Value) } else { (mark.min(Mark::Mistake), Ground::Chance) })
}

/// The mean loss of a random move of a throw against the best one. `None` if all are equal, or if only some are
/// certified.
fn at_stake(choices: &[(String, ChanceKnowledge)]) -> Option<f64> {
    let (_, best) = *choices.first()?;
    let chance = |(_, worth): &(String, ChanceKnowledge)| worth.chance().filter(|_| alike(*worth, best));
    let chances: Vec<f64> = choices.iter().map(chance).collect::<Option<_>>()?;
    let lost = best.chance()? - chances.iter().sum::<f64>() / chances.len() as f64;
    (lost > EQUAL).then_some(lost)
}

/// A chance, and whether it is certain.
pub(super) fn chance_of(worth: ChanceKnowledge) -> Option<(f64, Certainty)> {
    let certainty = match worth {
        ChanceKnowledge::Certified(_) => Certainty::Exact,
        ChanceKnowledge::Estimated(_) => Certainty::Estimate,
    };
    Some((worth.chance()?, certainty))
}

/// The bounds that a chance proves: only a certified chance of 1 or 0 is a win or a loss.
fn bounds(worth: ChanceKnowledge) -> Bounds {
    match chance_of(worth) {
        Some((chance, Certainty::Exact)) if chance >= 1.0 => Bounds::exact(Value::Win),
        Some((chance, Certainty::Exact)) if chance <= 0.0 => Bounds::exact(Value::Loss),
        _ => Bounds::UNKNOWN,
    }
}
