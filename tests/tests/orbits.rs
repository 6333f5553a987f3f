//! A point-symmetric set-up is searched for one colour; the other's proof is the image of the first, and is valid.

use marquis_core::Playable;
use marquis_core::Player;
use marquis_games::beads::{BeadGame, Beads, Capture, Immobile, Leap, Position, Sandwich, Setup};
use marquis_proof::checker::{Grounds, check_never_loses, check_win};
use marquis_proof::{Guarantee, NoOracle, ProofSearch, SearchLimits, Settings};
use marquis_tests::sense::Sense;

const SETTINGS: Settings = Settings { table_bytes: 1 << 22, proof_bytes: 1 << 26, threads: 1 };

fn replays<R: Capture>(board: &str, alike: bool)
where
    BeadGame<R>: Playable<Position = Position>,
{
    let setup = Setup::parse(board, Beads(0), None).expect("a set-up");
    let (game, _) = setup.begin::<R>(Player::First, Immobile::Loss);
    let sense = Sense(game);
    let roots = Player::BOTH.map(|colour| setup.begin::<R>(colour, Immobile::Loss).1);
    let search = ProofSearch::with_knowledge(&game, &NoOracle, &sense, SETTINGS);
    let found = search.solve_orbits(&roots, &|_| false, &SearchLimits::default(), &mut |_| {});
    assert_eq!(found[1].nodes == 0, alike, "{board}: {} nodes", found[1].nodes);
    for (root, found) in roots.iter().zip(&found) {
        let by_itself = ProofSearch::with_knowledge(&game, &NoOracle, &sense, SETTINGS);
        let apart = by_itself.solve(root, &SearchLimits::default(), |_| {});
        assert_eq!(found.bounds, apart.bounds, "{board}");
        assert!(found.bounds.value().is_some() && !found.strategies.is_empty());
        let mut proved = marquis_core::Bounds::UNKNOWN;
        for strategy in &found.strategies {
            let (bytes, grounds) = (strategy.bytes(), Grounds::without_tables(&|_| false));
            let checked = match strategy.kind {
                Guarantee::Win => check_win(&game, root, strategy.holder, bytes, grounds),
                Guarantee::NeverLose => check_never_loses(&game, root, strategy.holder, bytes, grounds),
            };
            assert!(checked.is_ok(), "{board}: {:?}", checked.err());
            proved = proved.and(strategy.bounds(&game));
        }
        assert_eq!(proved, found.bounds, "{board}");
        let values = |found: &marquis_proof::Findings<BeadGame<R>>| {
            found.moves.iter().filter(|mv| mv.bounds.worst == found.bounds.worst).count()
        };
        assert!(values(found) > 0, "{board}: no move keeps the value");
    }
}

#[test]
fn proofs_of_symmetric_setups_replay_for_both_colours() {
    for board in ["w1w/4/1ooo1/4/b1b", "1w1/1o1w/b1o1w/b1o1/1b1"] {
        replays::<Leap>(board, true);
        replays::<Sandwich>(board, true);
    }
}

#[test]
fn other_setups_are_searched_for_both_colours() {
    replays::<Leap>("w1w/2o1/1oo2/4/b1b", false);
    replays::<Sandwich>("w1w/2o1/1oo2/4/b1b", false);
}
