//! Marks of games with throws: the luck of a throw apart from what was made of it.

use marquis_core::{Bounds, Value};

use super::{Appraisal, Certainty, Ground, Made, POINTS_OF_CHANCE, Reviewed, Thrown, by_points};
use crate::domain::Worth;

/// A move looked over; none where nothing was thrown, or the move is not among those of the throw.
pub(super) fn review(made: Made<'_>, appraisal: &Appraisal) -> Option<Reviewed> {
    let Appraisal::Chance(Thrown { before, after, choices }) = appraisal else { return None };
    let played = choices.iter().find(|(mv, _)| mv == made.mv).map(|(_, worth)| *worth)?;
    let chances = |better: Worth, worse: Worth| Some((better.chance()?, worse.chance()?));
    let best = choices.first().map_or(played, |(_, worth)| *worth);
    let lost = chances(best, played).map(|(best, played)| (best - played).max(0.0));
    let luck = after.and_then(|after| chances(after, *before)).map(|(after, before)| after - before);
    let mark = lost.and_then(|lost| by_points(lost, POINTS_OF_CHANCE)).map(|mark| (mark, Ground::Chance));
    let is_best = choices.first().is_none_or(|(mv, _)| mv == made.mv);
    Some(Reviewed {
        by: made.by,
        bounds: bounds(played),
        plies: None,
        chance: chance_of(played),
        lost,
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

/// A chance, and whether it is certain.
pub(super) fn chance_of(worth: Worth) -> Option<(f64, Certainty)> {
    let certainty = match worth {
        Worth::Certified(_) => Certainty::Exact,
        Worth::Estimated(_) => Certainty::Estimate,
    };
    Some((worth.chance()?, certainty))
}

/// What a chance proves: a win or a loss where it is nothing else.
fn bounds(worth: Worth) -> Bounds {
    match chance_of(worth) {
        Some((chance, Certainty::Exact)) if chance >= 1.0 => Bounds::exact(Value::Win),
        Some((chance, Certainty::Exact)) if chance <= 0.0 => Bounds::exact(Value::Loss),
        _ => Bounds::UNKNOWN,
    }
}
