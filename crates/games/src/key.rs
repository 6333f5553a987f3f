//! Mixing of machine words into a position's key.

/// A well mixed key of the words of a position.
///
/// Two rounds of a folded 128-bit product a word, as in wyhash; equal words give equal keys on every machine and in
/// every version, so that keys may be written to files.
#[inline]
#[must_use]
pub fn mix(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |key, &word| {
        fold(key ^ 0xa076_1d64_78bd_642f, fold(word ^ 0xe703_7ed1_a0b4_28db, key ^ word))
    })
}

/// One word's well mixed share of a key; `place` distinguishes words that may be equal.
///
/// The key is the exclusive or of the shares. As stable as [`mix`].
#[inline]
#[must_use]
pub const fn scatter(word: u64, place: usize) -> u64 {
    const SALTS: [(u64, u64); 4] = [
        (0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db),
        (0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3),
        (0x1d8e_4e27_c47d_124f, 0xeb44_acca_b455_d165),
        (0x9c64_66a9_6e1d_ba4b, 0xd6e8_feb8_6659_fd93),
    ];
    let (first, second) = SALTS[place];
    fold(fold(word ^ first, second) ^ second, first)
}

#[inline]
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul((b | 1) as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
