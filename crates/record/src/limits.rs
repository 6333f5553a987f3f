//! Limits on the size of a record: enough for any real game, and small enough to stop hostile input.

/// Bytes of a text with one game.
pub const MOST_BYTES: usize = 1 << 20;
/// Headers of a game.
pub const MOST_HEADERS: usize = 64;
/// Plies of a game, including those of its variations.
pub const MOST_PLIES: usize = 10_000;
/// Variations of a game.
pub const MOST_VARIATIONS: usize = 1_000;
/// Depth of nested variations.
pub const DEEPEST: usize = 16;
/// Characters of the name of a header.
pub const LONGEST_NAME: usize = 64;
/// Characters of the value of a header.
pub const LONGEST_VALUE: usize = 4_096;
/// Characters of a move.
pub const LONGEST_MOVE: usize = 32;
