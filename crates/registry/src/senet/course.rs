//! What the changes of sweeps tell: how far estimates are from the truth, when to leap, and when to end.

/// Sweeps over which the rate of convergence is measured, and measured again.
const MEASURED: usize = 3;
/// Two rates that differ by less, as a share of what they lack to 1, are the same.
const STEADY: f64 = 0.02;
/// A leap is worth its while when the error is at most this part of what it was before the last leap.
const LEAP_GAIN: f64 = 0.7;
/// Or when what is left to 1 of the rate is at most this part of what it was then: another mode, which changes so
/// little that it was not seen before.
const SLOWER: f64 = 0.5;
/// Changes of so many units may be nothing but rounding.
const ROUNDING_UNITS: f64 = 4.0;
/// So many sweeps without progress at the limit of rounding mean that it allows none.
const STALLED: usize = 8;
/// So many sweeps without progress mean that there is none, whatever the reason.
const HOPELESS: usize = 100;

/// How a phase ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ending {
    /// Estimates are about so near the truth, or bounds so far apart at most.
    Met(f64),
    /// More sweeps would bring nothing.
    Stalled,
    /// Somebody asked to stop.
    Stopped,
}

/// The changes of the sweeps over a layer's estimates so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    goal: f64,
    /// The difference between two numbers that follow each other.
    unit: f64,
    /// Of the sweeps since the last leap.
    changes: Vec<f64>,
    /// The error at the last leap, and its rate.
    leapt: f64,
    pace: f64,
    /// The smallest change since then, and the sweeps that did not fall below it.
    best: f64,
    stalled: usize,
}

impl Course {
    /// * `goal`: how near to the truth the estimates are to come.
    pub(super) const fn new(goal: f64, unit: f64) -> Self {
        let none = f64::INFINITY;
        Self { goal, unit, changes: Vec::new(), leapt: none, pace: 0.0, best: none, stalled: 0 }
    }

    /// All of it in words, the numbers bit by bit.
    pub(super) fn words(&self) -> String {
        let Self { goal, unit, changes, leapt, pace, best, stalled } = self;
        let numbers = [goal, unit, leapt, pace, best].into_iter().chain(changes);
        let bits: Vec<String> = numbers.map(|number| format!("{:x}", number.to_bits())).collect();
        format!("{stalled} {}", bits.join(" "))
    }

    /// The one that these [words](Self::words) are of.
    pub(super) fn of_words(words: &str) -> Option<Self> {
        let (stalled, numbers) = words.split_once(' ')?;
        let number = |bits| Some(f64::from_bits(u64::from_str_radix(bits, 16).ok()?));
        let numbers: Vec<f64> = numbers.split(' ').map(number).collect::<Option<_>>()?;
        let (&[goal, unit, leapt, pace, best], changes) = numbers.split_first_chunk()?;
        let (changes, stalled) = (changes.to_vec(), stalled.parse().ok()?);
        Some(Self { goal, unit, changes, leapt, pace, best, stalled })
    }

    /// The rate at which to leap next: that of the single mode which is left, unless the last leap at that rate was of
    /// no use.
    pub(super) fn leap(&self) -> Option<f64> {
        let last = self.changes.len().checked_sub(1)?;
        let (now, before) = (self.rate(last)?, self.rate(last.checked_sub(MEASURED)?)?);
        let steady = now < 1.0 && (now - before).abs() <= STEADY * (1.0 - now);
        let gains = self.error() <= LEAP_GAIN * self.leapt || 1.0 - now <= SLOWER * (1.0 - self.pace);
        (steady && gains).then_some(now)
    }

    /// Takes note of a sweep; the results are the error after it and how it ends, if it does.
    ///
    /// * `leapt`: the rate, where it was a leap.
    pub(super) fn swept(&mut self, change: f64, leapt: Option<f64>) -> (f64, Option<Ending>) {
        let before = self.error();
        self.changes.push(change);
        self.stalled = if change < self.best { 0 } else { self.stalled + 1 };
        self.best = self.best.min(change);
        let error = self.error();
        // A leap stirs up other modes, which take some sweeps to show.
        if error <= self.goal && self.changes.len() > 2 * MEASURED {
            return (error, Some(Ending::Met(error)));
        }
        let patience = if change <= ROUNDING_UNITS * self.unit { STALLED } else { HOPELESS };
        if self.stalled > patience {
            return (error, Some(Ending::Stalled));
        }
        if let Some(pace) = leapt {
            // Changes after a leap are small at first and grow until the next mode shows.
            *self = Self { leapt: before, pace, ..Self::new(self.goal, self.unit) };
        }
        (error, None)
    }

