//! An existing game with known values, which the solvers get right as well.

use std::sync::atomic::AtomicBool;

use marquis_core::{Game, Indexed, Plies, Score, Slot};
use marquis_retro::layered::solve_bundle;
use marquis_retro::verify::verify_layer;
use marquis_retro::{BundlePlan, Counts, Entry, Layers, SolveLimits, exhaustive};
use marquis_tests::guests::quixo::Quixo;

static NEVER: AtomicBool = AtomicBool::new(false);

/// All layers of the game, solved.
fn solved(game: &Quixo) -> Layers<<Quixo as Indexed>::Layer> {
    let mut layers = Layers::default();
    for bundle in BundlePlan::new(game, game.layers()).bundles {
        let limits = SolveLimits::until(&NEVER);
        for layer in solve_bundle(game, bundle.layers[0], &layers, &limits, &|_| ()).expect("no limit") {
            layers.insert(layer.layer, layer.cells);
        }
    }
    layers
}

fn positions(game: &Quixo) -> u64 {
    let slots = |layer| (0..game.slots(layer)).map(Slot).filter_map(move |slot| game.position(layer, slot));
    game.layers().into_iter().flat_map(slots).map(|position| game.sharing(&position)).sum()
}

#[test]
fn the_small_board_has_the_scores_of_the_exhaustive_solver() {
    let game = Quixo::THREE;
    assert_eq!(positions(&game), 2 * 3_u64.pow(9));
    let layers = solved(&game);
    let reachable =
        exhaustive::solve(&game, game.start(), &SolveLimits::until(&NEVER), &mut |_| ()).expect("no limit");
    for (position, score) in reachable.iter() {
        let (layer, slot) = game.slot(position);
        assert_eq!(layers.get(layer).expect("a layer").entry(slot), Entry::Score(score), "{position:?}");
    }
    for layer in game.layers() {
        let verified = verify_layer(&game, layer, &layers, 1, &SolveLimits::until(&NEVER), &|_| ());
        assert_eq!(verified.expect("all layers").faults, [], "{layer:?}");
    }
}

#[test]
fn every_push_can_be_taken_back() {
    use marquis_core::Retract;
    let game = Quixo::FOUR;
    let (mut position, mut seed) = (game.start(), 7_usize);
    for _ in 0..500 {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let push = moves[(seed >> 33) % moves.len()];
        let after = game.play(&position, push);
        let before = game.slot(&position);
        if game.component(before.0).contains(&game.slot(&after).0) {
            let mut found = false;
            game.predecessors(&after, |layer, slot, _| found |= (layer, slot) == before);
            assert!(found, "{position:?} {push}");
        }
        position = if game.over(&after).is_some() { game.start() } else { after };
    }
}

/// The start of 4×4 is a win in 21, as in GamesmanOne.
#[test]
#[ignore = "half a minute"]
fn the_board_of_four_is_won_in_21() {
    let game = Quixo::FOUR;
    assert_eq!(positions(&game), 86_093_442);
    let layers = solved(&game);
    let (layer, slot) = game.slot(&game.start());
    assert_eq!(layers.get(layer).expect("a layer").entry(slot), Entry::Score(Score::Win(Plies(21))));
    let draws: u64 =
        game.layers().into_iter().map(|layer| Counts::of(layers.get(layer).expect("it")).draws).sum();
    assert!(draws > 0);
}
