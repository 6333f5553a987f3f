//! One-step consequences between the verdicts of a position and of its moves.

use marquis_core::Value;
use marquis_proof::Span;

use crate::results::{Proof, Verdict};

/// The least plies to the end by a move that does not end the game.
const SOONEST: u16 = 2;

/// Adds the consequences: for the position from all of its moves, and for each move from the position and the others.
///
/// A second call adds nothing.
///
/// * `root`: for the player to move.
/// * `moves`: all of them, for the player who makes them, plies counted from the position; empty if the game is over.
pub(crate) fn close(root: &mut Verdict, moves: &mut [Verdict]) {
    if moves.is_empty() {
        return;
    }
    values(root, moves);
    moves.iter_mut().for_each(going_on);
    match root.value() {
        Some(Value::Win) => won(root, moves),
        Some(Value::Loss) => lost(root, moves),
        Some(Value::Draw) | None => {}
    }
}

/// A decided move that is not known to end the game takes at least `SOONEST` plies.
fn going_on(own: &mut Verdict) {
    if own.value().is_some_and(|value| value != Value::Draw) && own.span.most != Some(1) {
        own.lasts(Span { least: SOONEST, most: None });
    }
}

fn values(root: &mut Verdict, moves: &mut [Verdict]) {
    // One best move is enough for a lower bound, an upper bound needs all moves.
    if let Some(worst) = moves.iter().map(|own| own.bounds.worst).max() {
        let best = moves.iter().filter(|own| own.bounds.worst == worst).map(|own| derived(own.proof));
        root.at_least(worst, best.min().unwrap_or(Proof::None));
    }
    if let Some(best) = moves.iter().map(|own| own.bounds.best).max() {
        let all = moves.iter().map(|own| derived(own.proof));
        root.at_most(best, all.max().unwrap_or(Proof::None));
    }
    for own in moves.iter_mut() {
        own.at_most(root.bounds.best, root.proof);
    }
    // If only one move can be as good as the position, it is.
    let worst = root.bounds.worst;
    let mut able = moves.iter_mut().filter(|own| own.bounds.best >= worst);
    if let (Some(only), None) = (able.next(), able.next()) {
        only.at_least(worst, root.proof);
    }
}

/// The source of a value that follows from a move; `Proof::Rules` is for finished games only.
const fn derived(proof: Proof) -> Proof {
    match proof {
        Proof::Rules => Proof::Search,
        other => other,
    }
}

/// The plies of a won position are those of its quickest win.
fn won(root: &mut Verdict, moves: &mut [Verdict]) {
    let wins = |own: &&mut Verdict| own.value() == Some(Value::Win);
    let least = |own: &Verdict| if own.value().is_some() { own.span.least } else { SOONEST };
    let able = moves.iter().filter(|own| own.bounds.best == Value::Win);
    let soonest = able.clone().map(least).min().unwrap_or(root.span.least);
    let most = able.clone().filter(|own| own.value().is_some()).filter_map(|own| own.span.most).min();
    root.lasts(Span { least: soonest, most });
    let is_only = able.count() == 1;
    let later = Span { least: root.span.least, most: root.span.most.filter(|_| is_only) };
    moves.iter_mut().filter(wins).for_each(|own| own.lasts(later));
}

/// The plies of a lost position are those of its longest resistance.
fn lost(root: &mut Verdict, moves: &mut [Verdict]) {
    let least = moves.iter().map(|own| own.span.least).max().unwrap_or(root.span.least);
    let most = moves.iter().map(|own| own.span.most).max_by_key(|most| most.unwrap_or(u16::MAX)).flatten();
    let most = most.filter(|_| moves.iter().all(|own| own.span.most.is_some()));
    root.lasts(Span { least, most });
    let sooner = Span { least: 0, most: root.span.most };
    moves.iter_mut().for_each(|own| own.lasts(sooner));
    let longest = moves.iter().filter(|own| own.span.most.is_none_or(|most| most >= root.span.least)).count();
    if longest == 1 {
        let span = root.span;
        let able = moves.iter_mut().find(|own| own.span.most.is_none_or(|most| most >= span.least));
        able.into_iter().for_each(|own| own.lasts(span));
    }
}

