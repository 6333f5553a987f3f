//! How the positions of a game are numbered by layers.

use std::fmt::Debug;
use std::hash::Hash;

use marquis_core::{ByPlayer, GameId, Indexed, Playable};
use marquis_table::SlotFacts;

use crate::EngineError;
use crate::files::layer::LayerId;
use crate::game::layer_solver::LayerSolver;
use crate::query::BuildQuery;

/// The layers of a game's index.
pub type LayerOf<G> = <<G as Tabled>::Index as Indexed>::Layer;

/// A game whose positions are numbered by layers, which become files.
pub trait Tabled: Sized + Send + Sync + 'static {
    /// The game's name: `squish`.
    const ID: GameId;

    /// The letters of the players in position texts.
    const LETTERS: ByPlayer<char>;

    /// The version of the numbering; part of the fingerprint of tables.
    const NUMBERING: u32;

    /// A position of both the rules and the index.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move of the rules.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// The rules of requested positions; several of them may share an index.
    type Rules: Playable<Position = Self::Position, Move = Self::Move> + PartialEq + 'static;
    /// The rules by which tables number positions.
    type Index: Indexed<Position = Self::Position> + 'static;

    /// The index of a variant, large enough for `layers`.
    ///
    /// # Errors
    /// There is no such variant, or it is too large.
    fn reopen(variant: &str, layers: &[&str]) -> Result<Self::Index, EngineError>;

    /// The index for a request, and the requested layers without those that they lead to.
    ///
    /// * `query`: the command line requires one of `side`, `pieces` and `from`, also in games with one board.
    ///
    /// # Errors
    /// The query is invalid, or the index is too large.
    fn wanted(query: &BuildQuery) -> Result<(Self::Index, Vec<LayerOf<Self>>), EngineError>;

    /// The parameters common to all layers, such as `side=3`.
    fn variant(index: &Self::Index) -> String;

    /// The folder of the files, such as `squish-s3`.
    fn folder(index: &Self::Index) -> String;

    /// The name of a layer, also of its file.
    fn layer_name(layer: LayerOf<Self>) -> String;

    /// The layer of this name.
    fn layer_named(index: &Self::Index, name: &str) -> Option<LayerOf<Self>>;

    /// The text of a position of the index.
    fn text(index: &Self::Index, position: &Self::Position) -> String;

    /// The layer of a position of these rules, and the position of the index with the same score; `None` if the index
    /// has none.
    ///
    /// * `position`: unfinished.
    fn locate(
        index: &Self::Index,
        rules: &Self::Rules,
        position: &Self::Position,
    ) -> Option<(LayerOf<Self>, Self::Position)>;

    /// Whether this index is made for positions of these rules, regardless of size.
    fn same_rules(index: &Self::Index, rules: &Self::Rules, position: &Self::Position) -> bool;

    /// The index for everything reachable from a position, and the requested layers without those that they lead to.
    /// `None` if it has more than `slots` slots, or if their number is unknown before it is built.
    ///
    /// * `position`: unfinished.
    fn around(
        rules: &Self::Rules,
        position: &Self::Position,
        slots: u64,
    ) -> Option<(Self::Index, Vec<LayerOf<Self>>)> {
        let _ = (rules, position, slots);
        None
    }

    /// Whether a look-ahead of one ply yields the scores of a layer, so that its table is not written. Every move
    /// from such a layer ends the game or leads to a layer whose table is written.
    fn is_implied(layer: LayerOf<Self>) -> bool {
        let _ = layer;
        false
    }

    /// The memory of the numbering, in bytes.
    fn index_bytes(index: &Self::Index) -> u64;

    /// The solver of an index: [`ByRows`](super::ByRows) if its layers have rows, [`ByUnMoves`](super::ByUnMoves) if
    /// moves can be taken back.
    fn solver(index: &Self::Index) -> impl LayerSolver<LayerOf<Self>> + '_;

    /// The hints by which a layer is packed, if any. They are computed only when a packed block asks for them.
    fn hints(variant: &str, layer: &str) -> Option<SlotFacts> {
        let _ = (variant, layer);
        None
    }
}

/// The identity of a layer, as its file states it.
pub(crate) fn layer_id<G: Tabled>(index: &G::Index, layer: LayerOf<G>) -> LayerId {
    LayerId {
        game: G::ID,
        variant: G::variant(index),
        numbering: G::NUMBERING,
        folder: G::folder(index),
        name: G::layer_name(layer),
        slots: index.slots(layer),
    }
}

/// Checks that a numbering does not exceed the maximum memory of a numbering.
///
/// * `what`: the object of the numbering, which follows the word `numbering` in the message; `needed`: bytes.
///
/// # Errors
/// [`EngineError::NeverFits`].
pub fn allow_index(what: impl FnOnce() -> String, needed: u128) -> Result<(), EngineError> {
    let most = MOST_INDEX_BYTES;
    if needed > u128::from(most) {
        return Err(EngineError::NeverFits { what: format!("numbering {}", what()), needed, most });
    }
    Ok(())
}

/// The maximum memory for the numbering of positions, in bytes.
const MOST_INDEX_BYTES: u64 = 2 << 30;
