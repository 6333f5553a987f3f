//! Ranks of subsets by table look-up, a byte of the set at a time.

use marquis_core::Cells;

use crate::subset::{SubsetRank, binomial};

/// Ranks the subsets of some cells among those of the same size. The ranks equal those of
/// [`rank_set_beside`](crate::rank_set_beside) with all other cells taken, at the cost of a few loads.
///
/// Sets of any size can be ranked; 8 bytes of a set cost 8 pairs of loads.
#[derive(Clone, Debug)]
pub struct Ranker {
    bytes: Vec<RankByte>,
}

/// The contributions of the cells of one byte to the rank.
#[derive(Clone, Debug)]
struct RankByte {
    shift: u32,
    /// For each number of members in the bytes before, 256 sums.
    sums: Vec<[u64; 256]>,
}

impl Ranker {
    /// The ranks of subsets of `cells`.
    #[must_use]
    pub fn new(cells: Cells) -> Self {
        let byte = |shift: u32| {
            let members = Cells(cells.0 >> shift & 0xff);
            let before = Cells(cells.0 & ((1 << shift) - 1)).len();
            let sums = (0..=before).map(|count| std::array::from_fn(|v| sum(members, before, count, v)));
            RankByte { shift, sums: sums.collect() }
        };
        let shifts = (0..u64::BITS).step_by(8).filter(|shift| cells.0 >> shift & 0xff != 0);
        Self { bytes: shifts.map(byte).collect() }
    }

    /// The rank of a set among the sets of its size.
    ///
    /// * `set`: a subset of the cells.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: Cells) -> SubsetRank {
        let (mut rank, mut count) = (0, 0);
        for byte in &self.bytes {
            let value = (set.0 >> byte.shift & 0xff) as usize;
            rank += byte.sums[count][value];
            count += value.count_ones() as usize;
        }
        SubsetRank(rank)
    }
}

/// The contribution of the members of one byte of a set to its rank.
///
/// * `members`: the cells of the byte, from bit 0; `before` cells lie below them.
/// * `count`: members of the set below the byte.
/// * `value`: the byte of the set.
fn sum(members: Cells, before: u32, count: u32, value: usize) -> u64 {
    let mut sum = 0;
    let mut place = count;
    for (number, cell) in members.enumerate() {
        if value >> cell.0 & 1 != 0 {
            place += 1;
            sum += binomial(before + number as u32, place);
        }
    }
    sum
}
