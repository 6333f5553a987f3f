//! What a game tells the engine: how its tables are made and found, and what it knows beyond its rules.
//!
//! A game without chance is a type without values that has both abilities, [`Tabled`] and [`ExactGame`];
//! `Game::exact` makes an entry of the registry of it.

use std::fmt::Debug;
use std::hash::Hash;

use marquis_core::{ByPlayer, GameId, Immobile, Indexed, Playable, Player, RulesPage, Score, TextError};
use marquis_retro::layered::Layer;
use marquis_retro::{Keeper, Layers, Limits, Progress, Snapshot, Stopped};
use marquis_table::Hints;

use crate::ask::setups::SetUps;
use crate::claims::{Evidence, Finding};
use crate::wire::reports::DrawnRow;
use crate::{BuildQuery, Control, EngineError};

/// What a newcomer is told about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Which game it is.
    pub id: GameId,
    /// What can be chosen: board sizes, variants.
    pub variants: &'static str,
    /// The grammar of position texts.
    pub grammar: &'static str,
    /// The rules for people, with diagrams.
    pub rules: &'static RulesPage,
    /// The sizes of the start positions that are listed, as they follow `start:`.
    pub sizes: &'static [&'static str],
    /// The names of the players' colours.
    pub colours: ByPlayer<&'static str>,
    /// What `generate` can build, for a reader: a line each.
    pub builds: &'static str,
    /// Whether players agree on what happens to one who cannot move.
    pub agrees_on_immobile: bool,
}

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
    /// Why there is no such variant or it is too large, in words.
    fn reopen(variant: &str, layers: &[&str]) -> Result<Self::Index, String>;

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

    /// Bytes that the numbering takes.
    fn index_bytes(index: &Self::Index) -> u64;

    /// The scores of a layer and its peers, in the order of [`peers`](Indexed::peers); [`un_moves`] finds them where
    /// moves can be taken back.
    ///
    /// # Errors
    /// Which of the limits ended the work.
    fn solve_layer(
        index: &Self::Index,
        layer: LayerOf<Self>,
        work: Work<'_, LayerOf<Self>>,
    ) -> Result<Vec<Layer<LayerOf<Self>>>, Stopped>;

    /// Bytes while layers are solved that are solved together, the layers below aside: each cell, and its copy in a
    /// checkpoint.
    fn solving_bytes(index: &Self::Index, layers: &[LayerOf<Self>]) -> u64 {
        2 * layers.iter().map(|&layer| index.slots(layer)).sum::<u64>()
    }

    /// The hints by which a layer is packed, if there are any; nothing is computed until a packed block asks for it.
    fn hints(variant: &str, layer: &str) -> Option<Hints> {
        let _ = (variant, layer);
        None
    }
}

/// A game without chance: how it is written and drawn, and what it knows for the search.
pub trait ExactGame: Tabled {
    /// What there is to say about it.
    fn about() -> About;

    /// The start position on a board of the wanted size, or of the usual one.
    ///
    /// # Errors
    /// Names the `start` when there is no board of that size, or no start at all.
    fn start(size: Option<&str>) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The rules and the position that a text describes.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    fn parse(text: &str, immobile: Immobile) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The board, row by row from the top, and what stands below it.
    fn draw(rules: &Self::Rules, position: &Self::Position) -> (Vec<DrawnRow>, Vec<String>);

    /// What a store has to reach, in games that end so.
    fn target(rules: &Self::Rules) -> Option<u16> {
        let _ = rules;
        None
    }

    /// What `serve` builds of this game when it finds no tables.
    fn starter() -> Option<BuildQuery> {
        None
    }

    /// The score of a position whose kind is solved without tables or a search of both sides; nothing where it is of
    /// no such kind, or where it takes more effort.
    ///
    /// * `effort`: placements that may be looked at; what is left of it afterwards.
    fn direct_score(rules: &Self::Rules, position: &Self::Position, effort: &mut u32) -> Option<Score> {
        let _ = (rules, position, effort);
        None
    }

    /// The work that a proof of a win by `player` looks like; nothing where nobody can say.
    fn work(rules: &Self::Rules, position: &Self::Position, player: Player) -> Option<u32> {
        let _ = (rules, position, player);
        None
    }

    /// Whether the player to move certainly wins with this very move.
    fn wins_at_once(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// Whether a move may lead to a position in which the opponent [`wins_at_once`](Self::wins_at_once).
    fn may_lose_next(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        true
    }

    /// Whether far more positions can be reached from this one than anybody would solve one by one.
    fn is_vast(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// What the designer claims of the game besides what is looked at in every game.
    ///
    /// # Errors
    /// A table that cannot be read, or an interruption.
    fn claims(
        rules: &Self::Rules,
        position: &Self::Position,
        evidence: Evidence<'_, Self>,
        control: &Control<'_>,
    ) -> Result<Vec<Finding>, EngineError> {
        let _ = (rules, position, evidence, control);
        Ok(Vec::new())
    }

    /// How games begin with a board that Player One lays out; none where they begin otherwise.
    fn set_ups() -> Option<&'static dyn SetUps<Self>> {
        None
    }
}

/// What solving a layer needs and may do.
pub struct Work<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// Where it was stopped the last time.
    pub kept: Option<Snapshot<L>>,
    /// Keeps what there is of it.
    pub keeper: &'a dyn Keeper<L>,
    /// When to stop.
    pub limits: &'a Limits<'a>,
    /// Is told how far it is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// Solves a layer and its peers by moves that are taken back.
///
/// # Errors
/// Which of the limits ended the work.
pub fn un_moves<G: marquis_core::Retract>(
    index: &G,
    layer: G::Layer,
    work: Work<'_, G::Layer>,
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let Work { lower, kept, keeper, limits, progress } = work;
    marquis_retro::layered::solve_bundle_from(index, layer, lower, kept, keeper, limits, progress)
}

/// The rules and the position of a text in which `start` and `start:SIZE` stand for start positions.
///
/// # Errors
/// As [`ExactGame::parse`] and [`ExactGame::start`].
pub fn read_position<G: ExactGame>(
    text: &str,
    immobile: Immobile,
) -> Result<(G::Rules, G::Position), TextError> {
    match start_size(text) {
        Some(size) => G::start(size),
        None => G::parse(text.trim(), immobile),
    }
}

/// What follows `start` or `start:`, if the text asks for a start position.
pub(crate) fn start_size(text: &str) -> Option<Option<&str>> {
    match text.trim().strip_prefix("start")? {
        "" => Some(None),
        size => size.strip_prefix(':').map(Some),
    }
}

/// Refuses a numbering that takes more memory than any may.
///
/// * `what`: what is numbered, after `numbering`.
///
/// # Errors
/// It is too large.
pub fn allow_index(what: impl FnOnce() -> String, needed: u64) -> Result<(), EngineError> {
    if needed > MOST_INDEX_BYTES {
        let what = format!("numbering {}", what());
        return Err(EngineError::TooLarge { what, needed, limit: MOST_INDEX_BYTES });
    }
    Ok(())
}

/// Most memory for the numbering of positions.
const MOST_INDEX_BYTES: u64 = 2 << 30;
