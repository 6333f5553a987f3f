//! Parallel work on many games or positions, with a random generator for each part.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

/// Games or positions for one random generator.
const EACH: u64 = 1000;

/// A sum over games or positions.
pub(crate) trait Sum: Default + Send {
    /// Both together.
    fn and(self, other: Self) -> Self;
}

/// Adds up parts in order, because sums of floats must not depend on the threads.
///
/// * `number`: the number of calls of `each`.
/// * `seed`: the same seed gives the same sums, on any number of threads.
pub(crate) fn in_parts<S: Sum>(number: u64, seed: u64, each: impl Fn(&mut StdRng, &mut S) + Sync) -> S {
    let parts: Vec<S> = (0..number.div_ceil(EACH))
        .into_par_iter()
        .map(|part| {
            let mut rng = StdRng::seed_from_u64(seed.wrapping_add(part));
            let mut sums = S::default();
            (part * EACH..number.min((part + 1) * EACH)).for_each(|_| each(&mut rng, &mut sums));
            sums
        })
        .collect();
    parts.into_iter().fold(S::default(), S::and)
}
