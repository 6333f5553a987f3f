//! A small network: sums of rows of weights, updated along the moves, and one layer above them.
//!
//! Both players' views are summed with the same rows. The output is the leaning to the player to move: each sum is
//! clipped to 0…1 and squared, and the mover's and the opponent's sums have separate weights, by the phase of the
//! game. All arithmetic is in integers that never wrap, so every machine computes the same bits.

use std::marker::PhantomData;
use std::sync::Arc;

use marquis_core::{Game, Player};
use pulp::{Arch, NullaryFnOnce};

use crate::features::{FeatureRow, Features};
use crate::inputs::{Digits, Inputs, SLOTS};
use crate::{Evaluate, Leaning};

/// Neurons per view.
pub const WIDTH: usize = 32;
/// The sum that stands for one.
pub(crate) const ONE: i16 = 255;
/// The output weight that stands for one.
pub(crate) const OUTPUT_ONE: i32 = 64;

/// The error for weights with which some position might need a greater sum than the numbers hold.
pub const OVERFLOW: &str = "weights whose sums might not fit";

/// The sums of one view.
type ViewSums = [i16; WIDTH];

/// The weights above the sums, for one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// For the mover's view, then for the opponent's; 64 is one unit of log-odds.
    pub weights: [[i16; WIDTH]; 2],
    /// Hundredths of log-odds.
    pub bias: i32,
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// The initial value of every sum; 255 is one.
    pub bias: ViewSums,
    /// A row for each feature.
    pub rows: Vec<ViewSums>,
    /// A layer for each phase.
    pub outputs: Vec<Outputs>,
}

/// A network for the positions of one board.
#[derive(Clone, Debug)]
pub struct Network {
    features: Features,
    weights: NetworkWeights,
    /// For each feature its row in the first player's view and in the second's.
    rows: Vec<[ViewSums; 2]>,
    arch: Arch,
}

/// The state of a position, updated along the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    digits: Digits,
    /// The first player's view, then the second player's.
    views: [ViewSums; 2],
}

impl Network {
    /// The network of these weights; `None` if a sum might not fit.
    ///
    /// Panics unless there is a row for each feature and a layer for each phase.
    #[must_use]
    pub fn new(features: Features, weights: NetworkWeights) -> Option<Self> {
        assert_eq!(weights.rows.len(), features.rows(), "a row for each feature");
        assert_eq!(weights.outputs.len(), features.shape().phases(), "a layer for each phase");
        if !fits(&features, &weights) {
            return None;
        }
        let of_feature = |row: usize| {
            let other = features.other(row as FeatureRow) as usize;
            [weights.rows[row], weights.rows[other]]
        };
        let rows = (0..features.rows()).map(of_feature).collect();
        Some(Self { features, weights, rows, arch: Arch::new() })
    }

    /// The weights.
    #[must_use]
    pub const fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// The features.
    #[must_use]
    pub const fn features(&self) -> &Features {
        &self.features
    }

    /// The sums of a position, one row for each pattern.
    #[must_use]
    pub fn sum(&self, digits: &Digits) -> Sums {
        let mut views = [self.weights.bias; 2];
        for row in self.features.active(digits) {
            for (view, row) in views.iter_mut().zip(&self.rows[row as usize]) {
                add(view, row);
            }
        }
        Sums { digits: *digits, views }
    }

    /// The sums of a position whose digits equal those of another one in most slots.
    ///
    /// * `sums`: its digits are those of the position; the views are overwritten.
    fn follow(&self, before: &Sums, sums: &mut Sums) {
        sums.views = self.arch.dispatch(ViewsAfter { network: self, before, digits: &sums.digits });
    }

    /// The leaning to the player to move.
    #[must_use]
    pub fn leaning(&self, sums: &Sums, turn: Player) -> Leaning {
        let phase = sums.digits[usize::from(self.features.shape().phase)];
        let outputs = &self.weights.outputs[usize::from(phase)];
        let (own, other) = match turn {
            Player::First => (&sums.views[0], &sums.views[1]),
            Player::Second => (&sums.views[1], &sums.views[0]),
        };
        let sum = self.arch.dispatch(
            #[inline(always)]
            || weighed(own, &outputs.weights[0]) + weighed(other, &outputs.weights[1]),
        );
        let one = i64::from(ONE) * i64::from(ONE) * i64::from(OUTPUT_ONE);
        // Rounded to the nearest, the same for both signs.
        let hundredths = (2 * 100 * i64::from(sum) + sum.signum() as i64 * one) / (2 * one);
        Leaning::new(hundredths as i32 + outputs.bias)
    }
}

