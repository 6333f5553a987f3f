//! The same network with finer steps, for games in which thousandths of a chance separate moves and no search needs
//! millions of evaluations per second.

use marquis_core::Player;

use crate::features::Features;
use crate::inputs::Digits;
use crate::network::{NetworkWeights, WIDTH};

/// The sum that stands for one.
pub const FINE_ONE: i32 = 4096;
/// The output weight that stands for one; the bias of an output has the same unit.
pub const FINE_OUTPUT_ONE: i32 = 2048;

/// A network in steps of a four-thousandth.
#[derive(Clone, Debug)]
pub struct Fine {
    features: Features,
    weights: NetworkWeights,
}

impl Fine {
    /// The network of these weights; sums of 16-bit numbers always fit.
    ///
    /// Panics unless there is a row for each feature and a layer for each phase.
    #[must_use]
    pub fn new(features: Features, weights: NetworkWeights) -> Self {
        assert_eq!(weights.rows.len(), features.rows(), "a row for each feature");
        assert_eq!(weights.outputs.len(), features.shape().phases(), "a layer for each phase");
        Self { features, weights }
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

    /// The log-odds of the expected result for the player to move.
    #[must_use]
    pub fn log_odds(&self, digits: &Digits, turn: Player) -> f64 {
        let mut views = [self.weights.bias.map(i32::from); 2];
        for row in self.features.active(digits) {
            for (view, row) in views.iter_mut().zip([row, self.features.other(row)]) {
                for (sum, weight) in view.iter_mut().zip(&self.weights.rows[row as usize]) {
                    *sum += i32::from(*weight);
                }
            }
        }
        let phase = usize::from(digits[usize::from(self.features.shape().phase)]);
        let outputs = &self.weights.outputs[phase];
        let order = if turn == Player::First { [0, 1] } else { [1, 0] };
        let mut sum = 0_i64;
        for (view, weights) in order.into_iter().zip(&outputs.weights) {
            for lane in 0..WIDTH {
                let value = i64::from(views[view][lane].clamp(0, FINE_ONE));
                sum += value * value * i64::from(weights[lane]);
            }
        }
        let one = i64::from(FINE_ONE) * i64::from(FINE_ONE);
        (sum as f64 / one as f64 + f64::from(outputs.bias)) / f64::from(FINE_OUTPUT_ONE)
    }

    /// The expected result for the player to move; 1 is a win.
    #[must_use]
    pub fn expected(&self, digits: &Digits, turn: Player) -> f64 {
        1.0 / (1.0 + libm::exp(-self.log_odds(digits, turn)))
    }
}
