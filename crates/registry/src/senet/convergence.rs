//! The convergence of estimates, from the changes of sweeps: their error, when to leap, and when to stop.

use marquis_chance::outlook::{Outlook, WINDOW};

/// The number of sweeps over which the rate of convergence is measured.
const MEASURED: usize = 3;
/// Two outlooks lead to the same place if they differ by less than this fraction of the distance to it.
const STEADY: f64 = 0.2;
/// Two rates of the widest change are the same if they differ by less than this fraction of their distance to 1.
const SAME_RATE: f64 = 0.02;
/// A leap at that rate pays off if the error is at most this fraction of the error before the last leap.
const LEAP_GAIN: f64 = 0.7;
/// It also pays off if the rate's distance to 1 is at most this fraction of that of the slowest leapt rate: then it
/// is another mode, whose changes were too small to be seen before.
const SLOWER: f64 = 0.5;
/// A leap pays off if the remaining distance is this many times the last change.
const FAR: f64 = 2.0;
/// Faster modes are left to sweeps.
const SLOW: f64 = 0.7;
/// If played-out games show who wins in the end, modes slower than this are left to them.
const LEFT_TO_GAMES: f64 = 0.99;
/// Two rates of the slowest other mode are the same if they differ by less than this fraction of their distance to 1.
const SAME_MODE: f64 = 0.1;
/// Changes of up to this many units may be pure rounding.
const ROUNDING_UNITS: f64 = 4.0;
/// Two changes of the same rate may differ by this many units.
const ROUNDED: f64 = 2.0;
/// After this many sweeps without progress at the limit of rounding, no more progress is possible.
const STALLED: usize = 8;
/// After this many sweeps without progress at any size of changes, there will be none.
const HOPELESS: usize = 100;

/// The ending of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PhaseEnd {
    /// The error of the estimates, approximately, or the largest gap between the bounds.
    Met(f64),
    /// More sweeps would not help.
    Stalled,
    /// A stop was requested.
    Stopped,
}

/// The changes of the sweeps over a layer's estimates so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convergence {
    goal: f64,
    /// The difference between two consecutive numbers.
    unit: f64,
    /// The changes since the last leap.
    changes: Vec<f64>,
    /// Some of the numbers, in units, after the last of these sweeps.
    samples: Vec<Vec<f64>>,
    /// The rates of slow modes to leap, one after the other.
    leaps: Vec<f64>,
    /// The error at the last leap, and the slowest rate that was leapt.
    leapt: f64,
    pace: f64,
    /// Slower modes are not leapt.
    slowest: f64,
    /// The smallest change since the last leap, and the number of sweeps that did not fall below it.
    best: f64,
    stalled: usize,
}

impl Convergence {
    /// * `goal`: the target error of the estimates.
    pub(super) const fn new(goal: f64, unit: f64) -> Self {
        let none = f64::INFINITY;
        Self {
            goal,
            unit,
            changes: Vec::new(),
            samples: Vec::new(),
            leaps: Vec::new(),
            leapt: none,
            pace: 0.0,
            slowest: 1.0,
            best: none,
            stalled: 0,
        }
    }

    /// The state as text, with the bits of the numbers.
    pub(super) fn words(&self) -> String {
        let Self { goal, unit, changes, samples, leaps, leapt, pace, slowest, best, stalled } = self;
        let numbers: Vec<f64> =
            [goal, unit, leapt, pace, slowest, best].into_iter().chain(changes).copied().collect();
        let parts: Vec<String> =
            [&numbers, leaps].into_iter().chain(samples).map(|part| bits(part)).collect();
        format!("{stalled} {}", parts.join("/"))
    }

    /// The course of these [words](Self::words).
    pub(super) fn of_words(words: &str) -> Option<Self> {
        let (stalled, parts) = words.split_once(' ')?;
        let number = |bits: &str| Some(f64::from_bits(u64::from_str_radix(bits, 16).ok()?.swap_bytes()));
        let part = |part: &str| part.split_terminator(' ').map(number).collect::<Option<Vec<f64>>>();
        let mut parts = parts.split('/').map(part);
        let numbers = parts.next()??;
        let (&[goal, unit, leapt, pace, slowest, best], changes) = numbers.split_first_chunk()?;
        let leaps = parts.next()??;
        let (changes, samples) = (changes.to_vec(), parts.collect::<Option<_>>()?);
        let stalled = stalled.parse().ok()?;
        Some(Self { goal, unit, changes, samples, leaps, leapt, pace, slowest, best, stalled })
    }

