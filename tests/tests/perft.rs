//! The fast rules against the leaf counts of the rules page and the positions derived by hand.

use marquis_tests::data;
use marquis_tests::fast::Fast;
use marquis_tests::games;
use marquis_tests::reference::Immobile;

#[test]
fn leaf_counts_are_those_of_the_rules_page() {
    for perft in data::perfts() {
        let game = Fast::of(&perft.game, Immobile::Loss);
        for &(depth, leaves) in &perft.counts {
            assert_eq!(game.perft(&perft.position, depth), leaves, "{} at depth {depth}", perft.id);
        }
    }
}

#[test]
fn moves_are_those_worked_by_hand() {
    for game in games::all() {
        let fast = Fast::of(game, Immobile::Loss);
        for worked in data::worked_by_hand(game) {
            let at = format!("{game} {} {:?}", worked.position, worked.throw);
            let words = if let Some(end) = fast.over(&worked.position) {
                format!("over {} {}", end.reason, end.value)
            } else {
                let moves = fast.moves(&worked.position, worked.throw);
                let mut words: Vec<String> = moves.into_iter().map(|(mv, _)| mv).collect();
                words.sort_unstable();
                words.join(" ")
            };
            assert_eq!(words, worked.expected, "{at}");
        }
    }
}
