//! Plan and build of the layers of Senet.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use marquis_games::notation::TextError;
use marquis_games::senet::{self, Layer};
use marquis_table::{BlockCache, Store, Width};

use super::bundle::{ESTIMATE_SHARE, Solving};
use super::checkpoint::Checkpoint;
use super::file::{GAME, LoadedLayer, VARIANT, cell_width, layer_name, layer_named, layer_path, write_short};
use super::solving::{Bundle, Edges, Precision, Sides, edge_of_files, layers_below, layouts, swapped};
use crate::build::{BuildQuery, ChanceCells, common};
use crate::facade::file_error;
use crate::reports::{BuildPlan, BuildReport, PlannedLayer, TableInfo};
use crate::tables::open_store;
use crate::{Control, EngineError, Limits};

/// What a build takes besides bounds: the program, edges, masks of columns, packing buffers.
const BASE_BYTES: u64 = 512 << 20;
const CACHE_BYTES: usize = 16 << 20;

/// The bytes of a chance in a file, its bounds included.
const fn cell_bytes(chances: ChanceCells) -> u64 {
    match chances {
        ChanceCells::FourBytes => 8,
        ChanceCells::TwoBytes => 2,
    }
}

/// The largest layer that is asked for.
fn largest(query: &BuildQuery) -> Result<Layer, EngineError> {
    if query.side.is_some() {
        return Err(TextError::new("side", "none, since Senet has one board", "a side").into());
    }
    if let Some(from) = &query.from {
        let (_, position) = senet::parse(from)?;
        let over = || TextError::new("from", "a position that is not over", from.as_str());
        return Ok(Layer::of(&position).ok_or_else(over)?);
    }
    let text = query.pieces.as_deref().unwrap_or("5v5");
    let bad = || TextError::new("pieces", "pieces of both players, 1 to 5 each, such as `3v3`", text);
    Ok(layer_named(text).ok_or_else(bad)?)
}

/// All bundles of a build, those with fewer pieces first.
fn bundles(query: &BuildQuery) -> Result<Vec<Bundle>, EngineError> {
    let top = largest(query)?;
    let (most, least) = (top.mover.max(top.waiter), top.mover.min(top.waiter));
    let mut bundles = Vec::new();
    for mover in 1..=most {
        for waiter in 1..=mover.min(least) {
            bundles.push(Bundle { layer: Layer { mover, waiter } });
        }
    }
    bundles.sort_by_key(|bundle| (bundle.layer.mover + bundle.layer.waiter, bundle.layer.mover));
    Ok(bundles)
}

/// Bytes while a bundle is solved: both bounds, as rows and as columns, and the estimates.
fn bytes_of(bundle: Bundle) -> u64 {
    let cell = match bundle.precision() {
        Precision::Fine => 8,
        Precision::Coarse => 4,
    };
    bundle.cells() * cell * 5
}

fn memory_bytes(bundles: &[Bundle]) -> u64 {
    BASE_BYTES + bundles.iter().map(|&bundle| bytes_of(bundle)).max().unwrap_or(0)
}

fn open(out: &Path) -> Result<Store, EngineError> {
    open_store(out, &Arc::new(BlockCache::new(CACHE_BYTES)))
}

/// The layers, slots, memory and disk space of a build.
pub(crate) fn plan(query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    let bundles = bundles(query)?;
    let own: Vec<Layer> = bundles.iter().flat_map(|bundle| bundle.layers()).collect();
    let kept = if out.exists() { kept(&open(out)?, &own, query.chances) } else { Vec::new() };
    let layers: Vec<PlannedLayer> = own
        .into_iter()
        .map(|layer| PlannedLayer {
            layer: layer_name(layer),
            slots: layer.slots(),
            finished: kept.contains(&layer),
        })
        .collect();
    let slots = layers.iter().map(|layer| layer.slots).sum();
    Ok(BuildPlan {
        game: GAME.to_owned(),
        variant: VARIANT.to_owned(),
        layers,
        slots,
        memory_bytes: memory_bytes(&bundles),
        disk_bytes: slots * cell_bytes(query.chances),
    })
}