#[cfg(test)]
mod tests {
    use marquis_core::{Bounds, Plies, Score};
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// A random score of a move.
    fn any(random: &mut SmallRng) -> Score {
        let plies = Plies(random.random_range(1..8));
        [Score::Loss(Plies(plies.0 + 1)), Score::Draw, Score::Win(plies)][random.random_range(0..3)]
    }

    /// A random true verdict about a score.
    fn part_of(random: &mut SmallRng, score: Score) -> Verdict {
        let value = score.value();
        let known = [
            Verdict::exact(score, Proof::Table),
            Verdict::bounded(Bounds::exact(value), Proof::Search),
            Verdict::within(value, score.plies().map(|Plies(plies)| Plies(plies + 2)), Proof::File),
            Verdict::bounded(Bounds { worst: value, best: Value::Win }, Proof::Search),
            Verdict::bounded(Bounds { worst: Value::Loss, best: value }, Proof::Search),
            Verdict::UNKNOWN,
        ];
        // A move that ends the game is known.
        let ends = score.plies() == Some(Plies(1));
        known[if ends { 0 } else { random.random_range(0..known.len()) }]
    }

    fn allows(verdict: &Verdict, score: Score) -> bool {
        let Bounds { worst, best } = verdict.bounds;
        let plies = score.plies().filter(|_| verdict.value().is_some());
        let span = verdict.span;
        let lasts = |Plies(plies)| span.least <= plies && span.most.is_none_or(|most| plies <= most);
        worst <= score.value() && score.value() <= best && plies.is_none_or(lasts)
    }

    #[test]
    fn a_move_that_wins_at_once_needs_no_file() {
        let ends = Verdict::exact(Score::Win(Plies(1)), Proof::Rules);
        let proof_after = |moves: &[Verdict]| {
            let mut root = Verdict::within(Value::Win, None, Proof::File);
            close(&mut root, &mut moves.to_vec());
            root.proof
        };
        assert_eq!(proof_after(&[Verdict::UNKNOWN, ends]), Proof::Search);
        assert_eq!(proof_after(&[Verdict::UNKNOWN, Verdict::UNKNOWN]), Proof::File);
    }

    #[test]
    fn what_follows_is_true_all_that_follows_and_follows_once() {
        let mut random = SmallRng::seed_from_u64(5);
        for _ in 0..200_000 {
            let scores: Vec<Score> = (0..random.random_range(1..5)).map(|_| any(&mut random)).collect();
            let best = *scores.iter().max().expect("one at least");
            let mut root = part_of(&mut random, best);
            let mut moves: Vec<Verdict> = scores.iter().map(|&score| part_of(&mut random, score)).collect();
            close(&mut root, &mut moves);
            let found = || format!("{scores:?}: {root:?} {moves:?}");
            assert!(allows(&root, best), "{}", found());
            assert!(moves.iter().zip(&scores).all(|(own, &score)| allows(own, score)), "{}", found());
            let values: Vec<Option<Value>> = moves.iter().map(Verdict::value).collect();
            if root.value() == Some(Value::Loss) {
                assert!(values.iter().all(|value| *value == Some(Value::Loss)), "{}", found());
            }
            if values.contains(&Some(Value::Win)) || values.iter().all(Option::is_some) {
                assert_eq!(root.value(), values.iter().flatten().max().copied(), "{}", found());
            }
            if moves.iter().all(|own| own.plies().is_some()) {
                assert_eq!(root.plies(), best.plies(), "{}", found());
            }
            if moves.iter().any(|own| own.value() == Some(Value::Win) && own.plies() == Some(Plies(1))) {
                assert_eq!(root.plies(), Some(Plies(1)), "{}", found());
            }
            let (again, mut more) = (root, moves.clone());
            let mut root = again;
            close(&mut root, &mut more);
            assert_eq!((root, &more), (again, &moves));
        }
    }
}
