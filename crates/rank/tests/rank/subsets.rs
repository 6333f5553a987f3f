//! Ranks of sets against plain enumeration.

use marquis_core::Cells;
use marquis_rank::{
    Ranker, SubsetRank, binomial, next_set, rank_set, rank_set_beside, set_beside, sets_of, unrank_set,
};

/// All sets of `size` of the cells `0..cells`, found by testing every number.
fn sets(cells: u32, size: u32) -> Vec<Cells> {
    (0..1u64 << cells).map(Cells).filter(|set| set.len() == size).collect()
}

#[test]
fn sets_of_one_size_are_ranked_in_order_without_holes() {
    for size in 0..=12 {
        let sets = sets(12, size);
        assert_eq!(sets.len() as u64, binomial(12, size));
        assert!(sets_of(12, size).eq(sets.iter().copied()));
        for (rank, &set) in (0..).map(SubsetRank).zip(&sets) {
            assert_eq!(rank_set(set), rank);
            assert_eq!(unrank_set(rank, size), set);
        }
        for pair in sets.windows(2) {
            assert_eq!(next_set(pair[0]), Some(pair[1]));
        }
    }
    assert_eq!(sets_of(3, 4).next(), None);
    assert_eq!(next_set(Cells::EMPTY), None);
    assert_eq!(next_set(Cells(0b11 << 62)), None);
}

#[test]
fn sets_beside_another_are_ranked_as_if_its_cells_were_gone() {
    for taken in [0, 1, 0b1000_0000_0001, 0b0110_1011_0010, 0b1111_1111_0000].map(Cells) {
        for size in 0..=4 {
            let beside = sets(12, size).into_iter().filter(|set| !set.meets(taken));
            let mut count = 0;
            for (rank, set) in (0..).map(SubsetRank).zip(beside) {
                assert_eq!(rank_set_beside(set, taken), rank);
                assert_eq!(set_beside(unrank_set(rank, size), taken), set);
                count += 1;
            }
            assert_eq!(count, binomial(12 - taken.len(), size));
        }
    }
}

#[test]
fn subsets_of_scattered_cells_are_ranked_as_if_there_were_no_others() {
    for cells in [0, 0b1000_0000_0001, 0b0110_1011_0111_0001, 0xff_0180, 0xf000_0000_0000_0007].map(Cells) {
        let ranker = Ranker::new(cells);
        let mut next = [0; 20];
        // Subsets in increasing order: those of one size have the ranks 0, 1, 2…
        let mut subset = Cells::EMPTY;
        loop {
            let rank = &mut next[subset.len() as usize];
            assert_eq!(ranker.rank(subset), SubsetRank(*rank));
            *rank += 1;
            if subset == cells {
                break;
            }
            subset = Cells(subset.0.wrapping_sub(cells.0) & cells.0);
        }
    }
}

#[test]
fn known_binomials() {
    assert_eq!(binomial(19, 6), 27132);
    assert_eq!(binomial(61, 19), 2_969_831_763_694_950);
    assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
    assert_eq!(binomial(3, 4), 0);
}

#[test]
fn the_last_set_of_64_cells_has_the_last_rank() {
    let last = Cells(u64::MAX << 52);
    assert_eq!(rank_set(last).0, binomial(64, 12) - 1);
    assert_eq!(unrank_set(rank_set(last), 12), last);
}
