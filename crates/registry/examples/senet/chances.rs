//! Tables of Senet in memory, for millions of look-ups.

use std::path::Path;

use marquis_core::{Chance, Player, Throw};
use marquis_engine::chance::LoadedLayer;
use marquis_engine::tables::load_layers;
use marquis_engine::{EngineError, Registry};
use marquis_games::senet::Senet;
use marquis_games::senet::{Move, Position, SenetLayer};
use marquis_registry::senet::Adapter;

/// The number of possible piece counts of a player, including none.
const COUNTS: usize = 6;

/// The chances of all positions up to some number of pieces.
pub(crate) struct SenetChances {
    /// By the pieces of the player to throw and of the opponent.
    layers: Vec<Option<LoadedLayer<SenetLayer>>>,
}

impl SenetChances {
    /// Reads the layers of a folder of tables.
    ///
    /// * `most`: the largest number of pieces a side.
    ///
    /// # Errors
    /// A layer is missing or cannot be read.
    pub(crate) fn read(registry: &Registry, folder: &Path, most: u8) -> Result<Self, EngineError> {
        let layers = (1..=most)
            .flat_map(|mover| (1..=most).filter_map(move |opponent| SenetLayer::new(mover, opponent)));
        Self::read_layers(registry, folder, &layers.collect::<Vec<_>>())
    }

    /// Reads some layers of a folder of tables.
    ///
    /// # Errors
    /// A layer is missing or cannot be read.
    pub(crate) fn read_layers(
        registry: &Registry,
        folder: &Path,
        wanted: &[SenetLayer],
    ) -> Result<Self, EngineError> {
        let mut layers: Vec<Option<LoadedLayer<SenetLayer>>> = (0..COUNTS * COUNTS).map(|_| None).collect();
        for layer in load_layers::<Adapter>(registry, &Senet, folder, wanted)? {
            let own = layer.layer();
            layers[place(own)] = Some(layer);
        }
        Ok(Self { layers })
    }

    /// The largest error of a chance.
    pub(crate) fn error(&self) -> f64 {
        self.layers.iter().flatten().map(LoadedLayer::error).fold(0.0, f64::max)
    }

    /// Whether a position has no more pieces than were read.
    pub(crate) fn knows(&self, position: &Position) -> bool {
        SenetLayer::of(position).is_none_or(|layer| self.layers[place(layer)].is_some())
    }

    /// The chance of a player.
    ///
    /// Panics if the position has more pieces than were read.
    pub(crate) fn of(&self, player: Player, position: &Position) -> f64 {
        let turn = position.turn();
        let Some(layer) = SenetLayer::of(position) else {
            return if position.pieces(player).is_empty() { 1.0 } else { 0.0 };
        };
        let chances = self.layers[place(layer)].as_ref().expect("a layer that was read");
        let chance = chances.chance(layer.slot(position));
        if turn == player { chance } else { 1.0 - chance }
    }

    /// All moves for a throw with the chances of the player who makes them; the best ones first, and among equals
    /// those of the rearmost piece.
    ///
    /// Panics if the position has more pieces than were read.
    pub(crate) fn moves(&self, position: &Position, throw: Throw) -> Vec<(Move, f64)> {
        let mut moves = Vec::new();
        Senet.moves(position, throw, &mut moves);
        let weigh = |mv| (mv, self.of(position.turn(), &Senet.play(position, throw, mv)));
        let mut weighed: Vec<_> = moves.into_iter().map(weigh).collect();
        weighed.sort_by(|a, b| b.1.total_cmp(&a.1));
        weighed
    }
}

fn place(layer: SenetLayer) -> usize {
    usize::from(layer.mover) * COUNTS + usize::from(layer.opponent)
}
