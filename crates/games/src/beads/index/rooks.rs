//! Sets of at most three rooks as numbers of vacant cells, and ranks of these.

use marquis_core::{Cell, Cells};
use marquis_rank::binomial;

use crate::beads::Setup;

/// Most rooks of a player.
pub(super) const MOST: usize = Setup::MOST_ROOKS as usize;
/// Marks "no rook"; so does any value that results from subtracting some numbers from it.
const NONE: u8 = u8::MAX;
/// Above every number of a cell, and at most any value that marks no rook.
const ABOVE_ALL: u8 = 64;

/// For each place in a set and each number of a cell, the cell's part of the rank; 0 for no rook.
static ADDS: [[u32; 256]; MOST] = adds();

const fn adds() -> [[u32; 256]; MOST] {
    let mut table = [[0; 256]; MOST];
    let mut x: u32 = 0;
    while x < 64 {
        table[0][x as usize] = x;
        table[1][x as usize] = x * x.saturating_sub(1) / 2;
        table[2][x as usize] = x * x.saturating_sub(1) / 2 * x.saturating_sub(2) / 3;
        x += 1;
    }
    table
}

/// The numbers of at most three cells in rising order, then [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellNumbers([u8; MOST]);

impl CellNumbers {
    /// The numbers of some cells by `number`, which must rise with the cells.
    #[inline]
    pub(super) fn of(cells: Cells, number: impl Fn(Cell) -> u8) -> Self {
        let mut numbers = [NONE; MOST];
        for (place, cell) in numbers.iter_mut().zip(cells) {
            *place = number(cell);
        }
        Self(numbers)
    }

    /// The number of these numbers below `number`.
    #[inline]
    pub(super) fn below(self, number: u8) -> usize {
        self.0.iter().map(|&own| usize::from(own < number)).sum()
    }

    /// The number of a cell among those that are not in this set.
    #[inline]
    pub(super) fn beside(self, number: u8) -> u8 {
        number - self.below(number) as u8
    }

    /// The numbers of these cells among those that are not in `others`.
    #[inline]
    pub(super) fn all_beside(self, others: Self) -> Self {
        Self(self.0.map(|number| others.beside(number)))
    }

    /// The cells whose numbers are these when the cells of `others` are skipped.
    #[inline]
    pub(super) fn spread(self, others: Self) -> Self {
        Self(self.0.map(|number| {
            let pass = |number, &other: &u8| number + u8::from(other <= number);
            if number >= ABOVE_ALL { NONE } else { others.0.iter().fold(number, pass) }
        }))
    }

    /// The rank among all sets of as many numbers.
    #[inline]
    pub(super) fn rank(self) -> u32 {
        ADDS.iter().zip(self.0).map(|(adds, number)| adds[usize::from(number)]).sum()
    }

    /// The numbers, without those that mark no rook.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|&number| number < ABOVE_ALL)
    }
}

/// The numbers of the cells without a bead or a rook of one row, in a table: faster for many cells of the same row.
#[derive(Clone, Debug)]
pub(super) struct Beside([u8; 64]);

impl Beside {
    /// * `left`: the numbered cells.
    #[inline]
    pub(super) fn new(left: Cells) -> Self {
        let mut numbers = [0; 64];
        for (number, cell) in (0..).zip(left) {
            numbers[cell.index() & 63] = number;
        }
        Self(numbers)
    }

    #[inline]
    pub(super) fn number(&self, cell: Cell) -> u8 {
        self.0[cell.index() & 63]
    }

    #[inline]
    pub(super) fn numbers(&self, cells: Cells) -> CellNumbers {
        CellNumbers::of(cells, |cell| self.number(cell))
    }

    /// The rank of at most three cells among all sets of as many.
    #[inline]
    pub(super) fn rank(&self, cells: Cells) -> u32 {
        ADDS.iter().zip(cells).map(|(adds, cell)| adds[usize::from(self.number(cell))]).sum()
    }
}

/// Ranks the sets of at most two fixed numbers and another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneMore {
    others: CellNumbers,
    /// The fixed numbers' part of the rank, by the number of them below the other one.
    fixed: [u32; MOST],
}

