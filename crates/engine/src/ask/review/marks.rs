//! Marks of games without chance: by proofs first, then by estimates.

use marquis_core::{Bounds, Plies, Value};

use super::{
    Appraised, Certainty, Considered, Decision, EQUAL, Ground, Mark, POINTS, PlayedMove, Reviewed, by_points,
    certain, chance_of,
};
use crate::results::Verdict;

/// The knowledge about a position in hindsight, including proofs found later in the game.
struct Seen {
    bounds: Bounds,
    chance: Option<(f64, Certainty)>,
}

/// Reviews the moves, from the last one to the first. A proof about a position holds for the move that led there, and
/// through it for the position before. Earlier proofs hold for the positions that follow.
///
/// * `appraised`: of the position before each move, and of the one after the last.
pub(super) fn review(made: &[PlayedMove<'_>], appraised: &[&Appraised]) -> Vec<Reviewed> {
    let Some((last, before)) = appraised.split_last() else { return Vec::new() };
    let mut known_before = known_before(made, appraised);
    let end = known_before.pop().unwrap_or(Bounds::UNKNOWN);
    let mut after = Seen { bounds: end, chance: within(end, chance_of(&last.verdict)) };
    let mut after_plies = last.verdict.plies();
    let mut reviewed = Vec::new();
    for ((made, own), before) in made.iter().zip(before).zip(known_before).rev() {
        let played = own.choices.iter().find(|choice| choice.mv == made.mv);
        let bounds =
            both(for_opponent(after.bounds), played.map_or(Bounds::UNKNOWN, |choice| choice.verdict.bounds));
        let here = Bounds { worst: before.worst.max(bounds.worst).min(before.best), ..before };
        // No move is better than its position: in a lost one all lose.
        let bounds = Bounds { worst: bounds.worst.min(here.best), best: bounds.best.min(here.best) };
        let seen = Seen { bounds: here, chance: within(here, chance_of(&own.verdict)) };
        let left = within(bounds, after.chance.map(|(chance, certainty)| (1.0 - chance, certainty)));
        let lost = lost(own, played, here, bounds);
        let plies = played.and_then(|choice| choice.verdict.plies());
        let plies = plies.or_else(|| after_plies.map(|Plies(plies)| Plies(plies.saturating_add(1))));
        let is_decision = lost.is_some() && here.best > Value::Loss && differ(&own.choices);
        reviewed.push(Reviewed {
            by: made.by,
            bounds,
            plies: plies.filter(|_| bounds.value().is_some()),
            chance: left,
            lost,
            decision: is_decision.then_some(Decision::Move),
            luck: None,
            mark: mark(own, *made, here, bounds, lost),
            delta: played.and_then(|played| delta(own, &played.verdict)),
            better: if own.line.first().is_some_and(|best| best == made.mv) {
                Vec::new()
            } else {
                own.line.clone()
            },
        });
        (after, after_plies) = (seen, own.verdict.plies());
    }
    reviewed.reverse();
    reviewed
}

/// The bounds of each position by its own appraisal and the earlier ones. The bounds of a move hold for the position
/// after it, and after every move of a lost position the opponent wins.
fn known_before(made: &[PlayedMove<'_>], appraised: &[&Appraised]) -> Vec<Bounds> {
    let mut by_earlier = Bounds::UNKNOWN;
    let mut known = Vec::new();
    for (number, own) in appraised.iter().enumerate() {
        let here = both(own.verdict.bounds, by_earlier);
        known.push(here);
        let is_made = |choice: &&Considered| made.get(number).is_some_and(|made| choice.mv == made.mv);
        let Bounds { worst, best } =
            own.choices.iter().find(is_made).map_or(Bounds::UNKNOWN, |choice| choice.verdict.bounds);
        by_earlier = for_opponent(Bounds { worst: worst.min(here.best), best: best.min(here.best) });
    }
    known
}

/// The chance that a move loses: by values if both are proved, or by estimates of the same depth if neither is.
///
/// * `here`, `bounds`: of the position before it, and of the move.
fn lost(own: &Appraised, played: Option<&Considered>, here: Bounds, bounds: Bounds) -> Option<f64> {
    if bounds.best < here.worst {
        return Some(certain(here.worst) - certain(bounds.best));
    }
    if bounds.worst >= here.best {
        return Some(0.0);
    }
    if here.value().or(bounds.value()).is_some() {
        return None;
    }
    let best = own.choices.iter().filter_map(Considered::open).reduce(f64::max)?;
    Some((best - played?.open()?).max(0.0))
}

/// Whether two moves differ in value, or in estimates of the same depth.
fn differ(choices: &[Considered]) -> bool {
    let values = || choices.iter().filter_map(|choice| choice.verdict.value());
    let chances = || choices.iter().filter_map(Considered::open);
    let is_wide = chances().reduce(f64::max).zip(chances().reduce(f64::min));
    values().min() != values().max() || is_wide.is_some_and(|(most, least)| most - least > EQUAL)
}

impl Considered {
    /// The estimate of an unproved move.
    fn open(&self) -> Option<f64> {
        self.alike.filter(|_| self.verdict.value().is_none())
    }
}

/// The mark of a move.
///
/// * `here`, `bounds`: of the position before it, and of the move.
fn mark(
    own: &Appraised,
    made: PlayedMove<'_>,
    here: Bounds,
    bounds: Bounds,
    lost: Option<f64>,
) -> Option<(Mark, Ground)> {
    if bounds.best < here.worst {
        return Some((Mark::Blunder, Ground::Value));
    }
    if bounds.worst >= here.best {
        // The value is kept, regardless of the chances.
        return is_only(own, made, bounds.worst).then_some((Mark::Great, Ground::Value));
    }
    lost.and_then(|lost| by_points(lost, POINTS)).map(|mark| (mark, Ground::Chance))
}

/// Whether `value` is no loss, and there are other moves, all proved to be worth less.
fn is_only(own: &Appraised, made: PlayedMove<'_>, value: Value) -> bool {
    let others = || own.choices.iter().filter(|choice| choice.mv != made.mv);
    let all_worse = || others().all(|choice| choice.verdict.bounds.best < value);
    value > Value::Loss && others().count() > 0 && all_worse()
}

/// The plies by which a move is worse than the best one of the same value.
fn delta(own: &Appraised, played: &Verdict) -> Option<u16> {
    let value = played.value()?;
    let own_plies = played.plies()?.0;
    let same = own.choices.iter().filter(|choice| choice.verdict.value() == Some(value));
    let plies = same.filter_map(|choice| choice.verdict.plies().map(|Plies(plies)| plies));
    match value {
        Value::Win => Some(own_plies - plies.min()?.min(own_plies)),
        Value::Loss => Some(plies.max()?.max(own_plies) - own_plies),
        Value::Draw => None,
    }
}

/// The chance that follows from bounds, or an estimate clamped to them.
fn within(bounds: Bounds, estimate: Option<(f64, Certainty)>) -> Option<(f64, Certainty)> {
    let known = bounds.value().map(|value| (certain(value), Certainty::Exact));
    let [least, most] = [bounds.worst, bounds.best].map(certain);
    known.or_else(|| estimate.map(|(chance, certainty)| (chance.clamp(least, most), certainty)))
}

fn for_opponent(bounds: Bounds) -> Bounds {
    Bounds { worst: bounds.best.for_opponent(), best: bounds.worst.for_opponent() }
}

/// The intersection of both; `own` if they contradict each other, because it was examined directly.
fn both(own: Bounds, other: Bounds) -> Bounds {
    let bounds = Bounds { worst: own.worst.max(other.worst), best: own.best.min(other.best) };
    if bounds.worst <= bounds.best { bounds } else { own }
}

#[cfg(test)]
mod tests {
    use marquis_core::{Player, Score};

    use super::*;
    use crate::results::{Proof, Wdl};

    /// An unproved position with this chance to win and these moves.
    fn thought(win: f64, choices: &[(&str, Verdict)]) -> Appraised {
        let verdict = Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win });
        let considered = |(mv, own): &(&str, Verdict)| Considered {
            mv: (*mv).to_owned(),
            verdict: *own,
            alike: own.wdl().map(Wdl::expected),
        };
        let choices: Vec<Considered> = choices.iter().map(considered).collect();
        let line = choices.first().map(|choice| choice.mv.clone()).into_iter().collect();
        Appraised { verdict, choices, line }
    }

    fn proved(value: Value) -> Verdict {
        Verdict::bounded(Bounds::exact(value), Proof::Search)
    }

    const MADE: [PlayedMove<'static>; 2] =
        [PlayedMove { by: Player::First, mv: "a" }, PlayedMove { by: Player::Second, mv: "b" }];

    #[test]
    fn what_is_proved_after_a_move_holds_for_it_and_for_what_was_left_before() {
        // Unforeseen: after the second move the first player is lost.
        let first = thought(0.6, &[("c", Verdict::UNKNOWN), ("a", Verdict::UNKNOWN)]);
        let second = thought(0.4, &[("b", Verdict::UNKNOWN)]);
        let last = Appraised { verdict: proved(Value::Loss), choices: Vec::new(), line: Vec::new() };
        let reviewed = review(&MADE, &[&first, &second, &last]);
        let [a, b] = &reviewed[..] else { panic!("{reviewed:?}") };
        // The second move wins, loses nothing, and was the only one.
        assert_eq!((b.bounds.value(), b.lost, b.mark), (Some(Value::Win), Some(0.0), None));
        // The first move loses, but no proof says that the position was worth more.
        assert_eq!((a.bounds.value(), a.chance), (Some(Value::Loss), Some((0.0, Certainty::Exact))));
        assert_eq!((a.lost, a.mark, a.decision), (None, None, None));
        assert_eq!(a.better, ["c".to_owned()]);
        // If the other move is proved to win, the first one gave that win away.
        let first = thought(0.6, &[("c", proved(Value::Win)), ("a", Verdict::UNKNOWN)]);
        let first = Appraised { verdict: proved(Value::Win), ..first };
        let reviewed = review(&MADE, &[&first, &second, &last]);
        assert_eq!((reviewed[0].mark, reviewed[0].lost), (Some((Mark::Blunder, Ground::Value)), Some(1.0)));
    }

    #[test]
    fn a_proved_draw_that_is_kept_is_no_mistake_whatever_chances_say() {
        let draw = thought(0.9, &[("a", proved(Value::Draw)), ("c", proved(Value::Loss))]);
        let drawn = Appraised { verdict: proved(Value::Draw), ..draw };
        let after = thought(0.95, &[("b", Verdict::UNKNOWN)]);
        let [a] = &review(&MADE[..1], &[&drawn, &after])[..] else { panic!("one move") };
        assert_eq!((a.bounds.value(), a.lost), (Some(Value::Draw), Some(0.0)));
        assert_eq!(a.mark, Some((Mark::Great, Ground::Value)), "the other move loses");
    }

    #[test]
    fn points_decide_where_nothing_is_proved() {
        let estimate = |win| Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win });
        for (played, mark) in [
            (0.46, None),
            (0.45, Some(Mark::Inaccuracy)),
            (0.40, Some(Mark::Mistake)),
            (0.05, Some(Mark::Mistake)),
        ] {
            // Estimates at other depths, before or after the move, do not count.
            let before = thought(0.9, &[("c", estimate(0.5)), ("a", estimate(played))]);
            let [a] = &review(&MADE[..1], &[&before, &thought(0.8, &[])])[..] else { panic!("one move") };
            assert_eq!(a.mark, mark.map(|mark| (mark, Ground::Chance)), "{played}");
            assert_eq!(a.decision, Some(Decision::Move));
        }
    }

    #[test]
    fn a_chance_lies_within_the_bounds_of_its_move() {
        let at_most = |best| Verdict::bounded(Bounds { best, ..Bounds::UNKNOWN }, Proof::Search);
        let before = thought(0.7, &[("a", at_most(Value::Draw)), ("c", Verdict::UNKNOWN)]);
        let [a] = &review(&MADE[..1], &[&before, &thought(0.3, &[])])[..] else { panic!("one move") };
        assert_eq!((a.bounds, a.chance), (at_most(Value::Draw).bounds, Some((0.5, Certainty::Estimate))));
    }

    #[test]
    fn an_open_move_of_a_won_position_is_unproved_and_no_blunder() {
        let estimate = |win| Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win });
        let before = thought(1.0, &[("c", proved(Value::Win)), ("a", estimate(0.4)), ("d", estimate(0.6))]);
        let before = Appraised { verdict: proved(Value::Win), ..before };
        let [a] = &review(&MADE[..1], &[&before, &thought(0.4, &[])])[..] else { panic!("one move") };
        assert_eq!((a.bounds, a.lost, a.mark, a.decision), (Bounds::UNKNOWN, None, None, None));
    }

    #[test]
    fn nothing_is_lost_in_a_lost_position() {
        let before = thought(0.0, &[("c", proved(Value::Loss)), ("a", Verdict::UNKNOWN)]);
        let before = Appraised { verdict: proved(Value::Loss), ..before };
        let [a] = &review(&MADE[..1], &[&before, &thought(0.3, &[])])[..] else { panic!("one move") };
        assert_eq!(
            (a.bounds.value(), a.lost, a.mark, a.decision),
            (Some(Value::Loss), Some(0.0), None, None)
        );
    }

    #[test]
    fn a_win_that_comes_later_is_told_in_plies() {
        let win = |plies| Verdict::exact(Score::Win(Plies(plies)), Proof::Search);
        let before = Appraised { verdict: win(3), ..thought(0.5, &[("c", win(3)), ("a", win(7))]) };
        let after =
            Appraised { verdict: Verdict::exact(Score::Loss(Plies(6)), Proof::Search), ..thought(0.5, &[]) };
        let [a] = &review(&MADE[..1], &[&before, &after])[..] else { panic!("one move") };
        assert_eq!((a.delta, a.plies, a.mark), (Some(4), Some(Plies(7)), None));
    }
}
