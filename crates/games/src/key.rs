//! Mixing of machine words into a position's key.

/// A well mixed key of the words of a position.
///
/// Two rounds of a folded 128-bit product a word, as wyhash does it; equal words give equal keys on
/// every machine and in every version, so that keys may be written to files.
#[inline]
#[must_use]
pub fn mix(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |key, &word| {
        fold(key ^ 0xa076_1d64_78bd_642f, fold(word ^ 0xe703_7ed1_a0b4_28db, key ^ word))
    })
}

#[inline]
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul((b | 1) as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
