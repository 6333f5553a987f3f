//! Moves best first: wins by fewest plies, draws, unknown by estimate, losses by most plies, then by move text.

use std::cmp::Ordering;

use marquis_core::Value;

use crate::answer::MoveAnswer;

/// Sorts moves best first and fills in how much worse each is than the best of the same value.
pub(crate) fn rank(moves: &mut [MoveAnswer]) {
    moves.sort_by(compare);
    let firsts: Vec<(String, Option<u16>)> = [Value::Win, Value::Loss]
        .into_iter()
        .filter_map(|value| {
            let best = moves.iter().find(|m| m.verdict.value == value.name() && m.verdict.plies.is_some())?;
            Some((best.verdict.value.clone(), best.verdict.plies))
        })
        .collect();
    for answer in moves {
        answer.delta = match (answer.verdict.value.as_str(), answer.verdict.plies) {
            ("draw", _) => Some(0),
            (value, Some(plies)) => {
                let best = firsts.iter().find(|(of, _)| of == value).and_then(|(_, best)| *best);
                best.map(|best| plies.abs_diff(best))
            }
            _ => None,
        };
    }
}

fn class(answer: &MoveAnswer) -> u8 {
    match answer.verdict.value.as_str() {
        "win" => 0,
        "draw" => 1,
        "unknown" => 2,
        _ => 3,
    }
}

fn compare(a: &MoveAnswer, b: &MoveAnswer) -> Ordering {
    let plies = |answer: &MoveAnswer| answer.verdict.plies;
    let within = match class(a) {
        0 => plies(a).unwrap_or(u16::MAX).cmp(&plies(b).unwrap_or(u16::MAX)),
        3 => plies(b).unwrap_or(0).cmp(&plies(a).unwrap_or(0)),
        2 => {
            let estimate = |answer: &MoveAnswer| answer.verdict.estimate.unwrap_or(0.0);
            estimate(b).total_cmp(&estimate(a))
        }
        _ => Ordering::Equal,
    };
    class(a).cmp(&class(b)).then(within).then_with(|| a.mv.cmp(&b.mv))
}

#[cfg(test)]
mod tests {
    use marquis_core::{Bounds, Plies, Score};

    use super::*;
    use crate::answer::{Proof, Verdict};

    fn answer(mv: &str, verdict: Verdict) -> MoveAnswer {
        MoveAnswer { mv: mv.to_owned(), position: String::new(), verdict, delta: None }
    }

    #[test]
    fn quick_wins_come_first_and_late_losses_before_early_ones() {
        let exact = |score| Verdict::exact(score, Proof::Search);
        let unknown =
            |estimate| Verdict { estimate: Some(estimate), ..Verdict::bounded(Bounds::UNKNOWN, Proof::None) };
        let mut moves = vec![
            answer("early-loss", exact(Score::Loss(Plies(2)))),
            answer("late-loss", exact(Score::Loss(Plies(8)))),
            answer("dim", unknown(0.2)),
            answer("bright", unknown(0.7)),
            answer("draw", exact(Score::Draw)),
            answer("b-win", exact(Score::Win(Plies(5)))),
            answer("a-win", exact(Score::Win(Plies(5)))),
            answer("quick-win", exact(Score::Win(Plies(3)))),
        ];
        rank(&mut moves);
        let order: Vec<&str> = moves.iter().map(|m| m.mv.as_str()).collect();
        assert_eq!(
            order,
            ["quick-win", "a-win", "b-win", "draw", "bright", "dim", "late-loss", "early-loss"]
        );
        let deltas: Vec<Option<u16>> = moves.iter().map(|m| m.delta).collect();
        assert_eq!(deltas, [Some(0), Some(2), Some(2), Some(0), None, None, Some(0), Some(6)]);
    }
}
