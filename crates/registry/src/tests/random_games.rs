//! Positions of random games, for tests that compare an estimate or a forecast with the rules.

use marquis_core::Game;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;

/// Calls `visit` with the positions of random games that are not over, each with the positions after its moves.
///
/// * `plies`: the most of a game.
pub(crate) fn each_position<G: Game>(
    game: &G,
    root: G::Position,
    games: usize,
    plies: usize,
    mut visit: impl FnMut(&G::Position, &[G::Position]),
) {
    let (mut random, mut moves) = (SmallRng::seed_from_u64(11), Vec::new());
    for _ in 0..games {
        let mut position = root;
        for _ in 0..plies {
            if game.over(&position).is_some() {
                break;
            }
            moves.clear();
            game.moves(&position, &mut moves);
            let nexts: Vec<G::Position> = moves.iter().map(|&play| game.play(&position, play)).collect();
            visit(&position, &nexts);
            position = *nexts.choose(&mut random).expect("a game that is not over has moves");
        }
    }
}
