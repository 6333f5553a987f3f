//! Moves best first.
//!
//! Wins come first, by fewest plies, then draws, unknown moves by estimate, and losses by most plies. Without exact
//! plies, a win counts as the longest that it may take, and a loss comes before those whose end is near. Among such
//! losses the one that looks hardest to refute comes first: by the judge, or else by the longest proof. The text
//! settles exact ties.

use std::cmp::Ordering;

use marquis_core::{Plies, Value};
use marquis_eval::Wdl;

use crate::game::exact::ExactGame;
use crate::results::{ValuedMove, Verdict};

/// Sorts moves best first and sets how much worse each is than the best of the same value.
///
/// * `root`: the verdict about the position. If its value is unknown, a draw is as good as an even chance.
pub(crate) fn rank<G: ExactGame>(choices: &mut [ValuedMove<G>], root: &Verdict) {
    let rank = |choice: &ValuedMove<G>| Rank::of(&choice.verdict, choice.leaning, root);
    choices.sort_by(|a, b| rank(a).compare(&rank(b)).then_with(|| a.text.cmp(&b.text)));
    let verdicts: Vec<Verdict> = choices.iter().map(|choice| choice.verdict).collect();
    for choice in choices {
        choice.delta = delta(&choice.verdict, &verdicts);
    }
}

/// The indices of the moves, best first; `tie` settles ties and has to be the same for all images.
pub(crate) fn in_order<G: ExactGame>(
    choices: &[ValuedMove<G>],
    root: &Verdict,
    tie: impl Fn(&ValuedMove<G>) -> u64,
) -> Vec<usize> {
    let mut numbered: Vec<(usize, Rank, u64)> = choices
        .iter()
        .enumerate()
        .map(|(number, choice)| (number, Rank::of(&choice.verdict, choice.leaning, root), tie(choice)))
        .collect();
    sort(&mut numbered);
    numbered.into_iter().map(|(number, ..)| number).collect()
}

/// Sorts moves best first. Not part of [`in_order`], so that it is compiled once and not for each game.
fn sort(numbered: &mut [(usize, Rank, u64)]) {
    numbered.sort_by(|(_, a, a_tie), (_, b, b_tie)| a.compare(b).then(a_tie.cmp(b_tie)));
}

/// The plies by which a verdict is worse than the best of the same value; `None` if they are unknown.
fn delta(verdict: &Verdict, best_first: &[Verdict]) -> Option<u16> {
    match (verdict.value()?, verdict.plies()) {
        (Value::Draw, _) => Some(0),
        (value, Some(Plies(plies))) => {
            let same = best_first.iter().filter(|other| other.value() == Some(value));
            let counted = same.filter_map(|other| other.plies().map(|Plies(plies)| plies));
            let best = if value == Value::Win { counted.min() } else { counted.max() };
            Some(plies.abs_diff(best?))
        }
        (_, None) => None,
    }
}

/// The sort key of a move: the first field that differs decides.
struct Rank {
    class: u8,
    plies: u32,
    /// The chance of a move whose value is unknown.
    chance: f64,
    /// How promising it looks.
    leaning: f64,
    proof: u32,
    /// Whether the plies are exact: equal ones are a true tie.
    is_counted: bool,
}

/// More plies than any game has.
const UNCOUNTED: u32 = u32::MAX;

impl Rank {
    fn of(verdict: &Verdict, leaning: Option<f64>, root: &Verdict) -> Self {
        let most = verdict.span.most.map_or(UNCOUNTED, u32::from);
        let counted = verdict.plies().map(|Plies(plies)| u32::from(plies));
        let is_lost = root.value() == Some(Value::Loss);
        let chance = verdict.wdl().map_or(0.0, Wdl::expected);
        let plain = Self {
            class: 2,
            plies: 0,
            chance,
            leaning: leaning.unwrap_or(0.0),
            proof: 0,
            is_counted: counted.is_some(),
        };
        match verdict.value() {
            Some(Value::Win) => Self { class: 0, plies: most, ..plain },
            Some(Value::Draw) if root.value().is_some() => Self { class: 1, ..plain },
            Some(Value::Draw) | None => plain,
            Some(Value::Loss) => match counted {
                // No loss lasts longer than the lost position.
                Some(_) if is_lost && verdict.plies() == root.plies() => Self { class: 3, ..plain },
                None => Self { class: 4, proof: UNCOUNTED - most, ..plain },
                Some(plies) => Self { class: 5, plies: UNCOUNTED - plies, ..plain },
            },
        }
    }

