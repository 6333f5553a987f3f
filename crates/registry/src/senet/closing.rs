//! What the sweeps over bounds tell: whether they prove themselves, and when to end.

use super::course::Ending;

/// How far bounds are on their way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Closing {
    sweep: usize,
    /// The gap after the last sweep, and the sweeps in which it did not become smaller.
    last: f64,
    stalled: usize,
    /// The fewest bounds that stood against, and the looks since then.
    fewest: u64,
    idle: usize,
    proved: bool,
}

impl Default for Closing {
    fn default() -> Self {
        Self { sweep: 0, last: f64::INFINITY, stalled: 0, fewest: u64::MAX, idle: 0, proved: false }
    }
}

impl Closing {
    /// All of it in words, the numbers bit by bit.
    pub(crate) fn words(&self) -> String {
        let Self { sweep, last, stalled, fewest, idle, proved } = self;
        format!("{sweep} {:x} {stalled} {fewest} {idle} {}", last.to_bits(), u8::from(*proved))
    }

    /// The one that these [words](Self::words) are of.
    pub(crate) fn of_words(words: &str) -> Option<Self> {
        let [sweep, last, stalled, fewest, idle, proved] =
            words.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Some(Self {
            sweep: sweep.parse().ok()?,
            last: f64::from_bits(u64::from_str_radix(last, 16).ok()?),
            stalled: stalled.parse().ok()?,
            fewest: fewest.parse().ok()?,
            idle: idle.parse().ok()?,
            proved: proved == "1",
        })
    }

    /// The sweeps so far.
    pub(crate) const fn sweep(&self) -> usize {
        self.sweep
    }

    /// Takes note of a sweep; the result is how it ends, if it does: `Stalled` when the bounds do not prove themselves.
    pub(super) fn swept(&mut self, gap: f64, against: u64, goal: f64) -> Option<Ending> {
        self.sweep += 1;
        // Bounds that all came closer prove themselves, and go on to do so.
        self.proved |= against == 0;
        if !self.proved && self.sweep.is_multiple_of(LOOK_EVERY) {
            self.idle = if against < self.fewest - self.fewest / 8 { 0 } else { self.idle + 1 };
            self.fewest = self.fewest.min(against);
            if self.idle == MOST_IDLE {
                return Some(Ending::Stalled);
            }
        }
        if self.proved {
            // At first nothing changes in the position that is farthest from the end.
            self.stalled = if gap < self.last || gap > STALL_BELOW { 0 } else { self.stalled + 1 };
            self.last = gap;
            if gap <= goal || self.stalled == STALLED {
                return Some(Ending::Met(gap));
            }
        }
        None
    }
}

/// Sweeps from one look at what stands against supposed bounds to the next.
const LOOK_EVERY: usize = 4;
/// After so many looks at which there was not an eighth less against the bounds, the guesses are not good enough. How
/// many sweeps a proof takes grows with the length of the game: 4 with one piece each, 28 with four.
const MOST_IDLE: usize = 3;
/// Bounds that hold and do not come closer in so many sweeps never will: rounding allows no more.
const STALLED: usize = 8;
/// Bounds farther apart than this are still on their way.
const STALL_BELOW: f64 = 1e-3;