impl OneMore {
    /// * `others`: at most two.
    #[inline]
    pub(super) fn new(others: CellNumbers) -> Self {
        let [low, high, _] = others.0.map(usize::from);
        let fixed =
            [ADDS[1][low] + ADDS[2][high], ADDS[0][low] + ADDS[2][high], ADDS[0][low] + ADDS[1][high]];
        Self { others, fixed }
    }

    /// The rank of the set with this number in it.
    #[inline]
    pub(super) fn rank(self, number: u8) -> u32 {
        let [low, high, _] = self.others.0;
        let below = usize::from(low < number) + usize::from(high < number);
        self.fixed[below] + ADDS[below][usize::from(number)]
    }
}

/// The ranks of a set after skipping at most two fixed numbers and another one, by the number of the set's numbers
/// below the other one.
#[derive(Clone, Copy, Debug)]
pub(super) struct BesideOneMore {
    set: CellNumbers,
    ranks: [u32; MOST + 1],
}

impl BesideOneMore {
    /// * `others`: at most two, none of them in the set.
    #[inline]
    pub(super) fn new(set: CellNumbers, others: CellNumbers) -> Self {
        let beside = set.all_beside(others).0;
        let add = |place: usize, number: u8| ADDS[place][usize::from(number)];
        let rank = |below: usize| {
            let moved = |place: usize| beside[place].saturating_sub(u8::from(place >= below));
            (0..MOST).map(|place| add(place, moved(place))).sum()
        };
        Self { set, ranks: std::array::from_fn(rank) }
    }

    /// The rank of the set after skipping the others and this number.
    #[inline]
    pub(super) fn rank(self, number: u8) -> u32 {
        self.ranks[self.set.below(number)]
    }
}

/// All sets of 0 to 3 numbers by rank.
#[derive(Clone, Debug)]
pub(super) struct Unranked([Vec<CellNumbers>; MOST + 1]);

impl Unranked {
    /// The sets of numbers below `cells`.
    pub(super) fn new(cells: u32) -> Self {
        Self(std::array::from_fn(|size| {
            let mut next = Some(Cells::first(size as u32));
            let sets = (0..binomial(cells, size as u32)).map(|_| {
                let set = next.unwrap_or_default();
                next = marquis_rank::next_set(set);
                CellNumbers::of(set, |cell| cell.0)
            });
            sets.collect()
        }))
    }

    /// The set of `size` numbers that has this rank.
    #[inline]
    pub(super) fn set(&self, size: u8, rank: u64) -> CellNumbers {
        self.0[usize::from(size)][rank as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use marquis_rank::{SubsetRank, rank_set, rank_set_beside};

    fn sets(cells: u32) -> impl Iterator<Item = Cells> {
        (0..1 << cells).map(Cells).filter(|set| set.len() <= MOST as u32)
    }

    fn numbers(set: Cells) -> CellNumbers {
        CellNumbers::of(set, |cell| cell.0)
    }

    #[test]
    fn ranks_are_those_of_sets() {
        let unranked = Unranked::new(9);
        for set in sets(9) {
            let SubsetRank(rank) = rank_set(set);
            assert_eq!(u64::from(numbers(set).rank()), rank);
            assert_eq!(unranked.set(set.len() as u8, rank), numbers(set));
            assert_eq!(numbers(set).iter().count(), set.len() as usize);
            for one in set {
                let more = OneMore::new(numbers(set.without(one)));
                assert_eq!(u64::from(more.rank(one.0)), rank);
            }
        }
    }

    #[test]
    fn ranks_beside_others_are_those_of_sets() {
        for set in sets(8) {
            for other in sets(8).filter(|other| !other.meets(set)) {
                let SubsetRank(rank) = rank_set_beside(set, other);
                let beside = numbers(set).all_beside(numbers(other));
                assert_eq!(u64::from(beside.rank()), rank);
                let table = Beside::new(Cells::first(8) - other);
                assert_eq!(table.rank(set), beside.rank());
                assert!(table.numbers(set).iter().eq(beside.iter()));
                assert_eq!(beside.spread(numbers(other)), numbers(set));
                for one in other {
                    let ranks = BesideOneMore::new(numbers(set), numbers(other.without(one)));
                    assert_eq!(u64::from(ranks.rank(one.0)), rank, "{set:?} beside {other:?}");
                }
            }
        }
    }
}