/// Computes the views of other digits.
///
/// A closure of this size is not compiled for the processor at hand: the compiler calls it instead of inlining it.
struct ViewsAfter<'a> {
    network: &'a Network,
    before: &'a Sums,
    digits: &'a Digits,
}

impl NullaryFnOnce for ViewsAfter<'_> {
    type Output = [ViewSums; 2];

    #[inline(always)]
    fn call(self) -> [ViewSums; 2] {
        let Self { network: Network { features, rows, .. }, before, digits } = self;
        let mut views = before.views;
        features.changes(
            &before.digits,
            digits,
            #[inline(always)]
            |old, new| {
                let (old, new) = (&rows[old as usize], &rows[new as usize]);
                for (view, (old, new)) in views.iter_mut().zip(old.iter().zip(new)) {
                    exchange(view, old, new);
                }
            },
        );
        views
    }
}

/// Replaces one row of a sum by another.
#[inline(always)]
fn exchange(view: &mut ViewSums, old: &ViewSums, new: &ViewSums) {
    for ((sum, old), new) in view.iter_mut().zip(old).zip(new) {
        *sum = sum.wrapping_sub(*old).wrapping_add(*new);
    }
}

#[inline(always)]
fn add(view: &mut ViewSums, row: &ViewSums) {
    for (sum, weight) in view.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// The sum of clipped squares times weights.
#[inline(always)]
fn weighed(view: &ViewSums, weights: &[i16; WIDTH]) -> i32 {
    let mut sum = 0;
    for (&value, &weight) in view.iter().zip(weights) {
        let value = i32::from(value.clamp(0, ONE));
        sum += value * value * i32::from(weight);
    }
    sum
}

/// Whether every sum of every position fits its type.
fn fits(features: &Features, weights: &NetworkWeights) -> bool {
    let firsts: Vec<usize> = features.firsts().map(|row| row as usize).chain([features.rows()]).collect();
    let lanes = (0..WIDTH).all(|lane| {
        let most = |range: &[usize]| {
            let sizes = weights.rows[range[0]..range[1]].iter().map(|row| i32::from(row[lane]).abs());
            sizes.max().unwrap_or(0)
        };
        let sum: i32 = firsts.windows(2).map(most).sum();
        sum + i32::from(weights.bias[lane]).abs() <= i32::from(i16::MAX)
    });
    let outputs = weights.outputs.iter().all(|outputs| {
        let sum: i64 = outputs.weights.iter().flatten().map(|&weight| i64::from(weight).abs()).sum();
        let small = outputs.bias.abs() <= Leaning::MOST;
        small && sum * i64::from(ONE) * i64::from(ONE) <= i64::from(i32::MAX)
    });
    lanes && outputs
}

/// A network as the evaluation of a game.
#[derive(Clone, Debug)]
pub struct Learned<I> {
    network: Arc<Network>,
    inputs: PhantomData<fn() -> I>,
}

impl<I> Learned<I> {
    /// The evaluation by a network for the inputs of these rules; searches may share one.
    #[must_use]
    pub fn new(network: impl Into<Arc<Network>>) -> Self {
        Self { network: network.into(), inputs: PhantomData }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }
}

impl<G: Game, I: Inputs<Rules = G, Position = G::Position>> Evaluate<G> for Learned<I> {
    type State = Sums;

    fn see(&self, game: &G, position: &G::Position) -> Sums {
        let mut digits = [0; SLOTS];
        I::describe(game, position, &mut digits);
        self.network.sum(&digits)
    }

    #[inline]
    fn follow(&self, game: &G, before: (&G::Position, &Sums), position: &G::Position, state: &mut Sums) {
        state.digits = before.1.digits;
        I::redescribe(game, before.0, position, &mut state.digits);
        self.network.follow(before.1, state);
    }

    #[inline]
    fn leaning(&self, game: &G, position: &G::Position, state: &Sums) -> Leaning {
        self.network.leaning(state, game.turn(position))
    }
}