    /// The rate at which to leap next, if any.
    pub(super) fn leap(&self) -> Option<f64> {
        self.leaps.first().copied()
    }

    /// The rates of the slow modes, if the last two sweeps agree on where they lead.
    ///
    /// Each leap removes the mode of its rate and sets others back, so the slowest one is first.
    fn slow_modes(&self) -> Option<Vec<f64>> {
        let [earlier @ .., last] = &self.samples[..] else { return None };
        let before = earlier.last()?;
        let (now, then) = (Outlook::of(&self.samples)?, Outlook::of(earlier)?);
        let ends = |sample: &[f64], outlook: &Outlook| -> Vec<f64> {
            sample.iter().zip(&outlook.left).map(|(number, left)| number + left).collect()
        };
        let end = ends(last, &now);
        let (change, way) = (distance(last, before), distance(&end, last));
        let slow = |outlook: &Outlook| -> Vec<f64> {
            let rates = outlook.straight.iter().copied();
            rates.filter(|rate| (SLOW..self.slowest).contains(rate)).collect()
        };
        let steady = if self.slowest < 1.0 {
            // Games decide where it leads.
            let (now, then) = (*slow(&now).first()?, *slow(&then).first()?);
            (now - then).abs() <= SAME_MODE * (1.0 - now)
        } else {
            let same = distance(&end, &ends(before, &then)) <= STEADY * way;
            now.rate < 1.0 && then.rate < 1.0 && same && way >= FAR * change
        };
        let noise = ROUNDING_UNITS * (last.len() as f64).sqrt();
        (steady && change >= noise).then(|| slow(&now))
    }

    /// The rate of the widest change, if the sample shows no more and a leap at the last one helped.
    ///
    /// The last remaining changes are so slow that the sample loses them to rounding, and finally the widest change
    /// too. Then the slowest mode so far is assumed to continue, as long as nothing else shows.
    fn widest_mode(&self) -> Option<f64> {
        if self.samples.len() < WINDOW + 2 {
            return None;
        }
        let last = self.changes.len().checked_sub(1)?;
        let (now, before) = (self.rate(last)?, self.rate(last.checked_sub(MEASURED)?)?);
        let steady = now < 1.0 && (now - before).abs() <= SAME_RATE * (1.0 - now);
        let rate = if steady { now } else { self.goes_on().then_some(self.pace)? };
        let gains = self.error() <= LEAP_GAIN * self.leapt || 1.0 - rate <= SLOWER * (1.0 - self.pace);
        ((SLOW..self.slowest).contains(&rate) && gains).then_some(rate)
    }

    /// Whether the last changes are those of the slowest leapt mode, up to rounding.
    fn goes_on(&self) -> bool {
        let changes = self.changes.iter().rev().take(WINDOW).map(|change| change / self.unit);
        let now = self.changes.last().map_or(0.0, |change| change / self.unit);
        let fits = |(ago, change): (i32, f64)| (change * self.pace.powi(ago) - now).abs() <= ROUNDED;
        now >= ROUNDING_UNITS * ROUNDING_UNITS && (0..).zip(changes).all(fits)
    }

    /// The target error of the estimates.
    pub(super) const fn goal(&self) -> f64 {
        self.goal
    }

    /// Records that played-out games corrected who wins in the end.
    pub(super) fn shifted(&mut self) {
        *self = Self { slowest: LEFT_TO_GAMES, ..Self::new(self.goal, self.unit) };
    }

