//! Senet: layers of chances, solved row by row.
//!
//! * `layout`: the rules as rows and columns.
//! * `solving`: a layer with its colour swap, and the edges of the layers below.
//! * `iterating`: estimates, and certified bounds.
//! * `convergence`: the convergence of sweeps.
//! * `bundle`: from a first guess to files.
//! * `rates`: the speed of sweeps, for the example `senet_sweeps`.

mod bundle;
mod checkpoint;
mod closing;
mod convergence;
mod iterating;
mod layout;
mod needs;
#[cfg(any(test, feature = "measure"))]
pub mod rates;
mod slots;
mod solving;
#[cfg(test)]
pub(crate) mod tests;

use marquis_core::{ByPlayer, GameId, Player, Slot, TextError};
use marquis_engine::chance::{ChanceGame, ChanceWork};
use marquis_engine::game::{About, Method, MethodCost};
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::notation::number;
use marquis_games::senet::Senet;
use marquis_games::senet::notation::LETTERS;
use marquis_games::senet::{self as rules, Move, Position, SenetLayer, Square, index};
use marquis_wire::reports::DrawnRow;

use self::bundle::{BundleSolver, ESTIMATE_SHARE, Storage};
use self::needs::{core_seconds, needs, outlook};
use self::solving::{Edges, PlacementTables, SwapPair, edge_of_files, layers_below, layouts, swapped};

/// Senet, for the engine.
pub struct Adapter;

/// The name of the game in a header, and its folder.
const GAME: &str = "senet";
/// The name of the rules in a header; there is one set of them.
const VARIANT: &str = "jequier";
/// The name of a layer, also of its file: `3v2`.
fn layer_name(layer: SenetLayer) -> String {
    format!("{}v{}", layer.mover, layer.opponent)
}

/// The layer of this name.
fn layer_named(name: &str) -> Option<SenetLayer> {
    let (mover, opponent) = name.split_once('v')?;
    let layer = SenetLayer::new(mover.parse().ok()?, opponent.parse().ok()?)?;
    (layer_name(layer) == name).then_some(layer)
}

/// The largest layer of a query.
fn largest(query: &BuildQuery) -> Result<SenetLayer, EngineError> {
    if query.side.is_some() {
        return Err(TextError::new("side", "none, since Senet has one board", "a side").into());
    }
    if let Some(from) = &query.from {
        let (_, position) = rules::parse(from)?;
        let over = || TextError::new("from", "a position that is not over", from.as_str());
        return Ok(SenetLayer::of(&position).ok_or_else(over)?);
    }
    let text = query.pieces.as_deref().unwrap_or("5v5");
    let bad = || TextError::new("pieces", "pieces of both players, 1 to 5 each, such as `3v3`", text);
    Ok(layer_named(text).ok_or_else(bad)?)
}

/// All bundles up to a layer, those with fewer pieces first.
fn bundles(top: SenetLayer) -> Vec<SwapPair> {
    let (most, least) = (top.mover.max(top.opponent), top.mover.min(top.opponent));
    let mut bundles = Vec::new();
    for mover in 1..=most {
        for opponent in 1..=mover.min(least) {
            bundles.push(SwapPair { layer: SenetLayer { mover, opponent } });
        }
    }
    bundles.sort_by_key(|bundle| (bundle.layer.mover + bundle.layer.opponent, bundle.layer.mover));
    bundles
}

/// A layer with its colour swap.
fn bundle_of(layer: SenetLayer) -> SwapPair {
    SwapPair { layer: if layer.mover >= layer.opponent { layer } else { swapped(layer) } }
}

impl ChanceGame for Adapter {
    const ID: GameId = GameId::new(GAME);
    const LETTERS: ByPlayer<char> = LETTERS;
    const NUMBERING: u32 = index::NUMBERING;

    type Position = Position;
    type Move = Move;
    type Rules = Senet;
    type Layer = SenetLayer;

    fn about() -> About {
        About {
            id: Self::ID,
            variants: "up to 5 pieces a colour",
            grammar: "ROWS b|w: three rows of ten in track order from square 1, separated by `/`; `b`, `w` a piece, \
                      a number so many empty squares",
            rules: &marquis_games::senet::RULES,
            sizes: &["2", "3", "4", "5"],
            colours: ByPlayer::new("Black", "White"),
            builds: "  --pieces 3v3            that layer and all that it leads to\n  \
                     --pieces 3v3 --bytes 2  the same in half the space",
            agrees_on_immobile: false,
        }
    }

    fn start(size: Option<&str>) -> Result<(Senet, Position), TextError> {
        let text = match size.map_or(Some(5), number) {
            // Black's forced 10-11 is already made.
            Some(5) => "wbwbwbwbw1/b9/10 b".to_owned(),
            Some(pieces @ 1..5) => format!("{}{}/10/10 b", "wb".repeat(pieces as usize), 10 - 2 * pieces),
            _ => return Err(TextError::new("start", "1 to 5 pieces a colour", size.unwrap_or(""))),
        };
        rules::parse(&text)
    }

