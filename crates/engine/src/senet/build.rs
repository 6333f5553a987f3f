//! Plan and build of the layers of Senet.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use marquis_chance::grid::{Cell, Grids};
use marquis_games::notation::TextError;
use marquis_games::senet::{self, Layer};
use marquis_table::store::remove_unfinished;
use marquis_table::{BlockCache, Store};

use super::checkpoint::Checkpoint;
use super::file::{GAME, LoadedLayer, VARIANT, layer_name, layer_named, layer_path, write};
use super::layout::SenetLayout;
use super::solving::{
    Bundle, Edges, Ending, Precision, Sides, edge_of_files, edges, grids, iterate, layouts, refine, swapped,
};
use crate::build::BuildQuery;
use crate::facade::file_error;
use crate::reports::{BuildPlan, BuildReport, PlannedLayer};
use crate::tables::{infos, open_store};
use crate::{Control, EngineError, Limits, Progress};

/// What a build takes besides bounds: the program, edges, masks of columns, packing buffers.
const BASE_BYTES: u64 = 512 << 20;
const CACHE_BYTES: usize = 16 << 20;
/// The bytes of a chance in a file.
const FILE_CELL_BYTES: u64 = 4;

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

/// Bytes while a bundle is solved: both bounds, as rows and as columns.
fn bytes_of(bundle: Bundle) -> u64 {
    let cell = match bundle.precision() {
        // Both kinds of numbers for a moment.
        Precision::Fine => 12,
        Precision::Coarse => 4,
    };
    bundle.cells() * cell * 4
}

fn memory_bytes(bundles: &[Bundle]) -> u64 {
    BASE_BYTES + bundles.iter().map(|&bundle| bytes_of(bundle)).max().unwrap_or(0)
}

fn open(out: &Path) -> Result<Store, EngineError> {
    open_store(out, &Arc::new(BlockCache::new(CACHE_BYTES)))
}

fn is_finished(store: &Store, layer: Layer) -> bool {
    store.find(GAME, VARIANT, &layer_name(layer)).is_some()
}

/// The layers, slots, memory and disk space of a build.
pub(crate) fn plan(query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    let bundles = bundles(query)?;
    let store = if out.exists() { Some(open(out)?) } else { None };
    let layers: Vec<PlannedLayer> = bundles
        .iter()
        .flat_map(|bundle| bundle.layers())
        .map(|layer| PlannedLayer {
            layer: layer_name(layer),
            slots: layer.slots(),
            finished: store.as_ref().is_some_and(|store| is_finished(store, layer)),
        })
        .collect();
    let slots = layers.iter().map(|layer| layer.slots).sum();
    Ok(BuildPlan {
        game: GAME.to_owned(),
        variant: VARIANT.to_owned(),
        layers,
        slots,
        memory_bytes: memory_bytes(&bundles),
        disk_bytes: slots * FILE_CELL_BYTES,
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
    let (needed, limit) = (memory_bytes(&bundles), limits.memory_bytes());
    if needed > limit {
        let what = format!("this build of {GAME}");
        return Err(EngineError::TooLarge { what, needed, limit });
    }
    let folder = out.join(GAME);
    std::fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error))?;
    for folder in [out, &folder] {
        remove_unfinished(folder).map_err(|error| file_error(folder, &error))?;
    }
    let store = open(out)?;
    let mut session = Session {
        out,
        sides: Sides::new(bundles.iter().map(|bundle| bundle.layer.mover).max().unwrap_or(1)),
        edges: Edges::new(),
        checkpoint_every,
        deadline: limits.deadline(),
        control,
        done: 0,
        total: bundles.iter().map(|bundle| bundle.slots()).sum(),
    };
    let mut kept = 0;
    for &bundle in &bundles {
        if bundle.layers().into_iter().all(|layer| is_finished(&store, layer)) {
            kept += bundle.layers().len();
            session.take_up(&store, bundle)?;
        } else {
            match bundle.precision() {
                Precision::Fine => session.solve_fine(bundle)?,
                Precision::Coarse => session.solve_coarse(bundle)?,
            }
        }
        session.done += bundle.slots();
    }
    let store = open(out)?;
    store.write_b3sums().map_err(|error| file_error(out, &error))?;
    let mut tables = infos(&store);
    let names: Vec<String> = bundles.iter().flat_map(|bundle| bundle.layers()).map(layer_name).collect();
    tables.retain(|info| info.game == GAME && names.contains(&info.layer));
    Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64() })
}

/// A build under way.
struct Session<'a> {
    out: &'a Path,
    sides: Sides,
    edges: Edges,
    checkpoint_every: Duration,
    deadline: Option<Instant>,
    control: &'a Control<'a>,
    done: u64,
    total: u64,
}