    /// Records a sweep; returns the error after it and the ending, if it was the last one.
    ///
    /// * `sample`: some of the numbers after it, in units.
    /// * `leapt`: the rate, if it was a leap.
    pub(super) fn swept(
        &mut self,
        change: f64,
        sample: Vec<f64>,
        leapt: Option<f64>,
    ) -> (f64, Option<PhaseEnd>) {
        if let Some(rate) = leapt {
            // Changes after leaps are small at first and grow until the next mode shows.
            *self = Self {
                samples: vec![sample],
                leaps: self.leaps.split_off(1.min(self.leaps.len())),
                leapt: self.error(),
                pace: self.pace.max(rate),
                slowest: self.slowest,
                ..Self::new(self.goal, self.unit)
            };
            return (self.error_of(change, self.pace), None);
        }
        self.changes.push(change);
        self.samples.push(sample);
        self.samples.drain(..self.samples.len().saturating_sub(WINDOW + 2));
        self.leaps = self.slow_modes().unwrap_or_else(|| self.widest_mode().into_iter().collect());
        self.stalled = if change < self.best { 0 } else { self.stalled + 1 };
        self.best = self.best.min(change);
        let error = self.error();
        // A leap excites other modes, which take some sweeps to show.
        if error <= self.goal && self.changes.len() > 2 * MEASURED {
            return (error, Some(PhaseEnd::Met(error)));
        }
        let patience = if change <= ROUNDING_UNITS * self.unit { STALLED } else { HOPELESS };
        (error, (self.stalled > patience).then_some(PhaseEnd::Stalled))
    }

    /// The error of the estimates, if they continue to converge as in the last sweeps, or as slowly as before a leap.
    fn error(&self) -> f64 {
        let Some(last) = self.changes.len().checked_sub(1) else { return 1.0 };
        self.rate(last).map_or(1.0, |rate| self.error_of(self.changes[last], rate.max(self.pace)))
    }

    /// The ratio of the change of a sweep to the one before, over the last sweeps before `last`.
    fn rate(&self, last: usize) -> Option<f64> {
        let first = last.checked_sub(MEASURED)?;
        Some((self.changes[last] / self.changes[first]).powf(1.0 / MEASURED as f64))
    }

    fn error_of(&self, change: f64, rate: f64) -> f64 {
        if rate < 1.0 { (change * rate / (1.0 - rate)).min(1.0) } else { 1.0 }
    }
}

