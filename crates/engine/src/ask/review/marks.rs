//! Marks of games without chance: first what is proved, then what is thought.

use marquis_core::{Bounds, Plies, Value};

use super::{Appraised, Certainty, Ground, Made, Mark, POINTS, Reviewed, by_points, certain, chance_of};
use crate::domain::Verdict;

/// What is known of a position when the game is over: with what came to light later.
struct Seen {
    bounds: Bounds,
    chance: Option<(f64, Certainty)>,
}

/// The moves looked over, from the last one to the first: what is proved of a position holds for the move that led
/// there, and by it for the position before.
///
/// * `appraised`: of the position before each move, and of the one after the last.
pub(super) fn review(made: &[Made<'_>], appraised: &[&Appraised]) -> Vec<Reviewed> {
    let Some((last, before)) = appraised.split_last() else { return Vec::new() };
    let mut after = Seen { bounds: last.verdict.bounds, chance: chance_of(&last.verdict) };
    let mut after_plies = last.verdict.plies;
    let mut reviewed = Vec::new();
    for (made, own) in made.iter().zip(before).rev() {
        let played = own.choices.iter().find(|(mv, _)| mv == made.mv).map(|(_, verdict)| verdict);
        let bounds =
            both(for_opponent(after.bounds), played.map_or(Bounds::UNKNOWN, |verdict| verdict.bounds));
        let at_least = own.verdict.bounds.worst.max(bounds.worst).min(own.verdict.bounds.best);
        let here = Bounds { worst: at_least, ..own.verdict.bounds };
        let seen = Seen { bounds: here, chance: known(here).or_else(|| chance_of(&own.verdict)) };
        let left =
            known(bounds).or_else(|| after.chance.map(|(chance, certainty)| (1.0 - chance, certainty)));
        let lost = seen.chance.zip(left).map(|((before, _), (left, _))| (before - left).max(0.0));
        let plies = played.and_then(|verdict| verdict.plies);
        let plies = plies.or_else(|| after_plies.map(|Plies(plies)| Plies(plies.saturating_add(1))));
        reviewed.push(Reviewed {
            by: made.by,
            bounds,
            plies: plies.filter(|_| bounds.value().is_some()),
            chance: left,
            lost,
            luck: None,
            mark: mark(own, *made, here, bounds, lost),
            delta: played.and_then(|played| delta(own, played)),
            better: if own.line.first().is_some_and(|best| best == made.mv) {
                Vec::new()
            } else {
                own.line.clone()
            },
        });
        (after, after_plies) = (seen, own.verdict.plies);
    }
    reviewed.reverse();
    reviewed
}

/// The mark of a move.
///
/// * `here`, `bounds`: of the position before it, and of the move.
fn mark(
    own: &Appraised,
    made: Made<'_>,
    here: Bounds,
    bounds: Bounds,
    lost: Option<f64>,
) -> Option<(Mark, Ground)> {
    if bounds.best < here.worst {
        return Some((Mark::Blunder, Ground::Value));
    }
    if bounds.worst >= here.best {
        // All that there was to keep is kept, whatever chances say.
        return is_only(own, made, bounds.worst).then_some((Mark::Great, Ground::Value));
    }
    lost.and_then(|lost| by_points(lost, POINTS)).map(|mark| (mark, Ground::Chance))
}

/// Whether all other moves are proved to be worth less than this value, which is no loss, and there are some.
fn is_only(own: &Appraised, made: Made<'_>, value: Value) -> bool {
    let others = || own.choices.iter().filter(|(mv, _)| mv != made.mv);
    value > Value::Loss && others().count() > 0 && others().all(|(_, verdict)| verdict.bounds.best < value)
}

/// How many plies worse a move is than the best one of the same value.
fn delta(own: &Appraised, played: &Verdict) -> Option<u16> {
    let value = played.value()?;
    let own_plies = played.plies?.0;
    let same = own.choices.iter().filter(|(_, verdict)| verdict.value() == Some(value));
    let plies = same.filter_map(|(_, verdict)| verdict.plies.map(|Plies(plies)| plies));
    match value {
        Value::Win => Some(own_plies - plies.min()?.min(own_plies)),
        Value::Loss => Some(plies.max()?.max(own_plies) - own_plies),
        Value::Draw => None,
    }
}

/// The chance that follows from bounds.
fn known(bounds: Bounds) -> Option<(f64, Certainty)> {
    bounds.value().map(|value| (certain(value), Certainty::Exact))
}

fn for_opponent(bounds: Bounds) -> Bounds {
    Bounds { worst: bounds.best.for_opponent(), best: bounds.worst.for_opponent() }
}

/// What both say; the first where they contradict each other, for it was looked at by itself.
fn both(own: Bounds, other: Bounds) -> Bounds {
    let bounds = Bounds { worst: own.worst.max(other.worst), best: own.best.min(other.best) };
    if bounds.worst <= bounds.best { bounds } else { own }
}
