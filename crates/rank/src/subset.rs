//! Sets of one size, numbered in rising order of their bits.
//!
//! Source: combinatorial number system, Knuth, TAOCP 4A, §7.2.1.3. Checked by enumeration in `tests/subsets.rs`.

use marquis_core::{Cell, Cells};

/// The number of a set among the sets of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u64);

/// Rows and columns of the table of binomials.
const ROWS: usize = 65;

static BINOMIALS: [[u64; ROWS]; ROWS] = binomials();

const fn binomials() -> [[u64; ROWS]; ROWS] {
    let mut table = [[0; ROWS]; ROWS];
    let mut n = 0;
    while n < ROWS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// How many sets of `k` of `n` cells there are; none where `k` is greater than `n`.
///
/// Panics when one of them is greater than 64.
#[inline]
#[must_use]
pub fn binomial(n: u32, k: u32) -> u64 {
    BINOMIALS[n as usize][k as usize]
}

/// Ranks a set of cells among all sets of the same size.
///
/// The sets of `k` of `n` cells fill `0..binomial(n, k)` without holes, whatever `n` is, and a set
/// with greater bits has the greater rank.
#[inline]
#[must_use]
pub fn rank_set(cells: Cells) -> Rank {
    rank_set_beside(cells, Cells::EMPTY)
}

/// Ranks a set among the sets of the same size that avoid the cells of `taken`.
///
/// * `cells`: disjoint from `taken`.
/// * Result: below `binomial(n - taken.len(), cells.len())` on a board of `n` cells; rises with the bits.
#[inline]
#[must_use]
pub fn rank_set_beside(cells: Cells, taken: Cells) -> Rank {
    let mut rank = 0;
    for (cell, place) in cells.zip(1..) {
        let below = (1u64 << cell.0) - 1;
        let free_below = u32::from(cell.0) - (taken.0 & below).count_ones();
        rank += BINOMIALS[free_below as usize][place];
    }
    Rank(rank)
}

/// The set of `size` cells that has this rank; the inverse of [`rank_set`].
///
/// Panics when the rank is not below `binomial(64, size)`.
#[must_use]
pub fn unrank_set(rank: Rank, size: u32) -> Cells {
    let mut left = rank.0;
    let mut set = Cells::EMPTY;
    let mut above = 64usize;
    for place in (1..=size as usize).rev() {
        above = BINOMIALS[..above].partition_point(|row| row[place] <= left);
        assert!(above > 0, "rank {} of a set of {size} cells is out of range", rank.0);
        above -= 1;
        left -= BINOMIALS[above][place];
        set = set.with(Cell(above as u8));
    }
    assert!(left == 0, "rank {} of a set of {size} cells is out of range", rank.0);
    set
}

/// The set that avoids `taken` and whose cells, counted among the others alone, are those of `packed`.
///
/// With [`unrank_set`] the inverse of [`rank_set_beside`].
#[must_use]
pub fn set_beside(packed: Cells, taken: Cells) -> Cells {
    let mut set = Cells::EMPTY;
    for cell in packed {
        // Each taken cell at or below the place so far moves it up by one.
        let mut place = u32::from(cell.0);
        for passed in taken {
            if u32::from(passed.0) > place {
                break;
            }
            place += 1;
        }
        set = set.with(Cell(place as u8));
    }
    set
}

/// The set of the same size that has the next rank; `None` past the last one of 64 cells, and for no cells.
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
