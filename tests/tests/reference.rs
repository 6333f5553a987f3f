//! The reference rules against the check numbers of the rules page.

use marquis_tests::claim::flowish_ends;
use marquis_tests::data;
use marquis_tests::games;
use marquis_tests::reference::flowish::destinations;
use marquis_tests::reference::hexboard::HexBoard;
use marquis_tests::reference::{self, Immobile, Rules, senet_values, solver};

/// The maximum number of leaves in the ordinary run.
const ORDINARY_LEAVES: u64 = 500_000;
/// The maximum size of position sets in the ordinary run.
const ORDINARY_STATES: usize = 50_000;

fn check_perft(is_wanted: impl Fn(u64) -> bool) {
    for perft in data::perfts() {
        let game = Rules::of(&perft.game, Immobile::Loss);
        for &(depth, leaves) in perft.counts.iter().filter(|&&(_, leaves)| is_wanted(leaves)) {
            let counted = reference::perft(game.plain(), &perft.position, depth);
            assert_eq!(counted, leaves, "{} at depth {depth}", perft.id);
        }
    }
}

fn check_solved(file: &str, is_wanted: impl Fn(usize) -> bool) {
    for known in data::solved(file).iter().filter(|known| known.game != "senet" && is_wanted(known.states)) {
        let at = format!("{} {}", known.game, known.position);
        let game = Rules::of(&known.game, known.immobile);
        let solved = solver::solve(game.plain(), &known.position);
        let states = known.counted.of(solved.scores.len(), solved.finished("win"), solved.finished("loss"));
        assert_eq!(states, known.states, "states of {at}");
        assert_eq!(solved.scores[&known.position], (known.value.as_str(), known.plies), "value of {at}");
        if let Some(draws) = known.draws {
            assert_eq!(solved.count("draw"), draws, "draws of {at}");
        }
    }
}

fn check_chances(file: &str) {
    for known in data::solved(file).iter().filter(|known| known.game == "senet") {
        let solved = senet_values::solve(&known.position, 1e-10);
        let chance: f64 = known.value.parse().expect("a chance");
        let states = known.counted.of(solved.states, solved.finished_wins, solved.finished_losses);
        assert_eq!(states, known.states, "states of {}", known.position);
        // The files give nine digits.
        assert!(solved.lower - 5e-10 <= chance && chance <= solved.upper + 5e-10, "{solved:?}");
    }
}

#[test]
fn leaf_counts_are_those_of_the_rules_page() {
    check_perft(|leaves| leaves <= ORDINARY_LEAVES);
}

#[test]
#[ignore = "long"]
fn large_leaf_counts_are_those_of_the_rules_page() {
    check_perft(|leaves| leaves > ORDINARY_LEAVES);
}

#[test]
fn solved_positions_are_those_of_the_rules_page() {
    check_solved("solved.txt", |states| states <= ORDINARY_STATES);
}

#[test]
#[ignore = "long, and takes a gibibyte of memory"]
fn large_solved_positions_are_those_of_the_rules_page() {
    check_solved("solved.txt", |states| (ORDINARY_STATES + 1..1_000_000).contains(&states));
}

#[test]
#[ignore = "long"]
fn the_senet_chance_is_that_of_the_rules_page() {
    check_chances("solved.txt");
}

#[test]
fn small_positions_are_solved_as_ever() {
    check_solved("small.txt", |_| true);
    check_chances("small.txt");
}

/// The moves, or the end of the game, as written in the files of positions derived by hand.
fn in_words(rules: &Rules, position: &str, throw: Option<i32>) -> String {
    match rules.over(position) {
        Some(end) => format!("over {} {}", end.reason, end.value),
        None => rules.moves(position, throw).into_keys().collect::<Vec<_>>().join(" "),
    }
}

#[test]
fn moves_are_those_worked_by_hand() {
    for game in games::all() {
        let rules = Rules::of(game, Immobile::Loss);
        for worked in data::worked_by_hand(game) {
            let moves = in_words(&rules, &worked.position, worked.throw);
            assert_eq!(moves, worked.expected, "{game} {} {:?}", worked.position, worked.throw);
        }
    }
}

/// The boards that White's Flowish steps lead to.
fn white_steps(board: &str) -> Vec<String> {
    let board = HexBoard::read(board);
    let after = |(from, to)| {
        let mut next = board.clone();
        next.pieces.remove(&from);
        next.pieces.insert(to, 'w');
        next.write()
    };
    destinations(&board, 'w').into_iter().map(after).collect()
}

#[test]
fn flowish_never_sticks_and_never_returns() {
    let sets = |side, pieces| flowish_ends(side, pieces, white_steps);
    assert_eq!((2..=8).map(|pieces| sets(3, pieces)).sum::<usize>(), 169_746);
    assert_eq!((2..=4).map(|pieces| sets(4, pieces)).sum::<usize>(), 74_481);
}