fn bits(numbers: &[f64]) -> String {
    // Whole numbers have trailing zero bits; after the swap these are leading zeros, which are not printed.
    let bits = numbers.iter().map(|number| format!("{:x}", number.to_bits().swap_bytes()));
    bits.collect::<Vec<_>>().join(" ")
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 64;

    /// Modes, each of which every sweep reduces by its rate.
    struct Modes {
        /// The remaining distance of each, and its rate.
        modes: Vec<(f64, f64)>,
        /// The share of each position in a mode.
        shares: fn(usize, usize) -> f64,
    }

    /// All modes affect every position.
    fn met(mode: usize, cell: usize) -> f64 {
        (((mode * CELLS + cell) as f64 * 12.9898).sin() * 43_758.545).fract()
    }

    /// Each mode affects separate positions.
    fn apart(mode: usize, cell: usize) -> f64 {
        f64::from(u8::from(cell % 8 == mode))
    }

    impl Modes {
        /// The largest remaining distance.
        fn left(&self) -> f64 {
            self.numbers(1.0).into_iter().fold(0.0, |most, left| most.max(left.abs()))
        }

        /// All positions, in units.
        fn numbers(&self, unit: f64) -> Vec<f64> {
            let modes = || self.modes.iter().enumerate();
            let number =
                |cell| modes().map(|(mode, (left, _))| left * (self.shares)(mode, cell)).sum::<f64>();
            (0..CELLS).map(|cell| number(cell) / unit).collect()
        }

        /// Returns the widest change and the numbers after the sweep.
        fn sweep(&mut self, unit: f64) -> (f64, Vec<f64>) {
            let whole = |numbers: Vec<f64>| numbers.into_iter().map(f64::round).collect::<Vec<_>>();
            let before = whole(self.numbers(unit));
            self.modes.iter_mut().for_each(|(left, rate)| *left *= *rate);
            let after = whole(self.numbers(unit));
            let changes = before.iter().zip(&after).map(|(before, after)| (after - before).abs());
            (changes.fold(0.0, f64::max) * unit, after)
        }

        /// Sweeps until the end; returns the number of sweeps, the number of leaps and the ending.
        fn run(&mut self, goal: f64, unit: f64) -> (usize, usize, PhaseEnd) {
            let (mut course, mut leaps) = (Convergence::new(goal, unit), 0);
            for sweep in 1..10_000 {
                let leap = course.leap();
                let before = self.modes.clone();
                let (change, mut sample) = self.sweep(unit);
                if let Some(rate) = leap {
                    // Continues with the same change until its end, as if its rate were that of the leap.
                    for ((left, _), (before, _)) in self.modes.iter_mut().zip(before) {
                        *left -= (before - *left) * rate / (1.0 - rate);
                    }
                    sample = self.numbers(unit).into_iter().map(f64::round).collect();
                }
                leaps += usize::from(leap.is_some());
                let kept = Convergence::of_words(&course.words()).expect("its own words");
                assert_eq!(kept, course, "the kept course is the same");
                if let (_, Some(ending)) = course.swept(change, sample, leap) {
                    return (sweep, leaps, ending);
                }
            }
            panic!("it never ends")
        }
    }

    #[test]
    fn one_mode_is_gone_after_one_leap() {
        let mut modes = Modes { modes: vec![(0.3, 0.957)], shares: met };
        let (sweeps, leaps, _) = modes.run(1e-8, 1e-12);
        assert!(leaps == 1 && sweeps < 20, "{sweeps} {leaps}");
        assert!(modes.left() <= 1e-8, "{}", modes.left());
    }

    #[test]
    fn some_modes_are_gone_after_a_few_leaps() {
        let mut modes = Modes { modes: vec![(0.3, 0.98), (-0.1, 0.95), (0.1, 0.9), (0.1, 0.5)], shares: met };
        let (sweeps, leaps, ending) = modes.run(1e-8, 1e-12);
        assert!(
            matches!(ending, PhaseEnd::Met(_)) && leaps < 8 && sweeps < 70,
            "{sweeps} {leaps} {ending:?}"
        );
        assert!(modes.left() <= 1e-8, "{}", modes.left());
    }

    #[test]
    fn what_a_leap_stirs_up_is_no_stall() {
        // A leap along the slowest mode sets the other one far back, and its changes grow for a while.
        let mut modes = Modes { modes: vec![(0.3, 0.98), (-0.01, 0.95), (0.001, 0.9)], shares: met };
        let (_, leaps, ending) = modes.run(1e-8, 1e-12);
        assert!(matches!(ending, PhaseEnd::Met(_)) && leaps > 1, "{leaps} {ending:?}");
        assert!(modes.left() <= 1e-7, "{}", modes.left());
    }

    #[test]
    fn a_mode_that_is_too_slow_to_be_seen_at_first_is_leapt_to_its_end() {
        for shares in [met, apart] {
            // At first its changes are far smaller than those of all others, but more of it remains.
            let modes = vec![(0.3, 0.957), (0.1, 0.9), (0.01, 0.8), (0.02, 0.999)];
            let mut modes = Modes { modes, shares };
            let (sweeps, leaps, ending) = modes.run(1e-7, 1e-12);
            assert!(matches!(ending, PhaseEnd::Met(_)) && sweeps < 150, "{sweeps} {leaps} {ending:?}");
            assert!(modes.left() <= 1e-7, "{}", modes.left());
        }
    }

    #[test]
    fn what_is_left_last_is_leapt_however_slow_it_is() {
        // At the last leap before it is seen, the error looks far smaller than its remaining distance.
        let modes = vec![(0.3, 0.957), (0.1, 0.9), (0.01, 0.8), (0.02, 0.9999)];
        let mut modes = Modes { modes, shares: apart };
        let (sweeps, leaps, ending) = modes.run(1e-5, 1e-12);
        let PhaseEnd::Met(error) = ending else { panic!("{sweeps} {leaps} {ending:?}") };
        assert!(leaps > 3 && sweeps < 100 && modes.left() <= error, "{sweeps} {leaps} {error}");
    }

    #[test]
    fn the_limit_of_rounding_is_a_stall() {
        let mut modes = Modes { modes: vec![(0.3, 0.957), (0.01, 0.8)], shares: met };
        let (sweeps, _, ending) = modes.run(1e-12, 1e-9);
        assert_eq!(ending, PhaseEnd::Stalled);
        assert!(sweeps < 200, "{sweeps}");
    }

    #[test]
    fn words_of_nothing_are_no_course() {
        let words = Convergence::new(1e-7, 1e-9).words();
        assert_eq!(Convergence::of_words(&words), Some(Convergence::new(1e-7, 1e-9)));
        for broken in ["", "0", "0 1 2", &words[1..], &format!("{words} x")] {
            assert_eq!(Convergence::of_words(broken), None, "{broken}");
        }
    }
}
