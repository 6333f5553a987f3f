//! The progress of sweeps over bounds: whether the bounds are certified, and when to stop.

use super::convergence::PhaseEnd;

/// The progress of bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Closing {
    sweep: usize,
    /// The gap after the last sweep, and the number of sweeps that did not reduce it.
    last: f64,
    stalled: usize,
    /// The smallest number of violated bounds, and the number of checks since then.
    fewest: u64,
    idle: usize,
    proved: bool,
    /// The gap between the bounds, once it is small enough or cannot shrink.
    met: Option<f64>,
}

impl Default for Closing {
    fn default() -> Self {
        Self {
            sweep: 0,
            last: f64::INFINITY,
            stalled: 0,
            fewest: u64::MAX,
            idle: 0,
            proved: false,
            met: None,
        }
    }
}

impl Closing {
    /// The state as text, with the bits of the numbers.
    pub(crate) fn words(&self) -> String {
        let Self { sweep, last, stalled, fewest, idle, proved, met } = self;
        let (last, proved) = (last.to_bits(), u8::from(*proved));
        let met = met.map_or_else(|| "-".to_owned(), |gap| format!("{:x}", gap.to_bits()));
        format!("{sweep} {last:x} {stalled} {fewest} {idle} {proved} {met}")
    }

    /// The state of these [words](Self::words).
    pub(crate) fn of_words(words: &str) -> Option<Self> {
        let [sweep, last, stalled, fewest, idle, proved, met] =
            words.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let number = |bits| Some(f64::from_bits(u64::from_str_radix(bits, 16).ok()?));
        Some(Self {
            sweep: sweep.parse().ok()?,
            last: number(last)?,
            stalled: stalled.parse().ok()?,
            fewest: fewest.parse().ok()?,
            idle: idle.parse().ok()?,
            proved: proved == "1",
            met: if met == "-" { None } else { Some(number(met)?) },
        })
    }

    /// The sweeps so far.
    pub(crate) const fn sweep(&self) -> usize {
        self.sweep
    }

    /// The gap between the bounds, once it is small enough or cannot shrink.
    pub(super) const fn met(&self) -> Option<f64> {
        self.met
    }

    /// Records a sweep; returns the ending, if it was the last one: `Stalled` if the bounds cannot be certified.
    pub(super) fn swept(&mut self, gap: f64, against: u64, goal: f64) -> Option<PhaseEnd> {
        self.sweep += 1;
        // Bounds that a sweep tightens everywhere are certified, and stay so.
        self.proved |= against == 0;
        if !self.proved && self.sweep.is_multiple_of(LOOK_EVERY) {
            self.idle = if against < self.fewest - self.fewest / 8 { 0 } else { self.idle + 1 };
            self.fewest = self.fewest.min(against);
            if self.idle == MOST_IDLE {
                return Some(PhaseEnd::Stalled);
            }
        }
        if self.proved {
            // At first nothing changes in the position that is farthest from the end.
            self.stalled = if gap < self.last || gap > STALL_BELOW { 0 } else { self.stalled + 1 };
            self.last = gap;
            if gap <= goal || self.stalled == STALLED {
                self.met = Some(gap);
                return Some(PhaseEnd::Met(gap));
            }
        }
        None
    }
}

/// The number of sweeps between two checks of the violated supposed bounds.
const LOOK_EVERY: usize = 4;
/// After this many checks without an eighth fewer violated bounds, the guesses are not good enough. The number of
/// sweeps that a proof takes grows with the length of the game: 4 with one piece each, 28 with four.
const MOST_IDLE: usize = 3;
/// Certified bounds whose gap does not shrink in this many sweeps never get closer: rounding allows no more.
const STALLED: usize = 8;
/// A gap above this is still shrinking.
const STALL_BELOW: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_in_words_is_what_was_seen() {
        let mut closing = Closing::default();
        for (gap, against, met) in [(0.5, 7, None), (2e-6, 1, None), (1.5e-6, 0, None), (1e-6, 0, Some(1e-6))]
        {
            closing.swept(gap, against, 1e-6);
            assert_eq!(closing.met(), met);
            assert_eq!(Closing::of_words(&closing.words()), Some(closing.clone()));
        }
        assert_eq!(Closing::of_words("4 0 0 1 0 1"), None);
    }
}
