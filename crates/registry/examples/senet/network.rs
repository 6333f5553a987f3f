//! The network of Senet as a [`SenetPlayer`].

use marquis_core::Throw;
use marquis_games::senet::{Move, Position, Senet};
use marquis_play::Expectation;
use marquis_sense::senet::SenetJudge;

use crate::player::SenetPlayer;

/// A network that looks `throws` throws ahead.
pub(crate) struct Network<'a> {
    pub judge: &'a SenetJudge,
    pub throws: u32,
}

impl SenetPlayer for Network<'_> {
    fn choose(&self, position: &Position, throw: Throw) -> Move {
        Expectation::new(&Senet, self.judge).weigh(position, throw, self.throws)[0].mv
    }

    /// The network's estimate for the position, without a look ahead.
    fn chance(&self, position: &Position) -> f64 {
        Expectation::new(&Senet, self.judge).chance(position, 0)
    }

    fn knows(&self, _: &Position) -> bool {
        false
    }
}