    /// A total order, as sorting requires. Moves with exact plies tie whatever their estimates, so those without come
    /// after all of them.
    fn compare(&self, other: &Self) -> Ordering {
        let estimated = || {
            let chance = other.chance.total_cmp(&self.chance);
            let leaning = || other.leaning.total_cmp(&self.leaning);
            chance.then_with(leaning).then_with(|| self.proof.cmp(&other.proof))
        };
        let proved = (self.class, self.plies).cmp(&(other.class, other.plies));
        let exact = other.is_counted.cmp(&self.is_counted);
        proved.then(exact).then_with(|| if self.is_counted { Ordering::Equal } else { estimated() })
    }
}

#[cfg(test)]
mod tests {
    use marquis_core::Score;

    use super::*;
    use crate::results::Proof;

    #[test]
    fn quick_wins_come_first_and_late_losses_before_early_ones() {
        let exact = |score| (Verdict::exact(score, Proof::Search), None);
        let unknown = |win| (Verdict::UNKNOWN.estimated(Wdl { win, draw: 0.0, loss: 1.0 - win }), None);
        let within = |value, plies: Option<u16>, leaning| {
            (Verdict::within(value, plies.map(Plies), Proof::File), leaning)
        };
        let mut moves = [
            ("early-loss", exact(Score::Loss(Plies(2)))),
            ("late-loss", exact(Score::Loss(Plies(8)))),
            ("dim", unknown(0.2)),
            ("tough-loss", within(Value::Loss, Some(20), Some(0.3))),
            ("a-soft-loss", within(Value::Loss, Some(90), Some(0.1))),
            ("bright", unknown(0.7)),
            ("b-draw", exact(Score::Draw)),
            ("a-draw", exact(Score::Draw)),
            ("win", exact(Score::Win(Plies(5)))),
            ("far-win", within(Value::Win, Some(57), None)),
            ("some-win", within(Value::Win, None, Some(0.9))),
            ("quick-win", exact(Score::Win(Plies(3)))),
        ];
        let root = &Verdict::exact(Score::Win(Plies(3)), Proof::Search);
        moves.sort_by(|(a, (av, al)), (b, (bv, bl))| {
            Rank::of(av, *al, root).compare(&Rank::of(bv, *bl, root)).then_with(|| a.cmp(b))
        });
        let order = moves.map(|(name, _)| name);
        let expected = [
            "quick-win",
            "win",
            "far-win",
            "some-win",
            "a-draw",
            "b-draw",
            "bright",
            "dim",
            "tough-loss",
            "a-soft-loss",
            "late-loss",
            "early-loss",
        ];
        assert_eq!(order, expected);
        let all = moves.map(|(_, (verdict, _))| verdict);
        let deltas = all.map(|verdict| delta(&verdict, &all));
        let expected =
            [Some(0), Some(2), None, None, Some(0), Some(0), None, None, None, None, Some(0), Some(6)];
        assert_eq!(deltas, expected);
    }

    #[test]
    fn the_order_is_total() {
        let plies = [3, 9].map(Plies);
        let exact = plies.into_iter().flat_map(|plies| [Score::Win(plies), Score::Loss(plies)]);
        let exact = exact.chain([Score::Draw]).map(|score| Verdict::exact(score, Proof::Search));
        let bounded = [Value::Win, Value::Draw, Value::Loss].into_iter().flat_map(|value| {
            let most = plies.map(Some).into_iter().chain([None]);
            most.map(move |most| Verdict::within(value, most, Proof::File))
        });
        let unknown = [0.2, 0.7].map(|win| Wdl { win, draw: 0.1, loss: 0.9 - win });
        let verdicts: Vec<Verdict> =
            exact.chain(bounded).chain(unknown.map(|wdl| Verdict::UNKNOWN.estimated(wdl))).collect();
        for root in &verdicts {
            let leanings = [None, Some(0.1), Some(0.5)];
            let ranks: Vec<Rank> = verdicts
                .iter()
                .flat_map(|verdict| leanings.map(|leaning| Rank::of(verdict, leaning, root)))
                .collect();
            for (a, b) in ranks.iter().flat_map(|a| ranks.iter().map(move |b| (a, b))) {
                assert_eq!(a.compare(b), b.compare(a).reverse());
                let follows = |c: &&Rank| b.compare(c).is_le() && a.compare(b).is_le();
                assert!(ranks.iter().filter(follows).all(|c| a.compare(c).is_le()), "{root:?}");
            }
        }
    }
}
