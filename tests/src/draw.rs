//! Random numbers that are the same in every run and on every machine.

/// A stream of numbers from a seed.
///
/// Source: SplitMix64, Steele, Lea and Flood, “Fast splittable pseudorandom number generators”, 2014.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The stream of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `limit - 1`. Panics for 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("a limit of 64 bits");
        usize::try_from(self.next() % limit).expect("below a limit of the same type")
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// One of `things`. Panics if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// Shuffles the things.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