    fn parse(text: &str) -> Result<(Senet, Position), TextError> {
        rules::parse(text)
    }

    /// The track on the board: the second row runs backwards.
    fn cells(_: &Senet) -> Vec<Vec<String>> {
        [1, 11, 21].map(|first| (first..first + 10).map(|square: u8| square.to_string()).collect()).to_vec()
    }

    fn draw(_: &Senet, position: &Position) -> (Vec<DrawnRow>, Vec<String>) {
        let cell = |number: u8| {
            let square = Square::new(number)?;
            let owner = Player::BOTH.into_iter().find(|&p| position.pieces(p).has(square));
            Some(owner.map_or_else(|| ".".to_owned(), |owner| LETTERS[owner].to_string()))
        };
        let row = |first: u8| {
            let mut cells: Vec<String> = (first..first + 10).filter_map(cell).collect();
            if first == 11 {
                cells.reverse();
            }
            let last = first + 9;
            let label = if first == 11 { format!("{last}-{first}") } else { format!("{first}-{last}") };
            DrawnRow { label, indent: 0, cells }
        };
        (vec![row(1), row(11), row(21)], Vec::new())
    }

    fn variant(_: &Senet) -> String {
        VARIANT.to_owned()
    }

    fn of_variant(variant: &str) -> Option<Senet> {
        (variant == VARIANT).then_some(Senet)
    }

    fn folder(_: &Senet) -> String {
        GAME.to_owned()
    }

    fn layer_name(layer: SenetLayer) -> String {
        layer_name(layer)
    }

    fn layer_named(_: &Senet, name: &str) -> Option<SenetLayer> {
        layer_named(name)
    }

    fn layer(_: &Senet, position: &Position) -> Option<SenetLayer> {
        SenetLayer::of(position)
    }

    fn slots(_: &Senet, layer: SenetLayer) -> u64 {
        layer.slots()
    }

    fn slot(_: &Senet, layer: SenetLayer, position: &Position) -> Slot {
        layer.slot(position)
    }

    fn position(_: &Senet, layer: SenetLayer, slot: Slot) -> Position {
        layer.position(slot)
    }

    fn component(_: &Senet, layer: SenetLayer) -> Vec<SenetLayer> {
        bundle_of(layer).layers()
    }

    fn child_layers(_: &Senet, layer: SenetLayer) -> Vec<SenetLayer> {
        layers_below(bundle_of(layer)).into_iter().flat_map(|below| bundle_of(below).layers()).collect()
    }

    fn needed(_: &Senet, layer: SenetLayer) -> Vec<SenetLayer> {
        let fewer = SenetLayer::new(layer.mover - 1, layer.opponent);
        let both = [Some(layer), fewer].into_iter().flatten();
        both.flat_map(|layer| [layer, swapped(layer)]).collect()
    }

    fn wanted(query: &BuildQuery) -> Result<(Senet, Vec<SenetLayer>), EngineError> {
        Ok((Senet, bundles(largest(query)?).into_iter().flat_map(SwapPair::layers).collect()))
    }

    fn methods(_: &Senet, layers: &[SenetLayer]) -> Vec<MethodCost> {
        needs(bundle_of(layers[0])).methods()
    }

    fn outlook(_: &Senet, layers: &[SenetLayer]) -> Option<String> {
        layers.first().and_then(|&layer| outlook(bundle_of(layer)))
    }

    fn core_seconds(_: &Senet, layers: &[SenetLayer]) -> Option<f64> {
        layers.first().and_then(|&layer| core_seconds(bundle_of(layer)))
    }

    fn solve(_: &Senet, layers: &[SenetLayer], work: &ChanceWork<'_, SenetLayer>) -> Result<(), EngineError> {
        let bundle = bundle_of(layers[0]);
        let sides = PlacementTables::new(bundle.layer.mover);
        let edge = |layer: SenetLayer| {
            let (own, swap) = ((work.below)(layer)?, (work.below)(swapped(layer))?);
            Ok((layer, edge_of_files(&sides, &own, &swap)))
        };
        let edges: Edges = layers_below(bundle).into_iter().map(edge).collect::<Result<_, EngineError>>()?;
        let session = SolveSession { work, sides: &sides };
        let layouts = layouts(&sides, bundle);
        let (goal, share) = (bundle.goal(), ESTIMATE_SHARE);
        let order = bundle.order();
        let needs = needs(bundle);
        // A bundle that does not fit into memory is solved on disk, with the same bytes.
        let ground = if work.method == Method::SweepsOnDisk { Storage::Disk } else { Storage::Memory };
        if ground == Storage::Disk {
            work.expect_room(needs.disk + needs.files)?;
        }
        BundleSolver {
            session: &session,
            bundle,
            goal,
            share,
            layouts: &layouts,
            edges: &edges,
            order,
            ground,
        }
        .run()
    }
}

/// The context for solving a bundle.
struct SolveSession<'a> {
    work: &'a ChanceWork<'a, SenetLayer>,
    sides: &'a PlacementTables,
}