impl Session<'_> {
    /// Takes a finished bundle from its files.
    fn take_up(&mut self, store: &Store, bundle: Bundle) -> Result<(), EngineError> {
        Checkpoint::new(bundle, self.out, self.checkpoint_every).remove();
        let mut loaded = Vec::new();
        for layer in bundle.layers() {
            let path = self.out.join(layer_path(layer));
            let missing = || "expected a finished layer, found none; build again".to_owned();
            let table = store.find(GAME, VARIANT, &layer_name(layer)).ok_or_else(missing);
            let read = table.and_then(LoadedLayer::read);
            loaded.push(read.map_err(|message| EngineError::File { path, message })?);
        }
        for file in &loaded {
            let swap = loaded.iter().find(|other| other.layer == swapped(file.layer)).unwrap_or(file);
            self.edges.insert(file.layer, edge_of_files(&self.sides, file, swap));
        }
        Ok(())
    }

    /// Solves a bundle in numbers of four bytes, and writes its files.
    fn solve_coarse(&mut self, bundle: Bundle) -> Result<(), EngineError> {
        let layouts = layouts(&self.sides, bundle);
        let mut solving = Solving::<u32>::new(self, &layouts, bundle);
        solving.checkpoint.load(&mut solving.grids);
        let gap = solving.iterate(bundle.goal())?;
        let edges = solving.write(gap)?;
        self.edges.extend(edges);
        Ok(())
    }

    /// Solves a bundle in numbers of four bytes as far as they go, then in those of eight; writes its files.
    fn solve_fine(&mut self, bundle: Bundle) -> Result<(), EngineError> {
        let layouts = layouts(&self.sides, bundle);
        let mut solving = Solving::<u64>::new(self, &layouts, bundle);
        if !solving.checkpoint.load(&mut solving.grids) {
            let mut coarse = Solving::<u32>::new(self, &layouts, bundle);
            coarse.checkpoint.load(&mut coarse.grids);
            coarse.iterate(COARSE_GAP)?;
            refine(&coarse.grids, &mut solving.grids);
        }
        let gap = solving.iterate(bundle.goal())?;
        let edges = solving.write(gap)?;
        self.edges.extend(edges);
        Ok(())
    }
}

/// As far as numbers of four bytes bring the bounds of a bundle that is then solved in eight.
const COARSE_GAP: f64 = 2e-6;

/// A bundle being solved.
struct Solving<'a, C> {
    session: &'a Session<'a>,
    bundle: Bundle,
    grids: Grids<'a, C>,
    checkpoint: Checkpoint,
}

impl<'a, C: Cell> Solving<'a, C> {
    fn new(session: &'a Session<'a>, layouts: &'a [SenetLayout<'a>], bundle: Bundle) -> Self {
        let grids = grids::<C>(&session.sides, layouts, bundle, &session.edges);
        let checkpoint = Checkpoint::new(bundle, session.out, session.checkpoint_every);
        Self { session, bundle, grids, checkpoint }
    }

    /// Sweeps until the bounds are close enough; the result is how far apart they are.
    fn iterate(&mut self, goal: f64) -> Result<f64, EngineError> {
        let Session { control, deadline, done, total, .. } = *self.session;
        let name = layer_name(self.bundle.layer);
        let ending = iterate(&mut self.grids, goal, control.flag(), |grids, sweep, gap| {
            if self.checkpoint.is_due() {
                self.checkpoint.keep(grids);
            }
            let phase = format!("{GAME} {name}, sweep {sweep}, bounds {gap:.1e} apart");
            control.tell(&Progress { phase, done, total: Some(total), bounds: None });
            deadline.is_none_or(|deadline| Instant::now() < deadline)
        });
        match ending {
            Ending::Met(gap) => return Ok(gap),
            Ending::Stopped => self.checkpoint.keep(&self.grids),
        }
        Err(if control.stopped() {
            EngineError::Interrupted
        } else {
            EngineError::LimitReached(format!("time is up at layer {name}; what was finished is kept"))
        })
    }

    /// Writes the files; the result is what other layers need.
    fn write(&self, gap: f64) -> Result<Edges, EngineError> {
        let sides = &self.session.sides;
        for (layer, half) in self.bundle.layers().into_iter().zip(self.grids.halves()) {
            let path = self.session.out.join(layer_path(layer));
            let sets = (sides.placements(layer.mover), sides.placements(layer.waiter));
            write(&path, layer, half.again(), sets, gap).map_err(|error| file_error(&path, &error))?;
        }
        self.checkpoint.remove();
        Ok(edges(sides, self.bundle, &self.grids))
    }
}
