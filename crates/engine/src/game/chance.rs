//! The interface of a game with throws to the engine.

use std::fmt::Debug;
use std::hash::Hash;
use web_time::Instant;

use marquis_core::{ByPlayer, Chance, ChanceNotation, GameId, Slot, TextError};
use marquis_table::Fingerprint;

use crate::files::chances::{LayerChances, LoadedLayer};
use crate::files::checkpoint::Checkpoint;
use crate::files::layer::{self, LayerId};
use crate::game::about::About;
use crate::game::method::{Method, MethodCost};
use crate::query::BuildQuery;
use crate::{Control, EngineError};
use marquis_wire::reports::DrawnRow;

/// A game in which the player to move throws first. Its positions form layers, which become files.
///
/// Every slot of a layer is in use and has the first player to throw: a position and its colour swap share a slot.
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
    /// A layer: unfinished positions with the same material.
    type Layer: Copy + Ord + Hash + Debug + Send + Sync;

    /// The description of the game.
    fn about() -> About;

    /// The start position of `size`, or of the usual size.
    ///
    /// # Errors
    /// Names the `start` if there is none of that size.
    fn start(size: Option<&str>) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The rules and the position that a text describes.
    ///
    /// # Errors
    /// Names the wrong row or field, the expected content and the content found.
    fn parse(text: &str) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The board, row by row from the top, and the lines below it.
    fn draw(rules: &Self::Rules, position: &Self::Position) -> (Vec<DrawnRow>, Vec<String>);

    /// The names of the cells, row by row in the order of position texts.
    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        let _ = rules;
        Vec::new()
    }

    /// The tables that `serve` builds for this game if it finds none.
    fn starter() -> Option<BuildQuery> {
        None
    }

    /// The parameters common to all layers, such as `side=3`.
    fn variant(rules: &Self::Rules) -> String;

    /// The rules of a variant.
    fn of_variant(variant: &str) -> Option<Self::Rules>;

    /// The folder of the files.
    fn folder(rules: &Self::Rules) -> String;

    /// The name of a layer, also of its file.
    fn layer_name(layer: Self::Layer) -> String;

    /// The layer of this name.
    fn layer_named(rules: &Self::Rules, name: &str) -> Option<Self::Layer>;

    /// The layer of a position; `None` if the game is over.
    fn layer(rules: &Self::Rules, position: &Self::Position) -> Option<Self::Layer>;

    /// The number of positions of a layer.
    fn slots(rules: &Self::Rules, layer: Self::Layer) -> u64;

    /// The slot of a position in its layer; its colour swap has the same slot.
    fn slot(rules: &Self::Rules, layer: Self::Layer, position: &Self::Position) -> Slot;

    /// The position of a slot below [`slots`](Self::slots), with the first player to throw.
    fn position(rules: &Self::Rules, layer: Self::Layer, slot: Slot) -> Self::Position;

    /// All layers between which play can go back and forth, `layer` included, in solving order.
    fn component(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The layers outside the component of `layer` that one move from the component can reach.
    fn child_layers(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The component of `layer`, and the layers that one move from it can reach.
    fn needed(rules: &Self::Rules, layer: Self::Layer) -> Vec<Self::Layer> {
        let mut needed = Self::component(rules, layer);
        needed.extend(Self::child_layers(rules, layer));
        needed
    }

    /// The rules of a request, and the requested layers without those that they lead to.
    ///
    /// # Errors
    /// The query is invalid.
    fn wanted(query: &BuildQuery) -> Result<(Self::Rules, Vec<Self::Layer>), EngineError>;

    /// The methods by which `layers` can be solved together, the fastest first; at least one.
    fn methods(rules: &Self::Rules, layers: &[Self::Layer]) -> Vec<MethodCost>;

    /// A note for the user before `layers` are built: memory and disk if they are large.
    fn outlook(rules: &Self::Rules, layers: &[Self::Layer]) -> Option<String> {
        let _ = (rules, layers);
        None
    }

    /// An estimate of the core seconds for `layers`, if a trial of smaller layers does not show them.
    fn core_seconds(rules: &Self::Rules, layers: &[Self::Layer]) -> Option<f64> {
        let _ = (rules, layers);
        None
    }

    /// Finds bounds of every chance of `layers`, which are solved together, and writes their files.
    ///
    /// For small layers, [`sweep`](crate::chance::sweep) does this.
    ///
    /// # Errors
    /// A file cannot be written, the work is interrupted, or time is up.
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

/// The identity of a layer, as its file states it.
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

/// The inputs and limits for solving layers with chances.
pub struct ChanceWork<'a, L> {
    /// Reads a layer below from its file.
    pub below: &'a (dyn Fn(L) -> Result<LoadedLayer<L>, EngineError> + Sync),
    /// Stores unfinished layers.
    pub checkpoint: &'a Checkpoint,
    /// How to solve them: one of [`methods`](ChanceGame::methods).
    pub method: Method,
    /// The deadline, on the clock of `control`.
    pub deadline: Option<Instant>,
    /// Can stop the work before the deadline.
    pub control: &'a Control<'a>,
    /// Receives the progress as text.
    pub tell: &'a (dyn Fn(&str) + Sync),
    /// Writes the file of a solved layer.
    pub write: &'a (dyn Fn(L, &LayerChances<'_>) -> Result<(), EngineError> + Sync),
    /// The name of these layers, for messages.
    pub name: &'a str,
}

impl<L> ChanceWork<'_, L> {
    /// Returns an error if the work has to end.
    ///
    /// # Errors
    /// The work is interrupted, or time is up.
    pub fn check(&self) -> Result<(), EngineError> {
        if self.control.stopped() {
            return Err(EngineError::Interrupted);
        }
        if self.control.is_past(self.deadline) {
            let name = self.name;
            let message = format!("time is up at layer {name}; finished parts are kept");
            return Err(EngineError::LimitReached(message));
        }
        Ok(())
    }

    /// Checks that the disk of the checkpoint has room for `bytes`, which include the existing files of the
    /// checkpoint.
    ///
    /// # Errors
    /// There is too little room; the error states the number of missing bytes.
    pub fn expect_room(&self, bytes: u64) -> Result<(), EngineError> {
        self.checkpoint.expect_room(bytes)
    }

    /// Writes the file of a solved layer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, layer: L, solved: &LayerChances<'_>) -> Result<(), EngineError> {
        (self.write)(layer, solved)
    }
}
