//! The accuracy of each player.
//!
//! Source: lichess, `AccuracyPercent.scala`: a move that loses Δ points of 100 has the accuracy 103.1668 e^(−0.04354
//! Δ) − 3.1669; a game has the mean of two means of its moves, one weighted by the volatility of the chances around
//! each, the other harmonic. lichess adds one point for imperfect analysis; this code does not, because a move that
//! loses nothing already has 100. Only decisions count: moves where at least two differ.
//!
//! In a game with throws luck decides most, and the moves of a throw are few points apart. There the accuracy is the
//! share of the stake that the player kept: 100 for the best move of each throw, 0 for the loss of random moves.

use marquis_core::{ByPlayer, Player};

use super::{Decision, Mark, Reviewed};

/// The performance of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Performance {
    /// The number of reviewed moves.
    pub(crate) moves: usize,
    /// The number of moves that count for the accuracy.
    pub(crate) decisions: usize,
    /// From 0 to 100; `None` without decisions.
    pub(crate) accuracy: Option<f64>,
    pub(crate) great: usize,
    pub(crate) inaccuracies: usize,
    pub(crate) mistakes: usize,
    pub(crate) blunders: usize,
    /// The chance that all his throws gained him, where 1 is certainty; `None` without throws.
    pub(crate) luck: Option<f64>,
}

/// The accuracy of a move.
///
/// * `lost`: the lost chance, from 0 to 1.
pub(super) fn of_move(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * 100.0 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

impl Performance {
    /// The performance of both players.
    pub(crate) fn of(reviewed: &[Reviewed]) -> ByPlayer<Self> {
        let weights = weights(reviewed);
        let [first, second] = Player::BOTH.map(|player| Self::of_player(reviewed, &weights, player));
        ByPlayer::new(first, second)
    }

    fn of_player(reviewed: &[Reviewed], weights: &[f64], player: Player) -> Self {
        let own = || reviewed.iter().filter(|reviewed| reviewed.by == player);
        let count = |mark| own().filter(|own| own.mark.is_some_and(|(marked, _)| marked == mark)).count();
        let moves = reviewed.iter().zip(weights).filter(|(reviewed, _)| reviewed.by == player);
        let decided =
            moves.filter_map(|(reviewed, weight)| Some((reviewed.decision?, reviewed.lost?, *weight)));
        let decisions: Vec<(Decision, f64, f64)> = decided.collect();
        let lucks: Vec<f64> = own().filter_map(|own| own.luck).collect();
        Self {
            moves: own().count(),
            decisions: decisions.len(),
            accuracy: of_throws(&decisions).or_else(|| of_moves(&decisions)),
            great: count(Mark::Great),
            inaccuracies: count(Mark::Inaccuracy),
            mistakes: count(Mark::Mistake),
            blunders: count(Mark::Blunder),
            luck: (!lucks.is_empty()).then(|| lucks.iter().sum()),
        }
    }
}

/// The share of the stakes that was kept, in percent; `None` without throws.
///
/// * `decisions`: each with the lost chance, and its weight.
fn of_throws(decisions: &[(Decision, f64, f64)]) -> Option<f64> {
    let stakes = decisions.iter().filter_map(|(decision, lost, _)| match decision {
        Decision::Move => None,
        Decision::Throw { at_stake } => Some((*at_stake, *lost)),
    });
    let (at_stake, lost) = stakes.fold((0.0, 0.0), |all, own| (all.0 + own.0, all.1 + own.1));
    (at_stake > 0.0).then(|| 100.0 * (1.0 - lost / at_stake).max(0.0))
}

/// The accuracy in a game without throws.
fn of_moves(decisions: &[(Decision, f64, f64)]) -> Option<f64> {
    let moves: Vec<_> = decisions.iter().map(|(_, lost, weight)| (of_move(*lost), *weight)).collect();
    of_game(&moves)
}

/// The accuracy of a game from that of its moves, with weights.
fn of_game(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let all: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / all;
    let inverses: f64 = moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(0.01)).sum();
    Some(f64::midpoint(weighted, moves.len() as f64 / inverses))
}

/// The volatility of the chances around each move, in points: from 0.5 to 12.
fn weights(reviewed: &[Reviewed]) -> Vec<f64> {
    let first = |own: &Reviewed| {
        let (chance, _) = own.chance?;
        Some(100.0 * if own.by == Player::First { chance } else { 1.0 - chance })
    };
    let chances: Vec<f64> = reviewed.iter().map(|own| first(own).unwrap_or(50.0)).collect();
    let window = (chances.len() / 10).clamp(2, 8);
    let around = |number: usize| {
        let begin = number.saturating_sub(window - 1);
        deviation(&chances[begin..=number]).clamp(0.5, 12.0)
    };
    (0..chances.len()).map(around).collect()
}

fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_loses_nothing_is_wholly_accurate_and_one_that_loses_all_is_not_at_all() {
        assert!((of_move(0.0) - 100.0).abs() < 0.001);
        // 103.1668 e^(−0.4354) − 3.1669, computed by hand.
        assert!((of_move(0.1) - 63.58).abs() < 0.01, "{}", of_move(0.1));
        assert!(of_move(1.0) < 0.001);
    }

    #[test]
    fn a_game_has_the_mean_of_the_weighted_and_the_harmonic_mean() {
        // (100 + 3·50) / 4 is 62.5, 2 / (1/100 + 1/50) is 66⅔.
        let found = of_game(&[(100.0, 1.0), (50.0, 3.0)]).expect("two moves");
        assert!((found - (62.5 + 200.0 / 3.0) / 2.0).abs() < 1e-9, "{found}");
        assert_eq!(of_game(&[]), None);
    }

    #[test]
    fn with_throws_it_is_the_part_kept_of_what_was_at_stake() {
        let throw = |at_stake, lost| (Decision::Throw { at_stake }, lost, 1.0);
        let of = |decisions: &[_]| of_throws(decisions).map(f64::round);
        assert_eq!(of(&[throw(0.01, 0.0), throw(0.02, 0.0)]), Some(100.0));
        // One point of four: a quarter is lost.
        assert_eq!(of(&[throw(0.01, 0.0), throw(0.03, 0.01)]), Some(75.0));
        // Worse than random moves still counts as 0.
        assert_eq!((of(&[throw(0.01, 0.02)]), of(&[])), (Some(0.0), None));
        assert_eq!(of_throws(&[(Decision::Move, 0.0, 1.0)]), None);
    }
}
