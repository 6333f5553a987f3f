//! How the positions of a game are numbered by layers, and how a layer is solved.

use std::fmt::Debug;
use std::hash::Hash;

use marquis_core::{ByPlayer, GameId, Indexed, Playable};
use marquis_retro::layered::Layer;
use marquis_retro::layered::strips::{Failure, RankedBundle, Share, SpillStore, StripSizes};
use marquis_retro::{BundleSnapshot, Keeper, Layers, SolveLimits, SolveProgress, Stopped};
use marquis_table::SlotFacts;

use crate::EngineError;
use crate::files::layer::LayerId;
use crate::query::BuildQuery;

/// The result of a rank that solves layers together with others.
pub type SolvedAmong<G> = Result<Vec<Share<LayerOf<G>>>, Stopped>;

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

    /// The scores of a component of layers, in the order of [`component`](Indexed::component). [`un_moves`] finds
    /// them if moves can be taken back.
    ///
    /// # Errors
    /// The limit that ended the work.
    fn solve_layer(
        index: &Self::Index,
        layer: LayerOf<Self>,
        work: Work<'_, LayerOf<Self>>,
    ) -> Result<Vec<Layer<LayerOf<Self>>>, Stopped>;

    /// The index as one whose layers can be solved in strips on a disk; `None` if they cannot.
    fn strips(index: &Self::Index) -> Option<&dyn InStrips<LayerOf<Self>>> {
        let _ = index;
        None
    }

    /// The bytes needed to solve `layers` together, without the layers below: each cell, and its copy in a
    /// checkpoint.
    fn solving_bytes(index: &Self::Index, layers: &[LayerOf<Self>]) -> u64 {
        2 * layers.iter().map(|&layer| index.slots(layer)).sum::<u64>()
    }

    /// The scores of a component of layers that several ranks solve together, each with a share of each layer. If
    /// layers have rows, [`solve_bundle_among`](marquis_retro::layered::strips::solve_bundle_among) finds them.
    /// `None` if this is not possible.
    fn solve_among(
        index: &Self::Index,
        layer: LayerOf<Self>,
        among: &RankedBundle<'_, LayerOf<Self>>,
    ) -> Option<SolvedAmong<Self>> {
        let _ = (index, layer, among);
        None
    }

    /// The bytes that one of `ranks` ranks needs for this, without the layers below; `None` if it is not possible.
    fn among_bytes(index: &Self::Index, layer: LayerOf<Self>, ranks: u64) -> Option<u64> {
        let _ = (index, layer, ranks);
        None
    }

    /// The hints by which a layer is packed, if any. They are computed only when a packed block asks for them.
    fn hints(variant: &str, layer: &str) -> Option<SlotFacts> {
        let _ = (variant, layer);
        None
    }
}

/// An index whose layers can be solved in strips; every index with rows is one.
pub trait InStrips<L>: Sync {
    /// The minimum memory for the component of a layer, without the layers below; `None` if rows do not pay.
    fn least_bytes(&self, layer: L) -> Option<u64>;

    /// The strip sizes for solving it in `room` bytes of memory; `None` if they are too few.
    fn sizes(&self, layer: L, room: u64) -> Option<StripSizes>;

    /// Solves it, and passes the finished cells to the spill store.
    ///
    /// # Errors
    /// The limit that ended the work, or an error of the spill store.
    fn solve_in_strips(
        &self,
        layer: L,
        sizes: StripSizes,
        spill: &dyn SpillStore<Error = EngineError>,
        work: &Work<'_, L>,
    ) -> Result<(), Failure<EngineError>>;
}

impl<G: marquis_core::Rowed> InStrips<G::Layer> for G {
    fn least_bytes(&self, layer: G::Layer) -> Option<u64> {
        StripSizes::least_bytes(self, layer)
    }

    fn sizes(&self, layer: G::Layer, room: u64) -> Option<StripSizes> {
        StripSizes::within(self, layer, room)
    }

    fn solve_in_strips(
        &self,
        layer: G::Layer,
        sizes: StripSizes,
        spill: &dyn SpillStore<Error = EngineError>,
        work: &Work<'_, G::Layer>,
    ) -> Result<(), Failure<EngineError>> {
        marquis_retro::layered::strips::solve_in_strips(
            self,
            layer,
            work.lower,
            sizes,
            spill,
            work.limits,
            work.progress,
        )
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

/// The inputs and limits for solving a layer.
pub struct Work<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// The snapshot of an earlier run that was stopped.
    pub kept: Option<BundleSnapshot<L>>,
    /// Bytes that it may use beyond [`solving_bytes`](Tabled::solving_bytes).
    pub room: u64,
    /// Keeps snapshots of the unfinished work.
    pub keeper: &'a dyn Keeper<L>,
    /// The limits of the work.
    pub limits: &'a SolveLimits<'a>,
    /// Receives the progress.
    pub progress: &'a (dyn Fn(SolveProgress) + Sync),
}

/// Solves a component of layers by taking moves back.
///
/// # Errors
/// The limit that ended the work.
pub fn un_moves<G: marquis_core::Retract>(
    index: &G,
    layer: G::Layer,
    work: Work<'_, G::Layer>,
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let Work { lower, kept, room: _, keeper, limits, progress } = work;
    marquis_retro::layered::solve_bundle_from(index, layer, lower, kept, keeper, limits, progress)
}

/// Like [`un_moves`], but row by row if there is room for it.
///
/// # Errors
/// The limit that ended the work.
pub fn by_rows<G: marquis_core::Retract + marquis_core::Rowed>(
    index: &G,
    layer: G::Layer,
    work: Work<'_, G::Layer>,
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    if marquis_retro::layered::more_bytes_by_rows(index, layer) > work.room {
        return un_moves(index, layer, work);
    }
    let Work { lower, kept, room: _, keeper, limits, progress } = work;
    marquis_retro::layered::solve_bundle_by_rows_from(index, layer, lower, kept, keeper, limits, progress)
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
