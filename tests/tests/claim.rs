//! The designer's claim about Flowish, by the fast rules: White alone always has a step and never returns.

use marquis_tests::claim::flowish_ends;
use marquis_tests::fast::Fast;
use marquis_tests::reference::Immobile;

#[test]
fn flowish_never_sticks_and_never_returns() {
    let game = Fast::of("flowish", Immobile::Loss);
    let sets = |side, pieces| flowish_ends(side, pieces, |board| game.white_flowish_steps(board));
    assert_eq!((2..=8).map(|pieces| sets(3, pieces)).sum::<usize>(), 169_746);
    assert_eq!((2..=4).map(|pieces| sets(4, pieces)).sum::<usize>(), 74_481);
}
