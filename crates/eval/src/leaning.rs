//! Estimates: how far a position leans to the player to move, and the chances that follow from it.

use std::ops::Neg;

/// The log-odds of the expected result for the player to move, in hundredths; an estimate, never a proof.
///
/// The expected result counts a draw as half a win; 0 is even, 110 about 75 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaning(i16);

impl Leaning {
    /// The surest estimate: odds of about three million to one.
    pub const MOST: i32 = 1500;

    /// The leaning of this number of hundredths, clamped to ±[`MOST`](Self::MOST).
    #[inline]
    #[must_use]
    pub const fn new(hundredths: i32) -> Self {
        if hundredths > Self::MOST {
            Self(Self::MOST as i16)
        } else if hundredths < -Self::MOST {
            Self(-Self::MOST as i16)
        } else {
            Self(hundredths as i16)
        }
    }

    /// The log-odds in hundredths.
    #[inline]
    #[must_use]
    pub const fn hundredths(self) -> i32 {
        self.0 as i32
    }

    /// The expected result: 0 a loss, 1 a win.
    #[must_use]
    pub fn expected(self) -> f64 {
        1.0 / (1.0 + libm::exp(-f64::from(self.0) / 100.0))
    }
}

impl Neg for Leaning {
    type Output = Self;
    /// The leaning for the other player.
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The chances of the three results for the player to move; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// The chance of a win.
    pub win: f64,
    /// The chance of a draw.
    pub draw: f64,
    /// The chance of a loss.
    pub loss: f64,
}

impl Wdl {
    /// Win plus half a draw.
    #[must_use]
    pub fn expected(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The chances for the other player.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

/// Turns leanings into chances: a linear map of the log-odds, and the share of even games that are drawn.
///
/// Fitted on games that were not used in training. The chances are those between two equal engines at the budget of
/// these games.
///
/// ```
/// use marquis_eval::{Calibration, Leaning};
///
/// let leaning = Leaning::new(110);
/// assert!((leaning.expected() - 0.75).abs() < 0.01);
/// // An engine that leans too far is drawn back towards even, and some of its games are drawn.
/// let chances = Calibration { slope: 0.5, draws: 0.2 }.wdl(leaning);
/// assert!(chances.expected() > 0.5 && chances.expected() < leaning.expected());
/// assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The factor of the leaning; positive, so that the order of positions stays.
    pub slope: f64,
    /// The share of draws at an even leaning; it falls with the square of the certainty.
    pub draws: f64,
}

impl Calibration {
    /// Leanings are taken as they are and no game is drawn.
    pub const NONE: Self = Self { slope: 1.0, draws: 0.0 };

    /// The chances for a leaning.
    #[must_use]
    pub fn wdl(&self, leaning: Leaning) -> Wdl {
        let expected = 1.0 / (1.0 + libm::exp(-self.slope * f64::from(leaning.0) / 100.0));
        // Clamped so that neither of the other two is below zero.
        let draw = (self.draws * 4.0 * expected * (1.0 - expected)).min(2.0 * expected.min(1.0 - expected));
        let win = expected - draw / 2.0;
        Wdl { win, draw, loss: 1.0 - win - draw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_keep_the_order_of_leanings() {
        let calibration = Calibration { slope: 0.8, draws: 0.4 };
        let mut before = -1.0;
        for hundredths in (-1500..=1500).step_by(10) {
            let wdl = calibration.wdl(Leaning::new(hundredths));
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-12);
            assert!(wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0, "{wdl:?}");
            assert!(wdl.expected() > before, "{hundredths}");
            before = wdl.expected();
            let other = calibration.wdl(-Leaning::new(hundredths));
            assert!((other.for_opponent().win - wdl.win).abs() < 1e-12);
        }
        assert!((calibration.wdl(Leaning::new(0)).draw - 0.4).abs() < 1e-12);
    }

    #[test]
    fn leanings_stay_below_what_proofs_use() {
        assert_eq!(Leaning::new(i32::MAX).hundredths(), 1500);
        assert_eq!(Leaning::new(i32::MIN).hundredths(), -1500);
    }
}
