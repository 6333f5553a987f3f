//! Moves best first: wins by fewest plies, draws, unknown by estimate, losses by most plies, then by move text.

use std::cmp::Ordering;

use marquis_core::{Plies, Value};
use marquis_eval::Wdl;

use crate::domain::{Choice, Verdict};
use crate::game::exact::ExactGame;

/// Sorts moves best first and fills in how much worse each is than the best of the same value.
pub(crate) fn rank<G: ExactGame>(choices: &mut [Choice<G>]) {
    choices.sort_by(|a, b| compare(&a.verdict, &b.verdict).then_with(|| among_equals(a, b)));
    let verdicts: Vec<Verdict> = choices.iter().map(|choice| choice.verdict).collect();
    for choice in choices {
        choice.delta = delta(&choice.verdict, &verdicts);
    }
}

/// Equals by text; equal estimates as they stood, which is the order of whoever made them.
fn among_equals<G: ExactGame>(a: &Choice<G>, b: &Choice<G>) -> Ordering {
    match a.verdict.estimate.and(b.verdict.estimate) {
        Some(_) => Ordering::Equal,
        None => a.text.cmp(&b.text),
    }
}

/// How many plies a verdict is worse than the first of the same value; none where there are no plies.
fn delta(verdict: &Verdict, best_first: &[Verdict]) -> Option<u16> {
    match (verdict.value()?, verdict.plies) {
        (Value::Draw, _) => Some(0),
        (value, Some(Plies(plies))) => {
            let mut same = best_first.iter().filter(|other| other.value() == Some(value));
            let Plies(best) = same.find_map(|other| other.plies)?;
            Some(plies.abs_diff(best))
        }
        (_, None) => None,
    }
}

fn class(verdict: &Verdict) -> u8 {
    match verdict.value() {
        Some(Value::Win) => 0,
        Some(Value::Draw) => 1,
        None => 2,
        Some(Value::Loss) => 3,
    }
}

fn expected(verdict: &Verdict) -> f64 {
    verdict.estimate.map_or(0.0, Wdl::expected)
}

fn compare(a: &Verdict, b: &Verdict) -> Ordering {
    let within = match a.value() {
        Some(Value::Win) => a.plies.unwrap_or(Plies(u16::MAX)).cmp(&b.plies.unwrap_or(Plies(u16::MAX))),
        Some(Value::Loss) => b.plies.unwrap_or_default().cmp(&a.plies.unwrap_or_default()),
        None => expected(b).total_cmp(&expected(a)),
        Some(Value::Draw) => Ordering::Equal,
    };
    class(a).cmp(&class(b)).then(within)
}

#[cfg(test)]
mod tests {
    use marquis_core::Score;

    use super::*;
    use crate::domain::Proof;

    #[test]
    fn quick_wins_come_first_and_late_losses_before_early_ones() {
        let exact = |score| Verdict::exact(score, Proof::Search);
        let unknown = |win| Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win });
        let mut verdicts = vec![
            ("early-loss", exact(Score::Loss(Plies(2)))),
            ("late-loss", exact(Score::Loss(Plies(8)))),
            ("dim", unknown(0.2)),
            ("bright", unknown(0.7)),
            ("draw", exact(Score::Draw)),
            ("win", exact(Score::Win(Plies(5)))),
            ("quick-win", exact(Score::Win(Plies(3)))),
        ];
        verdicts.sort_by(|(_, a), (_, b)| compare(a, b));
        let order: Vec<&str> = verdicts.iter().map(|(name, _)| *name).collect();
        assert_eq!(order, ["quick-win", "win", "draw", "bright", "dim", "late-loss", "early-loss"]);
        let all: Vec<Verdict> = verdicts.into_iter().map(|(_, verdict)| verdict).collect();
        let deltas: Vec<Option<u16>> = all.iter().map(|verdict| delta(verdict, &all)).collect();
        assert_eq!(deltas, [Some(0), Some(2), Some(0), None, None, Some(0), Some(6)]);
    }
}
