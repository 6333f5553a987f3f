//! Evaluation of positions without a proof: leanings, chances, and the networks that compute them.
//!
//! A game describes its positions as a vector of small [digits](inputs::Inputs) and says which of them belong
//! together; hand-made [terms] or a [network] turn it into a [`Leaning`]. This crate knows no particular game, does
//! not search, and touches no file.
#![forbid(unsafe_code)]

pub mod estimator;
pub mod evaluate;
pub mod features;
pub mod file;
pub mod fine;
pub mod inputs;
pub mod leaning;
pub mod network;
pub mod terms;

pub use estimator::Estimator;
pub use evaluate::Evaluate;
pub use features::{FeatureRow, Features};
pub use file::WeightsFileError;
pub use fine::{FINE_ONE, FINE_OUTPUT_ONE, Fine};
pub use inputs::{Digits, Inputs, SLOTS, Shape, Slot, Swap};
pub use leaning::{Calibration, Leaning, Wdl};
pub use network::{Learned, Network, NetworkWeights, OVERFLOW, Outputs, Sums, WIDTH};
pub use terms::{HandMade, TERMS, Terms};
