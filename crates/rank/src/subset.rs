//! Sets of one size, numbered in rising order of their bits.
//!
//! Source: combinatorial number system, Knuth, TAOCP 4A, §7.2.1.3. Checked by enumeration in `tests/rank/subsets.rs`.

use marquis_core::{Cell, Cells};

/// The number of a set among the sets of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubsetRank(pub u64);

/// Sizes 0 to 64.
const SIZES: usize = 65;

/// `BINOMIALS[k][n]`: the number of sets of `k` of `n` cells; a rank adds up entries of a few rows.
static BINOMIALS: [[u64; SIZES]; SIZES] = binomials();

const fn binomials() -> [[u64; SIZES]; SIZES] {
    let mut table = [[0; SIZES]; SIZES];
    let mut n = 0;
    while n < SIZES {
        table[0][n] = 1;
        let mut k = 1;
        while k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of sets of `k` of `n` cells; zero if `k` is greater than `n`.
///
/// Panics when one of them is greater than 64.
#[inline]
#[must_use]
pub fn binomial(n: u32, k: u32) -> u64 {
    BINOMIALS[k as usize][n as usize]
}

/// Ranks a set of cells among all sets of the same size.
///
/// The sets of `k` of `n` cells fill `0..binomial(n, k)` without unused indices, whatever `n` is, and a set
/// with greater bits has the greater rank.
///
/// ```
/// use marquis_core::Cells;
/// use marquis_rank::{SubsetRank, binomial, rank_set};
///
/// assert_eq!(rank_set(Cells(0b0011)), SubsetRank(0));
/// assert_eq!(rank_set(Cells(0b1100)), SubsetRank(binomial(4, 2) - 1));
/// ```
#[inline]
#[must_use]
pub fn rank_set(cells: Cells) -> SubsetRank {
    let places = cells.zip(&BINOMIALS[1..]);
    SubsetRank(places.map(|(cell, row)| row[cell.index() % SIZES]).sum())
}

/// Ranks a set among the sets of the same size that avoid the cells of `taken`.
///
/// * `cells`: disjoint from `taken`.
/// * Result: below `binomial(n - taken.len(), cells.len())` on a board of `n` cells; rises with the bits.
#[inline]
#[must_use]
pub fn rank_set_beside(cells: Cells, taken: Cells) -> SubsetRank {
    let mut packed = cells.0;
    let mut left = taken.0;
    while left != 0 {
        // From the highest on, so that the places of the other cells stay valid.
        let bit = 1u64 << (63 - left.leading_zeros());
        let below = bit - 1;
        left &= below;
        packed = packed & below | packed >> 1 & !below;
    }
    rank_set(Cells(packed))
}

/// The set of `size` cells that has this rank; the inverse of [`rank_set`].
///
/// Panics when the rank is not below `binomial(64, size)`.
#[must_use]
pub fn unrank_set(rank: SubsetRank, size: u32) -> Cells {
    let mut left = rank.0;
    let mut set = Cells::EMPTY;
    let mut cell = 63;
    for row in BINOMIALS[1..=size as usize].iter().rev() {
        while row[cell] > left {
            cell -= 1;
        }
        left -= row[cell];
        assert!(!set.contains(Cell(cell as u8)), "rank {} of a set of {size} cells is out of range", rank.0);
        set = set.with(Cell(cell as u8));
    }
    assert!(left == 0, "rank {} of a set of {size} cells is out of range", rank.0);
    set
}

/// The set that avoids `taken` and whose cells, counted among the others alone, are those of `packed`.
///
/// With [`unrank_set`] the inverse of [`rank_set_beside`].
#[inline]
#[must_use]
pub fn set_beside(packed: Cells, taken: Cells) -> Cells {
    let mut set = packed.0;
    let mut left = taken.0;
    while left != 0 {
        let below = (left & left.wrapping_neg()) - 1;
        left &= left - 1;
        set = set & below | (set & !below) << 1;
    }
    Cells(set)
}

/// The set of the same size with the next rank; `None` for the last set of 64 cells, and for the empty set.
#[inline]
#[must_use]
pub fn next_set(cells: Cells) -> Option<Cells> {
    let lowest = cells.0 & cells.0.wrapping_neg();
    let carried = cells.0.checked_add(lowest)?;
    if lowest == 0 {
        return None;
    }
    let run = (cells.0 ^ carried) >> 2;
    Some(Cells(carried | run >> lowest.trailing_zeros()))
}

/// The sets of `size` of the first `cells` cells, by rank.
///
/// Panics as [`binomial`] does.
pub fn sets_of(cells: u32, size: u32) -> impl Iterator<Item = Cells> {
    let count = binomial(cells, size) as usize;
    std::iter::successors(Some(Cells::first(size)), |&set| next_set(set)).take(count)
}
