//! Codes of scores as keys whose smallest is the best for the player to move there, and the folding of rows.
//!
//! A move into a position lost in `p` is the better the smaller `p`, one into a position won in `p` the better the
//! greater `p`. A loser loses after an even number of plies, a winner wins after an odd one, but the keys do not rely
//! on this.
//!
//! | code (see `cell`) | key |
//! | --- | --- |
//! | 2 + 2p, loss in p | p |
//! | 3 + 2p, win in p | 254 − p |
//! | 0, unused index | 255 |

use super::{Image, Stretch};

/// The key of an unused index, and of having no move.
pub(super) const NOTHING: u8 = 255;
/// The key of a player without a move whose pass is not settled yet; otherwise that of a win in 0 plies, which no
/// unfinished position has.
pub(super) const PASSES: u8 = 254;
/// The greatest key of a loss, and one more.
const WINS: u8 = 128;
/// The greatest code that a finished cell of one byte may have.
const GREATEST: u8 = 253;

/// The key of a code.
#[inline(always)]
pub(super) const fn key(code: u8) -> u8 {
    let odd = 0u8.wrapping_sub(code & 1);
    (code >> 1 ^ odd).wrapping_sub(!odd & 1)
}

/// The code of a position whose best move leads to a position with this key; 0 for [`NOTHING`].
#[inline(always)]
pub(super) const fn before_move(key: u8) -> u8 {
    let twice = key.wrapping_add(key);
    let won = twice.wrapping_add(5);
    let lost = 0u8.wrapping_sub(twice);
    let code = if key < WINS { won } else { lost };
    if key == NOTHING { 0 } else { code }
}

/// Returns whether a code is too great for a cell.
#[inline(always)]
pub(super) const fn overflows(code: u8) -> bool {
    code > GREATEST
}

/// Replaces each key by the better of it and the key of the code in its place.
#[inline]
fn fold(keys: &mut [u8], codes: &[u8]) {
    for (best, &code) in keys.iter_mut().zip(codes) {
        *best = (*best).min(key(code));
    }
}

/// Replaces each key by the better of it and the key in a placement's row.
///
/// * `row`: the row that is held for the placement or for its image.
/// * `columns`: the levels of the columns.
pub(super) fn fold_row(keys: &mut [u8], row: &[u8], image: Image, columns: &[Stretch]) {
    if image == Image::Itself {
        return fold(keys, row);
    }
    for parts in columns.iter().map(Parts::of) {
        let (first, last) = match image {
            Image::Symmetric => (parts.chosen.clone(), parts.chosen.clone()),
            _ => (parts.images.clone(), parts.chosen.clone()),
        };
        fold(&mut keys[parts.chosen], &row[first]);
        fold(&mut keys[parts.symmetric.clone()], &row[parts.symmetric]);
        fold(&mut keys[parts.images], &row[last]);
    }
}

/// Makes the columns that represent images of others unused indices.
pub(super) fn clear_images(row: &mut [u8], columns: &[Stretch]) {
    for parts in columns.iter().map(Parts::of) {
        row[parts.images].fill(0);
    }
}

/// The columns of a level.
struct Parts {
    chosen: std::ops::Range<usize>,
    symmetric: std::ops::Range<usize>,
    images: std::ops::Range<usize>,
}

impl Parts {
    fn of(stretch: &Stretch) -> Self {
        let start = stretch.start as usize;
        let symmetric = start + stretch.chosen as usize;
        let images = start + stretch.rows() as usize;
        Self {
            chosen: start..symmetric,
            symmetric: symmetric..images,
            images: images..stretch.end() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use marquis_core::{Plies, Score};

    use super::*;
    use crate::cell::{code_of, score_of};

    #[test]
    fn the_smallest_key_is_the_best_move_and_gives_the_score_before_it() {
        let scores = || (0..124).flat_map(|p| [Score::Loss(Plies(p)), Score::Win(Plies(p))]);
        for a in scores() {
            let own = key(code_of(a) as u8);
            assert_eq!(score_of(before_move(own).into()), a.before_move(), "{a:?}");
            for b in scores() {
                let better = a.before_move() > b.before_move();
                assert_eq!(own < key(code_of(b) as u8), better, "{a:?} {b:?}");
            }
        }
        assert_eq!((key(0), before_move(NOTHING)), (NOTHING, 0));
    }
}
