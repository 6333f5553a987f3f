//! What a game with throws tells the engine.

use std::fmt::Debug;
use std::hash::Hash;
use web_time::Instant;

use marquis_core::{ByPlayer, Chance, ChanceNotation, GameId, Slot, TextError};
use marquis_table::Fingerprint;

use crate::files::chances::{LoadedLayer, Solved};
use crate::files::layer::{self, LayerId};
use crate::game::about::About;
use crate::make::checkpoint::Checkpoint;
use crate::query::BuildQuery;
use crate::wire::reports::DrawnRow;
use crate::{Control, EngineError};

/// A game in which the player to move throws first, with layers of positions that become files.
///
/// Slots of a layer have no unused indices, and the player to throw is the first one in all of them: a position and
/// its colour swap share a slot.
pub trait ChanceGame: Sized + Send + Sync + 'static {
    /// The game's name: `senet`.
    const ID: GameId;

    /// The letters of the players in position texts.
    const LETTERS: ByPlayer<char>;

    /// The version of the numbering; part of the fingerprint of tables.
    const NUMBERING: u32;

    /// A position with the player to throw.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move for a throw.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// The rules, of one variant.
    type Rules: Chance<Position = Self::Position, Move = Self::Move> + ChanceNotation + PartialEq + 'static;
    /// Positions with the same material, none of them over.
    type Layer: Copy + Ord + Hash + Debug + Send + Sync;

    /// What there is to say about it.
    fn about() -> About;

    /// The start position of the wanted size, or of the usual one.
    ///
    /// # Errors
    /// Names the `start` when there is none of that size.
    fn start(size: Option<&str>) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The rules and the position that a text describes.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    fn parse(text: &str) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The board, row by row from the top, and what stands below it.
    fn draw(rules: &Self::Rules, position: &Self::Position) -> (Vec<DrawnRow>, Vec<String>);

    /// The names of the cells, row by row in the order of position texts.
    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        let _ = rules;
        Vec::new()
    }

    /// What `serve` builds of this game when it finds no tables.
    fn starter() -> Option<BuildQuery> {
        None
    }

    /// What is fixed for all layers: `side=3`.
    fn variant(rules: &Self::Rules) -> String;

    /// The rules of a variant.
    fn of_variant(variant: &str) -> Option<Self::Rules>;

    /// The folder of the files.
    fn folder(rules: &Self::Rules) -> String;

    /// The name of a layer, also of its file.
    fn layer_name(layer: Self::Layer) -> String;

    /// The layer of this name.
    fn layer_named(rules: &Self::Rules, name: &str) -> Option<Self::Layer>;

    /// The layer of a position; none where the game is over.
    fn layer(rules: &Self::Rules, position: &Self::Position) -> Option<Self::Layer>;

    /// How many positions a layer has.
    fn slots(rules: &Self::Rules, layer: Self::Layer) -> u64;

    /// The number of a position of this layer, the same for its colour swap.
    fn slot(rules: &Self::Rules, layer: Self::Layer, position: &Self::Position) -> Slot;

    /// The position of a slot below [`slots`](Self::slots), with the first player to throw.
    fn position(rules: &Self::Rules, layer: Self::Layer, slot: Slot) -> Self::Position;

    /// All layers between which play can go to and fro, `layer` included, in the order in which they are solved.
    fn component(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The layers that one move from `layer` or another of its component can reach, the component left out.
    fn child_layers(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The layers that one move from `layer` can reach, its component included.
    fn needed(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer> {
        let mut needed = Self::component(rules, layer);
        needed.extend(Self::child_layers(rules, layer));
        needed
    }

    /// The rules for a question, and the layers that are asked for, without those that they lead to.
    ///
    /// # Errors
    /// Bad input.
    fn wanted(query: &BuildQuery) -> Result<(Self::Rules, Vec<Self::Layer>), EngineError>;

    /// Bytes while layers are solved that are solved together.
    fn solving_bytes(rules: &Self::Rules, layers: &[Self::Layer]) -> u64;

    /// What is worth being told of such layers before they are built: memory and disk where they are large.
    fn outlook(rules: &Self::Rules, layers: &[Self::Layer]) -> Option<String> {
        let _ = (rules, layers);
        None
    }

    /// About the seconds of one core for such layers, where a trial of smaller ones would not tell.
    fn core_seconds(rules: &Self::Rules, layers: &[Self::Layer]) -> Option<f64> {
        let _ = (rules, layers);
        None
    }

    /// Finds bounds of every chance of layers that are solved together, and writes their files.
    ///
    /// [`sweep`](crate::chance::sweep) does so for layers that are small.
    ///
    /// # Errors
    /// A file that cannot be written, an interruption, or the end of the time.
    fn solve(
        rules: &Self::Rules,
        layers: &[Self::Layer],
        work: &ChanceWork<'_, Self::Layer>,
    ) -> Result<(), EngineError>;
}

/// The fingerprint of the rules and of the numbering.
#[must_use]
pub fn fingerprint<G: ChanceGame>(variant: &str) -> Fingerprint {
    layer::fingerprint(G::ID, variant, G::NUMBERING)
}

/// A layer as its file says it.
pub(crate) fn layer_id<G: ChanceGame>(rules: &G::Rules, layer: G::Layer) -> LayerId {
    LayerId {
        game: G::ID,
        variant: G::variant(rules),
        numbering: G::NUMBERING,
        folder: G::folder(rules),
        name: G::layer_name(layer),
        slots: G::slots(rules, layer),
    }
}

/// What solving layers with chances needs and may do.
pub struct ChanceWork<'a, L> {
    /// Reads a layer below from its file.
    pub below: &'a (dyn Fn(L) -> Result<LoadedLayer<L>, EngineError> + Sync),
    /// Where what there is of a layer is kept.
    pub checkpoint: &'a Checkpoint,
    /// Bytes that it may take besides those that it must have.
    pub room: u64,
    /// When to stop, on the clock of the control.
    pub deadline: Option<Instant>,
    /// Stops it as well.
    pub control: &'a Control<'a>,
    /// Is told how far it is, in words.
    pub tell: &'a (dyn Fn(&str) + Sync),
    /// Writes the file of a solved layer.
    pub write: &'a (dyn Fn(L, &Solved<'_>) -> Result<(), EngineError> + Sync),
    /// What these layers are called.
    pub name: &'a str,
}

impl<L> ChanceWork<'_, L> {
    /// Why the work has to end, if it has to.
    ///
    /// # Errors
    /// An interruption, or the end of the time.
    pub fn check(&self) -> Result<(), EngineError> {
        if self.control.stopped() {
            return Err(EngineError::Interrupted);
        }
        if self.control.is_past(self.deadline) {
            let name = self.name;
            let message = format!("time is up at layer {name}; what was finished is kept");
            return Err(EngineError::LimitReached(message));
        }
        Ok(())
    }

    /// Refuses to begin what does not fit on the disk of the checkpoint, beside what it has already.
    ///
    /// # Errors
    /// Says how many bytes are missing.
    pub fn expect_room(&self, bytes: u64) -> Result<(), EngineError> {
        self.checkpoint.expect_room(bytes)
    }

    /// Writes the file of a solved layer.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, layer: L, solved: &Solved<'_>) -> Result<(), EngineError> {
        (self.write)(layer, solved)
    }
}
