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
    let mut after_plies = last.verdict.plies();
    let mut reviewed = Vec::new();
    for (made, own) in made.iter().zip(before).rev() {
        let played = own.choices.iter().find(|(mv, _)| mv == made.mv).map(|(_, verdict)| verdict);
        let bounds =
            both(for_opponent(after.bounds), played.map_or(Bounds::UNKNOWN, |verdict| verdict.bounds));
        let at_least = own.verdict.bounds.worst.max(bounds.worst).min(own.verdict.bounds.best);
        let here = Bounds { worst: at_least, ..own.verdict.bounds };
        let seen = Seen { bounds: here, chance: within(here, chance_of(&own.verdict)) };
        let left = within(bounds, after.chance.map(|(chance, certainty)| (1.0 - chance, certainty)));
        let lost = seen.chance.zip(left).map(|((before, _), (left, _))| (before - left).max(0.0));
        let plies = played.and_then(Verdict::plies);
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
        (after, after_plies) = (seen, own.verdict.plies());
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
    let own_plies = played.plies()?.0;
    let same = own.choices.iter().filter(|(_, verdict)| verdict.value() == Some(value));
    let plies = same.filter_map(|(_, verdict)| verdict.plies().map(|Plies(plies)| plies));
    match value {
        Value::Win => Some(own_plies - plies.min()?.min(own_plies)),
        Value::Loss => Some(plies.max()?.max(own_plies) - own_plies),
        Value::Draw => None,
    }
}

/// The chance that follows from bounds, or an estimate brought within them.
fn within(bounds: Bounds, estimate: Option<(f64, Certainty)>) -> Option<(f64, Certainty)> {
    let known = bounds.value().map(|value| (certain(value), Certainty::Exact));
    let [least, most] = [bounds.worst, bounds.best].map(certain);
    known.or_else(|| estimate.map(|(chance, certainty)| (chance.clamp(least, most), certainty)))
}

fn for_opponent(bounds: Bounds) -> Bounds {
    Bounds { worst: bounds.best.for_opponent(), best: bounds.worst.for_opponent() }
}

/// What both say; the first where they contradict each other, for it was looked at by itself.
fn both(own: Bounds, other: Bounds) -> Bounds {
    let bounds = Bounds { worst: own.worst.max(other.worst), best: own.best.min(other.best) };
    if bounds.worst <= bounds.best { bounds } else { own }
}

#[cfg(test)]
mod tests {
    use marquis_core::{Player, Score};

    use super::*;
    use crate::domain::{Proof, Wdl};

    /// A position of which nothing is proved, with a chance to win and these moves.
    fn thought(win: f64, choices: &[(&str, Verdict)]) -> Appraised {
        let verdict = Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win });
        let choices: Vec<(String, Verdict)> =
            choices.iter().map(|(mv, own)| ((*mv).to_owned(), *own)).collect();
        let line = choices.first().map(|(mv, _)| mv.clone()).into_iter().collect();
        Appraised { verdict, choices, line }
    }

    fn proved(value: Value) -> Verdict {
        Verdict::bounded(Bounds::exact(value), Proof::Search)
    }

    const MADE: [Made<'static>; 2] =
        [Made { by: Player::First, mv: "a" }, Made { by: Player::Second, mv: "b" }];

    #[test]
    fn what_is_proved_after_a_move_holds_for_it_and_for_what_was_left_before() {
        // Nobody saw it coming: after the second move the first player is lost.
        let first = thought(0.6, &[("c", Verdict::UNKNOWN), ("a", Verdict::UNKNOWN)]);
        let second = thought(0.4, &[("b", Verdict::UNKNOWN)]);
        let last = Appraised { verdict: proved(Value::Loss), choices: Vec::new(), line: Vec::new() };
        let reviewed = review(&MADE, &[&first, &second, &last]);
        let [a, b] = &reviewed[..] else { panic!("{reviewed:?}") };
        // The second player wins by it, has lost nothing, and had no other move to choose from.
        assert_eq!((b.bounds.value(), b.lost, b.mark), (Some(Value::Win), Some(0.0), None));
        // The first move has lost, of 60 points that were thought to be there.
        assert_eq!((a.bounds.value(), a.chance), (Some(Value::Loss), Some((0.0, Certainty::Exact))));
        assert!(a.lost.is_some_and(|lost| (lost - 0.6).abs() < 1e-9), "{a:?}");
        assert_eq!((a.mark, &a.better[..]), (Some((Mark::Blunder, Ground::Chance)), &["c".to_owned()][..]));
        // Where the other move is proved to win, that is what was thrown away.
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
        for (after, mark) in [
            (0.54, None),
            (0.55, Some(Mark::Inaccuracy)),
            (0.60, Some(Mark::Mistake)),
            (0.65, Some(Mark::Blunder)),
        ] {
            let before = thought(0.5, &[("c", Verdict::UNKNOWN), ("a", Verdict::UNKNOWN)]);
            let [a] = &review(&MADE[..1], &[&before, &thought(after, &[])])[..] else { panic!("one move") };
            assert_eq!(a.mark, mark.map(|mark| (mark, Ground::Chance)), "{after}");
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
    fn a_win_that_comes_later_is_told_in_plies() {
        let win = |plies| Verdict::exact(Score::Win(Plies(plies)), Proof::Search);
        let before = Appraised { verdict: win(3), ..thought(0.5, &[("c", win(3)), ("a", win(7))]) };
        let after =
            Appraised { verdict: Verdict::exact(Score::Loss(Plies(6)), Proof::Search), ..thought(0.5, &[]) };
        let [a] = &review(&MADE[..1], &[&before, &after])[..] else { panic!("one move") };
        assert_eq!((a.delta, a.plies, a.mark), (Some(4), Some(Plies(7)), None));
    }
}