/// Builds every layer of a plan that has no finished file yet.
pub(crate) fn generate(
    query: &BuildQuery,
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    let begun = Instant::now();
    let bundles = bundles(query)?;
    common::allow(GAME, memory_bytes(&bundles), limits)?;
    common::prepare(out, &out.join(GAME))?;
    let layers: Vec<Layer> = bundles.iter().flat_map(|bundle| bundle.layers()).collect();
    let store = open(out)?;
    common::check_sound(&store, &|_| true, control)?;
    let kept = kept(&store, &layers, query.chances);
    if kept.len() < layers.len() {
        build(&bundles, &kept, out, checkpoint_every, limits, control)?;
    }
    if query.chances == ChanceCells::TwoBytes {
        shorten(&open(out)?, &layers, out)?;
    }
    let names: Vec<String> = layers.into_iter().map(layer_name).collect();
    let own = |info: &TableInfo| info.game == GAME && names.contains(&info.layer);
    common::report(&open(out)?, own, kept.len(), begun)
}

/// The layers that need not be built.
///
/// Cells of two bytes are no ground to build on: where a layer is missing, those below it need four.
fn kept(store: &Store, layers: &[Layer], chances: ChanceCells) -> Vec<Layer> {
    let is_there = |layer: &&Layer, wide: bool| {
        let width = store.find(GAME, VARIANT, &layer_name(**layer)).map(cell_width);
        width.is_some_and(|width| width == Width::Four || !wide)
    };
    if chances == ChanceCells::TwoBytes && layers.iter().all(|layer| is_there(&layer, false)) {
        return layers.to_vec();
    }
    layers.iter().filter(|layer| is_there(layer, true)).copied().collect()
}

/// Rounds the chances of all layers to two bytes.
fn shorten(store: &Store, layers: &[Layer], out: &Path) -> Result<(), EngineError> {
    for &layer in layers {
        let path = out.join(layer_path(layer));
        let Some(table) = store.find(GAME, VARIANT, &layer_name(layer)) else { continue };
        if cell_width(table) == Width::Four {
            let loaded = LoadedLayer::read(table);
            let loaded = loaded.map_err(|message| EngineError::File { path: path.clone(), message })?;
            write_short(&path, &loaded).map_err(|error| file_error(&path, &error))?;
        }
    }
    Ok(())
}

/// Builds the layers that are not kept.
fn build(
    bundles: &[Bundle],
    kept: &[Layer],
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    let mut session = Session {
        out,
        sides: Sides::new(bundles.iter().map(|bundle| bundle.layer.mover).max().unwrap_or(1)),
        checkpoint_every,
        deadline: limits.deadline(),
        control,
        done: 0,
        total: bundles.iter().map(|bundle| bundle.slots()).sum(),
    };
    for &bundle in bundles {
        if bundle.layers().iter().all(|layer| kept.contains(layer)) {
            Checkpoint::remove(bundle, out);
        } else {
            session.solve(bundle)?;
        }
        session.done += bundle.slots();
    }
    Ok(())
}

/// A build under way.
pub(super) struct Session<'a> {
    pub(super) out: &'a Path,
    pub(super) sides: Sides,
    pub(super) checkpoint_every: Duration,
    pub(super) deadline: Option<Instant>,
    pub(super) control: &'a Control<'a>,
    /// Slots of the bundles that are finished.
    pub(super) done: u64,
    /// Slots of all bundles.
    pub(super) total: u64,
}

impl Session<'_> {
    /// Solves a bundle and writes its files.
    fn solve(&self, bundle: Bundle) -> Result<(), EngineError> {
        let layouts = layouts(&self.sides, bundle);
        let (goal, share) = (bundle.goal(), ESTIMATE_SHARE);
        let edges = self.edges(bundle)?;
        Solving { session: self, bundle, goal, share, layouts: &layouts, edges: &edges }.run()
    }

    /// What a bundle needs of those below, from their files.
    ///
    /// Also where they were solved a moment ago: so nothing depends on what was built in one go.
    fn edges(&self, bundle: Bundle) -> Result<Edges, EngineError> {
        let store = open(self.out)?;
        let load = |layer: Layer| {
            let path = self.out.join(layer_path(layer));
            let missing = || "expected a finished layer, found none; build again".to_owned();
            let table = store.find(GAME, VARIANT, &layer_name(layer)).ok_or_else(missing);
            let read = table.and_then(LoadedLayer::read);
            read.map_err(|message| EngineError::File { path, message })
        };
        let mut edges = Edges::new();
        for layer in layers_below(bundle) {
            let own = load(layer)?;
            let swap = if swapped(layer) == layer { None } else { Some(load(swapped(layer))?) };
            edges.insert(layer, edge_of_files(&self.sides, &own, swap.as_ref().unwrap_or(&own)));
        }
        Ok(edges)
    }
}