    /// The part that the change of a sweep is of the one before, over the last sweeps before `last`.
    fn rate(&self, last: usize) -> Option<f64> {
        let first = last.checked_sub(MEASURED)?;
        Some((self.changes[last] / self.changes[first]).powf(1.0 / MEASURED as f64))
    }

    /// How far estimates are from the truth, if they go on to converge as in the last sweeps.
    fn error(&self) -> f64 {
        let Some(last) = self.changes.len().checked_sub(1) else { return 1.0 };
        match self.rate(last) {
            Some(rate) if rate < 1.0 => (self.changes[last] * rate / (1.0 - rate)).min(1.0),
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modes, each of which every sweep makes smaller by its factor.
    struct Modes(Vec<(f64, f64)>);

    /// All modes meet in one position.
    fn met(all: f64, one: f64) -> f64 {
        all + one
    }

    /// Each mode has a position of its own, and the widest change is seen.
    fn apart(all: f64, one: f64) -> f64 {
        all.max(one.abs())
    }

    impl Modes {
        /// What is left to go.
        fn left(&self) -> f64 {
            self.0.iter().map(|(left, _)| left).sum()
        }

        /// Sweeps until the end; the results are the sweeps, the leaps and the end.
        fn run(&mut self, seen: fn(f64, f64) -> f64, goal: f64, unit: f64) -> (usize, usize, Ending) {
            let (mut course, mut leaps) = (Course::new(goal, unit), 0);
            for sweep in 1..10_000 {
                let leap = course.leap();
                let change = self.0.iter().map(|(left, rate)| left * (1.0 - rate)).fold(0.0, seen);
                let change = (change.abs() / unit).round() * unit;
                for (left, rate) in &mut self.0 {
                    let before = *left;
                    *left *= *rate;
                    if let Some(leap) = leap {
                        // Goes on with the same change until its end, as if its rate were that of the leap.
                        *left -= (before - *left) * leap / (1.0 - leap);
                    }
                }
                leaps += usize::from(leap.is_some());
                if let (_, Some(ending)) = course.swept(change, leap) {
                    return (sweep, leaps, ending);
                }
            }
            panic!("it never ends")
        }
    }

    #[test]
    fn one_mode_is_gone_after_one_leap() {
        let mut modes = Modes(vec![(0.3, 0.957)]);
        let (sweeps, leaps, _) = modes.run(met, 1e-8, 1e-12);
        assert!(leaps == 1 && sweeps < 20, "{sweeps} {leaps}");
        assert!(modes.left().abs() <= 1e-8, "{}", modes.left());
    }

    #[test]
    fn what_a_leap_stirs_up_is_no_stall() {
        // A leap along the slowest mode throws the other one far back, and its changes grow for a while.
        let mut modes = Modes(vec![(0.3, 0.98), (-0.01, 0.95), (0.001, 0.9)]);
        let (_, leaps, ending) = modes.run(met, 1e-8, 1e-12);
        assert!(matches!(ending, Ending::Met(_)) && leaps > 1, "{leaps} {ending:?}");
        assert!(modes.left().abs() <= 1e-7, "{}", modes.left());
    }

    #[test]
    fn a_mode_that_is_too_slow_to_be_seen_at_first_is_leapt_to_its_end() {
        // At the last leap before it is seen the error looks far smaller than what is left of it.
        let mut modes = Modes(vec![(0.3, 0.957), (0.1, 0.9), (0.01, 0.8), (0.02, 0.9999)]);
        let (sweeps, leaps, ending) = modes.run(apart, 1e-7, 1e-12);
        assert!(matches!(ending, Ending::Met(_)) && leaps > 3 && sweeps < 100, "{sweeps} {leaps} {ending:?}");
        assert!(modes.left().abs() <= 1e-5, "{}", modes.left());
    }

    #[test]
    fn the_limit_of_rounding_is_a_stall() {
        let mut modes = Modes(vec![(0.3, 0.957), (0.01, 0.8)]);
        let (sweeps, _, ending) = modes.run(met, 1e-12, 1e-9);
        assert_eq!(ending, Ending::Stalled);
        assert!(sweeps < 200, "{sweeps}");
    }
}
