//! How the positions of a game are numbered by layers, and how a layer is solved.

use std::fmt::Debug;
use std::hash::Hash;

use marquis_core::{ByPlayer, GameId, Indexed, Playable};
use marquis_retro::layered::Layer;
use marquis_retro::layered::strips::{Among, Depot, Failure, Share, StripSizes};
use marquis_retro::{Keeper, Layers, Snapshot, SolveLimits, SolveProgress, Stopped};
use marquis_table::Hints;

use crate::EngineError;
use crate::files::layer::LayerId;
use crate::query::BuildQuery;

/// What a rank comes to that solves layers together with others.
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
    /// The rules that positions are asked about by; several of them may share an index.
    type Rules: Playable<Position = Self::Position, Move = Self::Move> + PartialEq + 'static;
    /// The rules that the positions of tables are numbered by.
    type Index: Indexed<Position = Self::Position> + 'static;

    /// The index of a variant, large enough for some layers.
    ///
    /// # Errors
    /// Why there is no such variant, or that it is too large.
    fn reopen(variant: &str, layers: &[&str]) -> Result<Self::Index, EngineError>;

    /// The index for a question, and the layers that are asked for, without those that they lead to.
    ///
    /// # Errors
    /// Bad input, or an index that is too large.
    fn wanted(query: &BuildQuery) -> Result<(Self::Index, Vec<LayerOf<Self>>), EngineError>;

    /// What is fixed for all layers: `side=3`.
    fn variant(index: &Self::Index) -> String;

    /// The folder of the files: `squish-s3`.
    fn folder(index: &Self::Index) -> String;

    /// The name of a layer, also of its file.
    fn layer_name(layer: LayerOf<Self>) -> String;

    /// The layer of this name.
    fn layer_named(index: &Self::Index, name: &str) -> Option<LayerOf<Self>>;

    /// The text of a position of the index.
    fn text(index: &Self::Index, position: &Self::Position) -> String;

    /// The layer of a position of these rules, and the position of the index that is worth the same; none where
    /// the index has none.
    ///
    /// * `position`: not a finished game.
    fn locate(
        index: &Self::Index,
        rules: &Self::Rules,
        position: &Self::Position,
    ) -> Option<(LayerOf<Self>, Self::Position)>;

    /// Whether positions of these rules are those that this index is made for, large or small.
    fn same_rules(index: &Self::Index, rules: &Self::Rules, position: &Self::Position) -> bool;

    /// The index for everything that play can lead to from a position, and the layers that are asked for, without those
    /// that they lead to; nothing where that is more than so many slots, or where nobody can say without building it.
    ///
    /// * `position`: not a finished game.
    fn around(
        rules: &Self::Rules,
        position: &Self::Position,
        slots: u64,
    ) -> Option<(Self::Index, Vec<LayerOf<Self>>)> {
        let _ = (rules, position, slots);
        None
    }

    /// Whether a look one ply ahead tells what a layer holds, so that it need not be written: then every move from it
    /// ends the game or leads to a layer of which this is not said.
    fn is_told_ahead(layer: LayerOf<Self>) -> bool {
        let _ = layer;
        false
    }

    /// Bytes that the numbering takes.
    fn index_bytes(index: &Self::Index) -> u64;

    /// The scores of a component of layers, in the order of [`component`](Indexed::component); [`un_moves`] finds
    /// them where moves can be taken back.
    ///
    /// # Errors
    /// Which of the limits ended the work.
    fn solve_layer(
        index: &Self::Index,
        layer: LayerOf<Self>,
        work: Work<'_, LayerOf<Self>>,
    ) -> Result<Vec<Layer<LayerOf<Self>>>, Stopped>;

    /// The index as one whose layers can be solved in strips on a disk, where their rows can.
    fn strips(index: &Self::Index) -> Option<&dyn InStrips<LayerOf<Self>>> {
        let _ = index;
        None
    }

    /// Bytes while layers are solved that are solved together, the layers below aside: each cell, and its copy in a
    /// checkpoint.
    fn solving_bytes(index: &Self::Index, layers: &[LayerOf<Self>]) -> u64 {
        2 * layers.iter().map(|&layer| index.slots(layer)).sum::<u64>()
    }

    /// The scores of a component of layers that several ranks solve together, a share of each layer for each of them;
    /// [`solve_bundle_among`](marquis_retro::layered::strips::solve_bundle_among) finds them where layers have rows. None
    /// where that cannot be done.
    fn solve_among(
        index: &Self::Index,
        layer: LayerOf<Self>,
        among: &Among<'_, LayerOf<Self>>,
    ) -> Option<SolvedAmong<Self>> {
        let _ = (index, layer, among);
        None
    }

    /// Bytes of one of so many ranks meanwhile, the layers below aside; none where that cannot be done.
    fn among_bytes(index: &Self::Index, layer: LayerOf<Self>, ranks: u64) -> Option<u64> {
        let _ = (index, layer, ranks);
        None
    }

    /// The hints by which a layer is packed, if there are any; nothing is computed until a packed block asks for it.
    fn hints(variant: &str, layer: &str) -> Option<Hints> {
        let _ = (variant, layer);
        None
    }
}

/// An index whose layers can be solved in strips; every index of rows is one.
pub trait InStrips<L>: Sync {
    /// The least memory for the component of a layer, the layers below aside; none where rows do not pay.
    fn least_bytes(&self, layer: L) -> Option<u64>;

    /// How it is solved with so many bytes of memory; none where they are too few.
    fn sizes(&self, layer: L, room: u64) -> Option<StripSizes>;

    /// Solves it; the depot gets the finished cells.
    ///
    /// # Errors
    /// Which of the limits ended the work, or what the depot says.
    fn solve_in_strips(
        &self,
        layer: L,
        sizes: StripSizes,
        depot: &dyn Depot<Error = EngineError>,
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
        depot: &dyn Depot<Error = EngineError>,
        work: &Work<'_, G::Layer>,
    ) -> Result<(), Failure<EngineError>> {
        marquis_retro::layered::strips::solve_in_strips(
            self,
            layer,
            work.lower,
            sizes,
            depot,
            work.limits,
            work.progress,
        )
    }
}

/// A layer as its file says it.
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

/// What solving a layer needs and may do.
pub struct Work<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// Where it was stopped the last time.
    pub kept: Option<Snapshot<L>>,
    /// Bytes that it may take besides [`solving_bytes`](Tabled::solving_bytes).
    pub room: u64,
    /// Keeps what there is of it.
    pub keeper: &'a dyn Keeper<L>,
    /// When to stop.
    pub limits: &'a SolveLimits<'a>,
    /// Is told how far it is.
    pub progress: &'a (dyn Fn(SolveProgress) + Sync),
}

/// Solves a component of layers by moves that are taken back.
///
/// # Errors
/// Which of the limits ended the work.
pub fn un_moves<G: marquis_core::Retract>(
    index: &G,
    layer: G::Layer,
    work: Work<'_, G::Layer>,
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let Work { lower, kept, room: _, keeper, limits, progress } = work;
    marquis_retro::layered::solve_bundle_from(index, layer, lower, kept, keeper, limits, progress)
}

/// The same row by row where there is room for it.
///
/// # Errors
/// Which of the limits ended the work.
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

/// Refuses a numbering that takes more memory than any may.
///
/// * `what`: what is numbered, after `numbering`; `needed`: bytes.
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

/// Most memory for the numbering of positions.
const MOST_INDEX_BYTES: u64 = 2 << 30;
