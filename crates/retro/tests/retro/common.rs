//! Helpers for the tests of whole layers: solving all of them, and a judge of all of them at once.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use marquis_core::{Game, Hashed, Indexed, Over, Player, Retract, Score, Slot};
use marquis_retro::layered::{solve_bundle, solve_bundle_forward};
use marquis_retro::verify::verify_layer;
use marquis_retro::{
    BundlePlan, Layer, LayerCells, Layers, SolveLimits, SolveProgress, Solved, Verified, exhaustive,
};

pub(crate) fn quiet(_: SolveProgress) {}

/// These layers and all below, by moves taken back.
pub(crate) fn built<G: Retract>(game: &G, wanted: impl IntoIterator<Item = G::Layer>) -> Layers<G::Layer> {
    each_bundle(game, wanted, |_, _| ())
}

/// These layers and all below, solved backwards and forwards to the same cells.
pub(crate) fn solved<G: Retract>(game: &G, wanted: impl IntoIterator<Item = G::Layer>) -> Layers<G::Layer> {
    let stop = AtomicBool::new(false);
    each_bundle(game, wanted, |solved, layers| {
        let limits = SolveLimits::until(&stop);
        let forward = solve_bundle_forward(game, solved[0].layer, layers, &limits, &quiet).unwrap();
        assert!(solved == forward, "forwards and backwards differ in {:?}", solved[0].layer);
    })
}

fn each_bundle<G: Retract>(
    game: &G,
    wanted: impl IntoIterator<Item = G::Layer>,
    check: impl Fn(&[Layer<G::Layer>], &Layers<G::Layer>),
) -> Layers<G::Layer> {
    let (stop, mut layers) = (AtomicBool::new(false), Layers::default());
    for bundle in BundlePlan::new(game, wanted).bundles {
        let limits = SolveLimits::until(&stop);
        let solved = solve_bundle(game, bundle.layers[0], &layers, &limits, &quiet).unwrap();
        check(&solved, &layers);
        for layer in solved {
            layers.insert(layer.layer, layer.cells);
        }
    }
    layers
}

/// These cells with one code changed.
pub(crate) fn with_code(cells: &LayerCells, at: usize, code: u8) -> LayerCells {
    let LayerCells::Narrow(cells) = cells else { panic!("narrow cells") };
    let mut cells = cells.clone();
    cells[at] = code;
    LayerCells::Narrow(cells)
}

pub(crate) fn verified<G: Indexed>(
    game: &G,
    layers: &Layers<G::Layer>,
    layer: G::Layer,
) -> Verified<G::Position> {
    let stop = AtomicBool::new(false);
    let verified = verify_layer(game, layer, layers, 1, &SolveLimits::until(&stop), &quiet);
    verified.unwrap_or_else(|unfinished| panic!("{unfinished:?}"))
}

/// A game with one more position, which has a move to every position of some layers.
#[derive(Clone, Debug)]
struct FromAll<'a, G: Indexed> {
    game: &'a G,
    positions: Vec<G::Position>,
}

/// The scores of all positions that can be reached from any position of these layers.
fn judge<'a, G: Indexed + Hashed>(game: &'a G, layers: &[G::Layer]) -> Solved<FromAll<'a, G>> {
    let slots = |layer| (0..game.slots(layer)).map(Slot).filter_map(move |s| game.position(layer, s));
    let positions = layers.iter().flat_map(|&layer| slots(layer)).collect();
    let (stop, from_all) = (AtomicBool::new(false), FromAll { game, positions });
    exhaustive::solve(&from_all, None, &SolveLimits::until(&stop), &mut |_| ()).unwrap()
}

impl<G: Indexed> Game for FromAll<'_, G> {
    type Position = Option<G::Position>;
    type Move = Result<G::Move, u32>;

    fn turn(&self, position: &Self::Position) -> Player {
        position.map_or(Player::First, |position| self.game.turn(&position))
    }

    fn over(&self, position: &Self::Position) -> Option<Over> {
        position.and_then(|position| self.game.over(&position))
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        let Some(position) = position else {
            out.extend((0..self.positions.len() as u32).map(Err));
            return;
        };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        out.extend(moves.into_iter().map(Ok));
    }

    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        match (position, mv) {
            (Some(position), Ok(mv)) => Some(self.game.play(position, mv)),
            (None, Err(number)) => Some(self.positions[number as usize]),
            _ => unreachable!("a move of another position"),
        }
    }
}

impl<G: Indexed + Hashed> Hashed for FromAll<'_, G> {
    fn key(&self, position: &Self::Position) -> u64 {
        position.map_or(0, |position| self.game.key(&position))
    }
}

/// Every slot has the score that the judge gives its position and all images of it.
pub(crate) fn check_by_judge<G: Retract + Hashed>(game: &G, wanted: &[G::Layer]) -> Layers<G::Layer> {
    let layers = solved(game, wanted.iter().copied());
    let mut judged: hashbrown::HashMap<G::Layer, hashbrown::HashSet<Slot>> = hashbrown::HashMap::new();
    for (position, score) in judge(game, wanted).iter() {
        let Some(position) = position else { continue };
        let (layer, slot) = game.slot(position);
        let found: Option<Score> = layers.get(layer).unwrap().entry(slot).score();
        assert_eq!(found, Some(score), "{position:?} in {layer:?}");
        judged.entry(layer).or_default().insert(slot);
    }
    for &layer in wanted {
        let positions = marquis_retro::Counts::of(layers.get(layer).unwrap()).positions();
        assert_eq!(judged.get(&layer).map_or(0, |slots| slots.len() as u64), positions, "{layer:?}");
        assert_eq!(verified(game, &layers, layer).faults, [], "{layer:?}");
    }
    layers
}
